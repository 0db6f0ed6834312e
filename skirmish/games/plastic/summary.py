"""The result of a battle: the winner, losses, kills by shooter and weapon, turn by turn; and all
battles together: wins by scenario, and each unit's return for its price. Shots taken back, made
void or judged again count as corrected.

Three parts: ``summary`` of one battle; ``JournalFacts``, what only its journal tells; ``totals``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from itertools import pairwise
from math import inf
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent, HitsCounted, Judged
from skirmish.games.plastic.battle.names import piece_code, piece_side
from skirmish.games.plastic.battle.orders.counted_volley import UNSEEN, single_shots
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.rows import breaking_loss, side_strength
from skirmish.games.plastic.battle.setup import Piece, Setup, Side
from skirmish.games.plastic.battle.state import Credit, State
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.scenarios.scenario import DestroyThenExit, ExitTable
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import Note, Page, Paragraph, table


class UnitLoss(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a unit of a side. Each piece counts as its original unit."""

    unit: str
    name: str
    total: int
    lost: int
    # Removed without a shot.
    by_hand: int
    exited: int
    # Not entered yet.
    waiting: int
    # The strength (potential dead guys) and the price of those lost.
    pdg: int
    points: int
    # Alive, but the weapon broke down, so that they fight on as another unit.
    broken: int = 0

    @property
    def left(self) -> int:
        """How many are on the table with their own weapon."""
        return self.total - self.lost - self.exited - self.waiting - self.broken


class Kills(msgspec.Struct, frozen=True, kw_only=True):
    """What a weapon, a unit or a piece did."""

    name: str
    shots: int = 0
    hits: int = 0
    guys: int = 0
    """The guys killed."""
    models: int = 0
    """The models killed."""
    pdg: int = 0
    """The strength of all killed, in potential dead guys."""
    points: int = 0
    """The price of all killed."""


class SideSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one side. ``strength``, ``loss`` and ``break_at`` are potential dead guys."""

    side: str
    name: str
    people: str
    player: str = ""
    strength: int
    loss: int
    break_at: int
    # The price of its losses.
    points: int
    exited: int
    # What those who exited count for victory.
    exit_value: int
    shots: int
    hits: int
    # Weapons that broke down.
    broke: int
    losses: tuple[UnitLoss, ...]
    by_unit: tuple[Kills, ...]
    by_weapon: tuple[Kills, ...]
    # Only pieces with kills.
    by_piece: tuple[Kills, ...]


class TurnLoss(msgspec.Struct, frozen=True, kw_only=True):
    """What the sides lost in a turn: pieces, and their strength (``pdg``), by side id. The turns of
    a summary run from 1 without gaps."""

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
    """The result of a battle, or how it stands."""

    title: str
    scenario: int | None
    """The number of the scenario; None in the basic game."""
    over: bool
    winner: str | None
    """None for a draw or an unfinished battle."""
    reason: str
    turn: int
    sides: tuple[SideSummary, SideSummary]
    turns: tuple[TurnLoss, ...]
    chain: RepeatChain | None


def summary(play: BattlePlay) -> Summary:
    """The result of a battle, or how it stands."""
    state = play.state
    setup, outcome = state.setup, state.outcome
    number, winner, reason = None, None, ""
    if setup.scenario is not None:
        number = setup.scenario.number
    if outcome is not None:
        winner, reason = outcome.winner, outcome.reason
    facts = JournalFacts(play)
    first, second = (_side(state, facts, side.id) for side in setup.sides)
    return Summary(
        title=setup.title,
        scenario=number,
        over=outcome is not None,
        winner=winner,
        reason=reason,
        turn=state.clock.turn,
        sides=(first, second),
        turns=tuple(_turns(state, facts)),
        chain=_chain(state, facts),
    )


def prices(setup: Setup, side: str) -> dict[str, int]:
    """The price of each unit for a side: in points of its army, or as printed."""
    catalog = setup.catalog
    for own_side, army_list in zip(setup.sides, setup.armies, strict=False):  # scenarios have none
        if own_side.id == side:
            army = Army(army_list, catalog, setup.rulings)
            return {unit: army.price(unit) for unit in catalog.units}
    return {name: unit.price for name, unit in catalog.units.items()}


# ------------------------------------------------------------------ a side


def _side(state: State, facts: JournalFacts, side: str) -> SideSummary:
    """The result of one side, from the state and from what its journal tells."""
    setup = state.setup
    its_side = setup.side_by_id[side]
    losses = tuple(_losses(state, side, facts.broken_down))
    its_shots = facts.of_side(side)
    shots = [shot.judged for shot in its_shots]
    by_piece = _kills(state, side, shots, _piece_name, only_known_shooters=True)
    return SideSummary(
        side=side,
        name=its_side.name,
        people=its_side.people,
        player=_who_commands(state, its_side),
        strength=side_strength(state, side),
        loss=state.loss.get(side, 0),
        break_at=breaking_loss(state, side),
        points=sum(row.points for row in losses),
        exited=sum(row.exited for row in losses),
        exit_value=_exit_value(state, side),
        shots=len(shots),
        hits=sum(judged.hit for judged in shots),
        broke=sum(shot.broke for shot in its_shots),
        losses=losses,
        by_unit=_kills(state, side, shots, _unit_name),
        by_weapon=_kills(state, side, shots, _weapon_name),
        by_piece=tuple(row for row in by_piece if row.guys or row.models),
    )


def _who_commands(state: State, side: Side) -> str:
    """The name of the player, or the program with its character; empty if nobody is named."""
    commander = state.commanders.get(side.id)
    if commander is None or commander.advises:
        return side.player
    return f"the program, {commander.temperament}"


def _exit_value(state: State, side: str) -> int:
    """What those of a side who exited count for victory."""
    total = 0
    for piece, value in state.exited.items():
        if piece_side(piece) == side:
            total += value
    return total


def _losses(state: State, side: str, broken: Set[str]) -> Iterator[UnitLoss]:
    """The losses of a side by original unit; ``broken`` are the pieces whose weapon broke down."""
    price = prices(state.setup, side)
    own: dict[str, list[str]] = {unit: [] for unit in state.setup.catalog.units}
    for piece in state.pieces():
        if piece.side == side:
            own[piece.unit].append(piece.id)
    for unit, pieces in own.items():
        if not pieces:
            continue
        lost = [piece for piece in pieces if piece in state.lost]
        exited = [piece for piece in pieces if piece in state.exited and piece not in state.lost]
        waiting = [piece for piece in pieces if piece in state.waiting and state.is_up(piece)]
        fights_on = [piece for piece in pieces if piece in broken and _fights_on(state, piece)]
        yield UnitLoss(
            unit=unit,
            name=state.setup.unit(unit).name,
            total=len(pieces),
            lost=len(lost),
            by_hand=sum(state.lost[piece] is None for piece in lost),
            exited=len(exited),
            waiting=len(waiting),
            pdg=sum(state.worth_lost.get(piece, 0) for piece in lost),
            points=price[unit] * len(lost),
            broken=len(fights_on),
        )


def _fights_on(state: State, piece: str) -> bool:
    """Whether a piece is on the table as another unit than at first."""
    on_table = state.is_up(piece) and piece not in state.waiting
    return on_table and state.unit_of(piece) != state.piece(piece).unit


def _kills(
    state: State,
    side: str,
    shots: Iterable[Judged],
    called: Callable[[State, str, str], str],
    *,
    only_known_shooters: bool = False,
) -> tuple[Kills, ...]:
    """The kills of a side, grouped by what a piece with a weapon is ``called``. In a counted volley
    nobody knows which of the shooters killed: with ``only_known_shooters`` it is left out."""
    setup = state.setup
    price = prices(setup, setup.enemy_of(side).id)
    # What is counted has the names of the fields of ``Kills``, which is made of it in the end.
    sums: dict[str, Counter[str]] = {}
    for judged in shots:
        if only_known_shooters and judged.draw == UNSEEN:
            continue
        name = called(state, judged.shot.piece, judged.shot.weapon)
        row = sums.setdefault(name, Counter())
        row["shots"] += 1
        row["hits"] += judged.hit
    # By the credit of the loss and not by hits: the defender may give another man.
    for victim, credit in killed(state):
        if piece_side(credit.piece) != side:
            continue
        if only_known_shooters and credit.draw is None:
            continue
        row = sums.setdefault(called(state, credit.piece, credit.weapon), Counter())
        if setup.unit(victim.unit).is_guy:
            row["guys"] += 1
        else:
            row["models"] += 1
        row["pdg"] += state.worth_lost.get(victim.id, 0)
        row["points"] += price[victim.unit]
    rows = [Kills(name=name, **row) for name, row in sums.items()]
    return tuple(sorted(rows, key=_best_first))


def _best_first(row: Kills) -> tuple[int, int, int, str]:
    """The order of the kills: most strength, then points, then hits; of equal ones by name."""
    return -row.pdg, -row.points, -row.hits, row.name


# Three ways to group kills, so that each takes a weapon or a piece of which it has no need.


def _unit_name(state: State, piece: str, weapon: str) -> str:
    """``Tank``: what the piece was at first."""
    del weapon
    return state.setup.unit(state.piece(piece).unit).name


def _weapon_name(state: State, piece: str, weapon: str) -> str:
    """``Machinegun``."""
    del piece
    weapons = state.setup.catalog.weapons
    # The data of an old battle may know it no longer: then its id has to do.
    if weapon not in weapons:
        return weapon
    return weapons[weapon].name


def _piece_name(state: State, piece: str, weapon: str = "") -> str:
    """``Tank T3``."""
    del weapon
    return f"{state.setup.unit(state.piece(piece).unit).short} {piece_code(piece)}"


def _turns(state: State, facts: JournalFacts) -> Iterator[TurnLoss]:
    """The losses of every turn so far; nobody who was put back since."""
    # The players may have set the clock back.
    last = max([state.clock.turn, *facts.lost_in.values()])
    for turn in range(1, last + 1):
        pieces = {side.id: 0 for side in state.setup.sides}
        pdg = dict(pieces)
        for piece, lost_in in facts.lost_in.items():
            if lost_in == turn and piece in state.lost:
                side = piece_side(piece)
                pieces[side] += 1
                pdg[side] += state.worth_lost.get(piece, 0)
        yield TurnLoss(turn=turn, pieces=pieces, pdg=pdg)


Way: TypeAlias = Literal["entry", "exit"]
"""Whether somebody comes onto the table or leaves it."""


class Crossing(NamedTuple):
    """A side that came on or went off, and where: the edge or zone, empty if the scenario names
    none."""

    side: str
    way: Way
    where: str


def crossings(
    play: BattlePlay, facts: JournalFacts | None = None
) -> dict[Crossing, dict[int, list[str]]]:
    """The pieces that came on and went off, by turn; nobody who was put back since. ``facts`` are
    those of the play's journal, for a caller who has read it already."""
    state = play.state
    if facts is None:
        facts = JournalFacts(play)
    crossed: dict[Crossing, dict[int, list[str]]] = {}
    for piece, turn in sorted(facts.entered_in.items(), key=itemgetter(1)):
        if state.knows(piece) and piece not in state.waiting:
            crossing = Crossing(piece_side(piece), "entry", _edge_of_entry(state, piece))
            crossed.setdefault(crossing, {}).setdefault(turn, []).append(piece)
    for piece, turn in sorted(facts.exited_in.items(), key=itemgetter(1)):
        if piece in state.exited:
            side = piece_side(piece)
            crossing = Crossing(side, "exit", _edge_of_exit(state, side))
            crossed.setdefault(crossing, {}).setdefault(turn, []).append(piece)
    return crossed


