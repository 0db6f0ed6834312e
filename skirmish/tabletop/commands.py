"""Commands and prompts as data: what can be done now, and which answers are still missing.

A command is a key, a label and slots; a prompt is a command that is already open because the game
goes on only with the player's decision. The slots give the keys of the screen, the line of missing
answers, the disabled options with their reason, and the lines of ``skirmish play``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from skirmish.tabletop.page import Page
from skirmish.tabletop.refusal import with_key_note
from skirmish.tabletop.slots import (
    BACKSPACE,
    ENTER,
    ESC_DROPS,
    ESCAPE,
    SPACE,
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
    Words,
    has_rows,
    options_of,
)

Answers: TypeAlias = Mapping[str, Any]
"""Answers by the name of their slot or toggle."""
CHOSEN_BY_KEY = Choose | ChooseSeveral | Confirm | Picks
"""Slots whose answers are chosen by their keys; those of all others are typed."""


class Toggle(msgspec.Struct, frozen=True, kw_only=True):
    """A key that changes a fact of a draft, such as whether the target is in cover: it turns the
    answer of this ``name`` on or off, or gives the answers that it ``sets``, such as the next
    weapon. ``mark``: the fact differs from its default value. ``asks``: the same as a question,
    where one question is asked at a time; its answer is the value of the fact."""

    name: str
    key: str
    label: str
    sets: Answers | None = None
    mark: bool = False
    asks: Choose | None = None
    leads: Callable[[], Command[Any]] | None = None
    """Makes the command that opens in place of the draft; then no fact is changed."""
    why_not: str = ""
    """Why it changes nothing now."""


def switches(rows: Iterable[tuple[str, str, str]], answers: Answers) -> tuple[Toggle, ...]:
    """Toggles of facts that hold or not: the name, the key and the label of each."""
    toggles = []
    for name, key, label in rows:
        holds = bool(answers.get(name))
        toggles.append(Toggle(name=name, key=key, label=label, mark=holds))
    return tuple(toggles)


def cycling(name: str, key: str, value: Any, labels: Mapping[Any, str]) -> Toggle:
    """A toggle that goes through several values in their order, from the present ``value`` to the
    one after it. ``labels``: every value with its label; the first is the default one."""
    values = list(labels)
    next_value = values[0]
    if value in values:
        next_value = values[(values.index(value) + 1) % len(values)]
    label = labels.get(value, str(value))
    is_changed = value != values[0]
    return Toggle(name=name, key=key, label=label, sets={name: next_value}, mark=is_changed)


class Forecast(msgspec.Struct, frozen=True):
    """The expected result of a command, for newcomers: the words in ``large`` letters, the sentence
    above them (``text``), and further sentences below."""

    large: str = ""
    text: str = ""
    sentences: tuple[str, ...] = ()


O = TypeVar("O")  # noqa: E741  (an order)


class Command(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """Something that a player can do now, or could do but for ``why_not``.

    ``make`` is called with the answers by name, toggles included, and returns the order; the
    answers ``given`` are defaults that a toggle may change. Slots and toggles may depend on the
    answers so far: then they are functions of these. A command without a key begins with its first
    answer; if it is the open question of the game, it is a prompt. ``word`` is its label on the
    strip of keys, ``group`` its heading in the help.
    """

    label: str
    make: Callable[..., O]
    key: str = ""
    slots: tuple[Slot, ...] | Callable[[Answers], tuple[Slot, ...]] = ()
    toggles: tuple[Toggle, ...] | Callable[[Answers], tuple[Toggle, ...]] = ()
    given: Answers = {}
    why_not: str = ""
    word: str = ""
    group: str = ""
    help: str = ""
    topic: str = ""
    """Its name in the rules look-up."""
    preview: Callable[[Answers], Page] | None = None
    """Its expected result, by the answers so far."""
    words_for_others: Callable[[Answers, str | None], str] | None = None
    """What another player reads, by the id of his side, while it is put together. With it the
    command concerns him: he goes on in the turn only when it is given or dropped."""
    forecast: Callable[[Answers], Forecast] | None = None
    """Its expected result in sentences, where one question is asked at a time."""
    verb: str = ""
    """Its name in a player's own key map."""
    repeat: bool = False
    """Its order is given again and again until the game stops (``Game.stops``)."""
    reopens: bool = False
    """The command begins again once its order was given."""
    by_key_only: bool = False
    """The command begins only by its key, never by itself after an order."""
    leads_to: str = ""
    """The key of another command that begins once its order was given."""
    after: Callable[[O], str] | None = None
    """The command may follow a complete draft of another command at once: its key gives that order
    first, without Space. For that order the function says why this command cannot follow; empty if
    it can."""
    seeded: bool = False
    """``make`` takes a fresh ``seed`` too."""
    takes_back: bool = False
    """Of a prompt: Esc undoes the order that led to it."""


