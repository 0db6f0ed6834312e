"""What becomes of the pieces: lost, back again, aboard, gone from the table, come onto it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.names import piece_side, weapon_slot
from skirmish.games.plastic.battle.setup import Piece
from skirmish.games.plastic.battle.state import Blinds, Credit, Event, State


def stood(state: State, piece: str) -> State:
    side = piece_side(piece)
    foe = state.setup.enemy_of(side).id
    loss = {**state.loss, side: state.loss.get(side, 0) - state.worth_lost.get(piece, 0)}
    if piece in state.charged:
        loss[foe] = loss.get(foe, 0) - state.charged[piece]
    return replace(
        state,
        lost={p: credit for p, credit in state.lost.items() if p != piece},
        exited={p: value for p, value in state.exited.items() if p != piece},
        loss=loss,
        worth_lost={p: worth for p, worth in state.worth_lost.items() if p != piece},
        charged={p: worth for p, worth in state.charged.items() if p != piece},
    )


def _as_if_here(state: State, pieces: Iterable[str]) -> State:
    """Nobody is counted twice where the line that brought him back is void."""
    for piece in pieces:
        if not state.is_up(piece):
            state = stood(state, piece)
    return state


class OfAPiece(Event, frozen=True, kw_only=True):
    piece: str

    def about(self) -> tuple[str, ...]:
        return (self.piece,)


class OfPieces(Event, frozen=True, kw_only=True):
    pieces: tuple[str, ...]

    def about(self) -> tuple[str, ...]:
        return self.pieces


class Lost(OfAPiece, frozen=True, kw_only=True, tag="lost"):
    """``credit`` is None where nobody's shot did it; ``aboard``: it died with its carrier. Without
    ``then`` the agenda stays as it is."""

    unit: str
    worth: int
    credit: Credit | None = None
    aboard: bool = False
    then: Agenda | None = None

    def apply(self, state: State) -> State:
        if state.knows(self.piece):
            state = self._lost(state)
        return state if self.then is None else replace(state, agenda=self.then, ask=None)

    def _lost(self, state: State) -> State:
        side, state = piece_side(self.piece), _as_if_here(state, (self.piece,))
        aboard = state.aboard
        if self.piece in aboard and not self.aboard:
            aboard = {rider: carrier for rider, carrier in aboard.items() if rider != self.piece}
        return replace(
            state,
            lost={**state.lost, self.piece: self.credit},
            loss={**state.loss, side: state.loss.get(side, 0) + self.worth},
            worth_lost={**state.worth_lost, self.piece: self.worth},
            aboard=aboard,
        )

    def about(self) -> tuple[str, ...]:
        return (self.piece, f"shot {self.credit.shot}") if self.credit else (self.piece,)

    def seen(self, blinds: Blinds) -> Event | None:
        unknown = self.credit is not None and self.credit.piece in blinds.secret
        return Event.seen(replace(self, credit=None) if unknown else self, blinds)


class Stood(OfAPiece, frozen=True, kw_only=True, tag="stood"):
    def apply(self, state: State) -> State:
        return stood(state, self.piece)

    def narrate(self, state: State) -> str:
        return f"{state.words.piece(self.piece)} is back."


class Added(Event, frozen=True, kw_only=True, tag="added"):
    pieces: tuple[Piece, ...]
    why: str = ""

    def apply(self, state: State) -> State:
        return replace(state, added={**state.added, **{one.id: one for one in self.pieces}})

    def narrate(self, state: State) -> str:
        why = f" {self.why}" if self.why else ""
        words = self.apply(state).words
        return f"Added{why}: {words.counted([one.id for one in self.pieces])}."

    def about(self) -> tuple[str, ...]:
        return tuple(piece.id for piece in self.pieces)


class Turned(OfAPiece, frozen=True, kw_only=True, tag="turned"):
    unit: str

    def apply(self, state: State) -> State:
        if not state.knows(self.piece):
            return state
        return replace(state, turned={**state.turned, self.piece: self.unit})

    def narrate(self, state: State) -> str:
        words = state.words
        return f"{words.code(self.piece)} fights on as {words.unit(self.unit).short}."


class Disarmed(OfAPiece, frozen=True, kw_only=True, tag="disarmed"):
    slot: int

    def apply(self, state: State) -> State:
        if not state.knows(self.piece):
            return state
        return replace(state, disarmed=state.disarmed | {weapon_slot(self.piece, self.slot)})

    def narrate(self, state: State) -> str:
        return f"{state.words.code(self.piece)} has lost a weapon."


class OfACarrier(Event, frozen=True, kw_only=True):
    carrier: str
    riders: tuple[str, ...]

    def about(self) -> tuple[str, ...]:
        return (self.carrier, *self.riders)


class Loaded(OfACarrier, frozen=True, kw_only=True, tag="loaded"):
    def apply(self, state: State) -> State:
        riders = filter(state.knows, self.riders) if state.knows(self.carrier) else ()
        return replace(
            state,
            aboard={**state.aboard, **dict.fromkeys(riders, self.carrier)},
            recorded=state.recorded | {self.carrier},
        )

    def narrate(self, state: State) -> str:
        words = state.words
        return f"Loaded into {words.piece(self.carrier)}: {words.counted(self.riders)}."


class Unloaded(OfACarrier, frozen=True, kw_only=True, tag="unloaded"):
    def apply(self, state: State) -> State:
        aboard = {r: carrier for r, carrier in state.aboard.items() if r not in self.riders}
        return replace(state, aboard=aboard, recorded=state.recorded | {self.carrier})

    def narrate(self, state: State) -> str:
        words = state.words
        return f"Unloaded from {words.piece(self.carrier)}: {words.counted(self.riders)}."


class Exited(OfPieces, frozen=True, kw_only=True, tag="exited"):
    """``value`` counts for victory, ``worth`` as a loss of the side ``against`` (the basic game);
    ``values`` and ``worths`` are those of each piece."""

    value: int = 0
    against: str | None = None
    worth: int = 0
    values: tuple[int, ...] = ()
    worths: tuple[int, ...] = ()

    def apply(self, state: State) -> State:
        known = self._only(map(state.knows, self.pieces), value=self.value, worth=self.worth)
        pieces = known.pieces
        state = _as_if_here(state, pieces)
        nothing_more = (0,) * (len(pieces) - 1)  # entries of old give only what all count for
        values = known.values or (known.value, *nothing_more)
        state = replace(state, exited={**state.exited, **dict(zip(pieces, values, strict=False))})
        if known.against is None:
            return state
        worths = known.worths or (known.worth, *nothing_more)
        loss = state.loss.get(known.against, 0) + known.worth
        return replace(
            state,
            loss={**state.loss, known.against: loss},
            charged={**state.charged, **dict(zip(pieces, worths, strict=False))},
        )

    def _only(self, chosen: Iterable[bool], value: int, worth: int) -> Exited:
        stay = [*chosen]
        if all(stay):
            return self
        values, worths = tuple(compress(self.values, stay)), tuple(compress(self.worths, stay))
        return replace(
            self,
            pieces=tuple(compress(self.pieces, stay)),
            values=values,
            worths=worths,
            value=sum(values) if self.values else value,
            worth=sum(worths) if self.worths else worth,
        )

    def seen(self, blinds: Blinds) -> Event | None:
        seen = self._only((piece not in blinds.secret for piece in self.pieces), value=0, worth=0)
        return seen if seen.pieces else None


class Entered(OfPieces, frozen=True, kw_only=True, tag="entered"):
    contingent: str

    def apply(self, state: State) -> State:
        return replace(state, waiting=state.waiting - set(self.pieces))

    def narrate(self, state: State) -> str:
        group = state.setup.contingent_by_id[self.contingent].name
        return f"Reinforcements, {group}: {state.words.counted(self.pieces)}."


class Served(OfPieces, frozen=True, kw_only=True, tag="served"):
    def apply(self, state: State) -> State:
        return replace(
            state,
            unserved=state.unserved - set(self.pieces),
            served_now=state.served_now + len(self.pieces),
        )

    def narrate(self, state: State) -> str:
        return f"Served: {', '.join(map(state.words.code, self.pieces))}."


class Revealed(OfPieces, frozen=True, kw_only=True, tag="revealed"):
    def apply(self, state: State) -> State:
        return replace(state, hidden=state.hidden - set(self.pieces))

    def narrate(self, state: State) -> str:
        return f"Revealed: {state.words.counted(self.pieces)}."
