"""The roster: what was bought, how it stands, what it may do; legal or not."""

from __future__ import annotations

from hashlib import sha512
from io import BytesIO
from typing import Any

import pytest
from battles import armies, called, scenario, stage
from pypdf import PdfReader, PdfWriter

from skirmish import library
from skirmish.games.plastic.army_file import code_of
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.pieces import Contingent
from skirmish.games.plastic.battle.setup import Source
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.games.plastic.rules.breaches import breaches, repair_words
from skirmish.games.plastic.rules.limits import gauges, whole_or_half
from skirmish.sheets.inks import PANEL
from skirmish.sheets.layout.qr_code import LEAST_SQUARE
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.roster.army import GAME_PLAYED, LONGEST_CODE, roster_pdf, share_block
from skirmish.sheets.roster.battle import standing_rosters_pdf
from skirmish.sheets.roster.standing import arrival_words

GERMAN = {
    "name": "Kampfgruppe Ziegler",
    "points": 200,
    "nation": "german",
    "quality": "regular",
    "units": {"tank": 2, "rifle": 60, "machinegun": 4, "mortar": 2, "halftrack": 1, "truck": 1},
    "works": {"sandbags": 2, "barbed_wire": 6},
}
ILLEGAL = {
    "name": "Too Many Tigers",
    "nation": "american",
    "units": {"tiger": 4, "rifle": 5, "sniper": 3, "large_pillbox": 3, "landing_craft": 1},
    "works": {"sandbags": 4},
    "overrides": {"sniper_one": "House rule on Fridays", "jeeps_per_100": "Just in case"},
}
RUSSIAN = {
    "name": "Guards",
    "nation": "russian",
    "units": {"rifle": 23, "aa_tank": 1},
    "rulings": {"P2": "more_than_half"},
}


def army(raw: dict[str, Any]) -> Army:
    return read_army(raw, library.catalog(), library.rulings(), "test.toml")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("raw", [GERMAN, ILLEGAL, RUSSIAN], ids=lambda raw: raw["name"])
def test_holds_the_whole_army_on_one_or_two_pages(
    printed: Any, raw: dict[str, Any], paper: str
) -> None:
    listed = army(raw)
    page = printed(roster_pdf(listed, paper=paper, revision="abcd1234"), paper)
    wanted = [raw["name"], f"{listed.spent} / {listed.budget}", str(listed.strength), "abcd1234"]
    wanted += ["Move, in", *(field.upper() for field, _ in GAME_PLAYED)]
    free = listed.free
    for unit, count in listed.bought():
        gift = f" + {free[unit.id]} free" if unit.id in free else ""
        price = listed.price(unit.id)
        codes = "".join(
            f"{unit.letter.upper()}{n + 1}" for n in range(count + free.get(unit.id, 0))
        )
        wanted += [unit.name, f"{count}{gift}{price}{price * count}", codes, unit.note]
    wanted += [library.catalog().works[work].name for work in listed.army_list.works]
    assert not page.holds(*wanted)
    assert page.pages <= 2
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_usual_army_takes_one_page(printed: Any, paper: str) -> None:
    assert printed(roster_pdf(army(GERMAN), paper=paper), paper).pages == 1


def test_the_same_army_gives_the_same_bytes() -> None:
    assert roster_pdf(army(GERMAN)) == roster_pdf(army(GERMAN))


@pytest.mark.parametrize("raw", [GERMAN, ILLEGAL], ids=lambda raw: raw["name"])
def test_every_limit_stands_there_as_used_and_allowed(printed: Any, raw: dict[str, Any]) -> None:
    listed = army(raw)
    page = printed(roster_pdf(listed))
    for gauge in gauges(listed):
        least = "at least " if gauge.limit.is_least else ""
        bound = f"{least}{whole_or_half(gauge.allowed)}"
        assert not page.holds(f"{whole_or_half(gauge.have)} / {bound}")


def test_an_illegal_army_prints_and_says_what_is_wrong(printed: Any) -> None:
    listed = army(ILLEGAL)
    page = printed(roster_pdf(listed))
    broken = [breach for breach in breaches(listed) if breach.override is None]
    assert broken
    assert not page.holds("NOT LEGAL", f"{len(broken)} limits broken")
    for breach in broken:
        assert not page.holds(
            f"{breach.message} Smallest repair: {repair_words(breach.repair, listed)}."
        )


