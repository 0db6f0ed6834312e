"""What a player may order, and when.

An order that answers a question is taken only while that question is open. After any order the game
runs on until dice lie on the table or the player has to decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import events
from skirmish.games.beach_head.pending import BeachAsk, BeachTask, Played, Roll
from skirmish.games.beach_head.phase_tasks import do_next_task, is_last_roll_of_phase, next_phase
from skirmish.games.beach_head.resolution import BeachResolution
from skirmish.games.beach_head.ruleset import Card, DefenceId, TankId, signs
from skirmish.games.beach_head.settling import settle, spend
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import number, prompt_text
from skirmish.tabletop.chance import Draw, full_deck
from skirmish.tabletop.refusal import Refusal, Refused, nonsense, not_asked

BEACH_IS_TAKEN = "The beach is taken; the game is over."
"""The refusal of any order after the end of the game."""
MOST_TURNS_WITHOUT_ROLL = 2
"""Turns that may begin one after another without a roll. Squads land in every turn, so a ruleset
that needs more has no rolls at all."""


class BeachOrder(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    """What a player wants."""

    answers: ClassVar[tuple[str, ...]] = ()
    """The questions it answers; empty: it may be given at any time."""

    def decide(self, state: BeachState) -> list[events.BeachEvent]:
        """All that happens until the game has to wait again. Raises Refused."""
        return self.with_consequences(state).events

    def with_consequences(self, state: BeachState) -> BeachResolution:
        """The order with all that follows from it, up to the next choice or roll. Raises
        Refused."""
        run = self.alone(state)
        run_on(run)
        return run

    def alone(self, state: BeachState) -> BeachResolution:
        """The order without what follows from it. Raises Refused."""
        if state.over:
            raise nonsense("over", BEACH_IS_TAKEN)
        if self.answers and state.asks not in self.answers:
            raise not_asked("not_now", prompt_text(state))
        run = BeachResolution(state)
        self.carry_out(run)
        return run

    def carry_out(self, run: BeachResolution) -> None:
        """Emits the order's own events. Raises Refused."""
        raise NotImplementedError

    def why_not(self, state: BeachState) -> Refusal | None:
        """Why the order would be refused; None if it would not be."""
        try:
            self.alone(state)
        except Refused as refused:
            return refused.refusal
        return None


def run_on(run: BeachResolution) -> None:
    """Plays on until dice lie on the table, the player is asked, or the game is won. Cards owed to
    the hand are drawn even while dice lie there: a General may be played on them (B25). Raises
    ValueError where turns pass without any roll, which could go on for ever; only a ruleset from
    elsewhere leads there."""
    first_turn = run.state.turn
    while not run.state.over and run.state.ask is None:
        agenda = run.state.agenda
        cards_are_owed = bool(agenda) and agenda[0].what == "fill"
        if run.state.roll is not None and not cards_are_owed:
            if not _counts_at_once(run.state):
                return
            settle(run)
        elif agenda:
            do_next_task(run)
        else:
            next_phase(run)
            if run.state.turn > first_turn + MOST_TURNS_WITHOUT_ROLL:
                raise ValueError("turns pass and nothing is rolled")


def _counts_at_once(state: BeachState) -> bool:
    """Whether dice that the player typed count without another key, since no card can be played on
    them. In games of version 1 they always waited for that key, and journals contain it."""
    roll = state.roll
    if not state.dice.typed or state.setup.version == 1:
        return False
    if roll is None or not roll.faces:  # nothing is typed yet
        return False
    for card in state.hand:
        for die in range(roll.dice):
            if PlayCard(card=card, die=die).why_not(state) is None:
                return False
    return True


