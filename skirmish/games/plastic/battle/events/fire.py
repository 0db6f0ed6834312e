"""Shots and volleys, apart from the verdicts that the state remembers."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import Agenda, Shooting
from skirmish.games.plastic.battle.events.pieces import stood
from skirmish.games.plastic.battle.names import weapon_slot
from skirmish.games.plastic.battle.state import Blinds, Event, OfAShot, State
from skirmish.games.plastic.rules.shot import run


class Aimed(OfAShot, frozen=True, kw_only=True, tag="aimed"):
    side: str
    needs: int
    overruled: str = ""
    then: Agenda

    def apply(self, state: State) -> State:
        used = state.use(self.shot.piece, self.shot.slot)
        return replace(
            state,
            agenda=self.then,
            fired=state.fired | {used},
            shots=self.shot.id,
            ask=None,
            verdict=None,
            checked=None,
            ceased=None,
        )

    def about(self) -> tuple[str, ...]:
        return (self.shot.piece, f"shot {self.shot.id}")


class Volleyed(Event, frozen=True, kw_only=True, tag="volleyed"):
    side: str
    shooter: str
    target: str
    weapon: str
    count: int
    reach: int
    needs: int
    overruled: str = ""
    then: Agenda

    def apply(self, state: State) -> State:
        return replace(state, agenda=self.then, ask=None, verdict=None, checked=None)

    def narrate(self, state: State) -> str:
        words = state.words
        who, whom = words.row(self.shooter, self.count), words.row(self.target, 1)
        return f"Volley: {who} > {whom}, {self.reach} in reach, needs {run(self.needs)}."


class Held(Event, frozen=True, kw_only=True, tag="held"):
    """An open repeat shot was let go, or a step of the agenda found nothing to do."""

    then: Agenda = ()

    def apply(self, state: State) -> State:
        return replace(state, ask=None, agenda=self.then)


class Recalled(Event, frozen=True, kw_only=True, tag="recalled"):
    """``later`` shots of the chain stand, those in ``chain`` are taken back with it. ``mended``:
    there was no breakdown after all."""

    shot: int
    back: tuple[str, ...]
    later: int = 0
    mended: Shooting | None = None
    chain: tuple[int, ...] = ()
    then: Agenda

    def apply(self, state: State) -> State:
        for piece in self.back:
            state = stood(state, piece)
        if shot := self.mended:
            state = replace(
                state,
                turned={piece: unit for piece, unit in state.turned.items() if piece != shot.piece},
                disarmed=state.disarmed - {weapon_slot(shot.piece, shot.slot)},
            )
        gone = {self.shot, *self.chain}
        return replace(
            state,
            agenda=self.then,
            ask=None,
            outcome=None,
            judged=tuple(one for one in state.judged if one.shot.id not in gone),
            counts=tuple(one for one in state.counts if one.shot.id != self.shot),
        )

    def narrate(self, state: State) -> str:
        text = "Judged again."
        if self.back:
            text += f" Back on the table: {state.words.counted(self.back)}."
        if self.chain:
            return f"{text} Repeat shots taken back: {len(self.chain)}."
        return f"{text} Check the {self.later} repeat shots after it." if self.later else text

    def about(self) -> tuple[str, ...]:
        return (*self.back, *(f"shot {number}" for number in (self.shot, *self.chain)))

    def seen(self, blinds: Blinds) -> Event | None:
        return replace(self, back=blinds.others(self.back), then=())
