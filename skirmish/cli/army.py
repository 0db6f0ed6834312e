"""``skirmish army``: armies as files, share codes and saved ones; templates; the figures that the
player owns, and those that an army lacks."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from skirmish import library, resources
from skirmish.cli.console import (
    CommandError,
    counted,
    harmless,
    say,
    say_json,
    say_page,
    say_wrapped,
)
from skirmish.cli.files import AsJson, Force, Output, deliver, text_of
from skirmish.cli.stored_games import existing_store, open_store
from skirmish.games.plastic.army_file import (
    GAME,
    army_of,
    as_body,
    as_table,
    code_of,
    looks_like_code,
    renamed,
    slug,
)
from skirmish.games.plastic.army_page import army_page, legality
from skirmish.games.plastic.dealing.terrain import TERRAIN, terrain_of
from skirmish.games.plastic.rules.army import MOST_PIECES, Army, figures, in_order
from skirmish.games.plastic.rules.army import missing as missing_pieces
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.games.plastic.rules.breaches import breaches
from skirmish.games.plastic.rules.catalog import plural, total_counts
from skirmish.games.plastic.rules.limits import LimitGauge, is_legal, not_waived
from skirmish.store.errors import StoreError
from skirmish.store.names import NumberedName, none_called, pick
from skirmish.store.place import find
from skirmish.store.records import ArmyRecord
from skirmish.tabletop.data_file import DataError, suggest
from skirmish.tabletop.page import Page
from skirmish.tabletop.text_width import clipped, in_columns

NAME_WIDTH = 30
"""Columns of a name in a list."""
ANY_ARMY = "An army file, the name or number of a saved army, a share code, or - for stdin."

AnyArmy = Annotated[str, typer.Argument(metavar="NAME|FILE", help=ANY_ARMY, show_default=False)]
SavedArmy = Annotated[
    str,
    typer.Argument(metavar="NAME", help="The name or number of a saved army.", show_default=False),
]

app = typer.Typer(help="Check, save and share armies.")


@app.command()
def check(army: AnyArmy, as_json: AsJson = False) -> None:
    """Say whether an army is legal and, if not, what to change.

    Ends with 0 if it is legal, 1 if it is not, 2 if it cannot be read.

    Example: skirmish army check my-army.toml
    """
    checked = army_at(army)
    if as_json:
        say_json(report(checked))
    else:
        say_page(army_page(checked, library.rulings()))
    if not is_legal(checked):
        raise typer.Exit(1)


@app.command("list")
def list_armies(as_json: AsJson = False) -> None:
    """List the saved armies, the last one changed first.

    Example: skirmish army list
    """
    records = _saved_armies()
    if as_json:
        say_json([_army_data(record) for record in records])
    elif records:
        rows = [_army_row(record) for record in records]
        say("\n".join(in_columns(rows, right=(0, 3))))  # the number and the points
    else:
        say(f"No armies are saved yet in {find().location}.")
        say("`skirmish army import FILE` saves one.")


def _saved_armies() -> list[ArmyRecord]:
    """The saved armies of this game. A record that cannot be read names no game, and is listed
    too."""
    with existing_store() as store:
        if store is None:
            return []
        return [record for record in store.armies() if record.game in (GAME, "")]


def _army_row(record: ArmyRecord) -> tuple[str, str, str, str, str]:
    """The columns of a saved army in a list: number, name, terms, points, and whether it is
    legal."""
    id = str(record.id)
    name = clipped(harmless(record.name), NAME_WIDTH)
    try:
        army = _army_of_record(record)
    except DataError:
        return id, name, "", "", "cannot be read"
    verdict = "not legal"
    if is_legal(army):
        verdict = "legal"
    return id, name, army.terms, f"{army.spent}/{army.budget}", verdict


def _army_data(record: ArmyRecord) -> dict[str, Any]:
    """A saved army for other programs; what cannot be read is null."""
    data: dict[str, Any] = {"id": record.id, "name": record.name}
    data |= dict.fromkeys(("nation", "quality", "budget", "spent", "legal"))
    with suppress(DataError):
        army = _army_of_record(record)
        data["legal"] = is_legal(army)
        data["nation"] = army.army_list.nation
        data["quality"] = army.army_list.quality
        data["budget"] = army.budget
        data["spent"] = army.spent
    data["updated"] = record.updated
    return data


@app.command()
def show(army: AnyArmy) -> None:
    """Show an army with its prices, sums and limits.

    Example: skirmish army show "Kampfgruppe Ziegler"
    """
    say_page(army_page(army_at(army), library.rulings()))


@app.command()
def export(name: SavedArmy, output: Output = None, force: Force = False) -> None:
    """Write a saved army to a file.

    The file is army-NAME.toml in this folder unless -o says otherwise.

    Example: skirmish army export "Kampfgruppe Ziegler" -o ziegler.toml
    """
    import tomli_w

    army = _saved_army(name)
    text = tomli_w.dumps(as_table(army.army_list))
    default = f"army-{slug(army.army_list.name)}.toml"
    deliver(text.encode(), output, default, force, "Army file")


@app.command("import")
def import_army(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|CODE|-",
            help="An army file, a share code, or - for either from stdin.",
            show_default=False,
        ),
    ],
) -> None:
    """Save an army from a file or a share code, legal or not.

    Example: skirmish army import my-army.toml
    """
    if not (_means_file(source) or looks_like_code(source)):
        raise CommandError(
            f"{harmless(source)}: no such file, and not a share code (these begin with SK1-)."
        )
    army = army_at(source)
    _save(army)
    say_page(Page("", tuple(legality(army))))


def _save(army: Army) -> None:
    """Save an army, and say under which number and name."""
    with open_store() as store:
        # Commands name an army by its name, so a second army of the same name is renamed.
        army_list = renamed(army.army_list, [record.name for record in store.armies()])
        record = store.add_army(GAME, army_list.name, as_body(army_list))
    say(f"Saved as number {record.id}: {harmless(record.name)}")
    if army_list.name != army.army_list.name:
        say_wrapped(f"(There was already an army called {harmless(army.army_list.name)}.)")


@app.command()
def share(army: AnyArmy) -> None:
    """Give an army as a share code, one line of text.

    `skirmish army import CODE` reads it.

    Example: skirmish army share my-army.toml
    """
    say(code_of(army_at(army).army_list))


@app.command()
def templates(as_json: AsJson = False) -> None:
    """List the legal armies that a new one can start from.

    Example: skirmish army templates
    """
    armies = library.templates()
    if as_json:
        say_json([as_table(army.army_list) for army in armies])
        return
    for position, army in enumerate(armies, 1):
        terms = army.terms or "any nation"
        say(f"{position:>2}  {army.army_list.name}  {terms}  {army.army_list.points} points")
        say_wrapped(army.army_list.note, "    ")
    say()
    say('`skirmish army new --from "NAME"` saves a copy of one as an army of your own.')


@app.command()
def new(
    template: Annotated[
        str,
        typer.Option(
            "--from", metavar="TEMPLATE", help="A template's name or number.", show_default=False
        ),
    ],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The name of the new army.")
    ] = None,
) -> None:
    """Save a new army made from a template.

    Example: skirmish army new --from "The Sea Lions" --name "Our Lions"
    """
    armies = library.templates()
    # Templates have no numbers of their own: their positions count, from 1 on.
    names = []
    for position, army in enumerate(armies, 1):
        names.append(NumberedName(position, army.army_list.name))
    picked_position = pick(template, names, "template", "templates")
    army = armies[picked_position - 1]
    if name is not None:
        army = _with_name(army, name.strip())
    _save(army)


def _with_name(army: Army, name: str) -> Army:
    """The army under another name, read again so that the name is checked as in a file. Raises
    CommandError for an empty name, and DataError for another invalid one."""
    if not name:
        raise CommandError("Give a name after --name, or leave it out.")
    table = as_table(army.army_list) | {"name": name}
    return read_army(table, library.catalog(), library.rulings(), "--name")


@app.command()
def owned(
    counts: Annotated[
        list[str] | None,
        typer.Argument(metavar="PIECE=COUNT", help="How many you own now.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List what you own, or set how many you have.

    PIECE is a figure as in army files, or terrain. Terrain is woods, house, hill, field and
    bridge by the piece, and road, river, hedge and wall by the foot.

    Example: skirmish army owned tank=3 rifle=60 woods=5 road=16
    """
    # All words are read before any count is stored, so that a mistake in the last changes nothing.
    changed = dict(_piece_and_count(word) for word in counts or ())
    with open_store() as store:
        if changed:
            store.set_owned(GAME, changed)
        counts_now = store.owned(GAME)
    # Terrain is stored with the figures, but is no piece of the catalog: ``in_order`` leaves it
    # out, and what nobody owns.
    pieces = in_order(counts_now, library.catalog())
    terrain = terrain_of(counts_now)
    if as_json:
        say_json({**pieces, **terrain})
    elif pieces or terrain:
        _say_owned(pieces, terrain)
    else:
        say("No figures entered yet.\n`skirmish army owned tank=3 rifle=60` enters some.")


