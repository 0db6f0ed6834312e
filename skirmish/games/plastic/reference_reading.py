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
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.odds.worth import GROUP
from skirmish.games.plastic.reference import Reference, Rule
from skirmish.games.plastic.reference_charts import CHARTS, rank, share, suits
from skirmish.games.plastic.rules.catalog import DECK, DIE, Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.games.plastic.rules.seats import RAFT_SEATS
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.reading import DataError, Problem, suggest

FIELDS = ("rulings", "for", "see", "words")
KINDS = (
    "refusal",
    "rule",
    "ask",
    "phase",
    "check",
    "verdict",
    "limit",
    "option",
    "mode",
    "line",
)

_HEAD = re.compile(r"## (?P<title>[^{}]+?) \{#(?P<id>[a-z0-9-]+)\}")
_FIELD = re.compile(r"(?P<name>[a-z]+): *(?P<value>.*)")
_CHART = re.compile(r"\[chart (?P<name>[a-z]+)\]")


def read_reference(text: str, catalog: Catalog, book: RulingBook, file: str) -> Reference:
    """Raises DataError with every mistake in ``file``, as people call it."""
    reading = _Reading(known_numbers(catalog))
    for number, line in enumerate(text.splitlines(), 1):
        reading.take(number, line.rstrip())
    paragraphs = reading.finished()
    by_id = {paragraph.id: paragraph for paragraph in paragraphs}
    topics = {topic: paragraph.id for paragraph in paragraphs for topic in paragraph.topics}
    problems = [*reading.problems, *_problems(paragraphs, book)]
    if problems:
        raise DataError(file, problems)
    return Reference(by_id, topics, book)


class _Reading:
    def __init__(self, known: Known) -> None:
        self.problems: list[Problem] = []
        self._known = known
        self._chapter = ""
        self._done: list[Rule] = []
        self._begun: Rule | None = None
        self._blocks: list[tuple[int, str]] = []
        self._in_head = False
        self._at = 0

    def take(self, number: int, line: str) -> None:
        if line.startswith("#"):
            self._finish()
        self._at = number
        if line.startswith("## "):
            self._begin(line)
        elif line.startswith("# "):
            self._chapter = line[2:].strip()
        elif self._begun is None:
            if line:
                self._wrong("stands in no paragraph; a paragraph begins with ## Title {#id}.")
        elif self._in_head and line:
            self._field(self._begun, line)
        elif chart := _CHART.fullmatch(line):
            self._begun = replace(self._begun, charts=(*self._begun.charts, chart["name"]))
        else:
            self._in_head = False
            self._take_text(line)

    def finished(self) -> list[Rule]:
        self._finish()
        return self._done

    def _begin(self, line: str) -> None:
        head = _HEAD.fullmatch(line)
        if head is None:
            self._wrong("is no heading like ## Repeat fire {#repeat-fire}.")
            return
        if not self._chapter:
            self._wrong("stands in no chapter; one begins with # and its title.")
        title, name = head["title"], head["id"]
        self._begun = Rule(id=name, title=title, chapter=self._chapter, text=())
        self._in_head = True

    def _field(self, begun: Rule, line: str) -> None:
        field = _FIELD.fullmatch(line)
        if field is None or field["name"] not in FIELDS:
            name = field["name"] if field else line
            self._wrong(f"no field {name!r}; {suggest(name, FIELDS)}")
            return
        separator = " " if field["name"] == "words" else ", "
        values = tuple(filter(None, field["value"].split(separator)))
        place = "topics" if field["name"] == "for" else field["name"]
        self._begun = replace(begun, **{place: values})

    def _take_text(self, line: str) -> None:
        if not line:
            self._blocks.append((self._at + 1, ""))
        elif self._blocks and self._blocks[-1][1]:
            begun, text = self._blocks[-1]
            self._blocks[-1] = (begun, f"{text} {line}")
        else:
            self._blocks.append((self._at, line))

    def _finish(self) -> None:
        if self._begun is not None:
            text = []
            for at, block in self._blocks:
                self._at = at
                if block:
                    text.append(filled_in(block, self._known, self._wrong))
            self._done.append(replace(self._begun, text=tuple(text)))
        self._begun, self._blocks, self._in_head = None, [], False

    def _wrong(self, says: str) -> None:
        self.problems.append(Problem(f"line {self._at}", says))


def _problems(paragraphs: Iterable[Rule], book: RulingBook) -> Iterator[Problem]:
    found = list(paragraphs)
    ids = [paragraph.id for paragraph in found]
    topics: dict[str, str] = {}
    for index, one in enumerate(found):
        if one.id in ids[:index]:
            yield Problem(one.id, "stands there twice.")
        if not one.text:
            yield Problem(one.id, "has no text.")
        for name in one.rulings:
            if name not in book.rulings:
                yield Problem(f"{one.id}.rulings", f"no ruling {name!r}.")
        for name in one.see:
            if name not in ids:
                yield Problem(f"{one.id}.see", f"no paragraph {name!r}; {suggest(name, ids)}")
        for name in one.charts:
            if name not in CHARTS:
                yield Problem(f"{one.id}.chart", f"no chart {name!r}; {suggest(name, CHARTS)}")
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


def filled_in(text: str, known: Known, wrong: Callable[[str], None]) -> str:
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
    yield from _BARE.findall(_NO_NUMBERS.sub("", _PLACE.sub("", text)))


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
