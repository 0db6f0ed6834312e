"""``skirmish beach-head``: the shell's verbs for this game, its rulings, scores and play by the
program, and the simulator; ``skirmish print beach-head``."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from skirmish import library, resources
from skirmish.cli.console import CommandError, say, say_json, say_page, say_wrapped
from skirmish.cli.files import AsJson, Force, deliver, ready_for
from skirmish.cli.games import GameVerbs, load_game, say_scores
from skirmish.cli.line_play import say_journal
from skirmish.cli.printing import Form, Inks, PaperSize, Target, look, prints
from skirmish.cli.rulings import named_rulings, rulings_option
from skirmish.games.beach_head.events import Opened
from skirmish.games.beach_head.policies import POLICIES, SIMULATED, GamePolicy, play_out, tally_of
from skirmish.games.beach_head.ruleset import Setup, prepared
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.wording import headline
from skirmish.registry import BEACH, load
from skirmish.sheets.documents import SHEET, StoredGame, of_game
from skirmish.store.files import write_whole
from skirmish.tabletop.chance import Source
from skirmish.tabletop.journal import Entry
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.page_text import clipped
from skirmish.tabletop.reading import suggest

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from skirmish.games.beach_head.simulate import engines
    from skirmish.games.beach_head.simulate.policy import Policy
    from skirmish.games.beach_head.simulate.statistics import Simulated

CSV_NAME = "beach-head-statistics.csv"
PDF_NAME = "beach-head-statistics.pdf"
MOST_PLAYED = 10_000
"""Games of `auto`; of `simulate`:"""
MOST_GAMES = 100_000_000_000
MOST_WORKERS = 256
WORTH_COMPILING = 1_000_000
"""Games from which on compiled code pays for its compiling."""
PATIENCE = 1.0
"""Seconds before the bar is shown."""


class Variant(StrEnum):
    NORMANDY = "normandy"
    OMAHA = "omaha"


class Engine(StrEnum):
    AUTO = "auto"
    NUMPY = "numpy"
    NUMBA = "numba"


T = TypeVar("T")
Rulings = Annotated[
    list[str] | None,
    rulings_option("--readings", help="A preset or B7=tank; see `beach-head rulings`."),
]
Beach = Annotated[
    Variant | None,
    typer.Option("--variant", case_sensitive=False, help="The beach; Normandy by default."),
]
Seed = Annotated[int, typer.Option(metavar="S", help="The same seed, the same games.")]


app = GameVerbs(BEACH, "skirmish beach-head").add_to(
    typer.Typer(help="Show, copy and simulate games of Beach Head.")
)


@app.command()
def rulings(
    which: Annotated[
        list[str] | None, typer.Argument(metavar="[B7]...", help="Only these.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the gaps in the rules and their rulings.

    The default is marked with *; a gap with one ruling leaves nothing to choose. A preset names
    several rulings at once. To choose one, give its name to --rulings, as in B7=tank.

    Example: skirmish beach-head rulings B7 B18
    """
    book = library.beach_rulings()
    names = [one.upper() for one in which or ()]
    for name in names:
        if name not in book.rulings:
            first, *_, last = book.rulings
            raise CommandError(
                f"There is no ruling “{name[:20]}”; they run from {first} to {last}."
            )
    shown = [book.rulings[name] for name in names] or list(book.rulings.values())
    presets = [] if names else list(book.presets.values())
    if as_json:
        say_json({"presets": presets, "rulings": shown})
        return
    for ruling in shown:
        say_wrapped(f"{ruling.id}  {ruling.title}: {ruling.question}", "", "     ")
        for name, text in ruling.answers.items():
            mark = "*" if name == ruling.default else " "
            chosen = f"{name}: " if len(ruling.answers) > 1 else ""
            say_wrapped(f"{mark} {chosen}{text}", "   ", "     ")
    if presets:
        say("\nPresets:")
    for preset in presets:
        answers = " ".join(f"{name}={answer}" for name, answer in preset.answers.items())
        also = f" ({answers})" if answers else ""
        say_wrapped(f"{preset.id}: {preset.about}{also}", "   ", "     ")


