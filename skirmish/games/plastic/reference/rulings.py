"""Rulings with the answers of the players, as paragraphs of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from skirmish.games.plastic.rules.rulings import TOPICS, PlasticRuling, PlasticRulingBook
from skirmish.tabletop.page import Block, Heading, Page, Paragraph


def rulings_page(
    book: PlasticRulingBook, answers: Mapping[str, str], scenario: int | None = None
) -> Page:
    """All rulings by topic with their answers; with the number of a ``scenario``, without the
    rulings that concern only other scenarios."""
    blocks: list[Block] = []
    for topic, title in TOPICS.items():
        answered = list(answered_rulings(book.about([topic]), answers, scenario))
        if answered:
            blocks += [Heading(title), *answered]
    return Page("Rulings: how gaps in the rules are filled", tuple(blocks))


def answered_rulings(
    rulings: Iterable[PlasticRuling], answers: Mapping[str, str], scenario: int | None
) -> Iterator[Paragraph]:
    """A paragraph for each ruling, with its answer; with the number of a ``scenario``, only for the
    rulings that concern it."""
    for ruling in rulings:
        # A ruling that names no scenarios concerns all of them.
        names_scenarios = bool(ruling.scenarios)
        if scenario is not None and names_scenarios and scenario not in ruling.scenarios:
            continue
        answer = answers.get(ruling.id, ruling.default)
        # An old battle may have an answer that no longer exists: its id is all that is left of it.
        text = ruling.answers.get(answer, answer)
        if answer != ruling.default:
            text = f"NOT THE DEFAULT: {text}"
        yield Paragraph(text, lead=f"{ruling.id} {ruling.title}.", aside=ruling.question)
