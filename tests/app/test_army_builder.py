"""The army builder by its keys, on a real database: what is shown is kept by itself."""

from __future__ import annotations

from contextlib import asynccontextmanager
from string import ascii_lowercase

import pytest
from msgspec import structs
from rich.cells import cell_len
from steps import MIXED, NARROW, WIDE, eventually, the_app, until
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input, Static

from skirmish import library
from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.counting import CountedList
from skirmish.app.armies.editing import ArmySession
from skirmish.app.asking import TextEntry
from skirmish.app.help import HelpScreen
from skirmish.app.home import HomeScreen
from skirmish.app.windows import MessageScreen
from skirmish.games.plastic.army_file import as_body, from_body
from skirmish.games.plastic.rules.army import ArmyGroup, ArmyList, muster
from skirmish.games.plastic.rules.limits import is_legal
from skirmish.store.database import Store
from skirmish.store.errors import StoreError

BOTH = pytest.mark.parametrize("size", [NARROW, WIDE])


class Builder:
    """The builder as its player sees it."""

    def __init__(self, pilot: Pilot[None], screen: ArmyBuilderScreen) -> None:
        self.pilot = pilot
        self.screen = screen

    @property
    def listed(self) -> ArmyList:
        return self.screen.army.army_list

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def choose(self, piece: str) -> None:
        pieces = self.screen.query_one(CountedList)
        pieces.highlighted = pieces.get_option_index(piece)
        await self.pilot.pause()

    def text(self, name: str) -> str:
        id = {"terms": "heading", "about": "meaning", "message": "meaning"}
        return str(self.screen.query_one(f"#{id.get(name, f'builder-{name}')}", Static).content)

    def row(self, piece: str) -> list[str]:
        return str(self.screen.query_one(CountedList).get_option(piece).prompt).split()

    async def kept(self) -> None:
        await eventually(self.pilot, lambda: not self.screen.session.unsaved)


@asynccontextmanager
async def builder(where: str, size: tuple[int, int] = NARROW, **terms: object):
    """An app with an army that is not written yet open in the builder."""
    app = the_app(where)
    listed = ArmyList(**{"name": "Zug", **terms})  # type: ignore[arg-type]
    async with app.run_test(size=size) as pilot:
        await until(pilot, HomeScreen)
        army = muster(listed, library.catalog(), library.rulings())
        screen = ArmyBuilderScreen(ArmySession(app.stored, army))
        await app.push_screen(screen)
        await eventually(pilot, lambda: screen.chosen)
        await pilot.pause()
        yield Builder(pilot, screen)


def in_store(where: str) -> ArmyList:
    with Store.open(where) as store:
        (record,) = store.armies()
    assert record.game == "plastic"
    army = from_body(record.body, library.catalog(), library.rulings(), "x")
    assert record.name == army.army_list.name
    return army.army_list


async def test_keys_count_the_chosen_line(where):
    async with builder(where) as b:
        # plus, minus and the arrows change it by one
        await b.press("plus", "equals_sign", "right")
        assert b.listed.units == {"rifle": 3}
        await b.press("minus", "left", "left", "left")
        assert b.listed.units == {}
        await b.press("down", "plus")
        assert b.listed.units == {"machinegun": 1}
        await b.press("0", "home")
        # digits set the count, and a second digit extends it
        await b.press("1")
        assert b.listed.units == {"rifle": 1}
        assert "1_" in b.row("rifle")
        await b.press("5")
        assert b.listed.units == {"rifle": 15}
        await b.press("backspace")
        assert b.listed.units == {"rifle": 1}
        await b.press("backspace")
        assert b.listed.units == {}
        # Enter, another line or another key ends the number
        await b.press("1", "5", "enter", "2")
        assert b.listed.units == {"rifle": 2}
        await b.press("plus", "4")
        assert b.listed.units == {"rifle": 4}
        await b.press("down", "up", "3")
        assert b.listed.units == {"rifle": 3}
        await b.press("enter")
        # a count beyond every army is not taken
        await b.press("9", "9", "9", "9", "9")
        assert b.listed.units == {"rifle": 9999}
        assert "9999 of one kind" in b.text("message")
        await b.press("0", "down", "up")
        # a digit on the heels of an arrow goes to the new line
        for key, character in (
            ("down", None),
            ("5", "5"),
            ("right", None),
            ("up", None),
            ("7", "7"),
        ):
            b.pilot.app.post_message(Key(key, character))  # as a terminal does: without a pause
        await eventually(b.pilot, lambda: b.listed.units == {"rifle": 7, "machinegun": 6})
        # the first line brings its title into view
        await b.press("end", "home")
        assert b.screen.query_one(CountedList).scroll_offset.y == 0
        # the help tells the keys and comes back
        await b.press("question_mark")
        assert isinstance(b.pilot.app.screen, HelpScreen)
        shown = " ".join(str(w.content) for w in b.pilot.app.screen.query(Static))
        assert "Spend the points that are left on a mixed army" in shown
        await b.press("escape")
        assert b.pilot.app.screen is b.screen


