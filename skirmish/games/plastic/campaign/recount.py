"""A battle is counted again: which battles have changed since they were counted, and what that
means for the men and models of a campaign, that is, who comes back, who is lost after all, which
cards still hold, and which are due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.groups import Move, Place, RearmedGuys
from skirmish.games.plastic.campaign.returns import PLACE_BY_RESULT, Conversion
from skirmish.games.plastic.campaign.state import (
    CampaignState,
    Fought,
    LostParty,
    PartyName,
    ReturnCard,
)


class ChangedBattle(NamedTuple):
    """A battle that has changed in its own journal since it was counted."""

    counted: BattleFacts
    """Its facts when it was counted."""
    now: BattleFacts


def changed_battles(
    state: CampaignState, ended_battles: Mapping[int, BattleFacts]
) -> Iterator[ChangedBattle]:
    """The battles that have changed since they were counted, oldest first. ``ended_battles``: the
    facts of battles that are over, by number, as they are stored now."""
    for fought in state.fought:
        counted, now = fought.facts, ended_battles.get(fought.number)
        # It was never counted (not yet, or since a side conceded it), or it is not over any more.
        if counted is None or now is None:
            continue
        if now.digest != counted.digest:
            yield ChangedBattle(counted, now)


class Recount:
    """The changes for men and models whose fate in a battle is another now that it is counted
    again. They are collected by ``settle_cards`` and ``rearm``; the fields become those of the
    event ``BattleCountedAgain``."""

    def __init__(self, state: CampaignState) -> None:
        self.state = state
        """The campaign after the moves so far, so that nobody is moved twice."""
        self.moves: list[Move] = []
        self.turned: list[RearmedGuys] = []
        self.drawn: list[ReturnCard] = []
        self.due: list[LostParty] = []
        self.short = 0
        """How many are lost after all, but could not be found any more."""

    def settle_cards(self, fought: Fought, lost_now: Mapping[PartyName, LostParty]) -> None:
        """Cards stay with the parties for which they were drawn, as far as these are still lost;
        parties that are newly lost need one. ``lost_now``: the parties of the battle as it is
        counted now, by their names."""
        due_before = self.state.due
        not_settled = dict(lost_now)
        for card in fought.drawn:
            party_now = not_settled.pop(card.party.name, None)
            self.drawn += self._card_again(card, party_now)
        for party in due_before:
            if party.battle == fought.number:
                party_now = not_settled.pop(party.name, None)
                self.due += self._still_due(party, party_now)
            else:
                self.due.append(party)
        # The parties that are left were not lost before.
        for party in not_settled.values():
            self.due += self._newly_due(party)

    def rearm(
        self,
        before: Mapping[Conversion, int],
        after: Mapping[Conversion, int],
    ) -> None:
        """Guys who became another unit in the battle as it is counted now (``Conversion``) become
        it here, too; those who did not after all become what they were. Only ready guys can change.
        ``before`` and ``after``: how many guys there are of each conversion, as the battle was
        counted before and as it is now."""
        for conversion in {**before, **after}:
            change = after.get(conversion, 0) - before.get(conversion, 0)
            start, end = conversion.unit, conversion.into
            if change < 0:
                start, end = conversion.into, conversion.unit
            ready = self.state.groups[conversion.group].count("ready", start)
            count = min(ready, abs(change))
            if count:
                rearmed = RearmedGuys(conversion.group, start, end, count)
                self.turned.append(rearmed)
                self.state = self.state.rearmed((rearmed,))

    def _move(self, move: Move) -> int:
        """Moves as many men as there are, up to the count of the move. Returns how many."""
        available = self.state.groups[move.group].count(move.start, move.unit)
        count = min(available, move.count)
        # The start is also the end for men whose card sent them to "ready": they are there already.
        if count and move.start != move.end:
            move = msgspec.structs.replace(move, count=count)
            self.moves.append(move)
            self.state = self.state.moved((move,))
        return count

    def _card_again(self, card: ReturnCard, now: LostParty | None) -> list[ReturnCard]:
        """The card, for its party as it is lost ``now`` (None: nobody of it is lost any more); no
        card if nobody is left. Whoever is not lost any more comes back from where the card sent the
        party, and whoever is newly lost goes there."""
        count = self._resize(card.party, now, PLACE_BY_RESULT[card.result])
        if not count:
            return []
        resized = msgspec.structs.replace(card.party, count=count)
        return [msgspec.structs.replace(card, party=resized)]

    def _still_due(self, before: LostParty, now: LostParty | None) -> list[LostParty]:
        """A party for which a card is still to be drawn, as it is lost ``now`` (None: nobody of it
        is lost any more); no party if nobody is left."""
        count = self._resize(before, now, "fielded")
        if now is None or not count:
            return []
        return [msgspec.structs.replace(before, count=count, shares=now.shares)]

    def _resize(self, before: LostParty, now: LostParty | None, place: Place) -> int:
        """Moves the men by whom a party is smaller or larger ``now``, and returns how many are
        lost. Whoever is not lost any more comes back from that ``place``; whoever is newly lost
        goes there, if he can still be found."""
        count = 0
        if now is not None:
            count = now.count
        change = count - before.count
        if change < 0:
            self._move(Move(before.group, before.unit, -change, place, "ready"))
        elif change > 0:
            count = before.count + self._take(before, change, place)
        return count

    def _newly_due(self, party: LostParty) -> list[LostParty]:
        """A party that is newly lost, as far as its men can still be found; no party if none of
        them can."""
        taken = self._take(party, party.count, "fielded")
        if not taken:
            return []
        return [msgspec.structs.replace(party, count=taken)]

    def _take(self, party: LostParty, count: int, end: Place) -> int:
        """Moves men who were thought to be alive to the place ``end``: ready ones first, then those
        away. Returns how many were found; those that were not are added to ``short``."""
        taken = 0
        places: tuple[Place, Place] = ("ready", "away")
        for start in places:
            wanted = count - taken
            if wanted and start != end:
                move = Move(party.group, party.unit, wanted, start, end, party.battle)
                taken += self._move(move)
            elif wanted:
                # Men who are already where the card sends them stay there. They may have been
                # counted for another party before: then ``short`` is too small, but nobody is moved
                # wrongly.
                present = self.state.groups[party.group].count(end, party.unit)
                taken += min(present, wanted)
        self.short += count - taken
        return taken
