"""The rules in our own words: short paragraphs, found by what a player asks or by what he was told.

A paragraph says what it is *for*: topics such as ``refusal range``, ``ask casualty``, ``phase 2``
or ``limit budget``. So whatever the program says can lead to the rule that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from skirmish.games.plastic.rules.rulings import Ruling, RulingBook


class Paragraph(msgspec.Struct, frozen=True, kw_only=True):
    """One rule. ``text`` are its lines of prose, ``charts`` the tables that stand below them (see
    ``reference_charts``), ``rulings`` and ``see`` ids of rulings and paragraphs, ``topics`` what it
    is for, ``words`` further words by which it is looked for."""

    id: str
    title: str
    chapter: str
    text: tuple[str, ...]
    charts: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


class Filled(msgspec.Struct, frozen=True):
    """How a gap is filled: the ruling, the answer in force as a sentence, whether it is ours."""

    ruling: Ruling
    answer: str
    usual: bool


class Reference(msgspec.Struct, frozen=True):
    """All paragraphs by id, in the order of the book, and the id of the one for each topic."""

    paragraphs: dict[str, Paragraph]
    topics: dict[str, str]
    book: RulingBook

    def chapters(self) -> Iterator[tuple[str, list[Paragraph]]]:
        """Each chapter with its paragraphs."""
        found: dict[str, list[Paragraph]] = {}
        for paragraph in self.paragraphs.values():
            found.setdefault(paragraph.chapter, []).append(paragraph)
        yield from found.items()

    def on(self, *topics: str) -> Paragraph | None:
        """The paragraph for the first of ``topics`` that has one."""
        for topic in topics:
            if topic in self.topics:
                return self.paragraphs[self.topics[topic]]
        return None

    def named(self, name: str) -> Paragraph | None:
        """The paragraph that a screen names: by its id, by a topic, by a ruling, or by a line of
        set-up (``option:pinning`` is for the topic ``option pinning``, ``draws:german`` for
        ``line draws``)."""
        if name in self.paragraphs:
            return self.paragraphs[name]
        kind = name.partition(":")[0]
        return self.on(name, name.replace(":", " "), f"line {kind}", f"option {kind}") or (
            self.holding(name)
        )

    def about(self, code: str, rule: str = "") -> Paragraph | None:
        """The paragraph that explains a refusal, by its code and its rule. The rule may end with a
        ruling, as in ``Loading or Unloading, P27``."""
        name, _, ruling = rule.partition(", ")
        return (
            self.on(f"refusal {code} ({name})", f"refusal {code}")
            or self.on(f"rule {name}")
            or self.holding(ruling or name)
        )

    def holding(self, ruling: str) -> Paragraph | None:
        """The first paragraph in which a ruling stands."""
        return next((one for one in self.paragraphs.values() if ruling in one.rulings), None)

    def filled(
        self, paragraph: Paragraph, answers: Mapping[str, str], scenario: int | None = None
    ) -> list[Filled]:
        """The rulings of a paragraph as ``answers`` have them, else as usual. In a battle of
        ``scenario`` those of others are left out."""
        found = []
        for name in paragraph.rulings:
            ruling = self.book.rulings[name]
            if scenario is not None and ruling.scenarios and scenario not in ruling.scenarios:
                continue
            answer = answers.get(name, ruling.default)
            says = ruling.answers.get(answer, answer)
            found.append(Filled(ruling, says, answer == ruling.default))
        return found
