"""The state of a game of the Grand Tactical Series, its open questions, and its events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from skirmish.games.gts.combat import text_of
from skirmish.games.gts.ruleset import (
    ATTACHING,
    CAP,
    TURNS,
    Chit,
    Division,
    GtsRules,
    GtsTables,
)
from skirmish.games.gts.units import ARTILLERY, STRIPES, Marker, commanded, leads, steps_of
from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion import typed_tables as typed
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import AnyTableEvent, TableEvent, Task, Track, TrackSet
from skirmish.tabletop.companion.flow import Flow
from skirmish.tabletop.companion.result_table import Sum
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.refusal import reason

MUG = "mug"
BOARDS = ("nests", "obstacles", "gap")
"""What is attacked of a beach."""
GAP_OPEN = 2
"""The highest number of a gap that is open for those who attack it."""
STACK = 8
"""The most steps of one hex, but for a unit in column."""
Scope = Literal["whole", "mug", "fire"]
Light = Literal["day", "dusk", "night"]
"""``dusk`` is the last turn before night."""
LIGHTS: dict[Light, str] = {"day": "day", "dusk": "the last turn before night", "night": "night"}
Weather = Literal["clear", "overcast", "fog", "rain"]
WEATHERS: tuple[Weather, ...] = get_args(Weather)


class GtsSetup(msgspec.Struct, frozen=True, kw_only=True):
    """``scope``: the whole game, or a part alone; ``sides``: their names by id."""

    rules: GtsRules
    sides: dict[str, str]
    scope: Scope
    revision: str = ""


class GtsState(typed.TypedState, frozen=True, kw_only=True):
    """``chit`` is in play; ``bought`` are formations for this turn, ``held`` with their sides those
    set aside for the next, ``ready`` those set aside before; ``left`` waits for the next turn.
    ``done``: the kinds of action of each unit under the present chit, the last unit last, and
    ``improved`` the units in improved positions as it was drawn; ``bonuses``: company bonuses that
    count for a second shot in an assault, too. Barrages of empty hexes are in ``ground``.
    ``community``: the tables are those of the online module, not of the owner's card."""

    setup: GtsSetup
    tables: GtsTables
    divisions: dict[str, Division] = msgspec.field(default_factory=dict)
    chits: dict[str, Chit] = msgspec.field(default_factory=dict)
    bought: tuple[str, ...] = ()
    held: tuple[tuple[str, str], ...] = ()
    ready: tuple[tuple[str, str], ...] = ()
    left: str = ""
    filled: bool = False
    chit: str = ""
    done: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    improved: tuple[str, ...] = ()
    light: Light = "day"
    weather: Weather = "clear"
    bonuses: dict[str, bool] = msgspec.field(default_factory=dict)
    community: bool = False

    @property
    def rules(self) -> GtsRules:
        return self.setup.rules

    def codes(self, table: str) -> dict[str, str]:
        return self.rules.codes(table)

    def value_name(self, id: str) -> str:
        return self.rules.name(id)

    @property
    def charts(self) -> Mapping[str, Flow]:
        return self.rules.charts if self.setup.scope != "mug" else {}

    @property
    def beaches(self) -> tuple[str, ...]:
        nests = (id for id in self.tracks if id.endswith(" nests"))
        return tuple(id.removesuffix(" nests") for id in nests)

    @property
    def night(self) -> bool:
        return self.light == "night"

    @property
    def mug(self) -> Cup:
        return self.cups[MUG]

    def units(self, side: str = "", flag: str = "") -> tuple[Counter, ...]:
        return tuple(one for one in self.counters.where(side=side, flag=flag) if one.steps)

    def idle(self) -> tuple[Counter, ...]:
        """Who has not acted this turn."""
        acts = self.now == "activations" or self.setup.scope == "fire"
        if not acts:
            return ()
        units = (unit for unit in self.units() if not leads(unit))
        return tuple(unit for unit in units if not unit.has(Marker.ACTED))

    def able(self) -> dict[str, Counter]:
        """Who may still act under the present chit, by id."""
        return self.once("able", self._able)

    def _able(self) -> dict[str, Counter]:
        if not self.chit:
            return {}
        able = {}
        for unit in self.idle():
            # Out of an entry hex a unit must move; anywhere else it may do nothing.
            least = "movement" if unit.has(Marker.ENTRY) else "pass"
            if not self.why_not_act(unit, least):
                able[unit.id] = unit
        return able

    def transferable(self) -> tuple[Counter, ...]:
        """The leaders who may change to another unit once all actions of the present chit are
        done: those of its division or formation."""
        chit = self.chits.get(self.chit)
        if chit is None or chit.kind not in ("division", *ATTACHING):
            return ()
        leaders = [unit for unit in self.units() if leads(unit)]
        if chit.kind == "division":
            return tuple(unit for unit in leaders if self.division_of(unit) == chit.group)
        return tuple(unit for unit in leaders if unit.group == chit.group)

    def stack(self, unit: Counter) -> tuple[Counter, ...]:
        """The units of its side in its hex; itself alone where no hex is written down."""
        here = self.counters.where(side=unit.side, place=unit.place) if unit.place else (unit,)
        return tuple(one for one in here if one.steps)

    def guns(self, unit: Counter) -> tuple[Counter, ...]:
        """The indirect high explosive of a unit's division in its hex: what is in one park, or
        would be."""
        division = self.division_of(unit)
        stack = [gun for gun in self.stack(unit) if gun.kind == ARTILLERY]
        return tuple(gun for gun in stack if self.division_of(gun) == division)

    def park_of(self, unit: Counter, place: str) -> bool:
        """Whether the division of a unit has a park in that hex."""
        parked = self.counters.where(side=unit.side, place=place, flag=Marker.PARK)
        division = self.division_of(unit)
        return any(gun.steps and self.division_of(gun) == division for gun in parked)

    def without_points(self) -> tuple[str, ...]:
        """The divisions that never got a point: a scenario gives them some to begin with."""
        if self.position.turn > 1:
            return ()
        return tuple(
            name
            for name, division in self.divisions.items()
            if not (division.cp or division.dp)
            and not self.points("cp", name)
            and not self.points("dp", name)
        )

    def overstacked(self, unit: Counter) -> bool:
        stack = self.stack(unit)
        return sum(steps_of(one) for one in stack if not one.has(Marker.COLUMN)) > STACK

    def mass(self, unit: Counter) -> int:
        return sum(steps_of(one) for one in self.stack(unit))

    def division_of(self, unit: Counter) -> str:
        """By its formation, or its division itself; empty if neither is known."""
        if unit.group in self.divisions:
            return unit.group
        of = self.once("of", lambda: {one.group: one.division for one in self.chits.values()})
        return of.get(unit.group, "")

    def hour(self, turn: int) -> str:
        """What the owner calls a turn of the day: ``0700``, ``night``; empty if he did not."""
        day = self.tables.texts.get(TURNS, {})
        names = [day[roll] for roll in sorted(day, key=int)]
        return names[(turn - 1) % len(names)].lower() if names else ""

    def why_skipped(self, phase: SequencePhase, turn: int) -> str:
        morning = phase.id not in ("weather", "air") or "0700" in (self.hour(turn) or "0700")
        return "" if morning else "only in an 0700 turn"

    def came_of(self, task: Task, text: str) -> list[AnyEvent]:
        """The weather, or a lower number of a beach."""
        words, track = text.lower().replace("mist", "fog"), self.tracks.get(task.place)
        if task.table == "weather":
            new = next((one for one in WEATHERS if one in words), None)
            return [ConditionsSet(light=self.light, weather=new)] if new else []
        by, aim = re.search(r"-\s*([0-9])", words), task.place.rpartition(" ")[2].removesuffix("s")
        if not (task.table == "beach" and track and by and re.search(f"any|{aim}", words)):
            return []
        after = max(track.value - int(by[1]), 0)
        why = "place Gap Open markers" if aim == "gap" and after <= GAP_OPEN else ""
        return [TrackSet(track=track.id, value=after, why=why)]

    def points(self, kind: Literal["cp", "dp"], division: str) -> int:
        track = self.tracks.get(f"{kind} {division}")
        return track.value if track else 0

    def has_bought(self, chit: str) -> bool:
        aside = [name for name, _ in (*self.held, *self.ready)]
        return chit in (*self.bought, self.left, *aside)

    def goes_in(self) -> tuple[str, ...]:
        """The chits that the mug gets openly: all in play but formations that nobody bought for
        this turn, and the naval chit at night."""
        out = "naval" if self.night else ""
        chits = (name for name, one in self.chits.items() if one.kind not in ("formation", out))
        return (*chits, *(one for one in self.bought if one in self.chits))

    def filling(self, chits: Iterable[str]) -> tuple[str, ...]:
        """All that go in with these: secretly those set aside before, never the one left over."""
        return tuple(
            sorted({*chits, *(name for name, _ in self.ready if name in self.chits)} - {self.left})
        )

    # -------------------------------------------------------------- who may act

    def why_not_act(self, unit: Counter, kind: str, out: bool = False) -> str:
        """Why a unit may not do something of that kind under the present chit; empty if it may."""
        if self.setup.scope != "whole":
            return ""
        chit = self.chits.get(self.chit)
        if chit is None:
            drawing = self.filled and self.now == "activations" and self.mug.inside > 1
            return "No chit is in play. Space draws one." if drawing else "No chit is in play."
        rule, division, name = self.rules.kinds[chit.kind], self.division_of(unit), unit.name
        led, done = commanded(unit, out), self.done.get(unit.id, ())
        direct, whole = chit.kind == "direct", chit.kind == "division"
        alien = self._why_not_attach(unit, chit) if chit.kind in ("formation", "marines") else ""
        light = whole and kind == "fire" and unit.kind == "purple"
        forbidden = kind not in rule.once and not light
        entry = whole and unit.has(Marker.ENTRY) and kind != "movement" and not done
        same = done and kind not in rule.once and self.rules.rulings["G28"] == "same"
        poor = self.points("cp", division) < (rule.cost or bool(done))
        barred = f"The chit {chit.name} does not allow that."
        return reason(
            (chit.side not in ("", unit.side), f"{name} does not belong to the side of this chit."),
            (direct and STRIPES & {*unit.traits}, "Direct Command moves no independent unit."),
            (whole and division != chit.group, f"{name} is not of {chit.group}."),
            (alien, alien),
            (entry, f"{name} is in an entry hex; it must move out."),
            (not done and forbidden, barred),
            (not led and (direct or light), f"{name} is out of command."),
            (done and (not rule.second or len(done) > 1), f"{name} has acted."),
            (done and kind == "engineer", "A second action is never an engineer's."),
            (kind in done, "A second action is of another kind than the first."),
            (same, barred),
            (done and not led,
             f"{name} is out of command; a second action is for units in command."),
            (poor, f"That costs 1 CP; {division or 'its division'} has none."),
        )  # fmt: skip

    def why_late(self, unit: Counter) -> str:
        """A second action follows at once: why it is late, as far as the register knows."""
        since = list(self.done)[[*self.done, unit.id].index(unit.id) + 1 :]
        if {*since} <= {one.id for one in self.stack(unit)}:
            return ""
        return f"{unit.name} has acted, and others since; a second action follows at once."

    def _why_not_attach(self, unit: Counter, chit: Chit) -> str:
        """Why a formation's chit does not activate a unit: others than its own are attached, those
        with white stripes up to its leader's rating, artillery in contact with him first."""
        if unit.group == chit.group:
            return ""
        if not STRIPES & set(unit.traits) or self.division_of(unit) not in ("", chit.division):
            return f"{unit.name} is not of {chit.group}, nor independent in its division."
        guns = self.once("guns", lambda: self.units(flag=Marker.WITH + chit.group))
        white = (one for one in self.counters if "white" in one.traits)
        attached = [one.id for one in white if one.id in self.done or one in guns]
        full = "white" in unit.traits and unit.id not in attached and len(attached) >= chit.attach
        return f"{chit.group} has attached all it may, {chit.attach}." if full else ""


