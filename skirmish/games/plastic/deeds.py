"""What the state of a battle does not keep: each shot as it was judged last, when pieces fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import HitsCounted, Judged
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rejudge import each
from skirmish.games.plastic.battle.setup import Piece
from skirmish.games.plastic.battle.state import Credit, State


class Deeds:
    """What the entries that stand tell. ``lost_in`` is the turn in which a piece was lost last, if
    it still is; ``broke`` counts the weapons of each side that broke down."""

    def __init__(self, play: BattlePlay) -> None:
        self._known = {piece.id for piece in play.state.pieces()}
        self._shots: dict[int, list[tuple[int, Judged | HitsCounted]]] = {}
        self.lost_in: dict[str, int] = {}
        self.broke: Counter[str] = Counter()
        turn, broken = 1, dict[int, list[str]]()
        for entry in play.live:
            for event in entry.events:
                match event:
                    case happened.TurnEnded(clock=clock) | happened.ClockSet(clock=clock):
                        turn = clock.turn
                    case happened.Judged() | happened.HitsCounted():
                        if getattr(event, "second", False):
                            self._recall(event.shot.id)
                        self.broke[piece_side(event.shot.piece)] += getattr(event, "broken", 0)
                        self._shots.setdefault(event.shot.id, []).append((turn, event))
                    case happened.Recalled(shot=shot, back=back, mended=mended, chain=chain):
                        for number in (*chain[::-1], shot):
                            self._recall(number)
                        if mended:
                            self.broke.subtract([*broken.pop(shot, ())])
                        self._stand(back)
                    case happened.Lost(piece=piece) if piece in self._known:
                        self.lost_in[piece] = turn
                    case happened.Stood(piece=piece):
                        self._stand((piece,))
                    case happened.Tested(broken=True):
                        broken[event.shot.id] = [piece_side(event.shot.piece)]
                        self.broke.update(broken[event.shot.id])

    def _recall(self, shot: int) -> None:
        """The last reading of a shot is void. A number can come twice: once its shot was made void
        and another took it."""
        if self._shots.get(shot):
            _, last = self._shots[shot].pop()
            self.broke[piece_side(last.shot.piece)] -= getattr(last, "broken", 0)

    def _stand(self, pieces: Iterable[str]) -> None:
        for piece in pieces:
            self.lost_in.pop(piece, None)

    def shots(self) -> Iterator[tuple[int, Judged]]:
        """Every shot in the order in which it was fired, with its turn."""
        for number in sorted(self._shots):
            for turn, judged in self._shots[number]:
                if judged.shot.piece not in self._known:
                    continue
                if isinstance(judged, Judged):
                    yield turn, judged
                else:
                    yield from ((turn, one) for one in each(judged))

    def longest_chain(self) -> tuple[int, int, Judged] | None:
        """The most hits in a row within one chain of repeat fire, with turn and last hit; the first
        of equals, None if nobody hit twice in a row."""
        best: tuple[int, int, Judged] | None = None
        running: dict[str, int] = {}
        for turn, judged in self.shots():
            shot = judged.shot
            before = running.get(shot.piece, 0) if shot.nth > 1 else 0
            running[shot.piece] = before + 1 if judged.hit else 0
            if running[shot.piece] > (best[0] if best else 1):
                best = running[shot.piece], turn, judged
        return best


def killed(state: State) -> Iterator[tuple[Piece, Credit]]:
    """Whom the enemy's fire killed, and who did it. A breakdown is nobody's kill; a piece whose
    coming was made void was never there."""
    known = {piece.id: piece for piece in state.pieces()}
    for name, credit in state.lost.items():
        if credit is not None and not credit.breakdown and {name, credit.piece} <= known.keys():
            yield known[name], credit
