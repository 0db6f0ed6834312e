"""The blank ledger: a campaign on paper alone. The whole rules on two pages, the ladder with the
battles, the campaigns that come with the program, and a page for each group.

Of a stored campaign it has that ladder, those groups and those rulings; empty it has lines for
any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.campaign.campaign_file import CampaignFile, GroupFile, Rung, SideFile
from skirmish.games.plastic.campaign.game import CampaignGame
from skirmish.games.plastic.campaign.groups import CampaignGroup
from skirmish.games.plastic.campaign.pages import place_words
from skirmish.games.plastic.campaign.state import CampaignSetup, CampaignState
from skirmish.games.plastic.campaign.terms import ReturnLine, ReturnTable
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.registry import CAMPAIGN, load
from skirmish.sheets import inks
from skirmish.sheets.campaign.wording import RulesPart, ranks, rules_text, rung_name, rung_terms
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, TitleBand, block
from skirmish.sheets.layout.flow import (
    AtLeast,
    Block,
    Flowable,
    Gap,
    NewPage,
    depth,
    halves,
    in_reading_order,
    in_two_columns,
)
from skirmish.sheets.layout.fonts import BODY, LABEL
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import Cells, SheetColumn, TableCommand, printed_table
from skirmish.sheets.layout.text import paragraph, terms
from skirmish.sheets.paper import GAP, GUTTER, HAIR, MM, WRITING, Leaf
from skirmish.tabletop.measure import NO_BREAK

TITLE = "Campaign ledger"
SIDES = ("First side", "Second side")
"""What the sides of an empty ledger are called."""
BLANK_RUNGS, BLANK_BATTLES = 7, 9
"""Lines of an empty ledger: as many as the longest ladder and the most battles need."""
BLANK_GROUPS = 3
"""Pages for the groups of a side in an empty ledger."""
UNIT_LINES = 9
"""Lines for units on the page of a group."""
SIZES = (13.6, 13, 12.4, 11.8, 11.2, 10.7, 10.2, 9.6, 9.2, 8.8, 8.4, 8.0, 7.6)
"""The sizes of the rules in points, of which the largest that fits its page is taken."""
CAMPAIGN_SIZES = (9.6, 9.2, 8.8, 8.4, 8.0, 7.6)
"""The sizes of the page with the campaigns, likewise."""
_RANK_CELL = Style(LABEL, 11, 12, "centre")
_LINE = Style(BODY, 9, 10.4)
_SMALL_LINE = Style(BODY, 7.8, 9)
_CENTRED = _LINE._replace(align="centre")
_CENTRED_TERM = styles.TERM._replace(align="centre")
GRID: tuple[TableCommand, ...] = (
    ("INNERGRID", (0, 1), (-1, -1), HAIR, inks.FAINT),
    ("BOX", (0, 1), (-1, -1), HAIR, inks.FAINT),
    ("LEFTPADDING", (1, 0), (-1, -1), 1 * MM),
)
"""The lines around the cells of a table to write in."""
RETURNS = (
    ("Guys, field held", "guys_held"),
    ("Guys, field lost", "guys_lost"),
    ("Models, field held", "models_held"),
    ("Models, field lost", "models_lost"),
)
"""The lines of the return table: what they are called on paper, and their fields in
``ReturnTable``."""


@as_pdf
def ledger_pdf(leaf: Leaf, stored: StoredGame | None) -> PdfDocument:
    """The ledger of a stored campaign as it began, to be filled in by hand; None: an empty one by
    the usual rules, for any campaign."""
    is_blank = stored is None
    if stored is None:
        setup, name, heading = _usual_setup(), "", TITLE
    else:
        setup = stored.play.state.setup
        name = setup.file.title
        heading = f"{TITLE}: {name}"
    story: list[Flowable] = [*_rules(leaf, setup, name), *_ladder(leaf, setup, name)]
    if is_blank:
        story += _campaigns(leaf)
    for page in _group_pages(setup, blank=is_blank):
        story += _group(leaf, setup, page)
    part = SheetPart(leaf, story, "The rules", heading, revision=setup.revision)
    return PdfDocument(heading, "The rules of a campaign, its ladder and its groups", [part])


def _game() -> CampaignGame:
    """Campaigns, as the registry has them."""
    game = load(CAMPAIGN.id)
    assert isinstance(game, CampaignGame)
    return game


def _usual_setup() -> CampaignSetup:
    """The campaign of any two armies by the default rulings."""
    game = _game()
    answers = {"campaign": "any_two_armies", "cards": "own"}
    play = game.codec.play([game.opening(answers, _no_seed)])
    state: CampaignState = play.state
    return state.setup


def _no_seed() -> int:
    """Nothing is drawn where the cards are the player's own."""
    return 0


