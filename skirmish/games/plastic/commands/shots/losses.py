"""What takes the place of shots for a side that only records its losses (the level "ledger")."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.orders.fire_advice import fires_in_own_turn
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import COUNT, BattleNow
from skirmish.games.plastic.commands.declaring import FIRE, AnyCommand
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.slots import Option, Slot


def only_losses_are_recorded(state: State) -> bool:
    """Whether all who may fire now are of sides that judge their shots at the table."""
    if state.levels[state.firing_side] != "ledger":
        return False
    if state.levels[state.mover] == "ledger":
        return True
    # Units of the mover that also fire (P67) are judged by the program.
    return not any(fires_in_own_turn(state, row) for row in rows(state, state.mover))


def losses_command(battle: BattleNow, why_not: str) -> AnyCommand:
    """Takes off those who were shot at the table: a number and the letter of a row. ``why_not``:
    why it cannot be given now; empty: it can."""
    state = battle.state
    record = state.setup.does(state.firing_side, "record", "records", article="The")

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        their_unit = a_unit(state.setup.owned_by(side, "unit"))
        text = f"{record} losses only. Choose {their_unit}."
        options = _rows_with_losses(battle, side)
        who = battle.choose("row", text, side, options, large="WHO FELL?")
        return (replace(COUNT, text="How many fell?"), who)

    def make(side: str, row: str, count: int | None = None) -> orders.AnyOrder:
        del side  # the row is of that side
        if count is None:
            count = 1
        return orders.Correct(row=row, by=-count)

    return Command(
        label="Take off losses",
        verb="lost",
        group=FIRE,
        given={"side": battle.enemy(state.firing_side)},
        slots=slots,
        toggles=battle.other_side,
        make=make,
        why_not=why_not,
        topic="mode lost",
    )


def _rows_with_losses(battle: BattleNow, side: str) -> Iterator[Option]:
    """The rows from which men can be taken off."""
    for row in rows(battle.state, side):
        why_not = ""
        if not row.alive:
            why_not = f"No {row.unit.name} is left."
        yield battle.option(row, f"{len(row.on_foot)} there", why_not)
    # The mouse also takes men off the other side, whose rows have no letters here.
    yield from battle.pointed(battle.enemy(side))