async def test_name_points_and_note_are_written_and_what_cannot_be_is_said(where):
    async with builder(where) as b:
        # Enter on the heels of the points takes them all
        await b.press("T")
        for key, character in (("1", "1"), ("2", "2"), ("0", "0"), ("enter", "\r")):
            b.pilot.app.post_message(Key(key, character))
        await eventually(b.pilot, lambda: b.listed.points == 120)
        # what cannot be is said
        await b.press("T")
        assert isinstance(b.pilot.app.screen, TextEntry)
        for wrong in ("0", "99999", "many", " "):
            b.pilot.app.screen.query_one("#entry", Input).value = wrong
            await b.press("enter")
            told = str(b.pilot.app.screen.query_one("#entry-wrong", Static).content)
            assert told == "Choose from 1 to 10000 points."
        b.pilot.app.screen.query_one("#entry", Input).value = ""
        await b.press(*"150", "enter")
        await eventually(b.pilot, lambda: b.pilot.app.screen is b.screen)
        assert b.listed.points == 150
        await b.press("E", *"[/b] x", "enter")
        await eventually(b.pilot, lambda: b.listed.name == "[/b] x")
        assert "[/b] x" in b.text("terms")
        await b.press("E", "backspace", "enter")
        assert "Give the army a name." in str(
            b.pilot.app.screen.query_one("#entry-wrong", Static).content
        )
        await b.press("escape", "M", *"ours", "enter")
        await eventually(b.pilot, lambda: b.listed.note == "ours")
        await b.kept()
    assert (in_store(where).name, in_store(where).note) == ("[/b] x", "ours")


async def test_a_name_that_steers_terminals_is_edited_as_dots_and_else_left_alone(where):
    async with builder(where, name="a\x1b[2Jb") as b:
        await b.press("E")
        assert b.pilot.app.screen.query_one("#entry", Input).value == "a·[2Jb"
        await b.press("enter")
        assert b.listed.name == "a\x1b[2Jb"


async def test_backspace_takes_a_digit_from_a_count_that_stood_there(where):
    async with builder(where, units={"rifle": 75}) as b:
        await b.press("backspace", "2")
        assert b.listed.units == {"rifle": 72}


@BOTH
async def test_breaking_a_limit_is_done_and_said_at_once(where, size):
    async with builder(where, size, units={"rifle": 70}) as b:
        await b.choose("sandbags")
        await b.press("3")
        assert b.listed.works == {"sandbags": 3}
        told = f"{b.text('message')} {b.text('state')}"
        assert told.count("3 Sandbag Lines: the limit is 2.") == 1
        assert "NOT LEGAL: 1 limit broken" in b.text("terms")
        assert "Remove 1 Sandbag Line" in b.text("state")
        await b.choose("tank")
        assert "3 Sandbag Lines" not in b.text("message")
        assert "Room for" in b.text("message")


@pytest.mark.parametrize(("size", "is_cut"), [(NARROW, True), (WIDE, False)])
async def test_a_breach_for_which_the_limits_leave_no_row_is_said_below_the_lines(
    where, size, is_cut
):
    kinds = ("rifle", "mortar", "grenade", "flamethrower", "engineer", "sniper", "tank", "cannon")
    async with builder(where, size, units=dict.fromkeys(kinds, 4)) as b:
        await b.choose("machinegun")
        await b.press("2", "0")
        sentence = b.screen.breaches[0].message
        assert sentence in b.text("state")
        assert (sentence in b.text("message")) == is_cut
        limits = b.text("state").split("LIMITS")[1].split("\n\n")[0].splitlines()
        assert len(limits) <= b.screen.query_one("#builder-right").size.height


