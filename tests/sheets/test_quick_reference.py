"""The quick reference: two sides of one sheet, every number as the rules have it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from skirmish import library, resources
from skirmish.games.plastic.reference.reading import read_reference
from skirmish.games.plastic.rules.catalog import DECK, DIE, plural
from skirmish.games.plastic.rules.checks import is_dug_in, is_pinned, movement_ends
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, judge
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.paper import MM, leaf_of
from skirmish.sheets.reference import WORDS, reference_pdf
from skirmish.sheets.roster.blank import blank_pdf
from skirmish.tabletop.chance import Draw

CATALOG, BOOK = library.catalog(), library.rulings()
RULINGS = BOOK.answered({})


@pytest.fixture(scope="module")
def sheet(printed: Any) -> Any:
    return printed(reference_pdf(CATALOG, BOOK, revision="abcd1234"))


@pytest.mark.parametrize("use", ["colour", "saver"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_two_sides_on_both_papers_in_both_inks(printed: Any, paper: Any, use: Any) -> None:
    page = printed(reference_pdf(CATALOG, BOOK, paper=paper, use=use), paper)
    assert page.pages == 2
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_both_sides_and_their_columns_end_level(printed: Any, paper: Any) -> None:
    """The lowest line of either column of either side: a line of text apart at the most."""
    sheet = printed(reference_pdf(paper=paper), paper)
    margin_of_text = leaf_of(paper).bottom
    lowest = []
    for page in sheet.reader.pages:
        lines: list[tuple[float, float]] = []

        def look(text: str, cm: Any, tm: Any, _font: Any, _size: Any, lines: Any = lines) -> None:
            y = tm[5] * cm[3] + cm[5]
            if text.strip() and y > margin_of_text:
                lines.append((tm[4] * cm[0] + cm[4], y))

        page.extract_text(visitor_text=look)
        # The right column begins at 0.45 of the width on either side.
        middle = 0.44 * leaf_of(paper).width
        lowest.append(min(y for x, y in lines if x < middle))
        lowest.append(min(y for x, y in lines if x > middle))
    assert max(lowest) - min(lowest) < 5 * MM


def test_sparing_ink_tints_no_row(printed: Any) -> None:
    data = {use: printed(reference_pdf(use=use)) for use in ("colour", "saver")}
    tinted = {use: any(name == b"rg" and tuple(map(float, values)) != (1, 1, 1)
                       and min(map(float, values)) > 0.8 for values, name in page._operations())
              for use, page in data.items()}  # fmt: skip
    assert tinted == {"colour": True, "saver": False}


def test_the_same_bytes_every_time() -> None:
    assert reference_pdf(CATALOG, BOOK) == reference_pdf(CATALOG, BOOK)


def test_every_weapon_stands_on_the_front_with_its_numbers(sheet: Any) -> None:
    units = [unit for unit in CATALOG.units.values() if unit.source != "scenario"]
    guns = Firing(CATALOG, RULINGS, None).table(units)
    assert len(guns) > 8
    wanted = []
    for gun in guns:
        entry = gun.entry
        reach = entry.reach.partition(",")[0]
        wanted.append(
            f"{entry.weapon} {reach} {entry.guys} {entry.armored} {entry.unarmored} {gun.also}"
            if "," not in entry.reach
            else f"{entry.weapon} {reach} {entry.guys} {entry.armored} {entry.unarmored} guys"
        )
    assert not sheet.holds(*wanted)
    assert not sheet.holds("AA Tank (2 shots)")


def test_every_unit_and_work_stands_there_with_letter_and_price(sheet: Any) -> None:
    bought = [unit for unit in CATALOG.units.values() if unit.source != "scenario"]
    assert not sheet.holds(*(f"{u.letter.upper()} {u.short} {u.price}" for u in bought))
    works = [work for work in CATALOG.works.values() if work.source != "scenario"]
    assert not sheet.holds(*(f"{work.name} {work.price}" for work in works))


def test_every_sentence_stands_there(sheet: Any) -> None:
    said = read_reference(resources.table(WORDS), CATALOG, BOOK, WORDS)
    assert len(said.paragraphs) > 20
    missing = [
        block for one in said.paragraphs.values() for block in one.text if sheet.holds(block)
    ]
    assert not missing


def test_a_changed_number_is_printed(printed: Any) -> None:
    fire = replace(CATALOG.fire, repeat_within=7)
    page = printed(reference_pdf(replace(CATALOG, fire=fire), BOOK))
    assert not page.holds("may fire again after a kill, at a new guy within 7 in")
    assert not page.holds("may fire again at a new guy in range and sight, within 7 in")


SHORTENED = {
    "cover": [("bullets, from machine guns and rifles", "Rifles and machine guns only")],
    "hull-down": [("against every weapon", "Every weapon")],
    "repeat-fire": [
        ("in sight and in range", "in range and sight"),
        ("from the last", "from the last"),
        ("because another died in his place, is not new", "A man shot at is not new"),
        ("never goes on to a model", "never goes on to a model"),
    ],
    "removing": [("if an ace hit him, or if a sniper fired", "if hit by an ace or a sniper")],
    "breakdown": [("rifles never break down", "Rifles never break down")],
    "loading": [("Snipers are never carried", "Snipers cannot be carried")],
    "getting-out": [("not touching an enemy", "not touching an enemy")],
    "exits": [("the middle 4 in", "the middle 4 in"), ("cannot leave", "cannot leave")],
}
"""Conditions of a rule's own paragraph, and how its short form says them."""
ELSEWHERE = {"rear-armor": {"88"}, "loading": {"10", "15", "4"}}
"""Numbers of a rule that the sheet has in a table."""


