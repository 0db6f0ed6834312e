"""The position of the defender in a free battle: his works and pillboxes, the points that he may
spend on them, what is proposed, and why he cannot have others. A ``piece`` is a work or a pillbox
here, by its id. Numbers as C6 are rulings of campaigns (``terms``)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from skirmish.games.plastic.campaign.state import CampaignState, Fielding
from skirmish.games.plastic.rules.catalog import Counts

NEAR_POSITION_SHARE, FAR_POSITION_SHARE = Fraction(1, 10), Fraction(1, 5)
"""The share of the allowance that the defender gets for works (C6), one rung from the middle of the
ladder and farther from it."""
PILLBOX, SANDBAGS, WIRE = "small_pillbox", "sandbags", "barbed_wire"
PILLBOXES = (PILLBOX, "large_pillbox")
FOR_POSITION = (*PILLBOXES, SANDBAGS, WIRE)
"""What a side may choose for its position."""
NEST = {PILLBOX: 1, SANDBAGS: 2, WIRE: 4}
"""A pillbox with the sandbags and the wire around it. The position that is proposed has as many of
these as its points buy."""


def position_of(state: CampaignState, fielding: Fielding) -> dict[str, int]:
    """The works and pillboxes that a side has in its position in a free battle; none in a scenario,
    whose lists name its pillboxes."""
    if not state.is_free_battle:
        return {}
    pillboxes = {unit: count for unit, count in fielding.attached.items() if unit in PILLBOXES}
    return {**pillboxes, **fielding.works}


def _defends_free_battle(state: CampaignState, side: str) -> bool:
    """Whether a side is the defender of a free battle."""
    # Where the players draw for the attack, as in the middle of the ladder, nobody defends.
    if not state.is_free_battle or not state.attacker:
        return False
    return side != state.attacker


def points_for_position(state: CampaignState, side: str) -> int:
    """The points that a side may spend on works and pillboxes: 0, unless it is the defender of a
    free battle (C6) whose works the rung does not name."""
    rung = state.rung
    if not _defends_free_battle(state, side) or rung.works:
        return 0
    # The ruling may double the share, or make it nothing.
    share = _position_share(abs(rung.place)) * state.setup.terms.position_times
    return floor(state.allowance * share)


def _position_share(rungs: int) -> Fraction:
    """The share of the allowance for a position so many rungs from the middle of the ladder."""
    if rungs == 0:
        return Fraction(0)
    if rungs == 1:
        return NEAR_POSITION_SHARE
    return FAR_POSITION_SHARE


def price_in_position(state: CampaignState, piece: str) -> int:
    """What a work or a pillbox costs, in points."""
    if piece in PILLBOXES:
        return state.price(piece)
    return state.setup.works[piece].price


def proposed_position(state: CampaignState, side: str) -> dict[str, int]:
    """The works and pillboxes that are proposed for the position of a free battle's defender (C6);
    none for another side."""
    if not _defends_free_battle(state, side):
        return {}
    if state.rung.works:
        return dict(state.rung.works)
    points = points_for_position(state, side)
    price_of_nest = sum(price_in_position(state, piece) * count for piece, count in NEST.items())
    nests, points_left = divmod(points, price_of_nest)
    position = {piece: nests * count for piece, count in NEST.items()}
    # The points left over buy more sandbags, and those left after that buy wire.
    more_sandbags, points_left = divmod(points_left, price_in_position(state, SANDBAGS))
    position[SANDBAGS] += more_sandbags
    position[WIRE] += points_left // price_in_position(state, WIRE)
    return {piece: count for piece, count in position.items() if count}


def why_not_position(state: CampaignState, side: str, position: Counts) -> str:
    """Why a side cannot have these works and pillboxes, as a sentence; empty if it can."""
    # The proposal is never refused: works that the rung names may be of other kinds or cost more.
    if dict(position) == proposed_position(state, side):
        return ""
    points = points_for_position(state, side)
    if not points and any(position.values()):
        return f"The {state.people(side)} have no works to choose in this battle."
    total = 0
    for piece, count in position.items():
        if piece not in FOR_POSITION or count < 0:
            names = _names_for_position(state)
            return f"There is no work {piece!r} for a position; choose from {names}."
        total += count * price_in_position(state, piece)
    if total > points:
        return f"They cost {total} points, and the position has {points}."
    return ""


def _names_for_position(state: CampaignState) -> str:
    """The names of all works and pillboxes that a position may have, for a sentence."""
    names = {**state.setup.units, **state.setup.works}
    return ", ".join(names[piece].name for piece in FOR_POSITION)
