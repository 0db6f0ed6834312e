"""What happens in a campaign: each event changes the state and is narrated in a sentence.

Orders lead to events (``orders``), and a journal stores both. Numbers as C11 are rulings of
campaigns (``terms``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.evening import recruits_among
from skirmish.games.plastic.campaign.groups import (
    RIFLE,
    CampaignGroup,
    GroupBattle,
    Move,
    RearmedGuys,
    UnitsByGroup,
    added,
    counts_in_words,
)
from skirmish.games.plastic.campaign.outcome import marker_and_points
from skirmish.games.plastic.campaign.returns import move_by_card
from skirmish.games.plastic.campaign.state import (
    CampaignSetup,
    CampaignState,
    Fielding,
    Fought,
    LostParty,
    Outcome,
    ReturnCard,
    Step,
)
from skirmish.games.plastic.campaign.terms import CATCH_UP, Return
from skirmish.games.plastic.rules.catalog import total_counts
from skirmish.tabletop.chance import Source

RESULT_WORDS: Mapping[Return, str] = {
    "ready": "ready",
    "away": "away for a battle",
    "prisoner": "captured",
    "crew": "gone, the crew lives",
    "gone": "gone",
}
"""What a card says of a lost man or model, in the words of the journal."""


class CampaignEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """What happened, as it is stored. An event never refuses and never draws: the order that led to
    it has applied the rules and drawn the cards."""

    def apply(self, state: CampaignState) -> CampaignState:
        """The state after it."""
        raise NotImplementedError

    def narrate(self, state: CampaignState) -> str:
        """The sentence of the journal; empty if it has none. ``state``: before the event."""
        return ""


class CampaignOpened(CampaignEvent, frozen=True, kw_only=True, tag="campaign_opened"):
    """A campaign begins."""

    setup: CampaignSetup

    # The opening is the only event without a state before it.
    def apply(self, state: CampaignState | None = None) -> CampaignState:
        setup = self.setup
        opened = CampaignState(
            setup=setup,
            groups={group.id: group for group in setup.groups},
            source=setup.source,
            points=dict.fromkeys(setup.ids, 0),
        )
        # Which rung is fought first can only be asked of the new state.
        return replace(opened, attacker=opened.rung.attacker)

    def narrate(self, state: CampaignState) -> str:
        return f"{self.setup.file.title} begins."


class ForcesChosen(CampaignEvent, frozen=True, kw_only=True, tag="forces_chosen"):
    """A side has chosen what it brings to the next battle."""

    side: str
    fielding: Fielding

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(state, fielding={**state.fielding, self.side: self.fielding})

    def narrate(self, state: CampaignState) -> str:
        own_units = total_counts(self.fielding.groups.values())
        brought = counts_in_words(own_units, state.setup.units)
        text = f"The {state.people(self.side)} bring {brought}"
        # Works are named with the units that are attached.
        units_and_works = {**state.setup.units, **state.setup.works}
        attached = {**self.fielding.attached, **self.fielding.works}
        if attached:
            text += f"; attached: {counts_in_words(attached, units_and_works)}"
        return f"{text}."


class BattleBegun(CampaignEvent, frozen=True, kw_only=True, tag="battle_begun"):
    """The battle is set up, and those who were chosen leave their groups for it. ``seed`` is that
    of its decks."""

    seed: int
    moves: tuple[Move, ...]

    def apply(self, state: CampaignState) -> CampaignState:
        # The rung is stored with the battle, as the marker moves on, also when an earlier battle is
        # counted again.
        fought = Fought(
            number=state.battle, rung=state.rung, marker=state.marker, fielding=state.fielding
        )
        begun = state.moved(self.moves)
        return replace(begun, step="battle", seed=self.seed, fought=(*state.fought, fought))

    def narrate(self, state: CampaignState) -> str:
        return f"Battle {state.battle} begins: {state.setup.title_of(state.rung)}."


class Conceded(CampaignEvent, frozen=True, kw_only=True, tag="conceded"):
    """A side gives up the battle before it is counted; those who were fielded come home."""

    side: str
    moves: tuple[Move, ...]

    def apply(self, state: CampaignState) -> CampaignState:
        earlier = state.fought
        # If the battle was set up already, it is the last in the list, and is replaced.
        if earlier and earlier[-1].number == state.battle:
            earlier = earlier[:-1]
        fought = Fought(
            number=state.battle,
            rung=state.rung,
            marker=state.marker,
            fielding={},
            conceded_by=self.side,
        )
        # Nobody was lost, so no cards are due, and the evening begins at once.
        conceded = replace(state.moved(self.moves), fought=(*earlier, fought), step="replacements")
        return _with_marker_and_points(conceded)

    def narrate(self, state: CampaignState) -> str:
        return f"The {state.people(self.side)} concede battle {state.battle}."


class BattleCounted(CampaignEvent, frozen=True, kw_only=True, tag="battle_counted"):
    """The battle counts."""

    facts: BattleFacts
    """What it came to."""
    holds: tuple[str, ...]
    """The sides that hold the field."""
    moves: tuple[Move, ...]
    """Those who come home."""
    due: tuple[LostParty, ...]
    """The parties for which cards are to be drawn."""
    turned: tuple[RearmedGuys, ...] = ()
    """The guys who are another unit now, most of them riflemen whose weapon broke down."""

    def apply(self, state: CampaignState) -> CampaignState:
        fought = replace(state.fought[-1], facts=self.facts, holds=self.holds)
        after = state.moved(self.moves).rearmed(self.turned)
        groups = dict(after.groups)
        for group_id, record in self.facts.groups.items():
            # A journal from elsewhere may have records of unknown groups: orders check only to
            # which groups the pieces belong.
            if group_id in groups:
                group = groups[group_id]
                groups[group_id] = replace(group, battles=(*group.battles, record))
        best = best_group(self.facts)
        if best is not None and best in groups:
            points = self.facts.groups[best].points
            honour = f"Battle {self.facts.battle}: most points killed, {points}."
            groups[best] = _honoured(groups[best], honour)
        after = replace(
            after,
            groups=groups,
            fought=(*state.fought[:-1], fought),
            due=self.due,
            step="returns",
            # The cards for the lost of a battle are drawn from a full deck.
            source=state.source.reshuffled(),
        )
        return _with_marker_and_points(after)

    def narrate(self, state: CampaignState) -> str:
        facts = self.facts
        if facts.winner is None:
            result = "a draw"
        else:
            result = f"the {state.people(facts.winner)} won"
        text = f"Battle {facts.battle} counts: {result}. {facts.reason} {_lost_words(self.due)}"
        return text + _rearmed_words(self.turned)


def _lost_words(due: tuple[LostParty, ...]) -> str:
    """A sentence that says how many the groups lost, and how many cards are drawn for them."""
    fallen = sum(party.count for party in due)
    if not fallen:
        return "The groups lost nobody."
    if fallen == 1:
        return "The groups lost one man or model; one card is drawn."
    cards = _cards_to_draw(due)
    card_words = f"{cards} cards are drawn for them"
    if cards == 1:
        card_words = "one card is drawn for them"
    return f"The groups lost {fallen} men and models; {card_words}."


def _cards_to_draw(due: tuple[LostParty, ...]) -> int:
    """How many cards are drawn for these parties. Those who were lost aboard a model may share its
    card (C11)."""
    own_cards = [party for party in due if party.shares is None]
    return len(own_cards)


def _rearmed_words(turned: tuple[RearmedGuys, ...]) -> str:
    """A sentence, after a space, that says how many guys have a rifle instead of a weapon that
    broke down; empty for none. Guys who became other units, by a rule of the scenario, are left
    out."""
    count = sum(change.count for change in turned if change.into == RIFLE)
    if not count:
        return ""
    if count == 1:
        return " One guy whose weapon broke down is a Rifle Guy now."
    return f" {count} guys whose weapons broke down are Rifle Guys now."


class ReturnsDrawn(CampaignEvent, frozen=True, kw_only=True, tag="returns_drawn"):
    """Cards were drawn for the lost. ``source``: the deck or die after these draws."""

    drawn: tuple[ReturnCard, ...]
    source: Source

    def apply(self, state: CampaignState) -> CampaignState:
        moves = tuple(move_by_card(card.party, card.result) for card in self.drawn)
        after = state.moved(moves)
        groups = dict(after.groups)
        for card in self.drawn:
            # The model is gone, but its crew waits for another model, which is then no recruit when
            # it is bought.
            if card.result == "crew":
                group = groups[card.party.group]
                crews = added(group.crews, card.party.unit, 1)
                groups[group.id] = replace(group, crews=crews)
        fought = tuple(_with_cards(battle, self.drawn) for battle in after.fought)
        drawn_for = {card.party.name for card in self.drawn}
        due = tuple(party for party in after.due if party.name not in drawn_for)
        return replace(after, groups=groups, fought=fought, due=due, source=self.source)

    def narrate(self, state: CampaignState) -> str:
        totals: dict[str, Counter[Return]] = {}
        for card in self.drawn:
            results = totals.setdefault(card.party.side, Counter())
            results[card.result] += card.party.count
        parts = []
        for side, results in totals.items():
            words = ", ".join(
                f"{count} {RESULT_WORDS[result]}" for result, count in results.items()
            )
            parts.append(f"{state.name(side)}: {words}")
        return f"{'. '.join(parts)}."


def _with_cards(fought: Fought, cards: tuple[ReturnCard, ...]) -> Fought:
    """The battle with those of the cards that were drawn for its own lost. After it was counted
    again, some may be drawn together with cards of a later battle."""
    own_cards = tuple(card for card in cards if card.party.battle == fought.number)
    if not own_cards:
        return fought
    return replace(fought, drawn=(*fought.drawn, *own_cards))


class PrisonersExchanged(CampaignEvent, frozen=True, kw_only=True, tag="prisoners_exchanged"):
    """Prisoners of both sides come home."""

    pairs: int
    moves: tuple[Move, ...]

    def apply(self, state: CampaignState) -> CampaignState:
        return state.moved(self.moves)

    def narrate(self, state: CampaignState) -> str:
        if self.pairs == 1:
            return "A prisoner of each side is exchanged."
        return f"{self.pairs} prisoners of each side are exchanged."


class EveningBegun(CampaignEvent, frozen=True, kw_only=True, tag="evening_begun"):
    """All cards are drawn. ``budget``: the points that each side may spend; ``loser``: the side
    that catches up (``CaughtUp``) before anything is bought, empty for none. The journal has no
    sentence for it."""

    budget: dict[str, int]
    loser: str = ""

    def apply(self, state: CampaignState) -> CampaignState:
        step: Step = "replacements"
        if self.loser:
            step = "catch_up"
        return replace(
            state, budget=self.budget, step=step, settled=frozenset(), catching_up=self.loser
        )


class CaughtUp(CampaignEvent, frozen=True, kw_only=True, tag="caught_up"):
    """The loser of the battle takes more replacements, or the choice of ground."""

    side: str
    ground: bool
    """Whether it takes the choice of ground."""

    def apply(self, state: CampaignState) -> CampaignState:
        if self.ground:
            return replace(state, ground=self.side, step="replacements")
        budget = {**state.budget, self.side: state.budget.get(self.side, 0) + CATCH_UP}
        return replace(state, budget=budget, step="replacements")

    def narrate(self, state: CampaignState) -> str:
        if self.ground:
            return f"The {state.people(self.side)} take the choice of ground."
        return f"The {state.people(self.side)} take {CATCH_UP} more points of replacements."


class ReplacementsListed(CampaignEvent, frozen=True, kw_only=True, tag="replacements_listed"):
    """What a side intends to buy; it can still change its mind. The journal has a sentence for it
    only where the enemy reads it (``CampaignGame.narrate``)."""

    side: str
    bought: UnitsByGroup

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(state, listed={**state.listed, self.side: self.bought})


class ReplacementsBought(CampaignEvent, frozen=True, kw_only=True, tag="replaced"):
    """A side has bought replacements; ``saved`` points are left for later."""

    side: str
    bought: UnitsByGroup
    saved: int

    def apply(self, state: CampaignState) -> CampaignState:
        groups = dict(state.groups)
        for group_id, counts in self.bought.items():
            group = groups[group_id]
            recruits = recruits_among(group, counts)
            # The crews that get a new model do not wait for one any more.
            crews = group.crews
            for unit, count in recruits.crews.items():
                crews = added(crews, unit, -count)
            groups[group_id] = replace(
                group,
                ready=total_counts([group.ready, counts]),
                # All who were ever bought; ``CampaignGame.check`` needs them. Only raw men lower
                # the quality of the group (``tonight``), and a new model may have an old crew.
                recruits=total_counts([group.recruits, counts]),
                tonight=group.tonight + recruits.raw,
                crews=crews,
            )
        listed = dict(state.listed)
        listed.pop(self.side, None)
        return replace(
            state,
            groups=groups,
            listed=listed,
            budget={**state.budget, self.side: self.saved},
            settled=state.settled | {self.side},
        )

    def narrate(self, state: CampaignState) -> str:
        parts = []
        for group_id, counts in self.bought.items():
            # What is listed may have the number 0.
            if any(counts.values()):
                bought = counts_in_words(counts, state.setup.units)
                parts.append(f"{bought} for {state.groups[group_id].name}")
        purchases = "; ".join(parts)
        if not parts:
            purchases = "nobody"
        text = f"The {state.people(self.side)} buy {purchases}."
        if self.saved:
            text += f" {self.saved} points are saved."
        return text


class GroupStepped(CampaignEvent, frozen=True, kw_only=True, tag="group_stepped"):
    """What the evening did to the marks and the quality of a group."""

    group: str
    marks: int
    """The marks of the group now."""
    quality: str
    """The force quality of the group now."""
    why: str
    """What happened to it and why, as a sentence without its name and the full stop."""

    def apply(self, state: CampaignState) -> CampaignState:
        group = state.groups[self.group]
        became_elite = self.quality == "elite" and group.quality != "elite"
        group = replace(group, marks=self.marks, quality=self.quality)
        if became_elite:
            group = _honoured(group, f"Elite since battle {state.battle}.")
        return replace(state, groups={**state.groups, group.id: group})

    def narrate(self, state: CampaignState) -> str:
        return f"{state.groups[self.group].name}: {self.why}."


class EveningOver(CampaignEvent, frozen=True, kw_only=True, tag="evening_over"):
    """The evening ends, and the next battle is prepared."""

    def apply(self, state: CampaignState) -> CampaignState:
        groups = {}
        for group_id, group in state.groups.items():
            groups[group_id] = replace(group, tonight=0)
        after = replace(
            state,
            groups=groups,
            battle=state.battle + 1,
            step="forces",
            fielding={},
            settled=frozenset(),
        )
        attacker = after.rung.attacker
        ground = state.ground
        if after.is_free_battle and not attacker and ground:
            # Cards would be drawn for the attack. The side with the choice of ground attacks, as if
            # it had drawn the higher card. With that the choice is used up.
            attacker = ground
            ground = ""
        return replace(after, attacker=attacker, ground=ground)

    def narrate(self, state: CampaignState) -> str:
        return f"Battle {state.battle + 1} is next."


class CampaignEnded(CampaignEvent, frozen=True, kw_only=True, tag="campaign_ended"):
    """The campaign is over."""

    outcome: Outcome

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(state, outcome=self.outcome, step="over")

    def narrate(self, state: CampaignState) -> str:
        if self.outcome.winner is None:
            return f"The campaign ends in a draw. {self.outcome.reason}"
        winner = state.people(self.outcome.winner)
        return f"The {winner} win the campaign. {self.outcome.reason}"


class CampaignGoesOn(CampaignEvent, frozen=True, kw_only=True, tag="campaign_goes_on"):
    """A battle was counted again, and the campaign is not over any more."""

    def apply(self, state: CampaignState) -> CampaignState:
        # The campaign goes on as after any battle that was counted: with the cards for the lost.
        return replace(state, outcome=None, step="returns")

    def narrate(self, state: CampaignState) -> str:
        return "The campaign goes on."


class BattleCountedAgain(CampaignEvent, frozen=True, kw_only=True, tag="amended"):
    """A battle that was counted before is counted again, with other facts."""

    facts: BattleFacts
    """What the battle comes to now."""
    holds: tuple[str, ...]
    """The sides that hold the field."""
    moves: tuple[Move, ...]
    """Where men and models go: those who are no longer lost come back from where their cards had
    sent them, and those who are newly lost are taken from where they are."""
    drawn: tuple[ReturnCard, ...]
    """The cards drawn before that still count."""
    due: tuple[LostParty, ...]
    """The parties for which cards are to be drawn now."""
    short: int = 0
    """How many are newly lost but cannot be found any more, for example since they were lost in a
    later battle."""
    turned: tuple[RearmedGuys, ...] = ()
    """Guys who are another unit now, or who are again what they were."""

    def apply(self, state: CampaignState) -> CampaignState:
        after = state.moved(self.moves).rearmed(self.turned)
        fought = []
        for battle in state.fought:
            if battle.number == self.facts.battle:
                counted_again = replace(
                    battle, facts=self.facts, holds=self.holds, drawn=self.drawn
                )
                fought.append(counted_again)
            else:
                fought.append(battle)
        groups = dict(after.groups)
        # Honours are not changed: players have seen them already.
        for group_id, record in self.facts.groups.items():
            # Groups may be unknown, as in ``BattleCounted.apply``.
            if group_id in groups:
                groups[group_id] = _with_record_replaced(groups[group_id], record)
        return _with_marker_and_points(
            replace(after, groups=groups, fought=tuple(fought), due=self.due)
        )

    def narrate(self, state: CampaignState) -> str:
        text = f"Battle {self.facts.battle} is counted again."
        if self.short:
            text += f" {self.short} who were lost after all are not there any more."
        cards = _cards_to_draw(self.due)
        if cards:
            text += f" {cards} cards are to be drawn."
        return text


def _with_record_replaced(group: CampaignGroup, record: GroupBattle) -> CampaignGroup:
    """The group with this record of a battle in place of an earlier one, if it has one."""
    battles = [past for past in group.battles if past.battle != record.battle]
    battles.append(record)
    battles.sort(key=attrgetter("battle"))
    return replace(group, battles=tuple(battles))


class Renamed(CampaignEvent, frozen=True, kw_only=True, tag="renamed"):
    """A group has another name."""

    group: str
    name: str

    def apply(self, state: CampaignState) -> CampaignState:
        group = replace(state.groups[self.group], name=self.name)
        return replace(state, groups={**state.groups, group.id: group})

    def narrate(self, state: CampaignState) -> str:
        return f"{state.groups[self.group].name} is called {self.name} now."


class Honoured(CampaignEvent, frozen=True, kw_only=True, tag="honoured"):
    """A group is honoured in the players' own words."""

    group: str
    text: str

    def apply(self, state: CampaignState) -> CampaignState:
        group = _honoured(state.groups[self.group], self.text)
        return replace(state, groups={**state.groups, group.id: group})

    def narrate(self, state: CampaignState) -> str:
        return f"{state.groups[self.group].name}: {self.text}"


