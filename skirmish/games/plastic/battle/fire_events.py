"""Events of shots and volleys (but the verdicts that the state holds), questions, decks and dice,
and draws other than shots."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Annotated

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import (
    LotKind,
    OutcomeAsk,
    Shooting,
    ToVolley,
)
from skirmish.games.plastic.battle.names import piece_side, row_unit, weapon_slot
from skirmish.games.plastic.battle.shown import (
    OPEN,
    OWN,
    Advice,
    AskSeen,
    Blinds,
    PieceId,
    PiecesIfKnown,
    Public,
    PublicOrNone,
    RowId,
    ShotIfKnown,
    Shown,
)
from skirmish.games.plastic.battle.state import (
    SURPRISE,
    AgendaStep,
    Clock,
    Event,
    OfAShot,
    State,
    claimed,
    use_of,
)
from skirmish.games.plastic.rules.shot import Circumstances, run
from skirmish.tabletop.chance import Draw, Source, spell


def stood(state: State, pieces: Iterable[str]) -> State:
    """The state with these pieces neither lost nor exited; also before a loss: if the line that
    returned the piece is void, a second loss must not count twice."""
    pieces = [piece for piece in pieces if not state.is_up(piece)]
    if not pieces:
        return state
    loss = dict(state.loss)
    for piece in pieces:
        side = piece_side(piece)
        loss[side] = loss.get(side, 0) - state.worth_lost.get(piece, 0)
        if piece in state.charged:
            foe = state.setup.enemy_of(side).id
            loss[foe] = loss.get(foe, 0) - state.charged[piece]
    others = {
        name: {p: value for p, value in getattr(state, name).items() if p not in pieces}
        for name in ("lost", "exited", "worth_lost", "charged")
    }
    return replace(state, loss=loss, **others)


class Aimed(OfAShot, frozen=True, kw_only=True, tag="aimed"):
    side: Public
    needs: int
    overruled: Advice = ""

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

    def touched(self) -> set[str]:
        return super().touched() | {self.shot.piece, f"shot {self.shot.id}"}


class VolleyedSquad(msgspec.Struct, frozen=True, kw_only=True):
    """So many of another row who fire in the same volley."""

    shooter: str
    weapon: str
    count: int
    needs: int


def _squads_known(squads: tuple[VolleyedSquad, ...], blinds: Blinds) -> tuple[VolleyedSquad, ...]:
    """Those of rows that the viewer knows."""
    return tuple(squad for squad in squads if squad.shooter not in blinds.rows)


class Volleyed(AgendaStep, frozen=True, kw_only=True, tag="volleyed"):
    side: Public
    shooter: RowId
    target: RowId
    weapon: Public
    count: int
    reach: int
    needs: int
    more: Annotated[tuple[VolleyedSquad, ...], Shown(_squads_known)] = ()
    overruled: Advice = ""
    at: Circumstances | None = None

    def apply(self, state: State) -> State:
        return replace(state, agenda=self.then, ask=None, verdict=None, checked=None, ceased=None)

    def narrate(self, state: State) -> str:
        words = state.words
        whom = words.row(self.target, 1)
        squads = [words.row(self.shooter, self.count)]
        squads += [words.row(squad.shooter, squad.count) for squad in self.more]
        who = ", ".join(squads)
        at = self.at
        if at is None and self.then and isinstance(self.then[0], ToVolley):  # an earlier version
            at = self.then[0].shot.at
        if at is not None:
            whom += claimed(at)
        needs = ", ".join(map(run, (self.needs, *(squad.needs for squad in self.more))))
        return f"Volley: {who} > {whom}, {self.reach} in reach, needs {needs}."


class Held(AgendaStep, frozen=True, kw_only=True, tag="held"):
    """An open repeat shot was declined, or a step of the agenda had nothing to do."""

    def apply(self, state: State) -> State:
        return replace(state, ask=None, agenda=self.then)


class Recalled(AgendaStep, frozen=True, kw_only=True, tag="recalled"):
    """The verdict of a shot is taken back, to be given anew. ``later`` shots of the chain stand;
    those in ``chain`` are taken back. ``mended``: there was no breakdown after all. ``instead`` is
    the shot as it is judged now, if another piece fired it; ``turn`` its game turn, if that is
    over."""

    shot: int
    back: PiecesIfKnown
    later: int = 0
    mended: ShotIfKnown = None
    chain: tuple[int, ...] = ()
    instead: ShotIfKnown = None
    turn: int = 0

    def apply(self, state: State) -> State:
        before = [one.shot for one in state.judged_in_turn_of(self.shot)]
        state = stood(state, self.back)
        if shot := self.mended:
            state = replace(
                state,
                turned={piece: unit for piece, unit in state.turned.items() if piece != shot.piece},
                disarmed=state.disarmed - {weapon_slot(shot.piece, shot.slot)},
            )
        gone = {self.shot, *self.chain}
        judged = [one for one in state.judged_in_turn_of(self.shot) if one.shot.id not in gone]
        counts = [one for one in state.counts_in_turn_of(self.shot) if one.shot.id != self.shot]
        state = state.with_judged(self.shot, judged).with_counts(self.shot, counts)
        if self.instead is not None and state.past_of(self.shot) is None:
            state = self._fired_by(self.instead, before, state)
        return replace(state, agenda=self.then, ask=None, outcome=None)

    def _fired_by(self, instead: Shooting, before: list[Shooting], state: State) -> State:
        """Another piece has fired; the first one may fire, unless it did so in another shot."""
        old = {use_of(shot) for shot in before if shot.id == self.shot}
        others = {use_of(one.shot) for one in state.judged}
        for counted in state.counts:
            others |= set(map(use_of, counted.shots))
        return replace(state, fired=state.fired - (old - others) | {use_of(instead)})

    def narrate(self, state: State) -> str:
        text = "Judged again."
        if self.turn:
            text = f"Judged again (turn {self.turn})."
        if self.back:
            text += f" Back on the table: {state.words.counted(self.back)}."
        if self.chain:
            return f"{text} Repeat shots taken back: {len(self.chain)}."
        if not self.later:
            return text
        shots = "repeat shot" if self.later == 1 else f"{self.later} repeat shots"
        return f"{text} Check the {shots} after it."


class FiredSince(Event, frozen=True, kw_only=True, tag="fired_since"):
    """A piece that dies by a shot judged again has fired after that shot: its ``shots`` stand, but
    must be checked. ``targets`` and ``turns`` are theirs."""

    piece: PieceId
    shots: tuple[int, ...]
    targets: Annotated[tuple[str, ...], OWN]
    turns: tuple[int, ...]

    def narrate(self, state: State) -> str:
        words = state.words
        shots = dict.fromkeys(
            f"at {words.row(target, 1)} in turn {turn}"
            for target, turn in zip(self.targets, self.turns, strict=True)
        )
        return f"{words.piece(self.piece)} fired after it, {' and '.join(shots)}: check that too."

    def seen(self, blinds: Blinds) -> Event | None:
        if self.piece in blinds.secret:
            return None
        known = [target not in blinds.rows for target in self.targets]
        return replace(
            self,
            shots=tuple(compress(self.shots, known)),
            targets=tuple(compress(self.targets, known)),
            turns=tuple(compress(self.turns, known)),
        )


class Reopened(Event, frozen=True, kw_only=True, tag="reopened"):
    """The battle was over by a shot that is now judged otherwise."""

    def narrate(self, state: State) -> str:
        return "So the battle is not over yet."


class Asked(Event, frozen=True, kw_only=True, tag="asked"):
    ask: AskSeen

    def apply(self, state: State) -> State:
        return replace(state, ask=self.ask)

    def narrate(self, state: State) -> str:
        return "The last turn is over." if isinstance(self.ask, OutcomeAsk) else ""


class Laid(Event, frozen=True, kw_only=True, tag="laid"):
    """A player's own draws, ready to be used. ``twice``: cards that were already gone."""

    source: Public
    draws: tuple[Draw, ...]
    twice: tuple[Draw, ...] = ()

    def apply(self, state: State) -> State:
        return replace(state, hand=self.draws, hand_of=self.source, ask=None)

    def narrate(self, state: State) -> str:
        if not self.twice:
            return ""
        came = ", ".join(card.words if card.suit else card.rank_words for card in self.twice)
        return f"[The {came} had gone before: one of the two was mistyped.]"