# ------------------------------------------------------------------ events


class GtsOpened(TableEvent, frozen=True, kw_only=True, tag="opened"):
    setup: GtsSetup
    tables: GtsTables
    sequence: TurnSequence
    dice: Source
    mug: Cup

    def apply(self, state: GtsState | None) -> GtsState:
        # Blank tables have no modifier at all.
        community = bool(self.tables.values)
        return GtsState(setup=self.setup, tables=self.tables, sequence=self.sequence,
                        dice=self.dice, cups={MUG: self.mug}, community=community)  # fmt: skip

    def narrate(self, state: GtsState) -> str:
        return "The game begins."


class DivisionSet(typed.OwnersFact, frozen=True, kw_only=True, tag="division"):
    """A new division also has its chit."""

    division: Division

    def apply(self, state: GtsState) -> GtsState:
        new, name = self.division, self.division.name
        points = {} if name in state.divisions else {"cp": new.cp, "dp": new.dp}
        tracks = {
            f"{kind} {name}": Track(id=f"{kind} {name}", name=f"{name} {kind.upper()}",
                                    value=value, high=CAP)
            for kind, value in points.items()
        }  # fmt: skip
        chit = Chit(name=name, kind="division", side=new.side, group=name)
        now = {"divisions": state.divisions | {name: new}, "chits": {name: chit} | state.chits}
        return replace(state, **now, tracks=state.tracks | tracks)

    def narrate(self, state: GtsState) -> str:
        one = self.division
        return f"{one.name} is in play: command {one.command}, dispatch {one.dispatch}."


