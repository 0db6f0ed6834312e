"""``skirmish scenario``: the player's own scenarios."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

import typer

from skirmish import library, resources, scenario_editing
from skirmish.cli.console import CommandError, counted, harmless, say, say_wrapped
from skirmish.cli.files import AsJson, Force, Output, bytes_of, deliver
from skirmish.cli.lookups import say_scenario, scenario_of
from skirmish.cli.stored_games import finished_games, open_store
from skirmish.games.plastic.army_file import GAME, slug
from skirmish.games.plastic.dealing.codes import (
    LENGTHS,
    SEEDS,
    CodedDeal,
    DealCodeError,
    code_of,
    decoded,
)
from skirmish.games.plastic.dealing.deal import Dealt
from skirmish.games.plastic.dealing.deal import deal as deal_battle
from skirmish.games.plastic.dealing.proposals import YEARS, DealRequest, proposals
from skirmish.games.plastic.dealing.terrain import terrain_of
from skirmish.games.plastic.dealing.wishes import (
    LEAST_FEET,
    LEAST_POINTS,
    MOST_FEET,
    MOST_POINTS,
    Length,
    NoSuchBattleError,
)
from skirmish.games.plastic.rules.army import counts_in_words, in_order
from skirmish.games.plastic.rules.catalog import total_counts
from skirmish.games.plastic.scenario_record import (
    ScenarioRecord,
    proposal_to_even,
    record_of,
    record_words,
)
from skirmish.games.plastic.scenarios.own import LONGEST_TITLE, file_name, free_id, renamed
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import read_scenario
from skirmish.games.plastic.scenarios.wording import date_in_words
from skirmish.registry import BATTLE, load
from skirmish.store.scenario_folder import FIRST_NUMBER, LARGEST_FILE, ScenarioFolder
from skirmish.tabletop.data_file import DataError, suggest
from skirmish.tabletop.measure import INCHES_A_FOOT

MONTH = re.compile(r"19[34]\d-(0[1-9]|1[0-2])")
"""A month of the Thirties or Forties as it is typed: ``1943-07``. The dealer refuses those in which
no nation fought."""

ALL_OWNED = "all"
"""What is typed as the number of points to field all that the player owns."""

app = typer.Typer(help="Make, check, copy and share your own scenarios.")

Number = Annotated[
    str, typer.Argument(metavar="N", help="The number of a scenario.", show_default=False)
]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="What it is called.")]


class OwnFile(NamedTuple):
    """The file of an own scenario: the number of the scenario, and the name of the file without its
    ending: ``101_the_mill``."""

    number: int
    name: str


class BroughtFile(NamedTuple):
    """A scenario from outside the folder of own scenarios: its data, not yet checked, and the name
    of the file as messages give it."""

    raw: dict[str, Any]
    name_in_messages: str


class CodedBattle(NamedTuple):
    """A dealt battle with the code that deals it again."""

    code: str
    dealt: Dealt


class OwnedPieces(NamedTuple):
    """How many of each figure and of each piece of terrain the player owns; None: the deal is not
    limited to what he owns."""

    figures: Mapping[str, int] | None = None
    terrain: Mapping[str, int] | None = None


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
    """Make a scenario on an empty table.

    Two small forces meet there, so it can be played and printed at once. `scenario edit` and the
    workshop change it.

    Example: skirmish scenario new "The mill at Berezovka" --sides russian,german --table 6x4
    """
    checked_title = _title(title)
    saved = scenario_editing.new_scenario(checked_title, _nations(sides), _table(table))
    _say_saved(saved.number, checked_title, saved.path)
    say(f"`skirmish scenario edit {saved.number}` changes it, and so does the app.")


@app.command()
def deal(
    *,
    theme: Annotated[
        str | None,
        typer.Option("--theme", metavar="NAME", help="Such as crossing or beach; else any."),
    ] = None,
    region: Annotated[
        str | None, typer.Option("--region", metavar="NAME", help="Such as russia; else any.")
    ] = None,
    sides: Annotated[
        str | None,
        typer.Option("--sides", metavar="A,D", help="One nation or two, the attacker first."),
    ] = None,
    month: Annotated[
        str | None, typer.Option("--month", metavar="YYYY-MM", help="When it is fought.")
    ] = None,
    year: Annotated[
        int | None, typer.Option("--year", metavar="YYYY", help="In any month of that year.")
    ] = None,
    points: Annotated[
        str,
        typer.Option(
            "--points", metavar="N", help="Points of the larger side, or `all` that you own."
        ),
    ] = "150",
    table: Annotated[
        str, typer.Option("--table", metavar="WxD", help="The size of the table in feet.")
    ] = "8x5",
    length: Annotated[
        str, typer.Option("--length", metavar="NAME", help="short, evening or long.")
    ] = "evening",
    owned: Annotated[
        bool, typer.Option("--owned", help="Only with what `skirmish army owned` lists.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="The same number, the same deal.")
    ] = None,
    code: Annotated[
        str | None, typer.Option("--code", metavar="CODE", help="Deal this battle again.")
    ] = None,
    save: Annotated[
        bool, typer.Option("--save", help="Take the battle of --code into your scenarios.")
    ] = False,
) -> None:
    """Deal three battles to choose from, or the battle of a code.

    Example: skirmish scenario deal --theme crossing --sides russian,german --points 200
    """
    if code is not None:
        _deal_again(code, save=save)
        return
    if save:
        raise CommandError("--save takes the battle of a code; give it with --code.")
    request = _deal_request(
        theme=theme,
        region=region,
        sides=sides,
        month=month,
        year=year,
        points=points,
        table=table,
        length=length,
        owned=owned,
    )
    if seed is None:
        seed = random.randrange(SEEDS)
    _deal_proposals(request, seed)


@app.command()
def copy(which: Number, title: Title = None) -> None:
    """Copy any scenario, one of the rules too, as one of your own.

    Example: skirmish scenario copy 4 --title "Four houses, at night"
    """
    scenario = scenario_of(which)
    checked_title = _title(title or f"{scenario.title}, a copy")
    saved = scenario_editing.copy_scenario(scenario, checked_title)
    _say_saved(saved.number, checked_title, saved.path)


@app.command()
def edit(which: Number) -> None:
    """Change one of your scenarios by lines that you type.

    They change its map, forces, victory and rules, as the workshop of the program does on a screen.
    `help` lists what can be typed.

    Example: skirmish scenario edit 101
    """
    # Imported late: no other command needs the workshop.
    from skirmish.cli.scenario_edit import edit as edit_by_lines

    edit_by_lines(_own_file(library.scenario_folder(), which).number)


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
        brought = _brought_file(file)
        # A file gets its number and its id when it is imported: until then any that are valid do.
        raw = renamed(brought.raw, FIRST_NUMBER, "own_checked")
        scenario = _checked(raw, brought.name_in_messages)
    say(f"{harmless(scenario.title)}: no mistakes.")


@app.command()
def show(which: Number, as_json: AsJson = False) -> None:
    """Print a scenario: situation, forces, map in words, victory.

    Example: skirmish scenario show 101
    """
    say_scenario(scenario_of(which), as_json)


@app.command()
def record(which: Number) -> None:
    """Say how often it was played, who won, and what would even it.

    Example: skirmish scenario record 101
    """
    scenario = scenario_of(which)
    scenario_record = record_of_finished(scenario)
    say(harmless(scenario.title))
    say(harmless(record_words(scenario_record)))
    proposal = proposal_to_even(scenario_record)
    if proposal:
        say(proposal)


def record_of_finished(scenario: Scenario) -> ScenarioRecord:
    """The record of a scenario, from the finished battles in the player's database. Raises
    CommandError if it has not been played to the end."""
    # Battles that cannot be read are left out.
    finished, _ = finished_games(load(BATTLE.id))
    states = [battle.state for battle in finished]
    scenario_record = record_of(scenario, states, library.catalog())
    if scenario_record is None:
        raise CommandError(f"{harmless(scenario.title)} has not been played to the end yet.")
    return scenario_record


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
    """Write one of your scenarios to a file, for a friend to import.

    Example: skirmish scenario export 101 --author Ben --licence "CC BY 4.0"
    """
    folder = library.scenario_folder()
    own = _own_file(folder, which)
    raw = resources.parse(folder.text(own.name), str(folder.path_of(own.name)))
    if author:
        raw["author"] = author
    if licence:
        raw["licence"] = licence
    scenario = _checked(raw, f"{own.name}.toml")
    default_name = f"{slug(scenario.title)}.toml"
    deliver(_toml(raw).encode(), output, default_name, force, "Scenario")


@app.command("import")
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A file; - is stdin.")],
) -> None:
    """Take a scenario from a file into your own. It never replaces another.

    Example: skirmish scenario import the-mill.toml
    """
    brought = _brought_file(file)
    folder = library.scenario_folder()
    title = brought.raw.get("title")
    if not isinstance(title, str):
        title = ""  # ``_checked`` reports the missing title
    taken_ids = {scenario.id for scenario in library.scenarios().values()}
    raw = renamed(brought.raw, folder.next_number(), free_id(title, taken_ids))
    scenario = _checked(raw, brought.name_in_messages)
    name = file_name(scenario.number, scenario.id)
    folder.write(name, _toml(raw))
    _say_saved(scenario.number, scenario.title, folder.path_of(name))


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
        str | None, typer.Argument(metavar="N", help="Its number; without it, all are listed.")
    ] = None,
    version: Annotated[
        int | None,
        typer.Option("--version", metavar="V", help="Which earlier version; else the newest."),
    ] = None,
) -> None:
    """Bring a deleted scenario back, or an earlier version of one.

    Without a number, list them.

    Example: skirmish scenario undelete 101 --version 3
    """
    folder = library.scenario_folder()
    if which is None:
        _list_versions(folder)
        return
    own = _current_or_deleted_file(folder, which)
    versions = folder.versions(own.name)
    if not versions:
        raise CommandError(f"Scenario {own.number} has no earlier version.")
    if version is None:
        version = versions[-1]  # the newest
    if version not in versions:
        raise CommandError(
            f"Scenario {own.number} has no version {version}; it has {_listed(versions)}."
        )
    folder.write(own.name, folder.version(own.name, version))
    say(f"Scenario {own.number} is as in version {version}.")


# ------------------------------------------------------------------ dealing


def _deal_again(code: str, *, save: bool) -> None:
    """Deal the battle of a code; print it, or ``save`` it as one of the player's own. Raises
    CommandError."""
    coded = _decoded(code)
    try:
        dealt = deal_battle(coded.wishes, coded.seed, library.dealing())
    except NoSuchBattleError as error:
        raise CommandError(str(error)) from None
    # However the code was typed, it is printed as it stands on sheets.
    written_code = code_of(coded.wishes, coded.seed, library.dealing())
    if save:
        _save_deal(written_code, dealt)
    else:
        _say_deal(written_code, dealt)


def _deal_proposals(request: DealRequest, seed: int) -> None:
    """Deal and print three battles. Raises CommandError."""
    books = library.dealing()
    battles = []
    try:
        for coded in proposals(request, seed, books):
            code = code_of(coded.wishes, coded.seed, books)
            battles.append(CodedBattle(code, deal_battle(coded.wishes, coded.seed, books)))
    except NoSuchBattleError as error:
        raise CommandError(str(error)) from None
    for battle in battles:
        _say_deal(battle.code, battle.dealt)
        say()
    say_wrapped(
        "`skirmish scenario deal --code CODE --save` takes one of them into your scenarios."
    )


def _deal_request(
    *,
    theme: str | None,
    region: str | None,
    sides: str | None,
    month: str | None,
    year: int | None,
    points: str,
    table: str,
    length: str,
    owned: bool,
) -> DealRequest:
    """The request that the options of ``deal`` make. Raises CommandError."""
    books = library.dealing()
    wanted_points = _points(points)
    width, depth = _table(table)
    # The sides of a dealt table are whole feet.
    if width % INCHES_A_FOOT or depth % INCHES_A_FOOT:
        raise CommandError("--table takes whole feet here, such as 8x5.")
    length_id = cast("Length", _id_typed("--length", length, LENGTHS))
    _check_when(month, year)
    pieces = OwnedPieces()
    if owned or points == ALL_OWNED:
        pieces = _owned_pieces()
    if points == ALL_OWNED and pieces.figures is None:
        raise CommandError("--points all deals your figures; `skirmish army owned` enters them.")
    return DealRequest(
        theme=_id_or_none("--theme", theme, books.themes),
        region=_id_or_none("--region", region, books.regions.regions),
        month=month,
        year=year,
        nations=_one_or_two_nations(sides),
        width=width // INCHES_A_FOOT,
        depth=depth // INCHES_A_FOOT,
        points=wanted_points,
        length=length_id,
        figures=pieces.figures,
        terrain=pieces.terrain,
    )


def _check_when(month: str | None, year: int | None) -> None:
    """Raises CommandError unless the month, the year or neither is given, and is one in which
    battles are dealt."""
    if month is not None and not MONTH.fullmatch(month):
        raise CommandError("--month takes a year and a month, such as 1943-07.")
    if year is not None and month is not None:
        raise CommandError("Give --month or --year, not both.")
    if year is not None and year not in YEARS:
        raise CommandError(f"--year takes a year from {YEARS[0]} to {YEARS[-1]}.")


def _points(typed: str) -> int:
    """The points of the larger side. Raises CommandError."""
    if typed == ALL_OWNED:
        return MOST_POINTS  # what is owned sets the limit
    points = _short_number(typed, len(str(MOST_POINTS)))
    if points is not None and LEAST_POINTS <= points <= MOST_POINTS:
        return points
    raise CommandError(
        f"--points takes a number from {LEAST_POINTS} to {MOST_POINTS}, or `{ALL_OWNED}` for as "
        "many as you own."
    )


def _owned_pieces() -> OwnedPieces:
    """What `skirmish army owned` lists. Raises CommandError if it lists nothing."""
    with open_store() as store:
        owned = store.owned(GAME)
    # A player who has entered no terrain has not said that he owns none: any terrain may be dealt.
    # The same holds for figures.
    figures = in_order(owned, library.catalog()) or None
    terrain = terrain_of(owned) or None
    if figures is None and terrain is None:
        raise CommandError(
            "No figures entered yet. `skirmish army owned tank=3 rifle=60 woods=5` enters some."
        )
    return OwnedPieces(figures, terrain)


def _id_typed(option: str, typed: str, ids: Collection[str]) -> str:
    """The one of these ids that was typed, perhaps with hyphens or spaces. Raises CommandError."""
    id = typed.strip().casefold().replace("-", "_").replace(" ", "_")
    if id not in ids:
        raise CommandError(f"{option}: there is no {harmless(typed)}; {suggest(id, ids)}")
    return id


def _id_or_none(option: str, typed: str | None, ids: Collection[str]) -> str | None:
    """The id of an option that may be left out. Raises CommandError."""
    if typed is None:
        return None
    return _id_typed(option, typed, ids)


def _one_or_two_nations(typed: str | None) -> list[str]:
    """The nations that ``--sides`` names, the attacker first. The deal chooses those that are
    missing. Raises CommandError."""
    if typed is None:
        return []
    if "," in typed:
        return list(_nations(typed))
    return [_id_typed("--sides", typed, library.catalog().nations)]


def _decoded(code: str) -> CodedDeal:
    """The wishes and the seed in a code. Raises CommandError."""
    try:
        return decoded(code, library.dealing())
    except DealCodeError as error:
        raise CommandError(str(error)) from None


def _say_deal(code: str, dealt: Dealt) -> None:
    """Print a dealt battle: title, situation, forces, victory and code."""
    raw = dealt.raw
    table = raw["table"]
    feet = f"{table['width_in'] // INCHES_A_FOOT} x {table['depth_in'] // INCHES_A_FOOT} ft"
    say(raw["title"])
    date = date_in_words(raw["date"])
    say_wrapped(f"{raw['place']}, {date}; {feet}; {raw['ends_after']['turn']} turns")
    say_wrapped(raw["situation"])
    for side in raw["side"]:
        units = total_counts(group["units"] for group in side["contingent"])
        works = total_counts(group.get("works", {}) for group in side["contingent"])
        pieces = counts_in_words({**units, **works}, library.catalog())
        say_wrapped(f"{side['name']}: {pieces}.", hanging="  ")
    say_wrapped(raw["victory"]["text"])
    say_wrapped(dealt.balance)
    say(f"Code: {code}")


def _save_deal(code: str, dealt: Dealt) -> None:
    """Take a dealt battle into the player's own scenarios."""
    saved = scenario_editing.save_deal(dealt, code)
    _say_saved(saved.number, dealt.raw["title"], saved.path)


