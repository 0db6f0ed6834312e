"""``skirmish odds``: the chances of a shot, of every shot, and what units are worth."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from skirmish import library
from skirmish.cli.console import CommandError, say, say_bytes, say_json, say_page
from skirmish.cli.files import AsJson, Force, Output, deliver
from skirmish.cli.rulings import named_rulings, rulings_option
from skirmish.games.plastic.odds import pack
from skirmish.games.plastic.odds.answer import (
    OddsQuestion,
    TargetGroup,
    VolleyRow,
    answer_data,
    answer_page,
)
from skirmish.games.plastic.odds.pack import Pack
from skirmish.games.plastic.odds.table import odds_page, records, table_data
from skirmish.games.plastic.odds.table import odds_table as weapon_table
from skirmish.games.plastic.odds.volley import MOST_FIRERS, MOST_TARGETS
from skirmish.games.plastic.odds.worth import worth, worth_data, worth_page, worth_records
from skirmish.games.plastic.rules.catalog import Nation, UnitType, Weapon
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Circumstances,
    Shot,
    aim,
    weapon_named,
    why_not,
)
from skirmish.tabletop.data_file import suggest
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page_text import as_text, clipped

Rulings = Annotated[list[str] | None, rulings_option()]
Deck = Annotated[str | None, typer.Option("--deck", metavar="CARDS", help='Such as "gone: QS 4H".')]
Die = Annotated[bool, typer.Option("--die", help="Use a d12 instead of cards.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print exact fractions as CSV.")]
app = typer.Typer()
TABLE_NAME = "odds-table"
T = TypeVar("T")
_AND = re.compile(r"(?:(\d+)\s+)?(.+?)(?:\s+at\s+(?:(\d+)\s+)?(\S.*))?", re.I | re.S)
_LONGEST = 200
"""Characters of a row of further shooters."""


@app.command()
def odds(  # noqa: PLR0917  (typer gives them by name)
    shooter: Annotated[str, typer.Argument(metavar="SHOOTER", hidden=True)],
    target: Annotated[str, typer.Argument(metavar="TARGET", hidden=True)],
    weapon: Annotated[str | None, typer.Option(help="Which of the shooter's.")] = None,
    distance: Annotated[
        float | None,
        typer.Option(metavar="INCHES", help="Distance; 0 is contact.", show_default=False),
    ] = None,
    phase: Annotated[int | None, typer.Option(metavar="1-4", help="Phase of the turn.")] = None,
    cover: Annotated[bool, typer.Option("--cover", help="The target is in cover.")] = False,
    hull_down: Annotated[bool, typer.Option("--hull-down", help="It is hull down.")] = False,
    rear: Annotated[bool, typer.Option("--rear", help="It is hit from behind.")] = False,
    count: Annotated[int, typer.Option(metavar="N", help="How many shooters fire.")] = 1,
    targets: Annotated[int, typer.Option(metavar="N", help="How many targets are in reach.")] = 1,
    also: Annotated[
        list[str] | None,
        typer.Option("--and", metavar="ROW", show_default=False,
                     help='Also: "2 rifle" at TARGET, or "1 tank at 3 truck".'),
    ] = None,
    deck: Deck = None,
    die: Die = False,
    rulings: Rulings = None,
    nation: Annotated[str | None, typer.Option(help="The shooters' nation.")] = None,
    quality: Annotated[str | None, typer.Option(help="Quality of the pinned.")] = None,
    breaks: Annotated[
        int | None,
        typer.Option(metavar="N", help="Strength left to lose.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Work out the exact odds of a shot or a volley.

    Example: skirmish odds machinegun rifle --cover --deck "gone: QS 4H"
    """
    answers = _answers(rulings)
    catalog, of_nation = library.catalog(), _nation(nation)
    of_quality = (
        _named(quality, "force quality", catalog.qualities) if quality is not None else None
    )
    drawn = _pack(deck, die, answers)
    if breaks is not None:
        _check_number(breaks, 9999, "--breaks")
    at = _circumstances(distance, phase)
    at = msgspec.structs.replace(at, cover=cover, hull_down=hull_down, rear=rear)
    groups: list[TargetGroup] = []
    rows: list[VolleyRow] = []
    named = [(count, shooter, targets, target), *map(_also, also or ())]
    for number, who, size, whom in named:
        _check_number(number, MOST_FIRERS, "The number of shooters")
        _check_number(size, MOST_TARGETS, "The number of targets")
        group = len(groups) if whom else 0
        if whom:
            groups.append(TargetGroup(_unit(whom), size))
        own = None if rows else weapon
        shots = _shots(_unit(who), own, groups[group].unit, at, of_nation, answers)
        aimed = ((shot, aim(shot, catalog, answers)) for shot in shots)
        shot, best = max(aimed, key=lambda pair: pair[1].needs)
        rows.append(VolleyRow(number, shot, best, group))
    asked = OddsQuestion(tuple(rows), tuple(groups), drawn, answers, of_quality, breaks, catalog)
    if of_quality is not None and not asked.op_fire:
        raise CommandError(
            "--quality needs a machine gun that fires at guys in phase 1 (--phase 1)."
        )
    if as_json:
        say_json(answer_data(asked))
    else:
        say_page(answer_page(asked))


