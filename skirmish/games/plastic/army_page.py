"""An army as a page: its price and every limit it breaks; and two armies compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skirmish.games.plastic.rules.advice import SECTIONS, verdict
from skirmish.games.plastic.rules.army import Army, figures, missing, named
from skirmish.games.plastic.rules.breaches import breaches, mend, not_waived
from skirmish.games.plastic.rules.catalog import Counts, together
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.page import Block, Items, Page, Paragraph, Table, table
from skirmish.tabletop.typed import plain


def army_page(army: Army, book: PlasticRulingBook, *, prices: bool = True) -> Page:
    return Page(plain(army.listed.name), tuple(_blocks(army, book, prices)))


def _blocks(army: Army, book: PlasticRulingBook, prices: bool) -> Iterator[Block]:
    yield Paragraph(f"{terms(army)}.")
    if army.listed.note:
        yield Paragraph(army.listed.note)
    if army.listed.pieces:
        yield _lines(army, prices)
    if army.listed.groups:
        known = army.catalog.units
        groups = [
            (name, (known[u].named(n + free.get(u, 0)) for u, n in units.items()))
            for name, units, free in army.blocks()
        ]
        yield Items(tuple(f"{name}: {', '.join(who)}" for name, who in groups))
    left = army.budget - army.spent
    still = f"{left} left" if left >= 0 else f"{-left} over"
    yield Paragraph(
        f"Spent {army.spent} of {army.budget} points, {still}. "
        f"Strength {army.pdg}, break point {army.break_at}."
    )
    departures = [
        f"{ruling.id} {ruling.title}: {' '.join(answer.split())}"
        for ruling, answer in book.departures(army.rulings)
    ]
    if departures:
        yield Items(tuple(departures))
    yield from legality(army)


def terms(army: Army) -> str:
    """``German, Regular, 200 points and 40 for quality``."""
    points = f"{army.listed.points} points"
    if army.budget != army.listed.points:
        points += f" and {army.budget - army.listed.points} for quality"
    return ", ".join([*(part.name for part in (army.nation, army.quality) if part), points])


def legality(army: Army) -> Iterator[Block]:
    found = breaches(army)
    broken = not_waived(found)
    if broken:
        limits = "1 limit is" if len(broken) == 1 else f"{len(broken)} limits are"
        yield Paragraph(f"Not legal: {limits} broken.", tone="bad")
    else:
        waived = ": the broken limits are overridden on purpose" if found else ""
        yield Paragraph(f"Legal{waived}.", tone="good")
    items = [
        f"{one.message} Smallest repair: {mend(one.repair, army)}." if one.repair else one.message
        for one in broken
    ]
    items += [
        f"Overridden: {one.message} Reason: {one.override or 'none'}"
        for one in found
        if one.override is not None
    ]
    if items:
        yield Items(tuple(items))


def _lines(army: Army, prices: bool) -> Table:
    rows = []
    for piece, count in army.listed.pieces.items():
        row = army.catalog.pieces[piece].named(count).split(" ", 1)
        if prices:
            price = army.price(piece)
            row += [f"{price}", f"{price * count}"]
        if army.free:
            gift = army.free.get(piece, 0)
            row += [f"{gift}" if gift else "", f"{count + gift}"]
        rows.append(row)
    titles = ["Bought", "", *(("Each", "Points") if prices else ())]
    titles += ["Free", "All"] if army.free else []
    return table(titles, rows, numbers=(0, *range(2, len(titles))))


# ---------------------------------------------------------------------- two armies


def compared(
    one: Army, other: Army, *, only_differences: bool = False, owned: Counts | None = None
) -> Page:
    """If figures are ``owned``: whether they suffice for both armies."""
    rows = terms_rows = _terms(one, other)
    for kind in ("guy", "unarmored", "armored", "work"):
        lines = [
            (piece.name, _share(one, piece.id), _share(other, piece.id))
            for piece in one.catalog.pieces.values()
            if piece.kind == kind
        ]
        shown = [
            _row(name, left, right)
            for name, left, right in lines
            if (left[0] != right[0] if only_differences else left[0] or right[0])
        ]
        if shown:
            _, lefts, rights = zip(*lines, strict=True)
            sums = _row(SECTIONS[kind], _sum(lefts), _sum(rights))
            rows = [*rows, ("", "", "", ""), sums, *shown]
    titles = ("", plain(one.listed.name), "", plain(other.listed.name))
    blocks: list[Block] = [table(titles, rows)]
    if only_differences and rows is terms_rows:
        blocks.append(Paragraph("Both armies have the same figures."))
    if owned and any(owned.values()):
        short = missing(together([figures(one), figures(other)]), owned)
        need = f"For both armies at once you still need {named(short, one.catalog)}."
        enough = "You own enough figures for both armies at once."
        blocks.append(Paragraph(need if short else enough))
    return Page("Side by side", tuple(blocks))


def _terms(one: Army, other: Army) -> list[tuple[str, str, str, str]]:
    def words(army: Army) -> str:
        nation = army.nation.name if army.nation else "no nation"
        return f"{nation}, {army.quality.name.lower()}" if army.quality else nation

    counted = [
        ("Points to spend", one.budget, other.budget),
        ("Spent", one.spent, other.spent),
        ("Strength", one.pdg, other.pdg),
        ("Break point", one.break_at, other.break_at),
    ]
    return [
        ("Terms", words(one), "", words(other)),
        *((what, f"{left}", _more(left - right), f"{right}") for what, left, right in counted),
        ("Limits", verdict(one)[1], "", verdict(other)[1]),
    ]


Share = tuple[int, int]
"""Pieces on the table, including free men, and points paid."""


def _share(army: Army, piece: str) -> Share:
    bought = army.listed.count(piece)
    return bought + army.free.get(piece, 0), bought * army.price(piece)


def _sum(shares: Iterable[Share]) -> Share:
    counts, points = zip(*shares, strict=True)
    return sum(counts), sum(points)


def _row(what: str, left: Share, right: Share) -> tuple[str, str, str, str]:
    return what, _words(left), _more(left[0] - right[0]), _words(right)


def _more(by: int) -> str:
    return "=" if not by else f"◂ {by}" if by > 0 else f"{-by} ▸"


def _words(share: Share) -> str:
    return f"{share[0]} for {share[1]} pts" if share[0] else "·"
