"""The question for a number and a row, which many commands ask: ``3r``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.row_letters import free_letter
from skirmish.games.plastic.battle.rows import Row, find_row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import COUNT, BattleNow
from skirmish.games.plastic.commands.declaring import CommandParts
from skirmish.tabletop.commands import Answers
from skirmish.tabletop.page import capital
from skirmish.tabletop.slots import Choose, Option, Slot, fewer_slot

NEW_KIND = "a new kind of unit"
"""The answer in place of a row where Enter adds a unit that the side does not have."""


class NumberedRow(msgspec.Struct, frozen=True, kw_only=True):
    """The question: an optional number and the letter of a row. Tab switches sides."""

    battle: BattleNow
    text: str
    """The text of the question, in which ``{units}`` stands for the units of the side that is
    asked about: ``German units``."""
    hint: Callable[[str], str] | None = None
    """A sentence after the question, for the id of a side."""
    key_note: str = ""
    letters_of_both: bool = False
    """Whether a letter that the side does not have names a row of the other."""
    enter_adds: bool = False
    """Whether Enter adds a kind of unit that the side does not have."""
    highest_number: Callable[[Row], int] | None = None
    """The most of a row that can be chosen; None: any number can."""

    def parts(
        self, make: Callable[..., AnyOrder], *, first_side: str | None = None, on_strip: bool = True
    ) -> CommandParts:
        """The parts of a command that asks this. ``make`` makes its order of ``row`` and ``count``.
        ``first_side``: the side that is asked about until Tab is pressed; None: the side that is
        fired at."""

        def order_of_answers(
            side: str, row: str, count: int | None = None, kind: str = "", fewer: int | None = None
        ) -> AnyOrder:
            # ``fewer`` is the answer after a number that was too high.
            number = fewer or count
            if number is None:
                number = 1
            if row == NEW_KIND:
                return _adding_order(self.battle.state, side, kind, number)
            return make(row=row, count=number)

        if first_side is None:
            # Most of these orders are about losses, which are those of the side under fire.
            first_side = self.battle.enemy(self.battle.state.firing_side)
        return CommandParts(
            given={"side": first_side},
            slots=self.slots,
            toggles=self.battle.other_side,
            make=order_of_answers,
            on_strip=on_strip,
        )

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """The number and the row, and what follows from them: which new kind, how many instead."""
        side = facts["side"]
        row = self._row_slot(side)
        if facts.get("row") == NEW_KIND:
            text = f"{self.battle.people(side)}: which kind?"
            kinds = tuple(_new_kinds(self.battle.state, side))
            return (COUNT, row, Choose(name="kind", text=text, options=kinds))
        fewer = self._fewer_slot(facts)
        if fewer is not None:
            return (COUNT, row, fewer)
        return (COUNT, row)

    def _row_slot(self, side: str) -> Choose:
        """The question which row."""
        # "German units", or "Ben's units" of an army called Ben.
        units = capital(self.battle.state.setup.owned_by(side, "units"))
        text = self.text.format(units=units)
        if self.hint is not None:
            text = f"{text} {self.hint(side)}"
        default = None
        if self.enter_adds:
            default = NEW_KIND
        return self.battle.choose(
            "row",
            text,
            side,
            (*self.battle.options(side), *self._rows_of_enemy(side)),
            key_note=self.key_note,
            default=default,
        )

    def _rows_of_enemy(self, side: str) -> Iterator[Option]:
        """The rows of the enemy. They can be chosen with the mouse and, with ``letters_of_both``,
        by letters that the side does not have."""
        enemy = self.battle.enemy(side)
        own_letters = {option.key for option in self.battle.options(side)}
        for option in self.battle.options(enemy):
            has_letter = self.letters_of_both and option.key not in own_letters
            yield replace(option, by_pointing_only=not has_letter)

    def _fewer_slot(self, facts: Answers) -> Slot | None:
        """The question after a number that is higher than there are of the row."""
        row = find_row(self.battle.state, facts.get("row") or "")
        if self.highest_number is None or row is None:
            return None
        most = self.highest_number(row)
        # Of a row that is gone no smaller number can be chosen. The order refuses it.
        if not most:
            return None
        return fewer_slot("fewer", facts.get("count"), most)


def _new_kinds(state: State, side: str) -> Iterator[Option]:
    """The types of unit of which the side has no row, by letters that are free."""
    setup = state.setup
    units_there = {row.unit.id for row in rows(state, side)}
    letters: dict[str, str] = {}
    for unit in setup.catalog.units.values():
        # A unit that exists in one scenario only is never bought nor added.
        if unit.id in units_there or unit.source == "scenario":
            continue
        letter = free_letter(unit, letters)
        letters[letter] = unit.id
        yield Option(value=unit.id, label=unit.short, key=letter)


def _adding_order(state: State, side: str, kind: str, count: int) -> AnyOrder:
    """The order that adds new units to the first of the side's contingents whose turn of entry has
    come, or else to its first."""
    contingents = [part for part in state.setup.contingents if part.side == side]
    contingent = contingents[0]
    due_contingents = [part for part in contingents if part.enters <= state.clock.turn]
    if due_contingents:
        contingent = due_contingents[0]
    return orders.Add(row=str(RowName(side, contingent.id, kind)), count=count)
