"""Home: what was played last, and one key for each thing that can be done."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

if TYPE_CHECKING:
    from collections.abc import Callable

    from skirmish.app.application import SkirmishApp
    from skirmish.store.desk import Store
    from skirmish.store.records import BattleRecord

SHOWN = 50
"""How many battles the list holds; older ones stay in the database."""

MENU = (
    ("n", "New battle", "a historical scenario, or two armies", "screen.new_battle"),
    ("a", "Armies", "build them, check them, print their rosters", "screen.armies"),
    ("p", "Print", "a scenario sheet for the table", "screen.print"),
    ("r", "Rulings", "where the rules leave a gap, and how it is filled", "screen.rulings"),
    ("?", "Keys", "what the keys do, here and on every screen", "app.show_help"),
    ("q", "Quit", "everything is kept", "app.quit"),
)


class HomeScreen(Screen[None]):
    """The first screen. The menu is static text, keys and all: it is there with the first paint,
    and no footer has to be built before a key is taken."""

    HELP = "Choose a battle with the arrows and Enter to go on with it."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_battle", "New battle", tooltip="Fight a scenario, or two armies"),
        Binding("a", "armies", "Armies", tooltip="Build and print armies"),
        Binding("p", "print", "Print", tooltip="Print a scenario sheet"),
        Binding("r", "rulings", "Rulings", tooltip="The gaps in the rules, and their answers"),
        Binding("delete", "remove", "Remove", show=False, tooltip="Take a battle off the list"),
        Binding(
            "u", "bring_back", "Bring back", show=False, tooltip="Bring back the battle removed"
        ),
        Binding("q", "app.quit", "Quit", tooltip="Close; everything is kept"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._removed: BattleRecord | None = None
        self._battles: list[BattleRecord] = []
        self._looked = False

    @property
    def skirmish(self) -> SkirmishApp:
        """The app."""
        return cast("SkirmishApp", self.app)

    def compose(self) -> ComposeResult:
        """Title, menu, battles."""
        with Vertical(id="home"):
            yield Static("SKIRMISH", id="name", markup=False)
            yield Static("WWII Plastic Skirmish at the table's edge", classes="quiet", markup=False)
            yield Static(
                Content("\n").join(
                    Content.assemble(
                        (f"  {key}  ", "$accent bold"),
                        Content.assemble((f"{what:<12}", "bold"), why).stylize(f"@click={action}"),
                    )
                    for key, what, why, action in MENU
                ),
                id="menu",
            )
            yield Static("GO ON WITH", classes="section", markup=False)
            yield OptionList(id="battles", markup=False)
            yield Static("", id="none", classes="quiet", markup=False)

    def on_mount(self) -> None:
        """Look for battles once the menu is on the screen."""
        self.call_after_refresh(self.run_worker, self._first_look(), group="look", exclusive=True)

    def on_screen_resume(self) -> None:
        """Back from a battle: it may stand elsewhere now."""
        if self._looked:
            self.run_worker(self._look(), group="look", exclusive=True)

    async def _first_look(self) -> None:
        """The quick query first; then the store, which may have to make or mend the file."""
        from skirmish.store.glance import recent_battles

        glanced = await asyncio.to_thread(recent_battles, self.skirmish.where, SHOWN)
        if glanced is not None:
            self._show(glanced)
        self._looked = True
        if glanced is None:
            await self._look()
        else:  # the list is there already; the ORM need not load in the way of the first keys
            self.set_timer(1.0, self._look_quietly)

    def _look_quietly(self) -> None:
        self.run_worker(self._look(quiet=True), group="look", exclusive=True)

    async def _look(self, quiet: bool = False) -> None:
        from skirmish.store.errors import StoreError

        try:
            battles = await self.skirmish.stored(lambda store: store.battles(SHOWN))
        except StoreError as error:
            self._show([])
            self.query_one("#none", Static).update(f"The database cannot be used. {error}")
            return
        if not quiet or battles != self._battles:
            self._show(battles)

    def _show(self, battles: list[BattleRecord]) -> None:
        self._battles = battles
        listed = self.query_one("#battles", OptionList)
        chosen = listed.highlighted
        listed.clear_options()
        listed.add_options(
            Option(
                Content.assemble(
                    (f"{battle.id:>3}  {battle.title[:36]:<38}", "bold"),
                    (f"{_when(battle.updated)}\n", "$foreground 65%"),
                    (f"  {battle.headline[:70]}", "$foreground 80%"),
                ),
                id=str(battle.id),
            )
            for battle in battles
        )
        if battles:
            listed.highlighted = min(chosen or 0, len(battles) - 1)
            listed.focus()
        listed.display = bool(battles)
        hint = "" if battles else "No battle yet. Press n to begin one; it is kept by itself."
        self.query_one("#none", Static).update(hint)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Resume the battle."""
        if event.option_id:
            self.run_worker(self._resume(int(event.option_id)), group="resume", exclusive=True)

    async def _resume(self, battle: int) -> None:
        from skirmish.app.battle_screen import BattleScreen
        from skirmish.app.kept_battle import KeptBattle
        from skirmish.games.plastic.battle.record import RecordError
        from skirmish.store.errors import StoreError

        try:
            kept = await KeptBattle.resumed(self.skirmish.stored, battle)
        except (StoreError, RecordError) as error:
            await self.skirmish.tell("This battle cannot be opened", str(error))
            return
        await self.app.push_screen(BattleScreen(kept))

    def action_new_battle(self) -> None:
        """Choose what to fight."""
        from skirmish.app.new_battle import NewBattleScreen

        self.app.push_screen(NewBattleScreen())

    def action_armies(self) -> None:
        """The armies."""
        from skirmish.app.armies import ArmiesScreen

        self.app.push_screen(ArmiesScreen())

    def action_print(self) -> None:
        """Choose a scenario to print."""
        from skirmish.app.printing import choose_scenario_to_print

        self.run_worker(choose_scenario_to_print(self.skirmish), group="print")

    def action_rulings(self) -> None:
        """The gaps in the rules."""
        from skirmish.app.rulings_screen import RulingsScreen

        self.app.push_screen(RulingsScreen({}))

    async def action_remove(self) -> None:
        """Take the chosen battle off the list; ``u`` brings it back."""
        chosen = self.query_one("#battles", OptionList).highlighted
        if chosen is None or not self._battles:
            return
        battle = self._battles[chosen]
        if await self._done(lambda store: store.remove_battle(battle.id)):
            self._removed = battle
            self.notify(f"{battle.title} taken off the list. u brings it back.", markup=False)
            await self._look()

    async def action_bring_back(self) -> None:
        """Bring back what was taken off last."""
        battle = self._removed
        if battle and await self._done(lambda store: store.restore_battle(battle.id)):
            self._removed = None
            await self._look()

    async def _done(self, job: Callable[[Store], None]) -> bool:
        """Whether the store could do it; if not, the player is told."""
        from skirmish.store.errors import StoreError

        try:
            await self.skirmish.stored(job)
        except StoreError as error:
            await self.skirmish.tell("Not done", str(error))
            return False
        return True


def _when(updated: str) -> str:
    """A moment of the store (UTC) as the clock on the wall has it."""
    return f"{datetime.fromisoformat(updated).astimezone():%Y-%m-%d %H:%M}"
