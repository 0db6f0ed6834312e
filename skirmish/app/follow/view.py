"""The battle as a picture for those who only look on, made of the parts of the battle screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content

from skirmish.app.battle import words
from skirmish.app.battle.mode import Said
from skirmish.app.battle.panels import PoolPanel, Sight
from skirmish.app.battle.prompt_again import standing
from skirmish.app.battle.tabs import Page, side_of, tabs
from skirmish.app.battle.verdict_words import painted_word, reason, word
from skirmish.app.battle.victory_words import victory
from skirmish.app.battle.view import Size
from skirmish.app.battle.words import painted
from skirmish.app.fitting import Told, as_told, cut, fitted, hanging, rows_of
from skirmish.app.follow import words as told_here
from skirmish.app.follow.words import Watching
from skirmish.app.part import Part
from skirmish.app.play.big_letters import high, low
from skirmish.games.plastic.battle.lines import Line
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.victory_kinds import VictoryStatus

ABOVE, BELOW = 3, 1
"""Lines of clock, tabs and who fires; of whose eyes these are."""
LOW, HIGH = 3, 5
"""Lines of large letters."""
JOURNAL = 3
"""Lines that are kept for the journal, if the sides are long."""
ASIDE_EDGE = 3
"""Columns of its edge and its padding, where it stands beside the battle."""
BAR = 1
"""The column of the journal's scroll bar."""
INDENT = 6
"""Columns of a line's mark and number."""
LINES_BESIDE, LINES_ALONE = 100, 300
"""Lines of the journal that can be scrolled to: beside the battle, and on a page of their own."""


class FollowView(Vertical):
    """Clock, tabs, who fires, both sides, the verdict, what is awaited, victory, the journal."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(id="follow")
        self._sides = [side.id for side in setup.sides]
        self._newest = 0

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        for line in ("clock", "tabs", "who"):
            yield Part(line)
        with Container(id="table"):
            with Vertical(id="middle"):
                yield Part("fires")
                with Horizontal(id="sides"):
                    for side in self._sides:
                        yield PoolPanel(side)
                with Horizontal(id="verdict"):
                    yield Part("word")
                    yield Part("reason")
                yield Part("awaited")
                yield Part("victory")
            with VerticalScroll(id="journal-room", can_focus=False):
                yield Part("journal")
        yield Part("eyes")

    def show(
        self,
        play: BattlePlay,
        outlook: Sequence[VictoryStatus],
        page: Page,
        *,
        told: Told,
        mapped: Mapping[str, str],
        below: Content,
    ) -> None:
        """Paint everything; ``below`` is the last line."""
        state, whole = play.state, self.app.size.width - 2
        size = Size.of(*self.app.size)
        self._write("clock", words.clock_line(state, whole))
        self._write("tabs", tabs(play, page, mapped, whole + 1))
        self._write("who", words.who_line(state, told, whole))
        self._write("eyes", below)
        alone = page in ("journal", "due")
        self.query_one("#middle").display = not alone
        beside = bool(size.aside) and not alone
        self.set_class(beside, "-aside")
        room = self.query_one("#journal-room", VerticalScroll)
        room.styles.width = size.aside if beside else None
        if page == "due":
            due = as_told(told_here.due_lines(state, outlook), told)
            self._write("journal", Content("\n\n").join(painted([line]) for line in due))
            room.scroll_home(animate=False)
            return
        if not alone:
            self._show_middle(play, outlook, page, told, size)
        columns = size.aside - ASIDE_EDGE if beside else whole
        self._tell(play, told, columns, LINES_ALONE if alone else LINES_BESIDE)

    def _show_middle(
        self, play: BattlePlay, outlook: Sequence[VictoryStatus], page: Page, told: Told, size: Size
    ) -> None:
        """Sides, verdict and victory; what they leave of the height is the journal's."""
        state, width = play.state, size.width - 2
        left = size.height - ABOVE - BELOW - self._show_large(play, told, size.tall, width)
        lines = [painted([line]) for line in victory(state, told, width, outlook)]
        stands, taken = fitted(lines, width, left // 3, _rest)
        self._write("victory", stands)
        waits = as_told([line] if (line := told_here.awaited(state)) else [], told)
        self._write("awaited", painted(waits))
        self.query_one("#awaited").display = bool(waits)
        left -= taken + bool(waits)
        if not size.aside:
            left -= min(JOURNAL, len(standing(play, JOURNAL)))
        only = side_of(page, state.setup)
        columns = size.width // 2 - 1 if only is None else width
        sight = Sight(columns, max(left, 4), wide=size.wide, whole=only is not None)
        for panel in self.query(PoolPanel):
            panel.display = only in (None, panel.side)
            if panel.display:
                panel.show(state, Watching(), told, sight)

    def _show_large(self, play: BattlePlay, told: Told, tall: bool, width: int) -> int:
        """Who fires and what came of it, in large letters; the lines they take. Where there is
        room for one of them only, it is the verdict."""
        big, said = word(play), as_told(reason(play), told)
        judged = bool(big or said)
        firing = told_here.fires(play.state) if tall or not judged else ""
        sizes = (low,) if judged or not tall else (high, low)
        pictures = [size(firing) for size in sizes] if firing else []
        picture = next((one for one in pictures if _columns(one) <= width), "")
        self._write("fires", Content(picture))
        fires = self.query_one("#fires")
        fires.display = bool(picture)
        fires.styles.height = len(picture.splitlines())
        verdict = self.query_one("#verdict")
        verdict.display = judged
        lines = len(picture.splitlines())
        if judged:
            picture = (high if tall else low)(big)
            room = width - 4 - max(_columns(picture), 2)
            rows = max(HIGH if tall else LOW, min(rows_of(painted(said), room), HIGH))
            self._write("word", painted_word(big, picture))
            self._write("reason", cut(painted(said), room, rows))
            verdict.styles.height = rows
            lines += rows
        return lines

    def _tell(self, play: BattlePlay, told: Told, width: int, most: int) -> None:
        """The journal, what came in last marked; it stays where somebody has scrolled to."""
        room = self.query_one("#journal-room", VerticalScroll)
        at_end = room.scroll_y >= room.max_scroll_y - 1
        found = standing(play, most)
        newest = found[-1].number if found else 0
        rows = [row for line in found for row in _rows(line, newest, told, width)]
        self._write("journal", Content("\n").join(rows))
        if at_end or newest != self._newest:
            room.scroll_end(animate=False)
        self._newest = newest

    def scroll(self, by: int) -> None:
        """So many lines of the journal down, or up."""
        self.query_one("#journal-room").scroll_relative(y=by, animate=False)

    def turn_rows(self, by: int) -> bool:
        """Other rows of the sides; whether these are in sight at all."""
        panels = [panel for panel in self.query(PoolPanel) if panel.is_on_screen]
        for panel in panels:
            panel.turn_page(by)
        return bool(panels)

    def _write(self, part: str, content: Content) -> None:
        self.query_one(f"#{part}", Part).say(content)


def _rows(line: Line, newest: int, told: Told, width: int) -> list[Content]:
    last = line.number == newest
    said: Said = [
        (f"{'>' if last else ' '} {line.number:>3} ", "key" if last else "dim"),
        (told(line.says), "" if last else "dim"),
    ]
    return hanging(painted([said]), width - BAR, INDENT)


def _columns(picture: str) -> int:
    return max(map(len, picture.splitlines()), default=0)


def _rest(count: int) -> Content:
    return painted([[(f"{count} more lines on the Due page", "dim")]])
