"""Commands and prompts as data: what can be done now, and which answers it still needs.

A command is a key, a label and slots; a prompt is a command that is open already because only the
player can say how the game goes on. From the slots follow the keys of the screen, the line that
shows what is missing, the options greyed with their reason, and the lines of ``skirmish play``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from skirmish.tabletop.chance import SUITS, Draw, DrawError, lettered, parse_card
from skirmish.tabletop.page import Block, Choice, Choices, Note, Page, Paragraph

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ENTER, SPACE, BACKSPACE = "enter", "space", "backspace"


class UnfitAnswer(ValueError):  # noqa: N818  (a sentence for the player, not a fault)
    """An answer that a slot cannot take; the sentence says what it would take. ``typed``: what
    stays of a typed answer of which a part was taken off; None: it stays as it was."""

    def __init__(self, says: str, typed: str | None = None) -> None:
        super().__init__(says)
        self.typed = typed


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One of the answers to a question. Without a ``key`` it gets a letter; ``note`` stands beside
    the label; with a ``why_not`` it is shown and cannot be chosen. Among several one that ``ends``
    the choice is the whole answer at once."""

    value: Any
    label: str
    key: str = ""
    note: str = ""
    why_not: str = ""
    ends: bool = False


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """One answer that a command needs: its name among the answers, and the question. ``label``
    names it in a form; else its name does."""

    name: str
    text: str
    label: str = ""

    @property
    def proposed(self) -> Any:
        """The answer that Enter gives where nothing was typed; None: there is none."""
        return None

    @abstractmethod
    def parse(self, typed: str, done: bool) -> Any:
        """The answer that ``typed`` stands for, or None while it may go on. ``done``: Enter was
        pressed, or the whole line was given. Raises UnfitAnswer."""

    @property
    @abstractmethod
    def hint(self) -> str:
        """How it is answered, in a few words."""

    @property
    def spaced(self) -> bool:
        """Whether a space belongs to the answer, and does not end it."""
        return False

    def takes(self, sign: str) -> bool:
        """Whether a letter could belong to an answer, so that it means nothing else meanwhile."""
        del sign
        return False

    def shown(self, value: Any) -> str:
        """An answer as the line of the command shows it."""
        return str(value)


class Choose(Slot, frozen=True, kw_only=True):
    """Exactly one of several options."""

    options: tuple[Option, ...]
    usual: Any = None

    @property
    def proposed(self) -> Any:
        """The usual answer; the only one where no other can be chosen."""
        open_ = [option.value for option in self.options if not option.why_not]
        return open_[0] if len(open_) == 1 else self.usual

    @property
    def hint(self) -> str:
        """The keys."""
        return "Type its key."

    def takes(self, sign: str) -> bool:
        """The keys of the options."""
        return sign in keys_of(self.options)

    def parse(self, typed: str, done: bool) -> Any:
        """By key; where a line is given also by the value, the label or a beginning of it that only
        one has."""
        keyed = keys_of(self.options)
        word = typed.strip()
        chosen = keyed.get(word) or keyed.get(word.lower())
        if chosen is None and done:
            chosen = _by_label(self.options, word)
        if chosen is None:
            if not done and any(key.startswith(word) for key in keyed):
                return None
            raise UnfitAnswer(f"{self.text} {_offered(self.options)}")
        if chosen.why_not:
            raise UnfitAnswer(chosen.why_not)
        return chosen.value

    def shown(self, value: Any) -> str:
        """The label."""
        return next((one.label for one in self.options if one.value == value), str(value))


