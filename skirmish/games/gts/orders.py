"""The orders of the mug, the points, the turn and rolls on tables; and ``GtsOrder``, the base of
all orders, with the events of acting under a chit. Orders of units are in ``actions``, ``checks``,
``works``, ``fire`` and ``fire_results``.

What is not possible raises ``Refused``; what only seems odd is refused by ``advise``, which the
players may overrule. Names such as D.II are steps of the sequence of play in the rules summary,
names such as G20 are rulings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from skirmish.games.gts import state as gts_state
from skirmish.games.gts import units
from skirmish.games.gts.activation import action_cost, why_late, why_not_act
from skirmish.games.gts.events import (
    ActionTaken,
    AnyEvent,
    Checked,
    ChitBought,
    ChitPlayed,
    Fact,
    MugFilled,
)
from skirmish.games.gts.rolls import dispatch_points, gained, passes
from skirmish.games.gts.ruleset import MOST_POINTS
from skirmish.games.gts.state import GtsState, PointKind, beach_track, points_track
from skirmish.games.gts.units import ARTILLERY, Marker, eliminated
from skirmish.tabletop.companion import counter_events, events
from skirmish.tabletop.companion.counter_events import counters_set
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import next_phase
from skirmish.tabletop.companion.modifiers import Sum
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.table_orders import LAST_TURN, AgendaOrder, spending
from skirmish.tabletop.companion.table_rolls import RollOnTable
from skirmish.tabletop.companion.table_state import Task, evolved
from skirmish.tabletop.companion.typed_facts import RecordFacts
from skirmish.tabletop.refusal import nonsense

CP_FOR_ONE_DP = 2
"""How many command points become a dispatch point (D.I)."""
CHIT_PRICE, PRICE_OF_CHIT_ASIDE = 2, 1
"""The dispatch points for a formation's chit: in this turn, or set aside for the next (D.II)."""


def dice(state: GtsState, own: Iterable[int] = ()) -> Numbers:
    """The rolls of an order, 0 to 9: the player's ``own`` or those of the program's die."""
    return Numbers(state, own=own, sides=10, low=0)


class GtsOrder(AgendaOrder, frozen=True, kw_only=True):
    """An order of this game. (Orders such as a note, which every companion has, are not.)"""

    def of_division(self, state: GtsState) -> str:
        """The division that the order is about, where it names no unit; empty for none."""
        return ""

    def action_events(
        self, state: GtsState, unit: Counter, kind: str, text: str = "", *, out: bool = False
    ) -> list[AnyEvent]:
        """The events of a unit that takes an action of this ``kind`` under the present chit: what
        it costs, and that it has acted. There are no events where only a part of the game is
        played. ``text``: what it does, for the journal; empty where the event of a check or a shot
        says so. ``out``: its players say that it is out of command. Raises Refused where the chit
        does not allow the action, and, unless the players insist, for a second action that does not
        follow the first at once."""
        why = why_not_act(state, unit, kind, out)
        if why:
            raise nonsense("not_now", why)
        if state.setup.scope != "whole":
            return []
        self.advise(why_late(state, unit))
        chit = state.chits[state.chit]
        cost = action_cost(state, unit, chit)
        acts = ActionTaken(unit=unit.id, kind=kind, text=text, cost=cost)
        return [*paid(state, unit, f"{unit.name} acts", cost), acts]

    def roll_check(
        self, state: GtsState, unit: Counter, why: str, total: Sum, numbers: Numbers
    ) -> Checked:
        """Rolls for a check of a unit. ``why``: what the check is for, in words."""
        roll = numbers.number()
        passed = self.passes(state, total, roll)
        return Checked(unit=unit.id, why=why, sum=total, roll=roll, passed=passed)

    def passes(self, state: GtsState, total: Sum, roll: int) -> bool:
        """Whether a roll passes the check. An order whose check is not one of troop quality has its
        own rule."""
        return passes(total.needs, roll, literal=state.rules.less_than_is_literal)


