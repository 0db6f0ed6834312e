"""Home: the latest battles, and a menu with a key for each entry."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import OptionList, Static

from skirmish.app.binding import keys
from skirmish.app.host import UNUSABLE, Host, Screen
from skirmish.app.line_list import LineList

if TYPE_CHECKING:
    from collections.abc import Callable

    from skirmish.store.database import Store
    from skirmish.store.records import BattleRecord


MENU: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("new_battle", "n", "app.show('new battle')", "New battle",
     "Fight a scenario, or two armies", "scenarios or armies"),
    ("scenarios", "s", "app.show('scenarios')", "Scenarios",
     "Read the ten scenarios", "read all ten"),
    ("armies", "a", "app.show('armies')", "Armies",
     "Build, check and print armies", "build and print them"),
    ("beach", "b", "app.show('games', 'beach_head')", "Beach Head",
     "Land on a D-Day beach, alone, with dice and cards", "a game for one"),
    ("games", "m", "app.show('games')", "More games",
     "Play another game, or continue one", "every game there is"),
    ("print", "p", "screen.print", "Print",
     "Print scenario sheets, rosters, markers, the quick reference", "sheets and rosters"),
    ("follow", "f", "screen.follow", "Follow",
     "Watch the chosen battle while others play it", "watch a battle"),
    ("rules", "r", "app.reference", "Rules", "The rules in our own words", "how to play"),
    ("rulings", "g", "app.show('rulings')", "Rulings",
     "Where the rules leave a gap, and how you play it", "gaps in the rules"),
    ("settings", "t", "app.show('settings')", "Settings",
     "Units of measure, colours, keys, defaults", "inches, colours, keys"),
    ("keys", "?", "app.show_help", "Keys", "", "on every screen"),
    ("quit", "q", "app.quit", "Quit", "Quit; everything is saved", "everything is saved"),
)  # fmt: skip
"""Bindings with a description; one without a tooltip is the application's."""

