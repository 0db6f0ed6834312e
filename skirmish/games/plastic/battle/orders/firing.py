"""Fire: who fires what at whom, what it needs, what forbids it, and how it is declared.

Every shot is worked out by ``prepared``, also for odds and previews. It refuses what is impossible;
what the rules only advise against is its ``advice``. What becomes of a declared shot is in
``shooting``.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, Shooting
from skirmish.games.plastic.battle.names import piece_side, row_side
from skirmish.games.plastic.battle.orders.declared_shot import (
    aim_of,
    shot_of,
    stands_alone,
    was_close,
)
from skirmish.games.plastic.battle.orders.fire_advice import (
    advice_against,
    forbidden_by_scenario,
    too_dark,
    why_hidden,
    why_out_of_sight,
)
from skirmish.games.plastic.battle.orders.repeat_fire import new_in_sight
from skirmish.games.plastic.battle.orders.resolution import Answer, Order, Resolution
from skirmish.games.plastic.battle.orders.typed_draws import put_in_hand
from skirmish.games.plastic.battle.orders.weapon_choice import best_slot, who_fires
from skirmish.games.plastic.battle.pieces import RIFLEMAN
from skirmish.games.plastic.battle.rows import Row, existing_row, fights_as, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import UnitType, Weapon, a_unit
from skirmish.games.plastic.rules.shot import CLOSE_PHASES, Aim, Circumstances, Shot, aim, why_not
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

STATED_CIRCUMSTANCES = ("cover", "hull_down", "rear", "close", "grouped", "apart")
"""The fields of orders in which players state the circumstances of a shot; each is true or
false."""
MOST_IN_REACH = 99
"""The most guys that players may say are in reach. A group may hold men of other rows too, so that
its size is not that of the row aimed at."""


class Fire(Order, frozen=True, kw_only=True, tag="fire"):
    """One piece of a row fires one shot at a row."""

    anyway = "fires anyway."  # behind its key, as the advice against it shows: "! fires anyway."

    shooter: str
    target: str
    weapon: str | None = None
    """None: the one that fits best."""
    cover: bool = False
    """Whether the target is in cover."""
    hull_down: bool = False
    """Whether the target is hull down."""
    rear: bool = False
    """Whether the target is hit in the rear."""
    close: bool = False
    """Whether the target is within 3 in."""
    grouped: bool = True
    """Whether the man aimed at touches friends."""
    apart: bool = False
    """In phases 3 and 4: whether the target is someone not in contact (P48)."""
    insist: bool = False
    """Whether it is fired against advice."""

    def carry_out(self, run: Resolution) -> None:
        prepared_shot = prepared(run.state, self)
        run.advise(prepared_shot.advice)
        # A machine gun's op fire owes a pin test, after all its repeat shots (P55).
        declare(
            run,
            prepared_shot.shooting,
            agenda_with_pin_tests(run.state, prepared_shot),
            run.overruled_advice,
        )
        run.go_on()

    def given_by(self, state: State) -> tuple[str, ...]:
        del state
        return (row_side(self.shooter),)


class Squad(msgspec.Struct, frozen=True):
    """Men of one row, ``shooter``, who fire in a mixed volley after others; ``count``: how many."""

    shooter: str
    count: int


class Volley(Fire, frozen=True, kw_only=True, tag="volley"):
    """Several of a row fire in one order, each at a man of his own. A shooter for whom no target is
    left has not fired."""

    count: int
    """How many fire."""
    reach: int | None = None
    """How many men can be hit in all, those of other rows of their group included; None: all of the
    row in sight, or one model."""
    more: tuple[Squad, ...] = ()
    """In a mixed volley the squads that fire at the same group after the first row, in their
    order."""

    def carry_out(self, run: Resolution) -> None:
        prepared_shot = prepared(run.state, self)
        run.advise(prepared_shot.advice)
        task = agenda.ToVolley(
            shot=prepared_shot.shooting,
            pieces=prepared_shot.pieces,
            reach=prepared_shot.reach,
            pins=pin_owed(run.state, prepared_shot) is not None,
            parties=tuple(_squad_on_agenda(run.state, shot) for shot in prepared_shot.more),
        )
        squads_after = [_squad_in_journal(run.state, shot) for shot in prepared_shot.more]
        run.emit(
            events.Volleyed(
                side=prepared_shot.side,
                shooter=row_of(run.state, prepared_shot.shooting.piece),
                target=prepared_shot.shooting.target,
                weapon=prepared_shot.shooting.weapon,
                count=len(prepared_shot.pieces),
                reach=prepared_shot.reach,
                needs=prepared_shot.aim.needs,
                more=tuple(squads_after),
                overruled=run.overruled_advice,
                at=prepared_shot.shooting.at,
                then=(task,),
            )
        )
        run.go_on()


def _squad_on_agenda(state: State, shot: PreparedShot) -> agenda.Party:
    """A squad of a mixed volley as the agenda has it."""
    pins = pin_owed(state, shot) is not None
    return agenda.Party(shot=shot.shooting, pieces=shot.pieces, pins=pins)


def _squad_in_journal(state: State, shot: PreparedShot) -> events.VolleyedSquad:
    """A squad of a mixed volley as the journal has it."""
    return events.VolleyedSquad(
        shooter=row_of(state, shot.shooting.piece),
        weapon=shot.shooting.weapon,
        count=len(shot.pieces),
        needs=shot.aim.needs,
    )


class Again(Answer, frozen=True, kw_only=True, tag="again"):
    """The player fires again: a repeat shot."""

    target: str | None = None
    """The row that it is at; None: the same as before."""
    cover: bool = False
    close: bool = False
    """Whether the target is within 3 in."""
    grouped: bool = True
    """Whether the man aimed at touches friends."""
    draws: tuple[Draw, ...] = ()
    """The player's own draw for it and those for the shots that follow, if they are typed
    already."""
    insist: bool = False
    """Whether a card is accepted that is already gone."""

    def carry_out(self, run: Resolution) -> None:
        prepared_shot = prepared(run.state, self)
        then = agenda_with_pin_tests(run.state, prepared_shot, run.rest)
        if self.draws:
            put_in_hand(run, prepared_shot.side, self.draws, insist=self.insist)
        declare(run, prepared_shot.shooting, then)
        run.go_on()


class Hold(Answer, frozen=True, tag="hold"):
    """The player does not fire again."""

    def carry_out(self, run: Resolution) -> None:
        repeat_asked(run.state)  # refused if no repeat shot is offered
        run.go_on(instead=run.rest)


def repeat_asked(state: State) -> agenda.RepeatAsk:
    """The open offer to fire again; raises Refused if there is none."""
    if not isinstance(state.ask, agenda.RepeatAsk):
        raise nonsense("no_repeat", "There is no repeat shot to take.")
    return state.ask


def declare(run: Resolution, shot: Shooting, then: Agenda, overruled: str = "") -> None:
    """Declares the shot and marks its weapon as fired; a hidden shooter is revealed (P69).
    ``then``: the agenda after the shot; ``overruled``: the advice against which it is fired."""
    side = piece_side(shot.piece)
    needs = aim_of(run.state, shot).needs
    run.reveal([shot.piece])
    steps = (agenda.ToJudge(shot=shot), *then)
    run.emit(events.Aimed(shot=shot, side=side, needs=needs, overruled=overruled, then=steps))


class PreparedShot(msgspec.Struct, frozen=True, kw_only=True):
    """A shot worked out, nothing of it declared yet; of a volley, its first shot."""

    shooting: Shooting
    """The shot as it would be declared: which piece fires at which row."""
    shot: Shot
    """The same shot as the rules know it: which unit fires at which unit."""
    aim: Aim
    advice: Refusal | None
    """What speaks against it and can be overruled; None: nothing."""
    pieces: tuple[str, ...] = ()
    """All shooters of its row; empty for a repeat shot, as only ``shooting.piece`` fires it."""
    reach: int = 1
    """How many it can hit, those of other rows of the target's group included."""
    more: tuple[PreparedShot, ...] = ()
    """Of a mixed volley, the first shots of the squads after the first row."""

    @property
    def side(self) -> str:
        """Who fires."""
        return piece_side(self.shooting.piece)

    @property
    def shooter(self) -> UnitType:
        """The unit that fires, as the rules of this battle have it."""
        return self.shot.shooter

    @property
    def target(self) -> UnitType:
        """The unit that is fired at, as the rules of this battle have it."""
        return self.shot.target

    @property
    def squads(self) -> tuple[PreparedShot, ...]:
        """The shot of each row that fires, in their order."""
        return (self, *self.more)


