"""``skirmish battle``: what every game has, and the log, luck, reports and totals of battles."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skirmish.cli.games import AsJson, Number, exported, group, looked_up
from skirmish.cli.print_options import Force, Output
from skirmish.cli.speaking import (
    Complaint,
    complain,
    harmless,
    say,
    say_json,
    say_page,
    say_wrapped,
)
from skirmish.registry import BATTLE

if TYPE_CHECKING:
    from skirmish.games.plastic.luck import FiredShot, Luck, SideLuck
    from skirmish.games.plastic.totals import Result


class Format(StrEnum):
    """How a battle is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSONL = "jsonl"


_ENDINGS = {".md": Format.MARKDOWN, ".markdown": Format.MARKDOWN, ".jsonl": Format.JSONL}
_ENDING = {Format.TEXT: ".txt", Format.MARKDOWN: ".md", Format.JSONL: ".jsonl"}

app = group(BATTLE, "List, show, export and import battles.", "battle", without="export")


@app.command()
def log(
    battle: Number,
    everything: Annotated[
        bool, typer.Option("--all", help="Include void and undone lines.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print a battle's journal, one line for each event.

    Example: skirmish battle log 3 --all
    """
    _, game, play = looked_up(battle, BATTLE)
    found = game.all_lines(play) if everything else game.journal(play)
    if as_json:
        say_json(
            [
                {
                    "number": line.number,
                    "entries": list(line.entries),
                    "says": line.words,
                    "void": line.void,
                    "taken_back": line.undone,
                }
                for line in found
            ]
        )
        return
    for line in found:
        mark = "(void) " if line.void else "(undone) " if line.undone else ""
        say_wrapped(f"{line.number:>5}  {mark}{harmless(line.words)}", "", " " * 7)


@app.command()
def export(
    battle: Number,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="A report, or jsonl for importing."),
    ] = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """Write a battle report, or the whole battle as JSON Lines.

    Without --format, the extension of FILE decides: .md, .jsonl, otherwise plain text. Reports
    leave out what is still sealed; JSON Lines hold everything.

    Example: skirmish battle export 3 -o overmatched.md
    """
    from skirmish.cli.files import deliver
    from skirmish.cli.kept import called
    from skirmish.games.plastic.army_file import slug
    from skirmish.games.plastic.report import report_page
    from skirmish.store.moments import day
    from skirmish.tabletop.page_text import as_markdown, as_text

    record, entries = called(battle, BATTLE)
    if form is None:
        form = _ENDINGS.get(PurePath(output or "").suffix.lower(), Format.TEXT)
    if form is Format.JSONL:
        data = exported(record, entries)
    else:
        _, _, play = looked_up(str(record.id), BATTLE)
        written = as_markdown if form is Format.MARKDOWN else as_text
        data = written(report_page(play, day(record.started))).encode("utf-8", "replace")
    usual = f"battle-{record.id}-{slug(record.title)}{_ENDING[form]}"
    deliver(data, output or "-", usual, force, "Battle")


@app.command()
def luck(battle: Number, as_json: AsJson = False) -> None:
    """Show how lucky each side was: kills expected and kills made.

    Expected kills are the sum of the chances of all shots, each from the cards that were left.

    Example: skirmish battle luck 3
    """
    from skirmish.games.plastic import luck as of_luck
    from skirmish.store.settings import place, read_settings

    record, _, play = looked_up(battle, BATTLE)
    known = read_settings(place()).deck_knowledge
    if as_json:
        found = of_luck.luck(play, known)
        over = play.state.outcome is not None
        say_json({"id": record.id, "title": record.title, "over": over} | _luck(found))
    else:
        say(f"{record.id}  {harmless(record.title)}")
        say_page(of_luck.luck_page(play, known), title=False)


@app.command("totals")
def show_totals(as_json: AsJson = False) -> None:
    """Add up all finished battles.

    How often each side won each scenario, and what each type of unit killed for its points.

    Example: skirmish battle totals
    """
    from msgspec import to_builtins

    from skirmish.games.plastic.totals import totals, totals_page

    unread: list[int] = []
    found = totals(_results(unread))
    if as_json:
        say_json(to_builtins(found) | {"unread": unread})
        return
    say_page(totals_page(found), title=False)
    for battle in unread:
        complain(f"Battle {battle} could not be read and is left out.")


def _results(unread: list[int]) -> Iterator[Result]:
    """Of every battle that is over, the oldest first; those that cannot be read are ``unread``."""
    from skirmish.cli.kept import records
    from skirmish.games.plastic.totals import result
    from skirmish.store.errors import Unreadable

    for record in sorted(records(BATTLE), key=lambda record: record.started):
        if not (record.over and record.game == BATTLE.id):
            continue
        try:
            _, _, play = looked_up(str(record.id), BATTLE)
        except (Complaint, Unreadable):
            unread.append(record.id)
            continue
        if play.state.outcome is not None:
            yield result(play.state)


# ------------------------------------------------------------------ luck, for programs


def _luck(found: Luck) -> dict[str, Any]:
    """The ledger: exact chances as fractions, percentiles as numbers from 0 to 100."""
    point, swing = found.turned, found.swing
    return {
        "sides": [_luck_of(side) for side in found.sides],
        "swing": swing
        and {
            "turn": swing.turn,
            "gained": {side: str(gained) for side, gained in swing.gained.items()},
        },
        "turning_point": point and {"turn": point.turn, "mover": point.mover, "side": point.side},
        "notes": found.notes,
        "shots": [_shot(shot) for shot in found.shots],
    }


def _luck_of(side: SideLuck) -> dict[str, Any]:
    from skirmish.games.plastic.luck import luck_verdict

    at = side.percentile
    return {
        "side": side.side,
        "people": side.people,
        "shots": side.shots,
        "sure": side.sure,
        "expected": str(side.expected),
        "kills": side.kills,
        "difference": str(side.difference),
        "percentile": None if at is None else 100 * float(at),
        "verdict": None if at is None else luck_verdict(side),
        "saves": side.saves,
        "saves_expected": str(side.saves_expected),
        "broke": side.broke,
        "broke_expected": str(side.broke_expected),
        "best": side.best and _shot(side.best),
        "worst": side.worst and _shot(side.worst),
    }


def _shot(fired: FiredShot) -> dict[str, Any]:
    from skirmish.games.plastic.battle.names import row_unit

    return {
        "entry": fired.number,
        "turn": fired.turn,
        "side": fired.side,
        "piece": fired.shot.piece,
        "unit": fired.unit,
        "weapon": fired.shot.weapon,
        "target": row_unit(fired.shot.target),
        "chance": str(fired.chance),
        "save": str(fired.save),
        "hit": fired.hit,
        "saved": fired.saved,
        "broke": fired.broke,
        "note": fired.note or None,
    }
