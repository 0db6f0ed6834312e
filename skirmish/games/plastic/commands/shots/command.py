"""The command of a shot or a volley: it begins with the first letter or digit that is typed. A side
that only records its losses (the level "ledger") has a command for these in its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.known_pack import Knowledge
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.orders import Fire
from skirmish.games.plastic.battle.orders.fire_advice import fires_in_own_turn, why_out_of_sight
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.rows import Row, find_row, guys_in_sight, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import COUNT, BattleNow
from skirmish.games.plastic.commands.declaring import FIRE, AnyCommand
from skirmish.games.plastic.commands.shots.order import (
    FIRST_SQUAD,
    MOST_SQUADS,
    SquadSlots,
    order_of,
)
from skirmish.games.plastic.commands.shots.repeat import RepeatShot, draw_may_be_typed
from skirmish.games.plastic.commands.shots.rows import ShotRows
from skirmish.games.plastic.commands.shots.toggles import shot_toggles
from skirmish.games.plastic.forecast import forecast
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.shot_page import shot_page
from skirmish.games.plastic.side_messages import draft_words
from skirmish.tabletop.commands import Answers, Command, Forecast, Toggle
from skirmish.tabletop.page import Page
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    ESC_DROPS,
    MOST,
    TOO_MANY,
    Confirm,
    Number,
    Option,
    Slot,
    fewer_slot,
)


class InReach(Number, frozen=True, kw_only=True):
    """How many are in reach. A number higher than there are in sight is not refused digit by digit:
    the next question then offers the most there are (``fewer_in_reach``)."""

    in_sight: int = MOST
    """How many there are in sight, for the hint."""

    @property
    def keyless_hint(self) -> str:
        return f"A number from {self.low} to {self.in_sight}."


REACH = InReach(
    name="reach",
    text="How many are in reach?",
    low=0,
    high=MOST,
    optional=True,
    too_many=TOO_MANY,
)
CONFIRM_ONLY = Confirm(
    other_key_message="Only one can be hit, so no number is needed.",
    other_key_note="Space fires, Esc drops it.",
)
"""In place of the number in reach where it could not change the result."""
TOPIC_OF_SHOTS = "mode draft"
"""The topic in the rules look-up of a shot that is put together."""
MORE_FIRE = "Digits before it: more who fire, 2m."
"""How a further squad is typed before the target."""


class Shots:
    """The commands of fire as they are now: a shot that is offered comes first."""

    def __init__(self, state: State, knowledge: Knowledge) -> None:
        self.state = state
        self.knowledge = knowledge
        self.rows = ShotRows(state, knowledge)

    def commands(self, why_not_now: str) -> Iterator[AnyCommand]:
        """To fire, to repeat fire, or to record losses. ``why_not_now``: why nobody can fire now;
        empty: somebody can."""
        if isinstance(self.state.ask, RepeatAsk) and not why_not_now:
            yield RepeatShot(self.rows, self.state.ask).command
            # The offer may be declined: the firer "can" fire again [70].
            yield Command(
                key="escape", label="Stop firing", verb="step_back", make=orders.Hold, group=FIRE
            )
        if _only_losses_are_recorded(self.state):
            yield _losses_command(self.rows, why_not_now)
            return
        yield Command(
            label="Fire",
            word="draw",
            verb="draw",
            group=FIRE,
            help="Fire the shot in hand: draw a card",
            slots=self.slots,
            toggles=self.toggles,
            preview=self.preview,
            advised_against=self.advised_against,
            words_for_others=self.words_for_others,
            forecast=self.forecast,
            make=self.order,
            why_not=why_not_now,
            topic=TOPIC_OF_SHOTS,
        )

    def order(self, **facts: Any) -> Fire:
        """The order of a complete draft."""
        order = order_of(facts)
        assert order is not None, "shooter and target are answered"
        return order

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """How many fire, who they are, at whom, and how many of those are in reach."""
        count = replace(COUNT, text="How many fire?")
        shooter = facts.get("shooter")
        if not shooter:
            who = self.rows.who_fires(self.state.firing_side, facts)
            # A number would be the draw of the shot that is offered.
            if draw_may_be_typed(self.state):
                return (who,)
            return (count, who)
        side = row_side(shooter)
        slots: list[Slot] = [count, self.rows.who_fires(side, facts)]
        fewer_fire = self._fewer_fire(FIRST_SQUAD, shooter, facts.get("count"))
        if fewer_fire is not None:
            slots.append(fewer_fire)
        if facts.get("count") is not None:
            slots.extend(self._other_squads(side, facts))
        slots.append(self.rows.at_whom(self.rows.enemy(side), facts))
        slots.append(self._reach_slot(facts))
        fewer_in_reach = self._fewer_in_reach(facts)
        if fewer_in_reach is not None:
            slots.append(fewer_in_reach)
        return tuple(slots)

    def _other_squads(self, side: str, facts: Answers) -> Iterator[Slot]:
        """The questions for the other squads of a mixed volley, each a number and a letter:
        ``2m 2o`` of ``8r 2m 2o``. Each squad is asked for when the one before it is known."""
        their_unit = a_unit(self.state.setup.owned_by(side, "unit"))
        rows_named = [facts["shooter"]]
        for place in range(2, MOST_SQUADS + 1):
            squad = SquadSlots.of_place(place)
            count = facts.get(squad.count)
            text = f"How many others fire with them? A number, then a letter of {their_unit}."
            yield replace(COUNT, name=squad.count, text=text, leading_digits_hint=MORE_FIRE)
            if count is None:
                return
            options = []
            for option in self.rows.shooters(side):
                why_not = option.why_not
                if option.value in rows_named:
                    why_not = f"{option.label} fires in this volley already."
                options.append(replace(option, why_not=why_not))
            large = f"{count} MORE OF WHICH UNIT?"
            text = f"Choose {their_unit}."
            yield self.rows.choose(
                squad.shooter, text, side, options, large=large, tab_switches=False
            )
            row = facts.get(squad.shooter)
            if row is None:
                return
            rows_named.append(row)
            fewer_fire = self._fewer_fire(squad, row, count)
            if fewer_fire is not None:
                yield fewer_fire

    def _fewer_fire(self, squad: SquadSlots, row: str, count: int | None) -> Slot | None:
        """The question after a number of shooters that is higher than there are in the row; None
        if it is not."""
        shooter = find_row(self.state, row)
        if shooter is None:
            return None
        # Who died in phase 3 still fights in phase 4 (P51), so more can be ready than are alive.
        most = max(len(shooter.alive), shooter.ready_count)
        return fewer_slot(squad.fewer, count, most, number_slot=squad.count)

    def _reach_slot(self, facts: Answers) -> Slot:
        """How many are in reach. Where the number could not change the result, and where the target
        is out of sight, a mere confirmation."""
        order = order_of(facts)
        if order is None:  # the target is not chosen yet
            return REACH
        target = find_row(self.state, order.target)
        if target is None:
            return REACH
        try:
            shot = prepared(self.state, order)
        except Refused:  # the order itself will be refused with the reason
            return REACH
        if not target.in_sight:
            return Confirm(
                other_key_message=why_out_of_sight(self.state, target), other_key_note=ESC_DROPS
            )
        first_shots = sum(len(squad.pieces) for squad in shot.squads)
        may_repeat = any(squad.aim.repeat for squad in shot.squads)
        has_second_shot = first_shots > 1 or may_repeat
        most = self._most_in_reach(target)
        # A second target matters only to a second shot.
        if most <= 1 or not has_second_shot:
            return CONFIRM_ONLY
        return replace(REACH, in_sight=most)

    def _fewer_in_reach(self, facts: Answers) -> Slot | None:
        """The question after a number in reach that is higher than there are in sight; None if it
        is not."""
        target = find_row(self.state, facts.get("target") or "")
        if target is None:
            return None
        most = self._most_in_reach(target)
        reach = facts.get("reach")
        return fewer_slot("fewer_in_reach", reach, most, number_slot="reach", where="in sight")

    def _most_in_reach(self, target: Row) -> int:
        """The most who can be in reach of a shot at this row. A repeat goes on at any other guy
        near by, of whichever row ("Repeat Firing" [70], P21), so the men of all rows count; of
        models only those of the row. Who hides is no target, and no question betrays him."""
        if not target.unit.is_guy:
            return len(target.in_sight)
        return sum(len(row.in_sight) for row in guys_in_sight(self.state, target.side))

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """What a key changes, once shooter and target are known."""
        return shot_toggles(self.state, facts)

    def preview(self, facts: Answers) -> Page:
        """What the shot is likely to do; empty until it is known at whom it goes."""
        order = order_of(facts)
        if order is None:
            return Page("")
        return shot_page(self.state, order, self.knowledge)

    def advised_against(self, facts: Answers) -> bool:
        """Whether the shot is refused or advised against, as its preview says instead of its
        chance."""
        order = order_of(facts)
        if order is None:
            return False
        try:
            return prepared(self.state, order).advice is not None
        except Refused:
            return True

    def words_for_others(self, facts: Answers, viewer: str | None) -> str:
        """What the other player reads of the shot while it is put together
        (``Command.words_for_others``)."""
        order = order_of(facts)
        if order is None:
            return ""
        return draft_words(self.state, order, viewer)

    def forecast(self, facts: Answers) -> Forecast:
        """What the shot is likely to do, in numbers."""
        order = order_of(facts)
        if order is None:
            return Forecast()
        return forecast(self.state, order, self.knowledge)


# ------------------------------------------------------------------ losses in place of shots


def _only_losses_are_recorded(state: State) -> bool:
    """Whether all who may fire now are of sides that judge their shots at the table."""
    if state.levels[state.firing_side] != "ledger":
        return False
    if state.levels[state.mover] == "ledger":
        return True
    # Units of the mover that also fire (P67) are judged by the program.
    return not any(fires_in_own_turn(state, row) for row in rows(state, state.mover))


def _losses_command(battle: BattleNow, why_not: str) -> AnyCommand:
    """Takes off those who were shot at the table: a number and the letter of a row. ``why_not``:
    why it cannot be given now; empty: it can."""
    state = battle.state
    record = state.setup.does(state.firing_side, "record", "records", article="The")

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        their_unit = a_unit(state.setup.owned_by(side, "unit"))
        text = f"{record} losses only. Choose {their_unit}."
        options = _rows_that_may_lose_men(battle, side)
        who = battle.choose("row", text, side, options, large="WHO FELL?")
        return (replace(COUNT, text="How many fell?"), who)

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        # Before a number is typed, Tab judges the last shot again.
        if facts.get("count") is None:
            return ()
        return battle.other_side(facts)

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
        toggles=toggles,
        make=make,
        why_not=why_not,
        topic="mode lost",
    )


def _rows_that_may_lose_men(battle: BattleNow, side: str) -> Iterator[Option]:
    """The rows from which men can be taken off."""
    for row in rows(battle.state, side):
        why_not = ""
        if not row.alive:
            why_not = f"No {row.unit.name} is left."
        yield battle.option(row, f"{len(row.on_foot)} there", why_not)
    # The mouse also takes men off the other side, whose rows have no letters here.
    yield from battle.options_by_mouse(battle.enemy(side))
