"""The scenario sheet holds everything that its file says, whatever that is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import bound
import msgspec
import pytest
from deep import deep_pairs
from squashed import squash

from skirmish import library
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup import Source
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.rules.firing_table import weapons_with_holders
from skirmish.games.plastic.scenarios.happenings import AskAtSetup, Remind
from skirmish.games.plastic.scenarios.laying import numbered_features
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.wording import date_in_words, proposal_in_words
from skirmish.sheets.inks import looks
from skirmish.sheets.layout.blocks import SideLetters
from skirmish.sheets.layout.flow import CellRow
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.scenario.forces import force_table
from skirmish.sheets.scenario.sheet import scenarios_pdf
from skirmish.tabletop.battlefield import Battlefield

NUMBERS = tuple(library.published_scenarios())
MAPPED = [number for number, scenario in library.published_scenarios().items() if scenario.map]
"""A scenario of one's own may do without."""
FULLEST = 7
"""The scenario that needs most room."""
IN_LINE = 15
"""Boxes in a line of an order of battle."""
DISTANCE = re.compile(r"\d+(?:\.\d+)?\u00a0(?:in|ft)\b")
CONTENTS = 4
"""The page of the contents, counted from 0."""
ODD = "[/b]<b>&amp; <font size=1> Ωж עברית 👩‍👩‍👧 \u202e%"


def pdf(scenario: Scenario, **how: Any) -> bytes:
    return scenarios_pdf([scenario], library.catalog(), library.rulings(), **how)


@pytest.fixture(scope="module")
def sheet(scenarios: dict[int, Scenario], printed: Any) -> Any:
    @cache
    def of(number: int, paper: str = "a4") -> Any:
        return printed(pdf(scenarios[number], paper=paper, revision="abcd1234"), paper)

    return of


@pytest.fixture(scope="module")
def all_of_them() -> bytes:
    return bound.data()


@pytest.fixture(scope="module")
def book_of_ten(all_of_them: bytes, printed: Any) -> Any:
    return printed(all_of_them)


@pytest.mark.parametrize("number", NUMBERS)
def test_holds_every_unit_and_work_with_its_count_and_entry(
    scenarios: dict[int, Scenario], sheet: Any, number: int
) -> None:
    scenario = scenarios[number]
    catalog = library.catalog().with_variants(scenario.variants)
    wanted = [scenario.title.upper(), scenario.place, date_in_words(scenario.date)]
    for side in scenario.sides:
        least, most = side.pdg(catalog.with_variants(scenario.variants))
        wanted += [side.name, f"strength {least}" if least == most else f"strength {least}–{most}"]
        for group in side.contingents:
            wanted += [group.name_in_words, group.deploy, entered(group)]
            counted = [*group.units.items()]
            counted += [pair for one in group.choices for o in one.one_of for pair in o.items()]
            # The letter of the codes stands once, after the count.
            for unit, count in counted:
                kind = catalog.units[unit]
                wanted.append(f"{kind.short} {count} {kind.letter.upper()}")
            wanted += [f"{catalog.works[work].name} {n}" for work, n in group.works.items()]
    assert not sheet(number).holds(*wanted)


def entered(group: ScenarioContingent) -> str:
    """What a sheet says of how it comes: not that it may be anywhere if its deployment forbids so
    much."""
    if group.deploy and group.entry.words == "anywhere":
        return "before play."
    return group.entry.words


@pytest.mark.parametrize("number", NUMBERS)
def test_a_book_holds_every_sentence_of_the_files(
    scenarios: dict[int, Scenario], book_of_ten: Any, number: int
) -> None:
    scenario, book = scenarios[number], library.rulings()
    wanted = [scenario.situation, scenario.history, *scenario.sources, scenario.victory.text]
    wanted += [f"{rule.name}. {rule.text}" for rule in scenario.special_rules]
    wanted += [limit.text for limit in scenario.limits]
    wanted += [f"{note.mark} {note.text}" for note in scenario.footnotes]
    wanted += [variant.note for variant in scenario.variants if variant.note]
    for happening in scenario.happenings:
        if isinstance(happening, Remind) or happening.rule:  # told by a special rule
            continue
        asked = isinstance(happening, AskAtSetup)
        wanted.append(happening.question if asked else happening.text)
    for ruling in map(book.rulings.__getitem__, scenario.rulings):
        wanted.append(f"{ruling.id} {ruling.title}. {ruling.question}")
        wanted.append(ruling.answers[ruling.default])
    assert not book_of_ten.holds(*wanted)


