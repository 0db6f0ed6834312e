"""The tables of Omaha for reference, and the play sheet: tables, turns, deck, roster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from skirmish.games.omaha.combat import assault_table
from skirmish.games.omaha.ruleset import OmahaTables
from skirmish.games.omaha.state import OmahaState
from skirmish.tabletop.companion.explained import Explained, explained_of
from skirmish.tabletop.companion.table_game import boxes
from skirmish.tabletop.page import Beside, Block, Facts, Heading, Items, Page, table

FIRE_NOTES = (
    "One company combines, stacked or in hexes beside each other; tanks, guns and engineers with "
    "units in their own hex. Units of a hex that fire at one target must combine.",
    "Op fire hits those that move, once in each hex that they enter; if hit they stop.",
    "The last column that is no more than the factors; 48 for more.",
    "1 right if any firer is adjacent, 1 right for op fire; terrain to the left. All add up.",
    "Left of “3” no attack is allowed. Beyond the printed range, up to twice, factors are halved.",
    "Hard targets: AP less armor. Naval gunfire: 24 HE in sixes. Mortars hit what any German sees.",
)
ASSAULT_NOTES = (
    "Attackers to defenders, the fraction dropped; less than 1-2 is not allowed.",
    "2 right if any defender is disrupted; 1 right for infantry against armor without infantry.",
    "Terrain to the left. All add up. Nobody retreats beside an undisrupted enemy.",
)
MOST_BESIDE = 12
"""Turns for which half the width of a sheet has room."""
RECOVERY = {
    "us": "Americans",
    "ranger": "Rangers and 101st",
    "german": "Germans",
    "at916": "916th AT",
}


def tables_of(tables: OmahaTables, rulings: Mapping[str, str]) -> Iterator[tuple[Block, ...]]:
    """Each table with its shifts and the meaning of its results."""
    assault = assault_table(tables, rulings)
    for found, notes in ((tables.fire, FIRE_NOTES), (assault, ASSAULT_NOTES)):
        results = Facts(tuple(found.results.items()))
        yield Heading(found.title), found.as_table(), results, Items(notes)


def terrain_of(tables: OmahaTables) -> Iterator[Block]:
    """Terrain with its costs and shifts, and the recovery numbers."""
    rows = [
        (one.name, one.example, one.cost, f"{one.left} left" if one.left else "–")
        for one in tables.terrain
    ]
    yield Heading("Terrain")
    yield table(["Terrain", "Such as", "Movement points", "Shift"], rows)
    yield Heading("Recovery")
    yield Facts(tuple((RECOVERY[who], f"{most} or less") for who, most in tables.recovery.items()))


def sheet_of(
    state: OmahaState, title: str, explained: Sequence[Explained], rosters: Iterable[Block]
) -> Page:
    """The play sheet of a game in progress, or of one that has not begun."""
    setup, tables = state.setup, state.setup.tables
    turns = [str(turn) for turn in range(1, setup.sequence.turns + 1)]
    now = state.position.turn, state.position.phase
    phases = [
        (one.name, *(boxes(1, state.ended or (int(turn), at) < now) for turn in turns))
        for at, one in enumerate(setup.sequence.phases)
        if one.side
    ]
    drawn = Counter(id for id, _ in state.drawn)
    deck = [(one.title, boxes(len(one.numbers.split()), drawn[one.id])) for one in setup.cards]
    held = [
        (place, str(points), boxes(1, state.control.get(place) == "us"))
        for place, points in setup.scenario.victory.items()
    ]
    calendar = (Heading("Turns"), table(["Phase", *turns], phases))
    fire, assault = tables_of(tables, setup.rulings)
    movement, *by_eye = (tuple(explained_of([rules])) for rules in explained)
    left: tuple[Block, ...] = (*fire, *terrain_of(tables), *movement)
    right: tuple[Block, ...] = (
        *assault,
        Heading("Victory hexes"),
        table(["Hex", "Points", "American"], held),
        Heading("Cards drawn"),
        table(["Card", ""], deck),
    )
    below: tuple[Block, ...] = tuple(rosters)
    if len(turns) <= MOST_BESIDE:
        right = (*right, *calendar)
    else:
        below = (*calendar, *below)
    return Page(title, (Beside(left, right), Beside(*by_eye), *below))
