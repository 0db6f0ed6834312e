"""Fire: who fires what at whom, what it needs, what forbids it, and how it is declared.

Every shot is worked out by ``prepared``, also for odds and previews: it refuses what is impossible,
and has what the rules only advise against as ``advice``. What becomes of a declared shot is in
``shooting``. A ``slot`` is the place of a weapon among those of its unit, from 0.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, Shooting
from skirmish.games.plastic.battle.names import piece_side, row_side, row_unit, weapon_slot
from skirmish.games.plastic.battle.orders.draws import lay
from skirmish.games.plastic.battle.orders.resolution import Answer, Order, Resolution
from skirmish.games.plastic.battle.rows import Row, existing_row, fights_as, row_of
from skirmish.games.plastic.battle.setup import BROKEN_INTO
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import UnitType, Weapon, a_unit
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Aim,
    Circumstances,
    Shot,
    aim,
    weapon_named,
    why_not,
)
from skirmish.games.plastic.scenarios.scenario import Trait
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.measure import inches
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

STATED_CIRCUMSTANCES = ("cover", "hull_down", "rear", "close", "grouped", "apart")
"""The circumstances of a shot that players state, by the fields of their orders."""
MOST_IN_REACH = 99
"""The largest number that players may say. A group may hold men of other rows too, so that its size
is not that of the row aimed at."""


class Fire(Order, frozen=True, kw_only=True, tag="fire"):
    """One shot of one piece of a row at a row."""

    anyway = "fires anyway."

    shooter: str
    target: str
    weapon: str | None = None
    """None: the one that fits best."""
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    close: bool = False
    """Whether the target is within 3 in."""
    grouped: bool = True
    """Whether the man aimed at touches friends."""
    apart: bool = False
    """In phases 3 and 4: whether the target is someone not in contact (P48)."""
    insist: bool = False
    """Whether it is fired against advice."""

    def carry_out(self, run: Resolution) -> None:
        shot = prepared(run.state, self)
        run.advise(shot.advice)
        # A machine gun's op fire owes a pin draw, after its whole chain of repeat shots (P55).
        declare(run, shot.shooting, pins_owed(run.state, shot), run.overruled)
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
    """At how many men in all; None: at all of the row; of models, at one."""
    more: tuple[Squad, ...] = ()
    """In a mixed volley the squads that fire at the same group after the first row, in their
    order."""

    def carry_out(self, run: Resolution) -> None:
        shot = prepared(run.state, self)
        run.advise(shot.advice)
        pins = pin_owed(run.state, shot) is not None
        parties = []
        for squad in shot.more:
            owes = pin_owed(run.state, squad) is not None
            parties.append(agenda.Party(shot=squad.shooting, pieces=squad.pieces, pins=owes))
        task = agenda.ToVolley(
            shot=shot.shooting,
            pieces=shot.pieces,
            reach=shot.reach,
            pins=pins,
            parties=tuple(parties),
        )
        squads_after = [_volleyed(run.state, squad) for squad in shot.more]
        run.emit(
            events.Volleyed(
                side=shot.side,
                shooter=row_of(run.state, shot.shooting.piece),
                target=shot.shooting.target,
                weapon=shot.shooting.weapon,
                count=len(shot.pieces),
                reach=shot.reach,
                needs=shot.aim.needs,
                more=tuple(squads_after),
                overruled=run.overruled,
                at=shot.shooting.at,
                then=(task,),
            )
        )
        run.go_on()


def _volleyed(state: State, squad: Prepared) -> events.VolleyedSquad:
    """A squad of a mixed volley as the journal has it."""
    return events.VolleyedSquad(
        shooter=row_of(state, squad.shooting.piece),
        weapon=squad.shooting.weapon,
        count=len(squad.pieces),
        needs=squad.aim.needs,
    )


class Again(Answer, frozen=True, kw_only=True, tag="again"):
    """A repeat shot, at the same row unless a ``target`` is named. ``draws``: the player's own draw
    for it and for those that follow, if he typed them already; with ``insist`` also a card that is
    gone."""

    target: str | None = None
    cover: bool = False
    close: bool = False
    grouped: bool = True
    draws: tuple[Draw, ...] = ()
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        shot = prepared(run.state, self)
        then = pins_owed(run.state, shot, run.rest)
        if self.draws:
            lay(run, piece_side(shot.shooting.piece), self.draws, insist=self.insist)
        declare(run, shot.shooting, then)
        run.go_on()


class Hold(Answer, frozen=True, tag="hold"):
    """No repeat shot."""

    def carry_out(self, run: Resolution) -> None:
        repeat_asked(run.state)
        run.go_on(instead=run.rest)


def repeat_asked(state: State) -> agenda.RepeatAsk:
    """The open question whether to fire again; raises Refused if it is not open."""
    if not isinstance(state.ask, agenda.RepeatAsk):
        raise nonsense("no_repeat", "There is no repeat shot to take.")
    return state.ask


def declare(run: Resolution, shot: Shooting, then: Agenda, overruled: str = "") -> None:
    """Declares the shot and marks its weapon as fired; a hidden shooter is revealed (P69)."""
    side = piece_side(shot.piece)
    needs = aim_of(run.state, shot).needs
    run.reveal([shot.piece])
    steps = (agenda.ToJudge(shot=shot), *then)
    run.emit(events.Aimed(shot=shot, side=side, needs=needs, overruled=overruled, then=steps))


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """A shot worked out, nothing of it declared yet; of a volley, its first shot."""

    shooting: Shooting
    shot: Shot
    aim: Aim
    advice: Refusal | None
    """What the rules hold against it; None: nothing."""
    pieces: tuple[str, ...] = ()
    """All shooters of its row."""
    reach: int = 1
    """How many of the target's row it can hit."""
    more: tuple[Prepared, ...] = ()
    """The first shots of the squads after it."""

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
    def squads(self) -> tuple[Prepared, ...]:
        """The shot of each row that fires, in their order."""
        return (self, *self.more)


