"""The orders of a campaign: what its players decide before and after each battle. An order may be
refused and may draw cards; the journal has the ``events`` to which it leads. Numbers as C11 are
rulings of campaigns (``terms``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar

import msgspec

from skirmish.games.plastic.campaign import events
from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.evening import (
    listed_or_proposed,
    loser_catching_up,
    price_of,
    quality_step,
    replacement_points,
    why_not_buy,
)
from skirmish.games.plastic.campaign.events import CampaignEvent
from skirmish.games.plastic.campaign.fielding import (
    completed_fielding,
    proposed_fielding,
    why_not_bring,
)
from skirmish.games.plastic.campaign.groups import Move, RearmedGuys, UnitsByGroup
from skirmish.games.plastic.campaign.outcome import outcome_as_it_stands, outcome_of
from skirmish.games.plastic.campaign.position import why_not_position
from skirmish.games.plastic.campaign.recount import Recount
from skirmish.games.plastic.campaign.returns import (
    card_result,
    conversions,
    homecoming,
    lost_by_group,
    needs_card,
    parties_of,
    prisoners_exchanged,
    shared_cards,
)
from skirmish.games.plastic.campaign.state import CampaignState, Fielding, Fought, ReturnCard, Step
from skirmish.games.plastic.campaign.terms import HIGHEST_RANK
from skirmish.games.plastic.rules.army import LONGEST_GROUP
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.execution import Execution
from skirmish.tabletop.refusal import nonsense
from skirmish.tabletop.typed import plain

Run = Execution[CampaignState, CampaignEvent, Any]
"""An order while it is carried out: its events so far, and the state after them."""


class CampaignOrder(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    """Something that players do in a campaign."""

    after_the_end: ClassVar[bool] = False
    """Whether the order can be given after the campaign is over."""

    def decide(self, state: CampaignState) -> list[CampaignEvent]:
        """The events of the order, in the state in which it is given. Raises Refused."""
        if state.outcome is not None and not self.after_the_end:
            raise nonsense("over", "The campaign is over.")
        run: Run = Execution(state)
        self.carry_out(run)
        return run.events

    def carry_out(self, run: Run) -> None:
        """Emits the events of the order. Raises Refused."""
        raise NotImplementedError


class SideOrder(CampaignOrder, frozen=True, kw_only=True):
    """An order of one side, or about one."""

    side: str


def _require_step(run: Run, step: Step, message: str) -> None:
    """Raises Refused, with the ``message``, at another step than this. Raises it also while cards
    are due: after a battle was counted again they may be due at any step."""
    if run.state.due:
        raise nonsense("not_now", "Draw the cards that are due first.")
    if run.state.step != step:
        raise nonsense("not_now", message)


def _existing_side(run: Run, side: str) -> str:
    """The side, if the campaign has it; raises Refused if not."""
    if side not in run.state.setup.ids:
        sides = ", ".join(run.state.setup.ids)
        raise nonsense("unknown_side", f"There is no side {side!r}; choose from {sides}.")
    return side


# ------------------------------------------------------------------ before a battle


class BringForces(SideOrder, frozen=True, kw_only=True, tag="take"):
    """A side chooses what it brings to the next battle."""

    groups: UnitsByGroup | None = None
    """The men and models of its groups, by group and unit; None: as proposed."""
    position: dict[str, int] | None = None
    """The works and pillboxes of its position; None: as proposed."""

    def carry_out(self, run: Run) -> None:
        _require_step(run, "forces", "Forces are chosen before a battle.")
        state, side = run.state, _existing_side(run, self.side)
        groups = self.groups
        if groups is None:
            groups = proposed_fielding(state, side).groups
        reason = why_not_bring(state, side, groups)
        if not reason and self.position is not None:
            reason = why_not_position(state, side, self.position)
        if reason:
            raise nonsense("forces", reason)
        fielding = completed_fielding(state, side, groups, self.position)
        # No rule needs this mark, but journals have it (``Fielding``).
        fielding = msgspec.structs.replace(fielding, settled=True)
        run.emit(events.ForcesChosen(side=side, fielding=fielding))


class BeginBattle(CampaignOrder, frozen=True, kw_only=True, tag="begin"):
    """The next battle is set up. ``seed`` is that of its decks."""

    seed: int

    def carry_out(self, run: Run) -> None:
        _require_step(run, "forces", "A battle begins when both sides have chosen their forces.")
        for side in run.state.setup.ids:
            if side not in run.state.fielding:
                people = run.state.people(side)
                raise nonsense("forces", f"The {people} have not chosen their forces yet.")
        for side, fielding in run.state.fielding.items():
            if not fielding.groups and not fielding.attached:
                raise nonsense("forces", f"The {run.state.people(side)} bring nobody; concede.")
        moves = _moves_to_battle(run.state.fielding)
        run.emit(events.BattleBegun(seed=self.seed, moves=tuple(moves)))


def _moves_to_battle(fielding: Mapping[str, Fielding]) -> Iterable[Move]:
    """The moves of those who leave their groups for the battle."""
    for side_fielding in fielding.values():
        for group_id, counts in side_fielding.groups.items():
            for unit, count in counts.items():
                if count:
                    yield Move(group_id, unit, count, "ready", "fielded")


class Concede(SideOrder, frozen=True, kw_only=True, tag="concede"):
    """A side gives up the next battle, or the one that was set up and not counted yet. The enemy
    has won it, nobody is lost, and no group gains a mark."""

    def carry_out(self, run: Run) -> None:
        if run.state.step not in ("forces", "battle") or run.state.due:
            raise nonsense("not_now", "A battle can be conceded before it is counted.")
        side = _existing_side(run, self.side)
        # Before the battle is set up, the men who were chosen have not left their groups.
        fielding: Mapping[str, Fielding] = {}
        if run.state.step == "battle":
            fielding = run.state.fielding
        moves = homecoming(run.state, fielding, lost={})
        run.emit(events.Conceded(side=side, moves=tuple(moves)))
        _begin_evening(run)


# ------------------------------------------------------------------ after a battle


class CountBattle(CampaignOrder, frozen=True, kw_only=True, tag="count"):
    """The battle that was fought counts, with its facts. ``holds``: the sides that hold the field,
    by agreement of the players; None: as the rules say."""

    facts: BattleFacts
    holds: tuple[str, ...] | None = None

    def carry_out(self, run: Run) -> None:
        _require_step(run, "battle", "There is no battle to be counted.")
        state, facts = run.state, self.facts
        # Only facts of the present battle: an earlier one is counted again by another order.
        _refuse_foreign_facts(state, facts, {state.battle})
        holds = facts.holders(state.setup.ids, state.setup.terms)
        if self.holds is not None:
            holds = tuple(_existing_side(run, side) for side in self.holds)
        present_battle = state.fought[-1]  # not counted yet
        lost = _lost_in(state, facts, present_battle)
        run.emit(
            events.BattleCounted(
                facts=facts,
                holds=holds,
                moves=tuple(homecoming(state, state.fielding, lost)),
                due=tuple(parties_of(state, state.battle, lost, facts.pieces)),
                turned=_rearmed(facts, state.fielding),
            )
        )
        if not run.state.due:
            _begin_evening(run)


def _rearmed(facts: BattleFacts, fielding: Mapping[str, Fielding]) -> tuple[RearmedGuys, ...]:
    """The guys who became another unit in a battle, in the form of its event."""
    rearmed = []
    for conversion, count in conversions(facts, fielding).items():
        rearmed.append(RearmedGuys(conversion.group, conversion.unit, conversion.into, count))
    return tuple(rearmed)


def _refuse_foreign_facts(
    state: CampaignState, facts: BattleFacts, battles: Collection[int]
) -> None:
    """Raises Refused for facts that are not of one of these ``battles`` (by number) of this
    campaign."""
    if facts.battle not in battles:
        text = f"These are the facts of battle {facts.battle}, and this is battle {state.battle}."
        raise nonsense("foreign", text)
    ids = state.setup.ids
    if facts.winner not in (None, *ids):
        raise nonsense("foreign", f"{facts.winner!r} is no side of this campaign.")
    for piece in facts.pieces:
        if piece.side not in ids or piece.group not in (None, *state.groups):
            raise nonsense("foreign", "That battle has pieces that are not of this campaign.")


def _lost_in(state: CampaignState, facts: BattleFacts, fought: Fought) -> UnitsByGroup:
    """How many were lost in a battle, by group and unit."""
    safe = state.setup.terms.exited_are_safe
    lost = lost_by_group(facts, fought.fielding, exited_are_safe=safe)
    return {group_id: dict(counts) for group_id, counts in lost.items()}


class DrawReturns(CampaignOrder, frozen=True, kw_only=True, tag="draw_returns"):
    """Cards are drawn for the lost, in the order in which they are due. ``ranks``: the cards that
    players drew themselves, which may be fewer than are due; without them the program draws all."""

    after_the_end = True

    ranks: tuple[int, ...] = ()

    def carry_out(self, run: Run) -> None:
        state = run.state
        if not state.due:
            raise nonsense("not_now", "No card is due.")
        # Passengers may share the card of the model in which they were lost (C11).
        parties = [party for party in state.due if needs_card(state, party)]
        self._check_ranks(state, len(parties))
        source = state.source
        draws = [Draw(rank) for rank in self.ranks]
        if not draws:
            for _ in parties:
                # A deck runs out, a die never does.
                if source.kind == "deck" and not source.cards_left(DECK):
                    source = source.reshuffled()
                draw = source.peek(DECK, DIE)
                source = source.drawn(draw)
                draws.append(draw)
        drawn: list[ReturnCard] = []
        # Players may type some of their cards now and the others later.
        for party, draw in zip(parties, draws, strict=False):
            drawn.append(ReturnCard(party, draw, card_result(state, party, draw.rank)))
        # Parties that share a card get the result of that card.
        drawn += shared_cards(state, drawn)
        run.emit(events.ReturnsDrawn(drawn=tuple(drawn), source=source))
        if not run.state.due:
            _end_returns(run)

    def _check_ranks(self, state: CampaignState, cards: int) -> None:
        """Raises Refused if ranks are missing or wrong, or if there are more than ``cards``."""
        if state.source.typed and not self.ranks:
            raise nonsense("own_cards", "You draw yourselves: type the ranks of your cards.")
        if len(self.ranks) > cards:
            raise nonsense("too_many", f"{cards} cards are due, not {len(self.ranks)}.")
        if any(not 1 <= rank <= HIGHEST_RANK for rank in self.ranks):
            raise nonsense("rank", "A card is ace, 2 to 10, jack or queen: kings are not in it.")


def _end_returns(run: Run) -> None:
    """All cards are drawn: prisoners are exchanged, and the evening begins. If the cards were those
    of an earlier battle that was counted again, the campaign stays at its step."""
    exchanged = prisoners_exchanged(run.state)
    if exchanged.pairs:
        pairs = exchanged.pairs
        run.emit(events.PrisonersExchanged(pairs=pairs, moves=exchanged.moves))
    if run.state.outcome is not None:
        _judge_end_again(run)
    elif run.state.step == "returns":
        _begin_evening(run)


def _begin_evening(run: Run) -> None:
    """Begins an evening, on which both sides get replacements, unless the campaign is over."""
    outcome = outcome_of(run.state)
    if outcome is not None:
        run.emit(events.CampaignEnded(outcome=outcome))
        return
    points = {}
    for side in run.state.setup.ids:
        saved_before = run.state.budget.get(side, 0)
        points[side] = saved_before + replacement_points(run.state, side)
    loser_side = loser_catching_up(run.state) or ""
    run.emit(events.EveningBegun(budget=points, loser=loser_side))
    # Where the loser cannot choose the ground instead (C13), it gets its points at once.
    if loser_side and not run.state.setup.terms.may_choose_ground:
        run.emit(events.CaughtUp(side=loser_side, ground=False))


class CatchUp(CampaignOrder, frozen=True, kw_only=True, tag="catch_up"):
    """The loser of the battle takes more replacements, or the choice of ground (C13)."""

    ground: bool = False

    def carry_out(self, run: Run) -> None:
        _require_step(run, "catch_up", "Nobody has to choose that now.")
        # The side that lost when the evening began; the battle may have been counted again since.
        run.emit(events.CaughtUp(side=run.state.catching_up, ground=self.ground))


def _side_that_may_buy(run: Run, id: str) -> str:
    """The side of that id. Raises Refused if it has bought its replacements already."""
    side = _existing_side(run, id)
    if side in run.state.settled:
        people = run.state.people(side)
        raise nonsense("settled", f"The {people} have bought their replacements already.")
    return side


class ListReplacements(SideOrder, frozen=True, kw_only=True, tag="list_replacements"):
    """What a side means to buy, by group and unit, instead of what is proposed."""

    bought: UnitsByGroup

    def carry_out(self, run: Run) -> None:
        _require_step(run, "replacements", "Replacements are bought after a battle.")
        side = _side_that_may_buy(run, self.side)
        reason = why_not_buy(run.state, side, self.bought)
        if reason:
            raise nonsense("replacements", reason)
        run.emit(events.ReplacementsListed(side=side, bought=self.bought))


class BuyReplacements(SideOrder, frozen=True, kw_only=True, tag="replace"):
    """A side buys replacements by group and unit; None: what it has listed, or as proposed."""

    bought: UnitsByGroup | None = None

    def carry_out(self, run: Run) -> None:
        _require_step(run, "replacements", "Replacements are bought after a battle.")
        state, side = run.state, _side_that_may_buy(run, self.side)
        bought = self.bought
        if bought is None:
            bought = listed_or_proposed(state, side)
        reason = why_not_buy(state, side, bought)
        if reason:
            raise nonsense("replacements", reason)
        left = state.budget.get(side, 0) - price_of(state, bought)
        saved = min(left, state.setup.terms.most_saved)
        run.emit(events.ReplacementsBought(side=side, bought=bought, saved=saved))
        if set(run.state.settled) == set(state.setup.ids):
            _end_evening(run)


def _end_evening(run: Run) -> None:
    """Ends an evening on which both sides have bought: groups change their marks and quality, and
    the next battle is prepared."""
    for group in list(run.state.groups.values()):
        # After a conceded battle no group gains a mark, but recruits may still lower its quality.
        change = quality_step(group, run.state)
        if change is not None:
            run.emit(
                events.GroupStepped(
                    group=group.id, marks=change.marks, quality=change.quality, why=change.why
                )
            )
    run.emit(events.EveningOver())


class CountAgain(CampaignOrder, frozen=True, kw_only=True, tag="amend"):
    """A battle that was changed after it was counted counts as it is now.

    Those who are still lost keep the cards that were drawn for them, those who are no longer lost
    are ready again, and cards are drawn for those who are newly lost. These are taken from the
    ready men of their group, then from those who are away. The marker and the points change;
    battles fought since then stay as they are."""

    after_the_end = True

    facts: BattleFacts

    def carry_out(self, run: Run) -> None:
        state, facts = run.state, self.facts
        # The present battle is not foreign; if it was not counted yet, the next step says so.
        battles = {state.battle, *(fought.number for fought in state.fought)}
        _refuse_foreign_facts(state, facts, battles)
        fought = _counted_battle(state, facts.battle)
        recount = Recount(state)
        parties = parties_of(state, facts.battle, _lost_in(state, facts, fought), facts.pieces)
        parties_by_name = {party.name: party for party in parties}
        recount.settle_cards(fought, parties_by_name)
        assert fought.facts is not None, "it was counted"
        recount.rearm(
            conversions(fought.facts, fought.fielding), conversions(facts, fought.fielding)
        )
        run.emit(
            events.BattleCountedAgain(
                facts=facts,
                holds=_holders_again(state, fought, facts),
                moves=tuple(recount.moves),
                drawn=tuple(recount.drawn),
                due=tuple(recount.due),
                short=recount.short,
                turned=tuple(recount.turned),
            )
        )
        shared = tuple(shared_cards(run.state, ()))
        if shared:
            # They share a card that was drawn before: that of the model that carried them.
            run.emit(events.ReturnsDrawn(drawn=shared, source=run.state.source))
        _follow_up(run)


def _holders_again(state: CampaignState, fought: Fought, facts: BattleFacts) -> tuple[str, ...]:
    """The sides that hold the field after a battle is counted again: those that the rules name, or
    those that the players agreed on when they counted it."""
    assert fought.facts is not None, "it was counted"
    ids, terms = state.setup.ids, state.setup.terms
    holders_by_rules = fought.facts.holders(ids, terms)
    if set(fought.holds) != set(holders_by_rules):
        return fought.holds
    return facts.holders(ids, terms)


def _counted_battle(state: CampaignState, battle: int) -> Fought:
    """The battle of that number. Raises Refused if it was not counted yet."""
    for fought in state.fought:
        if fought.number == battle and fought.facts is not None:
            return fought
    raise nonsense("not_counted", f"Battle {battle} was not counted yet.")


def _follow_up(run: Run) -> None:
    """What follows after a battle was counted again: the campaign may be over now, or may not be
    over any more."""
    if run.state.outcome is not None:
        _judge_end_again(run)
    elif run.state.step == "returns" and not run.state.due:
        # All for whom cards were due are no longer lost.
        _end_returns(run)
    elif run.state.step != "battle":  # a battle that is being fought is fought to its end
        outcome = outcome_of(run.state)
        if outcome is not None:
            run.emit(events.CampaignEnded(outcome=outcome))


def _judge_end_again(run: Run) -> None:
    """Decides anew how a campaign that is over has ended, after a battle was counted again."""
    outcome = outcome_of(run.state)
    if outcome is None:
        # It goes on with the cards that are due, or else with the evening.
        run.emit(events.CampaignGoesOn())
        if not run.state.due:
            _begin_evening(run)
    elif outcome != run.state.outcome:
        run.emit(events.CampaignEnded(outcome=outcome))


# ------------------------------------------------------------------ at any time


class Rename(CampaignOrder, frozen=True, kw_only=True, tag="rename"):
    """Another name for a group."""

    after_the_end = True

    group: str
    name: str

    def carry_out(self, run: Run) -> None:
        group = run.state.groups.get(self.group)
        name = plain(self.name).strip()
        if group is None:
            raise nonsense("unknown_group", f"There is no group {self.group!r}.")
        if not 1 <= len(name) <= LONGEST_GROUP:
            raise nonsense("name", f"A group's name has 1 to {LONGEST_GROUP} characters.")
        names = [other.name for other in run.state.of_side(group.side) if other is not group]
        if name in names:
            raise nonsense("name", f"Another group of that side is called {name}.")
        run.emit(events.Renamed(group=group.id, name=name))


class GiveHonour(CampaignOrder, frozen=True, kw_only=True, tag="give_honour"):
    """An honour for a group, in the players' own words."""

    after_the_end = True

    group: str
    text: str

    def carry_out(self, run: Run) -> None:
        text = plain(self.text).strip()
        if self.group not in run.state.groups:
            raise nonsense("unknown_group", f"There is no group {self.group!r}.")
        if not text:
            raise nonsense("text", "Say what the group is honoured for.")
        run.emit(events.Honoured(group=self.group, text=text))


class HandOver(SideOrder, frozen=True, kw_only=True, tag="hand_over"):
    """Another player commands a side; with an empty name, nobody does."""

    player: str = ""

    def carry_out(self, run: Run) -> None:
        side = _existing_side(run, self.side)
        run.emit(events.HandedOver(side=side, player=plain(self.player).strip()))


class EndCampaign(CampaignOrder, frozen=True, kw_only=True, tag="close"):
    """The campaign ends now, decided as after its last battle."""

    def carry_out(self, run: Run) -> None:
        reason = why_not_end(run.state)
        if reason:
            raise nonsense("not_now", reason)
        run.emit(events.CampaignEnded(outcome=outcome_as_it_stands(run.state)))


def why_not_end(state: CampaignState) -> str:
    """Why the campaign cannot be ended now, as a sentence; empty if it can."""
    if state.step == "battle" or state.due:
        return "Finish the battle and its cards first, or concede it."
    return ""
