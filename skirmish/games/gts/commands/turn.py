"""The commands of the turn: its next step, the mug, chits to buy, points and artillery parks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from skirmish.games.gts import orders
from skirmish.games.gts.commands.answers import (
    ACTIONS_GROUP,
    MUG_GROUP,
    Commands,
    count_slot,
    order_of_answers,
    own_roll_slot,
)
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import ARTILLERY, Marker, leads
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.asking import counter_options
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.slots import Choose, ChooseSeveral, Option, Slot, choice_of, choice_of_names


def turn_commands(state: GtsState) -> Commands:
    """The next step of the turn, then what chits and points are for."""
    yield _next_command(state)
    yield _buying_command(state)
    yield _exchange_command(state)
    yield _spending_command(state)
    # Parks cost dispatch points and are made of units; only the whole game has both.
    if state.setup.scope == "whole":
        yield _park_command(state)
    yield _points_command(state)


def clean_up_command(state: GtsState) -> Command[Any]:
    """The command that ends a turn where only fire is played: such a turn has nothing but its
    clean-up."""
    why_not = ""
    # Barrages, which lift at the end of the turn, lie on the ground and not on a unit. A hex from
    # which one has lifted remains there, without a barrage.
    has_barrage = any(state.ground.values())
    if not has_barrage and not any(_loses_marker(unit) for unit in state.units()):
        why_not = "No unit has a marker that comes off."
    return Command(
        label="End the turn: markers come off",
        key="space",
        word="end the turn",
        why_not=why_not,
        make=orders.Proceed,
        group=ACTIONS_GROUP,
    )


def _loses_marker(unit: Counter) -> bool:
    """Whether a unit has a marker that comes off at the end of a turn."""
    return any(unit.has(marker) for marker in Marker.CLEARED)


# ------------------------------------------------------------------ the next step


def _next_command(state: GtsState) -> Command[Any]:
    """What Space does at this point of the turn: the mug is filled, a chit is drawn, or the next
    step begins. Where only the mug is played, there are no steps: it is filled, emptied and filled
    again."""
    has_steps = state.setup.scope == "whole"
    may_fill = state.phase_id == "mug" or not has_steps
    may_draw = state.phase_id == "activations" or not has_steps
    if not state.mug_is_filled and may_fill:
        return _filling_command(state)
    if state.mug_is_filled and may_draw:
        return _drawing_command(state)
    return _proceeding_command(state)


def _filling_command(state: GtsState) -> Command[Any]:
    """The chits of this turn go into the mug. Those that the rules put in openly are proposed."""
    chits = tuple(Option(value=name, label=name) for name in state.chits)
    slot = ChooseSeveral(
        name="chits",
        text="Which chits go into the mug?",
        options=chits,
        least=1,
        # An empty choice cannot be proposed, since at least one chit has to go in.
        default=state.open_chits() or None,
    )
    why_not = ""
    if not chits:
        why_not = "No chit is entered yet; D enters a division, C a chit."
    return Command(
        label="Fill the mug",
        key="space",
        word="fill the mug",
        slots=(slot,),
        make=orders.FillMug,
        why_not=why_not,
        group=MUG_GROUP,
    )


def _drawing_command(state: GtsState) -> Command[Any]:
    """The next chit comes into play. The one left over from the turn before is the first; the last
    one in the mug is not drawn (G20)."""
    in_mug = state.mug.inside
    slots: tuple[Slot, ...] = ()
    if state.left_over:
        word = "play the chit left over"
        label = "Play the chit left over"
    elif in_mug > 1:
        word = "draw a chit"
        label = f"Draw a chit ({in_mug} in the mug)"
        if state.mug.typed:
            # The program does not know which chits are in the mug: those set aside went in hidden.
            # So any chit that was not drawn yet is offered.
            not_drawn = [name for name in state.chits if name not in state.mug.drawn]
            slots = (choice_of_names("chit", "Which chit did you draw?", not_drawn),)
    else:
        word = "end of the activations"
        label = "End of the activations"
    return Command(
        label=label, key="space", word=word, slots=slots, make=orders.DrawChit, group=MUG_GROUP
    )


def _proceeding_command(state: GtsState) -> Command[Any]:
    """The game goes on to the next step, or from the last step to the next turn."""
    label = f"End of {state.sequence.phase_at(state.position).name}"
    is_last_step = state.phase_id == state.sequence.phases[-1].id
    if is_last_step:
        label = "End of the turn"
    return Command(label=label, key="space", word="next step", make=orders.Proceed, group=MUG_GROUP)


# ------------------------------------------------------------------ chits and points


def _word_while_spending(state: GtsState, word: str) -> str:
    """The ``word`` of a command in the step in which points are spent (D of the sequence of play).
    In all other steps it is empty: the key works, but takes no room on the strip of keys."""
    # Where only the mug is played, there are no steps.
    if state.phase_id == "points" or state.setup.scope == "mug":
        return word
    return ""


def _division_slot(state: GtsState) -> Choose:
    """The question for one of the divisions that are entered."""
    return choice_of_names("division", "Which division?", state.divisions)


def _why_no_division(state: GtsState) -> str:
    """Why no division can be chosen; empty if there is one."""
    if state.divisions:
        return ""
    return "No division is entered yet; D enters one."


def _buying_command(state: GtsState) -> Command[Any]:
    """The chit of a formation is bought for this turn, or set aside for the next."""
    formations = []
    for name, chit in state.chits.items():
        if chit.kind != "formation":
            continue
        # A chit that was set aside cannot be bought again either. But it is hidden from the other
        # side, so the list does not show it as bought: the order refuses it.
        why_bought = ""
        if name in state.bought:
            why_bought = "It is bought already."
        points = f"{state.points('dp', chit.division)} DP"
        formations.append(Option(value=name, label=name, note=points, why_not=why_bought))
    why_not = ""
    if not formations:
        why_not = "No formation is entered yet; C enters its chit."
    which_chit = Choose(name="chit", text="Which chit?", options=tuple(formations))
    this_turn = f"this turn, {orders.CHIT_PRICE} DP"
    next_turn = f"the next turn, {orders.PRICE_OF_CHIT_ASIDE} DP, hidden"
    turns = {False: this_turn, True: next_turn}
    which_turn = choice_of("aside", "For which turn?", turns, "tn")
    return Command(
        label="Buy a formation chit",
        key="b",
        group=MUG_GROUP,
        word=_word_while_spending(state, "buy a chit"),
        slots=(which_chit, which_turn),
        make=orders.BuyChit,
        why_not=why_not,
    )


def _exchange_command(state: GtsState) -> Command[Any]:
    """Command points of a division become a dispatch point (D.I)."""
    cost = orders.CP_FOR_ONE_DP
    return Command(
        label=f"Turn {cost} CP into 1 DP",
        key="v",
        group=MUG_GROUP,
        word=_word_while_spending(state, f"{cost} CP into 1 DP"),
        slots=(_division_slot(state),),
        make=partial(orders.Pay, points="cp", count=cost, buys=1),
        why_not=_why_no_division(state),
    )


def _spending_command(state: GtsState) -> Command[Any]:
    """Points are spent for something that only the players know."""
    kinds = {"cp": "command points", "dp": "dispatch points"}
    which_points = choice_of("points", "Which points?", kinds, "cd")
    count = count_slot("count", "How many?", low=1, default=1)
    return Command(
        label="Spend points",
        key="p",
        group=MUG_GROUP,
        slots=(_division_slot(state), which_points, count),
        make=orders.Pay,
        why_not=_why_no_division(state),
    )


def _points_command(state: GtsState) -> Command[Any]:
    """A division rolls for points without a chit that gives it any."""
    return Command(
        label="Roll for points",
        key="O",
        group=MUG_GROUP,
        word=_word_while_spending(state, "roll for points"),
        slots=(_division_slot(state), *_rolls_for_points(state)),
        make=partial(order_of_answers, orders.RollPoints),
        why_not=_why_no_division(state),
    )


def points_prompt(state: GtsState, task: Task) -> Command[Any]:
    """The question for the rolls of a division whose chit was drawn."""
    # Tasks of all kinds have the same few fields; in this one ``place`` holds the division.
    division = task.place
    return Command(
        label=f"Points of {division}",
        slots=_rolls_for_points(state),
        make=partial(order_of_answers, orders.RollPoints, division=division),
    )


def _rolls_for_points(state: GtsState) -> tuple[Slot, ...]:
    """The player's two rolls; where the program rolls, one confirmation for both."""
    for_command_points = own_roll_slot(state, "first", "The roll for command points?")
    # Where the program rolls, ``own_roll_slot`` is a confirmation; one is enough.
    if not state.dice.typed:
        return (for_command_points,)
    for_dispatch_points = own_roll_slot(state, "second", "The roll for dispatch points?")
    return for_command_points, for_dispatch_points


