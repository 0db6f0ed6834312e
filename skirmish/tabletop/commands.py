"""Commands and prompts as data: what can be done now, and which answers it still needs.

A command is a key, a label and slots; a prompt is a command that is open already because only the
player can say how the game goes on. From the slots follow the keys of the screen, the line that
shows what is missing, the options greyed with their reason, and the lines of ``skirmish play``.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import msgspec

from skirmish.tabletop.chance import SUITS, Draw, DrawError, lettered, parse_card
from skirmish.tabletop.page import Block, Choice, Choices, Heading, Note, Page, Paragraph

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ENTER, SPACE, BACKSPACE, TAB = "enter", "space", "backspace", "tab"
MOST = 99
"""The highest number before a key."""

Answers: TypeAlias = Mapping[str, Any]
"""Answers by the name of their slot or toggle."""


class UnfitAnswer(ValueError):  # noqa: N818  (a sentence for the player, not a fault)
    """An answer that a slot cannot take; the sentence says what it would take. ``typed``: what
    stays of a typed answer of which a part was taken off; None: it stays as it was."""

    def __init__(self, says: str, typed: str | None = None) -> None:
        super().__init__(says)
        self.typed = typed


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One of the answers to a question. Without a ``key`` it gets a letter; ``note`` stands beside
    the label; with a ``why_not`` it is shown and cannot be chosen. Among several one that ``ends``
    the choice is the whole answer at once. Where numbers are picked, its key alone means ``count``
    of it, and no more than ``most`` can be had."""

    value: Any
    label: str
    key: str = ""
    note: str = ""
    why_not: str = ""
    ends: bool = False
    count: int = 1
    most: int = MOST
    pointed: bool = False
    """It has no key, and can only be pointed at."""
    more: Callable[[], str] | None = None
    """What is worked out only where options are listed, behind the note."""

    @property
    def told(self) -> str:
        """Note and more."""
        return ", ".join(part for part in (self.note, self.more() if self.more else "") if part)


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """One answer that a command needs: its name among the answers, and the question. ``label``
    names it in a form; else its name does. One that is ``optional`` is None where it is passed
    over."""

    name: str
    text: str
    label: str = ""
    optional: bool = False

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

    @property
    def greedy(self) -> bool:
        """Whether the answer may be several words of a line."""
        return self.spaced

    def takes(self, sign: str, typed: str = "") -> bool:
        """Whether a sign after ``typed`` could belong to an answer, so that it means nothing else
        meanwhile."""
        del sign, typed
        return False

    def typed_for(self, answer: Any) -> str:
        """What is typed again when somebody steps back into an answer; empty: nothing of it."""
        del answer
        return ""

    def tabbed(self, typed: str) -> str:
        """What is typed after Tab. Raises UnfitAnswer where that means nothing."""
        del typed
        raise UnfitAnswer(self.hint)

    def so_far(self, typed: str) -> Any:
        """The answer as far as it is typed; None where that is none yet."""
        del typed
        return None

    def shown(self, value: Any) -> str:
        """An answer as the line of the command shows it."""
        return str(value)


class Choose(Slot, frozen=True, kw_only=True):
    """Exactly one of several options. ``rows``: they are rows of the board, where their keys stand.
    ``unknown`` is the sentence for a key that no option has."""

    options: tuple[Option, ...]
    usual: Any = None
    rows: bool = False
    unknown: Callable[[str], str] | None = None

    @property
    def proposed(self) -> Any:
        if self.rows:
            return self.usual
        open_ = [option.value for option in self.options if not option.why_not]
        return open_[0] if len(open_) == 1 else self.usual

    @property
    def hint(self) -> str:
        return "Type its letter." if self.rows else "Type its key."

    def takes(self, sign: str, typed: str = "") -> bool:
        del typed
        return sign in keys_of(self.options)

    def parse(self, typed: str, done: bool) -> Any:
        """By key; where a line is given also by the value, the label or a beginning of it that only
        one has."""
        keyed = keys_of(self.options)
        word = typed.strip()
        chosen = keyed.get(word) or keyed.get(word.lower())
        if chosen is not None and not done:
            longer = any(key != word and key.startswith(word) for key in keyed)
            chosen = None if longer else chosen
        if chosen is None and done:
            chosen = _by_label(self.options, word)
        if chosen is None:
            if not done and any(key.startswith(word) for key in keyed):
                return None
            told = self.unknown(word) if self.unknown else ""
            raise UnfitAnswer(told or f"{self.text} {_offered(self.options)}")
        if chosen.why_not:
            raise UnfitAnswer(chosen.why_not)
        return chosen.value

    def shown(self, value: Any) -> str:
        return next((one.label for one in self.options if one.value == value), str(value))


