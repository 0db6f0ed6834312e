"""The summary of a battle with its casualty strip, and the page behind it: who had the luck."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import msgspec
from textual.binding import BindingType
from textual.content import Content

from skirmish.app.binding import keys
from skirmish.app.page_screen import TWO_COLUMNS_FROM, PageScreen, SummaryPage
from skirmish.app.text_styles import STRONG
from skirmish.extras import unless_it_fails
from skirmish.session import AnySession
from skirmish.tabletop.page import Beside, Block, Heading, Page

if TYPE_CHECKING:
    from skirmish.games.plastic.casualties import Casualty, CasualtyStrip


class SummaryScreen(SummaryPage):
    """The summary of a battle, from which its report is printed and its luck is shown."""

    HELP = (
        "Losses count as the journal stands now: what was undone or made void is left out, and "
        "what was written off by hand has a column of its own. Left and Right choose a loss of the "
        "strip, and Enter opens its line of the journal; so does a click."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "summary",
        ("open", "enter", "open", "", "Open the journal at the chosen loss"),
        ("back", "Y", "app.pop_screen", "", "Back"),
        ("print", "p,P", "print", "Print", "Print the report"),
        ("luck", "l", "luck", "Luck",
         "Who had the luck: kills that were to be expected, and kills made"),
        ("loss", "right", "choose(1)", "Losses", "The next loss of the strip"),
        ("loss_before", "left", "choose(-1)", "", "The loss before"),
    )  # fmt: skip

    def __init__(self, session: AnySession, open_journal: Callable[[int], None]) -> None:
        super().__init__(session)
        self._open_journal = open_journal
        self._steps: int | None = None
        """How many losses the player has gone on from the first; past the last one the first comes
        again. None: no loss is chosen."""
        self._entries_shown = len(session.play)

    def on_screen_resume(self) -> None:
        entries = len(self._session.play)
        if entries != self._entries_shown:  # lines were undone or made void in the journal
            self._entries_shown = entries
            self._steps = None
            self.show_anew()

    def picture(self, width: int) -> Content | None:
        return unless_it_fails(
            partial(self._casualty_picture, width),
            instead=Content,
            failure="The casualty strip is not available",
        )

    def _casualty_picture(self, width: int) -> Content:
        """The casualty strip, with the chosen loss in words below it."""
        from skirmish.app.battle.strip import loss_line, strip_lines

        strip = self._casualty_strip()
        loss = self._chosen_loss(strip)
        chosen_piece = ""
        if loss is not None:
            chosen_piece = loss.piece
        signs = self._session.play.state.setup.signs
        lines = strip_lines(strip, signs, width, chosen_piece=chosen_piece)
        if loss is not None:
            words = self.skirmish.measured(loss_line(strip, loss))
            lines.append(Content.styled(f"{words} Enter: its line of the journal.", STRONG))
        return Content("\n").join(lines)

    def _casualty_strip(self) -> CasualtyStrip:
        from skirmish.games.plastic.casualties import casualty_strip

        return casualty_strip(self._session.play)

    def _chosen_loss(self, strip: CasualtyStrip) -> Casualty | None:
        """The loss that the player has chosen, if any."""
        losses = strip.in_order
        if self._steps is None or not losses:
            return None
        return losses[self._steps % len(losses)]

    def action_choose(self, by: int) -> None:
        """Choose the next loss (1) or the one before (-1). Where none is chosen yet, that is the
        first or the last of all."""
        if self._steps is not None:
            self._steps += by
        elif by > 0:
            self._steps = 0
        else:
            self._steps = -1  # one back from the first is the last
        self.paint()

    def action_open(self) -> None:
        """Open the line of the chosen loss; close the page if none is chosen."""
        loss = self._chosen_loss(self._casualty_strip())
        if loss is None:
            self.app.pop_screen()
        else:
            self._open_journal(loss.entry)

    def action_look(self, entry: int) -> None:
        """Open the line of a loss that was clicked."""
        self._open_journal(entry)

    def action_print(self) -> None:
        from skirmish.app.printing import print_of_game
        from skirmish.sheets.plastic import DOCUMENT_BY_ID

        job = print_of_game(self.skirmish, DOCUMENT_BY_ID["report"], self._session)
        self.run_worker(job, group="print")

    def action_luck(self) -> None:
        self.app.push_screen(LuckScreen(self._session))


class LuckScreen(PageScreen):
    """Kills expected and kills made. The chance of every shot is worked out anew, which takes long:
    meanwhile the screen says ``WORK``."""

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
        from skirmish.games.plastic.luck_page import luck_page

        def compute_page() -> Page:
            deck_knowledge = self.skirmish.settings.deck_knowledge
            return luck_page(session.play, deck_knowledge, with_shots=True)

        super().__init__(compute_page, session.game.colours(session.state))

    def painted_page(self, page: Page, width: int) -> Content:
        if width >= TWO_COLUMNS_FROM:
            page = _with_shots_beside(page)
        return super().painted_page(page, width)


def _with_shots_beside(page: Page) -> Page:
    """The page of luck with its last section, the list of shots, beside all the others."""
    from skirmish.games.plastic.luck_page import SHOTS

    others: list[Block] = []
    shots: list[Block] = []
    section = others
    for block in page.in_one_column():
        if isinstance(block, Heading) and block.text == SHOTS:
            section = shots
        section.append(block)
    return msgspec.structs.replace(page, blocks=(Beside(tuple(others), tuple(shots)),))
