"""The sheet as a picture in the workshop: what is written to the terminal for it, and where it
stands; without pictures, or where one cannot be drawn, the sheet stands in words."""

from __future__ import annotations

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from steps import NARROW, WIDE, eventually, press, shown, the_app, until
from test_workshop_screen import LARGEST, opened
from textual.pilot import Pilot

from skirmish import scenario_editing
from skirmish.app import pictures
from skirmish.app.pictures import MARKS, PLACEHOLDER, CellSize, protocol_of
from skirmish.app.workshop import picture_widgets
from skirmish.app.workshop.picture_widgets import PictureBox, PictureScreen
from skirmish.app.workshop.screen import WorkshopScreen
from skirmish.app.workshop.sheet_picture import SheetPicture, SheetToDraw, sheet_picture

SENT = re.compile(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\")
"""A sequence of kitty's protocol: its control data and its data."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for scenarios of the test's own, with one on an empty table."""
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(tmp_path / "own"))
    scenario_editing.new_scenario("The Mill", ("american", "german"), (96, 60))


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is written to the terminal besides what Textual writes, in a terminal of 24 bits."""
    texts: list[str] = []
    monkeypatch.setattr(picture_widgets, "write_to_terminal", lambda app, text: texts.append(text))
    monkeypatch.setenv("COLORTERM", "truecolor")
    return texts


def chequered() -> bytes:
    """A PNG of 8 by 8 pixels, black and white in turn by columns, and its right half red."""
    image = Image.new("RGB", (8, 8), "white")
    for x in range(8):
        for y in range(8):
            if x >= 4:
                image.putpixel((x, y), (255, 0, 0))
            elif x % 2 == 0:
                image.putpixel((x, y), (0, 0, 0))
    png = BytesIO()
    image.save(png, "PNG")
    return png.getvalue()


# ------------------------------------------------------------------ which protocol


@pytest.mark.parametrize(
    ("setting", "environment", "protocol"),
    [
        ("auto", {"TERM": "xterm-kitty"}, "kitty"),
        ("auto", {"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, "kitty"),
        ("auto", {"TERM_PROGRAM": "ghostty"}, "kitty"),
        ("auto", {"TERM_PROGRAM": "iTerm.app"}, "iterm"),
        ("auto", {"TERM_PROGRAM": "WezTerm"}, "iterm"),
        ("auto", {"TERM": "foot"}, "sixel"),
        ("auto", {"TERM": "xterm-256color"}, None),
        ("auto", {}, None),
        # What is inside tmux talks to tmux, whatever the terminal around it is called.
        ("auto", {"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1", "TMUX": "its socket"}, None),
        ("sixel", {"TERM": "xterm-256color"}, "sixel"),
        ("kitty", {"TMUX": "its socket"}, "kitty"),
        ("off", {"TERM": "xterm-kitty"}, None),
    ],
)
def test_the_protocol_follows_the_setting_or_the_name_of_the_terminal(
    setting: pictures.PicturesSetting, environment: dict[str, str], protocol: str | None
) -> None:
    assert protocol_of(setting, environment) == protocol


# ------------------------------------------------------------------ what is written


def test_a_picture_is_sent_to_kitty_in_pieces_and_without_an_answer() -> None:
    png = bytes(range(256)) * 40
    sequences = SENT.findall(pictures.kitty_transmission(png, 175, columns=20, lines=9))
    assert sequences[0][0] == "a=T,U=1,f=100,t=d,i=175,c=20,r=9,q=2,m=1"
    assert [control for control, _ in sequences[1:]] == ["q=2,m=1"] * 2 + ["q=2,m=0"]
    assert all(len(data) <= 4096 for _, data in sequences)
    assert b64decode("".join(data for _, data in sequences)) == png
    assert pictures.kitty_deletion(175) == "\x1b_Ga=d,d=I,i=175,q=2\x1b\\"


def test_each_place_of_a_picture_has_the_marks_of_its_line_and_column() -> None:
    assert len(set(MARKS)) == len(MARKS) >= 120
    # As kitty's list begins.
    assert [ord(mark) for mark in MARKS[:4]] == [0x305, 0x30D, 0x30E, 0x310]
    places = pictures.placeholders(2, 3)
    assert places == [PLACEHOLDER + MARKS[2] + MARKS[column] for column in range(3)]


def test_a_picture_for_iterm_is_as_many_lines_high() -> None:
    written = pictures.iterm_picture(b"png", lines=40)
    assert written == "\x1b]1337;File=inline=1;size=3;height=40;preserveAspectRatio=1:cG5n\x07"


def test_a_sixel_picture_has_each_colour_of_each_band_once() -> None:
    written = pictures.sixel_picture(chequered(), height=8)
    head, *bands = written.removesuffix("\x1b\\").split("-")
    assert head.startswith('\x1bP0;1q"1;1;8;8')
    assert written.endswith("-\x1b\\")
    # The first band has six rows, the second two: ``~`` is all six, ``B`` the upper two.
    colours = dict(re.findall(r"#(\d+);2;(\d+;\d+;\d+)", head))
    named = {"0;0;0": "black", "100;100;100": "white", "100;0;0": "red"}
    first = head.split("#")[-3:]
    by_colour = {}
    for band in first:
        number, signs = re.match(r"(\d+)(.*)\$", band).groups()
        by_colour[named[colours[number]]] = signs
    assert by_colour == {"black": "~?~", "white": "?~?~", "red": "!4?!4~"}
    assert "!4?!4B$" in bands[0]


def test_a_page_takes_the_lines_of_its_shape_and_no_more_than_can_be_numbered() -> None:
    cell = CellSize(8, 16)
    page = SheetPicture(b"", 1.414)
    assert page.lines_for(60, cell) == 42
    leaf = SheetPicture(b"", 2.828)
    columns = leaf.columns_in(200, cell)
    assert leaf.lines_for(columns, cell) <= len(MARKS)


def test_the_page_is_drawn_as_it_is_printed() -> None:
    picture = sheet_picture(SheetToDraw(scenario_editing.read_draft(101), paper="a4", ink="colour"))
    with Image.open(BytesIO(picture.png)) as image:
        assert image.height == 1500
        assert image.height / image.width == pytest.approx(297 / 210, abs=0.01)
        # The dark band of the title, and white paper at the edge.
        colours = image.convert("RGB")
        assert colours.getpixel((5, 5)) == (255, 255, 255)
        assert max(colours.getpixel((900, 70))) < 100


# ------------------------------------------------------------------ in the workshop


def box(pilot: Pilot[None], name: str) -> PictureBox:
    return pilot.app.screen.query_one(f"#{name}", PictureBox)


async def test_the_picture_stands_beside_the_map_and_follows_each_change(
    where: str, written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KITTY_WINDOW_ID", "1")
    async with the_app(where).run_test(size=LARGEST) as pilot:
        await opened(pilot)
        await eventually(pilot, lambda: box(pilot, "below-picture").display)
        (sent,) = written
        assert "U=1" in sent
        # In the place of the words.
        assert not pilot.app.screen.query_one("#sheet-below").display
        line = box(pilot, "below-picture").render_line(0)
        assert line.text.startswith(PLACEHOLDER + MARKS[0] + MARKS[0])
        number = int(re.search(r"i=(\d+)", sent)[1])
        colour = line._segments[0].style.color.get_truecolor()
        assert (colour.red << 16) + (colour.green << 8) + colour.blue == number
        await press(pilot, "h", "enter", "escape")
        await eventually(pilot, lambda: len(written) == 2)
        assert written[1] != sent


@pytest.mark.parametrize(("key", "name"), [("3", "beside-picture"), ("6", "sheet-picture")])
async def test_the_picture_stands_on_the_other_pages_too(
    where: str, written: list[str], monkeypatch: pytest.MonkeyPatch, key: str, name: str
) -> None:
    monkeypatch.setenv("KITTY_WINDOW_ID", "1")
    async with the_app(where).run_test(size=LARGEST) as pilot:
        await opened(pilot)
        await press(pilot, key)
        await eventually(pilot, lambda: box(pilot, name).display)
        assert box(pilot, name).size.width > 40
        await press(pilot, "escape")
        # The terminal forgets what it was sent.
        await eventually(pilot, lambda: any("a=d,d=I" in text for text in written))


async def test_on_a_small_screen_the_picture_has_its_page(
    where: str, written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KITTY_WINDOW_ID", "1")
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.pause()
        assert not box(pilot, "below-picture").display
        assert not written
        await press(pilot, "f8")
        await eventually(pilot, lambda: box(pilot, "sheet-picture").display)


async def test_without_a_picture_the_sheet_stands_in_words_and_f8_says_why(
    where: str, written: list[str]
) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await opened(pilot)
        await press(pilot, "6")
        await eventually(pilot, lambda: "The Mill" in shown(pilot, "sheet"))
        await press(pilot, "f8")
        await eventually(pilot, lambda: bool(pilot.app._notifications))
        (message,) = pilot.app._notifications
        assert "skirmish settings pictures kitty" in message.message
        assert not written


async def test_a_picture_that_cannot_be_drawn_leaves_the_words_and_a_sentence(
    where: str,
    written: list[str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_: object, **__: object) -> SheetPicture:
        raise OSError("no PDF library")

    monkeypatch.setenv("KITTY_WINDOW_ID", "1")
    monkeypatch.setattr("skirmish.app.workshop.sheet_picture.sheet_picture", broken)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await opened(pilot)
        await press(pilot, "6")
        sentence = "The picture of the sheet is not available (details in the log)."
        await eventually(pilot, lambda: sentence in shown(pilot, "sheet"))
        assert "The Mill" in shown(pilot, "sheet")
        assert not written
        # The workshop goes on.
        await press(pilot, "2", "h", "enter", "escape")
        await eventually(pilot, lambda: bool(scenario_editing.read_draft(101).map.buildings))
    caplog.clear()


@pytest.mark.parametrize(("protocol", "begins"), [("sixel", "\x1bP0;1q"), ("iterm", "\x1b]1337;")])
async def test_where_a_terminal_paints_pictures_f8_opens_one_over_the_whole_screen(
    where: str, monkeypatch: pytest.MonkeyPatch, protocol: str, begins: str
) -> None:
    app = the_app(where)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        app.settings = type(app.settings)(pictures=protocol)
        await press(pilot, "6")
        await eventually(pilot, lambda: "F8 shows it as a picture." in shown(pilot, "sheet"))
        await press(pilot, "f8")
        await until(pilot, PictureScreen)
        line = app.screen.query_one(picture_widgets.PaintingLine)
        await eventually(pilot, lambda: begins in line.render_line(0).text)
        assert line.render_line(0).cell_length == WIDE[0]
        await press(pilot, "escape")
        await until(pilot, WorkshopScreen)


async def test_a_picture_that_cannot_be_painted_closes_its_screen_with_a_sentence(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = the_app(where)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        app.push_screen(PictureScreen(SheetPicture(b"no PNG", 1.4), "sixel"))
        await eventually(pilot, lambda: bool(app._notifications))
        await until(pilot, WorkshopScreen)
        (message,) = app._notifications
        assert message.message == "The picture is not available (details in the log)."
    caplog.clear()