class ChooseSeveral(Slot, frozen=True, kw_only=True):
    """From ``least`` to ``most`` of several options, as a tuple in the order of choice."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 99
    usual: tuple[Any, ...] | None = None

    @property
    def proposed(self) -> Any:
        return self.usual if self.usual is not None else () if self.least == 0 else None

    @property
    def greedy(self) -> bool:
        return True

    def takes(self, sign: str, typed: str = "") -> bool:
        del typed
        return sign in keys_of(self.options)

    @property
    def hint(self) -> str:
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
        labels = [one.label for one in self.options if one.value in value]
        return ", ".join(labels) or "none"


class Picks(Slot, frozen=True, kw_only=True):
    """Numbers of several rows, as in ``10r2m``: how many by value, in the order of choice. From
    ``least`` to ``most`` in all; ``usual`` is what Enter means where nothing is typed."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 9999
    usual: Mapping[Any, int] | None = None
    usual_text: str = ""
    unknown: Callable[[str], str] | None = None
    check: Callable[[Mapping[Any, int]], None] | None = None
    """Raises UnfitAnswer for rows that do not go together."""

    rows: ClassVar[bool] = True

    @property
    def proposed(self) -> Any:
        return self.usual

    @property
    def greedy(self) -> bool:
        return True

    @property
    def hint(self) -> str:
        first = self.options[0].key if self.options else "r"
        return f"A letter is one of that row, 10{first} are ten. Enter ends the list."

    def takes(self, sign: str, typed: str = "") -> bool:
        del typed
        return sign.isdigit() or sign in keys_of(self.options)

    def picked(self, typed: str) -> tuple[dict[Any, int], str]:
        """What is picked so far, and the digits that wait for their letter. Raises UnfitAnswer."""
        keyed = keys_of(self.options)
        found: dict[Any, int] = {}
        digits = ""
        for sign in typed.replace(" ", "").replace(",", ""):
            if sign.isascii() and sign.isdigit():
                digits = _longer(digits, sign)
                continue
            option = keyed.get(sign)
            if option is None:
                told = self.unknown(sign) if self.unknown else ""
                raise UnfitAnswer(told or f"{self.text} {_offered(self.options)}")
            if option.why_not:
                raise UnfitAnswer(option.why_not)
            before = found.get(option.value, 0)
            count = int(digits) if digits else min(option.count, max(option.most - before, 0))
            if not count and (digits or before < option.most):
                raise UnfitAnswer(f"0 {option.label} change nothing; Esc steps back.")
            if before + count > option.most or not count:
                raise UnfitAnswer(f"There are no more {option.label} here.")
            found[option.value] = before + count
            digits = ""
            if sum(found.values()) > self.most:
                raise UnfitAnswer(
                    f"All {self.most} are chosen: Enter accepts, Backspace takes one back."
                )
            if self.check is not None:
                self.check(found)
        return found, digits

    def so_far(self, typed: str) -> Any:
        return self.picked(typed)[0]

    def parse(self, typed: str, done: bool) -> Any:
        """Enter ends it."""
        found, digits = self.picked(typed)
        if not done:
            return None
        if digits:
            raise UnfitAnswer(f"{digits} of which row? Type its letter.")
        if sum(found.values()) < self.least:
            raise UnfitAnswer(f"{self.text} {self.hint}")
        return found

    def shown(self, value: Any) -> str:
        if not value:
            return self.usual_text or "none"
        labels = {one.value: one.label for one in self.options}
        return ", ".join(f"{count} {labels.get(row, row)}" for row, count in value.items())


