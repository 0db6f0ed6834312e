"""A campaign in words and tables: the ladder, the battles, both pools, what is to be done; its
report and the history of its groups."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from operator import attrgetter

from skirmish.games.plastic.campaign.battle_facts import BattleFacts, How
from skirmish.games.plastic.campaign.campaign_file import Rung
from skirmish.games.plastic.campaign.commands import listed_or_proposed
from skirmish.games.plastic.campaign.evening import needs_card, percent_lost, price_of
from skirmish.games.plastic.campaign.fielding import (
    allowance,
    cost,
    is_free,
    needed,
    points_for_position,
    proposed,
    rung_title,
)
from skirmish.games.plastic.campaign.groups import PLACES, CampaignGroup, counted
from skirmish.games.plastic.campaign.state import CampaignState, Fielding, Fought, Step
from skirmish.games.plastic.campaign.terms import Return
from skirmish.games.plastic.rules.catalog import together
from skirmish.tabletop.game import PLAYERS, Viewer
from skirmish.tabletop.page import (
    Bar,
    Bars,
    Block,
    Facts,
    Heading,
    Items,
    Page,
    Paragraph,
    Party,
    Table,
    capital,
    table,
)

HERE = ">"
"""Beside the rung where the marker stands."""
STEP_WORDS: Mapping[Step, str] = {
    "forces": "forces are chosen",
    "battle": "is fought",
    "returns": "cards for the lost",
    "catch_up": "catch-up",
    "replacements": "replacements",
    "over": "over",
}
"""What is done now, in the clock."""
HOW: Mapping[How, str] = {
    "victory": "by the scenario",
    "break": "the army broke",
    "draw": "time is up",
    "agreed": "agreed",
    "withdrawn": "withdrawn",
    "conceded": "conceded",
}
"""How a battle ended, in the table of battles."""


def campaign_page(state: CampaignState, viewer: Viewer) -> Page:
    """The whole campaign as ``viewer`` may see it: of the enemy's pool only the totals."""
    blocks: list[Block] = []
    if state.outcome is not None:
        blocks.append(Paragraph(ended(state), tone="strong"))
    blocks.append(Facts(tuple(_facts(state))))
    blocks += [Heading("The ladder"), ladder(state)]
    for party, side in enumerate(state.setup.sides):
        heading = Heading(side.name, party=_party(party), aside=_commanded(state, side.id))
        blocks.append(heading)
        if viewer in (PLAYERS, side.id):
            blocks.append(pool(state, side.id))
        else:
            blocks.append(_totals(state, side.id, _party(party)))
    if state.fought:
        blocks += [Heading("The battles so far"), battles(state)]
    return Page(state.setup.file.title, tuple(blocks))


def _party(number: int) -> Party:
    """The party of the first or the second side, which have colours of their own."""
    # Written out: a party is one of these two numbers, not any.
    if number == 0:
        return 0
    return 1


def headline(state: CampaignState) -> str:
    """The campaign in a line."""
    if state.outcome is not None:
        if state.outcome.winner is None:
            return f"A draw after {_battles(len(state.fought))}"
        return f"{state.name(state.outcome.winner)} won after {_battles(len(state.fought))}"
    return f"Battle {state.battle} of at most {state.setup.last_battle}: {_title_next(state)}"


def clock(state: CampaignState) -> str:
    """Where the campaign stands and what is done now."""
    if state.outcome is not None:
        return headline(state)
    step = STEP_WORDS[state.step]
    return f"Battle {state.battle}: {_title_next(state)} · {step} · {marker_words(state)}"


def _battles(count: int) -> str:
    """``1 battle``, ``3 battles``."""
    if count == 1:
        return "1 battle"
    return f"{count} battles"


def _title_next(state: CampaignState) -> str:
    """The title of the battle that is prepared or fought now."""
    return rung_title(state.setup, state.rung)


def ended(state: CampaignState) -> str:
    """How the campaign ended, in sentences."""
    assert state.outcome is not None, "the campaign is over"
    if state.outcome.winner is None:
        return f"The campaign ends in a draw. {state.outcome.reason}"
    return f"The {state.people(state.outcome.winner)} win the campaign. {state.outcome.reason}"


def place_words(place: int) -> str:
    """``+1``, ``–2``, ``0``: a place on the ladder."""
    if place > 0:
        return f"+{place}"
    if place < 0:
        return f"–{-place}"
    return "0"


def marker_words(state: CampaignState) -> str:
    """``marker +1 of 2``"""
    return f"marker {place_words(state.marker)} of {state.setup.file.top}"