def _edge_of_entry(state: State, piece: str) -> str:
    """``S``. The set-up only has the edge in words for the players (``S edge``), since an answer of
    theirs may be the whole of it."""
    contingent = state.setup.contingent_by_id[state.piece(piece).contingent]
    edge = re.search(r"\b[NESW](?= edge)", contingent.by)
    if edge is None:
        return ""
    return edge[0]


def _edge_of_exit(state: State, side: str) -> str:
    """``S``, or the zone by which the scenario has a side exit; empty without such terms."""
    scenario = state.setup.scenario
    if scenario is None:
        return ""
    terms = scenario.victory
    if not isinstance(terms, ExitTable | DestroyThenExit) or terms.side != side:
        return ""
    return terms.way_out


def _chain(state: State, facts: JournalFacts) -> RepeatChain | None:
    """The longest run of hits with repeat fire; of equal ones the first. One hit is no run."""
    longest: RepeatChain | None = None
    most = 1
    running: dict[str, int] = {}
    for shot in facts.shots:
        shooting = shot.judged.shot
        piece = shooting.piece
        hits = 0
        if shot.judged.hit:
            hits = 1
            if shooting.nth > 1:  # it goes on from the shot before
                hits += running.get(piece, 0)
        running[piece] = hits
        if hits > most:
            most = hits
            turn, name = shot.before.clock.turn, _piece_name(state, piece)
            longest = RepeatChain(side=shot.side, name=name, hits=hits, turn=turn)
    return longest