class Number(Slot, frozen=True, kw_only=True):
    """A whole number from ``low`` to ``high``."""

    low: int = 0
    high: int = 9999
    usual: int | None = None
    eager: bool = False
    """Whether it is complete as soon as no further digit could follow."""
    too_many: str = ""
    """The sentence for a number beyond ``high``."""

    @property
    def proposed(self) -> Any:
        return self.usual

    @property
    def hint(self) -> str:
        return f"A number from {self.low} to {self.high}."

    def takes(self, sign: str, typed: str = "") -> bool:
        del typed
        return sign.isdigit()

    def typed_for(self, answer: Any) -> str:
        return str(answer)

    def so_far(self, typed: str) -> Any:
        return int(typed) if typed.isdigit() else None

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
            raise UnfitAnswer(self.too_many.format(value) or self.hint)
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
        return self.high > 9

    @property
    def greedy(self) -> bool:
        return True

    @property
    def hint(self) -> str:
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
        return " ".join(map(str, value))


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One of the numbers of a tally, with the letter that goes to it."""

    key: str
    name: str
    label: str


class Tally(Slot, frozen=True, kw_only=True):
    """Several numbers at once, as in ``5a1``: digits belong to the first, or to the letter before
    them; a number typed again counts anew. By name; ``usual`` are those that stand already, and
    ``first`` the sentence where the first number is missing."""

    marks: tuple[Mark, ...]
    usual: Mapping[str, int] = {}
    first: str = ""

    @property
    def greedy(self) -> bool:
        return True

    @property
    def hint(self) -> str:
        letters = ", ".join(f"{one.key} {one.label}" for one in self.marks)
        return f"Digits, or {letters}. Tab goes to the next number; Enter counts."

    @property
    def proposed(self) -> Any:
        return dict(self.usual) if self.marks[0].name in self.usual else None

    def takes(self, sign: str, typed: str = "") -> bool:
        del typed
        return sign.isdigit() or sign == TAB or any(sign == one.key for one in self.marks)

    def numbers(self, typed: str) -> tuple[dict[str, int], str]:
        """The numbers typed so far, and the name of the one that digits go to."""
        found: dict[str, int] = {}
        at = self.marks[0]
        named = {one.key: one for one in self.marks}
        for digits, letter in re.findall(r"([0-9]+)|([^0-9 ])", typed):
            if letter:
                if letter not in named:
                    raise UnfitAnswer(self.hint)
                at = named[letter]
            elif len(digits) > 2:
                raise UnfitAnswer(f"{digits} is too many: {MOST} is the most. Esc steps back.")
            else:
                found[at.name] = int(digits)
        return found, at.name

    def so_far(self, typed: str) -> Any:
        return {**self.usual, **self.numbers(typed)[0]}

    def tabbed(self, typed: str) -> str:
        """To the next number."""
        _, now = self.numbers(typed)
        names = [one.name for one in self.marks]
        return typed + self.marks[(names.index(now) + 1) % len(names)].key

    def parse(self, typed: str, done: bool) -> Any:
        """Enter ends it."""
        found, _ = self.numbers(typed)
        found = {**self.usual, **found}
        if not done:
            return None
        if self.marks[0].name not in found:
            raise UnfitAnswer(self.first or self.hint)
        return found

    def shown(self, value: Any) -> str:
        return ", ".join(f"{value[m.name]} {m.label}" for m in self.marks if m.name in value)


class Either(Slot, frozen=True, kw_only=True):
    """One answer that can be given in several ways: the first of ``ways`` that takes it."""

    ways: tuple[Slot, ...]

    @property
    def options(self) -> tuple[Option, ...]:
        """Those of all ways."""
        return tuple(option for way in self.ways for option in getattr(way, "options", ()))

    @property
    def proposed(self) -> Any:
        return next((way.proposed for way in self.ways if way.proposed is not None), None)

    @property
    def spaced(self) -> bool:
        return any(way.spaced for way in self.ways)

    @property
    def hint(self) -> str:
        return " Or: ".join(way.hint for way in self.ways)

    def takes(self, sign: str, typed: str = "") -> bool:
        return any(way.takes(sign, typed) for way in self.ways)

    def parse(self, typed: str, done: bool) -> Any:
        """As the first that does not refuse it. What is wrong says the last that could begin so."""
        wrong: UnfitAnswer | None = None
        for way in self.ways:
            try:
                return way.parse(typed, done)
            except UnfitAnswer as unfit:
                wrong = unfit if wrong is None or way.takes(typed[:1]) else wrong
        assert wrong is not None
        raise wrong

    def shown(self, value: Any) -> str:
        known = any(option.value == value for option in self.options)
        return self.ways[0 if known else -1].shown(value)


class Cards(Slot, frozen=True, kw_only=True):
    """Cards that the player drew from a deck of his own. ``check`` raises UnfitAnswer for cards
    that cannot have been drawn."""

    count: int = 1
    highest: int = 13
    check: Callable[[tuple[Draw, ...]], None] | None = None

    @property
    def greedy(self) -> bool:
        return True

    def takes(self, sign: str, typed: str = "") -> bool:
        del typed
        return sign.upper() in "AJQKSHDC"

    @property
    def hint(self) -> str:
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
        return self.usual

    @property
    def spaced(self) -> bool:
        return True

    def takes(self, sign: str, typed: str = "") -> bool:
        del sign, typed
        return True

    @property
    def hint(self) -> str:
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
        if self.secret:
            return "written" if value else "nothing"
        return self.write(value)


class Confirm(Slot, frozen=True, kw_only=True):
    """No answer: Enter or Space, so that the command can be looked at and changed before."""

    name: str = "confirm"
    optional: bool = True

    @property
    def hint(self) -> str:
        return self.text

    def parse(self, typed: str, done: bool) -> Any:
        """Nothing is typed."""
        raise UnfitAnswer(self.text)


class Toggle(msgspec.Struct, frozen=True, kw_only=True):
    """What one key changes while a command is put together. It turns a fact of its name on and off;
    with ``sets`` it gives those answers instead, such as the next weapon. ``mark``: it is not as it
    usually is. ``question`` and ``large`` ask for it where one thing is asked at a time; yes means
    that it is marked, or with ``yes_unmarked`` that it is not. With ``options`` one of these is
    the answer instead."""

    name: str
    key: str
    label: str
    sets: Answers | None = None
    mark: bool = False
    question: str = ""
    large: str = ""
    yes_unmarked: bool = False
    options: tuple[Option, ...] = ()

    @property
    def reply(self) -> str:
        """What its question is answered with as it stands."""
        return "yes" if self.mark != self.yes_unmarked else "no"


O = TypeVar("O")  # noqa: E741  (an order)


class Command(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """Something that a player can do now, or could if it were not for ``why_not``.

    ``make`` is given the answers by name, toggles included, and returns the order; those that are
    ``given`` stand unless a toggle changes them. Slots and toggles may follow from the answers so
    far. A command without a key is begun by its first answer; a prompt is one that is open already.
    ``word`` stands on the strip of keys, ``group`` is the heading under which help lists it.
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
    """What the rules look-up calls it."""
    preview: Callable[[Answers], Page] | None = None
    """What it would come to, by the answers so far."""
    verb: str = ""
    """What a key map of the player's own calls it."""
    repeat: bool = False
    """The order is given again until the game stops."""
    reopens: bool = False
    """It is begun again when it was given."""
    after: Callable[[O], str] | None = None
    """Its key gives what is being put together first, if that lacks nothing; why it cannot follow
    such an order, or empty."""
    seeded: bool = False
    """``make`` takes a fresh ``seed`` too."""
    takes_back: bool = False
    """Of a prompt: Esc takes back the order that led to it."""


