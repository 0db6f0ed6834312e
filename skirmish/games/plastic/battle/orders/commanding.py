"""Orders about the program's commander: he is appointed, told where groups stand, asked for his
orders, and told what became of them.

What he decides comes from ``headquarters``. It loads the tables of the map, so it is imported only
where and when it is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress

from msgspec.structs import replace

from skirmish.games.plastic.battle import command_events as events
from skirmish.games.plastic.battle.commanders import (
    Commander,
    CommandOrder,
    GroupShot,
    Half,
    HitchKind,
    TableGroup,
)
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders.firing import Fire, Volley
from skirmish.games.plastic.battle.orders.resolution import OrderOfSide, Resolution, both_sides
from skirmish.games.plastic.battle.orders.turn import Convert, Exit, Load, Unload
from skirmish.games.plastic.battle.rows import existing_row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.weights import CommanderWeights, TemperamentId
from skirmish.tabletop.refusal import Refused, nonsense

AT_A_LOSS = "The program's commander has no answer here; you can play on without it."
"""Where working it out has failed."""
ABANDON, LEAVE, LOAD, UNLOAD = "abandon the gun", "leave the table", "load", "unload"
CLEAR = "clear wire"
"""The verbs of orders that the battle records when they are carried out. They are those of
``commander.actions``, which is not imported here, since it loads NumPy."""
HOLD = "hold"
"""The verb of the order to stay, and to do nothing else."""
HITCHES: Mapping[HitchKind, str] = {
    "blocked": "It cannot get there.",
    "cover": "The cover there is different.",
    "fewer": "Only some of them get there.",
}
"""What players have said, in the journal."""


def who_speaks_for_him(state: State, side: str) -> tuple[str, ...]:
    """The sides whose players give orders about a commander."""
    commander = state.commanders.get(side)
    if commander is not None and commander.advises:
        return (side,)
    return both_sides(state)


def commander_of(state: State, side: str) -> Commander:
    """The commander of a side. Raises Refused if it has none."""
    commander = state.commanders.get(side)
    if commander is None:
        raise nonsense("no_commander", "The program does not command that side.")
    return commander


class CommandersOrder(OrderOfSide, frozen=True, kw_only=True):
    """An order about the commander of a ``side``. Either player may give it: whoever plays against
    the program moves its figures, too. What an adviser says is for his own side alone."""

    when = "any time"
    in_journal = "beside"
    begun_by = "both sides"

    def given_by(self, state: State) -> tuple[str, ...]:
        return who_speaks_for_him(state, self.side)

    def commander(self, state: State) -> Commander:
        """The commander of this order's side. Raises Refused if it has none."""
        return commander_of(state, self.side)


class Appoint(CommandersOrder, frozen=True, kw_only=True, tag="appoint"):
    """The program commands a side, or advises its player; without a ``temperament`` it stops.
    ``aloud``: he says what he is up to. ``seed``: for places among which nothing decides."""

    temperament: TemperamentId | None
    advises: bool = False
    aloud: bool = False
    seed: int = 0
    weights: CommanderWeights | None = None

    def given_by(self, state: State) -> tuple[str, ...]:
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
            self.commander(state)
            words = f"The program commands or advises {the_side} no longer."
            run.emit(events.Appointed(side=self.side, commander=None, words=words))
            return
        if self.weights is None:
            raise nonsense("no_weights", "A commander needs the weights by which he decides.")
        with thinking():
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


