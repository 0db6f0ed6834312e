"""The battle screen of an onlooker, who sees what a spectator or a side may see and orders
nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from skirmish.app.battle import header
from skirmish.app.battle.forces import side_style
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.binding import KeyGroup, keys
from skirmish.app.foot import Foot
from skirmish.app.play.big_letters import Enlarge, high_letters, largest, low_letters
from skirmish.app.play.follow import Following
from skirmish.app.text_styles import STRONG
from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.record import BattleEntry
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory_questions import VictoryStatus
from skirmish.games.plastic.battle.view import seen_status
from skirmish.games.plastic.commands.asked import prompt
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.page import Page

RESULTS = events.HitsCounted | events.Judged | events.Tested | events.Checked | events.TableDrawn
"""Events with a result that everybody wants to see: of a shot or volley, a test, a check, a table
that is drawn on."""


class FollowBattle(BattleScreen, Following, inherit_bindings=False):
    """The battle screen without its bindings: those here order nothing."""

    TOPIC: ClassVar[str] = "follow"
    SCROLLS = True
    JOURNAL = ""  # no key opens the whole journal
    HELP = (
        "A battle that is being played in another terminal or browser tab. Nothing can be changed "
        "from here. When several results arrive at once, each is shown for two seconds.\n"
        "Hidden units are not shown to spectators or to the other side until they are revealed. "
        "One key switches between the spectator's view and the view of each side."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "follow",
        ("eyes", "v", "eyes", "View", "Watch as a spectator or as one of the sides"),
        ("up", "up", "scroll(-1)", "", "Scroll the journal up"),
        ("down", "down", "scroll(1)", "", "Scroll the journal down"),
        ("page_up", "pageup", "page(-8)", "", "Previous page of rows or lines"),
        ("page_down", "pagedown", "page(8)", "", "Next page of rows or lines"),
        *header.PAGES,
        ("home", "escape,H", "home", "Home", "Back to the home screen"),
    )

    def help_groups(self) -> list[KeyGroup]:
        """No groups: without orders there are too few keys for headings."""
        return []

    def is_verdict(self, entry: BattleEntry) -> bool:
        return any(isinstance(event, RESULTS) for event in entry.events)

    def draft_rows(self, width: int, *, tall: bool) -> list[Content]:
        """In place of a draft: who fires, in large letters, through whose eyes the battle is seen,
        and the open question."""
        state: State = self.state
        has_verdict = self.verdict is not None
        rows = []
        # On a low screen the verdict needs the rows of the large letters.
        if state.outcome is None and (tall or not has_verdict):
            sizes: list[Enlarge] = [low_letters]
            if tall and not has_verdict:
                sizes = [high_letters, low_letters]
            rows += _who_fires(state, width, sizes)
        rows.append(self.viewer_line())
        question = Content.styled(self.formatted(question_in_words(state)), STRONG)
        if question.plain:
            rows.append(question)
        return rows

    def acting(self) -> list[header.WhoActs]:
        return []  # ``draft_rows`` shows who fires in large letters; once is enough

    def foot(self) -> Foot:
        """The keys of this screen, without those that give orders."""
        return Foot()

    def show_below(self, width: int, free_rows: int) -> int:
        """Nothing: onlookers have no casualty strip."""
        del width, free_rows
        return 0

    def statuses(self) -> Sequence[VictoryStatus]:
        # From the whole play: whether a side can still win depends on hidden pieces, too.
        # ``seen_status`` tells the viewer nothing that he may not know.
        return seen_status(self.session.whole_play.state, self.viewer)

    def due(self) -> Page:
        """Nothing: what is due is a reminder for those who play."""
        return Page("")

    def show_keys(self, columns: int) -> None:
        del columns
        self.refresh_bindings()  # the foot shows them by itself

    def action_scroll(self, by: int) -> None:
        """Scroll the journal, wherever it stands on this screen."""
        # The journal is in one of these; the other two are not displayed.
        journals = self.query("#beside-room, #aside-room, #journal-room")
        for journal in journals.results(VerticalScroll):
            if journal.display:
                journal.scroll_relative(y=by, animate=False)


def _who_fires(state: State, width: int, sizes: Sequence[Enlarge]) -> list[Content]:
    """``AMERICANS FIRE`` in the largest of these letters that fit, in the colour of the side."""
    side = state.firing_side
    # Without an article the words begin with the blank that would follow it.
    words = state.setup.does(side, "fire", "fires", article="")
    picture = largest(words, width, sizes)
    return [Content.styled(row, side_style(state, side)) for row in picture.split("\n")]


def question_in_words(state: State) -> str:
    """What a side has to answer now, without the keys that answer it; empty if nothing."""
    if isinstance(state.ask, RepeatAsk):
        # Any other order declines the offer, so that it is no question and has no prompt.
        return f"{state.words.people(piece_side(state.ask.shot.piece))} may fire again."
    command = prompt(state)
    if command is None:
        return ""
    # The first sentence is the question; the others say which keys answer it.
    question, _, _ = Draft(command=command).shown_question.partition(". ")
    return question
