"""The battle as its commands see it: the rows of both sides as options, and why no order can be
given now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle.orders.resolution import Order, draw_waited_for, waiting_for
from skirmish.games.plastic.battle.qualities import most_decide, qualities_differ, qualities_here
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.weights import CommanderWeights
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.checks import draws_for_command
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    ESC_DROPS,
    MOST,
    TOO_MANY,
    Choose,
    Number,
    Option,
    Slot,
    UnfitAnswer,
)

COUNT = Number(name="count", text="How many?", low=1, high=MOST, optional=True, too_many=TOO_MANY)
"""The optional number before the letter of a row."""
LETTER_WANTED = UnfitAnswer(
    "Digits before a letter say how many, the letter who.", key_note=ESC_DROPS
)
"""The refusal of a digit where the letter of a row is due."""
MOST_NUMBERED = 9
"""The most options that have a digit as their key; the others get a letter."""


class BattleNow:
    """The battle as its commands see it: the rows of a side as options, and the checks that are
    common to all commands."""

    def __init__(self, state: State, weights: Callable[[], CommanderWeights] | None = None) -> None:
        """``weights`` reads those of the program's commander; None where nobody appoints one."""
        self.state = state
        self.mover = state.mover
        self._weights = weights

    def commander_weights(self) -> CommanderWeights | None:
        """The weights by which the program's commander decides, as today's data has them."""
        if self._weights is None:
            return None
        return self._weights()

    @cached_property
    def why_over(self) -> str:
        """The refusal of every order once the battle is over; else empty."""
        if self.state.outcome is None:
            return ""
        return "The battle is over; Backspace opens it again."

    @cached_property
    def why_waits(self) -> str:
        """Why an order that needs a battle at rest cannot be given now; else empty."""
        if self.why_over:
            return self.why_over
        refusal = waiting_for(self.state)
        if refusal is None:
            return ""
        return refusal.message

    @cached_property
    def why_clock_waits(self) -> str:
        """Why the clock cannot go on now; else empty."""
        if self.why_over:
            return self.why_over
        refusal = draw_waited_for(self.state)
        if refusal is None:
            return ""
        # The note on keys of the refusal is left out: the question for the draw says itself that
        # Esc takes it back.
        return refusal.message

    def why_not(self, order: type[Order]) -> str:
        """Why no order of this kind can be given now, whatever its fields."""
        # The other two kinds wait for nothing: an "answer" is given while something is asked, and
        # an order that may be given "always" also after the end.
        reasons = {
            "at rest": self.why_waits,
            "any time": self.why_over,
            "clock": self.why_clock_waits,
        }
        return reasons.get(order.when, "")

    def people(self, side: str) -> str:
        """What the members of a side are called: ``Germans``."""
        return self.state.setup.side_by_id[side].people

    def enemy(self, side: str) -> str:
        """The id of the other side."""
        return self.state.setup.enemy_of(side).id

    def option(self, row: Row, note: str = "", why_not: str = "", **more: Any) -> Option:
        """A row by its letter; with its contingent if the side has several rows of that name.
        ``more``: other fields of the ``Option``."""
        labels_of_side = [own_row.unit.short for own_row in rows(self.state, row.side)]
        label = row.unit.short
        if labels_of_side.count(label) > 1:
            label = f"{label}, {row.contingent.name}"
        return Option(
            value=row.key, label=label, key=row.letter, note=note, why_not=why_not, **more
        )

    def options(self, side: str) -> tuple[Option, ...]:
        """All rows of a side by their letters."""
        return tuple(self.option(row) for row in rows(self.state, side))

    def options_by_mouse(self, side: str) -> tuple[Option, ...]:
        """All rows of a side without their letters: they can only be chosen with the mouse."""
        return tuple(replace(option, by_pointing_only=True) for option in self.options(side))

    def choose(
        self,
        name: str,
        text: str,
        side: str,
        options: Iterable[Option],
        *,
        tab_switches: bool = True,
        refusal_of_digit: UnfitAnswer | None = LETTER_WANTED,
        **more: Any,
    ) -> Choose:
        """A question for a row of a side. ``tab_switches``: Tab leads to the other side's rows.
        ``refusal_of_digit``: the refusal of a digit, or of any other sign that is no letter; None:
        the question itself says enough. ``more``: other fields of the slot."""
        unknown = partial(
            self.no_row, side, tab_switches=tab_switches, refusal_of_digit=refusal_of_digit
        )
        return Choose(
            name=name,
            text=text,
            options=tuple(options),
            rows=True,
            refusal_of_unknown=unknown,
            **more,
        )

    def no_row(
        self,
        side: str,
        typed: str,
        *,
        tab_switches: bool = False,
        refusal_of_digit: UnfitAnswer | None = None,
    ) -> UnfitAnswer | None:
        """The refusal of what was typed where the letter of a row of a side is wanted. With
        ``tab_switches`` it names the keys for the other side's row of that letter. Whatever is no
        letter is refused by ``refusal_of_digit``. None: the slot refuses it as any unknown key."""
        if not typed[:1].isalpha():
            return refusal_of_digit
        setup, enemy = self.state.setup, self.enemy(side)
        text = f"There is no {setup.owned_by(side, f'row {typed}')}"
        letters_there = {row.letter for row in rows(self.state, enemy)}
        if tab_switches and typed in letters_there:
            one_of_them = a_unit(setup.owned_by(enemy, "one"))
            return UnfitAnswer(f"{text}, but {one_of_them}: press Tab, then {typed}.")
        return UnfitAnswer(f"{text}.")

    def which_contingent(
        self, side: str, text: str, *, only_who_draws: bool = False
    ) -> tuple[Slot, ...]:
        """The question for the contingent whose quality counts; none where all are alike.
        ``only_who_draws``: those who draw no command cards cannot be chosen."""
        if not qualities_differ(self.state, side):
            return ()
        labels: dict[str, str] = {}
        drawing_nothing = set()
        for contingent, quality in qualities_here(self.state, side).items():
            if quality is None:
                continue
            labels[contingent.id] = f"{contingent.name}: {quality.name.lower()}"
            if not draws_for_command(quality):
                drawing_nothing.add(contingent.id)
        options = []
        for option in numbered_options(labels):
            why_not = ""
            if only_who_draws and option.value in drawing_nothing:
                why_not = "They draw no command cards."
            options.append(replace(option, why_not=why_not))
        return (Choose(name="contingent", text=text, options=tuple(options)),)

    @property
    def who_tests(self) -> str:
        """Which of several groups of different quality draws for all of them: the word for it in a
        question. Ruling C18 of campaigns decides it."""
        if most_decide(self.state):
            return "largest"
        return "worst"

    def other_side(self, facts: Answers) -> tuple[Toggle, ...]:
        """Tab: the same command for the other side."""
        enemy = self.enemy(facts["side"])
        return (Toggle(name="side", key="tab", label=self.people(enemy), sets={"side": enemy}),)


def why_refused(check: Callable[[], object]) -> str:
    """The refusal that ``check`` raises, as a sentence; empty if it raises none."""
    try:
        check()
    except Refused as refusal:
        return str(refusal)
    return ""


def numbered_options(labels: Mapping[Any, str]) -> tuple[Option, ...]:
    """An option for each value that has a label here. The first nine have a digit as their key."""
    options = []
    for number, (value, label) in enumerate(labels.items(), 1):
        digit = ""
        if number <= MOST_NUMBERED:
            digit = str(number)
        options.append(Option(value=value, label=label, key=digit))
    return tuple(options)


def other_model(pieces: Sequence[str], piece: str) -> Toggle:
    """Tab: the next model of a row after this one, and after the last the first."""
    following = pieces[0]
    if piece in pieces:
        index = pieces.index(piece)
        following = pieces[(index + 1) % len(pieces)]
    return Toggle(name="piece", key="tab", label="another model", sets={"piece": following})
