"""``skirmish rules``: the rules in our own words, looked up without opening the app."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from skirmish import library
from skirmish.cli.speaking import WIDTH, Complaint, clipped, number, say, say_wrapped
from skirmish.games.plastic.reference import Paragraph
from skirmish.games.plastic.reference_charts import chart, laid_out
from skirmish.games.plastic.reference_search import near_titles, search, split

MOST = 3
"""Rules that are printed in full; of further ones only the titles."""


def show(words: Sequence[str]) -> None:
    """Without words the contents, else the rules that have all of them, the best first. Raises
    Complaint where none has."""
    query = " ".join(words)
    if not words:
        _contents()
        return
    if not split(query):
        raise Complaint(f"“{clipped(query, 40)}” has no words; `skirmish rules` lists all rules.")
    reference = library.reference()
    found = search(reference, query)
    if not found:
        near = ", ".join(one.title for one in near_titles(reference, query))
        ends = f"Did you mean: {near}?" if near else "`skirmish rules` lists all rules."
        raise Complaint(f"No rule contains “{clipped(query, 40)}”. {ends}")
    best = found[:1] if _is_titled(found[0], query) else found[:MOST]
    for index, paragraph in enumerate(best):
        if index:
            say()
        _tell(paragraph)
    if rest := found[len(best) :]:
        say()
        titles = ", ".join(one.title for one in rest[: 2 * MOST])
        more = f", and {number(len(rest) - 2 * MOST, 'other')}" if len(rest) > 2 * MOST else ""
        say_wrapped(f"See also: {titles}{more}.", hanging="  ")


def _is_titled(paragraph: Paragraph, query: str) -> bool:
    return split(paragraph.title) == split(query)


def _contents() -> None:
    for chapter, paragraphs in library.reference().chapters():
        titles = ", ".join(one.title for one in paragraphs)
        say_wrapped(f"{chapter}: {titles}", hanging="  ")
    say()
    say("`skirmish rules cover` prints the rules that contain a word.")


def _tell(paragraph: Paragraph) -> None:
    answers = library.rulings().defaults()
    say(paragraph.title.upper())
    for text in paragraph.text:
        say_wrapped(text, indent="  ")
    for name in paragraph.charts:
        say()
        for line in laid_out(chart(name, library.catalog(), answers), WIDTH - 4):
            say(f"  {line}".rstrip())
    gaps = list(_gaps(paragraph))
    if gaps:
        say("\n".join(["", *gaps]))


def _gaps(paragraph: Paragraph) -> Iterator[str]:
    for filled in library.reference().filled(paragraph, {}):
        ruling = filled.ruling
        yield from textwrap.wrap(
            f"{ruling.id} {ruling.title}. {ruling.question} {filled.answer}",
            WIDTH - 1,
            initial_indent="  ",
            subsequent_indent="      ",
        )
