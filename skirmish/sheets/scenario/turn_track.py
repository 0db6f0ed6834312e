"""The turn track: a cell for each side and turn, the last one marked, letters where something is
due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.pages import nation
from skirmish.games.plastic.scenarios.scenario import DrawTable, Scenario, moment_of
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.boxes import LEAST, FormField, lay
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable, Gap
from skirmish.sheets.layout.fonts import HEAD, LABEL
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import fitted, terms, write
from skirmish.sheets.paper import HEAVY, MM, NORMAL, THIN

OPEN_TURNS = 20
"""Cells of a track without a last turn."""
IN_ROW = 25
_NUMBER = Style(HEAD, 8.6, 8.6, "centre")
_MARK = Style(HEAD, 8, 8, "centre")
_WORD = Style(HEAD, 7.2, 7.2, "centre", inks.ACCENT)


def turn_track(
    scenario: Scenario, catalog: Catalog, looks: tuple[SideInk, SideInk]
) -> list[Flowable]:
    """Cells and the key of the letters."""
    order, end = scenario.order_of_play(), scenario.ends_after
    due = sorted(_dues(scenario), key=lambda one: (one[1], order.index(one[0])))
    last = end.turn if end else max([OPEN_TURNS, *(turn for _, turn, _, _ in due)])
    key: list[tuple[str, str]] = []
    marked: dict[tuple[str, int], list[str]] = {}
    for at, (side, turn, text, before) in enumerate(due):
        key.append((_letter(at), f"{before}{nation(side, catalog)} turn {turn}: {text}."))
        marked.setdefault((side, turn), []).append(_letter(at))

    def cell(side: str, turn: int) -> TurnCell:
        letters = " ".join(marked.get((side, turn), ()))
        is_end = end is not None and (end.side, end.turn) == (side, turn)
        after = end is not None and turn == end.turn and order.index(side) > order.index(end.side)
        name = f"tick-{scenario.number}-{side}-turn-{turn}"
        over = FormField(name, f"Turn {turn}, {nation(side, catalog)}: over")
        return TurnCell(letters, "END" if is_end else "", is_end, after, over)

    sides = [(side, nation(side, catalog), look) for side, look in zip(order, looks, strict=True)]
    pieces: list[Flowable] = [
        TurnTrack(sides, range(first, min(last, first + IN_ROW - 1) + 1), cell, min(last, IN_ROW))
        for first in range(1, last + 1, IN_ROW)
    ]
    if end is None:
        key.append(("No last turn:", "play on as long as it takes."))
    if key:
        pieces += [Gap(0.4 * MM), terms(key, styles.SMALL)]
    return pieces


def _dues(scenario: Scenario) -> Iterator[tuple[str, int, str, str]]:
    """Entries, limits that end, draws that begin, and a victory decided before the last turn, each
    with its side, its turn, and the word before them."""
    for come in scenario.arriving(after=1):
        yield come.side, come.turn, f"{come.contingent.called}, {come.contingent.entry.words}", ""
    for limit in scenario.limits:
        if limit.before_turn is not None:
            groups = scenario.side(limit.side).contingents
            name = next((one.called for one in groups if one.id == limit.contingent), "all")
            yield limit.side, limit.before_turn, f"the limit of {name} ends", ""
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable):
            draws = f"{happening.draws} draws each turn"
            yield happening.side, happening.from_turn, draws, "From "
    decided = moment_of(scenario.victory)
    if decided and decided != scenario.ends_after:
        yield decided.side, decided.turn, "victory is decided", ""


def _letter(index: int) -> str:
    """a … z, aa, ab …"""
    more, rest = divmod(index, len(ascii_lowercase))
    return (_letter(more - 1) if more else "") + ascii_lowercase[rest]


class TurnCell(NamedTuple):
    """A cell: the letters due, a word, its frame, and its form field."""

    letters: str = ""
    word: str = ""
    marked: bool = False
    struck: bool = False
    field: FormField | None = None


class TurnTrack(Drawing):
    """One row of turns, a line of cells for each side by its id, name and ink; ``cell`` gives the
    content of one. A row has room for ``count`` turns, each at most ``widest`` points."""

    LABEL = 19 * MM
    TOP = 3.7 * MM
    LINE = 4.6 * MM

    def __init__(
        self,
        sides: Sequence[tuple[str, str, SideInk]],
        turns: range,
        cell: Callable[[str, int], TurnCell],
        count: int,
        widest: float = 200 * MM,
    ) -> None:
        self.sides, self.turns, self.cell = sides, turns, cell
        self.count, self.widest = count, widest

    def fits(self, width: float) -> bool:
        """Whether its cells are large enough to tick."""
        return (width - self.LABEL) / self.count >= LEAST + 0.6 * MM

    def height_at(self, width: float) -> float:
        return self.TOP + self.LINE * len(self.sides) + 0.4 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = min((width - self.LABEL) / self.count, self.widest)
        left = x + self.LABEL
        write(canvas, x, top - 3 * MM, "TURN TRACK", _NUMBER._replace(align="left"))
        for index, turn in enumerate(self.turns):
            write(canvas, left + (index + 0.5) * wide, top - 3 * MM, str(turn), _NUMBER)
        for line, (side, name, look) in enumerate(self.sides):
            y = top - self.TOP - (line + 1) * self.LINE
            self._label(canvas, x, y, name, look)
            for index, turn in enumerate(self.turns):
                self._cell(canvas, left + index * wide, y, wide, self.cell(side, turn))

    def _label(self, canvas: Canvas, x: float, y: float, name: str, look: SideInk) -> None:
        solid = look.solid and not canvas.sparing
        weight = HEAVY if look.solid else NORMAL
        inset = weight / 2
        canvas.pen(look.ink, weight, look.ink if solid else inks.WHITE)
        wide, tall = self.LABEL - 1.4 * MM, self.LINE - 1
        canvas.rect(x + inset, y + 0.5 + inset, wide - weight, tall - weight, fill=1)
        label = Style(LABEL, 8, 8, ink=inks.WHITE if solid else look.ink)
        text = fitted(name, label, self.LABEL - 3.6 * MM)
        write(canvas, x + 1.2 * MM, y + self.LINE / 2 - 2.8, text, label)

    def _cell(self, canvas: Canvas, x: float, y: float, wide: float, cell: TurnCell) -> None:
        frame = inks.ACCENT if cell.marked else inks.FAINT if cell.struck else inks.BAND
        canvas.pen(frame, HEAVY if cell.marked else THIN, inks.WHITE)
        canvas.roundRect(x + 0.3 * MM, y + 0.5, wide - 0.6 * MM, self.LINE - 1, 1.2, fill=1)
        middle, base = x + wide / 2, y + self.LINE / 2 - 2.7
        if cell.struck:
            canvas.pen(inks.BLACK, THIN)
            canvas.line(x + 0.3 * MM, y + 0.5, x + wide - 0.3 * MM, y + self.LINE - 0.5)
        elif cell.word and cell.letters:
            letters = fitted(cell.letters, _MARK, wide * 0.4)
            write(canvas, x + wide * 0.28, base, letters, _MARK)
            write(canvas, x + wide * 0.68, base, cell.word, _WORD)
        elif cell.word:
            write(canvas, middle, base, cell.word, _WORD)
        elif cell.letters:
            write(canvas, middle, base, fitted(cell.letters, _MARK, wide - 0.8 * MM), _MARK)
        if not cell.struck:
            size = self.LINE - 1
            lay(canvas, cell.field, middle - size / 2, y + 0.5, size)
