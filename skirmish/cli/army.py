"""``skirmish army``: check, list, show, export, import, share; templates; figures owned."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skirmish.cli.console import CommandError, harmless, say, say_json, say_page, say_wrapped
from skirmish.tabletop.page_text import clipped, columns

if TYPE_CHECKING:
    from skirmish.games.plastic.rules.army import Army
    from skirmish.games.plastic.rules.breaches import Breach
    from skirmish.store.database import Store
    from skirmish.store.records import ArmyRecord

NAME_WIDTH = 30
ANY_ARMY = "An army file, the name or number of a saved army, a share code, or - for stdin."

Any_ = Annotated[str, typer.Argument(metavar="NAME|FILE", help=ANY_ARMY, show_default=False)]
Kept = Annotated[
    str,
    typer.Argument(metavar="NAME", help="The name or number of a saved army.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Check, save and share armies.")


@app.command()
def check(army: Any_, as_json: Json = False) -> None:
    """Say whether an army is legal and, if not, what to change.

    Ends with 0 if it is legal, 1 if it is not, 2 if it cannot be read.

    Example: skirmish army check my-army.toml
    """
    from skirmish import library
    from skirmish.games.plastic.army_page import army_page
    from skirmish.games.plastic.rules.breaches import is_legal

    found = army_at(army)
    if as_json:
        say_json(report(found))
    else:
        say_page(army_page(found, library.rulings()))
    if not is_legal(found):
        raise typer.Exit(1)


@app.command("list")
def list_armies(as_json: Json = False) -> None:
    """List the saved armies, the last one changed first.

    Example: skirmish army list
    """
    from skirmish.games.plastic.army_file import GAME
    from skirmish.games.plastic.rules.breaches import is_legal
    from skirmish.tabletop.reading import DataError

    with _store() as store:
        records = [record for record in store.armies() if record.game in (GAME, "")]
        where = store.location
    rows, values = [], []
    for record in records:
        value: dict[str, object] = {
            "id": record.id,
            "name": record.name,
            "nation": None,
            "quality": None,
            "budget": None,
            "spent": None,
            "legal": None,
            "updated": record.updated,
        }
        terms, sums, legal = "", "", "cannot be read"
        try:
            army = _kept(record)
        except DataError:
            pass
        else:
            value["nation"], value["quality"] = army.listed.nation, army.listed.quality
            value["budget"], value["spent"] = army.budget, army.spent
            value["legal"] = is_legal(army)
            terms = ", ".join(part.name for part in (army.nation, army.quality) if part)
            sums = f"{army.spent}/{army.budget}"
            legal = "legal" if value["legal"] else "not legal"
        name = clipped(harmless(record.name), NAME_WIDTH)
        rows.append((str(record.id), name, terms, sums, legal))
        values.append(value)
    if as_json:
        say_json(values)
    elif rows:
        say("\n".join(columns(rows, right=(0, 3))))
    else:
        say(f"No armies are saved yet in {where}.\n`skirmish army import FILE` saves one.")


@app.command()
def show(army: Any_) -> None:
    """Show an army with its prices, sums and limits.

    Example: skirmish army show "Kampfgruppe Ziegler"
    """
    from skirmish import library
    from skirmish.games.plastic.army_page import army_page

    say_page(army_page(army_at(army), library.rulings()))


@app.command()
def export(
    name: Kept,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="File to write; - is stdout."),
    ] = None,
    force: Force = False,
) -> None:
    """Write a saved army to a file.

    The file is army-NAME.toml in this folder unless -o says otherwise.

    Example: skirmish army export "Kampfgruppe Ziegler" -o ziegler.toml
    """
    import tomli_w

    from skirmish.cli.files import deliver
    from skirmish.games.plastic.army_file import as_table, slug

    army = _named(name)
    text = tomli_w.dumps(as_table(army.listed))
    usual = f"army-{slug(army.listed.name)}.toml"
    deliver(text.encode(), output, usual, force, "Army file")


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
    from skirmish.games.plastic.army_file import GAME, as_body, looks_like_code, renamed
    from skirmish.games.plastic.army_page import legality
    from skirmish.tabletop.page import Page

    if not (_is_file(source) or source == "-" or looks_like_code(source)):
        raise CommandError(
            f"{harmless(source)}: no such file, and not a share code (these begin with SK1-)."
        )
    army = army_at(source)
    with _store() as store:
        taken = [record.name for record in store.armies()]
        listed = renamed(army.listed, taken)
        record = store.add_army(GAME, listed.name, as_body(listed))
    say(f"Saved as number {record.id}: {harmless(record.name)}")
    if listed.name != army.listed.name:
        say_wrapped(f"(There was already an army called {harmless(army.listed.name)}.)")
    say_page(Page("", tuple(legality(army))))


@app.command()
def share(army: Any_) -> None:
    """Give an army as a share code, one line of text.

    `skirmish army import CODE` reads it.

    Example: skirmish army share my-army.toml
    """
    from skirmish.games.plastic.army_file import code_of

    say(code_of(army_at(army).listed))


@app.command()
def templates(as_json: Json = False) -> None:
    """List the legal armies that a new one can start from.

    Example: skirmish army templates
    """
    from skirmish import library
    from skirmish.games.plastic.army_file import as_table

    found = library.templates()
    if as_json:
        say_json([as_table(army.listed) for army in found])
        return
    for number, army in enumerate(found, 1):
        terms = [part.name for part in (army.nation, army.quality) if part] or ["any nation"]
        row = (f"{number:>2}", army.listed.name, ", ".join(terms), f"{army.listed.points} points")
        say("  ".join(columns([row])))
        say_wrapped(army.listed.note, "    ")
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
    from skirmish import library
    from skirmish.games.plastic.army_file import GAME, as_body, as_table, renamed
    from skirmish.games.plastic.rules.army import read_army
    from skirmish.store.database import Store
    from skirmish.store.names import pick

    found = library.templates()
    named = [(number, army.listed.name) for number, army in enumerate(found, 1)]
    listed = found[pick(template, named, "template", "templates") - 1].listed
    if name is not None:
        if not name.strip():
            raise CommandError("Give a name after --name, or leave it out.")
        table = as_table(listed) | {"name": name.strip()}
        listed = read_army(table, library.catalog(), library.rulings(), "--name").listed
    with Store.open() as store:
        listed = renamed(listed, [record.name for record in store.armies()])
        record = store.add_army(GAME, listed.name, as_body(listed))
    say(f"Saved as number {record.id}: {harmless(record.name)}")


@app.command()
def owned(
    counts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PIECE=COUNT]...", help="How many you own now.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the figures you own, or set how many you have of each.

    PIECE is written as in army files: tank=3 rifle=60.

    Example: skirmish army owned tank=3 rifle=60
    """
    from skirmish import library
    from skirmish.games.plastic.army_file import GAME
    from skirmish.games.plastic.rules.army import in_order
    from skirmish.store.database import Store

    changed = dict(_count(word) for word in counts or ())
    with Store.open() as store:
        if changed:
            store.own(GAME, changed)
        have = in_order(store.owned(GAME), library.catalog())
    if as_json:
        say_json(have)
    elif have:
        say("\n".join(columns([(str(n), _name(piece, n)) for piece, n in have.items()], (0,))))
    else:
        say("No figures entered yet.\n`skirmish army owned tank=3 rifle=60` enters some.")