class Draft(msgspec.Struct, Generic[O], frozen=True, kw_only=True, dict=True):
    """A command being put together: the answers so far, what is typed of the next. ``then`` is the
    key of a command that follows at once; ``asked`` are the toggles that were answered where one
    thing is asked at a time."""

    command: Command[O]
    answers: dict[str, Any] = {}
    typed: str = ""
    then: str = ""
    asked: tuple[str, ...] = ()

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What stands: what was given, and what was answered."""
        return {**self.command.given, **self.answers}

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All of them, by the answers so far."""
        slots = self.command.slots
        return slots(self.facts) if callable(slots) else slots

    @cached_property
    def toggles(self) -> tuple[Toggle, ...]:
        """What keys can change now."""
        toggles = self.command.toggles
        return toggles(self.so_far) if callable(toggles) else toggles

    @cached_property
    def so_far(self) -> Answers:
        slot = self.slot
        found = slot.so_far(self.typed) if slot is not None and self.typed else None
        return self.facts if slot is None or found is None else {**self.facts, slot.name: found}

    @cached_property
    def slot(self) -> Slot | None:
        """The slot that is answered next."""
        return next((slot for slot in self.slots if slot.name not in self.answers), None)

    @property
    def begun(self) -> bool:
        """Whether anything of it can be taken back."""
        return bool(self.answers or self.typed)

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return self.slot is None

    @property
    def text(self) -> str:
        """The question: that of the first answer that cannot be passed over."""
        asked = [slot for slot in self._next_slots() if not slot.optional]
        found = self.slot if self.typed or not asked else asked[0]
        return found.text if found else ""

    @property
    def ready(self) -> bool:
        """Whether nothing is missing but what may be."""
        return all(slot.optional for slot in self.slots if slot.name not in self.answers)

    @property
    def offered(self) -> frozenset[Any]:
        """The rows of the board that the next answer may name."""
        return frozenset(
            option.value
            for slot in self._next_slots()
            if getattr(slot, "rows", False)
            for option in getattr(slot, "options", ())
            if not (option.why_not or option.pointed)
        )

    @property
    def chosen(self) -> frozenset[Any]:
        """The rows of the board that are named so far."""
        found: set[Any] = set()
        for slot in self.slots:
            answer = self.answers.get(slot.name)
            if isinstance(slot, Choose) and slot.rows and answer is not None:
                found.add(answer)
            elif isinstance(slot, Picks):
                found |= set(slot.picked(self.typed)[0] if slot is self.slot else answer or ())
        return frozenset(found)

    def order(self, seed: Callable[[], int] | None = None) -> O:
        """The order; every slot is filled."""
        facts = dict(self.facts)
        if not callable(self.command.toggles):
            for toggle in self.command.toggles:
                facts.setdefault(toggle.name, False)
        if self.command.seeded:
            assert seed is not None
            facts["seed"] = seed()
        return self.command.make(**facts)

    def page(self) -> Page:
        """What it would come to so far; empty where that is not told."""
        preview = self.command.preview
        return preview(self.so_far) if preview else Page("")

    # ------------------------------------------------------------------ keys

    def press(self, key: str) -> Draft[O]:
        """The draft after a key: a character, ``enter``, ``space``, ``tab`` or ``backspace``.
        Raises UnfitAnswer, and the draft is what it was."""
        if key == BACKSPACE:
            return self.back()
        slot = self.slot
        if slot is None:
            return self
        if key == ENTER or (key == SPACE and not (slot.spaced and self.typed)):
            return self.confirmed()
        toggle = next((one for one in self.toggles if one.key == key), None)
        free = not isinstance(slot, Words) and not (self.typed and self.takes(key))
        if toggle is not None and free:
            return self.turned(toggle)
        if key == TAB:
            return _with(self, typed=slot.tabbed(self.typed))
        if len(key) > 1 and key != SPACE:
            raise UnfitAnswer(slot.hint)
        typed = self.typed + (" " if key == SPACE else key)
        try:
            answer = slot.parse(typed, False)
        except UnfitAnswer:
            after = self._passed_over(key)
            if after is not None:
                return after
            if self.ready and self.toggles and key.isalpha():
                keys = ", ".join(one.key for one in self.toggles)
                raise UnfitAnswer(
                    f"{key} changes nothing here; {keys} would. Space goes on, Esc steps back."
                ) from None
            raise
        return _with(self, typed=typed) if answer is None else self.answered(answer)

    def takes(self, sign: str) -> bool:
        return any(slot.takes(sign, self.typed) for slot in self._next_slots())

    def answered(self, answer: Any) -> Draft[O]:
        """The draft with the answer to its next slot."""
        assert self.slot is not None
        return _with(self, answers={**self.answers, self.slot.name: answer}, typed="")

    def turned(self, toggle: Toggle) -> Draft[O]:
        """The draft after a toggle."""
        sets = toggle.sets
        if sets is None:
            sets = {toggle.name: not self.facts.get(toggle.name, False)}
        return _with(self, answers={**self.answers, **sets})

    def picked(self, row: Any) -> Draft[O]:
        """The draft after a row of the board was named otherwise than by its letter: for the next
        slot, else for the last that may name it. Raises UnfitAnswer."""
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
                if isinstance(self.slots[-1], Choose) or at == len(self.slots) - 1:
                    later = later - {slot.name}
                kept = {name: one for name, one in self.answers.items() if name not in later}
                return _with(self, answers={**kept, slot.name: row}, typed="")
        assert self.slot is not None
        raise UnfitAnswer(f"{self.slot.text} {self.slot.hint}")

    def confirmed(self) -> Draft[O]:
        """The draft after Enter or Space: what is typed is the answer, else what is proposed; what
        may be passed over is."""
        slot = self.slot
        if slot is None:
            return self
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
            raise UnfitAnswer(f"{slot.text} {slot.hint}")
        else:
            draft = self.answered(slot.proposed)
        while draft.slot is not None and draft.slot.optional:
            draft = draft.answered(None)
        return draft

    def back(self) -> Draft[O]:
        """One step back: what is typed, sign by sign, then answer by answer with what was changed
        since."""
        if self.typed:
            return _with(self, typed=self.typed[:-1])
        filled = [slot for slot in self.slots if slot.name in self.answers]
        stay = set(self.command.given) if filled else set()
        filled, typed = filled[:-1], ""
        while filled and filled[-1].optional and not typed:
            slot = filled.pop()
            answer = self.answers[slot.name]
            typed = "" if answer is None else slot.typed_for(answer)
        stay |= {slot.name for slot in filled}
        answers = {name: one for name, one in self.answers.items() if name in stay}
        return _with(self, answers=answers, typed=typed, asked=())

    def read(self, words: Sequence[str]) -> Draft[O]:
        """The draft after a line of words, one for each slot, or keys without spaces between them;
        a text takes the rest of the line. Raises UnfitAnswer."""
        draft, rest = self, list(words)
        while rest:
            slot = draft.slot
            toggle = next((one for one in draft.toggles if one.key == rest[0]), None)
            if toggle is not None and not isinstance(slot, Words):
                draft = draft.turned(toggle)
                rest.pop(0)
                continue
            if slot is None:
                raise UnfitAnswer(f"Nothing more is needed after {' '.join(words)!r}.")
            count = len(rest) if slot.greedy else 1
            draft = draft._read_one(" ".join(rest[:count]))
            del rest[:count]
        return draft

    def _read_one(self, said: str) -> Draft[O]:
        slot = self.slot
        assert slot is not None
        try:
            return self.answered(slot.parse(said, True))
        except UnfitAnswer as unfit:
            if slot.greedy:
                raise
            wrong = unfit
        if (after := self._without()) is not None:
            try:
                return after._read_one(said)
            except UnfitAnswer as unfit:
                wrong = wrong if slot.takes(said[:1]) else unfit
        if said.isdigit():
            raise wrong
        draft = self
        for nth, sign in enumerate(said):
            if draft.whole:
                raise wrong
            try:
                draft = draft.press(sign)
            except UnfitAnswer:
                if nth:
                    raise
                raise wrong from None
        return draft

    # ------------------------------------------------------------------ one thing at a time

    def question(self) -> Slot | None:
        """What is asked next where one thing is asked at a time: a slot that cannot be passed over,
        then whatever could be seen otherwise; None: nothing more, only that it be done."""
        for slot in self.slots:
            if slot.name not in self.answers and not slot.optional:
                return slot
        for toggle in self.toggles:
            if toggle.question and toggle.name not in self.asked:
                return Choose(
                    name=toggle.name,
                    text=toggle.question,
                    label=toggle.large,
                    options=toggle.options or YES_NO,
                    usual=None if toggle.options else toggle.reply,
                )
        return None

    def reply(self, answer: Any) -> Draft[O]:
        """The draft after the answer to ``question``; None there: all of it is done."""
        asked = self.question()
        if asked is None:
            return self.confirmed()
        toggle = next((one for one in self.toggles if one.name == asked.name), None)
        if toggle is None or asked in self.slots:
            passed: dict[str, Any] = {}
            for slot in self.slots:
                if slot is asked:
                    break
                if slot.name not in self.answers:
                    passed[slot.name] = None
            return _with(self, answers={**self.answers, **passed, asked.name: answer}, typed="")
        draft = self
        if toggle.options:
            draft = _with(self, answers={**self.answers, toggle.name: answer})
        elif answer != toggle.reply:
            draft = self.turned(toggle)
        return _with(draft, asked=(*self.asked, toggle.name))

    # ------------------------------------------------------------------ what may come next

    def _next_slots(self) -> Iterator[Slot]:
        """The next slot, and those after it as far as they can be reached without Enter."""
        past = bool(self.typed)
        for slot in self.slots:
            if slot.name in self.answers:
                continue
            yield slot
            if not (slot.optional or past):
                return
            past = False

    def _without(self) -> Draft[O] | None:
        """The draft past a slot that need not be typed; None for others, and for the last."""
        slot = self.slot
        if slot is None or slot is self.slots[-1]:
            return None
        if self.typed:
            return self.answered(slot.parse(self.typed, True))
        if slot.optional:
            return self.answered(None)
        return None if slot.proposed is None else self.answered(slot.proposed)

    def _passed_over(self, key: str) -> Draft[O] | None:
        """The draft where ``key`` begins the answer after one that need not be typed."""
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
    return msgspec.structs.replace(draft, **changes)


