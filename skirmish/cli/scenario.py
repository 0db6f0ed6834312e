"""``skirmish scenario``: the player's own scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import typer

from skirmish import library, resources
from skirmish.cli.console import CommandError, harmless, number, say
from skirmish.cli.files import AsJson, Force, Output, bytes_of, deliver
from skirmish.cli.lookups import say_scenario, scenario_of
from skirmish.games.plastic.army_file import slug
from skirmish.games.plastic.scenarios.own import blank, file_name, free_id, renamed
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import read_scenario
from skirmish.store.scenario_folder import FIRST_NUMBER, LARGEST, ScenarioFolder
from skirmish.tabletop.data_file import DataError, suggest

LONGEST_TITLE = 60
"""Characters of a title; the sheet has one line for it."""
FEET = (4.0, 12.0)
"""The smallest and the largest side of a table."""
INCHES = 12

app = typer.Typer(help="Make, check, copy and share your own scenarios.")

Number = Annotated[
    str, typer.Argument(metavar="N", help="The number of a scenario.", show_default=False)
]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="What it is called.")]


class OwnFile(NamedTuple):
    """The file of an own scenario: the number of the scenario, and the name of the file."""

    number: int
    name: str


@app.command()
def new(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What it is called.")],
    sides: Annotated[
        str,
        typer.Option("--sides", metavar="A,D", help="Two nations, the attacker first."),
    ] = "american,german",
    table: Annotated[
        str, typer.Option("--table", metavar="WxD", help="The size of the table in feet.")
    ] = "8x5",
) -> None:
    """Make a scenario on an empty table, to be filled in with an editor.

    It can be played and printed at once: two small forces on an empty table.

    Example: skirmish scenario new "The mill at Berezovka" --sides russian,german --table 6x4
    """
    folder = library.scenario_folder()
    named = _title(title)
    nations = _nations(sides)
    number_given = folder.next_number()
    raw = blank(number_given, _free_id(named), named, nations, _table(table))
    _add(folder, raw)


@app.command()
def copy(which: Number, title: Title = None) -> None:
    """Copy any scenario, one of the rules too, as one of your own.

    Example: skirmish scenario copy 4 --title "Four houses, at night"
    """
    scenario = scenario_of(which)
    folder = library.scenario_folder()
    named = _title(title or f"{scenario.title}, a copy")
    raw = renamed(_raw_of(scenario, folder), folder.next_number(), _free_id(named), named)
    _add(folder, raw)


@app.command()
def check(
    file: Annotated[
        str,
        typer.Argument(metavar="N|FILE", help="One of yours, a file, or - for stdin."),
    ],
) -> None:
    """Report all mistakes of a scenario at once, each with its place.

    Example: skirmish scenario check my_bridge.toml
    """
    if file.isdecimal():
        scenario = scenario_of(file)
    else:
        raw, called = _read_file(file)
        # Its name, its number and its id do not matter before it is imported.
        raw = renamed(raw, FIRST_NUMBER, "own_checked")
        scenario = _typed(raw, called)
    say(f"{harmless(scenario.title)}: no mistakes.")


@app.command()
def show(which: Number, as_json: AsJson = False) -> None:
    """Print all of a scenario: situation, forces, map in words, victory.

    Example: skirmish scenario show 101
    """
    say_scenario(scenario_of(which), as_json)


@app.command()
def export(
    which: Number,
    output: Output = None,
    author: Annotated[
        str, typer.Option("--author", metavar="NAME", help="Who made it, written into it.")
    ] = "",
    licence: Annotated[
        str,
        typer.Option("--licence", metavar="TEXT", help="What others may do with it."),
    ] = "",
    force: Force = False,
) -> None:
    """Write one of your scenarios to a file for a friend, who imports it.

    Example: skirmish scenario export 101 --author Ben --licence "CC BY 4.0"
    """
    folder = library.scenario_folder()
    own = _own_file(folder, which)
    raw = resources.parse(folder.text(own.name), str(folder.file(own.name)))
    if author:
        raw["author"] = author
    if licence:
        raw["licence"] = licence
    scenario = _typed(raw, f"{own.name}.toml")
    default = f"{slug(scenario.title)}.toml"
    deliver(_toml(raw).encode(), output, default, force, "Scenario")


@app.command("import")
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A file; - is stdin.")],
) -> None:
    """Take a scenario from a file into your own. It never replaces another.

    Example: skirmish scenario import the-mill.toml
    """
    raw, called = _read_file(file)
    folder = library.scenario_folder()
    title = raw.get("title")
    if not isinstance(title, str):
        title = ""  # which is reported as a mistake below
    raw = renamed(raw, folder.next_number(), _free_id(title))
    _typed(raw, called)
    _add(folder, raw)


@app.command()
def delete(which: Number) -> None:
    """Delete one of your scenarios. Battles that began with it go on; undelete brings it back.

    Example: skirmish scenario delete 101
    """
    folder = library.scenario_folder()
    own = _own_file(folder, which)
    folder.delete(own.name)
    say(f"Scenario {own.number} is deleted. `skirmish scenario undelete {own.number}` undoes that.")


@app.command()
def undelete(
    which: Annotated[
        str | None, typer.Argument(metavar="[N]", help="Its number; without it, all are listed.")
    ] = None,
    version: Annotated[
        int | None,
        typer.Option("--version", metavar="V", help="Which earlier version; else the newest."),
    ] = None,
) -> None:
    """Bring a deleted scenario back, or an earlier version of one; without a number, list them.

    Example: skirmish scenario undelete 101 --version 3
    """
    folder = library.scenario_folder()
    if which is None:
        _list_versions(folder)
        return
    own = _any_own_file(folder, which)
    versions = folder.versions(own.name)
    if not versions:
        raise CommandError(f"Scenario {own.number} has no earlier version.")
    wanted = version
    if wanted is None:
        wanted = versions[-1]
    if wanted not in versions:
        there = ", ".join(map(str, versions))
        raise CommandError(f"Scenario {own.number} has no version {wanted}; it has {there}.")
    folder.write(own.name, folder.version(own.name, wanted))
    say(f"Scenario {own.number} is as in version {wanted}.")


# ------------------------------------------------------------------ what is typed


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not title:
        raise CommandError("The title is empty; type what the scenario is called.")
    if len(title) > LONGEST_TITLE:
        raise CommandError(f"The title is too long; it may have {LONGEST_TITLE} characters.")
    return title


def _nations(typed: str) -> dict[str, str]:
    """Two nations with their people. Raises CommandError."""
    nations = library.catalog().nations
    ids = [word.strip().casefold() for word in typed.split(",")]
    if len(ids) != 2 or ids[0] == ids[1]:
        raise CommandError("--sides takes two nations with a comma between: american,german.")
    for id in ids:
        if id not in nations:
            raise CommandError(f"There is no nation {harmless(id)}; {suggest(id, nations)}")
    return {id: nations[id].people for id in ids}


def _table(typed: str) -> tuple[int, int]:
    """The width and the depth in inches of a size in feet. Raises CommandError."""
    least, most = FEET
    wrong = CommandError(
        f"--table takes a size in feet such as 8x5; each side from {least:g} to {most:g}."
    )
    try:
        width, depth = (float(side) for side in typed.casefold().split("x"))
    except ValueError:
        raise wrong from None
    if not (least <= width <= most and least <= depth <= most):
        raise wrong
    return round(width * INCHES), round(depth * INCHES)


def _own_file(folder: ScenarioFolder, which: str) -> OwnFile:
    """The file of one of the player's own scenarios. Raises CommandError."""
    return _named_file([stamp.name for stamp in folder.stamps()], which)


