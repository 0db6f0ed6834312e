"""What a scenario sheet says of the rules, as briefly as possible, so that people can play from the
sheet alone: how a player turn goes, how the units of this scenario move, and how a shot is
resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.reference.numbers import suits
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, listed
from skirmish.games.plastic.scenarios.entries import FROM_OUTSIDE
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.scenario.weapon_lines import scenario_units
from skirmish.tabletop.page import capital


class TurnParagraph(NamedTuple):
    """A paragraph on the turn, such as ``TurnParagraph("MOVES", "Guys 6″.")``."""

    lead: str
    text: str


TurnNotes: TypeAlias = tuple[TurnParagraph, ...]

# \u00a0 is a space at which no line ends.
TURN = (
    "1\u00a0You move; enemies out of contact may fire at whoever moves over\u00a02″. 2\u00a0Those "
    "who have not may fire at anybody. 3\u00a0Yours fire at whom they touch. 4\u00a0So do the "
    "enemy's."
)
"""The four phases of a player turn."""
SHOT = (
    "Weapons fire all round: once in phases 1 and 2 together, and once more in contact. Draw a "
    "card (your own deck, no kings; jack and queen miss). Queen of spades: draw again; a spade "
    "loses the model, or leaves the guy a rifle; rifles never break. Repeat fire: after a kill, "
    "at a guy in sight and range not yet shot at. Who dies in a group (guys touching): the "
    "defender chooses among those in sight and range, but not after an ace, from a sniper, or "
    "within 3″. Cover: even partly in woods or a building, behind a wall{or_hedge} or works; for "
    "guys and cannon. Pins, if agreed: the group draws; on black it moves no farther. Shuffle "
    "after each player turn."
)
"""How a shot is resolved. ``{or_hedge}`` and, in the shorter notes, ``{hedges}`` stand where hedges
are named, on a map that has any."""
SHOT_WITH_LESS_ROOM = (
    "Weapons fire all round: once in phases 1 and 2 together, once more in contact. Draw a card "
    "(your own deck, no kings; jack and queen miss). Queen of spades: draw again; a spade loses "
    "the model, or leaves the guy a rifle. Repeat fire: after a kill, at a guy in sight and "
    "range not yet shot at. Who dies in a group (guys touching): the defender chooses, but not "
    "after an ace, from a sniper, or within 3″. Cover: woods, buildings, walls,{hedges} works. "
    "Shuffle after each player turn."
)
"""The same in fewer words, for sheets with less room than most."""
SHOT_WITH_LITTLE_ROOM = (
    "Draw a card (no kings; jack and queen miss). Queen of spades: draw again; a spade loses the "
    "model, or leaves the guy a rifle. Repeat fire: after a kill, at a guy not yet shot at. Who "
    "dies in a group: the defender chooses, but not after an ace, from a sniper, or within 3″. "
    "Cover: woods, buildings, walls,{hedges} works. Shuffle after each player turn."
)
"""The same in the fewest words, for sheets with little room."""
GROUND = (
    "Who enters measures from the edge. Guys climb what a man can; no model enters woods. Woods "
    "and buildings block sight (mortars', too), but not from or to their edge; else use your eyes."
)
"""What the ground changes about moves and sight."""
GETTING_IN = "In: they start within 3″, it stays."
"""How guys get into a carrier: "they" are the guys, "it" is the carrier."""
WATER = ("sea", "river")
"""Kinds of areas and lines of a map that are water."""


class AnsweredRuling(NamedTuple):
    """A ruling with one of its answers, both by their ids. A sheet says what follows from this
    answer, and nothing for the others."""

    id: str
    answer: str

    def holds(self, rulings: Mapping[str, str]) -> bool:
        """Whether these answers, by the ids of the rulings, give this answer."""
        return rulings.get(self.id) == self.answer


WATER_RULING = AnsweredRuling("P65", "keep_out")
"""Nobody goes into water."""
ENTERING_RULING = AnsweredRuling("P88", "aboard")
"""Units may enter aboard their carriers."""
HALF_A_MOVE_RULING = AnsweredRuling("P89", "of_its_way")
"""What half a move of a carrier is depends on its way: half of its move by road if all of it is by
road, else half of its other move."""


def turn_notes(scenario: Scenario, catalog: Catalog, rulings: Mapping[str, str]) -> list[TurnNotes]:
    """Versions of the notes for sheets with less and less room. The first has all of them in the
    fullest wording, each of the next has fewer notes or fewer words, and the last has only the turn
    and the distances of the moves."""
    units = scenario_units(scenario, catalog)
    works: set[str] = set()
    for side in scenario.sides:
        works.update(side.works())
    # In both lists, what is missed least is last, since that is left out first.
    on_moves = [_moves_in_words(units), *_besides_moves(units, works, scenario, rulings)]
    on_ground = [GROUND, *_on_water(scenario, units, rulings), *_on_works(works, catalog)]
    shot = _with_hedges(SHOT, scenario)
    shorter_shot = _with_hedges(SHOT_WITH_LESS_ROOM, scenario)
    shortest_shot = _with_hedges(SHOT_WITH_LITTLE_ROOM, scenario)
    versions = [_notes(on_moves, on_ground, shot), _notes(on_moves, on_ground, shorter_shot)]
    # Then sentences are left out: those on the ground one by one, those on moves, last the shot.
    for count in range(len(on_ground), -1, -1):
        versions.append(_notes(on_moves, on_ground[:count], shortest_shot))
    for count in range(len(on_moves) - 1, 0, -1):
        versions.append(_notes(on_moves[:count], [], shortest_shot))
    distances = on_moves[:1]
    versions.append(_notes(distances, []))
    return versions


def _notes(on_moves: Sequence[str], on_ground: Sequence[str], shot: str = "") -> TurnNotes:
    """The notes on the turn, on moves and ground with these sentences, and on the shot. Notes
    without text are left out."""
    notes = (
        TurnParagraph("EACH\u00a0PLAYER\u00a0TURN", TURN),
        TurnParagraph("MOVES", " ".join(on_moves)),
        TurnParagraph("GROUND", " ".join(on_ground)),
        TurnParagraph("EACH\u00a0SHOT", shot),
    )
    return tuple(note for note in notes if note.text)


def _moves_in_words(units: Iterable[UnitType]) -> str:
    """How far units move, as in ``Guys 6″; Truck 12″, road 24″.``: those that move equally far are
    named together."""
    names_by_distances: dict[str, list[str]] = {}
    for unit in units:
        distances = []
        if unit.move:
            distances.append(f"{unit.move}″")
        if unit.road_move:
            distances.append(f"road {unit.road_move}″")
        if unit.water_move:
            distances.append(f"water {unit.water_move}″")
        if not distances:  # a unit that never moves
            continue
        name = unit.short
        if unit.is_guy:
            name = "guys"
        names = names_by_distances.setdefault(", ".join(distances), [])
        if name not in names:  # "guys" comes from each type of guy
            names.append(name)
    parts = []
    for distances_in_words, names in names_by_distances.items():
        parts.append(f"{listed(names)} {distances_in_words}")
    return f"{capital('; '.join(parts))}."


def _besides_moves(
    units: Sequence[UnitType], works: Set[str], scenario: Scenario, rulings: Mapping[str, str]
) -> Iterator[str]:
    """What else players must know to move the units of this scenario: about wire, carriers and
    snipers, where there are any."""
    if "barbed_wire" in works:
        yield (
            "Wire: guys who cross it move 1″; jeeps and trucks cannot; an engineer who touches it "
            "and stays clears a piece."
        )
    yield from _riding(scenario, units, rulings)
    if any("sniper" in unit.tags for unit in units):
        yield "Snipers touch no other guy of their side."


def _on_works(works: Set[str], catalog: Catalog) -> Iterator[str]:
    """How long works are, and how guys dig in, where there are any."""
    if not works:
        return
    digging = catalog.entrench
    yield "Works are 4″ long."
    yield (
        f"To dig in, {digging.group_of} guys who stay need {suits(digging.group.suits)}, any "
        f"number with an engineer {suits(digging.engineers.suits)}."
    )


def _riding(
    scenario: Scenario, units: Iterable[UnitType], rulings: Mapping[str, str]
) -> Iterator[str]:
    """Whom the carriers of this scenario carry, how guys get in and out, and what happens to them
    aboard."""
    carrying = _carriers_in_words(units)
    if not carrying:
        return
    getting_out = f"Out: {_half_a_move(units, rulings)}, within 3″, out of contact; no farther."
    sentences = [carrying, GETTING_IN, getting_out]
    if ENTERING_RULING.holds(rulings) and _enters_with_carriers(scenario, units):
        sentences.append("Who enters may be aboard.")
    yield " ".join(sentences)
    yield (
        f"Nobody aboard fires or is fired at{_exceptions_aboard(units)}; "
        "all die with their carrier."
    )


def _half_a_move(units: Iterable[UnitType], rulings: Mapping[str, str]) -> str:
    """What a carrier pays for letting guys get out: ``half its move (truck all by road 12″)``."""
    half = "half its move"
    if not HALF_A_MOVE_RULING.holds(rulings):
        return half
    for unit in units:
        if unit.seats and unit.road_move:
            half += f" ({unit.short.lower()} all by road {unit.road_move // 2}″)"
    return half


def _exceptions_aboard(units: Iterable[UnitType]) -> str:
    """The carriers from which some may fire, as in `` (but 2 rifle, grenade or machinegun guys may
    from a halftrack)``; empty if there are none."""
    carriers_by_count: dict[int, list[str]] = {}  # by how many guys may fire
    for unit in units:
        if unit.passengers_fire:
            names = carriers_by_count.setdefault(unit.passengers_fire, [])
            names.append(f"a {unit.short.lower()}")
    exceptions = ""
    for count, names in carriers_by_count.items():
        # These are the guys that the catalog tags ``fires_aboard``.
        who = f"{count} rifle, grenade or machinegun guys"
        exceptions += f" (but {who} may from {' or '.join(names)})"
    return exceptions


def _enters_with_carriers(scenario: Scenario, units: Iterable[UnitType]) -> bool:
    """Whether a contingent that enters from outside the table has a carrier."""
    carriers = {unit.id for unit in units if unit.seats and unit.moves}
    for side in scenario.sides:
        for contingent in side.contingents:
            is_from_outside = isinstance(contingent.entry, FROM_OUTSIDE)
            if is_from_outside and carriers.intersection(contingent.most_units()):
                return True
    return False


def _with_hedges(shot: str, scenario: Scenario) -> str:
    """The note on the shot, which counts hedges as cover if the map has any. The rules do not
    mention hedges, but on the maps of scenarios they are cover, as walls are."""
    field = scenario.map
    if field is None or all(line.kind != "hedge" for line in field.lines):
        return shot.format(or_hedge="", hedges="")
    return shot.format(or_hedge=", a hedge", hedges=" hedges,")


def _on_water(
    scenario: Scenario, units: Iterable[UnitType], rulings: Mapping[str, str]
) -> Iterator[str]:
    """Who may go into the water of this map, if there is any."""
    field = scenario.map
    if field is None or not WATER_RULING.holds(rulings):
        return
    kinds = {area.kind for area in field.areas} | {line.kind for line in field.lines}
    if not kinds.intersection(WATER):
        return
    if any(unit.water_move for unit in units):
        yield "Only craft go into water; their guys get out on land."
    else:
        yield "Nobody goes into water."


def _carriers_in_words(units: Iterable[UnitType]) -> str:
    """``Aboard: Jeep 4 guys, Truck 10 guys and a cannon.``; empty without carriers."""
    names_by_load: dict[str, list[str]] = {}
    for unit in units:
        # A unit that never moves, such as a pillbox, has seats, too, but is no carrier.
        if unit.seats and unit.moves:
            load = f"{unit.seats} guys"
            if unit.tows_cannon:
                load += " and a cannon"
            names_by_load.setdefault(load, []).append(unit.short)
    parts = [f"{listed(names)} {load}" for load, names in names_by_load.items()]
    if not parts:
        return ""
    return f"Aboard: {', '.join(parts)}."
