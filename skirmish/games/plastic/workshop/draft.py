"""A scenario that is being made, called a draft. It may have mistakes meanwhile, such as a zone in
which nobody sets up yet; what it cannot have is a value of the wrong form. Here are its mistakes,
and its map and table as wholes; ``keyed_values`` changes it a value at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.dealing.terrain import TERRAIN, pieces_on, terrain_of, used_on
from skirmish.games.plastic.rules.army import missing
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.own import file_name, own_problems
from skirmish.games.plastic.scenarios.problems import scenario_problems
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.data_file import Problem, parts, read, suggest, table_of
from skirmish.tabletop.plane import Point

FARTHEST = 1000
"""Inches from the lower left corner within which a draft may have features."""


class ScenarioRules(NamedTuple):
    """What scenarios are checked against: the units and nations, and the rulings."""

    catalog: Catalog
    book: PlasticRulingBook


class EditError(ValueError):
    """A change that is not possible; its text is a sentence for the player."""

    @classmethod
    def from_problems(cls, problems: Iterable[Problem]) -> EditError:
        """The error of a change that would leave these problems behind."""
        return cls(" ".join(str(problem) for problem in problems))


def draft_of(raw: Mapping[str, Any], file: str) -> Scenario:
    """The scenario of a file, which may have mistakes of meaning. Raises DataError, with all
    problems of form, if a value is of the wrong form."""
    return read(raw, Scenario, file, _far_off)


def _far_off(scenario: Scenario) -> Iterator[Problem]:
    """The features that are too far off the table to be drawn: a draft with these is not accepted,
    since a mistake that no map can show cannot be mended on the map."""
    keys: list[str] = []
    for key, point in map_of(scenario).points():
        # "all within", not "any beyond": a coordinate that is nan is neither, and is refused.
        is_within_reach = all(abs(inches) <= FARTHEST for inches in point)
        if not is_within_reach:
            keys.append(key)
    # Several points may have the same key, such as the corners of a building.
    for key in dict.fromkeys(keys):
        yield Problem(key, f"lies far off the table; at most {FARTHEST} in are drawn.")


def mistakes(scenario: Scenario, rules: ScenarioRules, first_number: int) -> list[Problem]:
    """All that is wrong with a draft, each with its key. ``first_number``: the lowest number that a
    player's own scenario may have; those below it belong to the published ones."""
    file = f"{file_name(scenario.number, scenario.id)}.toml"
    wrong_in_any_scenario = list(scenario_problems(scenario, rules.catalog, rules.book, file))
    wrong_in_own_one = own_problems(scenario, table_of(scenario), first_number)
    return wrong_in_any_scenario + wrong_in_own_one


def unusable(scenario: Scenario, catalog: Catalog) -> list[Problem]:
    """The mistakes with which the workshop cannot work: a draft that has a feature far off the
    table, that has not exactly two different sides, or that names a side, a nation, a unit or works
    which do not exist. A draft may have any other mistake."""
    wrong = list(_far_off(scenario))
    sides = [side.id for side in scenario.sides]
    if len(sides) != 2 or sides[0] == sides[1]:
        wrong.append(Problem("side", "needs two sides of different nations."))
    variants = [variant for variant in scenario.variants if variant.of in catalog.units]
    if len(variants) != len(scenario.variants):
        # Without that variant, each mention of it would be a mistake, too: those are not listed.
        wrong.append(Problem("variant", "is made from a unit that there is not."))
        return wrong
    catalog_with_variants = catalog.with_variants(variants)
    ids_by_kind: dict[str, Collection[str]] = {
        "nation": catalog.nations,
        "side": sides,
        "unit": catalog_with_variants.units,
        "work": catalog_with_variants.works,
    }
    for key, id, refers_to in parts(scenario, Scenario):
        # Wrong ids of anything else are no more than ``mistakes``.
        if refers_to in ids_by_kind and id not in ids_by_kind[refers_to]:
            hint = suggest(str(id), ids_by_kind[refers_to])
            wrong.append(Problem(key, f"no {refers_to} {id!r}; {hint}"))
    return wrong


def beyond_owned(
    scenario: Scenario, owned: Mapping[str, int], catalog: Catalog
) -> Iterator[Problem]:
    """The figures and terrain that the scenario needs beyond those that the player owns, each with
    the key of a place where that can be mended. A player who has entered no figures is taken to own
    enough of them, and likewise with terrain."""
    yield from _figures_beyond_owned(scenario, owned, catalog)
    yield from _terrain_beyond_owned(map_of(scenario), owned)


def _figures_beyond_owned(
    scenario: Scenario, owned: Mapping[str, int], catalog: Catalog
) -> Iterator[Problem]:
    """The figures and works that the scenario needs beyond those owned."""
    pieces = catalog.with_variants(scenario.variants).pieces
    has_entered_figures = any(owned.get(piece) for piece in pieces)
    if not has_entered_figures:
        return
    for piece, lacking in missing(scenario.figures(), owned).items():
        # A draft may name units that the catalog lacks; ``unusable`` reports those.
        if piece in pieces:
            key = _key_of_piece(scenario, piece)
            yield Problem(key, f"{pieces[piece].named(lacking)} more than you own.")


def _terrain_beyond_owned(field: Battlefield, owned: Mapping[str, int]) -> Iterator[Problem]:
    """The terrain that a map needs beyond that owned."""
    has_entered_terrain = bool(terrain_of(owned))
    if not has_entered_terrain:
        return
    for kind, words in TERRAIN.items():
        lacking = used_on(field, kind) - owned.get(kind, 0)
        if lacking > 0:
            # Removing any feature of that kind would help; the last one in the file is named.
            key_on_map = pieces_on(field, kind)[-1]
            yield Problem(
                f"map.{key_on_map}", f"{lacking} {words.name_for(lacking)} more than you own."
            )


def _key_of_piece(scenario: Scenario, piece: str) -> str:
    """The key of the number of a unit or of works in the first contingent that has any. A piece
    that is only among the choices of contingents has no number: then the key of the first
    contingent of all."""
    for side_index, side in enumerate(scenario.sides):
        for index, contingent in enumerate(side.contingents):
            key = f"side[{side_index}].contingent[{index}]"
            if piece in contingent.units:
                return f"{key}.units.{piece}"
            if piece in contingent.works:
                return f"{key}.works.{piece}"
    return "side[0].contingent[0]"


def map_of(scenario: Scenario) -> Battlefield:
    """The map of a scenario; an empty one if it has none yet."""
    return scenario.map or Battlefield()


def with_map(scenario: Scenario, field: Battlefield) -> Scenario:
    """The scenario with another map."""
    return replace(scenario, map=field)


def with_table_size(scenario: Scenario, width: int, depth: int) -> Scenario:
    """The scenario on a table of that width and depth in inches. Zones that reached an edge reach
    the new edge, and none reaches beyond it; all else on the map stays where it is."""
    old_width, old_depth = scenario.table.width_in, scenario.table.depth_in
    table = replace(scenario.table, width_in=width, depth_in=depth)
    scenario = replace(scenario, table=table)
    if scenario.map is None:
        return scenario

    def on_new_table(point: Point) -> Point:
        x, y = point
        if x >= old_width:
            x = width
        if y >= old_depth:
            y = depth
        return min(x, width), min(y, depth)

    zones = []
    for zone in scenario.map.zones:
        points = tuple(map(on_new_table, zone.points))
        tag = zone.tag
        if tag is not None:
            tag = on_new_table(tag)
        zones.append(replace(zone, points=points, tag=tag))
    return replace(scenario, map=replace(scenario.map, zones=tuple(zones)))