def prepared(state: State, order: Fire | Again) -> Prepared:
    """Raises Refused if the shot is impossible; advice is not raised."""
    if isinstance(order, Again):
        return _prepared_again(state, order)
    if isinstance(order, Volley) and order.more:
        return _prepared_mixed(state, order)
    return _prepared_of_row(state, order)


def _prepared_of_row(state: State, order: Fire) -> Prepared:
    """A shot, or a volley of one row."""
    setup = state.setup
    shooter, target = existing_row(state, order.shooter), existing_row(state, order.target)
    _refuse_impossible(state, shooter, target)
    count, reach = _size_of_volley(order, shooter, target)
    shot = Shot(
        shooter=fights_as(state, shooter.unit),
        weapon=None,
        target=fights_as(state, target.unit),
        at=_circumstances(state, order),
        nation=state.nation_of(shooter.side),
    )
    # The weapon follows, as which of them fits best depends on all the rest.
    slot = best_slot(state, shooter, shot, order)
    weapon = _weapon_in(state, shooter, slot)
    weapon_id = ""
    if weapon is not None:
        shot = replace(shot, weapon=weapon)
        weapon_id = weapon.id
    pieces = who_fires(state, shooter, slot, count)
    if not pieces:
        raise _nobody_left(shooter)
    refusal = why_not(shot, setup.catalog, setup.rulings)
    if refusal is None:
        refusal = too_dark(state, shot.at)
    if refusal is None:
        refusal = _forbidden_by_scenario(state, shooter, target)
    if refusal and refusal.firm:
        raise Refused(refusal)
    return Prepared(
        shooting=Shooting(
            id=state.shots + 1,
            piece=pieces[0],
            slot=slot,
            weapon=weapon_id,
            target=target.key,
            first=target.key,
            at=shot.at,
        ),
        shot=shot,
        aim=aim(shot, setup.catalog, setup.rulings),
        advice=_advice(state, shooter, target, slot, count) or refusal,
        pieces=pieces,
        reach=reach,
    )


def _refuse_impossible(state: State, shooter: Row, target: Row) -> None:
    """Raises Refused where there is nobody to fire or to fire at, whatever the players say."""
    _refuse_own(shooter.side, target.side)
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
    """The refusal for a row of whom nobody can fire."""
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
        rifleman = state.setup.unit(BROKEN_INTO)
        return state.setup.catalog.weapons[rifleman.weapons[0]]
    return shooter.weapons[slot]


def why_hidden(state: State, target: Row) -> str:
    """Why nobody of the row can be shot at, if all of it is in hiding; empty otherwise. The players
    cannot overrule it: who is not on the table cannot be killed by fire."""
    if target.in_sight or not target.hidden:
        return ""
    return f"No {_name_in_group(state, target)} is in sight yet. R reveals those who are seen."


