"""The tables of Omaha for reference, and the play sheet: tables, turns, deck, roster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from skirmish.games.omaha.combat import assault_table
from skirmish.games.omaha.ruleset import ActionCard, OmahaTables
from skirmish.games.omaha.state import DECK, OmahaState
from skirmish.tabletop.companion.explained import Explained, explained_blocks
from skirmish.tabletop.companion.result_table import ResultTable
from skirmish.tabletop.companion.roster import boxes
from skirmish.tabletop.page import (
    Beside,
    Block,
    Facts,
    Heading,
    Items,
    Page,
    Paragraph,
    capital,
    table,
)

# The rules of the text in few words, as they stand below the fire table and the assault table.
_COMBINING_NOTES = (
    "One company combines, stacked or in hexes beside each other; tanks, guns and engineers with "
    "units in their own hex. Units of a hex that fire at one target must combine.",
    "Op fire hits those that move, once in each hex that they enter; if hit they stop.",
)
_SHIFT_NOTES = (
    "1 right if any firer is adjacent, 1 right for op fire; terrain to the left. All add up.",
    "Left of “3” no attack is allowed. Beyond the printed range, up to twice, factors are halved.",
)
ASSAULT_NOTES = (
    "Attackers to defenders, the fraction dropped; less than 1-2 is not allowed.",
    "2 right if any defender is disrupted; 1 right for infantry against armor without infantry.",
    "Terrain to the left. All add up. Nobody retreats beside an undisrupted enemy.",
)
MOST_TURNS_BESIDE = 12
"""The most turns for whose boxes half the width of a sheet has room, beside another table."""
RECOVERY_WORDS = {
    "us": "Americans",
    "ranger": "Rangers and 101st",
    "german": "Germans",
    "at916": "916th AT",
}
"""The units that share a recovery number, in words."""


def _fire_notes(tables: OmahaTables) -> tuple[str, ...]:
    """The notes below the fire table, with the numbers of these tables."""
    highest = tables.fire.columns[-1].title
    numbers = tables.numbers
    naval = f"Naval gunfire: {numbers.packet * numbers.packets} HE in sixes."
    return (
        *_COMBINING_NOTES,
        f"The last column that is no more than the factors; {highest} for more.",
        *_SHIFT_NOTES,
        f"Hard targets: AP less armor. {naval} Mortars hit what any German sees.",
    )


def tables_of(tables: OmahaTables, rulings: Mapping[str, str]) -> Iterator[tuple[Block, ...]]:
    """The blocks of the fire table, then those of the assault table."""
    yield _blocks_of(tables.fire, _fire_notes(tables))
    yield _blocks_of(assault_table(tables, rulings), ASSAULT_NOTES)


def _blocks_of(results_table: ResultTable, notes: tuple[str, ...]) -> tuple[Block, ...]:
    """A table with the meaning of its results and the notes on its shifts."""
    meanings = Facts(tuple(results_table.results.items()))
    return Heading(results_table.title), results_table.as_table(), meanings, Items(notes)


def terrain_of(tables: OmahaTables) -> Iterator[Block]:
    """Terrain with its costs and shifts, and the recovery numbers."""
    rows = []
    for terrain in tables.terrain:
        shift = "–"
        if terrain.left:
            shift = f"{terrain.left} left"
        rows.append((terrain.name, terrain.example, terrain.cost, shift))
    yield Heading("Terrain")
    yield table(["Terrain", "Such as", "Movement points", "Shift"], rows)
    numbers = [(RECOVERY_WORDS[who], f"{high} or less") for who, high in tables.recovery.items()]
    yield Heading("Recovery")
    yield Facts(tuple(numbers))


def sheet_of(
    state: OmahaState, title: str, explained: Sequence[Explained], rosters: Iterable[Block]
) -> Page:
    """The play sheet of a game in progress, or of one that has not begun: first what is looked up,
    then what is ticked during play and the rosters, last the phases and cards."""
    setup, tables = state.setup, state.setup.tables
    fire, assault = tables_of(tables, setup.rulings)
    looked_up = Beside(
        (*fire, *terrain_of(tables)),
        (*assault, *explained_blocks(explained)),
    )
    scored = (*_victory_hexes(state), *_results(state))
    arriving = (
        Heading("Set-up"),
        Paragraph(setup.scenario.text),
        *_first_wave(state),
        *_reinforcements(state),
    )
    calendar, drawn = _calendar(state), _cards_drawn(state)
    # Players soon know what phases and cards are for, so that these come last.
    turn, cards = tuple(_turn(state)), tuple(_cards(state))
    ticked: tuple[Block, ...] = (Beside(calendar, drawn),)
    last: tuple[Block, ...] = (Beside(turn, cards),)
    # A calendar of many turns needs the whole width of the sheet.
    if setup.sequence.turns > MOST_TURNS_BESIDE:
        ticked = (*calendar, Beside(drawn, turn))
        last = cards
    return Page(title, (looked_up, Beside(scored, arriving), *ticked, *rosters, *last))


def _calendar(state: OmahaState) -> tuple[Block, ...]:
    """A box for every phase of every turn, ticked if it has been played."""
    sequence = state.setup.sequence
    turns = range(1, sequence.turns + 1)
    present = (state.position.turn, state.position.phase)
    rows = []
    for index, phase in enumerate(sequence.phases):
        # The set-up belongs to no side and to no turn.
        if not phase.side:
            continue
        # The turns in which this phase is over: those before, and perhaps the present one.
        played = len([turn for turn in turns if (turn, index) < present])
        if state.ended:
            played = sequence.turns
        rows.append((phase.name, boxes(sequence.turns, played)))
    return Heading("Turns"), table(["Phase", "Turn"], rows, written=True, counted_column=1)


def _victory_hexes(state: OmahaState) -> tuple[Block, ...]:
    """The victory hexes with their points, each with a box that is ticked while the Americans hold
    it."""
    rows = []
    for place, points in state.setup.scenario.victory.items():
        american = state.control.get(place) == "us"
        rows.append((place, str(points), boxes(1, american)))
    titles = ["Hex", "Points", "American"]
    return Heading("Victory hexes"), table(titles, rows, written=True)


def _results(state: OmahaState) -> tuple[Block, ...]:
    """Which result the American points give at the end."""
    rows = []
    # The best result stands first, and goes up to all points that there are. Every other one ends
    # below the one before it.
    most = sum(state.setup.scenario.victory.values())
    for ending in state.setup.scenario.results:
        points = f"{ending.least} to {most}"
        if ending.least == most:
            points = str(most)
        rows.append((points, capital(ending.text)))
        most = ending.least - 1
    if not rows:
        return Heading("Result"), Paragraph("Whoever has more points at the end has won.")
    return Heading("Result", aside="by the American points"), Facts(tuple(rows))


def _first_wave(state: OmahaState) -> Iterator[Block]:
    """Who lands in the first turn, and where."""
    landing: dict[str, list[str]] = {}
    for arrival in state.setup.scenario.arrivals:
        if arrival.turn == 1 and arrival.lands:
            landing.setdefault(arrival.where, []).append(arrival.company)
    for where, companies in landing.items():
        yield Paragraph(f"{', '.join(companies)}, each unit in {where}.", lead="First wave:")


def _turn(state: OmahaState) -> Iterator[Block]:
    """What each phase of the Americans is for; the Germans have the same."""
    yield Heading("A turn", aside="a German phase as the American one")
    for phase in state.setup.sequence.phases:
        if phase.side == "us":
            yield Paragraph(phase.text, lead=f"{phase.name}.")


def _cards(state: OmahaState) -> Iterator[Block]:
    """What each action card brings."""
    yield Heading("Action cards")
    for card in state.setup.cards:
        yield Paragraph(card.text, lead=f"{card.title}:")


def _reinforcements(state: OmahaState) -> tuple[Block, ...]:
    """Who comes after the first turn, when and where, with a box for each that has come."""
    rows = []
    for arrival in state.setup.scenario.arrivals:
        if arrival.turn == 1:
            continue  # they land in the first wave, or are on the map from the beginning
        when = f"Turn {arrival.turn}"
        if not arrival.turn:
            when = state.setup.card(arrival.event).title
        has_come = bool(state.entered(arrival))
        rows.append((when, arrival.company, arrival.where, boxes(1, has_come)))
    if not rows:
        return ()
    titles = ["When", "Company", "Where", "Here"]
    return Heading("Reinforcements"), table(titles, rows, written=True)


def _cards_drawn(state: OmahaState) -> tuple[Block, ...]:
    """A box for every card of a kind, ticked for those that were drawn."""
    drawn = [drawn.card for drawn in state.drawn]
    rows = []
    for card in state.setup.cards:
        rows.append((card.title, boxes(_number_in_deck(state, card), drawn.count(card.id))))
    return Heading("Cards drawn"), table(["Card", ""], rows, written=True, counted_column=1)


def _number_in_deck(state: OmahaState, card: ActionCard) -> int:
    """How many cards of a kind the deck of this game has, drawn ones included: as many as its owner
    typed numbers for. Without a deck, as many as there are in print."""
    printed = card.chits(card.numbers)
    if DECK not in state.cups:
        return len(printed)
    deck = state.cups[DECK]
    cards = [state.setup.card(chit) for chit in (*deck.unseen, *deck.drawn, *deck.aside)]
    return cards.count(card)
