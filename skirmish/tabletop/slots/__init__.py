"""The answers that a command or a set-up needs, as data: how each is asked for, read and shown.

Begin with ``slot``: a ``Slot`` is one such answer. Some are chosen among options (``option``),
which have keys (``option_keys``): ``choose`` is for exactly one, ``choose_several`` for several,
``picks`` for a number of each. Others are typed: a ``number``, the faces of ``dice``, or ``words``.
``either`` is an answer that can be given in several ways; ``confirm`` asks for no answer at all.
"""

from __future__ import annotations

from skirmish.tabletop.slots.choose import (
    AnswerRow,
    Choose,
    choice_of,
    choice_of_names,
    form_choice,
)
from skirmish.tabletop.slots.choose_several import ChooseSeveral
from skirmish.tabletop.slots.confirm import Confirm
from skirmish.tabletop.slots.dice import Dice
from skirmish.tabletop.slots.either import Either, has_rows, options_of
from skirmish.tabletop.slots.number import Fewer, Number, fewer_slot
from skirmish.tabletop.slots.option import MOST, Option, span_of_labels
from skirmish.tabletop.slots.option_keys import KeyedOption, codes, keyed, keys_of
from skirmish.tabletop.slots.picks import TOO_MANY, Picks
from skirmish.tabletop.slots.slot import (
    BACKSPACE,
    ENTER,
    ESC_DROPS,
    ESCAPE,
    SPACE,
    SPACE_OR_ESC,
    TAB,
    Slot,
    TouchKey,
    UnfitAnswer,
)
from skirmish.tabletop.slots.words import TYPE_IT, Words

__all__ = [
    "BACKSPACE",
    "ENTER",
    "ESCAPE",
    "ESC_DROPS",
    "MOST",
    "SPACE",
    "SPACE_OR_ESC",
    "TAB",
    "TOO_MANY",
    "TYPE_IT",
    "AnswerRow",
    "Choose",
    "ChooseSeveral",
    "Confirm",
    "Dice",
    "Either",
    "Fewer",
    "KeyedOption",
    "Number",
    "Option",
    "Picks",
    "Slot",
    "TouchKey",
    "UnfitAnswer",
    "Words",
    "choice_of",
    "choice_of_names",
    "codes",
    "fewer_slot",
    "form_choice",
    "has_rows",
    "keyed",
    "keys_of",
    "options_of",
    "span_of_labels",
]