def _facts(state: CampaignState) -> Iterator[tuple[str, str]]:
    """The battle, the marker, the points, and who has the choice of ground."""
    first, second = state.setup.sides
    yield "Battle", f"{state.battle} of at most {state.setup.last_battle}"
    up = f"up for the {first.people}, down for the {second.people}"
    yield "Marker", f"{place_words(state.marker)} of {state.setup.file.top}, {up}"
    points = ", ".join(f"{side.name} {state.points[side.id]}" for side in (first, second))
    yield "Points", points
    if state.ground:
        yield "Choice of ground", state.name(state.ground)


def _commanded(state: CampaignState, side: str) -> str:
    """Who commands a side; empty if nobody is named."""
    player = state.players.get(side, state.side(side).player)
    if not player:
        return ""
    return f"commanded by {player}"


def ladder(state: CampaignState) -> Table:
    """The battles before the ladder, then its rungs from the top down, with what has been fought on
    each."""
    file = state.setup.file
    before = [rung for rung in file.rungs if rung.first]
    before.sort(key=attrgetter("first"))
    # The ladder is listed from its lowest rung; on the page up is up.
    rungs = [*before, *reversed(file.ladder)]
    rows = []
    marked_row = None
    for index, rung in enumerate(rungs):
        sign = ""
        # After the end the marker leads to no other battle.
        if rung == state.rung and state.outcome is None:
            marked_row, sign = index, HERE
        rows.append(_rung_row(state, rung, sign))
    titles = ("", "Rung", "What is fought there", "Kind", "Attack", "Battles")
    return table(titles, rows, numbers=(1,), mark=marked_row)


def _rung_row(state: CampaignState, rung: Rung, mark: str) -> tuple[str, ...]:
    """A rung in the table of the ladder; ``mark``: the sign of the marker beside it."""
    battles_there = [fought for fought in state.fought if fought.rung == rung]
    numbers = ", ".join(str(fought.number) for fought in battles_there)
    title = rung_title(state.setup, rung)
    attacker = ""
    if rung.attacker:
        attacker = state.name(rung.attacker)
    kind = "free battle"
    if rung.scenario:
        kind = f"scenario {rung.scenario}"
    place = "first"
    if not rung.first:
        place = place_words(rung.place)
    return (mark, place, title, kind, attacker, numbers)


def battles(state: CampaignState) -> Table:
    """A line for each battle: who won it, how, and what it cost."""
    first, second = state.setup.sides
    rows: list[tuple[str, ...]] = []
    for fought in state.fought:
        title = rung_title(state.setup, fought.rung)
        if fought.conceded_by:
            winner = state.name(state.enemy_of(fought.conceded_by))
            rows.append((str(fought.number), title, winner, "conceded", "", "", ""))
        elif fought.facts is None:
            rows.append((str(fought.number), title, "", "being fought", "", "", ""))
        else:
            rows.append(_battle_row(state, fought, fought.facts, (first.id, second.id)))
    titles = (
        "",
        "Battle",
        "Won by",
        "How",
        "Turns",
        f"{first.name} lost",
        f"{second.name} lost",
    )
    return table(titles, rows, numbers=(0, 4, 5, 6))


def _battle_row(
    state: CampaignState, fought: Fought, facts: BattleFacts, sides: tuple[str, str]
) -> tuple[str, ...]:
    """A battle that is counted, in the table of battles; ``sides`` in the order of its columns."""
    winner = "nobody"
    if facts.winner is not None:
        winner = state.name(facts.winner)
    lost = []
    for side in sides:
        own = [piece for piece in facts.pieces if piece.side == side]
        fallen = sum(piece.fate == "lost" for piece in own)
        lost.append(f"{fallen} of {len(own)}")
    title = rung_title(state.setup, fought.rung)
    return (str(fought.number), title, winner, HOW[facts.how], str(facts.turn), *lost)


def pool(state: CampaignState, side: str) -> Table:
    """The groups of a side: quality, marks, and how many are where."""
    groups = list(state.of_side(side))
    rows = [_group_row(group) for group in groups]
    totals = ["All", "", ""]
    for place in PLACES:
        totals.append(str(sum(group.total(place) for group in groups)))
    totals.append(str(sum(group.full_strength for group in groups)))
    titles = ("Group", "Quality", "Marks", "Ready", "Away", "In battle", "Captured", "Gone", "Of")
    return table(titles, [*rows, totals], numbers=(2, 3, 4, 5, 6, 7, 8), totals=1)