def why_out_of_sight(state: State, target: Row) -> str:
    """Why nobody of a row that has no man in sight can be fired at."""
    name = _name_in_group(state, target)
    if not target.alive:
        return f"No {name} is left to fire at."
    if not target.here:
        return f"No {name} is on the table yet."
    if not target.on_foot:  # "Loaded guys/cannon can't shoot or be shot at"
        return f"Every {name} is aboard; fire at what carries them."
    return why_hidden(state, target)


def _name_in_group(state: State, row: Row) -> str:
    """``Rifle Guy (C Company, Rangers)`` where others of that name may be in sight, in another
    group."""
    return f"{row.unit.name}{state.words.contingent_note(row.key)}"


def new_in_sight(state: State, shot: Shooting, target: Row) -> int:
    """How many of a row are in sight and may be new after this shot of a run of repeat fire ("only
    if it can see a new guy"). Who was spared because the defender removed a man of another row is
    certainly not new (P22). Of men in one row nobody knows who died, so it counts as the one aimed
    at."""
    in_sight = len(target.in_sight)
    if state.setup.rulings["P22"] != "not_shot_at":
        return in_sight
    return max(in_sight - _spared(state, shot)[target.key], 0)


@lru_cache(maxsize=8)  # each row that repeat fire might go on to asks for it
def _spared(state: State, last: Shooting) -> Counter[str]:
    """By row, how many were shot at in the run of fire up to this shot and certainly live on."""
    killed: dict[int, list[str]] = {}
    for piece, credit in state.lost.items():
        if credit is not None and not credit.breakdown:
            killed.setdefault(credit.shot, []).append(piece)
    spared: Counter[str] = Counter()
    for verdict in run_of_fire(state, last):
        shot = verdict.shot
        for piece in killed.get(shot.id, ()):
            removed = row_of(state, piece)
            if removed != shot.target:
                spared[shot.target] += 1
                # A man removed in another's place may be one spared before.
                spared[removed] = max(spared[removed] - 1, 0)
    return spared


def run_of_fire(state: State, last: Shooting) -> list[events.Judged]:
    """The verdicts of a run of repeat fire up to this shot, first to last, out of those of this
    player turn."""
    first_of_run = 0
    of_weapon: list[events.Judged] = []
    for verdict in state.judged:
        shot = verdict.shot
        same_weapon = (shot.piece, shot.slot) == (last.piece, last.slot)
        up_to_last = shot.id <= last.id and shot.nth <= last.nth
        if same_weapon and up_to_last and shot.at.phase == last.at.phase:
            of_weapon.append(verdict)
            if shot.nth == 1:  # an earlier run of the same weapon ends here
                first_of_run = max(first_of_run, shot.id)
    return [verdict for verdict in of_weapon if verdict.shot.id >= first_of_run]


def _prepared_mixed(state: State, order: Volley) -> Prepared:
    """Each squad as a volley of its own; the first advice against any of them counts."""
    rows = [order.shooter, *(squad.shooter for squad in order.more)]
    if len(set(rows)) < len(rows):
        raise nonsense("named_twice", "Name each row of a volley once, with all who fire.")
    first = prepared(state, replace(order, more=()))
    advice = first.advice
    squads = []
    for squad in order.more:
        alone = replace(order, shooter=squad.shooter, count=squad.count, weapon=None, more=())
        shot = prepared(state, alone)
        if shot.side != first.side:
            raise nonsense("own_side", "All who fire in a volley are on one side.")
        advice = advice or shot.advice
        squads.append(shot)
    return replace(first, advice=advice, more=tuple(squads))


def _refuse_own(shooter: str, target: str) -> None:
    """Raises Refused if the side that fires is the one that is fired at."""
    if shooter == target:
        raise nonsense("own_side", "They are on the same side.")


def _prepared_again(state: State, order: Again) -> Prepared:
    """A repeat shot, which must be at a new guy in sight ("Repeat Firing")."""
    before = repeat_asked(state).shot
    target = existing_row(state, order.target or before.target)
    _refuse_own(piece_side(before.piece), target.side)
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
    return Prepared(
        shooting=repeat, shot=shot_of(state, repeat), aim=aim_of(state, repeat), advice=None
    )


class _VolleySize(NamedTuple):
    """How many fire, and how many are in their reach."""

    shooters: int
    reach: int