@pytest.mark.parametrize("number", MAPPED)
def test_holds_every_distance_and_says_what_of_the_map_is_ours(
    scenarios: dict[int, Scenario], sheet: Any, book_of_ten: Any, number: int
) -> None:
    scenario = scenarios[number]
    field = scenario.map
    assert field is not None
    written = [text for text in strings(msgspec.to_builtins(scenario)) if DISTANCE.search(text)]
    wanted = {found for text in written for found in DISTANCE.findall(text)}
    for shown in field.dimensions:
        wanted.add(f"{math.dist(shown.start, shown.end):.4g}″")
    assert wanted or not field.dimensions
    assert not book_of_ten.holds(*wanted)
    assert not sheet(number).holds(field.note, "Our schematic")


def strings(data: Any) -> Iterator[str]:
    """Every text in it, however deep."""
    match data:
        case str():
            yield data
        case dict():
            yield from (text for value in data.values() for text in strings(value))
        case list() | tuple():
            yield from (text for value in data for text in strings(value))


@pytest.mark.parametrize("number", NUMBERS)
def test_is_read_from_the_title_to_the_turn_track(
    scenarios: dict[int, Scenario], sheet: Any, number: int
) -> None:
    scenario, catalog = scenarios[number], library.catalog()
    heads = [scenario.title.upper(), "SITUATION", "VICTORY"]
    if scenario.map and number != 6:
        heads += ["LAY THE TABLE"]
    heads += [catalog.nations[side].name.upper() for side in scenario.order_of_play()]
    text, at = sheet(number).texts[0], 0
    assert squash(text).find(squash("TURN TRACK")) > squash(text).find(squash(heads[-2]))
    for head in heads:
        at = squash(text).find(squash(head), at)
        assert at >= 0, head


@pytest.mark.parametrize("number", MAPPED)
def test_a_letter_joins_each_contingent_to_the_map(
    scenarios: dict[int, Scenario], number: int
) -> None:
    scenario = scenarios[number]
    field = scenario.map
    assert field is not None
    order = scenario.order_of_play()
    for name, look in zip(order, looks(order[0], order[1]), strict=True):
        side = scenario.side(name)
        block = force_table(
            scenario, side, library.catalog().with_variants(scenario.variants), look, 260
        )
        cells = [cell.content for row in block if isinstance(row, CellRow) for cell in row.cells]
        tags = [piece for piece in cells if isinstance(piece, SideLetters)]
        listed = [group.entry.letters for group in side.contingents]
        assert [tag.letters for tag in tags][: len(listed)] == listed
        assert {
            letter for tag in tags for letter in tag.letters
        } <= field.zone_letters | field.mark_letters
        assert all(tag.look is look for tag in tags)


@pytest.mark.parametrize(
    ("deploy", "says_when"),
    [("Over the S edge on turn 8.", False), ("Over the S edge, and waits until turn 80.", True)],
)
def test_when_a_contingent_enters_is_said_unless_its_deployment_names_that_turn(
    scenarios: dict[int, Scenario], deploy: str, says_when: bool
) -> None:
    scenario = scenarios[9]
    side = scenario.side("german")
    reaction = next(part for part in side.contingents if part.id == "reaction")
    entering = msgspec.structs.replace(reaction, deploy=deploy)
    changed = msgspec.structs.replace(side, contingents=(entering,))
    look = looks(*scenario.order_of_play())[0]
    rows = force_table(
        scenario, changed, library.catalog().with_variants(scenario.variants), look, 260
    )
    opening = next(row for row in rows if isinstance(row, CellRow))
    assert ("S edge, turn 8." in opening.cells[1].content.marked) is says_when


