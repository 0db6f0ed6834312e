"""What a scenario sheet says of the rules, so that one plays from it alone: how a player turn goes,
how the units of this scenario move and a shot is settled, as short as it can be said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from skirmish.games.plastic.reference import suits
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.flow import Block
from skirmish.sheets.layout.text import paragraph, terms
from skirmish.sheets.scenario.weapon_strip import listed, units_of

TURN = (
    "1 you move; the enemy may fire at whoever moves over 2″. 2 Those of the enemy who did not "
    "fire may. 3 Yours fight whom they touch. 4 So do the enemy's."
)
"""The four phases of a player turn."""
SHOT = (
    "A weapon fires once in phases 1 and 2 together, once more in contact. Draw a card (no kings; "
    "a queen misses). Queen of spades: draw again; a spade loses the model, or leaves the guy a "
    "rifle; rifles never break. Who dies in a group: the defender chooses among those in sight and "
    "range, but not after an ace, from a sniper, or within 3″. Cover: even partly in woods or a "
    "building, behind a wall or works; for guys and cannon. Pins, if agreed: the group draws; "
    "black, and it moves no farther. Shuffle after each player turn."
)
SHORT_SHOT = (
    "Draw a card (no kings; a queen misses). Queen of spades: draw again; a spade loses the model, "
    "or leaves the guy a rifle. Who dies in a group: the defender chooses, but not after an ace, "
    "from a sniper, or within 3″. Cover: woods, buildings, walls, works. Shuffle after each player "
    "turn."
)
"""The same for a sheet with little room."""
GROUND = (
    "Who enters measures from the edge. Guys climb what a man can; no model enters woods. Woods "
    "and buildings block sight."
)
RIDING = (
    "In: they start within 3″, it stays. Out: half its move, within 3″. Aboard nobody fires or is "
    "fired at, and all are lost with it."
)
WATER = ("sea", "river")
"""Kinds of areas and lines into which nobody goes by the default ruling."""
WATER_RULING = "P65", "keep_out"


def turn_notes(scenario: Scenario, catalog: Catalog, rulings: Mapping[str, str]) -> list[Block]:
    """All of it, the same as one paragraph, then less and less, for sheets with little room."""
    ids: list[str] = []
    for side in scenario.order_of_play():
        ids += units_of(scenario, side)
    units = [catalog.units[id] for id in dict.fromkeys(ids)]
    moving = moves(units)
    # In the order in which they are missed least at the end.
    sentences = [moving, *_particulars(scenario, units, catalog, rulings)]
    most, fewer = " ".join(sentences), " ".join(sentences[:3])
    leads = "EACH PLAYER TURN", "MOVES", "EACH SHOT"
    all_of_it = list(zip(leads, (TURN, most, SHOT), strict=True))
    shorter = list(zip(leads, (TURN, most, SHORT_SHOT), strict=True))
    short = list(zip(leads, (TURN, fewer, SHORT_SHOT), strict=True))
    shortest = list(zip(leads, (TURN, moving, SHORT_SHOT), strict=True))
    return [
        [paragraph(text, styles.NOTE, lead=lead) for lead, text in all_of_it],
        [terms(all_of_it, styles.NOTE)],
        [terms(shorter, styles.NOTE)],
        [terms(short, styles.NOTE)],
        [terms(shortest, styles.NOTE)],
        [terms(shortest[:2], styles.NOTE)],
    ]


def moves(units: Iterable[UnitType]) -> str:
    """``Guys 6″; Truck 12″, road 24″.``"""
    by_way: dict[str, list[str]] = {}
    for unit in units:
        ways = []
        if unit.move:
            ways.append(f"{unit.move}″")
        if unit.road_move:
            ways.append(f"road {unit.road_move}″")
        if unit.water_move:
            ways.append(f"water {unit.water_move}″")
        name = unit.short
        if unit.is_guy:
            name = "guys"
        names = by_way.setdefault(", ".join(ways), [])
        if ways and name not in names:
            names.append(name)
    by_way.pop("", None)
    sentences = [f"{listed(names)} {way}" for way, names in by_way.items()]
    return f"{'; '.join(sentences)}."


def _particulars(
    scenario: Scenario, units: Iterable[UnitType], catalog: Catalog, rulings: Mapping[str, str]
) -> Iterator[str]:
    """Wire and carriers of this scenario, the ground, water, works."""
    works = set[str]()
    for side in scenario.sides:
        works.update(side.works())
    if "barbed_wire" in works:
        yield (
            "Wire: guys who cross it move 1″; jeeps and trucks cannot; an engineer who touches it "
            "and stays clears a piece."
        )
    carrying = _carriers(units)
    if carrying:
        yield f"{carrying} {RIDING}"
    yield GROUND
    field = scenario.map
    ruling, answer = WATER_RULING
    if field and rulings.get(ruling) == answer:
        kinds = {area.kind for area in field.areas} | {line.kind for line in field.lines}
        if kinds.intersection(WATER):
            yield "Nobody goes into water."
    if works:
        dig = catalog.entrench
        yield "Works are 4″ long."
        yield (
            f"To dig in, {dig.group_of} guys who stay need {suits(dig.group.suits)}, with an "
            f"engineer {suits(dig.engineers.suits)}."
        )


def _carriers(units: Iterable[UnitType]) -> str:
    """``Truck and Halftrack carry 10 guys and a cannon, Jeep 4 guys.``"""
    by_load: dict[str, list[str]] = {}
    for unit in units:
        if unit.seats and unit.moves:
            load = f"{unit.seats} guys"
            if unit.tows_cannon:
                load += " and a cannon"
            by_load.setdefault(load, []).append(unit.short)
    parts = [f"{listed(names)} {load}" for load, names in by_load.items()]
    if not parts:
        return ""
    return f"Aboard: {', '.join(parts)}."
