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
from skirmish.games.beach_head.ruleset import DefenceId, PhaseId, Setup, TankId, signs
from skirmish.games.beach_head.state import Ask, Before, Modifier, Played, Roll, State, Task
from skirmish.games.beach_head.wording import defence, number, result, sum_text, terms, why_skipped
from skirmish.tabletop.chance import Draw

PassCode = Literal["way_barred", "no_target", "no_tank", "declined", "nothing", "craters"]
DREW = "Drew"


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    def apply(self, state: State) -> State:
        raise NotImplementedError

    def narrate(self, state: State) -> str:
        """Its sentence, given the state before it; empty if not worth reading. A roll ends with a
        colon where the next event completes it."""
        return ""


class Leads(Event, frozen=True, kw_only=True):
    then: tuple[Task, ...] = ()

    def apply(self, state: State) -> State:
        return replace(state, agenda=self.then, ask=None)


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    setup: Setup

    def apply(self, state: State | None) -> State:
        if state is not None:
            raise ValueError("a game has one opening")
        setup, points = self.setup, self.setup.points()
        return State(setup=setup, defences=points, at_turn=Before(points, 0), at_phase=points,
                     dice=setup.dice, deck=setup.cards)  # fmt: skip

    def narrate(self, state: State) -> str:
        return f"{self.setup.title} begins."


class OfPhase(Event, frozen=True, kw_only=True):
    """A phase, and perhaps with it a turn, begins."""

    turn: int
    phase: PhaseId

    def of(self, state: State) -> printed.Phase:
        return state.ruleset.phase[state.ruleset.place(self.phase)]

    def entered(self, state: State, **changes: Any) -> State:
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
    then: tuple[Task, ...] = ()

    def apply(self, state: State) -> State:
        return self.entered(state, agenda=self.then, at_phase=state.defences)

    def narrate(self, state: State) -> str:
        return f"{self.of(state).name}{', repeated' if self.again else ''}."


class Skipped(OfPhase, frozen=True, kw_only=True, tag="skipped"):
    why: printed.SkipCode

    def apply(self, state: State) -> State:
        return self.entered(state, agenda=())

    def narrate(self, state: State) -> str:
        phase = self.of(state)
        return f"{phase.name} skipped: {why_skipped(state, phase, self.why)[0]}."


class Passed(Leads, frozen=True, kw_only=True, tag="passed"):
    why: PassCode
    about: str = ""

    def narrate(self, state: State) -> str:
        if self.why == "no_target" and self.about:
            return f"No {defence(state.setup, self.about)} left."
        if self.why == "nothing":
            return "Nobody is ashore." if self.about == "nobody" else ""
        texts = {"no_tank": "there is no tank to lose.", "declined": "Nothing is removed."}
        return texts.get(self.why, "")


class Aimed(Leads, frozen=True, kw_only=True, tag="aimed"):
    """Fixes the target of the next task."""


class Asked(Event, frozen=True, kw_only=True, tag="asked"):
    ask: Ask

    def apply(self, state: State) -> State:
        return replace(state, ask=self.ask)


class Throws(Event, frozen=True, kw_only=True):
    """Dice are thrown: the program's, or the player's ``own``."""

    own: bool = False

    def thrown(self, state: State, count: int, **changes: Any) -> State:
        if not self.own:
            changes["dice"] = replace(state.dice, rolls=state.dice.rolls + count)
        return replace(state, ask=None, **changes)


class Rolled(Throws, frozen=True, kw_only=True, tag="rolled"):
    """Dice are on the table, or announced (without faces)."""

    roll: Roll

    def apply(self, state: State) -> State:
        return self.thrown(state, len(self.roll.faces), roll=self.roll)


class Shown(Throws, frozen=True, kw_only=True, tag="shown"):
    faces: tuple[int, ...]

    def apply(self, state: State) -> State:
        assert state.roll is not None
        return self.thrown(state, len(self.faces), roll=replace(state.roll, faces=self.faces))


def _out_of_hand(state: State, cards: Sequence[Draw]) -> State:
    hand = tuple(card for card in state.hand if card not in cards)
    return replace(state, hand=hand, discard=(*state.discard, *cards))


class CardPlayed(Throws, frozen=True, kw_only=True, tag="card_played"):
    played: Played

    def apply(self, state: State) -> State:
        assert state.roll is not None
        roll = replace(state.roll, cards=(*state.roll.cards, self.played))
        after = self.thrown(state, len(self.played.faces), roll=roll)
        return _out_of_hand(after, [self.played.card])

    def narrate(self, state: State) -> str:
        card = state.ruleset.card_of(self.played.card)
        name = f"{card.name} ({signs([self.played.card])})"
        if self.played.faces:
            return f"{name}: re-rolled as {', '.join(map(str, self.played.faces))}."
        if card.sets is not None and state.roll is not None and state.roll.faces:
            face = state.counted(state.roll).faces[self.played.die]
            name = f"{name}: {face} becomes {card.sets}"
        return f"{name}."


class Repeats(Event, frozen=True, kw_only=True, tag="repeats"):
    card: Draw

    def apply(self, state: State) -> State:
        return _out_of_hand(replace(state, repeats=True), [self.card])

    def narrate(self, state: State) -> str:
        return f"Admiral ({signs([self.card])}): the phase is repeated."


class DrawsMore(Leads, frozen=True, kw_only=True, tag="draws_more"):
    card: Draw

    def apply(self, state: State) -> State:
        return _out_of_hand(replace(state, agenda=self.then, ask=None), [self.card])

    def narrate(self, state: State) -> str:
        return f"General ({signs([self.card])})."