@app.command()
def scores(
    variant: Annotated[
        Variant | None,
        typer.Option("--variant", case_sensitive=False, help="Of one beach only."),
    ] = None,
    rulings: Rulings = None,
    as_json: AsJson = False,
) -> None:
    """List the scores of finished games, the best first.

    There is a table for each beach and reading, with cards and without: only these can be
    compared.

    Example: skirmish beach-head scores --variant omaha
    """
    reading = None if rulings is None else library.beach_rulings().named(_answers(rulings))

    def wanted(state: State) -> bool:
        setup = state.setup
        return variant in (None, setup.variant) and reading in (None, setup.reading)

    say_scores(BEACH, as_json, None if variant is reading is None else wanted)


@app.command()
def auto(  # noqa: PLR0917  (typer gives them by name)
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="Who plays: plain or better.")
    ] = "better",
    games: Annotated[
        int, typer.Option(metavar="N", help="Number of games; several are only summed up.")
    ] = 1,
    seed: Seed = 1,
    rulings: Rulings = None,
    variant: Beach = None,
    cards: Annotated[
        bool, typer.Option("--cards/--no-cards", help="With a hand of cards, or dice alone.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result.")] = False,
) -> None:
    """Have the program play Beach Head, and show what it does.

    \b
    plain chooses targets at random and plays no cards; better chooses targets and
    plays cards so as to lose few squads.
    Example: skirmish beach-head auto --policy better --variant omaha --seed 7
    """
    chosen = policy_named(policy, POLICIES)
    check("games", games, 1, MOST_PLAYED)
    check("seed", seed, 0)
    answers = _answers(rulings)
    setups = (  # the dice and the cards of a game know nothing of each other
        new_setup(
            answers,
            variant,
            dice=2 * number,
            cards=Source("deck", 2 * number + 1) if cards else None,
        )
        for number in range(seed * MOST_PLAYED, seed * MOST_PLAYED + games)
    )
    if games > 1:
        _sums(setups, chosen, games, seed)
    elif quiet:
        _ending(next(setups), chosen, seed)
    else:
        _journal(next(setups), chosen, seed)


def _journal(setup: Setup, policy: GamePolicy, seed: int) -> None:
    from random import Random

    game, chance = load(BEACH.id), Random(seed)
    play = game.codec.play([Entry(1, "open", None, (Opened(setup=setup),))])
    while not play.state.over:
        play.accept(play.consider(policy.order(play.state, chance)))
    say_journal(game.journal(play), f"{setup.title}, {_how(setup, policy)}.")


def _ending(setup: Setup, policy: GamePolicy, seed: int) -> None:
    state = play_out(setup, policy, seed)
    say_wrapped(f"{setup.title}, {_how(setup, policy)}: {headline(state)}, {state.squads} ashore.")


def _how(setup: Setup, policy: GamePolicy) -> str:
    cards = "without cards"
    if setup.cards is not None:
        cards = "with cards" if policy.plays_cards else "with cards that it does not play"
    return f"{cards}, reading {setup.reading}, policy {policy.name}"


def _sums(setups: Iterator[Setup], policy: GamePolicy, games: int, seed: int) -> None:
    from skirmish.games.beach_head.simulate.statistics import figures

    states: list[State] = []
    with progress(games) as show:
        for setup in setups:
            states.append(play_out(setup, policy, seed + len(states)))
            show(len(states))
    if not states:
        raise typer.Exit(130)
    setup = states[0].setup
    lead = f"{setup.title}: {len(states):,} games {_how(setup, policy)}, seed {seed}"
    asked = f"Interrupted: you asked for {games:,} games." if len(states) < games else ""
    say_page(Page("", (Paragraph(lead), Paragraph(asked), figures(tally_of(states)))))
    if asked:
        raise typer.Exit(130)