class HandedOver(CampaignEvent, frozen=True, kw_only=True, tag="handed_over"):
    """Another player commands a side; with an empty name, nobody does."""

    side: str
    player: str

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(state, players={**state.players, self.side: self.player})

    def narrate(self, state: CampaignState) -> str:
        if not self.player:
            return f"Nobody commands the {state.people(self.side)} now."
        return f"{self.player} commands the {state.people(self.side)} now."


def _honoured(group: CampaignGroup, text: str) -> CampaignGroup:
    """The group with one more honour."""
    return replace(group, honours=(*group.honours, text))


def best_group(facts: BattleFacts) -> str | None:
    """The id of the group that killed the most points; None if none killed anything.

    Of several groups with the same points it is the first in the facts, as only one gets the
    honour; the campaign book names them all. This rule must never change: the honour is worked out
    each time that a journal is read, so groups of campaigns that are over would get other honours.
    """
    best = None
    most = 0
    for group_id, record in facts.groups.items():
        if record.points > most:
            best, most = group_id, record.points
    return best


def _with_marker_and_points(state: CampaignState) -> CampaignState:
    """The state with the marker and the points worked out anew from all its battles, since one that
    is counted again changes them from then on."""
    after_all_battles = marker_and_points(state)
    return replace(state, marker=after_all_battles.marker, points=after_all_battles.points)
