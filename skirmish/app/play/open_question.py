"""What is asked, one question at a time: the question in words, its answers, and what helps to
answer it. How all of that is painted and answered is in ``questions.py``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple

from skirmish.app.play.answer_list import AnswerLine
from skirmish.app.play.ordering import OrderingScreen
from skirmish.extras import preview, remark, unless_it_fails
from skirmish.player import AnyDraft
from skirmish.session import AnySession
from skirmish.tabletop.commands import Forecast
from skirmish.tabletop.page import Note, Page, Paragraph, Tone
from skirmish.tabletop.refusal import Refusal, with_key_note
from skirmish.tabletop.slots import BACKSPACE, ENTER, ESCAPE, SPACE, TAB, Slot, keys_of, options_of
from skirmish.tabletop.typed import plain

CONFIRMATION = "draw"
"""The name under which games explain the confirmation of an order: mostly it draws a card."""
FINISH_KEY = "F"
"""The key that ends the game. It is rarely needed, and so its line is the last: the first to be
cut where there is no room."""


class QuestionWords(NamedTuple):
    """What stands above the answers."""

    large: str
    """A word or two for large letters; empty for none."""
    reason: str
    """Why the large letters say so, such as the card that decided; empty for none."""
    question: str
    """What is asked."""
    tone: Tone = ""
    """The tone of a verdict in the large letters; empty for anything else."""


class EarlierQuestion(NamedTuple):
    """What Esc returns to: a draft, and what was typed for it."""

    draft: AnyDraft
    typed: list[str]


class AskingScreen(OrderingScreen):
    """A screen that asks one question of a game at a time. ``earlier`` are the questions that Esc
    returns to, the latest at the end."""

    ASIDES: ClassVar[tuple[str, ...]] = ()
    """The keys of commands that are offered beside the first question."""

    def __init__(self, session: AnySession) -> None:
        self.earlier: list[EarlierQuestion] = []
        self._hints_given: dict[str, str] = {}
        """The ids of the hints that were given, each with that of the question at which it was
        given first."""
        super().__init__(session)  # last, since it calls ``begin``

    def begin(self) -> None:
        """Begin anew, with the first question of the game."""
        super().begin()
        self.earlier = []
        # A command without a key is begun at once: its first answer is the first question.
        self.draft = self.draft_in_hand

    # ------------------------------------------------------------------ the question

    @property
    def question(self) -> Slot | None:
        """The open question; None if only the confirmation is left."""
        if self.draft is None:
            return None
        if self.is_typed_ahead:
            return self.draft.slot  # optional, so that ``Draft.question`` passes over it
        return self.draft.question()

    @property
    def question_name(self) -> str:
        """What the game calls the open question, or the confirmation once only that is left."""
        if self.question is None:
            return CONFIRMATION
        return self.question.name

    @property
    def is_typed_ahead(self) -> bool:
        """Whether an answer is being typed before its question was asked, such as the true card of
        a shot whose target is still to be confirmed."""
        draft = self.draft
        if draft is None or draft.slot is None:
            return False
        # A required slot has been asked for. Only an optional one can be ahead.
        return bool(draft.typed) and draft.slot.optional and draft.slot.may_be_typed_ahead

    @property
    def waits_for_yes_or_no(self) -> bool:
        """Whether the open question is "Do it anyway?": of the order that was just refused, or of
        one that is ready to be given and that the rules advise against."""
        objection = self.objection
        return self.may_insist or (objection is not None and not objection.firm)

    @property
    def objection(self) -> Refusal | None:
        """Why the rules are against the order that is ready to be given; None if they are not, or
        if no order is ready."""
        draft = self.draft
        if draft is None or self.question is not None:
            return None
        return self.advice_against(draft)

    def words(self) -> QuestionWords:
        """What stands above the answers: why the order is refused, or the odds of a shot, or the
        question. The first question has the result of the last order above it."""
        objection = self.objection
        if objection is None and self.may_insist:
            objection = self.refusal
        if objection is not None:
            return _words_against(objection)
        if self.question is None:
            forecast = self._forecast()
            if forecast is not None and forecast.text:
                return QuestionWords(forecast.large, reason="", question=forecast.text)
        large, question = self._large_word(), self._question_in_words()
        verdict = self.verdict
        if verdict is not None and verdict.text and not self.earlier:
            # The verdict takes the large letters. The question's own large word begins its
            # sentence instead.
            question = f"{large} {question}".strip()
            return QuestionWords(verdict.text, verdict.reason, question, verdict.tone)
        return QuestionWords(large, reason="", question=question)

    def _large_word(self) -> str:
        """The word of the open question for large letters; empty if it has none."""
        if self.question is None:
            return ""
        return plain(self.question.large)

    def _question_in_words(self) -> str:
        """The open question; what the order does, if only its confirmation is left."""
        question = self.question
        if question is not None:
            return plain(f"{question.text} {question.key_note}".strip())
        if self.draft is not None:
            return plain(self.draft.command.label)
        # Neither a prompt nor a command that begins without a key is left.
        return "The game is over."

    def echo(self) -> str:
        """What is typed of the answer, to stand behind the question, with ``_`` as its cursor."""
        draft, question = self.draft, self.question
        if draft is None or question is None:
            return ""
        # What is typed belongs to the next slot. The question may be that of a toggle or of a later
        # slot, and then is chosen, not typed.
        if draft.slot is not question or not draft.typed:
            return ""
        return f" {question.echo(draft.typed)}_"

    def answers_so_far(self) -> list[str]:
        """The answers to earlier questions of the same draft, in words."""
        draft = self.draft
        if draft is None:
            return []
        answers = []
        for slot in draft.slots:
            answer = draft.answers.get(slot.name)
            if answer is not None:
                answers.append(plain(slot.shown(answer)))
        for toggle in draft.toggles:
            if toggle.name in draft.answered_toggles:
                answers.append(plain(toggle.label))
        return answers

    # ------------------------------------------------------------------ the answers

    def possible_answers(self) -> Iterator[AnswerLine]:
        """What the open question can be answered with, then what can be done instead."""
        if self.waits_for_yes_or_no:
            yield AnswerLine("No", "n", action="back")
            yield AnswerLine("Yes", "y", action="insist")
            return
        # A firm refusal has no "Do it anyway?".
        if self.objection is not None:
            yield AnswerLine("Back", ESCAPE, action="back")
            return
        draft, question = self.draft, self.question
        if question is not None:
            yield from _answers_to(question)
        elif draft is not None:
            # Only the confirmation is left: Space does it.
            word = draft.command.word or draft.command.label
            yield AnswerLine(word.capitalize(), SPACE)
        yield from self._asides_below()

    def _asides_below(self) -> Iterator[AnswerLine]:
        """What can be done instead of answering, below the answers."""
        asides: dict[str, AnswerLine] = {}
        if self._is_at_first_question:
            asides = {aside.key: aside for aside in self.asides()}
        # The end of the battle stands last, where nobody chooses it in haste.
        finish = asides.pop(FINISH_KEY, None)
        yield from asides.values()
        if self.over:
            yield AnswerLine("Summary", "Y", action="summary", is_aside=True)
        has_only_opening = len(self.session.play.acts) == 1
        if not has_only_opening:
            yield AnswerLine("Undo", BACKSPACE, action="undo", is_aside=True)
        yield AnswerLine("The full screen", "f2", action="full", is_aside=True)
        if finish is not None:
            yield finish

    @property
    def _is_at_first_question(self) -> bool:
        """Whether the game itself asks, so that the player has begun nothing by a key: in the
        middle of a shot only the next answer matters."""
        return self.draft is not None and not self.earlier and self.draft.command.key == ""

    def asides(self) -> Iterator[AnswerLine]:
        """What can be done beside the first question."""
        for command in self.commands:
            if command.why_not or command.key not in self.ASIDES:
                continue
            # A command that the last line of the full screen leaves out, since it has no word for
            # it, is left out here as well. Those of Esc and Enter never have one.
            if not command.word and command.key not in (ESCAPE, ENTER):
                continue
            label = plain(command.label)
            # Tab corrects the last shot. Here it stands below the verdict on that shot.
            if command.key == TAB:
                label = "That was wrong"
            yield AnswerLine(label, command.key, action=f"other('{command.key}')", is_aside=True)

    # ------------------------------------------------------------------ what helps to answer

    def messages(self, question_id: str) -> Iterator[str]:
        """What helps to answer: a first explanation, the situation, the odds, how it is typed. Some
        of the sentences may be empty."""
        draft = self.draft
        if draft is None:
            return
        yield self._give_hint_once(question_id)
        yield from self.explanations()
        # At a question in the middle of an order, such as who dies, the player knows the situation.
        if self._is_at_first_question and self.prompt is None:
            yield from _sentences_of(self.situation_page)
        yield from self._preview_sentences(draft)
        yield self._how_to_answer(draft)

    def _give_hint_once(self, question_id: str) -> str:
        """Return the game's hint on the question, and remember at which question it was given;
        empty if that was an earlier one."""
        hint = self.game.hint(self.state, self.question_name)
        # Where the rules are against the shot, "Do it anyway?" is asked: a hint on the draw would
        # not fit.
        if not hint.text or self.objection is not None:
            return ""
        given_at = self._hints_given.setdefault(hint.id, question_id)
        # The question at which it was given first still shows it when it is painted again.
        if given_at != question_id:
            return ""
        return hint.text

    def explanations(self) -> Iterable[str]:
        """Sentences of this game for the question that is open."""
        return ()

    def _preview_sentences(self, draft: AnyDraft) -> Iterator[str]:
        """The odds of what is put together, or another preview of it."""
        if draft.command.forecast is not None:
            forecast = self._forecast()
            # The odds do not matter where the rules are against the shot.
            if forecast is not None and self.objection is None:
                yield from forecast.sentences
            return
        # Before anything is put together there is nothing to preview. A command with a key was
        # chosen by the player, and may have a preview before its first answer.
        is_begun = bool(draft.answers or draft.command.key)
        if self.question is None or is_begun:
            yield from _sentences_of_preview(draft)

    def _how_to_answer(self, draft: AnyDraft) -> str:
        """How the open question is answered, if it has no options; else how the last answer of the
        order may be typed ahead. Empty where neither can be typed."""
        question = self.question
        if question is not None and not options_of(question):
            return question.hint
        if not draft.slots or self.objection is not None:
            return ""
        # What may be typed ahead is the card of a shot, which is asked for last.
        last_slot = draft.slots[-1]
        if last_slot.may_be_typed_ahead:
            return last_slot.key_note
        return ""

    def _forecast(self) -> Forecast | None:
        """The chances of the shot that is put together: before its confirmation, and where the next
        answer is typed, since that may be its card."""
        draft, question = self.draft, self.question
        if draft is None:
            return None
        if question is not None:
            is_typed = not options_of(question)
            if not is_typed or not draft.answers:
                return None

        def only_that_sentence(sentence: str) -> Forecast:
            return Forecast(sentences=(sentence,))

        return unless_it_fails(
            lambda: draft.forecast, instead=only_that_sentence, failure="The odds are not available"
        )


def _words_against(objection: Refusal) -> QuestionWords:
    """What stands above the answers where the rules are against an order."""
    if objection.firm:
        return QuestionWords("NO", str(objection), "That cannot be done.")
    return QuestionWords("NO", f"The rules say no:\n{objection}", "Do it anyway?")


def _answers_to(question: Slot) -> Iterator[AnswerLine]:
    """The options of a question, each with its key; or what is proposed for one that is typed."""
    options = options_of(question)
    for key, option in keys_of(options).items():
        note = plain(remark(option))
        yield AnswerLine(plain(option.label), key, note, option.value, why_not=option.why_not)
    if not options and question.proposed is not None:
        yield AnswerLine(plain(question.shown(question.proposed)), ENTER, value=question.proposed)


def _sentences_of(page: Page) -> Iterator[str]:
    """The paragraphs of a page."""
    for block in page.blocks:
        if isinstance(block, Paragraph):
            yield block.text


def _sentences_of_preview(draft: AnyDraft) -> Iterator[str]:
    """The sentences that a command shows while it is put together."""
    for block in preview(draft).blocks:
        if isinstance(block, Note):
            yield block.text
        elif isinstance(block, Paragraph):
            yield with_key_note(f"{block.lead} {block.text}".strip(), block.key_note)