def _group_row(group: CampaignGroup) -> tuple[str, ...]:
    """A group in the table of its pool."""
    places = [str(group.total(place)) for place in PLACES]
    return (group.name, group.quality, str(group.marks), *places, str(group.full_strength))


def _totals(state: CampaignState, side: str, party: Party) -> Block:
    """How many of a side are ready: all that the enemy may know of its pool."""
    groups = list(state.of_side(side))
    ready = sum(group.total("ready") for group in groups)
    full = sum(group.full_strength for group in groups)
    return Bars((Bar("Ready", ready, f"{ready} of {full}", party),), full)


# ------------------------------------------------------------------ what is to be done


def situation(
    state: CampaignState, viewer: Viewer, ended_battles: Mapping[int, BattleFacts]
) -> Page:
    """What is to be done now. ``ended_battles``: what the battles of the campaign that are over
    came to, by number, as they are stored. The campaign knows of it only once it is counted."""
    blocks: list[Block] = []
    if state.due:
        blocks += _cards(state)
    elif state.outcome is None:
        if state.step == "forces":
            blocks += _next_battle(state, viewer)
        elif state.step == "battle" and state.battle in ended_battles:
            blocks += _after_battle(state, ended_battles[state.battle])
        elif state.step == "battle":
            text = f"Battle {state.battle} is set up: {_title_next(state)}."
            blocks.append(Paragraph(text, key_note="Ctrl+G goes there, and comes back."))
        elif state.step == "replacements":
            blocks += _shopping(state, viewer)
    return Page("", tuple(blocks))


def _after_battle(state: CampaignState, facts: BattleFacts) -> Iterator[Block]:
    """What a battle came to that is over and not counted yet."""
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
        own = [piece for piece in facts.pieces if piece.side == side]
        lost = [piece for piece in own if piece.fate == "lost"]
        guys = sum(state.setup.units[piece.unit].guy for piece in lost)
        of_groups = sum(piece.group is not None for piece in lost)
        counts = (len(own), guys, len(lost) - guys, of_groups)
        rows.append((state.name(side), *map(str, counts)))
    titles = ("Side", "Brought", "Guys lost", "Models lost", "From groups")
    yield table(titles, rows, numbers=(1, 2, 3, 4))


def _next_battle(state: CampaignState, viewer: Viewer) -> Iterator[Block]:
    """What is fought next, and what ``viewer`` may know of the forces."""
    rung = state.rung
    lead = f"Battle {state.battle}: {_title_next(state)}."
    sentences = []
    if rung.text:
        sentences.append(rung.text)
    if is_free(state):
        width, depth = rung.table or state.setup.file.table
        sentences.append(f"A free battle on {width} × {depth} inches, {allowance(state)} points.")
        if rung.ground:
            sentences.append(f"{rung.ground}.")
        if state.attacker:
            people = state.people(state.attacker)
            sentences.append(f"The {people} attack, set up first and move first.")
        else:
            sentences.append("Draw for who sets up first and moves first.")
    yield Paragraph(" ".join(sentences), lead=lead)
    for side in state.setup.ids:
        if viewer not in (PLAYERS, side):
            continue
        fielding = state.fielding.get(side)
        word = "bring"
        # Until they are chosen the page shows what Enter would take.
        if fielding is None:
            fielding, word = proposed(state, side), "may bring"
        yield Paragraph(_forces_words(state, side, fielding), lead=f"{state.name(side)} {word}:")


def _forces_words(state: CampaignState, side: str, fielding: Fielding) -> str:
    """What a side brings, in sentences."""
    parts = []
    for group_id, counts in fielding.groups.items():
        parts.append(f"{state.groups[group_id].name}: {counted(counts, state.setup.units)}")
    text = ". ".join(parts) or "Nobody"
    extras = {**fielding.attached, **fielding.works}
    if extras:
        names = {**state.setup.units, **state.setup.works}
        text += f". Attached: {counted(extras, names)}"
    if is_free(state):
        text += f". They count {cost(state, fielding.groups)} of {allowance(state)} points"
        points = points_for_position(state, side)
        if points:
            text += f". Their position has {points} points of works and pillboxes"
    elif not needed(state, side):
        text += ". The scenario has no list for them"
    return f"{text}."