def _any_own_file(folder: ScenarioFolder, which: str) -> OwnFile:
    """The same, also of one that is deleted. Raises CommandError."""
    names = [stamp.name for stamp in folder.stamps()]
    return _named_file([*names, *folder.deleted()], which)


def _named_file(names: list[str], which: str) -> OwnFile:
    typed = which.strip()
    for name in names:
        digits, _, _ = name.partition("_")
        if digits.isdecimal() and digits == typed:
            return OwnFile(int(digits), name)
    if typed.isdecimal() and len(typed) < 4 and int(typed) < FIRST_NUMBER:
        raise CommandError(
            f"Scenario {typed} is one of the rules and stays as it is; "
            f"`skirmish scenario copy {typed}` makes one of your own from it."
        )
    raise CommandError(
        f"You have no scenario {harmless(typed) or '“”'}. `skirmish scenarios` lists them."
    )


# ------------------------------------------------------------------ files


def _read_file(file: str) -> tuple[dict[str, Any], str]:
    """The data of a file that somebody brings, and what it is called. Raises CommandError, and
    DataError where it is no TOML."""
    data, called = bytes_of(file, LARGEST, "scenario")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{called}: is not UTF-8 text; save it as UTF-8.") from None
    return resources.parse(text, called), called


def _typed(raw: Mapping[str, Any], called: str) -> Scenario:
    """The scenario of raw data. Raises DataError with all mistakes, which name the file as the
    player knows it."""
    id, number_given = raw.get("id"), raw.get("number")
    expected = f"{called}/{number_given}_{id}.toml"
    if isinstance(number_given, int) and isinstance(id, str):
        expected = f"{called}/{file_name(number_given, id)}.toml"
    try:
        return read_scenario(
            raw, library.catalog(), library.rulings(), file=expected, own_from=FIRST_NUMBER
        )
    except DataError as error:
        raise DataError(called, error.problems) from None


def _raw_of(scenario: Scenario, folder: ScenarioFolder) -> dict[str, Any]:
    """The data of a scenario as its file has it."""
    name = file_name(scenario.number, scenario.id)
    if scenario.number < FIRST_NUMBER:
        return resources.table(f"plastic/scenarios/{name}.toml")
    return resources.parse(folder.text(name), str(folder.file(name)))


def _free_id(title: str) -> str:
    taken = {scenario.id for scenario in library.scenarios().values()}
    return free_id(title, taken)


def _add(folder: ScenarioFolder, raw: Mapping[str, Any]) -> None:
    """Write a scenario that is new in the folder, and tell where it is."""
    name = file_name(raw["number"], raw["id"])
    _typed(raw, f"{name}.toml")
    folder.write(name, _toml(raw))
    say(f"Scenario {raw['number']}: {harmless(raw['title'])}")
    say(f"File: {harmless(str(folder.file(name)))}")


def _toml(raw: Mapping[str, Any]) -> str:
    import tomli_w

    return tomli_w.dumps(raw)


def _list_versions(folder: ScenarioFolder) -> None:
    deleted = folder.deleted()
    names = [*(stamp.name for stamp in folder.stamps()), *deleted]
    lines = []
    for name in sorted(names):
        versions = folder.versions(name)
        if versions:
            is_deleted = ", deleted" if name in deleted else ""
            there = ", ".join(map(str, versions))
            lines.append(f"{name}{is_deleted}: {number(len(versions), 'version')} ({there})")
    if not lines:
        lines = ["No scenario was deleted or changed."]
    say("\n".join(lines))