class Settled(Event, frozen=True, kw_only=True, tag="settled"):
    """The roll on the table counts, for ``total``."""

    total: int
    modifiers: tuple[Modifier, ...] = ()
    then: tuple[Task, ...] = ()

    def apply(self, state: State) -> State:
        return replace(state, roll=None, agenda=self.then)

    def narrate(self, state: State) -> str:
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


class Removed(Event, frozen=True, kw_only=True, tag="removed"):
    target: DefenceId
    points: int
    rolled: int

    def apply(self, state: State) -> State:
        left = state.defences[self.target] - self.points
        return replace(state, defences=state.defences | {self.target: left})

    def narrate(self, state: State) -> str:
        name, left = defence(state.setup, self.target), state.defences[self.target]
        if self.points < self.rolled and self.points:
            return f"the last {number(self.points, 'point')} of the {name}."
        rest = f"{left - self.points} left" if left > self.points else "none left"
        return f"{number(self.points, 'point')} off the {name}, {rest}."


class Dug(Event, frozen=True, kw_only=True, tag="dug"):
    target: DefenceId
    points: int

    def apply(self, state: State) -> State:
        now = state.defences[self.target] + self.points
        return replace(state, defences=state.defences | {self.target: now})

    def narrate(self, state: State) -> str:
        return f"{number(self.points, 'point')} of new ditches."


class SquadsLanded(Event, frozen=True, kw_only=True, tag="squads_landed"):
    squads: int

    def apply(self, state: State) -> State:
        return replace(state, squads=state.squads + self.squads)

    def narrate(self, state: State) -> str:
        rest = f", {state.squads + self.squads} now ashore" if state.squads else ""
        return f"{number(self.squads, 'squad')} land{'s' if self.squads == 1 else ''}{rest}."


def _a_tank(setup: Setup, kind: str) -> str:
    noun = setup.ruleset.tank_of(kind).noun
    return f"{'an' if noun[0] in 'AEIOU' else 'a'} {noun}"


class TankLanded(Event, frozen=True, kw_only=True, tag="tank_landed"):
    """A tank lands; None: its kind does not land here."""

    kind: TankId | None

    def apply(self, state: State) -> State:
        return replace(state, tanks=(*state.tanks, self.kind)) if self.kind else state

    def narrate(self, state: State) -> str:
        if self.kind is None:
            return "this tank does not land at Omaha."
        return f"{_a_tank(state.setup, self.kind)} lands."


class Killed(Event, frozen=True, kw_only=True, tag="killed"):
    squads: int
    scored: int

    def apply(self, state: State) -> State:
        left = state.squads - self.squads
        return replace(state, squads=left, casualties=state.casualties + self.scored)

    def narrate(self, state: State) -> str:
        scored = f" ({self.scored} scored)" if self.scored != self.squads else ""
        if not self.squads:
            return f"nobody is killed{scored}."
        left = state.squads - self.squads
        return f"{number(self.squads, 'squad')} killed{scored}, {left} left ashore."


class TankLost(Throws, frozen=True, kw_only=True, tag="tank_lost"):
    """``lot``: the number drawn for it, from 1, where there was a choice of several."""

    kind: TankId
    lot: int | None = None
    then: tuple[Task, ...] = ()

    def apply(self, state: State) -> State:
        tanks = list(state.tanks)
        tanks.remove(self.kind)
        lots = 0 if self.lot is None else 1
        return self.thrown(state, lots, tanks=tuple(tanks), tanks_lost=state.tanks_lost + 1,
                           agenda=self.then)  # fmt: skip

    def narrate(self, state: State) -> str:
        return f"{_a_tank(state.setup, self.kind)} is lost."


class CraftHit(Event, frozen=True, kw_only=True, tag="craft_hit"):
    def apply(self, state: State) -> State:
        return replace(state, craft_hit=state.craft_hit + 1)


class Drew(Event, frozen=True, kw_only=True, tag="drew"):
    card: Draw

    def apply(self, state: State) -> State:
        assert state.deck is not None
        return replace(state, hand=(*state.hand, self.card), deck=state.deck.drawn(self.card))

    def narrate(self, state: State) -> str:
        return f"{DREW} {signs([self.card])}."


class Shuffled(Event, frozen=True, kw_only=True, tag="shuffled"):
    def apply(self, state: State) -> State:
        assert state.deck is not None
        return replace(state, deck=replace(state.deck.shuffle(), gone=state.hand), discard=())

    def narrate(self, state: State) -> str:
        return "The discards are shuffled."


class Filled(Leads, frozen=True, kw_only=True, tag="filled"):
    """The cards owed are in the hand."""


class Discarded(Leads, frozen=True, kw_only=True, tag="discarded"):
    cards: tuple[Draw, ...]

    def apply(self, state: State) -> State:
        return _out_of_hand(replace(state, agenda=self.then, ask=None), self.cards)

    def narrate(self, state: State) -> str:
        verb = "Exchanged" if state.asks == "exchange" else "Discarded"
        return f"{verb} {signs(self.cards)}." if self.cards else ""


class Won(Event, frozen=True, kw_only=True, tag="won"):
    def apply(self, state: State) -> State:
        return replace(state, over=True, agenda=(), roll=None, ask=None)

    def narrate(self, state: State) -> str:
        lost = number(state.casualties, "squad")
        return f"The beach is taken in turn {state.turn}; {lost} lost."
