"""The commands by which players tell the program what it cannot see or has wrong: losses, pins,
pin tests, and what is counted on the table. P55 is a ruling on a gap in the rules."""

from __future__ import annotations

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.orders.finishing import HIGHEST_COUNT
from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import NOT_COUNTED, victory_kind
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.declaring import CORRECTIONS, FIRE, MOVEMENT, CommandParts, key
from skirmish.games.plastic.commands.numbered_row import NumberedRow
from skirmish.tabletop.slots import Number, Slot


@key(
    "-",
    "lost",
    CORRECTIONS,
    orders.Correct,
    "Take off losses without a shot",
    detail="-3r; Tab other side",
)
def lost(battle: BattleNow) -> CommandParts:
    """Men of a row are taken off without a shot."""
    question = NumberedRow(
        battle=battle,
        text="{units} are taken off without a shot.",
        letters_of_both=True,
        highest_number=_number_left,
    )
    return question.parts(_loss_order)


def _loss_order(row: str, count: int) -> orders.Correct:
    """The order after the question: so many fewer."""
    return orders.Correct(row=row, by=-count)


def _number_left(row: Row) -> int:
    """How many of a row are left."""
    return len(row.alive)


@key(
    "+",
    "men_back",
    CORRECTIONS,
    orders.Correct,
    "Put men back, or add new ones",
    detail="+r; + Enter a new kind",
)
def men_back(battle: BattleNow) -> CommandParts:
    """Men of a row stand again, or new ones join it."""
    question = NumberedRow(
        battle=battle,
        text="{units} stand again.",
        key_note="Enter: a kind of unit that this side does not have.",
        letters_of_both=True,
        enter_adds=True,
    )
    return question.parts(_return_order, on_strip=False)


def _return_order(row: str, count: int) -> orders.Correct:
    """The order after the question: so many more."""
    return orders.Correct(row=row, by=count)


@key("*", "pins", FIRE, orders.MarkPinned, "Take a pin off a row, or put one on", detail="*r")
def pins(battle: BattleNow) -> CommandParts:
    """A row is marked as pinned, or no longer."""
    question = NumberedRow(
        battle=battle,
        text="{units} get or lose a pin.",
        letters_of_both=True,
        hint=_how_pins_change,
    )
    # Op fire pins, and it goes at the side that moves ("Pinning").
    return question.parts(_pin_order, first_side=battle.mover, on_strip=bool(battle.state.pinned))


def _pin_order(row: str, count: int) -> orders.MarkPinned:
    """The order; the number does not matter."""
    del count  # a whole row is pinned or not
    return orders.MarkPinned(row)


def _how_pins_change(side: str) -> str:
    """What the answer does, which depends on the row."""
    del side  # both sides' pins change alike
    return "A row with a pin loses it; any other row gets one."


@key("K", "pin_test", FIRE, orders.PinTest, "Draw a pin test for the side under fire")
def pin_test(battle: BattleNow) -> CommandParts:
    """A pin test by hand. After fire that the program judges, tests are drawn without it (P55)."""
    under_fire = battle.enemy(battle.state.firing_side)

    def make(contingent: str = "") -> orders.PinTest:
        return orders.PinTest(under_fire, contingent)

    which_of_them = f"Of several that stand together, choose the {battle.who_tests}."
    text = f"Which group was shot at? {which_of_them}"
    return CommandParts(
        slots=battle.which_contingent(under_fire, text),
        make=make,
        on_strip=battle.state.options.pinning,
    )


@key("C", "count", MOVEMENT, orders.Count, "Enter what you count on the table for victory")
def count(battle: BattleNow) -> CommandParts:
    """Players enter what they count on the table, by which the scenario is won."""
    why_not = battle.why_waits
    is_counted = bool(victory_kind(battle.state).counted_sides)
    if not is_counted and not why_not:
        why_not = NOT_COUNTED
    return CommandParts(
        slots=count_slots(battle.state), make=count_order, on_strip=is_counted, why_not=why_not
    )


def count_order(**values: int) -> orders.Count:
    """The order after ``count_slots``: the number of each side, by its id."""
    return orders.Count(values=values)


def count_slots(state: State) -> tuple[Slot, ...]:
    """A question for each side of which the scenario counts something on the table; its name is the
    id of the side."""
    kind = victory_kind(state)
    previous = ""
    if state.eye_count:
        numbers = []
        for side, number in state.eye_count.values.items():
            numbers.append(f"{state.words.people(side)} {number}")
        previous = f" (Turn {state.eye_count.clock.turn}: {', '.join(numbers)}.)"
    slots = []
    for side in kind.counted_sides:
        text = f"{kind.question}: how many for {state.setup.the(side)}?{previous}"
        slots.append(Number(name=side, text=text, high=HIGHEST_COUNT))
    return tuple(slots)
