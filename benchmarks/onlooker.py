"""Somebody who looks at the battle screen in a terminal, and somebody who looks into the database.

Whatever depends on how the battle screen looks stands here: ``read`` is what the eye takes from it,
``Facts.of`` the same things as the rules have them. ``begin`` and ``resume`` know the keys.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pyte
from terminal import PATIENCE, NotSeenError, Terminal, environment

from skirmish.games.plastic.battle.record import BattlePlay, codec
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.store.readers import all_records, entries, open_snapshot
from skirmish.store.records import BattleRecord
from skirmish.tabletop.journal_codec import EntryRecord

ROWS, COLUMNS = 40, 120
SKIRMISH = (sys.executable, "-m", "skirmish")
MENU, LIST_TITLE, CHOICES, OPTIONS = "New battle", "CONTINUE", "The basic game", "Begin"
SPACE_DEAD = 0.35
"""Seconds after a verdict in which the screen may take Space for a key held down."""

_LOST = re.compile(r"\b(\d+) of \d+ lost\b")
_LEFT = re.compile(r"\bdeck,? (\d+) left|\b(\d+) cards\b")  # in as many words as fit
_POOL = re.compile(r"\b([a-z]) ([A-Z][A-Za-z0-9 .-]*?) *(\d+)/(\d+)\b")
# Below the board, or in the column beside it; a row of works is no line.
_LINE = re.compile(r"(?:^[> ] {0,4}|│ {3,6})(\d+) (?!Entrenchments)(?=[A-Z])", re.MULTILINE)
_HEADLINE = re.compile(r"\bTurn \d+ of \d+ · ")
_CARD = re.compile(
    r"\b(?:[2-9]|10|jack|queen|king|ace) of (?:clubs|diamonds|hearts|spades)\b", re.IGNORECASE
)
_COLOURS = re.compile(rb"\x1b\[[0-9;:]*m")
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-9;:]*)?\Z")  # it may become a colour


class Facts(msgspec.Struct, frozen=True):
    """What a battle screen tells of where a battle stands, each part compared on its own."""

    lost: tuple[int, ...]  # strength, of each side
    left: tuple[int, ...]  # cards in each deck
    pools: frozenset[tuple[str, int, int]]  # letter, alive, total

    @classmethod
    def of(cls, state: State) -> Facts:
        """The same as the rules have it."""
        sides = state.setup.sides
        sources = [state.sources[state.setup.source_of(side.id)] for side in sides]
        return cls(
            tuple(state.loss.get(side.id, 0) for side in sides),
            tuple(source.cards_left(DECK) for source in sources),
            frozenset(
                (row.letter, len(row.alive), row.total)
                for side in sides
                for row in rows(state, side.id)
            ),
        )

    def fits(self, *states: Facts) -> bool:
        """Whether each part is that of one of the ``states``: a screen caught in the middle of
        being painted shows the one before in part."""
        return (
            any(self.lost == state.lost for state in states)
            and any(self.left == state.left for state in states)
            and all(any(pool in state.pools for state in states) for pool in self.pools)
        )


class Seen(msgspec.Struct, frozen=True):
    """A battle screen as it was read."""

    facts: Facts
    newest: int  # the largest number of a journal line in sight; 0 if none is
    cards: tuple[str, ...]  # every card named, from top to bottom


def read(lines: Sequence[str]) -> Seen | None:
    """What the eye takes from a screen; None where it is no battle that is shown."""
    text = "\n".join(lines)
    facts = Facts(
        tuple(int(lost) for lost in _LOST.findall(text)),
        tuple(int(told or short) for told, short in _LEFT.findall(text)),
        frozenset((letter, int(a), int(t)) for letter, _, a, t in _POOL.findall(text)),
    )
    if len(facts.lost) != 2 or len(facts.left) != 2 or not facts.pools:
        return None
    newest = max((int(number) for number in _LINE.findall(text)), default=0)
    return Seen(facts, newest, tuple(card.lower() for card in _CARD.findall(text)))


class Picture:
    """A terminal's screen as text, worked out from the bytes that a program writes.

    Most of them are colours, which cannot be read; they are left out before the terminal has to
    understand them. Only lines that were written to are put together anew."""

    def __init__(self, rows: int, columns: int) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._lines = [""] * rows
        self._unfinished = b""

    def write(self, data: bytes) -> None:
        """Go on with what the program has written."""
        data = self._unfinished + data
        unfinished = _UNFINISHED.search(data)
        end = unfinished.start() if unfinished else len(data)
        self._unfinished = data[end:]
        self._stream.feed(_COLOURS.sub(b"", data[:end]))

    def lines(self) -> list[str]:
        """What can be read, from top to bottom."""
        for row in self._screen.dirty:
            cells = self._screen.buffer[row]
            signs = [cells[column].data for column in range(self._screen.columns)]
            self._lines[row] = "".join(signs)
        self._screen.dirty.clear()
        return list(self._lines)


class Onlooker(Terminal):
    """The real program in a terminal whose screen can be read."""

    def __init__(
        self, database: Path, command: Sequence[str] = SKIRMISH, rows: int = ROWS, **more: str
    ) -> None:
        self._picture = Picture(rows, COLUMNS)
        self._painted = 0  # so many bytes of what was written are in the picture
        self._came: list[tuple[float, int]] = []  # when something came, how much there was then
        where = {"SKIRMISH_DATABASE": str(database), "SKIRMISH_SETTINGS": f"{database}.toml"}
        env = environment(**where, **more)
        super().__init__(command, env, database.parent, rows, COLUMNS)

    def lines(self) -> list[str]:
        """The screen as everything written so far has painted it."""
        self._paint(len(self._written))
        return self._picture.lines()

    def _paint(self, until: int) -> None:
        self._picture.write(self._written[self._painted : until])
        self._painted = until

    def _listen(self, seconds: float) -> None:
        before = len(self._written)
        super()._listen(seconds)
        if len(self._written) > before:
            self._came.append((time.perf_counter() - self._began, len(self._written)))

    def took(
        self,
        keys: str,
        shown: Callable[[list[str]], object],
        quiet: float = 0.25,
        patience: float = PATIENCE,
    ) -> float:
        """Seconds from the key bytes until the screen was so. The screen is only worked out when
        nothing has come for ``quiet`` seconds, lest that be measured too. Raises NotSeenError after
        ``patience`` seconds."""
        self.lines()
        first = len(self._came)
        pressed = self.press(keys)
        before, end = -1, time.perf_counter() + patience
        while time.perf_counter() < end:
            while len(self._written) != before:
                before = len(self._written)
                self._listen(quiet)
            for when, until in self._came[first:]:
                self._paint(until)
                if shown(self._picture.lines()):
                    return when - pressed
            first = len(self._came)
            before = -1
        raise NotSeenError("it never came; on the screen:\n" + "\n".join(self.lines()))

    def battle(self) -> Seen | None:
        """The battle that is shown now, if it is one."""
        return read(self.lines())

    def until(self, holds: Callable[[list[str]], object]) -> None:
        """Wait until the screen is so; raises NotSeenError."""
        end = time.perf_counter() + PATIENCE
        while not holds(self.lines()):
            self._listen(0.2)  # or until something comes
            if time.perf_counter() > end:
                raise NotSeenError("it never came; on the screen:\n" + "\n".join(self.lines()))

    def until_says(self, words: str) -> None:
        """Wait until some line of the screen holds ``words``."""
        self.until(lambda lines: any(words in line for line in lines))

    def until_shows(self, state: State) -> None:
        """Wait until the battle shown stands so."""
        wanted = Facts.of(state)

        def shown(lines: list[str]) -> bool:
            seen = read(lines)
            return seen is not None and seen.facts.fits(wanted)

        self.until(shown)

    def kill(self) -> None:
        """SIGKILL; what it had written until then still counts as shown."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self._ended = True
        before = -1
        while len(self._written) != before:
            before = len(self._written)
            self._listen(0.05)

    def begin(self) -> None:
        """From home: Overmatched, as it is offered."""
        for words, key in ((MENU, "n"), (CHOICES, "\r"), (OPTIONS, "b")):
            self.until_says(words)
            self.rest(0.1)
            self.press(key)
        self.until(read)

    def resume(self) -> None:
        """From home: the battle played last."""
        self.until(lambda lines: any(_HEADLINE.search(line) for line in lines))
        self.press("\r")
        self.until(read)


