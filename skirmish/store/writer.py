"""The one thread in which a program uses its store.

With a single thread, writes stay in order, and a slow disk never blocks the screen. The ORM is
loaded in that thread, after the first paint: this module imports neither SQLModel nor SQLAlchemy.
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

    The first job opens the store, as `Store.open(where)` does. If that fails, the job's future
    carries the StoreError, and the next job tries again. A job must return values (records), not
    rows of the ORM, and must not wait for another job, which would never begin.
    """

    def __init__(self, where: str | None = None) -> None:
        self._where = where
        # None until the first job. Only the thread of the store uses it.
        self._store: Store | None = None
        # Held while a job is queued, so that none gets behind the one that closes the store.
        self._submitting = threading.Lock()
        self._closed = False
        # A pool of one worker is a queue. Python waits for it at exit, so that a program that ends
        # without `close` still writes everything that it has queued.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="skirmish-store")

    def submit(self, job: Callable[[Store], T]) -> Future[T]:
        """Queue a job, which runs even if its caller is gone: its future cannot be cancelled.
        Raises StoreError after `close`."""
        future: Future[T] = Future()
        # A future that runs cannot be cancelled any more.
        future.set_running_or_notify_cancel()
        with self._submitting:
            if self._closed:
                raise StoreError("The database is closed; start the program again.")
            self._thread.submit(self._run, job, future)
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

    def _run(self, job: Callable[[Store], T], future: Future[T]) -> None:
        """Run a job in the thread of the store; its future gets the result or the error."""
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
        """The last job in the thread of the store."""
        if self._store is not None:
            self._store.close()
            self._store = None
