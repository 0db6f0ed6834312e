"""Players appoint the program's commander, ask for his orders to the groups, and report what became
of each: carried out, impossible, or overruled.

What he decides comes from ``headquarters``. It loads the tables of the map, so it is imported only
where and when it is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

from skirmish.games.plastic.battle import command_events as events
from skirmish.games.plastic.battle.commanders import CommandOrder, Half, HitchKind, TableGroup
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders.commanders_order import (
    CommandersOrder,
    errors_refused,
    open_order,
)
from skirmish.games.plastic.battle.orders.group_places import let_enemy_go_on, moved_to
from skirmish.games.plastic.battle.orders.movement import Exit, Load, Unload
from skirmish.games.plastic.battle.orders.resolution import Resolution
from skirmish.games.plastic.battle.orders.scenario_orders import Convert
from skirmish.games.plastic.battle.rows import existing_row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.weights import CommanderWeights, TemperamentId
from skirmish.tabletop.number_words import number_word
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refused, nonsense

ABANDON, LEAVE, LOAD, UNLOAD = "abandon the gun", "leave the table", "load", "unload"
CLEAR = "clear wire"
"""The verbs of a commander's orders with more effect than a new place of the group. They are those
of ``commander.actions``, which is not imported here, since it loads NumPy."""
HOLD = "hold"
"""The verb of the order to stay, and to do nothing else."""
HITCHES: Mapping[HitchKind, str] = {
    "blocked": "It cannot get there.",
    "cover": "The cover there is different.",
    "fewer": "Only some of them get there.",
}
"""Why an order cannot be carried out, as the journal has it."""


class Appoint(CommandersOrder, frozen=True, kw_only=True, tag="appoint"):
    """The program commands a side or advises its player, or it stops doing so."""

    temperament: TemperamentId | None
    """None: it stops."""
    advises: bool = False
    """Whether it only advises the player of the side."""
    aloud: bool = False
    """Whether the commander tells his plan."""
    seed: int = 0
    """For the choice between places that are equally good."""
    weights: CommanderWeights | None = None
    """None only if it stops."""

    def given_by(self, state: State) -> tuple[str, ...]:
        # An adviser is his player's own affair. The state does not know of him before he is
        # appointed.
        if self.advises:
            return (self.side,)
        return super().given_by(state)

    def carry_out(self, run: Resolution) -> None:
        from skirmish.games.plastic.battle.headquarters.appointing import (  # noqa: PLC0415
            appointed,
            groups_read_out,
        )

        state, setup = run.state, run.state.setup
        the_side = setup.the(self.side)
        if self.temperament is None:
            # Refused if there is nobody to dismiss.
            self.commander(state)
            words = f"The program commands or advises {the_side} no longer."
            run.emit(events.Appointed(side=self.side, commander=None, words=words))
            return
        if self.weights is None:
            raise nonsense("no_weights", "A commander needs the weights by which he decides.")
        with errors_refused():
            commander = appointed(
                state,
                self.side,
                temperament=self.temperament,
                weights=self.weights,
                advises=self.advises,
                aloud=self.aloud,
                seed=self.seed,
            )
            groups = groups_read_out(setup, commander.groups)
        verb = "commands"
        if self.advises:
            verb = "advises"
        character = self.weights.temperaments[self.temperament].name.lower()
        words = f"The program {verb} {the_side} ({character}). {groups}"
        run.emit(events.Appointed(side=self.side, commander=commander, words=words))


class AskForOrders(CommandersOrder, frozen=True, kw_only=True, tag="ask_for_orders"):
    """The commander gives an order to every group that has none in this turn."""

    seed: int = 0
    """For the choice between ways that are equally good."""
    gone_on: bool = False
    """Whether the enemy's groups go on before that, as the commander proposes."""

    def carry_out(self, run: Resolution) -> None:
        from skirmish.games.plastic.battle.headquarters.command_post import (  # noqa: PLC0415
            command_post,
        )
        from skirmish.games.plastic.battle.headquarters.own_turn import OwnTurn  # noqa: PLC0415

        state, commander = run.state, self.commander(run.state)
        _refuse_out_of_turn(state, self.side)
        if self.gone_on:
            let_enemy_go_on(run, self.side)
            state, commander = run.state, self.commander(run.state)
        with errors_refused():
            turn_orders = OwnTurn(command_post(state, self.side)).turn_orders(self.seed)
        number = len(turn_orders.orders)
        if number == 1:
            words = f"One {state.setup.owned_by(self.side, 'group')} has its orders."
        else:
            groups = state.setup.owned_by(self.side, "groups")
            words = f"{capital(number_word(number))} {groups} have their orders."
        if commander.aloud and turn_orders.plan:
            words = f"{words} {turn_orders.plan}"
        run.emit(
            events.OrdersGiven(
                side=self.side,
                turn=state.clock.turn,
                groups=turn_orders.groups,
                enemies=turn_orders.enemies,
                orders=turn_orders.orders,
                plan=turn_orders.plan,
                notes=turn_orders.notes,
                words=words,
            )
        )


