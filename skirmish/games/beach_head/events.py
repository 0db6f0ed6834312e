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

from skirmish.games.beach_head.pending import BeachAsk, BeachTask, Modifier, Played, Roll
from skirmish.games.beach_head.roll_words import result, sum_text, terms
from skirmish.games.beach_head.ruleset import (
    BeachSetup,
    DefenceId,
    Phase,
    PhaseId,
    SkipCode,
    TankId,
    signs,
)
from skirmish.games.beach_head.state import BeachState, TurnStart
from skirmish.games.beach_head.wording import defence_name, number, why_skipped
from skirmish.tabletop.chance import Draw

# These codes are stored in journals: one may be added, but none renamed.
PassCode = Literal["way_barred", "no_target", "no_tank", "declined", "nothing", "craters"]
UNFINISHED = ":"
"""The end of a sentence that the next event completes."""


class BeachEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that happened. ``apply`` neither fails nor draws."""

    def apply(self, state: BeachState) -> BeachState:
        """The state after the event; the opening has none before it."""
        raise NotImplementedError

    def narrate(self, state: BeachState) -> str:
        """Its sentence, given the state before it; empty if not worth reading. That of a roll is
        ``UNFINISHED`` where the next event completes it."""
        return ""


class AgendaEvent(BeachEvent, frozen=True, kw_only=True):
    """An event that ends a task or answers a question; ``then`` is the agenda after it."""

    then: tuple[BeachTask, ...] = ()

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, agenda=self.then, ask=None)


class BeachOpened(BeachEvent, frozen=True, kw_only=True, tag="opened"):
    """The game begins, with everything it depends on."""

    setup: BeachSetup

    def apply(self, state: BeachState | None) -> BeachState:
        if state is not None:
            raise ValueError("a game has one opening")
        points = self.setup.points()
        return BeachState(
            setup=self.setup,
            defences=points,
            turn_start=TurnStart(points, 0),
            defences_at_phase_start=points,
            dice=self.setup.dice,
            deck=self.setup.cards,
        )

    def narrate(self, state: BeachState) -> str:
        return f"{self.setup.title} begins."


class PhaseEvent(BeachEvent, frozen=True, kw_only=True):
    """A phase, and perhaps with it a turn, begins."""

    turn: int
    phase: PhaseId

    def phase_in(self, state: BeachState) -> Phase:
        """The phase with its steps, from the numbers of this game."""
        return state.ruleset.phase[state.ruleset.place(self.phase)]

    def entered(self, state: BeachState, **changes: Any) -> BeachState:
        """The state in the new phase, with ``changes``. If a turn begins, the landing craft hit in
        this turn become those of the turn before. The repetition by an Admiral is used up."""
        if self.turn != state.turn:
            changes |= {
                "turn": self.turn,
                "turn_start": TurnStart(state.defences, state.squads),
                "craft_hit_before": state.craft_hit,
                "craft_hit": 0,
            }
        return replace(state, phase=self.phase, repeats=False, **changes)


class Begun(PhaseEvent, frozen=True, kw_only=True, tag="begun"):
    """A phase is played."""

    again: bool = False
    """Whether an Admiral repeats it."""
    then: tuple[BeachTask, ...] = ()

    def apply(self, state: BeachState) -> BeachState:
        return self.entered(state, agenda=self.then, defences_at_phase_start=state.defences)

    def narrate(self, state: BeachState) -> str:
        name = self.phase_in(state).name
        if self.again:
            return f"{name}, repeated."
        return f"{name}."


class Skipped(PhaseEvent, frozen=True, kw_only=True, tag="skipped"):
    """A phase is passed over."""

    why: SkipCode

    def apply(self, state: BeachState) -> BeachState:
        return self.entered(state, agenda=())

    def narrate(self, state: BeachState) -> str:
        phase = self.phase_in(state)
        reason = why_skipped(state, phase, self.why).words
        return f"{phase.name} skipped: {reason}."


class Passed(AgendaEvent, frozen=True, kw_only=True, tag="passed"):
    """A task ends without an effect; or, for the reason ``craters``, the die for new ditches is put
    on the agenda."""

    why: PassCode
    about: str = ""
    """The defence that is concerned; ``nobody`` if nobody is ashore; empty for other reasons."""

    def narrate(self, state: BeachState) -> str:
        match self.why:
            case "no_target" if self.about:
                return f"No {defence_name(state.setup, self.about)} left."
            case "nothing" if self.about == "nobody":
                return "Nobody is ashore."
            case "no_tank":  # completes the sentence of the roll
                return "there is no tank to lose."
            case "declined":
                return "Nothing is removed."
        return ""


class AgendaMoved(AgendaEvent, frozen=True, kw_only=True, tag="aimed"):
    """The first task of the agenda is replaced: by itself with its target named, by the throw of
    its dice, or, once it is done, by nothing, so that the next task is the first."""


class PlayerAsked(BeachEvent, frozen=True, kw_only=True, tag="asked"):
    """A question is open."""

    ask: BeachAsk

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, ask=self.ask)


class Throws(BeachEvent, frozen=True, kw_only=True):
    """Dice are thrown."""

    own: bool = False
    """Whether they are the player's own, and not the program's."""

    def thrown(self, state: BeachState, count: int, **changes: Any) -> BeachState:
        """The state after ``count`` dice, with ``changes``; no question is open any more."""
        # What the program rolls next depends on how many dice it has rolled; others do not count.
        if not self.own:
            changes["dice"] = replace(state.dice, rolls=state.dice.rolls + count)
        return replace(state, ask=None, **changes)


class DiceRolled(Throws, frozen=True, kw_only=True, tag="rolled"):
    """Dice lie on the table; without faces they are only announced."""

    roll: Roll

    def apply(self, state: BeachState) -> BeachState:
        return self.thrown(state, len(self.roll.faces), roll=self.roll)


class Shown(Throws, frozen=True, kw_only=True, tag="shown"):
    """The announced dice have their faces."""

    faces: tuple[int, ...]

    def apply(self, state: BeachState) -> BeachState:
        assert state.roll is not None
        return self.thrown(state, len(self.faces), roll=replace(state.roll, faces=self.faces))


def _discarded(state: BeachState, cards: Sequence[Draw]) -> BeachState:
    """The state with ``cards`` moved from the hand to the discards."""
    hand = tuple(card for card in state.hand if card not in cards)
    return replace(state, hand=hand, discard=(*state.discard, *cards))


class CardPlayed(Throws, frozen=True, kw_only=True, tag="card_played"):
    """A card is played on the roll; a Colonel's re-rolled dice come with it."""

    played: Played

    def apply(self, state: BeachState) -> BeachState:
        assert state.roll is not None
        roll = replace(state.roll, cards=(*state.roll.cards, self.played))
        after = self.thrown(state, len(self.played.faces), roll=roll)
        return _discarded(after, [self.played.card])

    def narrate(self, state: BeachState) -> str:
        card = state.ruleset.card_of(self.played.card)
        name = f"{card.name} ({signs([self.played.card])})"
        if self.played.faces:
            faces = ", ".join(str(face) for face in self.played.faces)
            return f"{name}: re-rolled as {faces}."
        if card.sets is not None and state.roll is not None and state.roll.faces:
            face = state.roll.counted(state.setup).faces[self.played.die]
            return f"{name}: {face} becomes {card.sets}."
        return f"{name}."


