"""A battle asked one question at a time, in large words, for children and newcomers; on a large
screen with the map, strengths and losses beside the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size

from skirmish.app.battle.columns import is_large
from skirmish.app.battle.ordering import BattleOrderingScreen
from skirmish.app.binding import keys
from skirmish.app.play.answer_list import AnswerLine
from skirmish.app.play.part import Part
from skirmish.app.play.questions import QuestionScreen
from skirmish.extras import unless_it_fails
from skirmish.games.plastic.battle.agenda import CasualtyAsk
from skirmish.games.plastic.battle.orders import Fire
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.shot_words import reach_words, same_shot_words
from skirmish.session import AnySession
from skirmish.tabletop.measure import inches

BOARD_SHARE = 0.48
"""The share of the screen's columns that the board has, as in ``questions.tcss``."""
BOARD_EDGES = 4
"""Columns of the edges of the board."""
ARROW = " → "
"""Stands between shooter and target in large words."""
ROWS_BELOW_MAP = 16
"""Rows for all but the map: strengths and losses below it, and the foot of the screen."""


class BattleQuestions(QuestionScreen, BattleOrderingScreen):
    """The questions of a battle. While no order is begun, one of the answers fires the last shot
    again."""

    CSS_PATH = "../play/questions.tcss"
    # Next phase, end of the turn, stop repeat fire, count a volley, bring on the wave that is due,
    # judge the last shot again, say who won.
    ASIDES = (">", "E", "escape", "=", "enter", "tab", "F")
    SAME = "."
    """The key of the answer that fires the last shot again."""
    HELP = (
        "One question at a time: who fires, at whom, what can be seen, and the draw.\n"
        "Press the letter of an answer, or go to it with the arrows and press Enter, or click it. "
        "Esc goes one question back; Backspace undoes what was done.\n"
        "A card was misread, or he was in cover after all: Tab.\n"
        "Only what can change this shot is asked. Everything rarer (loading, leaving the table, "
        "reinforcements) is on the full screen: F2."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "question",
        ("judge_again", "tab", "other('tab')", "", "Put the last shot right: another card, or "
         "something seen; Tab again for the one before"),
        ("phase", "greater_than_sign", "other('>')", "", "Next phase"),
        ("end_turn", "E", "other('E')", "", "End this player turn"),
        ("tally", "equals_sign", "other('=')", "",
         "Count the hits of a volley of your own cards"),
        ("same", "full_stop", "same", "", "The same shot again, by the next man"),
        ("finish", "F", "other('F')", "", "Say who won; after the end, play on"),
    )  # fmt: skip

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._board_failed = False
        """Whether the board could not be painted: the battle goes on without it."""

    # ------------------------------------------------------------------ the board beside it

    @property
    def columns(self) -> int:
        """The columns of the question, which the board leaves."""
        width = super().columns
        if self._has_board:
            return width - int(width * BOARD_SHARE)
        return width

    @property
    def _has_board(self) -> bool:
        """Whether map, strengths and losses stand beside the question."""
        return is_large(self.app.size) and not self._board_failed

    def show_state(self) -> None:
        self.set_class(self._has_board, "-boarded")
        super().show_state()
        # Before the screen is mounted, there is nothing in which the board can be mounted.
        if self.is_mounted and self._has_board:
            unless_it_fails(
                self._show_board,
                instead=self._leave_board_out,
                failure="The board is not available",
            )

    def _show_board(self) -> None:
        """The map, strengths and losses beside the question; mounted where they are shown first."""
        if not self.query("#question-board"):
            self._mount_board()
        width = self.app.size.width - self.columns - BOARD_EDGES
        has_map = self._draw_map(width)
        lines = self.once(("standing", width), partial(self._strengths_and_losses, width))
        if has_map:  # an empty row below the map
            lines = [Content(""), *lines]
        self.write("standing", Content("\n").join(lines))

    def _mount_board(self) -> None:
        """Mount the board: the map, if the battle is that of a scenario with one, and the part
        below it."""
        from skirmish.app.battle.map_panel import MapPanel

        scenario = self.state.setup.scenario
        board = Vertical(id="question-board")
        self.mount(board)
        if scenario is not None and scenario.map is not None:
            board.mount(MapPanel(scenario, scenario.map))
        board.mount(Part("standing"))

    def _draw_map(self, width: int) -> bool:
        """Draw the map in ``width`` columns; returns whether there is one."""
        from skirmish.app.battle.map_panel import MapPanel
        from skirmish.app.scenarios.map_picture import inks_of

        panels = self.query(MapPanel)
        if not panels:
            return False
        room = Size(width, self.app.size.height - ROWS_BELOW_MAP)
        panels.first().draw(room, inks_of(self.skirmish))
        return True

    def _strengths_and_losses(self, width: int) -> Sequence[Content]:
        from skirmish.app.home_board import standing_lines

        return list(standing_lines(self.session.play, width))

    def _leave_board_out(self, line: str) -> None:
        """Give the question all columns from now on; ``line`` says why."""
        self._board_failed = True
        self.remove_class("-boarded")
        self.notify(line, markup=False, severity="warning")

    # ------------------------------------------------------------------ the same shot again

    def asides(self) -> Iterator[AnswerLine]:
        shot = self._same_shot()
        if shot:
            words = "The same shot again"
            yield AnswerLine(words, self.SAME, shot, action="same", is_aside=True)
        yield from super().asides()

    def _same_shot(self) -> str:
        """The last shot in a few words, if it can be fired again now; else empty."""
        answers_were_given = bool(self.earlier)
        if self.prompt is not None or answers_were_given:
            return ""
        order = self.game.same_again(self.session.play)
        if not isinstance(order, Fire):  # an offered repeat shot is the question itself
            return ""
        return same_shot_words(self.state, order, arrow=ARROW)

    async def action_same(self) -> None:
        if self._same_shot():
            await self.repeat_last()
        else:
            self.say("There is no shot here that could be fired again as it was.")

    def explanations(self) -> Iterator[str]:
        """Where a target is chosen, how far the shooter reaches; after a hit on one man, when it is
        the man aimed at who dies."""
        draft, question = self.draft, self.question
        if question is None or draft is None:
            return
        state: State = self.state
        shooter = draft.answers.get("shooter")
        if question.name == "target" and shooter:
            yield reach_words(state, shooter)
        if isinstance(state.ask, CasualtyAsk) and state.ask.count == 1:
            near = inches(state.setup.catalog.fire.exact_within)
            yield f"The man aimed at dies if he stood alone or was hit from within {near}: Enter."
