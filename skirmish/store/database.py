"""The store: armies and battles, kept.

Each method is one transaction. When it returns, the change is on the disk and survives a kill or
a power cut; when it raises, nothing has changed. A `Store` belongs to the thread that opened it.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Any, Self, TypeVar

from msgspec import structs
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

from skirmish.store import schema
from skirmish.store.errors import Outrun, StoreError, Unreadable, explained
from skirmish.store.files import sweep
from skirmish.store.names import pick
from skirmish.store.opening import PATIENCE, Custody, connect, inspect
from skirmish.store.place import Place, find
from skirmish.store.records import (
    ARMIES,
    BATTLES,
    ArmyRecord,
    BattleRecord,
    NewEntry,
    check_length,
    entry_of,
    listed,
)
from skirmish.store.tables import ArmyRow, BattleRow, EntryRow, OwnedRow, Row, make
from skirmish.tabletop.exported import EntryRecord

R = TypeVar("R", ArmyRow, BattleRow)

_OPTION = "skirmish_begin"
_LARGEST_ID = 2**63 - 1  # SQLite's

# A journal is read by columns, not as objects: a long one loads several times faster.
_ENTRY: tuple[Any, ...] = tuple(getattr(EntryRow, name) for name in EntryRecord.__struct_fields__)

# Each shot of a battle waits for these three, so they go past the ORM's own book-keeping.
_LAST = select(func.max(EntryRow.number)).where(col(EntryRow.battle_id) == bindparam("of"))
_NEXT = insert(Row.metadata.tables["entry"])
_STANDS = (
    update(Row.metadata.tables["battle"])
    .where(col(BattleRow.id) == bindparam("of"))
    .values({name: bindparam(name) for name in ("headline", "over", "updated")})
)


def utc_now() -> datetime:
    return datetime.now(UTC)


class Store:
    """An open database. Make one with `Store.open`."""

    def __init__(
        self, file: sqlite3.Connection, engine: Engine, place: Place, now: Callable[[], datetime]
    ) -> None:
        self._file = file
        self._engine = engine
        self._reads = _reading_only(engine)
        self._place = place
        self._now = now
        self._custody = Custody(place)
        self._open = True

    @classmethod
    def open(
        cls,
        where: str | None = None,
        *,
        now: Callable[[], datetime] = utc_now,
        patience: float = PATIENCE,
    ) -> Self:
        """Open the database at `where`, made or brought to today's form where needed.

        `where` is a path or an SQLite URL; without it SKIRMISH_DATABASE counts, then the user's
        data folder. `patience` is how many seconds to wait for another program's write. Raises
        StoreError, and leaves the file alone, when the place or the file will not do.
        """
        place = find(where)
        if place.path is not None:
            sweep(place.path)
        stored = inspect(place)
        if stored is not None and stored != schema.REVISION:
            from skirmish.store import migrating  # noqa: PLC0415 (Alembic loads slowly)

            migrating.check_known(stored, place)
        file = connect(place, patience)
        try:
            engine = engine_over(file)
            if stored is None:
                with _in_words(place):
                    stored = make(engine)
            if stored != schema.REVISION:
                from skirmish.store import migrating  # noqa: PLC0415

                with _in_words(place):
                    migrating.bring_up(file, engine, place)
        except BaseException:
            file.close()
            raise
        return cls(file, engine, place, now)

    @property
    def location(self) -> str:
        return self._place.location

    def close(self) -> None:
        """Let go of the file; may be called twice. Whatever is asked afterwards is refused."""
        if self._open:
            self._open = False
            self._engine.dispose()
            self._file.close()  # an engine that was never asked anything does not know it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Armies

    def armies(self) -> list[ArmyRecord]:
        """Every army that is not removed, the newest change first."""
        with self._reading() as session:
            rows = session.connection().exec_driver_sql(ARMIES, (-1,))
            return [listed(ArmyRecord, row) for row in rows]

    def army(self, ref: int | str) -> ArmyRecord:
        """One army by its id or by what a person calls it (see `names.pick`).

        Raises StoreError where none fits (with near names), several do, or it was removed.
        """
        with self._reading() as session:
            if isinstance(ref, str):
                query = select(col(ArmyRow.id), col(ArmyRow.name)).where(
                    col(ArmyRow.removed).is_(None)
                )
                ref = pick(ref, [(id_ or 0, name) for id_, name in session.execute(query)])
            row = _row(session, ArmyRow, ref, "army")
            if row.removed is not None:
                raise StoreError(f"Army {ref} was removed; bring it back first.")
            return _army(row)

    def add_army(self, game: str, name: str, body: str) -> ArmyRecord:
        with self._writing() as session:
            row = ArmyRow(game=game, name=name, body=body, updated=self._time())
            session.add(row)
            session.flush()
            return _army(row)

    def save_army(self, army_id: int, name: str, body: str) -> ArmyRecord:
        """Write an army anew, also a removed one. Raises StoreError where there is none."""
        with self._writing() as session:
            row = _row(session, ArmyRow, army_id, "army")
            row.name, row.body, row.updated = name, body, self._time()
            session.flush()
            return _army(row)

    def remove_army(self, army_id: int) -> None:
        self._remove(ArmyRow, army_id, "army")

    def restore_army(self, army_id: int) -> None:
        self._restore(ArmyRow, army_id, "army")

    # Figures

    def owned(self, game: str) -> dict[str, int]:
        """How many the player owns of each piece of a game; pieces with none are left out."""
        with self._reading() as session:
            query = select(col(OwnedRow.piece), col(OwnedRow.count)).where(
                col(OwnedRow.game) == game
            )
            # A damaged line is left out; `skirmish db check` says that there is one.
            return {
                piece: count
                for piece, count in session.execute(query)
                if isinstance(piece, str) and isinstance(count, int)
            }

    def own(self, game: str, changed: Mapping[str, int]) -> None:
        with self._writing() as session:
            pieces = col(OwnedRow.piece).in_(list(changed))
            session.execute(delete(OwnedRow).where(col(OwnedRow.game) == game, pieces))
            rows = [
                {"game": game, "piece": piece, "count": count}
                for piece, count in changed.items()
                if count
            ]
            if rows:
                session.execute(insert(OwnedRow), rows)

    # Battles

    def battles(self, limit: int | None = None) -> list[BattleRecord]:
        """The battles that are not removed, the newest change first, at most `limit` of them."""
        with self._reading() as session:
            most = -1 if limit is None else limit
            rows = session.connection().exec_driver_sql(BATTLES, (most,))
            return [listed(BattleRecord, row) for row in rows]

    def battle(self, battle_id: int) -> BattleRecord:
        with self._reading() as session:
            row = _row(session, BattleRow, battle_id, "battle")
            if row.removed is not None:
                raise StoreError(f"Battle {battle_id} was removed; bring it back first.")
            return _battle(row)

    def begin_battle(
        self, game: str, title: str, headline: str, first: NewEntry | EntryRecord
    ) -> BattleRecord:
        """Store a new battle together with entry 1 of its journal: both, or neither."""
        at = self._time()
        with self._writing() as session:
            battle = _added(
                session,
                BattleRow(
                    game=game, title=title, headline=headline, over=False, started=at, updated=at
                ),
            )
            session.add(_entry_row(battle.id, 1, first, at))
            return battle

    def add_battle(
        self,
        game: str,
        title: str,
        headline: str,
        entries: Sequence[EntryRecord],
        *,
        over: bool,
        started: str,
    ) -> BattleRecord:
        """Store a battle that was played elsewhere, its whole journal with its own times: all of
        it, or nothing. `started` is UTC in ISO form."""
        with self._writing() as session:
            battle = _added(
                session,
                BattleRow(
                    game=game,
                    title=title,
                    headline=headline,
                    over=over,
                    started=started,
                    updated=self._time(),
                ),
            )
            session.add_all(
                _entry_row(battle.id, number, entry, entry.at)
                for number, entry in enumerate(entries, 1)
            )
            return battle

    def append(
        self,
        battle_id: int,
        number: int,
        kind: str,
        order: str,
        events: str,
        *,
        headline: str,
        over: bool,
    ) -> EntryRecord:
        """Write the journal's next entry and how the battle now stands: both, or neither.

        Raises Outrun where `number` is already written, as two programs on one battle will try,
        and StoreError where it would leave a gap or there is no such battle. A removed battle
        goes on being written and stays removed.
        """
        check_length(events)
        with self._writing() as session:
            file = session.connection()
            of = {"of": battle_id if battle_id <= _LARGEST_ID else 0}
            last: int | None = file.execute(_LAST, of).scalar_one()
            if last is None:
                _row(session, BattleRow, battle_id, "battle")
                last = 0
            if not isinstance(last, int):
                raise Unreadable(
                    f"Battle {battle_id} cannot go on: the number of an entry is damaged."
                )
            if number <= last:
                raise Outrun(battle_id, number, last)
            if number != last + 1:
                raise StoreError(
                    f"Entry {number} cannot be added to battle {battle_id}, "
                    f"whose last entry is {last}; the next is {last + 1}."
                )
            at = self._time()
            entry = EntryRecord(number, kind, order, events, at)
            file.execute(_NEXT, {"battle_id": battle_id, **structs.asdict(entry)})
            stands = {"of": battle_id, "headline": headline, "over": over, "updated": at}
            file.execute(_STANDS, stands)
            return entry

    def entries(self, battle_id: int, after: int = 0) -> list[EntryRecord]:
        """The journal after entry `after`, also of a removed battle. Raises StoreError."""
        query = (
            select(*_ENTRY)
            .where(col(EntryRow.battle_id) == battle_id, col(EntryRow.number) > after)
            .order_by(col(EntryRow.number))
        )
        with self._reading() as session:
            _row(session, BattleRow, battle_id, "battle")
            return [entry_of(row, battle_id) for row in session.execute(query)]

    def remove_battle(self, battle_id: int) -> None:
        self._remove(BattleRow, battle_id, "battle")

    def restore_battle(self, battle_id: int) -> None:
        self._restore(BattleRow, battle_id, "battle")

    # Within

    def _remove(self, kind: type[R], row_id: int, noun: str) -> None:
        with self._writing() as session:
            _row(session, kind, row_id, noun).removed = self._time()

    def _restore(self, kind: type[R], row_id: int, noun: str) -> None:
        with self._writing() as session:
            _row(session, kind, row_id, noun).removed = None

    def _reading(self) -> AbstractContextManager[Session]:
        return self._session(self._reads)

    def _writing(self) -> AbstractContextManager[Session]:
        return self._session(self._engine)

    @contextmanager
    def _session(self, engine: Engine) -> Iterator[Session]:
        if not self._open:
            raise StoreError(f"The database {self.location} is closed; open it again.")
        self._custody.check()
        with _in_words(self._place), Session(engine) as session, session.begin():
            yield session
        if engine is self._engine:
            self._custody.check()

    def _time(self) -> str:
        return self._now().astimezone(UTC).isoformat(timespec="microseconds")


def _row(session: Session, kind: type[R], row_id: int, noun: str) -> R:
    row = session.get(kind, row_id) if 0 < row_id <= _LARGEST_ID else None
    if row is None:
        raise StoreError(
            f"There is no {noun} with the number {row_id}; the list shows the numbers."
        )
    return row


def _army(row: ArmyRow) -> ArmyRecord:
    return listed(ArmyRecord, [getattr(row, name) for name in ArmyRecord.__struct_fields__])


def _battle(row: BattleRow) -> BattleRecord:
    return listed(BattleRecord, [getattr(row, name) for name in BattleRecord.__struct_fields__])


def _added(session: Session, row: BattleRow) -> BattleRecord:
    session.add(row)
    session.flush()
    return _battle(row)


def _entry_row(battle_id: int, number: int, entry: NewEntry | EntryRecord, at: str) -> EntryRow:
    check_length(entry.events)
    return EntryRow(
        battle_id=battle_id,
        number=number,
        kind=entry.kind,
        order=entry.order,
        events=entry.events,
        at=at,
    )


# ------------------------------------------------------------------ transactions


def engine_over(file: sqlite3.Connection) -> Engine:
    """An engine over this one connection that begins each transaction as a writer, at once, so that
    what it reads is still true when it writes. SQLAlchemy itself would begin late, or not at all
    for changes of tables."""
    engine = create_engine("sqlite+pysqlite://", creator=lambda: file, poolclass=StaticPool)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        connection.exec_driver_sql(str(options.get(_OPTION, "BEGIN IMMEDIATE")))

    return engine


def _reading_only(engine: Engine) -> Engine:
    """The same engine for transactions that only read, and so never wait for a writer."""
    return engine.execution_options(**{_OPTION: "BEGIN"})


@contextmanager
def _in_words(place: Place) -> Iterator[None]:
    """Failures of the file, the disk or the text become StoreErrors; our own mistakes do not."""
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