class Draft(msgspec.Struct, Generic[O], frozen=True, kw_only=True, dict=True):
    """A command being put together: the answers so far, by slot and toggle, and what is ``typed``
    of the next one. It is never changed: each step is a new draft, so that a screen may go back to
    an earlier one."""

    # ``dict=True``: what a cached property has computed is kept in the draft, and stays true.
    command: Command[O]
    answers: dict[str, Any] = {}
    typed: str = ""
    then: str = ""
    """The key of a command that follows at once (``Command.after``)."""
    asked: tuple[str, ...] = ()
    """The toggles that were answered, where one question is asked at a time."""
    ended: bool = False
    """The last key completed a number. The Enter that many type behind a number confirms nothing
    then."""
    refused: str = ""
    """Why a key was refused that belongs to the number before it, as in 10000r. Until Esc or
    Backspace every further key is refused, too: it was typed for an order that is not possible, and
    must not make another one."""
    refused_keys: str = ""
    """What that refusal says about keys."""

    @cached_property
    def facts(self) -> dict[str, Any]:
        """The answers by name, and what the command proposes of the others."""
        return {**self.command.given, **self.answers}

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The answers that the command needs, given the facts so far."""
        # Of the ``facts``: ``so_far`` needs the slots itself to read what is typed.
        slots = self.command.slots
        if callable(slots):
            return slots(self.facts)
        return slots

    @cached_property
    def toggles(self) -> tuple[Toggle, ...]:
        """The keys that change a fact of it, given what is typed so far."""
        toggles = self.command.toggles
        if callable(toggles):
            return toggles(self.so_far)
        return toggles

    @cached_property
    def so_far(self) -> Answers:
        """The facts, with the typed part of the next answer where that means something already."""
        slot = self.slot
        if isinstance(slot, Fewer):
            # The number that was refused comes to no result; Enter takes this one.
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
        """Whether anything was typed or answered since its command."""
        return bool(self.answers or self.typed or self.refused)

    @property
    def refusal(self) -> UnfitAnswer:
        """Why the last key was refused, with the key that leads out of it."""
        refusal = UnfitAnswer(self.refused, key_note=self.refused_keys)
        # Some refusals name that key themselves: "Space goes on, Esc drops it."
        if "Esc " in str(refusal):
            return refusal
        return UnfitAnswer(self.refused, key_note=with_key_note(self.refused_keys, ESC_DROPS))

    @property
    def in_hand(self) -> bool:
        """Whether there is something to drop: what was typed, an answer, or a command's key."""
        return self.begun or bool(self.command.key)

    @property
    def typing(self) -> bool:
        """Whether the next answer is typed rather than chosen, so that Backspace corrects it."""
        return not isinstance(self.slot, CHOSEN_BY_KEY)

    @property
    def whole(self) -> bool:
        """Whether every slot has its answer."""
        return self.slot is None

    @property
    def asking(self) -> Slot | None:
        """The slot whose question is shown: the first required one, or the next one while an answer
        is being typed."""
        if not self.typed:
            for slot in self.next_slots():
                if not slot.optional:
                    return slot
        return self.slot

    @property
    def text(self) -> str:
        """The question that is shown, on one line; empty if none is."""
        if self.asking is None:
            return ""
        return self.asking.question

    @property
    def ready(self) -> bool:
        """Whether no required answer is missing."""
        return all(slot.optional for slot in self.slots if slot.name not in self.answers)

    @property
    def confirms(self) -> bool:
        """Whether Enter or Space gives the next answer or completes the command."""
        if self.ready or self.typed:
            return True
        return self.slot is not None and self.slot.proposed is not None

    @property
    def offered(self) -> frozenset[Any]:
        """The rows of the board that are options of the next answer."""
        rows = set()
        for slot in self.next_slots():
            if not has_rows(slot):
                continue
            for option in options_of(slot):
                if not option.why_not and not option.pointed:
                    rows.add(option.value)
        return frozenset(rows)

    @property
    def chosen(self) -> frozenset[Any]:
        """The rows of the board that are answers already."""
        rows: set[Any] = set()
        for slot in self.slots:
            answer = self.answers.get(slot.name)
            if isinstance(slot, Choose) and slot.rows and answer is not None:
                rows.add(answer)
            if isinstance(slot, Picks) and slot is self.slot:
                rows.update(slot.picked(self.typed).counts)
            elif isinstance(slot, Picks) and answer:
                rows.update(answer)
        return frozenset(rows)

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
        """The preview of the result."""
        if self.command.preview is None:
            return Page("")
        return self.command.preview(self.so_far)

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
            return self.back()
        slot = self.slot
        if slot is None:
            return self
        # An order that cannot be given takes no more answers, only Backspace and Esc.
        if self.refused:
            raise self.refusal
        if slot.firm and key != ENTER:
            raise slot.asked_again(slot.hint)
        if key == ENTER:
            return self._after_enter()
        if key == SPACE:
            return self._after_space(slot)
        # Toggles first: Tab may be the key of one, as that of the other side's rows.
        toggle = self._toggle_meant_by(key)
        if toggle is not None:
            return self.turned(toggle)
        if key == TAB:
            return _with(self, typed=slot.tabbed(self.typed))
        if len(key) > 1:  # an arrow, a function key: no answer takes it
            raise (self.question() or slot).refused()
        return self._with_sign(slot, key)

    def _after_enter(self) -> Draft[O]:
        """Enter gives the answer, or all that are left. Raises UnfitAnswer."""
        # This Enter was typed to end a number that was complete without it. It confirms nothing: a
        # shot is looked at before it is drawn. (``_with`` forgets that: the next one confirms.)
        if self.ended:
            return _with(self)
        return self.confirmed()

    def _after_space(self, slot: Slot) -> Draft[O]:
        """Space is the same as Enter, but within a text of several words it stands between two."""
        if slot.spaced and self.typed:
            return self._with_sign(slot, " ")
        return self.confirmed()

    def _toggle_meant_by(self, key: str) -> Toggle | None:
        """The toggle of a key, unless the key is a character of the next answer."""
        if self.slot is not None and self.slot.written and key != TAB:
            return None  # every character is a part of the text
        # Within an answer that is begun, as the ``/`` of a search, a character goes on with it.
        if self.typed and self.takes(key):
            return None
        return self._toggle_with_key(key)

    def _with_sign(self, slot: Slot, sign: str) -> Draft[O]:
        """The draft after one more character of the next answer. Raises UnfitAnswer."""
        typed = self.typed + sign
        try:
            answer = slot.parse(typed, done=False)
        except UnfitAnswer as unfit:
            return self._with_sign_of_later(sign, unfit)
        if answer is None:
            return _with(self, typed=typed)
        return _with(self.answered(answer), ended=isinstance(slot, Number | Dice))

    def _with_sign_of_later(self, sign: str, unfit: UnfitAnswer) -> Draft[O]:
        """The draft after a character that the next answer does not take: it may begin the one
        after, or it is refused. Raises UnfitAnswer."""
        try:
            after = self._passed_over(sign)
        except UnfitAnswer as refusal:
            if self._is_of_number(sign):
                return self._with_refused(refusal)
            raise
        if after is not None:
            return after
        if self.ready and self.toggles and sign.isalpha():
            keys = ", ".join(toggle.key for toggle in self.toggles)
            raise UnfitAnswer(
                f"{sign} changes nothing here; {keys} would.",
                key_note="Space goes on, Esc drops it.",
            )
        if self._is_of_number(sign):
            return self._with_refused(unfit)
        raise unfit

    def _with_refused(self, unfit: UnfitAnswer) -> Draft[O]:
        """The draft in which a key was refused, and which refuses all others (``refused``)."""
        return _with(self, refused=unfit.message, refused_keys=unfit.key_note)

    def _is_of_number(self, sign: str) -> bool:
        """Whether a refused character is a digit of a number or the letter behind it."""
        slot = self.slot
        if slot is None or not sign.isalnum():
            return False
        return slot.in_number(self.typed) or slot.in_number(self.typed + sign)

    def takes(self, sign: str) -> bool:
        """Whether a character is a sign of the next answer, which comes before any command."""
        return any(slot.takes(sign, self.typed) for slot in self.next_slots())

    def may_be_typed(self, sign: str) -> bool:
        """Whether a character may be typed into this draft, and so has no other meaning meanwhile:
        it changes the draft, or it is a sign of the next answer, or something is typed already. A
        draft is asked for what it does with the key, so that no slot can forget one."""
        if self.slot is None:
            return False
        if (self.typed and len(sign) == 1) or self.takes(sign):
            return True
        try:
            self.press(sign)
        except UnfitAnswer:
            return False
        return True

    @property
    def holds(self) -> bool:
        """Whether its question holds the player until Esc: he opened the command by its key, so
        whatever he types next is meant as its answer."""
        return bool(self.command.key) and self.slot is not None

    def answered(self, answer: Any) -> Draft[O]:
        """The draft with the answer of the next slot."""
        assert self.slot is not None
        return _with(self, answers={**self.answers, self.slot.name: answer}, typed="")

    def turned(self, toggle: Toggle) -> Draft[O]:
        """The draft after a toggle. Raises UnfitAnswer."""
        if toggle.why_not:
            raise UnfitAnswer(toggle.why_not)
        if toggle.leads is not None:
            return Draft(command=toggle.leads())
        sets = toggle.sets
        if sets is None:
            sets = {toggle.name: not self.facts.get(toggle.name, False)}
        return _with(self, answers={**self.answers, **sets})

    def picked(self, row: Any) -> Draft[O]:
        """The draft after a row of the board was pointed at: the answer to the next slot, else to
        the last one that accepts it. Raises UnfitAnswer."""
        if self.refused:
            raise self.refusal
        slot = self.slot
        if isinstance(slot, Picks):
            for option in slot.options:
                if option.value == row:
                    return self.press(option.key)
        draft = self._with_next_row(row)
        if draft is None:
            draft = self._with_row_changed(row)
        if draft is not None:
            return draft
        assert slot is not None, "no row is an answer to a complete draft"
        if slot.question:
            raise slot.asked_again()
        raise slot.refused()

    def _with_next_row(self, row: Any) -> Draft[O] | None:
        """The draft with a row as the answer of the next required slot, or of an optional one
        before it, which passes over those between; None if the row is no answer there. Raises
        UnfitAnswer."""
        passed: dict[str, Any] = {}
        for slot in self.slots:
            if slot.name in self.answers:
                continue
            if _has_row(slot, row):
                # What is typed is a number before the row: it counts as complete.
                if self.typed and self.slot is not None:
                    passed[self.slot.name] = self.slot.parse(self.typed, done=True)
                answers = {**self.answers, **passed, slot.name: row}
                return _with(self, answers=answers, typed="")
            if not slot.optional:
                return None
            passed[slot.name] = None
        return None

    def _with_row_changed(self, row: Any) -> Draft[O] | None:
        """The draft with a row in place of the last answer that it could be. The answers after that
        one are taken back, as they may depend on it."""
        for slot in reversed(self.slots):
            if slot.name in self.answers and _has_row(slot, row):
                before = self._before(slot.name)
                return _with(self, answers={**before.answers, slot.name: row}, typed="")
        return None

    def confirmed(self) -> Draft[O]:
        """The draft after Enter or Space: the answer is what is typed, else the proposed one; an
        optional slot is skipped."""
        slot = self.slot
        if slot is None:
            return self
        if self.refused:
            raise self.refusal
        if self.typed:
            draft = self.answered(slot.parse(self.typed, done=True))
            if not slot.optional:
                return draft
            if draft._next_is_proposed():
                return draft.confirmed()
        elif slot.optional:
            # Nobody sees an optional slot that was not begun: this Enter is meant for the question
            # behind it, which is the one that is shown (``asking``).
            draft = self.answered(None)
            if draft.slot is not None and not draft.slot.optional:
                return draft.confirmed()
        elif slot.proposed is not None:
            draft = self.answered(slot.proposed)
        else:
            raise slot.missing
        return draft._without_optional()

    def _next_is_proposed(self) -> bool:
        """Whether the next slot is a required one with a proposed answer that may be taken unseen:
        in place of a number that was refused none may."""
        slot = self.slot
        if slot is None or slot.optional or slot.firm:
            return False
        return slot.proposed is not None

    def _without_optional(self) -> Draft[O]:
        """The draft past all optional slots that come next."""
        draft = self
        while draft.slot is not None and draft.slot.optional:
            draft = draft.answered(None)
        return draft

    def dropped(self) -> Draft[O] | None:
        """The draft after Esc: without what is typed for the next answer, or without the number
        that is refused; None where there is neither, so that all of it is dropped."""
        if self.typed or self.refused:
            return _with(self, typed="")
        if isinstance(self.slot, Fewer):
            return self._before(self.slot.number)
        return None

    def _before(self, name: str) -> Draft[O]:
        """The draft as it was before a slot was answered; toggles stay as they are."""
        names = [slot.name for slot in self.slots]
        later = names[names.index(name) :]
        answers = {name: answer for name, answer in self.answers.items() if name not in later}
        return _with(self, answers=answers)

    def one_back(self) -> Draft[O] | None:
        """The draft after Backspace; None where it only consists of its command."""
        if self.begun:
            return self.back()
        return None

    def back(self) -> Draft[O]:
        """One step back: a refused key, else a typed character, else an answer with the changes
        since."""
        if self.refused:
            return _with(self)
        if self.typed:
            return _with(self, typed=self.typed[:-1])
        answered = [slot for slot in self.slots if slot.name in self.answers]
        if not answered:  # only toggles were used
            return _with(self, answers={}, asked=())
        kept, typed = answered[:-1], ""
        # What was skipped on the way is taken back with it. A number that stood before the answer
        # is typed again, so that it can be corrected.
        while kept and kept[-1].optional and not typed:
            slot = kept.pop()
            answer = self.answers[slot.name]
            if isinstance(slot, Number) and answer is not None:
                typed = str(answer)
        # Answers that the command gave and a toggle changed stay changed; other toggles fall away.
        names = {slot.name for slot in kept} | set(self.command.given)
        answers = {name: answer for name, answer in self.answers.items() if name in names}
        return _with(self, answers=answers, typed=typed, asked=())

    def read(self, words: Sequence[str]) -> Draft[O]:
        """The draft after a line of words, one for each slot, or keys without spaces between them;
        a text takes the rest of the line. Raises UnfitAnswer."""
        draft, rest = self, list(words)
        while rest:
            slot = draft.slot
            if slot is not None and slot.firm:  # what follows belonged to what is refused
                return draft
            is_text = isinstance(slot, Words)
            toggle = draft._toggle_with_key(rest[0])
            if toggle is not None and not is_text:
                draft = draft.turned(toggle)
                rest.pop(0)
            elif slot is None:
                raise UnfitAnswer(f"Nothing more is needed after {' '.join(words)!r}.")
            elif rest[0] == SPACE and not is_text:
                draft = draft.confirmed()
                rest.pop(0)
            else:
                count = slot.span(rest)
                draft = draft._read_answer(" ".join(rest[:count]))
                del rest[:count]
        return draft

    def _toggle_with_key(self, key: str) -> Toggle | None:
        """The toggle of a key; None if there is none."""
        for toggle in self.toggles:
            if toggle.key == key:
                return toggle
        return None

    def _read_answer(self, text: str) -> Draft[O]:
        """The draft after a text that is one answer, or the answer after an optional one, or
        several keys without spaces. Raises UnfitAnswer with the error of the first slot that the
        text may have been meant for."""
        slot = self.slot
        assert slot is not None, "nothing more is needed"
        try:
            return self.answered(slot.parse(text, done=True))
        except UnfitAnswer as unfit:
            if slot.greedy:
                raise
            error = unfit
        after = self._past_slot()
        if after is not None:
            try:
                return after._read_answer(text)
            except UnfitAnswer as unfit:
                if not slot.takes(text[:1]):
                    error = unfit
        if text.isdigit():  # a number that is refused is not read digit by digit
            raise error
        return self._read_signs(text, error)

    def _read_signs(self, text: str, error: UnfitAnswer) -> Draft[O]:
        """The draft after the characters of a text as keys. Raises ``error`` where not even the
        first one has a meaning, and where they do not complete the next answer."""
        slot = self.slot
        draft = self
        for index, sign in enumerate(text):
            if draft.slot is None:
                raise error
            if draft.slot.firm:
                return draft
            try:
                draft = draft.press(sign)
            except UnfitAnswer:
                is_first = index == 0
                if not is_first:
                    raise
                raise error from None
            if draft.refused:
                raise UnfitAnswer(draft.refused, key_note=draft.refused_keys)
        if slot is not None and draft.slot is not None and draft.slot.name == slot.name:
            raise error
        return draft

    # ------------------------------------------------------------------ one thing at a time

    @property
    def toggle_asked(self) -> Toggle | None:
        """The toggle whose question is the next one; None while a required slot is not answered,
        and when no toggle is left to ask about."""
        if not self.ready:
            return None
        for toggle in self.toggles:
            if toggle.asks is not None and toggle.name not in self.asked:
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
        if self.toggle_asked is not None:
            answers = {**self.answers, question.name: answer}
            return _with(self, answers=answers, asked=(*self.asked, question.name))
        # Optional slots are never asked here, so those before the question are skipped.
        before = self.slots[: self.slots.index(question)]
        passed = {slot.name: None for slot in before if slot.name not in self.answers}
        return _with(self, answers={**self.answers, **passed, question.name: answer}, typed="")

    # ------------------------------------------------------------------ what may come next

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
        if self.slot is not None and self.slot.written:  # only Enter ends it
            return
        try:
            after = self._past_slot()
        except UnfitAnswer:
            return
        if after is not None:
            yield from after.next_slots()

    def _past_slot(self) -> Draft[O] | None:
        """The draft past the next slot, which gets what is typed, else what is proposed; an
        optional one is skipped. None for the last slot, and where there is no answer. Raises
        UnfitAnswer for what is typed."""
        slot = self.slot
        if slot is None or slot.firm or slot is self.slots[-1]:
            return None
        if self.typed:
            return self.answered(slot.parse(self.typed, done=True))
        if slot.optional:
            return self.answered(None)
        if slot.proposed is None:
            return None
        return self.answered(slot.proposed)

    def _passed_over(self, key: str) -> Draft[O] | None:
        """The draft in which ``key``, which the next answer does not take, begins the one after:
        what is typed counts as complete, or an optional answer is skipped. None where no answer
        comes after. Raises UnfitAnswer where the key was meant for the one after and is refused."""
        slot = self.slot
        assert slot is not None, "a key is typed for an answer"
        try:
            after = self._past_slot()
        except UnfitAnswer:
            return None
        if after is None:
            return None
        try:
            return after.press(key)
        except UnfitAnswer:
            # An optional answer that the key cannot begin: it was meant for the one after.
            if slot.optional and not slot.takes(key):
                raise
            return None