def _size_of_volley(order: Fire, shooter: Row, target: Row) -> _VolleySize:
    """The shooters and the targets of a shot or a volley; raises Refused if impossible."""
    if not isinstance(order, Volley):
        return _VolleySize(1, 1)
    # Who fell in phase 3 may still fire in phase 4 (P51): then more are ready than alive.
    can_fire = max(len(shooter.alive), shooter.ready_count)
    if order.count == 0:
        raise nonsense("too_many", "Say how many fire: 1 or more.")
    if not 1 <= order.count <= can_fire:
        text = f"{shooter.unit.named(can_fire)} left, not {order.count}. + adds more."
        raise nonsense("too_many", text)
    if order.reach is None:
        return _VolleySize(order.count, usual_reach(target))
    # A group may hold men of other rows too; of models only those of the row can be meant.
    most = max(len(target.in_sight), 1)
    if target.unit.is_guy:
        most = MOST_IN_REACH
    if not 1 <= order.reach <= most:
        raise nonsense("reach", f"1 to {most} targets can be in reach, not {order.reach}.")
    return _VolleySize(order.count, order.reach)


def usual_reach(target: Row) -> int:
    """How many of a row are in reach of a volley if the players say nothing: all guys in sight, but
    of models one, as each is a target of its own."""
    if not target.unit.is_guy:
        return 1
    return max(len(target.in_sight), 1)


def best_slot(state: State, shooter: Row, shot: Shot, order: Fire) -> int:
    """The slot of the named weapon, or of the best one for this target that can still fire."""
    slots = _slots_named(state, shooter, order.weapon)
    fitness = {slot: _fitness(state, shooter, shot, slot) for slot in slots}
    # An unarmed unit has no slot, and 0 is as good as any: that it cannot fire is said elsewhere.
    best = max(slots, key=fitness.__getitem__, default=0)
    if not isinstance(order, Volley):
        return best
    # Of two weapons alike (P5: an AA tank has two machine guns), the one that more of them can
    # still fire.
    slot_of_most, most_ready = 0, -1
    for slot in slots:
        ready = min(len(shooter.ready[slot]), order.count)
        if shooter.weapons[slot] == shooter.weapons[best] and ready > most_ready:
            slot_of_most, most_ready = slot, ready
    return slot_of_most


def _slots_named(state: State, shooter: Row, weapon: str | None) -> list[int]:
    """The slots of that weapon (None: of any). Raises Refused if the unit does not have it."""
    slots = list(range(len(shooter.weapons)))
    if not slots or weapon is None:
        return slots
    wanted = weapon_named(shooter.unit, weapon, state.setup.catalog, state.setup.rulings)
    if wanted is not None:
        slots = [slot for slot in slots if shooter.weapons[slot].id == wanted.id]
    if wanted is None or not slots:
        text = f"{a_unit(shooter.unit.name, 'A')} has no {weapon}."
        raise nonsense("no_weapon", text, "Firing")
    return slots


class _Fitness(NamedTuple):
    """How well a weapon fits a shot; the first difference decides. Of weapons that are equal till
    then the one with the highest number is best: all ranks up to it hit."""

    not_advised_against: bool = False
    ready: bool = False
    works: bool = False
    needs: int = 0


def _fitness(state: State, shooter: Row, shot: Shot, slot: int) -> _Fitness:
    """How well the weapon in that slot fits; least of all where it may not be fired at the
    target."""
    catalog, rulings = state.setup.catalog, state.setup.rulings
    armed = replace(shot, weapon=shooter.weapons[slot])
    refusal = why_not(armed, catalog, rulings)
    if refusal is not None and refusal.firm:
        return _Fitness()
    return _Fitness(
        not_advised_against=refusal is None,
        ready=bool(shooter.ready[slot]),
        works=any(weapon_slot(piece, slot) not in state.disarmed for piece in shooter.alive),
        needs=aim(armed, catalog, rulings).needs,
    )


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


def was_close(state: State, circumstances: Circumstances) -> bool:
    """Whether the target was said to be within 3 in."""
    return (
        not circumstances.touching
        and circumstances.distance <= state.setup.catalog.fire.exact_within
    )


def shot_of(state: State, shot: Shooting) -> Shot:
    """The shot as the rules know it, by the man as he was and at the unit as it is now."""
    return Shot(
        shooter=fights_as(state, unit_firing(state, shot)),
        weapon=state.setup.catalog.weapons[shot.weapon],
        target=fights_as(state, state.setup.unit(row_unit(shot.target))),
        at=shot.at,
        nation=state.nation_of(piece_side(shot.piece)),
    )


