"""The turn track at the foot of a scenario sheet: for each side and turn a cell, which players tick
when the turn is over. The last turn is marked, and letters show where something is due, such as the
entry of a contingent; the key to the letters is among the notes of the sheet. Within a drawing,
numbers without a name are points, chosen by eye."""

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
from skirmish.sheets.layout.boxes import LEAST_BOX
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import HEAD, LABEL
from skirmish.sheets.layout.form_fields import FormField, lay_tick
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import fitted, write
from skirmish.sheets.paper import HEAVY, MM, NORMAL, THIN

OPEN_TURNS = 20
"""The least turns of a track where the scenario has no last turn. Our choice."""
TURNS_IN_ROW = 25
"""The most turns in a row: with more, the cells would be too small to tick."""
_NUMBER = Style(HEAD, 8.6, 8.6, "centre")
"""The number of a turn above its cells."""
_LETTERS = Style(HEAD, 8, 8, "centre")
"""The letters of what is due, in a cell."""
_WORD = Style(HEAD, 7.2, 7.2, "centre", inks.ACCENT)
"""The word in a cell, such as END."""


def turn_track(
    scenario: Scenario, catalog: Catalog, looks: tuple[SideInk, SideInk]
) -> list[Flowable]:
    """The track, as rows of at most ``TURNS_IN_ROW`` turns one below another."""
    dues = _dues_in_order(scenario)
    if scenario.ends_after:
        last_turn = scenario.ends_after.turn
    else:  # far enough for all that is due
        last_turn = max([OPEN_TURNS, *(due.turn for due in dues)])
    content = _TrackContent(scenario, catalog, dues)
    sides = []
    for side, look in zip(scenario.order_of_play(), looks, strict=True):
        sides.append(TrackSide(side, nation_name(side, catalog), look))
    rows: list[Flowable] = []
    for first_in_row in range(1, last_turn + 1, TURNS_IN_ROW):
        last_in_row = min(last_turn, first_in_row + TURNS_IN_ROW - 1)
        turns = range(first_in_row, last_in_row + 1)
        rows.append(TurnTrack(sides, turns, content.cell, min(last_turn, TURNS_IN_ROW)))
    return rows


class _TrackContent:
    """What stands in the cells of a track."""

    def __init__(self, scenario: Scenario, catalog: Catalog, dues: Sequence[Due]) -> None:
        self.scenario, self.catalog = scenario, catalog
        self.letters_due: dict[tuple[str, int], list[str]] = {}
        """The letters of what is due, by side and turn."""
        for index, due in enumerate(dues):
            self.letters_due.setdefault((due.side, due.turn), []).append(_letter(index))

    def cell(self, side: str, turn: int) -> TurnCell:
        """The cell of a side in a turn."""
        letters = " ".join(self.letters_due.get((side, turn), ()))
        name = f"tick-{self.scenario.number}-{side}-turn-{turn}"
        field = FormField(name, f"Turn {turn}, {nation_name(side, self.catalog)}: over")
        end = self.scenario.ends_after
        if end is None or turn < end.turn:
            return TurnCell(letters, field=field)
        if side == end.side:
            return TurnCell(letters, "END", marked=True, field=field)
        # In the last turn, a side that would move after the end moves no more.
        order = self.scenario.order_of_play()
        is_after_end = order.index(side) > order.index(end.side)
        return TurnCell(letters, struck=is_after_end, field=field)


def track_key(scenario: Scenario, catalog: Catalog) -> list[tuple[str, str]]:
    """The letters of the track, each with a sentence on what is due."""
    key = []
    for index, due in enumerate(_dues_in_order(scenario)):
        people = nation_name(due.side, catalog)
        key.append((_letter(index), f"{due.prefix}{people} turn {due.turn}: {due.text}."))
    if scenario.ends_after is None:
        key.append(("No last turn:", "play on as long as it takes."))
    return key


def _dues_in_order(scenario: Scenario) -> list[Due]:
    """All that is due, turn by turn; within a turn in the order of play."""
    order = scenario.order_of_play()

    def turn_and_place_in_it(due: Due) -> tuple[int, int]:
        return due.turn, order.index(due.side)

    return sorted(_dues(scenario), key=turn_and_place_in_it)