def _has_row(slot: Slot, row: Any) -> bool:
    """Whether a row is one of the options of a slot."""
    if not isinstance(slot, Choose):
        return False
    return any(option.value == row for option in slot.options)


def _with(draft: Draft[O], **changes: Any) -> Draft[O]:
    """The draft after a step with these changes. What was true of the last key only is no longer
    so, unless it is among the changes."""
    of_last_key = {"ended": False, "refused": "", "refused_keys": ""}
    return msgspec.structs.replace(draft, **{**of_last_key, **changes})


def _keyed(commands: Sequence[Command[O]], key: str) -> Command[O] | None:
    """The command with this key; None if there is none."""
    for command in commands:
        if command.key == key:
            return command
    return None


def _labelled(commands: Sequence[Command[O]], text: str) -> list[Command[O]]:
    """The commands whose label begins with a text of two characters or more: a single letter is a
    key."""
    if len(text) < 2:
        return []
    return [command for command in commands if command.label.lower().startswith(text.lower())]


def begin_with_key(commands: Sequence[Command[O]], key: str) -> Draft[O]:
    """The command that a key begins: its own, else the first without a key that accepts it as an
    answer. Raises UnfitAnswer."""
    command = _keyed(commands, key)
    if command is None:
        draft = _begun_by_answer(commands, key)
        if draft is not None:
            return draft
        command = command_of(commands, key)
    return _allowed(command)


