"""The keys of options: their own or the letters that they get, and the names that may be typed in
their place."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from skirmish.tabletop.slots.option import Option
from skirmish.tabletop.slots.slot import Slot, UnfitAnswer

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class KeyedOption(NamedTuple):
    """An option, and a key or a name by which it is typed."""

    key: str
    option: Option


def keys_of(options: Sequence[Option]) -> dict[str, Option]:
    """The options by the keys of ``keyed``; of several that share a key the last."""
    return dict(keyed(options))


def keyed(options: Sequence[Option]) -> list[KeyedOption]:
    """The options with their keys, which several may share; those without one get a free letter, or
    letters. Options that are only pointed at are left out."""
    typable = [option for option in options if not option.by_pointing_only]
    taken = {option.key for option in typable if option.key}
    without_key = [option for option in typable if not option.key]
    free_keys = codes(len(without_key), taken)
    with_keys = []
    for option in typable:
        key = option.key or next(free_keys)
        with_keys.append(KeyedOption(key, option))
    return with_keys


def codes(count: int, taken: Collection[str] = ()) -> Iterator[str]:
    """So many keys of letters, all of one length. They begin with small letters that are not
    ``taken``, or with capitals if all of those are."""
    first_letters = [letter for letter in LETTERS if letter not in taken]
    if not first_letters:
        first_letters = list(LETTERS.upper())
    # All have one length, so that none is the beginning of another: each answers at its last
    # letter.
    length = 1
    while len(first_letters) * len(LETTERS) ** (length - 1) < count:
        length += 1
    later_letters = [LETTERS] * (length - 1)
    keys = map("".join, itertools.product(first_letters, *later_letters))
    return itertools.islice(keys, count)


def named_options(options: Sequence[Option], typed: str = "") -> list[KeyedOption]:
    """The names by which options may be typed besides their keys, each with its option; only those
    that begin with what is ``typed``. A name is the ``other_name`` of an option, with its capital
    letter, as the small one may be a key; or a label that begins with a digit, without its spaces
    (``88gun``), also in capitals. No other label is a name, since its first letter may be a key."""
    named = []
    for option in options:
        label = option.label.replace(",", "").replace(" ", "").lower()
        if option.other_name and option.other_name.startswith(typed):
            named.append(KeyedOption(option.other_name, option))
        if label[:1].isdigit() and label.startswith(typed.lower()):
            named.append(KeyedOption(label, option))
    # A name that two options share cannot say which of them is meant.
    names = [name for name, _ in named]
    return [named_option for named_option in named if names.count(named_option.key) == 1]


def refused_with_offer(slot: Slot, options: Sequence[Option]) -> UnfitAnswer:
    """The refusal that repeats the question, with the keys of what can be chosen; where nothing
    can, why not."""
    offers = []
    for key, option in keyed(options):
        if option.why_not:
            continue
        label = option.label.removesuffix(".")
        if label == key:
            offers.append(key)
        else:
            offers.append(f"{key} {label}")
    if options and not offers:
        # The first reason stands for all.
        reason = f"None of them can be chosen. {options[0].why_not}"
        return UnfitAnswer(f"{slot.question} {reason}")
    return slot.asked_again(f"{'; '.join(offers)}.")