@pytest.mark.parametrize("number", NUMBERS)
def test_codes_are_those_of_the_battle_whatever_is_chosen(
    scenarios: dict[int, Scenario], sheet: Any, number: int
) -> None:
    scenario = scenarios[number]
    text = sheet(number).text
    groups = [group for side in scenario.sides for group in side.contingents if group.choices]
    ways = [product(*(range(len(one.one_of)) for one in group.choices)) for group in groups]
    sources = dict.fromkeys((side.id for side in scenario.sides), Source("cards"))
    letters = "".join(unit.letter.upper() for unit in library.catalog().units.values())
    for chosen in product(*ways):
        options = {group.id: way for group, way in zip(groups, chosen, strict=True)}
        setup = from_scenario(
            scenario,
            library.catalog(),
            library.rulings(),
            sources=sources,
            chosen=SetupChoices(lists=options),
        )
        listed = {group.id for side in scenario.sides for group in side.contingents}
        for group in (group for group in setup.contingents if group.id in listed):
            units = dict.fromkeys(p.unit for p in setup.pieces if p.contingent == group.id)
            for unit in units:
                codes = [p for p in setup.pieces if p.contingent == group.id and p.unit == unit]
                fixed = _fixed(scenario, group.id).get(unit, 0)
                for run in (codes[:fixed], codes[fixed:]):
                    # Boxes hold the numbers, behind the letter of the row.
                    numbers = [piece.code.lstrip(letters) for piece in run]
                    for first in range(0, len(numbers), IN_LINE):
                        assert "".join(numbers[first : first + IN_LINE]) in text


def _fixed(scenario: Scenario, group: str) -> dict[str, int]:
    return next(c.units for side in scenario.sides for c in side.contingents if c.id == group)


@pytest.mark.parametrize(("number", "paper"), deep_pairs(NUMBERS, ["a4", "letter"]))
def test_is_whole_on_both_papers(sheet: Any, number: int, paper: str) -> None:
    page = sheet(number, paper)
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())
    assert f"{page.pages}/{page.pages}" in page.text
    assert "datarevisionabcd1234" in page.text
    assert page.texts[0].count("VICTORY") == 1
    assert "TURN TRACK" in page.texts[0]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_scenario_stands_on_one_page(sheet: Any, paper: str) -> None:
    assert not [number for number in NUMBERS if sheet(number, paper).pages > 1]
    assert not [number for number in NUMBERS if "continued" in sheet(number, paper).text]


@pytest.mark.parametrize(("number", "paper"), deep_pairs(NUMBERS, ["a4", "letter"]))
def test_notes_belong_to_their_marks_on_both_papers(
    scenarios: dict[int, Scenario], sheet: Any, number: int, paper: str
) -> None:
    notes = [f"{note.mark} {note.text}" for note in scenarios[number].footnotes]
    assert notes
    assert not sheet(number, paper).holds(*notes)


@pytest.mark.parametrize(("paper", "scale"), [("a4", "1:20"), ("letter", "1:22")])
def test_all_maps_of_a_paper_have_one_scale(sheet: Any, paper: str, scale: str) -> None:
    for number in MAPPED:
        assert set(re.findall(r"1:\d+", sheet(number, paper).texts[0])) == {scale}


@pytest.mark.parametrize("number", MAPPED)
def test_every_edge_of_the_map_is_named(sheet: Any, number: int) -> None:
    assert not sheet(number).holds("NORTH EDGE", "EAST EDGE", "SOUTH EDGE", "WEST EDGE")


@pytest.mark.parametrize(("number", "paper"), deep_pairs(MAPPED, ["a4", "letter"]))
def test_every_number_of_the_map_is_a_row_of_the_table_of_what_to_lay(
    scenarios: dict[int, Scenario], sheet: Any, number: int, paper: str
) -> None:
    scenario = scenarios[number]
    field = scenario.map
    assert field is not None
    size = float(scenario.table.width_in), float(scenario.table.depth_in)
    rows = numbered_features(field, size, scenario.table.up)
    # The numbers of entry points are theirs alone.
    points = [int(mark.mark) for mark in field.marks if mark.kind == "entry" and mark.mark]
    numbers = sorted([*points, *(row.number for row in rows)])
    assert numbers == list(range(1, len(points) + len(rows) + 1))
    for row in rows:
        line = f"{row.number} {row.name} {row.squares} {row.size.inches} {row.size.centimetres}"
        assert not sheet(number, paper).holds(line)


