"""The facts of a finished battle are worked out from its journal, for its campaign. Numbers as C11
are rulings of campaigns (``terms``)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.pieces import Piece
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import OfCampaign
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.campaign.battle_facts import (
    BattleFacts,
    BattleStory,
    EdgeCrossed,
    How,
    HowLost,
    LeadTaken,
    PieceFate,
)
from skirmish.games.plastic.campaign.groups import GroupBattle
from skirmish.games.plastic.casualties import CasualtyStrip, casualty_strip
from skirmish.games.plastic.crossings import crossings
from skirmish.games.plastic.fired_shots import fired_shots
from skirmish.games.plastic.journal_facts import JournalFacts
from skirmish.games.plastic.scenarios.victory_terms import DestroyThenExit, ExitTable
from skirmish.games.plastic.summary import killed

EXPECTED_DECIMALS = 3
"""The decimal places with which expected hits are stored; paper and screens show one."""
BREAK_WORDS = (" broke: ", " have broken")
"""The words by which the sentence about the end of a battle says that an army, or both, broke.
Journals store nothing else about that."""


def facts_of(play: BattlePlay) -> BattleFacts | None:
    """The facts of a battle of a campaign; None if it goes on or belongs to no campaign."""
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
    scenario_number = None
    if state.setup.scenario is not None:
        scenario_number = state.setup.scenario.number
    deeds = _deeds(play, campaign, journal, pieces)
    of_groups = {doer.group: record for doer, record in deeds.items() if doer.group}
    of_attached = {doer.side: record for doer, record in deeds.items() if not doer.group}
    facts = BattleFacts(
        battle=campaign.battle,
        entries=len(play.entries),
        digest="",
        title=state.setup.title,
        scenario=scenario_number,
        winner=winner,
        how=_how(state),
        exited=_won_by_exit(state),
        turn=state.clock.turn,
        reason=outcome.reason,
        pieces=pieces,
        groups=of_groups,
        story=_story(play, campaign, journal, of_attached),
    )
    return msgspec.structs.replace(facts, digest=digest_of(facts))


def digest_of(facts: BattleFacts) -> str:
    """A text that changes with what the battle came to, but not with the length of its journal: so
    a note that is added later makes no difference to a campaign."""
    # Facts that differ in these two fields only have the same digest.
    compared = msgspec.to_builtins(msgspec.structs.replace(facts, entries=0, digest=""))
    # The digests in stored campaigns were made without these fields, which came later and are only
    # for the campaign book.
    del compared["story"]
    for deeds in compared["groups"].values():
        del deeds["expected"]
    for piece in compared["pieces"]:
        # These fields came later, too, but make a difference if they are not empty.
        for field in ("turned", "carrier"):
            if not piece[field]:
                del piece[field]
    # The order of the groups makes no difference.
    compared["groups"] = dict(sorted(compared["groups"].items()))
    return hashlib.sha256(msgspec.json.encode(compared)).hexdigest()


def _how(state: State) -> How:
    """How a battle that is over has ended."""
    outcome = state.outcome
    assert outcome is not None, "the battle is over"
    if outcome.withdrawn:
        return "withdrawn"
    if outcome.winner is None:
        return "draw"
    if outcome.agreed:
        return "agreed"
    if any(words in outcome.reason for words in BREAK_WORDS):
        return "break"
    return "victory"


def _won_by_exit(state: State) -> bool:
    """Whether the winner had to leave the table in order to win, and did so."""
    scenario, outcome = state.setup.scenario, state.outcome
    if scenario is None or outcome is None or outcome.winner is None:
        return False
    if not isinstance(scenario.victory, ExitTable | DestroyThenExit):
        return False
    return any(piece_side(piece) == outcome.winner for piece in state.exited)


def _fate(state: State, campaign: OfCampaign, journal: JournalFacts, piece: Piece) -> PieceFate:
    """What became of a piece, as far as the campaign needs it."""
    fate = PieceFate(
        id=piece.id,
        side=campaign.sides[piece.side],
        group=campaign.groups.get(piece.id),
        unit=piece.unit,
        fate="alive",
    )
    if piece.id in state.lost:
        turn = journal.loss_turn.get(piece.id, 0)
        killer = _group_of_killer(state, campaign, piece.id)
        carrier = ""
        # By this ruling those lost aboard share the card of their carrier.
        if campaign.answers.get("C11") == "carrier":
            carrier = _died_aboard(state, piece.id)
        return msgspec.structs.replace(fate, fate="lost", turn=turn, by=killer, carrier=carrier)
    if piece.id in state.exited:
        turn = journal.exit_turn.get(piece.id, 0)
        return msgspec.structs.replace(fate, fate="exited", turn=turn)
    if piece.id in state.waiting:
        return msgspec.structs.replace(fate, fate="waiting")
    # By this ruling a guy whose weapon broke down keeps a rifle.
    if campaign.answers.get("C10") == "rifle":
        return msgspec.structs.replace(fate, turned=state.turned.get(piece.id, ""))
    return fate


def _group_of_killer(state: State, campaign: OfCampaign, piece: str) -> str:
    """The id of the group that killed a piece which is lost; empty if no group did."""
    credit = state.lost[piece]
    # Nobody gets the credit for a man lost by the breakdown of his own weapon.
    if credit is None or credit.breakdown:
        return ""
    # A killer who was attached is of no group.
    return campaign.groups.get(credit.piece, "")


def _died_aboard(state: State, piece: str) -> str:
    """The carrier with which a piece was lost; empty if it was lost otherwise."""
    # Pieces that are lost stay in ``aboard`` in the state of a battle.
    carrier = state.aboard.get(piece, "")
    if carrier in state.lost:
        return carrier
    return ""


class _Doer(NamedTuple):
    """Who did something in a battle: a group, by its id, or those attached to a side, by that of
    the side. The other id is empty."""

    group: str = ""
    side: str = ""


def _doer(group: str | None, side: str) -> _Doer:
    """Who did what a piece of that side did; ``group``: its own, None if it was attached."""
    if group:
        return _Doer(group=group)
    return _Doer(side=side)


def _deeds(
    play: BattlePlay, campaign: OfCampaign, journal: JournalFacts, pieces: tuple[PieceFate, ...]
) -> dict[_Doer, GroupBattle]:
    """What each group, and those attached to each side, brought, lost, killed and fired."""
    state = play.state
    sums: dict[_Doer, _DeedSums] = {}
    for piece in pieces:
        own_sums = sums.setdefault(_doer(piece.group, piece.side), _DeedSums())
        own_sums.brought += 1
        if piece.fate == "lost":
            own_sums.lost += 1
    for victim, credit in killed(state):
        killer_sums = sums[_doer_of_piece(campaign, credit.piece)]
        unit = state.setup.unit(victim.unit)
        if unit.is_guy:
            killer_sums.guys += 1
        else:
            killer_sums.models += 1
        killer_sums.points += unit.price
    for shot in journal.shots:
        shooter_sums = sums[_doer_of_piece(campaign, shot.judged.shot.piece)]
        shooter_sums.shots += 1
        if shot.judged.hit:
            shooter_sums.hits += 1
    for fired in fired_shots(play):
        sums[_doer_of_piece(campaign, fired.piece)].expected += fired.chance
    return {doer: deeds.in_battle(campaign.battle) for doer, deeds in sums.items()}


def _doer_of_piece(campaign: OfCampaign, piece: str) -> _Doer:
    """Who did what the piece with this id did."""
    return _doer(campaign.groups.get(piece), campaign.sides[piece_side(piece)])


@dataclass
class _DeedSums:
    """What a ``_Doer`` did in a battle, while it is added up: the fields of ``GroupBattle``, with
    the exact sum of the chances to hit."""

    brought: int = 0
    lost: int = 0
    guys: int = 0
    models: int = 0
    points: int = 0
    shots: int = 0
    hits: int = 0
    expected: Fraction = Fraction(0)

    def in_battle(self, battle: int) -> GroupBattle:
        """The same as it is stored."""
        return GroupBattle(
            battle=battle,
            brought=self.brought,
            lost=self.lost,
            guys=self.guys,
            models=self.models,
            points=self.points,
            shots=self.shots,
            hits=self.hits,
            expected=round(float(self.expected), EXPECTED_DECIMALS),
        )


# ------------------------------------------------------------------ for the book


def _story(
    play: BattlePlay, campaign: OfCampaign, journal: JournalFacts, attached: dict[str, GroupBattle]
) -> BattleStory:
    """What the campaign book tells of the battle."""
    strip = casualty_strip(play, journal)
    strength = {campaign.sides[course.side]: course.strength for course in strip.sides}
    return BattleStory(
        strength=strength,
        losses=_losses(strip),
        crossed=tuple(_edges_crossed(play, journal)),
        attached=attached,
        lead=_lead(campaign, strip),
    )


def _losses(strip: CasualtyStrip) -> dict[str, HowLost]:
    """How each piece was lost, by its id."""
    losses = {}
    for casualty in strip.in_order:
        losses[casualty.piece] = HowLost(
            entry=casualty.entry,
            pdg=casualty.pdg,
            cause=casualty.cause,
            shooter=casualty.shooter,
            weapon=casualty.weapon,
            draw=casualty.draw,
        )
    return losses


def _edges_crossed(play: BattlePlay, journal: JournalFacts) -> Iterator[EdgeCrossed]:
    """The pieces that entered or exited, by edge and turn."""
    for (_side, way, where), turns in crossings(play, journal).items():
        for turn, pieces in turns.items():
            yield EdgeCrossed(way=way, where=where, turn=turn, pieces=tuple(pieces))


def _lead(campaign: OfCampaign, strip: CasualtyStrip) -> LeadTaken | None:
    """When the side that was ahead at the end took the lead for good; None if neither was ahead."""
    point = strip.turning_point
    if point is None:
        return None
    return LeadTaken(
        turn=point.turn,
        mover=campaign.sides[point.mover],
        side=campaign.sides[point.side],
        text=point.text,
        first=point.first,
        last=point.last,
    )
