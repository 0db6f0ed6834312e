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
from skirmish.games.beach_head.ruleset import (
    Card,
    DefenceId,
    Phase,
    PhaseStep,
    TankId,
    dice_of,
    signs,
)
from skirmish.games.beach_head.state import BeachAsk, BeachState, BeachTask, Modifier, Played, Roll
from skirmish.games.beach_head.wording import number, prompt_text
from skirmish.tabletop.chance import Draw, pack
from skirmish.tabletop.execution import Execution
from skirmish.tabletop.refusal import Refusal, Refused, nonsense, not_asked

TAKEN = "The beach is taken; the game is over."


class BeachResolution(Execution[BeachState, events.BeachEvent, BeachTask]):
    """The course of one order: phases begun and skipped, steps taken, dice thrown and settled.

    ``emit`` adds an event and changes the state by it at once; ``rest`` is the agenda without its
    first task, which is the one being done.
    """

    @property
    def asked(self) -> BeachAsk:
        """The open question; only for an order that answers one."""
        assert self.state.ask is not None
        return self.state.ask

    # ------------------------------------------------------------ from phase to phase

    def run_on(self) -> None:
        """Runs until dice lie on the table, the player is asked, or the game is won. Cards owed to
        the hand are drawn even while dice lie there (a General, B25). Raises ValueError for turns
        without any roll, which no ruleset of ours has."""
        first_turn = self.state.turn
        while not self.state.over and self.state.ask is None:
            agenda = self.state.agenda
            cards_are_owed = bool(agenda) and agenda[0].what == "fill"
            if self.state.roll is not None and not cards_are_owed:
                if not _counts_at_once(self.state):
                    return
                self.settle()
            elif agenda:
                self.do(agenda[0])
            else:
                self.next_phase()
                # Squads land in every turn, so one whole turn without a roll is one too many.
                if self.state.turn > first_turn + 2:
                    raise ValueError("turns pass and nothing is rolled")

    def next_phase(self) -> None:
        """Begins the next phase, skips it, or ends a game that is won."""
        state = self.state
        turn, place = state.following
        phase = state.ruleset.phase[place]
        # Where the game ends only here (B18), it does so before the hand is cut down.
        if phase.id == "end" and state.cleared:
            self.emit(events.Begun(turn=turn, phase=phase.id))
            self.emit(events.Won())
            return
        why = state.skip_reason(phase, turn)
        if why:
            self.emit(events.Skipped(turn=turn, phase=phase.id, why=why))
            return
        tasks = self._tasks_of(phase)
        self.emit(events.Begun(turn=turn, phase=phase.id, again=state.repeats, then=tasks))

    def _tasks_of(self, phase: Phase) -> tuple[BeachTask, ...]:
        """The tasks with which a phase begins."""
        if phase.id == "tactical":
            # Cards are exchanged once the hand is full (B26).
            return (BeachTask(what="fill"), BeachTask(what="exchange"))
        if phase.id == "end":
            return (BeachTask(what="trim"),)
        steps = tuple(BeachTask(what="take", step=index) for index in range(len(phase.step)))
        if phase.needs and self.state.in_force.each_tank_rolls:
            # A tank takes all its steps before the next one begins (B7).
            return steps * self.state.count_tanks(phase)
        return steps

    # ------------------------------------------------------------ the tasks of the agenda

    def do(self, task: BeachTask) -> None:
        """Does the first task of the agenda, which an event then replaces by what follows."""
        state, step = self.state, self.state.step_of(task)
        match task.what:
            case "take":
                self._take(task)
            case "throw":
                self._lay(task, state.spec_of(step), state.modifiers(step.modifiers))
            case "kind":
                # The modifiers of the landing changed the number of tanks, not their types (B37).
                self._lay(task, step.type)
            case "crater":
                assert task.target is not None
                self._lay(task, step.craters[task.target])
            case "outcome":
                self._roll_outcome(task)
            case "spend":
                self._ask_target(state.targets_of(state.present_phase, step), task.points)
            case "lose_tank":
                self._lose_tank(task)
            case "fill":
                self._fill(task)
            case "exchange":
                self._exchange(task)
            case "trim":
                self._trim()

    def ask(self, ask: BeachAsk) -> None:
        """Put a question to the player, with which the resolution stops."""
        self.emit(events.PlayerAsked(ask=ask))

    def finish_task(self) -> None:
        """Takes the first task off the agenda."""
        self.go_on_with()

    def go_on_with(self, *tasks: BeachTask) -> None:
        """Replaces the first task of the agenda by ``tasks``."""
        self.emit(events.AgendaMoved(then=(*tasks, *self.rest)))

    def _pass(self, why: events.PassCode, about: str = "") -> None:
        """Takes the first task off the agenda because it comes to nothing, and says why."""
        self.emit(events.Passed(why=why, about=about, then=self.rest))

    def _take(self, task: BeachTask) -> None:
        """Begins a step of the phase: a removal is aimed, everything else is thrown for."""
        state, step = self.state, self.state.step_of(task)
        if not state.is_open(state.present_phase, step):
            self._pass("way_barred", step.targets[0])
            return
        throw = BeachTask(what="throw", step=task.step)
        if step.does != "remove":
            self.go_on_with(throw)
            return
        targets = state.targets_of(state.present_phase, step)
        if self._die_comes_first(targets):
            self.go_on_with(throw)
        else:
            self._aim(throw, targets, missing=step.targets[0])

    def _roll_outcome(self, task: BeachTask) -> None:
        """Throws for the row of a table: squads killed, or points off a target."""
        state, step = self.state, self.state.step_of(task)
        row = step.row[task.row]
        if row.kill:
            # With nobody ashore the roll matters only where it is scored in full (B2).
            if state.squads or state.in_force.whole_roll_is_scored:
                self._lay(task, row.kill)
            else:
                self._pass("nothing", "nobody")
            return
        targets = state.targets_of(state.present_phase, step)
        if task.target is not None or self._die_comes_first(targets):
            self._lay(task, str(row.remove))
        else:
            self._aim(task, targets, missing=row.targets[0])

    def _die_comes_first(self, targets: tuple[DefenceId, ...]) -> bool:
        """Whether there is a choice of target, to be made after the die is rolled (B40)."""
        if not targets or self._is_the_only_choice(targets):
            return False
        return not self.state.in_force.target_comes_first

    def _is_the_only_choice(self, targets: tuple[DefenceId, ...]) -> bool:
        return len(targets) == 1 and not self.state.in_force.may_decline

    def _aim(self, task: BeachTask, targets: tuple[DefenceId, ...], missing: DefenceId) -> None:
        """Names the target of a task, or asks for it; ``missing`` is named if nothing stands."""
        if not targets:
            self._pass("no_target", missing)
        elif self._is_the_only_choice(targets):
            self.go_on_with(replace(task, target=targets[0]))
        else:
            self._ask_target(targets)

    def _ask_target(self, targets: tuple[DefenceId, ...], points: int | None = None) -> None:
        may_decline = self.state.in_force.may_decline
        self.ask(BeachAsk(what="target", targets=targets, may_decline=may_decline, points=points))

    def _lose_tank(self, task: BeachTask) -> None:
        """Loses one of the tanks ashore: the only kind there is, the player's choice (B13), or one
        drawn by lot, each tank being equally likely."""
        state = self.state
        tanks = state.losable(task)
        kinds = tuple(dict.fromkeys(tanks))
        if not tanks:
            self._pass("no_tank")
        elif len(kinds) == 1:
            self.emit(events.TankLost(kind=kinds[0], then=self.rest))
        elif task.no_flail and state.in_force.player_gives_the_tank:
            # Only of mines: artillery destroys "a random Tank" in so many words.
            self.ask(BeachAsk(what="tank", kinds=kinds))
        elif state.dice.typed:
            self.ask(BeachAsk(what="lot", sides=len(tanks), tanks=tanks))
        else:
            (lot,) = self.faces(1, sides=len(tanks))
            self.emit(events.TankLost(kind=tanks[lot - 1], lot=lot, then=self.rest))

    def _exchange(self, task: BeachTask) -> None:
        """Asks for cards to exchange. After the exchange (``done``) a General among the new cards
        may still be played, if he is played in this phase only (B25)."""
        state = self.state
        if task.done:
            holds_general = any(state.is_general(card) for card in state.hand)
            if holds_general and state.in_force.general_is_tactical:
                self.ask(BeachAsk(what="exchange", most=0))
            else:
                self.finish_task()
            return
        most = min(state.ruleset.hand.redraw, len(state.hand))
        if most:
            self.ask(BeachAsk(what="exchange", most=most))
        else:
            self._pass("nothing")

    def _trim(self) -> None:
        """At the end of a turn the hand is cut down to what may be kept."""
        excess = len(self.state.hand) - self.state.ruleset.hand.keep
        if excess > 0:
            self.ask(BeachAsk(what="trim", count=excess))
        else:
            self._pass("nothing")

    def _fill(self, task: BeachTask) -> None:
        """Draws the cards owed, shuffling the discards when the deck is empty; with an own deck,
        asks for those that are left before each shuffle."""
        wanted = task.count
        if wanted is None:
            wanted = self.state.ruleset.hand.full - len(self.state.hand)
        while wanted > 0:
            deck = self.state.deck
            assert deck is not None
            left = deck.left(pack())
            if not left:
                if not self.state.discard:  # all cards are in the hand
                    break
                self.emit(events.DiscardsShuffled())
            elif deck.typed:
                self.ask(BeachAsk(what="cards", count=min(wanted, left)))
                return
            else:
                # The sides are those of a die; of a deck they make no difference.
                self.emit(events.Drew(card=deck.peek(pack(), sides=13)))
                wanted -= 1
        self.emit(events.Filled(then=self.rest))

    # ------------------------------------------------------------ dice

    def _lay(self, task: BeachTask, spec: str, modifiers: tuple[Modifier, ...] = ()) -> None:
        """Lays dice on the table: thrown by the program, or announced because cards come first
        (B19) or the player throws his own."""
        dice, plus = dice_of(spec)
        roll = Roll(task=task, dice=dice, plus=plus, modifiers=modifiers)
        cards_come_first = self.state.in_force.cards_come_before_dice and bool(self.state.hand)
        if not cards_come_first and not self.state.dice.typed:
            roll = replace(roll, faces=self.faces(dice))
        self.emit(events.DiceRolled(roll=roll))
        if not cards_come_first and not roll.faces:
            self.throw()

    def throw(self) -> None:
        """Throws the dice that were announced."""
        assert self.state.roll is not None
        if self.state.dice.typed:
            self.ask(BeachAsk(what="dice", count=self.state.roll.dice))
        else:
            self.emit(events.Shown(faces=self.faces(self.state.roll.dice)))

    def faces(self, count: int, sides: int = 6) -> tuple[int, ...]:
        """The next ``count`` dice of the program. Their event moves the source on."""
        source = self.state.dice
        faces = []
        for rolled in range(count):
            next_die = replace(source, rolls=source.rolls + rolled)
            faces.append(next_die.peek((), sides).rank)
        return tuple(faces)

    def settle(self) -> None:
        """Lets the roll on the table count, with the cards on it."""
        state, roll = self.state, self.state.roll
        assert roll is not None
        total, task = state.counted(roll).total, roll.task
        match task.what:
            case "throw":
                self._settle_throw(task, total)
            case "kind":
                self._close(total)
                tank = state.ruleset.tank_by_face(total)
                self.emit(events.TankLanded(kind=state.setup.landed_as(tank.id)))
            case "crater":
                self._close(total)
                self._dig(total)
            case "outcome" if state.step_of(task).row[task.row].kill:
                self._close(total)
                self._kill(total)
            case _:  # the outcome of a row that removes points; no other task has dice
                self._settle_removal(task, total)
        self._win_at_once()

    def _settle_throw(self, task: BeachTask, total: int) -> None:
        """What the total of a roll does, by the kind of its step."""
        step = self.state.step_of(task)
        match step.does:
            case "squads":
                self._close(total)
                self.emit(events.SquadsLanded(squads=total))
            case "tanks":
                self._settle_tanks(task, total)
            case "table":
                self._look_up(task, step, total)
            case _:
                self._settle_removal(task, total)

    def _settle_tanks(self, task: BeachTask, total: int) -> None:
        """Each tank that lands gets a die for its type, unless all land as gun tanks (B27)."""
        setup = self.state.setup
        if setup.all_guns:
            self._close(total)
            for _ in range(total):
                self.emit(events.TankLanded(kind=setup.ruleset.omaha.lands[0]))
            return
        dice_for_types = []
        for tank_number in range(1, total + 1):
            die = BeachTask(what="kind", step=task.step, number=tank_number, among=total)
            dice_for_types.append(die)
        self._close(total, *dice_for_types)

    def _look_up(self, task: BeachTask, step: PhaseStep, total: int) -> None:
        """The row of the table for a total, and what it leads to: another roll, a lost tank, or
        nothing."""
        row_index = step.row_index(total)
        row = step.row[row_index]
        if row.kill or row.remove:
            self._close(total, BeachTask(what="outcome", step=task.step, row=row_index))
        elif row.tank:
            self._close(total, BeachTask(what="lose_tank", no_flail=row.tank == "no_flail"))
        else:
            self._close(total)
            if row.craft:
                self.emit(events.CraftHit())
            elif not self.state.agenda:  # nothing completes the sentence of the roll
                self.emit(events.Passed(why="nothing"))

    def _kill(self, total: int) -> None:
        """Nobody is lost who is not ashore; whether he is scored is a ruling (B2)."""
        killed = min(total, self.state.squads)
        scored = killed
        if self.state.in_force.whole_roll_is_scored:
            scored = total
        self.emit(events.Killed(squads=killed, scored=scored))

    def _settle_removal(self, task: BeachTask, total: int) -> None:
        """Removes points from the target, or has it named now where the die comes first (B40)."""
        if task.target is None:
            self._close(total, BeachTask(what="spend", step=task.step, points=total))
        else:
            self._close(total)
            self._remove(task, task.target, total)

    def _close(self, total: int, *tasks_before_the_rest: BeachTask) -> None:
        """Takes the roll off the table, with its task; ``tasks_before_the_rest`` come next."""
        assert self.state.roll is not None
        then = (*tasks_before_the_rest, *self.rest)
        self.emit(events.Settled(total=total, modifiers=self.state.roll.modifiers, then=then))

    # ------------------------------------------------------------ the effects of a removal

    def spend(self, target: DefenceId) -> None:
        """Removes points that were rolled before their target was named (B40)."""
        task = self.state.agenda[0]
        self.finish_task()
        self._remove(task, target, task.points)
        self._win_at_once()

    def _remove(self, task: BeachTask, target: DefenceId, points: int) -> None:
        """Removes points; any excess is lost (B10). Some targets leave craters."""
        left = self.state.defences[target]
        self.emit(events.Removed(target=target, points=min(points, left), rolled=points))
        leaves_craters = target in self.state.step_of(task).craters
        if leaves_craters and "ditches" not in self.state.setup.left_out:
            self._add_crater(task, target)

    def _add_crater(self, task: BeachTask, target: DefenceId) -> None:
        """Craters are dug at once, or after the other steps of the same tank (B38)."""
        agenda = self.state.agenda
        place = 0  # before the roll at the trenches, which ditches then bar
        if not self.state.in_force.craters_come_first:
            place = _steps_left_to_this_tank(agenda)
        crater = BeachTask(what="crater", step=task.step, target=target)
        then = (*agenda[:place], crater, *agenda[place:])
        # The event only puts the task into the agenda; its die gives the points.
        self.emit(events.Passed(why="craters", about=target, then=then))

    def _dig(self, points: int) -> None:
        """Adds ditches, where they are limited up to as many as there were at first (B15)."""
        most = self.state.setup.most_ditches
        if most is not None:
            room = most - self.state.defences["ditches"]
            points = max(0, min(points, room))
        self.emit(events.Dug(target="ditches", points=points))

    def _win_at_once(self) -> None:
        """Ends a game that is won in the middle of a turn, by the ruling for that (B18)."""
        if self.state.cleared and self.state.in_force.wins_at_once:
            self.emit(events.Won())