def unit_firing(state: State, shot: Shooting) -> UnitType:
    """The unit that had the weapon of the shot. Since then the weapon may have broken down, which
    made him a rifleman; or he fired as a rifleman, and the line of his breakdown was made void."""
    setup, present = state.setup, state.unit(shot.piece)
    bought = setup.unit(state.piece(shot.piece).unit)
    for unit in (present, bought, setup.unit(BROKEN_INTO)):
        carried = setup.catalog.weapons_of(unit, setup.rulings)
        if any(weapon.id == shot.weapon for weapon in carried):
            return unit
    return present


def aim_of(state: State, shot: Shooting) -> Aim:
    """All that is known of the shot before its draw."""
    return aim(shot_of(state, shot), state.setup.catalog, state.setup.rulings)


def same_again(state: State) -> Again | None:
    """The open repeat shot at the same row under the same circumstances."""
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
    for name in STATED_CIRCUMSTANCES:
        # With P48 touched_only only those in contact are fired at in phases 3 and 4.
        never = name == "apart" and state.setup.rulings["P48"] == "touched_only"
        if never or not hasattr(order, name):
            continue
        flipped = replace(order, **{name: not getattr(order, name)})
        with suppress(Refused):
            if _differ(prepared(state, order), prepared(state, flipped)):
                names.append(name)
    return names


def _differ(first: Prepared, second: Prepared) -> bool:
    """Whether two shots need other draws, or other advice stands against them."""
    aims = [squad.aim for squad in first.squads]
    return aims != [squad.aim for squad in second.squads] or first.advice != second.advice


def who_fires(state: State, shooter: Row, slot: int, count: int) -> tuple[str, ...]:
    """The pieces that fire, ``count`` of them: first those whose weapon in this slot is ready, then
    those who have another one like it ready; of either, on foot before aboard and hidden ones
    last."""
    from_slot: frozenset[str] = frozenset()
    if slot < len(shooter.ready):
        from_slot = frozenset(shooter.ready[slot])

    def reasons_to_wait(piece: str) -> tuple[bool, bool, bool]:
        # Whoever is hidden and fires is seen from then on (P69).
        return piece not in from_slot, state.rides(piece), piece in state.hidden

    ready = sorted(shooter.ready_with(slot), key=reasons_to_wait)
    # Players may insist: those that cannot fire any more come last.
    everybody = dict.fromkeys((*ready, *shooter.here, *shooter.alive))
    return tuple(everybody)[:count]


def _advice(state: State, shooter: Row, target: Row, slot: int, count: int) -> Refusal | None:
    """What speaks against the shot and can be overruled: who is not there, whose fire it is, and
    who has fired already. None if nothing does."""
    setup, clock = state.setup, state.clock
    if not shooter.here and not shooter.ready_count:
        return _not_here(state, shooter)
    if not target.here:
        return _not_here(state, target)
    if not target.on_foot:
        return Refusal("aboard", why_out_of_sight(state, target), "Loading or Unloading")
    # The mover never shoots from afar in its own turn: it fires in phase 3, at whom it touches.
    if shooter.side != state.firing_side and not fires_in_own_turn(state, shooter):
        only_they_fire = setup.does(state.firing_side, "fire", "fires")
        text = f"Only {only_they_fire} in phase {clock.phase}."
        return Refusal("not_your_phase", text, "Sequence of Play")
    if slot < len(shooter.ready) and len(shooter.ready_with(slot)) < count:
        return _not_ready(state, shooter, slot)
    return None


def _not_here(state: State, row: Row) -> Refusal:
    """Why a row is not on the table."""
    comes = f"arrives on turn {row.contingent.enters}"
    if row.contingent.enters <= state.clock.turn:
        comes = "has not arrived yet"
    return Refusal("not_here", f"{row.contingent.name} {comes}.", "Scenario")


