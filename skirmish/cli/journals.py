"""The journal of a game, printed for people or as data for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, Any

import typer

from skirmish.cli.console import harmless, say, say_wrapped
from skirmish.tabletop.game import Game, JournalLine
from skirmish.tabletop.journal import Play

Everything = Annotated[bool, typer.Option("--all", help="Include void and undone lines.")]


def journal_lines(
    game: Game[Any, Any, Any], play: Play[Any, Any, Any], everything: bool
) -> list[JournalLine]:
    """The lines of a journal; with ``everything`` also those that no longer count."""
    if everything:
        return game.all_lines(play)
    return game.journal(play)


def journal_data(lines: Sequence[JournalLine]) -> list[dict[str, Any]]:
    """The lines of a journal for other programs, which read them by these keys."""
    return [
        {
            "number": line.number,
            "turn": line.turn,
            "entries": line.entry_numbers,
            "says": line.text,
            "void": line.void,
            "taken_back": line.undone,
        }
        for line in lines
    ]


def say_journal(lines: Sequence[JournalLine], title: str) -> None:
    """Print a journal, its lines under their turns."""
    say_wrapped(harmless(title))
    for turn, lines_of_turn in groupby(lines, lambda line: line.turn):
        if turn:
            say(f"\nTurn {turn}")
        else:  # before the first turn
            say()
        for line in lines_of_turn:
            # Most lines have a single text; one of several sentences has each in ``rows``.
            first_sentence, *further_sentences = line.rows or (line.text,)
            say_wrapped(mark_of(line) + harmless(first_sentence), hanging="  ")
            for sentence in further_sentences:
                say_wrapped(harmless(sentence), indent="  ", hanging="    ")


def mark_of(line: JournalLine) -> str:
    """The words before a line that no longer counts; empty for all other lines."""
    if line.void:
        return "(void) "
    if line.undone:
        return "(undone) "
    return ""
