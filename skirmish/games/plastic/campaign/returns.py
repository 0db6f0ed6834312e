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

FATE_PLACES: Mapping[Return, Place] = {
    "ready": "ready",
    "away": "away",
    "prisoner": "prisoner",
    "crew": "gone",
    "gone": "gone",
}
"""Where a card sends whom it was drawn for. ``crew``: the model is gone, but its crew lives and may
man a new one."""


class GroupUnit(NamedTuple):
    """The men or models of one unit in a group, by their ids."""

    group: str
    unit: str


# ------------------------------------------------------------------ who was lost


def lost_by_group(
    facts: BattleFacts, fielding: Mapping[str, Fielding], *, exited_are_safe: bool
) -> dict[str, Counter[str]]:
    """Who of each group was lost, by unit: as the battle says, and never more than came."""
    lost: dict[str, Counter[str]] = {}
    for piece in facts.pieces:
        is_lost = piece.fate == "lost" or (piece.fate == "exited" and not exited_are_safe)
        if piece.group is not None and is_lost:
            lost.setdefault(piece.group, Counter())[piece.unit] += 1
    # Pieces may have been added by hand during the battle, of units that the group did not bring.
    for of_side in fielding.values():
        for group_id, counts in of_side.groups.items():
            for unit in list(lost.get(group_id, ())):
                lost[group_id][unit] = min(lost[group_id][unit], counts.get(unit, 0))
    return lost


def parties_of(
    state: CampaignState,
    battle: int,
    lost: Mapping[str, Counts],
    pieces: Iterable[PieceFate] = (),
) -> list[LostParty]:
    """The parties of the lost, for each of which a card is drawn: a model, a guy, or up to three
    riflemen of a group (C9). They come in the order of the groups, models first.

    Whoever was lost aboard a model is in a party that shares the model's card (C11), so that no
    card is drawn for it; these come last. Who was lost where, is known from ``pieces``. The parties
    of a unit have numbers from 1 on: first those with cards of their own, then those that share.
    """
    passengers = _passengers(battle, lost, pieces)
    parties: list[LostParty] = []
    sharing: list[LostParty] = []
    for group in state.groups.values():
        counts = lost.get(group.id, {})
        models = sorted(unit for unit in counts if not state.setup.units[unit].guy)
        guys = sorted(unit for unit in counts if state.setup.units[unit].guy)
        for unit in (*models, *guys):
            largest_party = 1
            if unit == RIFLE:
                largest_party = state.setup.terms.party_size
            aboard = passengers.get(GroupUnit(group.id, unit), Counter())
            on_foot = counts[unit] - sum(aboard.values())
            of_unit: list[tuple[int, PartyName | None]] = []
            for size in _sizes(on_foot, largest_party):
                of_unit.append((size, None))
            for carrier_party, count in aboard.items():
                of_unit.append((count, carrier_party))
            for number, (size, carrier) in enumerate(of_unit, 1):
                party = LostParty(battle, group.side, group.id, unit, number, size, carrier)
                if carrier is None:
                    parties.append(party)
                else:
                    sharing.append(party)
    return parties + sharing


def _sizes(men: int, largest_party: int) -> Iterator[int]:
    """How many are in each party, if as few parties as possible are made of so many men: 3, 3, 1
    for seven."""
    while men > 0:
        yield min(largest_party, men)
        men -= largest_party


def _passengers(
    battle: int, lost: Mapping[str, Counts], pieces: Iterable[PieceFate]
) -> dict[GroupUnit, Counter[PartyName]]:
    """How many men of each group and unit were lost with which model: ``{("german-1", "rifle"):
    {(3, "german-1", "truck", 2): 5}}`` for five riflemen in the second truck of their group that
    was lost in battle 3. Who rode in an attached model shares no card: none is drawn for it."""
    fallen: dict[str, GroupUnit] = {}
    carriers: dict[str, str] = {}
    for piece in pieces:
        if piece.fate == "lost" and piece.group is not None:
            fallen[piece.id] = GroupUnit(piece.group, piece.unit)
            carriers[piece.id] = piece.carrier
    # ``parties_of`` makes a party of each model and numbers the parties of a unit from 1, in the
    # same order. A guy gets a name here, too, which nobody asks for, since nobody rides in a guy.
    numbers: Counter[GroupUnit] = Counter()
    parties: dict[str, PartyName] = {}
    for piece_id, of_group in fallen.items():
        numbers[of_group] += 1
        parties[piece_id] = (battle, of_group.group, of_group.unit, numbers[of_group])
    passengers: dict[GroupUnit, Counter[PartyName]] = {}
    for piece_id, of_group in fallen.items():
        party_of_carrier = parties.get(carriers[piece_id])
        if party_of_carrier is None:
            continue
        aboard = passengers.setdefault(of_group, Counter())
        # Never more than count as lost.
        if aboard.total() < lost.get(of_group.group, {}).get(of_group.unit, 0):
            aboard[party_of_carrier] += 1
    return passengers


