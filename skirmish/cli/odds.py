"""``skirmish odds``: the chances of a shot, of every shot, and what units are worth."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

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
from skirmish.games.plastic.odds.table import odds_table as weapon_table
from skirmish.games.plastic.odds.table_data import records, table_data
from skirmish.games.plastic.odds.table_page import odds_page
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
from skirmish.tabletop.page_text import as_text
from skirmish.tabletop.text_width import clipped

Rulings = Annotated[list[str] | None, rulings_option()]
Deck = Annotated[str | None, typer.Option("--deck", metavar="CARDS", help='Such as "gone: QS 4H".')]
Die = Annotated[bool, typer.Option("--die", help="Use a d12 instead of cards.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print exact fractions as CSV.")]
app = typer.Typer()
TABLE_NAME = "odds-table"
"""The name of the file with the table, without its ending."""
Entry = TypeVar("Entry")
"""What a table of the catalog holds: units, nations or qualities."""
_ROW_PATTERN = re.compile(
    r"(?:(?P<firers>\d+)\s+)?(?P<shooter>.+?)"
    r"(?:\s+at\s+(?:(?P<targets>\d+)\s+)?(?P<target>\S.*))?",
    re.I | re.S,
)
"""A row of ``--and``, whose names may have several words: ``2 rifle``, ``1 tank at 3 truck``."""
MOST_STRENGTH = 9999
"""The largest number that ``--breaks`` takes: no army is stronger."""
_LONGEST_ROW = 200
"""Characters in a row of ``--and``. The pattern searches a longer one for too long."""


# The two arguments have no words of their own in the help: the line of usage names them.
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
        typer.Option(
            "--and",
            metavar="ROW",
            show_default=False,
            help='Also: "2 rifle" at TARGET, or "1 tank at 3 truck".',
        ),
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
) -> None:
    """Work out the exact odds of a shot or a volley.

    Example: skirmish odds machinegun rifle --cover --deck "gone: QS 4H"
    """
    answers = _answers(rulings)
    catalog = library.catalog()
    shooters_nation = _nation(nation)
    targets_quality = None  # without a quality the targets check for pinning as ordinary troops do
    if quality is not None:
        targets_quality = _entry_called(quality, "force quality", catalog.qualities)
    pack_drawn_from = _pack_typed(deck, die, answers)
    if breaks is not None:
        _check_number(breaks, MOST_STRENGTH, "--breaks")
    circumstances = msgspec.structs.replace(
        _circumstances(distance, phase), cover=cover, hull_down=hull_down, rear=rear
    )
    typed_rows = [TypedRow(count, shooter, targets, target, weapon)]
    for further_row in also or ():
        typed_rows.append(_typed_row(further_row))
    volley = _volley(typed_rows, circumstances, shooters_nation, answers)
    question = OddsQuestion(
        rows=volley.rows,
        groups=volley.groups,
        pack=pack_drawn_from,
        rulings=answers,
        quality=targets_quality,
        breaks=breaks,
        catalog=catalog,
    )
    # Op fire alone pins, and the quality of the targets matters only to a check for pinning.
    if targets_quality is not None and not question.op_fire:
        raise CommandError(
            "--quality needs a machine gun that fires at guys in phase 1 (--phase 1)."
        )
    if as_json:
        say_json(answer_data(question))
    else:
        say_page(answer_page(question))


@app.command("odds table")
def odds_table(  # noqa: PLR0917  (typer gives them by name)
    cover: Annotated[
        bool | None,
        typer.Option("--cover/--open", help="Show only one of the two tables.", show_default=False),
    ] = None,
    deck: Deck = None,
    die: Die = False,
    rulings: Rulings = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    output: Output = None,
    force: Force = False,
) -> None:
    """Show the odds of every weapon against every kind of target.

    Example: skirmish odds table --cover --deck "gone: QS 4H"
    """
    _check_one_form(as_json, as_csv)
    answers = _answers(rulings)
    table = weapon_table(library.catalog(), answers, _pack_typed(deck, die, answers))
    # Two tables: for targets in the open (False) and in cover (True).
    covers: tuple[bool, ...] = (False, True)
    if cover is not None:
        covers = (cover,)
    shots = [record for record in records(table) if record["cover"] in covers]
    if as_json:
        ending = "json"
        # The data of the table hold all shots; ``--cover`` and ``--open`` leave only some of them.
        data = msgspec.json.encode(table_data(table) | {"shots": shots})
        data = msgspec.json.format(data, indent=2) + b"\n"
    elif as_csv:
        ending = "csv"
        data = _csv(shots)
    else:
        ending = "txt"
        data = as_text(odds_page(table, *covers), titled=False).encode()
    if output is not None:
        deliver(data, output, f"{TABLE_NAME}.{ending}", force, "Odds table")
    elif as_json or as_csv:
        say_bytes(data)
    else:
        # Text is printed in the terminal's own encoding, which need not be that of files.
        say(data.decode().removesuffix("\n"))


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
    worths = worth(library.catalog(), _answers(rulings), _nation(nation))
    if as_json:
        say_json(worth_data(worths))
    elif as_csv:
        say_bytes(_csv(worth_records(worths)))
    else:
        say_page(worth_page(worths), title=False)


# ------------------------------------------------------------------ output


def _check_one_form(as_json: bool, as_csv: bool) -> None:
    """Raises CommandError if both forms are asked for."""
    if as_json and as_csv:
        raise CommandError("Use either --json or --csv, not both.")


def _csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """CSV with a line for each row; None becomes an empty field."""
    stream = io.StringIO()
    columns = list(rows[0])  # all rows have the same
    # Lines end as RFC 4180 demands, on every system.
    writer = csv.DictWriter(stream, columns, lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        # A spreadsheet adds up 0 and 1, but not True and False.
        flags = {name: int(value) for name, value in row.items() if isinstance(value, bool)}
        writer.writerow({**row, **flags})
    return stream.getvalue().encode()


# ------------------------------------------------------------------ typed values


def _pack_typed(deck: str | None, die: bool, rulings: Mapping[str, str]) -> Pack:
    """What the shots draw from: a die, or the cards that ``--deck`` leaves in a deck. Raises
    CommandError, and OddsError for cards that do not exist."""
    if die and deck is not None:
        raise CommandError("Use either --deck or --die, not both: a die has no deck.")
    if die:
        return pack.of_die()
    return pack.parse(deck or "", rulings)


def _check_number(number: int, most: int, subject: str) -> None:
    """Raises CommandError for a number that is not 1 to ``most``. ``subject`` says of what, as the
    beginning of the message."""
    if not 1 <= number <= most:
        raise CommandError(f"{subject} must be 1 to {most}, not {number}.")


class TypedRow(NamedTuple):
    """A row of a volley as it was typed: so many ``firers``, all of them the unit ``shooter``, fire
    at so many ``targets``, all of them the unit ``target``. Without a target they fire at the first
    group, without a weapon they use their best."""

    firers: int
    shooter: str
    targets: int
    target: str | None
    weapon: str | None = None


class AskedVolley(NamedTuple):
    """A volley whose odds are asked for: its rows, each with its surest shot, and the groups that
    they fire at."""

    rows: tuple[VolleyRow, ...]
    groups: tuple[TargetGroup, ...]


def _volley(
    typed_rows: Sequence[TypedRow],
    circumstances: Circumstances,
    nation: Nation | None,
    rulings: Mapping[str, str],
) -> AskedVolley:
    """The volley of these rows, the first of which has a target. Raises CommandError."""
    rows: list[VolleyRow] = []
    groups: list[TargetGroup] = []
    for typed in typed_rows:
        _check_number(typed.firers, MOST_FIRERS, "The number of shooters")
        _check_number(typed.targets, MOST_TARGETS, "The number of targets")
        group_number = 0  # a row without targets of its own fires at the first group
        if typed.target is not None:
            group_number = len(groups)
            groups.append(TargetGroup(_unit(typed.target), typed.targets))
        shooter = _unit(typed.shooter)
        target = groups[group_number].unit
        shots = _allowed_shots(shooter, typed.weapon, target, circumstances, nation, rulings)
        shot = _surest(shots, rulings)
        shot_aim = aim(shot, library.catalog(), rulings)
        rows.append(VolleyRow(typed.firers, shot, shot_aim, group_number))
    return AskedVolley(tuple(rows), tuple(groups))


def _typed_row(text: str) -> TypedRow:
    """A row of ``--and``: ``2 machinegun`` (at the first group) or ``1 tank at 3 truck``. Raises
    CommandError."""
    match = None
    if len(text) <= _LONGEST_ROW:
        match = _ROW_PATTERN.fullmatch(text.strip())
    if match is None:
        raise CommandError(
            f"--and “{clipped(text, 40)}”: write “2 machinegun” for the first group, or “1 tank at "
            "3 truck” for another."
        )
    return TypedRow(
        firers=int(match["firers"] or 1),
        shooter=match["shooter"],
        targets=int(match["targets"] or 1),
        target=match["target"],
    )


def _surest(shots: Sequence[Shot], rulings: Mapping[str, str]) -> Shot:
    """The shot that hits with the most cards; of equally sure shots the first."""
    catalog = library.catalog()

    def highest_rank_that_hits(shot: Shot) -> int:
        return aim(shot, catalog, rulings).needs

    # A shot hits with all ranks from the ace to that one; of equal shots ``max`` takes the first.
    return max(shots, key=highest_rank_that_hits)


def _circumstances(distance: float | None, phase: int | None) -> Circumstances:
    """The phase and the distance of a shot; the usual ones where they were not typed. Raises
    CommandError."""
    # Without a phase (``--phase 0`` counts as none) the shot is fire in phase 2, or, in contact,
    # close combat in phase 3.
    if phase is None or phase == 0:
        phase = 2
        if distance == 0:
            phase = 3
    if phase not in (1, 2, 3, 4):
        raise CommandError(f"The phase must be 1 to 4, not {phase}.")
    if distance is None:
        # Any nearer, a hit would kill exactly the man aimed at, which is not the usual shot.
        distance = float(library.catalog().fire.exact_within + 1)
        if phase in CLOSE_PHASES:
            distance = 0.0
    if not math.isfinite(distance) or distance < 0:
        raise CommandError(f"The distance must be 0 or more, not {distance:g}.")
    return Circumstances(distance=distance, touching=distance == 0, phase=phase)


def _allowed_shots(  # noqa: PLR0917
    shooter: UnitType,
    weapon_name: str | None,
    target: UnitType,
    circumstances: Circumstances,
    nation: Nation | None,
    rulings: Mapping[str, str],
) -> list[Shot]:
    """The shots that the rules allow: with each weapon of the shooter, or the one that was named.
    Raises CommandError if all are forbidden, with the rule that forbids the first."""
    allowed = []
    refusals = []
    for weapon in _weapons(shooter, weapon_name, rulings):
        shot = Shot(
            shooter=shooter,
            weapon=weapon,
            target=target,
            circumstances=circumstances,
            nation=nation,
        )
        refusal = why_not(shot, library.catalog(), rulings)
        if refusal is None:
            allowed.append(shot)
        else:
            refusals.append(refusal)
    if not allowed:
        # Spaces that do not break would be in the way of searching and copying what is printed.
        message = refusals[0].message.replace(NO_BREAK, " ")
        raise CommandError(message)
    return allowed


def _weapons(unit: UnitType, name: str | None, rulings: Mapping[str, str]) -> list[Weapon | None]:
    """The weapons of a unit, or only the one with this name. None stands for no weapon: ``why_not``
    has the reason why an unarmed unit cannot fire. Raises CommandError."""
    weapons = library.catalog().weapons_of(unit, rulings)
    if name is None:
        if not weapons:
            return [None]
        return list(weapons)
    named = weapon_named(unit, name, library.catalog(), rulings)
    if named is not None:
        return [named]
    hint = "it has no weapon."
    if weapons:
        hint = suggest(name, {weapon.id for weapon in weapons})
    raise CommandError(f"The {unit.name} has no “{clipped(name, 40)}”; {hint}")


def _answers(rulings: list[str] | None) -> dict[str, str]:
    """The answers to all rulings: the defaults, except where others were typed."""
    return library.rulings().answered(named_rulings(rulings or [], library.rulings()))


def _nation(word: str | None) -> Nation | None:
    """The nation with a typed name; None if none was typed. Raises CommandError."""
    if word is None:
        return None
    return _entry_called(word, "nation", library.catalog().nations)


def _unit(word: str) -> UnitType:
    """The unit with a typed name. Raises CommandError."""
    return _entry_called(word, "unit", library.catalog().units)


def _entry_called(word: str, noun: str, entries: Mapping[str, Entry]) -> Entry:
    """The unit, nation or quality that was typed: by its id, its name, its short name (units) or
    the name of its people (nations). Raises CommandError, whose message calls it a ``noun``."""
    wanted = _as_id(word)
    for entry in entries.values():
        # Only some kinds of entry have a short name or a people.
        names = [getattr(entry, field, "") for field in ("id", "name", "short", "people")]
        ids = [_as_id(name) for name in names if name]
        if wanted in ids:
            return entry
    raise CommandError(f"There is no {noun} “{clipped(word, 40)}”; {suggest(wanted, entries)}")


def _as_id(name: str) -> str:
    """A name in the form of an id: ``flamethrower_tank`` for ``Flamethrower tank``."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")
