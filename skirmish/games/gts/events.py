"""The events of the Grand Tactical Series: what each changes in the state, and its sentence in the
journal. They are stored for ever.

A ``Fact`` is an event that an owner enters. Names such as G20 are rulings.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec.structs import replace

from skirmish.games.gts.rolls import sum_text
from skirmish.games.gts.ruleset import MOST_POINTS, Chit, Division, GtsTables
from skirmish.games.gts.state import (
    MUG,
    ChitAside,
    ConditionsSet,
    GtsSetup,
    GtsState,
    PointKind,
    points_track,
)
from skirmish.games.gts.units import Marker
from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion import typed_facts
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import AnyTableEvent
from skirmish.tabletop.companion.modifiers import Sum
from skirmish.tabletop.companion.sequence import TurnSequence
from skirmish.tabletop.companion.table_state import TableEvent, Track


class GtsOpened(TableEvent, frozen=True, kw_only=True, tag="opened"):
    """The game begins, with the tables of the owner's card or the community's."""

    setup: GtsSetup
    tables: GtsTables
    sequence: TurnSequence
    dice: Source
    mug: Cup

    def apply(self, state: GtsState | None) -> GtsState:
        # Tables that the owner has yet to type in are blank, without any modifier.
        community = bool(self.tables.values)
        return GtsState(
            setup=self.setup,
            tables=self.tables,
            sequence=self.sequence,
            dice=self.dice,
            cups={MUG: self.mug},
            community=community,
        )

    def narrate(self, state: GtsState) -> str:
        return "The game begins."


class DivisionSet(typed_facts.OwnersFact, frozen=True, kw_only=True, tag="division"):
    """A division is in play, or its numbers were corrected. A new one brings its chit, and tracks
    for its command and dispatch points."""

    division: Division

    def apply(self, state: GtsState) -> GtsState:
        name = self.division.name
        tracks = dict(state.tracks)
        if name not in state.divisions:
            points: dict[PointKind, int] = {"cp": self.division.cp, "dp": self.division.dp}
            for kind, value in points.items():
                id = points_track(kind, name)
                tracks[id] = Track(
                    id=id, name=f"{name} {kind.upper()}", value=value, high=MOST_POINTS
                )
        # A chit of that name stays as it was entered.
        chit = Chit(name=name, kind="division", side=self.division.side, group=name)
        return replace(
            state,
            divisions=state.divisions | {name: self.division},
            chits={name: chit} | state.chits,
            tracks=tracks,
        )

    def narrate(self, state: GtsState) -> str:
        name, command, dispatch = self.division.name, self.division.command, self.division.dispatch
        return f"{name} is in play: command {command}, dispatch {dispatch}."


class ChitSet(typed_facts.OwnersFact, frozen=True, kw_only=True, tag="chit"):
    """A chit came into play, or with ``gone`` left the game."""

    chit: Chit
    gone: bool = False

    def why_not(self, state: GtsState) -> str:
        if self.chit.kind == "formation" and self.chit.division not in state.divisions:
            return f"{self.chit.name} is a formation; its division is not entered."
        if not self.gone and self.chit.name in state.chits:
            return f"There is a chit {self.chit.name} already."
        return ""

    def apply(self, state: GtsState) -> GtsState:
        if self.gone:
            return self._without(state)
        since = 0  # it was there from the beginning
        if state.position.turn > 1:
            since = state.position.turn
        chit = replace(self.chit, since=since)
        return replace(state, chits=state.chits | {chit.name: chit})

    def _without(self, state: GtsState) -> GtsState:
        """The state without the chit, which leaves the mug as well."""
        chits = {name: chit for name, chit in state.chits.items() if name != self.chit.name}
        unseen = tuple(name for name in state.mug.unseen if name != self.chit.name)
        return replace(state, chits=chits, cups={MUG: replace(state.mug, unseen=unseen)})

    def narrate(self, state: GtsState) -> str:
        name, kind = self.chit.name, state.rules.kinds[self.chit.kind].name
        if self.gone:
            return f"The chit {name} is out of the game."
        if kind == name:
            return f"The chit {name} is in play."
        return f"The chit {name} ({kind}) is in play."


class ChitBought(TableEvent, frozen=True, kw_only=True, tag="bought"):
    """A formation's chit was bought for this turn, or set aside for the next."""

    chit: str
    aside: bool = False
    """Whether it was set aside: then only its side knows which chit it is."""
    side: str = ""

    def apply(self, state: GtsState) -> GtsState:
        if self.aside:
            aside = ChitAside(self.chit, self.side)
            return replace(state, chits_aside=(*state.chits_aside, aside))
        return replace(state, bought=(*state.bought, self.chit))

    def narrate(self, state: GtsState) -> str:
        if self.aside:
            return "A chit is set aside for the next turn."
        return f"The chit {self.chit} is bought for this turn."

    def narrate_to_owner(self) -> str:
        """The sentence with the name of the chit, for the side that set it aside."""
        return f"The chit {self.chit} is set aside for the next turn."