def test_what_is_shortened_drops_no_number_and_no_condition_of_the_rule() -> None:
    short = read_reference(resources.table(WORDS), CATALOG, BOOK, WORDS).paragraphs
    full = library.reference().paragraphs
    assert full.keys() >= SHORTENED.keys() <= short.keys()
    both = short.keys() & full.keys()
    assert len(both) > 20
    for name in both:
        own, said = " ".join(full[name].text), " ".join(short[name].text)
        bare = re.sub(r"phases? \d(, \d|( (and|or) \d))*", "", own)
        numbers = set(re.findall(r"\d+", bare)) - ELSEWHERE.get(name, set())
        assert not numbers - set(re.findall(r"\d+", said)), name
        for rule, sheet in SHORTENED.get(name, []):
            assert rule.replace(" ", "") in own.replace("\xa0", "").replace(" ", ""), name
            assert sheet.replace(" ", "") in said.replace("\xa0", "").replace(" ", ""), name


@pytest.mark.parametrize("build", [reference_pdf, blank_pdf])
def test_a_limit_names_who_is_excepted(printed: Any, build: Any) -> None:
    excepted = [limit for limit in CATALOG.limits if limit.without]
    assert excepted
    page = printed(build(CATALOG, BOOK))
    for limit in excepted:
        names = " and ".join(plural(CATALOG.units[name].name) for name in limit.without)
        assert not page.holds(f"{limit.title} at most a sixth, except {names}")


def words_of(cards: set[str]) -> str:
    """What the sheet calls these suits."""
    return {"S": "a spade", "CS": "a black card", "CDH": "anything but a spade"}[
        "".join(sorted(cards))
    ]


def die_of(faces: list[int]) -> str:
    return f"{faces[0]}-{faces[-1]}"


@pytest.mark.parametrize("quality", list(CATALOG.qualities))
def test_pinning_stands_there_as_the_rules_judge_it(sheet: Any, quality: str) -> None:
    line = CATALOG.qualities[quality]
    cards = {card.suit for card in DECK if card.suit and is_pinned(line, card, CATALOG, RULINGS)}
    faces = [f for f in range(1, DIE + 1) if is_pinned(line, Draw(f), CATALOG, RULINGS)]
    other = ", or no force quality" if quality == CATALOG.pin.without_quality else ""
    assert not sheet.holds(
        f"{line.name} troops{other} {words_of(cards)} {die_of(faces)} The group moves no farther"
    )


def test_the_end_of_movement_stands_there_as_the_rules_judge_it(sheet: Any) -> None:
    ending = [line for line in CATALOG.qualities.values() if line.movement_ends_from]
    assert ending
    for line in ending:
        faces = [face for face in range(1, DIE + 1) if movement_ends(line, Draw(face))]
        assert not sheet.holds(f"and up {die_of(faces)} Nobody else of the side moves")


def test_digging_stands_there_as_the_rules_judge_it(sheet: Any) -> None:
    for engineer, says in ((False, "Sandbags or a foxhole"), (True, "The same")):
        cards = {
            card.suit for card in DECK if card.suit and is_dug_in(engineer, None, card, CATALOG)
        }
        faces = [f for f in range(1, DIE + 1) if is_dug_in(engineer, None, Draw(f), CATALOG)]
        assert not sheet.holds(f"{words_of(cards)} {die_of(faces)} {says}")


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("Cover", Circumstances(distance=1, cover=True)),
        ("Hull down", Circumstances(distance=1, hull_down=True)),
    ],
)
def test_what_saves_a_target_is_black_or_even(sheet: Any, name: str, at: Circumstances) -> None:
    unit = CATALOG.units["rifle" if name == "Cover" else "cannon"]
    shooter = CATALOG.units["machinegun"]
    weapon = CATALOG.weapons["machinegun"]
    aimed = aim(
        Shot(shooter=shooter, weapon=weapon, target=unit, circumstances=at), CATALOG, RULINGS
    )
    hits = [draw for draw in DECK if judge(aimed, draw).hit]
    assert {card.suit for card in hits} == {"H", "D"}
    rolls = [face for face in range(1, DIE + 1) if judge(aimed, Draw(face)).hit]
    assert rolls
    assert all(face % 2 for face in rolls)
    assert not sheet.holds("Black misses Even misses")


def test_every_limit_and_nation_stands_there(sheet: Any) -> None:
    assert not sheet.holds(*(limit.title for limit in CATALOG.limits))
    assert not sheet.holds(*(nation.people for nation in CATALOG.nations.values()))


def test_bookmarks_lead_to_both_sides(sheet: Any) -> None:
    reader = sheet.reader
    front, (back,) = reader.outline
    assert [reader.get_destination_page_number(mark) for mark in (front, back)] == [0, 1]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_no_name_of_a_unit_is_broken_beside_its_symbol(printed: Any, paper: Any) -> None:
    page = printed(reference_pdf(paper=paper), paper)
    back = page.texts[1]
    for unit in library.catalog().units.values():
        if unit.source != "scenario":
            for word in unit.short.split():
                assert word in back


def test_the_numbers_that_an_early_battle_lacks_are_those_of_today() -> None:
    early = replace(CATALOG.basic_game, deployment=None, exit_width={})
    of_early_battle = replace(CATALOG, basic_game=early)
    assert reference_pdf(of_early_battle, BOOK) == reference_pdf(CATALOG, BOOK)


def test_it_says_that_scenarios_have_no_break_point(sheet: Any) -> None:
    """Sheets give the strength of both sides, and nothing on them asks for half of it."""
    assert not sheet.holds("Scenarios have victory and a last turn of their own, and no break")
