"""The answers that a command or a set-up needs, as data: how each is asked for, read and shown.

A ``Slot`` is one such answer. Begin with it; then ``Choose``, ``ChooseSeveral`` and ``Picks``,
whose answers are options with keys, and ``Number``, ``Dice`` and ``Words``, which are typed.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import msgspec

from skirmish.tabletop.refusal import Refusal, with_key_note

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ENTER, SPACE, BACKSPACE, TAB, ESCAPE = "enter", "space", "backspace", "tab", "escape"
"""The keys that are no characters, by the names that Textual has for them."""
MOST = 99
"""The highest number before a key, as in ``10r``."""
LONGEST_NUMBER = 9
"""The most digits that are read as a number. Python itself raises a ValueError for thousands of
digits, which is no sentence for a player."""
ESC_DROPS = "Esc drops it."
"""Said of keys behind a refusal."""
TYPE_IT = "Type it, then press Enter."
"""Said of keys behind the question for a text."""
TOO_MANY = f"{{}} is too many: {MOST} is the most."
"""The refusal of a number before a key; that number takes the place of the braces."""
SEARCH = "/"
"""Where there are more options than letters: after it a part of a name is typed."""
LISTED = 60
"""The most options that are listed at once."""


class UnfitAnswer(ValueError):  # noqa: N818  (a sentence for the player, not a fault)
    """An answer that a slot refuses. The ``message`` includes what the slot accepts; ``key_note``
    behind it is about keys, so that a phone leaves it out. ``typed``: what is left of the player's
    text without the part that cannot be; None: all of it."""

    def __init__(self, message: str, typed: str | None = None, *, key_note: str = "") -> None:
        # Talk of keys is better than none at all.
        if not message:
            message, key_note = key_note, ""
        super().__init__(with_key_note(message, key_note))
        self.message = message
        self.key_note = key_note
        self.typed = typed


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One of the answers to a question. Without a ``key`` it gets a letter; ``note`` stands beside
    the label; with a ``why_not`` it is shown and cannot be chosen. Where several may be chosen, one
    that ``ends`` the choice is the whole answer by itself, such as "nobody". Where numbers are
    picked (``Picks``), its key alone means ``count`` of it, and ``most`` is the maximum."""

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
    """It has no key, and can only be chosen by pointing at its row or place on the board."""
    more: Callable[[], str] | None = None
    """An addition to the note, computed only where options are listed."""
    against: Callable[[], Refusal | None] | None = None
    """What speaks against it, computed only where options are buttons: a firm refusal makes it
    impossible, another one is advice."""

    @property
    def reason(self) -> str:
        """The ``why_not`` in short, to stand behind the label: ``has just landed`` of "Tank 2 has
        just landed." Empty if the sentence does not begin with the label."""
        if not self.why_not.startswith(f"{self.label} "):
            return ""
        return self.why_not.removeprefix(f"{self.label} ").removesuffix(".")

    @property
    def remark(self) -> str:
        """The note with its addition, as it stands beside the label in a list."""
        parts = [self.note]
        if self.more is not None:
            parts.append(self.more())
        return ", ".join(part for part in parts if part)


