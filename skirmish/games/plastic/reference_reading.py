"""Reads data/plastic/reference.md and the like, and tells everything that is wrong at once.

``# Chapter``, then for each paragraph ``## Title {#id}``, lines of what it knows of itself
(``rulings: P22, P57``, ``for: ask repeat``, ``see: once``, ``words: burst``), an empty line, and
its text. ``[chart firing]`` puts a table of the program's below the text.

Numbers in the text are taken from the catalog, never typed twice: ``{fire.exact_within:in}`` is the
number of that name, in inches; ``{=2:in}`` is a number that stands nowhere else. A number outside
braces is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Any

import msgspec
from msgspec.structs import replace

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
    """Raises DataError with every mistake in ``file``, as people call it."""
    known, chapter = known_numbers(catalog), ""
    rules: list[Rule] = []
    problems: list[Problem] = []
    for at, heading, body in _sections(text):
        if heading.startswith("# "):
            chapter = heading[2:].strip()
        elif head := _HEAD.fullmatch(heading):
            if not chapter:
                says = "stands in no chapter; one begins with # and its title."
                problems.append(_in_line(at, says))
            rule = Rule(id=head["id"], title=head["title"], chapter=chapter, text=())
            rules.append(_filled(rule, body, known, problems))
            continue
        elif heading:
            says = "is no heading like ## Repeat fire {#repeat-fire}."
            problems.append(_in_line(at, says))
        says = "stands in no paragraph; a paragraph begins with ## Title {#id}."
        problems += [_in_line(at, says) for at, line in body if line]
    problems += _problems(rules, book)
    if problems:
        raise DataError(file, problems)
    topics = {topic: rule.id for rule in rules for topic in rule.topics}
    return Reference({rule.id: rule for rule in rules}, topics, book)


def _sections(text: str) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """Each heading with its line's number, and the lines below it with theirs."""
    found: tuple[int, str, list[tuple[int, str]]] = (0, "", [])
    for number, line in enumerate(map(str.rstrip, text.splitlines()), 1):
        if line.startswith("#"):
            yield found
            found = (number, line, [])
        else:
            found[2].append((number, line))
    yield found


def _in_line(number: int, says: str) -> Problem:
    return Problem(f"line {number}", says)


def _filled(
    rule: Rule, body: Iterable[tuple[int, str]], known: Known, problems: list[Problem]
) -> Rule:
    """The rule with its fields, which end at an empty line, its text and its charts."""
    fields: dict[str, tuple[str, ...]] = {}
    lines = iter(body)
    for at, line in takewhile(itemgetter(1), lines):
        field = _FIELD.fullmatch(line)
        if field is None or field["name"] not in FIELDS:
            name = field["name"] if field else line
            problems.append(_in_line(at, f"no field {name!r}; {suggest(name, FIELDS)}"))
            continue
        separator = " " if field["name"] == "words" else ", "
        fields[FIELDS[field["name"]]] = tuple(filter(None, field["value"].split(separator)))
    text, charts = [], []
    for some, block in groupby(lines, key=lambda one: bool(one[1])):
        prose = []
        for at, line in block:
            if chart := _CHART.fullmatch(line):
                charts.append(chart["name"])
            else:
                prose.append((at, line))
        if some and prose:
            told, wrong = filled_in(" ".join(line for _, line in prose), known)
            problems += [_in_line(prose[0][0], says) for says in wrong]
            text.append(told)
    return replace(rule, text=tuple(text), charts=tuple(charts), **fields)


def _problems(paragraphs: Iterable[Rule], book: PlasticRulingBook) -> Iterator[Problem]:
    found = list(paragraphs)
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
    """``limits.ID.allowed`` is what each comes to with the points of the basic game."""
    found: Known = msgspec.to_builtins(catalog)
    points = catalog.basic_game.points
    found["limits"] = {
        limit.id: msgspec.to_builtins(limit) | {"allowed": str(limit.bound(points, "pro_rata"))}
        for limit in catalog.limits
    }
    alone = {"deck": len(DECK), "die": DIE, "raft_seats": RAFT_SEATS, "worth_group": GROUP}
    return found | alone


def filled_in(text: str, known: Known) -> tuple[str, list[str]]:
    """The text with every number in its place, and what is wrong in it, in sentences."""
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
