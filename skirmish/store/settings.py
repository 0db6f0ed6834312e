"""What a player likes: measures, colours, defaults, keys. One small TOML file for any editor."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
import platformdirs

from skirmish.tabletop.reading import DataError, Problem, read
from skirmish.tabletop.typed import reason

ENVIRONMENT = "SKIRMISH_SETTINGS"
FILE = "settings.toml"
UNREADABLE = ".unreadable"
"""Ends the name under which a file that could not be read is kept when a new one is written."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices of the person at the keyboard; every one has a default.

    ``measure``: how distances are told. ``characters``: ``auto`` draws with plain ASCII only where
    the terminal seems to know no more. ``level`` and ``chance``: what set-up proposes for both
    sides. ``questions``: battles open with one question at a time. ``paper`` and ``ink``: how
    sheets are printed. ``deck_knowledge``: whether chances in a battle are reckoned with the cards
    that are left, or from a fresh deck. ``rulings``: ruling id to answer, where new armies and
    battles should differ from our defaults. ``keys``: the id of a binding (``battle.undo``) to the
    key that it shall have.
    """

    measure: Literal["inches", "centimetres"] = "inches"
    theme: Literal["night", "paper", "ansi"] = "night"
    characters: Literal["auto", "all", "ascii"] = "auto"
    level: Literal["referee", "clerk", "ledger"] = "referee"
    chance: Literal["cards", "die"] = "cards"
    questions: bool = False
    paper: Literal["a4", "letter"] = "a4"
    ink: Literal["colour", "saver"] = "colour"
    deck_knowledge: Literal["full", "hidden"] = "full"
    rulings: Mapping[str, str] = {}
    keys: Mapping[str, str] = {}


def place() -> Path:
    """Where the settings are: SKIRMISH_SETTINGS, else the user's settings folder."""
    named = os.environ.get(ENVIRONMENT, "")
    if named.strip():
        return Path(named).expanduser()
    return platformdirs.user_config_path("skirmish", appauthor=False) / FILE


def read_settings(path: Path) -> Settings:
    """The settings of a file; without one, the defaults. Raises DataError (every wrong key)."""
    import tomllib  # noqa: PLC0415 (most players have no such file, and wait for the first screen)

    try:
        text = path.read_text("utf-8")
        return read(tomllib.loads(text), Settings, str(path))
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except tomllib.TOMLDecodeError as error:
        raise DataError(str(path), [Problem("", f"is no TOML: {error}.")]) from None
    except UnicodeDecodeError:
        raise DataError(str(path), [Problem("", "is no text (UTF-8).")]) from None
    except OSError as error:
        raise DataError(str(path), [Problem("", f"cannot be read: {reason(error)}.")]) from None


def write_settings(path: Path, settings: Settings) -> None:
    """Keep the settings; only what differs from the defaults is written. A file there that cannot
    be read is kept beside under another name. Raises DataError."""
    import tomli_w  # noqa: PLC0415

    usual = msgspec.structs.asdict(Settings())
    chosen = msgspec.structs.asdict(settings)
    text = tomli_w.dumps({key: value for key, value in chosen.items() if value != usual[key]})
    beside = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, "utf-8")
        if not _is_readable(path):
            path.replace(path.with_name(path.name + UNREADABLE))
        beside.replace(path)
    except OSError as error:
        raise DataError(str(path), [Problem("", f"cannot be written: {reason(error)}.")]) from None


def _is_readable(path: Path) -> bool:
    try:
        read_settings(path)
    except DataError:
        return False
    return True
