"""The pages of a campaign: the whole campaign with its ladder, its battles and the pools of both
sides, and the history of its groups. ``situation`` has the page of what is to be done now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter

from skirmish.games.plastic.campaign.battle_facts import BattleFacts, How
from skirmish.games.plastic.campaign.campaign_file import Rung
from skirmish.games.plastic.campaign.events import CampaignEnded
from skirmish.games.plastic.campaign.groups import (
    PLACES,
    CampaignGroup,
    GroupBattle,
    counts_in_words,
)
from skirmish.games.plastic.campaign.outcome import percent_lost
from skirmish.games.plastic.campaign.state import CampaignState, Fought, Step
from skirmish.games.plastic.rules.catalog import total_counts
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

MARKER_SIGN = ">"
"""Beside the rung of the present battle. The marker moves on from it as soon as it is counted."""
STEP_WORDS: Mapping[Step, str] = {
    "forces": "choice of forces",
    "battle": "is fought",
    "returns": "cards for the lost",
    "catch_up": "catch-up",
    "replacements": "replacements",
    "over": "over",
}
"""What is done now, in the clock."""
HOW_WORDS: Mapping[How, str] = {
    "victory": "by the scenario",
    "break": "the army broke",
    "draw": "time is up",
    "agreed": "agreed",
    "withdrawn": "withdrawn",
    "conceded": "conceded",
}
"""How a battle ended, in the table of battles."""


def campaign_page(state: CampaignState, viewer: Viewer) -> Page:
    """The whole campaign as ``viewer`` may see it: of the enemy's pool only its size."""
    blocks: list[Block] = []
    if state.outcome is not None:
        blocks.append(Paragraph(outcome_words(state), tone="strong"))
    blocks.append(Facts(tuple(_facts(state))))
    blocks += [Heading("The ladder"), ladder(state)]
    for number, side in enumerate(state.setup.sides):
        party = _party(number)
        heading = Heading(side.name, party=party, aside=commanded_by(state, side.id))
        blocks.append(heading)
        if viewer in (PLAYERS, side.id):
            blocks.append(pool(state, side.id))
        else:
            blocks.append(_size_of_pool(state, side.id, party))
    if state.fought:
        blocks += [Heading("The battles so far"), battles(state)]
    return Page(state.setup.file.title, tuple(blocks))


def _party(number: int) -> Party:
    """The party, which has a colour, of the side with this number, 0 or 1."""
    # A type checker does not accept any number as a party.
    if number == 0:
        return 0
    return 1


def headline(state: CampaignState) -> str:
    """The campaign in a line."""
    if state.outcome is not None:
        if state.outcome.winner is None:
            return f"A draw after {_battles(len(state.fought))}"
        return f"{state.name(state.outcome.winner)} won after {_battles(len(state.fought))}"
    return f"Battle {state.battle} of at most {state.setup.last_battle}: {_title_now(state)}"


def clock(state: CampaignState) -> str:
    """Where the campaign stands and what is done now."""
    if state.outcome is not None:
        return headline(state)
    step = STEP_WORDS[state.step]
    return f"Battle {state.battle}: {_title_now(state)} · {step} · {marker_words(state)}"


def _battles(count: int) -> str:
    """``1 battle``, ``3 battles``."""
    if count == 1:
        return "1 battle"
    return f"{count} battles"


def _title_now(state: CampaignState) -> str:
    """The title of the battle that is prepared or fought now."""
    return state.setup.title_of(state.rung)


def outcome_words(state: CampaignState) -> str:
    """How the campaign ended, in two sentences. The campaign must be over."""
    assert state.outcome is not None, "the campaign is over"
    return CampaignEnded(outcome=state.outcome).narrate(state)


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
    """The title and the words of each fact: the battle, the marker, the points, and who has the
    choice of ground."""
    first, second = state.setup.sides
    yield "Battle", f"{state.battle} of at most {state.setup.last_battle}"
    up = f"up for the {first.people}, down for the {second.people}"
    place = f"{place_words(state.marker)} of {state.setup.file.top}"
    if abs(state.marker) > state.setup.file.top:
        place = "past the end of the ladder"
    yield "Marker", f"{place}, {up}"
    points = ", ".join(f"{side.name} {state.points[side.id]}" for side in (first, second))
    yield "Points", points
    if state.ground:
        yield "Choice of ground", state.name(state.ground)


def commanded_by(state: CampaignState, side: str) -> str:
    """``commanded by Anna``; empty if nobody is named."""
    player = state.player_of(side)
    if not player:
        return ""
    return f"commanded by {player}"


