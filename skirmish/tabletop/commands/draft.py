"""A command being put together, key by key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Generic

import msgspec

from skirmish.tabletop.commands.command import Answers, Command, Forecast, O, Toggle
from skirmish.tabletop.page import Page
from skirmish.tabletop.refusal import with_key_note
from skirmish.tabletop.slots import (
    BACKSPACE,
    ENTER,
    ESC_DROPS,
    SPACE,
    SPACE_OR_ESC,
    TAB,
    Choose,
    ChooseSeveral,
    Confirm,
    Dice,
    Fewer,
    Number,
    Picks,
    Slot,
    UnfitAnswer,
)

CHOSEN_BY_KEY = Choose | ChooseSeveral | Confirm | Picks
"""Slots whose answers are chosen by their keys; those of all others are typed."""


class Draft(msgspec.Struct, Generic[O], frozen=True, kw_only=True, dict=True):
    """A command being put together: the answers so far, by slot and toggle, and what is ``typed``
    of the next one. It is never changed: each step is a new draft, so that a screen may go back to
    an earlier one."""

    # ``dict=True``: a cached property stores its value in the draft. It stays true, as the draft
    # never changes.
    command: Command[O]
    answers: dict[str, Any] = {}
    typed: str = ""
    next_key: str = ""
    """The key of the command that begins as soon as this order is given
    (``Command.why_not_after``); empty if none does."""
    answered_toggles: tuple[str, ...] = ()
    """The toggles that were answered, where one question is asked at a time."""
    ends_with_number: bool = False
    """The last key completed a number. Many players type Enter after a number by habit; that Enter
    confirms nothing."""
    refused: str = ""
    """Why a number, or the letter behind it, was refused, as in 10000r; empty if none was. Until
    Esc or Backspace every further key is refused, too: it was typed for an order that is not
    possible, and must not make another one."""
    refused_key_note: str = ""
    """What that refusal says about keys."""

    @cached_property
    def facts(self) -> dict[str, Any]:
        """The answers by their names: those given so far, and those that the command began with
        (``Command.given``) where no other was given since."""
        return {**self.command.given, **self.answers}

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The answers that the command needs, given the facts so far."""
        # They depend on the ``facts``, not on ``so_far``, which needs them to read what is typed.
        slots = self.command.slots
        if callable(slots):
            return slots(self.facts)
        return slots

    @cached_property
    def toggles(self) -> tuple[Toggle, ...]:
        """The keys that change a fact of the command, given what is typed so far."""
        toggles = self.command.toggles
        if callable(toggles):
            return toggles(self.so_far)
        return toggles

    @cached_property
    def so_far(self) -> Answers:
        """The facts, with the typed part of the next answer where that means something already."""
        slot = self.slot
        if isinstance(slot, Fewer):
            # The number was too high and has no result. What is shown is the result of the lower
            # one that Enter takes.
            return {**self.facts, slot.name: slot.default}
        if slot is None or not self.typed:
            return self.facts
        answer = slot.so_far(self.typed)
        if answer is None:
            return self.facts
        return {**self.facts, slot.name: answer}

    @cached_property
    def slot(self) -> Slot | None:
        """The slot of the next answer; None if all were given."""
        for slot in self.slots:
            if slot.name not in self.answers:
                return slot
        return None

    @property
    def begun(self) -> bool:
        """Whether anything was typed or answered since its command began."""
        return bool(self.answers or self.typed or self.refused)

    @property
    def refusal(self) -> UnfitAnswer:
        """Why the last key was refused, and that Esc drops it."""
        refusal = UnfitAnswer(self.refused, key_note=self.refused_key_note)
        # Some refusals name Esc themselves: "Space goes on, Esc drops it." It is not said twice.
        if "Esc " in str(refusal):
            return refusal
        return UnfitAnswer(self.refused, key_note=with_key_note(self.refused_key_note, ESC_DROPS))

    @property
    def in_hand(self) -> bool:
        """Whether there is something to drop: what was typed, an answer, or a command's key."""
        return self.begun or bool(self.command.key)

    @property
    def next_is_typed(self) -> bool:
        """Whether the next answer is typed rather than chosen, so that Backspace corrects it."""
        return not isinstance(self.slot, CHOSEN_BY_KEY)

    @property
    def complete(self) -> bool:
        """Whether every slot has its answer."""
        return self.slot is None

    @property
    def shown_slot(self) -> Slot | None:
        """The slot whose question is shown: the first required one, or the next one while an answer
        is being typed."""
        if not self.typed:
            for slot in self.next_slots():
                if not slot.optional:
                    return slot
        return self.slot

    @property
    def shown_question(self) -> str:
        """The question that is shown, on one line; empty if none is."""
        if self.shown_slot is None:
            return ""
        return self.shown_slot.question

    @property
    def ready(self) -> bool:
        """Whether no required answer is missing."""
        return all(slot.optional for slot in self.slots if slot.name not in self.answers)

    @property
    def can_confirm(self) -> bool:
        """Whether Enter or Space gives the next answer or completes the command."""
        if self.ready or self.typed:
            return True
        return self.slot is not None and self.slot.proposed is not None

    def order(self, seed: Callable[[], int] | None = None) -> O:
        """The order that the answers make. ``seed`` returns a fresh random seed, which only a
        command that is ``seeded`` needs."""
        facts = dict(self.facts)
        # Where toggles depend on the answers, ``make`` itself knows their default values.
        if not callable(self.command.toggles):
            for toggle in self.command.toggles:
                facts.setdefault(toggle.name, False)
        if self.command.seeded:
            assert seed is not None, "this command takes a seed"
            facts["seed"] = seed()
        return self.command.make(**facts)

    @cached_property
    def page(self) -> Page:
        """The preview of the result; an empty page of a command that has none."""
        if self.command.preview is None:
            return Page("")
        return self.command.preview(self.so_far)

    @cached_property
    def advised_against(self) -> bool:
        """Whether the order would be refused as it stands (``Command.advised_against``)."""
        if self.command.advised_against is None:
            return False
        return self.command.advised_against(self.so_far)

    @cached_property
    def forecast(self) -> Forecast | None:
        """The expected result in sentences; None of a command that has none."""
        if self.command.forecast is None:
            return None
        return self.command.forecast(self.so_far)

    # ------------------------------------------------------------------ keys

    def press(self, key: str) -> Draft[O]:
        """The draft after a key: a character, ``enter``, ``space``, ``tab`` or ``backspace``.
        Raises UnfitAnswer for a key that is refused."""
        if key == BACKSPACE:
            return self.stepped_back()
        slot = self.slot
        if slot is None:  # a complete draft takes no more keys: its order is given at once
            return self
        # An order that cannot be given takes no more answers, only Backspace and Esc.
        if self.refused:
            raise self.refusal
        # A number was too high. Enter takes the one that is offered in its place, and no other key
        # may be taken for an answer to that.
        if slot.only_enter and key != ENTER:
            raise slot.asked_again(slot.hint)
        if key == ENTER:
            return self._after_enter()
        if key == SPACE:
            return self._after_space(slot)
        # Toggles first: Tab may be the key of one, as that of the other side's rows.
        toggle = self._toggle_meant_by(key)
        if toggle is not None:
            return self.toggled(toggle)
        if key == TAB:
            return with_changes(self, typed=slot.tabbed(self.typed))
        if len(key) > 1:  # an arrow, a function key: no answer takes it
            # The refusal repeats what is asked. The next slot may be an optional one, which is not.
            question = self.question()
            if question is not None:
                raise question.refused()
            raise slot.refused()
        return self._with_character(slot, key)

    def _after_enter(self) -> Draft[O]:
        """Enter gives the answer, or all that are left. Raises UnfitAnswer."""
        # This Enter was typed to end a number that was complete without it. It confirms nothing: a
        # shot is looked at before it is drawn. ``with_changes`` forgets the completed number, so
        # that the next Enter confirms.
        if self.ends_with_number:
            return with_changes(self)
        return self.confirmed()

    def _after_space(self, slot: Slot) -> Draft[O]:
        """Space confirms like Enter; within a text of several words it separates two of them."""
        if slot.keeps_spaces and self.typed:
            return self._with_character(slot, " ")
        return self.confirmed()

    def _toggle_meant_by(self, key: str) -> Toggle | None:
        """The toggle of a key, unless the key is a character of the next answer."""
        if self.slot is not None and self.slot.is_field and key != TAB:
            return None  # every character is a part of the text
        # A character that may continue an answer does so, such as a letter in a search.
        if self.typed and self.takes(key):
            return None
        return self.toggle_with_key(key)

    def _with_character(self, slot: Slot, character: str) -> Draft[O]:
        """The draft after one more character of the next answer. Raises UnfitAnswer."""
        typed = self.typed + character
        try:
            answer = slot.parse(typed, done=False)
        except UnfitAnswer as unfit:
            # The key stands beside an option that is listed dim: whoever types it means that option
            # and is told why not, even where another answer is proposed.
            if isinstance(slot, Choose) and not slot.optional and slot.bars(typed):
                raise
            return self._with_character_for_later_slot(character, unfit)
        if answer is None:
            return with_changes(self, typed=typed)
        return with_changes(self.answered(answer), ends_with_number=isinstance(slot, Number | Dice))

    def _with_character_for_later_slot(self, character: str, unfit: UnfitAnswer) -> Draft[O]:
        """The draft after a character that the next answer does not take: it may begin a later
        answer, or it is refused, with ``unfit`` if nothing else can be said. Raises UnfitAnswer."""
        try:
            after = self._with_key_for_slot_after(character)
        except UnfitAnswer as refusal:
            if self._is_of_number(character):
                return self._with_refused(refusal)
            raise
        if after is not None:
            return after
        if self.ready and self.toggles and character.isalpha():
            raise self._refusal_with_toggles(character)
        if self._is_of_number(character):
            return self._with_refused(unfit)
        raise unfit

    def _refusal_with_toggles(self, character: str) -> UnfitAnswer:
        """The refusal of a letter that may be meant for a toggle: it lists those that there are."""
        keys = ", ".join(toggle.key for toggle in self.toggles)
        message = f"{character} changes nothing here; {keys} would."
        return UnfitAnswer(message, key_note=SPACE_OR_ESC)

    def _with_refused(self, unfit: UnfitAnswer) -> Draft[O]:
        """The draft in which a number was refused, and which refuses all other keys."""
        return with_changes(self, refused=unfit.message, refused_key_note=unfit.key_note)

    def _is_of_number(self, character: str) -> bool:
        """Whether a refused character is a digit of a number or the letter behind it."""
        slot = self.slot
        if slot is None or not character.isalnum():
            return False
        is_behind_number = slot.ends_in_number(self.typed)
        is_digit_of_it = slot.ends_in_number(self.typed + character)
        return is_behind_number or is_digit_of_it

    def takes(self, character: str) -> bool:
        """Whether a character belongs to the next answer, which takes precedence over the keys of
        commands."""
        return any(slot.takes(character, self.typed) for slot in self.next_slots())

    def may_be_typed(self, key: str) -> bool:
        """Whether a key may be typed into this draft, and so has no other meaning meanwhile: it
        changes the draft, or it belongs to the next answer, or something is typed already."""
        if self.slot is None:
            return False
        is_character = len(key) == 1
        if (self.typed and is_character) or self.takes(key):
            return True
        # Pressing it makes a new draft and does not change this one.
        try:
            self.press(key)
        except UnfitAnswer:
            return False
        return True

    @property
    def bars_other_commands(self) -> bool:
        """Whether no key but Esc leads to another command: the player opened this one by its key,
        so whatever he types next is meant as its answer."""
        return bool(self.command.key) and self.slot is not None

    def answered(self, answer: Any) -> Draft[O]:
        """The draft with the answer of the next slot."""
        assert self.slot is not None
        return with_changes(self, answers={**self.answers, self.slot.name: answer}, typed="")

    def toggled(self, toggle: Toggle) -> Draft[O]:
        """The draft after a toggle. Raises UnfitAnswer."""
        if toggle.why_not:
            raise UnfitAnswer(toggle.why_not)
        if toggle.opens is not None:
            return Draft(command=toggle.opens())
        sets = toggle.sets
        if sets is None:
            sets = {toggle.name: not self.facts.get(toggle.name, False)}
        return with_changes(self, answers={**self.answers, **sets})

    def confirmed(self) -> Draft[O]:
        """The draft after Enter or Space: the answer is what is typed, else the proposed one; an
        optional slot is skipped. Raises UnfitAnswer."""
        slot = self.slot
        if slot is None:
            return self
        if self.refused:
            raise self.refusal
        if self.typed:
            return self._with_typed_answer(slot)
        if slot.optional:
            return self._without_next_optional()
        if slot.proposed is None:
            raise slot.missing
        return self.answered(slot.proposed)._past_optional()

    def _with_typed_answer(self, slot: Slot) -> Draft[O]:
        """The draft with what is typed as the answer of the next slot. Raises UnfitAnswer."""
        draft = self.answered(slot.parse(self.typed, done=True))
        # Optional answers behind a required one may still be typed.
        if not slot.optional:
            return draft
        # An optional answer belongs to the required one behind it, as the number of riflemen to
        # their row: one Enter confirms both.
        if draft._next_is_proposed():
            return draft.confirmed()
        return draft._past_optional()

    def _without_next_optional(self) -> Draft[O]:
        """The draft after Enter where nothing is typed and the next slot is optional."""
        draft = self.answered(None)
        # Nobody sees an optional slot that was not begun: this Enter is meant for the question
        # behind it, which is the one that is shown (``shown_slot``).
        if draft.slot is not None and not draft.slot.optional:
            return draft.confirmed()
        return draft._past_optional()

    def _next_is_proposed(self) -> bool:
        """Whether the next slot is a required one with a proposed answer that may be taken unseen.
        The number that is proposed in place of one that is too high may not."""
        slot = self.slot
        if slot is None or slot.optional or slot.only_enter:
            return False
        return slot.proposed is not None

    def _past_optional(self) -> Draft[O]:
        """The draft past all optional slots that come next."""
        draft = self
        while draft.slot is not None and draft.slot.optional:
            draft = draft.answered(None)
        return draft

    def after_escape(self) -> Draft[O] | None:
        """The draft after Esc: without what is typed for the next answer, or without the number
        that is refused; None where there is neither, so that all of it is dropped."""
        if self.typed or self.refused:
            return with_changes(self, typed="")
        if isinstance(self.slot, Fewer):
            return self.before_slot(self.slot.number_slot)
        return None

    def before_slot(self, name: str) -> Draft[O]:
        """The draft before the slot of this name was answered; toggles stay as they are."""
        answers = dict(self.answers)
        # Later slots may depend on this answer, so theirs are dropped, too.
        slot_names = [slot.name for slot in self.slots]
        for slot_name in slot_names[slot_names.index(name) :]:
            answers.pop(slot_name, None)
        return with_changes(self, answers=answers)

    def after_backspace(self) -> Draft[O] | None:
        """The draft after Backspace; None where it only consists of its command."""
        if self.begun:
            return self.stepped_back()
        return None

    def stepped_back(self) -> Draft[O]:
        """The draft one step back: without what was refused, else without the last typed character,
        else without the last answer."""
        if self.refused:
            return with_changes(self)  # which forgets the refusal
        if self.typed:
            return with_changes(self, typed=self.typed[:-1])
        answered = [slot for slot in self.slots if slot.name in self.answers]
        if not answered:  # only toggles were used
            return with_changes(self, answers={}, answered_toggles=())
        return self._without_last(answered)

    def _without_last(self, answered: Sequence[Slot]) -> Draft[O]:
        """The draft without the answer to the last of the ``answered`` slots, without the optional
        ones right before it, and without what toggles changed since."""
        still_answered = list(answered[:-1])
        typed = ""
        # A number right before the answer is put back as typed, so that it can be corrected.
        while still_answered and still_answered[-1].optional and not typed:
            slot = still_answered.pop()
            answer = self.answers[slot.name]
            if isinstance(slot, Number) and answer is not None:
                typed = str(answer)
        # What the command began with stays as a toggle changed it. What other toggles changed
        # belonged to the answer that is taken back.
        names_that_stay = {slot.name for slot in still_answered} | set(self.command.given)
        answers = {}
        for name, answer in self.answers.items():
            if name in names_that_stay:
                answers[name] = answer
        return with_changes(self, answers=answers, typed=typed, answered_toggles=())

    def toggle_with_key(self, key: str) -> Toggle | None:
        """The toggle of a key; None if there is none."""
        for toggle in self.toggles:
            if toggle.key == key:
                return toggle
        return None

    # ------------------------------------------------------------------ one question at a time

    @property
    def toggle_asked(self) -> Toggle | None:
        """The toggle whose question is the next one; None while a required slot is not answered,
        and when no toggle is left to ask about."""
        if not self.ready:
            return None
        for toggle in self.toggles:
            if toggle.asks is not None and toggle.name not in self.answered_toggles:
                return toggle
        return None

    def question(self) -> Slot | None:
        """The next question where one is asked at a time: a required slot, then each toggle with a
        question; None if only the confirmation is left."""
        # A toggle is asked about only when no required slot is left.
        if self.toggle_asked is not None:
            return self.toggle_asked.asks
        for slot in self.slots:
            if slot.name not in self.answers and not slot.optional:
                return slot
        return None

    def reply(self, answer: Any) -> Draft[O]:
        """The draft after the answer to ``question``; if no question is left, it is confirmed."""
        question = self.question()
        if question is None:
            return self.confirmed()
        toggle = self.toggle_asked
        if toggle is not None:
            answers = {**self.answers, toggle.name: answer}
            return with_changes(
                self, answers=answers, answered_toggles=(*self.answered_toggles, toggle.name)
            )
        # Optional slots are never asked here, so those before the question are skipped.
        before = self.slots[: self.slots.index(question)]
        skipped = {slot.name: None for slot in before if slot.name not in self.answers}
        answers = {**self.answers, **skipped, question.name: answer}
        return with_changes(self, answers=answers, typed="")

    # ------------------------------------------------------------------ slots that a key may answer

    def next_slots(self) -> Iterator[Slot]:
        """The next slot, and those that a key may answer without Enter before it: those after
        optional slots, and those after a number that is being typed, as the ``r`` of 15r."""
        for slot in self.slots:
            if slot.name in self.answers:
                continue
            yield slot
            if self.typed:
                yield from self._slots_after()
                return
            if not slot.optional:
                return

    def _slots_after(self) -> Iterator[Slot]:
        """The slots that can be reached once the typed answer counts as complete."""
        if self.slot is not None and self.slot.is_field:  # only Enter ends it
            return
        try:
            after = self.past_slot()
        except UnfitAnswer:
            return
        if after is not None:
            yield from after.next_slots()

    def past_slot(self) -> Draft[O] | None:
        """The draft with the next slot answered without Enter: by what is typed, else by what is
        proposed; an optional one is skipped. None if there is no such answer or no slot after it.
        Raises UnfitAnswer for what is typed."""
        slot = self.slot
        if slot is None or slot.only_enter or slot is self.slots[-1]:
            return None
        if self.typed:
            return self.answered(slot.parse(self.typed, done=True))
        if slot.optional:
            return self.answered(None)
        if slot.proposed is None:
            return None
        return self.answered(slot.proposed)

    def _with_key_for_slot_after(self, key: str) -> Draft[O] | None:
        """The draft in which ``key``, which the next answer does not take, begins the one after:
        what is typed counts as complete, or an optional answer is skipped. None if that is not
        possible. Raises UnfitAnswer if the key was meant for the one after and is refused there."""
        slot = self.slot
        assert slot is not None, "a key is typed for an answer"
        try:
            after = self.past_slot()
        except UnfitAnswer:
            return None
        if after is None:
            return None
        try:
            return after.press(key)
        except UnfitAnswer:
            # This key never begins the optional answer, so it was meant for the one after.
            if slot.optional and not slot.takes(key):
                raise
            return None


def with_changes(draft: Draft[O], **changes: Any) -> Draft[O]:
    """The draft after a step with these changes. What holds only right after a key, such as that it
    was refused, is forgotten unless it is among the changes."""
    of_last_key = {"ends_with_number": False, "refused": "", "refused_key_note": ""}
    return msgspec.structs.replace(draft, **{**of_last_key, **changes})
