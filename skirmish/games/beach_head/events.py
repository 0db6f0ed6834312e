"""Events: what each changes, and its sentence in the journal.

Every die and card is stored in its event, so a journal is folded without chance. Events that leave
something to do carry the agenda that follows (``then``), so that a later correction of a rule does
not change how an old game folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import ruleset as printed
from skirmish.games.beach_head.ruleset import BeachSetup, DefenceId, PhaseId, TankId, signs
from skirmish.games.beach_head.state import (
    BeachAsk,
    BeachState,
    BeachTask,
    Before,
    Modifier,
    Played,
    Roll,
)
from skirmish.games.beach_head.wording import defence, number, result, sum_text, terms, why_skipped
from skirmish.tabletop.chance import Draw

PassCode = Literal["way_barred", "no_target", "no_tank", "declined", "nothing", "craters"]
DREW = "Drew"


class BeachEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    def apply(self, state: BeachState) -> BeachState:
        raise NotImplementedError

    def narrate(self, state: BeachState) -> str:
        """Its sentence, given the state before it; empty if not worth reading. A roll ends with a
        colon where the next event completes it."""
        return ""


class Leads(BeachEvent, frozen=True, kw_only=True):
    then: tuple[BeachTask, ...] = ()

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, agenda=self.then, ask=None)


class BeachOpened(BeachEvent, frozen=True, kw_only=True, tag="opened"):
    setup: BeachSetup

    def apply(self, state: BeachState | None) -> BeachState:
        if state is not None:
            raise ValueError("a game has one opening")
        setup, points = self.setup, self.setup.points()
        return BeachState(setup=setup, defences=points, at_turn=Before(points, 0), at_phase=points,
                     dice=setup.dice, deck=setup.cards)  # fmt: skip

    def narrate(self, state: BeachState) -> str:
        return f"{self.setup.title} begins."


class OfPhase(BeachEvent, frozen=True, kw_only=True):
    """A phase, and perhaps with it a turn, begins."""

    turn: int
    phase: PhaseId

    def of(self, state: BeachState) -> printed.Phase:
        return state.ruleset.phase[state.ruleset.place(self.phase)]

    def entered(self, state: BeachState, **changes: Any) -> BeachState:
        if self.turn != state.turn:
            changes |= {
                "turn": self.turn,
                "at_turn": Before(state.defences, state.squads),
                "craft_hit_before": state.craft_hit,
                "craft_hit": 0,
            }
        return replace(state, phase=self.phase, repeats=False, **changes)


class Begun(OfPhase, frozen=True, kw_only=True, tag="begun"):
    again: bool = False
    then: tuple[BeachTask, ...] = ()

    def apply(self, state: BeachState) -> BeachState:
        return self.entered(state, agenda=self.then, at_phase=state.defences)

    def narrate(self, state: BeachState) -> str:
        return f"{self.of(state).name}{', repeated' if self.again else ''}."


class Skipped(OfPhase, frozen=True, kw_only=True, tag="skipped"):
    why: printed.SkipCode

    def apply(self, state: BeachState) -> BeachState:
        return self.entered(state, agenda=())

    def narrate(self, state: BeachState) -> str:
        phase = self.of(state)
        return f"{phase.name} skipped: {why_skipped(state, phase, self.why)[0]}."


class Passed(Leads, frozen=True, kw_only=True, tag="passed"):
    why: PassCode
    about: str = ""

    def narrate(self, state: BeachState) -> str:
        if self.why == "no_target" and self.about:
            return f"No {defence(state.setup, self.about)} left."
        if self.why == "nothing":
            return "Nobody is ashore." if self.about == "nobody" else ""
        texts = {"no_tank": "there is no tank to lose.", "declined": "Nothing is removed."}
        return texts.get(self.why, "")


class TargetNamed(Leads, frozen=True, kw_only=True, tag="aimed"):
    """Fixes the target of the next task."""


class PlayerAsked(BeachEvent, frozen=True, kw_only=True, tag="asked"):
    ask: BeachAsk

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, ask=self.ask)


class Throws(BeachEvent, frozen=True, kw_only=True):
    """Dice are thrown: the program's, or the player's ``own``."""

    own: bool = False

    def thrown(self, state: BeachState, count: int, **changes: Any) -> BeachState:
        if not self.own:
            changes["dice"] = replace(state.dice, rolls=state.dice.rolls + count)
        return replace(state, ask=None, **changes)


class DiceRolled(Throws, frozen=True, kw_only=True, tag="rolled"):
    """Dice are on the table, or announced (without faces)."""

    roll: Roll

    def apply(self, state: BeachState) -> BeachState:
        return self.thrown(state, len(self.roll.faces), roll=self.roll)


class Shown(Throws, frozen=True, kw_only=True, tag="shown"):
    faces: tuple[int, ...]

    def apply(self, state: BeachState) -> BeachState:
        assert state.roll is not None
        return self.thrown(state, len(self.faces), roll=replace(state.roll, faces=self.faces))


def _out_of_hand(state: BeachState, cards: Sequence[Draw]) -> BeachState:
    hand = tuple(card for card in state.hand if card not in cards)
    return replace(state, hand=hand, discard=(*state.discard, *cards))


class CardPlayed(Throws, frozen=True, kw_only=True, tag="card_played"):
    played: Played

    def apply(self, state: BeachState) -> BeachState:
        assert state.roll is not None
        roll = replace(state.roll, cards=(*state.roll.cards, self.played))
        after = self.thrown(state, len(self.played.faces), roll=roll)
        return _out_of_hand(after, [self.played.card])

    def narrate(self, state: BeachState) -> str:
        card = state.ruleset.card_of(self.played.card)
        name = f"{card.name} ({signs([self.played.card])})"
        if self.played.faces:
            return f"{name}: re-rolled as {', '.join(map(str, self.played.faces))}."
        if card.sets is not None and state.roll is not None and state.roll.faces:
            face = state.counted(state.roll).faces[self.played.die]
            name = f"{name}: {face} becomes {card.sets}"
        return f"{name}."


class Repeats(BeachEvent, frozen=True, kw_only=True, tag="repeats"):
    card: Draw

    def apply(self, state: BeachState) -> BeachState:
        return _out_of_hand(replace(state, repeats=True), [self.card])

    def narrate(self, state: BeachState) -> str:
        return f"Admiral ({signs([self.card])}): the phase is repeated."


class DrawsMore(Leads, frozen=True, kw_only=True, tag="draws_more"):
    card: Draw

    def apply(self, state: BeachState) -> BeachState:
        return _out_of_hand(replace(state, agenda=self.then, ask=None), [self.card])

    def narrate(self, state: BeachState) -> str:
        return f"General ({signs([self.card])})."


class Settled(BeachEvent, frozen=True, kw_only=True, tag="settled"):
    """The roll on the table counts, for ``total``."""

    total: int
    modifiers: tuple[Modifier, ...] = ()
    then: tuple[BeachTask, ...] = ()

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, roll=None, agenda=self.then)

    def narrate(self, state: BeachState) -> str:
        """The sum, unless it is a single die whose number the next event gives."""
        roll = state.roll
        if roll is None:
            return ""
        rolled = f"Rolled {sum_text(state, roll, total=False)}"
        step = state.step_of(roll.task)
        several = len(terms(state, roll)) > 1 or roll.dice > 1
        later = several and any(task.what == "spend" for task in self.then[:1])
        most = self.total
        match roll.task.what, step.does:
            case "throw", "table" | "tanks":
                several = True
                later = not any(task.what == "lose_tank" for task in self.then[:1])
            case "kind", _:
                several = True
            case "throw" | "outcome", _ if roll.task.target:
                most = state.defences[roll.task.target]
            case "outcome", _ if step.row[roll.task.row].kill:
                most = state.squads
        if later:  # the next event has its own sentence
            return f"{rolled}: {result(state, roll)}."
        return f"{rolled}:" if several or self.total > most else ""


class Removed(BeachEvent, frozen=True, kw_only=True, tag="removed"):
    target: DefenceId
    points: int
    rolled: int

    def apply(self, state: BeachState) -> BeachState:
        left = state.defences[self.target] - self.points
        return replace(state, defences=state.defences | {self.target: left})

    def narrate(self, state: BeachState) -> str:
        name, left = defence(state.setup, self.target), state.defences[self.target]
        if self.points < self.rolled and self.points:
            last = "point" if self.points == 1 else f"{self.points} points"
            return f"the last {last} of the {name}."
        rest = f"{left - self.points} left" if left > self.points else "none left"
        return f"{number(self.points, 'point')} off the {name}, {rest}."


class Dug(BeachEvent, frozen=True, kw_only=True, tag="dug"):
    target: DefenceId
    points: int

    def apply(self, state: BeachState) -> BeachState:
        now = state.defences[self.target] + self.points
        return replace(state, defences=state.defences | {self.target: now})

    def narrate(self, state: BeachState) -> str:
        return f"{number(self.points, 'point')} of new ditches."


class SquadsLanded(BeachEvent, frozen=True, kw_only=True, tag="squads_landed"):
    squads: int

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, squads=state.squads + self.squads)

    def narrate(self, state: BeachState) -> str:
        rest = f", {state.squads + self.squads} now ashore" if state.squads else ""
        return f"{number(self.squads, 'squad')} land{'s' if self.squads == 1 else ''}{rest}."


def _a_tank(setup: BeachSetup, kind: str) -> str:
    noun = setup.ruleset.tank_of(kind).noun
    return f"{'an' if noun[0] in 'AEIOU' else 'a'} {noun}"


class TankLanded(BeachEvent, frozen=True, kw_only=True, tag="tank_landed"):
    """A tank lands; None: its kind does not land here."""

    kind: TankId | None

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, tanks=(*state.tanks, self.kind)) if self.kind else state

    def narrate(self, state: BeachState) -> str:
        if self.kind is None:
            return "this tank does not land at Omaha."
        return f"{_a_tank(state.setup, self.kind)} lands."


class Killed(BeachEvent, frozen=True, kw_only=True, tag="killed"):
    squads: int
    scored: int

    def apply(self, state: BeachState) -> BeachState:
        left = state.squads - self.squads
        return replace(state, squads=left, casualties=state.casualties + self.scored)

    def narrate(self, state: BeachState) -> str:
        scored = f" ({self.scored} scored)" if self.scored != self.squads else ""
        if not self.squads:
            return f"nobody is killed{scored}."
        left = state.squads - self.squads
        return f"{number(self.squads, 'squad')} killed{scored}, {left} left ashore."


class TankLost(Throws, frozen=True, kw_only=True, tag="tank_lost"):
    """``lot``: the number drawn for it, from 1, where there was a choice of several."""

    kind: TankId
    lot: int | None = None
    then: tuple[BeachTask, ...] = ()

    def apply(self, state: BeachState) -> BeachState:
        tanks = list(state.tanks)
        tanks.remove(self.kind)
        lots = 0 if self.lot is None else 1
        return self.thrown(state, lots, tanks=tuple(tanks), tanks_lost=state.tanks_lost + 1,
                           agenda=self.then)  # fmt: skip

    def narrate(self, state: BeachState) -> str:
        return f"{_a_tank(state.setup, self.kind)} is lost."


class CraftHit(BeachEvent, frozen=True, kw_only=True, tag="craft_hit"):
    def apply(self, state: BeachState) -> BeachState:
        return replace(state, craft_hit=state.craft_hit + 1)


class Drew(BeachEvent, frozen=True, kw_only=True, tag="drew"):
    card: Draw

    def apply(self, state: BeachState) -> BeachState:
        assert state.deck is not None
        return replace(state, hand=(*state.hand, self.card), deck=state.deck.drawn(self.card))

    def narrate(self, state: BeachState) -> str:
        return f"{DREW} {signs([self.card])}."


class DiscardsShuffled(BeachEvent, frozen=True, kw_only=True, tag="shuffled"):
    def apply(self, state: BeachState) -> BeachState:
        assert state.deck is not None
        return replace(state, deck=replace(state.deck.shuffle(), gone=state.hand), discard=())

    def narrate(self, state: BeachState) -> str:
        return "The discards are shuffled."


class Filled(Leads, frozen=True, kw_only=True, tag="filled"):
    """The cards owed are in the hand."""


class Discarded(Leads, frozen=True, kw_only=True, tag="discarded"):
    cards: tuple[Draw, ...]

    def apply(self, state: BeachState) -> BeachState:
        return _out_of_hand(replace(state, agenda=self.then, ask=None), self.cards)

    def narrate(self, state: BeachState) -> str:
        verb = "Exchanged" if state.asks == "exchange" else "Discarded"
        return f"{verb} {signs(self.cards)}." if self.cards else ""


class Won(BeachEvent, frozen=True, kw_only=True, tag="won"):
    def apply(self, state: BeachState) -> BeachState:
        return replace(state, over=True, agenda=(), roll=None, ask=None)

    def narrate(self, state: BeachState) -> str:
        lost = number(state.casualties, "squad")
        return f"The beach is taken in turn {state.turn}; {lost} lost."
