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
from skirmish.tabletop.slots import Choose, Option, Slot, fewer

NEW_KIND = "a new kind of unit"
"""The answer in place of a row where Enter adds a unit that the side does not have."""


class NumberedRow(msgspec.Struct, frozen=True, kw_only=True):
    """The question: an optional number and the letter of a row. Tab switches sides."""

    battle: BattleNow
    asks: str
    """The end of the question, such as ``are pinned``. It begins with the units of a side."""
    hint: Callable[[str], str] | None = None
    """A sentence after the question, for the id of a side."""
    key_note: str = ""
    either: bool = False
    """Whether a letter that the side does not have names a row of the other."""
    new: bool = False
    """Whether Enter adds a kind of unit that the side does not have."""
    most: Callable[[Row], int] | None = None
    """How many of a row there are, of which no more can be chosen; None: any number can."""

    def parts(
        self, make: Callable[..., AnyOrder], *, side: str | None = None, on_strip: bool = True
    ) -> CommandParts:
        """The parts of a command that asks this and makes an order of ``row`` and ``count``. It
        begins with a ``side``; None: the side that is fired at."""

        def made(
            side: str, row: str, count: int | None = None, kind: str = "", fewer: int | None = None
        ) -> AnyOrder:
            # ``fewer`` is the answer after a number that was too high.
            number = fewer or count
            if number is None:
                number = 1
            if row == NEW_KIND:
                return _added(self.battle.state, side, kind, number)
            return make(row=row, count=number)

        if side is None:
            # Most of these orders are about losses, which are those of the side under fire.
            side = self.battle.enemy(self.battle.state.firing_side)
        return CommandParts(
            given={"side": side},
            slots=self.slots,
            toggles=self.battle.other_side,
            make=made,
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
        question = self._too_many(facts)
        if question is not None:
            return (COUNT, row, question)
        return (COUNT, row)

    def _row_slot(self, side: str) -> Choose:
        """The question which row."""
        # "German units", or "Ben's units" of an army called Ben.
        units = capital(self.battle.state.setup.owned_by(side, "units"))
        text = f"{units} {self.asks}"
        if self.hint is not None:
            text = f"{text} {self.hint(side)}"
        default = None
        if self.new:
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
        """The rows of the enemy. They can be chosen with the mouse; with ``either`` also by letters
        that the side does not have."""
        enemy = self.battle.enemy(side)
        own_letters = {option.key for option in self.battle.options(side)}
        for option in self.battle.options(enemy):
            has_letter = self.either and option.key not in own_letters
            yield replace(option, by_pointing_only=not has_letter)

    def _too_many(self, facts: Answers) -> Slot | None:
        """The question after a number that is higher than there are of the row."""
        row = find_row(self.battle.state, facts.get("row") or "")
        if self.most is None or row is None:
            return None
        most = self.most(row)
        # Of a row that is gone no smaller number can be chosen. The order refuses it.
        if not most:
            return None
        return fewer("fewer", facts.get("count"), most)


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


def _added(state: State, side: str, kind: str, count: int) -> AnyOrder:
    """Adds new units to the side's first contingent that is on the table, or else to its first."""
    contingents = [part for part in state.setup.contingents if part.side == side]
    contingent = contingents[0]
    entered = [part for part in contingents if part.enters <= state.clock.turn]
    if entered:
        contingent = entered[0]
    return orders.Add(row=str(RowName(side, contingent.id, kind)), count=count)
