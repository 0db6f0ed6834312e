"""Reads the paragraphs of the rules from their file, and names every mistake in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from skirmish.games.plastic.reference.charts import CHARTS
from skirmish.games.plastic.reference.lookup import Reference
from skirmish.games.plastic.reference.numbers import NumberTables, filled_in, known_numbers
from skirmish.games.plastic.reference.paragraph import RuleParagraph
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.data_file import Problem, parts, read, suggest

ReferenceFile: TypeAlias = dict[str, dict[str, RuleParagraph]]
"""The file: its paragraphs by chapter and id, with their numbers still in braces."""
TOPIC_KINDS = (
    "refusal", "rule", "ask", "phase", "check", "verdict", "limit", "option", "mode", "line",
)  # fmt: skip
"""The first words of topics: the kinds of places where a paragraph helps."""


def read_reference(raw: object, catalog: Catalog, book: PlasticRulingBook, file: str) -> Reference:
    """The paragraphs with their numbers filled in; ``raw`` is the parsed TOML. Raises DataError
    with every mistake in ``file``, its name in messages."""
    numbers = known_numbers(catalog)
    chapters = read(raw, ReferenceFile, file, partial(_problems, numbers=numbers, book=book))
    paragraphs: dict[str, RuleParagraph] = {}
    topics: dict[str, str] = {}
    for chapter, paragraphs_by_id in chapters.items():
        for id, written in paragraphs_by_id.items():
            text = tuple(filled_in(part, numbers).text for part in written.text)
            paragraphs[id] = replace(written, id=id, chapter=chapter, text=text)
            for topic in written.topics:
                topics[topic] = id
    return Reference(paragraphs, topics, book)


def _problems(
    chapters: ReferenceFile, numbers: NumberTables, book: PlasticRulingBook
) -> Iterator[Problem]:
    """What is wrong with the file: two paragraphs with one id or topic, references to what does not
    exist, and numbers that are not from the catalog."""
    times_of_id: Counter[str] = Counter()
    for chapter in chapters.values():
        times_of_id.update(chapter.keys())
    known_ids: dict[str, Iterable[str]] = {
        "ruling": book.rulings,
        "paragraph": times_of_id,
        "chart": CHARTS,
    }
    keys_by_topic: dict[str, str] = {}
    for part in parts(chapters, ReferenceFile):
        if part.is_struct:
            # A paragraph, whose key is CHAPTER.ID.
            _, _, id = part.key.rpartition(".")
            if times_of_id[id] > 1:
                yield Problem(part.key, f"{id} stands there twice.")
            yield from _text_problems(part.key, part.value, numbers)
            yield from _topic_problems(part.key, part.value, keys_by_topic)
        # All other parts are ids to which a paragraph refers.
        elif part.value not in known_ids[part.refers_to]:
            hint = suggest(part.value, known_ids[part.refers_to])
            yield Problem(part.key, f"no {part.refers_to} {part.value!r}; {hint}")


def _text_problems(key: str, paragraph: RuleParagraph, numbers: NumberTables) -> Iterator[Problem]:
    """Numbers in the text of a paragraph that stand outside braces, and names in braces that are
    not the name of any number."""
    for index, text in enumerate(paragraph.text):
        for problem in filled_in(text, numbers).problems:
            yield Problem(f"{key}.text[{index}]", problem)


def _topic_problems(
    key: str, paragraph: RuleParagraph, keys_by_topic: dict[str, str]
) -> Iterator[Problem]:
    """Topics of no known kind, and those that an earlier paragraph has. Topics that are new are
    added to ``keys_by_topic``, with the key of this paragraph."""
    for topic in paragraph.topics:
        kind, _, _ = topic.partition(" ")
        if kind not in TOPIC_KINDS:
            yield Problem(f"{key}.for", f"no kind {kind!r}; {suggest(kind, TOPIC_KINDS)}")
        first_key = keys_by_topic.setdefault(topic, key)
        if first_key != key:
            yield Problem(f"{key}.for", f"{topic} stands at {first_key} already.")
