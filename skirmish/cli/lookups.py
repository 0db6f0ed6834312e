"""``skirmish scenarios``, ``rules`` and ``resolve``, which need no option parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePosixPath
from typing import BinaryIO

import msgspec

from skirmish import library
from skirmish.cli.console import (
    CommandError,
    harmless,
    number,
    piped,
    say,
    say_bytes,
    say_json,
    say_page,
    say_wrapped,
)
from skirmish.games.plastic.questions import Answering, QuestionError
from skirmish.games.plastic.scenarios.order_of_battle import Bounds
from skirmish.games.plastic.scenarios.scenario import Scenario, summary, swapped
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.page_text import clipped, columns

MOST_RULES = 3
"""Rules that are printed in full; of further ones only the titles."""
LONGEST_LINE = 1_000_000
"""Bytes of a question; a normal one has 500."""
_BOM = b"\xef\xbb\xbf"

# ------------------------------------------------------------------ scenarios


def say_scenarios(as_json: bool) -> None:
    """List the scenarios, and behind them the mistakes of the files that cannot be read. Raises
    CommandError with those."""
    scenarios = library.scenarios()
    if as_json:
        catalog = library.catalog()
        say_json([summary(scenario, catalog) for scenario in scenarios.values()])
    else:
        rows: list[tuple[str, ...]] = [("", "Scenario", "Date", "Points", "Turns")]
        for scenario in scenarios.values():
            rows.append(_row(scenario))
        say("\n".join(columns(rows, right=(0,))))
        say()
        say("Points are list prices; Turns is the last turn.")
        say(f"`skirmish print scenario {max(scenarios)}` prints the sheet of the last one.")
    broken = library.broken_scenarios()
    if broken:
        raise CommandError("\n".join(str(error) for error in broken))


def scenario_of(which: str, more: str = "") -> Scenario:
    """The scenario with that number; raises CommandError, which suggests ``more``, or DataError
    if its file is broken."""
    known, which = library.scenarios(), which.strip()
    number = int(which) if which.isdecimal() and len(which) < 4 else 0
    if number not in known:
        for error in library.broken_scenarios():
            if PurePosixPath(error.file).name.startswith(f"{number:02}_"):
                raise error
        raise CommandError(
            f"There is no scenario {harmless(which) or '“”'}; use a number from {min(known)} to "
            f"{max(known)}{more}. `skirmish scenarios` lists them."
        )
    return known[number]


def say_scenario(scenario: Scenario, as_json: bool) -> None:
    """Print all its pages, with the map in words."""
    from skirmish.games.plastic.scenarios import pages

    catalog, book = library.catalog(), library.rulings()
    if as_json:
        say_json(summary(scenario, catalog))
        return
    known, answers = catalog.with_variants(scenario.variants), book.defaults()
    source = pages.PageSource(swapped(scenario, answers), known, book, answers, str, {})
    say_page(pages.whole(source), title=False)


def _row(scenario: Scenario) -> tuple[str, ...]:
    catalog = library.catalog().with_variants(scenario.variants)
    points = ", ".join(
        f"{catalog.nations[side.id].name} {_span(side.points(catalog))}" for side in scenario.sides
    )
    end = scenario.ends_after
    last = str(end.turn) if end else "-"
    return str(scenario.number), scenario.title, scenario.date[:7], points, last


def _span(bounds: Bounds) -> str:
    least, most = bounds
    return str(least) if least == most else f"{least}-{most}"


# ------------------------------------------------------------------ rules


def say_rules(words: Sequence[str]) -> None:
    """Print the contents, or the rules that contain all of the words, the best first. Raises
    CommandError where none does."""
    from skirmish.games.plastic.reference import ChartTerms, split

    query, reference = " ".join(words), library.reference()
    if not words:
        for chapter, paragraphs in reference.chapters():
            titles = ", ".join(one.title for one in paragraphs)
            say_wrapped(f"{chapter}: {titles}", hanging="  ")
        say()
        say("`skirmish rules cover` prints the rules that contain a word.")
        return
    if not split(query):
        raise CommandError(
            f"“{clipped(query, 40)}” has no words; `skirmish rules` lists all rules."
        )
    found = reference.search(query)
    if not found:
        near = ", ".join(one.title for one in reference.near_titles(query))
        ends = f"Did you mean: {near}?" if near else "`skirmish rules` lists all rules."
        raise CommandError(f"No rule contains “{clipped(query, 40)}”. {ends}")
    best = found[:1] if split(found[0].title) == split(query) else found[:MOST_RULES]
    terms = ChartTerms(library.catalog(), library.rulings().defaults())
    for rule in best:
        say_page(reference.page(rule, terms))
        say()
    if rest := found[len(best) :]:
        titles = ", ".join(one.title for one in rest[: 2 * MOST_RULES])
        more = len(rest) - 2 * MOST_RULES
        also = f", and {number(more, 'other')}" if more > 0 else ""
        say_wrapped(f"See also: {titles}{also}.", hanging="  ")


# ------------------------------------------------------------------ questions as JSON Lines


def answer_file(name: str) -> bool:
    """Answer every question about shots and checks; as ``answer_lines``."""
    return answer_lines(name, Answering(library.catalog(), library.rulings()).answer_line)


def answer_lines(name: str, asked: Callable[[bytes], object]) -> bool:
    """Answer every line of a file (``-``: of stdin) on stdout, each at once; returns whether all
    were valid. ``asked`` raises QuestionError or DataError for an invalid line."""
    encode = msgspec.json.Encoder().encode
    good = True
    with _opened(name) as stream:
        for at, line in enumerate(_lines(stream), 1):
            try:
                found = encode(_answer(asked, line))
            except (QuestionError, DataError) as error:
                good = False
                problems = " ".join(map(str, getattr(error, "problems", (error,))))
                found = encode({"error": f"line {at}: {problems}"})
            say_bytes(found + b"\n")
    return good


def _answer(asked: Callable[[bytes], object], line: bytes | None) -> object:
    if line is None:
        raise QuestionError(f"longer than {LONGEST_LINE} bytes, too long for a question")
    if not line.strip():
        raise QuestionError("blank; each line must hold one question in JSON")
    try:
        return asked(line)
    except RecursionError:
        raise QuestionError("nested too deeply for a question") from None


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name != "-":
        return open(name, "rb")
    return nullcontext(piped())


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines as they arrive, None for one that is too long."""
    line = stream.readline(LONGEST_LINE + 1).removeprefix(_BOM)
    while line:
        whole = line.endswith(b"\n")
        yield line.removesuffix(b"\n") if whole or len(line) <= LONGEST_LINE else None
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE + 1)
        line = stream.readline(LONGEST_LINE + 1)
