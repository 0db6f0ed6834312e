"""Orders and their results.

An order that answers a question is taken only while that question is open. After any order the game
runs on until dice lie on the table or the player has to decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import events
from skirmish.games.beach_head import ruleset as printed
from skirmish.games.beach_head.ruleset import DefenceId, TankId, signs
from skirmish.games.beach_head.state import BeachAsk, BeachState, BeachTask, Modifier, Played, Roll
from skirmish.games.beach_head.wording import number, prompt_text
from skirmish.tabletop.chance import Draw, pack
from skirmish.tabletop.journal import Execution
from skirmish.tabletop.refusal import Refusal, Refused, nonsense, not_asked

TAKEN = "The beach is taken; the game is over."


class BeachResolution(Execution[BeachState, events.BeachEvent, BeachTask]):
    """The course of one order: phases begun and skipped, steps taken, dice thrown and settled."""

    @property
    def asked(self) -> BeachAsk:
        assert self.state.ask is not None
        return self.state.ask

    def run_on(self) -> None:
        """Runs until dice lie on the table, the player is asked, or the game is won. Cards owed to
        the hand are drawn even while dice lie there (a General, B25). Raises ValueError for turns
        without any roll, which no ruleset of ours has."""
        begun = self.state.turn
        while not self.state.over and self.state.ask is None:
            ahead = self.state.agenda
            if self.state.roll is not None and not (ahead and ahead[0].what == "fill"):
                if not _counts_at_once(self.state):
                    return
                self.settle()
            elif ahead:
                self.do(ahead[0])
            else:
                self.next_phase()
                if self.state.turn > begun + 2:
                    raise ValueError("turns pass and nothing is rolled")

    def next_phase(self) -> None:
        state = self.state
        turn, place = state.following
        phase = state.ruleset.phase[place]
        if phase.id == "end" and state.cleared:
            self.emit(events.Begun(turn=turn, phase=phase.id))
            self.emit(events.Won())
        elif why := state.skip_reason(phase, turn):
            self.emit(events.Skipped(turn=turn, phase=phase.id, why=why))
        else:
            then = self._agenda(phase)
            self.emit(events.Begun(turn=turn, phase=phase.id, again=state.repeats, then=then))

    def _agenda(self, phase: printed.Phase) -> tuple[BeachTask, ...]:
        if phase.id == "tactical":
            return (BeachTask(what="fill"), BeachTask(what="exchange"))
        if phase.id == "end":
            return (BeachTask(what="trim"),)
        steps = tuple(BeachTask(what="take", step=index) for index in range(len(phase.step)))
        if phase.needs and self.state.ruled("B7", "tank"):
            return steps * self.state.count_tanks(phase)
        return steps

    def do(self, task: BeachTask) -> None:
        state, step = self.state, self.state.step_of(task)
        match task.what:
            case "take" if not state.is_open(state.now, step):
                self._pass("way_barred", step.targets[0])
            case "take":
                throw = BeachTask(what="throw", step=task.step)
                if step.does != "remove" or self._aim_at(step.targets[0], throw):
                    self.aim(throw)
            case "throw":
                self._lay(task, state.spec_of(step), state.modifiers(step.modifiers))
            case "kind":
                self._lay(task, step.type)
            case "crater" if task.target:
                self._lay(task, step.craters[task.target])
            case "outcome" if kill := step.row[task.row].kill:
                if state.squads or state.ruled("B2", "rolled"):
                    self._lay(task, kill)
                else:
                    self._pass("nothing", "nobody")
            case "outcome":
                row = step.row[task.row]
                if task.target is not None or self._aim_at(row.targets[0], task):
                    self._lay(task, str(row.remove))
            case "spend":
                self._ask_target(state.targets_of(state.now, step), task.points)
            case "lose_tank":
                self._lose_tank(task)
            case "fill":
                self._fill(task)
            case "exchange":
                most = 0 if task.done else min(state.ruleset.hand.redraw, len(state.hand))
                general = any(map(state.is_general, state.hand)) and state.ruled("B25", "tactical")
                if most or (task.done and general):
                    self.ask(BeachAsk(what="exchange", most=most))
                else:
                    self.aim() if task.done else self._pass("nothing")
            case "trim":
                excess = len(state.hand) - state.ruleset.hand.keep
                if excess > 0:
                    self.ask(BeachAsk(what="trim", count=excess))
                else:
                    self._pass("nothing")

    def ask(self, ask: BeachAsk) -> None:
        self.emit(events.PlayerAsked(ask=ask))

    def _pass(self, why: events.PassCode, about: str = "") -> None:
        self.emit(events.Passed(why=why, about=about, then=self.rest))

    def aim(self, *tasks: BeachTask) -> None:
        self.emit(events.TargetNamed(then=(*tasks, *self.rest)))

    def _aim_at(self, about: DefenceId, aimed: BeachTask) -> bool:
        """Finds or asks for the target of a task; returns whether it is named later (B40)."""
        state = self.state
        targets = state.targets_of(state.now, state.step_of(aimed))
        if not targets:
            self._pass("no_target", about)
        elif len(targets) == 1 and not state.ruled("B35", "yes"):
            self.aim(replace(aimed, target=targets[0]))
        elif state.ruled("B40", "before"):
            self._ask_target(targets)
        else:
            return True
        return False

    def _ask_target(self, targets: tuple[DefenceId, ...], points: int | None = None) -> None:
        decline = self.state.ruled("B35", "yes")
        self.ask(BeachAsk(what="target", targets=targets, may_decline=decline, points=points))

    def _lose_tank(self, task: BeachTask) -> None:
        state = self.state
        tanks = state.losable(task)
        kinds = tuple(dict.fromkeys(tanks))
        if not tanks:
            self._pass("no_tank")
        elif len(kinds) == 1:
            self.emit(events.TankLost(kind=kinds[0], then=self.rest))
        elif task.no_flail and state.ruled("B13", "player"):
            self.ask(BeachAsk(what="tank", kinds=kinds))
        elif state.dice.typed:
            self.ask(BeachAsk(what="lot", sides=len(tanks), tanks=tanks))
        else:
            (lot,) = self.faces(1, sides=len(tanks))
            self.emit(events.TankLost(kind=tanks[lot - 1], lot=lot, then=self.rest))

    def _fill(self, task: BeachTask) -> None:
        wanted = task.count
        if wanted is None:
            wanted = self.state.ruleset.hand.full - len(self.state.hand)
        while wanted > 0:
            deck = self.state.deck
            assert deck is not None
            if not (left := deck.left(pack())):
                if not self.state.discard:
                    break
                self.emit(events.DiscardsShuffled())
            elif deck.typed:
                self.ask(BeachAsk(what="cards", count=min(wanted, left)))
                return
            else:
                self.emit(events.Drew(card=deck.peek(pack(), 13)))
                wanted -= 1
        self.emit(events.Filled(then=self.rest))

    def _lay(self, task: BeachTask, spec: str, modifiers: tuple[Modifier, ...] = ()) -> None:
        dice, plus = printed.dice(spec)
        roll = Roll(task=task, dice=dice, plus=plus, modifiers=modifiers)
        first_cards = self.state.ruled("B19", "before") and bool(self.state.hand)
        if not (first_cards or self.state.dice.typed):
            roll = replace(roll, faces=self.faces(dice))
        self.emit(events.DiceRolled(roll=roll))
        if not (first_cards or roll.faces):
            self.throw()

    def throw(self) -> None:
        assert self.state.roll is not None
        if self.state.dice.typed:
            self.ask(BeachAsk(what="dice", count=self.state.roll.dice))
        else:
            self.emit(events.Shown(faces=self.faces(self.state.roll.dice)))

    def faces(self, count: int, sides: int = 6) -> tuple[int, ...]:
        source = self.state.dice
        return tuple(
            replace(source, rolls=source.rolls + number).peek((), sides).rank
            for number in range(count)
        )

    def settle(self) -> BeachResolution:
        state, roll = self.state, self.state.roll
        assert roll is not None
        total, task, step = state.counted(roll).total, roll.task, state.step_of(roll.task)
        match task.what, step.does:
            case "throw", "squads":
                self._close(total)
                self.emit(events.SquadsLanded(squads=total))
            case "throw", "tanks" if state.setup.all_guns:
                self._close(total)
                for _ in range(total):
                    self.emit(events.TankLanded(kind=state.ruleset.omaha.lands[0]))
            case "throw", "tanks":
                kind = BeachTask(what="kind", step=task.step, among=total)
                self._close(total, *(replace(kind, number=n) for n in range(1, total + 1)))
            case "throw", "table":
                self._look_up(task, step.row[at := step.find(total)], at, total)
            case "outcome", _ if step.row[task.row].kill:
                self._close(total)
                killed = min(total, state.squads)
                scored = total if state.ruled("B2", "rolled") else killed
                self.emit(events.Killed(squads=killed, scored=scored))
            case "kind", _:
                self._close(total)
                tank = state.ruleset.tank_by_face(total)
                self.emit(events.TankLanded(kind=state.setup.landed_as(tank.id)))
            case "crater", _:
                self._close(total)
                self._dig(total)
            case _ if task.target is None:
                self._close(total, BeachTask(what="spend", step=task.step, points=total))
            case _:
                self._close(total)
                self._remove(task, task.target, total)
        self._win_at_once()
        return self

    def _close(self, total: int, *first: BeachTask) -> None:
        assert self.state.roll is not None
        then = (*first, *self.rest)
        self.emit(events.Settled(total=total, modifiers=self.state.roll.modifiers, then=then))

    def _look_up(self, task: BeachTask, row: printed.ResultRow, place: int, total: int) -> None:
        if row.kill or row.remove:
            self._close(total, BeachTask(what="outcome", step=task.step, row=place))
        elif row.tank:
            self._close(total, BeachTask(what="lose_tank", no_flail=row.tank == "no_flail"))
        else:
            self._close(total)
            if row.craft:
                self.emit(events.CraftHit())
            elif not self.state.agenda:
                self.emit(events.Passed(why="nothing"))

    def spend(self, target: DefenceId) -> BeachResolution:
        task = self.state.agenda[0]
        self.aim()
        self._remove(task, target, task.points)
        self._win_at_once()
        return self

    def _remove(self, task: BeachTask, target: DefenceId, points: int) -> None:
        """Removes points; any excess is lost (B10). Craters are dug after the phase's other steps,
        or at once (B38)."""
        left = self.state.defences[target]
        self.emit(events.Removed(target=target, points=min(points, left), rolled=points))
        craters = self.state.step_of(task).craters
        if target not in craters or "ditches" in self.state.setup.left_out:
            return
        ahead = self.state.agenda
        place = 0
        if not self.state.ruled("B38", "craters"):  # behind the steps of the same tank
            begins = (at for at, task in enumerate(ahead) if task.step == 0)
            place = next(begins, len(ahead))
        crater = BeachTask(what="crater", step=task.step, target=target)
        then = (*ahead[:place], crater, *ahead[place:])
        self.emit(events.Passed(why="craters", about=target, then=then))

    def _dig(self, points: int) -> None:
        most = self.state.setup.most_ditches
        if most is not None:
            points = max(0, min(points, most - self.state.defences["ditches"]))
        self.emit(events.Dug(target="ditches", points=points))

    def _win_at_once(self) -> None:
        if self.state.cleared and self.state.ruled("B18", "at_once"):
            self.emit(events.Won())

    def ends_phase(self) -> bool:
        while not self.state.over and self.state.roll is None:
            ask, ahead = self.state.ask, self.state.agenda
            if ask is not None:
                if ask.what == "target" and ask.points is not None:  # the die came first (B40)
                    return any(
                        BeachResolution(self.state).spend(one).ends_phase() for one in ask.targets
                    )
                return ask.what in ("tank", "lot") and not self.rest
            if not ahead:
                return True
            self.do(ahead[0])
        return self.state.over


def _counts_at_once(state: BeachState) -> bool:
    roll = state.roll
    if roll is None or not (roll.faces and state.dice.typed) or state.setup.version == 1:
        return False
    return all(
        PlayCard(card=card, die=die).why_not(state)
        for card in state.hand
        for die in range(roll.dice)
    )


# ------------------------------------------------------------------ orders


class BeachOrder(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    answers: ClassVar[tuple[str, ...]] = ()
    """The questions it answers; empty: it may be given at any time."""

    def decide(self, state: BeachState) -> list[events.BeachEvent]:
        """Raises Refused."""
        return self.resolved(state).events

    def resolved(self, state: BeachState) -> BeachResolution:
        """The order with all that follows from it. Raises Refused."""
        run = self.carried_out(state)
        run.run_on()
        return run

    def carried_out(self, state: BeachState) -> BeachResolution:
        if state.over:
            raise nonsense("over", TAKEN)
        if self.answers and state.asks not in self.answers:
            raise not_asked("not_now", prompt_text(state))
        run = BeachResolution(state)
        self.carry_out(run)
        return run

    def carry_out(self, run: BeachResolution) -> None:
        raise NotImplementedError

    def why_not(self, state: BeachState) -> Refusal | None:
        try:
            self.carried_out(state)
        except Refused as refused:
            return refused.refusal
        return None


class Go(BeachOrder, frozen=True, kw_only=True, tag="go"):
    def carry_out(self, run: BeachResolution) -> None:
        state = run.state
        if state.asks == "exchange":
            run.emit(events.Discarded(cards=(), then=run.rest))
        elif state.ask is not None:
            raise nonsense("waiting", prompt_text(state))
        elif state.roll is not None:
            run.settle() if state.roll.faces else run.throw()


class ChooseTarget(BeachOrder, frozen=True, kw_only=True, tag="choose"):
    """``target`` None: no defence (B35)."""

    answers: ClassVar[tuple[str, ...]] = ("target",)
    target: DefenceId | None

    def carry_out(self, run: BeachResolution) -> None:
        ask, target = run.asked, self.target
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
            run.spend(target)
        elif task.what == "take":
            run.aim(replace(task, what="throw", target=target))
        else:
            run.aim(replace(task, target=target))


class GiveTank(BeachOrder, frozen=True, kw_only=True, tag="give"):
    answers: ClassVar[tuple[str, ...]] = ("tank",)
    tank: TankId

    def carry_out(self, run: BeachResolution) -> None:
        if self.tank not in run.asked.kinds:
            names = ", ".join(run.state.ruleset.tank_of(one).name for one in run.asked.kinds)
            raise nonsense("no_target", f"There is no such tank here; there are: {names}.")
        run.emit(events.TankLost(kind=self.tank, then=run.rest))


def tanks_to_type(state: BeachState) -> int:
    """How many dice for types of tanks may be typed in one line: those of this tank and of all that
    land after it. 0 where no type of a tank is asked for."""
    roll, ask = state.roll, state.ask
    asked = ask is not None and ask.what == "dice" and ask.card is None
    if not asked or roll is None or roll.task.what != "kind":
        return 0
    if state.ruled("B19", "before") and state.hand:
        return 1  # cards come before each die
    landing = 0
    for task in state.agenda:  # the first one is that of this tank
        if task.what != "kind":
            break
        landing += 1
    return landing


class ShowDice(BeachOrder, frozen=True, kw_only=True, tag="show"):
    """The faces of the player's own dice, or the lot he drew. ``more``: those of the tanks that
    land after this one; the dice before the last one count as they lie."""

    answers: ClassVar[tuple[str, ...]] = ("dice", "lot")
    faces: tuple[int, ...]
    more: tuple[int, ...] = ()

    def carry_out(self, run: BeachResolution) -> None:
        ask = run.asked
        count, sides = (1, ask.sides) if ask.what == "lot" else (ask.count, 6)
        if len(self.faces) != count:
            dice = "1 die is" if count == 1 else f"{count} dice are"
            raise nonsense("how_many", f"{dice} rolled here, not {len(self.faces)}.")
        for face in (*self.faces, *self.more):
            if not 1 <= face <= sides:
                raise nonsense("no_face", f"It must be a number from 1 to {sides}, not {face}.")
        if self.more and len(self.more) >= tanks_to_type(run.state):
            raise nonsense("how_many", "There are fewer tanks whose type is still to be rolled.")
        if ask.what == "lot":
            lot = self.faces[0]
            kind = run.state.losable(run.state.agenda[0])[lot - 1]
            run.emit(events.TankLost(kind=kind, lot=lot, own=True, then=run.rest))
        elif ask.card is not None:
            run.emit(events.CardPlayed(played=replace(ask.card, faces=self.faces), own=True))
        else:
            run.emit(events.Shown(faces=self.faces, own=True))
        for face in self.more:
            run.settle()
            run.do(run.state.agenda[0])
            run.emit(events.Shown(faces=(face,), own=True))


class Draws(BeachOrder, frozen=True, kw_only=True, tag="draws"):
    answers: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Draw, ...]

    def carry_out(self, run: BeachResolution) -> None:
        count, task, deck = run.asked.count, run.state.agenda[0], run.state.deck
        if len(self.cards) != count:
            cards = "1 card is" if count == 1 else f"{count} cards are"
            raise nonsense("how_many", f"{cards} to be drawn, not {len(self.cards)}.")
        seen = set(deck.gone) if deck else set()
        for card in self.cards:
            if card not in pack():
                raise nonsense("no_card", f"{card} is no card of this deck.")
            if card in seen:
                raise nonsense("gone", f"{card} has been drawn since the last shuffle.")
            seen.add(card)
            run.emit(events.Drew(card=card))
        run.aim(task if task.count is None else BeachTask(what="fill", count=task.count - count))


def _in_hand(state: BeachState, cards: Sequence[Draw]) -> None:
    missing = [card for card in cards if card not in state.hand]
    if missing:
        hand = signs(sorted(state.hand)) or "empty"
        raise nonsense("not_in_hand", f"Your hand has no {signs(missing)}; it is {hand}.")
    if len(set(cards)) < len(cards):
        raise nonsense("not_in_hand", "The same card is named twice.")


class Discard(BeachOrder, frozen=True, kw_only=True, tag="discard"):
    answers: ClassVar[tuple[str, ...]] = ("exchange", "trim")
    cards: tuple[Draw, ...]

    def carry_out(self, run: BeachResolution) -> None:
        ask, count = run.asked, len(self.cards)
        _in_hand(run.state, self.cards)
        again: tuple[BeachTask, ...] = ()
        if ask.what == "trim" and count != ask.count:
            cards = number(ask.count, "card")
            raise nonsense("how_many", f"You must discard {cards}, not {count}.")
        if ask.what == "exchange":
            if count > ask.most:
                raise nonsense("too_many", f"You may exchange at most {ask.most} now, not {count}.")
            if count:
                again = BeachTask(what="fill", count=count), BeachTask(what="exchange", done=True)
        run.emit(events.Discarded(cards=self.cards, then=(*again, *run.rest)))


class PlayCard(BeachOrder, frozen=True, kw_only=True, tag="play"):
    """Plays a card: on die ``die`` (from 0) of the current roll, on the phase just played
    (Admiral), or for more cards (General)."""

    card: Draw
    die: int = 0

    def carry_out(self, run: BeachResolution) -> None:
        state = run.state
        _in_hand(state, [self.card])
        card = state.ruleset.card_of(self.card)
        if state.asks in ("dice", "cards"):
            raise nonsense("waiting", "First type in what the table shows.")
        match card.does:
            case "draw":
                self._general(run)
            case "repeat":
                self._admiral(run)
            case _:
                self._on_die(run, card)

    def _on_die(self, run: BeachResolution, card: printed.Card) -> None:
        state, roll = run.state, run.state.roll
        if roll is None:
            text = f"A {card.name} is played on a roll, and there is none now."
            raise nonsense("no_roll", text, "B19")
        first_cards = state.ruled("B19", "before")
        if first_cards and roll.faces:
            text = "The dice have been rolled; cards are played before that."
            raise nonsense("too_late", text, "B19")
        if not 0 <= self.die < roll.dice:
            raise nonsense("no_die", f"There is no such die; the roll has {roll.dice}.", "B20")
        table = roll.task.what == "throw" and state.step_of(roll.task).does == "table"
        if state.ruled("B36", "numbers") and (table or roll.task.what == "kind"):
            text = "This roll is looked up in a table; no card may change it."
            raise nonsense("looked_up", text, "B36")
        if state.ruled("B23", "one") and any(one.die == self.die for one in roll.cards):
            raise nonsense("one_card", "This die has a card already.", "B23")
        played = Played(self.card, self.die)
        if card.does == "reroll":
            if first_cards:
                raise nonsense("nothing_rolled", "There is nothing to re-roll yet.", "B19")
            count = roll.dice if state.ruled("B22", "all") else 1
            if state.dice.typed:
                run.ask(BeachAsk(what="dice", count=count, card=played))
                return
            played = replace(played, faces=run.faces(count))
        run.emit(events.CardPlayed(played=played))

    def _admiral(self, run: BeachResolution) -> None:
        state = run.state
        if state.roll is None or not state.roll.faces:
            text = "An Admiral is played on the last roll of the phase that he repeats."
        elif state.repeats:
            text = "This phase is going to be repeated already."
        elif state.ruled("B24", "allied") and state.now.side != "allied":
            text = "An Admiral does not repeat German phases."
        elif not BeachResolution(state).settle().ends_phase():
            text = "The phase is not over yet; its next roll comes first."
        else:
            run.emit(events.Repeats(card=self.card))
            return
        raise nonsense("no_phase", text, "B24")

    def _general(self, run: BeachResolution) -> None:
        state = run.state
        if state.asks != "exchange" and state.ruled("B25", "tactical"):
            raise nonsense("not_now", "A General is played in the tactical phase.", "B25")
        more = BeachTask(what="fill", count=state.ruleset.hand.general)
        run.emit(events.DrawsMore(card=self.card, then=(more, *state.agenda)))
