"""``skirmish army templates`` and ``army new``: armies to start from."""

from __future__ import annotations

from typing import Annotated

import typer

from skirmish.cli.speaking import Complaint, columns, harmless, say, say_json, say_wrapped

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]


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
    from skirmish.store.desk import Store
    from skirmish.store.names import pick

    found = library.templates()
    named = [(number, army.listed.name) for number, army in enumerate(found, 1)]
    listed = found[pick(template, named, "template", "templates") - 1].listed
    if name is not None:
        if not name.strip():
            raise Complaint("Give a name after --name, or leave it out.")
        table = as_table(listed) | {"name": name.strip()}
        listed = read_army(table, library.catalog(), library.rulings(), "--name").listed
    with Store.open() as store:
        listed = renamed(listed, [record.name for record in store.armies()])
        record = store.add_army(GAME, listed.name, as_body(listed))
    say(f"Saved as number {record.id}: {harmless(record.name)}")
