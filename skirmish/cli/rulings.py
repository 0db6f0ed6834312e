"""Rulings named on the command line: one option, read in one way for every game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer

from skirmish import resources
from skirmish.cli.console import CommandError, harmless
from skirmish.cli.files import LARGEST, bytes_of
from skirmish.tabletop.page_text import clipped
from skirmish.tabletop.reading import suggest
from skirmish.tabletop.rulings import RulingBook


def rulings_option(*earlier: str, help: str = "P18=ace_hits or a file; may be repeated.") -> Any:
    """``--rulings``, and the names that it had before."""
    return typer.Option("--rulings", *earlier, metavar="NAMES", help=help, show_default=False)


def named_rulings(given: Iterable[str], book: RulingBook[Any]) -> dict[str, str]:
    """The answers that are named, what comes later counts: ``P18=ace_hits``, a preset of the book,
    several of these with commas between, or a TOML file with a table of rulings (an army file,
    say). Raises CommandError."""
    presets = getattr(book, "presets", {})
    found: dict[str, str] = {}
    for text in given:
        several = text.split(",") if presets or "=" in text else [text]
        for word in filter(None, map(str.strip, several)):
            name, equals, answer = (part.strip() for part in word.partition("="))
            if equals:
                found[name.upper()] = answer.lower()
            elif name.lower() in presets:
                found |= presets[name.lower()].answers
            elif ruling := book.rulings.get(name.upper()):
                example = f"{ruling.id}={[*ruling.answers][-1]}"
                raise CommandError(f"--rulings {name}: write an ID and an answer, as in {example}.")
            elif presets and "." not in name:
                raise CommandError(
                    f"--rulings: “{clipped(name, 40)}” is no preset; {suggest(name, presets)} "
                    "Single rulings are written as in B7=tank."
                )
            else:
                found |= _of_file(word)
    if problems := list(book.problems(found)):
        raise CommandError("\n".join(map(str, problems)))
    return found


def _of_file(name: str) -> dict[str, str]:
    """The rulings of a file: its table of that name, or all of it."""
    data, called = bytes_of(name, LARGEST, "file of rulings")
    table: Any = resources.parse(data.decode("utf-8-sig", "replace"), called)
    table = table.get("rulings", table)
    if not isinstance(table, dict) or not all(isinstance(one, str) for one in table.values()):
        raise CommandError(
            f"{harmless(name)}: has no table of rulings; write lines such as "
            'P2 = "half" under [rulings].'
        )
    return table
