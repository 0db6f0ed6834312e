"""The result of a battle: the winner, the losses, the kills by shooter and weapon, turn by turn.
Shots that were taken back, made void or judged again count as corrected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.events import Judged
from skirmish.games.plastic.battle.names import piece_code, piece_side
from skirmish.games.plastic.battle.orders.counted_volley import UNSEEN
from skirmish.games.plastic.battle.pieces import Piece
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup, Side
from skirmish.games.plastic.battle.state import Credit, State
from skirmish.games.plastic.battle.strength import breaking_loss, side_strength
from skirmish.games.plastic.journal_facts import JournalFacts
from skirmish.games.plastic.rules.army import Army


class UnitLoss(msgspec.Struct, frozen=True, kw_only=True):
    """How many pieces of a unit a side had, and what happened to them. Each piece counts as its
    original unit."""

    unit: str
    name: str
    total: int
    lost: int
    by_hand: int
    """How many of the lost were taken off by hand, without a shot."""
    exited: int
    waiting: int
    """How many have not come onto the table yet."""
    pdg: int
    """The strength of the lost, in potential dead guys."""
    points: int
    """The price of the lost."""
    broken: int = 0
    """How many are alive, but fight on as another unit, since their weapon broke down."""

    @property
    def left(self) -> int:
        """How many are on the table with their own weapon."""
        return self.total - self.lost - self.exited - self.waiting - self.broken


class Kills(msgspec.Struct, frozen=True, kw_only=True):
    """The shots, hits and kills of a weapon, of a unit or of a piece."""

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
    """The result of one side; ``strength``, ``loss`` and ``break_at`` in potential dead guys."""

    side: str
    name: str
    people: str
    """The plural for sentences: ``Germans``."""
    player: str = ""
    """Who commands it; empty if nobody is named."""
    strength: int
    loss: int
    break_at: int
    points: int
    """The price of its losses."""
    exited: int
    exit_value: int
    """What those who exited count for victory."""
    shots: int
    hits: int
    broke: int
    """How many of its weapons broke down."""
    losses: tuple[UnitLoss, ...]
    by_unit: tuple[Kills, ...]
    by_weapon: tuple[Kills, ...]
    by_piece: tuple[Kills, ...]
    """Only pieces that killed somebody."""


class TurnLoss(msgspec.Struct, frozen=True, kw_only=True):
    """What the sides lost in a turn: pieces, and their strength (``pdg``), by side id. The turns of
    a summary run from 1 without gaps."""

    turn: int
    pieces: dict[str, int]
    pdg: dict[str, int]


class RepeatChain(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive hits by one piece with repeat fire, and the turn of the last one."""

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
    """Why the battle ended so; empty while it goes on."""
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
    first, second = setup.sides
    return Summary(
        title=setup.title,
        scenario=number,
        over=outcome is not None,
        winner=winner,
        reason=reason,
        turn=state.clock.turn,
        sides=(_side(state, facts, first.id), _side(state, facts, second.id)),
        turns=tuple(_turns(state, facts)),
        chain=_longest_chain(state, facts),
    )


def prices(setup: Setup, side: str) -> dict[str, int]:
    """The price of each unit for a side: what its army pays for it, or the printed price."""
    catalog = setup.catalog
    if not setup.armies:
        # A scenario is not fought with armies that were bought.
        return {name: unit.price for name, unit in catalog.units.items()}
    side_ids = [army_side.id for army_side in setup.sides]
    list_by_side = dict(zip(side_ids, setup.armies, strict=True))
    army = Army(list_by_side[side], catalog, setup.rulings)
    return {unit: army.price(unit) for unit in catalog.units}


# ------------------------------------------------------------------ a side