OTHERS = (
    ("remove", "delete", "remove", "", "Remove the chosen battle from the list"),
    ("bring_back", "u", "bring_back", "", "Bring back the removed battle"),
)
NAME = Content.assemble(
    ("SKIRMISH\n", "$accent bold"), ("WWII Plastic Skirmish at the table's edge", "$foreground 65%")
)
COLUMNS = 2
PER_COLUMN = -(-len(MENU) // COLUMNS)
FIRST_EVENING = "first-evening"
FIRST = Content.assemble(
    ("Your first evening\n", "bold"), "A small battle of two ready armies, explained as you play."
)
"""Shown as long as there are no battles."""
SHOWN = 50
AROUND = 6
"""Columns of a line for the number, the gaps and the scroll bar."""


class HomeScreen(Screen[None]):
    """The first screen. The menu is static text, so that it is part of the first paint and keys
    work before any footer is built."""

    TOPIC: ClassVar[str] = "home"
    HELP = (
        "Choose a battle with the arrows and press Enter to continue it. A letter opens everything "
        "else; the mouse does both. Each battle shows its turn and who is ahead: by what the "
        "victory terms count or, where that is counted only at the end, by losses."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys("home", *(row[:5] for row in MENU if row[4]), *OTHERS)
    ]

    def __init__(self) -> None:
        super().__init__()
        self._removed: BattleRecord | None = None
        self._battles: list[BattleRecord] = []
        self._looked = False

    def compose(self) -> ComposeResult:
        with Vertical(id="home"):
            with Vertical(id="start"):
                yield Static(NAME, markup=False)
                with Horizontal(id="menu"):
                    for number in range(COLUMNS):
                        yield Static(
                            menu_column(number, self.skirmish), classes="menu", markup=False
                        )
            yield Vertical(id="past")
        yield Static(self._keys, id="home-keys", markup=False)

    def on_mount(self) -> None:
        self.call_after_refresh(self.run_worker, self._first_look, group="look", exclusive=True)

    def on_resize(self) -> None:
        if self._battles:  # once the columns have their new widths
            self.call_after_refresh(self._show, self._battles)

    def on_screen_resume(self) -> None:
        if self._looked:
            for number, column in enumerate(self.query(".menu").results(Static)):
                column.update(menu_column(number, self.skirmish))
            self._look_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("follow", "remove"):
            return True if self._battles else None
        return True if action != "bring_back" or self._removed else None

    async def _first_look(self) -> None:
        """Run the quick query first; then open the store, which may have to create or repair the
        file."""
        from skirmish.store.readers import recent_battles

        glanced = await asyncio.to_thread(recent_battles, self.skirmish.where, SHOWN)
        if glanced is not None:
            await self._show(glanced)
        self._looked = True
        if glanced is None:  # keys do not wait while the file is created or repaired
            self._look_behind()
        else:  # the list is shown; load the ORM after the first keys
            self.set_timer(1.0, partial(self._look_behind, quiet=True))

    @work(group="look", exclusive=True)
    async def _look_again(self) -> None:
        await self._look()

    @work(group="background", exclusive=True)
    async def _look_behind(self, quiet: bool = False) -> None:
        await self._look(quiet)

    async def _look(self, quiet: bool = False) -> None:
        from skirmish.store.errors import StoreError

        try:
            battles = await self.skirmish.stored(lambda store: store.battles(SHOWN))
        except StoreError as error:
            await self._show([])
            self.query_one("#battles").display = False
            self.query_one("#none", Static).update(f"{UNUSABLE}. {error}")
            return
        if not quiet or battles != self._battles:
            await self._show(battles)
        if quiet and battles:  # preload the game that Enter would open
            await asyncio.to_thread(_load, battles[0].game)

    async def _show(self, battles: list[BattleRecord]) -> None:
        """List the battles, below the menu that was painted before they were known."""
        if not self.query("#past"):
            return  # closed meanwhile
        self._battles, self._looked = battles, True
        past = self.query_one("#past")
        if not self.query("#battles"):
            await past.mount(
                Static("", classes="section", markup=False),
                LineList(id="battles", classes="lines"),
                Static("", id="none", classes="quiet", markup=False),
            )
        listed = self.query_one(LineList)
        width = past.content_size.width - AROUND
        lines = {str(battle.id): _line(battle, width) for battle in battles}
        lines = lines or {FIRST_EVENING: FIRST}
        at = min(listed.highlighted or 0, len(lines) - 1)
        listed.show([(None, lines)], [*lines][at])
        if self.app.screen is self:
            listed.focus()
        listed.display = True
        new = menu_key("new_battle", self.skirmish)
        hint = "" if battles else f"Or press {new} for any other battle. It is saved automatically."
        self.query_one("#none", Static).update(hint)
        self.query_one(".section", Static).update("CONTINUE" if battles else "START HERE")
        self.query_one("#home-keys", Static).update(self._keys)
        self.refresh_bindings()

    @property
    def _keys(self) -> Content:
        app = self.skirmish
        shown = [("Enter", "Continue" if self._battles or not self._looked else "Start")]
        shown += [(menu_key("remove", app), "Remove")] if self._battles else []
        shown += [(menu_key("bring_back", app), "Undo")] if self._removed else []
        shown += [("?", "Keys"), ("Ctrl+P", "Commands"), (menu_key("quit", app), "Quit")]
        return Content("   ").join(
            Content.assemble((key, "$accent bold"), f" {word}") for key, word in shown
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == FIRST_EVENING:
            from skirmish import registry
            from skirmish.app.play.setup import begin
            from skirmish.games.plastic.setup_fields import BATTLE
            from skirmish.games.plastic.setup_fields import FIRST as FIRST_BATTLE

            game = registry.load("plastic")
            first = begin(self.skirmish, game, {BATTLE: FIRST_BATTLE})
            self.run_worker(first, group="resume", exclusive=True)
            return
        from skirmish.app.play.setup import resume

        if (chosen := self._chosen()) is not None:
            self.run_worker(resume(self.skirmish, chosen), group="resume", exclusive=True)

    # ------------------------------------------------------------------ the menu

    def action_print(self) -> None:
        from skirmish.app.printing import choose_what_to_print

        self.run_worker(choose_what_to_print(self.skirmish, self._chosen()), group="print")

    def action_follow(self) -> None:
        from skirmish.app.play.follow import follow

        if (chosen := self._chosen()) is not None:
            self.run_worker(follow(self.skirmish, chosen.id), group="resume", exclusive=True)
        else:
            self.notify("There is no battle to follow yet.", markup=False)

    # ------------------------------------------------------------------ the list

    def _chosen(self) -> BattleRecord | None:
        chosen = [listed.chosen for listed in self.query(LineList)]
        return next((one for one in self._battles if str(one.id) in chosen), None)

    async def action_remove(self) -> None:
        battle = self._chosen()
        if battle and await self._done(lambda store: store.remove("battle", battle.id)):
            self._removed = battle
            back = menu_key("bring_back", self.skirmish)
            self.notify(
                f"{battle.title} is removed from the list. {back} undoes this.", markup=False
            )
            await self._look()

    async def action_bring_back(self) -> None:
        battle = self._removed
        if battle and await self._done(lambda store: store.remove("battle", battle.id, back=True)):
            self._removed = None
            self.notify(f"{battle.title} is back on the list.", markup=False)
            await self._look()

    async def _done(self, job: Callable[[Store], None]) -> bool:
        async with self.skirmish.reporting("Not done"):
            await self.skirmish.stored(job)
            return True
        return False


def _load(game: str) -> None:
    from skirmish import registry

    with suppress(Exception):  # opening the game reports it
        registry.opened(game)
        registry.load(game)


def _line(battle: BattleRecord, width: int) -> Content:
    from skirmish.store.records import minute

    when = "finished  " * battle.over + minute(battle.updated)
    title = Content(battle.title).truncate(max(width - len(when) - 2, 10), ellipsis=True, pad=True)
    stands = Content("\n     ").join(Content(battle.headline).wrap(max(width, 10)))
    return Content.assemble(
        (f"{battle.id:>3}  ", "bold"),
        title.stylize("bold"),
        (f"  {when}\n", "$foreground 65%"),
        "     ",
        stands.stylize("$foreground 80%"),
    )


def menu_key(verb: str, app: Host) -> str:
    key = next(one[1] for one in (*MENU, *OTHERS) if one[0] == verb)
    return app.key(f"home.{verb}", key)


def menu_column(number: int, app: Host) -> Content:
    lines = MENU[number * PER_COLUMN : (number + 1) * PER_COLUMN]
    return Content("\n").join(
        Content.assemble(
            (f"{menu_key(verb, app):>3}  ", "$accent bold"),
            Content.assemble((f"{word:<12}", "bold"), why).stylize(
                Style.from_meta({"@click": action})
            ),
        )
        for verb, _, action, word, _, why in lines
    )
