"""The result of a battle: the winner, losses, kills by shooter and weapon, turn by turn; and all
battles together: wins by scenario, and each unit's return for its price. Shots taken back, made
void or judged again count as corrected."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from itertools import pairwise
from math import inf
from operator import itemgetter

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent, HitsCounted, Judged
from skirmish.games.plastic.battle.names import piece_code, piece_side
from skirmish.games.plastic.battle.orders.rejudge import UNSEEN, each
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import break_alarm, side_strength
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.battle.state import Credit, State
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.scenarios.scenario import DestroyThenExit, ExitTable
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import Note, Page, Paragraph, table


class UnitLoss(msgspec.Struct, frozen=True, kw_only=True):
    """Each piece counts as its original unit. ``by_hand``: removed without a shot; ``waiting``: not
    entered yet; ``broken``: alive, but its weapon broke down, so that it fights on as another unit;
    ``pdg`` and ``points`` of the lost."""

    unit: str
    name: str
    total: int
    lost: int
    by_hand: int
    exited: int
    waiting: int
    pdg: int
    points: int
    broken: int = 0

    @property
    def left(self) -> int:
        return self.total - self.lost - self.exited - self.waiting - self.broken


class Kills(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    shots: int = 0
    hits: int = 0
    guys: int = 0
    models: int = 0
    pdg: int = 0
    points: int = 0


class SideSummary(msgspec.Struct, frozen=True, kw_only=True):
    """``broke`` counts weapons, ``exit_value`` is the value exited for victory; ``points`` is the
    price of its losses. ``by_piece`` only has pieces with kills."""

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
    """By side id. The turns of a summary run from 1 without gaps."""

    turn: int
    pieces: dict[str, int]
    pdg: dict[str, int]


class RepeatChain(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive hits by one piece with repeat fire."""

    side: str
    name: str
    hits: int
    turn: int


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """``winner`` is None for a draw or an unfinished battle; ``scenario`` in the basic game."""

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
    facts = JournalFacts(play)
    one, other = (_side(state, facts, side.id) for side in setup.sides)
    return Summary(
        title=setup.title,
        scenario=setup.scenario.number if setup.scenario else None,
        over=outcome is not None,
        winner=outcome.winner if outcome else None,
        reason=outcome.reason if outcome else "",
        turn=state.clock.turn,
        sides=(one, other),
        turns=tuple(_turns(state, facts)),
        chain=_chain(state, facts),
    )


def prices(setup: Setup, side: str) -> dict[str, int]:
    catalog = setup.catalog
    for one, listed in zip(setup.sides, setup.armies, strict=False):
        if one.id == side:
            army = Army(listed, catalog, setup.rulings)
            return {unit: army.price(unit) for unit in catalog.units}
    return {name: unit.price for name, unit in catalog.units.items()}


# ------------------------------------------------------------------ a side


def _side(state: State, facts: JournalFacts, side: str) -> SideSummary:
    setup = state.setup
    known = setup.side_by_id[side]
    losses = tuple(_losses(state, side, facts.broken_down))
    own, weapons = facts.of_side(side), setup.catalog.weapons
    shots = [shot.judged for shot in own]

    def kills(named: Callable[[str, str], str], known: bool = False) -> tuple[Kills, ...]:
        return _kills(state, side, shots, named, known)

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
        broke=sum(shot.broke for shot in own),
        losses=losses,
        by_unit=kills(lambda piece, _: setup.unit(state.piece(piece).unit).name),
        by_weapon=kills(lambda _, one: weapons[one].name if one in weapons else one),
        by_piece=tuple(
            row
            for row in kills(lambda piece, _: _piece_name(state, piece), known=True)
            if row.guys or row.models
        ),
    )


def _losses(state: State, side: str, broken: Set[str]) -> Iterator[UnitLoss]:
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
                broken=sum(piece in broken and _fights_on(state, piece) for piece in pieces),
            )


