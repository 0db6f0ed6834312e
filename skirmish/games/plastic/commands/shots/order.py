"""How the answers about a shot become an order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import Squad, prepared
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.shot_circumstances import CIRCUMSTANCES
from skirmish.tabletop.commands import Answers
from skirmish.tabletop.refusal import Refusal, Refused

MOST_SQUADS = 9
"""The most rows that fire in one volley. It is more than anybody needs, but the questions for more
rows must end."""


class SquadSlots(msgspec.Struct, frozen=True):
    """The names of the answers about one squad of a volley: its row, how many fire, and how many
    after a number that was too high. The first squad is the shooter of a single shot as well; the
    others have their place in the names: ``shooter2``."""

    shooter: str
    count: str
    fewer: str

    @classmethod
    def of_place(cls, place: int) -> Self:
        """The names for the squad at that place of the volley, counted from 1."""
        if place == 1:
            return cls("shooter", "count", "fewer")
        return cls(f"shooter{place}", f"count{place}", f"fewer{place}")

    def how_many(self, facts: Answers) -> int | None:
        """The number that fires; None if none was given."""
        fewer: int | None = facts.get(self.fewer)
        if fewer:
            return fewer
        return facts.get(self.count)


FIRST_SQUAD = SquadSlots.of_place(1)


def order_of(facts: Answers) -> Fire | None:
    """The shot or volley that the answers come to; None while the shooter or the target is
    missing."""
    shooter, target = facts.get("shooter"), facts.get("target")
    if shooter is None or target is None:
        return None
    count, reach = _number_that_fires(facts), _number_in_reach(facts)
    circumstances = {name: facts[name] for name in CIRCUMSTANCES if name in facts}
    weapon = facts.get("weapon")
    # Without any number it is a single shot at a single man.
    if count is None and reach is None:
        return Fire(shooter=shooter, target=target, weapon=weapon, **circumstances)
    if count is None:
        count = 1
    return Volley(
        shooter=shooter,
        target=target,
        weapon=weapon,
        count=count,
        reach=reach,
        more=tuple(_other_squads(facts)),
        **circumstances,
    )


def _number_that_fires(facts: Answers) -> int | None:
    """How many of the first squad fire; None if no number was given."""
    count = FIRST_SQUAD.how_many(facts)
    if count is not None:
        return count
    # Those who touch the enemy fight together. One of them is what a shot without a number has
    # anyway.
    in_contact: int = facts.get("contact") or 1
    if in_contact > 1:
        return in_contact
    return None


def _number_in_reach(facts: Answers) -> int | None:
    """How many are in reach; None if no number was given."""
    # The answer after a number that was too high. If nobody is in sight (0), the number that was
    # typed stays, and the order is refused with the reason.
    fewer: int | None = facts.get("fewer_in_reach")
    if fewer:
        return fewer
    return facts.get("reach")


def _other_squads(facts: Answers) -> Iterator[Squad]:
    """The other rows that fire in a mixed volley, each with its number."""
    for place in range(2, MOST_SQUADS + 1):
        squad = SquadSlots.of_place(place)
        row, count = facts.get(squad.shooter), squad.how_many(facts)
        if row is not None and count is not None:
            yield Squad(row, count)


def objection(state: State, order: Fire | Again) -> Refusal | None:
    """What speaks against a shot: a ``firm`` refusal if it is impossible, otherwise the advice of
    the rules; None: nothing does."""
    try:
        return prepared(state, order).advice
    except Refused as error:
        return replace(error.refusal, firm=True)
