"""The games of ``skirmish beach-head simulate``: by whom they are played, and how far they are."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from typing import Literal

from skirmish import library, shelf
from skirmish.cli.beach_head_lines import Told
from skirmish.cli.speaking import Complaint, clipped
from skirmish.games.beach_head.ruleset import prepared
from skirmish.games.beach_head.simulate import compiling, work
from skirmish.games.beach_head.simulate.engines import Engine
from skirmish.games.beach_head.simulate.policies import POLICIES
from skirmish.games.beach_head.simulate.tally import Tally
from skirmish.games.beach_head.simulate.vectors import Endless
from skirmish.tabletop.chance import Source
from skirmish.tabletop.reading import suggest

WORTH_COMPILING = 1_000_000
"""Games from which on compiled code pays for its compiling."""
PATIENCE = 1.0
"""Seconds before the bar is shown."""


def play(
    *,
    games: int,
    policy: str,
    answers: dict[str, str],
    variant: Literal["normandy", "omaha"],
    seed: int,
    workers: int | None,
    engine: str,
) -> Told:
    """All games, or those before an interrupt. Raises Complaint."""
    if policy.lower() not in POLICIES:
        raise Complaint(
            f"--policy: there is no “{clipped(policy, 40)}”; {suggest(policy, POLICIES)}"
        )
    chosen, _ = POLICIES[policy.lower()]
    setup = prepared(
        library.beach_ruleset(),
        library.beach_rulings(),
        rulings=answers,
        variant=variant,
        dice=Source("die", None),
        revision=shelf.revision("beach_head"),
    )
    by = _engine(engine, games)
    try:
        job = work.job(setup, chosen, seed, by)
    except ValueError as error:
        raise Complaint(f"{error}") from None
    if by == "numba":
        job = job._replace(file=kept(job.text or ""))
    told = Told(setup, chosen.name, seed, by, games, Tally())
    many = min(workers or os.cpu_count() or 1, -(-games // work.CHUNK))
    bar = Bar(games)
    try:
        work.ready(job)
        with _executor(by, many) as pool:
            for tally in work.simulate(job, games, pool, workers=many):
                told = told.more(tally)
                bar.show(told.tally.games)
    except KeyboardInterrupt:
        pass
    except Endless as error:
        raise Complaint(f"{error}") from None
    finally:
        bar.wipe()
    return told


def _engine(wanted: str, games: int) -> Engine:
    """``auto`` compiles where it can and where it pays. Raises Complaint."""
    if wanted == "numba" and not compiling.is_here():
        raise Complaint(
            "--engine: numba is not installed; install skirmish[fast], or play with numpy."
        )
    if wanted == "numba" or (wanted == "auto" and games >= WORTH_COMPILING and compiling.is_here()):
        return "numba"
    return "numpy"


def kept(text: str) -> str | None:
    """Where a script is written, so that its machine code is kept beside it; None where nothing
    can be written."""
    import platformdirs

    from skirmish.sheets.output import write_whole

    folder = platformdirs.user_cache_path("skirmish", appauthor=False)
    path = folder / f"{compiling.name_of(text)}.py"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text("utf-8") != text:
            write_whole(path, text.encode(), overwrite=True)
    except (OSError, ValueError):
        return None
    return str(path)


@contextmanager
def _executor(engine: Engine, workers: int) -> Iterator[Executor | None]:
    """Threads for compiled code, which lets go of Python; processes for NumPy; nobody for one."""
    if workers < 2:
        with nullcontext():
            yield None
        return
    pool: Executor
    if engine == "numba":
        pool = ThreadPoolExecutor(workers)
    else:
        pool = ProcessPoolExecutor(workers, initializer=_unmoved)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _unmoved() -> None:
    """Ctrl+C goes to everybody at the terminal; only the one who counts shall heed it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Bar:
    """How far it is, on stderr, if somebody looks on and has waited for a while."""

    WIDE = 30

    def __init__(self, games: int) -> None:
        self.games, self.began, self.told = games, time.monotonic(), 0.0
        self.watched = sys.stderr is not None and sys.stderr.isatty()

    def show(self, done: int) -> None:
        """Ten times a second at most."""
        now = time.monotonic()
        if not self.watched or now - self.began < PATIENCE or now - self.told < 0.1:
            return
        self.told = now
        full = self.WIDE * done // self.games
        speed = round(done / (now - self.began), -3)
        text = f"{'#' * full}{'.' * (self.WIDE - full)} {100 * done // self.games:3}%  "
        print(f"\r{text}{done:,} games, {speed:,.0f} a second ", end="", file=sys.stderr)
        sys.stderr.flush()

    def wipe(self) -> None:
        """Nothing of it stays."""
        if self.told:
            print("\r" + " " * 79 + "\r", end="", file=sys.stderr)
            sys.stderr.flush()