def unit_of(state: GtsState, id: str) -> Counter:
    """A unit that is still in play, under the barrage of its hex. Raises Refused."""
    unit = state.counters.counters.get(id)
    if unit is None or not unit.steps:
        raise nonsense("no_unit", "That unit is not in play.")
    return unit.remarked(on=state.ground.get(unit.place, ()))


class GtsRecord(RecordFacts, GtsOrder, frozen=True, kw_only=True, tag="record"):
    """What a player enters of the game on the table and of his card."""

    facts: tuple[Fact, ...]


# ------------------------------------------------------------------ the mug and the points


class Pay(GtsOrder, frozen=True, kw_only=True, tag="pay"):
    """Points of a division are spent."""

    points: PointKind
    division: str
    count: int = 1
    buys: int = 0
    """The dispatch points that it gets for them (D.I)."""

    def of_division(self, state: GtsState) -> str:
        return self.division

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        track = points_track(self.points, self.division)
        if not self.buys:
            # A new list, since mypy takes no list[TrackSet] for a list[AnyEvent].
            return [*spending(state, track, self.count)]
        cost = spending(state, track, self.count, f"for {self.buys} DP")
        held = state.points("dp", self.division) + self.buys
        # Refused rather than cut off at the cap, which would waste the command points.
        if held > MOST_POINTS:
            raise nonsense("most", f"{self.division} holds {MOST_POINTS} DP; more are not held.")
        return [*cost, events.TrackSet(track=points_track("dp", self.division), value=held)]


class Park(GtsOrder, frozen=True, kw_only=True, tag="park"):
    """A park is created, or disbanded if it is one already; each costs 1 DP (E.I). A park is all
    the indirect high explosive that a division has in one hex."""

    unit: str
    """Any unit of the park."""
    others: tuple[str, ...] = ()
    """Further units in the hex that are such artillery, too, as their owner says now: their colors
    were not known."""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def guns(self, state: GtsState) -> list[Counter]:
        """The units of the park, each with the color of its artillery."""
        unit = unit_of(state, self.unit)
        # By id, so that the unit itself is there once, whether or not its color was known.
        guns = {gun.id: gun for gun in state.guns(unit)}
        for id in (self.unit, *self.others):
            guns[id] = replace(unit_of(state, id), kind=ARTILLERY)
        return [*guns.values()]

    def why_not(self, state: GtsState) -> str:
        """Why the park can be neither created nor disbanded; empty if it can."""
        unit = unit_of(state, self.unit)
        division, place = state.division_of(unit), unit.place
        # With an empty kind nobody has read the color off the counter. By this order the owner
        # says that it is that of artillery.
        if unit.kind not in ("", ARTILLERY):
            return f"{unit.name} is no indirect high explosive."
        if not division:
            return f"The division of {unit.name} is not known."
        if unit.has(Marker.ENTRY_HEX):
            return f"{place or unit.name} is an entry hex."
        # A hex holds one park.
        guns_of_others = []
        for gun in state.stack(unit):
            if gun.has(Marker.IN_PARK) and state.division_of(gun) != division:
                guns_of_others.append(gun.name)
        if guns_of_others:
            return f"There is a park in {place} already, that of {', '.join(guns_of_others)}."
        if not state.points("dp", division):
            return f"{division} has no dispatch point."
        return ""

    def disbands(self, state: GtsState) -> bool:
        """Whether the order disbands the park: there is one already."""
        unit = unit_of(state, self.unit)
        return any(gun.has(Marker.IN_PARK) for gun in state.guns(unit))

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        why_not = self.why_not(state)
        if why_not:
            raise nonsense("no_park", why_not)
        unit = unit_of(state, self.unit)
        uncolored = {gun.id for gun in uncolored_beside(state, unit)}
        # The screen offers no others, but an order may come from a file.
        if not uncolored.issuperset(self.others):
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
        cost = spending(state, points_track("dp", state.division_of(unit)), 1, why)
        return [*cost, *counters_set(state, after)]


