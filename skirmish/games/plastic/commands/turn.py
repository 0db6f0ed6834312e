"""The commands that are given in any phase: the clock, corrections, counts, the end, and agreements
between the players. [60] is a paragraph of the rules, P55 a ruling on a gap in them."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.turn import (
    MOST_COUNTED,
    cannot_drive_off,
    why_not_withdraw,
)
from skirmish.games.plastic.battle.qualities import goes_by_group, has_own_qualities
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.setup import Level, Side
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import NOT_COUNTED, end_by_break_point, victory_kind
from skirmish.games.plastic.commands.sides import (
    BATTLE,
    CORRECTIONS,
    FIRE,
    MOVEMENT,
    TURN,
    BattleNow,
    CommandParts,
    Declared,
    key,
    numbered_options,
)
from skirmish.games.plastic.rules.options import OPTION_NAMES
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.slots import MOST, Choose, Confirm, Number, Picks, Slot, Words


class WayToPlay(NamedTuple):
    """How the program is used for a side: its level, and what is drawn from."""

    level: Level
    kind: Literal["deck", "die"]


WAYS_TO_PLAY = {
    WayToPlay("referee", "deck"): "Referee: the program draws cards",
    WayToPlay("referee", "die"): "Referee: the program rolls a d12",
    WayToPlay("clerk", "deck"): "Clerk: you draw cards and type them in",
    WayToPlay("clerk", "die"): "Clerk: you roll a d12 and type it in",
    WayToPlay("ledger", "deck"): "Ledger: losses and clock only, your cards",
    WayToPlay("ledger", "die"): "Ledger: losses and clock only, your d12",
}
"""What a side may choose, with its words."""
COMMANDER = "player"
"""The answer in place of a level where a side's commander is to be named."""
LONGEST = 200
"""The most characters of a note or a secret."""
LONGEST_NAME = 20
"""The most characters of a commander's name."""
FIGHTS = 3
"""The phase in which the mover's units in contact fight; in the next one the enemy's do ("Sequence
of Play" [60-63])."""


class QualityOf(NamedTuple):
    """The answer that changes the force quality of a side, in place of the name of a rule."""

    side: str


# ------------------------------------------------------------------ losses, the clock

PHASE = Declared(">", "phase", TURN, orders.EndPhase, "Next phase")


@key("E", "end_turn", TURN, orders.EndTurn, "End this player turn")
def end_turn(battle: BattleNow) -> CommandParts:
    """The end of a player turn; who would skip the fight in contact by it is asked once more."""
    text = skipped(battle.state)
    if not text:
        return CommandParts()
    slot = Confirm(
        name="ends",
        text=text,
        key_note="Enter ends the turn all the same.",
        optional=False,
        default=True,
        says="End the turn",
        unfit_keys="Enter ends the turn, Esc goes back to it.",
    )
    return CommandParts(slots=(slot,), make=_ended)


def _ended(ends: bool) -> orders.EndTurn:
    """The order after the question."""
    del ends  # the confirmation has no other answer
    return orders.EndTurn()


def skipped(state: State) -> str:
    """What of this player turn would not be played if it ended now, as a sentence; empty: nothing.
    Who touches whom is seen on the table only, so anybody there may be in contact."""
    for side in state.setup.sides:
        # Where a side has nobody on the table, nobody is in contact.
        if not any(row.here for row in rows(state, side.id)):
            return ""
    if end_by_break_point(state):
        return ""
    answer = state.setup.owned_by(state.setup.enemy_of(state.mover).id, "answer")  # German answer
    if state.clock.phase < FIGHTS:
        return f"This skips close combat (phase 3) and the {answer} (phase 4)."
    if state.clock.phase == FIGHTS:
        return f"This skips the {answer} in close combat (phase 4)."
    return ""


@key(
    "-", "lost", CORRECTIONS, orders.Correct, "Take off losses without a shot: -3r; Tab other side"
)
def lost(battle: BattleNow) -> CommandParts:
    """Men of a row are taken off without a shot."""
    # The end of a question that begins with a side's units: ``numbered`` puts them before it.
    asks = "are taken off without a shot."
    return battle.numbered(_taken_off, asks, either=True, most=_left)


def _taken_off(row: str, count: int) -> orders.Correct:
    """The order after the question: so many fewer."""
    return orders.Correct(row=row, by=-count)