class TouchKey(NamedTuple):
    """A key of a touch screen: what it types, where a line break ends the answer, and its label."""

    types: str
    label: str


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """One answer that a command needs: its ``name`` among the answers, and the question for it. The
    question is the ``text``; before it stand the words in ``large`` letters, if any; behind it the
    ``key_note``, which is about keys, so that a phone leaves it out. ``label`` (default: the name)
    names it in a form. An ``optional`` answer is None if skipped; ``default`` is the proposed
    one."""

    firm: ClassVar[bool] = False
    """Whether only Enter answers it, and every other key is refused."""
    written: ClassVar[bool] = False
    """Whether it is written in a field, in which keys edit the text, and only Enter ends it."""
    may_be_ahead: ClassVar[bool] = False
    """Whether it may be typed at the questions before it where one is asked at a time, as the card
    of an offered shot: a player who has drawn it already must not lose it."""

    name: str
    text: str = ""
    large: str = ""
    key_note: str = ""
    label: str = ""
    optional: bool = False
    default: Any = None

    @property
    def keyless_question(self) -> str:
        """The question on one line, without what it says about keys."""
        if self.large:
            return f"{self.large}  {self.text}".rstrip()
        return self.text

    @property
    def question(self) -> str:
        """The whole question on one line, for those who have keys."""
        return with_key_note(self.keyless_question, self.key_note)

    @property
    def proposed(self) -> Any:
        """The answer of Enter where nothing was typed; None: there is none."""
        return self.default

    @abstractmethod
    def parse(self, typed: str, done: bool) -> Any:
        """The answer for what is ``typed``, or None while more has to be typed. ``done``: it is
        complete, by Enter or as a part of a line. Raises UnfitAnswer."""

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
        return with_key_note(self.accepts, self.key_hint)

    def refused(self, sentence: str = "") -> UnfitAnswer:
        """A refusal that says how to answer, behind a ``sentence``."""
        return UnfitAnswer(f"{sentence} {self.accepts}".strip(), key_note=self.key_hint)

    def asked_again(self, key_note: str = "") -> UnfitAnswer:
        """A refusal that repeats the question; ``key_note`` stands behind the question's own."""
        return UnfitAnswer(self.keyless_question, key_note=with_key_note(self.key_note, key_note))

    @property
    def missing(self) -> UnfitAnswer:
        """The refusal of Enter where nothing was typed and nothing is proposed."""
        if self.question:
            return self.asked_again()
        return self.refused()

    @property
    def spaced(self) -> bool:
        """Whether Space behind a typed part belongs to the answer, and does not end it."""
        return False

    @property
    def greedy(self) -> bool:
        """Whether the answer may be several words of a line."""
        return self.spaced

    def span(self, words: Sequence[str]) -> int:
        """How many words at the beginning of a line are its answer."""
        if self.greedy:
            return len(words)
        return 1

    @property
    def touch(self) -> tuple[TouchKey, ...]:
        """The keys of a touch screen that type its answers."""
        return ()

    def takes(self, sign: str, typed: str = "") -> bool:
        """Whether a character after ``typed`` belongs to an answer of this slot, also to one that
        cannot be given now. Then it is not the key of a command."""
        return False

    def in_number(self, typed: str) -> bool:
        """Whether a typed text ends in a number that another key continues or ends."""
        return False

    def tabbed(self, typed: str) -> str:
        """The typed text after Tab. Raises UnfitAnswer where Tab has no meaning."""
        raise UnfitAnswer("Tab leads no further here.")

    def so_far(self, typed: str) -> Any:
        """The answer that an unfinished text means already, for a preview; None: none yet."""
        return None

    def echo(self, typed: str) -> str:
        """The typed part as the screen shows it."""
        return typed

    def shown(self, value: Any) -> str:
        """An answer of this slot as the line of the command shows it."""
        return str(value)