# ------------------------------------------------------------------ typed values


def _short_number(typed: str, most_digits: int) -> int | None:
    """A number of so many digits at most; None for any other text. Python refuses to read numbers
    of thousands of digits."""
    if typed.isdecimal() and len(typed) <= most_digits:
        return int(typed)
    return None


def _title(text: str) -> str:
    """A title with single spaces between its words. Raises CommandError."""
    title = " ".join(text.split())
    if not title:
        raise CommandError("The title is empty; type what the scenario is called.")
    if len(title) > LONGEST_TITLE:
        raise CommandError(f"The title is too long; it may have {LONGEST_TITLE} characters.")
    return title


def _nations(typed: str) -> tuple[str, str]:
    """The ids of two nations, the attacker first. Raises CommandError."""
    nations = library.catalog().nations
    ids = [word.strip().casefold() for word in typed.split(",")]
    if len(ids) != 2 or ids[0] == ids[1]:
        raise CommandError("--sides takes two nations with a comma between: american,german.")
    for id in ids:
        if id not in nations:
            raise CommandError(f"There is no nation {harmless(id)}; {suggest(id, nations)}")
    attacker, defender = ids
    return attacker, defender


def _table(typed: str) -> tuple[int, int]:
    """The width and the depth in inches of a table whose size is typed in feet. Raises
    CommandError."""
    refusal = CommandError(
        f"--table takes a size in feet such as 8x5; each side from {LEAST_FEET} to {MOST_FEET}."
    )
    try:
        width, depth = (float(side) for side in typed.casefold().split("x"))
    except ValueError:
        raise refusal from None
    if not (LEAST_FEET <= width <= MOST_FEET and LEAST_FEET <= depth <= MOST_FEET):
        raise refusal
    return round(width * INCHES_A_FOOT), round(depth * INCHES_A_FOOT)


