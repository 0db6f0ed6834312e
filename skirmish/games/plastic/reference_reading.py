"""Reads data/plastic/reference.md and similar files, and reports every mistake at once.

``# Chapter``, then for each paragraph ``## Title {#id}``, lines with its fields (``rulings: P22,
P57``, ``for: ask repeat``, ``see: once``, ``words: burst``), an empty line, and its text. ``[chart
firing]`` puts a table of the program's below the text.

Numbers in the text come from the catalog: ``{fire.exact_within:in}`` is the number of that name, in
inches; ``{=2:in}`` is a number that no catalog has. A number outside braces is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from skirmish.games.plastic.odds.worth import GROUP
from skirmish.games.plastic.reference import CHARTS, Reference, Rule, rank, share, suits
from skirmish.games.plastic.rules.catalog import DECK, DIE, Catalog
from skirmish.games.plastic.rules.checks import RAFT_SEATS
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.reading import DataError, Problem, parts, suggest

FIELDS = {"rulings": "rulings", "for": "topics", "see": "see", "words": "words"}
KINDS = (
    "refusal", "rule", "ask", "phase", "check", "verdict", "limit", "option", "mode", "line",
)  # fmt: skip

_HEAD = re.compile(r"## (?P<title>[^{}]+?) \{#(?P<id>[a-z0-9-]+)\}")
_FIELD = re.compile(r"(?P<name>[a-z]+): *(?P<value>.*)")
_CHART = re.compile(r"\[chart (?P<name>[a-z]+)\]")


def read_reference(text: str, catalog: Catalog, book: PlasticRulingBook, file: str) -> Reference:
    """Raises DataError with every mistake in ``file``, its name in messages."""
    known, chapter = known_numbers(catalog), ""
    rule: dict[str, Any] | None = None
    raw: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for at, block in _blocks(text):
        prose: list[str] = []
        fields = False
        for number, line in enumerate(block, at):
            message = ""
            if line.startswith("# "):
                chapter, rule = line[2:].strip(), None
            elif line.startswith("#"):
                head = _HEAD.fullmatch(line)
                rule, fields = None, True
                if head:
                    rule = head.groupdict() | {"chapter": chapter, "text": [], "charts": []}
                    raw.append(rule)
                    message = (
                        "" if chapter else "stands in no chapter; one begins with # and its title."
                    )
                else:
                    message = "is no heading like ## Repeat fire {#repeat-fire}."
            elif rule is None:
                message = "stands in no paragraph; a paragraph begins with ## Title {#id}."
            elif fields:
                message = _field(rule, line)
            elif chart := _CHART.fullmatch(line):
                rule["charts"].append(chart["name"])
            else:
                prose.append(line)
            problems += [_in_line(number, message)] if message else []
        if prose and rule:
            text, wrong = filled_in(" ".join(prose), known)
            problems += [_in_line(at, message) for message in wrong]
            rule["text"].append(text)
    rules = msgspec.convert(raw, list[Rule])
    problems += _problems(rules, book)
    if problems:
        raise DataError(file, problems)
    topics = {topic: rule.id for rule in rules for topic in rule.topics}
    return Reference({rule.id: rule for rule in rules}, topics, book)


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Blocks of consecutive lines, with the number of the first."""
    lines = enumerate(map(str.rstrip, text.splitlines()), 1)
    for some, block in groupby(lines, key=lambda one: bool(one[1])):
        if some:
            numbers, found = zip(*block, strict=True)
            yield numbers[0], list(found)


def _field(rule: dict[str, Any], line: str) -> str:
    """Sets the field, or returns what is wrong with the line."""
    field = _FIELD.fullmatch(line)
    if field is None or field["name"] not in FIELDS:
        name = field["name"] if field else line
        return f"no field {name!r}; {suggest(name, FIELDS)}"
    separator = " " if field["name"] == "words" else ", "
    rule[FIELDS[field["name"]]] = [*filter(None, field["value"].split(separator))]
    return ""


def _in_line(number: int, message: str) -> Problem:
    return Problem(f"line {number}", message)


def _problems(found: Sequence[Rule], book: PlasticRulingBook) -> Iterator[Problem]:
    ids = [paragraph.id for paragraph in found]
    known: dict[str, Collection[str]] = {"ruling": book.rulings, "paragraph": ids, "chart": CHARTS}
    topics: dict[str, str] = {}
    for index, one in enumerate(found):
        if one.id in ids[:index]:
            yield Problem(one.id, "stands there twice.")
        if not one.text:
            yield Problem(one.id, "has no text.")
        for key, name, to in parts(one, Rule, one.id):
            if to and name not in known[to]:
                yield Problem(key, f"no {to} {name!r}; {suggest(name, known[to])}")
        for topic in one.topics:
            kind = topic.partition(" ")[0]
            if kind not in KINDS:
                yield Problem(f"{one.id}.for", f"no kind {kind!r}; {suggest(kind, KINDS)}")
            if topic in topics:
                yield Problem(f"{one.id}.for", f"{topic} stands at {topics[topic]} already.")
            topics[topic] = one.id


# ------------------------------------------------------------------ numbers


Known = dict[str, Any]

_PLACE = re.compile(r"\{(?P<name>=?[^{}:]+)(?::(?P<how>\w+))?\}")
_BARE = re.compile(r"\d+")
_NO_NUMBERS = re.compile(r"\bphases? \d(?: (?:and|or) \d)?|\b88s?\b")


def known_numbers(catalog: Catalog) -> Known:
    """``limits.ID.allowed`` is the bound at the points of the basic game."""
    found: Known = msgspec.to_builtins(catalog)
    points = catalog.basic_game.points
    found["limits"] = {
        limit.id: msgspec.to_builtins(limit) | {"allowed": str(limit.bound(points, "pro_rata"))}
        for limit in catalog.limits
    }
    alone = {"deck": len(DECK), "die": DIE, "raft_seats": RAFT_SEATS, "worth_group": GROUP}
    return found | alone


def filled_in(text: str, known: Known) -> tuple[str, list[str]]:
    wrong = [
        f"{bare} is typed bare; name it from the catalog ({{fire.exact_within:in}}), "
        f"or mark it as told only here ({{={bare}}})."
        for bare in bare_numbers(text)
    ]

    def number(place: re.Match[str]) -> str:
        try:
            return _FORMS[place["how"] or ""](_value(place["name"], known))
        except (KeyError, IndexError, ValueError, TypeError):
            wrong.append(f"{place[0]} names no number that can be told so.")
            return place[0]

    return _PLACE.sub(number, text), wrong


def bare_numbers(text: str) -> Iterator[str]:
    yield from _BARE.findall(_NO_NUMBERS.sub("", _PLACE.sub("", text)))


def _value(name: str, known: Known) -> Any:
    if name.startswith("="):
        return int(name[1:])
    found: Any = known
    for step in name.split("."):
        found = found[int(step)] if isinstance(found, tuple) else found[step]
    return found


def _plain(value: Any) -> str:
    if not isinstance(value, int | str) or isinstance(value, bool):
        raise ValueError
    return str(value)


_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FORMS: dict[str, Callable[[Any], str]] = {
    "": _plain,
    "in": inches,
    "ft": lambda value: f"{int(value)}{NO_BREAK}ft",
    "run": run,
    "rank": rank,
    "share": share,
    "suits": suits,
    "word": lambda value: _WORDS[value],
    "Word": lambda value: _WORDS[value].capitalize(),
}
