"""The state of a game of the Grand Tactical Series.

The state answers what the rules ask of the whole table: what stands in a hex, which chits go into
the mug, how many points a division has. Who may act under a chit is in ``activation``. Its events
are in ``events``, but for the one that a text of the owner's card may bring
(``consequences_of``). Letters such as E.II are steps of the sequence of play.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, get_args

import msgspec
from msgspec.structs import replace

from skirmish.games.gts.ruleset import (
    TURNS,
    Chit,
    Division,
    GtsRules,
    GtsTables,
)
from skirmish.games.gts.units import (
    ARTILLERY,
    Marker,
    leads,
    steps_of,
)
from skirmish.tabletop.companion import typed_facts
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import TrackSet
from skirmish.tabletop.companion.flow import Flow
from skirmish.tabletop.companion.sequence import SequencePhase
from skirmish.tabletop.companion.table_state import Task

MUG = "mug"
NESTS, OBSTACLES, GAP = "nests", "obstacles", "gap"
SEA_STATE, PHONE_LINES = "sea state", "phone lines"
BEACH_NUMBERS = (NESTS, OBSTACLES, GAP, SEA_STATE, PHONE_LINES)
"""The numbers on the board of a landing beach. Each is a track (``beach_track``)."""
BEACH_AIMS = (NESTS, OBSTACLES, GAP)
"""The numbers of a beach that can be attacked."""
GAP_OPEN = 2
"""A gap is open as soon as an attack has brought its number down to this or less (N27)."""
MOST_STACKED_STEPS = 8
"""The most steps of one hex, but for a unit in column."""
Scope = Literal["whole", "mug", "fire"]
"""The whole game, or a part alone: the chits in the mug, or fire and checks."""
Light = Literal["day", "dusk", "night"]
"""``dusk`` is the last turn before night."""
LIGHTS: dict[Light, str] = {"day": "day", "dusk": "the last turn before night", "night": "night"}
"""What each is called where players choose it."""
Weather = Literal["clear", "overcast", "fog", "rain"]
WEATHERS: tuple[Weather, ...] = get_args(Weather)
PointKind = Literal["cp", "dp"]
"""Command and dispatch points."""


def points_track(kind: PointKind, division: str) -> str:
    """The id of the track that holds the points of a division."""
    return f"{kind} {division}"


def beach_track(beach: str, number: str) -> str:
    """The id of the track of one of the ``BEACH_NUMBERS``: ``Utah nests``."""
    return f"{beach} {number}"


class GtsSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What was agreed before play."""

    rules: GtsRules
    sides: dict[str, str]
    """The names of the sides, by id."""
    scope: Scope
    revision: str = ""
    """The revision of the data, for the rules page."""


class ChitAside(NamedTuple):
    """A formation's chit that a side bought for the turn after; only that side knows which."""

    name: str
    side: str


