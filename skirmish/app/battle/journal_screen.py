"""The whole journal of a battle, newest last; what was taken back or struck on demand."""

from __future__ import annotations

from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.foot import Foot
from skirmish.app.host import Host, Screen
from skirmish.games.plastic.battle.lines import Line, lines, whole_journal
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.tabletop.typed import plain


class JournalScreen(Screen[None]):
    """One line for each whole thing that happened."""

    CSS_PATH = "../journal.tcss"
    TOPIC: ClassVar[str] = "journal"
    EXTRA = "The journal is"
    HELP = "The arrows and Page keys scroll. Void and undone lines are hidden; h shows them."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,J", "dismiss", "Back", key_display="Esc",
                tooltip="Back to the battle", id="journal.back"),
        Binding("h", "show_all", "Hidden",
                tooltip="Show or hide void and undone lines", id="journal.hidden"),
    ]  # fmt: skip

    def __init__(self, play: BattlePlay) -> None:
        super().__init__()
        self._play = play
        self._all = False

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="title", markup=False)
        yield OptionList(id="lines", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self._list()

    def action_show_all(self) -> None:
        self._all = not self._all
        self._list()

    def _told(self, text: str) -> str:
        return cast("Host", self.app).measured(plain(text))

    def _list(self) -> None:
        found = whole_journal(self._play) if self._all else _standing(self._play)
        found = tuple(line for line in found if line.says)
        hidden = sum(line.struck or line.undone for line in whole_journal(self._play))
        more = "" if not hidden else f"   {hidden} void or undone: h"
        title = f"JOURNAL  {plain(self._play.state.setup.title)}   {len(found)} lines{more}"
        self.query_one("#title", Static).update(title)
        listed = self.query_one("#lines", OptionList)
        listed.clear_options()
        listed.add_options(Option(_content(line, self._told(line.says))) for line in found)
        listed.focus()
        if found:
            listed.highlighted = len(found) - 1


def _standing(play: BattlePlay) -> tuple[Line, ...]:
    return tuple(line for line in lines(play) if not line.struck)


def _content(line: Line, says: str) -> Content:
    note, style = "", ""
    if line.struck:
        note, style = " (void)", "$foreground 50% strike"
    elif line.undone:
        note, style = " (undone)", "$foreground 50% strike"
    return Content.assemble((f"{line.number:>4} ", "$accent"), (says, style), note)
