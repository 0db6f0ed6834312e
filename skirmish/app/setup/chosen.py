"""What the lines of a set-up screen come to: who draws, and everything else that was chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from skirmish.app.setup.lines import Line, Pick, Typed
from skirmish.app.setup.parts import NO_QUALITY, RULINGS, options_of
from skirmish.app.setup.usual import LEDGER
from skirmish.games.plastic.battle.opening import Chosen
from skirmish.games.plastic.battle.orders import Level
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.tabletop.chance import Source

Seed = Callable[[], int]


def line_of(lines: Sequence[Line], name: str | None) -> Line | None:
    """The line of that id."""
    return next((line for line in lines if line.id == name), None)


def value_of(lines: Sequence[Line], name: str) -> str:
    """The value of a line with several."""
    found = line_of(lines, name)
    assert isinstance(found, Pick), name
    return found.value


def source_of(lines: Sequence[Line], side: str, seed: Seed) -> Source:
    """What a side draws from, with a seed if the program draws."""
    value = value_of(lines, f"draws:{side}")
    typed = value == LEDGER or value.startswith("own")
    return Source("die" if value.endswith("die") else "deck", None if typed else seed())


def chosen_of(
    lines: Sequence[Line], sides: Mapping[str, str], usual: Mapping[str, str], book: RulingBook
) -> Chosen:
    """Levels, quality, players, optional rules and rulings. ``sides`` are the ids of the battle
    with those of their lines, ``usual`` what every ruling is answered with if nobody chooses."""
    levels: dict[str, Level] = {}
    quality: dict[str, str | None] = {}
    players: dict[str, str] = {}
    for side, line in sides.items():
        commanded = line_of(lines, f"player:{line}")
        players[side] = commanded.text if isinstance(commanded, Typed) else ""
        if value_of(lines, f"draws:{line}") == LEDGER:
            levels[side] = "ledger"
        if name := value_of(lines, f"quality:{line}"):
            quality[side] = None if name == NO_QUALITY else name
    return Chosen(
        levels=levels,
        quality=quality,
        players=players,
        options=options_of(lines),
        rulings=_rulings(lines, usual, book),
    )


def _rulings(lines: Sequence[Line], usual: Mapping[str, str], book: RulingBook) -> dict[str, str]:
    """All that is not as the book has it, and what was chosen otherwise than usual."""
    answers = {
        name: answer for name, answer in usual.items() if answer != book.rulings[name].default
    }
    for line in lines:
        if isinstance(line, Pick) and line.topic == RULINGS and line.value != usual[line.id]:
            answers[line.id] = line.value
    return answers
