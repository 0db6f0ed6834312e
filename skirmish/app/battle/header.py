"""What stands above a battle: the clock with its phases, the tabs, who moves and who fires; and a
line of its journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, get_args

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from skirmish.app import page_view
from skirmish.app.battle.forces import DIM, KEY, Told
from skirmish.app.battle.keys import shown_as
from skirmish.app.fitting import hanging, shortened
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.typed import plain

Tab = Literal["both", "first", "second", "journal", "due"]
TABS: tuple[Tab, ...] = get_args(Tab)
VERBS: dict[Tab, str] = {
    "both": "both_sides",
    "first": "first_side",
    "second": "second_side",
    "journal": "journal_page",
    "due": "due_page",
}
"""The binding of each page: ``battle.<verb>``."""
NAME = 12
"""Cells of a side's name in its tab."""
STRONG = "bold"
WIDE_CLOCK = 100
"""Columns from which every phase has its name in the clock line."""


class Part(Static):
    """A part of the screen; what can be clicked in it looks as it is painted."""

    auto_links = False

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._shows: object = None

    def say(self, content: Content) -> None:
        """Other words, if they are others: painting costs time."""
        shows = (content.plain, tuple(content.spans))
        if shows != self._shows:
            self._shows = shows
            self.update(content)


def clock_line(state: State, width: int) -> Content:
    """Title, turn, the four phases with the present one marked, in so many columns."""
    setup, clock = state.setup, state.clock
    wide = width >= WIDE_CLOCK
    last = f"/{setup.ends_after.turn}" if setup.ends_after else ""
    parts: list[Content | tuple[str, str]] = [(f"  TURN {clock.turn}{last}  ", KEY)]
    for phase, name in PHASES.items():
        now = phase == clock.phase
        other = f" {phase} {name.lower()} " if wide else f" {phase} "
        text = f"[{phase} {name.upper()}]" if now else other
        parts.append((text, KEY if now else DIM))
    after = Content.assemble(*parts)
    title = shortened(plain(setup.title).upper(), max(width - after.cell_length, 8))
    return Content.assemble((title, STRONG), after)


def who_line(state: State, told: Told, width: int) -> Content:
    """Who moves and, in the strongest words of the screen, who fires, in so many columns."""
    setup = state.setup
    if state.outcome:
        winner = state.outcome.winner
        over = f"{plain(setup.side_by_id[winner].people)} WIN" if winner else "A DRAW"
        over = shortened(over.upper(), width - 29)
        return Content.assemble(
            ("  THE BATTLE IS OVER   ", STRONG), (f"  {over}  ", f"{KEY} reverse")
        )
    flags = [(f"  {name.upper()} ", "$error bold reverse") for name in sorted(state.toggled)]
    moving = state.clock.phase == 1
    if moving:
        before = "MOVEMENT OVER" if state.movement_over else "MOVE"
        says = told(" at anyone who moves more than 2\u00a0in")
    else:
        before, says = "", " in contact only" if state.clock.phase in (3, 4) else ""
    flagged = sum(len(name) for name, _ in flags)
    room = (width - len(before) - 20 - flagged) // 2
    mover, firer = (
        shortened(plain(setup.side_by_id[side].people), max(room, 12))
        for side in (state.mover, state.firing_side)
    )
    fires = (f"  FIRE: {firer.upper()}  ", f"{KEY} reverse")
    style = f"{STRONG} reverse" if moving else DIM
    if moving and state.movement_over:
        style = "$error bold reverse"
    turn = shortened(plain(setup.of(state.mover, "turn")), max(room, 12) + 8)
    who = f"{before}: {mover.upper()}" if moving else f"{turn[:1].upper()}{turn[1:]}"
    line = Content.assemble((f"  {who}  ", style), "  ", fires, *flags)
    left = width - line.cell_length
    return Content.assemble(line, (says, DIM)) if len(says) <= left else line


def tab_line(state: State, now: Tab, mapped: Mapping[str, str], width: int) -> Content:
    """A tab for each page with its key, the present one marked; at the right, in as many words as
    there is room for, how the sides draw."""
    sides = (shortened(side.people, NAME) for side in state.setup.sides)
    line = Content("").join(
        Content.assemble(
            (f" {shown_as(VERBS[one], mapped)}", KEY),
            (f" {plain(name)} ", "bold reverse" if one == now else ""),
        ).stylize(f"@click=screen.turn_to('{one}')")
        for one, name in zip(TABS, ("Both", *sides, "Journal", "Due"), strict=True)
    )
    room = width - line.cell_length
    for words in _sources(state):
        if cell_len(words) + 2 <= room:
            return Content.assemble(line, " " * (room - cell_len(words)), (words, DIM))
    return line


def side_of(tab: Tab, setup: Setup) -> str | None:
    """The side whose whole table a page is."""
    one, other = setup.sides
    return {"first": one.id, "second": other.id}.get(tab)


def _sources(state: State) -> Iterator[str]:
    """How both sides use the program and what is left of their decks: in full, then shorter."""
    whole, brief = [], []
    for side in state.setup.sides:
        source = state.sources[state.source_of(side.id)]
        level = state.levels[side.id]
        if level == "ledger":
            what = short = "deck partly unknown"
        elif source.kind == "die":
            what = short = f"{'own ' if source.typed else ''}d{DIE}"
        else:
            what = f"{'own deck, ' if source.typed else ''}{source.left(DECK)} cards left"
            short = f"{source.left(DECK)} cards"
        whole.append(f"{plain(side.people)}: {level}, {what}")
        brief.append("" if level == "ledger" else short)
    yield "   ".join(whole)
    yield " | ".join(part or "losses only" for part in brief)
    yield " | ".join((part or "-").removesuffix(" cards") for part in brief)


INDENT = 6
"""Columns of a line's mark and number."""


@lru_cache(maxsize=256)
def journal_rows(number: int, words: str, width: int, here: bool) -> list[Content]:
    """A line of the journal; most stand there after the next order, too."""
    says = f"{'>' if here else ' '} {number:>3} {words}"
    text = Content.styled(says, f"{KEY} reverse" if here else page_view.DIM)
    click = f"@click=screen.look({number})"
    return [row.stylize(click) for row in hanging(text, width, INDENT)]