class MugFilled(TableEvent, frozen=True, kw_only=True, tag="filled"):
    """The mug was filled with these chits, and with those set aside in the turn before, which are
    not named."""

    chits: tuple[str, ...]

    def apply(self, state: GtsState) -> GtsState:
        mug = replace(state.mug, unseen=state.chits_going_in(self.chits), drawn=())
        # What was set aside this turn is ready for the next.
        return replace(
            state,
            cups={MUG: mug},
            mug_is_filled=True,
            bought=(),
            chits_aside=(),
            chits_aside_before=state.chits_aside,
        )

    def narrate(self, state: GtsState) -> str:
        text = f"Chits in the mug: {len(state.chits_going_in(self.chits))}."
        if state.left_over:
            text += " The chit that was left over comes first."
        return text


class ChitPlayed(TableEvent, frozen=True, kw_only=True, tag="chit_played"):
    """A chit came into play, or the last one stays in the mug for the next turn."""

    chit: str
    """Empty: none came into play, and the last one stays in the mug."""
    left: bool = False
    """Whether it is the one left over from the turn before, and did not come out of the mug."""

    def apply(self, state: GtsState) -> GtsState:
        if not self.chit:
            return self._with_last_chit_left_over(state)
        left_over = state.left_over
        if self.left:
            left_over = ""
        improved = tuple(unit.id for unit in state.units(flag=Marker.IMPROVED))
        return replace(
            state,
            chit=self.chit,
            left_over=left_over,
            improved_before=improved,
            actions_taken={},
            bonuses={},
        )

    def _with_last_chit_left_over(self, state: GtsState) -> GtsState:
        """The state in which the last chit waits for the next turn (G20) and none is in play."""
        last = ""
        # One chit is in the mug, unless an earlier line of the journal was made void. With several
        # in it, nobody knows which is the last; all of them are there for the next turn.
        if len(state.mug.unseen) == 1:
            last = state.mug.unseen[0]
        empty_mug = replace(state.mug, unseen=())
        return replace(
            state,
            cups={MUG: empty_mug},
            left_over=last,
            chit="",
            actions_taken={},
            mug_is_filled=False,
        )

    def narrate(self, state: GtsState) -> str:
        if not self.chit:
            return "One chit is left in the mug; it waits face down for the next turn."
        # A name may end in a dot, as ``Div.`` does; the sentence needs only one.
        name = self.chit.removesuffix(".")
        text = f"Drawn: {name}."
        if self.left:
            text = f"Left over: {name}."
        chit = state.chits.get(self.chit)
        if chit:
            text += f" {state.rules.kinds[chit.kind].text}"
        return text