@BOTH
async def test_shift_r_applies_the_repair_of_the_breach_in_front(where, size):
    async with builder(where, size, units={"rifle": 70, "tank": 7, "jeep": 9}) as b:
        assert b.text("state").index("costs 237") < b.text("state").index("9 jeeps")
        await b.press("B", "B")
        assert b.text("state").index("9 jeeps") < b.text("state").index("costs 237")
        await b.press("R")
        assert b.listed.units == {"rifle": 70, "jeep": 8, "tank": 7}
        assert "Repaired: remove 1 Jeep" in b.text("message")
        await b.press("R", "R", "R")
        assert is_legal(b.screen.army)
        assert "LEGAL" in b.text("terms")
        before = b.listed
        await b.press("R", "B")
        assert b.listed == before


@BOTH
async def test_f_fills_a_mixed_army_and_free_men_are_shown(where, size):
    async with builder(where, size, nation="russian", units={"tank": 1}) as b:
        await b.press("f")
        filled = b.listed
        assert "Fill adds riflemen up to 80." in b.text("message")
        assert filled.units["rifle"] <= 80
        assert filled.units["machinegun"] > 1
        men = filled.units["rifle"]
        assert f"{men} paid + {men // 5} free = {men + men // 5} men" in b.text("state")
        assert f"{men}+{men // 5}" in b.row("rifle")
        assert "200/200 spent, 0 left" in b.text("state")
        assert "LEGAL" in b.text("terms")
        await b.press("f")
        assert b.listed == filled


async def test_a_letter_goes_to_its_row_and_digits_count_from_nothing(where):
    async with builder(where, units={"machinegun": 4, "rifle": 60}) as b:
        await b.press("m", "6")
        assert b.listed.units == {"rifle": 60, "machinegun": 6}
        await b.press("o", "2", "m", "5", "m", "3", "backspace", "1", "f6")
        assert b.listed.units == {"rifle": 60, "machinegun": 1, "mortar": 2}
        await b.press("m", "0", "r", "1", "0")
        assert b.listed.units == {"rifle": 10, "mortar": 2}


async def test_every_row_has_a_letter_and_nation_and_quality_go_round(where):
    async with builder(where, nation="german") as b:
        # every row has a letter of its own, and its unit's where it can
        letters = b.screen.letters
        assert len(set(letters.values())) == len(letters) == len(b.screen.offers)
        own = {u.id: u.letter for u in library.catalog().units.values() if u.id in letters}
        assert {unit for unit, letter in own.items() if letters[unit] != letter} == {"flamethrower"}
        for piece, letter in letters.items():
            await b.press(letter)
            assert b.screen.chosen == piece
        # nation and quality go round, and the points follow
        assert "eighty_eight" in b.screen.offers
        await b.choose("tiger")
        await b.press("N")
        assert b.listed.nation == "russian"
        assert b.row("tiger")[-1] == "no"
        assert "only the Germans" in b.text("message")
        assert b.screen.chosen == "tiger"
        await b.press(*"NNNNNN")
        assert b.listed.nation is None
        await b.press("L", "L")
        assert b.listed.quality == "regular"
        assert "200 points + 40" in b.text("terms")
        await b.press("L", "L")
        assert b.listed.quality is None


async def test_a_digit_meant_for_a_row_that_is_not_there_buys_no_other(where):
    groups = (ArmyGroup(name="Staff"),)
    async with builder(where, units={"rifle": 3}, groups=groups) as b:
        await b.press("G")
        letters = b.screen.letters
        (missing, *_) = set(ascii_lowercase) - set(letters.values()) - {"f"}
        before = b.listed
        await b.press(missing, "6", "plus", "backspace")
        assert b.listed == before
        assert "Choose a row first" in b.text("message")
        await b.press("down", "2")
        assert b.listed.groups[0].units == {"rifle": 2}


