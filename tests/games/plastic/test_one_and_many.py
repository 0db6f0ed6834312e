"""A nation's people are many, the name of an army or of a player is one, in every sentence."""

from __future__ import annotations

from fights import CARDS, a_play, done, row
from msgspec.structs import replace
from textual.content import Content

from skirmish.app.battle.header import who_line
from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.orders import Finish, Fire, why_not
from skirmish.games.plastic.battle.orders.checks import PinTest
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.board import allowed_now
from skirmish.games.plastic.commands import commands
from skirmish.games.plastic.side_messages import waiting_words


def named(state: State, people: str) -> State:
    """The same battle with that name for both sides."""
    sides = tuple(replace(side, people=people) for side in state.setup.sides)
    return replace(state, setup=replace(state.setup, sides=sides))


def test_who_is_one_moves_fires_records_and_seals() -> None:
    state = named(a_play(8).state, "Ben")
    (first, *_) = allowed_now(state)
    assert first.text.startswith("Ben moves now. Ben may fire at anyone")
    side = state.mover
    sealed = events.Sealed(side=side, envelope=events.enveloped("x"))
    assert sealed.narrate(state) == "Ben seals a secret."
    ledger = replace(state, levels=dict.fromkeys(state.levels, "ledger"))
    keyless = next(one for one in commands(ledger, "full") if not one.key)
    (_, who) = keyless.slots(keyless.given)
    assert who.large == "WHO FELL?"
    assert who.text.startswith("Ben records losses only.")
    refusal = why_not(ledger, PinTest(side))
    assert refusal is not None
    assert refusal.message.startswith("Ben records losses only")


def test_who_is_one_loses_men_and_breaks() -> None:
    state = named(a_play(1).state, "Ben")
    (off,) = [command for command in commands(state, "full") if command.key == "-"]
    (_, which) = off.slots(off.given)
    assert which.text.startswith("Units of Ben are taken off")
    setup = replace(
        state.setup, sides=tuple(replace(side, breaks=True) for side in state.setup.sides)
    )
    for status in victory_status(replace(state, setup=setup)):
        assert status.breaks.startswith("breaks at ")


def test_who_is_one_wins_and_draws() -> None:
    play = a_play(1, source=CARDS)
    fires, foe = play.state.firing_side, play.state.mover
    shooter, target = row(play, fires, "r"), row(play, foe, "r")
    done(play, Fire(shooter=shooter, target=target))
    assert waiting_words(named(play.state, "Ben"), "*").endswith("Ben draws.")
    play = done(a_play(8), Finish(winner="german"))
    line = who_line(named(play.state, "Ben"), str, 80)
    assert isinstance(line, Content)
    assert "BEN WINS" in line.plain
    assert "GERMANS WIN" in who_line(play.state, str, 80).plain
