"""The rules and the owner's card as pages: to look up on the screen, and to fill in on paper."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.gts.ruleset import TERRAIN, GtsRules, GtsTables
from skirmish.games.gts.state import GtsState
from skirmish.tabletop.companion.explained import explained_blocks
from skirmish.tabletop.companion.result_table import BLANK
from skirmish.tabletop.companion.roster import BLANK_NAME
from skirmish.tabletop.page import Beside, Block, Facts, Heading, Page, Paragraph, capital, table
from skirmish.tabletop.presets import PresetBook

MODIFIER_HEADINGS = {
    "radio_": "Contact with a leader",
    "check_": "Checks",
    "beach_": "Attacks on beach defenses",
    TERRAIN: "Terrain",
}
"""Headings of modifiers by how their ids begin; all others are modifiers of fire."""
PAPER_TERRAINS = 10
"""Lines for terrain on the sheet of the card, where none is known."""


def rules_page(game_name: str, rules: GtsRules, book: PresetBook, state: GtsState | None) -> Page:
    """The turn, the chits, the charts and the rulings; with a ``state`` its answers to rulings, and
    the card as far as it is known in it."""
    rulings = book.defaults()
    if state is not None:
        rulings = state.rules.rulings
    blocks: list[Block] = [*book.differing(rulings)]
    blocks += [*_turn_blocks(rules), *_chit_blocks(rules)]
    blocks += explained_blocks(rules.explained)
    blocks += _result_blocks(rules)
    for chart in rules.charts.values():
        blocks += [Heading(chart.title), chart.as_table()]
    if state is not None:
        blocks += _card_blocks(state.tables, rules, blank=BLANK)
    blocks += book.blocks(rulings)
    return Page(f"The rules of {game_name}", tuple(blocks))


def card_sheet(game_name: str, rules: GtsRules, tables: GtsTables) -> Page:
    """The owner's card with blanks to fill in by hand, and what else is needed to play from paper:
    the order of a turn, and the rules that only players apply."""
    blocks = [*_card_blocks(tables, rules, blank=""), *_result_blocks(rules)]
    # The names of terrain are on the owner's map. Until one is typed in, there are lines for them.
    if not tables.terrains:
        rows = [(BLANK_NAME, "", "", "") for _ in range(PAPER_TERRAINS)]
        titles = ["Terrain", "Movement points", "Modifier", "Armored target"]
        blocks += [Heading("Terrain"), table(titles, rows, written=True)]
    blocks.append(Beside(tuple(_turn_blocks(rules)), tuple(_chit_blocks(rules))))
    blocks += explained_blocks(rules.explained)
    return Page(game_name, tuple(blocks), about=("Check community values against your card.",))


def _turn_blocks(rules: GtsRules) -> Iterator[Block]:
    """The phases of a turn."""
    yield Heading("A turn")
    for phase in rules.phases:
        yield Paragraph(phase.text, lead=f"{phase.name}.")


def _chit_blocks(rules: GtsRules) -> Iterator[Block]:
    """What each kind of chit lets its units do."""
    yield Heading("Chits")
    for kind in rules.kinds.values():
        yield Paragraph(kind.text, lead=f"{capital(kind.name)}.")


def _result_blocks(rules: GtsRules) -> Iterator[Block]:
    """What each fire result does."""
    yield Heading("Fire results")
    yield Facts(tuple(rules.results.items()))


def _card_blocks(tables: GtsTables, rules: GtsRules, *, blank: str) -> Iterator[Block]:
    """The tables and modifiers of the card; ``blank`` stands for what is not typed in."""
    names = {id: value.name for id, value in rules.values.items()}
    # Terrain has modifiers that only the card knows, and no rule.
    for id in tables.values:
        if id not in names:
            names[id] = id.removeprefix(TERRAIN)
    names_by_heading: dict[str, dict[str, str]] = {}
    for id, name in names.items():
        names_by_heading.setdefault(_heading_of(id), {})[id] = name
    yield from tables.blocks(names_by_heading, blank)


def _heading_of(id: str) -> str:
    """The heading under which a modifier stands."""
    for beginning, heading in MODIFIER_HEADINGS.items():
        if id.startswith(beginning):
            return heading
    return "Fire"