class ChitSet(typed.OwnersFact, frozen=True, kw_only=True, tag="chit"):
    """A chit came into play, or with ``gone`` left the game."""

    chit: Chit
    gone: bool = False

    def why_not(self, state: GtsState) -> str:
        if self.chit.kind == "formation" and self.chit.division not in state.divisions:
            return f"{self.chit.name} is a formation; its division is not entered."
        known = self.chit.name in state.chits
        return f"There is a chit {self.chit.name} already." if known and not self.gone else ""

    def apply(self, state: GtsState) -> GtsState:
        name, turn = self.chit.name, state.position.turn
        if not self.gone:
            new = replace(self.chit, since=turn if turn > 1 else 0)
            return replace(state, chits=state.chits | {name: new})
        chits = {id: one for id, one in state.chits.items() if id != name}
        mug = replace(state.mug, unseen=tuple(one for one in state.mug.unseen if one != name))
        return replace(state, chits=chits, cups={MUG: mug})

    def narrate(self, state: GtsState) -> str:
        name, kind = self.chit.name, state.rules.kinds[self.chit.kind].name
        if self.gone:
            return f"The chit {self.chit.name} is out of the game."
        return f"The chit {name}{f' ({kind})' * (kind != name)} is in play."


class ChitBought(TableEvent, frozen=True, kw_only=True, tag="bought"):
    """For this turn, or ``aside`` for the next: its owner alone knows which."""

    chit: str
    aside: bool = False
    side: str = ""

    def apply(self, state: GtsState) -> GtsState:
        if self.aside:
            return replace(state, held=(*state.held, (self.chit, self.side)))
        return replace(state, bought=(*state.bought, self.chit))

    def narrate(self, state: GtsState) -> str:
        if self.aside:
            return "A chit is set aside for the next turn."
        return f"The chit {self.chit} is bought for this turn."