class Repeats(BeachEvent, frozen=True, kw_only=True, tag="repeats"):
    """An Admiral has the present phase played again."""

    card: Draw

    def apply(self, state: BeachState) -> BeachState:
        return _discarded(replace(state, repeats=True), [self.card])

    def narrate(self, state: BeachState) -> str:
        return f"Admiral ({signs([self.card])}): the phase is repeated."


class DrawsMore(AgendaEvent, frozen=True, kw_only=True, tag="draws_more"):
    """A General is played; ``then`` begins with the task of drawing his cards."""

    card: Draw

    def apply(self, state: BeachState) -> BeachState:
        return _discarded(super().apply(state), [self.card])

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
        """What was rolled; empty for a single die whose number is in the next event's sentence."""
        roll = state.roll
        if roll is None:
            return ""
        rolled = f"Rolled {sum_text(state, roll, with_total=False)}"
        if self._ends_with_roll(state, roll):
            return f"{rolled}: {result(state, roll)}."
        if self._adds_to_next_sentence(state, roll):
            return f"{rolled}{UNFINISHED}"
        return ""

    def _ends_with_roll(self, state: BeachState, roll: Roll) -> bool:
        """Whether the sentence ends with the roll; the next event then begins a new one.

        A table: "Rolled 4: 1d6 squads killed.", unless its row is a lost tank, "Rolled 9: a gun
        tank is lost.". Points whose target is named later (B40): "Rolled 2 + 3: 5 points."
        """
        next_task = ""
        if self.then:
            next_task = self.then[0].what
        if roll.task.what == "throw" and state.step_of(roll.task).does in ("table", "tanks"):
            return next_task != "lose_tank"
        return next_task == "spend" and _has_several_terms(state, roll)

    def _adds_to_next_sentence(self, state: BeachState, roll: Roll) -> bool:
        """Whether the roll does not follow from the number in the next event's sentence: it is a
        sum, something is looked up by it, or more was rolled than stands there."""
        if _has_several_terms(state, roll) or roll.task.what == "kind":
            return True
        step = state.step_of(roll.task)
        if roll.task.what == "throw" and step.does in ("table", "tanks"):
            return True
        target = roll.task.target
        if roll.task.what in ("throw", "outcome") and target is not None:
            return self.total > state.defences[target]
        if roll.task.what == "outcome" and step.row[roll.task.row].kill:
            return self.total > state.squads
        return False