async def test_what_was_typed_by_mistake_is_what_the_repair_takes_back(where):
    async with builder(where, units={"tank": 4, "machinegun": 6, "rifle": 60}) as b:
        await b.press("r", "6", "0", "0", "R")
        assert b.listed.units == {"tank": 4, "machinegun": 6, "rifle": 90}


async def test_an_army_is_divided_into_groups_and_made_one_again(where):
    async with builder(where, units={"rifle": 60, "machinegun": 4}) as b:
        await b.press("G", "enter")
        await eventually(b.pilot, lambda: b.pilot.app.screen is b.screen)
        await b.press("r", "1", "2", "m", "1")
        assert b.listed.groups[0].units == {"rifle": 12, "machinegun": 1}
        assert b.row("rifle")[-2:] == ["12_", "48"] or b.row("rifle")[-2:] == ["12", "48"]
        assert "First platoon" in b.text("terms")
        assert "The rest: 48 Rifle, 3 Machinegun" in " ".join(b.text("state").split())
        await b.press("A", *"Staff", "enter")
        await eventually(b.pilot, lambda: b.pilot.app.screen is b.screen)
        await b.press("b", "2", "E", *"HQ", "enter")
        await eventually(b.pilot, lambda: b.listed.groups[1].name == "HQ")
        assert b.listed.units["bazooka"] == 2
        await b.press("escape")
        assert b.pilot.app.screen is b.screen
        assert "Staff" not in b.text("terms") + b.text("state")
        await b.press("m", "0")
        assert b.listed.groups[0].units == {"rifle": 12}
        await b.press("G", "delete", "G", "delete")
        assert b.listed.groups == ()
        assert b.listed.units == {"rifle": 60, "bazooka": 2}
        await b.press("ctrl+z")
        assert [group.name for group in b.listed.groups] == ["HQ"]
        await b.kept()
    assert in_store(where).groups[0].units == {"bazooka": 2}


@BOTH
async def test_a_new_army_has_guys_to_buy_and_distances_in_the_measure_of_the_table(where, size):
    async with builder(where, size) as b:
        # guys not bought yet are to do, and nothing is broken
        assert "1 LIMIT TO MEET" in b.text("terms")
        assert "STILL TO DO" in b.text("state")
        assert "BROKEN" not in b.text("state")
        # distances are told in centimetres where a table measures so
        assert "12/24" in b.row("sniper")
        settings = b.screen.skirmish.settings
        await b.screen.skirmish.change_settings(structs.replace(settings, measure="centimetres"))
        await b.press("plus")
        assert "30/60" in b.row("sniper")
        await b.choose("truck")
        assert "60\u00a0cm if the whole move" in b.text("about")


def limit_rows(b):
    """The rows of the limits, below their heading."""
    return b.text("state").partition("LIMITS\n")[2].partition("\n\n")[0].splitlines()


@BOTH
async def test_each_limit_is_a_gauge_with_mark_bar_and_numbers(where, size):
    async with builder(where, size, units={"rifle": 60, "machinegun": 7, "tank": 2}) as b:
        gauges = {line[2:].split()[0]: line for line in limit_rows(b)}
        assert gauges["Machinegun"].startswith("! ")
        assert gauges["Machinegun"].endswith("35/33")
        assert gauges["Points"].endswith("135/200")
        assert gauges["Guys,"].endswith("95/67")
        assert "▄" in gauges["Tanks"]
        assert "▁" in gauges["Tanks"]
        width = b.screen.query_one("#builder-right").scrollable_content_region.width
        (columns,) = {len(line) for line in gauges.values()}
        assert columns <= width
        for line in gauges.values():
            assert sum(sign in "▄▖▁" for sign in line) <= 24


async def test_the_limits_stay_in_sight_however_many_are_broken(where):
    async with builder(
        where, units={"machinegun": 20, "tank": 12, "jeep": 20, "cannon": 9, "grenade": 60}
    ) as b:
        state = b.text("state")
        assert state.count("BROKEN") >= 4
        shown = b.screen.query_one("#builder-right").size.height
        last = state.splitlines().index(limit_rows(b)[-1])
        assert last < shown
        assert state.count("Remove ") == 1  # a sentence for each, and the key for the first


