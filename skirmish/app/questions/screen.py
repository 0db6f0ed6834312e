"""One question at a time, in large words: for children, and for whoever plays the first time.

The same battle and the same orders as on the battle screen. What is asked follows from the mode;
``question_shot`` and ``question_asks`` put it into words.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import BindingType

from skirmish import library
from skirmish.app.battle.draft import Draft
from skirmish.app.battle.kept import BattleSession
from skirmish.app.battle.ordering import OrderingScreen
from skirmish.app.battle.prompt_again import Judging, Tallying
from skirmish.app.battle.prompt_waiting import Over
from skirmish.app.questions.answers import Answer, Question, taken
from skirmish.app.questions.keys import bindings, sign_of, strip
from skirmish.app.questions.listing import AnswerList
from skirmish.app.questions.seen import RULES, advised, hint
from skirmish.app.questions.shot import next_question, still_settled, trail
from skirmish.app.questions.view import QuestionView
from skirmish.games.plastic.battle.agenda import CasualtyAsk, RepeatAsk
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.tabletop.refusal import Refused

TAKING = ("enter", "space")


class QuestionScreen(OrderingScreen):
    """The questions of one battle. ``settled`` are the things seen that are answered of the shot
    in hand."""

    CSS_PATH = "question.tcss"
    AUTO_FOCUS = None
    TOPIC: ClassVar[str] = "one question at a time"
    LOOK: ClassVar[float] = 0.7
    """Seconds for which the key that gave an order is dead, Enter or Space: longer than a key that
    is held down waits before it repeats itself, and as long as a verdict should be looked at."""
    HELP = (
        "One question at a time: who fires, at whom, what can be seen, and the draw.\n"
        "Press the letter of an answer, or go to it with the arrows and press Enter, or click it. "
        "Esc goes one question back; ⌫ undoes what was done.\n"
        "A card was misread, or he was in cover after all: Tab.\n"
        "Only what can change this shot is asked. Everything rarer (loading, leaving the table, "
        "reinforcements) is on the full screen: F2."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings()

    def __init__(self, kept: BattleSession) -> None:
        super().__init__(kept)
        self.settled: tuple[str, ...] = ()
        self.cursor = 0
        self._advice = ""
        self._asked = ""
        self._explained: dict[str, str] = {}  # when each question was explained
        self.question = next_question(kept.play, self.mode, self.settled)
        self.cursor = self.question.usual

    @property
    def paragraph(self) -> str:
        """The rule that F1 opens: that of what is asked."""
        topic = RULES.get(self.question.name)
        found = library.reference().on(topic) if topic else None
        return found.id if found else super().paragraph

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what means nothing now."""
        over = self.state.outcome is not None
        match action:
            case "insist":
                offered = (answer.action == action for answer in self.question.answers)
                return True if any(offered) else None
            case "summary":
                return True if over else None
            case "end_phase" | "end_turn":
                return None if over else True
        return True

    def compose(self) -> ComposeResult:
        """The view."""
        yield QuestionView()

    def on_mount(self) -> None:
        """Ask."""
        self.show_state()
        self._ask_who_won()

    def on_resize(self) -> None:
        """Other letters may fit."""
        if self.is_mounted:
            self.show_state()

    def show_state(self, note: str = "") -> None:
        """The question that follows from the state and the mode, with a word to the player."""
        draft = self.mode
        self.settled = still_settled(draft, self.settled)
        if self._refused is None:
            self._advice = ""
        self.question = self._question()
        told = trail(self.state, draft, self.settled) if isinstance(draft, Draft) else []
        asked_now = f"{self.question.name} {' '.join(told)} {len(self.kept.play.entries)}"
        name, words = hint(self.state, self.question)
        if words and self._explained.setdefault(name, asked_now) == asked_now:
            says = (words, *self.question.says)
            self.question = msgspec.structs.replace(self.question, says=says)
        if asked_now != self._asked:
            self._asked, self.cursor = asked_now, self.question.usual
        self.cursor = min(self.cursor, len(self.question.answers) - 1)
        mapped = self.skirmish.settings.keys
        self.query_one(QuestionView).show(
            self.state,
            self.question,
            self.cursor,
            trail=told,
            note=note,
            sign=lambda answer: sign_of(answer, mapped),
            strip=strip(mapped),
            measured=self.skirmish.measured,
        )

    def _question(self) -> Question:
        if self._advice:
            return advised(self._advice, Answer(words="Yes", key="y", action="insist"))
        known = self.skirmish.settings.deck_knowledge
        return next_question(self.kept.play, self.mode, self.settled, known)

    # ------------------------------------------------------------------ keys and mouse

    async def action_press(self, key: str) -> None:
        """A letter or digit names an answer; Enter and Space take the one that is marked."""
        if await self._typed_ahead(key):
            return
        at = self.cursor if key in TAKING else self.question.answer(key)
        if at is not None:
            await self._take(at, key)
        elif isinstance(self.mode, Draft):
            self._say(
                "Choose one of these by its letter, or with the arrows and Enter. Esc goes back."
            )
        else:
            await self._step(lambda: self.mode.press(key, self.kept.play))

    async def on_answer_list_taken(self, event: AnswerList.Taken) -> None:
        """An answer was clicked."""
        self.cursor = event.at
        await self._take(event.at)

    def action_move(self, by: int) -> None:
        """The mark one answer up or down, round and round."""
        self.cursor = (self.cursor + by) % len(self.question.answers)
        self.show_state()

    def action_across(self, by: int) -> None:
        """The mark to the answers beside, where there are any."""
        to = self.cursor + by * self.query_one(AnswerList).per_column
        if 0 <= to < len(self.question.answers):
            self.cursor = to
            self.show_state()

    async def action_back(self) -> None:
        """One question back; from the first one, to the full screen."""
        mode = self.mode
        if self._refused is not None:
            self._rest(mode)
        elif isinstance(mode, Draft) and self.settled:
            *rest, last = self.settled
            self.settled = tuple(rest)
            self._rest(msgspec.structs.replace(mode, weapon=None) if last == "weapon" else mode)
        elif mode.begun or (self.state.ask is not None and not isinstance(mode, Over)):
            await self._step(lambda: mode.press("escape", self.kept.play))
        else:
            self.action_full()

    def action_full(self) -> None:
        """The full battle screen: beneath this one, or in its place."""
        from skirmish.app.battle.screen import BattleScreen

        if any(isinstance(screen, BattleScreen) for screen in self.app.screen_stack):
            self.dismiss()
        else:
            self.app.switch_screen(BattleScreen(self.kept))

    def action_home(self) -> None:
        """Home from here, and from the battle screen if that is beneath."""
        self.skirmish.home()

    # ------------------------------------------------------------------ answers

    async def action_judge_again(self) -> None:
        """The last shot put right; the one before it."""
        mode = self.mode
        if isinstance(mode, Judging | Tallying):
            await self._step(lambda: mode.press("tab", self.kept.play))
        elif self.state.ask is None or isinstance(self.state.ask, CasualtyAsk | RepeatAsk):
            await self._step(lambda: Judging.opened(self.state))
        else:
            self._say("Answer this first; ⌫ undoes it.")

    async def _take(self, at: int, key: str = "") -> None:
        """Do what an answer says."""
        answer, mode, before = self.question.answers[at], self.mode, len(self.kept.play.entries)
        if answer.action:
            await self.run_action(answer.action)
        else:
            settled = self.settled
            if answer.settles and not answer.why_not:
                self.settled = (*settled, answer.settles)
            await self._step(lambda: taken(answer, mode, self.kept.play))
        if key in TAKING and self.is_current and len(self.kept.play.entries) > before:
            self.held.rest(key, self.LOOK)

    async def _typed_nothing(self) -> bool:
        """Enter in an empty field takes the answer that is marked."""
        await self.action_press("enter")
        return True

    def _advised(self, refused: Refused, order: AnyOrder | None) -> str:
        """It becomes a question of its own."""
        self._advice = refused.refusal.says
        return ""
