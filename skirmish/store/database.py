"""The store: what can be read from the database and changed in it. It hands out records, never rows
of a table.

Each method is one transaction. When it returns, the change is on the disk and survives a kill or a
power cut; when it raises, nothing has changed. A `Store` belongs to the thread that opened it.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypeVar

from msgspec import Struct, json, structs
from sqlalchemy import (
    Connection,
    Engine,
    StaticPool,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import Session, col

from skirmish.store import opening
from skirmish.store.custody import Custody
from skirmish.store.errors import Outrun, StoreError, Unreadable, explained
from skirmish.store.files import remove_stale_parts
from skirmish.store.names import NumberedName, pick
from skirmish.store.opening import PATIENCE, connect, inspect
from skirmish.store.place import Place, find
from skirmish.store.records import (
    ARMIES,
    BATTLES,
    JOURNAL,
    ArmyRecord,
    BattleRecord,
    check_length,
    entry_of,
    record_from,
)
from skirmish.store.tables import ArmyRow, BattleRow, EntryRow, OwnedRow, StoreRow, create_tables
from skirmish.tabletop.data_file import UNREADABLE
from skirmish.tabletop.journal_codec import EntryRecord, RecordError
from skirmish.tabletop.scores import FinishedGame

if TYPE_CHECKING:
    from skirmish.tabletop.game import Game

Row = TypeVar("Row", ArmyRow, BattleRow)
Record = TypeVar("Record", ArmyRecord, BattleRecord)
Removable: TypeAlias = Literal["army", "battle"]
"""The tables whose rows can be removed from the lists and brought back."""

MOST_TYPED = 500
"""The keys or lines of a half-typed command at most; a longer one is not remembered."""
_BEGIN_OPTION = "skirmish_begin"
"""The name of an engine's option: the SQL statement with which its transactions begin."""
_LARGEST_ID = 2**63 - 1
"""The largest integer that SQLite stores."""
_NO_LIMIT = -1
"""What SQLite takes for no limit in a ``LIMIT`` clause."""

# Each shot of a battle waits for these three, so they bypass the ORM's bookkeeping.
_LAST_NUMBER = select(func.max(EntryRow.number)).where(
    col(EntryRow.battle_id) == bindparam("of_battle")
)
_ADD_ENTRY = insert(StoreRow.metadata.tables["entry"])
_SET_STATUS = (
    update(StoreRow.metadata.tables["battle"])
    .where(col(BattleRow.id) == bindparam("of_battle"))
    .values({name: bindparam(name) for name in ("headline", "over", "updated")})
)