class ChooseSeveral(Slot, frozen=True, kw_only=True):
    """From ``least`` to ``most`` of several options, as a tuple in the order of choice."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 99
    usual: tuple[Any, ...] | None = None

    @property
    def proposed(self) -> Any:
        """The usual answer; none of them where that is enough."""
        return self.usual if self.usual is not None else () if self.least == 0 else None

    def takes(self, sign: str) -> bool:
        """The keys of the options."""
        return sign in keys_of(self.options)

    @property
    def hint(self) -> str:
        """How many."""
        span = f"{self.least} to {self.most}" if self.least else f"up to {self.most}"
        span = f"{self.least}" if self.least == self.most else span
        return f"Choose {span}, then press Enter."

    def marked(self, typed: str) -> list[Option]:
        """What a row of keys marks: each key the next option that bears it, and when all are marked
        none of them any more. Raises UnfitAnswer."""
        chosen: list[Option] = []
        for key in typed.replace(",", "").replace(" ", ""):
            bear = [one for at, one in _keyed(self.options) if key in (at, at.upper())]
            exact = [one for at, one in _keyed(self.options) if key == at]
            bear = exact or bear
            if not bear:
                raise UnfitAnswer(f"{self.text} {_offered(self.options)}")
            if bear[0].why_not:
                raise UnfitAnswer(bear[0].why_not)
            fresh = [one for one in bear if one not in chosen]
            chosen = [*chosen, fresh[0]] if fresh else [one for one in chosen if one not in bear]
        return chosen

    def parse(self, typed: str, done: bool) -> Any:
        """Keys as ``marked`` reads them."""
        chosen = self.marked(typed)
        if chosen and chosen[-1].ends:
            return (chosen[-1].value,)
        if len(chosen) > self.most:
            raise UnfitAnswer(f"Choose at most {self.most}; Backspace takes a mark back.")
        if done and len(chosen) < self.least:
            raise UnfitAnswer(f"Choose {self.least - len(chosen)} more.")
        return tuple(one.value for one in chosen) if done else None

    def shown(self, value: Any) -> str:
        """The labels."""
        labels = [one.label for one in self.options if one.value in value]
        return ", ".join(labels) or "none"


class Number(Slot, frozen=True, kw_only=True):
    """A whole number from ``low`` to ``high``."""

    low: int = 0
    high: int = 9999
    usual: int | None = None
    eager: bool = False
    """Whether it is complete as soon as no further digit could follow."""

    @property
    def proposed(self) -> Any:
        """The usual number."""
        return self.usual

    @property
    def hint(self) -> str:
        """The range."""
        return f"A number from {self.low} to {self.high}."

    def parse(self, typed: str, done: bool) -> Any:
        """A number of one digit is complete at once; else Enter or the next answer ends it."""
        word = typed.strip()
        sign, digits = ("-", word[1:]) if word[:1] in ("-", "–") else ("", word)
        if sign and not digits and not done and self.low < 0:
            return None
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
            raise UnfitAnswer(self.hint)
        value = int(sign + digits)
        if value > max(self.high, 0) or value < min(self.low, 0):
            raise UnfitAnswer(self.hint)
        ends = self.high < 10 or (self.eager and value * 10 > self.high)
        if done or (ends and self.low > -1):
            if not self.low <= value <= self.high:
                raise UnfitAnswer(self.hint)
            return value
        return None


class Dice(Slot, frozen=True, kw_only=True):
    """What the player's own dice show: ``count`` faces from ``low`` to ``high``."""

    count: int = 1
    low: int = 1
    high: int = 6

    @property
    def spaced(self) -> bool:
        """Between faces that may have two digits."""
        return self.high > 9

    @property
    def hint(self) -> str:
        """What a die shows."""
        dice = "The die shows" if self.count == 1 else f"Each of the {self.count} dice shows"
        return f"{dice} {self.low} to {self.high}."

    def parse(self, typed: str, done: bool) -> Any:
        """Digit by digit where a face has one digit, else with spaces between the faces."""
        words = typed.split() if self.high > 9 else list(typed.replace(" ", "").replace(",", ""))
        if any(not (word.isascii() and word.isdigit()) for word in words):
            raise UnfitAnswer(self.hint)
        faces = tuple(int(word) for word in words)
        if len(faces) > self.count or any(not self.low <= face <= self.high for face in faces):
            raise UnfitAnswer(self.hint)
        if len(faces) < self.count:
            if done:
                raise UnfitAnswer(f"{self.count - len(faces)} more to come. {self.hint}")
            return None
        single = self.high > 9 and faces[-1] * 10 <= self.high and not typed.endswith(" ")
        return None if single and not done else faces

    def shown(self, value: Any) -> str:
        """The faces."""
        return " ".join(map(str, value))