@app.command()
def missing(
    armies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME|FILE...",
            help="Army files, saved armies or share codes; several are counted together.",
            show_default=False,
        ),
    ] = None,
    scenario: Annotated[
        int | None,
        typer.Option("--scenario", metavar="NUMBER", help="Check what this scenario needs."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say which figures of an army or a scenario you do not own.

    Example: skirmish army missing "The Sea Lions"
    """
    from skirmish import library
    from skirmish.games.plastic.army_file import GAME
    from skirmish.games.plastic.rules.army import figures, in_order
    from skirmish.games.plastic.rules.army import missing as lacking
    from skirmish.games.plastic.rules.catalog import together
    from skirmish.store.database import Store

    if not armies and scenario is None:
        raise CommandError("Name an army, or a scenario with --scenario NUMBER.")
    tables = [figures(army_at(ref)) for ref in armies or ()]
    if scenario is not None:
        known = library.scenarios()
        if scenario not in known:
            raise CommandError(f"There is no scenario {scenario}. Choose 1 to {len(known)}.")
        tables.append(known[scenario].figures())
    needs = in_order(together(tables), library.catalog())
    with Store.open() as store:
        have = store.owned(GAME)
    short = lacking(needs, have)
    if as_json:
        say_json({"needs": needs, "owned": {p: have.get(p, 0) for p in needs}, "missing": short})
        return
    rows = [
        (
            _name(piece, 2),
            f"need {count}",
            f"own {have.get(piece, 0)}",
            f"{short[piece]} missing" if piece in short else "",
        )
        for piece, count in needs.items()
    ]
    if rows:
        say("\n".join(columns(rows)))
        say()
    total = sum(short.values())
    say(
        f"{total} {'piece is' if total == 1 else 'pieces are'} missing."
        if short
        else "You own them all."
    )


def report(army: Army) -> dict[str, Any]:
    """The answer of ``army check --json``; ``overridden`` and ``groups`` stand there only if there
    are any."""
    from skirmish.games.plastic.rules.breaches import breaches, standing

    found = breaches(army)
    broken = standing(found)
    answer = {
        "legal": not broken,
        "budget": army.budget,
        "spent": army.spent,
        "free": army.free,
        "pdg": army.pdg,
        "break_at": army.break_at,
        "breaches": [_breach(breach) for breach in broken],
    }
    if len(broken) < len(found):
        answer["overridden"] = [
            {**_breach(breach), "reason": breach.override}
            for breach in found
            if breach.override is not None
        ]
    if army.listed.groups:
        answer["groups"] = [
            {"name": name, "units": units, "free": free} for name, units, free in army.blocks()
        ]
    return answer


def _breach(breach: Breach) -> dict[str, Any]:
    return {
        "limit": breach.limit,
        "unit": breach.unit,
        "have": _plain(breach.have),
        "allowed": _plain(breach.allowed),
        "message": breach.message,
        "repair": [{"unit": change.unit, "change": change.change} for change in breach.repair],
    }


def _plain(value: Fraction) -> int | float:
    """Whole numbers as such; halves (small pillboxes) with their .5."""
    return value.numerator if value.denominator == 1 else float(value)


def army_at(ref: str) -> Army:
    """The army that ``ref`` names: a file if there is one or it ends in .toml, else a share code,
    else a kept army by its name or number. Raises an error that ``run`` can tell."""
    from skirmish import library, resources
    from skirmish.cli.files import text_of
    from skirmish.games.plastic.army_file import army_of, looks_like_code
    from skirmish.games.plastic.rules.army import read_army

    if not ref.strip():
        raise CommandError(
            "The name is empty. Give an army file, a name, a number or a share code."
        )
    text, called = ref, ""
    if _is_file(ref) or ref == "-":
        text, called = text_of(ref)
    if looks_like_code(text):
        return army_of(text, library.catalog(), library.rulings())
    if not called:
        return _named(ref, " There is no file of that name either.")
    return read_army(resources.parse(text, called), library.catalog(), library.rulings(), called)


def _is_file(ref: str) -> bool:
    """Whether a word names a file: it ends in .toml, or one is there."""
    try:
        return ref != "-" and (ref.endswith(".toml") or Path(ref).exists())
    except (OSError, ValueError):  # too long for a file, as share codes can be
        return False


def _named(ref: str, besides: str = "") -> Army:
    from skirmish.games.plastic.army_file import GAME
    from skirmish.store.errors import StoreError

    try:
        record = _looked_up(ref)
    except StoreError as error:
        raise CommandError(f"{error}{besides}") from None
    if record.game not in (GAME, ""):  # empty: it cannot be read
        raise CommandError(f"{harmless(record.name)} is an army of another game ({record.game}).")
    return _kept(record)


def _kept(record: ArmyRecord) -> Army:
    from skirmish import library
    from skirmish.games.plastic.army_file import from_body

    called = f"the saved army {harmless(record.name)}"
    return from_body(record.body, library.catalog(), library.rulings(), called)


def _looked_up(ref: str) -> ArmyRecord:
    """The kept army; to look for one is no reason to make a database where there is none."""
    from skirmish.store.names import pick
    from skirmish.store.place import find

    path = find().path
    try:
        if path is not None:
            path.stat()
    except FileNotFoundError:
        pick(ref, [])
    except OSError:
        pass  # the store tells what is wrong
    with _store() as store:
        return store.army(ref)


def _store() -> Store:
    from skirmish.store.database import Store

    return Store.open()


def _count(word: str) -> tuple[str, int]:
    from skirmish import library
    from skirmish.games.plastic.rules.army import MOST_PIECES
    from skirmish.tabletop.reading import suggest

    piece, _, count = word.partition("=")
    known = library.catalog().pieces
    if piece not in known:
        raise CommandError(f"No piece is called {harmless(piece)}; {suggest(piece, known)}")
    if not (count.isascii() and count.isdigit() and int(count[:9]) <= MOST_PIECES):
        raise CommandError(
            f"{harmless(word)}: write a number from 0 to {MOST_PIECES} after the =, "
            f"as in {piece}=3."
        )
    return piece, int(count)


def _name(piece: str, count: int) -> str:
    from skirmish import library
    from skirmish.games.plastic.rules.catalog import plural

    catalog = library.catalog()
    known = catalog.pieces[piece]
    return known.name if count == 1 else plural(known.name)