def test_waived_limits_stand_there_with_their_reasons(printed: Any) -> None:
    page = printed(roster_pdf(army(ILLEGAL)))
    assert not page.holds(
        "3 Sniper Guys: the limit is 1. Reason: House rule on Fridays",
        "The army keeps within this limit anyway. Reason: Just in case",
    )


def test_a_legal_army_says_so(printed: Any) -> None:
    page = printed(roster_pdf(army(GERMAN)))
    assert not page.holds("PURCHASE LIMITSLegal")
    assert page.holds("NOT LEGAL", "RULINGS THAT DIFFER") == ["NOT LEGAL", "RULINGS THAT DIFFER"]


def test_rulings_that_differ_are_listed(printed: Any) -> None:
    answer = library.rulings().rulings["P2"].answers["more_than_half"]
    page = printed(roster_pdf(army(RUSSIAN)))
    assert not page.holds(f"P2 Break point. {answer}")


def test_free_men_are_marked(printed: Any) -> None:
    page = printed(roster_pdf(army(RUSSIAN)))
    assert not page.holds("23 + 4 free", "R23R24R25R26R27", "Dashed boxes: free men")
    assert page.holds("R28")


def test_loss_track_ends_at_the_break_point(printed: Any) -> None:
    listed = army(GERMAN)
    page = printed(roster_pdf(listed))
    marks = [*range(5, listed.break_at, 5), listed.break_at]
    says = f"Beaten at {listed.break_at} of {listed.strength}."
    assert not page.holds(says + "".join(map(str, marks)))


def test_a_long_loss_track_has_boxes_worth_more(printed: Any) -> None:
    listed = army({"name": "Horde", "points": 10_000, "units": {"rifle": 9000}})
    page = printed(roster_pdf(listed))
    assert not page.holds("Each box is 5.", "4500", "R9000")


def test_only_this_armys_weapons_are_in_the_firing_table(printed: Any) -> None:
    page = printed(roster_pdf(army(GERMAN)))
    assert not page.holds("Mortar 36 in A-5+ A-4* A-2")
    assert page.holds("Flamethrower", "Sniper rifle") == ["Flamethrower", "Sniper rifle"]


def test_no_page_parts_the_firing_table_from_what_explains_its_signs(printed: Any) -> None:
    (template,) = (one for one in library.templates() if one.army_list.name == "The Toy Box")
    for paper in ("a4", "letter"):
        for text in printed(roster_pdf(template, paper=paper), paper).texts:
            assert ("FIRING" in text) == ("A-5: ace to 5 kills" in text)


def test_an_empty_army_prints(printed: Any) -> None:
    page = printed(roster_pdf(army({"name": "Nobody"})))
    assert page.pages == 1
    assert not page.holds("No units yet.", "0 / 200", "The army is empty.")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_type_there_is_takes_more_pages_with_the_heads_repeated(
    printed: Any, paper: str
) -> None:
    catalog = library.catalog()
    units = dict.fromkeys(catalog.units, 7) | {"rifle": 900}
    works = dict.fromkeys(catalog.works, 30)
    listed = army({"name": "All", "points": 2000, "units": units, "works": works})
    page = printed(roster_pdf(listed, paper=paper), paper)
    assert page.pages > 1
    assert not page.outside()
    assert not page.holds("R900", *(unit.name for unit in catalog.units.values()))
    assert page.text.count("TypeNo.PriceTotalMove") == 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[/b]<b>&lt; <para>", "[/b]<b>&lt;<para>"),
        ("Гвардия Ωμέγα", "ГвардияΩμέγα"),
        ("Żołnierze Đà Nẵng", "ŻołnierzeĐàNẵng"),
        ("שלום \u202eabc", "????abc"),
        ("😀👍🏽 army", "???army"),
        ("\x00\x1b[31m x", "[31mx"),
        ("W" * 80, "W" * 80),
    ],
)
def test_any_name_prints(printed: Any, name: str, shown: str) -> None:
    overrides = {"budget": name, "armor_half": name}
    page = printed(roster_pdf(army({"name": name, "overrides": overrides})))
    assert page.text.count(shown) >= 3
    assert not page.outside()