def _fights_on(state: State, piece: str) -> bool:
    """Whether a piece is on the table as another unit than at first."""
    there = state.is_up(piece) and piece not in state.waiting
    return there and state.unit_of(piece) != state.piece(piece).unit


def _kills(
    state: State,
    side: str,
    shots: Iterable[Judged],
    called: Callable[[str, str], str],
    known: bool = False,
) -> tuple[Kills, ...]:
    """Grouped by ``called(piece, weapon)``; only for ``known`` shooters, unlike those of a counted
    volley."""
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


def _turns(state: State, facts: JournalFacts) -> Iterator[TurnLoss]:
    sides = [side.id for side in state.setup.sides]
    last = max([state.clock.turn, *facts.lost_in.values()])
    for turn in range(1, last + 1):
        fell = [p for p, when in facts.lost_in.items() if when == turn and p in state.lost]
        yield TurnLoss(
            turn=turn,
            pieces={side: sum(piece_side(p) == side for p in fell) for side in sides},
            pdg={
                side: sum(state.worth_lost.get(p, 0) for p in fell if piece_side(p) == side)
                for side in sides
            },
        )


def crossings(play: BattlePlay) -> dict[tuple[str, str, str], dict[int, list[str]]]:
    """The pieces that came on (``entry``) and went off (``exit``), by side, way and where, and by
    turn; nobody who was put back since. Where: the edge or zone that the scenario names, if any."""
    state, facts = play.state, JournalFacts(play)
    scenario = state.setup.scenario
    ends = {(one.side, "exit"): one.way_out for one in (scenario.victory,)
            if isinstance(one, ExitTable | DestroyThenExit)} if scenario else {}  # fmt: skip
    found: dict[tuple[str, str, str], dict[int, list[str]]] = {}
    for piece, turn in sorted(facts.entered_in.items(), key=itemgetter(1)):
        if state.knows(piece) and piece not in state.waiting:
            by = state.setup.contingent_by_id[state.piece(piece).contingent].by
            edge = re.search(r"\b[NESW](?= edge)", by)
            key = piece_side(piece), "entry", edge[0] if edge else ""
            found.setdefault(key, {}).setdefault(turn, []).append(piece)
    for piece, turn in sorted(facts.exited_in.items(), key=itemgetter(1)):
        if piece in state.exited:
            way = piece_side(piece), "exit"
            found.setdefault((*way, ends.get(way, "")), {}).setdefault(turn, []).append(piece)
    return found


def _chain(state: State, facts: JournalFacts) -> RepeatChain | None:
    best: RepeatChain | None = None
    running: dict[str, int] = {}
    for one in facts.shots:
        piece = one.judged.shot.piece
        before = running.get(piece, 0) if one.judged.shot.nth > 1 else 0
        hits = running[piece] = before + 1 if one.judged.hit else 0
        if hits > (best.hits if best else 1):
            turn, name = one.before.clock.turn, _piece_name(state, piece)
            best = RepeatChain(side=one.side, name=name, hits=hits, turn=turn)
    return best


def _piece_name(state: State, piece: str) -> str:
    return f"{state.setup.unit(state.piece(piece).unit).short} {piece_code(piece)}"


# ------------------------------------------------------------------ what the state does not hold


_OF_DECKS = {happened.Spent, happened.Shuffled, happened.Reread}
"""Without these, and draws, the chance of a later shot of the same entry would be another."""


class JudgedShot(msgspec.Struct, frozen=True, kw_only=True):
    """A valid shot with its last verdict. ``number`` is the entry of its own draw, ``before`` the
    state before that. ``counted``: one of a volley with only the hits known."""

    number: int
    before: State
    judged: Judged
    broke: bool = False
    counted: bool = False

    @property
    def side(self) -> str:
        return piece_side(self.judged.shot.piece)


