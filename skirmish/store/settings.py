"""A player's settings: measures, colours, defaults, keys, in one small TOML file for any editor."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
import platformdirs

from skirmish.tabletop.data_file import DataError, Problem, read
from skirmish.tabletop.typed import reason

ENVIRONMENT = "SKIRMISH_SETTINGS"
"""The environment variable that names another file."""
FILE = "settings.toml"
"""The name of the file in the user's settings folder."""
UNREADABLE_SUFFIX = ".unreadable"
"""What is added to the name of an unreadable file before a new one is written in its place."""
RENAMED_BINDINGS = {"battle.due": "battle.due_page"}
"""The present ids of bindings, by those that they had in earlier versions."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player's choices; every one has a default."""

    measure: Literal["inches", "centimetres"] = "inches"
    """The unit of distances."""
    theme: Literal["night", "paper", "ansi"] = "night"
    characters: Literal["auto", "all", "ascii"] = "auto"
    """``auto`` uses plain ASCII only where the terminal seems to support no more."""
    pictures: Literal["auto", "kitty", "iterm", "sixel", "off"] = "auto"
    """The protocol by which the terminal shows pictures; ``auto`` goes by the terminal's name."""
    level: Literal["referee", "clerk", "ledger"] = "referee"
    """What the program does for a side, as set-up proposes it: a ``referee`` draws and judges, a
    ``clerk`` judges what the players draw, a ``ledger`` only has the losses and the clock."""
    chance: Literal["cards", "die"] = "cards"
    """What a side draws from, as set-up proposes it."""
    questions: bool = False
    """Whether battles open with one question at a time."""
    paper: Literal["a4", "letter"] = "a4"
    """The paper of sheets."""
    ink: Literal["colour", "saver"] = "colour"
    """Whether sheets are printed in colour."""
    deck_knowledge: Literal["full", "hidden"] = "full"
    """Whether the odds of a battle are computed from the cards that are left (``full``) or from a
    fresh deck."""
    scenarios: str = ""
    """The folder of the player's own scenarios; empty: in his data folder."""
    rulings: Mapping[str, str] = {}
    """Answers by the ids of rulings, where new armies and battles differ from our defaults."""
    keys: Mapping[str, str] = {}
    """Keys by the ids of bindings (``battle.undo``)."""


def settings_file() -> Path:
    """Where the settings are: SKIRMISH_SETTINGS, else the user's settings folder."""
    named = os.environ.get(ENVIRONMENT, "")
    if named.strip():
        try:
            return Path(named).expanduser()
        except RuntimeError:  # an unknown home folder; reading and writing report it
            return Path(named)
    return platformdirs.user_config_path("skirmish", appauthor=False) / FILE


def read_settings(path: Path) -> Settings:
    """The settings of a file; if there is no such file, the defaults. Raises DataError with every
    wrong key."""
    _refuse_unknown_home(path)
    try:
        # A pipe would make us wait, and some devices never end. The null device is an empty file,
        # by which tests and scripts get the defaults.
        if not stat.S_ISREG(path.stat().st_mode) and str(path) != os.devnull:
            raise _unusable(path, "cannot be read: it is not a regular file.")
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except UnicodeDecodeError:
        raise _unusable(path, "is not text in UTF-8.") from None
    except (OSError, ValueError) as error:  # the latter: no file can have this path
        raise _unusable(path, f"cannot be read: {reason(error)}.") from None
    from skirmish import resources  # noqa: PLC0415 (most players have no such file, and need no parser)

    settings = read(resources.parse(text, str(path)), Settings, str(path))
    keys = {RENAMED_BINDINGS.get(name, name): key for name, key in settings.keys.items()}
    return msgspec.structs.replace(settings, keys=keys)


def write_settings(path: Path, settings: Settings) -> None:
    """Write what differs from the defaults. An unreadable file at the path is not overwritten: it
    gets another name (``UNREADABLE_SUFFIX``) first. Raises DataError."""
    # Settings are read at every start, but rarely written.
    import tomli_w  # noqa: PLC0415

    from skirmish.store.files import write_whole  # noqa: PLC0415

    defaults = msgspec.structs.asdict(Settings())
    changed = {}
    for name, value in msgspec.structs.asdict(settings).items():
        if value != defaults[name]:
            changed[name] = value
    text = tomli_w.dumps(changed)
    _refuse_unknown_home(path)
    # Whoever may write in its folder would put a file in the place of the device itself.
    if str(path) == os.devnull:
        raise _unusable(path, "cannot be written: it is not a regular file.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _is_readable(path):
            path.replace(path.with_name(path.name + UNREADABLE_SUFFIX))
        write_whole(path, text.encode(), overwrite=True)
    except UnicodeEncodeError:
        raise _unusable(path, "cannot hold a value that is not text in UTF-8.") from None
    except (OSError, ValueError) as error:
        raise _unusable(path, f"cannot be written: {reason(error)}.") from None


def _refuse_unknown_home(path: Path) -> None:
    """Raises DataError for a path in an unknown home folder. Writing would make a folder called
    ``~`` of it."""
    if str(path).startswith("~"):
        raise _unusable(
            path, f"the home folder is unknown; set {ENVIRONMENT} to a file, with its whole path."
        )


def _unusable(path: Path, message: str) -> DataError:
    """The error for a settings file; the ``message`` continues a sentence that begins with its
    name."""
    return DataError(str(path), [Problem("", message)])


def _is_readable(path: Path) -> bool:
    """Whether the settings at a path can be read; true if there is no file yet."""
    try:
        read_settings(path)
    except DataError:
        return False
    return True
