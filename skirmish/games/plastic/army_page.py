"""An army as a page: what it costs and every limit it breaks; and two of them side by side."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.rules.advice import tally
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import breaches, mend, standing
from skirmish.games.plastic.rules.catalog import plural
from skirmish.games.plastic.rules.comparing import Category, Share, side_by_side, totals
from skirmish.games.plastic.rules.figures import Counts, figures, missing, named, together
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.tabletop.page import Block, Items, Page, Paragraph, Table, table
from skirmish.tabletop.typed import plain

CATEGORIES: dict[Category, str] = {
    "guys": "Guys", "unarmored": "Models", "armored": "Armored models", "works": "Works",
}  # fmt: skip


def army_page(army: Army, book: RulingBook, *, prices: bool = True) -> Page:
    return Page(plain(army.listed.name), tuple(_blocks(army, book, prices)))


def _blocks(army: Army, book: RulingBook, prices: bool) -> Iterator[Block]:
    yield Paragraph(f"{terms(army)}.")
    if army.listed.note:
        yield Paragraph(army.listed.note)
    if army.listed.units or army.listed.works:
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
    broken = standing(found)
    if broken:
        limits = "1 limit is" if len(broken) == 1 else f"{len(broken)} limits are"
        yield Paragraph(f"Not legal: {limits} broken.", tone="bad")
    elif found:
        yield Paragraph("Legal: the broken limits are overridden on purpose.", tone="good")
    else:
        yield Paragraph("Legal.", tone="good")
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
    for piece, count in (*army.listed.units.items(), *army.listed.works.items()):
        known = army.catalog.units.get(piece) or army.catalog.works[piece]
        row = [f"{count}", known.name if count == 1 else plural(known.name)]
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
    """Where figures are ``owned``: whether they are enough for both."""
    lines = side_by_side(one, other)
    rows = _terms(one, other)
    for category, title in CATEGORIES.items():
        shown = [
            _row(line.name, line.one, line.other)
            for line in lines
            if line.category == category and not (only_differences and line.alike)
        ]
        if shown:
            rows += [("", "", "", ""), _row(title.upper(), *totals(lines, category)), *shown]
    blocks: list[Block] = [
        table(("", plain(one.listed.name), "", plain(other.listed.name)), rows),
    ]
    if only_differences and all(line.alike for line in lines):
        blocks.append(Paragraph("Both armies have the same figures."))
    if owned and any(owned.values()):
        short = missing(together([figures(one), figures(other)]), owned)
        need = f"For both armies at once you still need {named(short, one.catalog)}."
        blocks.append(
            Paragraph(need if short else "You own enough figures for both armies at once.")
        )
    return Page("Side by side", tuple(blocks))


def _terms(one: Army, other: Army) -> list[tuple[str, str, str, str]]:
    def words(army: Army) -> str:
        nation = army.nation.name if army.nation else "no nation"
        return f"{nation}, {army.quality.name.lower()}" if army.quality else nation

    counted = [
        ("Points to spend", one.budget, other.budget),
        ("Spent", one.spent, other.spent),
        ("Strength (PDG)", one.pdg, other.pdg),
        ("Break point", one.break_at, other.break_at),
    ]
    return [
        ("Terms", words(one), "", words(other)),
        *((what, f"{left}", _more(left - right), f"{right}") for what, left, right in counted),
        ("Limits", tally(one).words, "", tally(other).words),
    ]


def _row(what: str, left: Share, right: Share) -> tuple[str, str, str, str]:
    return what, _share(left), _more(left.count - right.count), _share(right)


def _more(by: int) -> str:
    return "=" if not by else f"◂ {by}" if by > 0 else f"{-by} ▸"


def _share(share: Share) -> str:
    return f"{share.count} for {share.points} pts" if share.count else "·"