def uncolored_beside(state: GtsState, unit: Counter) -> tuple[Counter, ...]:
    """The other units of a unit's division in its hex whose colors nobody has read off their
    counters so far: each may be artillery."""
    division = state.division_of(unit)
    uncolored = []
    for stacked in state.stack(unit):
        if stacked.kind or stacked.id == unit.id or units.leads(stacked):
            continue
        if state.division_of(stacked) == division:
            uncolored.append(stacked)
    return tuple(uncolored)


class BuyChit(GtsOrder, frozen=True, kw_only=True, tag="buy_chit"):
    """A formation's chit is bought for this turn, or set ``aside`` for the next (D.II)."""

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
        # A chit that was there from the beginning has 0 here, and may be bought in the first turn.
        if chit.since and chit.since == state.position.turn:
            self.advise("Its leader has not been in play for a turn.")
        price = CHIT_PRICE
        if self.aside:
            price = PRICE_OF_CHIT_ASIDE
        cost = spending(state, points_track("dp", chit.division), price, "a chit")
        return [*cost, ChitBought(chit=self.chit, aside=self.aside, side=chit.side)]


class FillMug(GtsOrder, frozen=True, kw_only=True, tag="fill_mug"):
    """The chits go into the mug (G)."""

    chits: tuple[str, ...]
    """Those that go in openly. Those set aside the turn before go in with them."""

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if state.mug_is_filled:
            raise nonsense("filled", "The mug is filled for this turn.")
        unfit = [name for name in self.chits if name not in state.chits]
        if unfit:
            raise nonsense("no_chit", f"Not among the chits of this game: {', '.join(unfit)}.")
        # ``chits`` may be empty: those set aside suffice.
        if not state.chits_going_in(self.chits):
            raise nonsense("no_chit", "No chit goes into the mug.")
        return [MugFilled(chits=self.chits), *_next_phase_after(state, "mug")]


def _next_phase_after(state: GtsState, phase: str) -> list[AnyEvent]:
    """The event that begins the next phase, if the game is in this one; none where no phases are
    played or the last one is over."""
    if state.setup.scope != "whole" or state.phase_id != phase:
        return []
    begun = next_phase(state)
    if begun is None:
        return []
    return [begun]


class DrawChit(GtsOrder, frozen=True, kw_only=True, tag="draw_chit"):
    """A chit comes into play: the one left over, else one out of the mug. The last one in the mug
    stays there for the next turn (G20)."""

    chit: str = ""
    """The chit that a player drew out of his own mug; empty where the program draws."""

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if not state.mug_is_filled:
            raise nonsense("not_filled", "Fill the mug first.")
        if state.left_over:
            return _chit_played(state, state.left_over, was_left_over=True)
        if state.mug.inside <= 1:
            # No chit is played: this event leaves the last one over for the next turn (G20).
            last_chit_stays = ChitPlayed(chit="")
            return [last_chit_stays, *_next_phase_after(state, "activations")]
        chit = self.chit
        program_draws = not chit and not state.mug.typed
        if program_draws:
            chit = state.mug.peek()
        elif chit not in state.mug.unseen:
            raise nonsense("no_chit", "Type a chit that is in the mug.")
        # Silent, since the next event says which chit it is.
        drawn = events.Drawn(cup=gts_state.MUG, chit=chit, own=bool(self.chit), silent=True)
        return [drawn, *_chit_played(state, chit)]


def _chit_played(state: GtsState, name: str, *, was_left_over: bool = False) -> list[AnyEvent]:
    """The events of a chit that comes into play: that of a division brings it points.
    ``was_left_over``: it is the one left over from the turn before."""
    played: list[AnyEvent] = [ChitPlayed(chit=name, left=was_left_over)]
    chit = state.chits.get(name)
    if chit is None or chit.kind != "division":
        return played
    division = chit.group  # what the chit of a division activates is the division
    # A division that nobody has entered has no ratings, by which it would get points.
    if division not in state.divisions:
        return played
    if state.dice.typed:
        # The player rolls: the game asks him, and his answer is a ``RollPoints``. A task has no
        # field for a division; its ``place`` is where this kind of task has it.
        task = Task(kind="points", place=division)
        return [*played, events.TasksSet(tasks=(task,))]
    return [*played, *_points_gained(state, division, dice(state))]