def needs_card(state: CampaignState, party: LostParty) -> bool:
    """Whether a card of its own is drawn for a party that is due. A party that shares the card of a
    model draws none, as long as that card is due as well or was drawn before (C11)."""
    if party.shares is None:
        return True
    if any(due.name == party.shares for due in state.due):
        return False
    # If the model's card was not drawn either, the model has come back to life in a battle that was
    # counted again; then its passengers draw for themselves.
    return party.shares not in _cards_drawn(state)


def _cards_drawn(state: CampaignState) -> dict[PartyName, ReturnCard]:
    """All cards drawn so far, by the name of their party."""
    cards = {}
    for fought in state.fought:
        for card in fought.drawn:
            cards[card.party.name] = card
    return cards


def shared_cards(state: CampaignState, drawn: Iterable[ReturnCard]) -> Iterator[ReturnCard]:
    """The cards of parties that are due and share the card of a model, where that is among those
    ``drawn`` now or was drawn before."""
    by_party = _cards_drawn(state) | {card.party.name: card for card in drawn}
    for party in state.due:
        if party.shares in by_party:
            # The same card may say something else of a guy than of a model.
            draw = by_party[party.shares].draw
            yield ReturnCard(party, draw, result_of(state, party, draw.rank))


class Conversion(NamedTuple):
    """Guys of a group who were one unit before the battle and are another since."""

    group: str
    unit: str
    into: str


def conversions(facts: BattleFacts, fielding: Mapping[str, Fielding]) -> Counter[Conversion]:
    """How many guys of each group became another unit in the battle, because their weapon broke
    down (C10)."""
    counts: Counter[Conversion] = Counter()
    for piece in facts.pieces:
        if piece.turned and piece.group is not None and piece.fate != "lost":
            counts[Conversion(piece.group, piece.unit, piece.turned)] += 1
    brought: dict[str, Counts] = {}
    for of_side in fielding.values():
        brought |= of_side.groups
    # As with the lost: never more than came.
    for conversion, count in list(counts.items()):
        most = brought.get(conversion.group, {}).get(conversion.unit, 0)
        counts[conversion] = min(count, most)
    return counts


def homecoming(
    state: CampaignState, fielding: Mapping[str, Fielding], lost: Mapping[str, Counts]
) -> Iterator[Move]:
    """Who missed this battle is ready, and so is whoever came and was not lost."""
    for group in state.groups.values():
        for unit, count in group.away.items():
            yield Move(group.id, unit, count, "away", "ready")
    for of_side in fielding.values():
        for group_id, counts in of_side.groups.items():
            for unit, count in counts.items():
                survivors = count - lost.get(group_id, {}).get(unit, 0)
                if survivors > 0:
                    yield Move(group_id, unit, survivors, "fielded", "ready")


def result_of(state: CampaignState, party: LostParty, rank: int) -> Return:
    """What a card of that rank says of a party."""
    fought = next(fought for fought in state.fought if fought.number == party.battle)
    guy = state.setup.units[party.unit].guy
    # Whoever holds the field finds more of his own.
    held = party.side in fought.holds
    return state.setup.table.line(guy=guy, held=held).result(rank)


def sent(party: LostParty, result: Return, start: Place = "fielded") -> Move:
    """The move of those for whom a card was drawn, to where it sends them."""
    return Move(party.group, party.unit, party.count, start, FATE_PLACES[result], party.battle)


class Exchange(NamedTuple):
    """Prisoners of both sides who come home, one for one."""

    moves: tuple[Move, ...]
    pairs: int


def exchange(state: CampaignState) -> Exchange:
    """Prisoners are exchanged at once, guy for guy, the longest held first (C12)."""
    if not state.setup.terms.exchanges:
        return Exchange((), 0)
    of_first, of_second = (_prisoners(state, side) for side in state.setup.ids)
    pairs = min(len(of_first), len(of_second))
    # Of both sides the first, who were held longest.
    freed = Counter([*of_first[:pairs], *of_second[:pairs]])
    moves = []
    for (group_id, unit), count in freed.items():
        moves.append(Move(group_id, unit, count, "prisoner", "ready"))
    return Exchange(tuple(moves), pairs)


def _prisoners(state: CampaignState, side: str) -> list[GroupUnit]:
    """The group and the unit of each captured man of a side, the longest held first."""
    by_battle: dict[int, list[GroupUnit]] = {}
    for group in state.of_side(side):
        for taken in group.prisoners:
            men = [GroupUnit(group.id, taken.unit)] * taken.count
            by_battle.setdefault(taken.battle, []).extend(men)
    prisoners: list[GroupUnit] = []
    for battle in sorted(by_battle):
        # Men of one battle stay in the order of their groups.
        prisoners += by_battle[battle]
    return prisoners
