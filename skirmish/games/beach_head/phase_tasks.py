"""The phases of a turn and the tasks that they consist of: which come next, and what each does.

A phase begins with its tasks on the agenda. A task is done by rolling dice, by asking the player,
or at once; what a roll comes to is in ``settling``.
"""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.beach_head import events
from skirmish.games.beach_head.pending import BeachAsk, BeachTask
from skirmish.games.beach_head.resolution import BeachResolution
from skirmish.games.beach_head.ruleset import DefenceId, Phase
from skirmish.games.beach_head.settling import spend, state_after_roll
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import full_deck


def next_phase(run: BeachResolution) -> None:
    """Begins the next phase, skips it, or ends a game that is won."""
    state = run.state
    turn, place = state.following
    phase = state.ruleset.phase[place]
    # Where the game ends only here (B18), it does so before the hand is cut down.
    if phase.id == "end" and state.cleared:
        run.emit(events.Begun(turn=turn, phase=phase.id))
        run.emit(events.Won())
        return
    why = state.skip_reason(phase, turn)
    if why:
        run.emit(events.Skipped(turn=turn, phase=phase.id, why=why))
        return
    tasks = _tasks_of(run, phase)
    run.emit(events.Begun(turn=turn, phase=phase.id, again=state.repeats, then=tasks))


def _tasks_of(run: BeachResolution, phase: Phase) -> tuple[BeachTask, ...]:
    """The tasks that the phase consists of."""
    if phase.id == "tactical":
        # Cards are exchanged once the hand is full (B26).
        return (BeachTask(what="fill"), BeachTask(what="exchange"))
    if phase.id == "end":
        return (BeachTask(what="trim"),)
    steps = tuple(BeachTask(what="take", step=index) for index in range(len(phase.step)))
    if phase.needs and run.state.in_force.each_tank_rolls:
        # A tank takes all its steps before the next one begins (B7).
        return steps * run.state.count_tanks(phase)
    return steps


def do_next_task(run: BeachResolution) -> None:
    """Does the first task of the agenda, which an event then replaces by what follows from it."""
    state = run.state
    task = state.agenda[0]
    step = state.step_of(task)
    match task.what:
        case "take":
            _begin_step(run, task)
        case "throw":
            run.lay_dice(task, state.dice_of_step(step), state.modifiers(step.modifiers))
        case "kind":
            # The modifiers of the landing changed the number of tanks, not their types (B37).
            run.lay_dice(task, step.type)
        case "crater":
            assert task.target is not None
            run.lay_dice(task, step.craters[task.target])
        case "outcome":
            _roll_outcome(run, task)
        case "spend":
            _ask_target(run, state.targets_of(state.present_phase, step), task.points)
        case "lose_tank":
            _lose_tank(run, task)
        case "fill":
            _fill(run, task)
        case "exchange":
            _exchange(run, task)
        case "trim":
            _trim(run)


def _begin_step(run: BeachResolution, task: BeachTask) -> None:
    """Begins a step of the phase: a removal gets its target, everything else its dice."""
    state, step = run.state, run.state.step_of(task)
    if not state.is_open(state.present_phase, step):
        # The journal names the target; every step that can be barred has a single one.
        run.drop_task("way_barred", step.targets[0])
        return
    throw = BeachTask(what="throw", step=task.step)
    if step.does != "remove":
        run.go_on_with(throw)
        return
    targets = state.targets_of(state.present_phase, step)
    if _target_is_chosen_after_the_die(run, targets):
        run.go_on_with(throw)
    else:
        _aim(run, throw, targets, missing=step.targets[0])


def _roll_outcome(run: BeachResolution, task: BeachTask) -> None:
    """Rolls for what a row of a table does: it kills squads, or removes points from a target, which
    has to be named first."""
    state, step = run.state, run.state.step_of(task)
    row = step.row[task.row]
    if row.kill:
        # With nobody ashore the roll matters only if all of it is scored (B2).
        if state.squads or state.in_force.whole_roll_is_scored:
            run.lay_dice(task, row.kill)
        else:
            run.drop_task("nothing", "nobody")
        return
    targets = state.targets_of(state.present_phase, step)
    if task.target is not None or _target_is_chosen_after_the_die(run, targets):
        # Only a row that kills or removes has a second roll.
        assert row.remove is not None
        run.lay_dice(task, row.remove)
    else:
        _aim(run, task, targets, missing=row.targets[0])


def _target_is_chosen_after_the_die(run: BeachResolution, targets: tuple[DefenceId, ...]) -> bool:
    """Whether there is a choice of target, which is made only after the die is rolled (B40)."""
    if not targets or _is_the_only_choice(run, targets):
        return False
    return not run.state.in_force.target_comes_first


