"""Games of Beach Head for the tests of the command line: played by rule of thumb, then kept as the
app would."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from beach_table import codec, opening
from msgspec.structs import replace

from skirmish import library
from skirmish.games.beach_head import orders
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.registry import BEACH, load
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source

WHOLE = 3000
"""Steps that no game needs."""


def played(steps: int, seed: int = 3, *, cards: bool = True, **setup: Any) -> Any:
    """A game after so many steps: the first target, the first cards, else on and on."""
    begun = library.beach().setup(
        dice=Source("die", seed),
        cards=Source("deck", seed) if cards else None,
        **setup,
    )
    play = codec.play([opening(begun)])
    for _ in range(steps):
        if play.state.over:
            break
        play.accept(play.consider(_order(play.state)))
    return play


def _order(state: Any) -> orders.BeachOrder:
    match state.ask:
        case BeachAsk(what="target", targets=targets):
            return orders.ChooseTarget(target=targets[0])
        case BeachAsk(what="trim", count=count):
            return orders.Discard(cards=state.hand[:count])
        case BeachAsk(what="exchange") | None:
            return orders.Go()
    raise AssertionError(state.ask)


def keep(play: Any, id: str = BEACH.id) -> int:
    """The whole game into the store; its number."""
    game = load(id)
    written = game.codec.written
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    entries = [replace(written(entry), at=at) for entry in play.entries]
    state = play.state
    with Store.open() as store:
        kept = store.add_battle(
            id, game.title(state), game.headline(state), entries, over=game.over(state), started=at
        )
    return kept.id