def prepared(state: State, order: Fire | Again) -> PreparedShot:
    """The shot of an order worked out. Raises Refused if it is impossible, but not for advice."""
    if isinstance(order, Again):
        return _prepared_again(state, order)
    if isinstance(order, Volley) and order.more:
        return _prepared_mixed(state, order)
    return _prepared_of_row(state, order)


def _prepared_of_row(state: State, order: Fire) -> PreparedShot:
    """A shot, or a volley of one row."""
    setup = state.setup
    shooter, target = existing_row(state, order.shooter), existing_row(state, order.target)
    _refuse_impossible(state, shooter, target)
    count, reach = _size_of_volley(order, shooter, target)
    # Which weapon fits best depends on all the rest of the shot.
    shot = _shot_without_weapon(state, order, shooter, target)
    shooters_of_volley = None
    if isinstance(order, Volley):
        shooters_of_volley = count
    slot = best_slot(state, shooter, shot, weapon=order.weapon, volley_of=shooters_of_volley)
    weapon = _weapon_in(state, shooter, slot)
    shot = replace(shot, weapon=weapon)
    # An unarmed unit keeps the empty id, and is refused below (``_refusal_by_rules``).
    weapon_id = ""
    if weapon is not None:
        weapon_id = weapon.id
    pieces = who_fires(state, shooter, slot, count)
    if not pieces:
        raise _nobody_left(shooter)
    refusal = _refusal_by_rules(state, shot, shooter, target)
    # One that is firm cannot be overruled; any other is advice.
    if refusal is not None and refusal.firm:
        raise Refused(refusal)
    # Who is on the table and whose fire it is matter more than what speaks against the shot itself.
    advice = advice_against(state, shooter, target, slot, count)
    if advice is None:
        advice = refusal
    return PreparedShot(
        shooting=Shooting(
            id=state.shots + 1,
            piece=pieces[0],
            slot=slot,
            weapon=weapon_id,
            target=target.key,
            first=target.key,  # repeat shots keep it when their ``target`` is another
            at=shot.circumstances,
        ),
        shot=shot,
        aim=aim(shot, setup.catalog, setup.rulings),
        advice=advice,
        pieces=pieces,
        reach=reach,
    )


