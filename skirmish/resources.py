"""Access to data/, nowhere else. Games receive mappings. The folder is beside the package in a
checkout and inside it in a wheel. Only those two places are tried, and only a folder with the
flagship's units counts: an editable install may leave an old copy elsewhere, which must never be
read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from skirmish.tabletop.data_file import DataError, Problem
from skirmish.tabletop.typed import reason

TEMPLATES = "armies"
TEXTS = "texts"
DEALING = ("dealing", "themes")
CAMPAIGNS = "campaigns"
"""Folders of data that no battle depends on: ready armies, texts to read, what battles are dealt
from, since each keeps the scenario that it began with, and campaigns."""
COMMANDER = "commander.toml"
"""The weights of the solo commander, on which no battle depends either: an order that he has given
is in the journal."""

LOADING = RLock()
"""Held while data becomes typed values. msgspec describes a class to itself when the class is first
used, and ends the whole program where another thread uses the class before that is complete."""


@cache
def folder() -> Path:
    """The path of data/; raises DataError if the installation is broken."""
    package = Path(__file__).resolve().parent
    for place in (package.parent / "data", package / "data"):
        if (place / "plastic" / "units.toml").is_file():
            return place
    raise DataError(
        "data", [Problem("", "the numbers of the games are missing; install Skirmish again.")]
    )


def table(name: str) -> dict[str, Any]:
    """The TOML file ``name`` (``plastic/units.toml``) as a mapping; raises DataError."""
    return toml(folder() / name, name)


class Tables(dict[str, dict[str, Any]]):
    """The TOML files of ``data/<game>/`` by their names without the ending, each read at every
    access, which raises DataError. Nothing is stored, so it has no keys and no length: only
    ``tables[name]`` is of use."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self._game = game

    def __missing__(self, name: str) -> dict[str, Any]:
        return table(f"{self._game}/{name}.toml")


def tables(within: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The TOML files of a folder (``plastic/scenarios``) with their names; raises DataError."""
    for name, path in _files(within):
        yield name, toml(path, name)


class TablesRead(NamedTuple):
    """The TOML files of a folder: those that could be read, with their names, and what is wrong
    with the others."""

    sound: list[tuple[str, dict[str, Any]]]
    broken: list[DataError]


def sound_tables(within: str) -> TablesRead:
    """The TOML files of a folder (``plastic/scenarios``); a broken one stops no other."""
    sound: list[tuple[str, dict[str, Any]]] = []
    broken: list[DataError] = []
    for name, path in _files(within):
        try:
            sound.append((name, toml(path, name)))
        except DataError as error:
            broken.append(error)
    return TablesRead(sound, broken)


def count(within: str) -> int:
    """How many TOML files a folder (``plastic/scenarios``) has, without reading any of them."""
    return len(list(_files(within)))


def _files(within: str) -> Iterator[tuple[str, Path]]:
    """The TOML files of a folder in the order of their names: what messages call each, and where
    it is."""
    for path in sorted((folder() / within).glob("*.toml")):
        yield f"{within}/{path.name}", path


def toml(path: Path, name: str) -> dict[str, Any]:
    """Any TOML file as a mapping; ``name`` is for messages. Raises DataError."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(name, [Problem("", "is not text in UTF-8.")]) from None
    except (OSError, ValueError) as error:
        raise DataError(name, [Problem("", f"cannot be read: {reason(error)}.")]) from None
    return parse(text, name)


def parse(text: str, name: str) -> dict[str, Any]:
    """TOML text as a mapping; raises DataError with line and column."""
    import tomllib  # noqa: PLC0415  (home counts files before it is painted, and parses none)

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(name, [Problem("", f"is not valid TOML: {error}.")]) from None
    except RecursionError:
        raise DataError(name, [Problem("", "is nested too deep.")]) from None
    except ValueError:  # Python rejects numbers with thousands of digits
        raise DataError(name, [Problem("", "holds a number or date that is too long.")]) from None


@cache
def revision(game: str = "plastic") -> str:
    """A short name for the current numbers of ``game``, by its folder in data/."""
    import hashlib  # noqa: PLC0415  (as above)

    digest = hashlib.sha256()
    no_battle_depends_on = (TEMPLATES, TEXTS, CAMPAIGNS, *DEALING)
    for path in sorted((folder() / game).rglob("*.toml")):
        if path.parent.name in no_battle_depends_on or path.name == COMMANDER:
            continue
        # A checkout on Windows may have other line ends, which change no number.
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(path.name.encode() + b"\0" + content)
    return digest.hexdigest()[:8]
