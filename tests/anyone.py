"""Somebody who plays a game at the table and does anything that he may."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from skirmish.tabletop.commands import Command, Draft
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Confirm,
    Dice,
    Number,
    Picks,
    UnfitAnswer,
    Words,
)

HEXES = [f"{letter}{number}" for letter in "AFHJKL" for number in range(1, 9)]


Texts = Callable[[Random, Words], str]
"""What somebody types where not any text is an answer."""


def answered(rnd: Random, draft: Draft[Any], texts: Texts | None = None) -> Draft[Any]:
    """Some answer to the next slot."""
    slot = draft.slot
    match slot:
        case Words() if texts is not None and slot.read is not None:
            return draft.answered(slot.parse(texts(rnd, slot), True))
        case Choose(options=options):
            return draft.answered(rnd.choice([one for one in options if not one.why_not]).value)
        case ChooseSeveral(options=options, least=least, most=most):
            values = [one.value for one in options if not (one.why_not or one.ends)]
            ends = [one.value for one in options if one.ends]
            if ends and (rnd.random() < 0.3 or len(values) < least):
                return draft.answered((ends[0],))
            if len(values) < least:
                raise UnfitAnswer("There are too few.")
            count = rnd.randint(least, max(least, min(most, len(values), 3)))
            return draft.answered(tuple(rnd.sample(values, count)))
        case Picks(options=options):
            chosen = rnd.sample(options, rnd.randint(0, min(3, len(options))))
            return draft.answered({one.value: rnd.randint(1, 5) for one in chosen})
        case Number(low=low, high=high):
            return draft.answered(rnd.randint(low, min(high, 12)))
        case Dice(count=count):
            return draft.answered(tuple(rnd.randint(1, 6) for _ in range(count)))
        case Confirm():
            return draft.answered(None)
        case Words():
            number = rnd.randint(1, 99)
            odd = f"[b]Oddly [/i] named {number}", f"{number}, {number + 100}"
            return draft.answered(rnd.choice([slot.proposed or "A", *odd]))
    assert slot is not None
    if (slot.optional or slot.proposed is not None) and rnd.random() < 0.2:
        return draft.answered(slot.proposed)
    return draft.answered(slot.parse(rnd.choice(HEXES), True))


def some_order(
    rnd: Random, game: Any, state: Any, weights: Mapping[str, float], texts: Texts | None = None
) -> Any:
    """An order that the game takes; ``weights`` are those of the keys, 0.2 for others."""
    while True:
        command = game.prompt(state) or _some_command(rnd, game, state, weights)
        try:
            draft = Draft(command=command)
            while draft.slot is not None:
                assert draft.page is not None
                if draft.toggles and rnd.random() < 0.2:
                    draft = draft.toggled(rnd.choice(draft.toggles))
                if not draft.complete:
                    draft = answered(rnd, draft, texts)
                if rnd.random() < 0.05 and draft.begun:
                    draft = draft.stepped_back()
            found = draft.order(lambda: 1)
            game.decide(state, found)
        except (Refused, UnfitAnswer, IndexError):
            if game.prompt(state) is None and rnd.random() < 0.3:
                weights = {**weights, "space": 50}
            continue
        return found


def _some_command(rnd: Random, game: Any, state: Any, weights: Mapping[str, float]) -> Command[Any]:
    open_ = [one for one in game.commands(state) if not one.why_not and one.key != "G"]
    return rnd.choices(open_, [weights.get(one.key, 0.2) for one in open_])[0]
