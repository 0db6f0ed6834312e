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
        try:
            return Path(named).expanduser()
        except RuntimeError:  # whose home is unknown; reading and writing say so
            return Path(named)
    return platformdirs.user_config_path("skirmish", appauthor=False) / FILE


def read_settings(path: Path) -> Settings:
    """The settings of a file; without one, the defaults. Raises DataError (every wrong key)."""
    _check(path)
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except UnicodeDecodeError:
        raise _unusable(path, "is not text in UTF-8.") from None
    except (OSError, ValueError) as error:
        raise _unusable(path, f"cannot be read: {reason(error)}.") from None
    from skirmish import resources  # noqa: PLC0415 (most players have no such file, and need no parser)

    return read(resources.parse(text, str(path)), Settings, str(path))


def write_settings(path: Path, settings: Settings) -> None:
    """Write what differs from the defaults. A file there that cannot be read is kept beside it
    under another name. Raises DataError."""
    import tomli_w  # noqa: PLC0415

    from skirmish.store.files import write_whole  # noqa: PLC0415 (rarely wanted)

    usual = msgspec.structs.asdict(Settings())
    chosen = msgspec.structs.asdict(settings)
    text = tomli_w.dumps({key: value for key, value in chosen.items() if value != usual[key]})
    _check(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _is_readable(path):
            path.replace(path.with_name(path.name + UNREADABLE))
        write_whole(path, text.encode(), overwrite=True)
    except UnicodeEncodeError:
        raise _unusable(path, "cannot hold a value that is not text in UTF-8.") from None
    except (OSError, ValueError) as error:
        raise _unusable(path, f"cannot be written: {reason(error)}.") from None


def _check(path: Path) -> None:
    """Raises DataError where the path begins with a home that is unknown: else a folder of that
    name would be made wherever the program was started."""
    if str(path).startswith("~"):
        raise _unusable(
            path, f"the home folder is unknown; set {ENVIRONMENT} to a file, with its whole path."
        )


def _unusable(path: Path, says: str) -> DataError:
    return DataError(str(path), [Problem("", says)])


def _is_readable(path: Path) -> bool:
    try:
        read_settings(path)
    except DataError:
        return False
    return True
