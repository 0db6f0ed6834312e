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
        metavar="N", help="A battle's number, or part of its title.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="List, show, export and import battles."
)


@app.command("list")
def list_battles(as_json: Json = False) -> None:
    """List the saved battles, the most recently played first.

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
        say("\n".join(columns([("", "Battle", "Status", "Played"), *rows], (0,))))
    else:
        say(f"There are no battles in {find().location}.\nRun `skirmish` to start one.")


@app.command()
def show(battle: Kept, as_json: Json = False) -> None:
    """Show the state of a battle, with its losses so far.

    Example: skirmish battle show 3
    """
    from skirmish.cli import battle_reports
    from skirmish.cli.battle_kept import battle_called, folded
    from skirmish.cli.kept import listed

    record, entries = battle_called(battle)
    play = folded(record, entries)
    if as_json:
        say_json(listed(record) | battle_reports.report(play))
    else:
        battle_reports.describe(record, play)


@app.command()
def log(
    battle: Kept,
    everything: Annotated[
        bool, typer.Option("--all", help="Include void and undone lines.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print a battle's journal, one line for each event.

    Example: skirmish battle log 3 --all
    """
    from skirmish.cli import battle_reports
    from skirmish.cli.battle_kept import battle_called, folded
    from skirmish.games.plastic.battle.lines import lines, whole_journal

    play = folded(*battle_called(battle))
    found = whole_journal(play) if everything else [line for line in lines(play) if not line.struck]
    if as_json:
        say_json([battle_reports.line_report(line) for line in found])
    else:
        battle_reports.tell_lines(found)


@app.command()
def luck(battle: Kept, as_json: Json = False) -> None:
    """Show how lucky each side was: kills expected and kills made.

    Expected kills are the sum of the chances of all shots, each from the cards that were left.

    Example: skirmish battle luck 3
    """
    from skirmish.cli.battle_kept import battle_called, folded
    from skirmish.cli.battle_reports import show_luck

    record, entries = battle_called(battle)
    show_luck(record, folded(record, entries), as_json)


@app.command()
def export(
    battle: Kept,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="A report, or jsonl for importing."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="File to write; stdout by default."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write a battle report, or the whole battle as JSON Lines.

    Without --format, the extension of FILE decides: .md, .jsonl, otherwise plain text. Reports
    leave out what is still sealed; JSON Lines hold everything.

    Example: skirmish battle export 3 -o overmatched.md
    """
    from skirmish.cli.battle_kept import battle_called, folded
    from skirmish.cli.files import deliver
    from skirmish.games.plastic.army_file import GAME, slug
    from skirmish.games.plastic.report import report_page
    from skirmish.store.moments import day
    from skirmish.tabletop import exported as lines
    from skirmish.tabletop.page_text import as_markdown, as_text

    record, entries = battle_called(battle)
    if form is None:
        form = _ENDINGS.get(PurePath(output or "").suffix.lower(), Format.TEXT)
    if form is Format.JSONL:  # as it is kept, even if it cannot be folded
        header = lines.Header(game=GAME, title=record.title, started=record.started)
        data = b"".join(lines.export(header, entries))
    else:
        page = report_page(folded(record, entries), day(record.started))
        written = as_markdown if form is Format.MARKDOWN else as_text
        data = written(page).encode("utf-8", "replace")
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
    """Import a battle that was exported as JSON Lines.

    Every entry is replayed first. If one is wrong, the entries before it are imported, the line
    is reported, and the exit code is 1; it is 2 if nothing could be imported.

    Example: skirmish battle import overmatched.jsonl
    """
    from skirmish.cli.files import bytes_of
    from skirmish.cli.kept import kept_as
    from skirmish.cli.speaking import Complaint
    from skirmish.games.plastic.army_file import GAME
    from skirmish.games.plastic.battle.rebuilding import rebuilt
    from skirmish.games.plastic.battle.victory import headline
    from skirmish.registry import BATTLE
    from skirmish.tabletop.exported import BadExport

    data, called = bytes_of(file, LARGEST, "battle")
    try:
        found = rebuilt(data.split(b"\n"), GAME)
    except BadExport as error:
        raise Complaint(f"{called}: {error}") from None
    state = found.play.state
    kept_as(BATTLE, found, called, headline(state), over=state.outcome is not None)


@app.command()
def totals(as_json: Json = False) -> None:
    """Add up all finished battles.

    How often each side won each scenario, and what each type of unit killed for its points.

    Example: skirmish battle totals
    """
    from skirmish.cli.battle_reports import show_totals

    show_totals(as_json)