def ladder(state: CampaignState) -> Table:
    """A line for each battle before the ladder, then one for each rung from the top down, with the
    battles that were fought there."""
    file = state.setup.file
    before_ladder = [rung for rung in file.rungs if rung.battle_before_ladder]
    before_ladder.sort(key=attrgetter("battle_before_ladder"))
    # ``file.ladder`` begins with the lowest rung, and the page with the highest.
    rungs = [*before_ladder, *reversed(file.ladder)]
    rows = []
    marked_row = None
    for index, rung in enumerate(rungs):
        sign = ""
        # After the end of the campaign there is no next battle to be marked.
        if rung == state.rung and state.outcome is None:
            marked_row = index
            sign = MARKER_SIGN
        rows.append(_rung_row(state, rung, sign))
    titles = ("", "Rung", "What is fought there", "Kind", "Attack", "Battles")
    return table(titles, rows, numbers=(1,), mark=marked_row)


def _rung_row(state: CampaignState, rung: Rung, sign: str) -> tuple[str, ...]:
    """A rung in the table of the ladder, with the ``sign`` of the marker, or none, beside it."""
    battles_there = [fought for fought in state.fought if fought.rung == rung]
    numbers = ", ".join(str(fought.number) for fought in battles_there)
    title = state.setup.title_of(rung)
    attacker = ""
    if rung.attacker:
        attacker = state.name(rung.attacker)
    kind = "free battle"
    if rung.scenario:
        kind = f"scenario {rung.scenario}"
    # A battle before the ladder has no place on it.
    place = "first"
    if not rung.battle_before_ladder:
        place = place_words(rung.place)
    return (sign, place, title, kind, attacker, numbers)


def battles(state: CampaignState) -> Table:
    """A line for each battle: who won it, how, and what it cost."""
    first, second = state.setup.sides
    rows: list[tuple[str, ...]] = []
    for fought in state.fought:
        title = state.setup.title_of(fought.rung)
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
    """The row of a battle that was counted; ``sides`` are in the order of the columns."""
    winner = "nobody"
    if facts.winner is not None:
        winner = state.name(facts.winner)
    losses = []
    for side in sides:
        brought = [piece for piece in facts.pieces if piece.side == side]
        lost = [piece for piece in brought if piece.fate == "lost"]
        losses.append(f"{len(lost)} of {len(brought)}")
    title = state.setup.title_of(fought.rung)
    return (str(fought.number), title, winner, HOW_WORDS[facts.how], str(facts.turn), *losses)


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
    """The row of a group in the table of its pool."""
    places = [str(group.total(place)) for place in PLACES]
    return (group.name, group.quality, str(group.marks), *places, str(group.full_strength))


def _size_of_pool(state: CampaignState, side: str, party: Party) -> Block:
    """How many of a side are ready, which is all that the enemy may know of its pool."""
    groups = list(state.of_side(side))
    ready = sum(group.total("ready") for group in groups)
    full = sum(group.full_strength for group in groups)
    return Bars((Bar("Ready", ready, f"{ready} of {full}", party),), full)


# ------------------------------------------------------------------ the whole story


def history(state: CampaignState) -> Page:
    """The page of the whole campaign so far: its battles, and the groups with what they did in each
    battle, their honours, and how much each side lost."""
    blocks: list[Block] = []
    if state.outcome is not None:
        blocks.append(Paragraph(outcome_words(state), tone="strong"))
    blocks += [Heading("The ladder"), ladder(state)]
    if state.fought:
        blocks += [Heading("The battles"), battles(state)]
    for number, side in enumerate(state.setup.sides):
        groups = list(state.of_side(side.id))
        gone = f"{percent_lost(groups, state):.0f}% of its strength gone or captured"
        blocks.append(Heading(side.name, aside=gone, party=_party(number)))
        blocks.append(pool(state, side.id))
        for group in groups:
            blocks += group_blocks(state, group)
    return Page(state.setup.file.title, tuple(blocks))


def _deeds_row(deeds: GroupBattle) -> tuple[str, ...]:
    """The row of what a group did in a battle."""
    return (
        str(deeds.battle),
        str(deeds.brought),
        str(deeds.lost),
        f"{deeds.guys} guys, {deeds.models} models",
        str(deeds.points),
        str(deeds.shots),
        str(deeds.hits),
    )


def marks_words(count: int) -> str:
    """``1 mark``, ``3 marks``."""
    if count == 1:
        return "1 mark"
    return f"{count} marks"


def group_blocks(state: CampaignState, group: CampaignGroup) -> Iterator[Block]:
    """A group of the history: who belongs to it, a line for each of its battles, its honours."""
    quality = group.quality
    if group.marks:
        quality += f", {marks_words(group.marks)}"
    yield Heading(group.name, level=3, aside=quality)
    # The captured and the gone no longer belong to it.
    members = total_counts([group.ready, group.away, group.fielded])
    yield Paragraph(f"{capital(counts_in_words(members, state.setup.units))}.")
    if group.battles:
        rows = [_deeds_row(deeds) for deeds in group.battles]
        titles = ("Battle", "Brought", "Lost", "Killed", "Points", "Shots", "Hits")
        yield table(titles, rows, numbers=(0, 1, 2, 4, 5, 6))
    if group.honours:
        yield Items(group.honours)