def test_fields_that_touch_share_a_number() -> None:
    part = {"kind": "field", "points": ((0, 0), (10, 0), (10, 10), (0, 10))}
    near = {"kind": "field", "points": ((10, 0), (20, 0), (20, 10), (10, 10))}
    far = {"kind": "field", "points": ((40, 40), (50, 40), (50, 50), (40, 50))}
    field = msgspec.convert({"area": [part, near, far]}, Battlefield)
    first, second = numbered_features(field, (96.0, 60.0))
    assert (first.number, first.size.inches, len(first.parts)) == (1, "20 × 10", 2)
    assert (second.number, second.size.inches, len(second.parts)) == (2, "10 × 10", 1)


def test_sizes_are_east_to_west_by_north_to_south_however_the_map_is_turned() -> None:
    part = {"kind": "woods", "points": ((0, 0), (20, 0), (20, 10), (0, 10))}
    field = msgspec.convert({"area": [part]}, Battlefield)
    for up, size in (("N", "20 × 10"), ("S", "20 × 10"), ("W", "10 × 20"), ("E", "10 × 20")):
        (row,) = numbered_features(field, (96.0, 60.0), up)
        assert row.size.inches == size
        assert row.size.centimetres == {"20 × 10": "50 × 25", "10 × 20": "25 × 50"}[size]


# ------------------------------------------------------------------ weapons


@pytest.mark.parametrize(("number", "paper"), deep_pairs(NUMBERS, ["a4", "letter"]))
def test_the_strip_has_every_weapon_of_the_scenario_with_its_figures(
    scenarios: dict[int, Scenario], sheet: Any, number: int, paper: str
) -> None:
    scenario = scenarios[number]
    catalog = library.catalog().with_variants(scenario.variants)
    answers = library.rulings().answered({})
    units = [
        catalog.units[unit] for side in scenario.sides for group in side.contingents
        for unit in group.most_units()
    ]  # fmt: skip
    weapons = [weapon for weapon, _ in weapons_with_holders(units, catalog, answers)]
    rows = [[weapon] for weapon in weapons]
    if number == 8:
        # Its seventh weapon, the 88 of the Tiger, shares the row of the cannons.
        rows[-2:] = [rows[-2] + rows[-1]]
    for row in rows:
        names, reaches, needs = [], [], []
        for weapon in row:
            names.append(weapon.name)
            reach = weapon.range
            if weapon.guys and weapon.guys.range:
                reach = weapon.guys.range
            reaches.append(f"{reach}″ {reach * 2.5:.0f} cm")
            if weapon.guys:
                share = round(100 * weapon.guys.needs * 4 / 48 + 0.001)
                needs.append(f"A-{weapon.guys.needs} {share}%")
        cells = [" / ".join(dict.fromkeys(cell)) for cell in (names, reaches, needs)]
        assert not sheet(number, paper).holds(" ".join(cells))


def test_a_changed_weapon_changes_the_strip(scenarios: dict[int, Scenario], printed: Any) -> None:
    """No figure of the strip is typed: it is that of a shot under these rules."""
    catalog = library.catalog()
    rifle = catalog.weapons["rifle"]
    assert rifle.guys is not None
    changed = msgspec.structs.replace(
        rifle, range=13, guys=msgspec.structs.replace(rifle.guys, needs=7)
    )
    other = msgspec.structs.replace(catalog, weapons={**catalog.weapons, "rifle": changed})
    sheet = printed(scenarios_pdf([scenarios[10]], other, library.rulings()))
    assert not sheet.holds("Rifle 13″ 33 cm A-7 58%")