def _begun_by_answer(commands: Sequence[Command[O]], key: str) -> Draft[O] | None:
    """The first command without a key that accepts a key as an answer; None if there is no such
    command at all. Raises the UnfitAnswer of the first, unless a later one takes the key as a part
    of a number and then refuses it."""
    error: UnfitAnswer | None = None
    refused: Draft[O] | None = None
    for command in commands:
        if command.key:
            continue
        try:
            draft = _allowed(command).press(key)
        except UnfitAnswer as unfit:
            error = error or unfit
            continue
        if not draft.refused:
            return draft
        refused = refused or draft
    if refused is None and error is not None:
        raise error
    return refused


def _allowed(command: Command[O]) -> Draft[O]:
    """The draft that begins a command. Raises UnfitAnswer if it cannot be given now."""
    if command.why_not:
        raise UnfitAnswer(command.why_not)
    return Draft(command=command)


def read(draft: Draft[O] | None, commands: Sequence[Command[O]], line: str) -> Draft[O]:
    """The draft after a line: a command's key comes first, with or without a space behind it, or
    the beginning of its label, then answers as ``Draft.read`` takes them. An empty line is Enter,
    and so is the word "space" at a question. Raises UnfitAnswer, also for a line that is no answer
    to the question of a command: that stays open."""
    words = line.split()
    if not words:
        return pressed(draft, commands, ENTER)
    if draft is not None and draft.slot is not None and draft.slot.firm and not draft.holds:
        draft = None  # another line begins anew
    if draft is not None:
        if words == [SPACE] and not isinstance(draft.slot, Words):
            return draft.confirmed()
        # The command is open and its key is typed again, with its answers: the whole order.
        is_command_again = words[0] == draft.command.key and not draft.begun
        if draft.holds and is_command_again and len(words) > 1:
            return draft.read(words[1:])
        is_answer = draft.takes(words[0][0]) or draft._toggle_with_key(words[0]) is not None
        if draft.holds or is_answer:
            return draft.read(words)
    return _read_command(draft, commands, words)


