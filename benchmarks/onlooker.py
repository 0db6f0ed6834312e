"""Somebody who looks at the battle screen in a terminal, and somebody who looks into the database.

Whatever depends on how the battle screen looks stands here: ``read`` is what the eye takes from it,
``Facts.of`` is the same as the rules have it. ``begin`` and ``resume`` know the keys.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

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
MENU, CHOICES, OPTIONS = "New battle", "The basic game", "Begin"
"""Words of the home screen, of the list of new battles, and of the options of a battle."""
SPACE_DEAD = 0.35
"""Seconds after a verdict in which the screen may take Space for a key held down."""

# Both have a short form, for where the long one has no room.
_LOSS = re.compile(r"\b(\d+)(?: of |/)\d+ lost\b")
_CARDS_LEFT = re.compile(r"\bdeck,? (\d+) left|\b(\d+) cards\b")
# Such as "r Rifle 12/20": letter, name, how many are alive, and how many there were.
_ROW = re.compile(r"\b([a-z]) ([A-Z][A-Za-z0-9 .-]*?) *(\d+)/(\d+)\b")
# A line of the journal, below the board or in the column beside it; a row of works is no line.
_LINE = re.compile(r"(?:^[> ] {0,4}|│ {3,6})(\d+) (?!Entrenchments)(?=[A-Z])", re.MULTILINE)
_HEADLINE = re.compile(r"\bTurn \d+ of \d+ · ")
_CARD = re.compile(
    r"\b(?:[2-9]|10|jack|queen|king|ace) of (?:clubs|diamonds|hearts|spades)\b", re.IGNORECASE
)
_COLOURS = re.compile(rb"\x1b\[[0-9;:]*m")
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-9;:]*)?\Z")  # it may become a colour


class RowSeen(NamedTuple):
    """A row of units on the board."""

    letter: str
    alive: int
    total: int


class Facts(msgspec.Struct, frozen=True):
    """What a battle screen shows of where a battle stands, each part compared on its own."""

    losses: tuple[int, ...]
    """The strength that each side has lost."""
    cards_left: tuple[int, ...]
    """Of each side's deck."""
    rows: frozenset[RowSeen]

    @classmethod
    def of(cls, state: State) -> Facts:
        """The same as the rules have it."""
        losses, cards_left, rows_there = [], [], set()
        for side in state.setup.sides:
            source = state.sources[state.setup.source_of(side.id)]
            losses.append(state.loss.get(side.id, 0))
            cards_left.append(source.cards_left(DECK))
            for row in rows(state, side.id):
                rows_there.add(RowSeen(row.letter, len(row.alive), row.total))
        return cls(tuple(losses), tuple(cards_left), frozenset(rows_there))

    def fits(self, *states: Facts) -> bool:
        """Whether each part is that of one of the ``states``: a screen caught in the middle of
        being painted shows the one before in part."""
        known_rows: set[RowSeen] = set()
        for state in states:
            known_rows |= state.rows
        return (
            any(self.losses == state.losses for state in states)
            and any(self.cards_left == state.cards_left for state in states)
            and self.rows <= known_rows
        )


class Seen(msgspec.Struct, frozen=True):
    """A battle screen as it was read."""

    facts: Facts
    newest: int
    """The largest number of a journal line in sight; 0 if none is."""
    cards: tuple[str, ...]
    """Every card that is named, from top to bottom."""


def read(lines: Sequence[str]) -> Seen | None:
    """What the eye takes from a screen; None where it is no battle that is shown."""
    text = "\n".join(lines)
    losses = tuple(int(loss) for loss in _LOSS.findall(text))
    cards_left = tuple(int(long or short) for long, short in _CARDS_LEFT.findall(text))
    rows_seen = set()
    for letter, _name, alive, total in _ROW.findall(text):
        rows_seen.add(RowSeen(letter, int(alive), int(total)))
    has_both_sides = len(losses) == 2 and len(cards_left) == 2
    if not has_both_sides or not rows_seen:
        return None
    numbers = [int(number) for number in _LINE.findall(text)]
    cards = tuple(card.lower() for card in _CARD.findall(text))
    facts = Facts(losses, cards_left, frozenset(rows_seen))
    return Seen(facts, max(numbers, default=0), cards)


class Picture:
    """A terminal's screen as text, worked out from the bytes that a program writes.

    Most of the bytes are colours, which are no text: they are left out first, since the emulation
    of the terminal would need long for them. Only lines that were written to are put together
    anew."""

    def __init__(self, rows: int, columns: int) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._lines = [""] * rows
        self._unfinished = b""
        """The end of what was written, where it may be the beginning of a colour."""

    def write(self, data: bytes) -> None:
        """Go on with what the program has written."""
        data = self._unfinished + data
        unfinished = _UNFINISHED.search(data)
        end = len(data)
        if unfinished is not None:
            end = unfinished.start()
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