def _side(state: State, facts: JournalFacts, side: str) -> SideSummary:
    """The result of one side, from the state and from what its journal tells."""
    setup = state.setup
    side_in_setup = setup.side_by_id[side]
    losses = tuple(_losses(state, side, facts.broken_down))
    shots = facts.of_side(side)
    verdicts = [shot.judged for shot in shots]
    by_piece = _kills(state, side, verdicts, _piece_name, only_known_shooters=True)
    return SideSummary(
        side=side,
        name=side_in_setup.name,
        people=side_in_setup.people,
        player=_who_commands(state, side_in_setup),
        strength=side_strength(state, side),
        loss=state.loss.get(side, 0),
        break_at=breaking_loss(state, side),
        points=sum(row.points for row in losses),
        exited=sum(row.exited for row in losses),
        exit_value=_exit_value(state, side),
        shots=len(shots),
        hits=len([verdict for verdict in verdicts if verdict.hit]),
        broke=len([shot for shot in shots if shot.broke]),
        losses=losses,
        by_unit=_kills(state, side, verdicts, _unit_name),
        by_weapon=_kills(state, side, verdicts, _weapon_name),
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


def _losses(state: State, side: str, broken_down: Set[str]) -> Iterator[UnitLoss]:
    """The losses of a side by original unit, in the order of the catalog. ``broken_down``: the
    pieces whose weapons broke down."""
    price = prices(state.setup, side)
    pieces_by_unit: dict[str, list[str]] = {unit: [] for unit in state.setup.catalog.units}
    for piece in state.pieces():
        if piece.side == side:
            pieces_by_unit[piece.unit].append(piece.id)
    for unit, pieces in pieces_by_unit.items():
        if pieces:
            yield _loss_of_unit(state, unit, pieces, broken_down, price[unit])


def _loss_of_unit(
    state: State, unit: str, pieces: Sequence[str], broken_down: Set[str], price: int
) -> UnitLoss:
    """What happened to the pieces of a unit, by their ids; ``price``: that of each."""
    lost = [piece for piece in pieces if piece in state.lost]
    # Who was taken off by hand has no credit.
    by_hand = [piece for piece in lost if state.lost[piece] is None]
    # A piece that is in both ``lost`` and ``exited`` counts once, as lost.
    exited = [piece for piece in pieces if piece in state.exited and piece not in state.lost]
    waiting = [piece for piece in pieces if piece in state.waiting and state.is_in_play(piece)]
    fights_on = [piece for piece in pieces if piece in broken_down and _fights_on(state, piece)]
    return UnitLoss(
        unit=unit,
        name=state.setup.unit(unit).name,
        total=len(pieces),
        lost=len(lost),
        by_hand=len(by_hand),
        exited=len(exited),
        waiting=len(waiting),
        pdg=sum(state.worth_lost.get(piece, 0) for piece in lost),
        points=price * len(lost),
        broken=len(fights_on),
    )


def _fights_on(state: State, piece: str) -> bool:
    """Whether a piece is on the table as another unit than at first."""
    on_table = state.is_in_play(piece) and piece not in state.waiting
    return on_table and state.unit_of(piece) != state.piece(piece).unit


# ------------------------------------------------------------------ kills


ShooterName: TypeAlias = Callable[[State, str, str], str]
"""The name under which the kills of a piece (by its id) with a weapon (by its id) are counted."""


def _kills(
    state: State,
    side: str,
    verdicts: Iterable[Judged],
    name_of: ShooterName,
    *,
    only_known_shooters: bool = False,
) -> tuple[Kills, ...]:
    """The kills of a side, grouped by the name of the shooter. In a counted volley nobody knows
    which of the shooters killed: with ``only_known_shooters`` it is left out."""
    setup = state.setup
    price = prices(setup, setup.enemy_of(side).id)
    rows: dict[str, Kills] = {}
    for judged in verdicts:
        if only_known_shooters and judged.draw == UNSEEN:
            continue
        name = name_of(state, judged.shot.piece, judged.shot.weapon)
        row = rows.get(name, Kills(name=name))
        row = replace(row, shots=row.shots + 1)
        if judged.hit:
            row = replace(row, hits=row.hits + 1)
        rows[name] = row
    # By the credit of the loss and not by hits: the defender may give another man.
    for victim, credit in killed(state):
        if piece_side(credit.piece) != side:
            continue
        # A counted volley has no draw.
        if only_known_shooters and credit.draw is None:
            continue
        name = name_of(state, credit.piece, credit.weapon)
        rows[name] = _with_kill(
            rows.get(name, Kills(name=name)),
            is_guy=setup.unit(victim.unit).is_guy,
            pdg=state.worth_lost.get(victim.id, 0),
            points=price[victim.unit],
        )
    return tuple(sorted(rows.values(), key=_best_first))


def _with_kill(row: Kills, *, is_guy: bool, pdg: int, points: int) -> Kills:
    """The kills with one more, of this strength and price."""
    row = replace(row, pdg=row.pdg + pdg, points=row.points + points)
    if is_guy:
        return replace(row, guys=row.guys + 1)
    return replace(row, models=row.models + 1)


def _best_first(row: Kills) -> tuple[int, int, int, str]:
    """A key to sort by: the most strength first, then points, then hits; equal ones by name."""
    return -row.pdg, -row.points, -row.hits, row.name


# The three ways to group kills; each takes a piece and a weapon, and may need only one of them.


def _unit_name(state: State, piece: str, weapon: str) -> str:
    """``Tank``: what the piece was at first."""
    del weapon
    return state.setup.unit(state.piece(piece).unit).name


def _weapon_name(state: State, piece: str, weapon: str) -> str:
    """``Machinegun``."""
    del piece
    weapons = state.setup.catalog.weapons
    # An old battle may have a weapon that the catalog does not know any more.
    if weapon not in weapons:
        return weapon
    return weapons[weapon].name


def _piece_name(state: State, piece: str, weapon: str) -> str:
    """``Tank T3``."""
    del weapon
    return _piece_with_code(state, piece)


def _piece_with_code(state: State, piece: str) -> str:
    """``Tank T3``."""
    return f"{state.setup.unit(state.piece(piece).unit).short} {piece_code(piece)}"


class KilledPiece(NamedTuple):
    """A piece with the shot that killed it."""

    victim: Piece
    credit: Credit


def killed(state: State) -> Iterator[KilledPiece]:
    """The pieces killed by fire. A breakdown is nobody's kill."""
    pieces = {piece.id: piece for piece in state.pieces()}
    for victim_id, credit in state.lost.items():
        # Who was taken off by hand has no credit.
        if credit is None or credit.breakdown:
            continue
        # Pieces that were added may be gone again, as their line is void by now.
        if victim_id in pieces and credit.piece in pieces:
            yield KilledPiece(pieces[victim_id], credit)


# ------------------------------------------------------------------ turn by turn


def _turns(state: State, facts: JournalFacts) -> Iterator[TurnLoss]:
    """The losses of every turn so far, without those who were put back since."""
    # The players may have set the clock back, to a turn before the last loss.
    last_turn = max([state.clock.turn, *facts.loss_turn.values()])
    for turn in range(1, last_turn + 1):
        pieces = {side.id: 0 for side in state.setup.sides}
        pdg = {side.id: 0 for side in state.setup.sides}
        for piece, loss_turn in facts.loss_turn.items():
            if loss_turn == turn and piece in state.lost:
                side = piece_side(piece)
                pieces[side] += 1
                pdg[side] += state.worth_lost.get(piece, 0)
        yield TurnLoss(turn=turn, pieces=pieces, pdg=pdg)


def _longest_chain(state: State, facts: JournalFacts) -> RepeatChain | None:
    """The longest run of hits with repeat fire; of equal ones the first. One hit is no run."""
    longest: RepeatChain | None = None
    hits_to_beat = 1
    hits_in_a_row: dict[str, int] = {}
    for shot in facts.shots:
        shooting = shot.judged.shot
        hits = 0
        if shot.judged.hit:
            hits = 1
            is_repeat_shot = shooting.nth > 1
            if is_repeat_shot:
                hits += hits_in_a_row.get(shooting.piece, 0)
        hits_in_a_row[shooting.piece] = hits
        if hits > hits_to_beat:
            hits_to_beat = hits
            longest = RepeatChain(
                side=shot.side,
                name=_piece_with_code(state, shooting.piece),
                hits=hits,
                turn=shot.state_before.clock.turn,
            )
    return longest
