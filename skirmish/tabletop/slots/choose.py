"""The choice of exactly one option, and shorter ways to write such a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from skirmish.tabletop.slots.option import Option, label_has, option_by_label, span_of_label
from skirmish.tabletop.slots.option_keys import (
    LETTERS,
    KeyedOption,
    keys_of,
    named_options,
    refused_with_offer,
)
from skirmish.tabletop.slots.slot import Slot, UnfitAnswer

SEARCH = "/"
"""The key after which a part of a label is typed, where there are more options than letters."""


# ``dict=True``: a struct has no ``__dict__``, in which ``cached_property`` stores its value.
class Choose(Slot, frozen=True, kw_only=True, dict=True):
    """Exactly one of several options."""

    options: tuple[Option, ...]
    rows: bool = False
    """The options are rows of the board, which shows their keys."""
    refusal_of_unknown: Callable[[str], UnfitAnswer | None] | None = None
    """Returns the refusal of a word that means no option; None: the usual refusal."""
    key_sentence: str = ""
    """A sentence that says which keys answer, in place of the usual one; for questions in which
    several keys mean the same option."""
    by_key_only: bool = False
    """It must not be answered by an Enter that was typed for something else, so the only possible
    option is not proposed."""

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
    def searchable(self) -> bool:
        """Whether there are more options than letters, so that they are found by typing."""
        return len(self.options) > len(LETTERS)

    @cached_property
    def by_key(self) -> dict[str, Option]:
        """The options by their keys, their own or the letters that they got."""
        return keys_of(self.options)

    def span(self, words: Sequence[str]) -> int:
        return span_of_label(self.options, words)

    @property
    def key_hint(self) -> str:
        if self.searchable:
            return f"Type its letters, or {SEARCH} and a part of its name."
        if self.key_sentence:
            return self.key_sentence
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
        if self.searchable and (typed or sign == SEARCH):
            return True
        # A name may be typed only for a required answer: at an optional one its first letter could
        # be meant for the answer after it.
        if not self.optional and named_options(self.options, typed + sign):
            return True
        return any(key.startswith(sign) for key in self.by_key)

    def listed(self, typed: str) -> list[KeyedOption]:
        """The options with their keys; of many only those that fit what is typed."""
        if not self.searchable:
            return [KeyedOption(key, option) for key, option in self.by_key.items()]
        fitting = []
        for key, option in self.by_key.items():
            if typed.startswith(SEARCH):
                # Whoever searches finds also what cannot be chosen, with the reason.
                part = typed.removeprefix(SEARCH)
                fits = label_has(option, part)
            else:
                fits = key.startswith(typed) and not option.why_not
            if fits:
                fitting.append(KeyedOption(key, option))
        return fitting

    def _searched(self, part: str, done: bool) -> Option | None:
        """The only option with this part in its label, once the part is ``done``; None before. A
        label that is the part and nothing else comes first. Raises UnfitAnswer."""
        containing = [option for option in self.options if label_has(option, part)]
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
        if self.searchable and word.startswith(SEARCH):
            option = self._searched(word.removeprefix(SEARCH), done)
            if option is None:
                return None
        else:
            # Keys and names that options are given come before their labels: on the screen a letter
            # is complete at once, and labels never get their turn.
            option = self._of_key(word, done)
            if option is None and done:
                option = option_by_label(self.options, word)
        if option is None:
            if not done and self._may_continue(word):
                return None
            raise self._refusal(word)
        if option.why_not:
            raise UnfitAnswer(option.why_not)
        return option.value

    @cached_property
    def _keys_and_names(self) -> dict[str, Option]:
        """The options by all that may be typed for them: keys, and names (``named_options``). An
        optional answer has keys only: the first letter of a name could begin the answer after
        it."""
        if self.optional:
            return self.by_key
        return {**dict(named_options(self.options)), **self.by_key}

    def _of_key(self, word: str, done: bool) -> Option | None:
        """The option with that key or name; None also while the word may become a longer one."""
        # As it was typed first: in some games small and capital letters are different keys.
        options = self._keys_and_names
        option = options.get(word)
        if option is None and not self._begins_hex(word):
            option = options.get(word.lower())
        if option is None or done:
            return option
        # A key is complete at once, unless it begins a longer key; a name is not while anything
        # longer may be typed.
        rivals = options
        if word in self.by_key:
            rivals = self.by_key
        for rival in rivals:
            if rival != word and rival.startswith(word):
                return None
        return option

    def bars(self, typed: str) -> bool:
        """Whether this is the key or the name of an option that cannot be chosen now."""
        option = self._of_key(typed.strip(), done=False)
        return option is not None and bool(option.why_not)

    def _begins_hex(self, word: str) -> bool:
        """Whether a word begins the other name of an option, as that of a hex. Then its capital
        letter does not mean the key with the small one."""
        if not word:
            return False
        return any(option.other_name.startswith(word) for option in self.options)

    def _may_continue(self, word: str) -> bool:
        """Whether a word is the beginning of a key or a name."""
        beginnings = {word}
        if not self._begins_hex(word):
            beginnings.add(word.lower())
        return any(key.startswith(tuple(beginnings)) for key in self._keys_and_names)

    def _refusal(self, word: str) -> UnfitAnswer:
        """The refusal of a word that means no option."""
        if self.refusal_of_unknown is not None:
            refusal = self.refusal_of_unknown(word)
            if refusal is not None:
                return refusal
        if self.searchable:
            return self.asked_again(self.key_hint)
        return refused_with_offer(self, self.options)

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


class AnswerRow(NamedTuple):
    """An answer that a set-up form offers, with a note for those who do not know it."""

    value: Any
    label: str
    note: str = ""


def form_choice(name: str, text: str, rows: Sequence[AnswerRow], label: str = "") -> Choose:
    """A question of a set-up form; the first of its ``rows`` is proposed. ``label``: the name of
    the line in the form."""
    options = [Option(value=row.value, label=row.label, note=row.note) for row in rows]
    proposed = rows[0].value
    return Choose(name=name, text=text, options=tuple(options), default=proposed, label=label)


def choice_of(name: str, text: str, labels: Mapping[Any, str], keys: str = "") -> Choose:
    """A question. ``labels``: every answer with its label; ``keys``: a letter for each of them, in
    the same order."""
    options = []
    for index, (answer, label) in enumerate(labels.items()):
        options.append(Option(value=answer, label=label, key=_key_at(keys, index)))
    return Choose(name=name, text=text, options=tuple(options))


def choice_of_names(name: str, text: str, names: Iterable[str], keys: str = "") -> Choose:
    """A question whose answers are names, shown as they are; ``keys`` as for ``choice_of``."""
    options = []
    for index, answer in enumerate(names):
        options.append(Option(value=answer, label=answer, key=_key_at(keys, index)))
    return Choose(name=name, text=text, options=tuple(options))


def _key_at(keys: str, index: int) -> str:
    """The letter at that index of the ``keys``; empty beyond the last of them, and the option then
    gets a free letter."""
    return keys[index : index + 1]
