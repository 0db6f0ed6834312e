"""Finding a rule by words: every word must be there; a title counts most, then what a rule is for.

Beginnings of words do, and so does a word with a slip in it, where nothing fits it as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher, get_close_matches

from skirmish.games.plastic.reference import Paragraph, Reference

NEAR = 0.72
"""How like a known word a mistyped one must be (see difflib)."""
FAINT = 0.6
"""The same, for titles that are only offered."""
SHORTEST = 4
"""Letters below which a word is not taken for a slip of another."""
_WORD = re.compile(r"[^\W_]+")

Weights = Mapping[str, int]
"""The words of a paragraph, each with what it counts."""

TITLE, WORDS, CHAPTER, TEXT, RULING = 100, 60, 20, 8, 3


class Index:
    """The words of a reference, gathered once for many questions."""

    def __init__(self, reference: Reference) -> None:
        self._paragraphs = reference.paragraphs
        self._weights = {one.id: weights(reference, one) for one in reference.paragraphs.values()}
        self._known = {word for found in self._weights.values() for word in found}

    def search(self, query: str) -> list[Paragraph]:
        """The paragraphs that hold every word of ``query``, the best first; all of them, in the
        order of the book, where no word was typed."""
        typed = split(query)
        if not typed:
            return list(self._paragraphs.values())
        wanted = [_meant(word, self._known) for word in typed]
        scores = {name: _score(wanted, found) for name, found in self._weights.items()}
        found = [one for one in self._paragraphs.values() if scores[one.id]]
        return sorted(found, key=lambda one: (split(one.title) != typed, -scores[one.id]))


def search(reference: Reference, query: str) -> list[Paragraph]:
    """The answer to a single question; see ``Index.search``."""
    return Index(reference).search(query)


def near_titles(reference: Reference, query: str, most: int = 3) -> list[Paragraph]:
    """Paragraphs with a title or a word like one of ``query``, for who found nothing."""
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
    """The words of a text, small."""
    return _WORD.findall(text.casefold())


def weights(reference: Reference, paragraph: Paragraph) -> dict[str, int]:
    """Every word of a paragraph with what it counts; a word that stands in several places counts
    by the best of them."""
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
    """The word, or the known one that it is a slip of."""
    if len(word) < SHORTEST or any(one.startswith(word) for one in known):
        return word
    near = get_close_matches(word, sorted(known), n=1, cutoff=NEAR)
    return near[0] if near else word


def _score(wanted: list[str], found: Weights) -> int:
    """The sum of the best that fits each word, half of it where only a beginning fits; 0 unless
    every word fits."""
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
