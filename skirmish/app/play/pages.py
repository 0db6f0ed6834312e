"""Pages of any game to read: rules, summary, the journal with its undo."""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.fitting import hanging
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.page_screen import PageScreen
from skirmish.app.page_view import DIM, HEAD
from skirmish.app.session import AnySession
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.page import Heading
from skirmish.tabletop.typed import plain


class SummaryPage(PageScreen):
    """What a game has come to; below it the scores of finished games, if they are compared."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(lambda: session.game.summary(session.play))
        self._session = session

    def on_mount(self) -> None:
        self.run_worker(self._read(), group="scores", exclusive=True)

    async def _read(self) -> None:
        from skirmish.store.errors import StoreError
        from skirmish.store.finished import finished

        session = self._session
        try:
            scores = await self.skirmish.stored(
                lambda store: session.game.scores(
                    finished(store, session.game, session.id), session.id
                )
            )
        except StoreError as error:
            self.notify(str(error), markup=False)
            return
        if scores is not None and self.is_attached:
            self._page = self._page.with_blocks([Heading(scores.title), *scores.blocks])
            self.on_resize()


class JournalPage(Screen[None]):
    """Every line of the journal; Enter goes back to the chosen one, ``v`` makes it void."""

    CSS_PATH = "../journal.tcss"
    TOPIC: ClassVar[str] = "journal"
    EXTRA = "The journal is"
    HELP = (
        "Enter undoes everything after the chosen line in one step; Ctrl+Y in the game brings it "
        "back. v makes the chosen line void; later lines stand."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "void", "Make void", tooltip="Make the chosen line void",
                id="play-journal.void"),
        Binding("escape,q,J", "dismiss", "Back", key_display="Esc", tooltip="Back to the game",
                id="play-journal.back"),
    ]  # fmt: skip

    def __init__(self, session: AnySession) -> None:
        super().__init__()
        self._session = session

    def compose(self) -> ComposeResult:
        yield Static("JOURNAL", id="title", classes="title", markup=False)
        yield OptionList(id="lines", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self._list()

    def on_resize(self) -> None:
        self._list()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        return action != "void" or self._session.game.voids

    def _list(self) -> None:
        lines = self._session.game.journal(self._session.play)
        listed, width = self.query_one("#lines", OptionList), self.app.size.width - 4
        listed.clear_options()
        for turn, of_turn in groupby(lines, lambda line: line.turn):
            if turn:
                listed.add_option(Option(Content.styled(f"TURN {turn}", HEAD), disabled=True))
            listed.add_options(
                Option(
                    Content("\n").join(hanging(_line(one), width, 5)),
                    id=f"{one.number} {turn} {at}",
                )
                for at, one in enumerate(of_turn)
            )
        listed.highlighted = listed.option_count - 1 if lines else None
        listed.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        number = int((event.option_id or "0").split()[0])
        self.run_worker(self._change(lambda: self._session.back(number)), exclusive=True)

    def action_void(self) -> None:
        listed = self.query_one("#lines", OptionList)
        if listed.highlighted is not None:
            chosen = listed.get_option_at_index(listed.highlighted).id or "0"
            number = int(chosen.split()[0])
            self.run_worker(self._change(lambda: self._session.void([number])), exclusive=True)

    async def _change(self, change: object) -> None:
        from skirmish.store.errors import StoreError
        from skirmish.tabletop.journal import RecordError
        from skirmish.tabletop.refusal import Refused

        try:
            await change()  # type: ignore[operator]
        except (Refused, StoreError, RecordError) as error:
            self.notify(str(error), markup=False)
        except (LookupError, ValueError, AttributeError):
            self.notify("Later lines depend on this one; undo them first.", markup=False)
        self._list()


def _line(one: JournalLine) -> Content:
    return Content.assemble((f"{one.number:>4} ", DIM), plain(one.words))
