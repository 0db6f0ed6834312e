"""A scenario that is being made: its values are changed one at a time, by their keys in its file,
and it may have mistakes meanwhile, such as a zone in which nobody sets up yet. What it cannot have
is a value of the wrong form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.games.plastic.dealing.terrain import TERRAIN, pieces_on, terrain_of, used_on
from skirmish.games.plastic.rules.army import Army, missing
from skirmish.games.plastic.rules.catalog import Catalog, together
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.own import (
    Raw,
    as_printed,
    file_name,
    id_words,
    own_problems,
)
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import problems
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.data_file import DataError, Problem, parts, read, suggest, table_of
from skirmish.tabletop.plane import Point

Step: TypeAlias = "str | int"
"""A step of a key: the name of a field, or a place in a list."""
# ``.name`` or ``[3]``; the first of a key has no point.
_STEP = re.compile(r"\.?(?P<name>[A-Za-z_][A-Za-z0-9_]*)|\[(?P<index>[0-9]{1,3})\]")
FARTHEST = 1000
"""Inches from the lower left corner within which a draft may have features."""
GUY, GUYS = "rifle", 10
"""The unit of a new contingent, and how many of it there are."""
UNWORDED = "…"
"""The sentence of terms that are not put into words yet."""
LIST_FIELDS = frozenset(
    (
        "variant",
        "limit",
        "happening",
        "rule",
        "swap",
        "clock",
        "footnote",
        "choice",
        "table",
    )
)
"""Fields of a scenario file that may be missing and hold a list of tables."""


class ScenarioRules(NamedTuple):
    """What scenarios are checked against: the units and nations, and the rulings."""

    catalog: Catalog
    book: PlasticRulingBook


class EditError(ValueError):
    """A change that is not possible; its text is a sentence for the player."""


def draft_of(raw: Mapping[str, Any], file: str) -> Scenario:
    """The scenario of a file, which may have mistakes of meaning. Raises DataError where a value is
    of the wrong form, with all of them."""
    return read(raw, Scenario, file, _far_off)


def _far_off(scenario: Scenario) -> Iterator[Problem]:
    """Places that no map could show, not even with the mistake marked on it."""
    for key, point in map_of(scenario).points():
        # Not "any > FARTHEST": nothing that is compared with nan is true.
        if not all(abs(inches) <= FARTHEST for inches in point):
            yield Problem(key, f"lies far off the table; at most {FARTHEST} in are drawn.")


def mistakes(scenario: Scenario, rules: ScenarioRules, first_number: int) -> list[Problem]:
    """All that is wrong with a draft, each with its key; ``first_number`` is the first number of
    own scenarios."""
    file = f"{file_name(scenario.number, scenario.id)}.toml"
    wrong = list(problems(scenario, rules.catalog, rules.book, file))
    return wrong + own_problems(scenario, table_of(scenario), first_number)


def unusable(scenario: Scenario, catalog: Catalog) -> list[Problem]:
    """What the workshop cannot work with: not two different sides; sides, nations and units that
    there are not. All other mistakes may stand in a draft."""
    wrong = []
    sides = [side.id for side in scenario.sides]
    if len(set(sides)) != 2 or len(sides) != 2:
        wrong.append(Problem("side", "needs two sides of different nations."))
    variants = [variant for variant in scenario.variants if variant.of in catalog.units]
    if len(variants) != len(scenario.variants):
        wrong.append(Problem("variant", "is made from a unit that there is not."))
        return wrong
    names_by_kind: dict[str, Collection[str]] = {
        "nation": catalog.nations,
        "side": sides,
        "unit": catalog.with_variants(variants).units,
        "work": catalog.with_variants(variants).works,
    }
    for key, name, refers_to in parts(scenario, Scenario):
        if refers_to in names_by_kind and name not in names_by_kind[refers_to]:
            hint = suggest(str(name), names_by_kind[refers_to])
            wrong.append(Problem(key, f"no {refers_to} {name!r}; {hint}"))
    return wrong


def beyond_owned(
    scenario: Scenario, owned: Mapping[str, int], catalog: Catalog
) -> Iterator[Problem]:
    """What takes more pieces than the player owns, figures and terrain, each with the key of a
    place where it can be mended. Who has entered no figures, or no terrain, has any of it."""
    # Of a draft there may be units that the catalog lacks; those are mistakes of their own.
    pieces = catalog.with_variants(scenario.variants).pieces
    if any(owned.get(piece) for piece in pieces):
        for piece, lacking in missing(scenario.figures(), owned).items():
            if piece in pieces:
                key = _place_of_piece(scenario, piece)
                yield Problem(key, f"{pieces[piece].named(lacking)} more than you own.")
    if terrain_of(owned):
        field = map_of(scenario)
        for kind, words in TERRAIN.items():
            lacking = used_on(field, kind) - owned.get(kind, 0)
            if lacking > 0:
                key = f"map.{pieces_on(field, kind)[-1]}"
                yield Problem(key, f"{lacking} {words.name_for(lacking)} more than you own.")


def _place_of_piece(scenario: Scenario, piece: str) -> str:
    """The key of the number of a unit or of works in the first contingent that has it; of the first
    contingent of all where it is only one of several to choose from."""
    for side_index, side in enumerate(scenario.sides):
        for index, contingent in enumerate(side.contingents):
            key = f"side[{side_index}].contingent[{index}]"
            if piece in contingent.units:
                return f"{key}.units.{piece}"
            if piece in contingent.works:
                return f"{key}.works.{piece}"
    return "side[0].contingent[0]"


# ------------------------------------------------------------------ values by their keys


def steps_of(key: str) -> list[Step]:
    """``side[0].units.rifle`` as steps. Raises EditError for what is no key."""
    steps: list[Step] = []
    position = 0
    while position < len(key):
        step = _STEP.match(key, position)
        if step is None:
            raise EditError(f"{key} is no key of a scenario; one looks like side[0].name.")
        if step["index"] is None:
            steps.append(step["name"])
        else:
            steps.append(int(step["index"]))
        position = step.end()
    if not steps:
        raise EditError("The key is empty; one looks like side[0].name.")
    return steps


def value_at(raw: Any, key: str) -> Any:
    """The value with that key in the data of a scenario; None if nothing stands there."""
    value = raw
    for step in steps_of(key):
        if isinstance(step, str) and isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def with_value(scenario: Scenario, key: str, value: Any) -> Scenario:
    """The scenario with another value, or another entry at the end of a list. Raises EditError."""
    raw = table_of(scenario)
    *outer_steps, last = steps_of(key)
    holder: Any = raw
    for step in outer_steps:
        holder = _inner(holder, step, key)
    if isinstance(last, str) and isinstance(holder, dict):
        holder[last] = value
    elif isinstance(last, int) and isinstance(holder, list) and last <= len(holder):
        # In the place of an entry; behind the last one it is a new entry.
        holder[last : last + 1] = [value]
    else:
        raise EditError(f"There is no {key}.")
    return _read_again(raw, key)


def _inner(holder: Any, step: Step, key: str) -> Any:
    """What stands a step further in; a table that is not there yet is begun."""
    if isinstance(step, str) and isinstance(holder, dict):
        # Whatever may be missing holds a list of tables, or else a table.
        if step in LIST_FIELDS:
            return holder.setdefault(step, [])
        return holder.setdefault(step, {})
    if isinstance(step, int) and isinstance(holder, list) and step < len(holder):
        return holder[step]
    raise EditError(f"There is no {key}.")


def side_numbered(scenario: Scenario, key: str) -> str:
    """The side whose id has this key (``side[0].id``); empty for any other key."""
    match = re.fullmatch(r"side\[([01])\]\.id", key)
    if match is None or int(match[1]) >= len(scenario.sides):
        return ""
    return scenario.sides[int(match[1])].id


def without(scenario: Scenario, key: str) -> Scenario:
    """The scenario without a value or an entry of a list. Raises EditError."""
    raw = table_of(scenario)
    *outer_steps, last = steps_of(key)
    holder: Any = raw
    for step in outer_steps:
        holder = _inner(holder, step, key)
    is_entry = isinstance(last, int) and isinstance(holder, list) and last < len(holder)
    is_value = isinstance(holder, dict) and last in holder
    if not is_entry and not is_value:
        raise EditError(f"There is no {key}.")
    del holder[last]
    return _read_again(raw, key)


def _read_again(raw: Raw, key: str) -> Scenario:
    """The scenario of changed data, in which ``key`` was changed. Raises EditError for a value of
    the wrong form."""
    try:
        return draft_of(as_printed(raw), key)
    except DataError as error:
        raise EditError(" ".join(str(problem) for problem in error.problems)) from None


def with_map(scenario: Scenario, field: Battlefield) -> Scenario:
    """The scenario with another map."""
    return replace(scenario, map=field)


def map_of(scenario: Scenario) -> Battlefield:
    """The map of a scenario; an empty one if it has none yet."""
    return scenario.map or Battlefield()


# ------------------------------------------------------------------ larger changes


def with_nation(scenario: Scenario, side: str, nation: str) -> Scenario:
    """The scenario with another nation in the place of a side, everywhere. Raises EditError."""
    if nation == side:
        return scenario
    if nation in {present_side.id for present_side in scenario.sides}:
        raise EditError(f"The {nation} side is in this scenario already.")
    raw = table_of(scenario)
    for key, value, refers_to in parts(scenario, Scenario):
        if refers_to in ("side", "nation") and value == side:
            _set(raw, key, nation)
    return _read_again(raw, "side")


def _set(raw: Raw, key: str, value: Any) -> None:
    """Change a value that is there."""
    *outer_steps, last = steps_of(key)
    holder: Any = raw
    for step in outer_steps:
        holder = holder[step]
    holder[last] = value


def with_contingent(scenario: Scenario, side: str, name: str) -> Scenario:
    """The scenario with another contingent of a side, over whose edge it may come later. Raises
    EditError."""
    for index, whole_side in enumerate(scenario.sides):
        if whole_side.id == side:
            taken = {present.id for present in whole_side.contingents}
            contingent = {
                "id": free_contingent_id(name, taken),
                "name": name,
                "entry": {"kind": "edge", "edge": "N", "turn": 2},
                "units": {GUY: GUYS},
            }
            key = f"side[{index}].contingent[{len(whole_side.contingents)}]"
            return with_value(scenario, key, contingent)
    raise EditError(f"There is no side {side}.")


def with_army(scenario: Scenario, side_index: int, army: Army) -> Scenario:
    """The scenario with an army in the place of what a side has: each of its groups becomes a
    contingent. All come into battle as the first contingent did, which stays the first. Limits of
    armies do not hold here. Raises EditError."""
    before = scenario.sides[side_index].contingents[0]
    raw = table_of(scenario)
    first = raw["side"][side_index]["contingent"][0]
    contingents: list[Raw] = []
    taken: set[str] = set()
    for block in army.blocks():
        name, contingent_id = block.name, free_contingent_id(block.name, taken)
        if not contingents:
            contingent_id = before.id
            # An army without groups is one block, which has no name of its own.
            if not army.army_list.groups:
                name = before.called
        taken.add(contingent_id)
        contingent = {"id": contingent_id, "name": name, "entry": first["entry"]}
        if "deploy" in first:
            contingent["deploy"] = first["deploy"]
        contingent["units"] = together([block.units, block.free])
        contingents.append(contingent)
    if not contingents:
        raise EditError("This army has no units.")
    if army.army_list.works:
        contingents[0]["works"] = dict(army.army_list.works)
    raw["side"][side_index]["contingent"] = contingents
    return _read_again(raw, f"side[{side_index}].contingent")


def free_contingent_id(name: str, taken: set[str]) -> str:
    """An id made of a name, such as ``second_wave``, that no other contingent of the side has."""
    word = id_words(name)
    if not word or not word[0].isalpha():
        word = f"group_{word}".rstrip("_")
    contingent_id, number = word, 1
    while contingent_id in taken:
        number += 1
        contingent_id = f"{word}_{number}"
    return contingent_id


def with_size(scenario: Scenario, width: int, depth: int) -> Scenario:
    """The scenario on a table of so many inches. Zones that reached an edge reach the new one; all
    else on the map stays where it is."""
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


# ------------------------------------------------------------------ other kinds


def unit_of(scenario: Scenario, side: str) -> str:
    """The first unit that a side has."""
    for unit in scenario.side(side).units():
        return unit
    return GUY


def with_terms(scenario: Scenario, kind: str) -> Scenario:
    """The scenario with another kind of victory; sides and moments stay as far as the new kind has
    them, all else is a beginning that the player changes. Raises EditError."""
    raw = table_of(scenario)
    terms_before = raw["victory"]
    first, second = (side.id for side in scenario.sides)
    side = terms_before.get("side", scenario.moves_first)
    foe = first
    if side == first:
        foe = second
    last_player_turn = raw.get("ends_after", {"side": foe, "turn": 10})
    # Some kinds call it ``at``, others ``by``.
    moment = terms_before.get("at") or terms_before.get("by") or last_player_turn
    unit = unit_of(scenario, side)
    enemy_unit = unit_of(scenario, foe)
    terms: dict[str, Raw] = {
        "exit": {"side": side, "need": 10, "by": moment, "edge": "N"},
        "destroy": {"side": side, "unit": enemy_unit, "need": 1, "by": moment},
        "destroy_then_exit": {
            "side": side,
            "unit": enemy_unit,
            "need": 1,
            "then": {"unit": unit, "need": 1, "edge": "N"},
            "by": moment,
        },
        "hold": {
            "side": side,
            "what": "buildings",
            "need": 2,
            "how": "solely_or_last",
            "at": moment,
        },
        "hold_ratio": {"side": side, "what": "buildings", "ratio": 2, "at": moment},
        "clear": {"side": side, "of": foe, "within_in": 6, "point": "centre", "at": moment},
        "survivors": {"units": [unit], "wins": "more", "at": moment},
        "count": {
            "question": "Guys within 6 in of the middle",
            "sides": [first, second],
            "units": "guys",
            "wins": "more",
            "at": moment,
            "equal": foe,
        },
    }
    return with_value(scenario, "victory", {"kind": kind, "text": UNWORDED, **terms[kind]})


def with_entry_kind(scenario: Scenario, key: str, kind: str) -> Scenario:
    """The scenario in which the contingent whose entry has that key comes in another way, on the
    same turn. Raises EditError."""
    turn = (value_at(table_of(scenario), key) or {}).get("turn", 1)
    # Turn 0 is before play, when nobody comes over an edge.
    later_turn = max(turn, 1)
    # The first of those that the map has; without any, one that it may get.
    letters = sorted(map_of(scenario).letters) or ["A"]
    marks = sorted(map_of(scenario).marked) or ["1"]
    entries: dict[str, Raw] = {
        "zone": {"zone": letters[0], "turn": turn},
        "edge": {"edge": "N", "turn": later_turn},
        "road": {"turn": later_turn},
        "corner": {"corners": ["NE"], "turn": later_turn},
        "marks": {"marks": marks[:1], "turn": turn},
        "anywhere": {"turn": turn},
    }
    return with_value(scenario, key, {"kind": kind, **entries[kind]})
