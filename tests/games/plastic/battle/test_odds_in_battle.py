"""A volley fought out in the battle, card by card, against the odds that were told before."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from msgspec.structs import replace
from stage import armies, card

from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.events import AnyEvent, Ceased
from skirmish.games.plastic.battle.events import Tested as SecondDraw
from skirmish.games.plastic.battle.known_pack import FRESH, UNKNOWN, KnownPack, pack_of
from skirmish.games.plastic.battle.orders import AnyOrder, Show, Volley, decide
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import firer_of, one_shot
from skirmish.games.plastic.odds.sweep.sweep import Sweep
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.tabletop.chance import Draw, Source


def carried_out(state: State, order: AnyOrder) -> tuple[State, list[AnyEvent]]:
    events = decide(state, order)
    for event in events:
        state = event.apply(state)
    return state, events


def fought(state: State, order: Volley, cards: tuple[Draw, ...]) -> tuple[int, int]:
    """Hits and weapons lost, with these cards on top."""
    state, events = carried_out(state, order)
    coming = iter(cards)
    while isinstance(state.ask, DrawAsk):
        state, more = carried_out(state, Show((next(coming),)))
        events += more
    hits = sum(event.hits for event in events if isinstance(event, Ceased))
    return hits, sum(event.broken for event in events if isinstance(event, SecondDraw))


@pytest.mark.parametrize("cover", [False, True])
@pytest.mark.parametrize("unit", ["machinegun", "rifle"])
def test_every_order_of_the_last_cards_fought_out_gives_the_odds(unit: str, cover: bool) -> None:
    left = tuple(map(card, ["2H", "5S", "QS", "JS", "9D"]))
    state = armies({"rifle": 3}, {unit: 2}).state
    name = state.source_of("second")
    gone = tuple(one for one in DECK if one not in left)
    few = replace(state.sources[name], gone=gone)
    state = replace(state, sources={**state.sources, name: few})
    table = armies({"rifle": 3}, {unit: 2})
    shot = table.shot(unit, "rifle", by="second")
    order = Volley(shooter=shot.shooter, target=shot.target, count=2, reach=3, cover=cover)
    aimed = prepared(state, order).aim

    pack = pack_of(state, "second").pack
    told = Sweep([firer_of(aimed)] * 2, [3], pack, losses=True).joint()
    seen = Counter(fought(state, order, cards) for cards in permutations(left))
    assert told == {key: Fraction(n, 120) for key, n in sorted(seen.items())}
    assert one_shot(aimed, pack).hit == volley([firer_of(aimed)], [1], pack).expected()


def test_who_may_not_know_the_deck_is_given_a_fresh_one_and_told_so() -> None:
    table = armies({"rifle": 3}, {"machinegun": 1, "rifle": 2})
    table.fire("rifle", "rifle", "2H")
    aimed = prepared(table.state, table.shot("rifle", "rifle", by="second")).aim
    full, hidden = (pack_of(table.state, "second", known) for known in ("full", "hidden"))
    assert (one_shot(aimed, full.pack).hit, full.note) == (Fraction(19, 47), "")
    assert (one_shot(aimed, hidden.pack).hit, hidden.note) == (Fraction(20, 48), FRESH)


def test_a_die_has_nothing_to_hide() -> None:
    state = armies({"rifle": 1}, {"rifle": 1}).state
    source = Source("die", seed=3)
    state = replace(state, sources={**state.sources, state.source_of("second"): source})
    assert pack_of(state, "second", "hidden") == KnownPack(packs.of_die())


def test_a_card_typed_twice_tells_that_the_deck_is_partly_unknown() -> None:
    state = armies({"rifle": 2}, {"rifle": 2}).state
    name = state.source_of("second")
    twice = replace(state.sources[name], gone=(card("2H"), card("4S"), card("2H")))
    state = replace(state, sources={**state.sources, name: twice})
    assert pack_of(state, "second") == KnownPack(packs.fresh(state.setup.rulings), UNKNOWN)
    assert pack_of(state, "second", "hidden").note == FRESH


def test_a_card_typed_without_its_suit_leaves_the_whole_deck_to_count() -> None:
    table = armies({"rifle": 9}, {"machinegun": 2})
    table.fire("machinegun", "rifle", 5)
    aimed = prepared(table.state, table.shot("machinegun", "rifle", by="second")).aim
    known = pack_of(table.state, "second")
    assert (one_shot(aimed, known.pack).hit, known.note) == (Fraction(32, 48), UNKNOWN)