# ------------------------------------------------------------------ what the state does not hold


_OF_DECKS = {happened.Spent, happened.Shuffled, happened.Reread}
"""Events that change a deck, besides draws: the chance of a later shot of the same entry depends on
them."""


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
        """The side that fired it."""
        return piece_side(self.judged.shot.piece)


class JournalFacts:
    """What the journal tells and the state does not: the valid shots with their last verdicts, and
    by piece the turns of its last loss, if it is still lost (``lost_in``), of its last entry and of
    its last exit. ``lost_at`` has the numbers of the entries in which pieces were lost last.

    A screen that shows them during a battle keeps them and lets them ``read_on`` after each order:
    to read the whole journal again would take longer with every turn."""

    def __init__(self, play: BattlePlay) -> None:
        self._reset()
        self.read_on(play)

    def _reset(self) -> None:
        """Forget what was read."""
        self.lost_in: dict[str, int] = {}
        self.lost_at: dict[str, int] = {}
        self.entered_in: dict[str, int] = {}
        self.exited_in: dict[str, int] = {}
        self._shots: dict[int, list[JudgedShot]] = {}
        # How far the journal was read: so many acts, the number of the last one, and the orders
        # that were void then. The opening is read by itself, as nothing stands before it.
        self._acts_read = 1
        self._last_read = 1
        self._struck: frozenset[int] = frozenset()

    def read_on(self, play: BattlePlay) -> None:
        """Read what has been added to the journal of the same battle; all of it anew, if an order
        that was read is undone or void by now."""
        acts = play.acts
        undone = len(acts) < self._acts_read or acts[self._acts_read - 1].number != self._last_read
        if undone or play.struck != self._struck:
            self._reset()
        self._piece_ids = {piece.id for piece in play.state.pieces()}
        # In pairs, since the state before an act is the one that the act before it left.
        for last, act in pairwise(acts[self._acts_read - 1 :]):
            before = Play.state_after(play, last.number)  # also of what a viewer does not see
            # Undone and void entries have not happened.
            if before is not None and act.kind != "void" and act.number not in play.struck:
                self._read_entry(act, before)
        self._acts_read, self._last_read = len(acts), acts[-1].number
        self._struck = play.struck

    def _read_entry(self, entry: BattleEntry, before: State) -> None:
        """A shot is judged in the state before its own draw: so within an entry the decks go on
        with its draws, and everything else stays as it was before the entry."""
        reading = _EntryBeingRead(entry.number, before)
        for event in entry.events:
            if isinstance(event, happened.DrawMade):
                reading.before_draw = reading.state
                spent = happened.Spent(source=event.source, draw=event.draw)
                reading.state = spent.apply(reading.state)
            elif type(event) in _OF_DECKS:
                reading.state = event.apply(reading.state)
            else:
                self._read(event, reading)

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

    def _read(self, event: AnyEvent, reading: _EntryBeingRead) -> None:
        """Note what an event tells of shots, losses, entries and exits."""
        turn = reading.state.clock.turn
        match event:
            case Judged():
                self._add_shot(event, reading)
            case HitsCounted():
                self._add_volley(event, reading)
            case happened.Recalled(shot=shot, back=back, mended=mended, chain=chain):
                reading.recalled = shot
                if mended:
                    self._break_down(shot, broke=False)
                for taken_back in chain:
                    self._shots.pop(taken_back, None)
                for piece in back:
                    self.lost_in.pop(piece, None)
            case happened.Tested(shot=shooting, broken=True):
                self._break_down(shooting.id, broke=True)
            case happened.Lost(piece=piece, credit=credit) if piece in self._piece_ids:
                # A shot judged again later killed in its own turn.
                if credit is not None:
                    turn = credit.turn
                self.lost_in[piece] = turn
                self.lost_at[piece] = reading.number
            case happened.Entered(pieces=pieces):
                self.entered_in |= dict.fromkeys(pieces, turn)
            case happened.Exited(pieces=pieces):
                self.exited_in |= dict.fromkeys(pieces, turn)
            case happened.PieceRestored(piece=piece):
                self.lost_in.pop(piece, None)

    def _break_down(self, shot: int, *, broke: bool) -> None:
        """Note that the weapon of a shot broke down, or that it did not after all."""
        if shot in self._shots:
            self._shots[shot] = [replace(judged, broke=broke) for judged in self._shots[shot]]

    def _add_shot(self, judged: Judged, reading: _EntryBeingRead) -> None:
        """A shot, or a new verdict of one that was fired before."""
        replaced = self._earlier_verdict(judged, reading, same_shot=judged.second)
        number, state, broke = reading.number, reading.before_draw, False
        if not self._is_real(judged.shot.piece, state):
            return
        if replaced is not None:
            # Judged again: the shot stays where it was fired, and its breakdown stays too. Who
            # really fired it may have been added since.
            number, state = replaced[0].number, replace(replaced[0].before, added=state.added)
            broke = any(shot.broke for shot in replaced)
        shot = JudgedShot(number=number, before=state, judged=judged, broke=broke)
        self._shots[judged.shot.id] = [shot]

    def _add_volley(self, counted: HitsCounted, reading: _EntryBeingRead) -> None:
        """Each shot of a counted volley by itself; the last ones are those that broke down."""
        replaced = self._earlier_verdict(counted, reading)
        number, state = reading.number, reading.state
        if replaced is not None:
            number, state = replaced[0].number, replace(replaced[0].before, added=state.added)
        verdicts = list(single_shots(counted))
        unbroken = len(verdicts) - counted.broken
        shots = []
        for place, judged in enumerate(verdicts):
            if not self._is_real(judged.shot.piece, state):
                continue
            broke = place >= unbroken
            shots.append(
                JudgedShot(number=number, before=state, judged=judged, broke=broke, counted=True)
            )
        self._shots[counted.shot.id] = shots

    def _is_real(self, piece: str, state: State) -> bool:
        """Whether a shooter exists. The line that added him may be void by now, and then his name
        may be that of somebody who was added later."""
        return piece in self._piece_ids and state.knows(piece)

    def _earlier_verdict(
        self, event: Judged | HitsCounted, reading: _EntryBeingRead, *, same_shot: bool = False
    ) -> list[JudgedShot] | None:
        """What was known of a shot that this event judges again; None if the shot is new. A new
        shot may have the number of one that was made void: the old one is forgotten then, so that
        later facts apply to the new one. ``same_shot``: the event is the second draw of a shot."""
        replaced = self._shots.get(event.shot.id)
        if same_shot or reading.recalled == event.shot.id:
            return replaced
        self._shots.pop(event.shot.id, None)
        return None