def _shot_without_weapon(state: State, order: Fire, shooter: Row, target: Row) -> Shot:
    """The shot of an order as the rules know it, before its weapon is chosen."""
    return Shot(
        shooter=fights_as(state, shooter.unit),
        weapon=None,
        target=fights_as(state, target.unit),
        circumstances=_circumstances(state, order),
        nation=state.nation_of(shooter.side),
    )


def _refusal_by_rules(state: State, shot: Shot, shooter: Row, target: Row) -> Refusal | None:
    """What the firing table, the light or the scenario says against the shot: the first of them
    that says anything."""
    refusal = why_not(shot, state.setup.catalog, state.setup.rulings)
    if refusal is None:
        refusal = too_dark(state, shot.circumstances)
    if refusal is None:
        refusal = forbidden_by_scenario(state, shooter, target)
    return refusal


def _refuse_impossible(state: State, shooter: Row, target: Row) -> None:
    """Raises Refused where there is nobody to fire or to fire at, whatever the players say."""
    _refuse_own_side(shooter.side, target.side)
    # Who fell in phase 3 is not alive, and may still fire in phase 4 (P51).
    if not shooter.alive and not shooter.ready_count:
        raise _nobody_left(shooter)
    if not target.alive:
        raise nonsense("nobody_there", f"No {target.unit.name} is left to fire at.")
    hiding = why_hidden(state, target)
    if hiding:
        raise nonsense("hidden", hiding, "Firing")
    if state.levels[shooter.side] == "ledger":
        record = state.setup.does(shooter.side, "record", "records", article="The")
        text = f"{record} losses only: - takes off casualties, I changes that."
        raise nonsense("ledger", text)


def _nobody_left(shooter: Row) -> Refused:
    """The refusal for a row of which nobody can fire."""
    return nonsense("nobody_left", f"No {shooter.unit.name} is left to fire.")


def _circumstances(state: State, order: Fire) -> Circumstances:
    """The circumstances that the players state, and what follows from the phase: in phases 3 and 4
    a shot is in contact unless it is ``apart`` (P48)."""
    phase = state.clock.phase
    touching = phase in CLOSE_PHASES and not order.apart
    return as_stated(state, Circumstances(phase=phase, touching=touching), order)


def _weapon_in(state: State, shooter: Row, slot: int) -> Weapon | None:
    """What is fired from that slot; None if the unit is unarmed. Without the option a sniper has
    the rifle of a rifleman."""
    if not shooter.weapons:
        return None
    if "sniper" in shooter.unit.tags and not state.options.snipers:
        rifleman = state.setup.unit(RIFLEMAN)
        return state.setup.catalog.weapons[rifleman.weapons[0]]
    return shooter.weapons[slot]


