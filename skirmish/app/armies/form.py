"""What an army begins from, and the form for its name, points, nation and force quality."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Literal

import msgspec
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from skirmish import library
from skirmish.app.armies.session import new_army
from skirmish.app.armies.view import DIM
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Host, Screen
from skirmish.app.page_view import painted
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
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.reading import DataError
from skirmish.tabletop.typed import plain

Field = Literal["name", "points"]
Turned = Literal["nation", "quality"]

SAYS = {
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

    def __init__(self, army: Army, book: PlasticRulingBook, first: Field = "name") -> None:
        super().__init__("The army")
        self._army = army
        self._book = book
        self._first = first

    def body(self) -> ComposeResult:
        listed, catalog = self._army.listed, self._army.catalog
        nations = [(None, "none"), *((one.id, one.name) for one in catalog.nations.values())]
        lines = {
            "Name": Input(
                plain(listed.name), max_length=LONGEST_NAME, id="form-name", compact=True
            ),
            "Points": Input(
                str(listed.points),
                max_length=6,
                restrict=r"[0-9]*",
                id="form-points",
                compact=True,
            ),
            "Nation": Turn(nations, listed.nation, "form-nation"),
            "Quality": Turn(qualities(catalog), listed.quality, "form-quality"),
            "Note": Input(
                plain(listed.note), max_length=LONGEST_NOTE, id="form-note", compact=True
            ),
        }
        for label, field in lines.items():
            with Horizontal(classes="field"):
                yield Static(label, markup=False)
                yield field
        yield Static(id="form-message", markup=False)

    def on_mount(self) -> None:
        self.query_one(f"#form-{self._first}", Input).focus()
        self._look()

    def on_input_changed(self) -> None:
        self._look()

    def on_input_submitted(self) -> None:
        self.action_done()

    def on_turn_turned(self) -> None:
        self._look()

    def action_done(self) -> None:
        listed = self._read()
        if isinstance(listed, ArmyList):
            self.dismiss(listed)

    def _look(self) -> None:
        listed = self._read()
        if isinstance(listed, ArmyList):
            budget = msgspec.structs.replace(self._army, listed=listed).budget
            more = budget - listed.points
            bonus = f", including {more} for troop quality" if more else ""
            said = Content(f"{budget} points to spend{bonus}.")
        else:
            said = Content(listed).stylize("$error bold")
        self.query_one("#form-message", Static).update(said)

    def _read(self) -> ArmyList | str:
        listed = self._army.listed
        points = self.query_one("#form-points", Input).value
        table = as_table(listed) | {
            "name": self._typed("name", listed.name),
            "note": self._typed("note", listed.note),
            "points": int(points) if points else 0,
        }
        for field in ("nation", "quality"):
            table.pop(field, None)
            value = self.query_one(f"#form-{field}", Turn).value
            if value is not None:
                table[field] = value
        try:
            army = read_army(table, self._army.catalog, self._book, "")
        except DataError as error:
            return "\n".join(SAYS.get(problem.key, str(problem)) for problem in error.problems)
        return army.listed

    def _typed(self, field: str, now: str) -> str:
        """What stands in a line; ``now`` if it was left as it is, whatever signs are in that."""
        value = self.query_one(f"#form-{field}", Input).value
        return now if value == plain(now) else value.strip()


def name_entry(what: str, title: str, now: str, longest: int) -> TextEntry:
    """Asks for the name of an army or a group."""

    def check(name: str) -> None:
        if not name.strip():
            raise ValueError(f"Give the {what} a name.")

    return TextEntry(title, f"What is this {what} called?", plain(now), check, longest=longest)


async def ask_name(app: Host, now: str) -> str | None:
    """Another name for an army that is called ``now``, in a small window; None: it keeps that."""
    name = await app.push_screen_wait(name_entry("army", "Rename army", now, LONGEST_NAME))
    return None if name is None or name.strip() == plain(now) else name.strip()


def turned(army: Army, field: Turned) -> ArmyList:
    catalog = army.catalog
    known = [None, *(catalog.nations if field == "nation" else catalog.qualities)]
    now = known.index(getattr(army.listed, field))
    return msgspec.structs.replace(army.listed, **{field: known[(now + 1) % len(known)]})


def qualities(catalog: Catalog) -> list[tuple[str | None, str]]:
    named = [
        (q.id, f"{q.name}, {q.bonus_percent}% more points" if q.bonus_percent else q.name)
        for q in catalog.qualities.values()
    ]
    return [(None, "none"), *named]


# ---------------------------------------------------------------------- a new army

EMPTY = "empty"
NOTHING = "An empty army. Choose its points and nation, then buy what you like."
NAMELESS = "ANY NATION"


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
        self._taken, self._liked = taken, liked or {}
        self._templates = library.templates()

    def compose(self) -> ComposeResult:
        with Horizontal(id="new-army-top"):
            yield Static("NEW ARMY   ", classes="title", markup=False)
            yield Static("Start from a template, or from nothing.", classes="quiet", markup=False)
        with Horizontal(id="new-army-columns"):
            yield OptionList(*self._options(), id="templates", classes="lines", markup=False)
            with VerticalScroll(id="new-army-right", can_focus=False):
                yield Static(id="template", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        listed = self.query_one("#templates", OptionList)
        listed.focus()
        listed.highlighted = 0

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        army = self._army(event.option_id)
        page = (
            army_page(army, library.rulings(), prices=False)
            if army
            else Page("", (Paragraph(NOTHING),))
        )
        right = self.query_one("#new-army-right")
        width = right.scrollable_content_region.width
        named = Content.styled(f"{plain(page.title)}\n\n", "bold") if army else Content()
        self.query_one("#template", Static).update(named + painted(page, width))
        right.scroll_home(animate=False)

    def on_option_list_option_selected(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        option = self.query_one("#templates", OptionList).highlighted_option
        army, book = self._army(option.id if option else None), library.rulings()
        if army is None:
            army = new_army(library.catalog(), book, self._taken, self._liked)
        named = muster(renamed(army.listed, self._taken), army.catalog, book)
        self.app.push_screen(ArmyFormScreen(named, book), self._done)

    def _done(self, listed: ArmyList | None) -> None:
        if listed is not None:
            self.dismiss(listed)

    def action_give_up(self) -> None:
        self.dismiss(None)

    def _army(self, name: str | None) -> Army | None:
        return self._templates[int(name)] if name and name != EMPTY else None

    def _options(self) -> list[Option]:
        options = [Option(Content("Empty: build it yourself").stylize("bold"), id=EMPTY)]
        people = ""
        for number, army in enumerate(self._templates):
            nation = army.nation.name.upper() if army.nation else NAMELESS
            if nation != people:
                people = nation
                options.append(Option(Content.styled(nation, DIM), disabled=True))
            name = plain(army.listed.name)
            options.append(Option(Content(f"  {name:<25}{army.listed.points:>4}"), id=f"{number}"))
        return options
