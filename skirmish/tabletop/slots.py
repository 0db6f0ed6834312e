"""The answers that a command or a set-up needs, as data: how each is asked for, read and shown."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from skirmish.tabletop.refusal import Refusal

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ENTER, SPACE, BACKSPACE, TAB, ESCAPE = "enter", "space", "backspace", "tab", "escape"
MOST = 99
"""The highest number before a key."""
ESC_DROPS = "Esc drops it."
TYPE_IT = "Type it, then press Enter."
TOO_MANY = f"{{}} is too many: {MOST} is the most."
SEARCH = "/"
"""Begins a part of a name, where there are more options than letters."""
LISTED = 60
"""The most of so many options that are listed at once."""


class UnfitAnswer(ValueError):  # noqa: N818  (a sentence for the player, not a fault)
    """An answer that a slot refuses; the sentence includes what it accepts. ``typed``: the rest of
    a typed answer after a part was removed; None: unchanged."""

    def __init__(self, message: str, typed: str | None = None) -> None:
        super().__init__(message)
        self.typed = typed


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One of the answers to a question. Without a ``key`` it gets a letter; ``note`` stands beside
    the label; with a ``why_not`` it is shown and cannot be chosen. Among several, one that ``ends``
    the choice is the whole answer. Where numbers are picked, its key alone means ``count`` of it,
    and ``most`` is the maximum."""

    value: Any
    label: str
    key: str = ""
    note: str = ""
    why_not: str = ""
    ends: bool = False
    count: int = 1
    most: int = MOST
    called: str = ""
    """A name with a capital letter, such as that of a hex, by which it may be typed too."""
    pointed: bool = False
    """It has no key, and can only be pointed at."""
    more: Callable[[], str] | None = None
    """An addition to the note, computed only where options are listed."""
    against: Callable[[], Refusal | None] | None = None
    """What speaks against it, computed only where options are buttons: a firm refusal makes it
    impossible, another one is advice."""

    @property
    def reason(self) -> str:
        """Of a ``why_not`` that begins with the label the rest: ``has just landed``."""
        if not self.why_not.startswith(f"{self.label} "):
            return ""
        return self.why_not.removeprefix(f"{self.label} ").removesuffix(".")

    @property
    def remark(self) -> str:
        return ", ".join(part for part in (self.note, self.more() if self.more else "") if part)


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """One answer that a command needs: its name among the answers, and the question, of which the
    ``large`` words stand before the ``text`` in large letters, and ``key_note`` behind it is about
    keys, so that a phone leaves it out. ``label`` (default: the name) names it in a form. An
    ``optional`` answer is None if skipped."""

    firm: ClassVar[bool] = False
    """Whether only Enter answers it, and every other key is refused."""
    written: ClassVar[bool] = False
    """Whether it is written in a field, in which keys edit the text, and only Enter ends it."""

    name: str
    text: str = ""
    large: str = ""
    key_note: str = ""
    label: str = ""
    optional: bool = False
    default: Any = None

    @property
    def question(self) -> str:
        """The whole question on one line, for those who have keys."""
        question = self.text
        if self.large:
            question = f"{self.large}  {question}".rstrip()
        if self.key_note:
            question = f"{question} {self.key_note}".lstrip()
        return question

    @property
    def proposed(self) -> Any:
        """The answer of Enter where nothing was typed; None: there is none."""
        return self.default

    @abstractmethod
    def parse(self, typed: str, done: bool) -> Any:
        """The answer for ``typed``, or None while it may continue. ``done``: Enter was pressed, or
        the whole line was given. Raises UnfitAnswer."""

    @property
    def accepts(self) -> str:
        """What is an answer, in a few words."""
        return ""

    @property
    def key_hint(self) -> str:
        """Which keys answer, in a few words; a phone leaves them out."""
        return ""

    @property
    def hint(self) -> str:
        """How to answer, in a few words."""
        return f"{self.accepts} {self.key_hint}".strip()

    @property
    def missing(self) -> str:
        """What Enter says where nothing was typed and nothing is proposed."""
        return self.question or self.hint

    @property
    def spaced(self) -> bool:
        return False

    @property
    def greedy(self) -> bool:
        """Whether the answer may be several words of a line."""
        return self.spaced

    def span(self, words: Sequence[str]) -> int:
        """How many words at the beginning of a line are its answer."""
        return len(words) if self.greedy else 1

    @property
    def touch(self) -> tuple[tuple[str, str], ...]:
        """What a touch screen's keys type, with their labels; a line break ends the answer."""
        return ()

    def takes(self, sign: str, typed: str = "") -> bool:
        """Whether a character after ``typed`` is a sign of this slot's answers, also of one that
        cannot be given now; a command with that key waits meanwhile."""
        return False

    def in_number(self, typed: str) -> bool:
        """Whether a typed text ends in a number that another key continues or ends."""
        return False

    def tabbed(self, typed: str) -> str:
        """The typed text after Tab. Raises UnfitAnswer where Tab has no meaning."""
        raise UnfitAnswer("Tab leads no further here.")

    def so_far(self, typed: str) -> Any:
        """The answer for an unfinished text; None if there is none yet."""
        return None

    def echo(self, typed: str) -> str:
        return typed

    def shown(self, value: Any) -> str:
        """The answer on the line of the command."""
        return str(value)


