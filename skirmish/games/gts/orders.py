"""The orders of the Grand Tactical Series but those of units: the mug, the points, the turn, rolls
on tables; and what acting under a chit costs. Every roll is stored.

What is not possible raises ``Refused``; what only seems odd is refused by ``advise``, which the
players may overrule. Letters such as D.II are steps of the sequence of play in the rules summary.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from skirmish.games.gts import combat, units
from skirmish.games.gts import state as gts_state
from skirmish.games.gts.ruleset import CAP
from skirmish.games.gts.state import AnyEvent, Fact, GtsState, PointKind, points_track
from skirmish.games.gts.units import ARTILLERY, Marker, eliminated
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task, counters_set, evolved, next_phase
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.result_table import Sum
from skirmish.tabletop.companion.table_game import LAST_TURN, AgendaOrder, spent
from skirmish.tabletop.companion.typed_tables import RecordFacts, RollOnTable
from skirmish.tabletop.refusal import nonsense


def dice(state: GtsState, own: Iterable[int] = ()) -> Numbers:
    """The numbers of an order: from the program's die, or the player's ``own``; 0 to 9."""
    return Numbers(state, own=own, sides=10, low=0)


class GtsOrder(AgendaOrder, frozen=True, kw_only=True):
    """Every order of the game but those of every table."""

    def of_division(self, state: GtsState) -> str:
        """The division that it is about without naming a unit; empty: none."""
        return ""

    def taken(
        self, state: GtsState, unit: Counter, kind: str, text: str = "", *, out: bool = False
    ) -> list[AnyEvent]:
        """The events of a unit that acts under the present chit: what it costs, and that it has
        acted. Empty where no chits are played. ``text``: what it does, for the journal; empty where
        the event of a check or a shot tells it. ``out``: its players say that it is out of command.
        Raises Refused where the chit does not allow it."""
        # What the chit in play does not allow is refused; what is only late or odd is advised
        # against, so that the players may insist.
        why = state.why_not_act(unit, kind, out)
        if why:
            raise nonsense("not_now", why)
        if state.setup.scope != "whole":
            return []
        self.advise(state.why_late(unit))
        # Under some chits each action costs a command point: Direct Command is one of them.
        cost = state.rules.kinds[state.chits[state.chit].kind].cost
        if not cost and unit.id in state.done:
            cost = 1  # a second action
        acts = gts_state.ActionTaken(unit=unit.id, kind=kind, text=text, cost=cost)
        return [*paid(state, unit, f"{unit.name} acts", cost), acts]

    def rolled(
        self, state: GtsState, unit: Counter, why: str, total: Sum, numbers: Numbers
    ) -> gts_state.Checked:
        """A check of a unit by a roll."""
        roll = numbers.number()
        passed = self.passes(state, total, roll)
        return gts_state.Checked(unit=unit.id, why=why, sum=total, roll=roll, passed=passed)

    def passes(self, state: GtsState, total: Sum, roll: int) -> bool:
        """Whether a roll passes the check: a troop quality check, unless an order has another."""
        return combat.passes(total.needs, roll, literal=state.rules.literal)


def unit_of(state: GtsState, id: str) -> Counter:
    """A unit that is still in play, under the barrage of its hex. Raises Refused."""
    unit = state.counters.counters.get(id)
    if unit is None or not unit.steps:
        raise nonsense("no_unit", "That unit is not in play.")
    return unit.remarked(on=state.ground.get(unit.place, ()))


class GtsRecord(RecordFacts, GtsOrder, frozen=True, kw_only=True, tag="record"):
    """What an owner enters of his game and his card."""

    facts: tuple[Fact, ...]


# ------------------------------------------------------------------ the mug and the points


class Pay(GtsOrder, frozen=True, kw_only=True, tag="pay"):
    """Points of a division are spent. ``buys``: so many dispatch points are got for them (D.I)."""

    points: PointKind
    division: str
    count: int = 1
    buys: int = 0

    def of_division(self, state: GtsState) -> str:
        return self.division

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        track = points_track(self.points, self.division)
        if not self.buys:
            # Copied: to mypy a list of events of one kind is no list of events of any kind.
            return [*spent(state, track, self.count)]
        cost = spent(state, track, self.count, f"for {self.buys} DP")
        held = state.points("dp", self.division) + self.buys
        # Refused rather than cut off: the points given for it would be lost without a word.
        if held > CAP:
            raise nonsense("most", f"{self.division} holds {CAP} DP; more are not held.")
        return [*cost, events.TrackSet(track=points_track("dp", self.division), value=held)]


class Park(GtsOrder, frozen=True, kw_only=True, tag="park"):
    """The park of a division in the hex of this ``unit``, all its indirect high explosive there:
    created, or disbanded if it is one (E.I). Each costs 1 DP. ``others`` are units there whose
    rating nobody has read off so far, and which are such artillery, too."""

    unit: str
    others: tuple[str, ...] = ()

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def guns(self, state: GtsState) -> list[Counter]:
        """The units of the park, each with the color that it must have."""
        unit = unit_of(state, self.unit)
        # By id, since the unit itself may be among those whose rating is known.
        guns = {gun.id: gun for gun in state.guns(unit)}
        for id in (self.unit, *self.others):
            guns[id] = replace(unit_of(state, id), kind=ARTILLERY)
        return [*guns.values()]

    def why_not(self, state: GtsState) -> str:
        """Why there is no such park; empty if there may be one."""
        unit = unit_of(state, self.unit)
        division, place = state.division_of(unit), unit.place
        # An empty kind: nobody has read it off the counter, and the owner says now that it is
        # artillery.
        if unit.kind not in ("", ARTILLERY):
            return f"{unit.name} is no indirect high explosive."
        if not division:
            return f"The division of {unit.name} is not known."
        if unit.has(Marker.ENTRY_HEX):
            return f"{place or unit.name} is an entry hex."
        strangers = []
        for gun in state.stack(unit):
            if gun.has(Marker.IN_PARK) and state.division_of(gun) != division:
                strangers.append(gun.name)
        if strangers:
            return f"There is a park in {place} already, that of {', '.join(strangers)}."
        if not state.points("dp", division):
            return f"{division} has no dispatch point."
        return ""

    def disbands(self, state: GtsState) -> bool:
        """Whether it is a park already."""
        unit = unit_of(state, self.unit)
        return any(gun.has(Marker.IN_PARK) for gun in state.guns(unit))

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        why_not = self.why_not(state)
        if why_not:
            raise nonsense("no_park", why_not)
        unit = unit_of(state, self.unit)
        beside = {gun.id for gun in unknown_guns(state, unit)}
        # An order may come from a file; on the screen only these can be chosen.
        if not beside.issuperset(self.others):
            raise nonsense("no_park", "Those units cannot be in its park.")
        if state.setup.scope == "whole" and state.phase_id != "parks":
            self.advise("Parks are created and disbanded in E, before the mug is filled.")
        guns = self.guns(state)
        if self.disbands(state):
            why = "a park disbanded"
            after = [units.broken_up(gun) for gun in guns]
        else:
            why = "a park"
            after = [units.parked(gun) for gun in guns]
        cost = spent(state, points_track("dp", state.division_of(unit)), 1, why)
        return [*cost, *counters_set(state, after)]


def unknown_guns(state: GtsState, unit: Counter) -> tuple[Counter, ...]:
    """The other units of a unit's division in its hex whose colors nobody has read off so far."""
    guns = []
    for gun in state.stack(unit):
        if gun.kind or gun.id == unit.id or units.leads(gun):
            continue
        if state.division_of(gun) == state.division_of(unit):
            guns.append(gun)
    return tuple(guns)