def _own_file(folder: ScenarioFolder, which: str) -> OwnFile:
    """The file of one of the player's own scenarios. Raises CommandError."""
    return _named_file(_current_names(folder), which)


def _current_or_deleted_file(folder: ScenarioFolder, which: str) -> OwnFile:
    """The file of one of the player's own scenarios, which may be deleted. Raises CommandError."""
    return _named_file([*_current_names(folder), *folder.deleted()], which)


def _current_names(folder: ScenarioFolder) -> list[str]:
    """The names of the files that are not deleted."""
    return [stamp.name for stamp in folder.stamps()]


def _named_file(names: list[str], which: str) -> OwnFile:
    """The file whose name begins with the typed number: ``101_the_mill``. Raises CommandError."""
    typed = which.strip()
    for name in names:
        digits, _, _ = name.partition("_")
        if digits.isdecimal() and digits == typed:
            return OwnFile(int(digits), name)
    number = _short_number(typed, len(str(FIRST_NUMBER)))
    if number is not None and number < FIRST_NUMBER:
        raise CommandError(
            f"Scenario {typed} is one of the rules and stays as it is; "
            f"`skirmish scenario copy {typed}` makes one of your own from it."
        )
    raise CommandError(
        f"You have no scenario {harmless(typed) or '“”'}. `skirmish scenarios` lists them."
    )


