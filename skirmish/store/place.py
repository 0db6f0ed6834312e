"""Where the database is: a path, an SQLite URL, SKIRMISH_DATABASE, or the user's data folder."""

import os
import re
from pathlib import Path
from urllib.parse import quote

import platformdirs
from msgspec import Struct

from skirmish.store.errors import StoreError, quoted
from skirmish.tabletop.typed import plain

ENVIRONMENT = "SKIRMISH_DATABASE"
"""The environment variable that names another place."""
FILE = "skirmish.db"
"""The name of the file in the user's data folder."""
MEMORY = "memory (gone when the program ends)"
"""What sentences call a database without a file."""
MEMORY_NAME = ":memory:"
"""What SQLite calls a database without a file."""

# A URL, such as sqlite:///games/skirmish.db: its scheme, and what follows the two slashes.
_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+)://(?P<rest>.*)", re.DOTALL)
_SQLITE_SCHEMES = {"sqlite", "sqlite+pysqlite"}
_WHAT_TO_GIVE = "give a path such as ~/skirmish.db, or sqlite:///skirmish.db"


class Place(Struct, frozen=True):
    """Where a database is or will be."""

    path: Path | None
    """The absolute path of the file; None for a database in memory."""

    @property
    def location(self) -> str:
        """The place in words, safe to show."""
        if self.path is None:
            return MEMORY
        return plain(str(self.path))


def find(where: str | None = None) -> Place:
    """The place that `where` names, else the one that SKIRMISH_DATABASE names, else the file in the
    user's data folder.

    A blank text counts as none. The disk is not accessed. Raises StoreError for what cannot be an
    SQLite file.
    """
    if where is not None and where.strip():
        return _place_named(where, "The database")
    named = os.environ.get(ENVIRONMENT, "")
    if named.strip():
        return _place_named(named, ENVIRONMENT)
    default = platformdirs.user_data_path("skirmish", appauthor=False) / FILE
    # `platformdirs` leaves the ~ where it cannot find out the home folder.
    if str(default).startswith("~"):
        raise StoreError(
            f"Your home folder is unknown; set {ENVIRONMENT} to a file, with its whole path."
        )
    return Place(default)


def _place_named(text: str, source: str) -> Place:
    """The place that a path or an SQLite URL names; ``source`` is what named it, in words. Raises
    StoreError."""
    url = _URL.fullmatch(text)
    if url is None:
        path = text
        wrong = _wrong_with_path(text)
    else:
        _check_scheme(url["scheme"].lower(), source)
        # In sqlite:///path, the third slash ends the name of a machine, which is empty.
        path = url["rest"].removeprefix("/")
        wrong = _wrong_with_url(url["rest"])
    # An empty path, as in sqlite:// and sqlite:///, stands for a database in memory.
    if not wrong and path in ("", MEMORY_NAME):
        return Place(None)
    if not wrong:
        wrong = _wrong_with_name(text)
    if not wrong:
        try:
            return Place(Path(path).expanduser().absolute())
        except RuntimeError:
            wrong = "but the home folder it begins with is unknown; write the whole path"
    raise StoreError(f"{source} is {quoted(text)}, {wrong}.")


def _check_scheme(scheme: str, source: str) -> None:
    """Raises StoreError for a URL of another kind. It may contain a password, so it is not
    quoted."""
    if scheme not in _SQLITE_SCHEMES:
        raise StoreError(
            f"{source} is an address of the kind {scheme}://, "
            f"but Skirmish keeps its data in an SQLite file; {_WHAT_TO_GIVE}."
        )


def _wrong_with_path(text: str) -> str:
    """The end of a sentence on what is wrong with a text that is no URL; empty if nothing is."""
    if re.match(r"(sqlite(\+\w+)?|file):", text, re.IGNORECASE):
        return f"which lacks slashes or is not a path; {_WHAT_TO_GIVE}"
    return ""


def _wrong_with_url(rest: str) -> str:
    """The end of a sentence on what is wrong with an SQLite URL; empty if nothing is. ``rest`` is
    what follows its two slashes."""
    if rest and not rest.startswith("/"):
        return (
            "where two slashes mean another machine; a file takes three, as in "
            "sqlite:///skirmish.db, and four from the root of the disk"
        )
    if "?" in rest:
        return (
            "but an SQLite URL takes no options here; "
            "remove the question mark and everything after it"
        )
    return ""


def _wrong_with_name(text: str) -> str:
    """The end of a sentence on what is wrong with the file's name at the end of this path or URL;
    empty if nothing is."""
    if "\0" in text:
        return f"which cannot be the name of a file; {_WHAT_TO_GIVE}"
    if text.endswith(("/", os.sep)):
        return f"a folder; choose a file in it, such as {FILE}"
    return ""


def read_only_uri(path: Path) -> str:
    """The URI, which SQLite opens, for a connection that cannot create or change the file."""
    return f"{_uri(path)}?mode=ro"


def bare_uri(path: Path) -> str:
    """The URI for a connection that reads the file alone: no log is read, no lock taken, nothing
    repaired."""
    return f"{read_only_uri(path)}&immutable=1"


def repairing_uri(path: Path) -> str:
    """The URI for a connection that may roll back what was left half written; it cannot create the
    file."""
    return f"{_uri(path)}?mode=rw"


def _uri(path: Path) -> str:
    """The URI of a file, without options."""
    posix = path.as_posix()
    if not posix.startswith("/"):
        posix = f"/{posix}"  # C:/games -> /C:/games
    return f"file://{quote(os.fsencode(posix))}"
