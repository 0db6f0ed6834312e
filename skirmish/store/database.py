"""The store: armies and battles, and the tables that hold them. No row of a table leaves it.

Each method is one transaction. When it returns, the change is on the disk and survives a kill or a
power cut; when it raises, nothing has changed. A `Store` belongs to the thread that opened it.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

from msgspec import Struct, json, structs
from sqlalchemy import (
    Connection,
    Engine,
    MetaData,
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
from sqlmodel import Field, Session, SQLModel, col

from skirmish.store import opening
from skirmish.store.errors import Outrun, StoreError, Unreadable, explained
from skirmish.store.files import remove_stale_parts
from skirmish.store.opening import PATIENCE, Custody, connect, inspect
from skirmish.store.place import Place, find
from skirmish.store.records import (
    ARMIES,
    BATTLES,
    JOURNAL,
    ArmyRecord,
    BattleRecord,
    check_length,
    entry_of,
    pick,
    record_from,
)
from skirmish.tabletop.data_file import UNREADABLE
from skirmish.tabletop.journal_codec import EntryRecord, RecordError
from skirmish.tabletop.scores import FinishedGame

if TYPE_CHECKING:
    from skirmish.tabletop.game import Game

# Named constraints, so that a later migration can name them.
_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class StoreRow(SQLModel):
    """The base of all tables: one set of names, apart from any other SQLModel in the process."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=_NAMES)


class ArmyRow(StoreRow, table=True):
    """An army; `removed` is the time of its removal, which can be undone."""

    __tablename__ = "army"

    id: int | None = Field(default=None, primary_key=True)
    game: str
    name: str
    body: str
    updated: str
    removed: str | None = None


class BattleRow(StoreRow, table=True):
    """A stored game of any kind, as lists show it; its journal stands in entries of its own."""

    __tablename__ = "battle"

    id: int | None = Field(default=None, primary_key=True)
    game: str
    title: str
    headline: str
    over: bool
    started: str
    updated: str
    removed: str | None = None


class EntryRow(StoreRow, table=True):
    """A journal entry; battle and number together are its key, so it has no other."""

    __tablename__ = "entry"

    battle_id: int = Field(foreign_key="battle.id", primary_key=True)
    number: int = Field(primary_key=True)
    kind: str
    order: str
    events: str
    at: str


class OwnedRow(StoreRow, table=True):
    """How many of a piece the player owns; no row where there is none."""

    __tablename__ = "owned"

    game: str = Field(primary_key=True)
    piece: str = Field(primary_key=True)
    count: int


class HalfTyped(Struct):
    """What was ``typed`` after the last of so many ``entries`` of the journal."""

    entries: int
    typed: list[str]


R = TypeVar("R", ArmyRow, BattleRow)
L = TypeVar("L", ArmyRecord, BattleRecord)

_BEGIN_OPTION = "skirmish_begin"  # of an engine: the statement with which its transactions begin
MOST_TYPED = 500  # keys or lines of a half-typed command; a longer one is not remembered
_LARGEST_ID = 2**63 - 1  # SQLite's

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


