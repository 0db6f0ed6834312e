"""Kills the program at random moments, and looks whether anything was lost that it had shown.

    python benchmarks/kills.py              (or: make kills)

Each round starts the real program in a terminal, goes on with a battle, fires, and ends the program
with SIGKILL in the midst of it. Then what its screen had shown is compared with the journal in the
database. The exit code is 1 if something was lost.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from onlooker import SKIRMISH, SPACE_DEAD, Facts, Onlooker, Seen, fold, latest

from skirmish.games.plastic.battle.ending import proposed_end
from skirmish.games.plastic.battle.orders import Fire, why_not
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.store.backups import examine

ROUNDS = 200
LATEST = 0.12  # seconds after the keys of the last shot: it is decided, kept and shown in these
EARLY = 0.2  # of all kills come while the program starts or opens the battle
NEW = 12  # every so many rounds a new battle is begun
_TRIES = 40


class Kill(msgspec.Struct, frozen=True):
    """One kill: what was shown then, what was kept."""

    seen: Seen | None  # the last battle screen; None if none was shown yet
    states: tuple[State, ...]  # after each entry kept
    before: int  # entries kept when the program was started

    @property
    def lost(self) -> str | None:
        """What was shown and is not kept, in words."""
        if self.seen is None or latest(self.seen, self.states) is not None:
            return None
        last = Facts.of(self.states[-1])
        return f"{len(self.states)} entries are kept, the last {last}; shown was {self.seen}"

    @property
    def fresh(self) -> bool:
        """Whether something was shown that was not kept yet when the program was started."""
        return self.seen is not None and (latest(self.seen, self.states) or 0) > self.before

    @property
    def ahead(self) -> bool:
        """Whether the kill came between keeping and showing."""
        return self.seen is not None and not self.seen.facts.fits(Facts.of(self.states[-1]))


def killed(
    database: Path,
    chance: random.Random,
    *,
    new: bool = False,
    shots: int | None = None,
    command: Sequence[str] = SKIRMISH,
) -> Kill:
    """Start the program, give ``shots`` orders (or some), kill it in the last.

    Raises NotSeenError where the battle does not open as it was kept, AssertionError where the
    file is no longer sound.
    """
    before = 0 if new else len(fold(database)[1])
    with Onlooker(database, command) as onlooker:
        if not new and not shots and chance.random() < EARLY:
            onlooker.until_says("New battle")
            onlooker.press("\r")
            onlooker.rest(chance.uniform(0.0, 1.5))
        else:
            if new:
                onlooker.begin()
            else:
                onlooker.resume()
                _, states = fold(database)
                onlooker.until_shows(states[-1])
            shots = shots or chance.randint(1, 3)
            for shot in range(shots):
                _, states = fold(database)
                onlooker.press(keys(states[-1], chance))
                if shot == shots - 1:
                    onlooker.rest(chance.uniform(0.0, LATEST))
                else:
                    settle(onlooker, database, len(states))
        onlooker.kill()
        seen = onlooker.battle()
    found = examine(database)
    assert found.faults == (), found.faults
    _, states = fold(database)
    return Kill(seen, tuple(states), before)


def settle(onlooker: Onlooker, database: Path, before: int) -> None:
    """Wait until the order is kept and shown, if it is one at all, and Space lives again."""
    end = time.perf_counter() + 3.0  # a busy machine takes long; an order that is none is rare
    while time.perf_counter() < end:
        onlooker.rest(0.05)
        _, states = fold(database)
        if len(states) > before:
            onlooker.until_shows(states[-1])
            break
    onlooker.rest(SPACE_DEAD)


def keys(state: State, chance: random.Random) -> str:
    """What a player would type now: mostly a shot that the rules allow, sometimes an undo or the
    next phase; to any question its usual answer."""
    if proposed_end(state) is not None:
        return "p"  # a battle that is over has nothing more to kill
    match type(state.ask).__name__:
        case "NoneType":
            pass
        case "RepeatAsk":
            return " " if chance.random() < 0.7 else "\x1b"
        case "OutcomeAsk":
            return "\x1b\x7f"
        case _:
            return "\r"
    if chance.random() < 0.1:
        return "\x7f"
    return shot(state, chance) or ">"


def shot(state: State, chance: random.Random) -> str:
    """The keys of some shot that the rules allow now; "" where none was found."""
    firing = state.firing_side
    own = [row for row in rows(state, firing) if row.ready_count]
    others = rows(state, state.setup.enemy_of(firing).id)
    enemies = [row for row in others if row.alive and row.here]
    for _ in range(_TRIES if own and enemies else 0):
        shooter, target = chance.choice(own), chance.choice(enemies)
        if why_not(state, Fire(shooter=shooter.key, target=target.key)) is None:
            return f"{shooter.letter}{target.letter} "
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how many kills ({ROUNDS})")
    parser.add_argument("--seed", type=int, default=None, help="for the same keys once more")
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.randrange(10**6)
    chance = random.Random(seed)
    kills: list[Kill] = []
    with tempfile.TemporaryDirectory(prefix="skirmish-kills-") as name:
        database = Path(name) / "skirmish.db"
        for turn in range(chosen.rounds):
            kills.append(killed(database, chance, new=turn % NEW == 0))
            if (turn + 1) % 20 == 0:
                print(f"{turn + 1} kills, {sum(map(_is_lost, kills))} losses", flush=True)
    losses = [f"kill {turn}: {kill.lost}" for turn, kill in enumerate(kills, 1) if kill.lost]
    print(
        f"{chosen.rounds} kills (seed {seed}): {sum(kill.seen is not None for kill in kills)} with "
        f"a battle on the screen; {sum(kill.fresh for kill in kills)} with orders of this start "
        f"shown; {sum(kill.ahead for kill in kills)} between keeping and showing; "
        f"{len(losses)} with something lost."
    )
    print(*losses, sep="\n")
    return 1 if losses else 0


def _is_lost(kill: Kill) -> bool:
    return kill.lost is not None


if __name__ == "__main__":
    raise SystemExit(main())