class Go(BeachOrder, frozen=True, kw_only=True, tag="go"):
    """Goes on: lets a roll count, throws announced dice, exchanges nothing, or begins."""

    def carry_out(self, run: BeachResolution) -> None:
        state = run.state
        if state.asks == "exchange":
            run.emit(events.Discarded(cards=(), then=run.rest))
        elif state.ask is not None:
            raise nonsense("waiting", prompt_text(state))
        elif state.roll is not None and state.roll.faces:
            settle(run)
        elif state.roll is not None:
            run.throw_dice()


class ChooseTarget(BeachOrder, frozen=True, kw_only=True, tag="choose"):
    """The answer to the question at which defence points go; without a ``target`` at none (B35)."""

    answers: ClassVar[tuple[str, ...]] = ("target",)
    target: DefenceId | None

    def carry_out(self, run: BeachResolution) -> None:
        ask, target = run.open_question, self.target
        if target is None:
            if not ask.may_decline:
                raise nonsense("must_remove", "You must choose a target.", "B35")
            run.emit(events.Passed(why="declined", then=run.rest))
            return
        if target not in ask.targets:
            listed = run.state.ruleset.listed(ask.targets, "and")
            raise nonsense("no_target", f"That is not a target here; the targets are {listed}.")
        task = run.state.agenda[0]
        if task.what == "spend":
            spend(run, target)
        elif task.what == "take":
            run.go_on_with(replace(task, what="throw", target=target))
        else:
            # The row of a table that removes points: its dice are thrown at this target next.
            run.go_on_with(replace(task, target=target))


class GiveTank(BeachOrder, frozen=True, kw_only=True, tag="give"):
    """The kind of tank that meets the mine (B13)."""

    answers: ClassVar[tuple[str, ...]] = ("tank",)
    tank: TankId

    def carry_out(self, run: BeachResolution) -> None:
        if self.tank not in run.open_question.kinds:
            tanks = [run.state.ruleset.tank_of(kind) for kind in run.open_question.kinds]
            names = ", ".join(tank.name for tank in tanks)
            raise nonsense("no_target", f"There is no such tank here; there are: {names}.")
        run.emit(events.TankLost(kind=self.tank, then=run.rest))


def tanks_to_type(state: BeachState) -> int:
    """How many dice for types of tanks may be typed in one line: those of this tank and of all that
    land after it. 0 where no type of a tank is asked for."""
    roll, ask = state.roll, state.ask
    asks_for_roll = ask is not None and ask.what == "dice" and ask.card is None
    if not asks_for_roll or roll is None or roll.task.what != "kind":
        return 0
    if state.in_force.cards_come_before_dice and state.hand:
        return 1  # cards come before each die
    tanks_landing = 0
    for task in state.agenda:  # the first one is that of the tank whose die is asked for
        if task.what != "kind":
            break
        tanks_landing += 1
    return tanks_landing


class ShowDice(BeachOrder, frozen=True, kw_only=True, tag="show"):
    """The faces of the player's own dice, or the lot he drew. ``more``: those of the tanks that
    land after this one. All but the last of these dice count at once: no card is played
    on them."""

    answers: ClassVar[tuple[str, ...]] = ("dice", "lot")
    faces: tuple[int, ...]
    more: tuple[int, ...] = ()

    def carry_out(self, run: BeachResolution) -> None:
        ask = run.open_question
        self._refuse_wrong_faces(run.state, ask)
        if ask.what == "lot":
            lot = self.faces[0]
            kind = run.state.tanks_to_lose(run.state.agenda[0])[lot - 1]
            run.emit(events.TankLost(kind=kind, lot=lot, own=True, then=run.rest))
        elif ask.card is not None:
            run.emit(events.CardPlayed(played=replace(ask.card, faces=self.faces), own=True))
        else:
            run.emit(events.Shown(faces=self.faces, own=True))
        # The die of a tank counts as it lies; the next task of the agenda is the next tank's die.
        for face in self.more:
            settle(run)
            do_next_task(run)
            run.emit(events.Shown(faces=(face,), own=True))

    def _refuse_wrong_faces(self, state: BeachState, ask: BeachAsk) -> None:
        """Raises Refused for more or fewer faces than are asked for, or for what is no face."""
        count, sides = ask.count, 6
        if ask.what == "lot":
            # A lot is one number, up to how many tanks there are.
            count, sides = 1, ask.sides
        if len(self.faces) != count:
            dice = f"{count} dice are"
            if count == 1:
                dice = "1 die is"
            raise nonsense("how_many", f"{dice} rolled here, not {len(self.faces)}.")
        for face in (*self.faces, *self.more):
            if not 1 <= face <= sides:
                raise nonsense("no_face", f"It must be a number from 1 to {sides}, not {face}.")
        # The first of the tanks to type is the one whose die is in ``faces``.
        if self.more and len(self.more) > tanks_to_type(state) - 1:
            raise nonsense("how_many", "There are fewer tanks whose type is still to be rolled.")


