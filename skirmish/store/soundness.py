"""Whether a file is a whole database of this program, and all that is kept in it, for looking over.

Needs no ORM and changes nothing. What the bodies and journals mean only the games know.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from skirmish.store import schema
from skirmish.store.errors import StoreError, quoted
from skirmish.store.moments import UNKNOWN, minute
from skirmish.store.opening import HEADER, open_to_read
from skirmish.store.place import Place
from skirmish.store.records import ArmyRecord, BattleRecord, entry_of, listed, odd_cells
from skirmish.store.trouble import translated
from skirmish.tabletop.exported import EntryRecord

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
R = TypeVar("R", ArmyRecord, BattleRecord)

_BATTLE = "id, game, title, headline, over, started, updated"
_ENTRY = 'number, kind, "order", events, at'


class Examined(Struct, frozen=True):
    """What `examine` found: every fault as the end of a sentence about the file, none if sound."""

    faults: tuple[str, ...]
    revision: str | None = None
    battles: int = 0  # of every game; removed ones are not counted
    armies: int = 0
    of_game: dict[str, int] = {}  # how many of the battles are of which game

    @property
    def newer(self) -> bool:
        """Whether a later program wrote it, so that this one cannot read it."""
        return self.revision is not None and not schema.is_known(self.revision)


class Kept:
    """A look at everything kept, removed or not, as it stood when the look began."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def armies(self) -> list[tuple[ArmyRecord, list[str]]]:
        """All armies, by number, each with the columns whose cells are damaged."""
        return self._with_faults(ArmyRecord, "SELECT id, game, name, body, updated FROM army")

    def battles(self) -> list[tuple[BattleRecord, list[str]]]:
        """All battles, by number, each with the columns whose cells are damaged."""
        return self._with_faults(BattleRecord, f"SELECT {_BATTLE} FROM battle")

    def odd_figures(self) -> int:
        """How many lines about owned figures are damaged."""
        wrong = "typeof(game) <> 'text' OR typeof(piece) <> 'text' OR typeof(count) <> 'integer'"
        found: int = self._file.execute(f"SELECT count(*) FROM owned WHERE {wrong}").fetchone()[0]
        return found

    def _with_faults(self, kind: type[R], query: str) -> list[tuple[R, list[str]]]:
        rows = self._file.execute(f"{query} ORDER BY id").fetchall()
        return [(listed(kind, row), odd_cells(kind, row) + _odd_dates(kind, row)) for row in rows]

    def entries(self, battle_id: int) -> list[EntryRecord]:
        """A battle's journal in order. Raises Unreadable."""
        query = f"SELECT {_ENTRY} FROM entry WHERE battle_id = ? ORDER BY number"
        return [entry_of(row, battle_id) for row in self._file.execute(query, (battle_id,))]


@contextmanager
def looking(path: Path) -> Iterator[Kept]:
    """A look at a file of `schema.REVISION` that is there and sound; writers go on meanwhile.

    Raises StoreError where the file cannot be read after all.
    """
    try:
        with closing(open_to_read(path)) as file:
            file.execute("BEGIN")
            yield Kept(file)
    except sqlite3.Error as error:
        raise translated(error, Place(path).location) from error


def _odd_dates(kind: type[Struct], row: Sequence[object]) -> list[str]:
    cells = dict(zip(kind.__annotations__, row, strict=True))
    dates = [name for name in ("started", "updated") if isinstance(cells.get(name), str)]
    return [name for name in dates if minute(str(cells[name])) == UNKNOWN]


def examine(path: Path) -> Examined:
    """Look the whole file over: SQLite's own check, whose it is, its revision, lost references.

    Raises StoreError where it cannot be looked at: it is missing, no ordinary file, may not be
    read, or is locked.
    """
    shown = Place(path).location
    try:
        if not path.is_file():
            there = path.exists()
            raise StoreError(
                f"{shown} is not a regular file." if there else f"There is no file {shown}."
            )
        with path.open("rb") as stream:
            begins = stream.read(len(HEADER))
    except OSError as error:
        raise StoreError(f"{shown} cannot be read ({error.strerror}).") from None
    if begins != HEADER:
        return Examined(("it does not begin like an SQLite file",))
    try:
        with closing(open_to_read(path)) as file:
            file.execute("BEGIN")
            return _examined(file)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
            raise translated(error, shown) from error
        return Examined((f"it cannot be read to its end ({error})",))


def _examined(file: sqlite3.Connection) -> Examined:
    (owner,) = file.execute("PRAGMA application_id").fetchone()
    if owner != schema.APPLICATION_ID:
        return Examined(("it is not a database of Skirmish",))
    told = [" ".join(str(line).split()) for (line,) in file.execute("PRAGMA integrity_check")]
    if told != ["ok"]:
        return Examined(tuple(f"it is damaged: {line}" for line in told))
    faults = [
        f"row {row} of the table {table} belongs to a {parent} that does not exist"
        for table, row, parent, _ in file.execute("PRAGMA foreign_key_check")
    ]
    revisions = file.execute("SELECT version_num FROM alembic_version").fetchall()
    if len(revisions) != 1:
        return Examined((*faults, "it does not record which version wrote it"))
    (armies,) = file.execute("SELECT count(*) FROM army WHERE removed IS NULL").fetchone()
    counts = "SELECT game, count(*) FROM battle WHERE removed IS NULL GROUP BY game"
    of_game = dict(file.execute(counts).fetchall())
    return Examined(
        tuple(faults), str(revisions[0][0]), sum(of_game.values()), armies, of_game=of_game
    )


def newer(revision: str) -> str:
    """What is to be said of a file that a later program wrote."""
    return (
        f"it was written by a newer Skirmish (its revision is {quoted(revision)}, "
        f"this program knows up to “{schema.REVISION}”)"
    )