# ------------------------------------------------------------------ files


def _say_saved(number: int, title: str, path: Path) -> None:
    """Print under which number and in which file a scenario of the player's own was saved."""
    say(f"Scenario {number}: {harmless(title)}")
    say(f"File: {harmless(str(path))}")


def _brought_file(file: str) -> BroughtFile:
    """The scenario in a file, or in stdin (``-``). Raises CommandError, and DataError for a text
    that is not TOML."""
    data, name_in_messages = bytes_of(file, LARGEST_FILE, "scenario")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{name_in_messages}: is not UTF-8 text; save it as UTF-8.") from None
    return BroughtFile(resources.parse(text, name_in_messages), name_in_messages)


def _checked(raw: Mapping[str, Any], name_in_messages: str) -> Scenario:
    """The scenario that these data describe. Raises DataError with all mistakes."""
    # ``read_scenario`` demands a file named after the number and the id of its scenario. These data
    # come from any file, or from stdin, so it is given the name that their file should have.
    id, scenario_number = raw.get("id"), raw.get("number")
    name = f"{scenario_number}_{id}"
    if isinstance(scenario_number, int) and isinstance(id, str):
        name = file_name(scenario_number, id)
    try:
        return read_scenario(
            raw,
            library.catalog(),
            library.rulings(),
            file=f"{name_in_messages}/{name}.toml",
            own_from=FIRST_NUMBER,
        )
    except DataError as error:
        raise DataError(name_in_messages, error.problems) from None


def _toml(raw: Mapping[str, Any]) -> str:
    """The text of a scenario file with these data."""
    import tomli_w  # only commands that write a scenario need it

    return tomli_w.dumps(raw)


def _list_versions(folder: ScenarioFolder) -> None:
    """Print the names of the files that have earlier versions, deleted ones included."""
    deleted = folder.deleted()
    lines = []
    for name in sorted([*_current_names(folder), *deleted]):
        versions = folder.versions(name)
        if versions:
            title = name
            if name in deleted:
                title = f"{name}, deleted"
            count = counted(len(versions), "version")
            lines.append(f"{title}: {count} ({_listed(versions)})")
    if not lines:
        lines = ["No scenario was deleted or changed."]
    say("\n".join(lines))


def _listed(versions: Iterable[int]) -> str:
    """Version numbers in words: ``1, 2, 4``."""
    return ", ".join(map(str, versions))
