"""The summary of a battle, finished or not, and the luck of both sides."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from skirmish.app.binding import keys
from skirmish.app.page_screen import PageScreen
from skirmish.games.plastic.luck import luck_page
from skirmish.games.plastic.report import summary_page
from skirmish.session import AnySession


class SummaryScreen(PageScreen):
    """Computed each time it is opened."""

    HELP = (
        "Losses count as the journal stands now: what was undone or made void is left out, and "
        "what was written off by hand has a column of its own."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "summary",
        ("back", "Y", "app.pop_screen", "", "Back"),
        ("print", "p,P", "print", "Print", "Print the report"),
        ("luck", "l", "luck", "Luck",
         "Who had the luck: kills that were to be expected, and kills made"),
    )  # fmt: skip

    def __init__(self, session: AnySession) -> None:
        super().__init__(lambda: summary_page(session.play))
        self._session = session

    def action_print(self) -> None:
        from skirmish.app.printing import print_of_game
        from skirmish.sheets.plastic import PLASTIC

        job = print_of_game(self.skirmish, PLASTIC["report"], self._session)
        self.run_worker(job, group="print")

    def action_luck(self) -> None:
        self.app.push_screen(LuckScreen(self._session))


class LuckScreen(PageScreen):
    TOPIC: ClassVar[str] = "luck"
    WORK: ClassVar[str] = "Adding up all the chances"
    paragraph = "odds"
    HELP = (
        "Expected kills are the chances of all shots, each with the cards that were left before "
        "its draw. “Luckier than 80%”: with the same chances, 80 of 100 sides would have killed "
        "fewer. A hit counts as one kill, whoever was aboard."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "luck", ("back", "l", "app.pop_screen", "", "Back to the summary")
    )

    def __init__(self, session: AnySession) -> None:
        super().__init__(lambda: luck_page(session.play, self.skirmish.settings.deck_knowledge))