class SayWhere(CommandersOrder, frozen=True, kw_only=True, tag="say_where"):
    """A group of either side stands in a ``square`` of the map, in a ``half`` of it, or so many
    times six inches to the right (``columns``) and up the map (``rows``) of where it stood; without
    any of these it is not on the table. Or its cover is other than he takes it to be
    (``other_cover``); or so many of the losses were its own (``lost``)."""

    group: str
    square: str = ""
    half: Half = ""
    other_cover: bool = False
    lost: int = 0
    columns: int = 0
    rows: int = 0

    def carry_out(self, run: Resolution) -> None:
        commander = self.commander(run.state)
        group = commander.group(self.group)
        if group is None:
            raise nonsense("unknown_group", f"There is no group called {self.group!r}.")
        of_enemy = group in commander.enemies
        if self.lost:
            self._lose(run, group, of_enemy=of_enemy)
        elif self.other_cover:
            covered = replace(group, cover=not group.cover)
            words = f"{group.name} is in the open."
            if covered.cover:
                words = f"{group.name} is in cover."
            self._place(run, covered, words, of_enemy=of_enemy)
        elif self.square or self.columns or self.rows:
            moved = self._moved(run.state, group)
            if of_enemy:
                take_off_own_losses(run, self.side)
            words = f"{group.name} stands in {square_of(moved)}."
            self._place(run, moved, words, of_enemy=of_enemy)
        else:
            gone = replace(group, cell=None, cover=False)
            words = f"{group.name} is not on the table."
            self._place(run, gone, words, of_enemy=of_enemy)

    def _moved(self, state: State, group: TableGroup) -> TableGroup:
        """The group where it is said to stand. Raises Refused for what is not on the table."""
        if self.square:
            return moved_to(state, self.side, group, self.square, self.half)
        from skirmish.games.plastic.battle.headquarters.squares import shifted  # noqa: PLC0415

        try:
            return shifted(state, state.commanders[self.side], group, self.columns, self.rows)
        except ValueError as error:
            raise nonsense("unknown_square", str(error)) from None

    def _place(self, run: Resolution, group: TableGroup, words: str, *, of_enemy: bool) -> None:
        run.emit(
            events.GroupsPlaced(side=self.side, groups=(group,), of_enemy=of_enemy, words=words)
        )

    def _lose(self, run: Resolution, group: TableGroup, *, of_enemy: bool) -> None:
        """So many of the losses were those of this group, and not of others that lost them so
        far."""
        from skirmish.games.plastic.battle.headquarters.command_post import (  # noqa: PLC0415
            command_post,
        )

        number = min(self.lost, group.strength)
        with thinking():
            groups = command_post(run.state, self.side).changed_if_lost_by(group.id, number)
        words = f"{number} of the losses were {group.name}'s."
        run.emit(
            events.GroupsPlaced(
                side=self.side, groups=tuple(groups), of_enemy=of_enemy, words=words
            )
        )


def square_of(group: TableGroup) -> str:
    """The square of the map in which a group stands; empty while it is not on the table."""
    if group.cell is None:
        return ""
    return group.cell.square


def take_off_own_losses(run: Resolution, side: str) -> None:
    """Take the losses of a commander's own groups off them. It is done before the enemy moves: of
    several groups the one nearest to who fired has lost them, and now it is known from where."""
    from skirmish.games.plastic.battle.headquarters.command_post import (  # noqa: PLC0415
        command_post,
    )

    with thinking():
        groups = command_post(run.state, side).own_with_losses()
    if groups:
        run.emit(events.GroupsPlaced(side=side, groups=tuple(groups), words=""))


class SayPlaces(CommandersOrder, frozen=True, kw_only=True, tag="say_places"):
    """Where several groups stand: ``places``. With ``gone_on`` the enemy has moved: all of his
    groups that moved in his last turn have gone on in the same direction, as the program proposes
    it, but those of ``places`` and those that ``stay``."""

    places: tuple[SayWhere, ...] = ()
    gone_on: bool = False
    stay: tuple[str, ...] = ()

    def carry_out(self, run: Resolution) -> None:
        self.commander(run.state)  # refused where there is none
        named = {*self.stay, *(place.group for place in self.places)}
        if self.gone_on:
            go_on(run, self.side, except_for=named)
        for place in self.places:
            replace(place, side=self.side).carry_out(run)


def go_on(run: Resolution, side: str, *, except_for: Collection[str] = ()) -> None:
    """The enemy's groups have gone on as the commander of a side proposes it, and with that all
    their moves are told. ``except_for``: those of which players say themselves where they are."""
    from skirmish.games.plastic.battle.headquarters.enemy_turn import enemy_turn  # noqa: PLC0415

    with thinking():
        in_enemy_turn = enemy_turn(run.state, side)
        moves_of = in_enemy_turn.turn_of_unreported_moves()
        groups = []
        for id, group in in_enemy_turn.gone_on.items():
            if id not in except_for:
                groups.append(group)
    if not moves_of:
        return
    words = ""
    if groups:
        group_word, have = "groups", "have"
        if len(groups) == 1:
            group_word, have = "group", "has"
        setup = run.state.setup
        owned = setup.owned_by(setup.enemy_of(side).id, group_word)
        words = f"{len(groups)} {owned} {have} gone on as in the last turn."
        take_off_own_losses(run, side)
    run.emit(
        events.GroupsPlaced(
            side=side, groups=tuple(groups), of_enemy=True, moves_of=moves_of, words=words
        )
    )