def _read_command(
    draft: Draft[O] | None, commands: Sequence[Command[O]], words: Sequence[str]
) -> Draft[O]:
    """The draft after a line that may begin a command. Raises UnfitAnswer."""
    first, *rest = words
    command = _keyed(commands, first)
    if command is not None:
        return _allowed(command).read(rest)
    error: UnfitAnswer | None = None
    for answering in _drafts_that_answer(draft, commands):
        try:
            return answering.read(words)
        except UnfitAnswer as unfit:
            error = error or unfit
    command = _keyed(commands, first[0])
    if command is not None:
        return _read_key_with_answer(command, commands, words)
    if error is not None:
        raise error
    return _allowed(command_of(commands, first)).read(rest)


def _read_key_with_answer(
    command: Command[O], commands: Sequence[Command[O]], words: Sequence[str]
) -> Draft[O]:
    """The draft after a line that begins with the key of a command and its answer in one word, as
    ``xk5``; or with a label that only begins with the same letter. Raises UnfitAnswer."""
    first, *rest = words
    try:
        return _allowed(command).read([first[1:], *rest])
    except UnfitAnswer:
        labelled = _labelled(commands, first)
        if len(labelled) != 1:
            raise
    return _allowed(labelled[0]).read(rest)


def _drafts_that_answer(
    draft: Draft[O] | None, commands: Sequence[Command[O]]
) -> Iterator[Draft[O]]:
    """The open question; without one the commands that begin with their first answer."""
    if draft is not None:
        yield draft
        return
    for command in commands:
        if not command.key and not command.why_not:
            yield Draft(command=command)