def _points_gained(state: GtsState, division: str, numbers: Numbers) -> list[AnyEvent]:
    """The events of a division that rolls for command and for dispatch points."""
    # The first roll is for command points: the player's own come in this order.
    command_roll = numbers.number()
    dispatch_roll = numbers.number()
    return [
        *numbers.events,
        _command_points_after(state, division, command_roll),
        _dispatch_points_after(state, division, dispatch_roll),
    ]


def _command_points_after(state: GtsState, division: str, roll: int) -> events.TrackSet:
    """The command points of a division after it has rolled for new ones. It gains half the roll,
    rounded down, and its command rating."""
    rating = state.divisions[division].command
    half = roll // 2
    held = state.points("cp", division)
    value = held + gained(held, half + rating)
    why = f"roll {roll}: {half}, command {rating:+}"
    return events.TrackSet(track=points_track("cp", division), value=value, why=why)


def _dispatch_points_after(state: GtsState, division: str, roll: int) -> events.TrackSet:
    """The dispatch points of a division after it has rolled for new ones."""
    held = state.points("dp", division)
    is_last_before_night = state.light == "dusk"
    gains = dispatch_points(
        held,
        state.divisions[division].dispatch,
        roll,
        last=is_last_before_night,
        literal=state.rules.less_than_is_literal,
    )
    total = sum(gain.value for gain in gains)
    # A 9 takes a point away, and may be all there is (G10). Command points have no such rule.
    value = held + gained(held, total, lost=state.rules.point_lost)
    gains_in_words = ", ".join(f"{gain.label} {gain.value:+}" for gain in gains) or "nothing"
    why = f"roll {roll}: {gains_in_words}"
    return events.TrackSet(track=points_track("dp", division), value=value, why=why)


class RollPoints(GtsOrder, frozen=True, kw_only=True, tag="roll_points"):
    """A division rolls for command and dispatch points."""

    answers: ClassVar[tuple[str, ...]] = ("points",)

    division: str
    numbers: tuple[int, ...] = ()
    """The player's own rolls: for command points, then for dispatch points."""

    def of_division(self, state: GtsState) -> str:
        return self.division

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if self.division not in state.divisions:
            raise nonsense("no_division", f"{self.division} is not entered.")
        happenings = _points_gained(state, self.division, dice(state, self.numbers))
        # Without a task the players rolled of their own accord: no chit has asked for it.
        if not state.agenda:
            return happenings
        # The task that asked for the rolls is the first one, and done now.
        return [*happenings, events.TasksSet(tasks=state.agenda[1:])]


class Proceed(GtsOrder, frozen=True, kw_only=True, tag="proceed"):
    """The game goes on to the next step of the turn. In the last one the markers come off; with a
    new turn it may grow dark or light. Where only fire is played, a turn has nothing but its
    clean-up."""

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
        happenings.append(begun)
        turn = begun.position.turn
        light = _light_of_turn(state, turn)
        # Where the owner has not named the turns of a day, light is set by hand.
        if state.hour(turn) and light != state.light:
            happenings.append(gts_state.ConditionsSet(light=light, weather=state.weather))
        return happenings

    def _warn_of_points(self, state: GtsState) -> None:
        """In the step in which chits are bought, advises against going on while a division has no
        points: a scenario gives it some, which may have been forgotten."""
        without_points = state.without_points()
        if state.phase_id != "points" or not without_points:
            return
        names = " and ".join(without_points)
        has = "have"
        if len(without_points) == 1:
            has = "has"
        self.advise(f"{names} {has} no points yet.", key_note="O rolls for them, T sets them.")


