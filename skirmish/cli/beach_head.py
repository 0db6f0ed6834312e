"""``skirmish beach-head``, and ``skirmish print beach-head``.

The commands of every game (``list``, ``show``, ``journal``, ``export``, ``import``) come from
``GameVerbs``. Here are those that only Beach Head has: ``scores`` of one beach, ``auto`` and
``simulate``, and its play sheet for ``skirmish print``.
"""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from skirmish import library, resources
from skirmish.cli.console import INTERRUPTED, CommandError, say_json, say_page, say_wrapped
from skirmish.cli.files import AsJson, Force, check_target, deliver
from skirmish.cli.games import GameVerbs, say_scores
from skirmish.cli.journals import say_journal
from skirmish.cli.printing import Destination, Form, Inks, PaperSize, print_command, print_options
from skirmish.cli.rulings import add_rulings, named_rulings, rulings_option
from skirmish.cli.stored_games import load_game
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.policies import POLICIES, GamePolicy, play_out
from skirmish.games.beach_head.ruleset import BeachSetup, Variant
from skirmish.games.beach_head.simulate.policy import SIMULATED
from skirmish.games.beach_head.state import BeachState
from skirmish.registry import BEACH, load
from skirmish.sheets.documents import SHEET, StoredGame, documents_of_game
from skirmish.store.times import date
from skirmish.tabletop.chance import Source
from skirmish.tabletop.journal import Entry
from skirmish.tabletop.page import Page, Paragraph

if TYPE_CHECKING:
    from skirmish.games.beach_head.simulate.statistics import Simulated

MOST_PLAYED = 10_000
"""The most games that `auto` plays, and the number of games that belong to each of its seeds."""
CSV_NAME = "beach-head-statistics.csv"
PDF_NAME = "beach-head-statistics.pdf"
MOST_WORKERS = 256
"""The most processes of `simulate`."""

# ``--readings`` is an earlier name of the option ``--rulings``.
Rulings = Annotated[
    list[str] | None,
    rulings_option("--readings", help="A preset or B7=tank; see `beach-head rulings`."),
]
Beach = Annotated[
    Variant | None,
    typer.Option("--variant", case_sensitive=False, help="The beach; Normandy by default."),
]
Seed = Annotated[int, typer.Option(min=0, metavar="S", help="Same seed, same games.")]

app = GameVerbs(BEACH, "skirmish beach-head").add_to(
    typer.Typer(help="Show, copy and simulate games of Beach Head.")
)
add_rulings(app, BEACH, "skirmish beach-head")


