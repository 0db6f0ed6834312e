"""The commands by which reinforcements come onto the table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.names import row_named
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.reinforcements import waves
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.declaring import MOVEMENT, AnyCommand, CommandParts, key
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.slots import Option, Picks, Slot, UnfitAnswer

NONE_DUE = "No reinforcements are due."


@key("A", "arrive", MOVEMENT, orders.Enter, "Bring on part of a wave", detail="A5r2m, Enter")
def arrive(battle: BattleNow) -> CommandParts:
    """Part of a wave of reinforcements comes on; with Enter alone all of it."""
    state = battle.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        text = f"{battle.people(side)}: who arrives? {_when_next_wave(state, side)}"
        coming = [wave for wave in waves(state) if wave.contingent.side == side]
        if coming:
            text = f"{coming[0].contingent.name}: who arrives?"
        who = Picks(
            name="units",
            text=text,
            options=tuple(_waiting_option(battle, row) for row in rows(state, side)),
            # No units: nearly always the whole wave comes on.
            default={},
            default_text="the whole wave",
            check=partial(_refuse_two_waves, state),
            refusal_of_unknown=partial(battle.no_row, side, tab_switches=True),
        )
        return (who,)

    def make(side: str, units: dict[str, int]) -> AnyOrder:
        if not units:
            return _next_wave_of(state, side)
        contingent = _contingents_of(units)[0]  # the slot refuses a second one
        return orders.Enter(contingent=contingent, units=units)

    return CommandParts(
        given={"side": battle.mover},
        slots=slots,
        toggles=battle.other_side,
        make=make,
        on_strip=any(wave.due_now for wave in waves(state)),
    )


def _waiting_option(battle: BattleNow, row: Row) -> Option:
    """A row as the answer to who arrives. Its letter alone picks all of it who wait."""
    waiting = len(row.waiting)
    if not waiting:
        why_not = f"No {row.unit.name} of that row is left to arrive."
        return battle.option(row, "", why_not)
    return battle.option(row, f"{waiting} to arrive", count=waiting, most=waiting)


def _contingents_of(units: Iterable[str]) -> list[str]:
    """The ids of the contingents of these rows, each once."""
    contingents = []
    for row_key in units:
        name = row_named(row_key)
        if name is not None and name.contingent not in contingents:
            contingents.append(name.contingent)
    return contingents


def _refuse_two_waves(state: State, units: Iterable[str]) -> None:
    """Raises UnfitAnswer for rows of more than one contingent."""
    contingents = _contingents_of(units)
    if len(contingents) > 1:
        later = state.setup.contingent_by_id[contingents[1]].name
        raise UnfitAnswer(f"One wave at a time: press Enter, then bring on {later}.")


def _when_next_wave(state: State, side: str) -> str:
    """When the next wave of a side arrives, as a sentence."""
    waiting = [row.contingent for row in rows(state, side) if row.waiting]
    if not waiting:
        return "This side has no reinforcements to come."
    earliest = min(waiting, key=lambda contingent: contingent.enters)
    return f"{earliest.name} arrives on turn {earliest.enters}."


def all_arrive(battle: BattleNow) -> AnyCommand | None:
    """The command that brings on the wave that is due. None while something is asked, and in a
    battle in which everybody is there from the beginning."""
    state = battle.state
    coming = waves(state)
    # Where all begin on the table, the key would never do anything.
    all_are_there = all(part.is_there_from_the_start for part in state.setup.contingents)
    if all_are_there and not coming:
        return None
    if state.ask is not None or battle.why_waits:
        return None
    why_not = NONE_DUE
    if any(wave.due_now for wave in coming):
        why_not = ""
    return Command(
        key="enter",
        label="Bring on the wave that is due",
        verb="accept",
        group=MOVEMENT,
        make=partial(_wave_due, state),
        why_not=why_not,
    )


def _wave_due(state: State) -> orders.Enter:
    """Brings on the first wave that is due now; raises UnfitAnswer if none is."""
    for wave in waves(state):
        if wave.due_now:
            return orders.Enter(contingent=wave.contingent.id)
    raise UnfitAnswer(NONE_DUE)


def _next_wave_of(state: State, side: str) -> orders.Enter:
    """Brings on the next wave of a side, even if it is due only in its next turn: the order is then
    refused with the reason. Raises UnfitAnswer if none comes so soon."""
    for wave in waves(state):
        if wave.contingent.side == side:
            return orders.Enter(contingent=wave.contingent.id)
    raise UnfitAnswer(NONE_DUE)