def _prepared_mixed(state: State, order: Volley) -> PreparedShot:
    """Each squad as a volley of its own; the first advice against any of them counts."""
    rows = [order.shooter, *(squad.shooter for squad in order.more)]
    if len(set(rows)) < len(rows):
        raise nonsense("named_twice", "Name each row of a volley once, with all who fire.")
    first = prepared(state, replace(order, more=()))
    advice = first.advice
    squads = []
    for squad in order.more:
        # The weapon named is that of the first row; the others fire what fits best.
        alone = replace(order, shooter=squad.shooter, count=squad.count, weapon=None, more=())
        prepared_shot = prepared(state, alone)
        if prepared_shot.side != first.side:
            raise nonsense("own_side", "All who fire in a volley are on one side.")
        if advice is None:
            advice = prepared_shot.advice
        squads.append(prepared_shot)
    return replace(first, advice=advice, more=tuple(squads))


def _refuse_own_side(firing_side: str, target_side: str) -> None:
    """Raises Refused if the side that fires is the one that is fired at."""
    if firing_side == target_side:
        raise nonsense("own_side", "They are on the same side.")


def _prepared_again(state: State, order: Again) -> PreparedShot:
    """A repeat shot, which must be at a new guy in sight ("Repeat Firing"). It is refused or
    possible: nothing is merely advised against it."""
    before = repeat_asked(state).shot
    target = existing_row(state, order.target or before.target)
    _refuse_own_side(piece_side(before.piece), target.side)
    if not target.unit.is_guy:
        text = f"Repeat fire must be at another guy, not {a_unit(target.unit.name)}."
        raise nonsense("not_a_guy", text, "Repeat Firing")
    if not target.in_sight:
        raise nonsense("nobody_there", why_out_of_sight(state, target))
    if not new_in_sight(state, before, target):
        text = (
            f"Every {target.unit.name} in sight was shot at in this run of repeat fire, and it "
            "goes on only to a new guy."
        )
        raise nonsense("nobody_new", text, "Repeat Firing, P22")
    # The further shots of repeat fire need no contact, in phases 3 and 4 either (P48).
    circumstances = as_stated(state, replace(before.at, touching=False), order)
    repeat = replace(
        before, id=state.shots + 1, target=target.key, at=circumstances, nth=before.nth + 1
    )
    return PreparedShot(
        shooting=repeat, shot=shot_of(state, repeat), aim=aim_of(state, repeat), advice=None
    )


class _VolleySize(NamedTuple):
    """How many fire, and how many are in their reach."""

    shooters: int
    reach: int


def _size_of_volley(order: Fire, shooter: Row, target: Row) -> _VolleySize:
    """The shooters and the targets of a shot or a volley; raises Refused if impossible."""
    if not isinstance(order, Volley):
        return _VolleySize(shooters=1, reach=1)
    # Who fell in phase 3 may still fire in phase 4 (P51): then more are ready than alive.
    can_fire = max(len(shooter.alive), shooter.ready_count)
    if order.count == 0:
        raise nonsense("too_many", "Say how many fire: 1 or more.")
    if not 1 <= order.count <= can_fire:
        text = f"{shooter.unit.named(can_fire)} left, not {order.count}. + adds more."
        raise nonsense("too_many", text)
    if order.reach is None:
        return _VolleySize(order.count, usual_reach(target))
    # A group may hold men of other rows too; of models only those of the row can be meant. With
    # none in sight it is 1: such fire is advised against (``advice_against``), but not refused.
    most = max(len(target.in_sight), 1)
    if target.unit.is_guy:
        most = MOST_IN_REACH
    if not 1 <= order.reach <= most:
        raise nonsense("reach", f"1 to {most} targets can be in reach, not {order.reach}.")
    return _VolleySize(order.count, order.reach)


def usual_reach(target: Row) -> int:
    """How many of a row are in reach of a volley if the players say nothing: all guys in sight, but
    of models one, as each is a target of its own. With nobody in sight it is 1: such fire is
    advised against, but not refused."""
    if not target.unit.is_guy:
        return 1
    return max(len(target.in_sight), 1)


class GuyShotClaims(Protocol):
    """What players say of a shot at a guy."""

    @property
    def cover(self) -> bool:
        """Whether the target is in cover."""

    @property
    def close(self) -> bool:
        """Whether the target is within 3 inches of the shooter ("Removing Dead Guys")."""

    @property
    def grouped(self) -> bool:
        """Whether the target touches friends, so that another of them may die for it."""


class ShotClaims(GuyShotClaims, Protocol):
    """What players say of a shot at anything."""

    @property
    def hull_down(self) -> bool:
        """Whether the target is hull down."""

    @property
    def rear(self) -> bool:
        """Whether the target is hit in the rear."""