def test_codes_are_those_of_the_battle(printed: Any) -> None:
    odd = army({"name": "Same letters", "units": {"kv": 2, "aircraft": 3, "rifle": 6}})
    for listed in (odd, army(RUSSIAN)):
        page = printed(roster_pdf(listed))
        setup = from_armies(
            listed,
            army({"name": "Other"}),
            library.rulings(),
            sources=(Source("cards"), Source("cards")),
            chosen=SetupChoices(rulings=listed.army_list.rulings),
        )
        for unit in listed.fielded():
            codes = [p.code for p in setup.pieces if p.unit == unit and p.id.startswith("first:")]
            assert not page.holds("".join(codes))


def test_what_its_player_says_of_it_stands_there(printed: Any) -> None:
    noted = army({**GERMAN, "note": "Holds <i>the</i> crossroads."})
    assert not printed(roster_pdf(noted)).holds("Holds <i>the</i> crossroads.")


# ------------------------------------------------------------------ the share code


def test_the_share_code_stands_there_to_be_typed(printed: Any) -> None:
    listed = army(GERMAN)
    assert not printed(roster_pdf(listed)).holds(code_of(listed.army_list))


def test_the_share_code_stands_there_to_be_scanned() -> None:
    """Three corners as telephones look for them, squares that they can tell apart."""
    _, row = share_block(army(GERMAN).army_list, 260)
    drawn = row.cells[0].content
    drawn.qr.make()  # left for the paper until it is drawn
    rows = drawn.qr.modules
    count = len(rows)
    assert all(len(row) == count for row in rows)
    ring = [[max(abs(x - 3), abs(y - 3)) != 2 for x in range(7)] for y in range(7)]
    last = count - 7
    for top, left in ((0, 0), (0, last), (last, 0)):
        assert [[bool(one) for one in row[left : left + 7]] for row in rows[top : top + 7]] == ring
    square = drawn.side / (count + 8)
    assert square >= LEAST_SQUARE
    assert count * square >= 11 * 72 / 25.4


def test_an_army_too_long_to_be_scanned_has_no_code_and_still_prints(printed: Any) -> None:
    names = [limit.id for limit in library.catalog().limits]
    reasons = {name: sha512(name.encode()).hexdigest() for name in names}
    listed = army({**ILLEGAL, "overrides": reasons})
    assert len(code_of(listed.army_list)) > LONGEST_CODE
    assert share_block(listed.army_list, 200) == []
    assert printed(roster_pdf(listed)).holds("SHARE") == ["SHARE"]


def test_to_save_ink_no_row_is_tinted(printed: Any) -> None:
    def fills(use: Any) -> set[tuple[float, ...]]:
        page = printed(roster_pdf(army(GERMAN), use=use))
        found = (operands for operands, name in page._operations() if name == b"rg")
        return {tuple(round(float(part), 2) for part in ink) for ink in found}

    panel = tuple(round(part, 2) for part in PANEL)
    assert panel in fills("colour")
    assert panel not in fills("saver")


# ------------------------------------------------------------------ to be ticked on the screen


def test_a_form_has_a_field_for_every_box_and_none_is_ticked() -> None:
    listed = army(GERMAN)
    fields = PdfReader(BytesIO(roster_pdf(listed, form=True))).get_fields()
    assert fields is not None
    fielded, works = sum(listed.fielded().values()), sum(listed.army_list.works.values())
    assert len(fields) == fielded + works + listed.break_at + len(GAME_PLAYED) + len(
        ["write-notes"]
    )
    assert {field.get("/V", "/Off") for field in fields.values()} == {"/Off"}
    required = 2
    assert not any(field.get("/Ff", 0) & required for field in fields.values())
    assert PdfReader(BytesIO(roster_pdf(listed))).get_fields() is None


def test_a_form_can_be_ticked_and_kept() -> None:
    writer = PdfWriter(clone_from=BytesIO(roster_pdf(army(GERMAN), form=True)))
    name = "tick-rifle-7"
    writer.update_page_form_field_values(writer.pages[0], {name: "/Yes"}, auto_regenerate=False)
    kept = BytesIO()
    writer.write(kept)
    fields = PdfReader(kept).get_fields()
    assert fields is not None
    assert [one for one, field in fields.items() if field.get("/V") == "/Yes"] == [name]