class Choose(Slot, frozen=True, kw_only=True, dict=True):
    """Exactly one of several options. ``rows``: they are rows of the board, which shows their keys.
    ``unknown`` is the sentence for an unknown key, ``keys`` the way to answer if it is not the
    letter alone. ``many``: there are more than letters, so they are found by typing.
    ``by_key_only``: it must not be answered by an Enter that was typed for something else, so no
    line is marked before the player marks one."""

    options: tuple[Option, ...]
    rows: bool = False
    unknown: Callable[[str], str] | None = None
    keys: str = ""
    by_key_only: bool = False

    @property
    def proposed(self) -> Any:
        if self.rows:
            return self.default
        open_ = [option.value for option in self.options if not option.why_not]
        return open_[0] if len(open_) == 1 else self.default

    @property
    def many(self) -> bool:
        return len(self.options) > len(LETTERS)

    @cached_property
    def by_key(self) -> dict[str, Option]:
        return keys_of(self.options)

    def span(self, words: Sequence[str]) -> int:
        return _span_of_label(self.options, words)

    @property
    def key_hint(self) -> str:
        if self.many:
            return f"Type its letters, or {SEARCH} and a part of its name."
        return self.keys or ("Type its letter." if self.rows else "Type its key.")

    @property
    def missing(self) -> str:
        if self.by_key_only:
            return f"{self.question} {self.hint}"
        return super().missing

    def takes(self, sign: str, typed: str = "") -> bool:
        if self.many and (typed or sign == SEARCH):
            return True
        named = not self.optional and _named(self.options, typed + sign)
        return bool(named) or any(key.startswith(sign) for key in self.by_key)

    def listed(self, typed: str) -> list[tuple[str, Option]]:
        """The options with their keys; of many those that fit what is typed and can be chosen."""
        if not self.many:
            return list(self.by_key.items())
        if typed.startswith(SEARCH):
            return [pair for pair in self.by_key.items() if _has(pair[1], typed[1:])]
        return [pair for pair in self.by_key.items()
                if pair[0].startswith(typed) and not pair[1].why_not]  # fmt: skip

    def _found(self, part: str, done: bool) -> Option | None:
        """The only option with this part of a name, once it is ``done``. Raises UnfitAnswer."""
        found = [one for one in self.options if _has(one, part)]
        same = [one for one in found if one.label.casefold() == part.casefold()]
        if not found:
            raise UnfitAnswer(f"No name here contains “{part}”.")
        if done and len(same or found) > 1:
            raise UnfitAnswer(f"{len(found)} names contain “{part}”; type more of it.")
        return (same or found)[0] if done else None

    def parse(self, typed: str, done: bool) -> Any:
        """By key, or by a part of the label behind ``/``; in a whole line also by the value, the
        label or a unique beginning of it."""
        keyed = self.by_key
        if not self.optional:
            keyed = {**dict(_named(self.options)), **self.by_key}
        word = typed.strip()
        # A hex begins with a capital letter, which is not the key of the small one.
        hex_begun = any(one.called.startswith(word) for one in self.options if one.called and word)
        chosen = keyed.get(word)
        if chosen is None and not hex_begun:
            chosen = keyed.get(word.lower())
        if chosen is None and self.many and word.startswith(SEARCH):
            chosen = self._found(word[1:], done)
            if chosen is None:
                return None
        if chosen is not None and not done:
            # A key is complete at once; a name that another one continues is not.
            others = self.by_key if word in self.by_key else keyed
            longer = any(key != word and key.startswith(word) for key in others)
            chosen = None if longer else chosen
        if chosen is None and done:
            chosen = _by_label(self.options, word)
        if chosen is None:
            beginnings = (word,) if hex_begun else (word, word.lower())
            if not done and any(key.startswith(beginnings) for key in keyed):
                return None
            text = self.unknown(word) if self.unknown else ""
            offered = self.hint if self.many else _offered(self.options)
            raise UnfitAnswer(text or f"{self.question} {offered}")
        if chosen.why_not:
            raise UnfitAnswer(chosen.why_not)
        return chosen.value

    def turned(self, value: Any, step: int) -> Any:
        """The next answer that can be chosen, the first again after the last."""
        at = [one.value for one in self.options].index(value)
        for _ in self.options:
            at = (at + step) % len(self.options)
            if not self.options[at].why_not:
                break
        return self.options[at].value

    def shown(self, value: Any) -> str:
        return next((one.label for one in self.options if one.value == value), str(value))