def _is_the_only_choice(run: BeachResolution, targets: tuple[DefenceId, ...]) -> bool:
    """Whether nothing is to be decided: there is one target, and it may not be spared (B35)."""
    return len(targets) == 1 and not run.state.in_force.may_decline


def _aim(
    run: BeachResolution, task: BeachTask, targets: tuple[DefenceId, ...], missing: DefenceId
) -> None:
    """Sets the target of a task, or asks for it. If there is none, the journal says that there is
    no ``missing``, the first of the targets that are printed."""
    if not targets:
        run.drop_task("no_target", missing)
    elif _is_the_only_choice(run, targets):
        run.go_on_with(replace(task, target=targets[0]))
    else:
        _ask_target(run, targets)


def _ask_target(
    run: BeachResolution, targets: tuple[DefenceId, ...], points: int | None = None
) -> None:
    """Asks which of the ``targets`` loses points; ``points`` if they are rolled already (B40)."""
    may_decline = run.state.in_force.may_decline
    run.ask(BeachAsk(what="target", targets=targets, may_decline=may_decline, points=points))


def _lose_tank(run: BeachResolution, task: BeachTask) -> None:
    """Loses one of the tanks ashore. Of several kinds the player chooses one (B13), or a lot in
    which each tank is equally likely."""
    state = run.state
    tanks = state.tanks_to_lose(task)
    kinds = tuple(dict.fromkeys(tanks))
    if not tanks:
        run.drop_task("no_tank")
    elif len(kinds) == 1:
        run.emit(events.TankLost(kind=kinds[0], then=run.rest))
    elif task.no_flail and state.in_force.player_gives_the_tank:
        # The ruling is about mines only: of artillery the rules say "a random Tank".
        run.ask(BeachAsk(what="tank", kinds=kinds))
    elif state.dice.typed:
        run.ask(BeachAsk(what="lot", sides=len(tanks), tanks=tanks))
    else:
        (lot,) = run.next_faces(1, sides=len(tanks))
        run.emit(events.TankLost(kind=tanks[lot - 1], lot=lot, then=run.rest))


def _exchange(run: BeachResolution, task: BeachTask) -> None:
    """Asks for cards to exchange. After the exchange (the task is ``done``) it asks once more, but
    only for a General: if one is in the hand, and may be played in this phase only (B25)."""
    state = run.state
    if task.done:
        holds_general = any(state.is_general(card) for card in state.hand)
        if holds_general and state.in_force.general_is_tactical:
            run.ask(BeachAsk(what="exchange", most=0))
        else:
            run.finish_task()
        return
    most = min(state.ruleset.hand.redraw, len(state.hand))
    if most:
        run.ask(BeachAsk(what="exchange", most=most))
    else:
        run.drop_task("nothing")


def _trim(run: BeachResolution) -> None:
    """Asks which cards are given up at the end of a turn, if the hand has more than may be kept."""
    excess = len(run.state.hand) - run.state.ruleset.hand.keep
    if excess > 0:
        run.ask(BeachAsk(what="trim", count=excess))
    else:
        run.drop_task("nothing")


def _fill(run: BeachResolution, task: BeachTask) -> None:
    """Draws the cards that the task is for, and shuffles the discards when the deck is empty. A
    player with his own deck is asked for the cards; if it has too few, first for those left."""
    wanted = task.count
    if wanted is None:
        wanted = run.state.ruleset.hand.full - len(run.state.hand)
    while wanted > 0:
        deck = run.state.deck
        assert deck is not None
        cards_left = deck.cards_left(full_deck())
        if not cards_left:
            if not run.state.discard:  # all cards are in the hand
                break
            run.emit(events.DiscardsShuffled())
        elif deck.typed:
            run.ask(BeachAsk(what="cards", count=min(wanted, cards_left)))
            return
        else:
            # ``peek`` wants the sides of a die, which make no difference to a deck.
            run.emit(events.Drew(card=deck.peek(full_deck(), sides=13)))
            wanted -= 1
    run.emit(events.Filled(then=run.rest))


def is_last_roll_of_phase(state: BeachState) -> bool:
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
        do_next_task(trial)
    return trial.state.over


def _ends_after_answer(state: BeachState, ask: BeachAsk) -> bool:
    """Whether an answer to the question can end the phase without another roll.

    Points whose die came first (B40) do so if they may go on a target after which nothing is
    rolled. A lost tank does so if that was the last task. Every other answer is taken to lead to a
    roll, even where a removal may be declined (B35): whether typed dice count at once follows from
    this, and stored games are checked by it.
    """
    if ask.what == "target" and ask.points is not None:
        for target in ask.targets:
            trial = BeachResolution(state)
            spend(trial, target)
            if _ends_without_roll(trial.state):
                return True
        return False
    loses_a_tank = ask.what in ("tank", "lot")
    return loses_a_tank and len(state.agenda) == 1