# The battle stored last whose first entry, its opening, contains a mark. A campaign leaves its mark
# in each battle that it opens.
_LAST_OPENED_WITH = """
    SELECT battle.id FROM battle JOIN entry ON entry.battle_id = battle.id AND entry.number = 1
    WHERE battle.removed IS NULL AND battle.game = ? AND instr(entry.events, ?) > 0
    ORDER BY battle.id DESC LIMIT 1
"""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Store:
    """An open database. Make one with `Store.open`."""

    def __init__(
        self, file: sqlite3.Connection, engine: Engine, place: Place, now: Callable[[], datetime]
    ) -> None:
        self._file = file
        """The connection to the file, which the engine uses, too."""
        self._engine = engine
        # The same connection; but a transaction that only reads never waits for a writer.
        self._reading_engine = engine.execution_options(**{_BEGIN_OPTION: "BEGIN"})
        self._place = place
        self._now = now
        self._custody = Custody(place)
        self._is_open = True

    @classmethod
    def open(
        cls,
        where: str | None = None,
        *,
        now: Callable[[], datetime] = _utc_now,
        patience: float = PATIENCE,
    ) -> Self:
        """Open the database at `where`, created or migrated where needed.

        `where` is a path or an SQLite URL; without it SKIRMISH_DATABASE counts, then the user's
        data folder. `patience` is the wait in seconds for another program's write. Raises
        StoreError and leaves the file alone when the place or the file is unfit.
        """
        place = find(where)
        if place.path is not None:
            remove_stale_parts(place.path)
        revision = inspect(place)
        if revision is not None and not opening.is_known(revision):
            raise StoreError(
                f"The database {place.location} {opening.newer_words(revision)} "
                "and was not changed; update Skirmish, or set SKIRMISH_DATABASE to another file."
            )
        file = connect(place, patience)
        try:
            engine = engine_over(file)
            with _explaining_failures(place):
                if revision is None:
                    revision = create_tables(engine)
                if revision != opening.REVISION:
                    from skirmish.store import migrating  # noqa: PLC0415 (Alembic loads slowly)

                    migrating.migrate(file, engine, place)
        except BaseException:
            file.close()
            raise
        return cls(file, engine, place, now)

    @property
    def location(self) -> str:
        """Where the database is, in words: its path, or that it is in memory."""
        return self._place.location

    def close(self) -> None:
        """Close the file; may be called twice. Later calls of other methods are refused."""
        if self._is_open:
            self._is_open = False
            self._engine.dispose()
            self._file.close()  # an engine that was never used does not close it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Armies

    def armies(self) -> list[ArmyRecord]:
        """Every army that is not removed, the newest change first."""
        return self._records_of(ArmyRecord, ARMIES, _NO_LIMIT)

    def army(self, ref: int | str) -> ArmyRecord:
        """One army by its id (an int) or by its name as typed (a string, see `names.pick`).

        Raises StoreError, with similar names, where none fits, where several fit and where it was
        removed.
        """
        if isinstance(ref, str):
            ref = pick(ref, [NumberedName(army.id, army.name) for army in self.armies()])
        with self._session() as session:
            return _record(ArmyRecord, _unremoved_row(session, ArmyRow, ref))

    def add_army(self, game: str, name: str, body: str) -> ArmyRecord:
        """Store a new army."""
        with self._session(write=True) as session:
            row = ArmyRow(game=game, name=name, body=body, updated=self._time())
            return _write_row(session, ArmyRecord, row)

    def save_army(self, army_id: int, name: str, body: str) -> ArmyRecord:
        """Update an army, even a removed one. Raises StoreError where there is none."""
        with self._session(write=True) as session:
            row = _row(session, ArmyRow, army_id)
            row.name = name
            row.body = body
            row.updated = self._time()
            return _write_row(session, ArmyRecord, row)

    def remove(self, table: Removable, row_id: int) -> None:
        """Take an army or a battle off the list."""
        self._set_removed(table, row_id, self._time())

    def bring_back(self, table: Removable, row_id: int) -> None:
        """Put a removed army or battle on the list again."""
        self._set_removed(table, row_id, None)

    def _set_removed(self, table: Removable, row_id: int, removed: str | None) -> None:
        """Mark a row as removed at a time, in UTC and ISO form; None: as not removed."""
        with self._session(write=True) as session:
            row: ArmyRow | BattleRow
            if table == "army":
                row = _row(session, ArmyRow, row_id)
            else:
                row = _row(session, BattleRow, row_id)
            row.removed = removed

    # The collection

    def owned(self, game: str) -> dict[str, int]:
        """How many of each piece of a game, by its id, the player owns; pieces of which he owns
        none are left out."""
        with self._session() as session:
            all_owned = select(col(OwnedRow.piece), col(OwnedRow.count))
            query = all_owned.where(col(OwnedRow.game) == game)
            owned = {}
            for piece, count in session.execute(query):
                # A damaged row is left out; `skirmish db check` reports it.
                if isinstance(piece, str) and isinstance(count, int):
                    owned[piece] = count
            return owned

    def set_owned(self, game: str, changed: Mapping[str, int]) -> None:
        """Store the counts that have changed, by the pieces' ids; those of other pieces stay."""
        rows = []
        for piece, count in changed.items():
            if count:  # a piece of which there is none has no row
                rows.append({"game": game, "piece": piece, "count": count})
        with self._session(write=True) as session:
            is_changed = col(OwnedRow.piece).in_(list(changed))
            session.execute(delete(OwnedRow).where(col(OwnedRow.game) == game, is_changed))
            if rows:
                session.execute(insert(OwnedRow), rows)

    # Battles

    def battles(self, limit: int | None = None) -> list[BattleRecord]:
        """The battles that are not removed, the newest change first, at most `limit` of them."""
        if limit is None:
            limit = _NO_LIMIT
        return self._records_of(BattleRecord, BATTLES, limit)

    def battle(self, battle_id: int) -> BattleRecord:
        """One battle. Raises StoreError where there is none, or it was removed."""
        with self._session() as session:
            return _record(BattleRecord, _unremoved_row(session, BattleRow, battle_id))

    def add_battle(
        self,
        game: str,
        title: str,
        headline: str,
        entries: Sequence[EntryRecord],
        *,
        over: bool = False,
        started: str = "",
        mark: str = "",
    ) -> BattleRecord:
        """Store a battle with its whole journal, or nothing.

        `started` is UTC in ISO form. A battle or an entry without a time gets the present one. If a
        battle with this `mark` in its opening is stored already, nothing is stored, and that one is
        returned: two programs that open the battle of one campaign at once must open only one.
        """
        now = self._time()
        with self._session(write=True) as session:
            if mark:
                stored_id = _last_opened_with(session, game, mark)
                if stored_id is not None:
                    return _record(BattleRecord, _row(session, BattleRow, stored_id))
            row = BattleRow(
                game=game,
                title=title,
                headline=headline,
                over=over,
                started=started or now,
                updated=now,
            )
            battle = _write_row(session, BattleRecord, row)
            for number, entry in enumerate(entries, 1):
                check_length(entry.events)
                numbered_entry = structs.replace(entry, number=number, at=entry.at or now)
                _add_entry(session, battle.id, numbered_entry)
            return battle

    def append(
        self, battle_id: int, entry: EntryRecord, *, headline: str, over: bool
    ) -> EntryRecord:
        """Write the journal's next entry and the battle's new status: both, or neither.

        Returns the entry with the time at which it was written. Raises Outrun where another program
        has already written an entry with its number, and StoreError where it would leave a gap or
        there is no such battle. A removed battle can still be continued and stays removed.
        """
        check_length(entry.events)
        number = entry.number
        with self._session(write=True) as session:
            last = _last_number(session, battle_id)
            if number <= last:
                raise Outrun(
                    f"Another program has already written entry {number} of battle {battle_id} "
                    f"(its last entry is {last}); load the battle again to continue from there."
                )
            if number != last + 1:
                raise StoreError(
                    f"Entry {number} cannot be added to battle {battle_id}, "
                    f"whose last entry is {last}; the next is {last + 1}."
                )
            now = self._time()
            entry = structs.replace(entry, at=now)
            _add_entry(session, battle_id, entry)
            status = {"of_battle": battle_id, "headline": headline, "over": over, "updated": now}
            session.connection().execute(_SET_STATUS, status)
            return entry

    @property
    def data_version(self) -> int:
        """A number that changes when another program, or another connection of this one, has
        written to the database. Raises StoreError."""
        try:
            return int(self._file.execute("PRAGMA data_version").fetchone()[0])
        except sqlite3.Error as error:
            raise StoreError(f"The database {self.location} cannot be read ({error}).") from error

    def entries(self, battle_id: int, after: int = 0) -> list[EntryRecord]:
        """The journal after entry `after`, even of a removed battle. Raises StoreError."""
        with self._session() as session:
            parameters = (_storable_id(battle_id), after + 1)
            rows = session.connection().exec_driver_sql(JOURNAL, parameters)
            entries = [entry_of(row, battle_id) for row in rows]
            if not entries:
                _row(session, BattleRow, battle_id)  # raises where there is no such battle
            return entries

    def last_opened_with(self, game: str, mark: str) -> int | None:
        """The id of the battle of a game that was stored last among those whose opening contains
        this ``mark``; None if there is none. Raises StoreError."""
        with self._session() as session:
            return _last_opened_with(session, game, mark)

    def finished(
        self,
        game: "Game[Any, Any, Any]",
        preferred: int | None = None,
        when_unreadable: Callable[[int], None] | None = None,
    ) -> Iterator[FinishedGame]:
        """The finished battles of a game. Of copies with the same journal only one is returned: the
        one with the id ``preferred``, else the one stored first. A battle that cannot be read is
        left out, and ``when_unreadable`` is called with its id. Raises StoreError."""
        journals: set[tuple[str, ...]] = set()
        for battle_id in self._finished_ids(game.id, preferred):
            try:
                entries = self.entries(battle_id)
                journal = tuple(entry.events for entry in entries)
                is_copy = journal in journals
                if is_copy:
                    continue
                journals.add(journal)
                play = game.codec.replay(entries)
            except (Unreadable, RecordError):
                if when_unreadable is not None:
                    when_unreadable(battle_id)
                continue
            yield FinishedGame(battle_id, entries[-1].at, play.state)

    def _finished_ids(self, game_id: str, preferred: int | None) -> list[int]:
        """The ids of the finished battles of a game: the ``preferred`` one, so that it is the first
        of its copies, then the others in the order in which they were stored."""
        battle_ids = sorted(
            battle.id for battle in self.battles() if battle.game == game_id and battle.over
        )
        if preferred in battle_ids:
            battle_ids.remove(preferred)
            battle_ids.insert(0, preferred)
        return battle_ids

    # Half-typed commands. They are an extra, in a file beside the database for each game: where
    # such a file cannot be written or read, nothing is remembered and no error is raised.

    def typed(self, battle_id: int, journal_length: int) -> list[str]:
        """What was typed for the next order of a game whose journal has this length; nothing if the
        journal had another length then."""
        path = self._typed_file(battle_id)
        if path is None:
            return []
        with suppress(OSError, *UNREADABLE):
            half_typed = json.decode(path.read_bytes(), type=HalfTyped)
            if half_typed.entries == journal_length:
                return half_typed.typed
        return []

    def set_typed(self, battle_id: int, journal_length: int, typed: Sequence[str]) -> None:
        """Store what was typed while the journal of a game has this length. Where that is nothing,
        or more than ``MOST_TYPED``, what was stored before is removed."""
        path = self._typed_file(battle_id)
        if path is None:
            return
        with suppress(OSError, UnicodeEncodeError):
            if not 0 < len(typed) <= MOST_TYPED:
                path.unlink(missing_ok=True)
                return
            part = path.with_name(f"{path.name}.part")
            part.write_bytes(json.encode(HalfTyped(journal_length, list(typed))))
            os.replace(part, path)

    def _typed_file(self, battle_id: int) -> Path | None:
        """The hidden file for what was typed in a game; None for a database in memory."""
        path = self._place.path
        if path is None:
            return None
        return path.with_name(f".{path.name}.{battle_id}.typed")

    # Transactions

    def _records_of(self, kind: type[Record], query: str, limit: int) -> list[Record]:
        """The records of a query for lists, at most so many."""
        with self._session() as session:
            rows = session.connection().exec_driver_sql(query, (limit,))
            return [record_from(kind, row) for row in rows]

    @contextmanager
    def _session(self, *, write: bool = False) -> Iterator[Session]:
        """A transaction, to read or also to write. Raises StoreError where the file was replaced or
        cannot be used."""
        if not self._is_open:
            raise StoreError(f"The database {self.location} is closed; open it again.")
        self._custody.check()
        engine: Engine = self._reading_engine
        if write:
            engine = self._engine
        with _explaining_failures(self._place), Session(engine) as session, session.begin():
            yield session
        # What went into a file that was replaced meanwhile is lost, so this must not end like a
        # change that was stored.
        if write:
            self._custody.check()

    def _time(self) -> str:
        """The present time as it is stored."""
        return self._now().astimezone(UTC).isoformat(timespec="microseconds")