class _EntryBeingRead:
    """An entry that is being read: its number, the state with the draws so far, the state
    ``before_draw``, the last of them, and the shot that it ``recalled`` to judge it again."""

    def __init__(self, number: int, state: State) -> None:
        self.number = number
        self.state = state
        self.before_draw = state
        self.recalled: int | None = None


class KilledPiece(NamedTuple):
    """A piece with the shot that killed it."""

    victim: Piece
    credit: Credit


def killed(state: State) -> Iterator[KilledPiece]:
    """The pieces killed by fire. A breakdown is nobody's kill."""
    pieces = {piece.id: piece for piece in state.pieces()}
    for victim, credit in state.lost.items():
        # Who was taken off by hand has no credit.
        if credit is None or credit.breakdown:
            continue
        # Pieces that were added may be gone again, as their line is void by now.
        if victim in pieces and credit.piece in pieces:
            yield KilledPiece(pieces[victim], credit)


# ------------------------------------------------------------------ all battles together


BASIC_GAME = "Army against army"
"""The title of all battles without a scenario."""


class ScenarioTotal(msgspec.Struct, kw_only=True):
    """The results of all battles of a scenario."""

    scenario: int | None
    """The number of the scenario; None for army against army."""
    title: str
    battles: int = 0
    wins: dict[str, int] = msgspec.field(default_factory=Counter)
    """How often each side won, by the name of its people."""
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
    """Finished battles together: how many, by scenario, and by unit."""

    battles: int
    scenarios: tuple[ScenarioTotal, ...]
    units: tuple[UnitTotal, ...]


