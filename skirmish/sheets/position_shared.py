"""What both sides of a position have to know: how it stands, what is still to come, which rules."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish import library
from skirmish.games.plastic.battle.decide import waiting_for
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.chronicle import result_line, standing_lines
from skirmish.games.plastic.rules.options import WORDS
from skirmish.games.plastic.scenarios.happening_kinds import DrawTable, Reveal, ToggleOnCard
from skirmish.games.plastic.scenarios.victory_terms import moment_of
from skirmish.games.plastic.summary import summary
from skirmish.sheets.faces import HEAD
from skirmish.sheets.ink import ACCENT, BAND, BLACK, FAINT, HEAVY, SIDES, THIN, WHITE
from skirmish.sheets.marks import Blank, Head
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Canvas, Gap, Panel, Piece, Stack
from skirmish.sheets.position_rules import elsewhere, table_lines
from skirmish.sheets.roster_state import enters, spans
from skirmish.sheets.words import ASIDE, LEAD, SMALL, STRONG, TERM, Style, Words, fitted, write
from skirmish.tabletop.measure import inches

Block = list[Piece]
OPEN_TURNS = 12
"""Turns to tick off where no clock is set."""
IN_ROW = 30
LINES = 4
"""To write on, at least: what the program never knew."""
HEADED = 12 * MM
"""What stands above the lines."""


def stands(play: BattlePlay) -> Piece:
    """How far each side is, what decides, and what must be answered first, in a frame."""
    state = play.state
    lines: Block = []
    if state.outcome:
        lines.append(Words(result_line(summary(play)), LEAD))
    lines += [Words(line, LEAD) for line in standing_lines(play)]
    waits = waiting_for(state) if state.outcome is None else None
    if waits:
        lines += [Gap(1), Words(waits.says, STRONG)]
    if state.movement_over:
        lines += [Gap(1), Words("no more movement in this player turn.", SMALL, lead="Command:")]
    lines += [Gap(1.2), Words(state.setup.victory, ASIDE, lead="Victory.")]
    return Panel(Stack(lines))


def to_come(state: State) -> Block:
    """Waves, limits, draws and the end, in order of their turns."""
    told = sorted(_to_come(state), key=lambda one: one[0])
    pieces: Block = []
    for turn, lead, says in told:
        now = turn <= state.clock.turn
        when = "Now" if now else f"Turn {turn}"
        pieces += [Words(says, SMALL, lead=f"{when}, {lead}."), Gap(1)]
    if pieces:
        for words in table_lines(state):
            pieces += [words, Gap(1)]
    return [Head("Still to come"), Gap(0.8 * MM), *pieces[:-1]] if pieces else []


def _to_come(state: State) -> Iterator[tuple[int, str, str]]:
    if state.outcome:
        return
    setup, turn = state.setup, state.clock.turn
    people = {side.id: side.people for side in setup.sides}
    for group in setup.contingents:
        waiting = [p for p in state.pieces() if p.contingent == group.id and p.id in state.waiting]
        waiting = [piece for piece in waiting if state.is_up(piece.id)]
        if waiting:
            codes = spans(piece.code for piece in waiting)
            says = f"{group.name}: {codes}. {enters(group)}"
            yield group.enters, people[group.side], says
    scenario = setup.scenario
    for limit in scenario.limits if scenario else ():
        if limit.before_turn is None or turn < limit.before_turn:
            yield turn, people[limit.side], limit.text
    for kind in scenario.happenings if scenario else ():
        if isinstance(kind, DrawTable):
            yield max(kind.from_turn, turn), people[kind.side], kind.text
    if setup.ends_after is not None and turn <= setup.ends_after.turn:
        side = people[setup.ends_after.side]
        yield setup.ends_after.turn, side, "The battle ends with this player turn."


def known(state: State) -> Block:
    """States of the scenario, counts, secrets, options, rulings and what was agreed."""
    pieces: Block = []
    for lead, says in _known(state):
        pieces += [Words(says, SMALL, lead=f"{lead}."), Gap(1)]
    return [Head("Reminders"), Gap(0.8 * MM), *pieces[:-1]]


def _known(state: State) -> Iterator[tuple[str, str]]:
    setup = state.setup
    people = {side.id: side.people for side in setup.sides}
    happenings = setup.scenario.happenings if setup.scenario else ()
    for kind in happenings:
        if isinstance(kind, ToggleOnCard):
            on = kind.state in state.toggled
            now = f"In force, sight {inches(kind.sight_in)}" if on else "Not in force"
            yield kind.state.replace("_", " ").capitalize(), f"{now}. {kind.text}"
    if any(isinstance(kind, Reveal) for kind in happenings):
        says = "Hidden units are not on this sheet; their player keeps a separate note of them."
        yield "Hidden", says
    for side in state.sealed:
        yield "Sealed", f"The {people[side]} have sealed a record; only the program can open it."
    if state.counted is not None:
        told = ", ".join(f"{people[side]} {n}" for side, n in state.counted.values.items())
        yield f"Counted in turn {state.counted.clock.turn}", f"{told}."
    for key, answer in setup.answers.items():
        if not isinstance(answer, dict):  # units that were chosen stand among the others
            yield f"Agreed, {key.replace('_', ' ')}", f"{str(answer).rstrip('.')}."
    played = [word for option, word in WORDS.items() if getattr(state.options, option)]
    yield "Optional rules played", f"{', '.join(played)}." if played else "None."
    for ruling, answer in library.rulings().departures(setup.rulings):
        yield f"Ruling {ruling.id}, {ruling.title}", answer
    yield "On other sheets", elsewhere(state)


def to_write(state: State, room: float) -> Block:
    """Lines for what eyes alone know: as many as there is ``room`` for (points), but a few."""
    word = "Pinned:" if state.options.pinning else ""
    count = max(LINES, int((room - HEADED) // Blank.TALL))
    lines: Block = [Blank(word), *(Blank() for _ in range(count - 1))]
    says = "Take a photograph of the table too: positions are on no sheet."
    return [Head("Notes"), Gap(0.8 * MM), Words(says, SMALL), *lines]


# ------------------------------------------------------------------ the turns that are left


def turns_left(state: State) -> Block:
    """The turns from the one in play to the last, or a dozen where no clock is set."""
    now, end = state.clock.turn, _end(state)
    last = end[1] if end and end[1] >= now else now + OPEN_TURNS - 1
    return [
        TurnsLeft(state, range(first, min(last, first + IN_ROW - 1) + 1), end)
        for first in range(now, last + 1, IN_ROW)
    ]


def _end(state: State) -> tuple[str, int] | None:
    """The player turn after which the battle is decided."""
    setup = state.setup
    if setup.ends_after is not None:
        return setup.ends_after.side, setup.ends_after.turn
    moment = moment_of(setup.scenario.victory) if setup.scenario else None
    return (moment.side, moment.turn) if moment else None


class TurnsLeft(Piece):
    """A line of cells for each side; what is over is struck out, the player turn in play has a
    heavy frame and a word."""

    LABEL = 24 * MM
    TOP = 3.8 * MM
    LINE = 4.9 * MM
    _NUMBER = Style(HEAD, 8.6, 8.6, "centre")
    _SMALL = Style(HEAD, 7, 7, "centre", ACCENT)

    def __init__(self, state: State, turns: range, end: tuple[str, int] | None) -> None:
        self.clock, self.turns, self.end = state.clock, turns, end
        self.order = [state.first, state.second]
        self.names = [state.setup.side_by_id[side].people for side in self.order]
        self.now = "OVER" if state.outcome else "NOW"

    def height(self, width: float) -> float:
        """Numbers, and a line for each side."""
        return self.TOP + len(self.order) * self.LINE

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it; few turns have cells no wider than many."""
        wide = min((width - self.LABEL) / len(self.turns), 16 * MM)
        left = x + self.LABEL
        write(canvas, x, top - 3 * MM, "TURN", self._NUMBER._replace(align="left"))
        for place, turn in enumerate(self.turns):
            write(canvas, left + (place + 0.5) * wide, top - 3 * MM, str(turn), self._NUMBER)
        rows = zip(self.order, self.names, (SIDES[0], SIDES[1]), strict=True)
        for line, (side, name, look) in enumerate(rows):
            y = top - self.TOP - (line + 1) * self.LINE
            label = TERM._replace(ink=look.ink)
            text = fitted(name, label, self.LABEL - 2 * MM)
            write(canvas, x, y + self.LINE / 2 - 2.8, text, label)
            for place, turn in enumerate(self.turns):
                self._cell(canvas, left + place * wide, y, wide, (side, turn))

    def _cell(self, canvas: Canvas, x: float, y: float, wide: float, at: tuple[str, int]) -> None:
        now, over = at == (self.clock.side, self.clock.turn), self._is_over(at)
        canvas.setStrokeColor(ACCENT if now else FAINT if over else BAND)
        canvas.setFillColor(WHITE)
        canvas.setLineWidth(HEAVY if now else THIN)
        canvas.roundRect(x + 0.3 * MM, y + 0.5, wide - 0.6 * MM, self.LINE - 1, 1.2, fill=1)
        word = self.now if now else "END" if at == self.end else ""
        if over:
            canvas.setStrokeColor(BLACK)
            canvas.setLineWidth(THIN)
            canvas.line(x + 0.3 * MM, y + 0.5, x + wide - 0.3 * MM, y + self.LINE - 0.5)
        elif word:
            write(canvas, x + wide / 2, y + self.LINE / 2 - 2.5, word, self._SMALL)

    def _is_over(self, at: tuple[str, int]) -> bool:
        """Whether that player turn lies behind, or comes after the end."""

        def when(moment: tuple[str, int]) -> tuple[int, int]:
            return moment[1], self.order.index(moment[0])

        now = self.clock.side, self.clock.turn
        ended = self.end is not None and when(now) <= when(self.end) < when(at)
        return when(at) < when(now) or ended