def _refuse_out_of_turn(state: State, side: str) -> None:
    """Raises Refused outside the first phase of the side's own turn, in which groups move."""
    if state.mover == side and state.clock.phase == 1:
        return
    own_turn = state.setup.owned_by(side, "turn")
    raise nonsense("not_his_turn", f"Orders are given in phase 1 of the {own_turn}.")


class CarryOut(CommandersOrder, frozen=True, kw_only=True, tag="carry_out"):
    """A group has done as it was ordered. What that changes in the battle, such as loading, is
    recorded with it."""

    group: str
    square: str = ""
    """Where the group stands instead of the place that was ordered; empty: it is there."""
    half: Half = ""
    """The half of that square."""

    @property
    def insist(self) -> bool:
        """It has happened on the table, so advice against it is recorded but stops nothing."""
        return True

    def carry_out(self, run: Resolution) -> None:
        commander = self.commander(run.state)
        order = open_order(commander, self.group)
        group = commander.group(self.group)
        groups, words = order.after, order.words
        if group is None:
            # It was lost since the order was given, or its men are now aboard another group.
            groups = ()
        else:
            _record_effects(run, self.side, group, order)
        if self.square:
            groups = tuple(self._at_its_place(run.state, changed) for changed in groups)
            words = f"{words} It is in {self.square} now."
        run.emit(
            events.OrderDone(
                side=self.side,
                group=self.group,
                groups=groups,
                words=words,
                cleared=_cleared_cell(order),
            )
        )

    def _at_its_place(self, state: State, changed: TableGroup) -> TableGroup:
        """A group changed by the order: the ordered one, if any of it is left, in the square in
        which it stands; another one as it is."""
        if changed.id != self.group or not changed.strength:
            return changed
        return moved_to(state, self.side, changed, self.square, self.half)


class AllStay(CommandersOrder, frozen=True, kw_only=True, tag="all_stay"):
    """Every group that was ordered to stay has stayed."""

    def carry_out(self, run: Resolution) -> None:
        staying = []
        for order in self.commander(run.state).orders:
            if order.verb == HOLD:
                staying.append(order)
        if not staying:
            raise nonsense("no_order", "No group is ordered to stay.")
        # The first event has one sentence for all of them, so that the journal does not have a line
        # for each; the others have none.
        words = f"{capital(number_word(len(staying)))} groups stay where they are."
        if len(staying) == 1:
            words = staying[0].words
        for order in staying:
            run.emit(events.OrderDone(side=self.side, group=order.group, groups=(), words=words))
            words = ""


class CannotDo(CommandersOrder, frozen=True, kw_only=True, tag="cannot_do"):
    """A group cannot carry out its order as it is, and the commander chooses another."""

    group: str
    why: HitchKind
    number: int = 0
    """How many get there, if it is fewer than all."""

    def carry_out(self, run: Resolution) -> None:
        from skirmish.games.plastic.battle.headquarters.ways import Hitch, ways_in  # noqa: PLC0415

        state = run.state
        order = open_order(self.commander(state), self.group)
        hitch = Hitch(self.why, self.number)
        with errors_refused():
            other = ways_in(state, self.side).another_order(order, hitch)
        is_same_order = other.verb == order.verb and other.cell == order.cell
        words = f"{HITCHES[self.why]} {other.words}"
        if is_same_order:
            words = f"{HITCHES[self.why]} It is still the best. {other.words}"
        run.emit(events.OrderChanged(side=self.side, order=other, words=words))


