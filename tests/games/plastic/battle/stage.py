"""Battles for tests: opened in a line, played by orders, with cards that the test chooses.

Both sides draw their own cards or dice unless a test says otherwise, so that a test can set the
next draw by typing it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.decide import why_not
from skirmish.games.plastic.battle.events import (
    AnyEvent,
    CasualtyAsk,
    DrawAsk,
    Lost,
    OutcomeAsk,
    RepeatAsk,
)
from skirmish.games.plastic.battle.opening import from_armies, from_scenario
from skirmish.games.plastic.battle.orders import (
    Again,
    AnyOrder,
    EndPhase,
    EndTurn,
    Finish,
    Fire,
    Give,
    Hold,
    Show,
)
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, Source, parse_card
from skirmish.tabletop.refusal import Refusal

CARDS = Source("deck")
DICE = Source("die")


def card(written: str | int) -> Draw:
    return parse_card(written) if isinstance(written, str) else Draw(written)


class Table:
    """A battle on the table. Rows are named by side and unit where one contingent has them."""

    def __init__(self, setup: Setup) -> None:
        self.play = record.play([record.opening(setup)])

    @property
    def state(self) -> State:
        return self.play.state

    def order(self, order: AnyOrder) -> tuple[AnyEvent, ...]:
        entry = self.play.consider(order)
        self.play.accept(entry)
        return entry.events

    def undo(self) -> None:
        self.play.accept(self.play.consider_undo())

    def refusal(self, order: AnyOrder) -> Refusal:
        refusal = why_not(self.state, order)
        assert refusal is not None, order
        return refusal

    def row(self, side: str, unit: str) -> Row:
        found = [row for row in rows(self.state, side) if row.unit.id == unit]
        return next((row for row in found if row.alive), found[0])

    def at(self, turn: int, side: str, phase: int = 1) -> Table:
        """Let the clock run to a moment."""
        while (self.state.clock.turn, self.state.clock.side) != (turn, side):
            self.order(EndTurn())
        while self.state.clock.phase < phase:
            self.order(EndPhase())
        return self

    def shot(self, shooter: str, target: str, by: str | None = None, **seen: Any) -> Fire:
        """The order to fire, of the side whose fire it is unless ``by`` says otherwise."""
        side = by or self.state.firing_side
        enemy = self.state.setup.enemy_of(side).id
        return Fire(shooter=self.row(side, shooter).key, target=self.row(enemy, target).key, **seen)

    def fire(
        self, shooter: str, target: str, *draws: str | int, by: str | None = None, **seen: Any
    ) -> tuple[AnyEvent, ...]:
        events = self.order(self.shot(shooter, target, by, **seen))
        return events + self.show(*draws)

    def show(self, *draws: str | int) -> tuple[AnyEvent, ...]:
        return tuple(event for draw in draws for event in self.order(Show(card(draw))))

    def alive(self, side: str, unit: str) -> int:
        return sum(len(row.alive) for row in rows(self.state, side) if row.unit.id == unit)

    def ready(self, side: str, unit: str) -> int:
        return self.row(side, unit).ready_count


def armies(
    first: Mapping[str, int],
    second: Mapping[str, int],
    *,
    sources: tuple[Source, Source] = (CARDS, CARDS),
    answers: Mapping[str, str] | None = None,
    nations: tuple[str | None, str | None] = (None, None),
) -> Table:
    """The basic game between two lists; "first" moves first, so "second" fires first."""
    catalog, book = library.catalog(), library.rulings()
    one, other = (
        muster(ArmyList(name=name, units=dict(units), nation=nation), catalog, book)
        for name, units, nation in zip(("Reds", "Blues"), (first, second), nations, strict=True)
    )
    return Table(from_armies(one, other, book, sources=sources, answers=answers))


def scenario(
    number: int,
    *,
    sources: Sequence[Source] = (CARDS, CARDS),
    answers: Mapping[str, str] | None = None,
    options: Mapping[str, Sequence[int]] | None = None,
    nationalities: bool = False,
) -> Table:
    """A scenario; ``sources`` in the order in which the sides move."""
    found = library.scenarios()[number]
    return Table(
        from_scenario(
            found,
            library.catalog(),
            library.rulings(),
            sources=dict(zip(found.order_of_play(), sources, strict=True)),
            answers=answers,
            options=options,
            nationalities=nationalities,
        )
    )


def of(kind: type, events: Sequence[AnyEvent]) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def lost(events: Sequence[AnyEvent]) -> list[str]:
    """The units that these events took."""
    return [event.unit for event in of(Lost, events)]


def some_order(state: State, random: Random) -> AnyOrder:
    """Something that a player might do now: mostly fire, sometimes against the rules' advice."""
    ask = state.ask
    if isinstance(ask, DrawAsk):
        if ask.die:
            return Show(Draw(random.randint(1, DIE)))
        source = state.sources[state.setup.source_of(ask.side)]
        return Show(random.choice([c for c in DECK if c not in {*source.gone, source.aside}]))
    if isinstance(ask, CasualtyAsk):
        return Give(random.choice([ask.default, *ask.rows]))
    if isinstance(ask, OutcomeAsk):
        return Finish(winner=random.choice([None, *state.setup.side_by_id]))
    enemies = rows(state, state.setup.enemy_of(state.firing_side).id)
    if isinstance(ask, RepeatAsk) and random.random() < 0.9:
        guys = [row.key for row in enemies if row.unit.is_guy and row.alive]
        again = Again(
            target=random.choice([None, *guys]),
            cover=random.random() < 0.3,
            grouped=random.random() < 0.8,
        )
        return again if random.random() < 0.9 and why_not(state, again) is None else Hold()
    return _fire_or_go_on(state, random, enemies)


def _fire_or_go_on(state: State, random: Random, enemies: Sequence[Row]) -> AnyOrder:
    shooters = [row for row in rows(state, state.firing_side) if row.ready_count]
    targets = [row for row in enemies if row.alive]
    if shooters and targets and random.random() < 0.75:
        shot = Fire(
            shooter=random.choice(shooters).key,
            target=random.choice(targets).key,
            cover=random.random() < 0.3,
            hull_down=random.random() < 0.2,
            rear=random.random() < 0.2,
            close=random.random() < 0.2,
            grouped=random.random() < 0.8,
            insist=random.random() < 0.1,
        )
        if why_not(state, shot) is None:
            return shot
    return EndTurn() if random.random() < 0.2 else EndPhase()


def play_on(table: Table, random: Random, orders: int) -> Table:
    """So many orders more, or until the battle is over."""
    for _ in range(orders):
        if table.state.outcome is not None:
            break
        table.order(some_order(table.state, random))
    return table
