"""One question as a picture: what is answered so far, large words, the question, its answers."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from skirmish.app.battle.big_letters import high, low, readable
from skirmish.app.battle.panels import DrawInput
from skirmish.app.battle.verdict_words import painted_word
from skirmish.app.questions.answers import Answer, Question
from skirmish.app.questions.listing import KEY, AnswerList
from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.state import PHASES, State

TALL = 34
"""Rows from which the large words are as large as can be."""
BESIDE = 24
"""Columns that a reason needs beside the large words; else it stands below."""
BETWEEN = 3
"""Columns between large words and reason."""
MARGIN = 4
"""Columns at the edges."""
AROUND = 6
"""Rows of place, trail, keys, and the three that are empty."""
LARGE = 3
"""Rows of the smallest large letters."""
FIELD = 2
"""Rows of the field for a draw."""


class QuestionView(Vertical):
    """From top to bottom: where we are, the trail, large words, question, answers, keys."""

    def __init__(self) -> None:
        super().__init__(id="question")

    def compose(self) -> ComposeResult:
        """The parts, all empty."""
        yield Static(id="place", markup=False)
        yield Static(id="trail", markup=False)
        with Horizontal(id="large"):
            yield Static(id="letters", markup=False)
            yield Static(id="because", markup=False)
        yield Static(id="asks", markup=False)
        yield Static(id="says", markup=False)
        yield DrawInput("own-draw")
        yield AnswerList(id="answers")
        yield Static(id="strip", markup=False)

    def show(
        self,
        state: State,
        question: Question,
        cursor: int,
        *,
        trail: list[str],
        note: str,
        sign: Callable[[Answer], str],
        strip: Content,
        measured: Callable[[str], str],
    ) -> None:
        """Paint everything; ``note`` is a word to the player. The answers have the rows that are
        left."""
        size = self.app.size
        width = size.width - MARGIN
        self._write("place", _place(state, width))
        self._write("trail", Content.styled(" → ".join(trail), KEY))
        because = Content(measured("\n".join(question.because)))
        asks_rows = len(Content(measured(question.asks)).wrap(width)) + len(question.says)
        tight = size.height - AROUND - asks_rows - len(question.answers) < LARGE
        tall = size.height >= TALL
        rows, below = self._large(measured(question.large), because, width, tall, tight)
        asks = Content.styled(measured(question.asks), "bold")
        self._write("asks", asks)
        told = [*([because] if below else []), *(Content(measured(text)) for text in question.says)]
        if note:
            told.append(Content.styled(measured(note), "$error bold"))
        says = Content("\n").join(told)
        self._write("says", says)
        self.query_one("#says").display = bool(told)
        ask = state.ask if question.typed and isinstance(state.ask, DrawAsk) else None
        self._show_input(ask)
        used = AROUND + rows + len(asks.wrap(width)) + (len(says.wrap(width)) if told else 0)
        self.query_one(AnswerList).show(
            question.answers,
            cursor,
            sign,
            width=width,
            room=size.height - used - (FIELD if ask else 0),
        )
        self._write("strip", strip)

    def _large(
        self, words: str, because: Content, width: int, tall: bool, tight: bool
    ) -> tuple[int, bool]:
        """Large words with the reason beside them, plain where it is so ``tight`` that answers
        would be left out; the rows that takes, and whether the reason has to stand below."""
        picture = words.upper() if tight else _picture(words, width - BETWEEN - 2, tall=tall)
        columns = min(max(map(cell_len, picture.splitlines()), default=0) + 2, width)
        room = width - columns - BETWEEN
        beside = bool(because) and room >= BESIDE
        rows = len(Content(picture).wrap(width))
        if beside:
            rows = max(rows, len(because.wrap(room)))
        self._write("letters", painted_word(words.upper(), picture))
        self._write("because", because if beside else Content(""))
        self.query_one("#large").styles.height = rows
        return rows, bool(because) and not beside

    def _write(self, part: str, content: Content) -> None:
        self.query_one(f"#{part}", Static).update(content)

    def _show_input(self, ask: DrawAsk | None) -> None:
        field = self.query_one(DrawInput)
        field.show(ask)
        if ask is None and self.screen.focused is field:
            self.screen.set_focus(None)


def _place(state: State, width: int) -> Content:
    """The battle, the turn, the phase."""
    setup, clock = state.setup, state.clock
    last = f" of {setup.ends_after.turn}" if setup.ends_after else ""
    where = f"   Turn {clock.turn}{last}   {PHASES[clock.phase]}"
    room = max(width - len(where), 8)
    title = setup.title if len(setup.title) <= room else setup.title[: room - 1] + "…"
    return Content.assemble((title.upper(), "bold"), (where, "$foreground 65%"))


def _picture(words: str, width: int, *, tall: bool) -> str:
    """Words as large as they fit; plain capitals where the large letters do not have them all."""
    if not readable(words):
        return words.upper()
    for letters in (high, low) if tall else (low,):
        picture = letters(words)
        if max(map(len, picture.splitlines()), default=0) <= width:
            return picture
    return words.upper()
