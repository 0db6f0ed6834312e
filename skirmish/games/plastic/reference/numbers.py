"""The numbers in the texts of the rules: looked up in the catalog by name, and written in digits,
inches, words or suits. ``{weapons.rifle.guys.needs:run}`` in a text becomes ``A-5``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec

from skirmish.games.plastic.odds.worth import GROUP_SIZE
from skirmish.games.plastic.rules.catalog import DECK, DIE, Catalog
from skirmish.games.plastic.rules.checks import RAFT_SEATS
from skirmish.games.plastic.rules.shot import ranks_that_hit
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.number_words import number_word

# The place of a number in a text, with its form behind a colon: ``{fire.exact_within:in}``. A
# number that is stated only here begins with an equals sign: ``{=2}``.
_PLACE = re.compile(r"\{(?P<name>=?[^{}:]+)(?::(?P<form>\w+))?\}")
_DIGITS = re.compile(r"\d+")
# "phases 3 and 4", "88s": names of phases and of a gun, which are not numbers of the rules.
_NAMES_WITH_DIGITS = re.compile(r"\bphases? \d(?: (?:and|or) \d)?|\b88s?\b")


NumberTables: TypeAlias = Mapping[str, Any]
"""What a text may name: numbers and texts in tables and lists, which are nested in one another."""


def known_numbers(catalog: Catalog) -> NumberTables:
    """What a text may name: all of the catalog. The limits are in a table by their ids, and
    ``limits.ID.allowed`` is the bound of a limit at the points of the basic game, as text."""
    numbers: dict[str, Any] = msgspec.to_builtins(catalog)
    points = catalog.basic_game.points
    numbers["limits"] = {}
    for limit in catalog.limits:
        # The texts are the same for all battles, so P79 has its default answer here.
        allowed = str(limit.bound(points, "pro_rata"))
        numbers["limits"][limit.id] = {**msgspec.to_builtins(limit), "allowed": allowed}
    # These are constants of the program, since no edition of the rules could change them.
    numbers |= {"deck": len(DECK), "die": DIE, "raft_seats": RAFT_SEATS, "worth_group": GROUP_SIZE}
    return numbers


class FilledIn(NamedTuple):
    """A text on one line with its numbers in it, and what is wrong with it, in sentences."""

    text: str
    problems: list[str]


def filled_in(text: str, numbers: NumberTables) -> FilledIn:
    """The text with the numbers that its braces name; a place that names none is left as it is."""
    text = text.strip().replace("\n", " ")
    problems = []
    for bare in bare_numbers(text):
        problems.append(
            f"{bare} is typed bare; name it from the catalog ({{fire.exact_within:in}}), "
            f"or mark it as stated only here ({{={bare}}})."
        )

    def fill(place: re.Match[str]) -> str:
        written = _written(place["name"], place["form"] or "", numbers)
        if written is None:
            problems.append(f"{place[0]} names no number that can be written so.")
            return place[0]
        return written

    return FilledIn(_PLACE.sub(fill, text), problems)


def bare_numbers(text: str) -> list[str]:
    """The numbers that stand outside braces."""
    without_places = _PLACE.sub("", text)
    return _DIGITS.findall(_NAMES_WITH_DIGITS.sub("", without_places))


def _written(name: str, form: str, numbers: NumberTables) -> str | None:
    """The number of this name in this form; None if there is no such number or form, or if the
    number cannot be written in it."""
    if form not in _FORMS:
        return None
    # These are the errors of names of nothing, and of forms that do not fit a number.
    try:
        return _FORMS[form](_value(name, numbers))
    except (KeyError, IndexError, ValueError, TypeError):
        return None


def _value(name: str, numbers: NumberTables) -> Any:
    """What a name in a text stands for: ``fire.exact_within`` is looked up table by table, and
    ``=2`` is 2 itself. Raises KeyError, IndexError, TypeError or ValueError for a name of
    nothing."""
    if name.startswith("="):
        return int(name.removeprefix("="))
    value: Any = numbers
    for step in name.split("."):
        # In a list the step is an index.
        if isinstance(value, tuple | list):
            value = value[int(step)]
        else:
            value = value[step]
    return value


# ------------------------------------------------------------------ forms of a number


def share(text: str) -> str:
    """A share of the rules in words, ``a sixth`` for ``1/6``. Raises KeyError for others."""
    return {"1/2": "half", "1/3": "a third", "1/6": "a sixth", "1": "all"}[text]


def rank(value: int) -> str:
    """A rank of a card in words.

    >>> [rank(value) for value in (1, 7, 12)]
    ['ace', '7', 'queen']
    """
    return {1: "ace", 11: "jack", 12: "queen"}.get(value, str(value))


def suits(letters: str) -> str:
    """The suits that a check of the rules needs, in words. Raises KeyError for others."""
    return {"S": "a spade", "SC": "a black card", "CHD": "anything but a spade"}[letters]


def _plain(value: Any) -> str:
    """A number or a text as it stands. Raises ValueError for anything else, such as a table."""
    # To Python True and False are numbers, too.
    if not isinstance(value, int | str) or isinstance(value, bool):
        raise ValueError
    return str(value)


def _feet(value: Any) -> str:
    """``4 ft``."""
    return f"{int(value)}{NO_BREAK}ft"


def _word(value: Any) -> str:
    """A number in a word, ``two``. Raises ValueError for a number that is written in digits even
    among words: a text asks for those in the plain form."""
    word = number_word(value)
    if word.isdecimal():
        raise ValueError
    return word


def _capital_word(value: Any) -> str:
    """``Two``, at the beginning of a sentence."""
    return _word(value).capitalize()


_FORMS: dict[str, Callable[[Any], str]] = {
    "": _plain,
    "in": inches,
    "ft": _feet,
    "run": ranks_that_hit,
    "rank": rank,
    "share": share,
    "suits": suits,
    "word": _word,
    "Word": _capital_word,
}
"""How a number is written in a text, by the word behind its name."""