def totals(states: Iterable[State]) -> Totals:
    """All finished battles together, from their last states, the oldest first."""
    fought: dict[str, ScenarioTotal] = {}
    units: dict[str, Counter[str]] = {}
    for state in states:
        if state.outcome is not None:
            _add_result(state, state.outcome, fought)
            _add_units(state, units)
    scenarios = sorted(fought.values(), key=_place_in_list)
    rows = []
    for name, sums in units.items():
        ratio = None
        # What costs nothing has no return for its price.
        if sums["spent"]:
            ratio = round(sums["killed"] / sums["spent"], 2)
        rows.append(UnitTotal(name=name, ratio=ratio, **sums))
    rows.sort(key=_best_return_first)
    return Totals(
        battles=sum(total.battles for total in scenarios),
        scenarios=tuple(scenarios),
        units=tuple(rows),
    )


def _best_return_first(unit: UnitTotal) -> tuple[float, int, str]:
    """The order of the units: most points killed per point, then in all; of equal ones by name."""
    return -(unit.ratio or 0), -unit.killed, unit.name


def _place_in_list(total: ScenarioTotal) -> float:
    """The place in the list: army against army stands behind all scenarios."""
    if total.scenario is None:
        return inf
    return total.scenario


def _add_result(state: State, outcome: happened.Finished, fought: dict[str, ScenarioTotal]) -> None:
    """Add a battle to the others of its scenario, which are found in ``fought`` by its id."""
    scenario = state.setup.scenario
    if scenario is None:
        total = fought.setdefault("", ScenarioTotal(scenario=None, title=BASIC_GAME))
    else:
        # By its id: what has number 101 on one machine may have another on the next.
        total = fought.setdefault(
            scenario.id, ScenarioTotal(scenario=scenario.number, title=scenario.title)
        )
        total.title = scenario.title  # as the newest battle has it
    total.battles += 1
    if outcome.winner is None:
        total.draws += 1
    for side in state.setup.sides:
        total.wins[side.people] += side.id == outcome.winner


def _add_units(state: State, units: dict[str, Counter[str]]) -> None:
    """What was fielded and what that killed. Each piece counts as its original unit; those that
    never entered were not fielded."""
    setup = state.setup
    price = {side.id: prices(setup, side.id) for side in setup.sides}
    for piece in state.pieces():
        never_entered = piece.id in state.waiting and state.is_up(piece.id)
        if not never_entered:
            unit_name = setup.unit(piece.unit).name
            # With the names of the fields of ``UnitTotal``, which is made of it in the end.
            sums = units.setdefault(unit_name, Counter(count=0, spent=0, killed=0))
            sums.update(count=1, spent=price[piece.side][piece.unit])
    for victim, credit in killed(state):
        shooter = setup.unit(state.piece(credit.piece).unit).name
        # Whoever hits his own side has earned nothing.
        if piece_side(credit.piece) != victim.side and shooter in units:
            units[shooter]["killed"] += price[victim.side][victim.unit]


def totals_page(battles: Totals) -> Page:
    """All finished battles together, as a page."""
    if not battles.battles:
        return Page("Totals", (Paragraph("No battle has been finished yet."),))
    scenario_rows = []
    for total in battles.scenarios:
        number = ""
        if total.scenario is not None:
            number = str(total.scenario)
        scenario_rows.append((number, total.title, str(total.battles), _won(total)))
    unit_rows = []
    for unit in battles.units:
        ratio = "–"
        if unit.ratio is not None:
            ratio = f"{unit.ratio:.2f}"
        unit_rows.append((unit.name, str(unit.count), str(unit.spent), str(unit.killed), ratio))
    finished = "1 finished battle."
    if battles.battles != 1:
        finished = f"{battles.battles} finished battles."
    legend = "Spent and Killed are in points; Per point is points killed for each point spent."
    blocks = (
        Paragraph(finished),
        table(("", "Scenario", "Played", "Won by"), scenario_rows, numbers=(0, 2)),
        table(("Unit", "Fielded", "Spent", "Killed", "Per point"), unit_rows, numbers=range(1, 5)),
        Note(legend),
    )
    return Page("Totals", blocks)


def _won(total: ScenarioTotal) -> str:
    """``Germans 2, Poles 1, nobody 1``."""
    won = [f"{people} {wins}" for people, wins in total.wins.items()]
    if total.draws:
        won.append(f"nobody {total.draws}")
    return ", ".join(won)
