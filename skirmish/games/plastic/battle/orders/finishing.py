"""How a battle ends and how it may go on: counts for victory, the end that players agree on,
withdrawal from a battle of a campaign, and playing on after an end was reached or offered."""

from __future__ import annotations

from skirmish.games.plastic.battle import agenda, ending, events
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution, both_sides
from skirmish.games.plastic.battle.rows import existing_row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import NOT_COUNTED, victory_kind
from skirmish.tabletop.refusal import Refusal, nonsense

HIGHEST_COUNT = 999
"""The highest count that can be typed."""
FIRST_TURN_TO_WITHDRAW = 2
"""The first game turn in which a battle of a campaign can be given up (C20)."""
_TAKE_BACK = "Backspace takes this back."


class Count(Order, frozen=True, kw_only=True, tag="count"):
    """What the players counted for victory; ``values`` has a number for each side that counts."""

    begun_by = "mover"
    when = "answer"
    in_journal = "beside"

    values: dict[str, int]

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        sides_to_count = victory_kind(state).counted_sides
        # Players may also count before the end, to see who is ahead; that decides nothing.
        is_asked_how_it_ended = isinstance(state.ask, agenda.OutcomeAsk)
        if not is_asked_how_it_ended:
            run.refuse_while_waiting()
        if not sides_to_count:
            raise nonsense("nothing_to_count", NOT_COUNTED)
        for side in sides_to_count:
            if side not in self.values:
                missing_count = state.setup.owned_by(side, "number")
                raise nonsense("count_missing", f"The {missing_count} is missing.")
        for side, number in self.values.items():
            if side not in sides_to_count:
                raise nonsense("unknown_side", f"Nothing is counted for {side!r}.")
            if not 0 <= number <= HIGHEST_COUNT:
                raise nonsense("bad_count", f"A count is 0 to {HIGHEST_COUNT}, not {number}.")
        run.emit(events.Counted(values=dict(self.values), clock=state.clock))
        if is_asked_how_it_ended:
            # Not from ``state``, which does not have the numbers just entered.
            run.emit(victory_kind(run.state).result())

    def given_by(self, state: State) -> tuple[str, ...]:
        return _sides_asked_for_result(state)


def _sides_asked_for_result(state: State) -> tuple[str, ...]:
    """Both sides while they are asked how the battle ended, and neither at other times: then only
    the players at the keyboard, who speak for the whole table, may count or end the battle."""
    if isinstance(state.ask, agenda.OutcomeAsk):
        return both_sides(state)
    return ()


class Finish(Order, frozen=True, kw_only=True, tag="finish"):
    """The players end the battle; without ``winner`` it is a draw."""

    when = "answer"
    why_never_void = _TAKE_BACK

    winner: str | None
    reason: str = ""

    def carry_out(self, run: Resolution) -> None:
        sides = run.state.setup.side_by_id
        if self.winner not in (None, *sides):
            text = f"There is no side called {self.winner!r}; choose from {', '.join(sides)}."
            raise nonsense("unknown_side", text)
        reason = self.reason or "Agreed by the players."
        run.emit(events.Finished(winner=self.winner, reason=reason, agreed=True))

    def given_by(self, state: State) -> tuple[str, ...]:
        return _sides_asked_for_result(state)


class Withdraw(Order, frozen=True, kw_only=True, tag="withdraw"):
    """The mover gives up a battle of a campaign at the start of his turn. ``lost``: how many of
    each row are in contact or cannot drive off, and are left behind; all others are safe."""

    begun_by = "mover"
    why_never_void = _TAKE_BACK
    anyway = "withdraws anyway."

    lost: dict[str, int]
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        if state.setup.campaign is None:
            text = "Only a battle of a campaign is given up by withdrawing; F says who won."
            raise nonsense("no_campaign", text)
        left_behind = self._left_behind(state)
        run.advise(why_not_withdraw(state))
        for piece in left_behind:
            # A rider has already been lost with his carrier, if that came before him in the list.
            if run.state.is_in_play(piece):
                run.lose_with_riders(piece, credit=None)
        reason = state.setup.does(state.mover, "withdraw", "withdraws", article="The")
        enemy = state.setup.enemy_of(state.mover).id
        run.emit(events.Finished(winner=enemy, reason=f"{reason}.", agreed=True, withdrawn=True))

    def _left_behind(self, state: State) -> list[str]:
        """The pieces that are lost. Raises Refused if a row has fewer or is of the enemy."""

        # Riders and hidden units are unlikely to be in contact: others are taken before them.
        def riders_and_hidden_last(piece: str) -> tuple[bool, bool]:
            return piece in state.aboard, piece in state.hidden

        left_behind: list[str] = []
        for key, count in self.lost.items():
            row = existing_row(state, key)
            if row.side != state.mover:
                raise nonsense("other_side", "They must be on the same side.")
            likeliest_first = tuple(sorted(row.here, key=riders_and_hidden_last))
            left_behind += row.take(likeliest_first, count, only="on the table")
        return left_behind

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


def why_not_withdraw(state: State) -> Refusal | None:
    """Why the mover may not withdraw now, as advice; None if he may."""
    campaign = state.setup.campaign
    if campaign is not None and campaign.answers.get("C20") == "never":
        return Refusal("not_now", "No side withdraws in this campaign.", "C20")
    # Shots that were judged, and volleys of which players counted the hits.
    has_fired = bool(state.judged or state.counts)
    # Most moves are made on the table, where the program does not see them. It knows only of
    # command draws that end movement, and of men who got out of a vehicle.
    has_moved = bool(state.movement_over or state.got_out)
    is_start_of_turn = state.clock.phase == 1 and not has_fired and not has_moved
    if is_start_of_turn and state.clock.turn >= FIRST_TURN_TO_WITHDRAW:
        return None
    text = (
        "A side withdraws at the start of its own turn, before any shot, "
        f"from turn {FIRST_TURN_TO_WITHDRAW} on."
    )
    return Refusal("not_now", text, "C20")


def cannot_drive_off(state: State, side: str) -> dict[str, int]:
    """By row, how many models of a side cannot move by themselves, such as guns, and stand on the
    table unloaded: they are lost if the side withdraws."""
    stuck = {}
    for row in rows(state, side):
        stands_still = not row.unit.is_guy and not row.unit.moves
        if stands_still and row.on_foot:
            stuck[row.key] = len(row.on_foot)
    return stuck


class PlayOut(Order, frozen=True, kw_only=True, tag="play_out"):
    """The players go on though ``sides`` can no longer win. The program has proposed to end the
    battle, and does not propose it for these sides again."""

    in_journal = "beside"

    sides: tuple[str, ...]

    def carry_out(self, run: Resolution) -> None:
        hopeless = ending.hopeless_sides(run.state)
        if not self.sides or not set(self.sides) <= set(hopeless):
            raise nonsense("can_win", "Every side can still win.")
        run.emit(events.PlayedOut(sides=self.sides))


class PlayOn(Order, frozen=True, kw_only=True, tag="play_on"):
    """The players go on after the end. ``anew``: the reason for the end no longer holds, so the
    program may end the battle again when there is another reason."""

    when = "always"
    why_never_void = _TAKE_BACK

    anew: bool = False

    def carry_out(self, run: Resolution) -> None:
        if run.state.outcome is None:
            raise nonsense("not_over", "The battle is still going on.")
        if self.anew and ending.still_over(run.state):
            raise nonsense("still_over", "The result still stands.")
        # The end may have come in the middle of a volley; what was left of it goes on.
        run.emit(events.PlayedOn(anew=self.anew, then=run.state.cut_off))
        run.go_on()
