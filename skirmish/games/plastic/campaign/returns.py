"""What becomes of the lost of a battle: the parties for which cards are drawn, where a card sends
them, who comes home, and the exchange of prisoners. Pure functions of the state; ``orders`` turns
them into events. Numbers as C9 are rulings of campaigns (``terms``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from skirmish.games.plastic.campaign.battle_facts import BattleFacts, PieceFate
from skirmish.games.plastic.campaign.groups import RIFLE, Move, Place
from skirmish.games.plastic.campaign.state import (
    CampaignState,
    Fielding,
    LostParty,
    PartyName,
    ReturnCard,
)
from skirmish.games.plastic.campaign.terms import Return
from skirmish.games.plastic.rules.catalog import Counts

PLACE_BY_RESULT: Mapping[Return, Place] = {
    "ready": "ready",
    "away": "away",
    "prisoner": "prisoner",
    "crew": "gone",
    "gone": "gone",
}
"""Where a card sends the party for which it was drawn. ``crew``: the model is gone, but its crew
lives and may man a new one."""


class GroupUnit(NamedTuple):
    """The men or models of one unit in one group: the ids of both."""

    group: str
    unit: str


# ------------------------------------------------------------------ who was lost


def lost_by_group(
    facts: BattleFacts, fielding: Mapping[str, Fielding], *, exited_are_safe: bool
) -> dict[str, Counter[str]]:
    """How many of each group were lost, by unit, according to the facts of the battle, but never
    more than the group brought."""
    lost: dict[str, Counter[str]] = {}
    for piece in facts.pieces:
        is_lost = piece.fate == "lost" or (piece.fate == "exited" and not exited_are_safe)
        if piece.group is not None and is_lost:
            lost.setdefault(piece.group, Counter())[piece.unit] += 1
    # The battle may have more pieces of a unit than the group brought: players can add some.
    for group_id, brought in _brought_by_group(fielding).items():
        lost_of_group = lost.get(group_id, Counter())
        for unit, count in lost_of_group.items():
            lost_of_group[unit] = min(count, brought.get(unit, 0))
    return lost


def _brought_by_group(fielding: Mapping[str, Fielding]) -> dict[str, Counts]:
    """What the groups of all sides brought to a battle, by their ids."""
    brought: dict[str, Counts] = {}
    for side_fielding in fielding.values():
        brought |= side_fielding.groups
    return brought


def parties_of(
    state: CampaignState,
    battle: int,
    lost: Mapping[str, Counts],
    pieces: Iterable[PieceFate] = (),
) -> list[LostParty]:
    """The parties of the lost, for each of which a card is drawn: a model, a guy, or up to three
    riflemen of a group (C9). They come in the order of the groups, models first.

    Men who were lost aboard a model are in a party that shares the card of the model (C11), so that
    none is drawn for it; these parties come last. The ``pieces`` say who was lost aboard what. The
    parties of a unit are numbered from 1: first those with a card of their own, then those that
    share one.
    """
    passengers = _passengers(battle, lost, pieces)
    parties: list[LostParty] = []
    sharing_parties: list[LostParty] = []
    for group in state.groups.values():
        counts = lost.get(group.id, {})
        models = sorted(unit for unit in counts if not state.setup.units[unit].guy)
        guys = sorted(unit for unit in counts if state.setup.units[unit].guy)
        for unit in (*models, *guys):
            largest_party = 1
            if unit == RIFLE:
                largest_party = state.setup.terms.party_size
            men_aboard = passengers.get(GroupUnit(group.id, unit), Counter())
            on_foot = counts[unit] - men_aboard.total()
            number = 0
            for size in _sizes(on_foot, largest_party):
                number += 1
                party = LostParty(battle, group.side, group.id, unit, number, count=size)
                parties.append(party)
            for party_of_model, size in men_aboard.items():
                number += 1
                party = LostParty(
                    battle, group.side, group.id, unit, number, count=size, shares=party_of_model
                )
                sharing_parties.append(party)
    return parties + sharing_parties


def _sizes(men: int, largest_party: int) -> Iterator[int]:
    """The sizes of as few parties as possible: 3, 3, 1 for seven men in parties of up to three."""
    while men > 0:
        yield min(largest_party, men)
        men -= largest_party


def _passengers(
    battle: int, lost: Mapping[str, Counts], pieces: Iterable[PieceFate]
) -> dict[GroupUnit, Counter[PartyName]]:
    """How many men of each group and unit were lost with which model, which is named by its party:
    ``{("german-1", "rifle"): {(3, "german-1", "truck", 2): 5}}`` for five riflemen who were lost in
    battle 3 in their group's second truck. Men aboard an attached model share no card, since no
    card is drawn for that model."""
    fallen: dict[str, GroupUnit] = {}
    carriers: dict[str, str] = {}
    for piece in pieces:
        if piece.fate == "lost" and piece.group is not None:
            fallen[piece.id] = GroupUnit(piece.group, piece.unit)
            carriers[piece.id] = piece.carrier
    # The name of the party of each model, with the number that ``parties_of`` gives it, in the same
    # order. Guys get names here as well, which are never looked up, since nobody rides in a guy.
    numbers: Counter[GroupUnit] = Counter()
    parties: dict[str, PartyName] = {}
    for piece_id, group_unit in fallen.items():
        numbers[group_unit] += 1
        parties[piece_id] = PartyName(
            battle, group_unit.group, group_unit.unit, numbers[group_unit]
        )
    passengers: dict[GroupUnit, Counter[PartyName]] = {}
    for piece_id, group_unit in fallen.items():
        party_of_carrier = parties.get(carriers[piece_id])
        if party_of_carrier is None:
            continue
        men_aboard = passengers.setdefault(group_unit, Counter())
        # Fewer men may count as ``lost`` than pieces were lost, see ``lost_by_group``.
        if men_aboard.total() < lost.get(group_unit.group, {}).get(group_unit.unit, 0):
            men_aboard[party_of_carrier] += 1
    return passengers


def needs_card(state: CampaignState, party: LostParty) -> bool:
    """Whether a card is drawn for a party that is due. A party that shares the card of a model
    needs none, as long as that card is due as well or was drawn before (C11)."""
    if party.shares is None:
        return True
    if any(due.name == party.shares for due in state.due):
        return False
    # If the card of the model is neither due nor drawn, the model is no longer lost in a battle
    # that was counted again. Then its passengers get a card of their own.
    return party.shares not in _cards_drawn(state)


def _cards_drawn(state: CampaignState) -> dict[PartyName, ReturnCard]:
    """All cards drawn so far, by the name of their party."""
    cards = {}
    for fought in state.fought:
        for card in fought.drawn:
            cards[card.party.name] = card
    return cards


def shared_cards(state: CampaignState, drawn: Iterable[ReturnCard]) -> Iterator[ReturnCard]:
    """The cards of the parties that are due and share the card of a model, if that was ``drawn``
    now or before."""
    by_party = _cards_drawn(state) | {card.party.name: card for card in drawn}
    for party in state.due:
        if party.shares is not None and party.shares in by_party:
            # The same card may have another result for guys than for a model.
            draw = by_party[party.shares].draw
            yield ReturnCard(party, draw, card_result(state, party, draw.rank))


class Conversion(NamedTuple):
    """Guys of a group who were one unit before the battle and are another, ``into``, after it."""

    group: str
    unit: str
    into: str


def conversions(facts: BattleFacts, fielding: Mapping[str, Fielding]) -> Counter[Conversion]:
    """How many guys of each group became another unit in the battle (C10), nearly always since
    their weapon broke down."""
    counts: Counter[Conversion] = Counter()
    for piece in facts.pieces:
        if piece.turned and piece.group is not None and piece.fate != "lost":
            counts[Conversion(piece.group, piece.unit, piece.turned)] += 1
    brought = _brought_by_group(fielding)
    # Never more than the group brought, as in ``lost_by_group``.
    for conversion, count in counts.items():
        most = brought.get(conversion.group, {}).get(conversion.unit, 0)
        counts[conversion] = min(count, most)
    return counts


def homecoming(
    state: CampaignState, fielding: Mapping[str, Fielding], lost: Mapping[str, Counts]
) -> Iterator[Move]:
    """The moves after a battle: men who were away are ready again, since they have missed it, and
    so are those who fought and were not lost."""
    for group in state.groups.values():
        for unit, count in group.away.items():
            yield Move(group.id, unit, count, "away", "ready")
    for group_id, brought in _brought_by_group(fielding).items():
        for unit, count in brought.items():
            survivors = count - lost.get(group_id, {}).get(unit, 0)
            if survivors > 0:
                yield Move(group_id, unit, survivors, "fielded", "ready")


def card_result(state: CampaignState, party: LostParty, rank: int) -> Return:
    """The result of a card of that rank for a party."""
    fought = next(fought for fought in state.fought if fought.number == party.battle)
    guy = state.setup.units[party.unit].guy
    # A side that holds the field finds more of its men.
    held_field = party.side in fought.holds
    return state.setup.table.line(guy=guy, held=held_field).result(rank)


def move_by_card(party: LostParty, result: Return) -> Move:
    """The move of a party from the battle to where its card sends it."""
    place = PLACE_BY_RESULT[result]
    return Move(party.group, party.unit, party.count, "fielded", place, party.battle)


class Exchange(NamedTuple):
    """Prisoners of both sides who come home, one for one."""

    moves: tuple[Move, ...]
    pairs: int


def prisoners_exchanged(state: CampaignState) -> Exchange:
    """The prisoners that are exchanged, guy for guy, the longest held first (C12)."""
    if not state.setup.terms.exchanges:
        return Exchange((), 0)
    first_side, second_side = state.setup.ids
    first_prisoners = _prisoners(state, first_side)
    second_prisoners = _prisoners(state, second_side)
    pairs = min(len(first_prisoners), len(second_prisoners))
    freed = Counter([*first_prisoners[:pairs], *second_prisoners[:pairs]])
    moves = []
    for (group_id, unit), count in freed.items():
        moves.append(Move(group_id, unit, count, "prisoner", "ready"))
    return Exchange(tuple(moves), pairs)


def _prisoners(state: CampaignState, side: str) -> list[GroupUnit]:
    """The group and the unit of each captured man of a side, the longest held first."""
    by_battle: dict[int, list[GroupUnit]] = {}
    for group in state.of_side(side):
        for captured in group.prisoners:
            men = [GroupUnit(group.id, captured.unit)] * captured.count
            by_battle.setdefault(captured.battle, []).extend(men)
    prisoners: list[GroupUnit] = []
    for battle in sorted(by_battle):
        # Within a battle, men are in the order of their groups.
        prisoners += by_battle[battle]
    return prisoners
