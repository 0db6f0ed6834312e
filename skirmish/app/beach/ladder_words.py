"""The ladder of eighteen phases, and the turn as a short chronicle beside it."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content

from skirmish.app.fitting import shortened
from skirmish.games.beach_head import events as happened
from skirmish.games.beach_head.evolve import evolve
from skirmish.games.beach_head.ladder import Rung
from skirmish.games.beach_head.record import BeachPlay
from skirmish.games.beach_head.telling import tell

KEY, DIM = "$accent bold", "$foreground 55%"
MARKS = {"done": "✓", "now": "▶", "skipped": "-", "ahead": " "}
"""What stands before a rung; nothing is told by colour alone."""
NAME = 18
"""Columns of a phase's name."""
LOOKED_AT = 24
"""Entries that the chronicle is made of: more than ever fit."""


def rungs(ladder: tuple[Rung, ...], width: int) -> Content:
    """A line for each phase of the turn."""
    return Content("\n").join(_rung(rung, width) for rung in ladder)


def _rung(rung: Rung, width: int) -> Content:
    style = {"now": KEY, "skipped": DIM, "ahead": DIM, "done": ""}[rung.standing]
    again = " twice" if rung.again else ""
    head = f"{MARKS[rung.standing]}{rung.number:>2} {rung.phase.name + again:<{NAME}} "
    says = shortened(rung.says, max(width - len(head), 1))
    return Content.styled(f"{head}{says}", style) if style else Content.assemble(head, says)


class _Told(NamedTuple):
    """A line that is being put together; ``named``: it begins with the name of a phase."""

    turn: int
    said: list[str]
    named: bool = False


def chronicle(
    play: BeachPlay, last: int | None = None, *, skipped: bool = True
) -> list[tuple[int, str]]:
    """What happened, a line with its turn for each phase, newest last; of the ``last`` entries
    only, where that many are enough; without those ``skipped`` if that is told elsewhere. A phase
    of which only its name is known is left out."""
    live, states = play.live, play.states
    first = max(1, len(live) - last) if last else 1  # the opening itself has nothing to tell
    state = states[first - 1]
    lines: list[_Told] = []
    for entry in live[first:]:
        for event in entry.events:
            said = tell(state, event)
            alone = isinstance(event, happened.Begun | happened.Skipped | happened.Won)
            state = evolve(state, event)
            if not said or (isinstance(event, happened.Skipped) and not skipped):
                continue
            if alone or not lines:
                lines.append(_Told(state.turn, [said], isinstance(event, happened.Begun)))
            else:
                lines[-1].said.append(said)
    return [(one.turn, " ".join(one.said)) for one in lines if len(one.said) > 1 or not one.named]