def _left(row: Row) -> int:
    """How many of a row are left."""
    return len(row.alive)


# The help of the next command: a label, and what is typed behind the colon.
BACK = "Put men back, or add new ones: +r; + Enter a new kind"


@key("+", "men_back", CORRECTIONS, orders.Correct, BACK)
def men_back(battle: BattleNow) -> CommandParts:
    """Men of a row stand again, or new ones join it."""
    return battle.numbered(
        _put_back,
        "stand again.",
        key_note="Enter: a kind of unit that this side does not have.",
        either=True,
        new=True,
        on_strip=False,
    )


def _put_back(row: str, count: int) -> orders.Correct:
    """The order after the question: so many more."""
    return orders.Correct(row=row, by=count)


@key("*", "pins", FIRE, orders.MarkPinned, "Take a pin off a row, or put one on: *r")
def pins(battle: BattleNow) -> CommandParts:
    """A row is marked as pinned, or no longer."""
    return battle.numbered(
        _marked,
        "are pinned, or no longer.",
        side=battle.mover,
        either=True,
        hint=_how_pins_change,
        on_strip=bool(battle.state.pinned),
    )


def _marked(row: str, count: int) -> orders.MarkPinned:
    """The order; the number does not matter."""
    del count  # a whole row is pinned or not
    return orders.MarkPinned(row)


def _how_pins_change(side: str) -> str:
    """What the answer does: the question of a number and a row cannot say it by itself."""
    del side  # both sides' pins change alike
    return "A row with a pin loses it; another is marked as pinned."


@key("K", "pin_test", FIRE, orders.PinTest, "Draw a pin test for the side under fire")
def pin_test(battle: BattleNow) -> CommandParts:
    """A pin test by hand: the tests that judged fire owes (P55) are drawn without it."""
    under_fire = battle.enemy(battle.state.firing_side)

    def make(contingent: str = "") -> orders.PinTest:
        return orders.PinTest(under_fire, contingent)

    text = "Which group was shot at? "
    text += f"Of several that stand together, choose the {battle.who_tests}."
    return CommandParts(
        slots=battle.which_contingent(under_fire, text),
        make=make,
        on_strip=battle.state.options.pinning,
    )


@key("C", "count", MOVEMENT, orders.Count, "Enter what you count on the table for victory")
def count(battle: BattleNow) -> CommandParts:
    """What players count on the table, to see how victory stands."""
    why_not = battle.why_waits
    is_counted = bool(victory_kind(battle.state).counted_sides)
    if not is_counted and not why_not:
        why_not = NOT_COUNTED
    return CommandParts(
        slots=count_slots(battle.state), make=counted, on_strip=is_counted, why_not=why_not
    )


def counted(**values: int) -> orders.Count:
    """The order after ``count_slots``, whose slots have the ids of the sides as their names: the
    number of each side."""
    return orders.Count(values=values)


def count_slots(state: State) -> tuple[Slot, ...]:
    """What is counted on the table, for each side for which the scenario counts something."""
    kind = victory_kind(state)
    previous = ""
    if state.counted:
        numbers = []
        for side, number in state.counted.values.items():
            numbers.append(f"{state.words.people(side)} {number}")
        previous = f" (Turn {state.counted.clock.turn}: {', '.join(numbers)}.)"
    slots = []
    for side in kind.counted_sides:
        text = f"{kind.question}: how many for {state.setup.the(side)}?{previous}"
        slots.append(Number(name=side, text=text, high=MOST_COUNTED))
    return tuple(slots)


@key("T", "clock", TURN, orders.SetClock, "Set turn, side and phase")
def clock(battle: BattleNow) -> CommandParts:
    """Another turn, side or phase, where the program and the table differ."""
    present_clock = battle.state.clock

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        side, phase = facts["side"], facts["phase"]
        of_side = Toggle(
            name="side",
            key="tab",
            label=f"{battle.people(side)} to move",
            sets={"side": battle.enemy(side)},
            mark=side != present_clock.side,
        )
        of_phase = Toggle(
            name="phase",
            key="p",
            label=f"phase {phase}, {PHASES[phase].lower()}",
            sets={"phase": phase % len(PHASES) + 1},
            mark=phase != present_clock.phase,
        )
        return (of_side, of_phase)

    text = "Which turn is it? Only the clock changes: no deck is shuffled, and no casualty returns."
    return CommandParts(
        given={"side": present_clock.side, "phase": present_clock.phase},
        toggles=toggles,
        slots=(Number(name="turn", text=text, low=1, high=MOST, default=present_clock.turn),),
    )