class Cards(Slot, frozen=True, kw_only=True):
    """Cards that the player drew from a deck of his own. ``check`` raises UnfitAnswer for cards
    that cannot have been drawn."""

    count: int = 1
    highest: int = 13
    check: Callable[[tuple[Draw, ...]], None] | None = None

    def takes(self, sign: str) -> bool:
        """Ranks and suits."""
        return sign.upper() in "AJQKSHDC"

    @property
    def hint(self) -> str:
        """How a card is written."""
        return "The rank, then the suit: 7H, QS, 10D."

    def parse(self, typed: str, done: bool) -> Any:
        """The suit ends each card."""
        signs = lettered(typed).upper().replace(" ", "").replace(",", "")
        cards: list[Draw] = []
        word = ""
        for sign in signs:
            word += sign
            if sign in SUITS:
                try:
                    cards.append(parse_card(word, self.highest))
                except DrawError as error:
                    raise UnfitAnswer(f"{error}.") from None
                word = ""
        if word and word != "1" and word not in ("10", *"A23456789JQK"):
            raise UnfitAnswer(self.hint)
        if len(cards) > self.count:
            raise UnfitAnswer(f"{self.count} are wanted, not {len(cards)}.")
        if self.check is not None:
            try:
                self.check(tuple(cards))
            except UnfitAnswer as unfit:
                raise UnfitAnswer(str(unfit), "".join(map(str, cards[:-1]))) from None
        if len(cards) == self.count and not word:
            return tuple(cards)
        if done:
            raise UnfitAnswer(f"{self.count - len(cards)} more to come. {self.hint}")
        return None

    def shown(self, value: Any) -> str:
        """The cards."""
        return " ".join(map(str, value))


class Words(Slot, frozen=True, kw_only=True):
    """A text of the player's own. ``read`` makes the answer of it, or raises UnfitAnswer, and
    ``write`` is the way back; a ``secret`` is never shown once it is written."""

    longest: int = 60
    usual: Any = None
    read: Callable[[str], Any] | None = None
    write: Callable[[Any], str] = str
    secret: bool = False

    @property
    def proposed(self) -> Any:
        """The usual text."""
        return self.usual

    @property
    def spaced(self) -> bool:
        """Between words."""
        return True

    def takes(self, sign: str) -> bool:
        """Everything."""
        return True

    @property
    def hint(self) -> str:
        """How it ends."""
        return "Type it, then press Enter."

    def parse(self, typed: str, done: bool) -> Any:
        """Enter ends it."""
        if len(typed.strip()) > self.longest:
            raise UnfitAnswer(
                f"At most {self.longest} characters, please; this has {len(typed.strip())}."
            )
        if not done:
            return None
        if self.read is not None:
            return self.read(typed)
        if not typed.strip():
            raise UnfitAnswer(self.hint)
        return typed.strip()

    def shown(self, value: Any) -> str:
        """As it can be typed again."""
        if self.secret:
            return "written" if value else "nothing"
        return self.write(value)


