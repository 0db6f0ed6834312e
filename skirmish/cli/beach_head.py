"""``skirmish beach-head``: the shell's commands for this game, and its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from skirmish.cli import beach_head_simulate, games
from skirmish.cli.beach_head_simulate import Variant, answered, new_setup
from skirmish.cli.line_play import say_journal
from skirmish.cli.print_options import Force, Form, Ink, Inks, Output, Paper, Sheet
from skirmish.cli.speaking import Complaint, say, say_json, say_page, say_wrapped
from skirmish.registry import BEACH

if TYPE_CHECKING:
    from skirmish.games.beach_head.policies import GamePolicy
    from skirmish.games.beach_head.ruleset import Setup
    from skirmish.games.beach_head.state import State

MOST_GAMES = 10_000

app = games.group(BEACH, "Show, copy and simulate games of Beach Head.", "beach-head")
app.command()(beach_head_simulate.simulate)


@app.command()
def rulings(
    which: Annotated[
        list[str] | None, typer.Argument(metavar="[B7]...", help="Only these.")
    ] = None,
    as_json: games.AsJson = False,
) -> None:
    """List the gaps in the rules and their rulings.

    The default is marked with *; a gap with one ruling leaves nothing to choose. A preset names
    several rulings at once. To choose one, give its name to --readings, as in B7=tank.

    Example: skirmish beach-head rulings B7 B18
    """
    from skirmish import library

    book = library.beach_rulings()
    names = [one.upper() for one in which or ()]
    for name in names:
        if name not in book.rulings:
            first, *_, last = book.rulings
            raise Complaint(f"There is no ruling “{name[:20]}”; they run from {first} to {last}.")
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
    readings: Annotated[
        str | None,
        typer.Option(
            "--readings",
            metavar="WORDS",
            help="Of one reading only: a preset, or rulings as in B7=tank,B11=any.",
        ),
    ] = None,
    as_json: games.AsJson = False,
) -> None:
    """List the scores of finished games, the best first.

    There is a table for each beach and reading, with cards and without: only these can be
    compared.

    Example: skirmish beach-head scores --variant omaha
    """
    from skirmish import library

    reading = None if readings is None else library.beach_rulings().named(answered(readings))

    def wanted(state: State) -> bool:
        setup = state.setup
        return variant in (None, setup.variant) and reading in (None, setup.reading)

    games.say_scores(BEACH, as_json, None if variant is reading is None else wanted)


@app.command()
def auto(  # noqa: PLR0917  (typer gives them by name)
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="Who plays: plain or better.")
    ] = "better",
    games: Annotated[
        int, typer.Option(metavar="N", help="Number of games; several are only summed up.")
    ] = 1,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same games.")] = 1,
    readings: Annotated[
        str,
        typer.Option(metavar="NAMES", help="printed, draft_1d6, or rulings: B7=tank,B11=any."),
    ] = "printed",
    variant: Annotated[
        Variant, typer.Option(case_sensitive=False, help="Which beach.")
    ] = Variant.NORMANDY,
    cards: Annotated[
        bool, typer.Option("--cards/--no-cards", help="With a hand of cards, or dice alone.")
    ] = True,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only the result.")
    ] = False,
) -> None:  # fmt: skip
    """Have the program play Beach Head, and show what it does.

    \b
    plain chooses targets at random and plays no cards; better chooses targets and
    plays cards so as to lose few squads.
    Example: skirmish beach-head auto --policy better --variant omaha --seed 7
    """
    from skirmish.games.beach_head.policies import POLICIES
    from skirmish.tabletop.chance import Source

    chosen = beach_head_simulate.policy_named(policy, POLICIES)
    beach_head_simulate.check("games", games, 1, MOST_GAMES)
    beach_head_simulate.check("seed", seed, 0)
    answers = answered(readings)
    setups = (  # the dice and the cards of a game know nothing of each other
        new_setup(
            answers,
            variant,
            dice=2 * number,
            cards=Source("deck", 2 * number + 1) if cards else None,
        )
        for number in range(seed * MOST_GAMES, seed * MOST_GAMES + games)
    )
    if games > 1:
        _sums(setups, chosen, games, seed)
    elif quiet:
        _ending(next(setups), chosen, seed)
    else:
        _journal(next(setups), chosen, seed)


def _journal(setup: Setup, policy: GamePolicy, seed: int) -> None:
    from random import Random

    from skirmish.games.beach_head.events import Opened
    from skirmish.registry import load
    from skirmish.tabletop.journal import Entry

    game, chance = load(BEACH.id), Random(seed)
    play = game.codec.play([Entry(1, "open", None, (Opened(setup=setup),))])
    while not play.state.over:
        play.accept(play.consider(policy.order(play.state, chance)))
    say_journal(game.journal(play), f"{setup.title}, {_how(setup, policy)}.")


def _ending(setup: Setup, policy: GamePolicy, seed: int) -> None:
    from skirmish.games.beach_head.policies import play_out
    from skirmish.games.beach_head.wording import headline

    state = play_out(setup, policy, seed)
    say_wrapped(f"{setup.title}, {_how(setup, policy)}: {headline(state)}, {state.squads} ashore.")


def _how(setup: Setup, policy: GamePolicy) -> str:
    cards = "without cards"
    if setup.cards is not None:
        cards = "with cards" if policy.plays_cards else "with cards that it does not play"
    return f"{cards}, reading {setup.reading}, policy {policy.name}"


def _sums(setups: Iterator[Setup], policy: GamePolicy, games: int, seed: int) -> None:
    """All games, or those before an interrupt."""
    from skirmish.games.beach_head.policies import play_out, tally_of
    from skirmish.games.beach_head.simulate.statistics import figures
    from skirmish.tabletop.page import Page, Paragraph

    states: list[State] = []
    with beach_head_simulate.progress(games) as bar:
        for setup in setups:
            states.append(play_out(setup, policy, seed + len(states)))
            bar.show(len(states))
    if not states:
        raise typer.Exit(130)
    setup = states[0].setup
    lead = f"{setup.title}: {len(states):,} games {_how(setup, policy)}, seed {seed}"
    asked = f"Interrupted: you asked for {games:,} games." if len(states) < games else ""
    say_page(Page("", (Paragraph(lead), Paragraph(asked), figures(tally_of(states)))))
    if asked:
        raise typer.Exit(130)


def sheet(
    *,
    variant: Annotated[
        Variant | None,
        typer.Option("--variant", case_sensitive=False, help="The beach; Normandy by default."),
    ] = None,
    readings: Annotated[
        str | None,
        typer.Option(
            "--readings",
            metavar="WORDS",
            help="A preset, or rulings such as B7=tank,B11=any; see `skirmish beach-head rulings`.",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="N", help="Print this game as it stands, with its rulings."),
    ] = None,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    form: Form = False,
    force: Force = False,
) -> None:
    """Print the Beach Head play sheet, two sides.

    The front has the turn with its tables and cards, the back everything you tick off. The file
    is beach-head.pdf, or beach-head-N.pdf for a game, in the current folder unless -o is given.

    Example: skirmish print beach-head --variant omaha
    """
    from skirmish.cli.files import deliver
    from skirmish.sheets.beach_head import documents
    from skirmish.sheets.documents import Look, StoredGame
    from skirmish.tabletop.chance import Source

    stored: StoredGame | None = None
    setup: Setup | None = None
    ended, (document,) = "", documents()
    if game is None:
        beach = variant or Variant.NORMANDY
        setup = new_setup(answered(readings or ""), beach, cards=Source("deck"))
    else:
        for name, given in (("--variant", variant), ("--readings", readings)):
            if given is not None:
                raise Complaint(f"{name} cannot be combined with --game, which has its own.")
        record, _, play = games.looked_up(game, BEACH)
        stored = StoredGame(record.id, play, record.started)
        ended = record.updated[:10] if play.state.over else ""
    look = Look(paper.value, ink.value, form)
    data = document.pdf(stored or setup, look, ended=ended)
    deliver(data, output, document.name(stored), force, document.called)
