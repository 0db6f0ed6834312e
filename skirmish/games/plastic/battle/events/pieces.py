"""What becomes of the pieces: they are lost, join, get in and out, come and go.

Losses and exits have no sentence here: ``narrative`` adds up those of a line of the journal.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import compress
from typing import TypeVar

from msgspec.structs import replace

from skirmish.games.plastic.battle.names import piece_side, shot_name, weapon_of_piece
from skirmish.games.plastic.battle.pieces import REINFORCEMENTS
from skirmish.games.plastic.battle.shown import (
    NewPieces,
    PieceId,
    PieceIds,
    PublicText,
    PublicTextOrNone,
    Secrets,
    ThenOrNone,
)
from skirmish.games.plastic.battle.state import (
    ARRIVAL,
    SURPRISE,
    CreditIfKnown,
    Event,
    State,
)
from skirmish.games.plastic.rules.catalog import a_unit

ValueT = TypeVar("ValueT")


class Lost(Event, frozen=True, kw_only=True, tag="lost"):
    """A piece is lost."""

    piece: PieceId
    unit: PublicText
    worth: int
    """In potential dead guys."""
    credit: CreditIfKnown = None
    """The shot that caused it; None if none did."""
    aboard: bool = False
    """Whether it died with its carrier."""
    then: ThenOrNone = None
    """The agenda that follows; None: it is unchanged."""

    def apply(self, state: State) -> State:
        # The state does not know the piece if the line that added it is void by now.
        if state.knows(self.piece):
            state = self._with_loss(state)
        if self.then is None:
            return state
        return replace(state, agenda=self.then, ask=None)

    def _with_loss(self, state: State) -> State:
        """The state in which the piece is lost; the agenda is that of before."""
        side = piece_side(self.piece)
        # A piece that is counted as lost already must not count twice.
        state = back_on_the_table(state, [self.piece])
        aboard = dict(state.aboard)
        if not self.aboard:
            # It died on foot. Who dies with the carrier stays recorded as aboard, since he may
            # still strike back from there (P51).
            aboard.pop(self.piece, None)
        return replace(
            state,
            lost={**state.lost, self.piece: self.credit},
            loss={**state.loss, side: state.loss.get(side, 0) + self.worth},
            worth_lost={**state.worth_lost, self.piece: self.worth},
            aboard=aboard,
        )

    def subjects(self) -> set[str]:
        subjects = super().subjects()
        if self.credit is not None:
            subjects.add(shot_name(self.credit.shot))
        return subjects

    def weight(self) -> int:
        if self.credit is None:
            # What somebody wrote off by hand is no highlight of the battle.
            return 0
        return self.worth


class PieceRestored(Event, frozen=True, kw_only=True, tag="stood"):
    """A piece that was taken off by mistake is put back."""

    piece: PieceId

    def apply(self, state: State) -> State:
        return back_on_the_table(state, [self.piece])

    def narrate(self, state: State) -> str:
        return f"{state.words.piece(self.piece)} is back."


def back_on_the_table(state: State, pieces: Iterable[str]) -> State:
    """The state with these pieces neither lost nor exited, and without what that counted.

    Events also call it before a loss or an exit, so that no piece counts twice. That would happen
    if a piece is lost, put back and lost again, and the line that put it back is made void.
    """
    off_the_table = {piece for piece in pieces if not state.is_in_play(piece)}
    if not off_the_table:
        return state
    loss = dict(state.loss)
    for piece in off_the_table:
        side = piece_side(piece)
        loss[side] = loss.get(side, 0) - state.worth_lost.get(piece, 0)
        # In the basic game its exit was charged to the enemy as a loss.
        if piece in state.charged:
            enemy = state.setup.enemy_of(side).id
            loss[enemy] = loss.get(enemy, 0) - state.charged[piece]
    return replace(
        state,
        loss=loss,
        lost=_without(state.lost, off_the_table),
        exited=_without(state.exited, off_the_table),
        worth_lost=_without(state.worth_lost, off_the_table),
        charged=_without(state.charged, off_the_table),
    )


def _without(by_piece: Mapping[str, ValueT], pieces: Container[str]) -> dict[str, ValueT]:
    """The entries of all pieces but these."""
    return {piece: value for piece, value in by_piece.items() if piece not in pieces}


class Exited(Event, frozen=True, kw_only=True, tag="exited"):
    """Pieces leave the table."""

    pieces: PieceIds
    value: int = 0
    """What the exit of all pieces together counts for victory."""
    against: PublicTextOrNone = None
    """The side to which their exit counts as a loss, in the basic game; None: to nobody."""
    worth: int = 0
    """The loss of that side in potential dead guys, for all pieces together."""
    values: tuple[int, ...] = ()
    """What the exit of each piece counts for victory. Journals of early versions only have the
    total, ``value``; so it is with ``worths``."""
    worths: tuple[int, ...] = ()
    """The loss in potential dead guys that each piece counts as."""

    def apply(self, state: State) -> State:
        # Pieces are unknown if the line that added them is void by now.
        is_known = [state.knows(piece) for piece in self.pieces]
        pieces = list(compress(self.pieces, is_known))
        # A piece that is counted as exited already must not count twice.
        state = back_on_the_table(state, pieces)
        values = _by_piece(pieces, self.value, compress(self.values, is_known))
        state = replace(state, exited={**state.exited, **values})
        if self.against is None:
            return state
        worth_by_piece = _by_piece(pieces, self.worth, compress(self.worths, is_known))
        total_worth = sum(worth_by_piece.values())
        if not self.worths:
            # In the early versions the total counted even if no piece was known. A journal of
            # theirs comes out as it did.
            total_worth = self.worth
        loss = state.loss.get(self.against, 0) + total_worth
        return replace(
            state,
            loss={**state.loss, self.against: loss},
            charged={**state.charged, **worth_by_piece},
        )

    def seen(self, secrets: Secrets) -> Event | None:
        is_shown = [piece not in secrets.pieces for piece in self.pieces]
        if all(is_shown):
            return self
        if not any(is_shown):
            return None
        # Where an early version stored only the totals, the share of the pieces that are shown
        # cannot be worked out: it is shown as 0.
        values = tuple(compress(self.values, is_shown))
        worths = tuple(compress(self.worths, is_shown))
        return replace(
            self,
            pieces=tuple(compress(self.pieces, is_shown)),
            values=values,
            worths=worths,
            value=sum(values),
            worth=sum(worths),
        )

    def weight(self) -> int:
        return self.value


def _by_piece(pieces: Sequence[str], total: int, values: Iterable[int]) -> dict[str, int]:
    """The value of each piece. ``values`` has one for each, or none, as in journals of early
    versions: then the first piece gets the total and the others get 0."""
    if not pieces:
        return {}
    values = tuple(values)
    if values:
        return dict(zip(pieces, values, strict=False))
    by_piece = dict.fromkeys(pieces, 0)
    by_piece[pieces[0]] = total
    return by_piece


class Added(Event, frozen=True, kw_only=True, tag="added"):
    """New pieces join the battle: by a draw table, or by hand."""

    pieces: NewPieces
    why: PublicText = ""

    def apply(self, state: State) -> State:
        new = {piece.id: piece for piece in self.pieces}
        # New pieces never change the opening, with which the journal begins.
        return replace(state, added={**state.added, **new})

    def narrate(self, state: State) -> str:
        why = ""
        if self.why:
            why = f", {self.why}"
        receive = state.setup.does(self.pieces[0].side, "receive", "receives", article="The")
        # Only the state after the event knows the names of the new pieces.
        words = self.apply(state).words
        ids = [piece.id for piece in self.pieces]
        # The contingent of reinforcements need not be named: the verb says what they are.
        are_reinforcements = self.pieces[0].contingent == REINFORCEMENTS
        new_pieces = words.counted(ids, with_contingent=not are_reinforcements)
        return f"{receive} {new_pieces}{why}."

    def weight(self) -> int:
        return ARRIVAL


class Entered(Event, frozen=True, kw_only=True, tag="entered"):
    """Pieces that waited come onto the table."""

    pieces: PieceIds
    contingent: PublicText

    def apply(self, state: State) -> State:
        return replace(state, waiting=state.waiting - set(self.pieces))

    def narrate(self, state: State) -> str:
        contingent = state.setup.contingent_by_id[self.contingent].name
        return f"{state.words.whose(self.pieces, contingent)} arrive."

    def weight(self) -> int:
        return ARRIVAL


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """Hidden pieces are placed on the table, open to all."""

    pieces: PieceIds

    def apply(self, state: State) -> State:
        return replace(state, hidden=state.hidden - set(self.pieces))

    def narrate(self, state: State) -> str:
        return f"{state.words.whose(self.pieces)} revealed."

    def weight(self) -> int:
        return SURPRISE


class Loaded(Event, frozen=True, kw_only=True, tag="loaded"):
    """Riders get into a carrier, or the players say who is in it."""

    carrier: PieceId
    riders: PieceIds

    def apply(self, state: State) -> State:
        aboard = dict(state.aboard)
        if state.knows(self.carrier):
            for rider in self.riders:
                if state.knows(rider):
                    aboard[rider] = self.carrier
        # An empty list is recorded, too: the players have said that nobody is in the carrier.
        return replace(state, aboard=aboard, recorded=state.recorded | {self.carrier})

    def narrate(self, state: State) -> str:
        words = state.words
        return f"Loaded into {words.piece(self.carrier)}: {words.counted(self.riders)}."


class Unloaded(Event, frozen=True, kw_only=True, tag="unloaded"):
    """Riders get out of their carrier."""

    carrier: PieceId
    riders: PieceIds

    def apply(self, state: State) -> State:
        aboard = dict(state.aboard)
        got_out = set(state.got_out)
        for rider in self.riders:
            aboard.pop(rider, None)
            # Reinforcements that walk onto the table without their vehicle have not got out of it.
            if rider not in state.waiting:
                got_out.add(rider)
        return replace(
            state,
            aboard=aboard,
            recorded=state.recorded | {self.carrier},
            got_out=frozenset(got_out),
        )

    def narrate(self, state: State) -> str:
        words = state.words
        return f"Unloaded from {words.piece(self.carrier)}: {words.counted(self.riders)}."


class Served(Event, frozen=True, kw_only=True, tag="served"):
    """Pieces that could not do anything before they were served, such as tanks without fuel, have
    been served."""

    pieces: PieceIds

    def apply(self, state: State) -> State:
        return replace(
            state,
            unserved=state.unserved - set(self.pieces),
            served_now=state.served_now + len(self.pieces),
        )

    def narrate(self, state: State) -> str:
        codes = [state.words.code(piece) for piece in self.pieces]
        return f"Served: {', '.join(codes)}."


class UnitChanged(Event, frozen=True, kw_only=True, tag="turned"):
    """A piece fights on as another unit: a guy whose weapon broke down as a rifleman."""

    piece: PieceId
    unit: PublicText

    def apply(self, state: State) -> State:
        if not state.knows(self.piece):
            return state
        return replace(state, turned={**state.turned, self.piece: self.unit})

    def narrate(self, state: State) -> str:
        words = state.words
        unit = a_unit(words.setup.unit(self.unit).name)
        return f"{words.code(self.piece)} fights on as {unit}."


class Disarmed(Event, frozen=True, kw_only=True, tag="disarmed"):
    """One weapon of a model, that in ``slot`` (see ``names``), broke down; the model fights on
    without it."""

    piece: PieceId
    slot: int

    def apply(self, state: State) -> State:
        if not state.knows(self.piece):
            return state
        return replace(state, disarmed=state.disarmed | {weapon_of_piece(self.piece, self.slot)})

    def narrate(self, state: State) -> str:
        return f"{state.words.code(self.piece)} has lost a weapon."