class MugFilled(TableEvent, frozen=True, kw_only=True, tag="filled"):
    """With these chits, and unnamed with those set aside in the turn before."""

    chits: tuple[str, ...]

    def apply(self, state: GtsState) -> GtsState:
        mug = replace(state.mug, unseen=state.filling(self.chits), drawn=())
        now = {"filled": True, "bought": (), "held": (), "ready": state.held}
        return replace(state, cups={MUG: mug}, **now)

    def narrate(self, state: GtsState) -> str:
        more = " The chit that was left over comes first." if state.left else ""
        return f"Chits in the mug: {len(state.filling(self.chits))}.{more}"


class ChitPlayed(TableEvent, frozen=True, kw_only=True, tag="chit_played"):
    """A chit came out of the mug, or is the one that was ``left``; an empty ``chit``: the one that
    is in the mug stays there for the next turn."""

    chit: str
    left: bool = False

    def apply(self, state: GtsState) -> GtsState:
        if not self.chit:
            last, mug = "".join(state.mug.unseen), replace(state.mug, unseen=())
            cups = state.cups | {MUG: mug}
            return replace(state, cups=cups, left=last, chit="", done={}, filled=False)
        left = "" if self.left else state.left
        improved = tuple(one.id for one in state.units(flag=Marker.IMPROVED))
        now = {"chit": self.chit, "left": left, "improved": improved}
        return replace(state, **now, done={}, bonuses={})

    def narrate(self, state: GtsState) -> str:
        if not self.chit:
            return "One chit is left in the mug; it waits face down for the next turn."
        chit = state.chits.get(self.chit)
        text = f" {state.rules.kinds[chit.kind].text}" if chit else ""
        name = self.chit.removesuffix(".")
        return f"{'Left over' if self.left else 'Drawn'}: {name}.{text}"