async def test_on_a_large_screen_stands_what_the_points_buy_the_most_first(where):
    units = {"rifle": 60, "machinegun": 1, "tank": 2}
    async with builder(where, (160, 50), units=units) as b:
        make_up = b.text("state").partition("WHAT THE POINTS BUY\n")[2].splitlines()
        bought = [row for row in make_up if row.endswith(" points")]
        assert [row.split()[:2] for row in bought] == [
            ["60", "Rifle"],
            ["2", "Tanks"],
            ["1", "Machinegun"],
        ]
        assert bought[0].endswith("60 points")
        assert "Rifle 12\u00a0in: guys A-5" in make_up[1]
        width = b.screen.query_one("#builder-right").scrollable_content_region.width
        assert max(map(cell_len, make_up)) <= width
    async with builder(where, NARROW, units=units) as b:
        assert "WHAT THE POINTS BUY" not in b.text("state")


async def test_a_limit_waived_at_the_table_is_told_apart(where):
    async with builder(
        where, units={"rifle": 70, "jeep": 9}, overrides={"jeeps_per_100": "[/b]"}
    ) as b:
        assert "LEGAL, 1 WAIVED" in b.text("terms")
        assert "WAIVED  9 jeeps" in b.text("state")
        assert "[/b]" in b.text("state")
        await b.press("R")
        assert b.listed.units["jeep"] == 9


async def test_undo_takes_back_one_change_and_a_typed_number_is_one(where):
    async with builder(where) as b:
        # a digit after it is a number of its own
        await b.press("1", "5", "ctrl+z", "2")
        assert b.listed.units == {"rifle": 2}
        await b.press("ctrl+z")
        assert b.listed.units == {}
        # one change at a time
        await b.press("plus", "enter", "1", "5", "0", "N")
        assert (b.listed.units, b.listed.nation) == ({"rifle": 150}, "german")
        await b.press("ctrl+z")
        assert (b.listed.units, b.listed.nation) == ({"rifle": 150}, None)
        await b.press("ctrl+z")
        assert b.listed.units == {"rifle": 1}
        await b.press("ctrl+z", "ctrl+z", "ctrl+z")
        assert b.listed.units == {}
        await b.press("ctrl+y", "ctrl+y")
        assert b.listed.units == {"rifle": 150}
        await b.kept()
    assert in_store(where).units == {"rifle": 150}


async def test_every_change_reaches_the_store_in_order_without_a_key(where):
    async with builder(where) as b:
        await b.kept()
        assert in_store(where).units == {}
        await b.press("1", "2", "down", *["plus"] * 9, "N", "f")
        await b.kept()
        assert in_store(where) == b.listed
        assert "saved" in b.text("terms")


async def test_leaving_at_once_loses_nothing(where):
    async with builder(where) as b:
        await b.pilot.press("7", "5", "escape")
        await until(b.pilot, HomeScreen)
    assert in_store(where).units == {"rifle": 75}


async def test_quitting_at_once_loses_nothing(where):
    async with builder(where) as b:
        await b.pilot.press("7", "5", "ctrl+q")
    assert in_store(where).units == {"rifle": 75}


async def test_a_failing_write_is_told_once_nothing_is_lost_and_leaving_warns(where, monkeypatch):
    async with builder(where) as b:
        # it is told once, and nothing on the screen is lost
        await b.kept()
        real = Store.save_army

        def refuse(*_: object) -> None:
            raise StoreError("The disk is full.")

        monkeypatch.setattr(Store, "save_army", refuse)
        await b.press("plus")
        await until(b.pilot, MessageScreen)
        await b.press("escape")
        await b.press("plus", "plus")
        await b.pilot.pause(0.1)
        assert b.pilot.app.screen is b.screen
        assert "NOT SAVED" in b.text("terms")
        assert b.listed.units == {"rifle": 3}
        monkeypatch.setattr(Store, "save_army", real)
        await b.press("plus")
        await b.kept()
        assert "NOT SAVED" not in b.text("terms")
    assert in_store(where).units == {"rifle": 4}