@pytest.mark.parametrize(("number", "paper"), deep_pairs(NUMBERS, ["a4", "letter"]))
def test_all_that_is_needed_in_play_stands_on_the_first_page(
    scenarios: dict[int, Scenario], sheet: Any, number: int, paper: str
) -> None:
    scenario = scenarios[number]
    wanted = [rule.text for rule in scenario.special_rules] + [one.text for one in scenario.limits]
    wanted += [one.question for one in scenario.questions()]
    wanted += [group.deploy for side in scenario.sides for group in side.contingents]
    wanted += [note.text for note in scenario.footnotes]
    first = squash(sheet(number, paper).texts[0])
    assert [text for text in wanted if squash(text) not in first] == []


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_what_is_too_much_for_a_page_is_set_on_both_sides_of_one_leaf(
    scenarios: dict[int, Scenario], printed: Any, paper: str
) -> None:
    """The front to set up, the back to play, with the turn track at its foot; boxes stay as they
    are."""
    base = scenarios[7]
    russian = base.side("russian")
    group = russian.contingents[0]
    more = msgspec.structs.replace(group, units={**group.units, "rifle": 200})
    many = msgspec.structs.replace(russian, contingents=(more, *russian.contingents[1:]))
    large = msgspec.structs.replace(base, sides=(base.side("german"), many))
    page = printed(pdf(large, paper=paper), paper)
    front, back = page.texts
    for wanted in ("VICTORY", "LAY THE TABLE", "SPECIAL RULES", "WHAT HAPPENED"):
        assert wanted in front
        assert wanted not in back
    for wanted in ("Rifle", "WEAPONS", "TURN TRACK", "SETTLE BEFORE PLAY"):
        assert wanted in back
    assert not page.outside()


def test_every_unit_of_a_draw_table_has_its_weapon_on_the_strip(sheet: Any) -> None:
    assert not sheet(3).holds("Mortar 36″ 90 cm")  # only drawn as a reinforcement


@pytest.mark.parametrize(("number", "paper"), deep_pairs(NUMBERS, ["a4", "letter"]))
def test_no_word_is_cut(sheet: Any, number: int, paper: str) -> None:
    """What is too long for its place would end in an ellipsis."""
    assert "…" not in sheet(number, paper).text


def test_history_is_two_or_three_short_sentences(scenarios: dict[int, Scenario]) -> None:
    for scenario in scenarios.values():
        assert len(scenario.history.split()) <= 60
        assert 2 <= len(re.findall(r"[.!?](?= |$)", scenario.history)) <= 3


def test_a_sheet_tells_only_rulings_answered_otherwise_than_by_default(
    scenarios: dict[int, Scenario], book_of_ten: Any, printed: Any
) -> None:
    book = library.rulings()
    usual, other = book.rulings["P58"], book.rulings["P80"]
    assert not book_of_ten.holds(usual.question, other.question)
    sheet = printed(pdf(scenarios[10]))
    assert sheet.holds(usual.question, other.question) == [usual.question, other.question]
    changed = printed(pdf(scenarios[10], answers={"P80": "american_16"}))
    assert not changed.holds(other.question, other.answers["american_16"])
    assert squash(other.question) in squash(changed.texts[0])


def test_troops_settled_before_play_have_boxes_and_are_counted_apart(sheet: Any) -> None:
    assert not sheet(3).holds(
        "besides garrison and reinforcements",
        "Garrison as settled before play",
        "Rifle 8 R 7 8 9 10 11 12 13 14",
        "Aircraft 12 Q",
    )


def test_what_the_text_leaves_to_a_side_is_no_gap_of_the_source(sheet: Any) -> None:
    assert not sheet(6).holds("NE or SE, as the Germans choose.")
    assert sheet(6).holds("the source is silent")
    assert not sheet(4).holds("the source is silent")


def test_sparing_ink_says_the_same(scenarios: dict[int, Scenario], printed: Any) -> None:
    colour, saver = (printed(pdf(scenarios[10], use=use)) for use in ("colour", "saver"))
    assert colour.text == saver.text