@prints("beach-head")
def sheet(
    *,
    variant: Beach = None,
    rulings: Rulings = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="N", help="Print this game as it stands, with its rulings."),
    ] = None,
    form: Form = False,
    to: Target,
) -> None:
    """Print the Beach Head play sheet, two sides.

    The front has the turn with its tables and cards, the back everything you tick off. The file
    is beach-head.pdf, or beach-head-N.pdf for a game, in the current folder unless -o is given.

    Example: skirmish print beach-head --variant omaha
    """
    document = of_game(BEACH.id)[SHEET]
    if game is None:
        to.write(document, new_setup(_answers(rulings), variant, cards=Source("deck")), form=form)
        return
    for name, given in (("--variant", variant), ("--rulings", rulings)):
        if given is not None:
            raise CommandError(f"{name} cannot be combined with --game, which has its own.")
    record, _, play = load_game(game, BEACH)
    stored = StoredGame(record.id, play, record.started)
    to.write(document, stored, form=form, ended=record.updated[:10] if play.state.over else "")


@app.command()
def simulate(  # noqa: PLR0917  (typer gives them by name)
    games: Annotated[int, typer.Option(metavar="N", help="Number of games.")] = 100_000,
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="uniform, plan or better.")
    ] = "uniform",
    rulings: Rulings = None,
    variant: Beach = None,
    seed: Seed = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Processes or threads; default: all cores.", show_default=False
        ),
    ] = None,
    engine: Annotated[
        Engine, typer.Option(case_sensitive=False, help="auto: numba, if installed, for a million.")
    ] = Engine.AUTO,
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

    check("games", games, 1, MOST_GAMES)
    check("workers", 1 if workers is None else workers, 1, MOST_WORKERS)
    check("seed", seed, 0)
    for option, chosen, usual in (("--csv", csv, CSV_NAME), ("--pdf", pdf, PDF_NAME)):
        if chosen is not None:
            ready_for(chosen, usual, force, option)
    paper, ink, _ = look(paper, ink)
    by = _engine(engine, games)
    plays = policy_named(policy, SIMULATED)
    setup = new_setup(_answers(rulings), variant)
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


# ------------------------------------------------------------------ options


def check(name: str, value: int, least: int, most: int | None = None) -> None:
    if value < least or (most is not None and value > most):
        upto = "on" if most is None else f"to {most:,}"
        raise CommandError(f"--{name}: a number from {least} {upto}, not {value}.")


def policy_named(name: str, policies: Mapping[str, T]) -> T:
    if name.lower() not in policies:
        hint = suggest(name, policies)
        raise CommandError(f"--policy: there is no “{clipped(name, 40)}”; {hint}")
    return policies[name.lower()]


def _answers(given: list[str] | None) -> dict[str, str]:
    return named_rulings(given or [], library.beach_rulings())


def new_setup(
    answers: dict[str, str],
    variant: Variant | None,
    *,
    dice: int | None = None,
    cards: Source | None = None,
) -> Setup:
    """A game by today's numbers; ``dice``: the seed of the program's, None: the player's own."""
    return prepared(
        library.beach_ruleset(),
        library.beach_rulings(),
        rulings=answers,
        variant=(variant or Variant.NORMANDY).value,
        dice=Source("die", dice),
        cards=cards,
        revision=resources.revision("beach_head"),
    )


# ------------------------------------------------------------------ the games


def _engine(wanted: Engine, games: int) -> engines.Engine:
    """``auto`` compiles where it can and where it pays. Raises CommandError."""
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
    """Where a script is written, so that its machine code is stored beside it; None where nothing
    can be written."""
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


@contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """Shows how many are done, on stderr, if somebody looks on and has waited for a while. Ctrl+C
    ends what is done within, and what follows goes on."""
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