class Unread(Event, frozen=True, kw_only=True, tag="unread"):
    draws: tuple[Draw, ...]

    def apply(self, state: State) -> State:
        return replace(state, hand=())

    def narrate(self, state: State) -> str:
        return f"Typed but not needed: {spell(self.draws)}."


def _shuffled_by_hand(source: Source, shuffle: int | None, aside: Draw | None = None) -> Source:
    """A player's own deck at the time of a draw: if the line in which he shuffled it is void, its
    cards are back in the deck, but those drawn since came from the shuffled one."""
    own_deck = source.typed and source.kind == "deck"
    if own_deck and shuffle is not None and source.shuffles < shuffle:
        return replace(source, shuffles=shuffle, gone=(), aside=aside)
    return source


def _now(state: State, name: str, source: Source) -> State:
    return replace(state, sources={**state.sources, name: source})


class Shuffled(Event, frozen=True, kw_only=True, tag="shuffled"):
    """A deck was shuffled; ``aside`` was left out."""

    source: Public
    aside: Draw | None = None

    def apply(self, state: State) -> State:
        return _now(state, self.source, state.sources[self.source].shuffle(self.aside))

    def narrate(self, state: State) -> str:
        return f"The {state.setup.of(self.source, 'deck')} is shuffled."


class DrawMade(Event, frozen=True, kw_only=True, tag="drawn"):
    """``shuffle``, its card left ``aside`` and ``nth`` identify the draw."""

    source: Public
    draw: Draw
    shuffle: int
    aside: Draw | None = None
    nth: int

    def apply(self, state: State) -> State:
        source = _shuffled_by_hand(state.sources[self.source], self.shuffle, self.aside)
        state = _now(state, self.source, source.drawn(self.draw))
        return replace(state, ask=None, hand=state.hand[1:])


