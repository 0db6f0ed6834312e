"""The player's own scenarios: a folder of files, each with its earlier versions.

A file is called ``101_own_my_bridge.toml``, after the number and the id of its scenario. Earlier
versions of it are in ``.versions/101_own_my_bridge/``, numbered from 1. To this module the files
are only texts; the rules read them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import platformdirs

from skirmish.store.files import write_whole
from skirmish.store.settings import Settings
from skirmish.tabletop.data_file import DataError, Problem
from skirmish.tabletop.typed import reason

ENVIRONMENT = "SKIRMISH_SCENARIOS"
"""The environment variable that names another folder."""
FOLDER = "scenarios"
"""The folder of the scenarios, inside that of the user's data."""
VERSIONS = ".versions"
"""The folder with the earlier versions, inside that of the scenarios."""
MOST_VERSIONS = 20
"""The most earlier versions of a file; if there are more, the oldest are deleted."""
FIRST_NUMBER = 101
"""The number of the first own scenario. Lower numbers are those of the scenarios that ship with
the program."""
LARGEST_FILE = 64 * 1024
"""The most bytes of a file; the longest of the scenarios that ship has 12,000."""
_NAME = re.compile(r"(?P<number>[0-9]{3,4})_[a-z][a-z0-9_]*")
"""The name of a file without its ending."""

T = TypeVar("T")


class FileStamp(NamedTuple):
    """A file as it was when it was last looked at. Equal stamps mean an unchanged file."""

    name: str
    """Its name without the ending."""
    changed: int
    """When it was last written, in nanoseconds since 1970."""
    size: int
    """In bytes."""


def folder_of(settings: Settings) -> Path:
    """Where the player's scenarios are: SKIRMISH_SCENARIOS, else his setting, else the user's data
    folder."""
    named = os.environ.get(ENVIRONMENT, "").strip() or settings.scenarios.strip()
    if not named:
        return platformdirs.user_data_path("skirmish", appauthor=False) / FOLDER
    try:
        return Path(named).expanduser().absolute()
    except RuntimeError:  # an unknown home folder; reading and writing report it
        return Path(named)


class ScenarioFolder:
    """The files in the folder ``path``, which need not exist yet. All methods raise DataError, a
    sentence with the file, where the disk refuses."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def stamps(self) -> tuple[FileStamp, ...]:
        """A stamp of each file, in the order of their names. A folder that does not exist has no
        files."""
        stamps = []
        for path in self._paths_in(self.path, "*.toml"):
            status = self._on_disk(path, path.stat)
            stamps.append(FileStamp(path.stem, status.st_mtime_ns, status.st_size))
        return tuple(stamps)

    def path_of(self, name: str) -> Path:
        """The path of the file with that name."""
        return self.path / f"{name}.toml"

    def text(self, name: str) -> str:
        """The text of a file."""
        return self._text_at(self.path_of(name))

    def _text_at(self, path: Path) -> str:
        """The text of a file that is not larger than a scenario can be."""
        if self._on_disk(path, path.stat).st_size > LARGEST_FILE:
            raise _unusable(
                path, f"is larger than {LARGEST_FILE} bytes; no scenario is that large."
            )
        try:
            return self._on_disk(path, path.read_bytes).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise _unusable(path, "is not text in UTF-8.") from None

    def next_number(self) -> int:
        """The number of the next scenario: greater than those of all that exist or were deleted."""
        next_number = FIRST_NUMBER
        # A deleted scenario still has its folder of earlier versions.
        files = self._paths_in(self.path, "*.toml")
        folders = self._paths_in(self._versions_folder, "*")
        for path in (*files, *folders):
            match = _NAME.fullmatch(path.name.removesuffix(".toml"))
            if match:
                next_number = max(next_number, int(match["number"]) + 1)
        return next_number

    def write(self, name: str, text: str, *, add_version: bool = True) -> None:
        """Write a file. ``add_version``: whether its text until now becomes its newest earlier
        version. An editor that stores every change asks for that at the first change only."""
        path = self.path_of(name)
        data = text.encode()
        if len(data) > LARGEST_FILE:
            raise _unusable(path, f"would be larger than {LARGEST_FILE} bytes; shorten the texts.")
        if add_version and path.exists():
            self._add_version(name, self._on_disk(path, path.read_bytes))
        self._write_whole(path, data)

    def delete(self, name: str) -> None:
        """Remove a file. Its text stays as its newest earlier version."""
        path = self.path_of(name)
        self._add_version(name, self._on_disk(path, path.read_bytes))
        self._on_disk(path, path.unlink)

    def deleted(self) -> list[str]:
        """The names of the files that were deleted, and can be brought back."""
        names = []
        for folder in self._paths_in(self._versions_folder, "*"):
            if not self.path_of(folder.name).exists() and self.versions(folder.name):
                names.append(folder.name)
        return names

    def versions(self, name: str) -> list[int]:
        """The numbers of the earlier versions of a file, the oldest first."""
        paths = self._paths_in(self._versions_folder / name, "*.toml")
        return sorted(int(path.stem) for path in paths if path.stem.isdecimal())

    def version(self, name: str, number: int) -> str:
        """The text of an earlier version."""
        return self._text_at(self._version_file(name, number))

    # ------------------------------------------------------------------ earlier versions

    @property
    def _versions_folder(self) -> Path:
        """The folder that has a folder of earlier versions for each file."""
        return self.path / VERSIONS

    def _version_file(self, name: str, number: int) -> Path:
        # Each has six digits, so that the order of the names is that of the numbers.
        return self._versions_folder / name / f"{number:06}.toml"

    def _add_version(self, name: str, data: bytes) -> None:
        """Store a text as the newest earlier version, unless it is that already. If there are too
        many versions then, the oldest are deleted."""
        numbers = self.versions(name)
        newest = 0  # none yet: they are numbered from 1
        if numbers:
            newest = numbers[-1]
            newest_file = self._version_file(name, newest)
            if self._on_disk(newest_file, newest_file.read_bytes) == data:
                return
        path = self._version_file(name, newest + 1)
        self._write_whole(path, data)
        count = len(numbers) + 1  # with the one that was written now
        excess = max(count - MOST_VERSIONS, 0)
        oldest = numbers[:excess]
        for number in oldest:
            old = self._version_file(name, number)
            self._on_disk(old, old.unlink)

    # ------------------------------------------------------------------ the disk

    def _paths_in(self, folder: Path, pattern: str) -> list[Path]:
        """The paths in a folder that fit a pattern and are not hidden, in the order of their names;
        none if there is no such folder."""
        if not self._on_disk(folder, folder.is_dir):
            return []
        paths = self._on_disk(folder, lambda: sorted(folder.glob(pattern)))
        return [path for path in paths if not path.name.startswith(".")]

    def _write_whole(self, path: Path, data: bytes) -> None:
        """Write a file, in a folder that may not exist yet."""

        def make_folder_and_write() -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data, overwrite=True)

        self._on_disk(path, make_folder_and_write)

    def _on_disk(self, path: Path, work: Callable[[], T]) -> T:
        """The result of ``work``, which uses the file or folder at ``path``. Raises DataError where
        the disk refuses."""
        try:
            return work()
        except (OSError, ValueError) as error:  # the latter: no file can have this path
            raise _unusable(path, f"cannot be used: {reason(error)}.") from None


def _unusable(path: Path, message: str) -> DataError:
    """The error for a file of the folder; the ``message`` continues a sentence that begins with its
    name."""
    return DataError(str(path), [Problem("", message)])