class Draws(BeachOrder, frozen=True, kw_only=True, tag="draws"):
    """The cards that the player drew from his own deck."""

    answers: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Draw, ...]

    def carry_out(self, run: BeachResolution) -> None:
        count, task, deck = run.open_question.count, run.state.agenda[0], run.state.deck
        if len(self.cards) != count:
            cards = f"{count} cards are"
            if count == 1:
                cards = "1 card is"
            raise nonsense("how_many", f"{cards} to be drawn, not {len(self.cards)}.")
        assert deck is not None
        gone = set(deck.gone)
        for card in self.cards:
            if card not in full_deck():
                raise nonsense("no_card", f"{card} is no card of this deck.")
            if card in gone:
                raise nonsense("gone", f"{card} has been drawn since the last shuffle.")
            gone.add(card)
            run.emit(events.Drew(card=card))
        # The task stays until it has all its cards: the deck may have been too small for them. One
        # without a count fills the hand, and counts anew what is missing.
        still_owed = task
        if task.count is not None:
            still_owed = BeachTask(what="fill", count=task.count - count)
        run.go_on_with(still_owed)


def _refuse_cards_not_in_hand(state: BeachState, cards: Sequence[Draw]) -> None:
    """Raises Refused for cards that are not in the hand, or named twice."""
    missing = [card for card in cards if card not in state.hand]
    if missing:
        hand = signs(sorted(state.hand)) or "empty"
        raise nonsense("not_in_hand", f"Your hand has no {signs(missing)}; it is {hand}.")
    if len(set(cards)) < len(cards):
        raise nonsense("not_in_hand", "The same card is named twice.")


class Discard(BeachOrder, frozen=True, kw_only=True, tag="discard"):
    """Cards exchanged in the tactical phase, or given up at the end of the turn."""

    answers: ClassVar[tuple[str, ...]] = ("exchange", "trim")
    cards: tuple[Draw, ...]

    def carry_out(self, run: BeachResolution) -> None:
        ask, count = run.open_question, len(self.cards)
        _refuse_cards_not_in_hand(run.state, self.cards)
        if ask.what == "trim" and count != ask.count:
            cards = number(ask.count, "card")
            raise nonsense("how_many", f"You must discard {cards}, not {count}.")
        if ask.what == "exchange" and count > ask.most:
            raise nonsense("too_many", f"You may exchange at most {ask.most} now, not {count}.")
        new_cards: tuple[BeachTask, ...] = ()
        if ask.what == "exchange" and count:
            # As many as were given up: a General may have brought the hand above its limit (B25).
            new_cards = (
                BeachTask(what="fill", count=count),
                BeachTask(what="exchange", done=True),
            )
        run.emit(events.Discarded(cards=self.cards, then=(*new_cards, *run.rest)))


