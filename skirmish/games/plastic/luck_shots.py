"""Every shot of a battle with the chance that it had: out of the deck as it stood before its draw.

What was made void or taken back does not count, though its cards are gone; a shot that was judged
again counts once, as it was judged last, with the deck of its own draw.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.events import AnyEvent, Judged, evolve
from skirmish.games.plastic.battle.firing import aim_of
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.odds import Knowledge, pack_of
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.rejudge import each
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.single import one_shot

_BEARS_ON_CHANCES = (
    happened.LevelSet
    | happened.Switched
    | happened.Turned
    | happened.PhaseEnded
    | happened.TurnEnded
    | happened.ClockSet
    | happened.LotCast
)
"""Events besides draws without which the chance of a later shot, or its turn, would be another.
Nothing else is folded, so that a long battle takes no longer than it must."""


class FiredShot(msgspec.Struct, frozen=True, kw_only=True):
    """A shot of ``side`` in entry ``number`` of the journal, in game turn ``turn``.

    ``hits`` of the ``of`` draws that could come would have hit, and of ``saves`` more cover or hull
    down would have saved the target; ``breaks`` is the chance that the weapon broke down. ``hit``,
    ``saved`` and ``broke`` say what came; of a ``counted`` volley, in all. ``note``: why the
    chance does not rest on the deck as it stood, or nothing.
    """

    number: int
    turn: int
    side: str
    shot: Shooting
    unit: str
    hits: int
    saves: int
    of: int
    breaks: Fraction
    hit: bool
    saved: bool
    broke: bool = False
    note: str = ""
    counted: bool = False

    @property
    def chance(self) -> Fraction:
        """The chance that it hit."""
        return Fraction(self.hits, self.of)

    @property
    def save(self) -> Fraction:
        """The chance that the target was saved."""
        return Fraction(self.saves, self.of)

    @property
    def luck(self) -> Fraction:
        """What came less what was to be expected."""
        return int(self.hit) - self.chance


def fired_shots(play: BattlePlay, knowledge: Knowledge = "full") -> tuple[FiredShot, ...]:
    """The shots that stand, in the order of their draws. ``knowledge`` is what may be known of
    decks, as on the battle's own screen."""
    book = _Book(play, knowledge)
    struck = play.struck
    for act in play.acts:
        if act.kind != "void":
            book.read(act, act.number in struck)
    return tuple(row for place, row in enumerate(book.rows) if place not in book.taken_back)


class _Origin(msgspec.Struct, frozen=True):
    """The entry of a shot's own draw, and the state before it."""

    number: int
    before: State


class _Book:
    """Reads the journal from its beginning; ``rows`` are the shots, of which those at the places
    ``taken_back`` count no more."""

    def __init__(self, play: BattlePlay, knowledge: Knowledge) -> None:
        self.rows: list[FiredShot] = []
        self.taken_back: set[int] = set()
        self._end, self._knowledge = play.state, knowledge
        self._known = {piece.id for piece in play.state.pieces()}
        self._state: State | None = None
        self._drawn_at: State | None = None
        self._recalled: int | None = None
        self._origins: dict[int, _Origin] = {}
        self._places: dict[int, int] = {}
        """Where a shot stands in the rows. Its number can come twice, once its shot was made void
        and another took it; what is said of it then is said of the later one."""

    def read(self, act: BattleEntry, struck: bool) -> None:
        """An entry of the line; of one that is ``struck`` only the draws remain."""
        self._recalled = None
        for event in act.events:
            self._read(event, act.number, struck)

    def _read(self, event: AnyEvent, number: int, struck: bool) -> None:
        match event:
            case happened.Opened():
                # Pieces that came later are known from the start: only their types are asked for.
                opened = evolve(None, event)
                self._state = msgspec.structs.replace(opened, added=self._end.added)
            case happened.Drawn():
                self._drawn_at = self._now
                spent = happened.Spent(source=event.source, draw=event.draw)
                self._state = evolve(self._now, spent)
            case happened.Spent() | happened.Shuffled() | happened.Reread():
                self._state = evolve(self._now, event)
            case Judged():
                self._judged(event, number, struck)
            case happened.HitsCounted():
                self._counted(event, number, struck)
            case _ if struck:
                pass
            case happened.Recalled(shot=shot, mended=mended, chain=chain):
                self._recalled = shot
                if mended and shot in self._places:
                    self._broke(shot, broke=False)
                self.taken_back |= {self._places.pop(one) for one in chain if one in self._places}
            case happened.Tested(shot=shot, broken=True) if shot.id in self._places:
                self._broke(shot.id, broke=True)
            case _ if isinstance(event, _BEARS_ON_CHANCES):
                self._state = evolve(self._now, event)

    def _broke(self, shot: int, *, broke: bool) -> None:
        place = self._places[shot]
        self.rows[place] = msgspec.structs.replace(self.rows[place], broke=broke)

    @property
    def _now(self) -> State:
        assert self._state is not None
        return self._state

    def _judged(self, event: Judged, number: int, struck: bool) -> None:
        shot = event.shot
        anew = event.second or self._recalled == shot.id
        if not anew or shot.id not in self._origins:
            self._origins[shot.id] = _Origin(number, self._drawn_at or self._now)
        if struck:
            self._places.pop(shot.id, None)
            return
        if shot.piece not in self._known:
            return
        try:
            row = self._row(event, self._origins[shot.id])
        except (ValueError, LookupError):
            return  # what it was fired with was made void since: no number exists for it
        if anew and shot.id in self._places:
            place = self._places[shot.id]
            self.rows[place] = msgspec.structs.replace(row, broke=self.rows[place].broke)
        else:
            self._places[shot.id] = len(self.rows)
            self.rows.append(row)

    def _counted(self, event: happened.HitsCounted, number: int, struck: bool) -> None:
        """A counted volley: its shots had the chance of the first, as cards of one deck have."""
        shot, anew = event.shot, self._recalled == event.shot.id
        if not anew or shot.id not in self._origins:
            self._origins[shot.id] = _Origin(number, self._now)
        if struck or shot.piece not in self._known:
            return
        old = [at for at, row in enumerate(self.rows) if row.counted and row.shot.id == shot.id]
        at, until = (old[0], old[-1] + 1) if anew and old else (len(self.rows), len(self.rows))
        shots = [self._row(one, self._origins[shot.id]) for one in each(event)]
        self.rows[at:until] = [
            msgspec.structs.replace(row, broke=nth >= len(shots) - event.broken, counted=True)
            for nth, row in enumerate(shots)
        ]
        self._places = {row.shot.id: at for at, row in enumerate(self.rows) if not row.counted}

    def _row(self, event: Judged, origin: _Origin) -> FiredShot:
        shot, side, then = event.shot, piece_side(event.shot.piece), origin.before
        known = pack_of(then, side, self._knowledge)
        found = one_shot(aim_of(then, shot), known.pack)
        return FiredShot(
            number=origin.number,
            turn=then.clock.turn,
            side=side,
            shot=shot,
            unit=then.unit_of(shot.piece),
            hits=found.hits,
            saves=found.by_cover + found.by_hull_down,
            of=found.of,
            breaks=found.broken,
            hit=event.hit,
            saved=event.saved_by is not None,
            note=known.note,
        )