# ------------------------------------------------------------------ the rules


def _rules(leaf: Leaf, setup: CampaignSetup, name: str) -> Block:
    """The whole rules, on two pages; each in the largest size that fits it. ``name``: that of the
    campaign, which stands in the title; empty in a ledger for any campaign, whose title names the
    rulings instead."""
    text = rules_text(setup)
    first = [part for part in text.parts if part.page == 1]
    second = [part for part in text.parts if part.page == 2]
    rulings = setup.named
    band = TitleBand("Rules", "1", "A campaign", "The whole rules", name or rulings)
    intro = paragraph(text.intro, styles.LEAD)
    band_overleaf = TitleBand("Rules", "2", "The evening after", "The whole rules", name)
    table = block("The return table", _TABLE_ASIDE, _return_table(leaf.measure, setup.table))
    prices = list(_prices(library.catalog()))
    price_list = block("List prices", "in points", terms(prices, styles.TEXT))
    return [
        *_largest(leaf, [band, Gap(GAP), intro, Gap(GAP)], first, []),
        NewPage("The evening after"),
        *_largest(leaf, [band_overleaf, Gap(GAP), table, Gap(GAP)], second, [Gap(GAP), price_list]),
    ]


_TABLE_ASIDE = "the rank of the card for each lost model, each lost guy, each party of Rifle Guys"


def _largest(leaf: Leaf, above: Block, parts: Sequence[RulesPart], below: Block) -> Block:
    """A page with the parts in two columns, with what stands ``above`` and ``below`` them, in the
    largest size with which it is no more than one page; in the smallest if none is."""
    for size in SIZES:
        blocks: list[Block] = [_rules_part(part, size) for part in parts]
        columns = in_two_columns(blocks, (leaf.measure - GUTTER) / 2, GAP)
        story = [*above, halves(*columns, leaf.measure), *below]
        if depth(story, leaf.measure) <= leaf.depth:
            break
    return story


def _rules_part(part: RulesPart, size: float) -> Block:
    """A part of the rules in type of that size: its head, then a paragraph for each line."""
    style = Style(BODY, size, size * 1.22)
    pieces: list[Flowable] = [Head(part.title), Gap(0.8 * MM)]
    for number, (lead, text) in enumerate(part.lines):
        if number:
            pieces.append(Gap(size * 0.32))
        pieces.append(paragraph(text, style, lead=lead))
    return pieces


def _return_table(width: float, table: ReturnTable) -> Flowable:
    """A line for guys and models of a side that holds the field or lost it."""
    columns = (
        SheetColumn("Who was lost", 44, styles.TERM),
        SheetColumn("ready", 25, _RANK_CELL),
        SheetColumn("away for a battle", 29, _RANK_CELL),
        SheetColumn("prisoner", 25, _RANK_CELL),
        SheetColumn("gone, crew lives", 29, _RANK_CELL),
        SheetColumn("gone", 0, _RANK_CELL),
    )
    results = ("ready", "away", "prisoner", "crew", "gone")  # as the columns
    rows = []
    for title, field in RETURNS:
        line: ReturnLine = getattr(table, field)
        rows.append([title, *(ranks(line, result) for result in results)])
    return printed_table(width, columns, rows, air=2.2)


