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
)

Answers: TypeAlias = Mapping[str, Any]
"""Answers by the name of their slot or toggle."""
CHOSEN = Choose | ChooseSeveral | Confirm | Picks
"""Answers that are chosen by their keys."""


class Toggle(msgspec.Struct, frozen=True, kw_only=True):
    """A key that changes one fact of a draft, by its name; with ``sets`` it gives those answers
    instead, such as the next weapon. ``mark``: the fact differs from its default value. ``asks`` is
    its prompt where one question is asked at a time; the answer is the value of the fact."""

    name: str
    key: str
    label: str
    sets: Answers | None = None
    mark: bool = False
    asks: Choose | None = None
    leads: Callable[[], Command[Any]] | None = None
    """The command that opens instead."""
    why_not: str = ""
    """Why it changes nothing now."""


def switches(rows: Iterable[tuple[str, str, str]], answers: Answers) -> tuple[Toggle, ...]:
    """Toggles of facts that hold or not: the name, the key and the label of each."""
    return tuple(Toggle(name=name, key=key, label=label, mark=bool(answers.get(name)))
                 for name, key, label in rows)  # fmt: skip


def cycling(name: str, key: str, now: Any, labels: Mapping[Any, str]) -> Toggle:
    """A toggle that goes through several values in their order; the first is the default one."""
    values = list(labels)
    after = values[(values.index(now) + 1) % len(values)] if now in values else values[0]
    label = labels.get(now, str(now))
    return Toggle(name=name, key=key, label=label, sets={name: after}, mark=now != values[0])


class Outlook(msgspec.Struct, frozen=True):
    """The expected result of a command, for newcomers: in large words, as the sentence above them,
    and as further sentences."""

    large: str = ""
    text: str = ""
    sentences: tuple[str, ...] = ()


O = TypeVar("O")  # noqa: E741  (an order)


