"""Lines typed ahead: does a fast typist get the game that a patient one gets?

    python benchmarks/typed_ahead.py --lines 2000      (or: make typed)

Lines of play (shots, volleys, chains, who dies, pins, undo, other cards, things mistyped) are first
typed into the app key by key, each key waiting until everything has come to rest. Then each line is
sent in one write to the program in a real terminal, on a store that is slowed at random, the next
line without waiting for the one before. The two journals must be equal, to the last card. The exit
code is 1 if one is not.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from onlooker import Onlooker

from skirmish import library
from skirmish.app.application import SkirmishApp
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.terminal_input import MOST_WAITING
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle import agenda
from skirmish.games.plastic.battle.orders import Fire, why_not
from skirmish.games.plastic.battle.progress import headline
from skirmish.games.plastic.battle.record import codec, opening
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "app"))
from textual.pilot import Pilot
from unseen import unseen

HERE = Path(__file__).resolve().parent
LINES, LINES_A_BATTLE = 2000, 40
SCENARIOS = (1, 3, 4, 5, 6, 7)
SOURCES = {
    "cards typed": (Source("deck"), Source("deck")),
    "referee's deck": (Source("deck", seed=5), Source("deck", seed=6)),
    "referee's die": (Source("die", seed=7), Source("die", seed=8)),
    "dice typed": (Source("die"), Source("die")),
    "one each": (Source("deck"), Source("deck", seed=9)),
}
"""Who draws, and from what, for each side; without a seed the players type what they have drawn."""
DELETE, ESCAPE, UNDO, REDO = "\x7f", "\x1b", "\x1a", "\x19"
KEY_NAMES = {" ": "space", "\r": "enter", "\x7f": "backspace", "\t": "tab", "\x1a": "ctrl+z",
         "\x19": "ctrl+y", ">": "greater_than_sign", "!": "exclamation_mark",
         "=": "equals_sign", "\x1b": "escape"}  # fmt: skip
REPEATS = " \r>!=\x1b"
"""Keys of which three in a row might be one that is held down."""
HELD = 0.13
"""Seconds before such a key, if the line before ended with the same one."""
AFTER_ESCAPE = 0.2
"""Seconds after Esc, which would otherwise be Alt with the next key."""
PAUSES = (0.0, 0.0, 0.01, 0.05, 0.2)
"""Seconds between two lines."""
STUCK = 20.0
"""Seconds without a new entry in the journal after which no more will come."""
MOST_AHEAD = MOST_WAITING - 50
"""The most keys that are sent before those before them have come to something: of more than
``MOST_WAITING`` the program leaves some out, and says so."""
PATIENCE = 60.0
"""Seconds after which keys that come to nothing are waited for no longer."""


class Line(NamedTuple):
    """What was typed in one go, and how many entries the journal had when it had come to rest."""

    typed: str
    entries: int


class JournalEntry(NamedTuple):
    """What must be equal in two journals: all but the time of day."""

    number: int
    kind: str
    order: str
    events: str


class Battle(NamedTuple):
    """A battle as it was played by a patient typist."""

    kind: str
    """Who draws, as in ``SOURCES``."""
    before: Path
    """The database when the battle had just begun."""
    lines: tuple[Line, ...]
    journal: list[JournalEntry]


# ------------------------------------------------------------------ what people type


def line(state: State, chance: random.Random, typed: str = "", *, midway: bool = False) -> str:
    """What a player might type now, mostly with a meaning. ``typed``: signs of the line before that
    are still in the input; ``midway``: a command is begun."""
    if typed:
        return DELETE * len(typed) + line(state, chance)
    if midway and chance.random() < 0.8:
        return ESCAPE
    match state.ask:
        case agenda.DrawAsk():
            return _draws(state, chance)
        case agenda.RepeatAsk():
            target = _row(state, chance, enemy=True)
            other_target = f"{_letter(target)} "
            fire_and_shot = f" {_shot(state, chance)}"
            return chance.choice(
                [" ", " ", other_target, other_target, ESCAPE, DELETE, fire_and_shot]
            )
        case agenda.CasualtyAsk():
            return chance.choice(["\r", "\r", "r", "m\r", f"\r{_shot(state, chance)}"])
        case agenda.OutcomeAsk():
            return UNDO
        case None:
            return _order(state, chance)
        case _:
            return chance.choice(["\r", "1", f"\r{UNDO}"])


def _order(state: State, chance: random.Random) -> str:
    """An order where no question is open: mostly a shot or a volley, now and then mistyped."""
    kind = chance.random()
    if kind < 0.42:
        return _shot(state, chance)
    if kind < 0.58:
        return _volley(state, chance)
    if kind < 0.66:
        return chance.choice([DELETE, UNDO, UNDO + REDO, DELETE * 2])
    if kind < 0.74:
        return f"\t{chance.choice(['c', 'h', 'n', ''])}{_card(state, chance)}\r"
    if kind < 0.82:
        return ">"
    if kind < 0.85:
        return "E\r"
    if kind < 0.9:
        return f"{_shot(state, chance)}{_shot(state, chance)}"
    mash = "rmiotpchn0123456789 \x7f"
    return "".join(chance.choices(mash, k=chance.randint(2, 7)))


def _shot(state: State, chance: random.Random) -> str:
    """A shot, allowed if one is found soon; with its card where players draw."""
    shooter, target = _row(state, chance), _row(state, chance, enemy=True)
    for _ in range(30):
        if shooter is not None and target is not None:
            shot = Fire(shooter=shooter.key, target=target.key)
            if why_not(state, shot) is None:
                break
        shooter, target = _row(state, chance), _row(state, chance, enemy=True)
    change = chance.choice(["", "", "", "c", "n", DELETE + _letter(target)])
    return f"{_letter(shooter)}{_letter(target)}{change} {_typed_card(state, chance)}"


def _volley(state: State, chance: random.Random) -> str:
    """Several shooters at up to four men, with their cards, or the number of hits, where players
    draw."""
    shooter, target = _row(state, chance), _row(state, chance, enemy=True)
    most_shooters, most_targets = 2, 1
    if shooter is not None:
        most_shooters = max(shooter.ready_count, 2)
    if target is not None:
        most_targets = max(min(len(target.alive), 4), 1)
    count = chance.randint(2, most_shooters)
    targets = chance.randint(1, most_targets)
    cards = "".join(f"{_card(state, chance)} " for _ in range(count))
    if not _players_draw(state):
        cards = ""
    volley = f"{count}{_letter(shooter)}{_letter(target)}{targets}"
    if chance.random() < 0.2 and cards:
        return f"{volley}={chance.randint(0, 2)}\r"
    return f"{volley} {cards}"


def _draws(state: State, chance: random.Random) -> str:
    """Cards for the question what was drawn: as many as asked, or not; one of them corrected."""
    ask = state.ask
    assert isinstance(ask, agenda.DrawAsk)
    count = chance.choice([1, 1, 1, 2, 3])
    cards = " ".join(_draw(state, ask.side, chance) for _ in range(count))
    return chance.choice([f"{cards}\r", f"{cards}\r", f"{cards[:-1]}\x7f{cards}\r"])


def _typed_card(state: State, chance: random.Random) -> str:
    """The card behind a shot, where the players draw for themselves."""
    if _players_draw(state):
        return f"{_card(state, chance)}\r"
    return ""


def _players_draw(state: State) -> bool:
    """Whether the players of the firing side draw for themselves, and type what they have drawn."""
    return state.sources[state.setup.source_of(state.firing_side)].typed


def _card(state: State, chance: random.Random) -> str:
    return _draw(state, state.firing_side, chance)


def _draw(state: State, side: str, chance: random.Random) -> str:
    source = state.sources[state.setup.source_of(side)]
    if source.kind == "die":
        return str(chance.randint(1, 10))
    left = [card for card in DECK if card not in source.gone]
    if not left:  # they are shuffled
        left = list(DECK)
    return str(chance.choice(left)).lower()


def _row(state: State, chance: random.Random, *, enemy: bool = False) -> Row | None:
    """A row on the table that somebody could fire with, or (``enemy``) at; None if there is
    none."""
    side = state.firing_side
    if enemy:
        side = state.setup.enemy_of(side).id
    able = [row for row in rows(state, side) if row.alive and row.here]
    if not enemy:
        able = [row for row in able if row.ready_count] or able
    if not able:
        return None
    return chance.choice(able)


def _letter(row: Row | None) -> str:
    """What is typed for a row; where there is none, the letter that riflemen mostly have."""
    if row is None:
        return "r"
    return row.letter


def keys(typed: str) -> list[str]:
    """The keys of a line, as Textual calls them."""
    return [KEY_NAMES.get(character, character) for character in typed]


# ------------------------------------------------------------------ the patient typist


def begun(path: Path, number: int, sources: tuple[Source, Source]) -> None:
    """A battle of a scenario, just begun."""
    scenario = library.scenarios()[number]
    setup = from_scenario(
        scenario,
        library.catalog(),
        library.rulings(),
        sources=dict(zip(scenario.order_of_play(), sources, strict=True)),
        chosen=SetupChoices(loads=False),
    )
    first = opening(setup)
    state = codec.play([first]).state
    with Store.open(str(path)) as store:
        store.add_battle(GAME, setup.title, headline(state), [codec.written(first)])


async def played(path: Path, count: int, chance: random.Random) -> tuple[Line, ...]:
    """Type so many lines, key by key; returns them."""
    lines: list[Line] = []
    app = SkirmishApp(
        str(path), path.parent, seed=lambda: 7, settings_path=path.with_suffix(".toml")
    )
    with unseen():
        async with app.run_test(size=(120, 40)) as pilot:
            screen = await _resumed(pilot)
            while len(lines) < count:
                draft = screen.draft
                left, midway = "", False
                if draft is not None:
                    left, midway = draft.typed, draft.begun
                typed = _unlike_held(line(screen.state, chance, left, midway=midway))
                if lines and _might_be_held(lines[-1].typed, typed):
                    await asyncio.sleep(HELD)
                for key in keys(typed):
                    await pilot.press(key)
                await pilot.pause()
                lines.append(Line(typed, len(screen.session.play.entries)))
                assert app.screen is screen, f"{typed!r} left the battle"
            await app.action_quit()
    return tuple(lines)


def _unlike_held(typed: str) -> str:
    """The line without the second of two keys that might look like one held down."""
    unlike = ""
    for character in typed:
        is_repeat = character in REPEATS and unlike.endswith(character)
        if not is_repeat:
            unlike += character
    return unlike


def _might_be_held(before: str, typed: str) -> bool:
    """Whether a line begins with the key that ended the one before, as if it were held down."""
    return typed[0] in REPEATS and before.endswith(typed[0])


async def _resumed(pilot: Pilot[None]) -> BattleScreen:
    """The screen of the battle played last, opened from the home screen."""
    for wanted in (HomeScreen, BattleScreen):
        for _ in range(500):
            await pilot.pause(0.01)
            if isinstance(pilot.app.screen, wanted):
                break
        if wanted is HomeScreen:
            await pilot.pause(0.3)
            await pilot.press("enter")
    screen = pilot.app.screen
    assert isinstance(screen, BattleScreen)
    return screen


# ------------------------------------------------------------------ the fast one


def sent(path: Path, lines: Sequence[Line], expected: int, chance: random.Random) -> None:
    """Type the lines, each in one write, into the program in a terminal."""
    with Onlooker(path, [sys.executable, str(HERE / "slowed.py")]) as onlooker:
        onlooker.until_says("Turn 1")
        onlooker.press("\r")
        onlooker.until_says("WHO FIRES")
        before = ""
        unanswered: list[Line] = []
        for line in lines:
            pause = chance.choice(PAUSES)
            if before.endswith(ESCAPE):
                pause = AFTER_ESCAPE
            elif _might_be_held(before, line.typed):
                pause = max(pause, HELD)
            onlooker.rest(pause)
            unanswered = _not_too_far_ahead(onlooker, path, [*unanswered, line])
            onlooker.press(line.typed)
            before = line.typed
        _wait(onlooker, path, expected)
        onlooker.leave("\x11")  # ctrl+q


def _not_too_far_ahead(onlooker: Onlooker, path: Path, lines: list[Line]) -> list[Line]:
    """Wait until so many of the lines have come to something that the last can be sent; returns
    those that have not."""
    since = time.monotonic()
    while sum(len(line.typed) for line in lines) > MOST_AHEAD:
        entries = len(journal(path))
        read = 0
        for number, line in enumerate(lines[1:], 1):
            # One without an order comes to nothing: the next with one shows that it was read.
            has_order = line.entries > lines[number - 1].entries
            if has_order and line.entries <= entries:
                read = number
        lines = lines[read:]
        if time.monotonic() - since > PATIENCE:
            break
        onlooker.rest(0.05)
    return lines


def _wait(onlooker: Onlooker, path: Path, expected: int) -> None:
    """Until the journal has as many entries as it should, and a little longer, lest there be more;
    or until none has come for long."""
    known, since = 0, time.monotonic()
    while known < expected and time.monotonic() - since < STUCK:
        onlooker.rest(0.2)
        now = len(journal(path))
        if now > known:
            known, since = now, time.monotonic()
    onlooker.rest(0.5)


def journal(path: Path) -> list[JournalEntry]:
    """The journal of the only battle of a database."""
    journal = []
    with Store.open(str(path)) as store:
        for entry in store.entries(store.battles()[0].id):
            journal.append(JournalEntry(entry.number, entry.kind, entry.order, entry.events))
    return journal


# ------------------------------------------------------------------ both


def compare(count: int, each: int, seed: int, folder: Path) -> list[str]:
    """The battles that came out otherwise, in words, of so many lines in battles of ``each``."""
    wrong: list[str] = []
    lines = entries = number = 0
    while lines < count:
        chance = random.Random(seed * 10_000 + number)
        battle = patient(number, min(each, count - lines), chance, folder)
        fast = Path(shutil.copy(battle.before, folder / f"fast{number}.db"))
        sent(fast, battle.lines, len(battle.journal), chance)
        lines += len(battle.lines)
        entries += len(battle.journal)
        fast_journal = journal(fast)
        if fast_journal != battle.journal:
            wrong.append(difference(number, battle, fast_journal))
        print(f"{lines} lines, {entries} entries, {len(wrong)} battles differ", flush=True)
        for used in folder.glob(f"*{number}.*"):
            used.unlink()
        number += 1
    return wrong


def patient(number: int, count: int, chance: random.Random, folder: Path) -> Battle:
    """The battle with this number, played with so many lines by a patient typist."""
    kinds = list(SOURCES)
    kind = kinds[number % len(kinds)]
    before, slow = folder / f"before{number}.db", folder / f"slow{number}.db"
    begun(before, SCENARIOS[number % len(SCENARIOS)], SOURCES[kind])
    shutil.copy(before, slow)
    lines = asyncio.run(played(slow, count, chance))
    return Battle(kind, before, lines, journal(slow))


def difference(number: int, battle: Battle, fast: list[JournalEntry]) -> str:
    """Where two journals differ, and all lines that were typed. One of them may also be only
    shorter."""
    text = f"battle {number}, {battle.kind}: {len(battle.journal)} entries, typed ahead {len(fast)}"
    pairs = zip(battle.journal, fast, strict=False)
    for place, (entry, fast_entry) in enumerate(pairs, 1):
        if entry != fast_entry:
            text += f"; the first that differs is {place}: {entry} {fast_entry}"
            break
    return f"{text}\n{[line.typed for line in battle.lines]}"


def main(given: Sequence[str] | None = None) -> int:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--lines", type=int, default=LINES, help=f"how many ({LINES})")
    asked.add_argument(
        "--each", type=int, default=LINES_A_BATTLE, help=f"lines of one battle ({LINES_A_BATTLE})"
    )
    asked.add_argument("--seed", type=int, default=1)
    chosen = asked.parse_args(given)
    with tempfile.TemporaryDirectory(prefix="skirmish-typed-") as name:
        wrong = compare(chosen.lines, chosen.each, chosen.seed, Path(name))
    print(*wrong, sep="\n")
    print(f"{chosen.lines} lines typed ahead: {len(wrong)} battles came out otherwise.")
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
