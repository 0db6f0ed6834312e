"""The turn track at the foot of a scenario sheet: a cell for each side and turn, to tick when it
is over. The last one is marked, and letters stand where something is due, such as the entry of a
contingent; their key stands among the notes of the sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.happenings import Charges, Darkness, DrawTable
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.victory_terms import moment_of
from skirmish.games.plastic.scenarios.wording import nation_name
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.boxes import LEAST, FormField, lay_tick
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import HEAD, LABEL
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import fitted, write
from skirmish.sheets.paper import HEAVY, MM, NORMAL, THIN

OPEN_TURNS = 20
"""The turns of a track where the scenario has no last turn. Our choice."""
IN_ROW = 25
"""Turns in a row at most."""
_NUMBER = Style(HEAD, 8.6, 8.6, "centre")
"""The number of a turn above its cells."""
_MARK = Style(HEAD, 8, 8, "centre")
"""The letters of what is due, in a cell."""
_WORD = Style(HEAD, 7.2, 7.2, "centre", inks.ACCENT)
"""The word in a cell: END."""


def turn_track(
    scenario: Scenario, catalog: Catalog, looks: tuple[SideInk, SideInk]
) -> list[Flowable]:
    """The track, as rows of at most ``IN_ROW`` turns one below another."""
    order, end = scenario.order_of_play(), scenario.ends_after
    dues = _dues_in_order(scenario)
    # Without a last turn it goes as far as anything is due.
    last = max([OPEN_TURNS, *(due.turn for due in dues)])
    if end:
        last = end.turn
    # By side and turn.
    letters_due: dict[tuple[str, int], list[str]] = {}
    for number, due in enumerate(dues):
        letters_due.setdefault((due.side, due.turn), []).append(_letter(number))

    def cell(side: str, turn: int) -> TurnCell:
        letters = " ".join(letters_due.get((side, turn), ()))
        # The players tick a turn of a side when it is over.
        name = f"tick-{scenario.number}-{side}-turn-{turn}"
        field = FormField(name, f"Turn {turn}, {nation_name(side, catalog)}: over")
        if end is None or turn < end.turn:
            return TurnCell(letters, field=field)
        if side == end.side:
            return TurnCell(letters, "END", marked=True, field=field)
        # In the last turn a side that would move after the end does not move any more.
        is_after_end = order.index(side) > order.index(end.side)
        return TurnCell(letters, struck=is_after_end, field=field)

    sides = []
    for side, look in zip(order, looks, strict=True):
        sides.append(TrackSide(side, nation_name(side, catalog), look))
    pieces: list[Flowable] = []
    for first in range(1, last + 1, IN_ROW):
        turns = range(first, min(last, first + IN_ROW - 1) + 1)
        pieces.append(TurnTrack(sides, turns, cell, min(last, IN_ROW)))
    return pieces


def track_key(scenario: Scenario, catalog: Catalog) -> list[tuple[str, str]]:
    """What the letters of the track stand for, each with its sentence."""
    key = []
    for number, due in enumerate(_dues_in_order(scenario)):
        people = nation_name(due.side, catalog)
        key.append((_letter(number), f"{due.before}{people} turn {due.turn}: {due.text}."))
    if scenario.ends_after is None:
        key.append(("No last turn:", "play on as long as it takes."))
    return key


def _dues_in_order(scenario: Scenario) -> list[Due]:
    """All that is due, turn by turn; within a turn in the order of play."""
    order = scenario.order_of_play()

    def in_order(due: Due) -> tuple[int, int]:
        return due.turn, order.index(due.side)

    return sorted(_dues(scenario), key=in_order)


class Due(NamedTuple):
    """Something that happens in a turn of a side; ``before``: the word with which its line in the
    key begins, ``From `` for what goes on from then on."""

    side: str
    turn: int
    text: str
    before: str = ""


def _dues(scenario: Scenario) -> Iterator[Due]:
    """Entries, limits that end, draws that begin, and a victory decided before the last turn."""
    for arrival in scenario.arriving(after=1):
        contingent = arrival.contingent
        yield Due(
            arrival.side, arrival.turn, f"{contingent.name_in_words}, {contingent.entry.words}"
        )
    for limit in scenario.limits:
        if limit.before_turn is not None:
            name = "all"
            for contingent in scenario.side(limit.side).contingents:
                if contingent.id == limit.contingent:
                    name = contingent.name_in_words
            yield Due(limit.side, limit.before_turn, f"the limit of {name} ends")
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable):
            draws = f"{happening.draws} draws each turn"
            yield Due(happening.side, happening.from_turn, draws, before="From ")
        if isinstance(happening, Charges):
            text = "a draw for the charges"
            yield Due(happening.side, happening.from_turn, text, before="From ")
        if isinstance(happening, Darkness) and happening.before_turn is not None:
            yield Due(scenario.moves_first, happening.before_turn, "it is light")
    decided = moment_of(scenario.victory)
    if decided and decided != scenario.ends_after:
        yield Due(decided.side, decided.turn, "victory is decided")


def _letter(index: int) -> str:
    """The letter of the thing due with this index: ``a`` of 0, ``z`` of 25, ``aa`` of 26."""
    # Unlike digits, letters have no zero: without the 1 less, ``ba`` would follow ``z``.
    more, rest = divmod(index, len(ascii_lowercase))
    letter = ascii_lowercase[rest]
    if more:
        return _letter(more - 1) + letter
    return letter


class TurnCell(NamedTuple):
    """A cell: the letters due, a word, whether its frame is marked, whether it is struck out, and
    its form field."""

    letters: str = ""
    word: str = ""
    marked: bool = False
    struck: bool = False
    field: FormField | None = None


class TrackSide(NamedTuple):
    """A side of the track, by its id, its name and its look."""

    id: str
    name: str
    look: SideInk


class TurnTrack(Drawing):
    """One row of turns, a line of cells for each side; ``cell`` gives the content of one, by side
    and turn. A row has room for ``count`` turns, as many as the first row has, so that the turns of
    a shorter last row stand below those; each is at most ``widest`` points wide."""

    NAME_WIDTH = 19 * MM
    """For the names of the sides, at the left."""
    TOP = 3.3 * MM
    """For the numbers of the turns, above the cells."""
    LINE = 4.6 * MM
    """The height of a cell with the space around it."""

    def __init__(
        self,
        sides: Sequence[TrackSide],
        turns: range,
        cell: Callable[[str, int], TurnCell],
        count: int,
        widest: float = 200 * MM,
    ) -> None:
        self.sides, self.turns, self.cell = sides, turns, cell
        self.count, self.widest = count, widest

    def fits(self, width: float) -> bool:
        """Whether its cells are large enough to tick."""
        return (width - self.NAME_WIDTH) / self.count >= LEAST + 0.6 * MM

    def height_at(self, width: float) -> float:
        return self.TOP + self.LINE * len(self.sides) + 0.4 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = min((width - self.NAME_WIDTH) / self.count, self.widest)
        left = x + self.NAME_WIDTH
        write(canvas, x, top - 2.7 * MM, "TURN TRACK", _NUMBER._replace(align="left"))
        for index, turn in enumerate(self.turns):
            write(canvas, left + (index + 0.5) * wide, top - 2.7 * MM, str(turn), _NUMBER)
        for line, side in enumerate(self.sides):
            y = top - self.TOP - (line + 1) * self.LINE
            self._label(canvas, x, y, side)
            for index, turn in enumerate(self.turns):
                cell = self.cell(side.id, turn)
                self._cell(canvas, left + index * wide, y, wide, cell)

    def _label(self, canvas: Canvas, x: float, y: float, side: TrackSide) -> None:
        """The name of a side in a frame: filled, or heavy where ink is spared, for a side whose
        look is solid; else thin."""
        look = side.look
        weight, filling, ink = NORMAL, inks.WHITE, look.ink
        if look.solid:
            weight = HEAVY
            if not canvas.sparing:
                filling, ink = look.ink, inks.WHITE
        inset = weight / 2
        canvas.pen(look.ink, weight, filling)
        wide, tall = self.NAME_WIDTH - 1.4 * MM, self.LINE - 1
        canvas.rect(x + inset, y + 0.5 + inset, wide - weight, tall - weight, fill=1)
        style = Style(LABEL, 8, 8, ink=ink)
        text = fitted(side.name, style, self.NAME_WIDTH - 3.6 * MM)
        write(canvas, x + 1.2 * MM, y + self.LINE / 2 - 2.8, text, style)

    def _cell(self, canvas: Canvas, x: float, y: float, wide: float, cell: TurnCell) -> None:
        """A cell with its frame; one that is struck out has nothing in it and nothing to tick."""
        frame, weight = inks.BAND, THIN
        if cell.marked:
            frame, weight = inks.ACCENT, HEAVY
        elif cell.struck:
            frame = inks.FAINT
        canvas.pen(frame, weight, inks.WHITE)
        canvas.roundRect(x + 0.3 * MM, y + 0.5, wide - 0.6 * MM, self.LINE - 1, 1.2, fill=1)
        if cell.struck:
            canvas.pen(inks.BLACK, THIN)
            canvas.line(x + 0.3 * MM, y + 0.5, x + wide - 0.3 * MM, y + self.LINE - 0.5)
            return
        self._content(canvas, x, y, wide, cell)
        size = self.LINE - 1
        lay_tick(canvas, cell.field, x + wide / 2 - size / 2, y + 0.5, size)

    def _content(self, canvas: Canvas, x: float, y: float, wide: float, cell: TurnCell) -> None:
        """Letters and word, side by side if there are both."""
        middle, base = x + wide / 2, y + self.LINE / 2 - 2.7
        if cell.word and cell.letters:
            letters = fitted(cell.letters, _MARK, wide * 0.4)
            write(canvas, x + wide * 0.28, base, letters, _MARK)
            write(canvas, x + wide * 0.68, base, cell.word, _WORD)
        elif cell.word:
            write(canvas, middle, base, cell.word, _WORD)
        elif cell.letters:
            write(canvas, middle, base, fitted(cell.letters, _MARK, wide - 0.8 * MM), _MARK)
