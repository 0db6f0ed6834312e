from __future__ import annotations

import asyncio
import threading
from concurrent.futures import CancelledError

import pytest

from skirmish.store.database import Store
from skirmish.store.errors import Outrun, StoreError
from skirmish.store.writer import StoreThread
from skirmish.tabletop.journal_codec import EntryRecord

FIRST = EntryRecord(1, "open", "{}", "[]")


@pytest.fixture
def store_thread(path):
    with StoreThread(str(path)) as store_thread:
        yield store_thread


def test_a_job_answers_with_what_it_returns(store_thread):
    army = store_thread.submit(lambda store: store.add_army("plastic", "a", "{}")).result()
    assert store_thread.submit(Store.armies).result() == [army]


def test_jobs_are_done_in_the_order_they_were_given(store_thread):
    battle = store_thread.submit(lambda s: s.add_battle("plastic", "t", "h", [FIRST])).result()

    def write(number: int):
        return lambda store: store.append(
            battle.id, EntryRecord(number, "fire", "{}", "[]"), headline="h", over=False
        )

    written = [store_thread.submit(write(number)) for number in range(2, 60)]
    assert [future.result().number for future in written] == list(range(2, 60))


def test_all_jobs_run_in_one_thread_that_is_not_the_callers(store_thread):
    threads = {store_thread.submit(lambda _: threading.get_ident()).result() for _ in range(5)}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_an_error_reaches_the_one_who_asked_and_no_one_else(store_thread):
    before = store_thread.submit(lambda store: store.add_army("plastic", "a", "{}"))
    lost = store_thread.submit(lambda store: store.army("nobody"))
    bug = store_thread.submit(lambda _: 1 / 0)
    after = store_thread.submit(Store.armies)
    with pytest.raises(StoreError, match="No army is called “nobody”"):
        lost.result()
    with pytest.raises(ZeroDivisionError):
        bug.result()
    assert after.result() == [before.result()]


def test_two_scribes_on_one_battle_end_in_outrun_not_in_a_mess(store_thread, path):
    battle = store_thread.submit(lambda s: s.add_battle("plastic", "t", "h", [FIRST])).result()

    def second(store: Store):
        return store.append(battle.id, EntryRecord(2, "fire", "{}", "[]"), headline="h", over=False)

    with StoreThread(str(path)) as other:
        futures = [store_thread.submit(second), other.submit(second)]
        errors = [future.exception() for future in futures]
    assert sorted(type(error) for error in errors if error) == [Outrun]
    assert len(store_thread.submit(lambda s: s.entries(battle.id)).result()) == 2


def test_closing_finishes_what_is_queued_and_lets_the_file_go(path):
    gate = threading.Event()
    store_thread = StoreThread(str(path))
    store_thread.submit(lambda _: gate.wait())
    names = [str(n) for n in range(20)]
    futures = [store_thread.submit(lambda s, n=n: s.add_army("plastic", n, "{}")) for n in names]
    closing = threading.Thread(target=store_thread.close)
    closing.start()
    gate.set()
    closing.join(timeout=60)
    assert not closing.is_alive()
    assert all(future.done() for future in futures)
    assert list(path.parent.glob("kept.db-*")) == [], "the log is folded in"
    with Store.open(str(path)) as store:
        assert [army.name for army in reversed(store.armies())] == names


def test_a_closed_scribe_refuses_and_closes_twice(path):
    store_thread = StoreThread(str(path))
    store_thread.close()
    store_thread.close()
    with pytest.raises(StoreError, match="The database is closed"):
        store_thread.submit(Store.armies)
    assert not path.exists(), "nothing was asked, so nothing was opened"


def test_a_store_that_does_not_open_is_tried_again_by_the_next_job(path):
    path.mkdir()
    with StoreThread(str(path)) as store_thread:
        with pytest.raises(StoreError, match="is a folder"):
            store_thread.submit(lambda _: None).result()
        with pytest.raises(StoreError, match="is a folder"):
            store_thread.submit(Store.armies).result()
        path.rmdir()
        assert store_thread.submit(Store.armies).result() == []


def test_a_store_is_opened_once(path, clock, monkeypatch):
    opened, really = [], Store.open

    def opening(where: str | None) -> Store:
        opened.append(threading.current_thread().name)
        return really(where, now=clock)

    monkeypatch.setattr(Store, "open", opening)
    with StoreThread(str(path)) as store_thread:
        assert opened == []
        store_thread.submit(lambda _: None).result()
        army = store_thread.submit(lambda store: store.add_army("plastic", "a", "{}")).result()
    assert len(opened) == 1
    assert opened[0].startswith("skirmish-store")
    assert army.updated.startswith("2026-05-01T18:00:01")


def test_the_memory_database_lives_as_long_as_the_scribe():
    with StoreThread("sqlite://") as store_thread:
        store_thread.submit(lambda store: store.add_army("plastic", "a", "{}"))
        assert len(store_thread.submit(Store.armies).result()) == 1


async def test_an_asyncio_program_awaits_its_jobs_and_its_errors(store_thread):
    army = await asyncio.wrap_future(
        store_thread.submit(lambda store: store.add_army("plastic", "a", "{}"))
    )
    assert await asyncio.wrap_future(store_thread.submit(Store.armies)) == [army]
    with pytest.raises(StoreError):
        await asyncio.wrap_future(store_thread.submit(lambda store: store.army(99)))


async def test_a_screen_that_goes_away_takes_no_write_with_it(store_thread):
    gate = threading.Event()
    store_thread.submit(lambda _: gate.wait())
    written = store_thread.submit(lambda store: store.add_army("plastic", "a", "{}"))
    try:
        waiting = asyncio.ensure_future(asyncio.wrap_future(written))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises((asyncio.CancelledError, CancelledError)):
            await waiting
        await asyncio.sleep(0)  # the news of the cancelling reaches the store_thread's side
        assert not written.cancelled()
    finally:
        gate.set()
    assert written.result(timeout=60).name == "a"
    assert len(await asyncio.wrap_future(store_thread.submit(Store.armies))) == 1


def test_a_program_that_ends_without_closing_still_writes(path, run_python):
    run_python(
        "import sys; from skirmish.store.writer import StoreThread\n"
        "thread = StoreThread(sys.argv[1])\n"
        "for n in range(30): thread.submit(lambda s, n=n: s.add_army('plastic', str(n), '{}'))",
        path,
    )
    with Store.open(str(path)) as store:
        assert len(store.armies()) == 30


def test_the_first_paint_needs_no_orm(path, run_python):
    Store.open(str(path)).close()
    assert run_python(
        "import sys\n"
        "import skirmish.store\n"
        "from skirmish.store import errors, names, place, opening, readers, records\n"
        "from skirmish.store import times, watch, writer\n"
        "store_thread = writer.StoreThread(sys.argv[1])\n"
        "assert readers.recent_battles(sys.argv[1], 5) == []\n"
        "heavy = {'sqlmodel', 'sqlalchemy', 'alembic', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "store_thread.submit(lambda _: None).result(); store_thread.close()\n"
        "print(sorted(heavy & set(sys.modules)))",
        path,
    ).splitlines() == ["[]", "['pydantic', 'sqlalchemy', 'sqlmodel']"]
