"""``skirmish beach-head simulate``: many games without cards, in processes or threads."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from skirmish import library
from skirmish.cli import beach_head_options as options
from skirmish.cli.console import CommandError, say_json, say_page
from skirmish.cli.files import AsJson, Force, deliver, ready_for
from skirmish.cli.printing import Inks, PaperSize, look
from skirmish.games.beach_head.simulate.policy import SIMULATED
from skirmish.store.files import write_whole

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from skirmish.games.beach_head.simulate import engines
    from skirmish.games.beach_head.simulate.policy import Policy
    from skirmish.games.beach_head.simulate.statistics import Simulated

CSV_NAME = "beach-head-statistics.csv"
PDF_NAME = "beach-head-statistics.pdf"
MOST_WORKERS = 256
WORTH_COMPILING = 1_000_000
"""The number of games from which compiling pays."""
PATIENCE = 1.0
"""Seconds before the bar is shown."""
Engine = Literal["auto", "numpy", "numba"]


def simulate(  # noqa: PLR0917  (typer gives them by name)
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Number of games.")] = 100_000,
    policy: Annotated[
        Literal["uniform", "plan", "better"],
        typer.Option(metavar="NAME", help="uniform, plan or better."),
    ] = "uniform",
    rulings: options.Rulings = None,
    variant: options.Beach = None,
    seed: options.Seed = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_WORKERS,
            metavar="N",
            help="Processes or threads; default: all cores.",
            show_default=False,
        ),
    ] = None,
    engine: Annotated[
        Engine, typer.Option(case_sensitive=False, help="auto: numba, if installed, for a million.")
    ] = "auto",
    as_json: AsJson = False,
    csv: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Counts of each result as CSV.", show_default=False),
    ] = None,
    pdf: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The statistics as PDF.", show_default=False),
    ] = None,
    paper: PaperSize = None,
    ink: Inks = None,
    force: Force = False,
) -> None:
    """Play many games without cards, and show the statistics.

    \b
    Ctrl+C stops and shows the games played so far.
    Example: skirmish beach-head simulate --games 1000000 --rulings draft_1d6
    """
    from skirmish.games.beach_head.simulate.statistics import Simulated

    for option, chosen, usual in (("--csv", csv, CSV_NAME), ("--pdf", pdf, PDF_NAME)):
        if chosen is not None:
            ready_for(chosen, usual, force, option)
    paper, ink, _ = look(paper, ink)
    by = _engine(engine, games)
    plays = SIMULATED[policy]
    setup = options.new_setup(rulings, variant)
    found = _played(Simulated(setup, plays.name, seed, by, games), plays, by, workers)
    if not found.tally.games:
        raise typer.Exit(130)
    book, playtest = library.beach_rulings(), library.beach_playtest()
    page = found.page(book, playtest)
    if as_json:
        say_json(found.data(playtest))
    else:
        say_page(page, title=False)
    if csv is not None:
        deliver(_as_csv(found), csv, CSV_NAME, force, "CSV", option="--csv")
    if pdf is not None:
        from skirmish.sheets.page_sheet import page_pdf

        data = page_pdf(page, paper=paper, use=ink)
        deliver(data, pdf, PDF_NAME, force, "Statistics", option="--pdf")
    if found.tally.games < games:
        raise typer.Exit(130)


def _engine(wanted: Engine, games: int) -> engines.Engine:
    """``auto`` compiles where that is possible and worth its time. Raises CommandError."""
    from skirmish.games.beach_head.simulate import engines

    if wanted == "numba" and not engines.is_here():
        raise CommandError(
            "--engine: numba is not installed; install skirmish[fast], or play with numpy."
        )
    pays = wanted == "auto" and games >= WORTH_COMPILING and engines.is_here()
    return "numba" if wanted == "numba" or pays else "numpy"


def _played(
    found: Simulated, policy: Policy, engine: engines.Engine, workers: int | None
) -> Simulated:
    """All games, or those before an interrupt. Raises CommandError."""
    from skirmish.games.beach_head.simulate import engines
    from skirmish.games.beach_head.simulate.vectors import Endless

    try:
        job = engines.job(found.setup, policy, found.seed, engine)
    except ValueError as error:
        raise CommandError(f"{error}") from None
    if job.text is not None:
        job = job._replace(file=stored_script(job.text))
    many = min(workers or os.cpu_count() or 1, -(-found.asked // engines.CHUNK))
    try:
        with progress(found.asked) as show:
            engines.ready(job)
            with _executor(engine, many) as pool:
                for tally in engines.simulate(job, found.asked, pool, workers=many):
                    found = found.more(tally)
                    show(found.tally.games)
    except Endless as error:
        raise CommandError(f"{error}") from None
    return found


def stored_script(text: str) -> str | None:
    """The path of a script with its machine code cached beside it; None if it cannot be written."""
    import platformdirs

    from skirmish.games.beach_head.simulate import engines

    folder = platformdirs.user_cache_path("skirmish", appauthor=False)
    path = folder / f"{engines.name_of(text)}.py"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text("utf-8") != text:
            write_whole(path, text.encode(), overwrite=True)
    except (OSError, ValueError):
        return None
    return str(path)


@contextmanager
def _executor(engine: str, workers: int) -> Iterator[Executor | None]:
    """Threads for compiled code (it releases the GIL), processes for NumPy, None for one worker."""
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

    if workers < 2:
        yield None
        return
    pool: Executor
    if engine == "numba":
        pool = ThreadPoolExecutor(workers)
    else:
        pool = ProcessPoolExecutor(workers, initializer=_ignore_interrupts)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """Shows the progress on stderr, if it is a terminal and some time has passed. Ctrl+C ends the
    block, and the program goes on after it."""
    watched = sys.stderr is not None and sys.stderr.isatty()
    began, shown, wide = time.monotonic(), 0.0, 30

    def show(done: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if not watched or now - began < PATIENCE or now - shown < 0.1:
            return
        shown = now
        full = wide * done // games
        speed = round(done / (now - began), -3)
        text = f"{'#' * full}{'.' * (wide - full)} {100 * done // games:3}%  "
        print(
            f"\r{text}{done:,} games, {speed:,.0f} a second ", end="", file=sys.stderr, flush=True
        )

    try:
        with suppress(KeyboardInterrupt):
            yield show
    finally:
        if shown:
            print("\r" + " " * 79 + "\r", end="", file=sys.stderr, flush=True)


def _as_csv(found: Simulated) -> bytes:
    lines = ["measure,value,games"]
    for name, spread in found.tally.spreads():
        lines += [f"{name},{value},{count}" for value, count in spread.pairs()]
    return "".join(f"{line}\r\n" for line in lines).encode()