class JournalFacts:
    """``lost_in`` is the turn of a piece's last loss, if it is still lost; ``entered_in`` and
    ``exited_in`` are those of its last entry and exit."""

    def __init__(self, play: BattlePlay) -> None:
        self.lost_in: dict[str, int] = {}
        self.entered_in: dict[str, int] = {}
        self.exited_in: dict[str, int] = {}
        self._known = {piece.id for piece in play.state.pieces()}
        self._state = self._drawn_at = play.state
        self._recalled: int | None = None
        self._shots: dict[int, list[JudgedShot]] = {}
        struck = play.struck
        for last, act in pairwise(play.acts):
            before = Play.state_after(play, last.number)  # also of what a viewer does not see
            if before is None or act.kind == "void" or act.number in struck:
                continue
            self._state, self._recalled = before, None
            for event in act.events:
                if isinstance(event, happened.DrawMade):
                    self._drawn_at = self._state
                    spent = happened.Spent(source=event.source, draw=event.draw)
                    self._state = spent.apply(self._state)
                elif type(event) in _OF_DECKS:
                    self._state = event.apply(self._state)
                else:
                    self._read(event, act.number)

    @property
    def shots(self) -> list[JudgedShot]:
        return [shot for shots in self._shots.values() for shot in shots]

    def of_side(self, side: str) -> list[JudgedShot]:
        return [shot for shot in self.shots if shot.side == side]

    def _read(self, event: AnyEvent, number: int) -> None:
        match event:
            case Judged() | HitsCounted():
                self._judged(event, number)
            case happened.Recalled(shot=shot, back=back, mended=mended, chain=chain):
                self._recalled = shot
                if mended:
                    self._break_down(shot, broke=False)
                for one in chain:
                    self._shots.pop(one, None)
                for piece in back:
                    self.lost_in.pop(piece, None)
            case happened.Tested(shot=shooting, broken=True):
                self._break_down(shooting.id, broke=True)
            case happened.Lost(piece=piece, credit=credit) if piece in self._known:
                # A shot judged again later killed in its own turn.
                now = self._state.clock.turn
                self.lost_in[piece] = now if credit is None else credit.turn
            case happened.Entered(pieces=pieces):
                self.entered_in |= dict.fromkeys(pieces, self._state.clock.turn)
            case happened.Exited(pieces=pieces):
                self.exited_in |= dict.fromkeys(pieces, self._state.clock.turn)
            case happened.Stood(piece=piece):
                self.lost_in.pop(piece, None)

    @property
    def broken_down(self) -> set[str]:
        """The pieces whose weapon broke down."""
        return {shot.judged.shot.piece for shot in self.shots if shot.broke}

    def _break_down(self, shot: int, *, broke: bool) -> None:
        if shot in self._shots:
            self._shots[shot] = [replace(one, broke=broke) for one in self._shots[shot]]

    def _judged(self, event: Judged | HitsCounted, number: int) -> None:
        """If a number occurs twice, because a shot was made void and another took its number, later
        facts apply to the later one."""
        shot, counted = event.shot, isinstance(event, HitsCounted)
        before = self._shots.get(shot.id)
        if self._recalled != shot.id and not getattr(event, "second", False):
            before = None
            self._shots.pop(shot.id, None)
        if shot.piece not in self._known:
            return
        state = self._state if counted else self._drawn_at
        at = (before[0].number, before[0].before) if before else (number, state)
        every = list(each(event)) if isinstance(event, HitsCounted) else [event]
        whole = len(every) - event.broken if isinstance(event, HitsCounted) else len(every)
        broke = not counted and any(one.broke for one in before or ())
        self._shots[shot.id] = [
            JudgedShot(
                number=at[0], before=at[1], judged=one, broke=broke or nth >= whole, counted=counted
            )
            for nth, one in enumerate(every)
        ]


def killed(state: State) -> Iterator[tuple[Piece, Credit]]:
    """The pieces killed by the enemy's fire, with the shooter. A breakdown is nobody's kill."""
    known = {piece.id: piece for piece in state.pieces()}
    for name, credit in state.lost.items():
        if credit is not None and not credit.breakdown and {name, credit.piece} <= known.keys():
            yield known[name], credit


