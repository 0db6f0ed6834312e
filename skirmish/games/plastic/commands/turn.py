"""The commands of the clock: phases, turns, and the end of the battle. [60] is a paragraph of the
rules."""

from __future__ import annotations

from functools import partial

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.ending import end_by_break_point
from skirmish.games.plastic.battle.orders.finishing import cannot_drive_off, why_not_withdraw
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.commands.battle_now import BattleNow, numbered_options
from skirmish.games.plastic.commands.declaring import TURN, CommandParts, Declared, key
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.slots import MOST, Choose, Confirm, Number, Picks

PHASE_OF_CLOSE_COMBAT = 3
"""The phase in which the mover's units in contact fight; in the next one the enemy's do ("Sequence
of Play" [60-63])."""

PHASE = Declared(">", "phase", TURN, orders.EndPhase, "Next phase")


@key("E", "end_turn", TURN, orders.EndTurn, "End this player turn")
def end_turn(battle: BattleNow) -> CommandParts:
    """The end of a player turn; if it would skip close combat, players confirm it."""
    text = what_end_skips(battle.state)
    if not text:
        return CommandParts()
    slot = Confirm(
        name="ends",
        text=text,
        key_note="Enter ends the turn all the same.",
        optional=False,
        default=True,
        answer_label="End the turn",
        other_key_note="Enter ends the turn, Esc goes back to it.",
    )
    return CommandParts(slots=(slot,), make=_end_turn_order)


def _end_turn_order(ends: bool) -> orders.EndTurn:
    """The order after the question."""
    del ends  # the confirmation has no other answer
    return orders.EndTurn()


def what_end_skips(state: State) -> str:
    """The close combat that would not be played if this player turn ended now, as a sentence;
    empty: none. Who touches whom is seen on the table only, so anybody there may be in contact."""
    for side in state.setup.sides:
        # Where a side has nobody on the table, nobody is in contact.
        if not any(row.here for row in rows(state, side.id)):
            return ""
    # The battle is over with the present phase.
    if end_by_break_point(state, "end_of_phase"):
        return ""
    # "German answer": the enemy of the mover fights back.
    answer = state.setup.owned_by(state.setup.enemy_of(state.mover).id, "answer")
    if state.clock.phase < PHASE_OF_CLOSE_COMBAT:
        return f"This skips close combat (phase 3) and the {answer} (phase 4)."
    if state.clock.phase == PHASE_OF_CLOSE_COMBAT:
        return f"This skips the {answer} in close combat (phase 4)."
    return ""


@key("T", "clock", TURN, orders.SetClock, "Set turn, side and phase")
def clock(battle: BattleNow) -> CommandParts:
    """Sets the clock where it differs from the table."""
    present_clock = battle.state.clock

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        side, phase = facts["side"], facts["phase"]
        side_toggle = Toggle(
            name="side",
            key="tab",
            label=f"{battle.people(side)} to move",
            sets={"side": battle.enemy(side)},
            mark=side != present_clock.side,
        )
        next_phase = phase + 1
        if next_phase > len(PHASES):
            next_phase = 1
        phase_toggle = Toggle(
            name="phase",
            key="p",
            label=f"phase {phase}, {PHASES[phase].lower()}",
            sets={"phase": next_phase},
            mark=phase != present_clock.phase,
        )
        return (side_toggle, phase_toggle)

    text = "Which turn is it? Only the clock changes: no deck is shuffled, and no casualty returns."
    return CommandParts(
        given={"side": present_clock.side, "phase": present_clock.phase},
        toggles=toggles,
        slots=(Number(name="turn", text=text, low=1, high=MOST, default=present_clock.turn),),
    )


@key("F", "finish", TURN, orders.Finish, "Say who won; after the end, play on")
def finish(battle: BattleNow) -> CommandParts:
    """The players say who won; after the end, they play on."""
    outcome = battle.state.outcome
    if outcome is None:
        return CommandParts(
            label="Say who won", word="finish", slots=(who_won(battle.state),), make=finish_order
        )
    text = f"The battle is over. {outcome.reason}"
    slot = Choose(name="on", text=text, options=numbered_options({"on": "Play on anyway"}))
    return CommandParts(label="Play on", word="finish", slots=(slot,), make=_play_on_order)


def _play_on_order(on: str) -> orders.PlayOn:
    """The order after the question."""
    del on  # the only answer
    return orders.PlayOn()


def finish_order(winner: str) -> orders.Finish:
    """The order after ``who_won``."""
    return orders.Finish(winner=winner or None)


def who_won(state: State) -> Choose:
    """The question for the winner, with the victory terms of the scenario. The answer is the id of
    a side; empty: a draw."""
    answers = {}
    for side in state.setup.sides:
        # Without an article, a blank is left before the name.
        answers[side.id] = state.setup.does(side.id, "win", "wins", article="")
    answers[""] = "Nobody: a draw"
    text = f"Who won? {state.setup.victory}"
    return Choose(name="winner", text=text, options=numbered_options(answers))


@key("<", "withdraw", TURN, orders.Withdraw, "Withdraw", detail="give up this battle of a campaign")
def withdraw(battle: BattleNow) -> CommandParts:
    """The mover gives up a battle of a campaign, and says which units are lost by that."""
    side, state = battle.mover, battle.state
    stuck_by_row = cannot_drive_off(state, side)
    options, default_words = [], []
    for row in rows(state, side):
        if not row.here:
            continue
        options.append(battle.option(row, f"{len(row.here)} here", most=len(row.here)))
        if row.key in stuck_by_row:
            default_words.append(row.unit.named(stuck_by_row[row.key]))
    give_up = state.setup.does(side, "give up", "gives up", article="The")
    text = f"{give_up}. Who is in contact with the enemy, or cannot drive off? They are lost."
    slot = Picks(
        name="lost",
        text=text,
        options=tuple(options),
        default=stuck_by_row,
        default_text=", ".join(default_words) or "nobody",
        refusal_of_unknown=partial(battle.no_row, side),
    )
    return CommandParts(slots=(slot,), on_strip=why_not_withdraw(state) is None)