# The last game whose first entry has a mark in it, such as the battle that a campaign opened.
_WITH_OPENING = """
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
        """The connection to the file, over which the engine works too."""
        self._engine = engine
        # An engine for reading, which never waits for a writer.
        self._reading_engine = engine.execution_options(**{_BEGIN_OPTION: "BEGIN"})
        self._place = place
        self._now = now
        self._custody = Custody(place)
        self._is_open = True

    # Half-typed commands: an extra in files beside the database, silently left out where one
    # cannot be written or read.

    def typed(self, battle_id: int, entries: int) -> list[str]:
        """What was typed for the next order of a game whose journal has so many ``entries``;
        nothing if the journal had another length then."""
        path = self._typed_file(battle_id)
        if path is None:
            return []
        with suppress(OSError, *UNREADABLE):
            half_typed = json.decode(path.read_bytes(), type=HalfTyped)
            if half_typed.entries == entries:
                return half_typed.typed
        return []

    def set_typed(self, battle_id: int, entries: int, typed: Sequence[str]) -> None:
        """Store what was typed after so many entries of a game, or remove it where that is nothing
        or absurdly much."""
        path = self._typed_file(battle_id)
        if path is None:
            return
        with suppress(OSError, UnicodeEncodeError):
            if not 0 < len(typed) <= MOST_TYPED:
                path.unlink(missing_ok=True)
                return
            part = path.with_name(f"{path.name}.part")
            part.write_bytes(json.encode(HalfTyped(entries, list(typed))))
            os.replace(part, path)

    def _typed_file(self, battle_id: int) -> Path | None:
        """The hidden file for what was typed in a game; None for a database in memory."""
        path = self._place.path
        if path is None:
            return None
        return path.with_name(f".{path.name}.{battle_id}.typed")

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
        stored = inspect(place)
        if stored is not None and not opening.is_known(stored):
            raise StoreError(
                f"The database {place.location} {opening.newer_words(stored)} and was not changed; "
                "update Skirmish, or set SKIRMISH_DATABASE to another file."
            )
        file = connect(place, patience)
        try:
            engine = engine_over(file)
            with _explaining_failures(place):
                if stored is None:
                    stored = _create_tables(engine)
                if stored != opening.REVISION:
                    from skirmish.store import migrating  # noqa: PLC0415 (Alembic loads slowly)

                    migrating.bring_up(file, engine, place)
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
            self._file.close()  # an unused engine does not know it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Armies

    def armies(self) -> list[ArmyRecord]:
        """Every army that is not removed, the newest change first."""
        return self._records_of(ArmyRecord, ARMIES)

    def army(self, ref: int | str) -> ArmyRecord:
        """One army by its id or by its name as typed (see `records.pick`).

        Raises StoreError where none fits (with similar names), several do, or it was removed.
        """
        if isinstance(ref, str):
            ref = pick(ref, [(army.id, army.name) for army in self.armies()])
        with self._session() as session:
            return _record(ArmyRecord, _unremoved_row(session, ArmyRow, ref))

    def add_army(self, game: str, name: str, body: str) -> ArmyRecord:
        """Store a new army."""
        with self._session(write=True) as session:
            row = ArmyRow(game=game, name=name, body=body, updated=self._time())
            return _written(session, ArmyRecord, row)

    def save_army(self, army_id: int, name: str, body: str) -> ArmyRecord:
        """Update an army, even a removed one. Raises StoreError where there is none."""
        with self._session(write=True) as session:
            row = _row(session, ArmyRow, army_id)
            row.name = name
            row.body = body
            row.updated = self._time()
            return _written(session, ArmyRecord, row)

    def remove(self, table: Literal["army", "battle"], row_id: int) -> None:
        """Take an army or a battle off the list."""
        self._set_removed(table, row_id, self._time())

    def bring_back(self, table: Literal["army", "battle"], row_id: int) -> None:
        """Put an army or a battle on the list again."""
        self._set_removed(table, row_id, None)

    def _set_removed(
        self, table: Literal["army", "battle"], row_id: int, removed: str | None
    ) -> None:
        """``removed``: the time of the removal, in UTC and ISO form; None: back on the list."""
        with self._session(write=True) as session:
            row: ArmyRow | BattleRow
            if table == "army":
                row = _row(session, ArmyRow, row_id)
            else:
                row = _row(session, BattleRow, row_id)
            row.removed = removed

    # Figures

    def owned(self, game: str) -> dict[str, int]:
        """How many of each piece of a game the player owns; pieces with none are left out."""
        with self._session() as session:
            columns = select(col(OwnedRow.piece), col(OwnedRow.count))
            query = columns.where(col(OwnedRow.game) == game)
            owned = {}
            for piece, count in session.execute(query):
                # A damaged line is left out; `skirmish db check` reports it.
                if isinstance(piece, str) and isinstance(count, int):
                    owned[piece] = count
            return owned

    def own(self, game: str, changed: Mapping[str, int]) -> None:
        """Store the counts that have changed; those of other pieces stay."""
        rows = []
        for piece, count in changed.items():
            if count:
                rows.append({"game": game, "piece": piece, "count": count})
        with self._session(write=True) as session:
            pieces = col(OwnedRow.piece).in_(list(changed))
            session.execute(delete(OwnedRow).where(col(OwnedRow.game) == game, pieces))
            if rows:
                session.execute(insert(OwnedRow), rows)

    # Battles

    def battles(self, limit: int | None = None) -> list[BattleRecord]:
        """The battles that are not removed, the newest change first, at most `limit` of them."""
        if limit is None:
            return self._records_of(BattleRecord, BATTLES)
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
        """Store a battle with its whole journal, or nothing. `started` is UTC in ISO form; what has
        no time happened now. Where the game with this `mark` in its opening is stored already, that
        one is returned: of two programs that open the battle of one campaign, one does."""
        now = self._time()
        with self._session(write=True) as session:
            if mark:
                stored = session.connection().exec_driver_sql(_WITH_OPENING, (game, mark)).first()
                if stored is not None:
                    return _record(BattleRecord, _row(session, BattleRow, int(stored[0])))
            row = BattleRow(
                game=game,
                title=title,
                headline=headline,
                over=over,
                started=started or now,
                updated=now,
            )
            battle = _written(session, BattleRecord, row)
            for number, entry in enumerate(entries, 1):
                check_length(entry.events)
                line = structs.asdict(entry) | {"battle_id": battle.id, "number": number}
                session.connection().execute(_ADD_ENTRY, line | {"at": entry.at or now})
            return battle

    def append(
        self, battle_id: int, entry: EntryRecord, *, headline: str, over: bool
    ) -> EntryRecord:
        """Write the journal's next entry and the battle's new status: both, or neither.

        Raises Outrun where another program has already written its number, and StoreError where it
        would leave a gap or there is no such battle. A removed battle can still be written and
        stays removed.
        """
        check_length(entry.events)
        number = entry.number
        with self._session(write=True) as session:
            file = session.connection()
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
            file.execute(_ADD_ENTRY, {"battle_id": battle_id, **structs.asdict(entry)})
            file.execute(
                _SET_STATUS,
                {"of_battle": battle_id, "headline": headline, "over": over, "updated": now},
            )
            return entry

    @property
    def version(self) -> int:
        """A number that changes when another program, or another connection of this one, has
        written; raises StoreError."""
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

    def with_opening(self, game: str, mark: str) -> int | None:
        """The number of the last game of a kind whose opening has this text in it; None if there is
        none. Raises StoreError."""
        with self._session() as session:
            row = session.connection().exec_driver_sql(_WITH_OPENING, (game, mark)).first()
            if row is None:
                return None
            return int(row[0])

    def finished(
        self,
        game: "Game[Any, Any, Any]",
        mine: int = 0,
        when_unreadable: Callable[[int], None] | None = None,
    ) -> Iterator[FinishedGame]:
        """The finished games of a kind; raises StoreError. A game that cannot be read is left out,
        and ``when_unreadable`` is called with its number. Of copies with the same journal one
        counts: the one of the number ``mine``, else the first stored."""
        journals: set[tuple[str, ...]] = set()
        for number in self._finished_numbers(game.id, mine):
            try:
                entries = self.entries(number)
                journal = tuple(entry.events for entry in entries)
                if journal in journals:  # a copy
                    continue
                journals.add(journal)
                play = game.codec.replay(entries)
            except (Unreadable, RecordError):
                if when_unreadable is not None:
                    when_unreadable(number)
                continue
            yield FinishedGame(number, entries[-1].at, play.state)

    def _finished_numbers(self, game_id: str, mine: int) -> list[int]:
        """The numbers of the finished games of a kind, the first stored first. The game ``mine``
        stands before all others: of copies only the first counts."""
        numbers = sorted(
            battle.id for battle in self.battles() if battle.game == game_id and battle.over
        )
        if mine in numbers:
            numbers.remove(mine)
            numbers.insert(0, mine)
        return numbers

    # Within

    def _records_of(self, kind: type[L], query: str, most: int = -1) -> list[L]:
        """The records of a query for lists, at most so many; -1 means all of them."""
        with self._session() as session:
            rows = session.connection().exec_driver_sql(query, (most,))
            return [record_from(kind, row) for row in rows]

    @contextmanager
    def _session(self, *, write: bool = False) -> Iterator[Session]:
        """A transaction. Raises StoreError where the file has been replaced or cannot be used."""
        if not self._is_open:
            raise StoreError(f"The database {self.location} is closed; open it again.")
        self._custody.check()
        engine: Engine = self._reading_engine
        if write:
            engine = self._engine
        with _explaining_failures(self._place), Session(engine) as session, session.begin():
            yield session
        # What went into a file that was replaced meanwhile is lost: no one may be told otherwise.
        if write:
            self._custody.check()

    def _time(self) -> str:
        """The present time as it is stored."""
        return self._now().astimezone(UTC).isoformat(timespec="microseconds")


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


def _storable_id(row_id: int) -> int:
    """The id, or 0, which no row has: SQLite raises an error of its own for a larger number."""
    if 0 < row_id <= _LARGEST_ID:
        return row_id
    return 0


def _row(session: Session, kind: type[R], row_id: int) -> R:
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


def _unremoved_row(session: Session, kind: type[R], row_id: int) -> R:
    """The row with an id. Raises StoreError also where it was removed."""
    row = _row(session, kind, row_id)
    if row.removed is not None:
        noun = str(kind.__tablename__).capitalize()
        raise StoreError(f"{noun} {row_id} was removed; bring it back first.")
    return row


def _record(kind: type[L], row: ArmyRow | BattleRow) -> L:
    """A row of the ORM as a record."""
    return record_from(kind, [getattr(row, name) for name in kind.__struct_fields__])


def _written(session: Session, kind: type[L], row: ArmyRow | BattleRow) -> L:
    """Write a new or changed row; returns it as a record."""
    session.add(row)
    session.flush()
    return _record(kind, row)


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


_CREATE_VERSION_TABLE = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
)


def _create_tables(engine: Engine) -> str:
    """Create the tables in an empty file, in one transaction and without Alembic; returns the
    file's revision, since another program may have been faster."""
    with engine.connect() as connection, connection.begin():
        tables = connection.exec_driver_sql("SELECT name FROM sqlite_master").scalars().all()
        if "alembic_version" in tables:
            revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
            return str(revision.scalar_one())
        connection.exec_driver_sql(f"PRAGMA application_id = {opening.APPLICATION_ID}")
        connection.exec_driver_sql(_CREATE_VERSION_TABLE)
        connection.exec_driver_sql(
            "INSERT INTO alembic_version (version_num) VALUES (?)", (opening.REVISION,)
        )
        StoreRow.metadata.create_all(connection)
        return opening.REVISION


@contextmanager
def _explaining_failures(place: Place) -> Iterator[None]:
    """Turns failures of the file, the disk or the text into StoreErrors, but not bugs."""
    try:
        yield
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.Error) and not isinstance(error, IntegrityError):
            sentence = explained(error.orig, place.location)
            if sentence is not None:
                raise sentence from error
        raise
    except UnicodeEncodeError as error:
        raise StoreError(
            "The text contains a character that is not valid, perhaps from a file name; "
            "type it again without that character."
        ) from error