# ------------------------------------------------------------------ all battles together


BASIC_GAME = "Army against army"


class ScenarioTotal(msgspec.Struct, kw_only=True):
    """``wins`` by the name of a side; ``scenario`` is None for army against army."""

    scenario: int | None
    title: str
    battles: int = 0
    wins: dict[str, int] = msgspec.field(default_factory=Counter)
    draws: int = 0


class UnitTotal(msgspec.Struct, frozen=True, kw_only=True):
    """The number fielded and their price, and the points of the enemies killed per point spent;
    ``ratio`` is None if nothing was spent."""

    name: str
    count: int
    spent: int
    killed: int
    ratio: float | None


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    battles: int
    scenarios: tuple[ScenarioTotal, ...]
    units: tuple[UnitTotal, ...]


def totals(states: Iterable[State]) -> Totals:
    fought: dict[float, ScenarioTotal] = {}
    units: dict[str, Counter[str]] = {}
    for state in states:
        setup, outcome = state.setup, state.outcome
        if outcome is None:
            continue
        found = setup.scenario
        number, title = (found.number, found.title) if found else (None, BASIC_GAME)
        one = fought.setdefault(number or inf, ScenarioTotal(scenario=number, title=title))
        one.title = title
        one.battles += 1
        one.draws += outcome.winner is None
        for side in setup.sides:
            one.wins[side.people] += side.id == outcome.winner
        _spend(state, units)
    rows = [
        UnitTotal(
            name=name,
            ratio=round(row["killed"] / row["spent"], 2) if row["spent"] else None,
            **row,
        )
        for name, row in units.items()
    ]
    return Totals(
        battles=sum(one.battles for one in fought.values()),
        scenarios=tuple(fought[number] for number in sorted(fought)),
        units=tuple(sorted(rows, key=lambda row: (-(row.ratio or 0), -row.killed, row.name))),
    )


def _spend(state: State, units: dict[str, Counter[str]]) -> None:
    """Each piece counts as its original unit; those that never entered were not fielded."""
    setup = state.setup
    price = {side.id: prices(setup, side.id) for side in setup.sides}
    for piece in state.pieces():
        if piece.id not in state.waiting or not state.is_up(piece.id):
            row = units.setdefault(setup.unit(piece.unit).name, Counter(count=0, spent=0, killed=0))
            row.update(count=1, spent=price[piece.side][piece.unit])
    for victim, credit in killed(state):
        by = setup.unit(state.piece(credit.piece).unit).name
        if piece_side(credit.piece) != victim.side and by in units:
            units[by]["killed"] += price[victim.side][victim.unit]


def totals_page(found: Totals) -> Page:
    if not found.battles:
        return Page("Totals", (Paragraph("No battle has been finished yet."),))
    fought = [
        ("" if one.scenario is None else str(one.scenario), one.title, str(one.battles), _won(one))
        for one in found.scenarios
    ]
    units = [
        (unit.name, str(unit.count), str(unit.spent), str(unit.killed),
         "–" if unit.ratio is None else f"{unit.ratio:.2f}")
        for unit in found.units
    ]  # fmt: skip
    some = f"{found.battles} finished battle{'' if found.battles == 1 else 's'}."
    legend = "Spent and Killed are in points; Per point is points killed for each point spent."
    return Page("Totals", (
        Paragraph(some),
        table(("", "Scenario", "Played", "Won by"), fought, numbers=(0, 2)),
        table(("Unit", "Fielded", "Spent", "Killed", "Per point"), units, numbers=range(1, 5)),
        Note(legend),
    ))  # fmt: skip


def _won(one: ScenarioTotal) -> str:
    won = [f"{people} {wins}" for people, wins in one.wins.items()]
    return ", ".join([*won, f"nobody {one.draws}"] if one.draws else won)