def _has_several_terms(state: BeachState, roll: Roll) -> bool:
    """Whether the total of a roll is a sum, and not what a single die shows."""
    return roll.dice > 1 or len(terms(state, roll)) > 1


class Removed(BeachEvent, frozen=True, kw_only=True, tag="removed"):
    """A defence loses points."""

    target: DefenceId
    points: int
    """What it loses: no more than it had."""
    rolled: int
    """What was rolled."""

    def apply(self, state: BeachState) -> BeachState:
        left = state.defences[self.target] - self.points
        return replace(state, defences=state.defences | {self.target: left})

    def narrate(self, state: BeachState) -> str:
        name = defence_name(state.setup, self.target)
        # Where points were fired at what is gone (B11), there are no last ones.
        more_rolled_than_stood = 0 < self.points < self.rolled
        if more_rolled_than_stood:
            last_points = f"{self.points} points"
            if self.points == 1:
                last_points = "point"
            return f"the last {last_points} of the {name}."
        left = state.defences[self.target] - self.points
        rest = "none left"
        if left > 0:
            rest = f"{left} left"
        return f"{number(self.points, 'point')} off the {name}, {rest}."


class Dug(BeachEvent, frozen=True, kw_only=True, tag="dug"):
    """Craters become ditches."""

    target: DefenceId
    points: int

    def apply(self, state: BeachState) -> BeachState:
        points = state.defences[self.target] + self.points
        return replace(state, defences=state.defences | {self.target: points})

    def narrate(self, state: BeachState) -> str:
        return f"{number(self.points, 'point')} of new ditches."


class SquadsLanded(BeachEvent, frozen=True, kw_only=True, tag="squads_landed"):
    """Squads come ashore."""

    squads: int

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, squads=state.squads + self.squads)

    def narrate(self, state: BeachState) -> str:
        land = "land"
        if self.squads == 1:
            land = "lands"
        rest = ""
        if state.squads:
            rest = f", {state.squads + self.squads} now ashore"
        return f"{number(self.squads, 'squad')} {land}{rest}."


def _a_tank(setup: BeachSetup, kind: str) -> str:
    """``a gun tank``, ``an AVRE bridge``."""
    noun = setup.ruleset.tank_of(kind).noun
    if noun[0] in "AEIOU":
        return f"an {noun}"
    return f"a {noun}"


class TankLanded(BeachEvent, frozen=True, kw_only=True, tag="tank_landed"):
    """A tank lands."""

    kind: TankId | None
    """None for a tank that does not land at Omaha (B27)."""

    def apply(self, state: BeachState) -> BeachState:
        if self.kind is None:
            return state
        return replace(state, tanks=(*state.tanks, self.kind))

    def narrate(self, state: BeachState) -> str:
        if self.kind is None:
            return "this tank does not land at Omaha."
        return f"{_a_tank(state.setup, self.kind)} lands."