class ChooseSeveral(Slot, frozen=True, kw_only=True):
    """From ``least`` to ``most`` of several options, as a tuple in the order of choice."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 99

    greedy: ClassVar[bool] = True

    @property
    def proposed(self) -> Any:
        return self.default if self.default is not None else () if self.least == 0 else None

    def takes(self, sign: str, typed: str = "") -> bool:
        named = _named(self.options, self.marked(typed)[1] + sign)
        return bool(named) or any(sign in key for key in keys_of(self.options))

    @property
    def key_hint(self) -> str:
        most = min(self.most, len(self.options))
        least = f"{self.least} to " if self.least else "up to "
        return f"Choose {least * (self.least < most)}{most}, then press Enter."

    def marked(self, typed: str) -> tuple[list[Option], str]:
        """The options that a row of keys selects, and the unfinished key at its end: each key the
        next option of that key, and once all are selected none of them. Raises UnfitAnswer."""
        chosen: list[Option] = []
        pairs, key = [*keyed(self.options), *_named(self.options)], ""
        for sign in typed.replace(",", "").replace(" ", ""):
            key += sign
            exact = [one for at, one in pairs if key == at]
            matching = exact or [one for at, one in pairs if key.lower() == at]
            if not matching and any(at.startswith((key, key.lower())) for at, _ in pairs):
                continue
            key = ""
            if not matching:
                raise UnfitAnswer(f"{self.question} {_offered(self.options)}")
            if matching[0].why_not:
                raise UnfitAnswer(matching[0].why_not)
            fresh = [one for one in matching if one not in chosen]
            chosen = (
                [*chosen, fresh[0]] if fresh else [one for one in chosen if one not in matching]
            )
        return chosen, key

    def parse(self, typed: str, done: bool) -> Any:
        try:
            chosen, rest = self.marked(typed)
        except UnfitAnswer:
            # Keys come first; a line may have the labels instead, as they are shown.
            labelled = _all_by_label(self.options, typed) if done else []
            if not labelled:
                raise
            chosen, rest = labelled, ""
            _refuse_disabled(chosen)
        if done and rest:
            raise UnfitAnswer(f"Type the rest of “{rest}”, or its letter.")
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
    """Numbers of several rows, as in ``10r2m``: the count of each value, in the order of choice.
    From ``least`` to ``most`` in all; ``default`` is the answer of Enter alone."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 9999
    default_text: str = ""
    unknown: Callable[[str], str] | None = None
    check: Callable[[Mapping[Any, int]], None] | None = None
    """Raises UnfitAnswer for rows that cannot be combined."""

    rows: ClassVar[bool] = True
    greedy: ClassVar[bool] = True

    @property
    def key_hint(self) -> str:
        first = self.options[0].key if self.options else "r"
        return f"A letter picks one of that row, 10{first} ten. Enter ends the list."

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.isdigit() or sign in keys_of(self.options)

    def in_number(self, typed: str) -> bool:
        return typed[-1:].isdigit()

    def picked(self, typed: str) -> tuple[dict[Any, int], str]:
        """The picks so far, and the digits before a missing letter. Raises UnfitAnswer."""
        keyed = keys_of(self.options)
        found: dict[Any, int] = {}
        digits = ""
        for sign in typed.replace(" ", "").replace(",", ""):
            if sign.isascii() and sign.isdigit():
                digits = _longer(digits, sign)
                continue
            option = keyed.get(sign)
            if option is None:
                text = self.unknown(sign) if self.unknown else ""
                raise UnfitAnswer(text or f"{self.question} {_offered(self.options)}")
            if option.why_not:
                raise UnfitAnswer(option.why_not)
            before = found.get(option.value, 0)
            count = int(digits) if digits else min(option.count, max(option.most - before, 0))
            if not count and (digits or before < option.most):
                raise UnfitAnswer(f"No {option.label}: that changes nothing. Esc drops it.")
            if before + count > option.most or not count:
                raise UnfitAnswer(f"There are no more {option.label} here.")
            found[option.value] = before + count
            digits = ""
            if sum(found.values()) > self.most:
                raise UnfitAnswer(
                    f"All {self.most} are chosen. Enter accepts, Backspace takes one back."
                )
            if self.check is not None:
                self.check(found)
        return found, digits

    def so_far(self, typed: str) -> Any:
        return self.picked(typed)[0]

    def parse(self, typed: str, done: bool) -> Any:
        found, digits = self.picked(typed)
        if not done:
            return None
        if digits:
            raise UnfitAnswer(f"{digits} of which row? Type its letter.")
        if sum(found.values()) < self.least:
            raise UnfitAnswer(self.question)
        return found

    def shown(self, value: Any) -> str:
        if not value or (self.default_text and value == self.default):
            return self.default_text or "none"
        labels = {one.value: one.label for one in self.options}
        return ", ".join(f"{count} {labels.get(row, row)}" for row, count in value.items())