def _not_ready(state: State, shooter: Row, slot: int) -> Refusal:
    """Why not enough of a row can fire that weapon: the first reason that holds for all of them."""
    name, armed = shooter.unit.name, shooter.weapons[slot].name
    whose = _name_in_group(state, shooter)
    ready = len(shooter.ready_with(slot))
    if all(weapon_slot(piece, slot) in state.disarmed for piece in shooter.alive):
        return Refusal("disarmed", f"The {armed} of every {whose} has broken down.", "Breakdowns")
    if all(piece in state.unserved for piece in shooter.here):
        text = f"No {whose} has been served yet, so none may fire."
        return Refusal("unserved", text, "Scenario, P36")
    if not shooter.on_foot:
        text = f"Every {whose} is aboard; only a halftrack lets passengers fire, two of them."
        return Refusal("aboard", text, "Loading or Unloading")
    span = "phases 1 and 2"
    if state.clock.phase in CLOSE_PHASES:
        span = f"phase {state.clock.phase}"
    if ready:
        text = f"Only {ready} of {len(shooter.here)} {name}s can still fire in {span}."
        return Refusal("already_fired", text, "Sequence of Play")
    who, their = f"All {name}s have", "their"
    if len(shooter.here) == 1:
        who, their = f"The {name} has", "its"
    text = f"{who} already fired"
    if len(shooter.weapons) > 1:
        text += f" {their} {armed}"
    return Refusal("already_fired", f"{text} in {span}.", "Sequence of Play")


def too_dark(state: State, circumstances: Circumstances) -> Refusal | None:
    """What speaks against a shot from farther than anybody sees now: darkness or dust. In contact
    nobody has to look."""
    sight = state.sight_in
    if sight is None or circumstances.touching or circumstances.distance <= sight:
        return None
    distance = inches(circumstances.distance)
    text = f"{distance} is out of sight: now nobody sees beyond {inches(sight)}."
    return Refusal("dark", text, "Scenario")


def _forbidden_by_scenario(state: State, shooter: Row, target: Row) -> Refusal | None:
    """What the scenario forbids its units to fire at: a pillbox of scenario 10 "cannot fire on
    landing craft"."""
    for trait in filter(shooter.concerned_by, state.setup.happenings(Trait)):
        if trait.effect == "may_not_fire_at" and target.unit.id in trait.targets:
            return Refusal("no_target", trait.text, "Scenario")
    return None


def fires_in_own_turn(state: State, shooter: Row) -> bool:
    """P67: the SAS jeeps also fire once in their own turn, before close combat."""
    scenario = state.setup.scenario
    # P67 is a ruling of scenario 3, and says nothing of jeeps in other battles.
    if scenario is None or "P67" not in scenario.rulings:
        return False
    if state.setup.rulings["P67"] != "own_turn_too" or shooter.unit.id != "mg_jeep":
        return False
    return shooter.side == state.mover and state.clock.phase not in CLOSE_PHASES


def pin_owed(state: State, shot: Prepared) -> agenda.ToCheck | None:
    """The pin test after op fire at guys by weapons that fire as machine guns ("Pinning")."""
    weapon = shot.shot.weapon
    pins = weapon is not None and weapon.pins
    op_fire = state.clock.phase == 1 and shot.side != state.mover
    if not (state.options.pinning and pins and op_fire and shot.aim.at_guy):
        return None
    shooting = shot.shooting
    return agenda.ToCheck(
        check="pin",
        side=row_side(shooting.target),
        row=shooting.target,
        lone=stands_alone(state, shooting),
        shot=shooting.id,
    )


def stands_alone(state: State, shot: Shooting) -> bool:
    """Whether the man aimed at touches none of his friends, as a sniper never does."""
    unit = fights_as(state, state.setup.unit(row_unit(shot.target)))
    return not shot.at.grouped or "sniper" in unit.tags


def pins_owed(state: State, shot: Prepared, then: Agenda = ()) -> Agenda:
    """The pin tests after a shot, in front of what else is to be done: "any individual guy or group
    of touching guys receiving opfire from a MG must draw". A group draws once for a run of fire, or
    with P55 ``per_shot`` once for each shot; a man by himself, to whom the run goes on, draws for
    himself."""
    owed = pin_owed(state, shot)
    if owed is None:
        return then
    tests: list[agenda.ToCheck] = []
    for task in then:
        if not isinstance(task, agenda.ToCheck) or task.check != "pin":
            break
        tests.append(task)
    rest = then[len(tests) :]
    # Only a run's last man can be owed a test of his own: one who was hit before him is dead.
    for place, test in enumerate(tests):
        if not test.lone and not owed.lone:
            if state.setup.rulings["P55"] == "per_shot":
                tests[place] = replace(test, times=test.times + 1)
            return (*tests, *rest)
    return (*tests, owed, *rest)
