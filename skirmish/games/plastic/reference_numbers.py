"""The numbers in the text of the reference: taken from the catalog, never typed twice.

``{fire.exact_within:in}`` is the number of that name in the catalog, told as inches; ``{=2:in}`` is
a number that stands nowhere else. A number outside braces is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import msgspec

from skirmish.games.plastic.odds.worth import GROUP
from skirmish.games.plastic.rules.catalog import DECK, DIE, Catalog
from skirmish.games.plastic.rules.seats import RAFT_SEATS
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.measure import NO_BREAK, inches

Known = dict[str, Any]
"""The catalog as plain mappings and lists, for dotted names (``units.tank.price``)."""

_PLACE = re.compile(r"\{(?P<name>=?[^{}:]+)(?::(?P<how>\w+))?\}")
_BARE = re.compile(r"\d+")
_NO_NUMBERS = re.compile(r"\bphases? \d(?: (?:and|or) \d)?|\b88s?\b")
"""Digits that are names: phases, and the gun."""


def known_numbers(catalog: Catalog) -> Known:
    """Everything that the text may name. Limits are named by id, and ``allowed`` is what each comes
    to with the points of the basic game. ``deck``, ``die``, ``raft_seats`` and ``worth_group``
    stand in no file."""
    found: Known = msgspec.to_builtins(catalog)
    points = catalog.basic_game.points
    found["limits"] = {
        limit.id: msgspec.to_builtins(limit) | {"allowed": str(limit.bound(points, "pro_rata"))}
        for limit in catalog.limits
    }
    alone = {"deck": len(DECK), "die": DIE, "raft_seats": RAFT_SEATS, "worth_group": GROUP}
    return found | alone


def filled_in(text: str, known: Known, wrong: Callable[[str], None]) -> str:
    """The text with every number in its place. ``wrong`` is told each mistake, as a sentence."""
    for bare in bare_numbers(text):
        wrong(
            f"{bare} is typed bare; name it from the catalog ({{fire.exact_within:in}}), "
            f"or mark it as told only here ({{={bare}}})."
        )

    def number(place: re.Match[str]) -> str:
        try:
            return _told(_value(place["name"], known), place["how"] or "")
        except (KeyError, IndexError, ValueError, TypeError):
            wrong(f"{place[0]} names no number that can be told so.")
            return place[0]

    return _PLACE.sub(number, text)


def bare_numbers(text: str) -> Iterator[str]:
    """The numbers outside braces that are not names of something."""
    yield from _BARE.findall(_NO_NUMBERS.sub("", _PLACE.sub("", text)))


def share(text: str) -> str:
    """A fraction in words: ``1/6`` is ``a sixth``."""
    return {2: "half", 3: "a third", 6: "a sixth", 1: "all"}[Fraction(text).denominator]


def rank(value: int) -> str:
    """A rank as it is called: ``jack``, ``9``."""
    return {1: "ace", 11: "jack", 12: "queen"}.get(value, str(value))


def suits(letters: str) -> str:
    """What a draw must be: ``a spade``, ``a black card``."""
    return {
        "S": "a spade",
        "SC": "a black card",
        "CHD": "anything but a spade",
    }[letters]


def _value(name: str, known: Known) -> Any:
    if name.startswith("="):
        return int(name[1:])
    found: Any = known
    for step in name.split("."):
        found = found[int(step)] if isinstance(found, tuple) else found[step]
    return found


def _told(value: Any, how: str) -> str:
    match how:
        case "":
            if not isinstance(value, int | str) or isinstance(value, bool):
                raise ValueError
            return str(value)
        case "in":
            return inches(value)
        case "ft":
            return f"{int(value)}{NO_BREAK}ft"
        case "run":
            return run(value)
        case "rank":
            return rank(value)
        case "share":
            return share(value)
        case "suits":
            return suits(value)
        case "word":
            return _WORDS[value]
        case "Word":
            return _WORDS[value].capitalize()
    raise ValueError(how)


_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
