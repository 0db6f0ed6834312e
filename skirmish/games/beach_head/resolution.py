"""One order being carried out: phases begun and skipped, steps taken, dice laid on the table, and
what follows when they count."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.beach_head import agenda, events
from skirmish.games.beach_head import ruleset as printed
from skirmish.games.beach_head.state import State
from skirmish.tabletop import resolution
from skirmish.tabletop.chance import pack


class Resolution(resolution.Resolution[State, events.AnyEvent, agenda.AnyTask]):
    # -------------------------------------------------------------- phases

    def next_phase(self) -> None:
        state = self.state
        phases = state.ruleset.phase
        turn, place = 1, 0
        if state.phase is not None:
            turn = state.turn
            place = phases.index(state.now) + (not state.repeats)
            if place == len(phases):
                turn, place = turn + 1, 0
        phase = phases[place]
        if phase.id == "end" and state.cleared:
            self.emit(events.Begun(turn=turn, phase=phase.id))
            self.emit(events.Won())
        elif why := state.skip_reason(phase, turn):
            self.emit(events.Skipped(turn=turn, phase=phase.id, why=why))
        else:
            then = self._agenda(phase)
            self.emit(events.Begun(turn=turn, phase=phase.id, again=state.repeats, then=then))

    def _agenda(self, phase: printed.Phase) -> tuple[agenda.AnyTask, ...]:
        if phase.id == "tactical":
            return (agenda.Fill(), agenda.Exchange())
        if phase.id == "end":
            return (agenda.Trim(),)
        steps = tuple(agenda.Take(step=index) for index in range(len(phase.step)))
        if phase.needs and self.state.ruled("B7", "tank"):
            return steps * self.state.count_tanks(phase)
        return steps

    # -------------------------------------------------------------- tasks

    def do(self, task: agenda.AnyTask) -> None:
        state, step = self.state, self.state.step_of(task)
        match task:
            case agenda.Take():
                self._take(task)
            case agenda.Throw():
                assert step is not None
                self._lay(task, state.spec_of(step), state.modifiers(step.modifiers))
            case agenda.Kind():
                assert isinstance(step, printed.Tanks)
                self._lay(task, step.type)
            case agenda.Crater():
                assert isinstance(step, printed.Remove)
                self._lay(task, step.craters[task.target])
            case agenda.Outcome():
                assert isinstance(step, printed.Table)
                self._outcome(task, step.row[task.row])
            case agenda.Spend():
                if isinstance(step, printed.Remove):
                    targets = state.targets_of(state.now, step)
                else:  # all rows of a table that remove points have the same targets
                    assert isinstance(step, printed.Table)
                    targets = state.standing(next(row for row in step.row if row.remove).targets)
                self._ask_target(targets, task.points)
            case agenda.LoseTank():
                self._lose_tank(task)
            case agenda.Fill():
                self._fill(task)
            case agenda.Exchange():
                self._exchange(task)
            case agenda.Trim():
                excess = len(state.hand) - state.ruleset.hand.keep
                self.ask(agenda.TrimAsk(count=excess)) if excess > 0 else self._pass("nothing")

    def ask(self, ask: agenda.AnyAsk) -> None:
        self.emit(events.Asked(ask=ask))

    def _pass(self, why: events.PassCode, about: str = "") -> None:
        self.emit(events.Passed(why=why, about=about, then=self.rest))

    def aim(self, *tasks: agenda.AnyTask) -> None:
        """These come next, in place of the task in hand."""
        self.emit(events.Aimed(then=(*tasks, *self.rest)))

    def _ask_target(
        self, targets: tuple[printed.DefenceId, ...], points: int | None = None
    ) -> None:
        decline = self.state.ruled("B35", "yes")
        self.ask(agenda.TargetAsk(targets=targets, may_decline=decline, points=points))

    def _take(self, task: agenda.Take) -> None:
        state, step = self.state, self.state.now.step[task.step]
        if not isinstance(step, printed.Remove):
            self.aim(agenda.Throw(step=task.step))
        elif not state.is_open(state.now, step):
            self._pass("way_barred", step.targets[0])
        elif not (targets := state.targets_of(state.now, step)):
            self._pass("no_target", step.targets[0])
        else:
            target = self._only(targets)
            if target is None and state.ruled("B40", "before"):
                self._ask_target(targets)
            else:
                self.aim(agenda.Throw(step=task.step, target=target))

    def _only(self, targets: tuple[printed.DefenceId, ...]) -> printed.DefenceId | None:
        return targets[0] if len(targets) == 1 and not self.state.ruled("B35", "yes") else None

    def _outcome(self, task: agenda.Outcome, row: printed.Row) -> None:
        state = self.state
        if row.kill:
            if state.squads or state.ruled("B2", "rolled"):
                self._lay(task, row.kill)
            else:
                self._pass("nothing", "nobody")
            return
        assert row.remove is not None
        targets = state.standing(row.targets)
        if task.target is not None:
            self._lay(task, row.remove)
        elif not targets:
            self._pass("no_target", row.targets[0])
        elif (target := self._only(targets)) is not None:
            self.aim(replace(task, target=target))
        elif state.ruled("B40", "before"):
            self._ask_target(targets)
        else:
            self._lay(task, row.remove)

    def _lose_tank(self, task: agenda.LoseTank) -> None:
        state = self.state
        tanks = state.losable(task)
        kinds = tuple(dict.fromkeys(tanks))
        if not tanks:
            self._pass("no_tank")
        elif len(kinds) == 1:
            self.emit(events.TankLost(kind=kinds[0], then=self.rest))
        elif task.no_flail and state.ruled("B13", "player"):
            self.ask(agenda.TankAsk(kinds=kinds))
        elif state.dice.typed:
            self.ask(agenda.LotAsk(sides=len(tanks), tanks=tanks))
        else:
            (lot,) = self.faces(1, sides=len(tanks))
            self.emit(events.TankLost(kind=tanks[lot - 1], lot=lot, then=self.rest))

    def _exchange(self, task: agenda.Exchange) -> None:
        state = self.state
        if not task.done:
            most = min(state.ruleset.hand.redraw, len(state.hand))
            self.ask(agenda.ExchangeAsk(most=most)) if most else self._pass("nothing")
        elif any(map(state.is_general, state.hand)) and state.ruled("B25", "tactical"):
            self.ask(agenda.ExchangeAsk(most=0))
        else:
            self.aim()

    def _fill(self, task: agenda.Fill) -> None:
        wanted = task.count
        if wanted is None:
            wanted = self.state.ruleset.hand.full - len(self.state.hand)
        while wanted > 0:
            deck = self.state.deck
            assert deck is not None
            if not (left := deck.left(pack())):
                if not self.state.discard:
                    break
                self.emit(events.Shuffled())
            elif deck.typed:
                self.ask(agenda.CardsAsk(count=min(wanted, left)))
                return
            else:
                self.emit(events.Drew(card=deck.peek(pack(), 13)))
                wanted -= 1
        self.emit(events.Filled(then=self.rest))

    # -------------------------------------------------------------- dice

    def _lay(
        self, task: agenda.AnyTask, spec: str, modifiers: tuple[agenda.Modifier, ...] = ()
    ) -> None:
        """Dice on the table: rolled, announced (cards go first, B19), or asked for."""
        rolls = printed.dice(spec)
        roll = agenda.Roll(task=task, dice=rolls.count, plus=rolls.plus, modifiers=modifiers)
        first_cards = self.state.ruled("B19", "before") and bool(self.state.hand)
        if first_cards or self.state.dice.typed:
            self.emit(events.Rolled(roll=roll))
            if not first_cards:
                self.throw()
            return
        self.emit(events.Rolled(roll=replace(roll, faces=self.faces(rolls.count))))

    def throw(self) -> None:
        assert self.state.roll is not None
        if self.state.dice.typed:
            self.ask(agenda.DiceAsk(count=self.state.roll.dice))
        else:
            self.emit(events.Shown(faces=self.faces(self.state.roll.dice)))

    def faces(self, count: int, sides: int = 6) -> tuple[int, ...]:
        source = self.state.dice
        return tuple(
            replace(source, rolls=source.rolls + number).peek((), sides).rank
            for number in range(count)
        )

    # -------------------------------------------------------------- the dice count

    def settle(self) -> None:
        state, roll = self.state, self.state.roll
        assert roll is not None
        total, task, step = state.counted(roll).total, roll.task, state.step_of(roll.task)
        match task, step:
            case agenda.Throw(target=None), printed.Remove():
                self._close(roll, total, agenda.Spend(step=task.step, points=total))
            case (agenda.Throw(), printed.Remove()) if task.target is not None:
                self._close(roll, total)
                self._remove(task.step, task.target, total)
            case agenda.Throw(), printed.Squads():
                self._close(roll, total)
                self.emit(events.SquadsLanded(squads=total))
            case agenda.Throw(), printed.Tanks():
                self._land_tanks(roll, task, total)
            case agenda.Throw(), printed.Table():
                self._look_up(roll, task, step.find(total), total)
            case agenda.Outcome(), printed.Table() if step.row[task.row].kill:
                self._close(roll, total)
                killed = min(total, state.squads)
                scored = total if state.ruled("B2", "rolled") else killed
                self.emit(events.Killed(squads=killed, scored=scored))
            case agenda.Outcome(target=None), _:
                self._close(roll, total, agenda.Spend(step=task.step, points=total))
            case agenda.Outcome(target=str(target)), _:
                self._close(roll, total)
                self._remove(task.step, target, total)
            case agenda.Kind(), _:
                self._close(roll, total)
                kind = state.ruleset.tank_by_face(total)
                self.emit(events.TankLanded(kind=state.setup.landed_as(kind.id)))
            case agenda.Crater(), _:
                self._close(roll, total)
                self._dig(total)
        self._win_at_once()

    def _close(self, roll: agenda.Roll, total: int, *first: agenda.AnyTask) -> None:
        self.emit(events.Settled(total=total, modifiers=roll.modifiers, then=(*first, *self.rest)))

    def _land_tanks(self, roll: agenda.Roll, task: agenda.Throw, total: int) -> None:
        setup = self.state.setup
        if setup.variant == "omaha" and self.state.ruled("B27", "all_gun"):
            self._close(roll, total)
            for _ in range(total):
                self.emit(events.TankLanded(kind=setup.ruleset.omaha.lands[0]))
            return
        kinds = [agenda.Kind(step=task.step, number=n, among=total) for n in range(1, total + 1)]
        self._close(roll, total, *kinds)

    def _look_up(self, roll: agenda.Roll, task: agenda.Throw, place: int, total: int) -> None:
        table = self.state.step_of(task)
        assert isinstance(table, printed.Table)
        row = table.row[place]
        if row.kill or row.remove:
            self._close(roll, total, agenda.Outcome(step=task.step, row=place))
        elif row.tank:
            self._close(roll, total, agenda.LoseTank(no_flail=row.tank == "no_flail"))
        else:
            self._close(roll, total)
            if row.craft:
                self.emit(events.CraftHit())
            elif not self.state.agenda:
                self.emit(events.Passed(why="nothing"))

    def spend(self, target: printed.DefenceId) -> None:
        """The points that were rolled first (B40) go to ``target``."""
        task = self.state.agenda[0]
        assert isinstance(task, agenda.Spend)
        self.aim()
        self._remove(task.step, target, task.points)
        self._win_at_once()

    def _remove(self, step: int, target: printed.DefenceId, points: int) -> None:
        """Points off ``target``; what is too much is lost (B10). Craters are dug after the phase's
        other steps, or at once (B38)."""
        left = self.state.defences[target]
        self.emit(events.Removed(target=target, points=min(points, left), rolled=points))
        source = self.state.now.step[step]
        dug = source.craters.get(target) if isinstance(source, printed.Remove) else None
        if dug is None or "ditches" in self.state.setup.left_out:
            return
        ahead = self.state.agenda
        place = 0
        if not self.state.ruled("B38", "craters"):  # behind the steps of the same tank
            begins = (at for at, task in enumerate(ahead) if getattr(task, "step", None) == 0)
            place = next(begins, len(ahead))
        then = (*ahead[:place], agenda.Crater(step=step, target=target), *ahead[place:])
        self.emit(events.Passed(why="craters", about=target, then=then))

    def _dig(self, points: int) -> None:
        most = self.state.setup.most_ditches
        if most is not None:
            points = max(0, min(points, most - self.state.defences["ditches"]))
        self.emit(events.Dug(target="ditches", points=points))

    def _win_at_once(self) -> None:
        if self.state.cleared and self.state.ruled("B18", "at_once"):
            self.emit(events.Won())
