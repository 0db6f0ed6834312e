"""``skirmish beach-head simulate``: many games without cards, by whom they are played, how far they
are, and what they came to."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from skirmish.cli.print_options import Force, Ink, Inks, Paper, Sheet
from skirmish.cli.speaking import Complaint, clipped, say_json, say_page

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from skirmish.games.beach_head.ruleset import Setup
    from skirmish.games.beach_head.simulate import engines
    from skirmish.games.beach_head.simulate.policy import Policy
    from skirmish.games.beach_head.simulate.statistics import Simulated
    from skirmish.tabletop.chance import Source

CSV_NAME = "beach-head-statistics.csv"
PDF_NAME = "beach-head-statistics.pdf"
MOST_GAMES = 100_000_000_000
MOST_WORKERS = 256
WORTH_COMPILING = 1_000_000
"""Games from which on compiled code pays for its compiling."""
PATIENCE = 1.0
"""Seconds before the bar is shown."""

T = TypeVar("T")


class Variant(StrEnum):
    NORMANDY = "normandy"
    OMAHA = "omaha"


class Engine(StrEnum):
    AUTO = "auto"
    NUMPY = "numpy"
    NUMBA = "numba"


def simulate(  # noqa: PLR0917  (typer gives them by name)
    games: Annotated[int, typer.Option(metavar="N", help="Number of games.")] = 100_000,
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="uniform (default), plan or better.",
                         show_default=False)
    ] = "uniform",
    readings: Annotated[
        str,
        typer.Option(metavar="NAMES", help="printed, draft_1d6, or B7=tank,B11=any.",
                     show_default=False),
    ] = "printed",
    variant: Annotated[
        Variant, typer.Option(case_sensitive=False, help="Which beach.")
    ] = Variant.NORMANDY,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same games.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="Processes or threads; default: all cores.",
                     show_default=False),
    ] = None,
    engine: Annotated[
        Engine,
        typer.Option(case_sensitive=False, help="auto: numba, if installed, for a million."),
    ] = Engine.AUTO,
    as_json: Annotated[bool, typer.Option("--json", help="All statistics as JSON.")] = False,
    csv: Annotated[
        str | None, typer.Option(metavar="FILE", help="Counts of each result as CSV.",
                                 show_default=False),
    ] = None,
    pdf: Annotated[
        str | None, typer.Option(metavar="FILE", help="The statistics as PDF; a file or a folder.",
                                 show_default=False),
    ] = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:  # fmt: skip
    """Play many games without cards, and show the statistics.

    \b
    Ctrl+C stops and shows the games played so far.
    Example: skirmish beach-head simulate --games 1000000 --readings draft_1d6
    """
    from skirmish import library
    from skirmish.cli.files import deliver, ready_for
    from skirmish.games.beach_head.policies import SIMULATED
    from skirmish.games.beach_head.simulate.statistics import Simulated

    check("games", games, 1, MOST_GAMES)
    check("workers", 1 if workers is None else workers, 1, MOST_WORKERS)
    check("seed", seed, 0)
    for option, chosen, usual in (("--csv", csv, CSV_NAME), ("--pdf", pdf, PDF_NAME)):
        if chosen is not None:
            ready_for(chosen, usual, force, option)
    by = _engine(engine, games)
    plays = policy_named(policy, SIMULATED)
    setup = new_setup(answered(readings), variant)
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
        deliver(_as_csv(found), csv, CSV_NAME, force, "CSV", other="--csv")
    if pdf is not None:
        from skirmish.sheets.page_sheet import page_pdf

        data = page_pdf(page, paper=paper.value, use=ink.value)
        deliver(data, pdf, PDF_NAME, force, "Statistics", other="--pdf")
    if found.tally.games < games:
        raise typer.Exit(130)


# ------------------------------------------------------------------ options


def check(name: str, value: int, least: int, most: int | None = None) -> None:
    """Raises Complaint for a number beyond its limits."""
    if value < least or (most is not None and value > most):
        upto = "on" if most is None else f"to {most:,}"
        raise Complaint(f"--{name}: a number from {least} {upto}, not {value}.")


def policy_named(name: str, policies: Mapping[str, T]) -> T:
    from skirmish.tabletop.reading import suggest

    if name.lower() not in policies:
        hint = suggest(name, policies)
        raise Complaint(f"--policy: there is no “{clipped(name, 40)}”; {hint}")
    return policies[name.lower()]


def answered(words: str) -> dict[str, str]:
    """``printed``, ``B7=tank,B18=end_phase`` or ``draft_1d6,B18=end_phase`` as answers to the
    rulings that are named; what comes later counts. Raises Complaint."""
    from skirmish import library
    from skirmish.tabletop.reading import suggest

    book = library.beach_rulings()
    found: dict[str, str] = {}
    for word in filter(None, (one.strip() for one in words.split(","))):
        name, equals, answer = (part.strip() for part in word.partition("="))
        if equals:
            found[name.upper()] = answer.lower()
        elif preset := book.presets.get(name.lower()):
            found |= preset.answers
        else:
            hint = suggest(name, book.presets)
            raise Complaint(
                f"--readings: “{clipped(name, 40)}” is no preset; {hint} "
                "Single rulings are written as in B7=tank."
            )
    for problem in book.problems(found, "--readings"):
        raise Complaint(str(problem))
    return found


def new_setup(
    answers: dict[str, str],
    variant: Variant,
    *,
    dice: int | None = None,
    cards: Source | None = None,
) -> Setup:
    """A game by today's numbers; ``dice``: the seed of the program's, None: the player's own."""
    from skirmish import library, resources
    from skirmish.games.beach_head.ruleset import prepared
    from skirmish.tabletop.chance import Source

    return prepared(
        library.beach_ruleset(),
        library.beach_rulings(),
        rulings=answers,
        variant=variant.value,
        dice=Source("die", dice),
        cards=cards,
        revision=resources.revision("beach_head"),
    )