class AskForOrders(CommandersOrder, frozen=True, kw_only=True, tag="ask_for_orders"):
    """He says what every group is to do that has no order in this turn. ``seed``: for draws between
    ways that are equal. ``gone_on``: before that, the enemy's groups have gone on as proposed."""

    seed: int = 0
    gone_on: bool = False

    def carry_out(self, run: Resolution) -> None:
        from skirmish.games.plastic.battle.headquarters.command_post import (  # noqa: PLC0415
            command_post,
        )
        from skirmish.games.plastic.battle.headquarters.own_turn import OwnTurn  # noqa: PLC0415

        state, commander = run.state, self.commander(run.state)
        if state.mover != self.side or state.clock.phase != 1:
            refuse_out_of_turn(state, self.side)
        if self.gone_on:
            go_on(run, self.side)
            state, commander = run.state, self.commander(run.state)
        with thinking():
            given = OwnTurn(command_post(state, self.side)).turn_orders(self.seed)
        groups, have = "groups", "have their orders"
        if len(given.orders) == 1:
            groups, have = "group", "has its orders"
        owned = state.setup.owned_by(self.side, groups)
        words = f"{len(given.orders)} {owned} {have}."
        if commander.aloud and given.plan:
            words = f"{words} {given.plan}"
        run.emit(
            events.OrdersGiven(
                side=self.side,
                turn=state.clock.turn,
                groups=given.groups,
                enemies=given.enemies,
                orders=given.orders,
                plan=given.plan,
                notes=given.notes,
                words=words,
            )
        )


class CarryOut(CommandersOrder, frozen=True, kw_only=True, tag="carry_out"):
    """A group has done as it was ordered; with a ``square`` it stands there instead, in a ``half``
    of it. Loading, leaving the table and abandoning a gun are recorded with it."""

    group: str
    square: str = ""
    half: Half = ""

    @property
    def insist(self) -> bool:
        """Players have seen it: what speaks against it is noted, and stops nothing."""
        return True

    def carry_out(self, run: Resolution) -> None:
        commander = self.commander(run.state)
        order = open_order(commander, self.group)
        group = commander.group(self.group)
        groups, words = order.after, order.words
        if group is None:
            groups = ()  # men have mounted it meanwhile, or it was lost
        else:
            _write_down(run, self.side, group, order)
        if self.square:
            moved = []
            for changed in groups:
                if changed.id == self.group and changed.strength:
                    moved.append(moved_to(run.state, self.side, changed, self.square, self.half))
                else:
                    moved.append(changed)
            groups = tuple(moved)
            words = f"{words} It is in {self.square} now."
        run.emit(
            events.OrderDone(
                side=self.side,
                group=self.group,
                groups=groups,
                words=words,
                cleared=_cleared(order),
            )
        )


def _cleared(order: CommandOrder) -> GroundCell | None:
    """The cell whose wire is cleared by an order; None if it is another order."""
    if order.verb == CLEAR:
        return order.cell
    return None


def _write_down(run: Resolution, side: str, group: TableGroup, order: CommandOrder) -> None:
    """What an order changes in the battle, beside where groups stand."""
    if order.verb == ABANDON:
        _abandon(run, side, group)
    elif order.verb == LEAVE:
        _leave(run, side, group)
    elif order.verb == UNLOAD:
        _unload(run, side, group)
    elif order.verb == LOAD:
        _load(run, side, order)


def _row_of(side: str, group: TableGroup, unit: str) -> str:
    """The key of the row to which those of a group with this unit belong."""
    return str(RowName(side, group.known.contingent, unit))


def _abandon(run: Resolution, side: str, group: TableGroup) -> None:
    """The men of an emplaced gun are riflemen from now on."""
    for unit, count in group.known.counts.items():
        Convert(row=_row_of(side, group, unit), count=count).carry_out(run)


def _leave(run: Resolution, side: str, group: TableGroup) -> None:
    """The group leaves the table, with whoever is aboard."""
    riders = {}
    for unit, count in group.known.aboard.items():
        riders[unit] = _exited(run.state, _row_of(side, group, unit)) + count
    for unit, count in group.known.counts.items():
        _leave_of_row(run, _row_of(side, group, unit), count)
    for unit, expected in riders.items():
        # Of whom it was not written down that they ride, nobody left with the carrier.
        row = _row_of(side, group, unit)
        _leave_of_row(run, row, expected - _exited(run.state, row))


def _leave_of_row(run: Resolution, row: str, count: int) -> None:
    """So many of a row leave, or as many as there are: some may have been lost on their way."""
    number = min(count, len(existing_row(run.state, row).on_foot))
    if number > 0:
        Exit(row=row, count=number).carry_out(run)