class Either(Slot, frozen=True, kw_only=True):
    """One answer that can be given in several ways: the first of ``ways`` that accepts it."""

    ways: tuple[Slot, ...]

    @property
    def options(self) -> tuple[Option, ...]:
        return tuple(option for way in self.ways for option in getattr(way, "options", ()))

    @property
    def proposed(self) -> Any:
        return next((way.proposed for way in self.ways if way.proposed is not None), None)

    @property
    def spaced(self) -> bool:
        return any(way.spaced for way in self.ways)

    @property
    def hint(self) -> str:
        ways = [way for way in self.ways if getattr(way, "options", True)]
        return " Or: ".join(way.hint for way in ways)

    @property
    def accepts(self) -> str:
        accepted = [way.accepts for way in self.ways if way.accepts]
        return " Or: ".join(accepted)

    def takes(self, sign: str, typed: str = "") -> bool:
        return any(way.takes(sign, typed) for way in self.ways)

    def parse(self, typed: str, done: bool) -> Any:
        """By the first way that accepts it. The error is that of the last way that could begin
        so."""
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


class Confirm(Slot, frozen=True, kw_only=True):
    """No answer, only Enter or Space, so that the command can be checked and changed before."""

    name: str = "confirm"
    text: str = ""
    optional: bool = True
    unfit: str = "Space goes on, Esc drops it."
    """The message for any other key."""
    says: str = "Go on"
    """The words of its answer, where answers stand as a list or as buttons."""

    @property
    def key_hint(self) -> str:
        return ESC_DROPS

    def shown(self, value: Any) -> str:
        return self.says

    def parse(self, typed: str, done: bool) -> Any:
        raise UnfitAnswer(self.unfit)


# ------------------------------------------------------------------ typed rather than chosen


class Number(Slot, frozen=True, kw_only=True):
    low: int = 0
    high: int = 9999
    eager: bool = False
    """Whether it is complete as soon as no further digit could follow."""
    too_many: str = ""
    """The sentence for a number beyond ``high``."""
    zero: str = ""
    """What 0 means, if that is no number."""
    before: str = "Digits before it: how many."
    """What its digits mean in front of the next answer, where it may be left out."""

    def shown(self, value: Any) -> str:
        return str(value or self.zero or value)

    @property
    def accepts(self) -> str:
        return f"A number from {self.low} to {self.high}."

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.isdigit()

    def in_number(self, typed: str) -> bool:
        return typed.isdigit()

    def so_far(self, typed: str) -> Any:
        return int(typed) if typed.isdigit() else None

    def parse(self, typed: str, done: bool) -> Any:
        """A one-digit number is complete at once; otherwise Enter or the next answer ends it."""
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


