"""What the commands share: the questions that several of them ask, and how answers make an order.

The name of a slot is the name of a field of the order, so an answer is stored where it belongs
without a table of names. ``order_of_answers`` does so, and adds what several answers make together.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, TypeAlias, TypeVar

import msgspec

from skirmish.games.gts.activation import why_not_act
from skirmish.games.gts.events import Fact
from skirmish.games.gts.orders import GtsRecord
from skirmish.games.gts.rolls import HIGHEST_ROLL
from skirmish.games.gts.ruleset import MOST_POINTS
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import leads
from skirmish.games.gts.works import why_no_work
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.asking import counter_options, roll_slot
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.rating_slots import RatingSlot
from skirmish.tabletop.companion.typed_slots import values_of
from skirmish.tabletop.slots import Choose, Number, Slot

MUG_GROUP, ACTIONS_GROUP, CARD_GROUP = "The mug and the points", "Actions", "Units and your card"
"""Headings of the help."""
HIGHEST_COUNT = MOST_POINTS
"""The highest number that can be typed for points, markers and ratings of a division. No marker and
no rating of the printed games is above the most points."""
LOWEST_DEFENSE, HIGHEST_DEFENSE = -20, 20
"""The defenses, modifiers included, that can be typed. No counter comes near either end."""
FARTHEST = 60
"""The longest range that can be typed, in hexes: enough for the guns of a ship. It also limits the
other ratings of a unit, none of which is higher."""
RATING_WORDS = {"tq": "troop quality", "range": "range"}
"""What a rating is called where its id with the word “rating” would not do."""
Commands: TypeAlias = Iterator[Command[Any]]
OrderT = TypeVar("OrderT", bound=msgspec.Struct)


# ------------------------------------------------------------------ questions


def count_slot(name: str, text: str, *, low: int = 0, default: int | None = None) -> Number:
    """The question for points, for a rating of a division, or for a number of markers."""
    return Number(name=name, text=text, low=low, high=HIGHEST_COUNT, default=default, eager=True)


def own_roll_slot(state: GtsState, name: str = "number", text: str = "What did you roll?") -> Slot:
    """The question for the player's own roll; where the program rolls, a confirmation."""
    return roll_slot(name, text, typed=state.dice.typed, high=HIGHEST_ROLL)


def rating_slot(unit: Counter, rating: str, answer: str) -> Slot:
    """The question for a rating of a unit; ``answer`` is the name of the slot."""
    rating_words = RATING_WORDS.get(rating, f"{rating} rating")
    low, high = 0, FARTHEST
    # A defense may be below 0; no other rating is.
    if rating == "defense":
        low, high = LOWEST_DEFENSE, HIGHEST_DEFENSE
    # A troop quality above the highest roll would make no difference.
    if rating == "tq":
        high = HIGHEST_ROLL
    text = f"What is the {rating_words} of {unit.name}?"
    return RatingSlot(name=answer, word=rating.upper(), text=text, low=low, high=high)


def unit_slot(state: GtsState, action_kind: str) -> Choose:
    """The question for a unit that is to take an action of this kind, with the reason beside each
    unit that may not. An empty kind is a check that is no action: every unit may make it."""

    def choose() -> Choose:
        why_not = partial(_why_not_acting, state, action_kind)
        options = counter_options(state.units(), why_not, state.counters.codes)
        return Choose(name="unit", text="Which unit?", options=options)

    # The list may have hundreds of units and is needed at each key, so it is made once for a state.
    return state.once(("unit", action_kind), choose)


def _why_not_acting(state: GtsState, action_kind: str, unit: Counter) -> str:
    """Why a unit may not take an action of this kind, as a sentence; empty if it may."""
    if not action_kind:
        return ""
    if leads(unit):
        return f"{unit.name} is a leader and goes with a unit; M moves him."
    if action_kind == "engineer":
        why = why_no_work(unit)
        if why:
            return why
    return why_not_act(state, unit, action_kind)


def why_no_unit(state: GtsState) -> str:
    """Why no unit can be chosen; empty if there are units."""
    if state.units():
        return ""
    return "No unit is entered yet."


# ------------------------------------------------------------------ orders


def record(*facts: Fact) -> GtsRecord:
    """The order that stores what an owner enters."""
    return GtsRecord(facts=facts)


def order_of_answers(order: type[OrderT], **answers: Any) -> OrderT:
    """The order that the answers make. Every order that is made here has a field ``numbers``, for
    the player's own rolls; those that use the card also have ``values``, for what was typed of
    it."""
    fields = fields_of(answers, order)
    # A command asks for one roll, in the slot ``number``, or for two, in ``first`` and ``second``.
    # What is not typed the program draws.
    fields["numbers"] = own_rolls(answers, "first", "second", "number")
    if "values" in order.__struct_fields__:
        fields["values"] = values_of(answers)
    return order(**fields)


def own_rolls(answers: Answers, *names: str) -> tuple[int, ...]:
    """The player's own rolls, as far as they are typed, in the order of the ``names`` of their
    slots: an order uses them one after the other."""
    return tuple(answers[name] for name in names if answers.get(name) is not None)


def fields_of(answers: Answers, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The answers that are fields of a struct of this ``kind``, under the same names."""
    # No answer goes into these fields as it is. The answers for firer and target may be no units
    # but, say, the nests of a beach; the other two are put together from several answers.
    names = {*kind.__struct_fields__} - {"firer", "target", "printed", "values"}
    return {name: answers[name] for name in names if answers.get(name) is not None}