class GtsState(typed_facts.TypedState, frozen=True, kw_only=True):
    """A game as it stands. The ``ground`` of ``TableState`` has the barrages on hexes, empty or
    not: a unit that comes into such a hex is under its barrage, too."""

    setup: GtsSetup
    tables: GtsTables
    divisions: dict[str, Division] = msgspec.field(default_factory=dict)
    chits: dict[str, Chit] = msgspec.field(default_factory=dict)
    bought: tuple[str, ...] = ()
    """Formations whose chits go into the mug this turn."""
    chits_aside: tuple[ChitAside, ...] = ()
    """The chits set aside this turn, for the next."""
    chits_aside_before: tuple[ChitAside, ...] = ()
    """The chits set aside in the turn before: they go into the mug this turn."""
    left_over: str = ""
    """The chit that was the last in the mug: it is the first of the next turn (G20)."""
    mug_is_filled: bool = False
    """Whether the mug has been filled for this turn."""
    chit: str = ""
    """The chit in play."""
    actions_taken: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The kinds of action that each unit took under the chit in play; who acted last stands
    last."""
    improved_before: tuple[str, ...] = ()
    """The units that were in improved positions when that chit was drawn: an entrenchment is dug
    only in a hex that had one by then."""
    light: Light = "day"
    weather: Weather = "clear"
    bonuses: dict[str, bool] = msgspec.field(default_factory=dict)
    """By the id of a unit that fired in an assault: whether it had the company bonus, which counts
    for its second shot, too."""
    community: bool = False
    """Whether the tables are those of the online module, not of the owner's card."""

    @property
    def rules(self) -> GtsRules:
        """The rules that the game was opened with."""
        return self.setup.rules

    def codes(self, table: str) -> dict[str, str]:
        return self.rules.codes(table)

    def value_name(self, id: str) -> str:
        return self.rules.name(id)

    @property
    def charts(self) -> Mapping[str, Flow]:
        if self.setup.scope == "mug":
            return {}
        return self.rules.charts

    @property
    def beaches(self) -> tuple[str, ...]:
        """The landing beaches whose boards are entered: each has a track of its nests."""
        ending = beach_track("", NESTS)  # a beach without a name leaves the end of the id
        return tuple(id.removesuffix(ending) for id in self.tracks if id.endswith(ending))

    @property
    def night(self) -> bool:
        """Whether it is night, which counts for sight, fire and rallies."""
        return self.light == "night"

    @property
    def mug(self) -> Cup:
        """The mug with the activation chits."""
        return self.cups[MUG]

    # -------------------------------------------------------------- units

    def units(self, side: str = "", flag: str = "") -> tuple[Counter, ...]:
        """The units in play, of a side or with a marker."""
        return tuple(unit for unit in self.counters.where(side=side, flag=flag) if unit.steps)

    def idle(self) -> tuple[Counter, ...]:
        """The units that have not acted this turn; none outside the step of activations. Where only
        fire is played there are no steps, and units may act at any time."""
        if self.phase_id != "activations" and self.setup.scope != "fire":
            return ()
        idle = []
        for unit in self.units():
            # A leader does nothing by himself.
            if not leads(unit) and not unit.has(Marker.ACTED):
                idle.append(unit)
        return tuple(idle)

    def stack(self, unit: Counter) -> tuple[Counter, ...]:
        """The units of a unit's side in its hex, with the unit itself; it alone where no hex is
        written down."""
        stack: tuple[Counter, ...] = (unit,)
        if unit.place:
            stack = self.counters.where(side=unit.side, place=unit.place)
        return tuple(stacked for stacked in stack if stacked.steps)

    def guns(self, unit: Counter) -> tuple[Counter, ...]:
        """The artillery of a unit's division in its hex: what is in one park, or would be (sequence
        of play, E.I)."""
        division = self.division_of(unit)
        stack = [gun for gun in self.stack(unit) if gun.kind == ARTILLERY]
        return tuple(gun for gun in stack if self.division_of(gun) == division)

    def has_park(self, unit: Counter, place: str) -> bool:
        """Whether the division of a unit has a park in that hex."""
        parked = self.counters.where(side=unit.side, place=place, flag=Marker.IN_PARK)
        division = self.division_of(unit)
        return any(gun.steps and self.division_of(gun) == division for gun in parked)

    def overstacked(self, unit: Counter) -> bool:
        """Whether the hex of a unit holds too many steps; one unit in column more may be there
        (Stacking). A second one in column is not noticed."""
        counted = [stacked for stacked in self.stack(unit) if not stacked.has(Marker.IN_COLUMN)]
        return sum(steps_of(stacked) for stacked in counted) > MOST_STACKED_STEPS

    def steps_in_hex(self, unit: Counter) -> int:
        """All steps in the hex of a unit, in column or not (Other Actions)."""
        return sum(steps_of(stacked) for stacked in self.stack(unit))

    def division_of(self, unit: Counter) -> str:
        """The division of a unit: that of its formation, or the division that it belongs to itself;
        empty if neither is known."""
        if unit.group in self.divisions:
            return unit.group
        divisions_by_group = self.once("divisions by group", self._divisions_by_group)
        return divisions_by_group.get(unit.group, "")

    def _divisions_by_group(self) -> dict[str, str]:
        """The division of each formation, as its chit names it."""
        return {chit.group: chit.division for chit in self.chits.values()}

    # -------------------------------------------------------------- the turn

    def hour(self, turn: int) -> str:
        """What the owner calls a turn of the day: ``0700``, ``night``; empty if he did not. The
        turns that he named begin again each day."""
        # They are stored like the texts of a table, by numbers from 0 on that nobody rolls.
        names_by_number = self.tables.texts.get(TURNS, {})
        names = [names_by_number[number] for number in sorted(names_by_number, key=int)]
        if not names:
            return ""
        return names[(turn - 1) % len(names)].lower()

    def why_skipped(self, phase: SequencePhase, turn: int) -> str:
        # The weather and air points of steps A and B are for the morning. A turn without a name may
        # be the morning, so nothing is skipped in it.
        hour = self.hour(turn)
        if phase.id in ("weather", "air") and hour and "0700" not in hour:
            return "only in an 0700 turn"
        return ""

    def consequences_of(self, task: Task, text: str) -> list[ConditionsSet | TrackSet]:
        """What follows from a text of the owner's card, as far as its words are understood: the
        weather, or a lower number of a beach."""
        words = text.lower().replace("mist", "fog")  # mist counts as fog
        if task.table == "weather":
            for weather in WEATHERS:
                if weather in words:
                    return [ConditionsSet(light=self.light, weather=weather)]
        if task.table == "beach":
            return self._beach_hit(task, words)
        return []

    def _beach_hit(self, task: Task, words: str) -> list[ConditionsSet | TrackSet]:
        """The event of a text such as ``nest -2`` or ``any -1``, which takes so much off the number
        that was attacked; none if the text is about another number."""
        track = self.tracks.get(task.place)
        loss = re.search(r"-\s*([0-9])", words)
        if not track or not loss:
            return []
        # The place is the track of what was attacked, ``Utah nests``, whose last word is one of
        # ``BEACH_AIMS``.
        _, _, aim = task.place.rpartition(" ")
        # The card uses the singular: it takes off a ``nest``.
        singular = aim.removesuffix("s")
        if "any" not in words and singular not in words:
            return []
        after = max(track.value - int(loss[1]), 0)
        why = ""
        if aim == GAP and after <= GAP_OPEN:
            why = "place Gap Open markers"
        return [TrackSet(track=track.id, value=after, why=why)]

    # -------------------------------------------------------------- points and chits

    def points(self, kind: PointKind, division: str) -> int:
        """The command or dispatch points of a division; 0 of one that is not entered."""
        track = self.tracks.get(points_track(kind, division))
        if track is None:
            return 0
        return track.value

    def without_points(self) -> tuple[str, ...]:
        """The divisions of which no points are known in the first turn: the owner entered none with
        the division, though a scenario gives each some, and none are on its tracks. Empty in later
        turns, as divisions may have had points and spent them."""
        if self.position.turn > 1:
            return ()
        without = []
        for name, division in self.divisions.items():
            entered_with_points = division.cp or division.dp
            has_points = self.points("cp", name) or self.points("dp", name)
            if not entered_with_points and not has_points:
                without.append(name)
        return tuple(without)

    def has_bought(self, name: str) -> bool:
        """Whether a formation's chit is on its way into the mug, or was left over."""
        aside = [chit.name for chit in (*self.chits_aside, *self.chits_aside_before)]
        return name in (*self.bought, self.left_over, *aside)

    def open_chits(self) -> tuple[str, ...]:
        """The chits that the mug gets openly (step G): all in play but formations that nobody
        bought for this turn, and the naval chit at night."""
        left_out = ["formation"]  # kinds of chits
        if self.night:
            left_out.append("naval")
        chits = [name for name, chit in self.chits.items() if chit.kind not in left_out]
        bought = [name for name in self.bought if name in self.chits]
        return (*chits, *bought)

    def chits_going_in(self, chits: Iterable[str]) -> tuple[str, ...]:
        """These chits and what goes in with them: secretly those set aside before, but never the
        one left over. In alphabetical order, which gives nothing away."""
        aside = {chit.name for chit in self.chits_aside_before if chit.name in self.chits}
        return tuple(sorted({*chits, *aside} - {self.left_over}))


class ConditionsSet(typed_facts.OwnersFact, frozen=True, kw_only=True, tag="conditions"):
    """Light and weather were set; they count for sight and fire."""

    light: Light
    weather: Weather

    def apply(self, state: GtsState) -> GtsState:
        return replace(state, light=self.light, weather=self.weather)

    def narrate(self, state: GtsState) -> str:
        return f"It is {LIGHTS[self.light]}, {self.weather}."