class Fewer(Slot, frozen=True, kw_only=True):
    """Fewer than the number that was typed, which is the answer of the slot ``number``: only Enter
    gives it, and Esc drops that number. Whatever else was typed ahead belonged to the number that
    is refused."""

    number: str

    firm: ClassVar[bool] = True

    @property
    def key_hint(self) -> str:
        return f"Enter: {self.default}. {ESC_DROPS}"

    def parse(self, typed: str, done: bool) -> Any:
        raise UnfitAnswer(f"{self.text} {self.hint}")


def fewer(name: str, count: int | None, most: int, number: str = "count") -> Fewer | None:
    """The question after the answer of ``number`` if it is higher than the ``most`` there are."""
    if count is None or count <= most:
        return None
    left = "1 is left" if most == 1 else f"{most} are left"
    return Fewer(name=name, text=f"{left}, not {count}.", default=most, number=number)


class Dice(Slot, frozen=True, kw_only=True):
    """The faces of the player's own dice: ``count`` faces from ``low`` to ``high``; of these at
    least ``least`` (0: all), then Enter."""

    count: int = 1
    least: int = 0
    low: int = 1
    high: int = 6

    greedy: ClassVar[bool] = True

    @property
    def spaced(self) -> bool:
        return self.high > 9

    @property
    def accepts(self) -> str:
        if 0 < self.least < self.count:
            return f"Up to {self.count} dice, each {self.low} to {self.high}; Enter after fewer."
        dice = "The die shows" if self.count == 1 else f"Each of the {self.count} dice shows"
        return f"{dice} {self.low} to {self.high}."

    def parse(self, typed: str, done: bool) -> Any:
        """Digit by digit if a face has one digit, else with spaces between the faces."""
        words = typed.split() if self.high > 9 else list(typed.replace(" ", "").replace(",", ""))
        if any(not (word.isascii() and word.isdigit()) for word in words):
            raise UnfitAnswer(self.hint)
        faces = tuple(int(word) for word in words)
        if len(faces) > self.count or any(not self.low <= face <= self.high for face in faces):
            raise UnfitAnswer(self.hint)
        if len(faces) < self.count:
            least = self.least or self.count
            if done and len(faces) < least:
                raise UnfitAnswer(f"{least - len(faces)} more to come. {self.hint}")
            return faces if done else None
        single = self.high > 9 and faces[-1] * 10 <= self.high and not typed.endswith(" ")
        return None if single and not done else faces

    def shown(self, value: Any) -> str:
        return " ".join(map(str, value))


class Words(Slot, frozen=True, kw_only=True):
    """A text of the player's own. ``read`` converts it to the answer, or raises UnfitAnswer, and
    ``write`` converts back; a ``secret`` is never shown, not even while it is typed."""

    longest: int = 60
    read: Callable[[str], Any] | None = None
    write: Callable[[Any], str] = str
    secret: bool = False

    written: ClassVar[bool] = True
    spaced: ClassVar[bool] = True

    @property
    def key_hint(self) -> str:
        return TYPE_IT

    @property
    def missing(self) -> str:
        return f"Nothing is typed. {self.hint}"

    def takes(self, sign: str, typed: str = "") -> bool:
        return True

    def echo(self, typed: str) -> str:
        return "*" * len(typed) if self.secret else typed

    def parse(self, typed: str, done: bool) -> Any:
        if len(typed.strip()) > self.longest:
            raise UnfitAnswer(
                f"At most {self.longest} characters, please; this has {len(typed.strip())}."
            )
        if not done:
            return None
        if any("\ud800" <= sign <= "\udfff" for sign in typed):  # UTF-8 could not store it
            raise UnfitAnswer("This is not text in UTF-8; type it again.")
        if self.read is not None:
            return self.read(typed)
        if not typed.strip():
            raise UnfitAnswer(self.hint)
        return typed.strip()

    def shown(self, value: Any) -> str:
        if self.secret:
            return "written" if value else "nothing"
        return self.write(value)


# ------------------------------------------------------------------ keys


def _longer(typed: str, digit: str) -> str:
    longer = (typed + digit).lstrip("0") or "0"
    if int(longer) > MOST:
        raise UnfitAnswer(TOO_MANY.format(longer))
    return longer


def keys_of(options: Sequence[Option]) -> dict[str, Option]:
    """Every option by its key: its own, else the first letter that is free."""
    return dict(keyed(options))


