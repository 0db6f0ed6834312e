"""What only the journal of a battle records: its valid shots with their last verdicts, and the
turns in which pieces were lost, entered and exited. The state has who is lost, but not when."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.events import AnyEvent, HitsCounted, Judged
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders.counted_volley import single_shots
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.journal import Play

_DECK_EVENTS = (events.Spent, events.Shuffled, events.Reread)
"""Events that change a deck, besides draws: the chance of a later shot of the same entry depends on
them."""


class JudgedShot(msgspec.Struct, frozen=True, kw_only=True):
    """A valid shot with its last verdict."""

    entry_number: int
    """The entry in which it was fired."""
    state_before: State
    """The battle before its draw."""
    judged: Judged
    broke: bool = False
    """Whether its weapon broke down."""
    counted: bool = False
    """Whether it is one of a volley of which only the number of hits is known."""

    @property
    def side(self) -> str:
        """The side that fired it."""
        return piece_side(self.judged.shot.piece)


class JournalFacts:
    """What the journal records and the state does not: the valid ``shots``, and by piece the turn
    and the entry of its last loss, if it was not put back, and the turns in which it last entered
    and exited.

    A screen that shows them during a battle keeps them and lets them ``read_on`` after each order:
    to read the whole journal again would take longer with every turn."""

    def __init__(self, play: BattlePlay) -> None:
        self._reset()
        self.read_on(play)

    def _reset(self) -> None:
        """Forget what was read."""
        self._piece_ids: set[str] = set()
        """The ids of all pieces that there are in the battle now."""
        self.loss_turn: dict[str, int] = {}
        self.loss_entry: dict[str, int] = {}
        self.entering_turn: dict[str, int] = {}
        self.exit_turn: dict[str, int] = {}
        self._shots: dict[int, list[JudgedShot]] = {}
        """The shots by their number; those of a counted volley have one number."""
        # The opening, which is number 1, has no shot and no loss, so it counts as read.
        self._acts_read = 1
        self._last_number_read = 1
        self._void_when_read: frozenset[int] = frozenset()

    def read_on(self, play: BattlePlay) -> None:
        """Read what has been added to the journal of the same battle; all of it anew, if an order
        that was read is undone or void by now."""
        acts = play.acts
        if not self._is_continued_by(play):
            self._reset()
        self._piece_ids = {piece.id for piece in play.state.pieces()}
        last_read = self._acts_read - 1
        # In pairs, since the state before an entry is the one that the entry before it left. The
        # ``acts`` of a play are its entries without those that were undone.
        for previous, act in pairwise(acts[last_read:]):
            # ``Play`` is named, since a play as its viewer sees it overrides the method, and would
            # return the state as it is shown to him.
            before = Play.state_after(play, previous.number)
            has_happened = act.kind != "void" and act.number not in play.struck
            if before is not None and has_happened:
                self._read_entry(act, before)
        self._acts_read, self._last_number_read = len(acts), acts[-1].number
        self._void_when_read = play.struck

    def _is_continued_by(self, play: BattlePlay) -> bool:
        """Whether all that was read still stands in this journal, with the same lines void."""
        if len(play.acts) < self._acts_read or play.struck != self._void_when_read:
            return False
        return play.acts[self._acts_read - 1].number == self._last_number_read

    def _read_entry(self, entry: BattleEntry, before: State) -> None:
        """Note the facts of an entry. Each of its shots is judged in the state before its own draw:
        the decks go on with the draws, and everything else stays as it was before the entry."""
        reading = _EntryBeingRead(number=entry.number, state=before, before_draw=before)
        for event in entry.events:
            if isinstance(event, events.DrawMade):
                reading.before_draw = reading.state
                spent = events.Spent(source=event.source, draw=event.draw)
                reading.state = spent.apply(reading.state)
            elif isinstance(event, _DECK_EVENTS):
                reading.state = event.apply(reading.state)
            else:
                self._read_event(event, reading)

    @property
    def shots(self) -> list[JudgedShot]:
        """All valid shots, in the order in which they were fired."""
        all_shots: list[JudgedShot] = []
        for shots in self._shots.values():
            all_shots += shots
        return all_shots

    def of_side(self, side: str) -> list[JudgedShot]:
        """The shots of a side, in the order in which they were fired."""
        return [shot for shot in self.shots if shot.side == side]

    @property
    def broken_down(self) -> set[str]:
        """The pieces whose weapon broke down."""
        return {shot.judged.shot.piece for shot in self.shots if shot.broke}

    def _read_event(self, event: AnyEvent, reading: _EntryBeingRead) -> None:
        """Note the shot or the loss of an event, or the pieces that entered or exited by it."""
        turn = reading.state.clock.turn
        match event:
            case Judged():
                self._add_shot(event, reading)
            case HitsCounted():
                self._add_volley(event, reading)
            case events.Recalled():
                reading.recalled = event.shot
                if event.mended:
                    self._note_breakdown(event.shot, broke=False)
                # The repeat shots after it did not happen.
                for repeat_shot in event.chain:
                    self._shots.pop(repeat_shot, None)
                for piece in event.back:
                    self._forget_loss(piece)
            case events.Tested(shot=shooting, broken=True):
                self._note_breakdown(shooting.id, broke=True)
            case events.Lost(piece=piece, credit=credit) if piece in self._piece_ids:
                # A shot judged again in a later turn killed in its own turn.
                if credit is not None:
                    turn = credit.turn
                self.loss_turn[piece] = turn
                self.loss_entry[piece] = reading.number
            case events.Entered(pieces=pieces):
                self.entering_turn |= dict.fromkeys(pieces, turn)
            case events.Exited(pieces=pieces):
                self.exit_turn |= dict.fromkeys(pieces, turn)
            case events.PieceRestored(piece=piece):
                self._forget_loss(piece)

    def _forget_loss(self, piece: str) -> None:
        """Forget the loss of a piece that was put back."""
        self.loss_turn.pop(piece, None)
        self.loss_entry.pop(piece, None)

    def _note_breakdown(self, shot: int, *, broke: bool) -> None:
        """Note that the weapon of a shot broke down, or that it did not after all."""
        judged_shots = self._shots.get(shot, [])
        if judged_shots:
            self._shots[shot] = [replace(judged_shot, broke=broke) for judged_shot in judged_shots]

    def _add_shot(self, judged: Judged, reading: _EntryBeingRead) -> None:
        """A shot, or a new verdict of one that was fired before."""
        # A new verdict on an old number is that of a new shot, unless it is the second draw of the
        # same shot, after a breakdown, or its verdict as it is judged again.
        if not judged.second and not reading.judges_again(judged):
            self._forget_former(judged)
        if not self._is_real(judged.shot.piece, reading.state):
            return
        earlier = self._shots.get(judged.shot.id, [])
        firing = _when_fired(earlier, _Firing(reading.number, reading.before_draw))
        shot = JudgedShot(
            entry_number=firing.entry_number,
            state_before=firing.state_before,
            judged=judged,
            broke=any(verdict.broke for verdict in earlier),
        )
        self._shots[judged.shot.id] = [shot]

    def _add_volley(self, counted: HitsCounted, reading: _EntryBeingRead) -> None:
        """Each shot of a counted volley by itself; the last ones are those that broke down."""
        if not reading.judges_again(counted):
            self._forget_former(counted)
        earlier = self._shots.get(counted.shot.id, [])
        firing = _when_fired(earlier, _Firing(reading.number, reading.state))
        verdicts = list(single_shots(counted))
        unbroken = len(verdicts) - counted.broken
        shots = []
        for index, judged in enumerate(verdicts):
            if self._is_real(judged.shot.piece, reading.state):
                shot = JudgedShot(
                    entry_number=firing.entry_number,
                    state_before=firing.state_before,
                    judged=judged,
                    broke=index >= unbroken,
                    counted=True,
                )
                shots.append(shot)
        self._shots[counted.shot.id] = shots

    def _forget_former(self, new: Judged | HitsCounted) -> None:
        """Forget a former shot with the number of a new one: it was made void, and later facts
        about this number apply to the new one."""
        self._shots.pop(new.shot.id, None)

    def _is_real(self, piece: str, state: State) -> bool:
        """Whether a shooter exists. The line that added him may be void by now, and then his name
        may be that of somebody who was added later, whom the ``state`` of the verdict does not
        know."""
        return piece in self._piece_ids and state.knows(piece)


@dataclass
class _EntryBeingRead:
    """How far an entry has been read."""

    number: int
    state: State
    """The battle before the entry, with the decks as its draws have left them so far."""
    before_draw: State
    """The same before the last of these draws."""
    recalled: int | None = None
    """The shot whose verdict the entry has taken back, to judge it again."""

    def judges_again(self, event: Judged | HitsCounted) -> bool:
        """Whether the event is the new verdict of the shot that was recalled."""
        return event.shot.id == self.recalled


class _Firing(NamedTuple):
    """When a shot was fired."""

    entry_number: int
    state_before: State


def _when_fired(earlier: list[JudgedShot], present: _Firing) -> _Firing:
    """When a shot was fired which is judged in the ``present`` entry. If it has ``earlier``
    verdicts, it was fired at the time of these."""
    if not earlier:
        return present
    first = earlier[0]
    # The new verdict may name another shooter, and that piece may have been added since.
    state = replace(first.state_before, added=present.state_before.added)
    return _Firing(first.entry_number, state)