def test_all_scenarios_make_one_small_file_with_bookmarks(all_of_them: bytes, printed: Any) -> None:
    assert len(all_of_them) < 900_000
    reader = printed(all_of_them).reader
    outline = [entry for entry in reader.outline if not isinstance(entry, list)]
    known = library.scenarios().values()
    names = [f"Scenario {s.number}: {s.title}" for s in known]
    before = ["Introduction", "Contents", "How to play"]
    assert [entry.title for entry in outline] == [*before, *names, "Notes, sources and rulings"]
    opens = [reader.get_destination_page_number(entry) for entry in outline[3:-1]]
    for page, scenario in zip(opens, known, strict=True):
        assert squash(scenario.title.upper()) in squash(reader.pages[page].extract_text())
    root = reader.trailer["/Root"]
    assert root["/PageMode"] == "/UseOutlines"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_contents_lead_to_the_pages_they_name(paper: str) -> None:
    known = library.scenarios()
    assert len(bound.data(paper=paper)) < 900_000
    reader, texts = bound.reader(paper=paper), bound.texts(paper=paper)
    links = [one.get_object() for one in reader.pages[CONTENTS]["/Annots"]]
    numbers = {page.indirect_reference.idnum: at for at, page in enumerate(reader.pages)}
    pages = [*dict.fromkeys(numbers[link["/Dest"][0].idnum] for link in links)]
    assert len(pages) == len(known)
    for page, scenario in zip(pages, known.values(), strict=True):
        assert squash(scenario.title.upper()) in texts[page]
        assert page % 2 == 1  # a left page, whose folio is even
        assert str(page + 1) in texts[page]
        assert str(page + 1) in texts[CONTENTS]
    assert reader.page_labels == [str(page + 1) for page in range(len(reader.pages))]
    root = reader.trailer["/Root"]
    assert root["/PageLayout"] == "/TwoPageRight"
    assert root["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipLongEdge"


def test_the_same_scenario_gives_the_same_bytes(scenarios: dict[int, Scenario]) -> None:
    assert pdf(scenarios[9]) == pdf(scenarios[9])


def test_names_the_document(sheet: Any) -> None:
    reader = sheet(9).reader
    assert reader.metadata.title == "Scenario 9: Hold Until Relieved"
    assert "Brett Drake" in reader.metadata.author
    assert reader.trailer["/Root"]["/Lang"] == "en"


def test_turn_track_marks_entries_and_limits(sheet: Any) -> None:
    assert not sheet(9).holds(
        "British turn 12: Relief column, road, N edge.",
        "German turn 8: Reaction force, S edge.",
        "British turn 8: the limit of Glider troops ends.",
        "23 24",
    )
    assert re.search(r"\bEND\b", sheet(9).texts[0])


def test_turn_track_without_a_last_turn_says_so(sheet: Any) -> None:
    assert not sheet(3).holds("No last turn:", "From German turn 2: 2 draws each turn.")
    assert not re.search(r"\bEND\b", " ".join(sheet(3).texts))


def test_another_clock_moves_the_end_and_is_marked_as_a_departure(
    scenarios: dict[int, Scenario], printed: Any
) -> None:
    changed = printed(pdf(scenarios[10], answers={"P80": "american_16"}))
    assert not changed.holds(
        "To the end of American turn 16", "P80 Last turn (not the default answer)"
    )


def test_another_tank_takes_the_place_of_the_listed_one(
    scenarios: dict[int, Scenario], printed: Any
) -> None:
    changed = printed(pdf(scenarios[4], answers={"P70": "desert_tank"}))
    assert not changed.holds("Desert Tank 1 X 1", "17 points")


def test_unknown_answers_and_papers_are_refused(scenarios: dict[int, Scenario]) -> None:
    with pytest.raises(ValueError, match="P80"):
        pdf(scenarios[10], answers={"P80": "maybe"})
    with pytest.raises(ValueError, match="a4 and letter"):
        pdf(scenarios[10], paper="a5")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_any_file_prints_however_large_and_odd(
    scenarios: dict[int, Scenario], printed: Any, paper: str
) -> None:
    base = scenarios[9]
    replace = msgspec.structs.replace
    german = base.side("german")

    def group(number: int, group: ScenarioContingent) -> ScenarioContingent:
        units = {**group.units, "rifle": 999} if number == 3 else group.units
        return replace(group, id=f"g{number}", name=f"{ODD}{'W' * 60}", deploy=ODD * 9, units=units)

    groups = tuple(group(n, german.contingents[n % 2]) for n in range(12))
    side = replace(german, name="X" * 300, contingents=groups)
    huge = replace(
        base,
        title=ODD + "Q" * 80,
        place="Z" * 200,
        situation="pagoda " * 700,
        sides=(base.side("british"), side),
        victory=replace(base.victory, text="ziggurat " * 700),
        limits=(),
        ends_after=replace(base.ends_after, turn=99),
    )
    page = printed(pdf(huge, paper=paper), paper)
    assert page.pages > 3
    assert not page.outside()
    assert page.text.count("ziggurat") == 700
    assert page.text.count("pagoda") == 700
    assert not page.holds("99", "[/b]<b>&amp;<fontsize=1>Ωж????????%".upper(), "1049")


# ------------------------------------------------------------------ played from the sheet alone


@pytest.mark.parametrize(("number", "paper"), deep_pairs(NUMBERS, ["a4", "letter"]))
def test_a_sheet_tells_the_turn_the_moves_and_the_shot_on_its_one_page(
    sheet: Any, number: int, paper: str
) -> None:
    """With them, a table and a deck, it is played from alone."""
    alone = sheet(number, paper)
    told = ("EACH PLAYER TURN 1 You move", "MOVES", "EACH SHOT", "Queen of spades: draw again")
    assert not alone.holds(*told, "Shuffle after each player turn.")
    assert alone.pages == 1


@pytest.mark.parametrize(("number", "paper"), deep_pairs(NUMBERS, ["a4", "letter"]))
def test_the_fullest_sheet_tells_the_shot_and_the_ground_too(
    sheet: Any, number: int, paper: str
) -> None:
    """On Letter five sheets once left out that a weapon fires once, and woods, water or digging."""
    told = [
        "fire all round: once in phases 1 and 2 together",
        "your own deck",
        "Woods and buildings block",
    ]
    scenario = library.scenarios()[number]
    if number in (4, 5, 8, 9, 10):
        told.append("into water")
    if any(side.works() for side in scenario.sides):
        told.append("To dig in")
    assert not sheet(number, paper).holds(*told)


@pytest.mark.parametrize(("number", "paper"), deep_pairs(NUMBERS, ["a4", "letter"]))
def test_notes_stand_in_one_place(
    scenarios: dict[int, Scenario], sheet: Any, number: int, paper: str
) -> None:
    """From the first to the last there is nothing else on the page but the note on the map."""
    field = scenarios[number].map
    assert field is not None
    text = squash(sheet(number, paper).texts[0]).replace("Map.", "").replace("Ourschematic.", "")
    text = text.replace(squash(field.note), "")
    notes = [squash(f"{note.mark} {note.text}") for note in scenarios[number].footnotes]
    begins = [text.index(note) for note in notes]
    end = max(begin + len(note) for begin, note in zip(begins, notes, strict=True))
    assert end - min(begins) == sum(map(len, notes))


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, "Aboard: Truck and Halftrack 10 guys and a cannon."),
        (1, "Out: half its move (truck all by road 12″), within 3″"),
        (1, "Who enters may be aboard."),
        (1, "(but 2 rifle, grenade or machinegun guys may from a halftrack)"),
        (1, "as tanks: Halftrack · unarmored: Truck, Cannon"),
        (10, "as tanks: Landing Craft"),
        (5, "Snipers touch no other guy of their side."),
        (2, "From behind the line of a tank's rear, cannon: A-8."),
        (9, "block sight (mortars', too), but not from or to their edge"),
        (9, "Set-up and gliders show one way."),
        (9, "behind a wall, a hedge or works"),
        (6, "behind a wall or works"),
        (7, "Cannon at Elefant: A-3, from behind A-6."),
        (10, "Only craft go into water; their guys get out on land."),
        (4, "Wire: guys who cross it move 1″"),
        (5, "Nobody goes into water."),
        (6, "Works are 4″ long. To dig in, 4 guys who stay need a spade"),
        (10, "Landing Craft 15 guys"),
    ],
)
def test_a_sheet_tells_what_its_own_units_works_and_ground_need(
    sheet: Any, number: int, told: str
) -> None:
    assert not sheet(number).holds(told)