class ActionTaken(TableEvent, frozen=True, kw_only=True, tag="acted"):
    """A unit acted under the present chit."""

    unit: str
    kind: str
    """The kind of action, one of those that a chit allows."""
    text: str = ""
    """What it did, for the journal; empty where another event narrates it."""
    cost: int = 0
    """The command points that it took."""

    def apply(self, state: GtsState) -> GtsState:
        unit = state.counters.counters.get(self.unit)
        if unit is None:  # the order that entered it is void by now
            return state
        # The unit that acted last stands last.
        actions_taken = dict(state.actions_taken)
        actions_before = actions_taken.pop(self.unit, ())
        actions_taken[self.unit] = (*actions_before, self.kind)
        register = state.counters.with_counter(unit.marked(Marker.ACTED))
        return replace(state, counters=register, actions_taken=actions_taken)

    def narrate(self, state: GtsState) -> str:
        unit = state.counters.counters.get(self.unit)
        if not self.text or unit is None:
            return ""
        text = f"{unit.name}: {self.text}"
        if self.cost:
            text += f" ({self.cost} CP)"
        return f"{text}."


class Checked(TableEvent, frozen=True, kw_only=True, tag="checked"):
    """A unit made a check."""

    unit: str
    why: str
    """What the check was for, in words."""
    sum: Sum
    roll: int | None = None
    """None where it was passed for a command point."""
    passed: bool

    def apply(self, state: GtsState) -> GtsState:
        return state

    def narrate(self, state: GtsState) -> str:
        unit = state.counters.counters.get(self.unit)
        if unit is None:  # the order that entered it is void by now
            return ""
        if self.roll is None:
            return f"{unit.name}, {self.why}: passed for 1 CP."
        result = "failed"
        if self.passed:
            result = "passed"
        needed = sum_text(self.sum, literal=state.rules.less_than_is_literal)
        return f"{unit.name}, {self.why}: {needed}. Roll {self.roll}: {result}."


class ShotFired(TableEvent, frozen=True, kw_only=True, tag="shot"):
    """Somebody fired."""

    text: str
    """Who fired at whom, in words."""
    firer: str = ""
    bonus: bool | None = None
    """After the first shot of a unit in an assault, whether it had the company bonus, which counts
    for its second shot, too; None after any other."""
    sum: Sum
    roll: int
    hit: bool
    result: str = ""
    """Empty where the owner looks it up."""
    barrage: str = ""
    """The kind of barrage that falls, ``light`` or ``heavy``; empty if none does."""

    def apply(self, state: GtsState) -> GtsState:
        # A second shot uses the bonus up; a first one stores it for the second.
        bonuses = {id: bonus for id, bonus in state.bonuses.items() if id != self.firer}
        if self.bonus is not None:
            bonuses[self.firer] = self.bonus
        return replace(state, bonuses=bonuses)

    def narrate(self, state: GtsState) -> str:
        needed = sum_text(self.sum, literal=state.rules.less_than_is_literal)
        rolled = f"{self.text}: {needed}. Roll {self.roll}: {self.meaning(state)}"
        if self.barrage:
            return f"{rolled} A {self.barrage} barrage falls."
        return rolled

    def meaning(self, state: GtsState) -> str:
        """``C. A cohesion hit; a third one is a step loss.``"""
        if not self.result:
            return "a hit; look the result up."
        return f"{self.result}. {self.effect(state)}".strip()

    def effect(self, state: GtsState) -> str:
        """``A cohesion hit; a third one is a step loss.``; empty where it is looked up."""
        return state.rules.results.get(self.result, "")


class TablesTaken(typed_facts.TablesFromFile, frozen=True, kw_only=True, tag="tables"):
    """The owner's tables were read from a file."""

    tables: GtsTables

    # The base class takes any game's state; only that of this game has ``community``.
    def apply(self, state: Any) -> Any:
        # What comes out of a file is the owner's own.
        return replace(super().apply(state), community=False)


class BeachSet(typed_facts.BoardSet, frozen=True, kw_only=True, tag="beach"):
    """The numbers of a landing beach were set. How many works a division or formation may still
    build is stored by the same event, under its name."""


Fact: TypeAlias = (
    DivisionSet
    | ChitSet
    | typed_facts.CellTyped
    | typed_facts.ValuesTyped
    | TablesTaken
    | ConditionsSet
    | BeachSet
)
AnyEvent: TypeAlias = (
    GtsOpened
    | Fact
    | ChitBought
    | MugFilled
    | ChitPlayed
    | ActionTaken
    | Checked
    | ShotFired
    | AnyTableEvent
)
