"""The page of an empty ledger with the campaigns that come with the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skirmish import library
from skirmish.games.plastic.campaign.campaign_file import CampaignFile, GroupFile, SideFile
from skirmish.games.plastic.campaign.pages import place_words
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.campaign.wording import rung_name, rung_terms, rungs_in_order
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.columns import in_reading_order, two_columns
from skirmish.sheets.layout.flow import Block, Flowable, Gap, NewPage, depth
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf

TYPE_SIZES = (9.6, 9.2, 8.8, 8.4, 8.0, 7.6)
"""The sizes of the text in points, of which the largest that fits the page is taken."""


def campaigns_page(leaf: Leaf, ledger: str) -> Block:
    """The campaigns that come with the program, with their ladders and pools, to choose from;
    ``ledger``: the name of this document, for the title."""
    files = list(library.published_campaigns().values())
    scenarios = library.published_scenarios()
    band = TitleBand("Ready", str(len(files)), "Campaigns", ledger, "Ladders and pools to play")
    # In the largest type with which they are no more than one page; in the smallest if none is.
    for size in TYPE_SIZES:
        blocks: list[Block] = [_campaign(file, scenarios, size) for file in files]
        columns = in_reading_order(blocks, (leaf.measure - GUTTER) / 2, GAP)
        story = [band, Gap(GAP), two_columns(*columns, leaf.measure)]
        if depth(story, leaf.measure) <= leaf.depth:
            break
    return [NewPage("Campaigns"), *story]


def _campaign(file: CampaignFile, scenarios: dict[int, Scenario], size: float) -> Block:
    """A campaign: its history, its rungs from the top down, its groups."""
    style = Style(BODY, size, size * 1.2)
    people = {side.id: _people_of(side) for side in file.sides}
    pieces: list[Flowable] = [Head(file.title, f"at most {file.last_battle} battles")]
    pieces += [Gap(0.8 * MM), paragraph(file.history, style), Gap(1.2 * MM)]
    pieces += _rung_lines(file, scenarios, people, style)
    first, second = people.values()
    aim = f"The {first} push the marker up, the {second} down."
    if file.pool:
        aim += f" Each side buys its groups for {file.pool} points."
    pieces += [Gap(1.2 * MM), paragraph(aim, style)]
    for side in file.sides:
        for group in side.groups:
            pieces += [Gap(0.6 * MM), _group_line(people[side.id], group, style)]
    if file.level:
        tie = f"If marker and points are level, the {people[file.level]} have won."
        pieces += [Gap(0.6 * MM), paragraph(tie, style)]
    return pieces


def _people_of(side: SideFile) -> str:
    """What a side is called behind an article: its name, the people of its nation, or its id."""
    if side.name:
        return side.name
    if side.nation:
        return library.catalog().nations[side.nation].people
    return side.id.capitalize()


def _rung_lines(
    file: CampaignFile, scenarios: dict[int, Scenario], people: Mapping[str, str], style: Style
) -> Iterator[Flowable]:
    """A line for each battle before the ladder, then for each rung from the top down."""
    titles = {str(number): scenario.title for number, scenario in scenarios.items()}
    for rung in rungs_in_order(file):
        lead = f"{place_words(rung.place)}."
        if rung.first:
            lead = f"Battle {rung.first}."
        facts = [rung_name(rung, titles)]
        if rung.attacker:
            facts.append(f"the {people[rung.attacker]} attack")
        terms_of_rung = rung_terms(rung, file)
        if terms_of_rung:
            facts.append(terms_of_rung)
        yield paragraph(f"{'; '.join(facts)}.", style, lead=lead)


def _group_line(people: str, group: GroupFile, style: Style) -> Flowable:
    """``Germans, Panzer company: 5 Tank.``"""
    catalog = library.catalog()
    counts = [f"{count} {catalog.units[unit].short}" for unit, count in group.units.items()]
    name = group.name
    if group.front:
        name += f" ({group.front})"
    lead = f"{people}, {name}:"
    return paragraph(f"{', '.join(counts)}.", style, lead=lead)