def pressed(draft: Draft[O] | None, commands: Sequence[Command[O]], key: str) -> Draft[O]:
    """The draft after a key. At a question of the game, a key that no answer accepts begins its
    command instead; from the question of a command no key leads to another command. Raises
    UnfitAnswer."""
    if draft is None:
        return begin_with_key(commands, key)
    command = _keyed(commands, key)
    if command is None:
        return draft.press(key)
    if command.after is not None and draft.ready and not draft.takes(key):
        return _followed(draft, command.after, key)
    if draft.holds or draft.takes(key) or key in (ENTER, SPACE, BACKSPACE):
        return draft.press(key)
    # A number that is refused waits for Esc or Enter. Another command would drop it without a word.
    if draft.refused or (draft.slot is not None and draft.slot.firm):
        return draft.press(key)
    if draft._toggle_with_key(key) is not None:
        return draft.press(key)
    # A number that is being typed and an order that waits for Space only are not dropped by the key
    # of another command either.
    if draft.typed:
        return draft.press(key)
    if draft.chosen and draft.ready:
        raise UnfitAnswer("This order is not given yet.", key_note="Space gives it, Esc drops it.")
    return begin_with_key(commands, key)


def _followed(draft: Draft[O], after: Callable[[O], str], key: str) -> Draft[O]:
    """The complete draft, whose order comes before the command of that key. Raises UnfitAnswer
    where that command cannot follow it."""
    # Judged by the order before it is given: a refused second step must not leave the first one.
    whole = draft.confirmed()
    why_not = after(whole.order())
    if why_not:
        raise UnfitAnswer(why_not)
    return _with(whole, then=key)