class Folded(msgspec.Struct, frozen=True):
    """A battle as it was read last: who waits for an entry looks again and again, and only what has
    come since is folded."""

    number: int
    records: list[EntryRecord]
    play: BattlePlay
    states: list[State]

    def begins(self, number: int, records: list[EntryRecord]) -> bool:
        """Whether the journal still begins so."""
        return self.number == number and self.records == records[: len(self.records)]


_folded: dict[Path, Folded] = {}


def fold(database: Path, number: int | None = None) -> tuple[BattlePlay, list[State]]:
    """The battle changed last (or that ``number``) from the database as it is on the disk, and
    the state after each entry of its journal. The battle goes on when it is folded again."""
    with open_snapshot(database) as file:
        battles = [battle for battle, _ in all_records(file, BattleRecord)]
        last = max(battles, key=lambda battle: battle.updated).id if number is None else number
        records = entries(file, last)
    before = _folded.get(database)
    if before is not None and before.begins(last, records):
        battle, states, known = before.play, before.states, len(before.records)
    else:
        battle = codec.play([codec.read(records[0])])
        states, known = [battle.state], 1
    for record in records[known:]:
        codec.follow(battle, codec.read(record))
        states.append(battle.state)
    _folded[database] = Folded(last, records, battle, states)
    return battle, list(states)


def latest(seen: Seen, states: Sequence[State]) -> int | None:
    """The last entry of the journal with which the battle could stand as it was shown; ``states``
    are those after each entry. None if there is none: what was shown is not all kept."""
    facts = [Facts.of(state) for state in states]
    for entry in range(len(facts), 0, -1):
        if seen.newest <= entry and seen.facts.fits(*facts[max(0, entry - 2) : entry]):
            return entry
    return None