class Command(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """Something that a player can do now, or could do but for ``why_not``.

    ``make`` is called with the answers by name, toggles included, and returns the order; the
    answers ``given`` are defaults that a toggle may change. Slots and toggles may depend on the
    answers so far. A command without a key begins with its first answer; an open one is a prompt.
    ``word`` is its label on the strip of keys, ``group`` its heading in the help.
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
    told: Callable[[Answers, str | None], str] | None = None
    """What another player is told, by the id of his side, while it is put together. With it the
    command concerns him: he goes on in the turn only when it is given or dropped."""
    outlook: Callable[[Answers], Outlook] | None = None
    """The same in sentences, where one question is asked at a time."""
    verb: str = ""
    """Its name in a player's own key map."""
    repeat: bool = False
    """The order is given again until the game stops."""
    reopens: bool = False
    """It begins again after its order."""
    after: Callable[[O], str] | None = None
    """Its key gives a complete draft first; why it cannot follow that order, or empty."""
    seeded: bool = False
    """``make`` takes a fresh ``seed`` too."""
    takes_back: bool = False
    """Of a prompt: Esc undoes the order that led to it."""


class Draft(msgspec.Struct, Generic[O], frozen=True, kw_only=True, dict=True):
    """A command being put together: the answers so far and the typed part of the next. ``then`` is
    the key of a command that follows at once; ``asked`` are the toggles that were answered where
    one question is asked at a time. ``ended``: a number was complete before Enter, which therefore
    may still be typed behind it and confirms nothing. ``refused``: why a key was refused that
    belongs to the number before it, as in 10000r. Until Esc or Backspace every key is refused, as
    it was typed for an order that is not possible and must not make another one."""

    command: Command[O]
    answers: dict[str, Any] = {}
    typed: str = ""
    then: str = ""
    asked: tuple[str, ...] = ()
    ended: bool = False
    refused: str = ""

    @cached_property
    def facts(self) -> dict[str, Any]:
        return {**self.command.given, **self.answers}

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        slots = self.command.slots
        return slots(self.facts) if callable(slots) else slots

    @cached_property
    def toggles(self) -> tuple[Toggle, ...]:
        toggles = self.command.toggles
        return toggles(self.so_far) if callable(toggles) else toggles

    @cached_property
    def so_far(self) -> Answers:
        slot = self.slot
        found = slot.so_far(self.typed) if slot is not None and self.typed else None
        return self.facts if slot is None or found is None else {**self.facts, slot.name: found}

    @cached_property
    def slot(self) -> Slot | None:
        return next((slot for slot in self.slots if slot.name not in self.answers), None)

    @property
    def begun(self) -> bool:
        return bool(self.answers or self.typed or self.refused)

    @property
    def refusal(self) -> str:
        """Why the last key was refused, with the key that leads out of it."""
        if not self.refused or "Esc " in self.refused:
            return self.refused
        return f"{self.refused} {ESC_DROPS}"

    @property
    def in_hand(self) -> bool:
        """Whether there is something to drop: what was typed, an answer, or a command's key."""
        return self.begun or bool(self.command.key)

    @property
    def typing(self) -> bool:
        """Whether the next answer is typed rather than chosen, so that Backspace corrects it."""
        return not isinstance(self.slot, CHOSEN)

    @property
    def whole(self) -> bool:
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
        return all(slot.optional for slot in self.slots if slot.name not in self.answers)

    @property
    def confirms(self) -> bool:
        """Whether Enter or Space gives the next answer or completes the command."""
        slot = self.slot
        return self.ready or bool(self.typed) or (slot is not None and slot.proposed is not None)

    @property
    def offered(self) -> frozenset[Any]:
        """The rows of the board that are options of the next answer."""
        return frozenset(
            option.value
            for slot in self.next_slots()
            if getattr(slot, "rows", False)
            for option in getattr(slot, "options", ())
            if not (option.why_not or option.pointed)
        )

    @property
    def chosen(self) -> frozenset[Any]:
        found: set[Any] = set()
        for slot in self.slots:
            answer = self.answers.get(slot.name)
            if isinstance(slot, Choose) and slot.rows and answer is not None:
                found.add(answer)
            elif isinstance(slot, Picks):
                found |= set(slot.picked(self.typed)[0] if slot is self.slot else answer or ())
        return frozenset(found)

    def order(self, seed: Callable[[], int] | None = None) -> O:
        facts = dict(self.facts)
        if not callable(self.command.toggles):
            for toggle in self.command.toggles:
                facts.setdefault(toggle.name, False)
        if self.command.seeded:
            assert seed is not None
            facts["seed"] = seed()
        return self.command.make(**facts)

    @cached_property
    def page(self) -> Page:
        preview = self.command.preview
        return preview(self.so_far) if preview else Page("")

    @cached_property
    def outlook(self) -> Outlook | None:
        outlook = self.command.outlook
        return outlook(self.so_far) if outlook else None

    # ------------------------------------------------------------------ keys

    def press(self, key: str) -> Draft[O]:
        """The draft after a key: a character, ``enter``, ``space``, ``tab`` or ``backspace``.
        Raises UnfitAnswer and leaves the draft unchanged."""
        if key == BACKSPACE:
            return self.back()
        slot = self.slot
        if slot is None:
            return self
        if self.refused:
            raise UnfitAnswer(self.refusal)
        if slot.firm and key != ENTER:
            raise UnfitAnswer(f"{slot.question} {slot.hint}")
        if key == ENTER and self.ended:
            return _with(self)
        if key == ENTER:
            return self.confirmed()
        if key == SPACE and not (slot.spaced and self.typed):
            return self.confirmed()
        toggle = self._toggle_of(key)
        if toggle is not None:
            return self.turned(toggle)
        if key == TAB:
            return _with(self, typed=slot.tabbed(self.typed))
        if key == SPACE:
            return self._with_sign(slot, " ")
        if len(key) > 1:
            raise UnfitAnswer((self.question() or slot).hint)
        return self._with_sign(slot, key)

    def _toggle_of(self, key: str) -> Toggle | None:
        """The toggle of a key, unless the key is a character of the next answer."""
        if self.slot is not None and self.slot.written:
            return None
        if self.typed and self.takes(key):
            return None
        for toggle in self.toggles:
            if toggle.key == key:
                return toggle
        return None

    def _with_sign(self, slot: Slot, sign: str) -> Draft[O]:
        """The draft after one more character of the next answer. Raises UnfitAnswer."""
        typed = self.typed + sign
        try:
            answer = slot.parse(typed, False)
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
                return _with(self, refused=str(refusal))
            raise
        if after is not None:
            return after
        if self.ready and self.toggles and sign.isalpha():
            keys = ", ".join(toggle.key for toggle in self.toggles)
            text = f"{sign} changes nothing here; {keys} would. Space goes on, Esc drops it."
            raise UnfitAnswer(text)
        if self._is_of_number(sign):
            return _with(self, refused=str(unfit))
        raise unfit

    def _is_of_number(self, sign: str) -> bool:
        """Whether a refused character is a digit of a number or the letter behind it."""
        slot = self.slot
        if slot is None or not sign.isalnum():
            return False
        return slot.in_number(self.typed) or slot.in_number(self.typed + sign)

    def takes(self, sign: str) -> bool:
        """Whether a character is a sign of the next answer, which comes before any command."""
        return any(slot.takes(sign, self.typed) for slot in self.next_slots())

    def accepts(self, sign: str) -> bool:
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
        """Whether its question is left by Esc only: a player opened the command, so whatever he
        types next is meant as its answer."""
        return bool(self.command.key) and self.slot is not None

    def answered(self, answer: Any) -> Draft[O]:
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
            raise UnfitAnswer(self.refusal)
        for at, slot in enumerate(self.slots):
            if slot is self.slot and isinstance(slot, Picks):
                option = next((one for one in slot.options if one.value == row), None)
                if option is not None:
                    return self.press(option.key)
            if slot.name not in self.answers and _names(slot, row):
                passed = {one.name: None for one in self.slots[:at] if one.name not in self.answers}
                if self.typed and self.slot is not None:
                    passed[self.slot.name] = self.slot.parse(self.typed, True)
                return _with(self, answers={**self.answers, **passed, slot.name: row}, typed="")
            if slot.name not in self.answers and not slot.optional:
                break
        for at in reversed(range(len(self.slots))):
            slot = self.slots[at]
            if slot.name in self.answers and _names(slot, row):
                later = {one.name for one in self.slots[at + 1 :]}
                left = {name: one for name, one in self.answers.items() if name not in later}
                return _with(self, answers={**left, slot.name: row}, typed="")
        assert self.slot is not None
        raise UnfitAnswer(self.slot.question or self.slot.hint)

    def confirmed(self) -> Draft[O]:
        """The draft after Enter or Space: the answer is what is typed, else the proposed one; an
        optional slot is skipped."""
        slot = self.slot
        if slot is None:
            return self
        if self.refused:
            raise UnfitAnswer(self.refusal)
        if self.typed:
            draft = self.answered(slot.parse(self.typed, True))
            after = draft.slot
            if slot.optional and after and not after.optional and after.proposed is not None:
                return draft.confirmed()
            if not slot.optional:
                return draft
        elif slot.optional:
            draft = self.answered(None)
            if draft.slot is not None and not draft.slot.optional:
                return draft.confirmed()
        elif slot.proposed is None:
            raise UnfitAnswer(slot.missing)
        else:
            draft = self.answered(slot.proposed)
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
        filled = [slot for slot in self.slots if slot.name in self.answers]
        stay = set(self.command.given) if filled else set()
        filled, typed = filled[:-1], ""
        while filled and filled[-1].optional and not typed:
            slot = filled.pop()
            answer = self.answers[slot.name]
            typed = str(answer) if isinstance(slot, Number) and answer is not None else ""
        stay |= {slot.name for slot in filled}
        answers = {name: one for name, one in self.answers.items() if name in stay}
        return _with(self, answers=answers, typed=typed, asked=())

    def read(self, words: Sequence[str]) -> Draft[O]:
        """The draft after a line of words, one for each slot, or keys without spaces between them;
        a text takes the rest of the line. Raises UnfitAnswer."""
        draft, rest = self, list(words)
        while rest:
            slot = draft.slot
            if slot is not None and slot.firm:  # what follows belonged to what is refused
                return draft
            toggle = next((one for one in draft.toggles if one.key == rest[0]), None)
            if toggle is not None and not isinstance(slot, Words):
                draft = draft.turned(toggle)
                rest.pop(0)
                continue
            if slot is None:
                raise UnfitAnswer(f"Nothing more is needed after {' '.join(words)!r}.")
            if rest[0] == SPACE and not isinstance(slot, Words):
                draft = draft.confirmed()
                rest.pop(0)
                continue
            count = slot.span(rest)
            draft = draft._read_one(" ".join(rest[:count]))
            del rest[:count]
        return draft

    def _read_one(self, text: str) -> Draft[O]:
        slot = self.slot
        assert slot is not None
        try:
            return self.answered(slot.parse(text, True))
        except UnfitAnswer as unfit:
            if slot.greedy:
                raise
            wrong = unfit
        if (after := self._without()) is not None:
            try:
                return after._read_one(text)
            except UnfitAnswer as unfit:
                wrong = wrong if slot.takes(text[:1]) else unfit
        if text.isdigit():
            raise wrong
        draft = self
        for nth, sign in enumerate(text):
            if draft.whole:
                raise wrong
            if draft.slot is not None and draft.slot.firm:
                return draft
            try:
                draft = draft.press(sign)
            except UnfitAnswer:
                if nth:
                    raise
                raise wrong from None
            if draft.refused:
                raise UnfitAnswer(draft.refused)
        if draft.slot is not None and draft.slot.name == slot.name:
            raise wrong
        return draft

    # ------------------------------------------------------------------ one thing at a time

    @property
    def doubt(self) -> Toggle | None:
        """The toggle with the next question, once the required slots are answered."""
        if any(not slot.optional and slot.name not in self.answers for slot in self.slots):
            return None
        doubts = (one for one in self.toggles if one.asks and one.name not in self.asked)
        return next(doubts, None)

    def question(self) -> Slot | None:
        """The next question where one is asked at a time: a required slot, then each toggle with a
        question; None if only the confirmation is left."""
        if self.doubt is not None:
            return self.doubt.asks
        missing = (slot for slot in self.slots if slot.name not in self.answers)
        return next((slot for slot in missing if not slot.optional), None)

    def reply(self, answer: Any) -> Draft[O]:
        """The draft after the answer to ``question``; after None it is complete."""
        asked = self.question()
        if asked is None:
            return self.confirmed()
        if self.doubt is not None:
            answers = {**self.answers, asked.name: answer}
            return _with(self, answers=answers, asked=(*self.asked, asked.name))
        before = self.slots[: self.slots.index(asked)]
        passed = {slot.name: None for slot in before if slot.name not in self.answers}
        return _with(self, answers={**self.answers, **passed, asked.name: answer}, typed="")

    # ------------------------------------------------------------------ what may come next

    def next_slots(self) -> Iterator[Slot]:
        """The next slot, and those that can be reached from it without Enter."""
        past = bool(self.typed)
        for slot in self.slots:
            if slot.name in self.answers:
                continue
            yield slot
            if past:
                yield from self._slots_after()
                return
            if not slot.optional:
                return

    def _slots_after(self) -> Iterator[Slot]:
        """The slots that can be reached once the typed answer counts as complete."""
        if self.slot is not None and self.slot.written:  # only Enter ends it
            return
        try:
            after = self._without()
        except UnfitAnswer:
            return
        if after is not None:
            yield from after.next_slots()

    def _without(self) -> Draft[O] | None:
        """The draft past an optional slot; None for a required one and for the last."""
        slot = self.slot
        if slot is None or slot.firm or slot is self.slots[-1]:
            return None
        if self.typed:
            return self.answered(slot.parse(self.typed, True))
        if slot.optional:
            return self.answered(None)
        return None if slot.proposed is None else self.answered(slot.proposed)

    def _passed_over(self, key: str) -> Draft[O] | None:
        """The draft where ``key`` begins the answer after an optional one."""
        slot = self.slot
        assert slot is not None
        try:
            after = self._without()
        except UnfitAnswer:
            return None
        if after is None:
            return None
        try:
            return after.press(key)
        except UnfitAnswer:
            if slot.optional and not slot.takes(key):
                raise
            return None


def _names(slot: Slot, row: Any) -> bool:
    return isinstance(slot, Choose) and any(option.value == row for option in slot.options)


def _with(draft: Draft[O], **changes: Any) -> Draft[O]:
    return msgspec.structs.replace(draft, **{"ended": False, "refused": "", **changes})


def _keyed(commands: Sequence[Command[O]], key: str) -> Command[O] | None:
    return next((one for one in commands if one.key == key), None)


def _labelled(commands: Sequence[Command[O]], text: str) -> list[Command[O]]:
    start = text.lower()
    return [one for one in commands if len(text) > 1 and one.label.lower().startswith(start)]


def begun(commands: Sequence[Command[O]], key: str) -> Draft[O]:
    """The command that a key begins: its own, else the first without a key that accepts it as an
    answer. Raises UnfitAnswer."""
    found = _keyed(commands, key)
    wrong: UnfitAnswer | None = None
    refused: Draft[O] | None = None
    for one in commands if found is None else ():
        if not one.key:
            try:
                draft = _allowed(one).press(key)
            except UnfitAnswer as unfit:
                wrong = wrong or unfit
                continue
            if not draft.refused:
                return draft
            refused = refused or draft
    if refused is not None:
        return refused
    if wrong is not None:
        raise wrong
    return _allowed(found or command_of(commands, key))


def _allowed(command: Command[O]) -> Draft[O]:
    if command.why_not:
        raise UnfitAnswer(command.why_not)
    return Draft(command=command)


def read(draft: Draft[O] | None, commands: Sequence[Command[O]], line: str) -> Draft[O]:
    """The draft after a line: a command's key comes first, with or without a space behind it, or
    the beginning of its label, then answers as ``Draft.read`` takes them. An empty line is Enter,
    and so is the word space at a question. A line that is no answer to the question of a command
    leaves it open. Raises UnfitAnswer."""
    words = line.split()
    if not words:
        return pressed(draft, commands, ENTER)
    if draft is not None and draft.slot is not None and draft.slot.firm and not draft.holds:
        draft = None  # another line begins anew
    first, rest = words[0], words[1:]
    if draft is not None:
        if words == [SPACE] and not isinstance(draft.slot, Words):
            return draft.confirmed()
        if rest and draft.holds and first == draft.command.key and not draft.begun:
            return draft.read(rest)  # the command once more, now with its answers
        changes = any(toggle.key == first for toggle in draft.toggles)
        if draft.holds or changes or draft.takes(first[0]):
            return draft.read(words)
    return _read_command(draft, commands, first, rest)


def _read_command(
    draft: Draft[O] | None, commands: Sequence[Command[O]], first: str, rest: Sequence[str]
) -> Draft[O]:
    """The draft after a line that may begin a command. Raises UnfitAnswer."""
    keyed = _keyed(commands, first)
    wrong: UnfitAnswer | None = None
    answers: list[Draft[O]] = []
    if keyed is None and draft is not None:
        answers = [draft]
    elif keyed is None:
        answers = [Draft(command=one) for one in commands if not one.key and not one.why_not]
    for one in answers:
        try:
            return one.read([first, *rest])
        except UnfitAnswer as unfit:
            wrong = wrong or unfit
    if keyed is None and (short := _keyed(commands, first[0])) is not None:
        try:
            return _allowed(short).read([first[1:], *rest])
        except UnfitAnswer:
            labelled = _labelled(commands, first)
            if len(labelled) != 1:
                raise
            keyed = labelled[0]
    if keyed is None and wrong is not None:
        raise wrong
    whole = _allowed(keyed or command_of(commands, first))
    return whole.read(rest) if rest else whole


def pressed(draft: Draft[O] | None, commands: Sequence[Command[O]], key: str) -> Draft[O]:
    """The draft after a key. At a question of the game, a key that no answer accepts begins its
    command instead; the question of a command is not left so. Raises UnfitAnswer."""
    if draft is None:
        return begun(commands, key)
    other = _keyed(commands, key)
    if other is not None and other.after and draft.ready and not draft.takes(key):
        whole = draft.confirmed()
        if why_not := other.after(whole.order()):
            raise UnfitAnswer(why_not)
        return _with(whole, then=key)
    toggles = (one.key for one in draft.toggles)
    stays = draft.holds or draft.takes(key) or key in (ENTER, SPACE, BACKSPACE, *toggles)
    if other is None or stays:
        return draft.press(key)
    return begun(commands, key)


def half_typed(
    draft: Draft[O] | None, commands: Sequence[Command[O]], typed: Sequence[str]
) -> Draft[O] | None:
    """The draft after the stored keys and lines of an earlier session, if none of them gave an
    order; the unchanged draft if one of them is no longer accepted."""
    found = draft
    try:
        for one in typed:
            if one in (ESCAPE, BACKSPACE):
                found = _stepped_back(found, one) or draft
            elif one.endswith("\n"):
                found = read(found, commands, one)
            else:
                found = pressed(found, commands, one)
    except UnfitAnswer:
        return draft
    return draft if found is None or found.whole else found


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
    open_ = [one for one in commands if not one.why_not]
    if text in (ENTER, SPACE):
        found = [one for one in commands if one.key == SPACE] or (open_ if len(open_) == 1 else [])
    else:
        found = [one for one in commands if one.key == text] or _labelled(commands, text)
    if len(found) != 1:
        listed = "; ".join(
            f"{'Space' if one.key == SPACE else one.key} {one.label}" for one in open_
        )
        raise UnfitAnswer(
            f"That means nothing now. {listed}." if listed else "Nothing can be done now."
        )
    return found[0]