def _unload(run: Resolution, side: str, group: TableGroup) -> None:
    """Who is known to ride gets out: of the carriers like the group's, that one whose riders are
    most like its men."""
    for unit in group.known.counts:
        row = existing_row(run.state, _row_of(side, group, unit))
        likeness: dict[str, int] = {}
        for piece in row.here:
            riders = Counter(run.state.unit_of(rider) for rider in run.state.riders_of(piece))
            if riders:
                likeness[piece] = (riders & Counter(group.known.aboard)).total()
        if likeness:
            carrier = max(likeness, key=likeness.__getitem__)
            Unload(carrier=row.key, piece=carrier).carry_out(run)


def _load(run: Resolution, side: str, order: CommandOrder) -> None:
    """The men ride: as far as the rules let them, else nobody writes it down."""
    for ridden in order.after:
        riders = {}
        for unit, count in ridden.known.aboard.items():
            riders[_row_of(side, ridden, unit)] = count
        for unit in ridden.known.counts:
            if riders:
                with suppress(Refused):
                    carrier = _row_of(side, ridden, unit)
                    Load(carrier=carrier, riders=riders).carry_out(run)


def _exited(state: State, row: str) -> int:
    """How many of a row have left the table."""
    return existing_row(state, row).exited


class AllStay(CommandersOrder, frozen=True, kw_only=True, tag="all_stay"):
    """Every group that was ordered to stay has stayed."""

    def carry_out(self, run: Resolution) -> None:
        staying = []
        for order in self.commander(run.state).orders:
            if order.verb == HOLD:
                staying.append(order)
        if not staying:
            raise nonsense("no_order", "No group is ordered to stay.")
        # Said once for all of them: the journal has a line and not a page.
        words = f"{len(staying)} groups stay where they are."
        if len(staying) == 1:
            words = staying[0].words
        for order in staying:
            run.emit(events.OrderDone(side=self.side, group=order.group, groups=(), words=words))
            words = ""


class CannotDo(CommandersOrder, frozen=True, kw_only=True, tag="cannot_do"):
    """An order cannot be carried out as it is: he chooses anew. ``number``: how many get there,
    where it is ``fewer``."""

    group: str
    why: HitchKind
    number: int = 0

    def carry_out(self, run: Resolution) -> None:
        from skirmish.games.plastic.battle.headquarters.ways import Hitch, ways_in  # noqa: PLC0415

        state = run.state
        order = open_order(self.commander(state), self.group)
        hitch = Hitch(self.why, self.number)
        with thinking():
            other = ways_in(state, self.side).another_order(order, hitch)
        same = (other.verb, other.cell) == (order.verb, order.cell)
        words = f"{HITCHES[self.why]} {other.words}"
        if same:
            words = f"{HITCHES[self.why]} It is still the best. {other.words}"
        run.emit(events.OrderChanged(side=self.side, order=other, words=words))


class Overrule(CommandersOrder, frozen=True, kw_only=True, tag="overrule"):
    """Players have a group do another of the ways that he weighed: the one of this ``number`` in
    his list, from 1. It is carried out at once, and written down as he would have had it."""

    group: str
    number: int

    @property
    def insist(self) -> bool:
        """Players have seen it: what speaks against it is noted, and stops nothing."""
        return True

    def carry_out(self, run: Resolution) -> None:
        from skirmish.games.plastic.battle.headquarters.ways import ways_in  # noqa: PLC0415

        state = run.state
        commander = self.commander(state)
        open_order(commander, self.group)
        with thinking():
            ways = ways_in(state, self.side).of_group(self.group)
        if not 1 <= self.number <= len(ways):
            text = f"There are {len(ways)} ways to choose from, not {self.number}."
            raise nonsense("unknown_way", text)
        way = ways[self.number - 1]
        group = commander.group(self.group)
        if group is not None:
            _write_down(run, self.side, group, way)
        run.emit(
            events.OrderDone(
                side=self.side,
                group=self.group,
                groups=way.after,
                words=f"Overruled: {way.words}",
                cleared=_cleared(way),
            )
        )


