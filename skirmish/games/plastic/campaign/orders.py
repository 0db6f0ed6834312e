"""The orders of a campaign: what its players decide before and after each battle. An order may be
refused, and may draw cards; the journal has the ``events`` that it comes to. Numbers as C11 are
rulings of campaigns (``terms``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from skirmish.games.plastic.campaign import events
from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.evening import (
    budget,
    loser,
    price_of,
    proposed_purchases,
    step_of,
    why_not_buy,
)
from skirmish.games.plastic.campaign.events import CampaignEvent
from skirmish.games.plastic.campaign.fielding import completed, proposed, why_not, why_not_position
from skirmish.games.plastic.campaign.groups import Move, RearmedGuys
from skirmish.games.plastic.campaign.outcome import decided, outcome_of
from skirmish.games.plastic.campaign.recount import _Changes
from skirmish.games.plastic.campaign.returns import (
    conversions,
    exchange,
    homecoming,
    lost_by_group,
    needs_card,
    parties_of,
    result_of,
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
"""An order while it is carried out: the state after its events so far."""


class CampaignOrder(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    """Something that players do in a campaign. ``decide`` returns its events, or raises Refused."""

    def decide(self, state: CampaignState) -> list[CampaignEvent]:
        """The events of the order, in the state in which it is given. Raises Refused."""
        # After the end a battle may still be counted again, and cards be due for it.
        possible = Rename | GiveHonour | Amend | DrawReturns
        if state.outcome is not None and not isinstance(self, possible):
            raise nonsense("over", "The campaign is over.")
        run: Run = Execution(state)
        self.carry_out(run)
        return run.events

    def carry_out(self, run: Run) -> None:
        """Emits the events of the order. Raises Refused."""
        raise NotImplementedError


def _must_be(run: Run, step: Step, message: str) -> None:
    """Raises Refused at another step, and while a battle that was counted again has cards due."""
    if run.state.due:
        raise nonsense("not_now", "Draw the cards that are due first.")
    if run.state.step != step:
        raise nonsense("not_now", message)


def _its_side(run: Run, side: str) -> str:
    """The side, which the campaign must have. Raises Refused."""
    if side not in run.state.setup.ids:
        sides = ", ".join(run.state.setup.ids)
        raise nonsense("unknown_side", f"There is no side {side!r}; choose from {sides}.")
    return side


# ------------------------------------------------------------------ before a battle


class Take(CampaignOrder, frozen=True, kw_only=True, tag="take"):
    """What a side brings to the next battle, by group and unit, and the works and pillboxes of its
    ``position``; None: as proposed."""

    side: str
    groups: dict[str, dict[str, int]] | None = None
    position: dict[str, int] | None = None

    def carry_out(self, run: Run) -> None:
        _must_be(run, "forces", "Forces are chosen before a battle.")
        state, side = run.state, _its_side(run, self.side)
        groups = self.groups
        if groups is None:
            groups = proposed(state, side).groups
        reason = why_not(state, side, groups)
        if not reason and self.position is not None:
            reason = why_not_position(state, side, self.position)
        if reason:
            raise nonsense("forces", reason)
        fielding = completed(state, side, groups, self.position)
        fielding = msgspec.structs.replace(fielding, settled=True)
        run.emit(events.ForcesChosen(side=side, fielding=fielding))


class Begin(CampaignOrder, frozen=True, kw_only=True, tag="begin"):
    """The next battle is set up. ``seed`` is that of its decks."""

    seed: int

    def carry_out(self, run: Run) -> None:
        _must_be(run, "forces", "A battle begins when both sides have chosen their forces.")
        for side in run.state.setup.ids:
            if side not in run.state.fielding:
                people = run.state.people(side)
                raise nonsense("forces", f"The {people} have not chosen their forces yet.")
        for side, fielding in run.state.fielding.items():
            if not fielding.groups and not fielding.attached:
                raise nonsense("forces", f"The {run.state.people(side)} bring nobody; concede.")
        moves = _marching(run.state.fielding)
        run.emit(events.BattleBegun(seed=self.seed, moves=tuple(moves)))


def _marching(fielding: Mapping[str, Fielding]) -> Iterable[Move]:
    """Those who leave their groups for the battle."""
    for of_side in fielding.values():
        for group_id, counts in of_side.groups.items():
            for unit, count in counts.items():
                if count:
                    yield Move(group_id, unit, count, "ready", "fielded")


class Concede(CampaignOrder, frozen=True, kw_only=True, tag="concede"):
    """A side gives up the next battle, or the one that was set up and is not fought to its end: the
    enemy has won it. Nobody is lost and no group gains a mark."""

    side: str

    def carry_out(self, run: Run) -> None:
        if run.state.step not in ("forces", "battle") or run.state.due:
            raise nonsense("not_now", "A battle can be conceded before it is counted.")
        side = _its_side(run, self.side)
        # Before the battle is set up those chosen have not left their groups yet.
        fielding: Mapping[str, Fielding] = {}
        if run.state.step == "battle":
            fielding = run.state.fielding
        moves = homecoming(run.state, fielding, {})
        run.emit(events.Conceded(side=side, moves=tuple(moves)))
        _begin_evening(run)


# ------------------------------------------------------------------ after a battle


class CountBattle(CampaignOrder, frozen=True, kw_only=True, tag="count"):
    """The battle that was fought counts, with its facts. ``holds``: the sides that hold the field,
    if the players see that otherwise than the rules."""

    facts: BattleFacts
    holds: tuple[str, ...] | None = None

    def carry_out(self, run: Run) -> None:
        _must_be(run, "battle", "There is no battle to be counted.")
        state, facts = run.state, self.facts
        # Only those of the battle that was fought last: an earlier one is amended.
        _refuse_foreign(state, facts, {state.battle})
        holds = facts.holders(state.setup.ids, state.setup.terms)
        if self.holds is not None:
            holds = tuple(_its_side(run, side) for side in self.holds)
        lost = _lost(state, facts, state.fought[-1])
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
    """The guys who became another unit in a battle, as its event has them."""
    rearmed = []
    for conversion, count in conversions(facts, fielding).items():
        rearmed.append(RearmedGuys(conversion.group, conversion.unit, conversion.into, count))
    return tuple(rearmed)


def _refuse_foreign(state: CampaignState, facts: BattleFacts, battles: Collection[int]) -> None:
    """Raises Refused for the facts of a foreign battle: one of another campaign, or none of these
    ``battles``, by their numbers."""
    if facts.battle not in battles:
        text = f"These are the facts of battle {facts.battle}, and this is battle {state.battle}."
        raise nonsense("foreign", text)
    ids = state.setup.ids
    if facts.winner not in (None, *ids):
        raise nonsense("foreign", f"{facts.winner!r} is no side of this campaign.")
    for piece in facts.pieces:
        if piece.side not in ids or piece.group not in (None, *state.groups):
            raise nonsense("foreign", "That battle has pieces that are not of this campaign.")


def _lost(state: CampaignState, facts: BattleFacts, fought: Fought) -> dict[str, dict[str, int]]:
    """Who was lost in a battle, by group and unit."""
    safe = state.setup.terms.exited_are_safe
    lost = lost_by_group(facts, fought.fielding, exited_are_safe=safe)
    return {group_id: dict(counts) for group_id, counts in lost.items()}


class DrawReturns(CampaignOrder, frozen=True, kw_only=True, tag="draw_returns"):
    """Cards are drawn for the lost, in the order in which they are due. ``ranks`` are those that a
    player drew himself, perhaps not all; without ranks the program draws all that are due."""

    ranks: tuple[int, ...] = ()

    def carry_out(self, run: Run) -> None:
        state = run.state
        if not state.due:
            raise nonsense("not_now", "No card is due.")
        # Passengers have the card of the model in which they were lost, if that is ruled (C11).
        parties = [party for party in state.due if needs_card(state, party)]
        self._check_ranks(state, len(parties))
        drawn: list[ReturnCard] = []
        source = state.source
        if self.ranks:
            # A player may type a few of his cards, and the rest later.
            for party, rank in zip(parties, self.ranks, strict=False):
                drawn.append(ReturnCard(party, Draw(rank), result_of(state, party, rank)))
        else:
            for party in parties:
                if source.kind == "deck" and not source.left(DECK):
                    source = source.shuffle()
                draw = source.peek(DECK, DIE)
                source = source.drawn(draw)
                drawn.append(ReturnCard(party, draw, result_of(state, party, draw.rank)))
        # Whoever needs no card of his own is judged by that of his model.
        drawn += shared_cards(state, drawn)
        run.emit(events.ReturnsDrawn(drawn=tuple(drawn), source=source))
        if not run.state.due:
            _end_returns(run)

    def _check_ranks(self, state: CampaignState, cards: int) -> None:
        """Raises Refused if these ranks cannot be drawn for so many cards."""
        if state.source.typed and not self.ranks:
            raise nonsense("own_cards", "You draw yourselves: type the ranks of your cards.")
        if len(self.ranks) > cards:
            raise nonsense("too_many", f"{cards} cards are due, not {len(self.ranks)}.")
        if any(not 1 <= rank <= HIGHEST_RANK for rank in self.ranks):
            raise nonsense("rank", "A card is ace, 2 to 10, jack or queen: kings are not in it.")


def _end_returns(run: Run) -> None:
    """All cards are drawn: prisoners are exchanged, and the evening begins. At a later step the
    cards were those of a battle that was counted again, and the campaign stays where it is."""
    exchanged = exchange(run.state)
    if exchanged.pairs:
        pairs = exchanged.pairs
        run.emit(events.PrisonersExchanged(pairs=pairs, moves=exchanged.moves))
    if run.state.outcome is not None:
        _judge_end_again(run)
    elif run.state.step == "returns":
        _begin_evening(run)


def _begin_evening(run: Run) -> None:
    """Replacements for both sides, unless the campaign is over."""
    outcome = outcome_of(run.state)
    if outcome is not None:
        run.emit(events.CampaignEnded(outcome=outcome))
        return
    # What a side saved before, and what this evening brings.
    points = {}
    for side in run.state.setup.ids:
        points[side] = run.state.budget.get(side, 0) + budget(run.state, side)
    loser_side = loser(run.state) or ""
    run.emit(events.EveningBegun(budget=points, loser=loser_side))
    # Where there is no ground to choose (C13), he gets his points at once.
    if loser_side and not run.state.setup.terms.may_choose_ground:
        run.emit(events.CaughtUp(side=loser_side, ground=False))


class CatchUp(CampaignOrder, frozen=True, kw_only=True, tag="catch_up"):
    """The loser of the battle takes more replacements, or the choice of ground (C13)."""

    ground: bool = False

    def carry_out(self, run: Run) -> None:
        _must_be(run, "catch_up", "Nobody has to choose that now.")
        # Not who would be the loser now: the battle may have been counted again since.
        run.emit(events.CaughtUp(side=run.state.catching_up, ground=self.ground))


class ListReplacements(CampaignOrder, frozen=True, kw_only=True, tag="list_replacements"):
    """What a side means to buy, by group and unit, instead of what is proposed."""

    side: str
    bought: dict[str, dict[str, int]]

    def carry_out(self, run: Run) -> None:
        _must_be(run, "replacements", "Replacements are bought after a battle.")
        side = _its_side(run, self.side)
        reason = why_not_buy(run.state, side, self.bought)
        if reason:
            raise nonsense("replacements", reason)
        run.emit(events.ReplacementsListed(side=side, bought=self.bought))


class Replace(CampaignOrder, frozen=True, kw_only=True, tag="replace"):
    """A side buys replacements by group and unit; None: what it has listed, or as proposed."""

    side: str
    bought: dict[str, dict[str, int]] | None = None

    def carry_out(self, run: Run) -> None:
        _must_be(run, "replacements", "Replacements are bought after a battle.")
        state, side = run.state, _its_side(run, self.side)
        if side in state.settled:
            people = state.people(side)
            raise nonsense("settled", f"The {people} have bought their replacements already.")
        bought = self.bought
        if bought is None:
            bought = state.listed.get(side)
        if bought is None:
            bought = proposed_purchases(state, side)
        reason = why_not_buy(state, side, bought)
        if reason:
            raise nonsense("replacements", reason)
        left = state.budget.get(side, 0) - price_of(state, bought)
        saved = min(left, state.setup.terms.most_saved)
        run.emit(events.Replaced(side=side, bought=bought, saved=saved))
        if set(run.state.settled) == set(state.setup.ids):
            _end_evening(run)


def _end_evening(run: Run) -> None:
    """Both sides have bought: marks and quality of the groups, then the next battle."""
    for group in list(run.state.groups.values()):
        # After a battle that was conceded nobody gains a mark; recruits count all the same.
        change = step_of(group, run.state)
        if change is not None:
            run.emit(
                events.GroupStepped(
                    group=group.id, marks=change.marks, quality=change.quality, why=change.why
                )
            )
    run.emit(events.EveningOver())


class Amend(CampaignOrder, frozen=True, kw_only=True, tag="amend"):
    """A battle that was counted was changed afterwards: its new end is taken.

    Cards belong to those for whom they were drawn: who is still lost keeps his, who is not lost
    any more is ready again, and for who is newly lost a card is drawn. The newly lost are taken
    from the ready ones of their group first, then from those who are away. Marker and points
    follow; the battles since then stay as they were fought."""

    facts: BattleFacts

    def carry_out(self, run: Run) -> None:
        state, facts = run.state, self.facts
        _refuse_foreign(state, facts, {state.battle, *(fought.number for fought in state.fought)})
        fought = _counted(state, facts.battle)
        changes = _Changes(state)
        parties = parties_of(state, facts.battle, _lost(state, facts, fought), facts.pieces)
        changes.settle_cards(fought, {party.name: party for party in parties})
        assert fought.facts is not None, "it was counted"
        changes.rearm(
            conversions(fought.facts, fought.fielding), conversions(facts, fought.fielding)
        )
        run.emit(
            events.Amended(
                facts=facts,
                holds=facts.holders(state.setup.ids, state.setup.terms),
                moves=tuple(changes.moves),
                drawn=tuple(changes.drawn),
                due=tuple(changes.due),
                short=changes.short,
                turned=tuple(changes.turned),
            )
        )
        shared = tuple(shared_cards(run.state, ()))
        if shared:
            # The card of the model that carried them was drawn before they were lost.
            run.emit(events.ReturnsDrawn(drawn=shared, source=run.state.source))
        _follow_up(run)


def _counted(state: CampaignState, battle: int) -> Fought:
    """The battle of that number. Raises Refused where it was not counted yet."""
    for fought in state.fought:
        if fought.number == battle and fought.facts is not None:
            return fought
    raise nonsense("not_counted", f"Battle {battle} was not counted yet.")


def _follow_up(run: Run) -> None:
    """What follows when a battle was counted again: the campaign may be over now, or not any
    more."""
    if run.state.outcome is not None:
        _judge_end_again(run)
    elif run.state.step == "returns" and not run.state.due:
        # Nobody is lost any more for whom a card was due.
        _end_returns(run)
    elif run.state.step != "battle":  # a battle that is being fought is fought to its end
        outcome = outcome_of(run.state)
        if outcome is not None:
            run.emit(events.CampaignEnded(outcome=outcome))


def _judge_end_again(run: Run) -> None:
    """The end of a campaign after one of its battles was counted again."""
    outcome = outcome_of(run.state)
    if outcome is None:
        # It goes on where cards are drawn; once none is due, the evening begins.
        run.emit(events.CampaignGoesOn())
        if not run.state.due:
            _begin_evening(run)
    elif outcome != run.state.outcome:
        run.emit(events.CampaignEnded(outcome=outcome))


# ------------------------------------------------------------------ at any time


class Rename(CampaignOrder, frozen=True, kw_only=True, tag="rename"):
    """Another name for a group."""

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
    """An honour in the players' own words."""

    group: str
    text: str

    def carry_out(self, run: Run) -> None:
        text = plain(self.text).strip()
        if self.group not in run.state.groups:
            raise nonsense("unknown_group", f"There is no group {self.group!r}.")
        if not text:
            raise nonsense("text", "Say what the group is honoured for.")
        run.emit(events.Honoured(group=self.group, text=text))


class HandOver(CampaignOrder, frozen=True, kw_only=True, tag="hand_over"):
    """Another player commands a side; an empty name: nobody does."""

    side: str
    player: str = ""

    def carry_out(self, run: Run) -> None:
        side = _its_side(run, self.side)
        run.emit(events.HandedOver(side=side, player=plain(self.player).strip()))


class Close(CampaignOrder, frozen=True, kw_only=True, tag="close"):
    """The campaign ends now, decided as after its last battle."""

    def carry_out(self, run: Run) -> None:
        if run.state.step == "battle" or run.state.due:
            raise nonsense("not_now", "Finish the battle and its cards first, or concede it.")
        run.emit(events.CampaignEnded(outcome=decided(run.state)))