# ------------------------------------------------------------------ the end


@key("F", "finish", TURN, orders.Finish, "Say who won; after the end, play on")
def finish(battle: BattleNow) -> CommandParts:
    """The players say who won; after the end, they play on."""
    outcome = battle.state.outcome
    if outcome is None:
        return CommandParts(
            label="Say who won", word="finish", slots=(who_won(battle.state),), make=finished
        )
    text = f"The battle is over. {outcome.reason}"
    slot = Choose(name="on", text=text, options=numbered_options([("on", "Play on anyway")]))
    return CommandParts(label="Play on", word="finish", slots=(slot,), make=_played_on)


def _played_on(on: str) -> orders.PlayOn:
    """The order after the question."""
    del on  # the only answer
    return orders.PlayOn()


def finished(winner: str) -> orders.Finish:
    """The order after ``who_won``."""
    return orders.Finish(winner=winner or None)


def who_won(state: State) -> Choose:
    """The question for the winner, with the terms of the scenario; empty is the answer of a
    draw."""
    answers = []
    for side in state.setup.sides:
        answers.append((side.id, state.setup.does(side.id, "win", "wins", article="").strip()))
    answers.append(("", "Nobody: a draw"))
    text = f"Who won? {state.setup.victory}"
    return Choose(name="winner", text=text, options=numbered_options(answers))


@key("<", "withdraw", TURN, orders.Withdraw, "Withdraw: give up this battle of a campaign")
def withdraw(battle: BattleNow) -> CommandParts:
    """The mover gives up a battle of a campaign, and says who is lost with it."""
    side, state = battle.mover, battle.state
    stuck = cannot_drive_off(state, side)
    options, default_words = [], []
    for row in rows(state, side):
        if not row.here:
            continue
        options.append(battle.option(row, f"{len(row.here)} here", most=len(row.here)))
        if row.key in stuck:
            default_words.append(row.unit.named(stuck[row.key]))
    give_up = state.setup.does(side, "give up", "gives up", article="The")
    text = f"{give_up}. Who is in contact with the enemy, or cannot drive off? They are lost."
    slot = Picks(
        name="lost",
        text=text,
        options=tuple(options),
        default=stuck,
        default_text=", ".join(default_words) or "nobody",
        unknown=partial(battle.no_row, side),
    )
    return CommandParts(slots=(slot,), on_strip=why_not_withdraw(state) is None)


# ------------------------------------------------------------------ what players agree on


@key("N", "note", BATTLE, orders.AddNote, "Write a note into the journal")
def note(battle: BattleNow) -> CommandParts:
    """A note of the players, which changes nothing."""
    del battle
    text = "Note: it goes into the journal."
    return CommandParts(word="note", slots=(Words(name="text", text=text, longest=LONGEST),))


@key("I", "levels", BATTLE, orders.SetLevel, "Who draws on each side, and its commander's name")
def levels(battle: BattleNow) -> CommandParts:
    """Who draws for a side from now on, or who commands it."""
    state = battle.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        sides = [(side.id, f"{side.people}: {state.levels[side.id]}") for side in state.setup.sides]
        text = "How is the program used?"
        whose = Choose(name="side", text=text, options=numbered_options(sides))
        if not facts.get("side"):
            return (whose,)
        side = state.setup.side_by_id[facts["side"]]
        how = _level_slot(state, side)
        if facts.get("level") != COMMANDER:
            return (whose, how)
        text = f"Who commands {state.setup.the(side.id)}? An empty line leaves it open."
        name = Words(name="player", text=text, default="", longest=LONGEST_NAME)
        return (whose, how, name)

    def make(side: str, level: WayToPlay | str, seed: int, player: str = "") -> AnyOrder:
        if isinstance(level, str):  # ``COMMANDER``
            return orders.NameCommander(side=side, player=player)
        source = Source(level.kind)
        if level.level == "referee":  # nobody else lets the program draw
            source = Source(level.kind, seed)
        return orders.SetLevel(side=side, level=level.level, source=source)

    return CommandParts(slots=slots, make=make, seeded=True)