def new_setup(
    rulings: list[str] | None,
    variant: Variant | None,
    *,
    dice_seed: int | None = None,
    deck: Source | None = None,
) -> BeachSetup:
    """A set-up with the numbers of the present rules. ``dice_seed`` is that of the program's dice;
    None: the player rolls his own. Without a ``deck`` it is a game without cards. Raises
    CommandError for an unknown ruling."""
    game = library.beach()
    answers = named_rulings(rulings or [], game.book)
    beach = variant or "normandy"
    return game.setup(answers, variant=beach, dice=Source("die", dice_seed), cards=deck)


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

    There is a table for each beach and its rulings, with cards and without: only these can
    be compared.

    Example: skirmish beach-head scores --variant omaha
    """
    if variant is None and rulings is None:
        # Without a filter: "No game like that is finished yet" would be wrong.
        say_scores(BEACH, as_json)
        return
    book = library.beach().book
    name_of_rulings: str | None = None
    if rulings is not None:
        name_of_rulings = book.named(named_rulings(rulings, book))

    def is_wanted(state: BeachState) -> bool:
        if variant is not None and state.setup.variant != variant:
            return False
        return name_of_rulings is None or state.setup.named == name_of_rulings

    say_scores(BEACH, as_json, is_wanted)


@app.command()
def auto(  # noqa: PLR0917  (typer gives them by name)
    policy: Annotated[
        Literal["plain", "better"], typer.Option(case_sensitive=False, help="Who plays.")
    ] = "better",
    games: Annotated[
        int,
        typer.Option(
            min=1, max=MOST_PLAYED, metavar="N", help="Number of games; several are only summed up."
        ),
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
    player = POLICIES[policy]
    setups = _setups_for_auto(games, seed, rulings, variant, with_cards=cards)
    hand = "without cards"
    if cards:
        hand = "with cards"
        # The plain policy gets a hand, as the rules deal it, but never plays a card.
        if player.plan is None:
            hand = "with cards that it does not play"
    terms = f"{hand}, rulings {setups[0].named}, policy {player.name}"
    if games == 1:
        _play_one_game(setups[0], player, seed, terms, quiet=quiet)
    else:
        _play_many_games(setups, player, seed, terms)


def _setups_for_auto(
    games: int,
    seed: int,
    rulings: list[str] | None,
    variant: Variant | None,
    *,
    with_cards: bool,
) -> list[BeachSetup]:
    """A set-up for each game. To each seed belong ``MOST_PLAYED`` numbers of games, so that two
    seeds never play the same game."""
    first_number = seed * MOST_PLAYED
    setups = []
    for number in range(first_number, first_number + games):
        # The dice have even seeds and the decks odd ones: with the same seed, the dice and the
        # cards of a game would depend on each other.
        dice_seed = 2 * number
        deck_seed = 2 * number + 1
        deck: Source | None = None
        if with_cards:
            deck = Source("deck", deck_seed)
        setups.append(new_setup(rulings, variant, dice_seed=dice_seed, deck=deck))
    return setups


def _play_one_game(
    setup: BeachSetup, player: GamePolicy, seed: int, terms: str, *, quiet: bool
) -> None:
    """Play one game and print its journal or, with ``quiet``, only its end. ``terms`` says in words
    with which cards, rulings and policy it is played."""
    game = load(BEACH.id)
    # These random numbers decide what the player chooses; those of the dice are in the set-up.
    chance = Random(seed)
    opened = BeachOpened(setup=setup)
    play = game.codec.play([Entry(number=1, kind="open", events=(opened,))])
    while not play.state.over:
        play.accept(play.consider(player.order(play.state, chance)))
    title = f"{setup.title}, {terms}."
    if quiet:
        ending = f"{game.headline(play.state)}, {play.state.squads} ashore."
        say_wrapped(f"{title} {ending}")
    else:
        say_journal(game.journal(play), title)


def _play_many_games(setups: list[BeachSetup], player: GamePolicy, seed: int, terms: str) -> None:
    """Play all games, or those before an interrupt, and print their statistics."""
    from skirmish.games.beach_head.simulate.statistics import interruption_text, statistics_table
    from skirmish.games.beach_head.simulate.tally import GamesTally

    last_states: list[BeachState] = []
    with progress(len(setups)) as advance:
        for number, setup in enumerate(setups):
            last_states.append(play_out(setup, player, seed + number))
            advance(1)
    if not last_states:  # interrupted before the first game was over
        raise typer.Exit(INTERRUPTED)
    was_interrupted = len(last_states) < len(setups)
    heading = f"{setups[0].title}: {len(last_states):,} games {terms}, seed {seed}"
    interruption = ""
    if was_interrupted:
        interruption = interruption_text(len(setups))
    table = statistics_table(GamesTally.of(last_states))
    say_page(Page("", (Paragraph(heading), Paragraph(interruption), table)))
    if was_interrupted:
        raise typer.Exit(INTERRUPTED)


@print_command("beach-head")
def sheet(
    *,
    variant: Beach = None,
    rulings: Rulings = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="N", help="Print this game as it stands, with its rulings."),
    ] = None,
    form: Form = False,
    to: Destination,
) -> None:
    """Print the Beach Head play sheet, two sides.

    The front has the turn with its tables and cards, the back everything you tick off. The file
    is beach-head.pdf, or beach-head-N.pdf for a game, in the current folder unless -o is given.

    Example: skirmish print beach-head --variant omaha
    """
    document = documents_of_game(BEACH.id)[SHEET]
    if game is None:
        setup = new_setup(rulings, variant, deck=Source("deck"))
        to.write(document, setup, form=form)
        return
    for name, typed in (("--variant", variant), ("--rulings", rulings)):
        if typed is not None:
            raise CommandError(f"{name} cannot be combined with --game, which has its own.")
    record, _, play = load_game(game, BEACH)
    stored = StoredGame(record.id, play, record.started)
    ended = ""
    if play.state.over:
        ended = date(record.updated)  # the last change is the end
    to.write(document, stored, form=form, ended=ended)


@app.command()
def simulate(  # noqa: PLR0917  (typer gives them by name)
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Number of games.")] = 100_000,
    policy: Annotated[
        Literal["uniform", "plan", "better"],
        typer.Option(metavar="NAME", help="uniform, plan or better."),
    ] = "uniform",
    rulings: Rulings = None,
    variant: Beach = None,
    seed: Seed = 1,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_WORKERS, metavar="N", help="Processes; default: all cores."),
    ] = None,
    engine: Annotated[  # without effect, so that scripts which name a former engine still work
        Literal["auto", "numpy", "numba"], typer.Option(case_sensitive=False, hidden=True)
    ] = "auto",
    as_json: AsJson = False,
    csv: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Counts of each result as CSV."),
    ] = None,
    pdf: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The statistics as PDF."),
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
    from skirmish.games.beach_head.simulate.statistics import Simulated, read_playtest

    # A file that cannot be written is refused before the games, which may take minutes.
    if csv is not None:
        check_target(csv, CSV_NAME, force, "--csv")
    if pdf is not None:
        check_target(pdf, PDF_NAME, force, "--pdf")
    options = print_options(paper, ink)
    setup = new_setup(rulings, variant)
    simulated = _simulated_games(Simulated(setup, policy, seed, games), workers)
    if simulated.tally.games == 0:  # interrupted before the first games were over
        raise typer.Exit(INTERRUPTED)
    playtest = read_playtest(resources.table("beach_head/playtest.toml"))
    page = simulated.page(library.beach().book, playtest)
    if as_json:
        say_json(simulated.data(playtest))
    else:
        say_page(page, title=False)
    if csv is not None:
        deliver(_as_csv(simulated), csv, CSV_NAME, force, "CSV", option="--csv")
    if pdf is not None:
        from skirmish.sheets.page_sheet.document import page_pdf

        data = page_pdf(page, paper=options.paper, use=options.use)
        deliver(data, pdf, PDF_NAME, force, "Statistics", option="--pdf")
    if simulated.tally.games < games:
        raise typer.Exit(INTERRUPTED)


def _simulated_games(request: Simulated, workers: int | None) -> Simulated:
    """The ``request``, which has no games yet, with the tally of its games, or of those before an
    interrupt. Raises CommandError if a game never ends."""
    from concurrent.futures import ProcessPoolExecutor

    from skirmish.games.beach_head.simulate import engine

    job = engine.Job(request.setup, SIMULATED[request.policy], request.seed)
    # Each process plays whole chunks of games, so that no more processes than chunks are of use.
    chunks = math.ceil(request.asked / engine.CHUNK)
    processes = min(workers or _number_of_cores(), chunks)
    simulated = request
    pool: ProcessPoolExecutor | None = None
    if processes > 1:
        pool = ProcessPoolExecutor(processes, initializer=_ignore_interrupts)
    try:
        with progress(request.asked) as advance:
            for tally in engine.simulate(job, request.asked, pool, workers=processes):
                simulated = simulated.with_more_games(tally)
                advance(tally.games)
    except engine.Endless as error:
        raise CommandError(str(error)) from None
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
    return simulated


def _number_of_cores() -> int:
    """The cores of this machine; 1 where Python cannot count them."""
    return os.cpu_count() or 1


def _ignore_interrupts() -> None:
    """Every worker begins with this: Ctrl+C reaches all processes, but only the one that started
    the workers may react."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on stderr, if that is a terminal, while a ``with`` block runs. The block gets the
    function that advances the bar by a number of games. Ctrl+C ends the block, and the program
    continues after it."""
    with suppress(KeyboardInterrupt):
        if sys.stderr is None or not sys.stderr.isatty():
            yield _advance_nothing
            return
        with typer.progressbar(
            length=games, file=sys.stderr, show_pos=True, show_percent=True
        ) as bar:
            yield bar.update


def _advance_nothing(more_games: int) -> None:
    """Used instead of a bar where stderr is not a terminal."""


def _as_csv(simulated: Simulated) -> bytes:
    """How many games had each value of each measure; lines end as RFC 4180 requires."""
    lines = ["measure,value,games"]
    for name, spread in simulated.tally.spreads().items():
        for value, count in spread.pairs():
            lines.append(f"{name},{value},{count}")
    return "".join(f"{line}\r\n" for line in lines).encode()