@app.command("odds table")
def odds_table(  # noqa: PLR0917  (typer gives them by name)
    cover: Annotated[
        bool | None,
        typer.Option("--cover/--open", help="Show only one of the two tables.",
                     show_default=False),
    ] = None,
    deck: Deck = None,
    die: Die = False,
    rulings: Rulings = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    output: Output = None,
    force: Force = False,
) -> None:  # fmt: skip
    """Show the odds of every weapon against every kind of target.

    Example: skirmish odds table --cover --deck "gone: QS 4H"
    """
    _check_one_form(as_json, as_csv)
    answers = _answers(rulings)
    found = weapon_table(library.catalog(), answers, _pack(deck, die, answers))
    shown = (False, True) if cover is None else (cover,)
    shots = [record for record in records(found) if record["cover"] in shown]
    if as_json:
        ending, data = "json", msgspec.json.encode(table_data(found) | {"shots": shots})
        data = msgspec.json.format(data, indent=2) + b"\n"
    elif as_csv:
        ending, data = "csv", _csv(shots)
    else:
        ending, data = "txt", as_text(odds_page(found, *shown), titled=False).encode()
    if output is not None:
        deliver(data, output, f"{TABLE_NAME}.{ending}", force, "Odds table")
    elif ending == "txt":  # goes through the terminal's own encoding
        say(data.decode().removesuffix("\n"))
    else:
        say_bytes(data)


@app.command("odds worth")
def odds_worth(
    rulings: Rulings = None,
    nation: Annotated[
        str | None, typer.Option(metavar="NATION", help="Use this nation's prices and traits.")
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show what each unit kills for each point it costs.

    Example: skirmish odds worth --nation german
    """
    _check_one_form(as_json, as_csv)
    found = worth(library.catalog(), _answers(rulings), _nation(nation))
    if as_json:
        say_json(worth_data(found))
    elif as_csv:
        say_bytes(_csv(worth_records(found)))
    else:
        say_page(worth_page(found), title=False)


# ------------------------------------------------------------------ for programs


def _check_one_form(as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise CommandError("Use either --json or --csv, not both.")


def _csv(records: Sequence[Mapping[str, Any]]) -> bytes:
    """A line for each record; missing values are empty."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(records[0]), lineterminator="\r\n")
    writer.writeheader()
    for record in records:
        flags = {name: int(value) for name, value in record.items() if isinstance(value, bool)}
        writer.writerow({**record, **flags})
    return stream.getvalue().encode()


# ------------------------------------------------------------------ what is asked


def _pack(deck: str | None, die: bool, rulings: Mapping[str, str]) -> Pack:
    if die and deck is not None:
        raise CommandError("Use either --deck or --die, not both: a die has no deck.")
    return pack.die() if die else pack.parse(deck or "", rulings)


def _check_number(given: int, most: int, what: str) -> None:
    if not 1 <= given <= most:
        raise CommandError(f"{what} must be 1 to {most}, not {given}.")


def _also(text: str) -> tuple[int, str, int, str | None]:
    """``2 machinegun`` (at the first group) or ``1 tank at 3 truck``: count, shooter, targets."""
    found = _AND.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if found is None:
        raise CommandError(
            f"--and “{clipped(text, 40)}”: write “2 machinegun” for the first group, or “1 tank at "
            "3 truck” for another."
        )
    return int(found[1] or 1), found[2], int(found[3] or 1), found[4]


def _circumstances(distance: float | None, phase: int | None) -> Circumstances:
    """Without a distance it is more than that at which the man aimed at dies; in phases 3 and 4,
    contact."""
    phase = phase or (3 if distance == 0 else 2)
    if phase not in (1, 2, 3, 4):
        raise CommandError(f"The phase must be 1 to 4, not {phase}.")
    if distance is None:
        near = library.catalog().fire.exact_within
        distance = 0.0 if phase in CLOSE_PHASES else float(near + 1)
    if not math.isfinite(distance) or distance < 0:
        raise CommandError(f"The distance must be 0 or more, not {distance:g}.")
    return Circumstances(distance=distance, touching=distance == 0, phase=phase)


def _shots(  # noqa: PLR0917
    unit: UnitType,
    weapon: str | None,
    target: UnitType,
    at: Circumstances,
    nation: Nation | None,
    rulings: Mapping[str, str],
) -> list[Shot]:
    """One with each weapon, or that which was named; raises CommandError with the rule that forbids
    them."""
    weapons: list[Weapon | None] = [*library.catalog().weapons_of(unit, rulings)] or [None]
    if weapon is not None:
        named = weapon_named(unit, weapon, library.catalog(), rulings)
        if named is None:
            armed = {weapon.id for weapon in weapons if weapon}
            hint = suggest(weapon, armed) if armed else "it has no weapon."
            raise CommandError(f"The {unit.name} has no “{clipped(weapon, 40)}”; {hint}")
        weapons = [named]
    shots = [Shot(shooter=unit, weapon=gun, target=target, at=at, nation=nation) for gun in weapons]
    refusals = [why_not(shot, library.catalog(), rulings) for shot in shots]
    if all(refusals) and refusals[0]:
        raise CommandError(refusals[0].message.replace(NO_BREAK, " "))
    return [shot for shot, refusal in zip(shots, refusals, strict=True) if refusal is None]


def _answers(given: list[str] | None) -> dict[str, str]:
    return library.rulings().answered(named_rulings(given or [], library.rulings()))


def _nation(word: str | None) -> Nation | None:
    return _named(word, "nation", library.catalog().nations) if word is not None else None


def _unit(word: str) -> UnitType:
    return _named(word, "unit", library.catalog().units)


def _named(word: str, noun: str, known: Mapping[str, T]) -> T:
    wanted = _plain(word)
    for one in known.values():
        names = (getattr(one, name, "") for name in ("id", "name", "short", "people"))
        if wanted in map(_plain, names):
            return one
    raise CommandError(f"There is no {noun} “{clipped(word, 40)}”; {suggest(wanted, known)}")


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")
