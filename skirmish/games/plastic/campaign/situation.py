"""The page of what is to be done in a campaign now: the next battle, the end of a battle, the cards
that are due, or replacements."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.evening import listed_or_proposed, price_of
from skirmish.games.plastic.campaign.fielding import counted_points, listed_units, proposed_fielding
from skirmish.games.plastic.campaign.groups import counts_in_words
from skirmish.games.plastic.campaign.position import points_for_position
from skirmish.games.plastic.campaign.returns import needs_card
from skirmish.games.plastic.campaign.state import CampaignState, Fielding
from skirmish.games.plastic.campaign.terms import Return
from skirmish.tabletop.game import PLAYERS, Viewer
from skirmish.tabletop.page import Block, Heading, Page, Paragraph, capital, table


def situation_page(
    state: CampaignState, viewer: Viewer, ended_battles: Mapping[int, BattleFacts]
) -> Page:
    """What is to be done now. ``ended_battles``: the facts of battles that are over, by number, as
    the store has them: the state has them only once the battle is counted."""
    blocks: list[Block] = []
    # Cards may be due at any step, since an earlier battle may be counted again.
    if state.due:
        blocks += _cards(state)
    elif state.outcome is None:
        # At the step "catch_up" the page is empty: there is a ``prompt`` (``commands``) instead.
        if state.step == "forces":
            blocks += _next_battle(state, viewer)
        elif state.step == "battle" and state.battle in ended_battles:
            blocks += _after_battle(state, ended_battles[state.battle])
        elif state.step == "battle":
            text = f"Battle {state.battle} is set up: {state.setup.title_of(state.rung)}."
            blocks.append(Paragraph(text, key_note="Ctrl+G goes there, and comes back."))
        elif state.step == "replacements":
            blocks += _replacements(state, viewer)
    return Page("", tuple(blocks))


def _after_battle(state: CampaignState, facts: BattleFacts) -> Iterator[Block]:
    """The result and the losses of a battle that is over and not counted yet."""
    result = "It was a draw."
    if facts.winner is not None:
        result = f"The {state.people(facts.winner)} won."
    holds = facts.holders(state.setup.ids, state.setup.terms)
    yield Paragraph(
        f"{result} {facts.reason} {field_words(state, holds)}",
        lead=f"Battle {facts.battle} is over.",
    )
    rows = []
    for side in state.setup.ids:
        brought = [piece for piece in facts.pieces if piece.side == side]
        lost = [piece for piece in brought if piece.fate == "lost"]
        guys_lost = [piece for piece in lost if state.setup.units[piece.unit].guy]
        # The others were attached.
        lost_of_groups = [piece for piece in lost if piece.group is not None]
        row = (
            state.name(side),
            str(len(brought)),
            str(len(guys_lost)),
            str(len(lost) - len(guys_lost)),
            str(len(lost_of_groups)),
        )
        rows.append(row)
    titles = ("Side", "Brought", "Guys lost", "Models lost", "From groups")
    yield table(titles, rows, numbers=(1, 2, 3, 4))


def _next_battle(state: CampaignState, viewer: Viewer) -> Iterator[Block]:
    """The battle that is fought next, and the forces that ``viewer`` may know of."""
    rung = state.rung
    lead = f"Battle {state.battle}: {state.setup.title_of(rung)}."
    sentences = []
    if rung.text:
        sentences.append(rung.text)
    if state.is_free_battle:
        width, depth = rung.table or state.setup.file.table
        sentences.append(f"A free battle on {width} × {depth} inches, {state.allowance} points.")
        if rung.ground:
            sentences.append(f"{rung.ground}.")
        if state.attacker:
            people = state.people(state.attacker)
            sentences.append(f"The {people} attack, set up first and move first.")
        else:
            sentences.append("Draw for who sets up first and moves first.")
    yield Paragraph(" ".join(sentences), lead=lead)
    for side in state.setup.ids:
        if not _may_see(viewer, side):
            continue
        fielding = state.fielding.get(side)
        word = "bring"
        # Until a side has chosen its forces, the page shows the proposal.
        if fielding is None:
            fielding = proposed_fielding(state, side)
            word = "may bring"
        yield Paragraph(_forces_words(state, side, fielding), lead=f"{state.name(side)} {word}:")


def _may_see(viewer: Viewer, side: str) -> bool:
    """Whether a viewer may know what a side brings and buys: the side itself, and the players who
    share the keyboard."""
    return viewer in (PLAYERS, side)


def _forces_words(state: CampaignState, side: str, fielding: Fielding) -> str:
    """What a side brings to the next battle, in sentences."""
    parts = []
    for group_id, counts in fielding.groups.items():
        parts.append(f"{state.groups[group_id].name}: {counts_in_words(counts, state.setup.units)}")
    text = ". ".join(parts) or "Nobody"
    extras = {**fielding.attached, **fielding.works}
    if extras:
        names = {**state.setup.units, **state.setup.works}
        text += f". Attached: {counts_in_words(extras, names)}"
    if state.is_free_battle:
        text += f". They count {counted_points(state, fielding.groups)} of {state.allowance} points"
        points = points_for_position(state, side)
        if points:
            text += f". Their position has {points} points of works and pillboxes"
    elif not listed_units(state, side):
        text += ". The scenario has no list for them"
    return f"{text}."


def _cards(state: CampaignState) -> Iterator[Block]:
    """The cards for the lost, by group: how many are due, and the results of those drawn."""
    # A party that shares the card of a model has no card of its own (C11).
    next_party = next(party for party in state.due if needs_card(state, party))
    # If an earlier battle was counted again, cards of two battles may be due. Results are shown for
    # the battle of the next card.
    battle = next(fought for fought in state.fought if fought.number == next_party.battle)
    rows = []
    for group in state.groups.values():
        parties = [party for party in state.due if party.group == group.id]
        cards_due = [party for party in parties if needs_card(state, party)]
        results: dict[Return, int] = {}
        for card in battle.drawn:
            if card.party.group == group.id:
                results[card.result] = results.get(card.result, 0) + card.party.count
        if parties or results:
            gone = results.get("gone", 0) + results.get("crew", 0)
            rows.append(
                (
                    f"{state.name(group.side)}, {group.name}",
                    str(len(cards_due)),
                    str(results.get("ready", 0)),
                    str(results.get("away", 0)),
                    str(results.get("prisoner", 0)),
                    str(gone),
                )
            )
    yield Heading("Cards for the lost", aside=field_words(state, battle.holds))
    titles = ("Group", "Cards due", "Ready", "Away", "Captured", "Gone")
    yield table(titles, rows, numbers=(1, 2, 3, 4, 5))
    unit = state.setup.units[next_party.unit].named(next_party.count)
    yield Paragraph(f"The next card is for {unit} of {state.groups[next_party.group].name}.")


def field_words(state: CampaignState, holds: Collection[str]) -> str:
    """Who holds the field, as a sentence."""
    if not holds:
        return "Nobody holds the field."
    if len(holds) == 2:
        return "Both sides hold the field."
    (holder,) = holds
    return f"The {state.people(holder)} hold the field."


def _replacements(state: CampaignState, viewer: Viewer) -> Iterator[Block]:
    """What each side has bought or intends to buy, as far as ``viewer`` may know it, and the marks
    of the groups."""
    yield Heading("Replacements")
    for side in state.setup.ids:
        if not _may_see(viewer, side):
            continue
        words = _purchase_words(state, side)
        yield Paragraph(f"{capital(words)}.", lead=f"{state.name(side)}:")
    marks = [group for group in state.groups.values() if group.marks]
    if marks:
        words = ", ".join(f"{group.name} ({group.marks})" for group in marks)
        yield Paragraph(f"{words}.", lead="Marks so far:")


def _purchase_words(state: CampaignState, side: str) -> str:
    """What a side intends to buy and its price or, once it has bought, what it saves."""
    # The points to spend or, after a side has bought, those that it saves.
    points = state.budget.get(side, 0)
    if side in state.settled:
        if points:
            return f"bought; {points} points are saved"
        return "bought"
    purchase = listed_or_proposed(state, side)
    parts = []
    for group_id, counts in purchase.items():
        if any(counts.values()):
            units = counts_in_words(counts, state.setup.units)
            parts.append(f"{state.groups[group_id].name} + {units}")
    who = "; ".join(parts) or "nobody"
    return f"{who}: {price_of(state, purchase)} of {points} points"