def as_stated(
    state: State, circumstances: Circumstances, order: ShotClaims | Again
) -> Circumstances:
    """The circumstances with what an order states of them. Distances are not asked for, since
    players measure on the table: a shot is in range and just over 3 in, unless the order is
    ``close``. Of a distance in range only the 3 in of "Removing Dead Guys" matter."""
    circumstances = replace(circumstances, cover=order.cover, grouped=order.grouped)
    # Repeat fire is at guys (P21), who are never hull down and have no rear armor.
    if not isinstance(order, Again):
        hull_down = order.hull_down and state.options.hull_down
        rear = order.rear and state.options.rear_armor
        circumstances = replace(circumstances, hull_down=hull_down, rear=rear)
    if circumstances.touching:
        return replace(circumstances, distance=0)
    exact_within = state.setup.catalog.fire.exact_within
    if order.close:
        return replace(circumstances, distance=float(exact_within))
    return replace(circumstances, distance=float(exact_within + 1))


def same_again(state: State) -> Again | None:
    """The offered repeat shot, at the same row under the same circumstances; None if none is
    offered."""
    if not isinstance(state.ask, agenda.RepeatAsk):
        return None
    target, circumstances = state.ask.shot.target, state.ask.shot.at
    return Again(
        target=target,
        cover=circumstances.cover,
        close=was_close(state, circumstances),
        grouped=circumstances.grouped,
    )


def circumstances_that_matter(state: State, order: Fire | Again) -> list[str]:
    """The circumstances that change what this shot needs, or what speaks against it, if they are
    stated the other way round."""
    names = []
    for name in _circumstances_to_state(state, order):
        flipped = replace(order, **{name: not getattr(order, name)})
        # Only two possible shots can be compared: what makes one impossible is not among these.
        with suppress(Refused):
            as_ordered, otherwise = prepared(state, order), prepared(state, flipped)
            if _differ(as_ordered, otherwise):
                names.append(name)
    return names


def _circumstances_to_state(state: State, order: Fire | Again) -> list[str]:
    """The circumstances that an order of this kind states; ``Again``, for example, has no
    ``hull_down``."""
    names = [name for name in STATED_CIRCUMSTANCES if name in order.__struct_fields__]
    # With P48 touched_only only those in contact are fired at in phases 3 and 4.
    if "apart" in names and state.setup.rulings["P48"] == "touched_only":
        names.remove("apart")
    return names


def _differ(first: PreparedShot, second: PreparedShot) -> bool:
    """Whether two shots need different draws, or different advice stands against them."""
    first_aims = [squad.aim for squad in first.squads]
    second_aims = [squad.aim for squad in second.squads]
    return first_aims != second_aims or first.advice != second.advice


def pin_owed(state: State, prepared_shot: PreparedShot) -> agenda.ToCheck | None:
    """The pin test after op fire at guys by a weapon that fires as a machine gun ("Pinning"); None
    after any other shot."""
    weapon = prepared_shot.shot.weapon
    pins = weapon is not None and weapon.pins
    op_fire = state.clock.phase == 1 and prepared_shot.side != state.mover
    if not (state.options.pinning and pins and op_fire and prepared_shot.aim.at_guy):
        return None
    shooting = prepared_shot.shooting
    return agenda.ToCheck(
        check="pin",
        side=row_side(shooting.target),
        row=shooting.target,
        lone=stands_alone(state, shooting),
        shot=shooting.id,
    )


def agenda_with_pin_tests(state: State, prepared_shot: PreparedShot, then: Agenda = ()) -> Agenda:
    """The agenda ``then`` after a shot, with the pin tests of its run of fire in front: "any
    individual guy or group of touching guys receiving opfire from a MG must draw". A group draws
    once for the run, or with P55 ``per_shot`` once for each shot; men in touch to whom the run goes
    on are taken to be of that group, of whatever row. A man by himself, to whom it goes on, draws
    for himself."""
    owed = pin_owed(state, prepared_shot)
    if owed is None:
        return then
    # The tests that the earlier shots of the run have brought stand at the head of the agenda.
    tests: list[agenda.ToCheck] = []
    for task in then:
        if not isinstance(task, agenda.ToCheck) or task.check != "pin":
            break
        tests.append(task)
    rest = then[len(tests) :]
    group_tests = [test for test in tests if not test.lone]
    # A man by himself has no test yet: he is new in this run, as those before him are dead.
    if owed.lone or not group_tests:
        return (*tests, owed, *rest)
    if state.setup.rulings["P55"] == "per_shot":
        index = tests.index(group_tests[0])
        tests[index] = replace(group_tests[0], times=group_tests[0].times + 1)
    return (*tests, *rest)
