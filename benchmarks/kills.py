"""Kills the program at random moments, and looks whether anything was lost that it had shown.

    python benchmarks/kills.py              (or: make kills)

Each round starts the real program in a terminal, goes on with a battle, fires, and ends the program
with SIGKILL before the last shot is done. Then what its screen had shown is compared with the
journal in the database. The exit code is 1 if something was lost.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from onlooker import MENU, SKIRMISH, SPACE_DEAD, Facts, Onlooker, Seen, fold, latest

from skirmish.games.plastic.battle.agenda import OutcomeAsk, RepeatAsk
from skirmish.games.plastic.battle.ending import proposed_end
from skirmish.games.plastic.battle.orders import Fire, why_not
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.store.backups import examine

ROUNDS = 200
LATEST_KILL = 0.12
"""Seconds after the keys of the last shot within which the kill comes: as long as it takes to
decide the shot, store it and show it."""
EARLY_KILLS = 0.2
"""The share of kills that come while the program starts or opens the battle."""
ROUNDS_A_BATTLE = 12
"""After so many rounds a new battle is begun."""
ESCAPE, UNDO, NEXT_PHASE, PLAY_ON = "\x1b", "\x7f", ">", "p"
"""Keys of the battle screen."""
REPORT_EACH = 20
"""After so many kills a line says how many losses there were."""
_TRIES = 40
"""Pairs of a shooter and a target that are tried before it is given up to find a shot."""


class Kill(msgspec.Struct, frozen=True):
    """One kill: what was shown then, and what was stored."""

    seen: Seen | None
    """The last battle screen; None if none was shown yet."""
    states: tuple[State, ...]
    """After each entry that is stored."""
    entries_before: int
    """How many entries were stored when the program was started."""

    @property
    def loss(self) -> str | None:
        """What was shown and is not stored, in words; None if nothing was lost."""
        if self.seen is None or latest(self.seen, self.states) is not None:
            return None
        last = Facts.of(self.states[-1])
        return f"{len(self.states)} entries are kept, the last {last}; shown was {self.seen}"

    @property
    def has_shown_new_entry(self) -> bool:
        """Whether an entry was shown that was not stored yet when the program was started."""
        if self.seen is None:
            return False
        entry = latest(self.seen, self.states)
        return entry is not None and entry > self.entries_before

    @property
    def is_before_showing(self) -> bool:
        """Whether the kill came when the last entry was stored and not yet shown."""
        return self.seen is not None and not self.seen.facts.fits(Facts.of(self.states[-1]))


def killed(
    database: Path,
    chance: random.Random,
    *,
    new: bool = False,
    shots: int | None = None,
    command: Sequence[str] = SKIRMISH,
) -> Kill:
    """Start the program, in a ``new`` battle or the one played last, give ``shots`` orders (None:
    one to three), and kill it in the last.

    Raises NotSeenError where the battle does not open as it was stored, AssertionError where the
    file is no longer sound.
    """
    entries_before = 0
    if not new:
        entries_before = len(fold(database).states)
    with Onlooker(database, command) as onlooker:
        may_be_early = not new and shots is None
        if may_be_early and chance.random() < EARLY_KILLS:
            onlooker.until_says(MENU)
            onlooker.press("\r")
            onlooker.rest(chance.uniform(0.0, 1.5))
        else:
            if new:
                onlooker.begin()
            else:
                onlooker.resume()
                onlooker.until_shows(fold(database).states[-1])
            if shots is None:
                shots = chance.randint(1, 3)
            _give_orders(onlooker, database, chance, shots)
            onlooker.rest(chance.uniform(0.0, LATEST_KILL))
        onlooker.kill()
        seen = onlooker.battle()
    faults = examine(database).faults
    assert faults == (), faults
    return Kill(seen, tuple(fold(database).states), entries_before)


def _give_orders(onlooker: Onlooker, database: Path, chance: random.Random, count: int) -> None:
    """Type so many orders, and wait for what comes of each but the last."""
    for number in range(1, count + 1):
        _, states = fold(database)
        onlooker.press(keys(states[-1], chance))
        if number < count:
            settle(onlooker, database, len(states))


def settle(onlooker: Onlooker, database: Path, entries_before: int) -> None:
    """Wait until the order that was typed is stored and shown, if the program took it for one at
    all, and until Space is taken for a key of its own again."""
    # A busy machine may take so long; that an order is refused is rare.
    end = time.perf_counter() + 3.0
    while time.perf_counter() < end:
        onlooker.rest(0.05)
        _, states = fold(database)
        if len(states) > entries_before:
            onlooker.until_shows(states[-1])
            break
    onlooker.rest(SPACE_DEAD)


def keys(state: State, chance: random.Random) -> str:
    """What a player would type now: mostly a shot that the rules allow, sometimes an undo or the
    next phase; to any question its usual answer."""
    if proposed_end(state) is not None:
        return PLAY_ON  # the program asks whether the battle, which is decided, shall end
    match state.ask:
        case None:
            if chance.random() < 0.1:
                return UNDO
            return shot(state, chance) or NEXT_PHASE
        case RepeatAsk():
            if chance.random() < 0.7:
                return " "
            return ESCAPE
        case OutcomeAsk():
            return ESCAPE + UNDO
        case _:
            return "\r"


def shot(state: State, chance: random.Random) -> str:
    """The keys of some shot that the rules allow now; "" where none was found."""
    firing_side = state.firing_side
    own = [row for row in rows(state, firing_side) if row.ready_count]
    enemy_rows = rows(state, state.setup.enemy_of(firing_side).id)
    enemies = [row for row in enemy_rows if row.alive and row.here]
    if not own or not enemies:
        return ""
    for _ in range(_TRIES):
        shooter, target = chance.choice(own), chance.choice(enemies)
        if why_not(state, Fire(shooter=shooter.key, target=target.key)) is None:
            return f"{shooter.letter}{target.letter} "
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how many kills ({ROUNDS})")
    parser.add_argument("--seed", type=int, default=None, help="for the same keys once more")
    chosen = parser.parse_args()
    seed = chosen.seed
    if seed is None:
        seed = random.randrange(10**6)
    chance = random.Random(seed)
    kills: list[Kill] = []
    with tempfile.TemporaryDirectory(prefix="skirmish-kills-") as name:
        database = Path(name) / "skirmish.db"
        for done in range(chosen.rounds):
            kills.append(killed(database, chance, new=done % ROUNDS_A_BATTLE == 0))
            if len(kills) % REPORT_EACH == 0:
                print(f"{len(kills)} kills, {len(losses_of(kills))} losses", flush=True)
    losses = losses_of(kills)
    in_battle = [kill for kill in kills if kill.seen is not None]
    with_new_entry = [kill for kill in kills if kill.has_shown_new_entry]
    before_showing = [kill for kill in kills if kill.is_before_showing]
    print(
        f"{chosen.rounds} kills (seed {seed}): {len(in_battle)} with "
        f"a battle on the screen; {len(with_new_entry)} with orders of this start "
        f"shown; {len(before_showing)} between keeping and showing; "
        f"{len(losses)} with something lost."
    )
    print(*losses, sep="\n")
    return int(bool(losses))


def losses_of(kills: Sequence[Kill]) -> list[str]:
    """What was lost by which kill, in words."""
    losses = []
    for number, kill in enumerate(kills, 1):
        if kill.loss is not None:
            losses.append(f"kill {number}: {kill.loss}")
    return losses


if __name__ == "__main__":
    raise SystemExit(main())
