"""The blank ledger: a campaign on paper alone. The whole rules on two pages, the ladder with the
battles, the campaigns that come with the program, and a page for each group.

Printed for a stored campaign it has its ladder, groups and rulings; an empty one has lines for any
campaign. Numbers without a name are points, millimetres or shares, chosen by eye."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.campaign.campaign_file import CampaignFile, GroupFile, SideFile
from skirmish.games.plastic.campaign.game import CampaignGame
from skirmish.games.plastic.campaign.groups import CampaignGroup
from skirmish.games.plastic.campaign.pages import place_words
from skirmish.games.plastic.campaign.state import CampaignSetup, CampaignState
from skirmish.games.plastic.campaign.terms import Return, ReturnTable
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.registry import CAMPAIGN, load
from skirmish.sheets import inks
from skirmish.sheets.campaign.wording import (
    RulesPart,
    ranks,
    rules_text,
    rung_name,
    rung_terms,
    rungs_in_order,
)
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, OwnNotes, block
from skirmish.sheets.layout.columns import in_reading_order, in_two_columns, two_columns
from skirmish.sheets.layout.flow import AtLeast, Block, Flowable, Gap, NewPage, depth
from skirmish.sheets.layout.fonts import BODY, LABEL
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import Cells, SheetColumn, TableCommand, printed_table
from skirmish.sheets.layout.text import paragraph, terms
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.paper import GAP, GUTTER, HAIR, MM, WRITING, Leaf
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page import capital

TITLE = "Campaign ledger"
SIDES = ("First side", "Second side")
"""What the sides of an empty ledger are called."""
BLANK_RUNGS, BLANK_BATTLES = 7, 9
"""Lines of an empty ledger: as many as the longest ladder and the most battles need."""
BLANK_GROUPS = 3
"""Pages for the groups of a side in an empty ledger."""
UNIT_LINES = 9
"""Lines for units on the page of a group."""
_LINE = Style(BODY, 9, 10.4)
_SMALL_LINE = Style(BODY, 7.8, 9)
_CENTRED = _LINE._replace(align="centre")
_CENTRED_TERM = styles.TERM._replace(align="centre")
GRID: tuple[TableCommand, ...] = (
    ("INNERGRID", (0, 1), (-1, -1), HAIR, inks.FAINT),
    ("BOX", (0, 1), (-1, -1), HAIR, inks.FAINT),
    ("LEFTPADDING", (1, 0), (-1, -1), 1 * MM),
)
"""The lines around the cells of a table to write in, all below its row of titles; and the space
between a line and the words at its right."""
RULES_SIZES = (13.6, 13, 12.4, 11.8, 11.2, 10.7, 10.2, 9.6, 9.2, 8.8, 8.4, 8.0, 7.6)
"""The sizes of the rules in points, of which the largest that fits its page is taken."""
CAMPAIGN_SIZES = (9.6, 9.2, 8.8, 8.4, 8.0, 7.6)
"""The sizes of the text about campaigns in points, of which the largest that fits the page is
taken."""
_RANK_CELL = Style(LABEL, 11, 12, "centre")
RESULT_COLUMNS: dict[Return, SheetColumn] = {
    "ready": SheetColumn("ready", 25, _RANK_CELL),
    "away": SheetColumn("away for a battle", 29, _RANK_CELL),
    "prisoner": SheetColumn("captured", 25, _RANK_CELL),
    "crew": SheetColumn("gone, crew lives", 29, _RANK_CELL),
    "gone": SheetColumn("gone", 0, _RANK_CELL),
}
"""The columns of the return table, by what a card says."""


@as_pdf
def ledger_pdf(leaf: Leaf, stored: StoredGame | None) -> PdfDocument:
    """The ledger of a stored campaign as it began, to be filled in by hand; None: an empty one by
    the default rulings, for any campaign."""
    if stored is None:
        setup = _default_setup()
        # An empty ledger has no campaign, so no name of one.
        name, heading = "", TITLE
        ladder, groups = _blank_ladder(leaf.measure), list(_blank_groups())
    else:
        setup = stored.play.state.setup
        name = setup.file.title
        heading = f"{TITLE}: {name}"
        ladder, groups = _ladder_of(setup, leaf.measure), list(_groups_of(setup))
    story: list[Flowable] = [*_rules_pages(leaf, setup, name), *_ladder(leaf, setup, ladder)]
    if stored is None:
        story += _campaigns_page(leaf)
    for page in groups:
        story += _page_of_group(leaf, setup, page)
    part = SheetPart(leaf, story, "The rules", heading, revision=setup.revision)
    return PdfDocument(heading, "The rules of a campaign, its ladder and its groups", [part])


def _default_setup() -> CampaignSetup:
    """The campaign of any two armies by the default rulings."""
    game = load(CAMPAIGN.id)
    assert isinstance(game, CampaignGame)
    answers = {"campaign": "any_two_armies", "cards": "own"}
    play = game.codec.play([game.opening(answers, _no_seed)])
    state: CampaignState = play.state
    return state.setup


def _no_seed() -> int:
    """The seed of a game in which the program draws nothing: any number does."""
    return 0


def _in_largest_size(
    leaf: Leaf, sizes: Sequence[float], page_in_size: Callable[[float], Block]
) -> Block:
    """A page in the largest of the sizes of type, in points, with which it is no more than one
    page; in the smallest if none is. The sizes begin with the largest."""
    for size in sizes:
        page = page_in_size(size)
        if depth(page, leaf.measure) <= leaf.depth:
            return page
    return page_in_size(sizes[-1])


# ------------------------------------------------------------------ the rules


def _rules_pages(leaf: Leaf, setup: CampaignSetup, name: str) -> Block:
    """The whole rules to play by, on two pages, with the return table and the prices; each page is
    in the largest type that fits it. ``name``: that of the campaign; empty in a ledger for any
    campaign, whose title names the rulings instead."""
    text = rules_text(setup)
    about = name
    if not name:
        about = f"{capital(setup.named)} rulings"
    first_band = TitleBand("Rules", "1", "A campaign", "The whole rules", about)
    first = _page_of_rules(
        leaf,
        above=[first_band, Gap(GAP), paragraph(text.intro, styles.LEAD), Gap(GAP)],
        parts=[part for part in text.parts if part.page == 1],
        below=[],
    )
    second_band = TitleBand("Rules", "2", "The evening after", "The whole rules", name)
    return_table = _return_table(leaf.measure, setup.table)
    prices = terms(list(_prices(library.catalog())), styles.TEXT)
    second = _page_of_rules(
        leaf,
        above=[second_band, Gap(GAP), return_table, Gap(GAP)],
        parts=[part for part in text.parts if part.page == 2],
        below=[Gap(GAP), block("List prices", "in points", prices)],
    )
    return [*first, NewPage("The evening after"), *second]


def _page_of_rules(leaf: Leaf, *, above: Block, parts: Sequence[RulesPart], below: Block) -> Block:
    """A page with the parts in two columns, in the largest type that fits it, with what stands
    ``above`` and ``below`` them."""

    def in_size(size: float) -> Block:
        blocks: list[Block] = [_rules_part(part, size) for part in parts]
        columns = in_two_columns(blocks, (leaf.measure - GUTTER) / 2, GAP)
        return [*above, two_columns(*columns, leaf.measure), *below]

    return _in_largest_size(leaf, RULES_SIZES, in_size)


def _rules_part(part: RulesPart, size: float) -> Block:
    """A part of the rules in type of that size: its head, then a paragraph for each line."""
    style = Style(BODY, size, size * 1.22)
    pieces: list[Flowable] = [Head(part.title), Gap(0.8 * MM)]
    for index, line in enumerate(part.lines):
        if index > 0:
            pieces.append(Gap(size * 0.32))
        pieces.append(paragraph(line.text, style, lead=line.lead))
    return pieces


def _return_table(width: float, table: ReturnTable) -> Flowable:
    """The return table, with four lines: guys and models, each of a side that holds the field and
    of one that lost it."""
    columns = [SheetColumn("Who was lost", 44, styles.TERM), *RESULT_COLUMNS.values()]
    lines = (
        ("Guys, field held", table.guys_held),
        ("Guys, field lost", table.guys_lost),
        ("Models, field held", table.models_held),
        ("Models, field lost", table.models_lost),
    )
    rows = []
    for title, line in lines:
        rows.append([title, *(ranks(line, result) for result in RESULT_COLUMNS)])
    aside = "the rank of the card for each lost model, each lost guy, each party of Rifle Guys"
    return block("The return table", aside, printed_table(width, columns, rows, air=2.2))


def _prices(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """What replacements and forces cost: the letter of each unit with its name and price, then each
    of the works with its price. None of it is broken between two lines."""
    # What only a scenario has cannot be bought.
    for unit in catalog.units.values():
        if unit.source != "scenario":
            yield unit.letter.upper(), f"{unit.name} {unit.price}".replace(" ", NO_BREAK)
    for work in catalog.works.values():
        if work.source != "scenario":
            yield work.name.replace(" ", NO_BREAK), str(work.price)


# ------------------------------------------------------------------ the ladder


class _LadderPage(NamedTuple):
    """The page of the ladder of a campaign, or of one for any campaign."""

    title: str
    sides: tuple[str, str]
    """The names of the sides."""
    contents: Sequence[str]
    """What stands in the fields at the top: the campaign, then who commands each side. Without any
    all fields are to be filled in."""
    who_pushes: str
    """Which side pushes the marker which way."""
    rungs: Flowable
    """The table of the rungs."""
    battles: int
    """The number of battles for which there are lines."""


def _ladder(leaf: Leaf, setup: CampaignSetup, page: _LadderPage) -> Block:
    """The rungs from the top down, and a line for each battle."""
    first, second = page.sides
    fields = [("Campaign", 0.4), (f"{first}: who commands", 0.3), (f"{second}: who commands", 0.3)]
    victory, draw = setup.terms.points_of_victory, setup.terms.points_of_draw
    battles = block(
        "The battles",
        f"points: a victory {victory}, a draw {draw}",
        _battles_table(leaf.measure, page.sides, page.battles),
    )
    about = "Marker, battles and points"
    return [
        NewPage("The ladder"),
        TitleBand("Battles", str(page.battles), page.title, TITLE, about),
        Gap(GAP),
        Fields(fields, page.contents),
        Gap(GAP),
        block("The ladder", page.who_pushes, page.rungs),
        Gap(GAP),
        battles,
        OwnNotes(),
    ]


def _ladder_of(setup: CampaignSetup, width: float) -> _LadderPage:
    """The ladder of a campaign, with its name and its sides."""
    first, second = setup.sides
    name = setup.file.title
    return _LadderPage(
        title=name,
        sides=(first.name, second.name),
        contents=(name, first.player, second.player),
        who_pushes=f"up for the {first.people}, down for the {second.people}",
        rungs=_rungs_table(width, setup),
        battles=setup.last_battle,
    )


def _blank_ladder(width: float) -> _LadderPage:
    """The ladder of any campaign, to be filled in."""
    return _LadderPage(
        title="The ladder",
        sides=SIDES,
        contents=(),
        who_pushes="the first side pushes it up",
        rungs=_blank_rungs_table(width),
        battles=BLANK_BATTLES,
    )


_RUNG_COLUMNS = (
    SheetColumn("Rung", 12, _CENTRED_TERM),
    SheetColumn("What is fought there", 56, _LINE),
    SheetColumn("Who attacks", 26, _LINE),
    SheetColumn("Table, points, ground", 0, _SMALL_LINE),
    SheetColumn("Battles", 24, _LINE),
)
"""The columns of the ladder; the last one is written in."""


def _blank_rungs_table(width: float) -> Flowable:
    """The ladder of any campaign: its rungs are only numbered."""
    # The rung in the middle is 0.
    highest = BLANK_RUNGS // 2
    places = [place_words(place) for place in range(highest, -highest - 1, -1)]
    rows = _numbered_rows(places, _RUNG_COLUMNS)
    return _table_to_write_in(width, _RUNG_COLUMNS, rows)


def _rungs_table(width: float, setup: CampaignSetup) -> Flowable:
    """The ladder of a campaign, with what is fought on each rung."""
    names = {side.id: side.name for side in setup.sides}
    rows: list[Cells] = []
    for rung in rungs_in_order(setup.file):
        label = place_words(rung.place)
        # A battle before the ladder has a number and no place.
        if rung.battle_before_ladder:
            label = f"No. {rung.battle_before_ladder}"
        attacker = names.get(rung.attacker, "")
        # A scenario itself says who attacks; where nothing says it, the players draw for it.
        if not attacker and not rung.scenario:
            attacker = "draw for it"
        rows.append(
            [
                _open_cell(label, _CENTRED_TERM),
                _open_cell(rung_name(rung, setup.titles)),
                _open_cell(attacker),
                _open_cell(rung_terms(rung, setup.file), _SMALL_LINE),
                _open_cell(),
            ]
        )
    return _table_to_write_in(width, _RUNG_COLUMNS, rows)


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
    return _table_to_write_in(width, columns, rows)


# ------------------------------------------------------------------ the campaigns of the program


def _campaigns_page(leaf: Leaf) -> Block:
    """The campaigns that come with the program, with their ladders and pools, to choose from."""
    files = list(library.published_campaigns().values())
    scenarios = library.published_scenarios()
    band = TitleBand("Ready", str(len(files)), "Campaigns", TITLE, "Ladders and pools to play")

    def in_size(size: float) -> Block:
        blocks: list[Block] = [_campaign(file, scenarios, size) for file in files]
        columns = in_reading_order(blocks, (leaf.measure - GUTTER) / 2, GAP)
        return [band, Gap(GAP), two_columns(*columns, leaf.measure)]

    return [NewPage("Campaigns"), *_in_largest_size(leaf, CAMPAIGN_SIZES, in_size)]


def _campaign(file: CampaignFile, scenarios: dict[int, Scenario], size: float) -> Block:
    """A campaign: its history, its rungs from the top down, who pushes the marker which way, its
    groups, and who wins a tie."""
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
    # A campaign may say who has won if marker and points are level.
    if file.level:
        tie = f"If marker and points are level, the {people[file.level]} have won."
        pieces += [Gap(0.6 * MM), paragraph(tie, style)]
    return pieces


def _people_of(side: SideFile) -> str:
    """What a side is called behind an article, with a verb in the plural: its name, the people of
    its nation, or its id."""
    # Without a nation the name is that of an army, such as "First army", and so in the singular.
    if side.name and not side.nations:
        return f"men of the {side.name}"
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
        # A battle before the ladder has a number and no place.
        if rung.battle_before_ladder:
            lead = f"Battle {rung.battle_before_ladder}."
        facts = [rung_name(rung, titles)]
        if rung.attacker:
            facts.append(f"the {people[rung.attacker]} attack")
        terms_of_rung = rung_terms(rung, file)
        if terms_of_rung:
            facts.append(terms_of_rung)
        yield paragraph(f"{'; '.join(facts)}.", style, lead=lead)


def _group_line(people: str, group: GroupFile, style: Style) -> Flowable:
    """A group and its units: ``Germans, Panzer company: 5 Tank.``"""
    catalog = library.catalog()
    counts = []
    for unit, count in group.units.items():
        counts.append(f"{count} {catalog.units[unit].short}".replace(" ", NO_BREAK))
    name = group.name
    if group.front:
        name += f" ({group.front})"
    lead = f"{people}, {name}:"
    return paragraph(f"{', '.join(counts)}.", style, lead=lead)


# ------------------------------------------------------------------ the groups


class _GroupPage(NamedTuple):
    """A page for a group, with what is known of the group."""

    side: str
    """The name of its side."""
    group: CampaignGroup | None
    """None: a group of any campaign, which is written in."""
    battles: int
    """The number of battles for which there are lines."""
    number: str = ""
    """The number of the group; empty: its box is left open."""


def _blank_groups() -> Iterator[_GroupPage]:
    """Some groups without names for either side of any campaign."""
    for side in SIDES:
        for _ in range(BLANK_GROUPS):
            yield _GroupPage(side, group=None, battles=BLANK_BATTLES)


def _groups_of(setup: CampaignSetup) -> Iterator[_GroupPage]:
    """The groups of a campaign, numbered."""
    names = {side.id: side.name for side in setup.sides}
    for number, group in enumerate(setup.groups, 1):
        side = names[group.side]
        yield _GroupPage(side, group, battles=setup.last_battle, number=str(number))


def _page_of_group(leaf: Leaf, setup: CampaignSetup, page: _GroupPage) -> Block:
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
        block("Battles", "how many men and models", _battles_of_group(leaf.measure, page)),
        Gap(GAP),
        _return_table(leaf.measure, setup.table),
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
    count_by_unit: Mapping[str, int] = {}
    if page.group is not None:
        count_by_unit = page.group.strength
    rows: list[Cells] = []
    for unit_id, count in count_by_unit.items():
        unit = setup.units[unit_id]
        price = _open_cell(str(unit.price), _CENTRED)
        empty = [_open_cell() for _ in numbers]
        rows.append([_open_cell(unit.name), price, _open_cell(str(count), _CENTRED), *empty])
    # The other lines are for units that join the group later.
    while len(rows) < UNIT_LINES:
        rows.append([_open_cell() for _ in columns])
    return _table_to_write_in(width, columns, rows)


def _battles_of_group(width: float, page: _GroupPage) -> Flowable:
    """A line for each battle of a group; only its number is known."""
    titles = ("Brought", "Lost", "Ready", "Away", "Captured", "Gone", "Recruits", "Marks")
    columns = [SheetColumn("Battle", 16, _CENTRED_TERM)]
    columns += [SheetColumn(title, 19, _CENTRED) for title in titles]
    columns.append(SheetColumn("Quality", 0, _CENTRED))
    rows = _numbered_rows(map(str, range(1, page.battles + 1)), columns)
    return _table_to_write_in(width, columns, rows)


# ------------------------------------------------------------------ cells to write in


def _table_to_write_in(
    width: float, columns: Sequence[SheetColumn], rows: Sequence[Cells]
) -> Flowable:
    """A table of open cells, with lines around them."""
    return printed_table(width, columns, rows, air=0, tinted=False, more_commands=GRID)


def _open_cell(text: str = "", style: Style = _LINE) -> Flowable:
    """A cell to write in, as high as handwriting needs, with the text that is known already."""
    return AtLeast(paragraph(text, style), WRITING, air=0.6)


def _numbered_rows(numbers: Iterable[str], columns: Sequence[SheetColumn]) -> list[Cells]:
    """A row for each number, which stands in the first column; the other cells are written in."""
    rows: list[Cells] = []
    for number in numbers:
        empty = [_open_cell() for _ in columns[1:]]
        rows.append([_open_cell(number, columns[0].style), *empty])
    return rows
