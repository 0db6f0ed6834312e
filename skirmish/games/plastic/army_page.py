"""An army as a page: its price and every limit it breaks; and two armies compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skirmish.games.plastic.rules.advice import SECTIONS, verdict
from skirmish.games.plastic.rules.army import Army, counts_in_words, figures, missing
from skirmish.games.plastic.rules.breaches import breaches, repair_words
from skirmish.games.plastic.rules.catalog import Counts, total_counts
from skirmish.games.plastic.rules.limits import not_waived
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.page import Block, Items, Page, Paragraph, Table, table
from skirmish.tabletop.typed import plain


def army_page(army: Army, book: PlasticRulingBook, *, with_prices: bool = True) -> Page:
    """Everything about one army: what it has, what it costs, and whether it is legal."""
    return Page(plain(army.army_list.name), tuple(_blocks(army, book, with_prices)))


def _blocks(army: Army, book: PlasticRulingBook, with_prices: bool) -> Iterator[Block]:
    """An army's terms, pieces, groups and points, the rulings that differ, and whether it is
    legal."""
    yield Paragraph(f"{terms(army)}.")
    if army.army_list.note:
        yield Paragraph(army.army_list.note)
    if army.army_list.pieces:
        yield _pieces_table(army, with_prices)
    if army.army_list.groups:
        yield _groups(army)
    left = army.budget - army.spent
    balance = f"{left} left"
    if left < 0:
        balance = f"{-left} over"
    yield Paragraph(
        f"Spent {army.spent} of {army.budget} points, {balance}. "
        f"Strength {army.strength}, break point {army.break_at}."
    )
    departures = []
    for ruling, answer in book.departures(army.rulings):
        # In the file an answer may go on over several lines.
        departures.append(f"{ruling.id} {ruling.title}: {' '.join(answer.split())}")
    if departures:
        yield Items(tuple(departures))
    yield from legality(army)


def _groups(army: Army) -> Items:
    """The groups with their units, with free men included."""
    lines = []
    for name, bought, free in army.blocks():
        named_units = []
        # Free men are of units that the group has bought.
        for unit, count in bought.items():
            fielded = count + free.get(unit, 0)
            named_units.append(army.catalog.units[unit].named(fielded))
        lines.append(f"{name}: {', '.join(named_units)}")
    return Items(tuple(lines))


def terms(army: Army) -> str:
    """The terms under which an army is bought: ``German, Regular, 200 points and 40 for
    quality``."""
    points = f"{army.army_list.points} points"
    if army.budget != army.army_list.points:
        points += f" and {army.budget - army.army_list.points} for quality"
    if army.terms:
        return f"{army.terms}, {points}"
    return points


def legality(army: Army) -> Iterator[Block]:
    """Whether an army is legal, the broken limits with their smallest repairs, and the overridden
    ones."""
    not_met = breaches(army)
    broken = not_waived(not_met)
    if len(broken) == 1:
        yield Paragraph("Not legal: 1 limit is broken.", tone="bad")
    elif len(broken) > 1:
        yield Paragraph(f"Not legal: {len(broken)} limits are broken.", tone="bad")
    elif not_met:
        yield Paragraph("Legal: the broken limits are overridden on purpose.", tone="good")
    else:
        yield Paragraph("Legal.", tone="good")
    items = []
    for breach in broken:
        text = breach.message
        if breach.repair:
            text += f" Smallest repair: {repair_words(breach.repair, army)}."
        items.append(text)
    for breach in not_met:
        # A limit may be overridden without a reason, which is an empty text.
        if breach.override is not None:
            reason = breach.override or "none"
            items.append(f"Overridden: {breach.message} Reason: {reason}")
    if items:
        yield Items(tuple(items))


def _pieces_table(army: Army, with_prices: bool) -> Table:
    """A row for each piece. There are columns for free men only if the nation gives some."""
    titles = ["Bought", ""]
    if with_prices:
        titles += ["Each", "Points"]
    if army.free:
        titles += ["Free", "All"]
    rows = []
    for id, count in army.army_list.pieces.items():
        row = [str(count), army.catalog.pieces[id].name_for(count)]
        if with_prices:
            price = army.price(id)
            row += [str(price), str(price * count)]
        if army.free:
            free = army.free.get(id, 0)
            free_text = ""
            if free:
                free_text = str(free)
            row += [free_text, str(count + free)]
        rows.append(row)
    # The column without a title has the names of the pieces; all others hold numbers.
    number_columns = [index for index, title in enumerate(titles) if title]
    return table(titles, rows, numbers=number_columns)


# ---------------------------------------------------------------------- two armies


def compared(
    left: Army, right: Army, *, only_differences: bool = False, owned: Counts | None = None
) -> Page:
    """Two armies side by side: their terms, and their pieces or (``only_differences``) those of
    which one has more. If figures are ``owned``, whether they are enough for both at once."""
    sections: list[TableRow] = []
    for kind in ("guy", "unarmored", "armored", "work"):
        sections += _section(kind, left, right, only_differences)
    titles = ("", plain(left.army_list.name), "", plain(right.army_list.name))
    blocks: list[Block] = [table(titles, [*_terms_compared(left, right), *sections])]
    if only_differences and not sections:
        blocks.append(Paragraph("Both armies have the same figures."))
    if owned and any(owned.values()):
        figures_missing = missing(total_counts([figures(left), figures(right)]), owned)
        if figures_missing:
            needed = counts_in_words(figures_missing, left.catalog)
            blocks.append(Paragraph(f"For both armies at once you still need {needed}."))
        else:
            blocks.append(Paragraph("You own enough figures for both armies at once."))
    return Page("Side by side", tuple(blocks))


def _section(kind: str, left: Army, right: Army, only_differences: bool) -> list[TableRow]:
    """The pieces of a kind that one of the armies has: an empty row, their sum, then a row for
    each."""
    rows = []
    left_sum = right_sum = Share(0, 0)
    for piece in left.catalog.pieces.values():
        if piece.kind != kind:
            continue
        left_share, right_share = _share(left, piece.id), _share(right, piece.id)
        left_sum, right_sum = left_sum.plus(left_share), right_sum.plus(right_share)
        is_shown = bool(left_share.pieces or right_share.pieces)
        if only_differences:
            is_shown = left_share.pieces != right_share.pieces
        if is_shown:
            rows.append(_compared_row(piece.name, left_share, right_share))
    if not rows:
        return []
    return [("", "", "", ""), _compared_row(SECTIONS[kind], left_sum, right_sum), *rows]


def _terms_compared(left: Army, right: Army) -> list[TableRow]:
    """The terms of two armies, with the differences between them."""
    rows: list[TableRow] = [("Terms", _nation_and_quality(left), "", _nation_and_quality(right))]
    for name, of_left, of_right in (
        ("Points to spend", left.budget, right.budget),
        ("Spent", left.spent, right.spent),
        ("Strength", left.strength, right.strength),
        ("Break point", left.break_at, right.break_at),
    ):
        more = _which_has_more(of_left - of_right)
        rows.append((name, str(of_left), more, str(of_right)))
    rows.append(("Limits", verdict(left).text, "", verdict(right).text))
    return rows


def _nation_and_quality(army: Army) -> str:
    """The nation and the quality of an army: ``German, regular``."""
    words = "no nation"
    if army.nation:
        words = army.nation.name
    if army.quality:
        words += f", {army.quality.name.lower()}"
    return words


class Share(NamedTuple):
    """What an army has of something: pieces, free men included, and the points paid for them."""

    pieces: int
    points: int

    def plus(self, share: Share) -> Share:
        """Both shares together."""
        return Share(self.pieces + share.pieces, self.points + share.points)


TableRow = tuple[str, str, str, str]
"""The cells of a row: what is compared, the left army, which has more, the right army."""


def _share(army: Army, piece: str) -> Share:
    """What an army has of a piece; free men cost nothing."""
    bought = army.army_list.count(piece)
    return Share(bought + army.free.get(piece, 0), bought * army.price(piece))


def _compared_row(name: str, left: Share, right: Share) -> TableRow:
    """What both armies have of something, and which has more pieces of it."""
    more = _which_has_more(left.pieces - right.pieces)
    return name, _share_words(left), more, _share_words(right)


def _which_has_more(difference: int) -> str:
    """How many more one army has, with an arrow to that army. ``difference``: how many more the
    left one has."""
    if difference > 0:
        return f"◂ {difference}"
    if difference < 0:
        return f"{-difference} ▸"
    return "="


def _share_words(share: Share) -> str:
    """A share as a cell: ``3 for 24 pts``, or a dot for none."""
    if not share.pieces:
        return "·"
    return f"{share.pieces} for {share.points} pts"