async def test_leaving_while_nothing_can_be_written_warns_and_then_obeys(where, monkeypatch):
    async with builder(where) as b:
        await b.kept()

        def refuse(*_: object) -> None:
            raise StoreError("The disk is full.")

        monkeypatch.setattr(Store, "save_army", refuse)
        await b.press("plus")
        await until(b.pilot, MessageScreen)
        await b.press("escape")
        await eventually(b.pilot, lambda: b.pilot.app.screen is b.screen)
        await b.press("escape")
        await until(b.pilot, MessageScreen)
        await b.press("escape", "escape")
        await until(b.pilot, HomeScreen)


async def test_shift_p_prints_the_army_as_it_stands(where, monkeypatch):
    printed = []

    async def note(app, id, army):
        printed.append(army.army_list.units)

    monkeypatch.setattr("skirmish.app.printing.print_document", note)
    async with builder(where) as b:
        await b.press("7", "P", "plus", "P")
        await eventually(b.pilot, lambda: len(printed) == 2)
    assert printed == [{"rifle": 7}, {"rifle": 8}]


async def test_what_is_not_sold_is_shown_where_an_army_has_it_and_goes_with_it(where):
    async with builder(where, units={"rifle": 70, "aircraft": 1}) as b:
        await b.choose("aircraft")
        assert "cannot be bought" in b.text("message")
        await b.press("minus")
        assert "aircraft" not in b.screen.offers
        assert b.screen.chosen in b.screen.offers
        assert "LEGAL" in b.text("terms")


@BOTH
async def test_every_line_and_all_that_is_told_of_it_fits(where, size):
    async with builder(where, size, nation="russian", units={"rifle": 9999, "aircraft": 1}) as b:
        pieces = b.screen.query_one(CountedList)
        told = b.screen.query_one("#meaning", Static)
        room = b.screen.query_one("#about-line")
        assert b.screen.query_one("#builder-left").region.right <= size[0]
        for offer in list(b.screen.offers.values()):
            await b.choose(offer.piece.id)
            row = pieces.get_option(offer.piece.id).prompt
            assert row.cell_length == b.screen.row_width  # type: ignore[union-attr]
            assert b.screen.row_width <= pieces.scrollable_content_region.width
            assert len(told.content.wrap(told.content_size.width)) <= room.content_size.height  # type: ignore[union-attr]


async def test_the_columns_follow_a_terminal_that_changes(where):
    async with builder(where, WIDE) as b:
        assert "UNARM" in b.text("head")
        await b.pilot.resize_terminal(*NARROW)
        await eventually(b.pilot, lambda: "UNARM" not in b.text("head"))
        row = b.screen.query_one(CountedList).get_option("rifle").prompt
        assert row.cell_length == b.screen.row_width  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "size"),
    [(MIXED[0], NARROW), (MIXED[1], NARROW), (MIXED[1], WIDE)],
    ids=range(3),
)
async def test_a_hostile_name_is_shown_and_can_be_edited(where, name, size):
    async with builder(where, size, name=name) as b:
        terms, _ = b.text("terms").split("\n")
        assert terms.startswith(f"E {name[:3]}")
        assert cell_len(terms) == size[0] - 2
        await b.press("E", "end", "backspace", "enter")
        await eventually(b.pilot, lambda: b.listed.name == name[:-1].strip())
        await b.kept()
    assert in_store(where).name == name[:-1].strip()


async def test_two_programs_on_one_army_the_last_writer_wins(where):
    async with builder(where) as b:
        await b.press("5")
        await b.kept()
        with Store.open(where) as other:
            number = b.screen.session.number
            assert number is not None
            other.save_army(number, "Theirs", as_body(ArmyList(name="Theirs")))
        await b.press("plus")
        await b.kept()
    assert in_store(where).units == {"rifle": 6}


async def test_keys_that_a_player_has_mapped_are_the_ones_that_are_told(where):
    async with builder(where, units={"rifle": 70, "jeep": 9}) as b:
        settings = b.screen.skirmish.settings
        mapped = {"army.repair": "f6", "army.nation": "F8", "army.undo": "f7"}
        await b.screen.skirmish.change_settings(structs.replace(settings, keys=mapped))
        await b.press("plus")
        assert "\nF6 Remove 1 Jeep" in b.text("state")
        assert "F8 no nation" in b.text("terms")
        await b.press("r")
        assert b.listed.units["jeep"] == 9
        await b.press("f6")
        assert b.listed.units["jeep"] == 8
        assert "F7 undoes it." in b.text("message")
