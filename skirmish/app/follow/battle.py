"""A battle as others fight it, with both armies in sight, its verdicts in large letters."""

from __future__ import annotations

from collections.abc import Sequence
from types import UnionType
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.battle.header import VERBS, Tab
from skirmish.app.binding import keys
from skirmish.app.fitting import shortened
from skirmish.app.follow.screen import FollowScreen
from skirmish.app.follow.view import FollowView
from skirmish.app.follow.words import Said, eyes, painted
from skirmish.games.plastic.battle.events import Checked, HitsCounted, Judged, Tabled, Tested
from skirmish.games.plastic.battle.record import BattlePlay, codec
from skirmish.games.plastic.battle.view import seen, seen_status
from skirmish.games.plastic.game import topics
from skirmish.tabletop.game import Viewer
from skirmish.tabletop.typed import plain

TOPIC = "follow"
NAME = 16
"""Cells of whose eyes these are."""
PAGE = 8
"""Lines or rows that a Page key turns."""


SHOWN = HitsCounted | Judged | Tested | Checked | Tabled


class FollowBattle(FollowScreen):
    """A battle of WWII Plastic Skirmish."""

    CSS_PATH = "follow.tcss"
    TOPIC: ClassVar[str] = TOPIC
    AUTO_FOCUS = None
    VERDICTS: ClassVar[UnionType] = SHOWN
    HELP = (
        "A battle that is being played in another terminal or browser tab. Nothing can be changed "
        "from here. When several results arrive at once, each is shown for two seconds.\n"
        "Hidden units are not shown to spectators or to the other side until they are revealed. "
        "One key switches between the spectator's view and the view of each side."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        TOPIC,
        ("eyes", "v", "eyes", "view", "Watch as a spectator or as one of the sides"),
        ("up", "up", "scroll(-1)", "", "Scroll the journal up"),
        ("down", "down", "scroll(1)", "", "Scroll the journal down"),
        ("page_up", "pageup", "page(-1)", "", "Previous page of rows or lines"),
        ("page_down", "pagedown", "page(1)", "", "Next page of rows or lines"),
        ("both_sides", "f3", "turn_to('both')", "", "Show both sides"),
        ("first_side", "f4", "turn_to('first')", "", "Show the first side in full"),
        ("second_side", "f5", "turn_to('second')", "", "Show the second side in full"),
        ("journal_page", "f6", "turn_to('journal')", "", "Show the journal"),
        ("due_page", "f7", "turn_to('due')", "", "Show the victory status and reinforcements"),
        ("home", "escape,H", "home", "home", "Back to the home screen"),
    )

    def __init__(self, number: int) -> None:
        super().__init__(codec, number)
        self.page: Tab = "both"
        self._seen: tuple[tuple[object, int, Viewer], BattlePlay] | None = None

    @property
    def viewers(self) -> Sequence[Viewer]:
        """An onlooker, then each side."""
        return [None, *(self.real.state.setup.side_by_id if self.real else ())]

    @property
    def play(self) -> BattlePlay | None:
        """The battle as those eyes see it, worked out when it or they change; None before the first
        look."""
        if self.real is None:
            return None
        now = (self.real, len(self.real.entries), self.viewer)
        if self._seen is None or self._seen[0] != now:
            self._seen = (now, seen(self.real, self.viewer))
        return self._seen[1]

    @property
    def paragraph(self) -> str:
        """The rule of what is on the screen."""
        play = self.play
        found = library.reference().on(*topics(play, None)) if play else None
        return found.id if found else ""

    def compose(self) -> ComposeResult:
        """A word until the first look is done."""
        yield Static(f"Opening battle {self.number} ...", id="opening", markup=False)

    async def open(self) -> None:
        """The picture instead of that word."""
        opening = self.query("#opening")
        if self.real is not None and opening:
            await opening.remove()
            await self.mount(FollowView(self.real.state.setup))

    def _built(self) -> list[FollowView]:
        """The battle's picture, once all its parts are there."""
        return [view for view in self.query(FollowView) if view.is_mounted]

    def show(self) -> None:
        """Everything, from the battle as it is seen."""
        play, views = self.play, self._built()
        if play is None or not views:
            if self.trouble:
                self.query_one("#opening", Static).update(f"{self.trouble}  Esc: home")
            return
        keys = self.skirmish.settings.keys
        mapped = {
            f"battle.{verb}": keys.get(f"{TOPIC}.{verb}", key)
            for verb, key in zip(VERBS.values(), ("f3", "f4", "f5", "f6", "f7"), strict=True)
        }
        views[0].show(
            play,
            seen_status(self.real.state, self.viewer) if self.real else (),
            self.page,
            told=lambda text: self.skirmish.measured(plain(text)),
            mapped=mapped,
            below=self._below(),
        )

    def _below(self) -> Content:
        """Whose eyes these are and the keys; or what is wrong."""
        if self.trouble:
            return painted([[(self.trouble, "alarm")]])
        who = shortened(eyes(self.real.state, self.viewer), NAME) if self.real else ""
        line: Said = [("FOLLOWING ", "strong"), (f"as {who}   ", "")]
        if self.removed:
            line.append(("deleted   ", "alarm"))
        if self.coming:
            line.append(("catching up   ", "alarm"))
        keys = [
            (self.app.get_key_display(binding), binding.description, f"screen.{binding.action}")
            for binding in self.BINDINGS
            if isinstance(binding, Binding) and binding.show
        ]
        return Content.assemble(
            painted([line]),
            *(
                Content.assemble((key, "$accent bold"), f" {word}   ").stylize(f"@click={does}")
                for key, word, does in (*keys, ("?", "keys", "app.show_help"))
            ),
        )

    # ------------------------------------------------------------------ keys

    def action_scroll(self, by: int) -> None:
        """The journal up or down."""
        for view in self._built():
            view.scroll(by)

    def action_page(self, by: int) -> None:
        """Rows that did not fit; on a page of lines, these."""
        for view in self._built():
            if view.turn_rows(by * PAGE):
                self.show()
            else:
                view.scroll(by * PAGE)

    def action_turn_to(self, page: Tab) -> None:
        """Another page; the one that is open already gives way to both sides."""
        self.page = "both" if page == self.page else page
        self.show()

    def action_home(self) -> None:
        """Back home."""
        self.dismiss()