# ``dict=True``: a struct has no ``__dict__``, in which ``cached_property`` stores its value.
class Choose(Slot, frozen=True, kw_only=True, dict=True):
    """Exactly one of several options. ``rows``: they are rows of the board, which shows their keys.
    ``unknown`` returns the refusal of an unknown key (None: the usual one); ``keys`` is a sentence
    about the way to answer, if that is not the letter alone. If there are more options than
    letters, they are found by typing (``many``). ``by_key_only``: it must not be answered by an
    Enter that was typed for something else, so no answer is proposed."""

    options: tuple[Option, ...]
    rows: bool = False
    unknown: Callable[[str], UnfitAnswer | None] | None = None
    keys: str = ""
    by_key_only: bool = False

    @property
    def proposed(self) -> Any:
        """The only option that can be chosen, if there is but one; else the default. Of rows of the
        board, and where only a key may answer, always the default."""
        if self.rows or self.by_key_only:
            return self.default
        # An answer that nobody could change needs no key.
        possible = [option.value for option in self.options if not option.why_not]
        if len(possible) == 1:
            return possible[0]
        return self.default

    @property
    def many(self) -> bool:
        """Whether there are more options than letters."""
        return len(self.options) > len(LETTERS)

    @cached_property
    def by_key(self) -> dict[str, Option]:
        """The options by their keys, their own or the letters that they got."""
        return keys_of(self.options)

    def span(self, words: Sequence[str]) -> int:
        return _span_of_label(self.options, words)

    @property
    def key_hint(self) -> str:
        if self.many:
            return f"Type its letters, or {SEARCH} and a part of its name."
        if self.keys:
            return self.keys
        if self.rows:
            return "Type its letter."
        return "Type its key."

    @property
    def missing(self) -> UnfitAnswer:
        if self.by_key_only:
            return self.asked_again(self.key_hint)
        return super().missing

    def takes(self, sign: str, typed: str = "") -> bool:
        # Behind the search sign, and after the first letter of a code, any character may follow.
        if self.many and (typed or sign == SEARCH):
            return True
        # A name may be typed only for a required answer: at an optional one its first letter could
        # be meant for the answer after it.
        if not self.optional and _named(self.options, typed + sign):
            return True
        return any(key.startswith(sign) for key in self.by_key)

    def listed(self, typed: str) -> list[tuple[str, Option]]:
        """The options with their keys; of many only those that fit what is typed."""
        if not self.many:
            return list(self.by_key.items())
        fitting = []
        for key, option in self.by_key.items():
            if typed.startswith(SEARCH):
                # Whoever searches finds also what cannot be chosen, with the reason.
                fits = _label_has(option, typed[1:])
            else:
                fits = key.startswith(typed) and not option.why_not
            if fits:
                fitting.append((key, option))
        return fitting

    def _searched(self, part: str, done: bool) -> Option | None:
        """The only option with this part in its label, once the part is ``done``; None before. A
        label that is the part and nothing else comes first. Raises UnfitAnswer."""
        containing = [option for option in self.options if _label_has(option, part)]
        if not containing:
            raise UnfitAnswer(f"No name here contains “{part}”.")
        if not done:
            return None
        # Without this, a name that is a part of longer names could never be chosen.
        exact = [option for option in containing if option.label.casefold() == part.casefold()]
        candidates = exact or containing
        if len(candidates) > 1:
            raise UnfitAnswer(f"{len(containing)} names contain “{part}”; type more of it.")
        return candidates[0]

    def parse(self, typed: str, done: bool) -> Any:
        """By key, or by a part of the label behind ``/``; in a whole line also by the value, the
        label or a unique beginning of it."""
        word = typed.strip()
        if self.many and word.startswith(SEARCH):
            option = self._searched(word[1:], done)
            if option is None:
                return None
        else:
            # A key before a name: on the screen a letter is complete at once, and names never get
            # their turn.
            option = self._of_key(word, done)
            if option is None and done:
                option = _by_label(self.options, word)
        if option is None:
            if not done and self._may_continue(word):
                return None
            raise self._refusal(word)
        if option.why_not:
            raise UnfitAnswer(option.why_not)
        return option.value

    @cached_property
    def _keys_and_names(self) -> dict[str, Option]:
        """The options by all that may be typed for them: keys, and names (``_named``). An optional
        answer has keys only: the first letter of a name could begin the answer after it."""
        if self.optional:
            return self.by_key
        return {**dict(_named(self.options)), **self.by_key}

    def _of_key(self, word: str, done: bool) -> Option | None:
        """The option with that key or name; None also while the word may become a longer one."""
        # As it was typed first: in some games small and capital letters are different keys.
        options = self._keys_and_names
        option = options.get(word)
        if option is None and not self._begins_hex(word):
            option = options.get(word.lower())
        if option is None or done:
            return option
        # A key is complete at once; a name that another one continues is not.
        rivals = options
        if word in self.by_key:
            rivals = self.by_key
        for key in rivals:
            if key != word and key.startswith(word):
                return None
        return option

    def _begins_hex(self, word: str) -> bool:
        """Whether a word begins the name of an option (``Option.called``), as that of a hex. Then
        its capital letter does not mean the key with the small one."""
        if not word:
            return False
        return any(option.called.startswith(word) for option in self.options)

    def _may_continue(self, word: str) -> bool:
        """Whether a word is the beginning of a key or a name."""
        beginnings = {word}
        if not self._begins_hex(word):
            beginnings.add(word.lower())
        return any(key.startswith(tuple(beginnings)) for key in self._keys_and_names)

    def _refusal(self, word: str) -> UnfitAnswer:
        """The refusal of a word that means no option."""
        if self.unknown is not None:
            refusal = self.unknown(word)
            if refusal is not None:
                return refusal
        if self.many:
            return self.asked_again(self.key_hint)
        return _with_offer(self, self.options)

    def turned(self, value: Any, step: int) -> Any:
        """The answer after ``value`` in a form whose arrows turn through the answers: the next that
        can be chosen for a ``step`` of 1, the one before it for -1; the first follows the last."""
        # Options that cannot be chosen are passed over; if there are no others, the value stays.
        index = [option.value for option in self.options].index(value)
        for _ in self.options:
            index = (index + step) % len(self.options)
            if not self.options[index].why_not:
                break
        return self.options[index].value

    def shown(self, value: Any) -> str:
        for option in self.options:
            if option.value == value:
                return option.label
        return str(value)