def _add_entry(session: Session, battle_id: int, entry: EntryRecord) -> None:
    """Write an entry of a journal, as it is, to the table."""
    values = {"battle_id": battle_id, **structs.asdict(entry)}
    session.connection().execute(_ADD_ENTRY, values)


def _last_number(session: Session, battle_id: int) -> int:
    """The number of the last entry of a battle; 0 if it has none. Raises StoreError."""
    last: object = (
        session.connection()
        .execute(_LAST_NUMBER, {"of_battle": _storable_id(battle_id)})
        .scalar_one()
    )
    if last is None:
        _row(session, BattleRow, battle_id)  # raises where there is no such battle
        return 0
    if not isinstance(last, int):
        raise Unreadable(f"Battle {battle_id} cannot go on: the number of an entry is damaged.")
    return last


def _last_opened_with(session: Session, game: str, mark: str) -> int | None:
    """See `Store.last_opened_with`."""
    row = session.connection().exec_driver_sql(_LAST_OPENED_WITH, (game, mark)).first()
    if row is None:
        return None
    return int(row[0])


def _storable_id(row_id: int) -> int:
    """The id, or 0, which no row has, for a number that no id can be: given a larger one than fits,
    Python's SQLite module would raise an error of its own."""
    if 0 < row_id <= _LARGEST_ID:
        return row_id
    return 0


