"""Random battles of any size that can be reached, each opened on every screen."""

from __future__ import annotations

from random import Random

import views
from stage import Table, armies, card, play_on, rows

from skirmish import library
from skirmish.games.plastic.battle.orders import AnyOrder, CountHits, Fire, Show, Volley, why_not
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Source

MOST, COUNTED = 9_999, 9


def large(random: Random) -> Table:
    """Two armies of one to five kinds, of any number; every option on or off."""
    units = [*library.catalog().units]

    def army() -> dict[str, int]:
        kinds = random.sample(units, random.randint(1, 5))
        return {kind: random.choice([1, 2, 16, 99, 100, 192, 1_000, MOST]) for kind in kinds}

    options = Options(**{name: random.random() < 0.5 for name in Options.__struct_fields__})
    kind = random.choice(["deck", "deck", "die"])
    seeds = (random.randrange(99), None) if random.random() < 0.5 else (None, None)
    one, other = (Source(kind, seed=seed) for seed in seeds)
    return armies(army(), army(), sources=(one, other), options=options)


def with_fewer_cards(table: Table, random: Random) -> None:
    """Any cards gone from the decks, all of them too: typed for shots and volleys of any size at
    whatever is there, or counted."""
    for draw in random.sample(DECK, random.randint(0, len(DECK))):
        state = table.state
        shooters = [row for row in rows(state, state.firing_side) if row.ready_count]
        targets = rows(state, state.setup.enemy_of(state.firing_side).id)
        if state.outcome is not None or not shooters or not targets:
            return
        target, shooter = random.choice(targets).key, random.choice(shooters)
        most = random.choice([1, 2, 60, MOST])
        count = random.randint(1, min(most, shooter.ready_count))
        reach = random.choice([None, 1, 8, 500, MOST])
        shot = Fire(shooter=shooter.key, target=target, insist=True)
        orders: list[AnyOrder] = [shot, Show((card(str(draw)),))]
        if count > 1:
            shot = Volley(shooter=shooter.key, target=target, insist=True, count=count, reach=reach)
            low = random.randint(0, min(count, reach or count))
            orders = [shot, CountHits(low=low), *orders[1:]] if count > COUNTED else [shot, *orders]
        for order in orders:
            if why_not(table.state, order) is None:
                table.order(order)


def opened_on_every_screen(seed: int) -> None:
    """One such battle: a few shots, then all that screens show, and keys in every prompt."""
    random = Random(seed)
    table = large(random)
    with_fewer_cards(table, random)
    play_on(table, random, random.randint(0, 6))
    views.ask_all(table.play)
    views.every_row(table.play)
    views.press_keys(table.play, random, 2)