class ActionTaken(TableEvent, frozen=True, kw_only=True, tag="acted"):
    """``cost``: the command points that it took; ``silent``: another event narrates it."""

    unit: str
    kind: str
    text: str = ""
    cost: int = 0

    def apply(self, state: GtsState) -> GtsState:
        one = state.counters.counters.get(self.unit)
        if one is None:
            return state
        done = {id: kinds for id, kinds in state.done.items() if id != self.unit}
        done[self.unit] = (*state.done.get(self.unit, ()), self.kind)
        register = state.counters.with_counter(one.marked(Marker.ACTED))
        return replace(state, counters=register, done=done)

    def narrate(self, state: GtsState) -> str:
        cost = f" ({self.cost} CP)" * bool(self.cost)
        return f"{state.counters[self.unit].name}: {self.text}{cost}." if self.text else ""


class Checked(TableEvent, frozen=True, kw_only=True, tag="checked"):
    """A troop quality check; without a ``roll`` it was passed for a command point."""

    unit: str
    why: str
    sum: Sum
    roll: int | None = None
    passed: bool

    def apply(self, state: GtsState) -> GtsState:
        return state

    def narrate(self, state: GtsState) -> str:
        name, result = state.counters[self.unit].name, "passed" if self.passed else "failed"
        if self.roll is None:
            return f"{name}, {self.why}: passed for 1 CP."
        return f"{name}, {self.why}: {text_of(self.sum)}. Roll {self.roll}: {result}."


class ShotFired(TableEvent, frozen=True, kw_only=True, tag="shot"):
    """``result`` is empty where the owner looks it up; ``bonus``: that of the ``firer``, for
    another shot in the assault."""

    text: str
    firer: str = ""
    bonus: bool | None = None
    sum: Sum
    roll: int
    hit: bool
    result: str = ""
    barrage: str = ""

    def apply(self, state: GtsState) -> GtsState:
        others = {id: one for id, one in state.bonuses.items() if id != self.firer}
        kept = {} if self.bonus is None else {self.firer: self.bonus}
        return replace(state, bonuses=others | kept)

    def narrate(self, state: GtsState) -> str:
        barrage = f" A {self.barrage} barrage falls." if self.barrage else ""
        return f"{self.text}: {text_of(self.sum)}. Roll {self.roll}: {self.meaning(state)}{barrage}"

    def meaning(self, state: GtsState) -> str:
        if not self.result:
            return "a hit; look the result up."
        return f"{self.result}. {state.rules.results.get(self.result, '')}".strip()


class TablesTaken(typed.TablesFromFile, frozen=True, kw_only=True, tag="tables"):
    tables: GtsTables

    def apply(self, state: Any) -> Any:
        # What comes out of a file is the owner's own.
        return replace(super().apply(state), community=False)


class ConditionsSet(typed.OwnersFact, frozen=True, kw_only=True, tag="conditions"):
    light: Light
    weather: Weather

    def apply(self, state: GtsState) -> GtsState:
        return replace(state, light=self.light, weather=self.weather)

    def narrate(self, state: GtsState) -> str:
        return f"It is {LIGHTS[self.light]}, {self.weather}."


class BeachSet(typed.BoardSet, frozen=True, kw_only=True, tag="beach"):
    """The board of a landing beach, or how many works a division or formation may still build."""


Fact: TypeAlias = (
    DivisionSet
    | ChitSet
    | typed.CellTyped
    | typed.ValuesTyped
    | TablesTaken
    | ConditionsSet
    | BeachSet
)
AnyEvent: TypeAlias = (
    GtsOpened | Fact | ChitBought | MugFilled | ChitPlayed | ActionTaken | Checked
    | ShotFired | AnyTableEvent
)  # fmt: skip