def half_typed(
    draft: Draft[O] | None, commands: Sequence[Command[O]], typed: Sequence[str]
) -> Draft[O] | None:
    """The draft after the stored keys and lines of an earlier session, if none of them gave an
    order; the unchanged draft if one of them is no longer accepted."""
    half_typed_draft = draft
    try:
        for key in typed:
            if key in (ESCAPE, BACKSPACE):
                half_typed_draft = _stepped_back(half_typed_draft, key) or draft
            elif key.endswith("\n"):  # a whole line of ``skirmish play``, not a key
                half_typed_draft = read(half_typed_draft, commands, key)
            else:
                half_typed_draft = pressed(half_typed_draft, commands, key)
    except UnfitAnswer:
        return draft
    if half_typed_draft is None or half_typed_draft.whole:
        return draft
    return half_typed_draft


def _stepped_back(draft: Draft[O] | None, key: str) -> Draft[O] | None:
    """The draft after Esc or Backspace; None if nothing is left of it."""
    if draft is None:
        return None
    if key == ESCAPE:
        return draft.dropped()
    return draft.one_back()


def command_of(commands: Sequence[Command[O]], text: str) -> Command[O]:
    """The command of a key or of the beginning of a label; Enter and Space mean the one that has
    Space as its key, else the only available one. Raises UnfitAnswer."""
    possible = [command for command in commands if not command.why_not]
    if text in (ENTER, SPACE):
        meant = [command for command in commands if command.key == SPACE]
        if not meant and len(possible) == 1:
            meant = possible
    else:
        meant = [command for command in commands if command.key == text]
        if not meant:
            meant = _labelled(commands, text)
    if len(meant) == 1:
        return meant[0]
    if not possible:
        raise UnfitAnswer("Nothing can be done now.")
    listed = []
    for command in possible:
        name = command.key
        if name == SPACE:
            name = "Space"
        listed.append(f"{name} {command.label}")
    raise UnfitAnswer("That means nothing now.", key_note=f"{'; '.join(listed)}.")