def _light_of_turn(state: GtsState, turn: int) -> gts_state.Light:
    """The light of a turn, by the names that the owner gave to the turns of a day: it is night in a
    turn that has the word “night”, in capitals or not, in its name (docs/gts.md). Dusk is the last
    turn before night."""
    if "night" in state.hour(turn):
        return "night"
    if "night" in state.hour(turn + 1):
        return "dusk"
    return "day"


def _cleaned_up(state: GtsState) -> list[AnyEvent]:
    """The events of a turn's end: barrages lift, markers come off, and the leaders of formations
    that are gone leave the game (K, L)."""
    happenings: list[AnyEvent] = [counter_events.MarkersCleared(flags=Marker.CLEARED)]
    if state.ground:
        happenings.append(events.MapSeen(ground=dict.fromkeys(state.ground, ())))
    for unit in state.units():
        if units.leads(unit) and _formation_is_gone(state, unit):
            happenings.append(counter_events.CounterSet(counter=eliminated(unit)))
    return happenings


def _formation_is_gone(state: GtsState, leader: Counter) -> bool:
    """Whether all units of a leader's formation are out of play. It is not gone while none of them
    is entered yet; otherwise a leader who is entered before his units would leave at once."""
    if not leader.group:
        return False
    formation = state.counters.where(side=leader.side, group=leader.group)
    followers = [unit for unit in formation if not units.leads(unit)]
    if not followers:
        return False
    return not any(unit.steps for unit in followers)


class LookUp(RollOnTable, GtsOrder, frozen=True, kw_only=True, tag="look_up"):
    """A roll on one of the tables of texts, such as the weather, or on that of attacks on beach
    defenses. Only an attack has these fields, as far as its unit and its beach are entered."""

    unit: str = ""
    """The unit that attacks."""
    beach: str = ""
    aim: str = ""
    """What of the beach it attacks: one of ``BEACH_AIMS``."""

    @property
    def acting(self) -> tuple[str, ...]:
        if not self.unit:
            return ()
        return (self.unit,)

    def dice(self, state: GtsState) -> Numbers:
        return dice(state, self.numbers)

    def sum(self, state: GtsState) -> Sum:
        ids = []
        if self.unit:
            ids = units.beach_modifiers(unit_of(state, self.unit))
        tables = state.tables.with_values(self.values)
        # Nothing but its modifiers is added to the roll, so the sum begins at 0.
        name_of_modifier = state.rules.name
        return tables.sum(0, ids, name_of_modifier)

    def before(self, state: GtsState) -> list[AnyEvent]:
        if not self.unit:
            return []
        unit = unit_of(state, self.unit)
        if unit.has(Marker.SUPPRESSED):
            raise nonsense("no_fire", f"{unit.name} is suppressed.")
        taken = self.action_events(state, unit, "fire")
        return [*taken, *counters_set(evolved(state, taken), [units.after_action(unit)])]

    def about(self) -> str:
        if not self.beach:
            return ""
        return beach_track(self.beach, self.aim)


# ------------------------------------------------------------------ acting under a chit


def paid(state: GtsState, unit: Counter, why: str, count: int = 1) -> list[AnyEvent]:
    """The event of a unit that costs its division ``count`` command points; none for a count of 0,
    and none where only fire is played, since the players keep the points themselves."""
    if state.setup.scope == "fire" or not count:
        return []
    return [*spending(state, points_track("cp", state.division_of(unit)), count, why)]


def why_not_spend(state: GtsState, unit: Counter, *, out: bool, listed: bool = True) -> str:
    """Why no command point may pass a check of a unit; empty if one may. ``listed``: the check is
    on the list of those that a point passes (G2)."""
    if not units.is_in_command(unit, out):
        return "A unit out of command spends no command point."
    if not listed and not state.rules.points_pass_any_check:
        return "No command point passes this check."
    division = state.division_of(unit)
    # Where only fire is played, the program does not know the points.
    if state.setup.scope != "fire" and not state.points("cp", division):
        return f"{division or 'Its division'} has no command point."
    return ""
