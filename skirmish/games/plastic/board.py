"""A battle in words: the clock, both forces with their losses and rows, victory, what may be done.

Who shows a battle passes a state that its viewer may see (``battle/view.py``): nothing is left out
here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.pieces import Contingent
from skirmish.games.plastic.battle.qualities import (
    plays_qualities_of_contingents,
    quality_of_contingent,
)
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.strength import beating_loss, side_strength
from skirmish.games.plastic.battle.victory_questions import VictoryStatus
from skirmish.games.plastic.row_words import note
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.shot import CLOSE_PHASES
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import (
    Block,
    CounterStack,
    Heading,
    Items,
    Page,
    Paragraph,
    Stacks,
    Table,
    Token,
    table,
    without_empty_columns,
)

FAR_MOVE = 2
"""In inches. Whoever moves further in phase 1 may be fired at ("Movement")."""
SideParty = Literal[0, 1]
"""The colour of a side: 0 is that of the first side. (The ``Party`` of a page may also be none.)"""


def board(state: State, statuses: Sequence[VictoryStatus]) -> Page:
    """The clock, and both forces with their rows and their victory status. ``statuses`` are those
    that the viewer may see."""
    terms = Paragraph(state.setup.victory, lead="Victory:")
    return Page(state.setup.title, (*clock_lines(state), *forces(state, statuses), terms))


def clock_lines(state: State) -> Iterator[Paragraph]:
    """Turn, phase, firing side and open question; after the end, the winner."""
    people = {side.id: side.people for side in state.setup.sides}
    if state.outcome:
        result = "A draw"
        if state.outcome.winner:
            result = f"{people[state.outcome.winner]} win"
        yield Paragraph(f"The battle is over. {result}. {state.outcome.reason}")
        return
    clock = state.clock
    yield Paragraph(
        f"Turn {clock.turn}, {people[clock.side]} to move, phase {clock.phase}: "
        f"{PHASES[clock.phase]}."
    )
    sentences = [_who_fires(state, people[state.firing_side])]
    if state.movement_over:
        sentences.append("Movement is over.")
    for name in sorted(state.toggled):
        sentences.append(_weather_sentence(name))
    if state.is_dark:
        sentences.append("It is dark.")
    yield Paragraph(" ".join(sentences))
    refusal = waiting_for(state)
    if refusal:
        yield Paragraph(refusal.message)


def _who_fires(state: State, people: str) -> str:
    """``Germans fire in contact only.``; ``people`` are those of the firing side."""
    if state.clock.phase == 1:
        return f"{people} fire at anyone who moves more than {inches(FAR_MOVE)}."
    if state.clock.phase in CLOSE_PHASES:
        return f"{people} fire in contact only."
    return f"{people} fire."


def _weather_sentence(name: str) -> str:
    """The sentence about weather that a card has started, such as a sandstorm."""
    return f"{name.capitalize()} covers the table."


def forces(state: State, statuses: Sequence[VictoryStatus]) -> Iterator[Block]:
    """Both sides with their losses and their rows."""
    yield from _forces(state, statuses, partial(_rows, state))


def grouped_forces(state: State, statuses: Sequence[VictoryStatus]) -> Iterator[Block]:
    """The forces for a narrow page, with the rows below the names of their groups, and the terms
    of victory."""
    yield from _forces(state, statuses, partial(_groups, state))
    yield Paragraph(state.setup.victory, lead="Victory:")


def _forces(
    state: State,
    statuses: Sequence[VictoryStatus],
    rows_of: Callable[[str, SideParty], Iterator[Block]],
) -> Iterator[Block]:
    """Both sides: the name, losses and victory, and the rows as ``rows_of`` shows them."""
    status_by_side = {status.side: status for status in statuses}
    parties: tuple[SideParty, SideParty] = (0, 1)
    for party, side in zip(parties, state.setup.sides, strict=True):
        name = side.people
        if side.player:
            name = f"{side.people} ({side.player})"
        yield Heading(name, level=3, party=party)
        yield Items(tuple(_status_lines(state, side.id, status_by_side.get(side.id))))
        yield from rows_of(side.id, party)


def _status_lines(state: State, side: str, status: VictoryStatus | None) -> Iterator[str]:
    """A side's losses, how it stands, who draws for it, and its works. ``status`` is None if the
    viewer may not see it."""
    losses = f"{state.loss.get(side, 0)} of {side_strength(state, side)} strength lost"
    break_point = beating_loss(state, side)
    if break_point:
        losses += f", break point {break_point}"
    yield f"{losses}."
    if status:
        yield f"{state.setup.side_by_id[side].people} {status.text}."
        if not status.can_win:
            yield can_no_longer_win(state, side)
    yield _who_draws(state, side)
    works = _works_of(state, side)
    if works:
        yield f"{', '.join(works)}."


def _works_of(state: State, side: str) -> list[str]:
    """The works of a side, each with its number."""
    catalog_works = state.setup.catalog.works
    works = []
    for work, count in state.works.get(side, {}).items():
        if work in catalog_works:
            works.append(catalog_works[work].named(count))
        else:
            # A work that is not in the catalog was typed in during the battle.
            works.append(f"{count} {work}")
    return works


def can_no_longer_win(state: State, side: str) -> str:
    """``The Germans can no longer win.``"""
    return f"{state.setup.the(side, 'The')} can no longer win."


def _who_draws(state: State, side: str) -> str:
    """Whose cards or dice a side uses: ``Referee: the program draws; 31 cards left.``"""
    level, source = state.levels[side], state.sources[state.source_of(side)]
    if level == "ledger":
        return "Ledger: losses and the clock only."
    who = "the player"
    if level == "referee":
        who = "the program"
    if source.kind == "die":
        return f"{level.capitalize()}: {who} rolls a die."
    return f"{level.capitalize()}: {who} draws; {source.cards_left(DECK)} cards left."


def _rows(state: State, side: str, _party: SideParty) -> Iterator[Table]:
    """The rows of a side as a table, which has no colour of a party."""
    side_rows = rows(state, side)
    if not side_rows:
        return
    contingents = {row.contingent.id for row in side_rows}
    shows_names = shows_group_names(state, side, len(contingents))
    cells = []
    for row in side_rows:
        contingent_name = ""
        if shows_names:
            contingent_name = group_name(state, row.contingent)
        left = f"{len(row.alive)} of {row.total}"
        cells.append((row.letter, row.unit.name, left, note(state, row), contingent_name))
    titles = ("", "Unit", "Left", "Notes", "Group")
    rows_table = table(titles, cells, numbers=(titles.index("Left"),))
    yield without_empty_columns(rows_table, ("Notes", "Group"))


def _groups(state: State, side: str, party: SideParty) -> Iterator[Stacks]:
    """The rows of a side by their contingents, each row with how many are left of it and what is
    unusual about it."""
    groups: dict[str, list[Token]] = {}
    for row in rows(state, side):
        aside = f"{len(row.alive)} of {row.total}"
        row_note = note(state, row)
        if row_note:
            aside += f", {row_note}"
        token = Token(row.unit.name, key=row.letter, aside=aside)
        groups.setdefault(group_name(state, row.contingent), []).append(token)
    # Contingents with one name are one group here.
    shows_names = shows_group_names(state, side, len(groups))
    stacks = []
    for name, tokens in groups.items():
        title = ""
        if shows_names:
            title = name
        stacks.append(CounterStack(title, tuple(tokens)))
    if stacks:
        yield Stacks(tuple(stacks), party)


def shows_group_names(state: State, side: str, count: int) -> bool:
    """Whether the ``count`` contingents of a side are shown with their names: the name of an only
    one would say nothing, unless it has a force quality of its own."""
    return count > 1 or plays_qualities_of_contingents(state, side)


def group_name(state: State, contingent: Contingent) -> str:
    """The name of a contingent; with its force quality where contingents have their own."""
    quality = None
    if plays_qualities_of_contingents(state, contingent.side):
        quality = quality_of_contingent(state, contingent)
    if quality is None:
        return contingent.name
    return f"{contingent.name}, {quality.name.lower()}"


def victory(state: State, statuses: Sequence[VictoryStatus]) -> Iterator[Paragraph]:
    """Each side's goal and progress, including break points, until the battle is over."""
    if state.outcome is not None:
        return
    for status in statuses:
        # These lines come first, so that nothing pushes them off the screen.
        if not status.can_win:
            yield Paragraph(can_no_longer_win(state, status.side), tone="bad")
    for status in statuses:
        if status.text:
            people = state.setup.side_by_id[status.side].people
            yield Paragraph(f"{status.text}.", lead=people)


def allowed_now(state: State) -> Iterator[Paragraph]:
    """What may be done in this phase, for those who watch."""
    if state.outcome is not None:
        return
    if state.clock.phase == 1 and state.movement_over:
        yield Paragraph(state.setup.moves_no_more(state.mover))
    elif state.clock.phase == 1:
        moves = state.setup.does(state.mover, "move", "moves", article="The")
        enemy = state.setup.the(state.firing_side, "The")
        far = inches(FAR_MOVE)
        yield Paragraph(f"{moves} now. {enemy} may fire at anyone who moves more than {far}.")
    elif state.clock.phase in CLOSE_PHASES:
        yield Paragraph("Only units in contact with the enemy may fight now.")
    for name in sorted(state.toggled):
        yield Paragraph(_weather_sentence(name))


def agreed_before_play(state: State) -> Iterator[Paragraph]:
    """The answers in words that the players gave before play. What other answers, such as yes and
    no, have changed is seen elsewhere."""
    for question, answer in state.setup.answers.items():
        if isinstance(answer, str):
            yield Paragraph(answer, lead=f"{question.replace('_', ' ').capitalize()}:")
