"""The page of statistics: figures above, then a plot for each of the three numbers."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.beach_head.simulate.playtest import Playtest, Printed
from skirmish.games.beach_head.simulate.tally import Spread, Tally
from skirmish.games.beach_head.simulate.told import bins, deviation, in_batches, printed
from skirmish.sheets.layout.blocks import Head, TitleBand
from skirmish.sheets.layout.charts import bar
from skirmish.sheets.layout.flowables import Canvas, Cell, Drawing, Flowable, Gap, Row, depth, rule
from skirmish.sheets.layout.fonts import BOLD, LABEL, MEDIUM
from skirmish.sheets.layout.pages import Part, Title, bound
from skirmish.sheets.layout.text import (
    COLUMN,
    FIGURE,
    TERM,
    TEXT,
    Style,
    Text,
    line_width,
    paragraph,
    write,
)
from skirmish.sheets.paper import (
    ACCENT,
    BAND,
    BLACK,
    CODE,
    HAIR,
    HEAVY,
    MM,
    NORMAL,
    SIDES,
    WHITE,
    Ink,
    InkUse,
    leaf,
)

GAME = "Beach Head"
NAMES = {
    "casualties": ("Casualties", "squads lost: the score"),
    "turns": ("Turns", "until bunkers and trenches are gone"),
    "alive": ("Alive at the end", "squads still ashore"),
}
LOWEST, TALLEST = 24 * MM, 52 * MM
"""Of the bars of a plot; they are as tall as the page has room for."""
_TICK = Style(MEDIUM, 7, 7, "centre", CODE)
_SHARE = Style(LABEL, 7.2, 7.2, "centre", BLACK)
_MARK = Style(BOLD, 7.2, 7.2, "left", ACCENT)
_RIGHT = COLUMN._replace(align="right")
_COLUMNS = ("Mean", "Sd", "Least", "1/4", "Half", "3/4", "Most")


def pages(
    tally: Tally,
    playtest: Playtest,
    said: tuple[str, str],
    *,
    paper: str,
    revision: str,
    use: InkUse,
) -> bytes:
    """All of it on one page. ``said``: what was played, and the readings."""
    page = leaf(paper)

    def blocks(tall: float) -> list[Flowable]:
        return _blocks(tally, playtest, said, page.measure, tall)

    spare = page.depth - depth(blocks(LOWEST), page.measure) - MM
    tall = min(TALLEST, LOWEST + max(0.0, spare / len(NAMES)))
    footer = ["Statistics", GAME, f"data revision {revision}" if revision else ""]
    part = Part(page, blocks(tall), f"{GAME}: statistics", " · ".join(filter(None, footer)))
    title = Title(f"{GAME}: statistics", "Skirmish", said[0])
    return bound([part], title, use)


def _blocks(
    tally: Tally, playtest: Playtest, said: tuple[str, str], width: float, tall: float
) -> list[Flowable]:
    facts, readings = said
    band = _Band(
        "Games", _short(tally.games), GAME, first="Statistics", second="without cards", last=""
    )
    found: list[Flowable] = [band, Gap(2 * MM), paragraph(f"{facts}.", TEXT)]
    if readings:
        found += [Gap(0.8 * MM), paragraph(readings, TEXT)]
    found += [Gap(2 * MM), *_figures(tally, width), Gap(1.6 * MM)]
    found += [paragraph(printed(playtest), TEXT), paragraph(in_batches(tally, playtest), TEXT)]
    for name, spread in tally.spreads():
        title, aside = NAMES[name]
        told: Printed = getattr(playtest, name)
        plot = Plot(spread, told, tall)
        found += [Gap(2.4 * MM), Head(title, aside), Gap(0.6 * MM), plot]
    return found


def _short(games: int) -> str:
    """A number of games that fits into the block of the band."""
    for size, sign in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if games >= size:
            return f"{games / size:.3g}{sign}"
    return str(games)


def _figures(tally: Tally, width: float) -> list[Flowable]:
    """A line for each number: mean, standard deviation, least, quartiles, most."""
    wide = width * 0.095

    def line(first: Text, others: Sequence[Text], weight: float) -> Row:
        begin = width - wide * len(others)
        cells = [Cell(0, begin, first)]
        cells += [Cell(begin + wide * at, wide, one) for at, one in enumerate(others)]
        return Row(cells, above=0.8, below=0.8, weight=weight)

    found: list[Flowable] = [
        line(paragraph("", COLUMN), [paragraph(name, _RIGHT) for name in _COLUMNS], NORMAL)
    ]
    for name, spread in tally.spreads():
        numbers = [f"{spread.mean:.2f}", deviation(spread), str(spread.least)]
        numbers += [str(spread.quantile(share)) for share in (0.25, 0.5, 0.75)]
        numbers += [str(spread.most)]
        figures = [paragraph(number, FIGURE) for number in numbers]
        found.append(line(paragraph(NAMES[name][0], TERM), figures, HAIR))
    return found


class Plot(Drawing):
    """A bar for each number, or range of numbers, with its share; the mean as a line, and below the
    axis what is printed with the rules."""

    MOST = 28
    """Bars."""
    ABOVE = 7 * MM
    """For the name of the mean and the shares."""
    AXIS = 4.2 * MM
    PRINTED = 3.8 * MM

    def __init__(self, spread: Spread, told: Printed, tall: float) -> None:
        self.spread, self.told, self.tall = spread, told, tall
        self.bins = bins(spread, self.MOST, told.least or 0, told.most)

    def height_at(self, width: float) -> float:
        return self.ABOVE + self.tall + self.AXIS + self.PRINTED

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        base = top - self.ABOVE - self.tall
        slot = width / len(self.bins)
        highest = max(share for *_, share in self.bins)
        labels = [
            str(least) if least == most else f"{least}–{most}" for least, most, _ in self.bins
        ]
        says = "Percent of the games"
        if max(line_width(label, _TICK) for label in labels) > slot - 3:
            labels = [str(least) for least, *_ in self.bins]
            says = "Percent of the games, from the number below a bar up to the next"
        if self._at(self.spread.mean, 0, slot) > line_width(says, _TICK) + 2 * MM:
            write(canvas, x, top - 2.6 * MM, says, _TICK._replace(align="left"))
        else:  # the mean's name stands there
            write(canvas, x + width, top - 2.6 * MM, says, _TICK._replace(align="right"))
        for place, (*_, share) in enumerate(self.bins):
            left = x + place * slot
            tall = self.tall * share / highest
            bar(canvas, (left + slot * 0.12, base), slot * 0.76, tall, SIDES[1])
            write(canvas, left + slot / 2, base - 3 * MM, labels[place], _TICK)
        self._mean(canvas, x, top, base, slot)
        for place, (*_, share) in enumerate(self.bins):
            if share >= 0.0005:
                level = base + self.tall * share / highest + 0.8 * MM
                self._share(canvas, x, place, slot=slot, level=level, share=share)
        rule(canvas, x, x + width, base, NORMAL, ink=BAND)
        self._printed(canvas, x, base - self.AXIS, slot)

    def _share(
        self, canvas: Canvas, x: float, place: int, *, slot: float, level: float, share: float
    ) -> None:
        """The share above a bar, clear of the line of the mean."""
        says = f"{100 * share:.1f}"
        wide = line_width(says, _SHARE) + 2
        left, mean = x + place * slot, self._at(self.spread.mean, x, slot)
        middle = clear_of(mean, left, slot, wide)
        canvas.setFillColor(WHITE)
        canvas.rect(middle - wide / 2, level - 1, wide, _SHARE.size, stroke=0, fill=1)
        write(canvas, middle, level, says, _SHARE)

    def _at(self, value: float, x: float, slot: float) -> float:
        """Where a value stands: a whole number in the middle of its share of a bar."""
        first, last, _ = self.bins[0]
        along = (value - first + 0.5) / (last - first + 1)
        return x + slot * min(max(along, 0), len(self.bins))

    def _mean(self, canvas: Canvas, x: float, top: float, base: float, slot: float) -> None:
        at = self._at(self.spread.mean, x, slot)
        _rule_up(canvas, at, base, top - 3.2 * MM, HEAVY + 1.4, ink=WHITE)
        _rule_up(canvas, at, base, top - 3.2 * MM, HEAVY)
        says = f"mean {self.spread.mean:.2f}"
        if at + line_width(says, _MARK) + MM < x + slot * len(self.bins):
            write(canvas, at + MM, top - 2.6 * MM, says, _MARK)
        else:
            write(canvas, at - MM, top - 2.6 * MM, says, _MARK._replace(align="right"))

    def _printed(self, canvas: Canvas, x: float, y: float, slot: float) -> None:
        """A line from the least to the most that is printed, a mark at the mean."""
        told = self.told
        if told.most is None:
            return
        left, right = self._at(told.least or 0, x, slot), self._at(told.most, x, slot)
        level = y - 0.9 * MM
        rule(canvas, left, right, level, HEAVY, ink=ACCENT)
        for end in (left, right):
            _rule_up(canvas, end, level - 0.9 * MM, level + 0.9 * MM, NORMAL)
        if told.mean is not None:
            _rule_up(canvas, self._at(told.mean, x, slot), level - MM, level + MM, HEAVY * 1.4)
        numbers = f"{told.least} to {told.most}" if told.least is not None else f"≤ {told.most}"
        mean = "" if told.mean is None else f", mean {told.mean}"
        says = f"printed: {numbers}{mean}"
        wide = line_width(says, _MARK) + 2.4 * MM
        if x + slot * len(self.bins) - right > wide:
            write(canvas, right + 1.4 * MM, level - 2.2, says, _MARK)
        elif left - x > wide:
            write(canvas, left - 1.4 * MM, level - 2.2, says, _MARK._replace(align="right"))
        else:  # no room at either end: in a gap of the line
            begin = left + (right - left) * 0.62
            canvas.setFillColor(WHITE)
            canvas.rect(begin, level - 2, wide, 4, stroke=0, fill=1)
            write(canvas, begin + 1.2 * MM, level - 2.2, says, _MARK)


def clear_of(line: float, left: float, slot: float, wide: float) -> float:
    """The middle of a text so wide in the part of an axis that begins at ``left``: beside the
    upright ``line`` if that would cross it and there is room, else in the middle of its part."""
    middle, half = left + slot / 2, wide / 2
    if abs(middle - line) >= half + 1:
        return middle
    aside = line + (half + 1) * (1 if middle >= line else -1)
    return aside if left <= aside - half and aside + half <= left + slot else middle


def _rule_up(
    canvas: Canvas, x: float, bottom: float, top: float, weight: float, *, ink: Ink = ACCENT
) -> None:
    canvas.setStrokeColor(ink)
    canvas.setLineWidth(weight)
    canvas.line(x, bottom, x, top)


class _Band(TitleBand):
    """Lower than on other sheets: the page is full."""

    TALL = 13 * MM
