"""The one thread that touches the database.

Writes stay in order, a slow disk never blocks the screen, and the ORM loads here, after the first
paint: this module imports neither SQLModel nor SQLAlchemy.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from skirmish.store.errors import StoreError

if TYPE_CHECKING:
    from skirmish.store.database import Store

T = TypeVar("T")


class StoreThread:
    """Runs jobs for the store one after another in a thread of its own.

    The first job opens the store (as `Store.open(where)`); where that fails, its future carries the
    StoreError and the next job tries again. A job must return values (records) and must not wait
    for another job.
    """

    def __init__(self, where: str | None = None) -> None:
        self._where = where
        self._store: Store | None = None  # touched by the thread only
        self._submitting = threading.Lock()  # so that no job comes behind the last one
        self._closed = False
        # One worker is a queue. Python itself waits for it at exit, so that a program that ends
        # without `close` still writes what it promised.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="skirmish-store")

    def submit(self, job: Callable[[Store], T]) -> Future[T]:
        """Queue a job, which runs even if its caller is gone: its future cannot be cancelled.
        Raises StoreError after `close`."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # from here on `cancel` answers False
        with self._submitting:
            if self._closed:
                raise StoreError("The database is closed; start the program again.")
            self._thread.submit(self._do, job, future)
        return future

    def close(self) -> None:
        """Finish the queued jobs, close the store, end the thread. Blocks; may be called twice."""
        with self._submitting:
            if not self._closed:
                self._closed = True
                self._thread.submit(self._close_store)
        self._thread.shutdown(wait=True)

    def __enter__(self) -> StoreThread:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, job: Callable[[Store], T], future: Future[T]) -> None:
        try:
            if self._store is None:
                from skirmish.store.database import Store  # noqa: PLC0415 (the ORM loads here)

                self._store = Store.open(self._where)
            result = job(self._store)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    def _close_store(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
