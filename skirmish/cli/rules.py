"""``skirmish rules``: the rules in our own words, looked up without opening the app."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish import library
from skirmish.cli.speaking import Complaint, clipped, number, say, say_page, say_wrapped
from skirmish.games.plastic.reference import near_titles, search, split
from skirmish.games.plastic.reference_charts import ChartTerms

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
    best = found[:1] if split(found[0].title) == split(query) else found[:MOST]
    terms = ChartTerms(library.catalog(), library.rulings().defaults())
    for rule in best:
        say_page(reference.page(rule, terms))
        say()
    if rest := found[len(best) :]:
        titles = ", ".join(one.title for one in rest[: 2 * MOST])
        more = f", and {number(len(rest) - 2 * MOST, 'other')}" if len(rest) > 2 * MOST else ""
        say_wrapped(f"See also: {titles}{more}.", hanging="  ")


def _contents() -> None:
    for chapter, paragraphs in library.reference().chapters():
        titles = ", ".join(one.title for one in paragraphs)
        say_wrapped(f"{chapter}: {titles}", hanging="  ")
    say()
    say("`skirmish rules cover` prints the rules that contain a word.")