class PlayCard(BeachOrder, frozen=True, kw_only=True, tag="play"):
    """Plays a card: on the die number ``die`` (from 0) of the roll on the table, to repeat the
    phase that is ending (Admiral), or to draw more cards (General)."""

    card: Draw
    die: int = 0

    def carry_out(self, run: BeachResolution) -> None:
        state = run.state
        _refuse_cards_not_in_hand(state, [self.card])
        card = state.ruleset.card_of(self.card)
        if state.asks in ("dice", "cards"):
            raise nonsense("waiting", "First type in what the table shows.")
        match card.does:
            case "draw":
                self._play_general(run)
            case "repeat":
                self._play_admiral(run)
            case "reroll":
                self._refuse_on_die(state, card)
                self._play_colonel(run)
            case _:
                self._refuse_on_die(state, card)
                run.emit(events.CardPlayed(played=Played(self.card, self.die)))

    def _refuse_on_die(self, state: BeachState, card: Card) -> None:
        """Raises Refused if the card cannot be played on its die."""
        roll, in_force = state.roll, state.in_force
        if roll is None:
            text = f"A {card.name} is played on a roll, and there is none now."
            raise nonsense("no_roll", text, "B19")
        if in_force.cards_come_before_dice and roll.faces:
            text = "The dice have been rolled; cards are played before that."
            raise nonsense("too_late", text, "B19")
        if not 0 <= self.die < roll.dice:
            raise nonsense("no_die", f"There is no such die; the roll has {roll.dice}.", "B20")
        if in_force.tables_take_no_cards and _is_looked_up(state, roll):
            text = "This roll is looked up in a table; no card may change it."
            raise nonsense("looked_up", text, "B36")
        has_card = any(played.die == self.die for played in roll.cards)
        if in_force.die_takes_one_card and has_card:
            raise nonsense("one_card", "This die has a card already.", "B23")
        if in_force.cards_come_before_dice and card.does == "reroll":
            raise nonsense("nothing_rolled", "There is nothing to re-roll yet.", "B19")

    def _play_colonel(self, run: BeachResolution) -> None:
        """Re-rolls a die, or all of them (B22); own dice are asked for."""
        roll = run.state.roll
        assert roll is not None
        count = 1
        if run.state.in_force.colonel_rerolls_all:
            count = roll.dice
        played = Played(self.card, self.die)
        if run.state.dice.typed:
            run.ask(BeachAsk(what="dice", count=count, card=played))
        else:
            run.emit(events.CardPlayed(played=replace(played, faces=run.next_faces(count))))

    def _play_admiral(self, run: BeachResolution) -> None:
        """Repeats the phase that is just ending (B24, B41). The Tactical and the End phase have no
        roll for him to lie on, so that they are never repeated (B42)."""
        state = run.state
        if state.roll is None or not state.roll.faces:
            text = "An Admiral is played on the last roll of the phase that he repeats."
        elif state.repeats:
            text = "This phase is going to be repeated already."
        elif state.in_force.only_allied_phases_repeat and state.present_phase.side != "allied":
            text = "An Admiral does not repeat German phases."
        elif not is_last_roll_of_phase(state):
            text = "The phase is not over yet; its next roll comes first."
        else:
            run.emit(events.Repeats(card=self.card))
            return
        raise nonsense("no_phase", text, "B24")

    def _play_general(self, run: BeachResolution) -> None:
        """Owes more cards to the hand, even beyond its limit (B25)."""
        state = run.state
        if state.asks != "exchange" and state.in_force.general_is_tactical:
            raise nonsense("not_now", "A General is played in the tactical phase.", "B25")
        # An open question is closed; its task is still on the agenda, and asks again afterwards.
        more_cards = BeachTask(what="fill", count=state.ruleset.hand.general)
        run.emit(events.DrawsMore(card=self.card, then=(more_cards, *state.agenda)))


def _is_looked_up(state: BeachState, roll: Roll) -> bool:
    """Whether a roll finds a row of a table, or the type of a tank (B36)."""
    if roll.task.what == "kind":
        return True
    return roll.task.what == "throw" and state.step_of(roll.task).does == "table"