def _row(session: Session, kind: type[Row], row_id: int) -> Row:
    """The row with an id, removed or not. Raises StoreError where there is none."""
    row = None
    if _storable_id(row_id):
        row = session.get(kind, row_id)
    if row is None:
        raise StoreError(
            f"There is no {kind.__tablename__} with the number {row_id}; "
            "the list shows the numbers."
        )
    return row


def _unremoved_row(session: Session, kind: type[Row], row_id: int) -> Row:
    """The row with an id. Raises StoreError where there is none, and where it was removed."""
    row = _row(session, kind, row_id)
    if row.removed is not None:
        noun = str(kind.__tablename__).capitalize()
        raise StoreError(f"{noun} {row_id} was removed; bring it back first.")
    return row


def _record(kind: type[Record], row: ArmyRow | BattleRow) -> Record:
    """A row of the ORM as a record."""
    return record_from(kind, [getattr(row, name) for name in kind.__struct_fields__])


def _write_row(session: Session, kind: type[Record], row: ArmyRow | BattleRow) -> Record:
    """Write a new or changed row; returns it as a record."""
    session.add(row)
    session.flush()
    return _record(kind, row)


class HalfTyped(Struct):
    """The content of a file: what was ``typed`` when the journal of a game had so many
    ``entries``."""

    entries: int
    typed: list[str]


# ------------------------------------------------------------------ transactions


def engine_over(file: sqlite3.Connection) -> Engine:
    """An engine on this one connection that begins each transaction as a writer at once, so that
    what it reads is still true when it writes. SQLAlchemy itself would begin late, or not at all
    for changes of tables."""
    engine = create_engine("sqlite+pysqlite://", creator=lambda: file, poolclass=StaticPool)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        connection.exec_driver_sql(str(options.get(_BEGIN_OPTION, "BEGIN IMMEDIATE")))

    return engine


@contextmanager
def _explaining_failures(place: Place) -> Iterator[None]:
    """Turns failures of the file, the disk or the text into StoreErrors. Mistakes in our own code
    stay as they are, and so do rows that break a constraint, as only such a mistake makes them."""
    try:
        yield
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.Error) and not isinstance(error, IntegrityError):
            store_error = explained(error.orig, place.location)
            if store_error is not None:
                raise store_error from error
        raise
    except UnicodeEncodeError as error:
        raise StoreError(
            "The text contains a character that is not valid, perhaps from a file name; "
            "type it again without that character."
        ) from error
