"""``skirmish settings``: show and change what a player likes, without the full screen."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from skirmish.cli.speaking import Complaint, columns, harmless, say, say_json

TABLES = ("rulings", "keys")
"""Settings that hold a value for each of many names: ``rulings.P2``, ``keys.battle.undo``."""


def settings(
    key: Annotated[
        str | None,
        typer.Argument(metavar="[KEY]", help="Which setting, as in measure or rulings.P2."),
    ] = None,
    value: Annotated[
        str | None,
        typer.Argument(metavar="[VALUE]", help="What it shall be; usual is as at first."),
    ] = None,
    path: Annotated[bool, typer.Option("--path", help="Only say where they are kept.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
) -> None:
    """Show the settings, or change one.

    \b
    Examples:
      skirmish settings
      skirmish settings measure centimetres
      skirmish settings rulings.P2 more_than_half
      skirmish settings keys.battle.undo ctrl+z
    """
    import msgspec

    from skirmish.store.settings import place, read_settings, write_settings

    where = place()
    if path:
        say(str(where))
        return
    now = read_settings(where)
    if key is None:
        if as_json:
            say_json(msgspec.to_builtins(now))
        else:
            rows = [(name, harmless(_written(shown))) for name, shown in _lines(now)]
            say("\n".join(columns(rows)))
            say(f"\nKept in {harmless(str(where))}")
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


def _lines(now: Any) -> list[tuple[str, Any]]:
    """Each setting by its name; the tables line by line."""
    import msgspec

    found: list[tuple[str, Any]] = []
    for name, shown in msgspec.structs.asdict(now).items():
        if name in TABLES:
            found += [(f"{name}.{one}", kept) for one, kept in shown.items()]
            found += [] if shown else [(name, "as usual")]
        else:
            found.append((name, shown))
    return found


def _find(now: Any, key: str) -> Any:
    """What a key holds; a name that a table lacks is as usual. Raises Complaint."""
    table, dot, name = key.partition(".")
    if table in TABLES and dot:
        return getattr(now, table).get(name, "as usual")
    if key in now.__struct_fields__:
        return getattr(now, key)
    from skirmish.tabletop.reading import suggest

    raise Complaint(f"There is no setting {harmless(key)}; {suggest(key, now.__struct_fields__)}")


def _changed(now: Any, key: str, value: str) -> Any:
    """The settings with another value. Raises Complaint."""
    import msgspec

    from skirmish import library
    from skirmish.store.settings import Settings
    from skirmish.tabletop.reading import DataError, read

    _find(now, key)
    table, _, name = key.partition(".")
    raw = msgspec.to_builtins(now)
    if key in TABLES:
        if value != "usual":
            raise Complaint(f"Say which one, as in {key}.{'P2' if key == 'rulings' else 'ID'}.")
        raw[key] = {}
    elif table in TABLES:
        raw[table].pop(name, None)
        if value != "usual":
            raw[table][name] = value
    elif value == "usual":
        raw[key] = getattr(Settings(), key)
    else:
        raw[key] = _truth(value) if isinstance(getattr(now, key), bool) else value
    if table == "rulings":
        problems = library.rulings().problems({name: value} if value != "usual" else {})
        if told := "\n".join(map(str, problems)):
            raise Complaint(told)
    try:
        return read(raw, Settings, "settings")
    except DataError as error:
        raise Complaint(str(error)) from None


def _truth(value: str) -> bool | str:
    return {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}.get(
        value.lower(), value
    )


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} = {kept}" for name, kept in value.items()) or "as usual"
    return str(value)
