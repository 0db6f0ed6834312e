"""``skirmish settings``: show and change the settings without the app."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import typer

from skirmish import library
from skirmish.cli.console import CommandError, harmless, say, say_json
from skirmish.cli.files import AsJson
from skirmish.store.settings import Settings, place, read_settings, write_settings
from skirmish.tabletop.data_file import read, suggest
from skirmish.tabletop.page_text import columns

RESET = ("default", "usual")
"""Values that put a setting back to its default; the second is the older word."""
TRUTH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
TABLES = ("rulings", "keys")
"""Settings that hold a value for each of many names: ``rulings.P2``, ``keys.battle.undo``."""

app = typer.Typer()


@app.command()
def settings(
    key: Annotated[
        str | None,
        typer.Argument(metavar="[KEY]", help="A setting, such as measure or rulings.P2."),
    ] = None,
    value: Annotated[
        str | None,
        typer.Argument(metavar="[VALUE]", help="Its new value; default resets it."),
    ] = None,
    path: Annotated[bool, typer.Option("--path", help="Print only the path of the file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the settings, or change one.

    \b
    Examples:
      skirmish settings
      skirmish settings measure centimetres
      skirmish settings rulings.P2 more_than_half
      skirmish settings keys.battle.undo ctrl+z
    """
    where = place()
    if path:
        say(str(where))
        return
    now = read_settings(where)
    if key is None:
        if as_json:
            say_json(msgspec.to_builtins(now))
        else:
            say("\n".join(columns([*_lines(now)])))
            say(f"\nSaved in {harmless(str(where))}")
    elif value is None:
        shown = _find(now, key)
        if as_json:
            say_json(shown)
        else:
            say(harmless(_written(shown)))
    else:
        changed = _changed(now, key, value)
        write_settings(where, changed)
        say(f"{harmless(key)}: {harmless(_written(_find(changed, key)))}")


def _lines(now: Settings) -> Iterator[tuple[str, str]]:
    for name, shown in msgspec.structs.asdict(now).items():
        table = shown if name in TABLES and shown else {"": shown}
        for one, choice in table.items():
            yield f"{name}.{one}".removesuffix("."), harmless(_written(choice))


def _find(now: Any, key: str) -> Any:
    """The value of a key, “default” if its table lacks it. Raises CommandError."""
    table, dot, name = key.partition(".")
    if table in TABLES and dot:
        return getattr(now, table).get(name, "default")
    if key in now.__struct_fields__:
        return getattr(now, key)
    raise CommandError(
        f"There is no setting called {harmless(key)}; {suggest(key, now.__struct_fields__)}"
    )


def _changed(now: Any, key: str, value: str) -> Any:
    _find(now, key)
    table, _, name = key.partition(".")
    raw = msgspec.to_builtins(now)
    if key in TABLES:
        if value not in RESET:
            raise CommandError(
                f"Name one of them, such as {key}.{'P2' if key == 'rulings' else 'ID'}."
            )
        raw[key] = {}
    elif table in TABLES:
        raw[table].pop(name, None)
        if value not in RESET:
            raw[table][name] = value
    elif value in RESET:
        raw[key] = getattr(Settings(), key)
    else:
        is_truth = isinstance(getattr(now, key), bool)
        raw[key] = TRUTH.get(value.lower(), value) if is_truth else value
    if table == "rulings":
        problems = library.rulings().problems({name: value} if value not in RESET else {})
        if message := "\n".join(map(str, problems)):
            raise CommandError(message)
    return read(raw, Settings, "settings")


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} = {choice}" for name, choice in value.items()) or "default"
    return str(value)
