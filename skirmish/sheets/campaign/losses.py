"""The losses of a battle over its turns, from the facts that the campaign stores of it: its book
has the same strip of them as the battle itself.

A battle that was counted before campaigns had a book has no story: its strip has neither cards nor
arrows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.campaign.battle_facts import (
    BattleFacts,
    BattleStory,
    HowLost,
    PieceFate,
)
from skirmish.games.plastic.campaign.groups import RIFLE
from skirmish.games.plastic.campaign.state import CampaignState
from skirmish.games.plastic.casualties import Casualty, CasualtyStrip, Passage, SideCourse
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.turning_point import TurningPoint

TANK = "tank"
"""The unit whose symbol stands for a model that is in no catalog any more. A guy that is in none
gets the symbol of ``RIFLE``."""


def losses_over_turns(state: CampaignState, facts: BattleFacts, catalog: Catalog) -> CasualtyStrip:
    """The losses of both sides, turn by turn; ``catalog``: with the units of all scenarios."""
    battle = _CountedBattle(state, facts, catalog)
    order: Sequence[str] = state.setup.ids
    turning_point = None
    if facts.story is not None:
        # The first mover first, as on the strip of the battle itself.
        order = list(facts.story.strength)
        turning_point = _turning_point(facts.story)
    # If the players set the clock back, losses may be of later turns than the last. The strip has
    # one turn at least, even if no turn is known and all are 0.
    turns = max(facts.turn, 1, *(piece.turn for piece in facts.pieces))
    first, second = (_course(battle, side, turns) for side in order)
    return CasualtyStrip(
        turns=turns,
        # The facts do not have the last turn of the scenario; only screens show it.
        ends_after=None,
        over=True,
        sides=(first, second),
        turning_point=turning_point,
    )


def _turning_point(story: BattleStory) -> TurningPoint | None:
    """The point as the strip draws it, from the form in which the campaign stores it."""
    lead = story.lead
    if lead is None:
        return None
    return TurningPoint(
        turn=lead.turn,
        mover=lead.mover,
        side=lead.side,
        text=lead.text,
        first=lead.first,
        last=lead.last,
    )


class _CountedBattle(NamedTuple):
    """The facts of a battle, and what is needed to draw its pieces."""

    state: CampaignState
    facts: BattleFacts
    catalog: Catalog

    def drawn_as(self, unit: str) -> str:
        """The unit whose symbol is drawn: another where its scenario does not exist any more."""
        if unit in self.catalog.units:
            return unit
        if self.state.setup.units[unit].guy:
            return RIFLE
        return TANK

    def pdg_of(self, unit: str) -> int:
        """What a unit counts toward the break point, in potential dead guys (PDG)."""
        if self.state.setup.units[unit].guy:
            return self.catalog.strength.guy
        return self.catalog.strength.model


def _course(battle: _CountedBattle, side: str, turns: int) -> SideCourse:
    """The losses of a side over so many turns, with the strength that is left after each."""
    story = battle.facts.story
    own_pieces = [piece for piece in battle.facts.pieces if piece.side == side]
    casualties = [_casualty(battle, piece) for piece in own_pieces if piece.fate == "lost"]
    casualties.sort(key=attrgetter("turn", "entry"))
    # Without a story the strength is counted from the pieces.
    strength = sum(battle.pdg_of(piece.unit) for piece in own_pieces)
    passages: list[Passage] = []
    if story is not None:
        strength = story.strength[side]
        passages = list(_passages(battle, story, side))
    left = []
    for turn in range(1, turns + 1):
        lost_by_then = sum(casualty.pdg for casualty in casualties if casualty.turn <= turn)
        left.append(strength - lost_by_then)
    campaign_side = battle.state.side(side)
    return SideCourse(
        side=side,
        people=campaign_side.name,
        nation=campaign_side.nation,
        strength=strength,
        lost=sum(casualty.pdg for casualty in casualties),
        casualties=tuple(casualties),
        passages=tuple(passages),
        left=tuple(left),
    )


def _passages(battle: _CountedBattle, story: BattleStory, side: str) -> Iterator[Passage]:
    """Where pieces of a side entered and exited."""
    side_of_piece = {piece.id: piece.side for piece in battle.facts.pieces}
    for crossed in story.crossed:
        # Pieces that cross an edge together are of one side.
        if side_of_piece[crossed.pieces[0]] == side:
            codes = tuple(piece_code(piece) for piece in crossed.pieces)
            yield Passage(
                side=side, turn=crossed.turn, way=crossed.way, where=crossed.where, codes=codes
            )


def _casualty(battle: _CountedBattle, piece: PieceFate) -> Casualty:
    """A lost piece as the strip draws it; without a story only who was lost and when is known."""
    how_lost = HowLost(entry=0, pdg=battle.pdg_of(piece.unit))
    story = battle.facts.story
    if story is not None:
        how_lost = story.losses.get(piece.id, how_lost)
    return Casualty(
        piece=piece.id,
        code=piece_code(piece.id),
        unit=battle.drawn_as(piece.unit),
        side=piece.side,
        # Who was lost before the first turn stands with those of that turn.
        turn=max(piece.turn, 1),
        entry=how_lost.entry,
        pdg=how_lost.pdg,
        points=piece.points,
        cause=how_lost.cause,
        shooter=how_lost.shooter,
        weapon=how_lost.weapon,
        draw=how_lost.draw,
    )