def test_the_fields_of_a_long_form_are_counted_through(printed: Any) -> None:
    """Boxes that go on in another line or on another page go on counting."""
    listed = army({"name": "Long", "points": 2000, "units": {"rifle": 2000}})
    data = roster_pdf(listed, form=True)
    assert printed(data).pages > 1
    fields = PdfReader(BytesIO(data)).get_fields()
    assert fields is not None
    assert {f"tick-rifle-{n}" for n in range(1, 2001)} <= set(fields)


def test_a_form_is_the_same_every_time_and_reads_like_the_roster(printed: Any) -> None:
    listed = army(GERMAN)
    data = roster_pdf(listed, form=True)
    assert data == roster_pdf(listed, form=True)
    assert printed(data).text == printed(roster_pdf(listed)).text


# ------------------------------------------------------------------ a battle's, as they stand


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("number", [1, 6, 10])
def test_both_sides_of_a_battle_stand_there_with_what_they_have_left(
    printed: Any, number: int, paper: str
) -> None:
    table = scenario(number, 90)
    state = table.state
    page = printed(standing_rosters_pdf(table, paper=paper), paper)
    for side in state.setup.sides:
        own = [piece for piece in state.pieces() if piece.side == side.id]
        assert not page.holds(side.name.upper(), *(piece.code for piece in own))
        up = [piece for piece in own if state.is_in_play(piece.id)]
        figures = sum(state.setup.unit(state.unit_of(piece.id)).is_guy for piece in up)
        assert not page.holds(str(figures), str(state.loss.get(side.id, 0)))
    assert page.pages >= 2
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST


def test_the_losses_of_a_battle_change_its_rosters() -> None:
    table = armies(0)
    before = standing_rosters_pdf(table)
    assert before == standing_rosters_pdf(table)
    table.order(stage.Correct(row=table.row("first", "rifle").key, by=-1))
    assert standing_rosters_pdf(table) != before


def test_nobody_hidden_stands_on_the_rosters_of_a_battle(printed: Any) -> None:
    table = stage.scenario(3)
    assert table.state.hidden
    page = printed(standing_rosters_pdf(table))
    side = table.state.piece(next(iter(table.state.hidden))).side
    rows = [row for row in stage.rows(table.state, side) if row.hidden]
    every = [f"{row.unit.name}{len(row.alive)} of {row.total}" for row in rows]
    assert page.holds(*every) == every


@pytest.mark.parametrize("name", ["W" * 80, "[/b]<b>&lt; <para>", "Гвардия", "😀 army", "a " * 40])
def test_whatever_people_call_themselves_stays_within_the_margins(printed: Any, name: str) -> None:
    table = called(name, "Blues")
    page = printed(standing_rosters_pdf(table))
    assert not page.outside()
    title = page.reader.metadata.title
    assert title
    assert page.reader.xmp_metadata.dc_title == {"x-default": title}


def test_a_divided_army_is_printed_group_by_group_with_the_codes_of_its_battle(
    printed: Any,
) -> None:
    raw = GERMAN | {
        "group": [
            {"name": "First [/b] platoon", "units": {"rifle": 12, "machinegun": 1}},
            {"name": "Staff", "units": {"tank": 2}},
        ]
    }
    listed = army(raw)
    for form in (False, True):
        text = printed(roster_pdf(listed, form=form)).text
        at = [text.index(name) for name in ("First[/b]platoon", "Staff", "Therest")]
        assert at == sorted(at)
        assert text.index("R12") < at[1] < text.index("T2") < at[2] < text.index("R13")


def test_a_note_on_a_later_turn_does_not_name_the_turn_of_entry() -> None:
    note = "Leaves again on turn 24."
    late = Contingent("reserve", "german", "Reserve", enters=2, note=note)
    assert arrival_words(late) == "Enters on turn 2. Leaves again on turn 24."
    named = Contingent("reserve", "german", "Reserve", enters=2, note="From the west, turn 2.")
    assert arrival_words(named) == "From the west, turn 2."