class BuyChit(GtsOrder, frozen=True, kw_only=True, tag="buy_chit"):
    """A formation's chit is bought: for this turn at 2 DP, or ``aside`` for the next at 1 DP
    (D.II)."""

    chit: str
    aside: bool = False

    def of_division(self, state: GtsState) -> str:
        chit = state.chits.get(self.chit)
        if chit is None:
            return ""
        return chit.division

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        chit = state.chits.get(self.chit)
        if chit is None or chit.kind != "formation":
            raise nonsense("not_for_sale", "Only the chit of a formation is bought.")
        if state.has_bought(self.chit):
            raise nonsense("bought", f"{self.chit} is bought already.")
        # Chits that are there from the beginning came in turn 0.
        if chit.since and chit.since == state.position.turn:
            self.advise("Its leader has not been in play for a turn.")
        price = 2
        if self.aside:
            price = 1
        cost = spent(state, points_track("dp", chit.division), price, "a chit")
        return [*cost, gts_state.ChitBought(chit=self.chit, aside=self.aside, side=chit.side)]


class FillMug(GtsOrder, frozen=True, kw_only=True, tag="fill_mug"):
    """The chits that go in openly (G); those set aside a turn before go in with them."""

    chits: tuple[str, ...]

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if state.filled:
            raise nonsense("filled", "The mug is filled for this turn.")
        unfit = [name for name in self.chits if name not in state.chits]
        # A chit set aside the turn before goes in hidden and by itself, so a list may be empty and
        # the mug still filled.
        if unfit or not state.chits_going_in(self.chits):
            raise nonsense("no_chit", f"{', '.join(unfit) or 'No chit'} goes into the mug.")
        return [gts_state.MugFilled(chits=self.chits), *_next_phase_after(state, "mug")]