def test_a_sheet_tells_nothing_that_its_scenario_does_not_need(sheet: Any) -> None:
    absent = ["Wire:", "Aboard:", "Nobody goes into water."]
    assert sheet(3).holds(*absent[:1], *absent[2:]) == [absent[0], absent[2]]
    assert sheet(7).holds(*absent) == absent
    assert sheet(3).holds("Snipers", "from behind", "a halftrack") == [
        "Snipers",
        "from behind",
        "a halftrack",
    ]


def test_a_landing_craft_of_plywood_is_shot_at_as_unarmored(
    scenarios: dict[int, Scenario], printed: Any
) -> None:
    """P3 by its other answer."""
    page = printed(pdf(scenarios[10], answers={"P3": "unarmored"}))
    assert not page.holds("unarmored: Landing Craft")


def test_a_letter_sheet_has_room_for_carriers_and_wire(sheet: Any) -> None:
    """What stands beside the map leaves it below."""
    assert not sheet(4, "letter").holds("Wire: guys who cross it", "Aboard: Truck 10 guys")
    assert not sheet(8, "letter").holds("Aboard: Halftrack and Truck 10 guys")
    assert not sheet(9, "letter").holds("Aboard: Truck 10 guys")
    assert not sheet(10, "letter").holds("Aboard: Landing Craft 15 guys")