class Arrival(NamedTuple):
    """Something that the program has written came."""

    seconds: float
    """When, since the program was started."""
    written: int
    """How many bytes it had written until then."""


class Onlooker(Terminal):
    """The real program in a terminal whose screen can be read."""

    def __init__(
        self, database: Path, command: Sequence[str] = SKIRMISH, rows: int = ROWS, **more: str
    ) -> None:
        self._picture = Picture(rows, COLUMNS)
        self._painted = 0
        """So many bytes of what was written are in the picture."""
        self._arrivals: list[Arrival] = []
        files = {"SKIRMISH_DATABASE": str(database), "SKIRMISH_SETTINGS": f"{database}.toml"}
        env = environment(**files, **more)
        super().__init__(command, env, database.parent, rows, COLUMNS)

    def lines(self) -> list[str]:
        """The screen as everything written so far has painted it."""
        self._paint(len(self._written))
        return self._picture.lines()

    def _paint(self, until: int) -> None:
        """Put what was written, up to so many bytes, into the picture."""
        self._picture.write(self._written[self._painted : until])
        self._painted = until

    def _listen(self, seconds: float) -> None:
        before = len(self._written)
        super()._listen(seconds)
        if len(self._written) > before:
            seconds = time.perf_counter() - self._began
            self._arrivals.append(Arrival(seconds, len(self._written)))

    def _listen_until_quiet(self, quiet: float) -> None:
        """Until nothing has come for so many seconds."""
        before = -1
        while len(self._written) != before:
            before = len(self._written)
            self._listen(quiet)

    def took(
        self,
        keys: str,
        shown: Callable[[list[str]], object],
        quiet: float = 0.25,
        patience: float = PATIENCE,
    ) -> float:
        """Seconds from the key bytes until ``shown`` holds of the screen. The screen is worked out
        only when nothing has come for ``quiet`` seconds, so that this work is not measured too.
        Raises NotSeenError after ``patience`` seconds."""
        self._paint(len(self._written))  # what was there before is no answer
        first = len(self._arrivals)
        pressed = self.press(keys)
        end = time.perf_counter() + patience
        while time.perf_counter() < end:
            self._listen_until_quiet(quiet)
            for arrival in self._arrivals[first:]:
                self._paint(arrival.written)
                if shown(self._picture.lines()):
                    return arrival.seconds - pressed
            first = len(self._arrivals)
        raise NotSeenError("it never came; on the screen:\n" + "\n".join(self.lines()))

    def battle(self) -> Seen | None:
        """The battle that is shown now, if it is one."""
        return read(self.lines())

    def until(self, holds: Callable[[list[str]], object]) -> None:
        """Wait until ``holds`` is true of the screen; raises NotSeenError."""
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
        self._listen_until_quiet(0.05)

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


class FoldedBattle(NamedTuple):
    """A battle as the database has it."""

    play: BattlePlay
    states: list[State]
    """After each entry of its journal."""


class LastFold(NamedTuple):
    """The battle of a database that was folded last. Whoever waits for an entry looks again and
    again; so only the entries that have come since are folded."""

    number: int
    records: list[EntryRecord]
    battle: FoldedBattle

    def is_still_valid(self, number: int, records: list[EntryRecord]) -> bool:
        """Whether the journal of that battle still begins with the entries that were folded."""
        return self.number == number and self.records == records[: len(self.records)]


_last_folds: dict[Path, LastFold] = {}


def fold(database: Path, number: int | None = None) -> FoldedBattle:
    """The battle with this number, or else the one changed last, from the database as it is on
    the disk. Its play is the same one that goes on when it is folded again."""
    with open_snapshot(database) as file:
        if number is None:
            battles = [battle for battle, _ in all_records(file, BattleRecord)]
            number = max(battles, key=lambda battle: battle.updated).id
        records = entries(file, number)
    last = _last_folds.get(database)
    if last is not None and last.is_still_valid(number, records):
        battle, new_records = last.battle, records[len(last.records) :]
    else:
        play = codec.play([codec.read(records[0])])
        battle, new_records = FoldedBattle(play, [play.state]), records[1:]
    for record in new_records:
        codec.follow(battle.play, codec.read(record))
        battle.states.append(battle.play.state)
    _last_folds[database] = LastFold(number, records, battle)
    return FoldedBattle(battle.play, list(battle.states))


def latest(seen: Seen, states: Sequence[State]) -> int | None:
    """The number of the last entry of the journal after which the battle could stand as it was
    shown; ``states`` are those after each entry. None if there is none: something was shown that
    is not stored."""
    facts = [Facts.of(state) for state in states]
    for entry in range(len(facts), 0, -1):
        with_the_one_before = facts[max(0, entry - 2) : entry]
        if seen.newest <= entry and seen.facts.fits(*with_the_one_before):
            return entry
    return None