def _level_slot(state: State, side: Side) -> Slot:
    """The levels that a side may have from now on, and its commander."""
    scenario = state.setup.scenario
    # Where a card starts something, as the dust of scenario 8, a die could never start it.
    cards_only = scenario is not None and scenario.cards_only
    answers: list[tuple[WayToPlay | str, str]] = []
    for way, words in WAYS_TO_PLAY.items():
        if not (cards_only and way.kind == "die"):
            answers.append((way, words))
    answers.append((COMMANDER, f"Commander: {side.player or 'nobody named'}"))
    text = f"{side.people}: from now on, with a fresh deck or die."
    return Choose(name="level", options=numbered_options(answers), text=text)


@key("Z", "rules", BATTLE, orders.Switch, "Turn optional rules and force quality on or off")
def rules(battle: BattleNow) -> CommandParts:
    """An option of the rules is turned on or off, or the quality of a force is changed."""
    state = battle.state
    is_on = {name: getattr(state.options, name) for name in OPTION_NAMES}
    # A scenario has rules of its own that a card starts and players may stop, such as dust; its
    # ``state`` is the word for it.
    for happening in state.setup.toggling.values():
        is_on[happening.state] = happening.state in state.toggled

    def slots(facts: Answers) -> tuple[Slot, ...]:
        which_rule = Choose(
            name="option",
            options=numbered_options(_rules_that_change(state, is_on)),
            text="Choose a rule to turn it on or off from now on.",
            key_note="Esc when done.",
        )
        chosen = facts.get("option")
        # A rule has no further question.
        if not isinstance(chosen, QualityOf):
            return (which_rule,)
        qualities = [("", "No force quality")]
        for id, quality in state.setup.catalog.qualities.items():
            qualities.append((id, quality.name))
        text = f"Force quality: {battle.people(chosen.side)}"
        if goes_by_group(state, chosen.side):
            text += ". Each group keeps its own, unless you choose no force quality."
        return (which_rule, Choose(name="quality", text=text, options=numbered_options(qualities)))

    def make(option: str | QualityOf, quality: str = "") -> AnyOrder:
        if isinstance(option, QualityOf):
            return orders.SetQuality(side=option.side, quality=quality or None)
        return orders.Switch(option=option, on=not is_on[option])

    return CommandParts(slots=slots, make=make, reopens=True)


def _rules_that_change(state: State, is_on: dict[str, bool]) -> list[tuple[str | QualityOf, str]]:
    """The optional rules and each side's force quality, with what they are now."""
    answers: list[tuple[str | QualityOf, str]] = []
    for name, on in is_on.items():
        setting = "off"
        if on:
            setting = "ON"
        answers.append((name, f"{OPTION_NAMES.get(name, name.capitalize())}: {setting}"))
    for side in state.setup.sides:
        quality = state.quality_of(side.id)
        setting = "none"
        if quality is not None:
            setting = quality.name
        if has_own_qualities(state, side.id):
            setting = "by group"
        answers.append((QualityOf(side.id), f"{side.people}, force quality: {setting}"))
    return answers


@key("Q", "seal", BATTLE, orders.Seal, "Seal a secret, or open one")
def seal(battle: BattleNow) -> CommandParts:
    """A side writes down what the other is not to know yet, and opens it when it matters."""
    state = battle.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        sides = []
        for side in state.setup.sides:
            what_is_done = "write a secret and seal it"
            if side.id in state.sealed:
                what_is_done = "open the sealed secret"
            sides.append((side.id, f"{side.people}: {what_is_done}"))
        text = "A secret stays sealed until its side opens it. The other side looks away now."
        whose = Choose(name="side", options=numbered_options(sides), text=text)
        if not facts.get("side") or facts["side"] in state.sealed:
            return (whose,)
        text = f"A secret: {battle.people(facts['side'])}. For example, where the hidden men are."
        return (whose, Words(name="text", text=text, longest=LONGEST, secret=True))

    def make(side: str, text: str = "") -> AnyOrder:
        if text:
            return orders.Seal(side=side, text=text)
        return orders.Unseal(side)

    if state.sealed:
        # A sealed secret may be opened at any time, also after the end, when none may be written.
        return CommandParts(slots=slots, make=make, why_not="")
    return CommandParts(slots=slots, make=make)