class Due(NamedTuple):
    """Something that happens in a turn of a side, or that begins then."""

    side: str
    turn: int
    text: str
    prefix: str = ""
    """What stands before the turn in the key: ``From `` for what goes on from this turn on."""


def _dues(scenario: Scenario) -> Iterator[Due]:
    """What is due, in no particular order: entries, limits that end, draws that begin, daylight,
    and a victory that is not decided at the end of the last turn."""
    yield from _entries_due(scenario)
    yield from _limits_that_end(scenario)
    yield from _happenings_due(scenario)
    decided = moment_of(scenario.victory)
    if decided and decided != scenario.ends_after:
        yield Due(decided.side, decided.turn, "victory is decided")


def _entries_due(scenario: Scenario) -> Iterator[Due]:
    """The contingents that enter later. What enters on turn 1, when play begins, needs no
    reminder."""
    for arrival in scenario.arriving(after=1):
        contingent = arrival.contingent
        yield Due(
            arrival.side, arrival.turn, f"{contingent.name_in_words}, {contingent.entry.words}"
        )


def _limits_that_end(scenario: Scenario) -> Iterator[Due]:
    """The limits that hold only before a certain turn."""
    for limit in scenario.limits:
        if limit.before_turn is not None:
            name = "all"  # without a contingent, the limit is one for the whole side
            for contingent in scenario.side(limit.side).contingents:
                if contingent.id == limit.contingent:
                    name = contingent.name_in_words
            yield Due(limit.side, limit.before_turn, f"the limit of {name} ends")


def _happenings_due(scenario: Scenario) -> Iterator[Due]:
    """The draws that begin on a turn, and the end of darkness."""
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable):
            draws = f"{happening.draws} draws each turn"
            yield Due(happening.side, happening.from_turn, draws, prefix="From ")
        if isinstance(happening, Charges):
            text = "a draw for the charges"
            yield Due(happening.side, happening.from_turn, text, prefix="From ")
        if isinstance(happening, Darkness) and happening.before_turn is not None:
            # It is light from the beginning of that turn, which is when its first side moves.
            yield Due(scenario.moves_first, happening.before_turn, "it is light")


def _letter(index: int) -> str:
    """The letter for what is due with this index: ``a`` for 0, ``z`` for 25, ``aa`` for 26."""
    rounds, place = divmod(index, len(ascii_lowercase))
    letter = ascii_lowercase[place]
    if rounds == 0:
        return letter
    # The letter before it counts the rounds of the alphabet: ``a`` after the first.
    return _letter(rounds - 1) + letter


class TurnCell(NamedTuple):
    """What stands in a cell of a track."""

    letters: str = ""
    """Those of what is due, with spaces between them."""
    word: str = ""
    """Such as END."""
    marked: bool = False
    """Whether it has a heavy frame in the colour that marks things."""
    struck: bool = False
    """Whether it is struck out: there is no such turn of this side."""
    field: FormField | None = None
    """The form field to tick; None if it cannot be ticked."""


class TrackSide(NamedTuple):
    """A side whose turns are on the track."""

    id: str
    name: str
    look: SideInk


