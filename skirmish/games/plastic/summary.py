"""What a battle comes to: who won, who lost what, who did it with what, turn by turn. What was
taken back, made void or judged anew counts as the players left it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import HitsCounted, Judged
from skirmish.games.plastic.battle.names import piece_code, piece_side
from skirmish.games.plastic.battle.orders.rejudge import UNSEEN, each
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import break_alarm, side_strength
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.battle.state import Credit, State
from skirmish.games.plastic.rules.army import Army


class UnitLoss(msgspec.Struct, frozen=True, kw_only=True):
    """Each piece as what it joined as. ``by_hand``: written off without a shot; ``waiting``: not
    come on yet; ``pdg`` and ``points`` of the lost."""

    unit: str
    name: str
    total: int
    lost: int
    by_hand: int
    exited: int
    waiting: int
    pdg: int
    points: int

    @property
    def left(self) -> int:
        return self.total - self.lost - self.exited - self.waiting


class Kills(msgspec.Struct, frozen=True, kw_only=True):
    """Of one shooter, type of unit or weapon; riders that died count."""

    name: str
    shots: int = 0
    hits: int = 0
    guys: int = 0
    models: int = 0
    pdg: int = 0
    points: int = 0


class SideSummary(msgspec.Struct, frozen=True, kw_only=True):
    """``broke`` counts weapons, ``exit_value`` what left for victory; ``points`` is what its losses
    cost. ``by_piece`` has only those that killed."""

    side: str
    name: str
    people: str
    player: str = ""
    strength: int
    loss: int
    break_at: int
    points: int
    exited: int
    exit_value: int
    shots: int
    hits: int
    broke: int
    losses: tuple[UnitLoss, ...]
    by_unit: tuple[Kills, ...]
    by_weapon: tuple[Kills, ...]
    by_piece: tuple[Kills, ...]


class TurnLoss(msgspec.Struct, frozen=True, kw_only=True):
    """By side id. The turns of a summary run from 1 without a gap."""

    turn: int
    pieces: dict[str, int]
    pdg: dict[str, int]


class RepeatChain(msgspec.Struct, frozen=True, kw_only=True):
    """Hits in a row by one piece with repeat fire."""

    side: str
    name: str
    hits: int
    turn: int


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """``winner`` is None for a draw or while it goes on; ``scenario`` in the basic game."""

    title: str
    scenario: int | None
    over: bool
    winner: str | None
    reason: str
    turn: int
    sides: tuple[SideSummary, SideSummary]
    turns: tuple[TurnLoss, ...]
    chain: RepeatChain | None


def summary(play: BattlePlay) -> Summary:
    state = play.state
    setup, outcome = state.setup, state.outcome
    told = Deeds(play)
    one, other = (_side(state, told, side.id) for side in setup.sides)
    return Summary(
        title=setup.title,
        scenario=setup.scenario.number if setup.scenario else None,
        over=outcome is not None,
        winner=outcome.winner if outcome else None,
        reason=outcome.reason if outcome else "",
        turn=state.clock.turn,
        sides=(one, other),
        turns=tuple(_turns(state, told)),
        chain=_chain(state, told),
    )


def prices(setup: Setup, side: str) -> dict[str, int]:
    catalog = setup.catalog
    for place, one in enumerate(setup.sides):
        if one.id == side and place < len(setup.armies):
            army = Army(setup.armies[place], catalog, setup.rulings)
            return {unit: army.price(unit) for unit in catalog.units}
    return {name: unit.price for name, unit in catalog.units.items()}


# ------------------------------------------------------------------ a side


def _side(state: State, told: Deeds, side: str) -> SideSummary:
    setup = state.setup
    known = setup.side_by_id[side]
    losses = tuple(_losses(state, side))
    shots = [judged for _, judged in told.shots() if piece_side(judged.shot.piece) == side]
    return SideSummary(
        side=side,
        name=known.name,
        people=known.people,
        player=known.player,
        strength=side_strength(state, side),
        loss=state.loss.get(side, 0),
        break_at=break_alarm(state, side),
        points=sum(row.points for row in losses),
        exited=sum(row.exited for row in losses),
        exit_value=sum(v for piece, v in state.exited.items() if piece_side(piece) == side),
        shots=len(shots),
        hits=sum(judged.hit for judged in shots),
        broke=told.broke[side],
        losses=losses,
        by_unit=_kills(state, side, shots, lambda piece, _: _unit_name(state, piece)),
        by_weapon=_kills(state, side, shots, lambda _, weapon: _weapon_name(setup, weapon)),
        by_piece=tuple(
            row
            for row in _kills(state, side, shots, lambda piece, _: _piece_name(state, piece), True)
            if row.guys or row.models
        ),
    )


def _losses(state: State, side: str) -> Iterator[UnitLoss]:
    price = prices(state.setup, side)
    own: dict[str, list[str]] = {unit: [] for unit in state.setup.catalog.units}
    for piece in state.pieces():
        if piece.side == side:
            own[piece.unit].append(piece.id)
    for unit, pieces in own.items():
        lost = [piece for piece in pieces if piece in state.lost]
        exited = [piece for piece in pieces if piece in state.exited and piece not in state.lost]
        if pieces:
            yield UnitLoss(
                unit=unit,
                name=state.setup.unit(unit).name,
                total=len(pieces),
                lost=len(lost),
                by_hand=sum(state.lost[piece] is None for piece in lost),
                exited=len(exited),
                waiting=sum(piece in state.waiting and state.is_up(piece) for piece in pieces),
                pdg=sum(state.worth_lost.get(piece, 0) for piece in lost),
                points=price[unit] * len(lost),
            )


def _kills(
    state: State,
    side: str,
    shots: Iterable[Judged],
    called: Callable[[str, str], str],
    known: bool = False,
) -> tuple[Kills, ...]:
    """By what ``called(piece, weapon)`` makes of them; only of ``known`` shooters, as they are not
    in a counted volley."""
    setup = state.setup
    price = prices(setup, setup.enemy_of(side).id)
    sums: dict[str, Counter[str]] = {}
    for judged in shots:
        if known and judged.draw == UNSEEN:
            continue
        row = sums.setdefault(called(judged.shot.piece, judged.shot.weapon), Counter())
        row["shots"] += 1
        row["hits"] += judged.hit
    for victim, credit in killed(state):
        if piece_side(credit.piece) == side and (credit.draw or not known):
            row = sums.setdefault(called(credit.piece, credit.weapon), Counter())
            row["guys" if setup.unit(victim.unit).is_guy else "models"] += 1
            row["pdg"] += state.worth_lost.get(victim.id, 0)
            row["points"] += price[victim.unit]
    rows = [Kills(name=name, **row) for name, row in sums.items()]
    return tuple(sorted(rows, key=lambda row: (-row.pdg, -row.points, -row.hits, row.name)))


def _turns(state: State, told: Deeds) -> Iterator[TurnLoss]:
    sides = [side.id for side in state.setup.sides]
    last = max([state.clock.turn, *told.lost_in.values()])
    for turn in range(1, last + 1):
        fell = [p for p, when in told.lost_in.items() if when == turn and p in state.lost]
        yield TurnLoss(
            turn=turn,
            pieces={side: sum(piece_side(p) == side for p in fell) for side in sides},
            pdg={
                side: sum(state.worth_lost.get(p, 0) for p in fell if piece_side(p) == side)
                for side in sides
            },
        )


def _chain(state: State, told: Deeds) -> RepeatChain | None:
    best = told.longest_chain()
    if best is None:
        return None
    hits, turn, judged = best
    piece = judged.shot.piece
    return RepeatChain(side=piece_side(piece), name=_piece_name(state, piece), hits=hits, turn=turn)


# ------------------------------------------------------------------ names


def _unit_name(state: State, piece: str) -> str:
    return state.setup.unit(state.piece(piece).unit).name


def _piece_name(state: State, piece: str) -> str:
    return f"{state.setup.unit(state.piece(piece).unit).short} {piece_code(piece)}"


def _weapon_name(setup: Setup, weapon: str) -> str:
    known = setup.catalog.weapons.get(weapon)
    return known.name if known else weapon


# ------------------------------------------------------------------ what the state does not hold


class Deeds:
    """``lost_in`` is the turn in which a piece was lost last, if it still is."""

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
        if self._shots.get(shot):
            _, last = self._shots[shot].pop()
            self.broke[piece_side(last.shot.piece)] -= getattr(last, "broken", 0)

    def _stand(self, pieces: Iterable[str]) -> None:
        for piece in pieces:
            self.lost_in.pop(piece, None)

    def shots(self) -> Iterator[tuple[int, Judged]]:
        for number in sorted(self._shots):
            for turn, judged in self._shots[number]:
                if judged.shot.piece not in self._known:
                    continue
                if isinstance(judged, Judged):
                    yield turn, judged
                else:
                    yield from ((turn, one) for one in each(judged))

    def longest_chain(self) -> tuple[int, int, Judged] | None:
        """With turn and last hit; the first of equals."""
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
    """By the enemy's fire, and who did it. A breakdown is nobody's kill."""
    known = {piece.id: piece for piece in state.pieces()}
    for name, credit in state.lost.items():
        if credit is not None and not credit.breakdown and {name, credit.piece} <= known.keys():
            yield known[name], credit
