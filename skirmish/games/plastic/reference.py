"""The rules in our own words, found by what a player asks or was told. A paragraph's topics are
what it is for: ``refusal range``, ``ask casualty``, ``phase 2``, ``limit budget``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher, get_close_matches

import msgspec

from skirmish.games.plastic.reference_charts import ChartTerms, chart_blocks
from skirmish.games.plastic.rules.rulings import TOPICS, PlasticRuling, PlasticRulingBook
from skirmish.tabletop.page import Block, Heading, Page, Paragraph

NEAR = 0.72
"""How like a known word a mistyped one must be (difflib); a title that is only offered, ``FAINT``.
"""
FAINT = 0.6
SHORTEST = 4
_WORD = re.compile(r"[^\W_]+")

Weights = Mapping[str, int]

TITLE, WORDS, CHAPTER, TEXT, RULING = 100, 60, 20, 8, 3


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """``rulings`` and ``see`` are ids, ``words`` further words by which it is looked for."""

    id: str
    title: str
    chapter: str
    text: tuple[str, ...]
    charts: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


class FilledGap(msgspec.Struct, frozen=True):
    ruling: PlasticRuling
    answer: str
    usual: bool


class Reference(msgspec.Struct, frozen=True):
    """``topics`` gives the id of the paragraph for each."""

    paragraphs: dict[str, Rule]
    topics: dict[str, str]
    book: PlasticRulingBook

    def chapters(self) -> Iterator[tuple[str, list[Rule]]]:
        found: dict[str, list[Rule]] = {}
        for paragraph in self.paragraphs.values():
            found.setdefault(paragraph.chapter, []).append(paragraph)
        yield from found.items()

    def on(self, *topics: str) -> Rule | None:
        for topic in topics:
            if topic in self.topics:
                return self.paragraphs[self.topics[topic]]
        return None

    def named(self, name: str) -> Rule | None:
        """By its id, a topic, a ruling, or a line of set-up: ``option:pinning`` is for the topic
        ``option pinning``, ``draws:german`` for ``line draws``."""
        if name in self.paragraphs:
            return self.paragraphs[name]
        kind = name.partition(":")[0]
        return self.on(name, name.replace(":", " "), f"line {kind}", f"option {kind}") or (
            self.holding(name)
        )

    def about(self, code: str, rule: str = "") -> Rule | None:
        """The paragraph for a refusal. Its rule may end with a ruling: ``Loading or Unloading,
        P27``."""
        name, _, ruling = rule.partition(", ")
        return (
            self.on(f"refusal {code} ({name})", f"refusal {code}")
            or self.on(f"rule {name}")
            or self.holding(ruling or name)
        )

    def holding(self, ruling: str) -> Rule | None:
        return next((one for one in self.paragraphs.values() if ruling in one.rulings), None)

    def filled(
        self, paragraph: Rule, answers: Mapping[str, str], scenario: int | None = None
    ) -> list[FilledGap]:
        """In a battle of ``scenario`` those of others are left out."""
        rulings = [self.book.rulings[name] for name in paragraph.rulings]
        return [
            filled(ruling, answers)
            for ruling in rulings
            if scenario is None or not ruling.scenarios or scenario in ruling.scenarios
        ]

    def page(
        self, rule: Rule, terms: ChartTerms, scenario: int | None = None, whose: str = ""
    ) -> Page:
        blocks: list[Block] = [Paragraph(text) for text in rule.text]
        for name in rule.charts:
            blocks += chart_blocks(name, terms.catalog, terms.rulings)
        if filled := self.filled(rule, terms.rulings, scenario):
            blocks.append(Heading("Rulings", aside=whose))
            blocks += [_answered(one) for one in filled]
        return Page(rule.title, tuple(blocks), about=(rule.chapter,))


def rulings_page(
    book: PlasticRulingBook, answers: Mapping[str, str], scenario: int | None = None
) -> Page:
    blocks: list[Block] = []
    for topic, title in TOPICS.items():
        found = [
            _answered(filled(ruling, answers))
            for ruling in book.about([topic])
            if not (scenario and ruling.scenarios) or scenario in ruling.scenarios
        ]
        blocks += [Heading(title), *found] if found else []
    return Page("Rulings: how gaps in the rules are filled", tuple(blocks))


def filled(ruling: PlasticRuling, answers: Mapping[str, str]) -> FilledGap:
    answer = answers.get(ruling.id, ruling.default)
    return FilledGap(ruling, ruling.answers.get(answer, answer), answer == ruling.default)


def _answered(one: FilledGap) -> Paragraph:
    ruling, other = one.ruling, "" if one.usual else "NOT THE DEFAULT: "
    lead = f"{ruling.id} {ruling.title}."
    return Paragraph(f"{other}{one.answer}", lead, aside=ruling.question)


# ------------------------------------------------------------------ looking for words


class Index:
    def __init__(self, reference: Reference) -> None:
        self._paragraphs = reference.paragraphs
        self._weights = {one.id: weights(reference, one) for one in reference.paragraphs.values()}
        self._known = {word for found in self._weights.values() for word in found}

    def search(self, query: str) -> list[Rule]:
        """Every word must be in it, beginnings and slips included; all where nothing was typed."""
        typed = split(query)
        if not typed:
            return list(self._paragraphs.values())
        wanted = [_meant(word, self._known) for word in typed]
        scores = {name: _score(wanted, found) for name, found in self._weights.items()}
        found = [one for one in self._paragraphs.values() if scores[one.id]]
        return sorted(found, key=lambda one: (split(one.title) != typed, -scores[one.id]))


def search(reference: Reference, query: str) -> list[Rule]:
    return Index(reference).search(query)


def near_titles(reference: Reference, query: str, most: int = 3) -> list[Rule]:
    likeness: dict[str, float] = {}
    for one in reference.paragraphs.values():
        known = {*split(one.title), *one.words}
        likeness[one.id] = max(
            (
                SequenceMatcher(None, word, other).ratio()
                for word in split(query)
                for other in known
            ),
            default=0,
        )
    best = sorted(likeness, key=lambda name: -likeness[name])
    return [reference.paragraphs[name] for name in best[:most] if likeness[name] >= FAINT]


def split(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def weights(reference: Reference, paragraph: Rule) -> dict[str, int]:
    """A word in several places counts by the best of them."""
    found: dict[str, int] = {}
    for name in paragraph.rulings:
        ruling = reference.book.rulings[name]
        _note(found, (f"{ruling.title} {ruling.question}",), RULING)
        _note(found, (name,), WORDS)
    _note(found, paragraph.text, TEXT)
    _note(found, (paragraph.chapter,), CHAPTER)
    _note(found, paragraph.words, WORDS)
    _note(found, (paragraph.title,), TITLE)
    return found


def _note(found: dict[str, int], texts: Iterable[str], weight: int) -> None:
    for text in texts:
        found.update(dict.fromkeys(split(text), weight))


def _meant(word: str, known: set[str]) -> str:
    if len(word) < SHORTEST or any(one.startswith(word) for one in known):
        return word
    near = get_close_matches(word, sorted(known), n=1, cutoff=NEAR)
    return near[0] if near else word


def _score(wanted: list[str], found: Weights) -> int:
    """Half where only a beginning fits; 0 unless every word fits."""
    total = 0
    for word in wanted:
        best = max(
            (
                2 * weight if known == word else weight
                for known, weight in found.items()
                if known.startswith(word)
            ),
            default=0,
        )
        if not best:
            return 0
        total += best
    return total
