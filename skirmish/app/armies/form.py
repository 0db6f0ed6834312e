"""The small form in which an army gets its name, points, nation and force quality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import msgspec
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from skirmish.app.armies import keys as army_keys
from skirmish.app.host import Host, ModalScreen
from skirmish.games.plastic.army_file import LONGEST_NAME, as_table
from skirmish.games.plastic.rules.army import (
    LONGEST_NOTE,
    MOST_POINTS,
    Army,
    ArmyList,
    read_army,
)
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
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

    BINDINGS: ClassVar[list[BindingType]] = army_keys.TURN

    class Turned(Message):
        """Another one is chosen."""

    def __init__(self, choices: Sequence[tuple[str | None, str]], value: str | None, id: str):
        super().__init__(id=id, markup=False)
        self._choices = choices
        self._at = [name for name, _ in choices].index(value)

    @property
    def value(self) -> str | None:
        """The id of what is chosen."""
        return self._choices[self._at][0]

    def render(self) -> Content:
        """The name between two arrows."""
        return Content(f"◂ {self._choices[self._at][1]} ▸")

    def action_turn(self, by: int) -> None:
        """To the next or the one before."""
        self._at = (self._at + by) % len(self._choices)
        self.refresh(layout=True)
        self.post_message(self.Turned())

    def on_click(self) -> None:
        """A click chooses the next."""
        self.focus()
        self.action_turn(1)


class ArmyFormScreen(ModalScreen[ArmyList | None]):
    """Gives the changed list, or None where Esc is pressed."""

    CSS_PATH = "army_builder.tcss"
    HELP = "Up and down choose a line; left and right change nation and quality."
    TOPIC: ClassVar[str] = "army"
    BINDINGS: ClassVar[list[BindingType]] = army_keys.FORM

    def __init__(self, army: Army, book: RulingBook, first: Field = "name") -> None:
        super().__init__()
        self._army = army
        self._book = book
        self._first = first

    def compose(self) -> ComposeResult:
        """Five lines, what is to be spent, what is wrong, the ways out."""
        listed, catalog = self._army.listed, self._army.catalog
        with Vertical(classes="window"):
            yield Static("The army", classes="title", markup=False)
            with Horizontal(classes="field"):
                yield Static("Name", markup=False)
                yield Input(
                    plain(listed.name), max_length=LONGEST_NAME, id="form-name", compact=True
                )
            with Horizontal(classes="field"):
                yield Static("Points", markup=False)
                yield Input(
                    str(listed.points),
                    max_length=6,
                    restrict=r"[0-9]*",
                    id="form-points",
                    compact=True,
                )
            with Horizontal(classes="field"):
                yield Static("Nation", markup=False)
                yield Turn(nations(catalog), listed.nation, "form-nation")
            with Horizontal(classes="field"):
                yield Static("Quality", markup=False)
                yield Turn(qualities(catalog), listed.quality, "form-quality")
            with Horizontal(classes="field"):
                yield Static("Note", markup=False)
                yield Input(
                    plain(listed.note), max_length=LONGEST_NOTE, id="form-note", compact=True
                )
            yield Static(id="form-says", markup=False)
            yield Static(
                "Left and right change nation and quality.\nEnter saves, Esc cancels.",
                classes="quiet",
                markup=False,
            )

    def on_mount(self) -> None:
        """Begin where the key pointed; typing replaces what stands there."""
        self.query_one(f"#form-{self._first}", Input).focus()
        self._look()

    def on_input_changed(self) -> None:
        """Say what comes of it."""
        self._look()

    def on_input_submitted(self) -> None:
        """Enter in a text."""
        self.action_done()

    def on_turn_turned(self) -> None:
        """Say what comes of it."""
        self._look()

    def action_done(self) -> None:
        """Close with the new terms, unless something is wrong with them."""
        listed = self._read()
        if isinstance(listed, ArmyList):
            self.dismiss(listed)

    def action_give_up(self) -> None:
        """Close without a change."""
        self.dismiss(None)

    def _look(self) -> None:
        listed = self._read()
        if isinstance(listed, ArmyList):
            budget = msgspec.structs.replace(self._army, listed=listed).budget
            more = budget - listed.points
            bonus = f", including {more} for troop quality" if more else ""
            said = Content(f"{budget} points to spend{bonus}.")
        else:
            said = Content(listed).stylize("$error bold")
        self.query_one("#form-says", Static).update(said)

    def _read(self) -> ArmyList | str:
        """The list, or what is wrong."""
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


async def ask_name(app: Host, now: str) -> str | None:
    """Another name for an army that is called ``now``, in a small window; None: it keeps that."""
    from skirmish.app.windows import TextEntry

    def check(name: str) -> None:
        if not name.strip():
            raise ValueError(SAYS["name"])

    shown = plain(now)
    window = TextEntry(
        "Rename army", "What is this army called?", shown, check, longest=LONGEST_NAME
    )
    name = await app.push_screen_wait(window)
    return None if name is None or name.strip() == shown else name.strip()


def turned(army: Army, field: Turned) -> ArmyList:
    """The list with the next nation or quality; none comes after the last."""
    catalog = army.catalog
    known = [None, *(catalog.nations if field == "nation" else catalog.qualities)]
    now = known.index(getattr(army.listed, field))
    return msgspec.structs.replace(army.listed, **{field: known[(now + 1) % len(known)]})


def nations(catalog: Catalog) -> list[tuple[str | None, str]]:
    """No nation, then each."""
    return [(None, "none"), *((n.id, n.name) for n in catalog.nations.values())]


def qualities(catalog: Catalog) -> list[tuple[str | None, str]]:
    """No quality, then each with its bonus."""
    named = [
        (q.id, f"{q.name}, {q.bonus_percent}% more points" if q.bonus_percent else q.name)
        for q in catalog.qualities.values()
    ]
    return [(None, "none"), *named]