def _next_phase_after(state: GtsState, phase: str) -> list[AnyEvent]:
    """On to the next phase, if the game is in ``phase``."""
    if state.setup.scope != "whole" or state.phase_id != phase:
        return []
    begun = next_phase(state)
    if begun is None:
        return []
    return [begun]


class DrawChit(GtsOrder, frozen=True, kw_only=True, tag="draw_chit"):
    """A chit comes into play: the one left over, else one out of the mug. ``chit`` is the one that
    the owner drew. The last one in the mug stays there for the next turn (G20)."""

    chit: str = ""

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if not state.filled:
            raise nonsense("not_filled", "Fill the mug first.")
        if state.left_over:
            return _chit_played(state, state.left_over, left=True)
        if state.mug.inside <= 1:
            return [gts_state.ChitPlayed(chit=""), *_next_phase_after(state, "activations")]
        # Only where the program draws may the order leave open which chit it is.
        program_draws = not self.chit and not state.mug.typed
        if not program_draws and self.chit not in state.mug.unseen:
            raise nonsense("no_chit", "Type a chit that is in the mug.")
        chit = self.chit or state.mug.peek()
        # Silent, since the next event tells which chit it is.
        drawn = events.Drawn(cup=gts_state.MUG, chit=chit, own=bool(self.chit), silent=True)
        return [drawn, *_chit_played(state, chit)]


def _chit_played(state: GtsState, name: str, *, left: bool = False) -> list[AnyEvent]:
    """A chit comes into play; that of a division brings it points."""
    played: list[AnyEvent] = [gts_state.ChitPlayed(chit=name, left=left)]
    chit = state.chits.get(name)
    # The text gives points to a division whose chit comes up; one that nobody has entered has no
    # ratings to add.
    if chit is None or chit.kind != "division" or chit.group not in state.divisions:
        return played
    if state.dice.typed:
        # The player rolls, so his rolls are asked for first.
        task = Task(kind="points", place=chit.group)
        return [*played, events.TasksSet(tasks=(task,))]
    return [*played, *_points_gained(state, chit.group, dice(state))]


def _points_gained(state: GtsState, name: str, numbers: Numbers) -> list[AnyEvent]:
    """New command and dispatch points of a division; both rolls are explained."""
    division = state.divisions[name]
    # The order of the two rolls is fixed: the player types them so, and a journal is replayed so.
    command_roll, dispatch_roll = numbers.number(), numbers.number()
    cp, dp = state.points("cp", name), state.points("dp", name)
    half = command_roll // 2
    commands = combat.gained(cp, half + division.command)
    reasons = combat.dispatch_points(
        dp,
        division.dispatch,
        dispatch_roll,
        last=state.light == "dusk",
        literal=state.rules.literal,
    )
    gain = sum(reason.value for reason in reasons)
    dispatches = combat.gained(dp, gain, lost=state.rules.point_lost)
    words = ", ".join(f"{reason.label} {reason.value:+}" for reason in reasons) or "nothing"
    why_commands = f"roll {command_roll}: {half}, command {division.command:+}"
    why_dispatches = f"roll {dispatch_roll}: {words}"
    return [
        *numbers.events,
        events.TrackSet(track=points_track("cp", name), value=cp + commands, why=why_commands),
        events.TrackSet(track=points_track("dp", name), value=dp + dispatches, why=why_dispatches),
    ]


class RollPoints(GtsOrder, frozen=True, kw_only=True, tag="roll_points"):
    """The points of a division, with the player's own ``numbers`` if he rolls."""

    answers: ClassVar[tuple[str, ...]] = ("points",)

    division: str
    numbers: tuple[int, ...] = ()

    def of_division(self, state: GtsState) -> str:
        return self.division

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if self.division not in state.divisions:
            raise nonsense("no_division", f"{self.division} is not entered.")
        gained = _points_gained(state, self.division, dice(state, self.numbers))
        # Rolled by hand, without a chit that asked for it.
        if not state.agenda:
            return gained
        return [*gained, events.TasksSet(tasks=state.agenda[1:])]


