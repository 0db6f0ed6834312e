"""Doors from the battle screen: to its windows, the journal, the summary, the printer, home."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable

from textual.content import Content

from skirmish.app.battle import windows
from skirmish.app.battle.kept import BattleSession
from skirmish.app.guard import extra
from skirmish.app.host import Screen
from skirmish.app.reference.in_force import InForce
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.state import State


class BattleRooms(Screen[None]):
    """A screen about a battle that is being fought; ``order`` carries out what a window gave."""

    def __init__(self, kept: BattleSession) -> None:
        super().__init__()
        self.kept = kept

    @abstractmethod
    async def order(self, order: AnyOrder) -> bool:
        """Carry out an order; whether that could be done."""

    @property
    def state(self) -> State:
        """Where the battle stands."""
        return self.kept.state

    @property
    def in_force(self) -> InForce:
        """The rulings that this battle is played by, for the reference."""
        setup = self.state.setup
        number = setup.scenario.number if setup.scenario else None
        return InForce(answers=setup.rulings, whose="as in this battle", scenario=number)

    def action_levels(self) -> None:
        """Referee, clerk or ledger, by side."""
        self._in_window(lambda: windows.ask_level(self.skirmish, self.state))

    def action_options(self) -> None:
        """Optional rules, one after the other until Esc."""
        self._in_window(lambda: windows.ask_options(self.skirmish, lambda: self.state), again=True)

    def action_seal(self) -> None:
        """A secret."""
        self._in_window(lambda: windows.ask_seal(self.skirmish, self.state))

    def action_note(self) -> None:
        """Words of the players' own."""
        self._in_window(lambda: windows.ask_note(self.skirmish))

    def action_finish(self) -> None:
        """Ask who won."""
        self._in_window(lambda: windows.ask_finish(self.skirmish, self.state))

    def action_journal(self) -> None:
        """The whole journal."""
        from skirmish.app.battle.journal_screen import JournalScreen

        self.app.push_screen(JournalScreen(self.kept.play))

    def action_news(self) -> None:
        """All that is due, and how victory stands."""
        from skirmish.app.battle.news import everything
        from skirmish.app.windows import LinesScreen

        due = extra("The list is", lambda: everything(self.kept.play), Content)
        self.app.push_screen(LinesScreen("What is due, and how it stands", due))

    def action_summary(self) -> None:
        """The summary of the battle."""
        from skirmish.app.battle.summary_screen import SummaryScreen

        self.app.push_screen(SummaryScreen(self.kept))

    def action_print(self) -> None:
        """Ask what: the sheet or rosters, as they stand, the position, the report."""
        from skirmish.app.print_choice import choose_document

        self.run_worker(choose_document(self.skirmish, self.kept), group="print")

    def action_scenario(self) -> None:
        """The map and the other pages of the scenario; two armies have none."""
        from skirmish import library
        from skirmish.app.scenarios.pages import Source

        setup, app = self.state.setup, self.skirmish
        if setup.scenario is None:
            self.action_news()
            return
        book = library.rulings()
        source = Source(setup.scenario, setup.catalog, book, setup.rulings, app.measured, {})
        self.skirmish.show("scenarios", source)

    def action_rulings(self) -> None:
        """The rulings that this battle is played by."""
        from skirmish.app.reference.rulings import RulingsScreen

        setup = self.state.setup
        number = setup.scenario.number if setup.scenario else None
        self.app.push_screen(RulingsScreen(setup.rulings, number))

    def action_home(self) -> None:
        """Back home; everything is kept."""
        self.dismiss()

    def _in_window(
        self, ask: Callable[[], Awaitable[AnyOrder | None]], again: bool = False
    ) -> None:
        async def asked() -> None:
            while (order := await ask()) is not None:
                if not await self.order(order) or not again:
                    return

        self.run_worker(asked(), exclusive=True, group="window")
