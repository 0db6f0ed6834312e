"""All paragraphs of the rules, and the ways to find the right one."""

from __future__ import annotations

from functools import cached_property

import msgspec

from skirmish.games.plastic.reference.charts import CHARTS, ChartTerms
from skirmish.games.plastic.reference.paragraph import RuleParagraph
from skirmish.games.plastic.reference.rulings import answered_rulings
from skirmish.games.plastic.reference.search import ParagraphSearch
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.page import Block, Heading, Page, Paragraph


class Reference(msgspec.Struct, frozen=True, dict=True):
    """All paragraphs, with the ways to find one."""

    paragraphs: dict[str, RuleParagraph]
    """The paragraphs by id, in the order of the file."""
    topics: dict[str, str]
    """The id of the paragraph on each topic. Topics are explained at the head of the package."""
    book: PlasticRulingBook
    """The rulings that paragraphs name by their ids."""

    def chapters(self) -> dict[str, list[RuleParagraph]]:
        """The paragraphs of each chapter by its title, in the order of the file."""
        by_chapter: dict[str, list[RuleParagraph]] = {}
        for paragraph in self.paragraphs.values():
            by_chapter.setdefault(paragraph.chapter, []).append(paragraph)
        return by_chapter

    # ------------------------------------------------------------------ for the program

    def on(self, *topics: str) -> RuleParagraph | None:
        """The paragraph on the first of these topics that has one."""
        for topic in topics:
            if topic in self.topics:
                return self.paragraphs[self.topics[topic]]
        return None

    def named(self, name: str) -> RuleParagraph | None:
        """The paragraph with this id (``shuffling``), on this topic (``phase 2``) or ruling
        (``P27``), or on this line of the set-up form (``option:pinning``)."""
        if name in self.paragraphs:
            return self.paragraphs[name]
        kind, _, _ = name.partition(":")
        paragraph = self.on(
            name,  # a topic: "phase 2"
            name.replace(":", " "),  # a line with its own paragraph: "option:pinning"
            f"line {kind}",  # a line that each side has: "draws:german" is "line draws"
            f"option {kind}",  # an option by its bare name: "pinning"
        )
        if paragraph is not None:
            return paragraph
        return self.on_ruling(name)

    def about(self, code: str, rule: str = "") -> RuleParagraph | None:
        """The paragraph for a refusal with this ``code`` (``range``). Its ``rule`` is a heading of
        the rules, a heading and a ruling (``Loading or Unloading, P27``), or a ruling alone."""
        heading, _, ruling = rule.partition(", ")
        paragraph = self.on(
            # Several rules may refuse with the same code, so the pair comes first.
            f"refusal {code} ({heading})",
            f"refusal {code}",
            f"rule {heading}",
        )
        if paragraph is not None:
            return paragraph
        # Without a comma the rule may be a ruling alone.
        if not ruling:
            ruling = rule
        return self.on_ruling(ruling)

    def on_ruling(self, ruling: str) -> RuleParagraph | None:
        """The first paragraph that a ruling belongs to."""
        for paragraph in self.paragraphs.values():
            if ruling in paragraph.rulings:
                return paragraph
        return None

    # ------------------------------------------------------------------ for people

    def search(self, query: str) -> list[RuleParagraph]:
        """The paragraphs that match every word, the best first; all for an empty query."""
        return self._search.matching(query)

    def similar(self, query: str, most: int = 3) -> list[RuleParagraph]:
        """Up to ``most`` suggestions for a query that nothing matches: paragraphs whose titles or
        search terms are similar."""
        return self._search.similar(query, most)

    @cached_property
    def _search(self) -> ParagraphSearch:
        return ParagraphSearch(self.paragraphs.values(), self.book)

    def page(
        self,
        paragraph: RuleParagraph,
        terms: ChartTerms,
        scenario: int | None = None,
        origin: str = "",
    ) -> Page:
        """A paragraph with its charts, and with its rulings as they are answered in ``terms``.
        ``origin`` is written beside the heading of the rulings and says where these answers come
        from, such as "as in this battle". With the number of a ``scenario``, rulings that concern
        only others are left out."""
        blocks: list[Block] = [Paragraph(text) for text in paragraph.text]
        for name in paragraph.charts:
            blocks += CHARTS[name](terms).blocks
        rulings = [self.book.rulings[id] for id in paragraph.rulings]
        answered = list(answered_rulings(rulings, terms.rulings, scenario))
        if answered:
            blocks += [Heading("Rulings", aside=origin), *answered]
        return Page(paragraph.title, tuple(blocks), about=(paragraph.chapter,))
