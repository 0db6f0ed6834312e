"""``skirmish beach-head auto``: whole games with cards, played by the program and told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from skirmish.cli.beach_head_simulate import Variant
from skirmish.cli.speaking import columns, say, say_wrapped

if TYPE_CHECKING:
    from skirmish.games.beach_head.policies import Policy
    from skirmish.games.beach_head.ruleset import Setup
    from skirmish.games.beach_head.simulate.tally import Tally
    from skirmish.games.beach_head.state import State

MOST_GAMES = 10_000


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
    from skirmish.cli.beach_head_readings import answered
    from skirmish.cli.speaking import Complaint, clipped
    from skirmish.games.beach_head.policies import POLICIES
    from skirmish.tabletop.reading import suggest

    if policy.lower() not in POLICIES:
        raise Complaint(
            f"--policy: there is no “{clipped(policy, 40)}”; {suggest(policy, POLICIES)}"
        )
    if not 1 <= games <= MOST_GAMES:
        raise Complaint(f"--games: a number from 1 to {MOST_GAMES:,}, not {games}.")
    if seed < 0:
        raise Complaint(f"--seed: a number from 0 on, not {seed}.")
    chosen, answers = POLICIES[policy.lower()], answered(readings)
    setups = (
        _setup(answers, variant, seed * MOST_GAMES + number, cards=cards) for number in range(games)
    )
    if games > 1:
        _sums(setups, chosen, games, seed)
    elif quiet:
        _ending(next(setups), chosen, seed)
    else:
        _journal(next(setups), chosen, seed)


def _setup(answers: dict[str, str], variant: Variant, number: int, *, cards: bool) -> Setup:
    """The game of that number; its dice and its cards know nothing of each other."""
    from skirmish import library, shelf
    from skirmish.games.beach_head.ruleset import prepared
    from skirmish.tabletop.chance import Source

    return prepared(
        library.beach_ruleset(),
        library.beach_rulings(),
        rulings=answers,
        variant=variant.value,
        dice=Source("die", 2 * number),
        cards=Source("deck", 2 * number + 1) if cards else None,
        revision=shelf.revision("beach_head"),
    )


def _journal(setup: Setup, policy: Policy, seed: int) -> None:
    from random import Random

    from skirmish.cli.games import say_journal
    from skirmish.games.beach_head.events import Opened
    from skirmish.registry import BEACH, load
    from skirmish.tabletop.journal import Entry

    game, chance = load(BEACH.id), Random(seed)
    play = game.codec.play([Entry(1, "open", None, (Opened(setup=setup),))])
    while not play.state.over:
        play.accept(play.consider(policy.order(play.state, chance)))
    say_journal(game.journal(play), f"{setup.title}, {_how(setup, policy)}.")


def _ending(setup: Setup, policy: Policy, seed: int) -> None:
    from skirmish.games.beach_head.policies import play_out
    from skirmish.games.beach_head.wording import headline

    state = play_out(setup, policy, seed)
    say_wrapped(f"{setup.title}, {_how(setup, policy)}: {headline(state)}, {state.squads} ashore.")


def _how(setup: Setup, policy: Policy) -> str:
    cards = "without cards"
    if setup.cards is not None:
        cards = "with cards" if policy.plays_cards else "with cards that it does not play"
    return f"{cards}, reading {setup.reading}, policy {policy.name}"


# ------------------------------------------------------------------ many games


def _sums(setups: Iterator[Setup], policy: Policy, games: int, seed: int) -> None:
    """All games, or those before an interrupt."""
    from skirmish.cli.beach_head_games import Bar
    from skirmish.games.beach_head.policies import play_out, tally_of

    bar, first = Bar(games), None
    states: list[State] = []
    try:
        for setup in setups:
            first = first or setup
            states.append(play_out(setup, policy, seed + len(states)))
            bar.show(len(states))
    except KeyboardInterrupt:
        pass
    finally:
        bar.wipe()
    if not states or first is None:
        raise typer.Exit(130)
    say_wrapped(f"{first.title}: {len(states):,} games {_how(first, policy)}, seed {seed}")
    if len(states) < games:
        say(f"Interrupted: you asked for {games:,} games.")
    say()
    say("\n".join(_table(tally_of(states))))
    if len(states) < games:
        raise typer.Exit(130)


def _table(tally: Tally) -> Iterator[str]:
    from skirmish.cli.beach_head_lines import NAMES

    head = ("", "mean", "+-", "sd", "min", "half", "max")
    lines = [head]
    for name, spread in tally.spreads():
        lines.append(
            (
                NAMES[name], f"{spread.mean:.2f}", f"{spread.error:.2f}", f"{spread.deviation:.2f}",
                str(spread.least), str(spread.quantile(0.5)), str(spread.most),
            )
        )  # fmt: skip
    return columns(lines, right=range(1, len(head)))