def _longer(typed: str, digit: str) -> str:
    """A number with one digit more; raises UnfitAnswer beyond 99."""
    longer = (typed + digit).lstrip("0") or "0"
    if int(longer) > MOST:
        raise UnfitAnswer(f"{longer} is too many: {MOST} is the most. Esc steps back.")
    return longer


YES_NO = (Option(value="yes", label="Yes", key="y"), Option(value="no", label="No", key="n"))


def begun(commands: Sequence[Command[O]], key: str) -> Draft[O]:
    """The command that a key begins: its own, else the first without a key that takes it as an
    answer. Raises UnfitAnswer."""
    found = [one for one in commands if one.key == key]
    if found:
        if found[0].why_not:
            raise UnfitAnswer(found[0].why_not)
        return Draft(command=found[0])
    keyless = [one for one in commands if not one.key]
    wrong: UnfitAnswer | None = None
    for one in keyless:
        try:
            if one.why_not:
                raise UnfitAnswer(one.why_not)
            return Draft(command=one).press(key)
        except UnfitAnswer as unfit:
            wrong = wrong or unfit
    if wrong is not None:
        raise wrong
    return Draft(command=command_of(commands, key))


def read(draft: Draft[O] | None, commands: Sequence[Command[O]], line: str) -> Draft[O]:
    """What a line makes of the draft in hand, or of a command that it begins: a command's key comes
    first, with or without a space behind it, then answers as ``Draft.read`` takes them. An empty
    line is Enter. Raises UnfitAnswer."""
    words = line.split()
    if not words:
        return pressed(draft, commands, ENTER)
    keyed = next((one for one in commands if one.key == words[0]), None)
    wrong: UnfitAnswer | None = None
    if draft is not None and not (keyed and not draft.takes(words[0][0])):
        try:
            return draft.read(words)
        except UnfitAnswer as unfit:
            wrong = unfit
    elif draft is None and keyed is None:
        for one in commands:
            if not one.key and not one.why_not:
                try:
                    return Draft(command=one).read(words)
                except UnfitAnswer as unfit:
                    wrong = wrong or unfit
    rest = words[1:]
    if keyed is None:
        keyed = next((one for one in commands if one.key == words[0][0]), None)
        rest = [words[0][1:], *words[1:]]
    if keyed is None:
        if wrong is not None:
            raise wrong
        keyed, rest = command_of(commands, words[0]), words[1:]
    if keyed.why_not:
        raise UnfitAnswer(keyed.why_not)
    whole = Draft(command=keyed)
    return whole.read(rest) if rest else whole


