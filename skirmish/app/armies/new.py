"""What a new army begins from: nothing, or one of the templates."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish import library
from skirmish.app.armies import keys as army_keys
from skirmish.app.armies.form import ArmyFormScreen
from skirmish.app.armies.keeping import new_army
from skirmish.app.armies.words import DIM
from skirmish.app.foot import Foot
from skirmish.app.host import Host, Screen
from skirmish.games.plastic.army_file import renamed
from skirmish.games.plastic.rules.army import Army, ArmyList, muster
from skirmish.games.plastic.rules.catalog import plural
from skirmish.tabletop.typed import plain

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
    BINDINGS: ClassVar[list[BindingType]] = army_keys.TEMPLATES

    def __init__(self, taken: Collection[str] = (), liked: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._taken, self._liked = taken, liked or {}
        self._templates = library.templates()

    def compose(self) -> ComposeResult:
        """The list on the left, what is chosen on the right."""
        with Horizontal(id="new-army-top"):
            yield Static("NEW ARMY   ", classes="title", markup=False)
            yield Static("Start from a template, or from nothing.", classes="quiet", markup=False)
        with Horizontal(id="new-army-columns"):
            yield OptionList(*self._options(), id="templates", markup=False)
            with VerticalScroll(id="new-army-right", can_focus=False):
                yield Static(id="template", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """Begin with the empty one."""
        listed = self.query_one("#templates", OptionList)
        listed.focus()
        listed.highlighted = 0

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Describe it."""
        army = self._army(event.option_id)
        self.query_one("#template", Static).update(told(army) if army else Content(NOTHING))
        self.query_one("#new-army-right").scroll_home(animate=False)

    def on_option_list_option_selected(self) -> None:
        """Enter or a click."""
        self.action_take()

    def action_take(self) -> None:
        """Ask for the name and the terms of the chosen one."""
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
        """No new army."""
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


async def begin(app: Host, taken: Collection[str]) -> ArmyList | None:
    """Ask what a new army begins from, and its name and terms. None where Esc was pressed."""
    return await app.push_screen_wait(NewArmyScreen(taken, app.settings.rulings))


def told(army: Army) -> Content:
    """A template: its name and terms, its portrait, what is in it."""
    quality = f", {army.quality.name.lower()}" if army.quality else ""
    more = army.budget - army.listed.points
    bonus = f" + {more} for quality" if more else ""
    parts: list[Content | str | tuple[str, str]] = [
        (plain(army.listed.name), "bold"),
        (f"\n{army.nation.name if army.nation else 'No nation'}{quality}. ", DIM),
        (f"{army.listed.points} points{bonus}.", DIM),
        f"\n\n{plain(army.listed.note)}\n",
    ]
    free = army.free
    for unit, count in army.listed.units.items():
        gift = f" + {free[unit]} free" if unit in free else ""
        name = army.catalog.units[unit].named(count).partition(" ")[2]
        parts.append(f"\n{count:>4} {name}{gift}")
    for work, count in army.listed.works.items():
        name = army.catalog.works[work].name
        parts.append(f"\n{count:>4} {name if count == 1 else plural(name)}")
    parts.append(f"\n\nPDG {army.pdg}, break point {army.break_at}.")
    return Content.assemble(*parts)
