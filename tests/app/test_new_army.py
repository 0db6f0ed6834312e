"""What a new army begins from, the figures that are owned, two armies side by side."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from rich.cells import cell_len
from steps import MIXED, NARROW, WIDE, eventually, press, the_app, until
from test_armies import keep, kept, open_list, rows, said
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input, Static

from skirmish import library
from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.compare import ArmyCompareScreen
from skirmish.app.armies.counting import CountedList
from skirmish.app.armies.list import ArmiesScreen
from skirmish.app.armies.new_army import NewArmyScreen
from skirmish.app.armies.own_figures import FiguresScreen
from skirmish.app.asking import TextEntry
from skirmish.app.page_view import painted
from skirmish.app.windows import MessageScreen
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.army_page import compared
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.store.database import Store
from skirmish.store.errors import StoreError

BOTH = pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])


def text(pilot: Pilot[None], part: str) -> str:
    return str(pilot.app.screen.query_one(f"#{part}", Static).content)


def page(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one(".summary-part", Static).content)


def owned(where: str) -> dict[str, int]:
    with Store.open(where) as store:
        return store.owned(GAME)


def own(where: str, **counts: int) -> None:
    with Store.open(where) as store:
        store.set_owned(GAME, counts)


# Templates


@BOTH
async def test_a_template_becomes_an_army_of_ones_own(where, size):
    keep(where, "The Toy Box")
    async with the_app(where).run_test(size=size) as pilot:
        await open_list(pilot)
        await press(pilot, "n")
        await until(pilot, NewArmyScreen)
        assert "An empty army" in text(pilot, "meaning")
        lines = len(text(pilot, "meaning").splitlines())
        assert pilot.app.screen.query_one("#meaning").size.height == lines == (2, 1)[size == WIDE]
        await press(pilot, "down", "down")
        told = text(pilot, "meaning")
        assert "first evening" in " ".join(told.split())
        assert re.search(r"50 +Rifle Guys", told)
        assert re.search(r"2 +Sandbag Lines", told)
        await press(pilot, "enter")
        await until(pilot, TextEntry)
        assert pilot.app.screen.query_one("#entry", Input).value == "The Toy Box 2"
        await press(pilot, "escape")
        await until(pilot, NewArmyScreen)
        await press(pilot, "enter", *"panzer", "enter")
        await until(pilot, ArmyBuilderScreen)
        builder = pilot.app.screen
        assert isinstance(builder, ArmyBuilderScreen)
        assert builder.army.army_list.name == "panzer"
        assert builder.army.spent == 200
        await press(pilot, "minus", "escape")
        await until(pilot, ArmiesScreen)
    assert sorted(kept(where)) == ["The Toy Box", "panzer"]
    box = next(army for army in library.templates() if army.army_list.name == "The Toy Box")
    assert box.army_list.units["rifle"] == 50, "the template stays as it is"


async def test_every_template_fits_its_column_and_is_told_whole(where):
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_list(pilot)
        await press(pilot, "n")
        await until(pilot, NewArmyScreen)
        listed = pilot.app.screen.query_one("#lines")
        seen = set()
        for _ in library.templates():
            await press(pilot, "down")
            seen.add(text(pilot, "meaning").partition("\n")[0])
        assert seen == {army.army_list.name for army in library.templates()}
        width = listed.scrollable_content_region.width
        assert all(cell_len(str(option.prompt)) <= width for option in listed.options)
        await press(pilot, "escape")
        await until(pilot, ArmiesScreen)
    assert kept(where) == []


async def test_a_new_army_goes_by_the_players_own_rulings_on_armies(where):
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        await open_list(pilot)
        liked = {"P46": "tank_only", "P3": "x", "P9999": "y"}
        answers = library.rulings().rulings["P46"].answers
        liked["P46"] = next(name for name in answers if name != "every_tank")
        from msgspec.structs import replace

        app.settings = replace(app.settings, rulings=liked)
        await press(pilot, "n", "enter")
        await eventually(pilot, lambda: app.screen.query("#entry"))
        await press(pilot, "enter")
        await until(pilot, ArmyBuilderScreen)
        assert app.screen.army.army_list.rulings == {"P46": liked["P46"]}  # type: ignore[attr-defined]


async def test_a_name_typed_ahead_is_never_taken_for_commands(where):
    keep(where, "Zug")
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_list(pilot)
        await press(pilot, "n")
        await until(pilot, NewArmyScreen)
        for sign in ("down", "enter", *"crnpvou"):  # as a terminal does: without a pause
            pilot.app.post_message(Key(sign, sign if len(sign) == 1 else None))
        await until(pilot, TextEntry)
        assert "Zug" in kept(where)
        assert len(kept(where)) == 1


# Renaming and taking back


async def test_renaming_copying_and_removing_are_taken_back_one_by_one(where):
    keep(where, "One", "Two")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await press(pilot, "r")
        await until(pilot, TextEntry)
        await press(pilot, *"Uno", "enter")
        await eventually(pilot, lambda: "Uno" in kept(where))
        await eventually(pilot, lambda: "Two is now called Uno. u undoes this." in said(screen))
        await press(pilot, "c")
        await eventually(pilot, lambda: len(rows(screen)) == 3)
        await press(pilot, "delete")
        await eventually(pilot, lambda: len(rows(screen)) == 2)
        await press(pilot, "u")
        await eventually(pilot, lambda: sorted(kept(where)) == ["One", "Uno", "Uno 2"])
        await press(pilot, "ctrl+z")
        await eventually(pilot, lambda: sorted(kept(where)) == ["One", "Uno"])
        await press(pilot, "u")
        await eventually(pilot, lambda: sorted(kept(where)) == ["One", "Two"])
        await eventually(pilot, lambda: "called Two again" in said(screen))
        assert screen.check_action("undo", ()) is None
        await press(pilot, "u")
        assert sorted(kept(where)) == ["One", "Two"]


async def test_a_new_name_taken_back_leaves_the_men_bought_since(where):
    keep(where, "One")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await press(pilot, "r")
        await until(pilot, TextEntry)
        await press(pilot, *"Uno", "enter")
        await eventually(pilot, lambda: rows(screen)[0].startswith("Uno"))
        await press(pilot, "enter")
        await until(pilot, ArmyBuilderScreen)
        await press(pilot, "plus", "escape")
        await eventually(pilot, lambda: pilot.app.screen is screen and "71/200" in rows(screen)[0])
        await press(pilot, "u")
        await eventually(pilot, lambda: rows(screen)[0].startswith("One"))
        assert "71/200" in rows(screen)[0]


async def test_a_name_is_not_left_blank_and_escape_keeps_the_old_one(where):
    keep(where, "One")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await press(pilot, "r")
        await until(pilot, TextEntry)
        await press(pilot, "space", "enter")
        assert "Give the army a name." in text(pilot, "entry-wrong")
        await press(pilot, "escape")
        await eventually(pilot, lambda: pilot.app.screen is screen)
    assert kept(where) == ["One"]


# Side by side


@BOTH
async def test_two_armies_stand_side_by_side_with_arrows_to_the_greater(where, size):
    keep(where, "Few", units={"rifle": 60, "machinegun": 4}, nation="german")
    keep(where, "Many", units={"rifle": 90, "tank": 2}, nation="russian")
    own(where, rifle=100, machinegun=9, tank=1)
    async with the_app(where).run_test(size=size) as pilot:
        screen = await open_list(pilot)
        await press(pilot, "v")
        assert "Marked" in text(pilot, "meaning")
        assert str(screen.query_one("#lines").options[1].prompt).startswith("►")
        await press(pilot, "down", "v")
        await until(pilot, ArmyCompareScreen)
        await eventually(pilot, lambda: "you still need" in page(pilot))
        names = page(pilot).splitlines()[0]
        assert names.index("Many") < names.index("Few")
        lines = {re.split(" {2,}", line.strip())[0]: line for line in page(pilot).splitlines()}
        assert " ".join(lines["Rifle Guy"].split()[2:]) == "108 for 90 pts ◂ 48 60 for 60 pts"
        assert lines["Machinegun Guy"].split()[2:] == ["·", "4", "▸", "4", "for", "20", "pts"]
        assert lines["Strength"].split()[1:] == ["118", "◂", "54", "64"]
        assert " ".join(lines["GUYS"].split()[1:]) == "108 for 90 pts ◂ 44 64 for 80 pts"
        assert "you still need 68 Rifle Guys and 1 Tank" in page(pilot)
        assert all(cell_len(line) < size[0] - 2 for line in lines.values())
        await press(pilot, "x")
        assert "4 for 20 pts ◂ 4 ·" in " ".join(page(pilot).split())
        await press(pilot, "escape")
        await eventually(pilot, lambda: pilot.app.screen is screen)


async def test_only_what_differs_is_shown_on_demand(where):
    keep(where, "One", units={"rifle": 60, "machinegun": 4})
    keep(where, "Other", units={"rifle": 60, "machinegun": 5})
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_list(pilot)
        await press(pilot, "space", "down", "v")
        await until(pilot, ArmyCompareScreen)
        assert "Rifle Guy" in page(pilot)
        await press(pilot, "d")
        assert "Rifle Guy" not in page(pilot)
        assert "Machinegun Guy" in page(pilot)


async def test_an_army_that_cannot_be_read_is_not_compared(where):
    keep(where, "One")
    with Store.open(where) as store:
        store.add_army(GAME, "From tomorrow", "{}")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await press(pilot, "v", "down", "v")
        await until(pilot, MessageScreen)
        await press(pilot, "escape")
        assert pilot.app.screen is screen


# Figures


@BOTH
async def test_what_is_owned_is_entered_by_number_and_kept(where, size):
    keep(where, "Zug", units={"rifle": 70, "tank": 2}, nation="russian")
    async with the_app(where).run_test(size=size) as pilot:
        await open_list(pilot)
        await press(pilot, "o")
        await until(pilot, FiguresScreen)
        await eventually(pilot, lambda: "No figures entered" in text(pilot, "meaning"))
        listed = pilot.app.screen.query_one(CountedList)
        row = str(listed.get_option("rifle").prompt)
        assert row.split()[-4:] == ["·", "84", "84", "missing"]
        await press(pilot, "4", "0", "down", "5", "right", "minus", "plus", "backspace")
        assert "40" in str(listed.get_option("rifle").prompt)
        await eventually(pilot, lambda: owned(where) == {"rifle": 40})
        assert text(pilot, "meaning") == ("You own 40 pieces. Missing: 44 Rifle Guys and 2 Tanks.")
        await press(pilot, "ctrl+z")
        await eventually(pilot, lambda: owned(where) == {"rifle": 40, "machinegun": 6})
        await press(pilot, "s")
        assert "machinegun" not in [option.id for option in listed.options]
        await press(pilot, "s", "home", "9", "9", "9", "9", "9", "enter")
        await eventually(pilot, lambda: owned(where)["rifle"] == 9999)
        assert all(
            option.prompt.cell_length <= listed.scrollable_content_region.width  # type: ignore[union-attr]
            for option in listed.options
        )
        await press(pilot, "escape")
        await until(pilot, ArmiesScreen)


async def test_terrain_is_entered_below_the_figures_and_is_no_piece(where):
    async with the_app(where).run_test(size=WIDE) as pilot:
        await open_list(pilot)
        await press(pilot, "o")
        await until(pilot, FiguresScreen)
        listed = pilot.app.screen.query_one(CountedList)
        listed.highlighted = listed.get_option_index("woods")
        await press(pilot, "5", "down", "7")
        await eventually(pilot, lambda: owned(where) == {"woods": 5, "house": 7})
        assert "You own 0 pieces." in text(pilot, "meaning")
        assert str(listed.get_option("woods").prompt).split() == ["Woods", "5"]


async def test_the_builder_tells_of_figures_once_some_are_entered(where):
    keep(where, "Zug", units={"rifle": 70, "tank": 2})
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_list(pilot)
        await press(pilot, "enter")
        await until(pilot, ArmyBuilderScreen)
        assert "figures" not in text(pilot, "builder-state")
        await press(pilot, "O")
        await until(pilot, FiguresScreen)
        await eventually(pilot, lambda: "No figures entered" in text(pilot, "meaning"))
        await press(pilot, "6", "9", "escape")
        await until(pilot, ArmyBuilderScreen)
        await eventually(pilot, lambda: "O 3 figures short" in text(pilot, "builder-state"))
        assert "You own 69 Rifle Guys, 1 too few." in text(pilot, "meaning")
        said_room = pilot.app.screen.query_one("#meaning", Static)
        assert len(said_room.content.wrap(said_room.content_size.width)) <= 6  # type: ignore[union-attr]
        await press(pilot, "minus")
        await eventually(pilot, lambda: "O 2 figures short" in text(pilot, "builder-state"))


async def test_figures_that_cannot_be_written_are_told_once(where, monkeypatch):
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_list(pilot)
        await press(pilot, "o")
        await until(pilot, FiguresScreen)
        screen = pilot.app.screen
        await eventually(pilot, lambda: "No figures" in text(pilot, "meaning"))

        def refuse(*_: object) -> None:
            raise StoreError("The disk is full.")

        monkeypatch.setattr(Store, "set_owned", refuse)
        await press(pilot, "plus")
        await until(pilot, MessageScreen)
        await press(pilot, "escape")
        await press(pilot, "plus", "plus")
        assert pilot.app.screen is screen
        monkeypatch.undo()
        await press(pilot, "plus")
        await eventually(pilot, lambda: owned(where) == {"rifle": 4})


@pytest.mark.parametrize(
    ("name", "size"), [(MIXED[0], NARROW), (MIXED[1], NARROW), (MIXED[1], WIDE)], ids=range(3)
)
async def test_hostile_names_stay_names_beside_each_other_and_above_figures(where, name, size):
    keep(where, name, name, note=name)
    async with the_app(where).run_test(size=size) as pilot:
        await open_list(pilot)
        assert name[:3] in text(pilot, "meaning")
        await press(pilot, "v", "down", "v")
        await until(pilot, ArmyCompareScreen)
        await eventually(pilot, lambda: name[:3] in page(pilot))
        assert cell_len(page(pilot).splitlines()[0]) <= size[0] - 4
        await press(pilot, "escape", "o")
        await until(pilot, FiguresScreen)
        await eventually(pilot, lambda: name[:3] in text(pilot, "heading"))
        assert cell_len(text(pilot, "heading")) <= size[0] - 4


@pytest.mark.parametrize("count", [0, 77, 400])
def test_two_armies_are_compared_in_a_window_of_any_width(count: int) -> None:
    catalog, book = library.catalog(), library.rulings()
    army = muster(
        ArmyList(name=MIXED[0], points=100, nation="german", units={"tank": count, "rifle": 2}),
        catalog,
        book,
    )
    for width in range(-4, 130):
        assert painted(compared(army, army), width)


# Pictures


async def templates(pilot: Pilot[None]) -> None:
    await open_list(pilot)
    await press(pilot, "n")
    await until(pilot, NewArmyScreen)
    await press(pilot, "down", "down", "down", "down")


async def side_by_side(pilot: Pilot[None]) -> None:
    await open_list(pilot)
    await press(pilot, "v", "down", "v")
    await until(pilot, ArmyCompareScreen)
    await eventually(pilot, lambda: "you still need" in page(pilot))


async def figures(pilot: Pilot[None]) -> None:
    await open_list(pilot)
    await press(pilot, "o")
    await until(pilot, FiguresScreen)
    await eventually(pilot, lambda: "You own" in text(pilot, "meaning"))


async def listed(pilot: Pilot[None]) -> None:
    await open_list(pilot)
    await press(pilot, "down", "space")


@BOTH
@pytest.mark.parametrize("steps", [listed, templates, side_by_side, figures])
def test_the_army_screens_look_as_they_did(
    snap_compare: Callable[..., bool], where: str, steps: Callable[..., None], size
) -> None:
    from msgspec.structs import asdict

    for template in library.templates()[3:7]:
        terms = asdict(template.army_list)
        keep(where, terms.pop("name"), **terms)
    own(where, rifle=60, machinegun=6, tank=3)
    with Store.open(where) as store, store._session(write=True) as session:  # a date that stays
        session.connection().exec_driver_sql(
            "UPDATE army SET updated = '2026-05-0' || id || 'T18:00:00.000000+00:00'"
        )
    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)