def _say_owned(pieces: dict[str, int], terrain: dict[str, int]) -> None:
    """Print a row for each piece and kind of terrain, with its count."""
    rows = []
    for piece, count in pieces.items():
        rows.append((str(count), library.catalog().pieces[piece].name_for(count)))
    for kind, count in terrain.items():
        rows.append((str(count), TERRAIN[kind].name_for(count)))
    say("\n".join(in_columns(rows, right=(0,))))


@app.command()
def missing(
    armies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME|FILE",
            help="Army files, saved armies or share codes; several are counted together.",
            show_default=False,
        ),
    ] = None,
    scenario: Annotated[
        int | None,
        typer.Option("--scenario", metavar="NUMBER", help="Check what this scenario needs."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say which figures of an army or a scenario you do not own.

    Example: skirmish army missing "Our Lions"
    """
    if not armies and scenario is None:
        raise CommandError("Name an army, or a scenario with --scenario NUMBER.")
    needs_of_each = [figures(army_at(ref)) for ref in armies or ()]
    if scenario is not None:
        needs_of_each.append(_figures_of_scenario(scenario))
    needs = in_order(total_counts(needs_of_each), library.catalog())
    with open_store() as store:
        counts_owned = store.owned(GAME)
    owned = {piece: counts_owned.get(piece, 0) for piece in needs}
    lacking = missing_pieces(needs, owned)
    if as_json:
        say_json({"needs": needs, "owned": owned, "missing": lacking})
        return
    _say_needs(needs, owned, lacking)
    if lacking:
        pieces_are = counted(sum(lacking.values()), "piece is", "pieces are")
        say(f"{pieces_are} missing.")
    else:
        say("You own them all.")


def _say_needs(needs: dict[str, int], owned: dict[str, int], lacking: dict[str, int]) -> None:
    """Print a row for each piece that is needed, and a blank line below them."""
    rows = []
    for piece, count in needs.items():
        note = ""
        if piece in lacking:
            note = f"{lacking[piece]} missing"
        name = plural(library.catalog().pieces[piece].name)
        rows.append((name, f"need {count}", f"own {owned[piece]}", note))
    if rows:
        say("\n".join([*in_columns(rows), ""]))


def _figures_of_scenario(scenario: int) -> dict[str, int]:
    """How many of each piece a scenario needs. Raises CommandError."""
    scenarios = library.scenarios()
    if scenario not in scenarios:
        raise CommandError(f"There is no scenario {scenario}; `skirmish scenarios` lists them.")
    return scenarios[scenario].figures()


def report(army: Army) -> dict[str, Any]:
    """The answer of ``army check --json``; ``overridden`` and ``groups`` are left out if empty.
    Other programs read the strength as ``pdg`` (potential dead guys), as the rules count it."""
    all_breaches = breaches(army)
    broken = not_waived(all_breaches)
    answer: dict[str, Any] = {
        "legal": not broken,
        "budget": army.budget,
        "spent": army.spent,
        "free": army.free,
        "pdg": army.strength,
        "break_at": army.break_at,
        "breaches": [_breach(gauge) for gauge in broken],
    }
    waived = []
    for gauge in all_breaches:
        if gauge.override is not None:
            waived.append({**_breach(gauge), "reason": gauge.override})
    if waived:
        answer["overridden"] = waived
    if army.army_list.groups:
        answer["groups"] = [block._asdict() for block in army.blocks()]
    return answer


def _breach(gauge: LimitGauge) -> dict[str, Any]:
    """A limit that an army breaks, for other programs."""
    return {
        "limit": gauge.limit.id,
        "unit": gauge.piece,
        "have": _plain_number(gauge.have),
        "allowed": _plain_number(gauge.allowed),
        "message": gauge.message,
        "repair": msgspec.to_builtins(gauge.repair),
    }


def _plain_number(value: Fraction) -> int | float:
    """The value as JSON has it: an integer, or a float for halves. (A small pillbox is half a
    pillbox.)"""
    if value.denominator == 1:
        return value.numerator
    return float(value)


def army_at(ref: str) -> Army:
    """The army that ``ref`` names: a file, a share code, or else a saved army by its name or
    number. Raises an error that ``run`` handles."""
    if not ref.strip():
        raise CommandError(
            "The name is empty. Give an army file, a name, a number or a share code."
        )
    if _means_file(ref):
        return _army_in_file(ref)
    if looks_like_code(ref):
        return army_of(ref, library.catalog(), library.rulings())
    return _saved_army(ref, " There is no file of that name either.")


def _army_in_file(name: str) -> Army:
    """The army in a file (``-``: in stdin), which holds its TOML or its share code."""
    text, called = text_of(name, "army file")
    if looks_like_code(text):
        return army_of(text, library.catalog(), library.rulings())
    return read_army(resources.parse(text, called), library.catalog(), library.rulings(), called)


def _means_file(ref: str) -> bool:
    """Whether a file is meant: stdin, a file that exists, or any name of an army file, since a
    missing one is then reported as missing."""
    try:
        return ref == "-" or ref.endswith(".toml") or Path(ref).exists()
    except (OSError, ValueError):  # too long for the name of a file, as a share code can be
        return False


def _saved_army(ref: str, further_advice: str = "") -> Army:
    """A saved army by its name or number. Raises CommandError; where there is none, its sentence is
    followed by the ``further_advice``."""
    try:
        with existing_store() as store:
            if store is None:
                raise none_called(ref, [], "army")
            record = store.army(ref)
    except StoreError as error:
        raise CommandError(f"{error}{further_advice}") from None
    # A record without a game cannot be read, which `_army_of_record` reports.
    if record.game not in (GAME, ""):
        raise CommandError(f"{harmless(record.name)} is an army of another game ({record.game}).")
    return _army_of_record(record)


def _army_of_record(record: ArmyRecord) -> Army:
    """A saved army. Raises DataError where it cannot be read."""
    called = f"the saved army {harmless(record.name)}"
    return library.stored_army(record.body, called)


def _piece_and_count(word: str) -> tuple[str, int]:
    """The piece and the count of ``tank=3``; raises CommandError."""
    piece, _, count = word.partition("=")
    pieces = library.catalog().pieces
    if piece not in pieces and piece not in TERRAIN:
        hint = suggest(piece, [*pieces, *TERRAIN])
        raise CommandError(f"No piece is called {harmless(piece)}; {hint}")
    if not _is_count(count):
        raise CommandError(
            f"{harmless(word)}: write a number from 0 to {MOST_PIECES} after the =, "
            f"as in {piece}=3."
        )
    return piece, int(count.lstrip("0") or "0")


def _is_count(typed: str) -> bool:
    """Whether this is a number of pieces that a player may own."""
    if not (typed.isascii() and typed.isdigit()):
        return False
    digits = typed.lstrip("0") or "0"
    # The length is compared first: Python refuses to read numbers of thousands of digits.
    return len(digits) <= len(str(MOST_PIECES)) and int(digits) <= MOST_PIECES