class Toggle(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that one key turns on and off while a command is put together."""

    name: str
    key: str
    label: str


O = TypeVar("O")  # noqa: E741  (an order)


class Command(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """Something that a player can do now, or could if it were not for ``why_not``.

    ``make`` is given the answers by name, toggles included, and returns the order. ``group`` is the
    heading under which help lists it; ``repeat``: the order is given again until the game stops.
    A prompt is a command without a key.
    """

    label: str
    make: Callable[..., O]
    key: str = ""
    slots: tuple[Slot, ...] = ()
    toggles: tuple[Toggle, ...] = ()
    why_not: str = ""
    group: str = ""
    help: str = ""
    repeat: bool = False


class Draft(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """A command being put together: the answers so far, what is typed of the next, toggles on."""

    command: Command[O]
    answers: tuple[Any, ...] = ()
    typed: str = ""
    on: frozenset[str] = frozenset()

    @property
    def slot(self) -> Slot | None:
        """The slot that is answered next."""
        slots = self.command.slots
        return slots[len(self.answers)] if len(self.answers) < len(slots) else None

    @property
    def begun(self) -> bool:
        """Whether anything of it can be taken back."""
        return bool(self.answers or self.typed or self.on)

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return self.slot is None

    def order(self) -> O:
        """The order; every slot is filled."""
        names = [slot.name for slot in self.command.slots]
        answers = dict(zip(names, self.answers, strict=True))
        toggles = {one.name: one.name in self.on for one in self.command.toggles}
        return self.command.make(**answers, **toggles)

    def press(self, key: str) -> Draft[O]:
        """The draft after a key: a character, ``enter``, ``space`` or ``backspace``. Raises
        UnfitAnswer, and the draft is what it was."""
        slot = self.slot
        if key == BACKSPACE:
            return self._back()
        if slot is None:
            return self
        if key == ENTER or (key == SPACE and not (slot.spaced and self.typed)):
            return self._confirm(slot)
        if not self.typed and not isinstance(slot, Words):
            for toggle in self.command.toggles:
                if toggle.key == key:
                    return _with(self, on=self.on ^ {toggle.name})
        typed = self.typed + (" " if key == SPACE else key)
        try:
            answer = slot.parse(typed, False)
        except UnfitAnswer:
            proposed = self._proposed_before(slot, key)
            if proposed is None:
                raise
            return proposed
        return _with(self, typed=typed) if answer is None else self.answered(answer)

    def answered(self, answer: Any) -> Draft[O]:
        """The draft with the answer to its next slot."""
        return _with(self, answers=(*self.answers, answer), typed="")

    def read(self, words: Sequence[str]) -> Draft[O]:
        """The draft after a line of words, one for each slot; a text, or several things at the end,
        take the rest of the line. Raises UnfitAnswer."""
        draft, rest = self, list(words)
        toggles = {one.key: one.name for one in self.command.toggles}
        while rest:
            slot = draft.slot
            if slot is None or (rest[0] in toggles and not isinstance(slot, Words)):
                if rest[0] not in toggles:
                    raise UnfitAnswer(f"Nothing more is needed after {' '.join(words)!r}.")
                draft = _with(draft, on=draft.on ^ {toggles[rest.pop(0)]})
                continue
            several = isinstance(slot, Words | Dice | Cards | ChooseSeveral)
            last = slot is self.command.slots[-1] or isinstance(slot, Words)
            count = len(rest) if several and last else 1
            said = " ".join(rest[:count])
            del rest[:count]
            draft = draft.answered(slot.parse(said, True))
        return draft

    def _confirm(self, slot: Slot) -> Draft[O]:
        if self.typed:
            return self.answered(slot.parse(self.typed, True))
        if slot.proposed is None:
            raise UnfitAnswer(f"{slot.text} {slot.hint}")
        return self.answered(slot.proposed)

    def _proposed_before(self, slot: Slot, key: str) -> Draft[O] | None:
        """The draft where ``key`` begins the answer after one that need not be typed."""
        if len(self.answers) + 1 >= len(self.command.slots) or not (
            self.typed or slot.proposed is not None
        ):
            return None
        try:
            before = self._confirm(slot) if self.typed else self.answered(slot.proposed)
            return before.press(key)
        except UnfitAnswer:
            return None

    def _back(self) -> Draft[O]:
        if self.typed:
            return _with(self, typed=self.typed[:-1])
        return _with(self, answers=self.answers[:-1])


def _with(draft: Draft[O], **changes: Any) -> Draft[O]:
    return msgspec.structs.replace(draft, **changes)


def keys_of(options: Sequence[Option]) -> dict[str, Option]:
    """Every option by its key: its own, else the first letter that is free."""
    return dict(_keyed(options))


def _keyed(options: Sequence[Option]) -> list[tuple[str, Option]]:
    """Every option with its key, which several may bear; those without one get a free letter."""
    taken = {option.key for option in options if option.key}
    free = (letter for letter in _letters() if letter not in taken)
    return [(option.key or next(free), option) for option in options]


def _letters() -> Iterator[str]:
    yield from LETTERS
    yield from LETTERS.upper()
    yield from (f"{first}{second}" for first in LETTERS for second in LETTERS)


def _by_label(options: Sequence[Option], word: str) -> Option | None:
    lowered = word.casefold()
    found = [one for one in options if lowered in (one.label.casefold(), str(one.value))] or [
        one for one in options if lowered and one.label.casefold().startswith(lowered)
    ]
    return found[0] if len(found) == 1 else None


def _offered(options: Sequence[Option]) -> str:
    known = _keyed(options)
    return "; ".join(f"{key} {one.label}" for key, one in known if not one.why_not) + "."


def command_of(commands: Sequence[Command[O]], said: str) -> Command[O]:
    """The command that a key or the beginning of a label means; Enter and Space mean the one that
    has Space as its key, else the only one that can be given. Raises UnfitAnswer."""
    open_ = [one for one in commands if not one.why_not]
    if said in (ENTER, SPACE):
        found = [one for one in commands if one.key == SPACE] or (open_ if len(open_) == 1 else [])
    else:
        found = [one for one in commands if one.key == said] or [
            one for one in commands if len(said) > 1 and one.label.lower().startswith(said.lower())
        ]
    if len(found) != 1:
        listed = "; ".join(f"{one.key} {one.label}" for one in open_)
        raise UnfitAnswer(
            f"That means nothing now. {listed}." if listed else "Nothing can be done now."
        )
    if found[0].why_not:
        raise UnfitAnswer(found[0].why_not)
    return found[0]


# ------------------------------------------------------------------ as pages


def draft_page(draft: Draft[Any]) -> Page:
    """What is still wanted: the answers so far, the question, its options with their keys."""
    command, slot = draft.command, draft.slot
    blocks: list[Block] = []
    if draft.answers or draft.on:
        given = [
            one.shown(answer) for one, answer in zip(command.slots, draft.answers, strict=False)
        ]
        given += [one.label for one in command.toggles if one.name in draft.on]
        blocks.append(Paragraph(", ".join(given), lead=f"{command.label}:"))
    if slot is None:
        return Page(command.label, tuple(blocks))
    typed = f" {draft.typed}_" if draft.typed else ""
    blocks.append(Paragraph(f"{slot.text}{typed}", tone="strong"))
    if isinstance(slot, Choose | ChooseSeveral):
        marked = slot.marked(draft.typed) if isinstance(slot, ChooseSeveral) else []
        rows = (
            Choice(key, one.label, one.note, one.why_not, mark=one in marked)
            for key, one in _keyed(slot.options)
        )
        blocks.append(Choices(tuple(rows)))
    if command.toggles:
        toggles = (Choice(one.key, one.label, mark=one.name in draft.on) for one in command.toggles)
        blocks.append(Choices(tuple(toggles)))
    alone = slot.shown(slot.proposed) if slot.proposed is not None else ""
    usual = f" Enter alone takes {alone}." if alone else ""
    blocks.append(Note(f"{slot.hint}{usual}"))
    return Page(command.label, tuple(blocks))


def commands_page(commands: Sequence[Command[Any]]) -> Page:
    """What can be done now with its keys; what cannot says why."""
    rows = tuple(Choice(one.key, one.label, one.help, one.why_not) for one in commands)
    return Page("What can be done now", (Choices(rows),) if rows else ())