class Proceed(GtsOrder, frozen=True, kw_only=True, tag="proceed"):
    """The next step of the turn; the clean-up is done on the way, and it grows dark or light. Where
    only fire is played the clean-up is all."""

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if state.setup.scope == "fire":
            return _cleaned_up(state)
        self._warn_of_points(state)
        happenings: list[AnyEvent] = []
        if state.phase_id == "cleanup":
            happenings += _cleaned_up(state)
        begun = next_phase(state)
        if begun is None:
            return [*happenings, events.TableEnded(text=LAST_TURN)]
        turn = begun.position.turn
        happenings.append(begun)
        # Only where the owner has named the turns of a day; otherwise light is set by hand.
        light = _light_of_turn(state, turn)
        if state.hour(turn) and light != state.light:
            happenings.append(gts_state.ConditionsSet(light=light, weather=state.weather))
        return happenings

    def _warn_of_points(self, state: GtsState) -> None:
        """Warns that nobody buys a chit in the first turn without points; a scenario gives some."""
        without_points = state.without_points()
        if state.phase_id != "points" or not without_points:
            return
        names = " and ".join(without_points)
        has = "have"
        if len(without_points) == 1:
            has = "has"
        self.advise(f"{names} {has} no points yet.", key_note="O rolls for them, T sets them.")


def _light_of_turn(state: GtsState, turn: int) -> gts_state.Light:
    """The light of a turn, by the names that the owner gave to the turns of a day."""
    if "night" in state.hour(turn):
        return "night"
    if "night" in state.hour(turn + 1):
        return "dusk"
    return "day"


def _cleaned_up(state: GtsState) -> list[AnyEvent]:
    """Barrages lift, markers come off, and leaders leave whose formations are gone (K, L)."""
    happenings: list[AnyEvent] = [events.MarkersCleared(flags=Marker.CLEARED)]
    if state.ground:
        happenings.append(events.MapSeen(ground=dict.fromkeys(state.ground, ())))
    for unit in state.units():
        if units.leads(unit) and _formation_is_gone(state, unit):
            happenings.append(events.CounterSet(counter=eliminated(unit)))
    return happenings


def _formation_is_gone(state: GtsState, leader: Counter) -> bool:
    """Whether all units of a leader's formation are out of play. Of one without any entered
    nothing is known."""
    if not leader.group:
        return False
    formation = state.counters.where(side=leader.side, group=leader.group)
    followers = [unit for unit in formation if not units.leads(unit)]
    # Without ``bool`` a leader entered before his units would leave at once.
    return bool(followers) and not any(unit.steps for unit in followers)


class LookUp(RollOnTable, GtsOrder, frozen=True, kw_only=True, tag="look_up"):
    """A roll for weather, events, contact or air points, or at one number (``aim``) of a ``beach``
    by a ``unit``, if those are entered."""

    unit: str = ""
    beach: str = ""
    aim: str = ""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def dice(self, state: GtsState) -> Numbers:
        return dice(state, self.numbers)

    def sum(self, state: GtsState) -> Sum:
        ids = []
        if self.unit:
            ids = units.at_beaches(unit_of(state, self.unit))
        return state.tables.with_values(self.values).sum(0, ids, state.rules.name)

    def before(self, state: GtsState) -> list[AnyEvent]:
        if not self.unit:
            return []
        unit = unit_of(state, self.unit)
        if unit.has(Marker.SUPPRESSED):
            raise nonsense("no_fire", f"{unit.name} is suppressed.")
        taken = self.taken(state, unit, "fire")
        return [*taken, *counters_set(evolved(state, taken), [units.busy(unit)])]

    def about(self) -> str:
        if not self.beach:
            return ""
        return f"{self.beach} {self.aim}"


# ------------------------------------------------------------------ acting under a chit


def paid(state: GtsState, unit: Counter, why: str, count: int = 1) -> list[AnyEvent]:
    """What a unit costs its division in command points, as events. Where only fire is played the
    players keep the points themselves."""
    if state.setup.scope == "fire" or not count:
        return []
    return [*spent(state, points_track("cp", state.division_of(unit)), count, why)]


def why_not_spend(state: GtsState, unit: Counter, *, out: bool, listed: bool = True) -> str:
    """Why no command point passes a check of a unit; empty if one does. ``listed``: the check is
    among those of which the rules say that a point passes them (G2)."""
    if not units.commanded(unit, out):
        return "A unit out of command spends no command point."
    if not listed and state.rules.rulings["G2"] == "usual":
        return "No command point passes this check."
    division = state.division_of(unit)
    # Who plays fire alone keeps no points in the program.
    if state.setup.scope != "fire" and not state.points("cp", division):
        return f"{division or 'Its division'} has no command point."
    return ""