class Reread(Event, frozen=True, kw_only=True, tag="reread"):
    """A typed card or roll was another. ``shuffled`` since: the deck of today is unchanged."""

    source: Public
    was: Draw
    draw: Draw
    shuffled: bool = False

    def apply(self, state: State) -> State:
        if self.shuffled:
            return state
        return _now(state, self.source, state.sources[self.source].reread(self.was, self.draw))

    def narrate(self, state: State) -> str:
        draw, was = (f"the {d.words}" if d.suit else d.words for d in (self.draw, self.was))
        return f"It was {draw}, not {was}."


class Spent(Event, frozen=True, kw_only=True, tag="spent"):
    """A draw of a void or counted entry, made ``times`` times: it is only known to be gone.
    ``shuffle`` is that of the deck, as of ``DrawMade``; None in journals of earlier versions."""

    source: Public
    draw: Draw
    times: int = 1
    shuffle: int | None = None

    def apply(self, state: State) -> State:
        source = _shuffled_by_hand(state.sources[self.source], self.shuffle)
        for _ in range(self.times):
            source = source.drawn(self.draw)
        return _now(state, self.source, source)


class PinMarked(Event, frozen=True, kw_only=True, tag="pin_marked"):
    row: RowId
    pins: int

    def apply(self, state: State) -> State:
        return replace(state, pinned={**state.pinned, self.row: self.pins})

    def narrate(self, state: State) -> str:
        unit = state.setup.unit(row_unit(self.row)).short
        return f"{unit}: {self.pins} pinned." if self.pins else f"{unit}: no longer pinned."


class Tabled(AgendaStep, frozen=True, kw_only=True, tag="tabled"):
    happening: int
    side: Public
    nth: int
    draw: Draw
    explain: Public
    entry: PublicOrNone = None

    def narrate(self, state: State) -> str:
        return f"{state.words.of(self.side, f'draw {self.nth}')}. {self.explain}"


class Toggled(Event, frozen=True, kw_only=True, tag="toggled"):
    name: Public
    on: bool

    def apply(self, state: State) -> State:
        rest = state.toggled - {self.name}
        return replace(state, toggled=rest | {self.name} if self.on else rest)

    def narrate(self, state: State) -> str:
        return f"{self.name.capitalize()} {'begins' if self.on else 'ends'}."

    def weight(self) -> int:
        return SURPRISE


class LotCast(AgendaStep, frozen=True, kw_only=True, tag="lot_cast"):
    """Both sides drew, for terrain or for sides; the higher draw comes first (None: a tie)."""

    lot: LotKind
    draws: Annotated[dict[str, Draw], OPEN]
    first: PublicOrNone

    def apply(self, state: State) -> State:
        state = super().apply(state)
        if self.lot == "side" and self.first is not None:
            return replace(state, first=self.first, clock=Clock(1, self.first, 1))
        return state

    def narrate(self, state: State) -> str:
        people = state.words.people
        drew = ", ".join(f"{people(side)} {draw}" for side, draw in self.draws.items())
        first = "a tie, draw again" if self.first is None else f"{people(self.first)} first"
        return f"Draw for {self.lot}{'s' if self.lot == 'side' else ''}: {drew}; {first}."