def _has(option: Option, part: str) -> bool:
    return part.casefold() in option.label.casefold()


def chosen(name: str, text: str, rows: Sequence[tuple[Any, ...]], label: str = "") -> Choose:
    """A question of a set-up form: value, label and perhaps note of each answer; the first is
    proposed."""
    options = tuple(Option(value=row[0], label=row[1], note="".join(row[2:])) for row in rows)
    return Choose(name=name, text=text, options=options, default=rows[0][0], label=label)


def one_of(name: str, text: str, rows: Iterable[tuple[Any, str] | str], keys: str = "") -> Choose:
    """A question whose answers are values with their labels, or their own labels; ``keys`` are
    theirs, in order."""
    pairs = ((row, row) if isinstance(row, str) else row for row in rows)
    lettered = zip(pairs, itertools.chain(keys, itertools.repeat("")), strict=False)
    options = (Option(value=id, label=label, key=key) for (id, label), key in lettered)
    return Choose(name=name, text=text, options=tuple(options))


def keyed(options: Sequence[Option]) -> list[tuple[str, Option]]:
    """Every option with its key, which several may share; those without one get a free letter, or
    letters."""
    options = [option for option in options if not option.pointed]
    taken = {option.key for option in options if option.key}
    free = iter(codes(sum(not option.key for option in options), taken))
    return [(option.key or next(free), option) for option in options]


def codes(count: int, taken: Collection[str] = ()) -> Iterator[str]:
    """So many keys of small letters, all of one length, beginning with letters that are not
    ``taken``."""
    first = [letter for letter in LETTERS if letter not in taken] or LETTERS.upper()
    length = 1
    while len(first) * len(LETTERS) ** (length - 1) < count:
        length += 1
    rest = [LETTERS] * (length - 1)
    return itertools.islice(map("".join, itertools.product(first, *rest)), count)


def _named(options: Sequence[Option], typed: str = "") -> list[tuple[str, Option]]:
    """Options by what they are called, and by their labels that begin with a digit, as far as these
    begin as ``typed``; others begin with keys."""
    named = []
    for option in options:
        label = option.label.replace(",", "").replace(" ", "").lower()
        if option.called and option.called.startswith(typed):
            named.append((option.called, option))
        if label[:1].isdigit() and label.startswith(typed.lower()):
            named.append((label, option))
    names = [name for name, _ in named]
    return [(name, option) for name, option in named if names.count(name) == 1]


def _by_label(options: Sequence[Option], word: str) -> Option | None:
    lowered = word.casefold()
    found = [one for one in options if lowered in (one.label.casefold(), str(one.value))] or [
        one for one in options if lowered and one.label.casefold().startswith(lowered)
    ]
    return found[0] if len(found) == 1 else None


def _all_by_label(options: Sequence[Option], text: str) -> list[Option]:
    """The options whose labels stand there, with commas between them; none if that is not all."""
    labelled = {one.label.casefold(): one for one in options}
    names = [name.strip().casefold() for name in text.split(",") if name.strip()]
    if any(name not in labelled for name in names):
        return []
    return list(dict.fromkeys(labelled[name] for name in names))


def _span_of_label(options: Sequence[Option], words: Sequence[str]) -> int:
    """The number of words that are the label of an option; 1 if none is."""
    labels = {option.label.casefold() for option in options}
    for count in range(len(words), 1, -1):
        if " ".join(words[:count]).casefold() in labels:
            return count
    return 1


def span_of_labels(options: Sequence[Option], words: Sequence[str]) -> int:
    """The number of words that are labels with commas between them; 1 if none is."""
    for count in range(len(words), 1, -1):
        if _all_by_label(options, " ".join(words[:count])):
            return count
    return 1


def _refuse_disabled(options: Iterable[Option]) -> None:
    """Raises UnfitAnswer with the reason for the first that cannot be chosen."""
    for option in options:
        if option.why_not:
            raise UnfitAnswer(option.why_not)


def _offered(options: Sequence[Option]) -> str:
    """The keys of what can be chosen, as a sentence; where nothing can, why not."""
    known = [(key, option) for key, option in keyed(options) if not option.why_not]
    if options and not known:
        return f"None of them can be chosen. {options[0].why_not}"
    return "; ".join(f"{key} {option.label.removesuffix('.')}" for key, option in known) + "."
