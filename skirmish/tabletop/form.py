"""A set-up form being filled in: its fields, their answers, and what prevents the start."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, Self

from skirmish.tabletop.game import Game
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import Choose, Number, Slot, UnfitAnswer, Words


class SetupForm:
    """The fields of ``game`` with their answers. ``given`` are answers that were fixed before the
    form was opened, by the names of their fields, which are not asked. What players change stays
    changed when other fields come and go.

    ``fields`` are those to ask, ``given_fields`` the others; ``answers`` has both, by name."""

    def __init__(self, game: Game[Any, Any, Any], given: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self._given = dict(given or {})
        # The answers that differ from their proposals, also those of fields that are not there now.
        self._changed: dict[str, Any] = {}
        self._ask_the_game()

    def _ask_the_game(self) -> None:
        """Set the fields, which may depend on the answers so far, and an answer for each."""
        fields = list(self.game.fields(self._given | self._changed))
        self.answers = {field.slot.name: self._answer_in(field.slot) for field in fields}
        self.fields = [field for field in fields if field.slot.name not in self._given]
        self.given_fields = [field for field in fields if field.slot.name in self._given]

    def _answer_in(self, slot: Slot) -> Any:
        """The answer given or changed before, if it still fits; else the proposed one."""
        # What was given before the form was opened is not for the player to change.
        for answers in (self._given, self._changed):
            if slot.name in answers and _fits(slot, answers[slot.name]):
                return answers[slot.name]
        return proposal(slot)

    def field(self, name: str) -> Field | None:
        """The field of that name; None if it is not asked now."""
        for field in self.fields:
            if field.slot.name == name:
                return field
        return None

    def answer(self, name: str, value: Any) -> None:
        """Change an answer, and those that the game changes with it. Only an answer that differs
        from its proposal is remembered; the others follow their proposals, which other answers may
        change."""
        answers_after = self.game.follow(name, {**self.answers, name: value})
        for field in self.fields:
            slot = field.slot
            if slot.name not in answers_after:
                continue
            new_answer = answers_after[slot.name]
            if new_answer == proposal(slot):
                self._changed.pop(slot.name, None)
            else:
                self._changed[slot.name] = new_answer
        self._ask_the_game()

    def turn(self, name: str, step: int) -> None:
        """Select the next option for a ``step`` of 1, the one before for -1; the first follows the
        last. To a number the step is added, unless the result is not an answer or the game refuses
        it. An option that the game refuses is selected all the same; ``trouble`` says why."""
        field = self.field(name)
        if field is None:
            return
        slot = field.slot
        if isinstance(slot, Choose):
            self.answer(name, slot.turned(self.answers[name], step))
        elif isinstance(slot, Number):
            number = self.answers[name] + step
            if _fits(slot, number) and not self._why_not(name, number):
                self.answer(name, number)

    def read(self, name: str, text: str) -> Any:
        """The answer for ``text``; an empty text is the proposed one. Raises UnfitAnswer, also for
        an answer that the game refuses."""
        field = self.field(name)
        assert field is not None, name
        slot = field.slot
        # A field with a ``read`` of its own decides itself what an empty text means.
        empty_is_read = isinstance(slot, Words) and slot.read is not None
        if not text.strip() and slot.proposed is not None and not empty_is_read:
            return slot.proposed
        value = slot.parse(text, done=True)
        why_not = self._why_not(name, value)
        if why_not:
            raise UnfitAnswer(why_not)
        return value

    def is_changed(self, field: Field) -> bool:
        """Whether its answer differs from the proposed one."""
        return bool(self.answers[field.slot.name] != proposal(field.slot))

    @property
    def trouble(self) -> str:
        """Why the game cannot begin, as a sentence; empty if it can."""
        # A question without an answer is itself what is missing.
        for field in self.fields:
            if self.answers[field.slot.name] is None:
                return field.slot.text
        return self._why_refused()

    def _why_not(self, name: str, value: Any) -> str:
        """Why the game refuses this answer; empty if it does not."""
        # If the game cannot begin without it, either, this answer is not to blame.
        if self.trouble:
            return ""
        form_after = self._with_answer(name, value)
        return form_after._why_refused()

    def _with_answer(self, name: str, value: Any) -> Self:
        """A copy of the form with another answer, to try it out."""
        form = copy(self)
        # Only this dictionary is altered in place; ``answer`` replaces the fields and answers.
        form._changed = dict(self._changed)
        form.answer(name, value)
        return form

    def _why_refused(self) -> str:
        """Why the game refuses the answers, as a sentence; empty if it does not."""
        try:
            self.game.opening(self.answers, _no_seed)
        except Refused as error:
            return str(error)
        return ""

    @property
    def notice(self) -> str:
        """What players must know before they begin: the sentences of all fields."""
        notices = [field.notice for field in self.fields if field.notice]
        return " ".join(notices)


def _no_seed() -> int:
    """Any number will do: a game that is opened only to see if it is refused is never played."""
    return 1


def proposal(slot: Slot) -> Any:
    """What a form proposes for a slot. A choice always has an answer there: without a proposal of
    its own it is the first option."""
    if slot.proposed is None and isinstance(slot, Choose):
        return slot.options[0].value
    return slot.proposed


def _fits(slot: Slot, value: Any) -> bool:
    """Whether a value is an answer of a slot, which may have other limits than when the value was
    given."""
    if isinstance(slot, Choose):
        return any(option.value == value for option in slot.options)
    if isinstance(slot, Number):
        return isinstance(value, int) and slot.low <= value <= slot.high
    # Slots of other kinds have no limits that change.
    return True
