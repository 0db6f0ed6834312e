"""The opening of a battle of a campaign: the set-up of a free battle or of a scenario, with the
pieces that each side brings (``fielding``) and the group to which each belongs.

A battle and its campaign call the sides differently: in a battle they are ``first`` and ``second``
or nations, in the campaign they have the ids of its file. What is fought next depends on the
*rung* of the campaign's ladder that has been reached. Numbers such as C18 are rulings of campaigns
(``terms``)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.pieces import Codes, Contingent, Piece
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup import Deadline, Level, OfCampaign, Setup, Side
from skirmish.games.plastic.battle.setup_choices import WAYS_TO_DRAW, SetupChoices
from skirmish.games.plastic.campaign.campaign_file import CampaignFile, scenario_of
from skirmish.games.plastic.campaign.groups import QUALITIES
from skirmish.games.plastic.campaign.state import CampaignSetup, CampaignState, Fielding, Fought
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.chance import Source

ATTACHED = "Attached"
"""The name of the contingent of those who come for one battle only."""
REGULAR = "regular"
"""The force quality of those attached."""


class BattleBooks(msgspec.Struct, frozen=True, kw_only=True):
    """What battles are opened with: the numbers, rulings and scenarios as they are now."""

    catalog: Catalog
    rulings: PlasticRulingBook
    scenarios: Mapping[int, Scenario]
    revision: str = ""
    """The version of the data."""


# ------------------------------------------------------------------ the opening of the battle


def opening(state: CampaignState, fought: Fought, books: BattleBooks, seed: int) -> Setup:
    """The set-up of a battle of the campaign, which is ``fought`` from now on. Raises ValueError (a
    sentence)."""
    if fought.rung.scenario:
        return _scenario_battle(state, fought, books, seed)
    return _free_battle(state, fought, books, seed)


class _Drawing(NamedTuple):
    """What a side draws from in battle (``source``), and how it uses the program (``level``)."""

    source: Source
    level: Level


def _drawing(state: CampaignState, side: str, seed: int) -> _Drawing:
    """Who draws for a side of the campaign, and from what. It was asked when the campaign began,
    and players can change it during each battle."""
    way = WAYS_TO_DRAW[state.setup.draws.get(side, "deck")]
    source = Source(way.kind, seed=seed)
    if way.level == "clerk":
        # The program never draws from a source without a seed: players type in what they drew.
        source = Source(way.kind)
    return _Drawing(source, way.level)


class _Fielded(msgspec.Struct, frozen=True):
    """The contingents and the pieces of a side in battle."""

    contingents: tuple[Contingent, ...]
    pieces: tuple[Piece, ...]
    groups: dict[str, str]
    """The id of the group to which a piece belongs, by the id of the piece; those attached have
    none."""


def _free_battle(state: CampaignState, fought: Fought, books: BattleBooks, seed: int) -> Setup:
    """A free battle. The attacker sets up and moves first; where nobody attacks, lots decide."""
    first_mover, second_mover = _attacker_first(state.setup, state.attacker)
    # A battle without a scenario has these ids for its sides.
    campaign_sides = {"first": first_mover, "second": second_mover}
    sides: list[Side] = []
    contingents: list[Contingent] = []
    pieces: list[Piece] = []
    groups: dict[str, str] = {}
    # If the program has only a ledger for a side, lots are drawn at the table.
    somebody_draws_at_table = "ledger" in state.setup.draws.values()
    for number, (battle_side, campaign_side) in enumerate(campaign_sides.items()):
        fielding = fought.fielding[campaign_side]
        fielded = _what_it_fields(state, battle_side, fielding, books.catalog)
        contingents += fielded.contingents
        pieces += fielded.pieces
        groups |= fielded.groups
        # Each deck has a seed of its own: two decks in the same order would tie each time that both
        # sides draw against each other.
        drawing = _drawing(state, campaign_side, seed + number)
        sides.append(_free_side(state, battle_side, campaign_side, fielding, drawing))
    return Setup(
        title=battle_title(state.setup, fought),
        sides=(sides[0], sides[1]),
        contingents=tuple(contingents),
        pieces=tuple(pieces),
        options=state.setup.options,
        lots=not state.attacker and not somebody_draws_at_table,
        ends_after=Deadline("second", books.catalog.basic_game.last_turn, draw=True),
        campaign=_link_to_campaign(state.setup, fought, campaign_sides, groups),
        catalog=books.catalog,
        # A free battle has the default answers to all rulings of battles.
        rulings=books.rulings.answered({}),
        revision=books.revision,
    )


def _free_side(
    state: CampaignState,
    battle_side: str,
    campaign_side: str,
    fielding: Fielding,
    drawing: _Drawing,
) -> Side:
    """A side of a free battle, in which every army has a break point."""
    side = state.side(campaign_side)
    return Side(
        id=battle_side,
        name=side.name,
        # The journal of a battle calls an army by its name, as in every battle of armies.
        people=side.name,
        nation=side.nation,
        quality=_side_quality(state, fielding),
        player=state.player_of(campaign_side),
        level=drawing.level,
        source=drawing.source,
        breaks=True,
        works=dict(fielding.works),
    )


def _attacker_first(setup: CampaignSetup, attacker: str) -> tuple[str, str]:
    """The ids of both sides of the campaign, the attacker first; without an attacker in the order
    of the campaign."""
    first, second = setup.ids
    if attacker == second:
        return second, first
    return first, second


def _what_it_fields(
    state: CampaignState, side: str, fielding: Fielding, catalog: Catalog
) -> _Fielded:
    """What a side fields in a free battle: a contingent for each group that comes, and one for
    those attached. ``side`` is the id of the side in the battle."""
    codes = Codes(side, catalog)
    contingents: list[Contingent] = []
    pieces: list[Piece] = []
    groups: dict[str, str] = {}
    for group_id, counts in fielding.groups.items():
        group = state.groups[group_id]
        contingent_id = f"{side}_{len(contingents) + 1}"
        # With a single group the number of its men makes no difference.
        quality = _quality(state, {group_id: 1})
        contingents.append(Contingent(contingent_id, side, group.name, quality=quality))
        for piece in codes.pieces(contingent_id, counts):
            pieces.append(piece)
            groups[piece.id] = group_id
    if fielding.attached:
        contingent_id = f"{side}_{len(contingents) + 1}"
        quality = _quality(state, {})
        contingents.append(Contingent(contingent_id, side, ATTACHED, quality=quality))
        pieces += codes.pieces(contingent_id, fielding.attached)
    return _Fielded(tuple(contingents), tuple(pieces), groups)


def _scenario_battle(state: CampaignState, fought: Fought, books: BattleBooks, seed: int) -> Setup:
    """A battle by a scenario, whose lists are filled with men of the groups."""
    scenario = scenario_of(fought.rung, books.scenarios)
    if scenario is None:
        raise ValueError(f"There is no scenario {fought.rung.scenario} any more.")
    campaign_sides = owners(state.setup.file, scenario)
    sources: dict[str, Source] = {}
    levels: dict[str, Level] = {}
    players: dict[str, str] = {}
    quality: dict[str, str | None] = {}
    for number, (battle_side, campaign_side) in enumerate(campaign_sides.items()):
        # Each deck has a seed of its own, as in ``_free_battle``.
        drawing = _drawing(state, campaign_side, seed + number)
        sources[battle_side] = drawing.source
        if scenario.cards_only:
            # In such a scenario certain cards start something, which a die could never do.
            sources[battle_side] = replace(drawing.source, kind="deck")
        levels[battle_side] = drawing.level
        players[battle_side] = state.player_of(campaign_side)
        quality[battle_side] = _side_quality(state, fought.fielding[campaign_side])
    chosen = SetupChoices(
        options=state.setup.options, levels=levels, players=players, quality=quality
    )
    setup = from_scenario(
        scenario,
        books.catalog,
        books.rulings,
        sources=sources,
        chosen=chosen,
        revision=books.revision,
    )
    groups = _groups_of_pieces(setup, fought.fielding, campaign_sides)
    return replace(
        setup,
        title=battle_title(state.setup, fought),
        contingents=tuple(_with_quality(state, setup, groups)),
        campaign=_link_to_campaign(state.setup, fought, campaign_sides, groups),
    )


def owners(file: CampaignFile, scenario: Scenario) -> dict[str, str]:
    """The side of the campaign that plays each side of a scenario, whose id is a nation."""
    campaign_sides = {}
    for scenario_side in scenario.sides:
        for side in file.sides:
            if scenario_side.id in side.nations:
                campaign_sides[scenario_side.id] = side.id
    return campaign_sides


def _groups_of_pieces(
    setup: Setup, fielding: Mapping[str, Fielding], campaign_sides: Mapping[str, str]
) -> dict[str, str]:
    """The id of the group to which each piece of a scenario belongs, by the id of the piece. Pieces
    are given to the groups in their order, unit by unit; those that are left are attached."""
    # For each man the id of his group, by his side in the battle and his unit.
    group_ids: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for battle_side, campaign_side in campaign_sides.items():
        for group_id, counts in fielding[campaign_side].groups.items():
            for unit, count in counts.items():
                group_ids[battle_side, unit] += [group_id] * count
    groups = {}
    for piece in setup.pieces:
        group_ids_left = group_ids[piece.side, piece.unit]
        if group_ids_left:
            groups[piece.id] = group_ids_left.pop(0)
    return groups


def _with_quality(
    state: CampaignState, setup: Setup, groups: Mapping[str, str]
) -> Iterator[Contingent]:
    """The contingents of a scenario, each with the quality of the groups in it."""
    for contingent in setup.contingents:
        men: Counter[str] = Counter()
        for piece in setup.pieces:
            if piece.contingent == contingent.id and piece.id in groups:
                men[groups[piece.id]] += 1
        yield replace(contingent, quality=_quality(state, men))


def _quality(state: CampaignState, men: Mapping[str, int]) -> str | None:
    """The force quality of ``men`` who fight together, given as counts by the id of their group:
    that of the worst, or of most of them (C18). Without any men of groups, all are attached, and
    regular. None where force quality is not played."""
    if not state.setup.quality:
        return None
    if not men:
        return REGULAR
    of_quality: Counter[str] = Counter()
    for group_id, count in men.items():
        of_quality[state.groups[group_id].quality] += count
    qualities = list(of_quality)
    if state.setup.terms.most_decide:
        largest = max(of_quality.values())
        qualities = [quality for quality, count in of_quality.items() if count == largest]
    # If as many men are of one quality as of another, the worse one counts.
    return min(qualities, key=QUALITIES.index)


def _side_quality(state: CampaignState, fielding: Fielding) -> str | None:
    """The force quality of all men that a side brings."""
    men = {group_id: sum(counts.values()) for group_id, counts in fielding.groups.items()}
    return _quality(state, men)


def _link_to_campaign(
    setup: CampaignSetup, fought: Fought, sides: Mapping[str, str], groups: dict[str, str]
) -> OfCampaign:
    """What the opening of a battle has of its campaign. ``sides``: the sides of the campaign, by
    those of the battle; ``groups``: the groups, by piece."""
    return OfCampaign(
        mark=setup.mark,
        title=setup.file.title,
        battle=fought.number,
        sides=dict(sides),
        groups=groups,
        answers=setup.terms.in_battle,
    )


def mark_of_battle(setup: CampaignSetup, fought: Fought) -> str:
    """A text that is in the stored opening of this battle and of no other, by which the store finds
    it: the first fields of ``OfCampaign`` as JSON, in the order in which they are written."""
    return f'"mark":"{setup.mark}","battle":{fought.number},'


def battle_title(setup: CampaignSetup, fought: Fought) -> str:
    """``Kursk, battle 2: Counterstroke``"""
    return f"{setup.file.title}, battle {fought.number}: {setup.title_of(fought.rung)}"
