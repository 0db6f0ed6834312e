"""Following a battle that is played elsewhere, as a spectator or one side sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from skirmish.app.battle.header import PAGES
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.page_view import STRONG
from skirmish.app.play.big_letters import high, largest, low
from skirmish.app.play.follow import Following
from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.record import BattleEntry
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import VictoryStatus
from skirmish.games.plastic.battle.view import seen_status
from skirmish.games.plastic.commands.asked import prompt
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.page import Page

TOPIC = "follow"
PAGE = 8


class FollowBattle(BattleScreen, Following, inherit_bindings=False):
    TOPIC: ClassVar[str] = TOPIC
    SCROLLS = True
    HELP = (
        "A battle that is being played in another terminal or browser tab. Nothing can be changed "
        "from here. When several results arrive at once, each is shown for two seconds.\n"
        "Hidden units are not shown to spectators or to the other side until they are revealed. "
        "One key switches between the spectator's view and the view of each side."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        TOPIC,
        ("eyes", "v", "eyes", "View", "Watch as a spectator or as one of the sides"),
        ("up", "up", "scroll(-1)", "", "Scroll the journal up"),
        ("down", "down", "scroll(1)", "", "Scroll the journal down"),
        ("page_up", "pageup", f"page(-{PAGE})", "", "Previous page of rows or lines"),
        ("page_down", "pagedown", f"page({PAGE})", "", "Next page of rows or lines"),
        *PAGES,
        ("home", "escape,H", "home", "Home", "Back to the home screen"),
    )

    def help_groups(self) -> list[tuple[str, list[str]]]:
        return []

    @property
    def sides(self) -> Mapping[str, str]:
        return {side.id: side.people for side in self.state.setup.sides}

    def is_verdict(self, entry: BattleEntry) -> bool:
        shown = events.HitsCounted | events.Judged | events.Tested | events.Checked | events.Tabled
        return any(isinstance(event, shown) for event in entry.events)

    def in_front(self, width: int, *, tall: bool) -> list[Content]:
        state: State = self.state
        verdict = self.game.verdict(self.session.play)
        sizes = (low,) if verdict is not None or not tall else (high, low)
        rows = []
        if state.outcome is None and (tall or verdict is None):
            fires = largest(f"{people(state, state.firing_side)} fire", width, sizes)
            rows += [Content.styled(row, "$accent") for row in fires.split("\n")]
        waits = Content.styled(self.formatted(awaited(state)), STRONG)
        return [*rows, self.seen_by(), *([waits] if waits.plain else [])]

    def foot(self) -> Foot:
        return Foot()

    def statuses(self) -> Sequence[VictoryStatus]:
        return seen_status(self.session.real.state, self.viewer)

    def news(self) -> Page:
        return Page("")

    def show_keys(self, columns: int) -> None:
        self.refresh_bindings()

    def action_scroll(self, by: int) -> None:
        for room in self.query("#beside-room, #journal-room").results(VerticalScroll):
            if room.display:
                room.scroll_relative(y=by, animate=False)


def awaited(state: State) -> str:
    """The open question, without how it is answered."""
    if isinstance(state.ask, RepeatAsk):
        return f"{people(state, piece_side(state.ask.shot.piece))} may fire again."
    asked = prompt(state)
    text = Draft(command=asked).text if asked is not None else ""
    return text.partition(". ")[0]


def people(state: State, side: str) -> str:
    return state.setup.side_by_id[side].people
