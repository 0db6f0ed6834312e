"""``skirmish odds``: the chances of a shot, of every shot, and what units are worth."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from skirmish import library, resources
from skirmish.cli.console import CommandError, harmless, say, say_bytes, say_json, say_page
from skirmish.cli.files import LARGEST, AsJson, Force, bytes_of, deliver
from skirmish.games.plastic.odds import answer, pack, table, worth
from skirmish.games.plastic.odds.firers import MOST_FIRERS, MOST_TARGETS
from skirmish.games.plastic.odds.pack import Pack
from skirmish.games.plastic.rules.catalog import Nation, Quality, UnitType, Weapon
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Circumstances,
    Shot,
    aim,
    weapon_named,
    why_not,
)
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page_text import as_text, clipped
from skirmish.tabletop.reading import suggest
from skirmish.tabletop.refusal import Refusal

Rulings = Annotated[
    list[str] | None,
    typer.Option("--rulings", metavar="FILE|ID=ANSWER", help="Change a ruling.",
                 show_default=False),
]  # fmt: skip
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
    catalog, answers = library.catalog(), answered(rulings or [])
    of_nation, of_quality = nation_named(nation), quality_named(quality)
    drawn = _pack(deck, die, answers)
    _check_number(count, MOST_FIRERS, "The number of shooters")
    _check_number(targets, MOST_TARGETS, "The number of targets")
    if breaks is not None:
        _check_number(breaks, 9999, "--breaks")
    at = _circumstances(distance, phase, cover=cover, hull_down=hull_down, rear=rear)
    terms = answers, of_nation
    groups = [answer.TargetGroup(_unit(target), targets)]
    shots = [(count, _shot(_unit(shooter), weapon, groups[0].unit, at, terms), 0)]
    for text in also or ():
        number, who, size, at_whom = _also(text)
        if at_whom is not None:
            groups.append(answer.TargetGroup(_unit(at_whom), size))
        group = 0 if at_whom is None else len(groups) - 1
        shots.append((number, _shot(_unit(who), None, groups[group].unit, at, terms), group))
    question = answer.OddsQuestion(
        rows=tuple(
            answer.VolleyRow(number, shot, aim(shot, catalog, answers), group)
            for number, shot, group in shots
        ),
        groups=tuple(groups),
        pack=drawn,
        rulings=answers,
        quality=of_quality,
        breaks=breaks,
        catalog=catalog,
    )
    if of_quality is not None and not question.pin_draws:
        raise CommandError(
            "--quality needs a machine gun that fires at guys in phase 1 (--phase 1)."
        )
    found = answer.answer(question)
    if as_json:
        say_json(answer.answer_data(found))
    else:
        say_page(answer.answer_page(found))


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
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write to a file or folder.",
                     show_default=False),
    ] = None,
    force: Force = False,
) -> None:  # fmt: skip
    """Show the odds of every weapon against every kind of target.

    Example: skirmish odds table --cover --deck "gone: QS 4H"
    """
    _check_one_form(as_json, as_csv)
    answers = answered(rulings or [])
    found = table.odds_table(library.catalog(), answers, _pack(deck, die, answers))
    shown = (False, True) if cover is None else (cover,)
    records = [record for record in table.records(found) if record["cover"] in shown]
    if as_json:
        value = _table_data(found) | {"shots": records}
        data = msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
        ending = "json"
    elif as_csv:
        data, ending = _csv(records), "csv"
    else:
        data, ending = as_text(table.odds_page(found, *shown), titled=False).encode(), "txt"
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
    found = worth.worth(library.catalog(), answered(rulings or []), nation_named(nation))
    if as_json:
        say_json(_worth_data(found))
    elif as_csv:
        say_bytes(_csv(_worth_records(found)))
    else:
        say_page(worth.worth_page(found), title=False)


# ------------------------------------------------------------------ for programs


def _check_one_form(as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise CommandError("Use either --json or --csv, not both.")


def _table_data(found: table.OddsTable) -> dict[str, Any]:
    return {
        "from": "die" if found.pack.die else "cards",
        "draws": found.pack.count,
        "distance": found.distance,
        "exact_within": found.near,
        "weapons": {
            line.weapon.id: {
                "name": line.weapon.name,
                "fired_by": [unit.id for unit in line.fired_by],
            }
            for line in found.lines
        },
        "targets": {column.name: [unit.id for unit in column.targets] for column in found.columns},
    }


def _csv(records: Sequence[Mapping[str, Any]]) -> bytes:
    """A line for each record; what is not there is empty."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(records[0]), lineterminator="\r\n")
    writer.writeheader()
    for record in records:
        writer.writerow(
            {
                name: int(value) if isinstance(value, bool) else "" if value is None else value
                for name, value in record.items()
            }
        )
    return stream.getvalue().encode()


