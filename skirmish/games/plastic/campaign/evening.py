"""The evening after a battle: the cards for the lost, the exchange of prisoners, replacements, and
the quality of the groups. Pure functions of the state; ``orders`` turns them into events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from skirmish.games.plastic.campaign.battle_facts import BattleFacts, PieceFate
from skirmish.games.plastic.campaign.fielding import QUALITIES
from skirmish.games.plastic.campaign.groups import RIFLE, CampaignGroup, Move, Place
from skirmish.games.plastic.campaign.state import (
    CampaignState,
    Fielding,
    LostParty,
    Outcome,
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


# ------------------------------------------------------------------ replacements


def budget(state: CampaignState, side: str) -> int:
    """The points of replacements of a side after this battle: the same for both sides (C23), and
    the prize of the rung for the winner. What it saved before is not in it, nor what the loser gets
    to catch up."""
    file = state.setup.file
    points = file.replacements or state.setup.terms.replacements
    last = state.last
    if last is not None and last.winner == side:
        points += last.rung.prize
    return points


def loser(state: CampaignState) -> str | None:
    """Who lost the last battle and may catch up; None after a draw, or if that is not played."""
    last, terms = state.last, state.setup.terms
    if last is None or not terms.has_catch_up:
        return None
    if last.conceded_by:
        if terms.conceding_catches_up:
            return last.conceded_by
        return None
    if last.winner is None:
        return None
    return state.enemy_of(last.winner)


def proposed_purchases(state: CampaignState, side: str) -> dict[str, dict[str, int]]:
    """What a side may buy without a thought, by group and unit: the dearest that it lacks first,
    and of equally dear ones those of the weakest group."""
    points = state.budget.get(side, 0)
    bought: dict[str, dict[str, int]] = {}
    # Sorted by price, the highest first, then by the share of a group's strength that is here.
    offers: list[tuple[int, float, str, str]] = []
    for group in state.of_side(side):
        for unit in group.strength:
            if group.missing(unit):
                share = group.members / group.full_strength
                offers.append((-state.price(unit), share, group.id, unit))
    for _, _, group_id, unit in sorted(offers):
        group, price = state.groups[group_id], state.price(unit)
        while price <= points and bought.get(group_id, {}).get(unit, 0) < group.missing(unit):
            counts = bought.setdefault(group_id, {})
            counts[unit] = counts.get(unit, 0) + 1
            points -= price
    return bought


def price_of(state: CampaignState, bought: Mapping[str, Counts]) -> int:
    """The points of a purchase."""
    return sum(state.worth(counts) for counts in bought.values())


def why_not_buy(state: CampaignState, side: str, bought: Mapping[str, Counts]) -> str:
    """Why a side cannot buy this, as a sentence; empty if it can."""
    for group_id, counts in bought.items():
        group = state.groups.get(group_id)
        if group is None or group.side != side:
            return f"There is no group {group_id!r} on that side."
        for unit, count in counts.items():
            if unit not in state.setup.units or not 0 <= count <= group.missing(unit):
                lacks = f"{group.name} lacks {group.missing(unit)}"
                return f"{lacks} of that unit, not {count}."
    price, points = price_of(state, bought), state.budget.get(side, 0)
    if price > points:
        return f"That costs {price} points, and there are {points}."
    return ""


class Recruits(NamedTuple):
    """The men and models of a purchase: how many are ``raw``, and how many models of each unit are
    manned by a crew whose old model was lost."""

    raw: int
    crews: dict[str, int]


def recruits_among(group: CampaignGroup, counts: Counts) -> Recruits:
    """A purchase split into recruits and models for which a crew of the group lives."""
    raw = 0
    crews: dict[str, int] = {}
    for unit, count in counts.items():
        with_crew = min(count, group.crews.get(unit, 0))
        if with_crew:
            crews[unit] = with_crew
        raw += count - with_crew
    return Recruits(raw, crews)


# ------------------------------------------------------------------ quality


class QualityStep(NamedTuple):
    """What an evening does to a group: its marks and quality afterwards, and why, as a sentence."""

    marks: int
    quality: str
    why: str


def gained_mark(group: CampaignGroup, state: CampaignState) -> bool:
    """Whether it brought at least half its strength to the last battle and lost at most a quarter
    of what it brought (C15). Men and models are counted, not points."""
    if not group.battles or group.battles[-1].battle != state.battle:
        return False
    fought = group.battles[-1]
    if 2 * fought.brought < group.full_strength:
        return False
    return fought.lost <= fought.brought * state.setup.terms.most_lost_for_mark


def step_of(group: CampaignGroup, state: CampaignState) -> QualityStep | None:
    """What the evening does to a group; None if nothing. First it may gain a mark and rise, then
    recruits may cost it one."""
    terms = state.setup.terms
    marks, quality, reasons = group.marks, group.quality, []
    if gained_mark(group, state):
        marks += 1
        reasons.append(f"{ordinal(marks)} mark")
        needed = terms.marks_for.get(quality)
        if needed is not None and marks >= needed:
            quality = QUALITIES[QUALITIES.index(quality) + 1]
            marks = 0
            reasons[-1] = f"is {quality} now"
    raw_recruits = group.tonight
    text = f"{raw_recruits} of {group.members} are recruits"
    if group.members and raw_recruits > group.members * terms.recruits_cost_step:
        marks, quality = 0, _lower(quality)
        reasons.append(f"{text}: is {quality} now, no marks")
    elif group.members and raw_recruits > group.members * terms.recruits_cost_mark:
        if marks:
            marks -= 1
            reasons.append(f"{text}: a mark less")
        elif quality != QUALITIES[0]:
            quality = _lower(quality)
            reasons.append(f"{text}: is {quality} now")
    if not reasons:
        return None
    return QualityStep(marks, quality, "; ".join(reasons))


def _lower(quality: str) -> str:
    """The next lower quality; the lowest stays."""
    return QUALITIES[max(0, QUALITIES.index(quality) - 1)]


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th``: marks never go beyond ten."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{endings.get(number, 'th')}"


# ------------------------------------------------------------------ the marker and the end


class MarkerAndPoints(NamedTuple):
    """The marker and the points after all battles so far."""

    marker: int
    points: dict[str, int]


def standing(state: CampaignState) -> MarkerAndPoints:
    """Marker and points, folded over the battles: a win moves the marker by the rung's ``moves``,
    up for the first side; beyond an end it stays there."""
    terms = state.setup.terms
    first, second = state.setup.ids
    points = {first: 0, second: 0}
    marker = 0
    # One place beyond an end of the ladder, where the campaign is won.
    limit = state.setup.file.top + 1
    for fought in state.fought:
        winner = fought.winner
        if fought.conceded_by:
            winner = state.enemy_of(fought.conceded_by)
        elif fought.facts is None:
            # It was opened, but has not been counted yet.
            continue
        if winner is None:
            for side in points:
                points[side] += terms.points_of_draw
            continue
        points[winner] += terms.points_of_victory + fought.rung.points
        direction = 1
        if winner == second:
            direction = -1
        marker = max(-limit, min(limit, marker + direction * fought.rung.moves))
    return MarkerAndPoints(marker, points)


def is_last(state: CampaignState) -> bool:
    """Whether the battle that was counted last is the last one in any case."""
    last = state.last
    return last is not None and last.number >= state.setup.last_battle


def outcome_of(state: CampaignState) -> Outcome | None:
    """How the campaign has ended, if it has: past an end of the ladder, by points, or after the
    last battle."""
    top = state.setup.file.top
    if abs(state.marker) > top:
        winner = _side_of_marker(state)
        return Outcome(winner, "The marker is past the end of the ladder.")
    goal = state.setup.file.points_to_win
    at_goal = [side for side, points in state.points.items() if goal and points >= goal]
    # Where both have so many, it goes on.
    if len(at_goal) == 1:
        return Outcome(at_goal[0], f"They have {state.points[at_goal[0]]} points.")
    if not is_last(state):
        return None
    return decided(state)


def _side_of_marker(state: CampaignState) -> str:
    """The side in whose favour the marker stands off the middle: the first pushes it up."""
    first, second = state.setup.ids
    if state.marker > 0:
        return first
    return second


def decided(state: CampaignState) -> Outcome:
    """Who has won as it stands: by the marker, then by points, then whom the file names, then by
    what was lost."""
    first, second = state.setup.ids
    if state.marker:
        winner = _side_of_marker(state)
        return Outcome(winner, "The marker stands on their half of the ladder.")
    if state.points[first] != state.points[second]:
        winner = max(state.points, key=lambda side: state.points[side])
        return Outcome(winner, "The marker is in the middle, and they have more points.")
    # "level" in the file: the side that wins if all is level.
    wins_if_level = state.setup.file.level
    if wins_if_level:
        text = "Marker and points are level, which is a victory for them here."
        return Outcome(wins_if_level, text)
    return _by_losses(state)


LEAST_DIFFERENCE = 5
"""Percentage points by which the losses must differ to decide a level campaign."""


def _by_losses(state: CampaignState) -> Outcome:
    """The smaller share of its strength gone or captured, if that is five points apart."""
    first, second = state.setup.ids
    lost = {side: percent_lost(state.of_side(side), state) for side in (first, second)}
    if abs(lost[first] - lost[second]) >= LEAST_DIFFERENCE:
        winner = min(lost, key=lambda side: lost[side])
        return Outcome(winner, "All is level, and they have lost the smaller part of their men.")
    return Outcome(None, "All is level.")


def percent_lost(groups: Iterable[CampaignGroup], state: CampaignState) -> float:
    """The share of the strength, by list price, that is gone or captured, in percent."""
    strength = lost = 0
    for group in groups:
        strength += state.worth(group.strength)
        lost += state.worth(group.gone)
        lost += sum(state.price(taken.unit) * taken.count for taken in group.prisoners)
    if not strength:
        return 0.0
    return 100 * lost / strength
