"""Games of Beach Head for the tests of their screens: set up, kept, driven by keys."""

from __future__ import annotations

from typing import Any

from beach_table import codec, opening
from msgspec.structs import replace
from steps import press, until
from textual.pilot import Pilot

from skirmish import library
from skirmish.app.home import HomeScreen
from skirmish.app.play.games import GamesScreen
from skirmish.app.play.screen import PlayScreen
from skirmish.app.play.setup import GameSetup
from skirmish.games.beach_head.journal import BeachPlay
from skirmish.games.beach_head.orders import BeachOrder, ChooseTarget, Go, ShowDice
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import headline
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source

DICE, DECK = Source("die", seed=7), Source("deck", seed=7)
LONG_AGO = "2026-06-06T06:30:00.000000+00:00"
OWN_DICE, OWN_DECK = Source("die"), Source("deck")


def a_game(
    *orders: BeachOrder, dice: Source = DICE, cards: Source | None = None, **chosen: Any
) -> BeachPlay:
    """A game played so far; without cards unless some are given."""
    setup = library.beach().setup(dice=dice, cards=cards, **chosen)
    play = codec.play([opening(setup)])
    for order in orders:
        play.accept(play.consider(order))
    return play


def on_until(play: BeachPlay, phase: str) -> BeachPlay:
    """Go on until that phase is played."""
    for _ in range(60):
        if play.state.phase == phase:
            return play
        play.accept(play.consider(Go()))
    raise AssertionError(f"the phase {phase} never comes")


def nearly_won(**chosen: Any) -> BeachPlay:
    """A game one die before its end: own dice, all of them sixes, and the bunkers always first."""
    play = a_game(dice=OWN_DICE, **chosen)
    for _ in range(2000):
        order: BeachOrder = Go()
        match play.state.ask:
            case BeachAsk(what="target", targets=targets):
                order = ChooseTarget(target=targets[-1])
            case BeachAsk(what="dice", count=count):
                order = ShowDice(faces=(6,) * count)
            case BeachAsk(what="lot"):
                order = ShowDice(faces=(1,))
        entry = play.consider(order)
        if play.state_with(entry).over:
            return play
        play.accept(entry)
    raise AssertionError("the game is never over")


def keep(where: str, play: BeachPlay) -> None:
    """A game as the app keeps it."""
    entries = [replace(codec.written(one), at=LONG_AGO) for one in play.entries]
    state = play.state
    with Store.open(where) as store:
        store.add_battle(
            "beach_head",
            state.setup.title,
            headline(state),
            entries,
            over=state.over,
            started=LONG_AGO,
        )


async def land(pilot: Pilot[None], *options: str) -> None:
    """Home, Beach Head, a new game, its options, begin."""
    await until(pilot, HomeScreen)
    await press(pilot, "b")
    await until(pilot, GamesScreen)
    await press(pilot, "n")
    await until(pilot, GameSetup)
    await press(pilot, *options, "b")
    await until(pilot, PlayScreen)


def screen(pilot: Pilot[None]) -> PlayScreen:
    found = pilot.app.screen
    assert isinstance(found, PlayScreen)
    return found


def state(pilot: Pilot[None]) -> BeachState:
    found = screen(pilot).session.state
    assert isinstance(found, BeachState)
    return found