def _cards(state: CampaignState) -> Iterator[Block]:
    """The cards for the lost, by group: drawn so far and still due."""
    # Usually all are of one battle. An earlier one that was counted again may have cards due, too:
    # then those drawn are shown for the battle of the next card.
    battle = next(fought for fought in state.fought if fought.number == state.due[0].battle)
    rows = []
    for group in state.groups.values():
        parties = [party for party in state.due if party.group == group.id]
        due = sum(needs_card(state, party) for party in parties)
        results: dict[Return, int] = {}
        for card in battle.drawn:
            if card.party.group == group.id:
                results[card.result] = results.get(card.result, 0) + card.party.count
        if parties or results:
            gone = results.get("gone", 0) + results.get("crew", 0)
            rows.append(
                (
                    f"{state.name(group.side)}, {group.name}",
                    str(due),
                    str(results.get("ready", 0)),
                    str(results.get("away", 0)),
                    str(results.get("prisoner", 0)),
                    str(gone),
                )
            )
    yield Heading("Cards for the lost", aside=field_words(state, battle.holds))
    titles = ("Group", "Cards due", "Ready", "Away", "Captured", "Gone")
    yield table(titles, rows, numbers=(1, 2, 3, 4, 5))
    party = state.due[0]
    unit = state.setup.units[party.unit].named(party.count)
    yield Paragraph(f"The next card is for {unit} of {state.groups[party.group].name}.")


def field_words(state: CampaignState, holds: Collection[str]) -> str:
    """Who holds the field, as a sentence."""
    if not holds:
        return "Nobody holds the field."
    if len(holds) == 2:
        return "Both sides hold the field."
    (holder,) = holds
    return f"The {state.people(holder)} hold the field."


def _shopping(state: CampaignState, viewer: Viewer) -> Iterator[Block]:
    """What is bought, or means to be, as far as ``viewer`` may know it."""
    yield Heading("Replacements")
    for side in state.setup.ids:
        if viewer not in (PLAYERS, side):
            continue
        # The points to spend; of a side that has bought, those that it saves.
        points = state.budget.get(side, 0)
        if side in state.settled:
            text = "bought"
            if points:
                text = f"bought; {points} points are saved"
        else:
            bought = listed_or_proposed(state, side)
            parts = []
            for group_id, counts in bought.items():
                if any(counts.values()):
                    units = counted(counts, state.setup.units)
                    parts.append(f"{state.groups[group_id].name} + {units}")
            price = price_of(state, bought)
            text = f"{'; '.join(parts) or 'nobody'}: {price} of {points} points"
        yield Paragraph(f"{capital(text)}.", lead=f"{state.name(side)}:")
    marks = [group for group in state.groups.values() if group.marks]
    if marks:
        words = ", ".join(f"{group.name} ({group.marks})" for group in marks)
        yield Paragraph(f"{words}.", lead="Marks so far:")


# ------------------------------------------------------------------ the whole story


def history(state: CampaignState) -> Page:
    """The groups with what they did in each battle, their honours, and what each side lost."""
    blocks: list[Block] = []
    if state.outcome is not None:
        blocks.append(Paragraph(ended(state), tone="strong"))
    blocks += [Heading("The ladder"), ladder(state)]
    if state.fought:
        blocks += [Heading("The battles"), battles(state)]
    for party, side in enumerate(state.setup.sides):
        groups = list(state.of_side(side.id))
        gone = f"{percent_lost(groups, state):.0f} % of its strength gone or captured"
        blocks.append(Heading(side.name, aside=gone, party=_party(party)))
        blocks.append(pool(state, side.id))
        for group in groups:
            blocks += group_blocks(state, group)
    return Page(state.setup.file.title, tuple(blocks))


def marks_words(count: int) -> str:
    """``1 mark``, ``3 marks``."""
    if count == 1:
        return "1 mark"
    return f"{count} marks"


def group_blocks(state: CampaignState, group: CampaignGroup) -> Iterator[Block]:
    """A group: who belongs to it, a line for each battle, its honours."""
    quality = group.quality
    if group.marks:
        quality += f", {marks_words(group.marks)}"
    yield Heading(group.name, level=3, aside=quality)
    here = together([group.ready, group.away])
    yield Paragraph(f"{capital(counted(here, state.setup.units))}.")
    if group.battles:
        rows = []
        for battle in group.battles:
            kills = f"{battle.guys} guys, {battle.models} models"
            rows.append(
                (
                    str(battle.battle),
                    str(battle.brought),
                    str(battle.lost),
                    kills,
                    str(battle.points),
                    str(battle.shots),
                    str(battle.hits),
                )
            )
        titles = ("Battle", "Brought", "Lost", "Killed", "Points", "Shots", "Hits")
        yield table(titles, rows, numbers=(0, 1, 2, 4, 5, 6))
    if group.honours:
        yield Items(group.honours)
