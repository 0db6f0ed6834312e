"""What a finished battle came to, for the campaign that it belongs to."""

from __future__ import annotations

import hashlib
from collections import Counter

import msgspec

from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import OfCampaign, Piece
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.campaign.state import BattleFacts, GroupBattle, How, PieceFate
from skirmish.games.plastic.scenarios.scenario import DestroyThenExit, ExitTable
from skirmish.games.plastic.summary import JournalFacts, killed

BROKEN = (" broke: ", " have broken")
"""What the sentence of a battle says in which an army broke."""


def facts_of(play: BattlePlay) -> BattleFacts | None:
    """The facts of a battle of a campaign; None while it goes on, or if it is of no campaign."""
    state = play.state
    campaign = state.setup.campaign
    outcome = state.outcome
    if campaign is None or outcome is None:
        return None
    journal = JournalFacts(play)
    pieces = tuple(_fate(state, campaign, journal, piece) for piece in state.pieces())
    winner = None
    if outcome.winner is not None:
        winner = campaign.sides[outcome.winner]
    scenario = state.setup.scenario
    facts = BattleFacts(
        battle=campaign.battle,
        entries=len(play.entries),
        digest="",
        title=state.setup.title,
        scenario=scenario.number if scenario else None,
        winner=winner,
        how=_how(state),
        exited=_won_by_exit(state),
        turn=state.clock.turn,
        reason=outcome.reason,
        pieces=pieces,
        groups=_by_group(state, campaign, journal, pieces),
    )
    return msgspec.structs.replace(facts, digest=digest_of(facts))


def digest_of(facts: BattleFacts) -> str:
    """A name that changes with what the battle came to, and not with the length of its journal: a
    note that was added later concerns no campaign."""
    bare = msgspec.to_builtins(msgspec.structs.replace(facts, entries=0, digest=""))
    for piece in bare["pieces"]:
        # These fields came later: without them facts have the name that they had before.
        for field in ("turned", "carrier"):
            if not piece[field]:
                del piece[field]
    # Groups come in the order in which they fired first, which is nothing that the battle came to.
    bare["groups"] = dict(sorted(bare["groups"].items()))
    return hashlib.sha256(msgspec.json.encode(bare)).hexdigest()


def _how(state: State) -> How:
    outcome = state.outcome
    assert outcome is not None
    if outcome.withdrawn:
        return "withdrawn"
    if outcome.winner is None:
        return "draw"
    if outcome.agreed:
        return "agreed"
    if any(words in outcome.reason for words in BROKEN):
        return "break"
    return "victory"


def _won_by_exit(state: State) -> bool:
    """Whether the winner had to leave the table to win, and did."""
    scenario, outcome = state.setup.scenario, state.outcome
    if scenario is None or outcome is None or outcome.winner is None:
        return False
    if not isinstance(scenario.victory, ExitTable | DestroyThenExit):
        return False
    return any(piece_side(piece) == outcome.winner for piece in state.exited)


def _fate(state: State, campaign: OfCampaign, journal: JournalFacts, piece: Piece) -> PieceFate:
    fate = PieceFate(
        id=piece.id,
        side=campaign.sides[piece.side],
        group=campaign.groups.get(piece.id),
        unit=piece.unit,
        fate="alive",
    )
    if piece.id in state.lost:
        credit = state.lost[piece.id]
        killer = ""
        if credit is not None and not credit.breakdown:
            killer = campaign.groups.get(credit.piece, "")
        turn = journal.lost_in.get(piece.id, 0)
        carrier = ""
        if campaign.answers.get("C11") == "carrier":
            carrier = _died_aboard(state, piece.id)
        return msgspec.structs.replace(fate, fate="lost", turn=turn, by=killer, carrier=carrier)
    if piece.id in state.exited:
        turn = journal.exited_in.get(piece.id, 0)
        return msgspec.structs.replace(fate, fate="exited", turn=turn)
    if piece.id in state.waiting:
        return msgspec.structs.replace(fate, fate="waiting")
    if campaign.answers.get("C10") == "rifle":
        return msgspec.structs.replace(fate, turned=state.turned.get(piece.id, ""))
    return fate


def _died_aboard(state: State, piece: str) -> str:
    """The carrier with which a piece was lost; empty for who died on foot."""
    carrier = state.aboard.get(piece, "")
    if carrier in state.lost:
        return carrier
    return ""


def _by_group(
    state: State, campaign: OfCampaign, journal: JournalFacts, pieces: tuple[PieceFate, ...]
) -> dict[str, GroupBattle]:
    """What each group brought, lost, killed and fired."""
    sums: dict[str, Counter[str]] = {}
    for piece in pieces:
        if piece.group is not None:
            row = sums.setdefault(piece.group, Counter())
            row["brought"] += 1
            row["lost"] += piece.fate == "lost"
    for victim, credit in killed(state):
        group = campaign.groups.get(credit.piece)
        if group is None:
            continue
        unit = state.setup.unit(victim.unit)
        sums[group]["guys" if unit.is_guy else "models"] += 1
        sums[group]["points"] += unit.price
    for shot in journal.shots:
        group = campaign.groups.get(shot.judged.shot.piece)
        if group is not None:
            sums[group]["shots"] += 1
            sums[group]["hits"] += shot.judged.hit
    battle = campaign.battle
    return {group: GroupBattle(battle=battle, **row) for group, row in sums.items()}