def pressed(draft: Draft[O] | None, commands: Sequence[Command[O]], key: str) -> Draft[O]:
    """What a key makes of the draft in hand, or of a command that it begins instead: a key that no
    answer takes is a command's. Raises UnfitAnswer."""
    if draft is None:
        return begun(commands, key)
    other = next((one for one in commands if one.key == key), None)
    if other is not None and other.after and draft.ready and not draft.takes(key):
        whole = draft.confirmed()
        if why_not := other.after(whole.order()):
            raise UnfitAnswer(why_not)
        return _with(whole, then=key)
    toggles = (one.key for one in draft.toggles)
    if other is None or draft.takes(key) or key in (ENTER, SPACE, BACKSPACE, *toggles):
        return draft.press(key)
    return begun(commands, key)


def keys_of(options: Sequence[Option]) -> dict[str, Option]:
    """Every option by its key: its own, else the first letter that is free."""
    return dict(_keyed(options))


def numbered_options(values: Sequence[tuple[Any, str]]) -> tuple[Option, ...]:
    """Options by their number, as far as that has one digit; a value and a label each."""
    return tuple(
        Option(value=value, label=label, key=str(number) if number < 10 else "")
        for number, (value, label) in enumerate(values, 1)
    )


def _keyed(options: Sequence[Option]) -> list[tuple[str, Option]]:
    """Every option with its key, which several may bear; those without one get a free letter."""
    options = [option for option in options if not option.pointed]
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
    """What it would come to so far, or the answers; the question, its options with their keys."""
    command, slot = draft.command, draft.slot
    blocks: list[Block] = list(draft.page().blocks)
    given = [one.shown(draft.answers[one.name]) for one in draft.slots if _told(one, draft)]
    given += [one.label for one in draft.toggles if _marked(one, draft)]
    if given and not blocks:
        blocks.append(Paragraph(", ".join(given), lead=f"{command.label}:"))
    if slot is None:
        return Page(command.label, tuple(blocks))
    typed = f" {draft.typed}_" if draft.typed else ""
    blocks.append(Paragraph(f"{draft.text}{typed}", tone="strong"))
    options = [option for one in draft._next_slots() for option in getattr(one, "options", ())]
    if options:
        marked = slot.marked(draft.typed) if isinstance(slot, ChooseSeveral) else []
        rows = (
            Choice(key, one.label, one.told, one.why_not, mark=one in marked)
            for key, one in _keyed(options)
        )
        blocks.append(Choices(tuple(rows)))
    if draft.toggles:
        toggles = (Choice(one.key, one.label, mark=_marked(one, draft)) for one in draft.toggles)
        blocks.append(Choices(tuple(toggles)))
    blocks.append(Note(hint_of(draft)))
    return Page(command.label, tuple(blocks))