class Overrule(CommandersOrder, frozen=True, kw_only=True, tag="overrule"):
    """Players have a group act in another of the ways that the commander weighed. It is carried
    out and recorded at once like his own orders."""

    group: str
    number: int
    """Which of the ways in his list, from 1."""

    @property
    def insist(self) -> bool:
        """It has happened on the table, so advice against it is recorded but stops nothing."""
        return True

    def carry_out(self, run: Resolution) -> None:
        from skirmish.games.plastic.battle.headquarters.ways import ways_in  # noqa: PLC0415

        state = run.state
        commander = self.commander(state)
        # Refused if the group has no order that could be overruled.
        open_order(commander, self.group)
        with errors_refused():
            ways = ways_in(state, self.side).of_group(self.group)
        if not 1 <= self.number <= len(ways):
            text = f"There are {len(ways)} ways to choose from, not {self.number}."
            raise nonsense("unknown_way", text)
        way = ways[self.number - 1]
        group = commander.group(self.group)
        if group is not None:
            _record_effects(run, self.side, group, way)
        run.emit(
            events.OrderDone(
                side=self.side,
                group=self.group,
                groups=way.after,
                words=f"Overruled: {way.words}",
                cleared=_cleared_cell(way),
            )
        )


def _cleared_cell(order: CommandOrder) -> GroundCell | None:
    """The cell whose wire is cleared by the order; None if the order is not to clear wire."""
    if order.verb == CLEAR:
        return order.cell
    return None


def _record_effects(run: Resolution, side: str, group: TableGroup, order: CommandOrder) -> None:
    """Record what an order changes in the battle, besides where groups stand."""
    if order.verb == ABANDON:
        _abandon(run, side, group)
    elif order.verb == LEAVE:
        _leave(run, side, group)
    elif order.verb == UNLOAD:
        _unload(run, side, group)
    elif order.verb == LOAD:
        _load(run, side, order)


def _row_of(side: str, group: TableGroup, unit: str) -> str:
    """The key of the row to which the pieces of this unit in a group belong."""
    return str(RowName(side, group.known.contingent, unit))


def _abandon(run: Resolution, side: str, group: TableGroup) -> None:
    """The crew of an emplaced gun leaves it, and is converted to riflemen. Raises Refused if the
    battle counts fewer on the table than the group has."""
    for unit, count in group.known.counts.items():
        Convert(row=_row_of(side, group, unit), count=count).carry_out(run)


def _leave(run: Resolution, side: str, group: TableGroup) -> None:
    """The group leaves the table, with whoever is aboard."""
    # By unit of the riders, how many of its row will have left once all who are aboard have. It is
    # worked out first, since the exit of a carrier counts its known riders as having left, too.
    exited_in_the_end = {}
    for unit, count in group.known.aboard.items():
        exited_before = _exited_count(run.state, _row_of(side, group, unit))
        exited_in_the_end[unit] = exited_before + count
    for unit, count in group.known.counts.items():
        _exit_from_row(run, _row_of(side, group, unit), count)
    # A carrier takes with it the riders that the battle knows to be aboard. The others leave here.
    for unit, expected in exited_in_the_end.items():
        row = _row_of(side, group, unit)
        _exit_from_row(run, row, expected - _exited_count(run.state, row))


def _exit_from_row(run: Resolution, row: str, count: int) -> None:
    """So many of a row leave, or as many as are left: some may have been lost on their way."""
    on_foot = existing_row(run.state, row).on_foot
    leaving = min(count, len(on_foot))
    if leaving > 0:
        Exit(row=row, count=leaving).carry_out(run)


def _unload(run: Resolution, side: str, group: TableGroup) -> None:
    """The riders get out. The battle does not know which carrier of the row is that of the group:
    it is taken to be the one whose known riders are most like those of the group."""
    for unit in group.known.counts:
        row = existing_row(run.state, _row_of(side, group, unit))
        # By carrier, how many of its riders may be those of the group. A carrier of which no riders
        # are known has nobody who could be recorded as out.
        shared_riders: dict[str, int] = {}
        riders_of_group = Counter(group.known.aboard)
        for piece in row.here:
            riders = Counter(run.state.unit_of(rider) for rider in run.state.riders_of(piece))
            if riders:
                in_both = riders & riders_of_group
                shared_riders[piece] = in_both.total()
        if shared_riders:
            best_piece = max(shared_riders, key=shared_riders.__getitem__)
            Unload(carrier=row.key, piece=best_piece).carry_out(run)


def _load(run: Resolution, side: str, order: CommandOrder) -> None:
    """The men ride from now on. Where the rules refuse it, the battle does not record who rides."""
    for group in order.after:
        riders = {}
        for unit, count in group.known.aboard.items():
            riders[_row_of(side, group, unit)] = count
        if not riders:
            continue
        for carrier_unit in group.known.counts:
            with suppress(Refused):
                carrier_row = _row_of(side, group, carrier_unit)
                Load(carrier=carrier_row, riders=riders).carry_out(run)


def _exited_count(state: State, row: str) -> int:
    """How many of a row have left the table."""
    return existing_row(state, row).exited
