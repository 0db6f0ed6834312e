"""``skirmish battle``: list, show, log, luck, export, import, totals."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath
from typing import Annotated

import typer

from skirmish.cli.speaking import (
    clipped,
    columns,
    harmless,
    say,
    say_json,
)

TITLE_WIDTH = 26
STANDS_WIDTH = 36
LARGEST = 100_000_000
"""Bytes of a file to import; a long battle has some million."""


class Format(StrEnum):
    """How a battle is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSONL = "jsonl"


_ENDINGS = {".md": Format.MARKDOWN, ".markdown": Format.MARKDOWN, ".jsonl": Format.JSONL}
_ENDING = {Format.TEXT: ".txt", Format.MARKDOWN: ".md", Format.JSONL: ".jsonl"}

Kept = Annotated[
    str,
    typer.Argument(
        metavar="N", help="The number of a battle, or a part of its title.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for other programs.")]

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Look at battles, export and import them."
)


@app.command("list")
def list_battles(as_json: Json = False) -> None:
    """List the battles that are kept, the last one changed first.

    Example: skirmish battle list
    """
    from skirmish.cli.battle_kept import battles, shown_title
    from skirmish.cli.kept import listed
    from skirmish.store.moments import date
    from skirmish.store.place import find

    records = battles()
    if as_json:
        say_json([listed(record) for record in records])
    elif records:
        rows = [
            (
                str(record.id),
                clipped(shown_title(record), TITLE_WIDTH),
                clipped(harmless(record.headline), STANDS_WIDTH),
                date(record.updated),
            )
            for record in records
        ]
        say("\n".join(columns([("", "Battle", "Where it stands", "Played"), *rows], (0,))))
    else:
        say(f"No battle is kept yet in {find().location}.\n`skirmish` opens the app to begin one.")


@app.command()
def show(battle: Kept, as_json: Json = False) -> None:
    """Show where a battle stands, and what it has come to.

    Example: skirmish battle show 3
    """
    from skirmish.cli import battle_lines
    from skirmish.cli.battle_kept import battle_called, folded
    from skirmish.cli.kept import listed

    record, entries = battle_called(battle)
    play = folded(record, entries)
    if as_json:
        say_json(listed(record) | battle_lines.report(play))
    else:
        battle_lines.describe(record, play)


@app.command()
def log(
    battle: Kept,
    everything: Annotated[
        bool, typer.Option("--all", help="What was made void or taken back too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Tell the journal of a battle, a line for each thing that happened.

    Example: skirmish battle log 3 --all
    """
    from skirmish.cli import battle_lines
    from skirmish.cli.battle_kept import battle_called, folded
    from skirmish.games.plastic.battle.lines import lines, whole_journal

    play = folded(*battle_called(battle))
    found = whole_journal(play) if everything else [line for line in lines(play) if not line.struck]
    if as_json:
        say_json([battle_lines.line_report(line) for line in found])
    else:
        battle_lines.tell_lines(found)


@app.command()
def luck(battle: Kept, as_json: Json = False) -> None:
    """Tell who had the luck in a battle: kills expected, kills made.

    Expected are the chances of all shots, each with the cards that were left before its draw.

    Example: skirmish battle luck 3
    """
    from skirmish.cli import battle_luck
    from skirmish.cli.battle_kept import battle_called, folded

    record, entries = battle_called(battle)
    battle_luck.show(record, folded(record, entries), as_json)


@app.command()
def export(
    battle: Kept,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="A report, or jsonl to import."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where to; stdout if left out."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Write a battle as a report, or whole as JSON Lines.

    Without --format the ending of FILE decides: .md, .jsonl, else plain text. Reports do not
    tell what is still sealed; the JSON Lines hold everything.

    Example: skirmish battle export 3 -o overmatched.md
    """
    from skirmish.cli.battle_kept import battle_called, folded
    from skirmish.cli.files import deliver
    from skirmish.games.plastic import report
    from skirmish.games.plastic.army_file import GAME, slug
    from skirmish.games.plastic.battle import export as lines
    from skirmish.store.moments import day

    record, entries = battle_called(battle)
    if form is None:
        form = _ENDINGS.get(PurePath(output or "").suffix.lower(), Format.TEXT)
    if form is Format.JSONL:  # as it is kept, even if it cannot be folded
        header = lines.Header(game=GAME, title=record.title, started=record.started)
        kept = (
            lines.Kept(number=e.number, kind=e.kind, order=e.order, events=e.events, at=e.at)
            for e in entries
        )
        data = b"".join(lines.export(header, kept))
    else:
        play, date = folded(record, entries), day(record.started)
        told = report.as_markdown if form is Format.MARKDOWN else report.as_text
        data = told(play, date).encode("utf-8", "replace")
    usual = f"battle-{record.id}-{slug(record.title)}{_ENDING[form]}"
    deliver(data, output or "-", usual, force, "Battle")


@app.command("import")
def import_battle(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-",
            help="An exported battle in JSON Lines; - is stdin.",
            show_default=False,
        ),
    ],
) -> None:
    """Keep a battle that was exported as JSON Lines.

    Every entry is played through first. Where one will not do, those before it are kept, the line
    is named, and the command ends with 1. It ends with 2 if nothing could be kept.

    Example: skirmish battle import overmatched.jsonl
    """
    from skirmish.cli.files import bytes_of
    from skirmish.cli.kept import kept_as
    from skirmish.cli.speaking import Complaint
    from skirmish.games.plastic.army_file import GAME
    from skirmish.games.plastic.battle.export import BadExport, rebuilt
    from skirmish.games.plastic.battle.lead import headline
    from skirmish.kinds import BATTLE

    data, called = bytes_of(file, LARGEST, "battle")
    try:
        found = rebuilt(data.split(b"\n"), GAME)
    except BadExport as error:
        raise Complaint(f"{called}: {error}") from None
    state = found.play.state
    kept_as(BATTLE, found, called, headline(state), over=state.outcome is not None)


@app.command()
def totals(as_json: Json = False) -> None:
    """Add up all battles that are over.

    Who wins what how often, and what each type of unit kills for its points.

    Example: skirmish battle totals
    """
    from skirmish.cli import battle_totals

    battle_totals.show(as_json)
