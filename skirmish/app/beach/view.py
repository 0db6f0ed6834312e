"""The game as a picture: beach and ladder beside each other, the table, the journal, the hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from skirmish.app.beach.advice_told import advice_told
from skirmish.app.beach.keys import strip
from skirmish.app.beach.ladder_words import rungs
from skirmish.app.beach.prompt import Draft
from skirmish.app.beach.scores_words import reading_told
from skirmish.app.beach.shore import shore
from skirmish.app.beach.table import hand, hint, table
from skirmish.app.fitting import hanging, shortened
from skirmish.app.part import Part
from skirmish.games.beach_head.ladder import ladder
from skirmish.games.beach_head.record import BeachPlay
from skirmish.games.beach_head.rules_told import aim, phase_told
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import journal
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.games.beach_head.advice import Advice

KEY, DIM, STRONG, ALARM = "$accent bold", "$foreground 60%", "bold", "$error bold"
LADDER, WIDE_LADDER = 38, 48
"""Columns of the ladder, and where there is room for more."""
WIDE, TALL = 110, 34
"""Columns and rows from which there is."""
LOOKED_AT = 24
"""Entries whose journal is shown beside the beach: more than ever fit."""
MOST_HAND = 4
"""Rows of the hand where the screen is low; the ladder needs the others."""


class BeachView(Vertical):
    """Clock; beach, table and journal at the left, the ladder at the right; hand and keys."""

    def __init__(self) -> None:
        super().__init__(id="game")

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield Part("clock")
        with Horizontal(id="field"):
            with Vertical(id="middle"):
                yield Part("shore")
                yield Part("table")
                yield Part("log")
            yield Part("ladder")
        yield Part("hand")
        yield Part("keys")

    def show(
        self,
        play: BeachPlay,
        draft: Draft,
        *,
        note: str,
        aside: Content | None,
        advice: Advice | None,
        mapped: Mapping[str, str],
    ) -> None:
        """Everything anew. ``note`` is a word to the player, ``aside`` takes the place of the
        journal; ``advice`` in that of the ladder, or below it."""
        state = play.state
        width, height = self.app.size
        beside = WIDE_LADDER if width >= WIDE else LADDER
        left = width - beside - 2
        tall = height >= TALL

        def say(part: str, content: Content) -> None:
            self.query_one(f"#{part}", Part).say(content)

        held = hand(state, draft, width - 2, MOST_HAND)
        beach = shore(state, left, spaced=tall)
        said = self._table(state, draft, note, tall=tall)
        room = height - 2 - len(held) - beach.plain.count("\n") - 1 - _rows(said, left)
        lines = [one.words for one in journal(play, LOOKED_AT, skipped=False)]
        say("clock", clock(state, width - 2))
        say("shore", beach)
        say("table", said)
        say("log", aside or _newest(lines, left, room))
        self.query_one("#ladder", Part).styles.width = beside
        steps = rungs(ladder(play), beside - 2)
        if tall and width >= WIDE:
            below = _rule(state) if advice is None else advice_told(advice, beside - 3)
            steps = Content("\n").join([steps, Content(""), *below])
        elif advice is not None:
            steps = Content("\n").join(advice_told(advice, beside - 3))
        say("ladder", steps)
        say("hand", Content("\n").join(held))
        self.query_one("#hand", Part).display = bool(held)
        say("keys", strip(state, width, mapped))

    def _table(self, state: State, draft: Draft, note: str, *, tall: bool) -> Content:
        lines = table(state, draft)
        while len(lines) < 3:
            lines.append(Content(""))
        last = Content.styled(note, "$warning") if note else hint(state, draft)
        edge = [Content("")] if tall else []
        return Content("\n").join([*edge, *lines, last, *edge])


def clock(state: State, width: int) -> Content:
    """What is played and by whom, the turn, what was lost, in one line."""
    setup = state.setup
    beach = "Omaha" if setup.variant == "omaha" else "Normandy"
    tanks = f"{state.tanks_lost} tanks" if state.tanks_lost != 1 else "1 tank"
    squads = f"{state.casualties} squads" if state.casualties != 1 else "1 squad"
    after = Content.assemble(
        (f"   TURN {max(state.turn, 1)}   ", KEY),
        ("LOST ", STRONG),
        (squads, ALARM if state.casualties else ""),
        f", {tanks}",
    )
    whose = [f"BEACH HEAD {beach}", plain(setup.player), reading_told(setup.reading)]
    title = " · ".join(filter(None, whose))
    return Content.assemble((shortened(title, max(width - after.cell_length, 10)), STRONG), after)


def _rule(state: State) -> list[Content]:
    """What the phase that is on does, for whoever does not know it by heart."""
    if state.phase is None or state.over:
        return [Content.styled(aim(), DIM)]
    says = phase_told(state.setup.manual, state.now, state.setup.left_out)
    return [Content.styled(state.now.name.upper(), STRONG), Content.styled(says, DIM)]


def _rows(text: Content, width: int) -> int:
    return sum(len(line.wrap(max(width, 1))) for line in text.split("\n", allow_blank=True))


def _newest(lines: list[str], width: int, room: int) -> Content:
    """The newest lines that fit, the last one whole if it can be."""
    shown: list[Content] = []
    for line in reversed(lines):
        rows = hanging(Content.styled(plain(line), DIM), max(width, 1), 2)
        if len(shown) + len(rows) > room:
            break
        shown = [*rows, *shown]
    return Content("\n").join(shown)
