"""What a battle that is counted again changes for the men and models of a campaign: who comes back,
who is lost after all, which cards still hold, and which are due."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from skirmish.games.plastic.campaign.groups import Move, Place, RearmedGuys
from skirmish.games.plastic.campaign.returns import FATE_PLACES, Conversion
from skirmish.games.plastic.campaign.state import (
    CampaignState,
    Fought,
    LostParty,
    PartyName,
    ReturnCard,
)


class _Changes:
    """What changes for men and models whose fate in a battle is another now that it is counted
    again. ``state`` is the campaign after the moves so far, so that nobody is moved twice. The
    other fields are those of the event ``Amended``."""

    def __init__(self, state: CampaignState) -> None:
        self.state = state
        self.moves: list[Move] = []
        self.turned: list[RearmedGuys] = []
        self.drawn: list[ReturnCard] = []
        self.due: list[LostParty] = []
        self.short = 0

    def settle_cards(self, fought: Fought, parties: dict[PartyName, LostParty]) -> None:
        """Cards stay with the parties for which they were drawn, as far as those are lost still;
        whoever is newly lost needs one. ``parties`` are those lost now, by their names; each is
        taken out of them as it is dealt with."""
        due_before = self.state.due
        for card in fought.drawn:
            self.drawn += self.keep(card, parties.pop(card.party.name, None))
        for party in due_before:
            if party.battle == fought.number:
                self.due += self.keep_due(party, parties.pop(party.name, None))
            else:
                self.due.append(party)
        # Those that are left were not lost before.
        for party in parties.values():
            self.due += self.newly_due(party)

    def _move(self, move: Move) -> int:
        """Move as many as there are; returns how many that is."""
        available = self.state.groups[move.group].count(move.start, move.unit)
        count = min(available, move.count)
        # The card of a lost man may say that he is ready all the same: then he need not move.
        if count and move.start != move.end:
            move = msgspec.structs.replace(move, count=count)
            self.moves.append(move)
            self.state = self.state.moved((move,))
        return count

    def keep(self, card: ReturnCard, party: LostParty | None) -> list[ReturnCard]:
        """A card that was drawn, for the party as it is lost now (None: nobody of it is any more).
        Its result has sent the party to a place: who is not lost any more comes back from there,
        and who is newly lost goes there."""
        count = self._resized(card.party, party, FATE_PLACES[card.result])
        if not count:
            return []
        resized = msgspec.structs.replace(card.party, count=count)
        return [msgspec.structs.replace(card, party=resized)]

    def keep_due(self, before: LostParty, party: LostParty | None) -> list[LostParty]:
        """A card that is still to be drawn, for the party as it is lost now (None: nobody of it is
        any more)."""
        count = self._resized(before, party, "fielded")
        if party is None or not count:
            return []
        return [msgspec.structs.replace(before, count=count, shares=party.shares)]

    def _resized(self, before: LostParty, party: LostParty | None, place: Place) -> int:
        """How many of a party are lost now. Whoever is not lost any more comes back from that
        ``place``; who is newly lost goes there, as far as he is still there to be taken."""
        count = 0
        if party is not None:
            count = party.count
        change = count - before.count
        if change < 0:
            self._move(Move(before.group, before.unit, -change, place, "ready"))
        elif change > 0:
            count = before.count + self._take(before, change, place)
        return count

    def rearm(
        self,
        before: Mapping[Conversion, int],
        after: Mapping[Conversion, int],
    ) -> None:
        """Guys whose weapon broke down in the battle as it is counted now have a rifle; those of
        whom that is not so any more have their weapon again. Only the ready ones can be changed.
        ``before`` and ``after``: how many of each conversion, as it was counted and now."""
        for conversion in {**before, **after}:
            change = after.get(conversion, 0) - before.get(conversion, 0)
            start, end = conversion.unit, conversion.into
            if change < 0:
                start, end = conversion.into, conversion.unit
            ready = self.state.groups[conversion.group].count("ready", start)
            count = min(ready, abs(change))
            if count:
                turned = RearmedGuys(conversion.group, start, end, count)
                self.turned.append(turned)
                self.state = self.state.rearmed((turned,))

    def newly_due(self, party: LostParty) -> list[LostParty]:
        """A card for a party that is newly lost, as far as it is still there to be taken."""
        taken = self._take(party, party.count, "fielded")
        if not taken:
            return []
        return [msgspec.structs.replace(party, count=taken)]

    def _take(self, party: LostParty, count: int, end: Place) -> int:
        """Take men who were thought to live to the place ``end``: ready ones first, then those
        away. Returns how many there were."""
        taken = 0
        places: tuple[Place, Place] = ("ready", "away")
        for start in places:
            wanted = count - taken
            if wanted and start != end:
                move = Move(party.group, party.unit, wanted, start, end, party.battle)
                taken += self._move(move)
            elif wanted:
                # Who is where his card sends him stays there. Perhaps he was counted for another
                # party already: then ``short`` is too small by one, but nobody is moved.
                present = self.state.groups[party.group].count(end, party.unit)
                taken += min(present, wanted)
        self.short += count - taken
        return taken
