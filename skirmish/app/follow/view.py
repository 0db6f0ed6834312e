"""The battle as a picture for those who only look on, made of the parts of the battle screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content

from skirmish.app.battle import header
from skirmish.app.battle.forces import Marks, PoolPanel, Told
from skirmish.app.battle.header import Tab
from skirmish.app.battle.screen import ASIDE, TALL, THREE_COLUMNS, WIDE, WIDEST_ASIDE
from skirmish.app.fitting import fitted, hanging
from skirmish.app.follow import words as told_here
from skirmish.app.follow.words import Said, painted
from skirmish.app.page_view import KEY
from skirmish.app.part import Part
from skirmish.app.play.big_letters import high, low, painted_word
from skirmish.games.plastic.battle.lines import Line, lines
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.victory_kinds import VictoryStatus
from skirmish.games.plastic.board import verdict

ASIDE_EDGE, BAR, INDENT = 3, 1, 6
"""Columns of the journal's edge and padding; of its scroll bar; of a line's mark and number."""
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
                with VerticalScroll(id="forces", can_focus=False), Horizontal(id="sides"):
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
        tab: Tab,
        *,
        told: Told,
        mapped: Mapping[str, str],
        below: Content,
    ) -> None:
        """Paint everything; ``below`` is the last line."""
        state = play.state
        columns, rows = self.app.size
        aside = min(max(ASIDE, columns - WIDE - 4), WIDEST_ASIDE) if columns >= THREE_COLUMNS else 0
        whole, width = columns - 2, columns - aside - 2
        self._write("clock", header.clock_line(state, whole))
        self._write("tabs", header.tab_line(state, tab, mapped, whole + 1))
        self._write("who", header.who_line(state, told, whole))
        self._write("eyes", below)
        alone = tab in ("journal", "due")
        self.query_one("#middle").display = not alone
        beside = bool(aside) and not alone
        self.set_class(beside, "-aside")
        room = self.query_one("#journal-room", VerticalScroll)
        room.styles.width = aside if beside else None
        if tab == "due":
            due = _as_told(told_here.due_lines(state, outlook), told)
            self._write("journal", Content("\n\n").join(painted([line]) for line in due))
            room.scroll_home(animate=False)
            return
        if not alone:
            self._show_large(play, told, rows >= TALL, width)
            self._show_middle(play, outlook, tab, told, width)
        inner = aside - ASIDE_EDGE if beside else whole
        self._tell(play, told, inner, LINES_ALONE if alone else LINES_BESIDE)

    def _show_middle(
        self, play: BattlePlay, outlook: Sequence[VictoryStatus], tab: Tab, told: Told, width: int
    ) -> None:
        state = play.state
        stands = _as_told(told_here.standing_lines(state, outlook), told)
        rest = self.app.size.height // 5
        content, _ = fitted([painted([line]) for line in stands], width, rest, _rest)
        self._write("victory", content)
        waits = _as_told([line] if (line := told_here.awaited(state)) else [], told)
        self._write("awaited", painted(waits))
        self.query_one("#awaited").display = bool(waits)
        only = header.side_of(tab, state.setup)
        heights = [1]
        for panel in self.query(PoolPanel):
            panel.display = only in (None, panel.side)
            if panel.display:
                room = width // 2 - 1 if only is None else width
                wide = width >= WIDE - 2
                panel.show(state, Marks(), told, room, wide=wide, whole=only is not None)
                heights.append(str(panel.render()).count("\n") + 1)
        self.query_one("#forces").styles.max_height = min(
            max(heights), max(self.app.size.height - 14, 4)
        )

    def _show_large(self, play: BattlePlay, told: Told, tall: bool, width: int) -> None:
        """Who fires and what came of it, in large letters. Where there is room for one of them
        only, it is the verdict."""
        found = verdict(play)
        firing = told_here.fires(play.state) if tall or found is None else ""
        sizes = (low,) if found is not None or not tall else (high, low)
        pictures = [size(firing) for size in sizes] if firing else []
        picture = next((one for one in pictures if _columns(one) <= width), "")
        self._write("fires", Content(picture))
        self.query_one("#fires").display = bool(picture)
        self.query_one("#fires").styles.height = len(picture.splitlines())
        self.query_one("#verdict").display = found is not None
        if found is None:
            return
        picture = (high if tall else low)(found.text)
        self._write("word", painted_word(picture, found.tone))
        first, *more = map(told, found.reason.split("\n"))
        self._write("reason", Content.assemble((first, KEY), *(f"\n{line}" for line in more)))

    def _tell(self, play: BattlePlay, told: Told, width: int, most: int) -> None:
        """The journal, what came in last marked; it stays where somebody has scrolled to."""
        room = self.query_one("#journal-room", VerticalScroll)
        at_end = room.scroll_y >= room.max_scroll_y - 1
        found = [
            line
            for line in lines(play, most)
            if line.says and not line.struck and line.entries[0].kind != "open"
        ]
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
        forces = self.query_one("#forces", VerticalScroll)
        forces.scroll_relative(y=by, animate=False)
        return bool(forces.is_on_screen and forces.max_scroll_y)

    def _write(self, part: str, content: Content) -> None:
        self.query_one(f"#{part}", Part).say(content)


def _as_told(said: Sequence[Said], told: Told) -> list[Said]:
    return [[(told(text), tone) for text, tone in line] for line in said]


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
    return painted([[(f"{count} more {'line' if count == 1 else 'lines'} on the Due page", "dim")]])