class FireAsSaid(OrderOfSide, frozen=True, kw_only=True, tag="fire_as_said"):
    """A group fires as the commander says: at guys in a volley, at a model shot by shot."""

    begun_by = "both sides"

    group: str
    unit: str
    weapon: str
    enemy: str
    """The group that is fired at."""
    aimed_at: str
    """The unit of it that is aimed at."""
    count: int = 1
    """How many fire."""
    cover: bool = False

    def given_by(self, state: State) -> tuple[str, ...]:
        return who_speaks_for_him(state, self.side)

    def carry_out(self, run: Resolution) -> None:
        self._take_off_losses(run)
        state, commander = run.state, commander_of(run.state, self.side)
        group, enemy = commander.group(self.group), commander.group(self.enemy)
        if group is None or enemy is None:
            raise nonsense("unknown_group", "There is no such group.")
        shooter = RowName(self.side, group.known.contingent, self.unit)
        enemy_side = state.setup.enemy_of(self.side).id
        target = RowName(enemy_side, enemy.known.contingent, self.aimed_at)
        shot = GroupShot(
            group=self.group,
            unit=self.unit,
            weapon=self.weapon,
            number=self.count,
            enemy=self.enemy,
            turn=state.clock.turn,
            mover=state.mover,
        )
        reach = _in_reach(state, enemy, self.aimed_at)
        fire: Fire
        if reach is None and self.count == 1:
            fire = Fire(
                shooter=str(shooter), target=str(target), weapon=self.weapon, cover=self.cover
            )
        else:
            # At guys also a gun alone fires as in a volley: after a hit it fires again, at whoever
            # of the group it has not shot at yet, and nobody has to be asked.
            fire = Volley(
                shooter=str(shooter),
                target=str(target),
                weapon=self.weapon,
                cover=self.cover,
                count=self.count,
                reach=reach,
            )
        run.emit(events.GroupFired(side=self.side, shot=shot))
        fire.carry_out(run)

    def _take_off_losses(self, run: Resolution) -> None:
        """Take the losses of the shot before this one off the enemy group at which it was fired,
        while it is known which that was."""
        from skirmish.games.plastic.battle.headquarters.command_post import (  # noqa: PLC0415
            command_post,
        )

        commander_of(run.state, self.side)
        with thinking():
            groups = command_post(run.state, self.side).enemies_with_losses()
        if groups:
            run.emit(
                events.GroupsPlaced(side=self.side, groups=tuple(groups), of_enemy=True, words="")
            )


def _in_reach(state: State, enemy: TableGroup, aimed_at: str) -> int | None:
    """How many of a group a volley can hit: its guys on foot. Models are aimed at one by one: None,
    as for a group that has no guys on foot."""
    if not state.setup.unit(aimed_at).is_guy:
        return None
    guys = 0
    for unit, count in enemy.known.counts.items():
        if state.setup.unit(unit).is_guy:
            guys += count
    return guys or None


def has_fire_left(state: State, side: str) -> bool:
    """Whether the program commands a side and has a shot left in the enemy's phase 2, or has yet to
    be told where the enemy went."""
    commander = state.commanders.get(side)
    if commander is None or commander.advises:
        return False
    if state.mover == side or state.clock.phase != 2:
        return False
    with suppress(Refused), thinking():
        from skirmish.games.plastic.battle.headquarters.enemy_turn import (  # noqa: PLC0415
            enemy_turn,
        )

        in_enemy_turn = enemy_turn(state, side)
        return bool(in_enemy_turn.gone_on or in_enemy_turn.next_shots)
    return False


class DenySight(CommandersOrder, frozen=True, kw_only=True, tag="deny_sight"):
    """A group does not see an enemy group this turn, so he does not have it fire there."""

    group: str
    enemy: str

    def carry_out(self, run: Resolution) -> None:
        commander = self.commander(run.state)
        group, enemy = commander.group(self.group), commander.group(self.enemy)
        if group is None or enemy is None:
            raise nonsense("unknown_group", "There is no such group.")
        words = f"{group.name} does not see {enemy.name}."
        run.emit(
            events.SightDenied(side=self.side, group=self.group, enemy=self.enemy, words=words)
        )


@contextmanager
def thinking() -> Iterator[None]:
    """While he works something out. Whatever fails in it is refused as a sentence: a commander who
    is at a loss never stops the battle."""
    try:
        yield
    except Refused:
        raise
    except Exception as error:  # whatever fails in an extra, the game goes on without it
        raise nonsense("at_a_loss", AT_A_LOSS) from error


def refuse_out_of_turn(state: State, side: str) -> None:
    """Raises Refused: orders are given in the first phase of the side's own turn."""
    whose = state.setup.owned_by(side, "turn")
    raise nonsense("not_his_turn", f"Orders are given in phase 1 of the {whose}.")


def open_order(commander: Commander, group: str) -> CommandOrder:
    """The order of a group that is not carried out yet. Raises Refused if there is none."""
    for order in commander.orders:
        if order.group == group:
            return order
    raise nonsense("no_order", "That group has no order to carry out.")


def moved_to(state: State, side: str, group: TableGroup, square: str, half: Half) -> TableGroup:
    """A group in a square of the map. Raises Refused for one that the table does not have."""
    from skirmish.games.plastic.battle.headquarters.squares import placed_in_square  # noqa: PLC0415

    try:
        return placed_in_square(state, state.commanders[side], group, square, half)
    except ValueError as error:
        raise nonsense("unknown_square", str(error)) from None