class TypedMarks(NamedTuple):
    """The options that a row of keys selects, and the unfinished key at its end."""

    options: list[Option]
    unfinished: str


class ChooseSeveral(Slot, frozen=True, kw_only=True):
    """From ``least`` to ``most`` of several options, as a tuple in the order of choice."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 99

    greedy: ClassVar[bool] = True

    @property
    def proposed(self) -> Any:
        if self.default is None and self.least == 0:
            return ()
        return self.default

    def takes(self, sign: str, typed: str = "") -> bool:
        if _named(self.options, self.marked(typed).unfinished + sign):
            return True
        # Anywhere in a key, and not only at its beginning: it may be the second letter of a key of
        # which the first is typed.
        return any(sign in key for key in keys_of(self.options))

    @property
    def key_hint(self) -> str:
        most = min(self.most, len(self.options))
        if not self.least:
            number = f"up to {most}"
        elif self.least < most:
            number = f"{self.least} to {most}"
        else:
            number = f"{most}"
        return f"Choose {number}, then press Enter."

    def marked(self, typed: str) -> TypedMarks:
        """The options that the keys typed so far select. A key selects its option, and typed again
        takes it back; several options may share a key, which then selects one after the other, and
        at last takes all of them back. Raises UnfitAnswer."""
        # Pairs of key and option, since a dictionary would have room for one option by key.
        pairs = [*keyed(self.options), *_named(self.options)]
        chosen: list[Option] = []
        key = ""
        for sign in typed.replace(",", "").replace(" ", ""):
            key += sign
            options = _with_key(pairs, key)
            if options:
                _refuse_disabled(options[:1])
                chosen = _toggled(chosen, options)
                key = ""
            elif not _begins_key(pairs, key):
                raise _with_offer(self, self.options)
        return TypedMarks(chosen, unfinished=key)

    def parse(self, typed: str, done: bool) -> Any:
        """The values of the marked options, once it is ``done``; at once where one ends the
        choice."""
        chosen, unfinished = self._marked_or_labelled(typed, done)
        if done and unfinished:
            raise UnfitAnswer(f"Type the rest of “{unfinished}”, or its letter.")
        # An option that ends the choice is all of it: what was marked before falls away.
        if chosen and chosen[-1].ends:
            return (chosen[-1].value,)
        if len(chosen) > self.most:
            raise UnfitAnswer(f"Choose at most {self.most}; Backspace takes a mark back.")
        if not done:
            return None
        if len(chosen) < self.least:
            raise UnfitAnswer(f"Choose {self.least - len(chosen)} more.")
        return tuple(option.value for option in chosen)

    def _marked_or_labelled(self, typed: str, done: bool) -> TypedMarks:
        """The options that were typed by their keys; in a whole line they may be typed by their
        labels instead, as they are shown. Raises UnfitAnswer."""
        try:
            return self.marked(typed)
        except UnfitAnswer:
            labelled: list[Option] = []
            if done:
                labelled = _all_by_label(self.options, typed)
            if not labelled:
                raise
        _refuse_disabled(labelled)
        return TypedMarks(labelled, unfinished="")

    def shown(self, value: Any) -> str:
        labels = [option.label for option in self.options if option.value in value]
        return ", ".join(labels) or "none"


class TypedPicks(NamedTuple):
    """The numbers that are picked so far, and the digits before a missing letter."""

    counts: dict[Any, int]
    digits: str


class Picks(Slot, frozen=True, kw_only=True):
    """Numbers of several rows, as in ``10r2m`` (ten riflemen, two mortars): the answer is the count
    of each row by the value of its option, in the order of choice. In all from ``least`` to
    ``most``; ``default`` is the answer of Enter alone."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 9999
    default_text: str = ""
    """What the default answer is called on the line of the command."""
    unknown: Callable[[str], UnfitAnswer | None] | None = None
    """Returns the refusal of a letter that no row has; None: the usual one."""
    check: Callable[[Mapping[Any, int]], None] | None = None
    """Raises UnfitAnswer for rows that cannot be combined."""
    greedy: ClassVar[bool] = True

    @property
    def key_hint(self) -> str:
        letter = "r"
        if self.options:
            letter = self.options[0].key
        return f"A letter picks one of that row, 10{letter} ten. Enter ends the list."

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.isdigit() or sign in keys_of(self.options)

    def in_number(self, typed: str) -> bool:
        return typed[-1:].isdigit()

    def picked(self, typed: str) -> TypedPicks:
        """What is picked so far. Raises UnfitAnswer for a letter that no row has, and for more of a
        row than there are."""
        by_key = keys_of(self.options)
        picks: dict[Any, int] = {}
        digits = ""
        for sign in typed.replace(" ", "").replace(",", ""):
            if sign.isascii() and sign.isdigit():
                digits = _longer(digits, sign)
                continue
            option = by_key.get(sign)
            if option is None:
                raise self._refusal(sign)
            before = picks.get(option.value, 0)
            picks[option.value] = before + self._number_of(option, digits, before)
            digits = ""
            if sum(picks.values()) > self.most:
                raise UnfitAnswer(
                    f"All {self.most} are chosen.",
                    key_note="Enter accepts, Backspace takes one back.",
                )
            # After each key, so that the player learns of it while the wrong row is the last one
            # typed.
            if self.check is not None:
                self.check(picks)
        return TypedPicks(picks, digits)

    def _refusal(self, sign: str) -> UnfitAnswer:
        """The refusal of a letter that no row has."""
        if self.unknown is not None:
            refusal = self.unknown(sign)
            if refusal is not None:
                return refusal
        return _with_offer(self, self.options)

    def _number_of(self, option: Option, digits: str, before: int) -> int:
        """How many of a row are picked besides those picked ``before``: the number that was typed,
        else what its key alone means. Raises UnfitAnswer."""
        _refuse_disabled([option])
        # The same letter may come twice, as in ``3r2m2r``; together they may not be too many.
        left = option.most - before
        if digits:
            number = int(digits)
            if not number:
                raise _changes_nothing(option)
        else:
            # A letter alone may mean one, or all that are left of its row: the game says which
            # (``Option.count``).
            number = min(option.count, max(left, 0))
            # There are some, but the game says that the key alone means none of them.
            if not number and left > 0:
                raise _changes_nothing(option)
        if not number or number > left:
            raise UnfitAnswer(f"There are no more {option.label} here.")
        return number

    def so_far(self, typed: str) -> Any:
        return self.picked(typed).counts

    def parse(self, typed: str, done: bool) -> Any:
        picks, digits = self.picked(typed)
        if not done:
            return None
        if digits:
            raise UnfitAnswer(f"{digits} of which row?", key_note="Type its letter.")
        # The question itself is the best message here: it says how many.
        if sum(picks.values()) < self.least:
            raise self.asked_again()
        return picks

    def shown(self, value: Any) -> str:
        if not value:
            return self.default_text or "none"
        if self.default_text and value == self.default:
            return self.default_text
        labels = {option.value: option.label for option in self.options}
        return ", ".join(f"{count} {labels.get(row, row)}" for row, count in value.items())


