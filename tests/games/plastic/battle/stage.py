"""Battles for tests: opened in a line, played by orders, with cards that the test chooses.

Both sides draw their own cards or dice unless a test says otherwise, so that a test can set the
next draw by typing it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import (
    CasualtyAsk,
    ChoiceAsk,
    DrawAsk,
    InsideAsk,
    OutcomeAsk,
    PieceAsk,
    RepeatAsk,
    ToVolley,
)
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.ending import hopeless_sides
from skirmish.games.plastic.battle.events import AnyEvent, Lost
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders import (
    Add,
    AddNote,
    Again,
    AnyOrder,
    ChooseCasualties,
    ChooseModel,
    ChooseResult,
    ClearWire,
    Convert,
    Correct,
    Count,
    CountHits,
    CutCharges,
    Dig,
    EndPhase,
    EndTurn,
    Enter,
    Exit,
    Finish,
    Fire,
    GroupMoved,
    Hold,
    Load,
    MarkPinned,
    NameRiders,
    PinTest,
    PlayOn,
    PlayOut,
    Rejudge,
    Reveal,
    Seal,
    Serve,
    SetClock,
    SetLevel,
    SetQuality,
    Show,
    Squad,
    Switch,
    Unload,
    Unseal,
    Volley,
    decide,
    why_not,
)
from skirmish.games.plastic.battle.orders.charges import charges_to_cut
from skirmish.games.plastic.battle.orders.counted_volley import volley_to_count
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.orders.scenario_orders import conversion_of
from skirmish.games.plastic.battle.rows import Row, find_row, rows
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import victory_kind
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Draw, Source, parse_card
from skirmish.tabletop.refusal import Refusal

CARDS = Source("deck")
DICE = Source("die")


def card(written: str | int) -> Draw:
    return parse_card(written) if isinstance(written, str) else Draw(written)


class Table:
    """A battle on the table. Rows are named by side and unit where one contingent has them."""

    def __init__(self, setup: Setup) -> None:
        self.play = record.codec.play([record.opening(setup)])

    @property
    def state(self) -> State:
        return self.play.state

    def order(self, order: AnyOrder) -> tuple[AnyEvent, ...]:
        entry = self.play.consider(order)
        self.play.accept(entry)
        return entry.events

    def order_of_before(self, order: AnyOrder) -> None:
        """Adds a line as earlier versions stored it, when hidden pieces could be shot at."""
        events = decide(replace(self.state, hidden=frozenset()), order)
        number = self.play.entries[-1].number + 1
        self.play.accept(record.BattleEntry(number, "order", order, tuple(events)))

    def undo(self) -> None:
        self.play.accept(self.play.possible("undo"))

    def refusal(self, order: AnyOrder) -> Refusal:
        refusal = why_not(self.state, order)
        assert refusal is not None, order
        return refusal

    def row(self, side: str, unit: str) -> Row:
        found = [row for row in rows(self.state, side) if row.unit.id == unit]
        return next((row for row in found if row.alive), found[0])

    def at(self, turn: int, side: str, phase: int = 1) -> Table:
        """Let the clock run to a moment; where a table leaves a choice, its first line comes."""
        while (self.state.clock.turn, self.state.clock.side) != (turn, side):
            self.order(EndTurn())
            while isinstance(self.state.ask, ChoiceAsk):
                self.order(ChooseResult(0))
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
        return tuple(event for draw in draws for event in self.order(Show((card(draw),))))

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
    options: Options | None = None,
    quality: Mapping[str, str | None] | None = None,
    lots: bool = False,
) -> Table:
    """The basic game between two lists; "first" moves first, so "second" fires first."""
    catalog, book = library.catalog(), library.rulings()
    one, other = (
        muster(ArmyList(name=name, units=dict(units), nation=nation), catalog, book)
        for name, units, nation in zip(("Reds", "Blues"), (first, second), nations, strict=True)
    )
    chosen = SetupChoices(
        rulings=answers or {}, options=options or Options(), quality=quality or {}
    )
    return Table(from_armies(one, other, book, sources=sources, chosen=chosen, lots=lots))


def scenario(
    number: int,
    *,
    sources: Sequence[Source] = (CARDS, CARDS),
    answers: Mapping[str, str] | None = None,
    options: Mapping[str, Sequence[int]] | None = None,
    nationalities: bool = False,
    chosen: SetupChoices | None = None,
) -> Table:
    """A scenario; ``sources`` in the order in which the sides move. Loads are not taken unless
    ``chosen`` says so, so that everybody stands where a test can shoot at him."""
    found = library.scenarios()[number]
    chosen = chosen or SetupChoices(
        rulings=answers or {},
        lists=options or {},
        options=Options(nationalities=nationalities),
        loads=False,
    )
    return Table(
        from_scenario(
            found,
            library.catalog(),
            library.rulings(),
            sources=dict(zip(found.order_of_play(), sources, strict=True)),
            chosen=chosen,
        )
    )


def of(kind: type, events: Sequence[AnyEvent]) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def lost(events: Sequence[AnyEvent]) -> list[str]:
    """The units that these events took."""
    return [event.unit for event in of(Lost, events)]


def some_order(state: State, random: Random) -> AnyOrder:
    """Something that a player might do now: mostly fire, sometimes against the rules' advice,
    sometimes the other business of a table."""
    ask = state.ask
    if ask is not None and random.random() < 0.08:
        besides: list[AnyOrder] = [AddNote("A word."), *_judged_anew(state, random)]
        beside = random.choice(besides)
        if why_not(state, beside) is None:
            return beside
    if ask is None and (sides := hopeless_sides(state)) and random.random() < 0.3:
        return PlayOut(sides=sides)
    match ask:
        case DrawAsk() if (volley := _counted_volley(state)) and random.random() < 0.3:
            low = random.randint(0, min(volley.reach - len(volley.hits), len(volley.pieces) + 1))
            order = CountHits(low=low, aces=random.randint(0, low), broken=random.choice([0, 0, 1]))
            return order if why_not(state, order) is None else replace(order, aces=0, broken=0)
        case DrawAsk():
            return Show(_some_draws(state, ask.side, random, ask.rank))
        case CasualtyAsk():
            # Void lines may have taken away who the question still names.
            there = [key for key in ask.rows if (row := find_row(state, key)) and row.in_sight]
            named = random.choice([0, 0, 1])
            return ChooseCasualties(tuple(random.choices(there, k=named)) if there else ())
        case PieceAsk():
            return ChooseModel(random.choice(ask.pieces))
        case InsideAsk():
            able = [row for row in rows(state, ask.side) if row.in_sight and row.unit.is_guy]
            guys = [row.key for row in able if row.unit.id != "sniper"]
            return NameRiders({random.choice(guys): 1} if guys and random.random() < 0.5 else {})
        case ChoiceAsk():
            return ChooseResult(random.randrange(len(ask.options)))
        case OutcomeAsk(count=True) if random.random() < 0.5:
            return _counted(state, random)
        case OutcomeAsk():
            return Finish(winner=random.choice([None, *state.setup.side_by_id]))
    enemies = rows(state, state.setup.enemy_of(state.firing_side).id)
    if isinstance(ask, RepeatAsk) and random.random() < 0.9:
        return _repeat(state, ask, random, enemies)
    if random.random() < 0.4:
        other = random.choice(OTHER_BUSINESS)(state, random)
        if other is not None and why_not(state, other) is None:
            return other
    if isinstance(ask, RepeatAsk) and why_not(state, EndPhase()) is not None:
        return Hold()
    return _fire_or_go_on(state, random, enemies)


def _repeat(state: State, ask: RepeatAsk, random: Random, enemies: Sequence[Row]) -> AnyOrder:
    side = ask.shot.piece.partition(":")[0]
    guys = [row.key for row in enemies if row.unit.is_guy and row.on_foot]
    again: AnyOrder = Again(
        target=random.choice([None, *guys]),
        cover=random.random() < 0.3,
        grouped=random.random() < 0.8,
    )
    if state.sources[state.source_of(side)].typed and random.random() < 0.3:
        again = Show(_some_draws(state, side, random))
    return again if random.random() < 0.9 and why_not(state, again) is None else Hold()


def _some_draws(
    state: State, side: str, random: Random, rank: int | None = None
) -> tuple[Draw, ...]:
    """What a player may have drawn, one or several; now and then without the suit."""
    source = state.sources[state.source_of(side)]
    count = random.choice([1, 1, 1, 2, 4])
    if source.kind == "die":
        return tuple(Draw(random.randint(1, DIE)) for _ in range(count))
    seen = [*source.gone, *([source.aside] if source.aside else []), *state.hand[1:]]
    count = count if rank is None else 1
    draws: list[Draw] = []
    for nth in range(min(count, max(source.cards_left(DECK), 1))):
        ranks = Counter(card.rank for card in seen)
        left = [card for card in DECK if card not in seen and ranks[card.rank] < 4]
        if rank is not None and nth == 0:
            left = [card for card in left if card.rank == rank]
        if not left:
            left = list(DECK)
        draw = random.choice(left)
        if random.random() < 0.2 and (rank is None or nth):
            draw = Draw(draw.rank)
        draws.append(draw)
        seen.append(draw)
    return tuple(draws)


# ------------------------------------------------------------------ the other business of a table


def _a_row(state: State, random: Random, fit: Callable[[Row], bool]) -> Row | None:
    found = [row for side in state.setup.sides for row in rows(state, side.id) if fit(row)]
    return random.choice(found) if found else None


def _load(state: State, random: Random) -> AnyOrder | None:
    carrier = _a_row(state, random, lambda row: bool(row.unit.seats and row.here))
    if carrier is None:
        return None
    rider = _a_row(
        state,
        random,
        lambda row: (
            row.side == carrier.side
            and bool(row.on_foot)
            and (row.unit.is_guy or "cannon" in row.unit.tags)
        ),
    )
    if rider is None:
        return None
    count = random.randint(1, min(len(rider.on_foot), 10))
    piece = random.choice([None, *carrier.here])
    return Load(
        carrier=carrier.key, riders={rider.key: count}, piece=piece, insist=random.random() < 0.2
    )


def _unload(state: State, random: Random) -> AnyOrder | None:
    carrier = _a_row(state, random, lambda row: any(map(state.riders_of, row.here)))
    return Unload(carrier=carrier.key) if carrier else None


def _exit(state: State, random: Random) -> AnyOrder | None:
    row = _a_row(state, random, lambda row: bool(row.on_foot))
    count = random.randint(1, min(len(row.on_foot), 2)) if row else 0
    counts = random.random() < 0.7
    return Exit(row=row.key, count=count, counts=counts, insist=True) if row else None


def _enter(state: State, random: Random) -> AnyOrder | None:
    row = _a_row(state, random, lambda row: bool(row.waiting))
    if row is None:
        return None
    some = {row.key: random.randint(1, len(row.waiting))}
    return Enter(contingent=row.contingent.id, units=random.choice([{}, some]), insist=True)


def _serve(state: State, random: Random) -> AnyOrder | None:
    row = _a_row(state, random, lambda row: any(piece in state.unserved for piece in row.here))
    if row:
        return Serve(row=row.key, insist=random.random() < 0.5)
    for charges in charges_to_cut(state, state.mover):
        return CutCharges(side=state.mover, charges=charges.id, insist=random.random() < 0.5)
    return None


def _reveal(state: State, random: Random) -> AnyOrder | None:
    row = _a_row(state, random, lambda row: bool(row.hidden))
    return Reveal(row=row.key) if row else None


def _convert(state: State, random: Random) -> AnyOrder | None:
    row = _a_row(state, random, lambda row: conversion_of(state, row) is not None)
    return Convert(row=row.key) if row else None


def _counted(state: State, random: Random) -> AnyOrder:
    return Count(values={side: random.randrange(9) for side in victory_kind(state).counted_sides})


def _correct(state: State, random: Random) -> AnyOrder | None:
    row = _a_row(state, random, lambda row: bool(row.total))
    return Correct(row=row.key, by=random.choice([-2, -1, 1, 2])) if row else None


def _pin(state: State, random: Random) -> AnyOrder | None:
    row = _a_row(state, random, lambda row: bool(row.on_foot))
    return MarkPinned(row.key) if row else None


def _add(state: State, random: Random) -> AnyOrder | None:
    row = _a_row(state, random, lambda row: True)
    if row is None:
        return None
    unit = random.choice([row.unit.id, *state.setup.catalog.units])
    key = str(RowName(row.side, row.contingent.id, unit))
    return Add(row=key, count=random.randint(1, 2))


def _judged_anew(state: State, random: Random) -> list[Rejudge]:
    if not state.all_judged:
        return []
    shots = state.judged
    if not shots or random.random() < 0.4:
        shots = state.all_judged
    order = as_judged(state, random.choice(shots).shot)
    seen = random.choice(["cover", "hull_down", "rear", "close", "grouped"])
    misread = random.choice([None, Draw(random.randint(1, DIE), random.choice("SHDC"))])
    whole = order.shot % 3 == 0
    changed = {seen: not getattr(order, seen), "draw": misread, "volley": whole, "chain": whole}
    if random.random() < 0.4:
        changed["target"] = random.choice([row.key for row in _all_rows(state)])
    if random.random() < 0.4:
        changed["shooter"] = random.choice([row.key for row in _all_rows(state)])
    changed["insist"] = random.random() < 0.5
    return [msgspec.structs.replace(order, **changed)]


def _all_rows(state: State) -> list[Row]:
    return [row for side in state.setup.sides for row in rows(state, side.id)]


def _counted_volley(state: State) -> ToVolley | None:
    """A volley that may be counted. Not in every battle: some are typed anew card by card."""
    scenario = state.setup.scenario
    return volley_to_count(state) if scenario and scenario.number % 2 else None


def _recount(state: State, random: Random) -> AnyOrder:
    before = random.choice(state.all_counts)
    low = random.randint(0, len(before.pieces))
    saved, cover = random.randint(0, low), random.random() < 0.5
    return CountHits(low=low, saved=saved, cover=cover, anew=before.shot.id)


def _rejudge(state: State, random: Random) -> AnyOrder | None:
    if state.all_counts:
        return _recount(state, random)
    return next(iter(_judged_anew(state, random)), None)


def _level(state: State, random: Random) -> AnyOrder:
    side = random.choice(state.setup.sides).id
    kind = state.sources[side].kind
    level = random.choice([state.levels[side], "referee", "clerk", "ledger"])
    seed = random.randrange(99) if level == "referee" else None
    return SetLevel(side=side, level=level, source=Source(kind, seed=seed))


def _check(state: State, random: Random) -> AnyOrder:
    side = random.choice(state.setup.sides).id
    checks: list[AnyOrder] = [GroupMoved(), PinTest(side), ClearWire(side)]
    return random.choice([*checks, Dig(side=side, engineers=random.random() < 0.3)])


def _words(state: State, random: Random) -> AnyOrder:
    side = random.choice(state.setup.sides).id
    words: list[AnyOrder] = [AddNote("A word."), Seal(side=side, text="The mill."), Unseal(side)]
    return random.choice(words)


def _rules(state: State, random: Random) -> AnyOrder:
    quality = random.choice([None, "elite", "regular", "green"])
    change = SetQuality(side=random.choice(state.setup.sides).id, quality=quality)
    option = random.choice(Options.__struct_fields__)
    return change if random.random() < 0.5 else Switch(option=option, on=random.random() < 0.6)


def _clock(state: State, random: Random) -> AnyOrder:
    clock = state.clock
    side = random.choice([clock.side, clock.side, state.setup.enemy_of(clock.side).id])
    return SetClock(turn=clock.turn, side=side, phase=random.randint(1, 4))


OTHER_BUSINESS: tuple[Callable[[State, Random], AnyOrder | None], ...] = (
    _load,
    _load,
    _unload,
    _exit,
    _enter,
    _serve,
    _reveal,
    _convert,
    _counted,
    _correct,
    _correct,
    _add,
    _pin,
    _rejudge,
    _rejudge,
    _check,
    _check,
    _check,
    _words,
    _rules,
    _clock,
    _level,
)


def _fire_or_go_on(state: State, random: Random, enemies: Sequence[Row]) -> AnyOrder:
    shooters = [row for row in rows(state, state.firing_side) if row.ready_count]
    targets = [row for row in enemies if row.on_foot]
    if shooters and targets and random.random() < 0.75:
        shooter, target = random.choice(shooters), random.choice(targets)
        seen: dict[str, Any] = {
            "cover": random.random() < 0.3,
            "hull_down": random.random() < 0.2,
            "rear": random.random() < 0.2,
            "close": random.random() < 0.2,
            "grouped": random.random() < 0.8,
            "insist": random.random() < 0.1,
        }
        shot = Fire(shooter=shooter.key, target=target.key, **seen)
        if shooter.ready_count > 1 and random.random() < 0.2:
            count = random.randint(2, min(shooter.ready_count, 5))
            reach = random.choice([None, 1, 3]) if target.unit.is_guy else None
            shot = Volley(shooter=shooter.key, target=target.key, count=count, reach=reach, **seen)
            others = [
                row for row in shooters if row.key != shooter.key and row.side == shooter.side
            ]
            if others and random.random() < 0.4:
                more = (Squad(random.choice(others).key, random.randint(1, 2)),)
                mixed = replace(shot, more=more)
                if why_not(state, mixed) is None:
                    return mixed
        if why_not(state, shot) is None:
            return shot
    return EndTurn() if random.random() < 0.2 else EndPhase()


def play_on(table: Table, random: Random, orders: int) -> Table:
    """So many orders more, or until the battle is over and the players leave it at that."""
    for _ in range(orders):
        if table.state.outcome is not None:
            if random.random() < 0.5:
                break
            table.order(PlayOn())
        table.order(some_order(table.state, random))
    return table
