"""Finds paragraphs of the rules by the words that somebody typed, mistyped or began to type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from skirmish.games.plastic.reference.paragraph import RuleParagraph
from skirmish.games.plastic.rules.rulings import PlasticRulingBook

TITLE, SEARCH_TERM, CHAPTER, TEXT, RULING = 100, 60, 20, 8, 3
"""What a word counts in a search, by the place where a paragraph has it. A title that matches
should come before several words of a text."""
TYPING_ERROR = 0.72
"""The similarity (of difflib, 0 to 1) from which a word is taken for another one, mistyped."""
SUGGESTION = 0.6
"""The similarity from which a title is suggested when nothing matches."""
SHORTEST_CORRECTED = 4
"""Words of fewer letters are searched for as they are typed: too many others are similar."""
# A word consists of letters and digits: "half-track" is two words, here and in what is typed.
_WORD = re.compile(r"[^\W_]+")


def words_in(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _WORD.findall(text.casefold())


class SearchedPlace(NamedTuple):
    """A place where a paragraph has words, such as its title."""

    weight: int
    """What a word counts there."""
    texts: Sequence[str]


class ParagraphSearch:
    """The words of all paragraphs, ready to be searched."""

    def __init__(self, paragraphs: Iterable[RuleParagraph], book: PlasticRulingBook) -> None:
        self._paragraphs = list(paragraphs)
        self._known_words: set[str] = set()
        self._weights_by_id: dict[str, dict[str, int]] = {}
        """The weight of each word of a paragraph, by the id of the paragraph."""
        for paragraph in self._paragraphs:
            weights = _weights_of_words(paragraph, book)
            self._weights_by_id[paragraph.id] = weights
            self._known_words.update(weights)

    def matching(self, query: str) -> list[RuleParagraph]:
        """The paragraphs that match every word of the query, the best first. Typing errors are
        corrected, and the beginning of a word is enough. All paragraphs for an empty query."""
        typed = words_in(query)
        if not typed:
            return list(self._paragraphs)
        wanted = [self._corrected(word) for word in typed]
        scores = {id: _score(wanted, weights) for id, weights in self._weights_by_id.items()}

        def best_first(paragraph: RuleParagraph) -> tuple[bool, int]:
            # False sorts before True: a title that is exactly what was typed comes first.
            has_other_title = words_in(paragraph.title) != typed
            return has_other_title, -scores[paragraph.id]

        matching = [paragraph for paragraph in self._paragraphs if scores[paragraph.id] > 0]
        return sorted(matching, key=best_first)

    def similar(self, query: str, most: int) -> list[RuleParagraph]:
        """Up to ``most`` suggestions for a query that nothing matches: paragraphs with a title or a
        search term similar to one of its words."""
        paragraph_by_word: dict[str, RuleParagraph] = {}
        for paragraph in self._paragraphs:
            for word in words_in(paragraph.words):
                paragraph_by_word[word] = paragraph
        # Titles last: a word leads to the paragraph with that title rather than to one that only
        # has it as a search term.
        for paragraph in self._paragraphs:
            for word in words_in(paragraph.title):
                paragraph_by_word[word] = paragraph
        # By id, since several words may lead to the same paragraph.
        suggested: dict[str, RuleParagraph] = {}
        for typed_word in words_in(query):
            nearest = get_close_matches(typed_word, paragraph_by_word, n=most, cutoff=SUGGESTION)
            for word in nearest:
                paragraph = paragraph_by_word[word]
                suggested.setdefault(paragraph.id, paragraph)
        return list(suggested.values())[:most]

    def _corrected(self, word: str) -> str:
        """The known word that was probably meant; the word itself if it is one, begins one, or is
        like none."""
        if len(word) < SHORTEST_CORRECTED:
            return word
        if any(known_word.startswith(word) for known_word in self._known_words):
            return word
        # Sorted, so that the same of two equally similar words is chosen each time.
        similar = get_close_matches(word, sorted(self._known_words), n=1, cutoff=TYPING_ERROR)
        if similar:
            return similar[0]
        return word


def _weights_of_words(paragraph: RuleParagraph, book: PlasticRulingBook) -> dict[str, int]:
    """The weight of each word of a paragraph; a word in several places has its greatest."""
    weights: dict[str, int] = {}
    for place in _places(paragraph, book):
        for text in place.texts:
            for word in words_in(text):
                weights[word] = max(place.weight, weights.get(word, 0))
    return weights


def _places(paragraph: RuleParagraph, book: PlasticRulingBook) -> Iterator[SearchedPlace]:
    """The places where a paragraph has words."""
    rulings = [book.rulings[id] for id in paragraph.rulings]
    yield SearchedPlace(TITLE, [paragraph.title])
    # The id of a ruling is a search term, too: somebody types P27.
    yield SearchedPlace(SEARCH_TERM, [paragraph.words, *paragraph.rulings])
    yield SearchedPlace(CHAPTER, [paragraph.chapter])
    yield SearchedPlace(TEXT, paragraph.text)
    yield SearchedPlace(RULING, [f"{ruling.title} {ruling.question}" for ruling in rulings])


def _score(wanted: Sequence[str], weights: Mapping[str, int]) -> int:
    """How well a paragraph whose words have these weights matches the ``wanted`` words: the sum of
    the best match of each, where a whole word counts twice as much as the beginning of one. It is 0
    unless every wanted word matches: otherwise a long query would match nearly everything."""
    total = 0
    for word in wanted:
        best = 0
        for own_word, weight in weights.items():
            if own_word == word:
                best = max(best, 2 * weight)
            elif own_word.startswith(word):
                best = max(best, weight)
        if best == 0:
            return 0
        total += best
    return total
