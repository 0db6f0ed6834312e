"""The only module that opens data/. It returns mappings, from which the games are made. The folder
is beside the package in a checkout and inside it in a wheel. No other place is tried, and only a
folder with the flagship's units counts: an editable install may leave an old copy elsewhere, which
must never be read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from skirmish.tabletop.data_file import DataError, Problem
from skirmish.tabletop.typed import reason

NO_BATTLE_DEPENDS_ON = ("armies", "texts", "dealing", "themes", "campaigns")
"""Names of folders in data/ that change no battle: ready armies, texts to read, what battles are
dealt from (``dealing`` and its ``themes``), and campaigns. A battle keeps the scenario that it
began with."""
COMMANDER = "commander.toml"
"""The weights of the solo commander. No battle depends on them either, since the orders that he has
given are in the journal."""

LOADING = RLock()
"""Held while data is converted to typed values. msgspec analyses a class when it is first used, and
crashes the whole program if another thread uses the class before that is complete."""


@cache
def folder() -> Path:
    """The path of data/; raises DataError if it is missing from the installation."""
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


class NamedTable(NamedTuple):
    """The content of a TOML file, with the name of the file in messages."""

    name: str
    content: dict[str, Any]


def tables(folder_name: str) -> Iterator[NamedTable]:
    """The TOML files of a folder (``plastic/scenarios``); raises DataError."""
    for name, path in _files(folder_name):
        yield NamedTable(name, toml(path, name))


class TablesRead(NamedTuple):
    """The TOML files of a folder: those that could be read, and what is wrong with the others."""

    sound: list[NamedTable]
    broken: list[DataError]


def sound_tables(folder_name: str) -> TablesRead:
    """The TOML files of a folder (``plastic/scenarios``); a broken one stops no other."""
    sound: list[NamedTable] = []
    broken: list[DataError] = []
    for name, path in _files(folder_name):
        try:
            sound.append(NamedTable(name, toml(path, name)))
        except DataError as error:
            broken.append(error)
    return TablesRead(sound, broken)


def count(folder_name: str) -> int:
    """How many TOML files a folder (``plastic/scenarios``) has, without reading any of them."""
    return len(list(_files(folder_name)))


class NamedPath(NamedTuple):
    """The path of a TOML file, with the name of the file in messages."""

    name: str
    path: Path


def _files(folder_name: str) -> Iterator[NamedPath]:
    """The TOML files of a folder in the order of their names."""
    for path in sorted((folder() / folder_name).glob("*.toml")):
        yield NamedPath(f"{folder_name}/{path.name}", path)


def toml(path: Path, name: str) -> dict[str, Any]:
    """Any TOML file as a mapping; ``name`` is for messages. Raises DataError."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(name, [Problem("", "is not text in UTF-8.")]) from None
    except (OSError, ValueError) as error:  # a null character in a path is a ValueError
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
    """A short name for the present numbers of ``game`` (its folder in data/): it changes with any
    number on which a battle depends."""
    import hashlib  # noqa: PLC0415  (the first paint needs no revision)

    digest = hashlib.sha256()
    for path in sorted((folder() / game).rglob("*.toml")):
        if path.parent.name in NO_BATTLE_DEPENDS_ON or path.name == COMMANDER:
            continue
        # A checkout on Windows may have different line endings, which change no number.
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(path.name.encode() + b"\0" + content)
    return digest.hexdigest()[:8]