def _steps_left_to_this_tank(agenda: Sequence[BeachTask]) -> int:
    """How many tasks come before the next tank begins with the first step (B7)."""
    for index, task in enumerate(agenda):
        if task.step == 0:
            return index
    return len(agenda)


def state_after_roll(state: BeachState) -> BeachState:
    """The state once the roll on the table counts; nothing after it is played."""
    resolution = BeachResolution(state)
    resolution.settle()
    return resolution.state


def _is_last_roll_of_phase(state: BeachState) -> bool:
    """Whether nothing more is rolled in the phase once the roll on the table counts (B24)."""
    return _ends_without_roll(state_after_roll(state))


def _ends_without_roll(state: BeachState) -> bool:
    """Whether the phase can come to its end without another roll; what the player chooses on the
    way may decide it."""
    trial = BeachResolution(state)
    while not trial.state.over and trial.state.roll is None:
        ask = trial.state.ask
        if ask is not None:
            return _ends_after_answer(trial.state, ask)
        if not trial.state.agenda:
            return True
        trial.do(trial.state.agenda[0])
    return trial.state.over


def _ends_after_answer(state: BeachState, ask: BeachAsk) -> bool:
    """Whether an answer to the question can end the phase without another roll. Points whose die
    came first (B40) do so if they may go on a target after which nothing is rolled. A tank that is
    lost does so if that was the last task; every other answer leads to a roll."""
    if ask.what == "target" and ask.points is not None:
        for target in ask.targets:
            trial = BeachResolution(state)
            trial.spend(target)
            if _ends_without_roll(trial.state):
                return True
        return False
    loses_a_tank = ask.what in ("tank", "lot")
    return loses_a_tank and len(state.agenda) == 1