# ------------------------------------------------------------------ artillery parks


def _park_command(state: GtsState) -> Command[Any]:
    """The artillery of a division in one hex becomes a park, or is one no longer. The park is named
    by any of its units."""
    artillery = [unit for unit in state.units() if unit.kind == ARTILLERY]
    # A unit whose color nobody has read off its counter may be artillery, too.
    uncolored = [unit for unit in state.units() if not unit.kind and not leads(unit)]
    why_not = ""
    if not artillery and not uncolored:
        why_not = "No artillery is entered yet."
    word = ""
    # Only in the step for parks does it take room on the strip of keys; the key always works.
    if state.phase_id == "parks":
        word = "artillery park"
    return Command(
        label="Create or disband a park",
        key="A",
        group=MUG_GROUP,
        word=word,
        slots=partial(_park_slots, state, (*artillery, *uncolored)),
        make=orders.Park,
        why_not=why_not,
    )


def _park_slots(state: GtsState, units: Sequence[Counter], answers: Answers) -> tuple[Slot, ...]:
    """One of the units whose park it is; then which units beside it belong to the park, if the
    colors of some are not known."""
    why_not = partial(_why_no_park, state)
    artillery = counter_options(units, why_not, state.counters.codes, marks=[Marker.IN_PARK])
    text = "The park of which artillery? It takes 1 DP."
    which_unit = Choose(name="unit", text=text, options=artillery)
    if "unit" not in answers:
        return (which_unit,)
    park = orders.Park(unit=answers["unit"])
    uncolored = orders.uncolored_beside(state, state.counters[park.unit])
    # A park is disbanded as a whole, so nobody is asked who belongs to it.
    if not uncolored or park.disbands(state):
        return (which_unit,)
    possible_artillery = counter_options(uncolored, letters=state.counters.codes)
    text = "Who else there has an orange rating?"
    return (which_unit, ChooseSeveral(name="others", text=text, options=possible_artillery))


def _why_no_park(state: GtsState, unit: Counter) -> str:
    """Why a unit can neither create nor disband a park; empty if it can."""
    return orders.Park(unit=unit.id).why_not(state)
