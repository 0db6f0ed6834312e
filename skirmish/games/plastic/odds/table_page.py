"""The odds table as people read it: a page, and the parts that screens and sheets arrange."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from skirmish.games.plastic.odds.pack import ALL_CARDS, OddsError, Pack, firer_of
from skirmish.games.plastic.odds.rounding import hundredths, percent, tenths
from skirmish.games.plastic.odds.table import (
    GUYS_IN_REACH,
    OddsCell,
    OddsTable,
    TargetColumn,
    WeaponLine,
)
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import listed
from skirmish.games.plastic.rules.firing_table import NONE
from skirmish.games.plastic.rules.shot import ranks_that_hit
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Block, Facts, Heading, Page, Paragraph
from skirmish.tabletop.page import table as page_table

VOLLEYS = (1, 2, 3, 5, 8)
"""How many shooters the volleys have whose kills are shown."""
KILLS = (1, 2, 3, 5)
"""The numbers of kills whose chances (of so many or more) are shown."""
CONTACT_SIGN = "*"
"""The sign of a shot that is only allowed in contact."""
SHADE_COUNT = 5
"""How many shades the heat map has."""
_EMPTY_PAGE = Page("", ())


def odds_page(table: OddsTable, *covers: bool) -> Page:
    """A table for each of ``covers`` (True: the targets are in cover; False: in the open), with
    their legend."""
    column_names = tuple(" ".join(heading_words(column)) for column in table.columns)
    blocks: list[Block] = []
    for cover in covers:
        rows = []
        for line, texts in zip(table.lines, signs(table, cover), strict=True):
            rows.append((line.weapon.name, *texts))
        where = _cover_in_words(cover).capitalize()
        blocks.append(Heading(f"{where}, {drawn_from(table.pack)}"))
        numbers = range(1, len(column_names) + 1)
        blocks.append(page_table(("", *column_names), rows, numbers=numbers))
    for sentence in legend(table, *covers):
        blocks.append(Paragraph(sentence))
    blocks.append(Facts(tuple(units_of_columns(table))))
    return Page("Odds", tuple(blocks))


def _sign(cell: OddsCell) -> str:
    """What stands in a cell: its percentage, or a sign for none."""
    if cell.odds is not None:
        return percent(cell.odds.hit)
    # Forbidden here, but not in contact: the star sends the reader to that table.
    if cell.refusal and cell.refusal.code == "touch_only":
        return CONTACT_SIGN
    return NONE


def signs(table: OddsTable, cover: bool, contact: bool = False) -> list[list[str]]:
    """The texts of the cells, a list for each line: ``67``, or ``67+`` if a kill gives another
    shot. All other cells of a column with a plus end with a space, so that the figures stand below
    one another."""
    lines = table.cells(cover, contact)
    columns_with_repeats: set[int] = set()
    for cells in lines:
        columns_with_repeats.update(index for index, cell in enumerate(cells) if cell.repeats)
    texts = []
    for cells in lines:
        texts_of_line = []
        for index, cell in enumerate(cells):
            text = _sign(cell)
            if cell.repeats:
                text += "+"
            elif index in columns_with_repeats:
                text += " "
            texts_of_line.append(text)
        texts.append(texts_of_line)
    return texts


def shade_of_cell(cell: OddsCell) -> int | None:
    """The shade of a cell (``shade_of``); None for a forbidden shot, which has none."""
    if cell.odds is None:
        return None
    return shade_of(cell.odds.hit)


def shade_of(chance: Fraction) -> int:
    """0 for a chance below a fifth, 4 from four fifths up."""
    # A sure hit has the last shade, not one above it.
    return min(int(chance * SHADE_COUNT), SHADE_COUNT - 1)


def heading_words(column: TargetColumn) -> list[str]:
    """The words of its heading, each on a line of its own."""
    words = column.name.split()
    if column.behind:
        words.append("behind")
    return words


def drawn_from(pack: Pack) -> str:
    """``fresh deck``, ``45 cards left``, ``d12``."""
    if pack.die:
        return "d12"
    if pack.possible == ALL_CARDS:
        return "fresh deck"
    if pack.count == 1:
        return "1 card left"
    return f"{pack.count} cards left"


def title(line: WeaponLine, column: TargetColumn, cover: bool) -> str:
    """``Bazooka at Tanks, from behind, in the open``"""
    target = column.name
    if column.behind:
        target += ", from behind"
    return f"{line.weapon.name} at {target}, {_cover_in_words(cover)}"


def _cover_in_words(cover: bool) -> str:
    """``in cover``, ``in the open``"""
    if cover:
        return "in cover"
    return "in the open"


def sentences(table: OddsTable, cell: OddsCell) -> Iterator[str]:
    """What a cell means: its odds in words, or why the shot is forbidden."""
    if cell.refusal is not None:
        yield cell.refusal.message
        return
    odds = cell.odds
    assert odds is not None
    assert cell.aim is not None
    needs = ranks_that_hit(cell.aim.needs)
    yield f"Hits {odds.hits}/{odds.draws} = {tenths(odds.hit)}; needs {needs}."
    if "cover" in cell.aim.saves:
        yield f"Saved by cover {odds.by_cover}/{odds.draws}."
    if "hull_down" in cell.aim.saves:
        yield f"Saved by hull down {odds.by_hull_down}/{odds.draws}."
    # At a model the chance is 0: it is no man, and nothing is said about one. Near by, every hit
    # kills the man aimed at. With an equal chance from afar, every hit does so at any distance.
    if cell.exact_near and cell.exact_near == odds.exact:
        yield "Always kills the man aimed at."
    elif cell.exact_near:
        draws_near = cell.exact_near * odds.draws
        yield (
            f"The man aimed at dies {odds.exact_hits}/{odds.draws}, "
            f"within {inches(table.near)} {draws_near}/{odds.draws}."
        )
    if cell.repeats:
        yield "After a kill it may fire again."


def volley_page(table: OddsTable, cell: OddsCell) -> Page:
    """The kills of volleys of such shots at a group of guys, or at one model; empty for a forbidden
    shot and where the odds of a volley take too long."""
    if cell.aim is None:
        return _EMPTY_PAGE
    size = 1
    whom = "one such target"
    if cell.aim.at_guy:
        size = GUYS_IN_REACH
        whom = f"{GUYS_IN_REACH} in reach"
    at_least = [kills for kills in KILLS if kills <= size]
    shooter = firer_of(cell.aim, die=table.pack.die)
    rows = []
    for shooters in VOLLEYS:
        try:
            outcome = volley([shooter] * shooters, [size], table.pack)
        except OddsError:
            return _EMPTY_PAGE
        chances = [f"{percent(outcome.at_least(kills))}%" for kills in at_least]
        rows.append((str(shooters), hundredths(outcome.expected()), *chances))
    titles = ["Shooters", "Killed on average", *(f"{kills} or more" for kills in at_least)]
    if size == 1:
        titles = ["Shooters", "Killed on average", "Killed"]
    block = page_table(titles, rows, numbers=range(len(titles)))
    return Page("", (Heading(f"A volley at {whom}"), block))


def legend(table: OddsTable, *covers: bool) -> list[str]:
    """The sentences below a table that shows the odds for these ``covers``."""
    return [
        f"Percentage of draws that hit in phases 1 and 2, at {inches(table.distance)} or more. "
        f"Within {inches(table.near)}, the chances are the same, and every hit kills the man aimed "
        f"at; from farther away he dies with a chance of {exact_chances(table, *covers)}.",
        f"+ may fire again after a kill.  {CONTACT_SIGN} only in contact, in phases 3 and 4.  "
        f"{NONE} may not fire at this target.",
    ]


def exact_chances(table: OddsTable, *covers: bool) -> str:
    """The chances that the man aimed at dies, for each of the ``covers``:
    ``8% (Sniper rifle 17%) in the open, 4% in cover``."""
    parts = [f"{_exact_chance_in(table, cover)} {_cover_in_words(cover)}" for cover in covers]
    return ", ".join(parts)


def _exact_chance_in(table: OddsTable, cover: bool) -> str:
    """The chance that the very man aimed at dies. That of most weapons comes first, and then those
    with another: ``8% (Sniper rifle 17%)``."""
    weapons_by_chance: dict[Fraction, list[str]] = {}
    for line, cells in zip(table.lines, table.cells(cover), strict=True):
        for cell in cells:
            # Only cells at guys have such a chance, and of one weapon all of them have the same.
            if cell.odds is not None and cell.exact_near:
                weapons_by_chance.setdefault(cell.odds.exact, []).append(line.weapon.name)
                break
    if not weapons_by_chance:
        return "0%"
    usual = max(weapons_by_chance, key=lambda chance: len(weapons_by_chance[chance]))
    exceptions = []
    for chance, names in weapons_by_chance.items():
        if chance != usual:
            exceptions.append(f"{listed(names)} {percent(chance)}%")
    if not exceptions:
        return f"{percent(usual)}%"
    return f"{percent(usual)}% ({', '.join(exceptions)})"


def units_of_columns(table: OddsTable) -> list[tuple[str, str]]:
    """The name of each column, and the units that it stands for."""
    names_and_units = []
    for column in table.columns:
        # The column from behind has the same units as the one before it.
        if not column.behind:
            units = ", ".join(unit.short for unit in column.targets)
            names_and_units.append((column.name, units))
    return names_and_units