def _worth_data(found: worth.WorthTable) -> dict[str, Any]:
    """Bands in inches, both 0 in contact; what may not fire is 0."""
    bands = [{"above": band.above, "reach": band.reach} for band in found.bands]
    return {
        "assumed": found.assumed,
        "bands": bands,
        "targets": [unit.id for unit in found.targets],
        "units": {
            line.unit.id: {
                "price": line.price,
                **{unit.id: [str(n) for n in line.against(unit.id)] for unit in found.targets},
            }
            for line in found.lines
        },
    }


def _worth_records(found: worth.WorthTable) -> list[dict[str, Any]]:
    return [
        {"unit": line.unit.id, "price": line.price, "target": target, "above": band.above,
         "reach": band.reach, "worth": points}
        for line in found.lines
        for (band, target), points in line.points.items()
    ]  # fmt: skip


# ------------------------------------------------------------------ what is asked


def _pack(deck: str | None, die: bool, rulings: Mapping[str, str]) -> Pack:
    if die and deck is not None:
        raise CommandError("Use either --deck or --die, not both: a die has no deck.")
    return pack.die() if die else pack.parse(deck or "", rulings)


def _check_number(given: int, most: int, what: str) -> None:
    if not 1 <= given <= most:
        raise CommandError(f"{what} must be 1 to {most}, not {given}.")


def _also(text: str) -> tuple[int, str, int, str | None]:
    """``2 machinegun`` (at the first group) or ``1 tank at 3 truck``: how many, who, and at how
    many of whom."""
    found = _AND.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if found is None:
        raise CommandError(
            f"--and “{clipped(text, 40)}”: write “2 machinegun” for the first group, or “1 tank at "
            "3 truck” for another."
        )
    count, size = int(found[1] or 1), int(found[3] or 1)
    _check_number(count, MOST_FIRERS, "The number of shooters")
    _check_number(size, MOST_TARGETS, "The number of targets")
    return count, found[2], size, found[4]


def _circumstances(
    distance: float | None, phase: int | None, *, cover: bool, hull_down: bool, rear: bool
) -> Circumstances:
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
    return Circumstances(
        distance=distance,
        touching=distance == 0,
        phase=phase,
        cover=cover,
        hull_down=hull_down,
        rear=rear,
    )


def _shot(
    unit: UnitType,
    weapon: str | None,
    target: UnitType,
    at: Circumstances,
    terms: tuple[Mapping[str, str], Nation | None],
) -> Shot:
    """The shot, with the weapon that needs least if none was named; raises CommandError with the
    rule that forbids it."""
    catalog, (rulings, nation) = library.catalog(), terms
    weapons: list[Weapon | None] = [*catalog.weapons_of(unit, rulings)] or [None]
    if weapon is not None:
        named = weapon_named(unit, weapon, catalog, rulings)
        if named is None:
            armed = {weapon.id for weapon in weapons if weapon}
            hint = suggest(weapon, armed) if armed else "it has no weapon."
            raise CommandError(f"The {unit.name} has no “{clipped(weapon, 40)}”; {hint}")
        weapons = [named]
    refusals: list[Refusal] = []
    best: tuple[int, Shot] | None = None
    for gun in weapons:
        shot = Shot(shooter=unit, weapon=gun, target=target, at=at, nation=nation)
        refusal = why_not(shot, catalog, rulings)
        if refusal:
            refusals.append(refusal)
            continue
        needs = aim(shot, catalog, rulings).needs
        if best is None or needs > best[0]:
            best = (needs, shot)
    if best is None:
        raise CommandError(refusals[0].message.replace(NO_BREAK, " "))
    return best[1]


# ------------------------------------------------------------------ rulings, nation, quality


def answered(given: list[str]) -> dict[str, str]:
    """All rulings answered: ours, but for those given, as ``P18=ace_hits`` or as a TOML file with
    a table of rulings (an army file, say). Raises CommandError."""
    answers: dict[str, str] = {}
    for one in given:
        name, equals, answer = one.partition("=")
        found = {name.strip().upper(): answer.strip()} if equals else _of_file(one)
        answers |= found
    problems = list(library.rulings().problems(answers))
    if problems:
        raise CommandError("\n".join(map(str, problems)))
    return library.rulings().answered(answers)


def nation_named(word: str | None) -> Nation | None:
    nations = library.catalog().nations
    return _named(word, nations, "nation", lambda one: (one.id, one.name, one.people))


def quality_named(word: str | None) -> Quality | None:
    qualities = library.catalog().qualities
    return _named(word, qualities, "force quality", lambda one: (one.id, one.name))


def _unit(word: str) -> UnitType:
    units = library.catalog().units
    unit = _named(word, units, "unit", lambda one: (one.id, one.name, one.short))
    assert unit is not None
    return unit


def _named(
    word: str | None, known: Mapping[str, T], noun: str, names: Callable[[T], Sequence[str]]
) -> T | None:
    if word is None:
        return None
    wanted = _plain(word)
    for one in known.values():
        if wanted in map(_plain, names(one)):
            return one
    raise CommandError(f"There is no {noun} “{clipped(word, 40)}”; {suggest(wanted, known)}")


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")


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