class Either(Slot, frozen=True, kw_only=True):
    """One answer that can be given in several ways: the first of ``ways`` that accepts it."""

    ways: tuple[Slot, ...]

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of all its ways, one way after the other."""
        options: list[Option] = []
        for way in self.ways:
            options.extend(options_of(way))
        return tuple(options)

    @property
    def proposed(self) -> Any:
        """What the first way proposes that proposes anything."""
        for way in self.ways:
            if way.proposed is not None:
                return way.proposed
        return None

    @property
    def spaced(self) -> bool:
        return any(way.spaced for way in self.ways)

    @property
    def hint(self) -> str:
        # Without choices that have no options: their hint would be about no keys at all.
        ways = [way for way in self.ways if options_of(way) or not isinstance(way, Choose)]
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
        error: UnfitAnswer | None = None
        for way in self.ways:
            try:
                return way.parse(typed, done)
            except UnfitAnswer as unfit:
                # Of a digit the complaint should be that of the number, and not that no row has
                # this letter.
                if error is None or way.takes(typed[:1]):
                    error = unfit
        assert error is not None, "there is no way to answer"
        raise error

    def shown(self, value: Any) -> str:
        """In the words of the way that has it among its options, else of the last."""
        for way in self.ways:
            if any(option.value == value for option in options_of(way)):
                return way.shown(value)
        return self.ways[-1].shown(value)


def options_of(slot: Slot) -> tuple[Option, ...]:
    """The options of a slot; none of a number, of words or of cards."""
    if isinstance(slot, Choose | ChooseSeveral | Picks | Either):
        return slot.options
    return ()


def has_rows(slot: Slot) -> bool:
    """Whether its options are rows of the board: some choices have them, and picks always."""
    return isinstance(slot, Picks) or (isinstance(slot, Choose) and slot.rows)


class Confirm(Slot, frozen=True, kw_only=True):
    """No answer, only Enter or Space, so that the command can be checked and changed before."""

    name: str = "confirm"
    text: str = ""
    optional: bool = True
    unfit: str = ""
    unfit_keys: str = "Space goes on, Esc drops it."
    """The message for any other key, and what it says about keys."""
    says: str = "Go on"
    """The words of its answer, where answers stand as a list or as buttons."""

    @property
    def key_hint(self) -> str:
        return ESC_DROPS

    def shown(self, value: Any) -> str:
        return self.says

    def parse(self, typed: str, done: bool) -> Any:
        # Enter and Space confirm before anything is parsed; whatever arrives here is another key.
        raise UnfitAnswer(self.unfit, key_note=self.unfit_keys)


# ------------------------------------------------------------------ typed rather than chosen


class Number(Slot, frozen=True, kw_only=True):
    """A whole number from ``low`` to ``high``, both included."""

    low: int = 0
    high: int = 9999
    eager: bool = False
    """Whether it is complete as soon as no further digit could follow."""
    too_many: str = ""
    """The sentence for a number beyond ``high``."""
    zero: str = ""
    """What 0 is shown as, where it means no number (``as many as you play``); empty: ``0``."""
    before: str = "Digits before it: how many."
    """What its digits mean, where it is optional and stands before a required answer, as the 15 of
    ``15r`` (15 riflemen). The hint of that answer ends with this sentence."""

    def shown(self, value: Any) -> str:
        if not value and self.zero:
            return self.zero
        return str(value)

    @property
    def accepts(self) -> str:
        return f"A number from {self.low} to {self.high}."

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.isdigit()

    def in_number(self, typed: str) -> bool:
        return typed.isdigit()

    def so_far(self, typed: str) -> Any:
        if not typed.isdigit():
            return None
        return int(typed)

    def parse(self, typed: str, done: bool) -> Any:
        """A one-digit number is complete at once; otherwise Enter or the next answer ends it."""
        word = typed.strip()
        sign, digits = "", word
        if word[:1] in ("-", "–"):
            sign, digits = "-", word[1:]
        # A minus alone is the beginning of a number, where numbers may be negative.
        if sign and not digits and not done and self.low < 0:
            return None
        # "²" is a digit too, as far as ``isdigit`` goes, but ``int`` does not read it.
        if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST_NUMBER:
            raise self.refused()
        value = int(sign + digits)
        # Every further digit leads away from 0. So a number between 0 and the range may still
        # become one of the range (from 5 to 20: 1, 12); only one beyond it is refused here.
        if value > max(self.high, 0) or value < min(self.low, 0):
            if self.too_many:
                raise UnfitAnswer(self.too_many.format(value))
            raise self.refused()
        if not done and not self._is_complete(value):
            return None
        # A complete number must lie in the range itself.
        if not self.low <= value <= self.high:
            raise self.refused()
        return value

    def _is_complete(self, value: int) -> bool:
        """Whether the number needs no Enter, since no digit could follow."""
        # A number that may be negative is always ended by Enter.
        if self.low < 0:
            return False
        if self.high < 10:
            return True
        # With one more digit it would be at least ten times as high.
        return self.eager and value * 10 > self.high


class Fewer(Slot, frozen=True, kw_only=True):
    """The question after a number that was too high: fewer than that (``default``), or nothing?
    ``number`` is the slot of the refused number. Only Enter answers, Esc drops the number; every
    other key was typed for the order with that number, and is refused."""

    number: str

    firm: ClassVar[bool] = True

    @property
    def key_hint(self) -> str:
        return f"Enter: {self.default}. {ESC_DROPS}"

    def parse(self, typed: str, done: bool) -> Any:
        raise UnfitAnswer(self.text, key_note=self.key_hint)


def fewer(
    name: str, count: int | None, most: int, number: str = "count", where: str = "left"
) -> Fewer | None:
    """The question after the answer ``count`` of the slot ``number``, if that is more than the
    ``most`` there are; else None. ``where`` ends its sentence: ``3 are left, not 5.``"""
    if count is None or count <= most:
        return None
    are_left = f"{most} are {where}"
    if most == 1:
        are_left = f"1 is {where}"
    return Fewer(name=name, text=f"{are_left}, not {count}.", default=most, number=number)


class Dice(Slot, frozen=True, kw_only=True):
    """The faces of the player's own dice: up to ``count`` of them, at least ``least`` (0: exactly
    ``count``), each from ``low`` to ``high``. After fewer than ``count`` comes Enter."""

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
        dice = f"Each of the {self.count} dice shows"
        if self.count == 1:
            dice = "The die shows"
        return f"{dice} {self.low} to {self.high}."

    def parse(self, typed: str, done: bool) -> Any:
        """Digit by digit if a face has one digit, else with spaces between the faces."""
        faces = self._faces(typed)
        if len(faces) > self.count:
            raise self.refused()
        if len(faces) == self.count:
            if not done and self._may_grow(typed, faces[-1]):
                return None
            return faces
        if not done:
            return None
        least = self.least or self.count
        if len(faces) < least:
            raise self.refused(f"{least - len(faces)} more to come.")
        return faces

    def _faces(self, typed: str) -> tuple[int, ...]:
        """The faces that are typed. Raises UnfitAnswer for what is no face of these dice."""
        words: Sequence[str] = typed.replace(" ", "").replace(",", "")
        if self.spaced:
            words = typed.split()
        faces = []
        for word in words:
            if not (word.isascii() and word.isdigit()):
                raise self.refused()
            if not self.low <= int(word) <= self.high:
                raise self.refused()
            faces.append(int(word))
        return tuple(faces)

    def _may_grow(self, typed: str, face: int) -> bool:
        """Whether the last face may get another digit: 1 of a d12 is the beginning of 12."""
        return self.spaced and face * 10 <= self.high and not typed.endswith(" ")

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
    def missing(self) -> UnfitAnswer:
        return self.refused("Nothing is typed.")

    def takes(self, sign: str, typed: str = "") -> bool:
        return True

    def echo(self, typed: str) -> str:
        if self.secret:
            return "*" * len(typed)
        return typed

    def parse(self, typed: str, done: bool) -> Any:
        """The text as ``read`` converts it, else as it was typed."""
        length = len(typed.strip())
        if length > self.longest:
            raise UnfitAnswer(f"At most {self.longest} characters, please; this has {length}.")
        if not done:
            return None
        # Half a character, which UTF-8 could not store.
        if any("\ud800" <= sign <= "\udfff" for sign in typed):
            raise UnfitAnswer("This is not text in UTF-8; type it again.")
        if self.read is not None:
            return self.read(typed)
        if not typed.strip():
            raise self.refused()
        return typed.strip()

    def shown(self, value: Any) -> str:
        if self.secret and value:
            return "written"
        if self.secret:
            return "nothing"
        return self.write(value)


# ------------------------------------------------------------------ keys


def _longer(typed: str, digit: str) -> str:
    """A number with one more digit. Raises UnfitAnswer beyond the highest."""
    longer = (typed + digit).lstrip("0") or "0"
    if int(longer) > MOST:
        raise UnfitAnswer(TOO_MANY.format(longer))
    return longer


def keys_of(options: Sequence[Option]) -> dict[str, Option]:
    """Every option by its key: its own, else the first letter that is free."""
    return dict(keyed(options))


def _label_has(option: Option, part: str) -> bool:
    """Whether the label of an option contains a part that was typed, in capitals or not."""
    return part.casefold() in option.label.casefold()


def form_choice(name: str, text: str, rows: Sequence[tuple[Any, ...]], label: str = "") -> Choose:
    """A question of a set-up form. ``rows``: for each answer its value, its label and perhaps its
    note; the first is proposed. ``label``: the name of the line in the form."""
    options = []
    for row in rows:
        note = ""
        if len(row) > 2:
            note = row[2]
        options.append(Option(value=row[0], label=row[1], note=note))
    return Choose(
        name=name, text=text, options=tuple(options), default=options[0].value, label=label
    )


def choice_of(
    name: str, text: str, rows: Iterable[tuple[Any, str] | str], keys: str = ""
) -> Choose:
    """A question. ``rows``: for each answer its value and its label, or one text that is both;
    ``keys``: a letter for each of them, in the same order."""
    options = []
    for index, row in enumerate(rows):
        # Empty beyond the last of the ``keys``: the option then gets a free letter.
        key = keys[index : index + 1]
        if isinstance(row, str):
            options.append(Option(value=row, label=row, key=key))
        else:
            value, label = row
            options.append(Option(value=value, label=label, key=key))
    return Choose(name=name, text=text, options=tuple(options))


def keyed(options: Sequence[Option]) -> list[tuple[str, Option]]:
    """Every option with its key, which several may share; those without one get a free letter, or
    letters."""
    typable = [option for option in options if not option.pointed]
    taken = {option.key for option in typable if option.key}
    without_key = [option for option in typable if not option.key]
    free_keys = codes(len(without_key), taken)
    pairs = []
    for option in typable:
        pairs.append((option.key or next(free_keys), option))
    return pairs


def codes(count: int, taken: Collection[str] = ()) -> Iterator[str]:
    """So many keys of small letters, all of one length, beginning with letters that are not
    ``taken``."""
    first_letters = [letter for letter in LETTERS if letter not in taken]
    if not first_letters:
        first_letters = list(LETTERS.upper())
    # Of one length, so that no key is the beginning of another: each answers at its last letter.
    length = 1
    while len(first_letters) * len(LETTERS) ** (length - 1) < count:
        length += 1
    later_letters = [LETTERS] * (length - 1)
    keys = map("".join, itertools.product(first_letters, *later_letters))
    return itertools.islice(keys, count)


def _named(options: Sequence[Option], typed: str = "") -> list[tuple[str, Option]]:
    """The names by which options may be typed besides their keys, each with its option, as far as
    they begin with what is ``typed``. A name is what an option is called (``Option.called``), or a
    label that begins with a digit, without spaces (``88gun``): no other label is one, since its
    first letter may be a key."""
    named = []
    for option in options:
        label = option.label.replace(",", "").replace(" ", "").lower()
        if option.called and option.called.startswith(typed):
            named.append((option.called, option))
        if label[:1].isdigit() and label.startswith(typed.lower()):
            named.append((label, option))
    # A name that two options share cannot say which of them is meant.
    names = [name for name, _ in named]
    return [(name, option) for name, option in named if names.count(name) == 1]


def _with_key(pairs: Sequence[tuple[str, Option]], typed: str) -> list[Option]:
    """The options of a key; of a small letter's key if there is none with the capital."""
    exact = [option for key, option in pairs if key == typed]
    if exact:
        return exact
    return [option for key, option in pairs if key == typed.lower()]