class TurnTrack(Drawing):
    """One row of turns, with a line of cells for each side. ``cell`` returns what stands in a cell,
    by the id of the side and the turn. ``most_turns``: how many turns the longest row of the track
    has; the cells of a shorter row stand below those of it. ``widest``: the most points that a cell
    is wide."""

    NAME_WIDTH = 19 * MM
    """The width for the names of the sides, at the left."""
    NUMBERS_HEIGHT = 3.3 * MM
    """The height for the numbers of the turns, above the cells."""
    LINE_HEIGHT = 4.6 * MM
    """The height of a line of cells, with the space around them."""
    TITLE_LEVEL = 2.7 * MM
    """From the top down to the baseline of the title and the numbers of the turns."""
    GAP = 0.6 * MM
    """The space between two cells of a line."""

    def __init__(
        self,
        sides: Sequence[TrackSide],
        turns: range,
        cell: Callable[[str, int], TurnCell],
        most_turns: int,
        widest: float = 200 * MM,  # wider than any page: no limit
    ) -> None:
        self.sides, self.turns, self.cell = sides, turns, cell
        self.most_turns, self.widest = most_turns, widest

    def fits(self, width: float) -> bool:
        """Whether its cells are large enough to tick."""
        return (width - self.NAME_WIDTH) / self.most_turns >= LEAST_BOX + self.GAP

    def height_at(self, width: float) -> float:
        return self.NUMBERS_HEIGHT + self.LINE_HEIGHT * len(self.sides) + 0.4 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        cell_width = min((width - self.NAME_WIDTH) / self.most_turns, self.widest)
        left = x + self.NAME_WIDTH
        title_baseline = top - self.TITLE_LEVEL
        write(canvas, x, title_baseline, "TURN TRACK", _NUMBER._replace(align="left"))
        for index, turn in enumerate(self.turns):
            middle = left + (index + 0.5) * cell_width
            write(canvas, middle, title_baseline, str(turn), _NUMBER)
        for line_number, side in enumerate(self.sides, start=1):
            foot = top - self.NUMBERS_HEIGHT - line_number * self.LINE_HEIGHT
            self._paint_name(canvas, x, foot, side)
            for index, turn in enumerate(self.turns):
                cell = self.cell(side.id, turn)
                self._paint_cell(canvas, left + index * cell_width, foot, cell_width, cell)

    def _paint_name(self, canvas: Canvas, x: float, foot: float, side: TrackSide) -> None:
        """The name of a side in a frame, up from the ``foot`` of its line. For a side whose look
        is solid the frame is heavy and, unless ink is spared, filled."""
        look = side.look
        weight, filling, ink = NORMAL, inks.WHITE, look.ink
        if look.solid:
            weight = HEAVY
            if not canvas.sparing:
                filling, ink = look.ink, inks.WHITE
        inset = weight / 2
        canvas.pen(look.ink, weight, filling)
        width, height = self.NAME_WIDTH - 1.4 * MM, self.LINE_HEIGHT - 1
        canvas.rect(x + inset, foot + 0.5 + inset, width - weight, height - weight, fill=1)
        style = Style(LABEL, 8, 8, ink=ink)
        text = fitted(side.name, style, self.NAME_WIDTH - 3.6 * MM)
        write(canvas, x + 1.2 * MM, foot + self.LINE_HEIGHT / 2 - 2.8, text, style)

    def _paint_cell(
        self, canvas: Canvas, x: float, foot: float, width: float, cell: TurnCell
    ) -> None:
        """A cell with its frame; one that is struck out has nothing in it and nothing to tick."""
        frame, weight = inks.BAND, THIN
        if cell.marked:
            frame, weight = inks.ACCENT, HEAVY
        elif cell.struck:
            frame = inks.FAINT
        canvas.pen(frame, weight, inks.WHITE)
        left, low = x + self.GAP / 2, foot + 0.5
        height = self.LINE_HEIGHT - 1
        canvas.roundRect(left, low, width - self.GAP, height, 1.2, fill=1)
        if cell.struck:
            right, high = x + width - self.GAP / 2, foot + self.LINE_HEIGHT - 0.5
            canvas.pen(inks.BLACK, THIN)
            canvas.line(left, low, right, high)
            return
        self._paint_content(canvas, x, foot, width, cell)
        # The field to tick is a square in the middle of the cell.
        lay_tick(canvas, cell.field, x + width / 2 - height / 2, low, height)

    def _paint_content(
        self, canvas: Canvas, x: float, foot: float, width: float, cell: TurnCell
    ) -> None:
        """The letters of a cell and its word, side by side if there are both."""
        middle, baseline = x + width / 2, foot + self.LINE_HEIGHT / 2 - 2.7
        if cell.word and cell.letters:
            letters = fitted(cell.letters, _LETTERS, width * 0.4)
            write(canvas, x + width * 0.28, baseline, letters, _LETTERS)
            write(canvas, x + width * 0.68, baseline, cell.word, _WORD)
        elif cell.word:
            write(canvas, middle, baseline, cell.word, _WORD)
        elif cell.letters:
            letters = fitted(cell.letters, _LETTERS, width - 0.8 * MM)
            write(canvas, middle, baseline, letters, _LETTERS)