# ------------------------------------------------------------------ the games


def _engine(wanted: Engine, games: int) -> engines.Engine:
    """``auto`` compiles where it can and where it pays. Raises Complaint."""
    from skirmish.games.beach_head.simulate import engines

    if wanted == "numba" and not engines.is_here():
        raise Complaint(
            "--engine: numba is not installed; install skirmish[fast], or play with numpy."
        )
    pays = wanted == "auto" and games >= WORTH_COMPILING and engines.is_here()
    return "numba" if wanted == "numba" or pays else "numpy"


def _played(
    found: Simulated, policy: Policy, engine: engines.Engine, workers: int | None
) -> Simulated:
    """All games, or those before an interrupt. Raises Complaint."""
    import os

    from skirmish.games.beach_head.simulate import engines
    from skirmish.games.beach_head.simulate.vectors import Endless

    try:
        job = engines.job(found.setup, policy, found.seed, engine)
    except ValueError as error:
        raise Complaint(f"{error}") from None
    if job.text is not None:
        job = job._replace(file=stored_script(job.text))
    many = min(workers or os.cpu_count() or 1, -(-found.asked // engines.CHUNK))
    try:
        with progress(found.asked) as bar:
            engines.ready(job)
            with _executor(engine, many) as pool:
                for tally in engines.simulate(job, found.asked, pool, workers=many):
                    found = found.more(tally)
                    bar.show(found.tally.games)
    except Endless as error:
        raise Complaint(f"{error}") from None
    return found


def stored_script(text: str) -> str | None:
    """Where a script is written, so that its machine code is stored beside it; None where nothing
    can be written."""
    import platformdirs

    from skirmish.games.beach_head.simulate import engines
    from skirmish.sheets.output import write_whole

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
    """Threads for compiled code, which lets go of Python; processes for NumPy; nobody for one."""
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

    if workers < 2:
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


class ProgressBar:
    """How far it is, on stderr, if somebody looks on and has waited for a while."""

    WIDE = 30

    def __init__(self, games: int) -> None:
        self.games, self.began, self.shown = games, time.monotonic(), 0.0
        self.watched = sys.stderr is not None and sys.stderr.isatty()

    def show(self, done: int) -> None:
        now = time.monotonic()
        if not self.watched or now - self.began < PATIENCE or now - self.shown < 0.1:
            return
        self.shown = now
        full = self.WIDE * done // self.games
        speed = round(done / (now - self.began), -3)
        text = f"{'#' * full}{'.' * (self.WIDE - full)} {100 * done // self.games:3}%  "
        print(f"\r{text}{done:,} games, {speed:,.0f} a second ", end="", file=sys.stderr)
        sys.stderr.flush()

    def wipe(self) -> None:
        if self.shown:
            print("\r" + " " * 79 + "\r", end="", file=sys.stderr)
            sys.stderr.flush()


@contextmanager
def progress(games: int) -> Iterator[ProgressBar]:
    """A bar; Ctrl+C ends what is done within, and what follows goes on."""
    bar = ProgressBar(games)
    try:
        with suppress(KeyboardInterrupt):
            yield bar
    finally:
        bar.wipe()


def _as_csv(found: Simulated) -> bytes:
    lines = ["measure,value,games"]
    for name, spread in found.tally.spreads():
        lines += [f"{name},{value},{count}" for value, count in spread.pairs()]
    return "".join(f"{line}\r\n" for line in lines).encode()
