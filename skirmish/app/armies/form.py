"""What an army begins from, and the form for its name, points, nation and force quality."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, Literal

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.line_list import Group, LineList
from skirmish.app.page_view import DIM, STRONG, TONES, painted
from skirmish.app.windows import TextEntry, Window
from skirmish.games.plastic.army_file import LONGEST_NAME, as_table, renamed
from skirmish.games.plastic.army_page import army_page
from skirmish.games.plastic.rules.army import (
    LONGEST_NOTE,
    MOST_POINTS,
    Army,
    ArmyList,
    muster,
    read_army,
)
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.reading import DataError
from skirmish.tabletop.typed import plain

Turned = Literal["nation", "quality"]
WRONG = {
    "name": "Give the army a name.",
    "points": f"Choose from 1 to {MOST_POINTS} points.",
}
"""What is wrong, shorter than for a file."""


class Turn(Static, can_focus=True):
    """One of several, changed with left and right; ``value`` is its id or None."""

    BINDINGS: ClassVar[list[BindingType]] = keys(
        "army-form",
        ("before", "left", "turn(-1)", "", "Previous value"),
        ("next", "right,space", "turn(1)", "", "Next value"),
    )

    class Turned(Message):
        """Another one is chosen."""

    def __init__(self, choices: Sequence[tuple[str | None, str]], value: str | None, id: str):
        super().__init__(id=id, markup=False)
        self._choices = choices
        self._at = [name for name, _ in choices].index(value)

    @property
    def value(self) -> str | None:
        return self._choices[self._at][0]

    def render(self) -> Content:
        return Content(f"◂ {self._choices[self._at][1]} ▸")

    def action_turn(self, by: int) -> None:
        self._at = (self._at + by) % len(self._choices)
        self.refresh(layout=True)
        self.post_message(self.Turned())

    def on_click(self) -> None:
        self.focus()
        self.action_turn(1)


class ArmyFormScreen(Window[ArmyList | None]):
    """Gives the changed list, or None where Esc is pressed."""

    CSS_PATH = "army_builder.tcss"
    HELP = "Up and down choose a line; left and right change nation and quality."
    TOPIC: ClassVar[str] = "army"
    CLOSES = "Left and right change nation and quality.\nEnter saves, Esc cancels."
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "army-form",
        ("close", "escape", "give_up", "", "Cancel"),
        ("take", "enter", "done", "", "Save"),
        ("up", "up", "app.focus_previous", "", "Line above"),
        ("down", "down", "app.focus_next", "", "Line below"),
    )

    def __init__(self, army: Army, first: Literal["name", "points"] = "name") -> None:
        super().__init__("The army")
        self._army = army
        self._first = first

    def body(self) -> ComposeResult:
        listed = self._army.listed

        def typed(field: str, longest: int, only: str | None = None) -> Input:
            value = plain(str(getattr(listed, field)))
            return Input(value, max_length=longest, restrict=only, id=f"form-{field}", compact=True)

        lines = {
            "Name": typed("name", LONGEST_NAME),
            "Points": typed("points", 6, r"[0-9]*"),
            "Nation": Turn(self._nations(), listed.nation, "form-nation"),
            "Quality": Turn(self._qualities(), listed.quality, "form-quality"),
            "Note": typed("note", LONGEST_NOTE),
        }
        for label, field in lines.items():
            with Horizontal(classes="field"):
                yield Static(label, markup=False)
                yield field
        yield Static(id="form-message", markup=False)

    def _nations(self) -> list[tuple[str | None, str]]:
        return [(None, "none"), *((n.id, n.name) for n in self._army.catalog.nations.values())]

    def _qualities(self) -> list[tuple[str | None, str]]:
        choices: list[tuple[str | None, str]] = [(None, "none")]
        for one in self._army.catalog.qualities.values():
            more = f", {one.bonus_percent}% more points" if one.bonus_percent else ""
            choices.append((one.id, f"{one.name}{more}"))
        return choices

    def on_mount(self) -> None:
        self.query_one(f"#form-{self._first}", Input).focus()
        self._look()

    def on_input_changed(self) -> None:
        self._look()

    def on_turn_turned(self) -> None:
        self._look()

    def on_input_submitted(self) -> None:
        self.action_done()

    def action_done(self) -> None:
        listed = self._read()
        if isinstance(listed, ArmyList):
            self.dismiss(listed)

    def _look(self) -> None:
        listed = self._read()
        if isinstance(listed, ArmyList):
            budget = replace(self._army, listed=listed).budget
            more = budget - listed.points
            bonus = f", including {more} for troop quality" if more else ""
            message = Content(f"{budget} points to spend{bonus}.")
        else:
            message = Content.styled(listed, TONES["bad"])
        self.query_one("#form-message", Static).update(message)

    def _read(self) -> ArmyList | str:
        """The list as it stands in the form, or what is wrong with that."""
        table = as_table(self._army.listed)
        for field in ("name", "points", "note"):
            now = getattr(self._army.listed, field)
            typed = self.query_one(f"#form-{field}", Input).value
            if typed != plain(str(now)):  # else it is left alone, whatever signs are in it
                table[field] = typed.strip() if field != "points" else int(typed or 0)
        for field in ("nation", "quality"):
            table[field] = self.query_one(f"#form-{field}", Turn).value
        try:
            return read_army(table, self._army.catalog, library.rulings(), "").listed
        except DataError as error:
            return "\n".join(WRONG.get(problem.key, str(problem)) for problem in error.problems)


def name_entry(what: str, title: str, now: str, longest: int) -> TextEntry:
    """Asks for the name of an army or a group."""

    def check(name: str) -> None:
        if not name.strip():
            raise ValueError(f"Give the {what} a name.")

    return TextEntry(title, f"What is this {what} called?", now, check, longest=longest)


def turned(army: Army, field: Turned) -> ArmyList:
    catalog = army.catalog
    known = [None, *(catalog.nations if field == "nation" else catalog.qualities)]
    now = known.index(getattr(army.listed, field))
    return replace(army.listed, **{field: known[(now + 1) % len(known)]})


# ---------------------------------------------------------------------- a new army

EMPTY = "empty"
NOTHING = Page(
    "", (Paragraph("An empty army. Choose its points and nation, then buy what you like."),)
)


class NewArmyScreen(Screen[ArmyList | None]):
    """Gives the army to begin with, its terms filled in, or None where Esc is pressed. ``taken``
    are the names that others bear; the player's ``liked`` rulings go to an army made from nothing.

    The form lies on top of this screen, so that no letter of a name typed ahead is a command.
    """

    CSS_PATH = "new_army.tcss"
    TOPIC: ClassVar[str] = "templates"
    HELP = (
        "Choose with the arrows and press Enter. A template becomes an army of your own: change "
        "what you like, the template stays as it is."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates",
        ("take", "enter", "take", "Choose", "Start from this army"),
        ("back", "escape", "give_up", "Armies", "Back to the armies without a new one"),
    )

    def __init__(self, taken: Collection[str] = (), liked: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._taken = taken
        self._armies = {str(number): army for number, army in enumerate(library.templates())}
        self._armies[EMPTY] = empty_army(liked or {})

    def compose(self) -> ComposeResult:
        with Horizontal(id="new-army-top"):
            yield Static("NEW ARMY   ", classes="title", markup=False)
            yield Static("Start from a template, or from nothing.", classes="quiet", markup=False)
        with Horizontal(id="new-army-columns"):
            yield LineList(id="templates", classes="lines")
            with VerticalScroll(id="new-army-right", can_focus=False):
                yield Static(id="template", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self.query_one(LineList).show(self._groups())
        self.query_one(LineList).focus()

    def _groups(self) -> Iterator[Group]:
        yield None, {EMPTY: Content.styled("Empty: build it yourself", STRONG)}
        templates = [item for item in self._armies.items() if item[0] != EMPTY]
        for nation, own in groupby(templates, key=lambda item: item[1].nation):
            lines = {
                id: Content(f"  {plain(army.listed.name):<25}{army.listed.points:>4}")
                for id, army in own
            }
            yield Content.styled(nation.name.upper() if nation else "ANY NATION", DIM), lines

    def on_option_list_option_highlighted(self) -> None:
        chosen = self.query_one(LineList).chosen
        book = library.rulings()
        page = NOTHING if chosen == EMPTY else army_page(self._armies[chosen], book, prices=False)
        right = self.query_one("#new-army-right")
        named = Content.styled(f"{page.title}\n\n" if page.title else "", STRONG)
        shown = named + painted(page, right.scrollable_content_region.width)
        self.query_one("#template", Static).update(shown)
        right.scroll_home(animate=False)

    def on_option_list_option_selected(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        army = self._armies[self.query_one(LineList).chosen]
        form = ArmyFormScreen(replace(army, listed=renamed(army.listed, self._taken)))
        self.app.push_screen(form, self._done)

    def _done(self, listed: ArmyList | None) -> None:
        if listed is not None:
            self.dismiss(listed)

    def action_give_up(self) -> None:
        self.dismiss(None)


def empty_army(liked: Mapping[str, str]) -> Army:
    """An army of the basic game under those of the player's ``liked`` rulings that armies go by."""
    catalog, book = library.catalog(), library.rulings()
    rulings = {
        name: answer
        for name, answer in liked.items()
        if (ruling := book.rulings.get(name))
        and ruling.topic == "army"
        and answer in ruling.answers
        and answer != ruling.default
    }
    listed = ArmyList(name="New army", points=catalog.basic_game.points, rulings=rulings)
    return muster(listed, catalog, book)