class Killed(BeachEvent, frozen=True, kw_only=True, tag="killed"):
    """Squads are lost."""

    squads: int
    scored: int
    """What is added to the casualties; where the whole roll is scored (B2), it may be more squads
    than were ashore."""

    def apply(self, state: BeachState) -> BeachState:
        left = state.squads - self.squads
        return replace(state, squads=left, casualties=state.casualties + self.scored)

    def narrate(self, state: BeachState) -> str:
        scored = ""
        if self.scored != self.squads:
            scored = f" ({self.scored} scored)"
        if not self.squads:
            return f"nobody is killed{scored}."
        left = state.squads - self.squads
        return f"{number(self.squads, 'squad')} killed{scored}, {left} left ashore."


class TankLost(Throws, frozen=True, kw_only=True, tag="tank_lost"):
    """A tank is lost."""

    kind: TankId
    lot: int | None = None
    """The number drawn for it, from 1, where there was a choice of several."""
    then: tuple[BeachTask, ...] = ()

    def apply(self, state: BeachState) -> BeachState:
        tanks = list(state.tanks)
        tanks.remove(self.kind)
        lots = 0
        if self.lot is not None:
            # The lot is a die with as many sides as there are tanks, and counts as one rolled.
            lots = 1
        return self.thrown(
            state,
            lots,
            tanks=tuple(tanks),
            tanks_lost=state.tanks_lost + 1,
            agenda=self.then,
        )

    def narrate(self, state: BeachState) -> str:
        return f"{_a_tank(state.setup, self.kind)} is lost."


class CraftHit(BeachEvent, frozen=True, kw_only=True, tag="craft_hit"):
    """A landing craft is hit, which hampers the landing of the next turn."""

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, craft_hit=state.craft_hit + 1)


class Drew(BeachEvent, frozen=True, kw_only=True, tag="drew"):
    """A card comes into the hand."""

    card: Draw

    def apply(self, state: BeachState) -> BeachState:
        assert state.deck is not None
        return replace(state, hand=(*state.hand, self.card), deck=state.deck.drawn(self.card))

    def narrate(self, state: BeachState) -> str:
        return drew_text([self.card])


def drew_text(cards: Sequence[Draw]) -> str:
    """The sentence for cards drawn one after another."""
    return f"Drew {signs(cards)}."


class DiscardsShuffled(BeachEvent, frozen=True, kw_only=True, tag="shuffled"):
    """The discards become the deck; cards in hand stay out of it."""

    def apply(self, state: BeachState) -> BeachState:
        assert state.deck is not None
        # A deck deals what is not ``gone``: after a shuffle that is every card but those in hand.
        return replace(state, deck=replace(state.deck.reshuffled(), gone=state.hand), discard=())

    def narrate(self, state: BeachState) -> str:
        return "The discards are shuffled."


class Filled(AgendaEvent, frozen=True, kw_only=True, tag="filled"):
    """The cards owed have been drawn, as far as there were any."""


class Discarded(AgendaEvent, frozen=True, kw_only=True, tag="discarded"):
    """Cards leave the hand: to be exchanged, or at the end of the turn."""

    cards: tuple[Draw, ...]

    def apply(self, state: BeachState) -> BeachState:
        return _discarded(super().apply(state), self.cards)

    def narrate(self, state: BeachState) -> str:
        if not self.cards:
            return ""
        verb = "Discarded"
        if state.asks == "exchange":
            verb = "Exchanged"
        return f"{verb} {signs(self.cards)}."


class Won(BeachEvent, frozen=True, kw_only=True, tag="won"):
    """Bunkers and trenches are gone; the game is over."""

    def apply(self, state: BeachState) -> BeachState:
        return replace(state, over=True, agenda=(), roll=None, ask=None)

    def narrate(self, state: BeachState) -> str:
        lost = number(state.casualties, "squad")
        return f"The beach is taken in turn {state.turn}; {lost} lost."
