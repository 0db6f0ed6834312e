"""The pages of the battle screen, and the line of tabs that turns to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from rich.cells import cell_len
from textual.content import Content

from skirmish.app.battle.keys import shown_as
from skirmish.app.battle.mode import Mode
from skirmish.app.battle.words import DIM, KEY, sources
from skirmish.app.fitting import shortened
from skirmish.games.plastic.battle.agenda import CasualtyAsk, InsideAsk
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State

Page = Literal["both", "first", "second", "journal", "due"]
PAGES: tuple[Page, ...] = get_args(Page)
VERBS: dict[Page, str] = {
    "both": "both_sides",
    "first": "first_side",
    "second": "second_side",
    "journal": "journal_page",
    "due": "due_page",
}
"""The binding of each page: ``battle.<verb>``."""
NAME = 12
"""Cells of a side's name in its tab."""


def tabs(play: BattlePlay, page: Page, mapped: Mapping[str, str], width: int) -> Content:
    """One line: a tab for each page with its key, the present one marked; at the right, in as many
    words as there is room for, how the sides draw."""
    line = Content("").join(
        Content.assemble(
            (f" {shown_as(VERBS[one], mapped)}", KEY),
            (f" {name} ", "bold reverse" if one == page else ""),
        ).stylize(f"@click=screen.turn_to('{one}')")
        for one, name in zip(PAGES, _names(play.state.setup), strict=True)
    )
    room = width - line.cell_length
    for words in sources(play):
        if cell_len(words) + 2 <= room:
            return Content.assemble(line, " " * (room - cell_len(words)), (words, DIM))
    return line


def side_of(page: Page, setup: Setup) -> str | None:
    """The side whose whole table a page is."""
    one, other = setup.sides
    return {"first": one.id, "second": other.id}.get(page)


def page_for(page: Page, state: State, mode: Mode) -> Page:
    """The page to show: a question about rows, or an arrow on one, needs them in sight."""
    pointer = mode.pointer
    side = pointer.partition("/")[0] if pointer else None
    if side is None and isinstance(state.ask, CasualtyAsk | InsideAsk):
        side = mode.naming(state)
    if side is None or side_of(page, state.setup) == side:
        return page
    return "both"


def _names(setup: Setup) -> tuple[str, ...]:
    sides = (shortened(side.people, NAME) for side in setup.sides)
    return ("Both", *sides, "Journal", "Due")
