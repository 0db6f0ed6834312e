"""``skirmish beach-head``, and ``skirmish print beach-head``."""

from __future__ import annotations

from random import Random
from typing import Annotated, Literal

import typer

from skirmish import library
from skirmish.cli import beach_head_options as options
from skirmish.cli.beach_head_simulate import progress, simulate
from skirmish.cli.console import CommandError, say_page, say_wrapped
from skirmish.cli.files import AsJson
from skirmish.cli.games import GameVerbs, load_game, say_scores
from skirmish.cli.line_play import say_journal
from skirmish.cli.printing import Form, Target, prints
from skirmish.cli.rulings import add_rulings, named_rulings
from skirmish.games.beach_head.events import Opened
from skirmish.games.beach_head.policies import POLICIES, play_out
from skirmish.games.beach_head.ruleset import Variant
from skirmish.games.beach_head.state import State
from skirmish.registry import BEACH, load
from skirmish.sheets.documents import SHEET, StoredGame, of_game
from skirmish.tabletop.chance import Source
from skirmish.tabletop.journal import Entry
from skirmish.tabletop.page import Page, Paragraph

MOST_PLAYED = 10_000
"""Games of `auto`."""

app = GameVerbs(BEACH, "skirmish beach-head").add_to(
    typer.Typer(help="Show, copy and simulate games of Beach Head.")
)


add_rulings(app, BEACH, "skirmish beach-head")


@app.command()
def scores(
    variant: Annotated[
        Variant | None,
        typer.Option("--variant", case_sensitive=False, help="Of one beach only."),
    ] = None,
    rulings: options.Rulings = None,
    as_json: AsJson = False,
) -> None:
    """List the scores of finished games, the best first.

    There is a table for each beach and reading, with cards and without: only these can be
    compared.

    Example: skirmish beach-head scores --variant omaha
    """
    book = library.beach_rulings()
    reading = None if rulings is None else book.named(named_rulings(rulings, book))

    def wanted(state: State) -> bool:
        setup = state.setup
        return variant in (None, setup.variant) and reading in (None, setup.reading)

    say_scores(BEACH, as_json, None if variant is reading is None else wanted)


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
    seed: options.Seed = 1,
    rulings: options.Rulings = None,
    variant: options.Beach = None,
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
    chosen, first = POLICIES[policy], seed * MOST_PLAYED
    setups = [  # the dice and the cards of a game know nothing of each other
        options.new_setup(rulings, variant, dice=2 * number,
                  cards=Source("deck", 2 * number + 1) if cards else None)
        for number in range(first, first + games)
    ]  # fmt: skip
    setup, hand = setups[0], "with cards" if cards else "without cards"
    if cards and not chosen.plan:
        hand += " that it does not play"
    how = f"{hand}, reading {setup.reading}, policy {chosen.name}"
    if games == 1:
        game, chance = load(BEACH.id), Random(seed)
        play = game.codec.play([Entry(1, "open", None, (Opened(setup=setup),))])
        while not (state := play.state).over:
            play.accept(play.consider(chosen.order(state, chance)))
        if quiet:
            ending = f"{game.headline(state)}, {state.squads} ashore"
            say_wrapped(f"{setup.title}, {how}: {ending}.")
        else:
            say_journal(game.journal(play), f"{setup.title}, {how}.")
        return
    from skirmish.games.beach_head.simulate.statistics import Tally, figures

    states: list[State] = []
    with progress(games) as show:
        for number, one in enumerate(setups):
            states.append(play_out(one, chosen, seed + number))
            show(len(states))
    if not states:
        raise typer.Exit(130)
    lead = f"{setup.title}: {len(states):,} games {how}, seed {seed}"
    asked = f"Interrupted: you asked for {games:,} games." if len(states) < games else ""
    say_page(Page("", (Paragraph(lead), Paragraph(asked), figures(Tally.of(states)))))
    if asked:
        raise typer.Exit(130)


@prints("beach-head")
def sheet(
    *,
    variant: options.Beach = None,
    rulings: options.Rulings = None,
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
        setup = options.new_setup(rulings, variant, cards=Source("deck"))
        to.write(document, setup, form=form)
        return
    for name, given in (("--variant", variant), ("--rulings", rulings)):
        if given is not None:
            raise CommandError(f"{name} cannot be combined with --game, which has its own.")
    record, _, play = load_game(game, BEACH)
    stored = StoredGame(record.id, play, record.started)
    to.write(document, stored, form=form, ended=record.updated[:10] if play.state.over else "")


app.command()(simulate)