def _begins_key(pairs: Sequence[tuple[str, Option]], typed: str) -> bool:
    """Whether a key begins as it was typed, or as its small letters do."""
    return any(key.startswith((typed, typed.lower())) for key, _ in pairs)


def _toggled(chosen: list[Option], options: Sequence[Option]) -> list[Option]:
    """What is chosen after a key that these options share: with the next of them; without any once
    all are chosen."""
    for option in options:
        if option not in chosen:
            return [*chosen, option]
    return [option for option in chosen if option not in options]


def _by_label(options: Sequence[Option], word: str) -> Option | None:
    """The option whose label or value a word is, else the only one whose label begins so; capitals
    and small letters are the same."""
    lowered = word.casefold()
    candidates = []
    for option in options:
        if lowered in (option.label.casefold(), str(option.value).casefold()):
            candidates.append(option)
    if not candidates and lowered:
        for option in options:
            if option.label.casefold().startswith(lowered):
                candidates.append(option)
    if len(candidates) != 1:
        return None
    return candidates[0]


def _all_by_label(options: Sequence[Option], text: str) -> list[Option]:
    """The options of a text that consists of labels with commas between them; none if any part of
    it is no label."""
    labelled = {option.label.casefold(): option for option in options}
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
    """Raises UnfitAnswer with the reason of the first option that cannot be chosen, if any."""
    for option in options:
        if option.why_not:
            raise UnfitAnswer(option.why_not)


def _with_offer(slot: Slot, options: Sequence[Option]) -> UnfitAnswer:
    """The refusal that repeats the question, with the keys of what can be chosen; where nothing
    can, why not."""
    offers = []
    for key, option in keyed(options):
        if not option.why_not:
            offers.append(f"{key} {option.label.removesuffix('.')}")
    if options and not offers:
        reason = f"None of them can be chosen. {options[0].why_not}"
        return UnfitAnswer(f"{slot.question} {reason}")
    return slot.asked_again(f"{'; '.join(offers)}.")


def _changes_nothing(option: Option) -> UnfitAnswer:
    """The refusal of 0 of a row, which would be no change."""
    return UnfitAnswer(f"No {option.label}: that changes nothing.", key_note=ESC_DROPS)