def test_a_number_of_a_proposal_stands_on_the_line_of_its_units() -> None:
    assert "At least\u00a06." in proposals(3)
    assert "8\u00a0Rifle Guys" in proposals(3)
    assert "Our proposal:\u00a0E." in proposals(2)


def proposals(number: int) -> str:
    """What a scenario proposes for all its questions before play."""
    scenario = library.scenarios()[number]
    catalog = library.catalog().with_variants(scenario.variants)
    return " ".join(proposal_in_words(question, catalog) for question in scenario.questions())


def test_a_sheet_without_room_leaves_a_part_of_the_turn_out_rather_than_turn_over(
    scenarios: dict[int, Scenario], printed: Any
) -> None:
    full = scenarios[FULLEST]
    longer = msgspec.structs.replace(full, situation=full.situation + " It is written." * 48)
    on_letter = printed(pdf(longer, paper="letter"), "letter")
    told = ("EACH PLAYER TURN", "MOVES", "GROUND", "EACH SHOT")
    assert on_letter.holds(*told) == ["GROUND"]
    assert on_letter.pages == 1


@pytest.mark.parametrize(("number", "paper"), deep_pairs(MAPPED, ["a4", "letter"]))
def test_the_table_of_what_to_lay_shortens_no_name(
    scenarios: dict[int, Scenario], sheet: Any, number: int, paper: str
) -> None:
    """Nor in the narrow blocks of the fullest sheets."""
    field = scenarios[number].map
    assert field is not None
    names = {feature.name for feature in numbered_features(field, (96.0, 60.0))}
    assert not sheet(number, paper).holds(*names)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_letter_of_a_sheet_means_one_type_of_unit(
    scenarios: dict[int, Scenario], number: int
) -> None:
    """Letters that two types share, such as those of the KV Tank and of parked aircraft, never meet
    on a sheet."""
    scenario = scenarios[number]
    units = library.catalog().with_variants(scenario.variants).units
    types: dict[str, set[str]] = {}
    for side in scenario.sides:
        for contingent in side.contingents:
            for unit in contingent.units:
                types.setdefault(units[unit].letter, set()).add(unit)
    assert all(len(of_letter) == 1 for of_letter in types.values()), types


@pytest.mark.parametrize("number", NUMBERS)
def test_a_contingent_does_not_enter_anywhere_and_elsewhere(sheet: Any, number: int) -> None:
    """Scenario 7: ``anywhere, before play. Nothing within 4 ft of the German entry``."""
    assert sheet(number).holds("anywhere, before play") == ["anywhere, before play"]


def test_the_head_of_a_turned_map_does_not_say_what_is_at_the_top(
    book_of_ten: Any, sheet: Any
) -> None:
    assert book_of_ten.holds("N at the top", "W at the top") == ["N at the top", "W at the top"]
    assert not sheet(1).holds("N at the top")


@pytest.mark.parametrize("number", [3, 5])
def test_notes_keep_their_distance_from_the_turn_track(sheet: Any, number: int) -> None:
    """On Letter there is room above these notes, and the track has its share of it."""
    levels: dict[str, float] = {}

    def look(text: str, cm: Any, tm: Any, _font: Any, _size: Any) -> None:
        if text.strip():
            levels[text.strip()] = cm[5] + tm[5]

    sheet(number, "letter").reader.pages[0].extract_text(visitor_text=look)
    track = levels["TURN TRACK"]
    lowest = min(level for level in levels.values() if level > track + 1)
    assert lowest - track > 14
