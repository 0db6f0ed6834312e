"""The blank ledger: a campaign on paper alone. The whole rules on two pages, the ladder with the
battles, the campaigns that come with the program, and a page for each group.

Of a stored campaign it has that ladder, those groups and those rulings; empty it has lines for
any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.campaign.game import CampaignGame
from skirmish.games.plastic.campaign.groups import CampaignGroup
from skirmish.games.plastic.campaign.pages import place_words
from skirmish.games.plastic.campaign.state import CampaignSetup, CampaignState
from skirmish.registry import CAMPAIGN, load
from skirmish.sheets import inks
from skirmish.sheets.campaign.ledger_campaigns import campaigns_page
from skirmish.sheets.campaign.ledger_rules import return_table_block, rules_pages
from skirmish.sheets.campaign.wording import rung_name, rung_terms, rungs_in_order
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, TitleBand, block
from skirmish.sheets.layout.flow import (
    AtLeast,
    Block,
    Flowable,
    Gap,
    NewPage,
)
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import Cells, SheetColumn, TableCommand, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, HAIR, MM, WRITING, Leaf

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
"""The lines around the cells of a table to write in."""


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
    story: list[Flowable] = [*rules_pages(leaf, setup, name), *_ladder(leaf, setup, name)]
    if is_blank:
        story += campaigns_page(leaf, TITLE)
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
    for rung in rungs_in_order(setup.file):
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
        return_table_block(leaf.measure, setup.table),
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
