"""A shot is judged again: what is taken back for it, and what players should check."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Annotated

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.events.pieces import back_on_the_table
from skirmish.games.plastic.battle.names import weapon_of_piece
from skirmish.games.plastic.battle.shown import OWN, PieceId, PiecesIfKnown, Secrets, ShotIfKnown
from skirmish.games.plastic.battle.state import (
    AgendaStep,
    Event,
    HitsCounted,
    Judged,
    State,
    use_of,
)


class Recalled(AgendaStep, frozen=True, kw_only=True, tag="recalled"):
    """The verdict of a shot is taken back, to be given anew."""

    shot: int
    """The number of the shot."""
    back: PiecesIfKnown
    """The dead who are put back on the table."""
    later: int = 0
    """How many repeat shots after it stand, for the players to check; 0 in a volley, where each of
    them is judged again itself."""
    mended: ShotIfKnown = None
    """The shot, if it was judged a breakdown by mistake."""
    chain: tuple[int, ...] = ()
    """The repeat shots after it that are taken back with it."""
    instead: ShotIfKnown = None
    """The shot as it is judged now, if another piece fired it."""
    turn: int = 0
    """The game turn of the shot if its player turn is over; else 0."""

    def apply(self, state: State) -> State:
        verdicts_before = state.judged_in_turn_of(self.shot)
        volleys_before = state.counts_in_turn_of(self.shot)
        taken_back = {self.shot, *self.chain}
        state = back_on_the_table(state, self.back)
        if self.mended is not None:
            state = _without_breakdown(state, self.mended)
        verdicts = [verdict for verdict in verdicts_before if verdict.shot.id not in taken_back]
        # A volley of which only the hits were counted has the number of its first shot.
        volleys = [volley for volley in volleys_before if volley.shot.id != self.shot]
        state = state.with_judged(self.shot, verdicts).with_counts(self.shot, volleys)
        # Who has fired matters only in the present turn: after it everybody could fire again.
        is_of_present_turn = state.past_turn_of(self.shot) is None
        if self.instead is not None and is_of_present_turn:
            fired_before = self._fired_before(verdicts_before, volleys_before)
            state = _fired_by(state, self.instead, fired_before)
        # If the battle was over, the orders that judge the shot anew find out whether it still is.
        return replace(super().apply(state), outcome=None)

    def _fired_before(
        self, verdicts: Iterable[Judged], counted_volleys: Iterable[HitsCounted]
    ) -> set[str]:
        """The uses of weapons (``use_of``) by which the shot, or all of the counted volley, was
        fired as it had been judged before."""
        fired = {use_of(verdict.shot) for verdict in verdicts if verdict.shot.id == self.shot}
        for volley in counted_volleys:
            if volley.shot.id == self.shot:
                fired |= {use_of(shot) for shot in volley.shots}
        return fired

    def narrate(self, state: State) -> str:
        text = "Judged again."
        if self.turn:
            text = f"Judged again (turn {self.turn})."
        if self.back:
            text += f" Back on the table: {state.words.counted(self.back)}."
        if self.chain:
            text += f" Repeat shots taken back: {len(self.chain)}."
        # Repeat shots that stand may have become impossible: only the players can tell.
        elif self.later == 1:
            text += " Check the repeat shot after it."
        elif self.later:
            text += f" Check the {self.later} repeat shots after it."
        return text


def _without_breakdown(state: State, shot: Shooting) -> State:
    """The state without the breakdown of a shot: a guy who became a rifleman is again what he was,
    and the weapon of a model works."""
    turned = dict(state.turned)
    # Only one of the two happened ("Breakdowns"): a guy fights on as a rifleman, a model loses the
    # weapon. To undo the other one, too, changes nothing.
    turned.pop(shot.piece, None)
    disarmed = state.disarmed - {weapon_of_piece(shot.piece, shot.slot)}
    return replace(state, turned=turned, disarmed=disarmed)


def _fired_by(state: State, instead: Shooting, fired_before: set[str]) -> State:
    """The state in which the shot was fired as ``instead`` has it, by another piece. The weapons
    that were thought to have fired it (``fired_before``) may fire again, unless they have fired
    another shot."""
    still_fired = {use_of(verdict.shot) for verdict in state.judged}
    for volley in state.counts:
        still_fired |= {use_of(shot) for shot in volley.shots}
    may_fire = fired_before - still_fired
    fired = (state.fired - may_fire) | {use_of(instead)}
    return replace(state, fired=fired)


class FiredSince(Event, frozen=True, kw_only=True, tag="fired_since"):
    """A piece that dies by a shot judged again has fired since that shot: its ``shots`` stand, but
    players should check them. ``targets`` (rows) and ``turns`` are those of the ``shots``, in the
    same order."""

    piece: PieceId
    shots: tuple[int, ...]
    targets: Annotated[tuple[str, ...], OWN]
    turns: tuple[int, ...]

    def narrate(self, state: State) -> str:
        words = state.words
        shots = []
        for target, turn in zip(self.targets, self.turns, strict=True):
            shot = f"at {words.row(target, 1)} in turn {turn}"
            if shot not in shots:
                shots.append(shot)
        return f"{words.piece(self.piece)} fired after it, {' and '.join(shots)}: check that too."

    def seen(self, secrets: Secrets) -> Event | None:
        # A viewer who does not know the piece must not even learn that it fired.
        if self.piece in secrets.pieces:
            return None
        # Of the others only the shots at rows that the viewer knows are left.
        known_targets = [target not in secrets.rows for target in self.targets]
        return replace(
            self,
            shots=tuple(compress(self.shots, known_targets)),
            targets=tuple(compress(self.targets, known_targets)),
            turns=tuple(compress(self.turns, known_targets)),
        )


class Reopened(Event, frozen=True, kw_only=True, tag="reopened"):
    """The battle, which a shot had ended, goes on, since the shot is now judged otherwise."""

    def narrate(self, state: State) -> str:
        return "So the battle is not over yet."
