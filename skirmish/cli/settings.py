"""``skirmish settings``: show and change the settings without the app."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import typer

from skirmish import library
from skirmish.cli.console import CommandError, harmless, say, say_json
from skirmish.cli.files import AsJson
from skirmish.store.settings import Settings, read_settings, settings_file, write_settings
from skirmish.tabletop.data_file import read, suggest
from skirmish.tabletop.text_width import in_columns

RESET_WORDS = ("default", "usual")
"""Values that put a setting back to its default; “usual” is what earlier versions called it."""
YES_OR_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
"""The words for a setting that is either on or off."""
TABLES = ("rulings", "keys")
"""Settings that hold a value for each of many names: ``rulings.P2``, ``keys.battle.undo``."""
EXAMPLE_NAMES = {"rulings": "P2", "keys": "ID"}
"""A name in each of the tables, for messages."""

app = typer.Typer()


@app.command()
def settings(
    key: Annotated[
        str | None,
        typer.Argument(metavar="KEY", help="A setting, such as measure or rulings.P2."),
    ] = None,
    value: Annotated[
        str | None,
        typer.Argument(metavar="VALUE", help="Its new value; default resets it."),
    ] = None,
    only_path: Annotated[
        bool, typer.Option("--path", help="Print only the path of the file.")
    ] = False,
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
    file = settings_file()
    if only_path:
        say(str(file))
        return
    current = read_settings(file)
    if key is None:
        if as_json:
            say_json(msgspec.to_builtins(current))
        else:
            rows = list(_rows(current))
            say("\n".join(in_columns(rows)))
            say(f"\nSaved in {harmless(str(file))}")
    elif value is None:
        present_value = _value_of(current, key)
        if as_json:
            say_json(present_value)
        else:
            say(harmless(_in_words(present_value)))
    else:
        changed = _changed(current, key, value)
        write_settings(file, changed)
        say(f"{harmless(key)}: {harmless(_in_words(_value_of(changed, key)))}")


def _rows(current: Settings) -> Iterator[tuple[str, str]]:
    """The names of all settings with their values in words. A table has a row for each of its
    entries, an empty one a single row."""
    for name, value in msgspec.structs.asdict(current).items():
        if name in TABLES and value:
            for entry, choice in value.items():
                yield f"{name}.{entry}", harmless(_in_words(choice))
        else:
            yield name, harmless(_in_words(value))


def _value_of(current: Settings, key: str) -> Any:
    """The value of a setting, or of an entry of a table: “default” if the table has no such entry.
    Raises CommandError."""
    _check_key(current, key)
    if key in current.__struct_fields__:
        return getattr(current, key)
    table, _, name = key.partition(".")
    return getattr(current, table).get(name, "default")


def _check_key(current: Settings, key: str) -> None:
    """Raises CommandError for a key that is neither a setting nor an entry of a table."""
    table, dot, _ = key.partition(".")
    is_in_table = bool(dot) and table in TABLES
    if not is_in_table and key not in current.__struct_fields__:
        hint = suggest(key, current.__struct_fields__)
        raise CommandError(f"There is no setting called {harmless(key)}; {hint}")


def _changed(current: Settings, key: str, value: str) -> Settings:
    """The settings with another value for a key. Raises CommandError, and DataError for a value
    that does not fit."""
    _check_key(current, key)
    table, _, name = key.partition(".")
    values = msgspec.to_builtins(current)
    is_reset = value in RESET_WORDS
    if key in TABLES:
        # A whole table can only be reset: a value belongs to one of its entries.
        if not is_reset:
            raise CommandError(f"Name one of them, such as {key}.{EXAMPLE_NAMES[key]}.")
        values[key] = {}
    elif table in TABLES:
        values[table].pop(name, None)
        if not is_reset:
            values[table][name] = value
    elif is_reset:
        values[key] = getattr(Settings(), key)
    elif isinstance(getattr(current, key), bool):
        values[key] = YES_OR_NO.get(value.lower(), value)  # ``read`` refuses any other word
    else:
        values[key] = value
    # ``read`` checks fields; the names of rulings are data, which only their book can check.
    if table == "rulings" and not is_reset:
        problems = list(library.rulings().problems({name: value}))
        if problems:
            raise CommandError("\n".join(map(str, problems)))
    return read(values, Settings, "settings")


def _in_words(value: Any) -> str:
    """The value of a setting as it is printed: ``yes``, ``P2 = half``; ``default`` for an empty
    table."""
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, dict):
        entries = [f"{name} = {choice}" for name, choice in value.items()]
        return ", ".join(entries) or "default"
    return str(value)