def hint_of(draft: Draft[Any]) -> str:
    """How the next answer is given, and what Enter does."""
    slot = draft.slot
    if slot is None:
        return ""
    if draft.ready and not draft.typed:
        return f"{slot.hint} Enter: {draft.command.word or draft.command.label.lower()}."
    asked = [one for one in draft._next_slots() if not one.optional]
    if asked and not draft.typed and slot is not asked[0]:
        slot = asked[0]
        return f"{slot.hint} Digits before it: how many.{_usual(slot)}"
    return f"{slot.hint}{_usual(slot)}"


def _usual(slot: Slot) -> str:
    alone = slot.shown(slot.proposed) if slot.proposed is not None else ""
    return f" Enter alone takes {alone}." if alone else ""


def _told(slot: Slot, draft: Draft[Any]) -> bool:
    return draft.answers.get(slot.name) is not None


def _marked(toggle: Toggle, draft: Draft[Any]) -> bool:
    return toggle.mark or (toggle.sets is None and bool(draft.facts.get(toggle.name)))


def commands_page(commands: Sequence[Command[Any]]) -> Page:
    """What can be done now with its keys; what cannot says why. Where some commands are worth a
    word on the strip, only those."""
    keyed = [one for one in commands if one.key]
    listed = [one for one in keyed if one.word] or keyed
    rows = tuple(
        Choice(one.key, one.label, "" if one.word else one.help, one.why_not) for one in listed
    )
    return Page("What can be done now", (Choices(rows),) if rows else ())


def help_page(commands: Sequence[Command[Any]]) -> Page:
    """Every command with its key, under its heading."""
    groups = dict.fromkeys(one.group for one in commands if one.key)
    blocks: list[Block] = []
    for group in groups:
        rows = tuple(
            Choice(one.key, one.help or one.label)
            for one in commands
            if one.group == group and one.key
        )
        blocks += [*([Heading(group)] if group else []), Choices(rows)]
    return Page("What can be done", tuple(blocks))