def _prices(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """What replacements and forces cost: the letter of each unit, then its name and price."""
    for unit in catalog.units.values():
        if unit.source != "scenario":
            yield unit.letter.upper(), f"{unit.name} {unit.price}".replace(" ", NO_BREAK)
    for work in catalog.works.values():
        if work.source != "scenario":
            yield work.name.replace(" ", NO_BREAK), str(work.price)


# ------------------------------------------------------------------ the ladder


def _written(text: str = "", style: Style = _LINE) -> Flowable:
    """A cell to write in, with what is known of it."""
    return AtLeast(paragraph(text, style), WRITING, 0.6)


def _numbered_rows(numbers: Iterable[str], columns: Sequence[SheetColumn]) -> list[Cells]:
    """Rows with nothing but a number in the first column; the other cells are written in."""
    rows: list[Cells] = []
    for number in numbers:
        empty = [_written() for _ in columns[1:]]
        rows.append([_written(number, columns[0].style), *empty])
    return rows


def _ladder(leaf: Leaf, setup: CampaignSetup, name: str) -> Block:
    """The rungs from the top down, and a line for each battle."""
    if name:
        first, second = (side.name for side in setup.sides)
        up, down = (side.people for side in setup.sides)
        battles = setup.last_battle
        contents = [name, *(side.player for side in setup.sides)]
        who_pushes = f"up for the {up}, down for the {down}"
        rungs_table = _rungs_table(leaf.measure, setup)
    else:
        first, second = SIDES
        battles = BLANK_BATTLES
        contents = []
        who_pushes = "the first side pushes it up"
        rungs_table = _blank_rungs_table(leaf.measure)
    fields = Fields(
        [("Campaign", 0.4), (f"{first}: who commands", 0.3), (f"{second}: who commands", 0.3)],
        contents,
    )
    rungs = block("The ladder", who_pushes, rungs_table)
    victory, draw = setup.terms.points_of_victory, setup.terms.points_of_draw
    results = block(
        "The battles",
        f"points: a victory {victory}, a draw {draw}",
        _battles_table(leaf.measure, (first, second), battles),
    )
    band = TitleBand(
        "Battles", str(battles), name or "The ladder", TITLE, "Marker, battles and points"
    )
    return [
        NewPage("The ladder"),
        band,
        Gap(GAP),
        fields,
        Gap(GAP),
        rungs,
        Gap(GAP),
        results,
        OwnNotes(),
    ]


_RUNG_COLUMNS = (
    SheetColumn("Rung", 12, _CENTRED_TERM),
    SheetColumn("What is fought there", 56, _LINE),
    SheetColumn("Who attacks", 26, _LINE),
    SheetColumn("Table, points, ground", 0, _SMALL_LINE),
    SheetColumn("Battles", 24, _LINE),
)


def _blank_rungs_table(width: float) -> Flowable:
    """The ladder of any campaign: its rungs are only numbered."""
    highest = BLANK_RUNGS // 2
    places = [place_words(place) for place in range(highest, -highest - 1, -1)]
    rows = _numbered_rows(places, _RUNG_COLUMNS)
    return printed_table(width, _RUNG_COLUMNS, rows, air=0, tinted=False, more=GRID)


def _rungs_table(width: float, setup: CampaignSetup) -> Flowable:
    """The ladder of a campaign, with what is fought on each rung."""
    names = {side.id: side.name for side in setup.sides}
    rows: list[Cells] = []
    for rung in in_order(setup.file):
        label = place_words(rung.place)
        if rung.first:  # the number of a battle that is fought before the ladder
            label = f"No. {rung.first}"
        attacker = names.get(rung.attacker, "")
        # A scenario says itself who attacks.
        if not attacker and not rung.scenario:
            attacker = "draw for it"
        rows.append(
            [
                _written(label, _CENTRED_TERM),
                _written(rung_name(rung, setup.titles)),
                _written(attacker),
                _written(rung_terms(rung, setup.file), _SMALL_LINE),
                _written(),
            ]
        )
    return printed_table(width, _RUNG_COLUMNS, rows, air=0, tinted=False, more=GRID)


def _battles_table(width: float, sides: tuple[str, str], battles: int) -> Flowable:
    """A line for each battle; only its number is known."""
    first, second = sides
    columns = (
        SheetColumn("Battle", 13, _CENTRED_TERM),
        SheetColumn("Rung", 13, _CENTRED),
        SheetColumn("Won by", 34, _LINE),
        SheetColumn("Holds the field", 27, _LINE),
        SheetColumn("Marker now", 15, _CENTRED),
        SheetColumn(f"{first}: points, saved", 26, _LINE),
        SheetColumn(f"{second}: points, saved", 26, _LINE),
        SheetColumn("Catch-up or ground", 0, _LINE),
    )
    rows = _numbered_rows(map(str, range(1, battles + 1)), columns)
    return printed_table(width, columns, rows, air=0, tinted=False, more=GRID)


# ------------------------------------------------------------------ the campaigns


def _campaigns(leaf: Leaf) -> Block:
    """The campaigns that come with the program, with their ladders and pools, to choose from."""
    files = list(library.published_campaigns().values())
    scenarios = library.published_scenarios()
    band = TitleBand("Ready", str(len(files)), "Campaigns", TITLE, "Ladders and pools to play")
    for size in CAMPAIGN_SIZES:
        blocks: list[Block] = [_campaign(file, scenarios, size) for file in files]
        columns = in_reading_order(blocks, (leaf.measure - GUTTER) / 2, GAP)
        story = [band, Gap(GAP), halves(*columns, leaf.measure)]
        if depth(story, leaf.measure) <= leaf.depth:
            break
    return [NewPage("Campaigns"), *story]


def _campaign(file: CampaignFile, scenarios: dict[int, Scenario], size: float) -> Block:
    """A campaign: its history, its rungs from the top down, its groups."""
    style = Style(BODY, size, size * 1.2)
    people = {side.id: _people_of(side) for side in file.sides}
    pieces: list[Flowable] = [Head(file.title, f"at most {file.last_battle} battles")]
    pieces += [Gap(0.8 * MM), paragraph(file.history, style), Gap(1.2 * MM)]
    pieces += _rungs_of(file, scenarios, people, style)
    first, second = people.values()
    text = f"The {first} push the marker up, the {second} down."
    if file.pool:
        text += f" Each side buys its groups for {file.pool} points."
    pieces += [Gap(1.2 * MM), paragraph(text, style)]
    for side in file.sides:
        for group in side.groups:
            pieces += [Gap(0.6 * MM), _group_line(people[side.id], group, style)]
    if file.level:
        text = f"If marker and points are level, the {people[file.level]} have won."
        pieces += [Gap(0.6 * MM), paragraph(text, style)]
    return pieces


def _people_of(side: SideFile) -> str:
    """``Germans``: what a side is called behind an article."""
    if side.name:
        return side.name
    if side.nation:
        return library.catalog().nations[side.nation].people
    return side.id.capitalize()


def _rungs_of(
    file: CampaignFile, scenarios: dict[int, Scenario], people: Mapping[str, str], style: Style
) -> Iterator[Flowable]:
    """A line for each battle before the ladder, then for each rung from the top down."""
    titles = {str(number): scenario.title for number, scenario in scenarios.items()}
    for rung in in_order(file):
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


def in_order(file: CampaignFile) -> list[Rung]:
    """The battles before the ladder, then its rungs from the top down."""
    openers = sorted((rung for rung in file.rungs if rung.first), key=attrgetter("first"))
    return [*openers, *reversed(file.ladder)]


def _group_line(people: str, group: GroupFile, style: Style) -> Flowable:
    """``Germans, Panzer company: 5 Tank.``"""
    catalog = library.catalog()
    counts = [f"{count} {catalog.units[unit].short}" for unit, count in group.units.items()]
    name = group.name
    if group.front:
        name += f" ({group.front})"
    lead = f"{people}, {name}:"
    return paragraph(f"{', '.join(counts)}.", style, lead=lead)


# ------------------------------------------------------------------ the groups


class _GroupPage(NamedTuple):
    """What is known of the group of a page: its side, and for a group with a name the group itself
    and its number."""

    side: str
    group: CampaignGroup | None
    battles: int
    """How many there are lines for."""
    number: str = ""


def _group_pages(setup: CampaignSetup, *, blank: bool) -> Iterator[_GroupPage]:
    """The groups of a campaign; of any campaign some without names for either side."""
    if blank:
        for side in SIDES:
            for _ in range(BLANK_GROUPS):
                yield _GroupPage(side, group=None, battles=BLANK_BATTLES)
        return
    names = {side.id: side.name for side in setup.sides}
    for number, group in enumerate(setup.groups, 1):
        yield _GroupPage(names[group.side], group, setup.last_battle, str(number))


def _group(leaf: Leaf, setup: CampaignSetup, page: _GroupPage) -> Block:
    """The page of a group: its men by unit, a line a battle, and the return table."""
    group = page.group
    title = "A group"
    contents: list[str] = []
    if group is not None:
        title = group.name
        contents = [page.side, group.name, group.quality, group.front]
    fields = Fields(
        [("Side", 0.22), ("Group", 0.42), ("Quality at the start", 0.2), ("Front", 0.16)],
        contents,
    )
    return [
        NewPage(title),
        TitleBand("Group", page.number, title, page.side, TITLE),
        Gap(GAP),
        fields,
        Gap(GAP),
        block(
            "Men and models",
            "how many are ready after each battle",
            _units_table(leaf.measure, setup, page),
        ),
        Gap(GAP),
        block("Battles", "how many men and models", _group_battles(leaf.measure, page)),
        Gap(GAP),
        block("The return table", _TABLE_ASIDE, _return_table(leaf.measure, setup.table)),
        OwnNotes("History and honours"),
    ]


def _units_table(width: float, setup: CampaignSetup, page: _GroupPage) -> Flowable:
    """A line for each unit: its strength, its price, and how many are ready after each battle."""
    numbers = [str(number) for number in range(1, page.battles + 1)]
    columns = [
        SheetColumn("Unit", 0, _LINE),
        SheetColumn("Price", 12, _CENTRED),
        SheetColumn("Strength", 16, _CENTRED),
    ]
    columns += [SheetColumn(number, 12, _CENTRED) for number in numbers]
    rows: list[Cells] = []
    strength: Mapping[str, int] = {}
    if page.group is not None:
        strength = page.group.strength
    for id, count in strength.items():
        unit = setup.units[id]
        price = _written(str(unit.price), _CENTRED)
        empty = [_written() for _ in numbers]
        rows.append([_written(unit.name), price, _written(str(count), _CENTRED), *empty])
    # With room for units that the group does not have at the start.
    while len(rows) < UNIT_LINES:
        rows.append([_written() for _ in columns])
    return printed_table(width, columns, rows, air=0, tinted=False, more=GRID)


def _group_battles(width: float, page: _GroupPage) -> Flowable:
    """A line for each battle of a group; only its number is known."""
    titles = ("Brought", "Lost", "Ready", "Away", "Prisoner", "Gone", "Recruits", "Marks")
    columns = [SheetColumn("Battle", 16, _CENTRED_TERM)]
    columns += [SheetColumn(title, 19, _CENTRED) for title in titles]
    columns.append(SheetColumn("Quality", 0, _CENTRED))
    rows = _numbered_rows(map(str, range(1, page.battles + 1)), columns)
    return printed_table(width, columns, rows, air=0, tinted=False, more=GRID)