def _counts_at_once(state: BeachState) -> bool:
    """Whether dice that the player typed count without another key, since no card can be played on
    them. In games of version 1 they always waited for the key, and journals have it."""
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


# ------------------------------------------------------------------ orders


class BeachOrder(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    """What a player wants. ``decide`` returns all that happens until the game has to wait again."""

    answers: ClassVar[tuple[str, ...]] = ()
    """The questions it answers; empty: it may be given at any time."""

    def decide(self, state: BeachState) -> list[events.BeachEvent]:
        """Raises Refused."""
        return self.with_consequences(state).events

    def with_consequences(self, state: BeachState) -> BeachResolution:
        """The order with all that follows from it, up to the next choice or roll. Raises
        Refused."""
        run = self.alone(state)
        run.run_on()
        return run

    def alone(self, state: BeachState) -> BeachResolution:
        """The order without what follows from it. Raises Refused."""
        if state.over:
            raise nonsense("over", TAKEN)
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


class Go(BeachOrder, frozen=True, kw_only=True, tag="go"):
    """Goes on: lets a roll count, throws announced dice, exchanges nothing, or begins."""

    def carry_out(self, run: BeachResolution) -> None:
        state = run.state
        if state.asks == "exchange":
            run.emit(events.Discarded(cards=(), then=run.rest))
        elif state.ask is not None:
            raise nonsense("waiting", prompt_text(state))
        elif state.roll is not None and state.roll.faces:
            run.settle()
        elif state.roll is not None:
            run.throw()


class ChooseTarget(BeachOrder, frozen=True, kw_only=True, tag="choose"):
    """The answer to the question at which defence points go; without a ``target`` at none (B35)."""

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
            run.go_on_with(replace(task, what="throw", target=target))
        else:
            # The row of a table that removes points: its dice are thrown at this target next.
            run.go_on_with(replace(task, target=target))


class GiveTank(BeachOrder, frozen=True, kw_only=True, tag="give"):
    """The kind of tank that meets the mine (B13)."""

    answers: ClassVar[tuple[str, ...]] = ("tank",)
    tank: TankId

    def carry_out(self, run: BeachResolution) -> None:
        if self.tank not in run.asked.kinds:
            tanks = [run.state.ruleset.tank_of(kind) for kind in run.asked.kinds]
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
        self._check(run.state, ask)
        if ask.what == "lot":
            lot = self.faces[0]
            kind = run.state.losable(run.state.agenda[0])[lot - 1]
            run.emit(events.TankLost(kind=kind, lot=lot, own=True, then=run.rest))
        elif ask.card is not None:
            run.emit(events.CardPlayed(played=replace(ask.card, faces=self.faces), own=True))
        else:
            run.emit(events.Shown(faces=self.faces, own=True))
        # The die of a tank counts as it lies; the next task of the agenda is the next tank's die.
        for face in self.more:
            run.settle()
            run.do(run.state.agenda[0])
            run.emit(events.Shown(faces=(face,), own=True))

    def _check(self, state: BeachState, ask: BeachAsk) -> None:
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
        if self.more and len(self.more) >= tanks_to_type(state):
            raise nonsense("how_many", "There are fewer tanks whose type is still to be rolled.")


class Draws(BeachOrder, frozen=True, kw_only=True, tag="draws"):
    """The cards that the player drew from his own deck."""

    answers: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Draw, ...]

    def carry_out(self, run: BeachResolution) -> None:
        count, task, deck = run.asked.count, run.state.agenda[0], run.state.deck
        if len(self.cards) != count:
            cards = f"{count} cards are"
            if count == 1:
                cards = "1 card is"
            raise nonsense("how_many", f"{cards} to be drawn, not {len(self.cards)}.")
        gone: set[Draw] = set()
        if deck is not None:
            gone.update(deck.gone)
        for card in self.cards:
            if card not in pack():
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
    """Raises Refused for a card that the hand has not, or not twice."""
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
        ask, count = run.asked, len(self.cards)
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
    """Plays a card: on die ``die`` (from 0) of the current roll, on the phase just played
    (Admiral), or for more cards (General)."""

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
            run.emit(events.CardPlayed(played=replace(played, faces=run.faces(count))))

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
        elif not _is_last_roll_of_phase(state):
            text = "The phase is not over yet; its next roll comes first."
        else:
            run.emit(events.Repeats(card=self.card))
            return
        raise nonsense("no_phase", text, "B24")

    def _play_general(self, run: BeachResolution) -> None:
        """Draws more cards, even beyond the limit of the hand (B25)."""
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
