"""How long until Skirmish can be used, beside the smallest Textual app, and in how much memory.

    python benchmarks/startup.py            (or: make bench)

Every start happens in a terminal of its own and is watched from outside. All kinds of start take
turns in each round, so that whatever else the machine does falls on all of them alike: trust the
ratios, not the milliseconds. Medians are printed. The exit code is 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import bare
from figures import slowness
from stocked import LAST_TITLE, LONG, fill
from terminal import Terminal, environment

from skirmish.store.database import Store

HERE = Path(__file__).resolve().parent
PYTHON = sys.executable
SKIRMISH = [PYTHON, "-m", "skirmish"]
QUIT = "\x11"  # ctrl+q

MENU = "New battle"
HELP = "Esc closes this"
BATTLE = "end turn"
BATTLE_HELP = "Keys: "

PAINT_LIMIT = 1.2  # times bare, menu readable and a key accepted
LIST_LIMIT = 3.0  # times bare, the resume list
MEMORY_LIMIT = 2.6  # times bare
SCENARIOS_LIMIT = 0.5  # seconds
RESOLVE_LIMIT = 1.0  # seconds for LINES, start-up apart
LINES = 10_000

Times = Mapping[str, float]


class Rounds(NamedTuple):
    """How often each kind of start is made."""

    warm: int
    """Before the others and not counted: files are compiled, the disk's cache fills."""
    timed: int


class Report:
    """Prints a line for each figure and remembers whether one missed its target."""

    def __init__(self) -> None:
        self.missed = False

    def line(self, what: str, figure: str, value: float | None = None, limit: float = 0.0) -> None:
        """``value`` is held against ``limit``, if given."""
        verdict = ""
        if value is not None:
            good = value <= limit
            self.missed |= not good
            verdict = f"   at most {limit:g}: {'yes' if good else 'MISSED'}"
        print(f"  {what:<46}{figure:>14}{verdict}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="starts of each kind (15)")
    parser.add_argument("--battles", type=int, default=250, help="in the full database (250)")
    parser.add_argument("--armies", type=int, default=250, help="in the full database (250)")
    parser.add_argument("--entries", type=int, default=LONG, help=f"of the longest battle ({LONG})")
    parser.add_argument("--warm", type=int, default=1, help="rounds before that do not count (1)")
    parser.add_argument("--lines", type=int, default=LINES, help=f"for resolve ({LINES})")
    chosen = parser.parse_args()
    rounds = Rounds(chosen.warm, chosen.rounds)
    report = Report()
    with tempfile.TemporaryDirectory(prefix="skirmish-bench-") as name:
        folder = Path(name)
        full, empty = folder / "full.db", folder / "empty.db"
        print("Filling a database ...", flush=True)
        entries = fill(full, chosen.battles, chosen.armies, chosen.entries)
        Store.open(str(empty)).close()
        size = full.stat().st_size / 1e6
        print(
            f"{chosen.battles} battles with {entries} entries, {chosen.armies} armies: "
            f"{size:.1f} MB. {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
            f"Python {sys.version.split()[0]}.\n"
        )
        starts(report, folder, empty, full, rounds)
        memory(report, folder, full)
        commands(report, folder, rounds, chosen.lines)
        print(f"\nLoad at the end {os.getloadavg()[0]:.1f}.")
    return 1 if report.missed else 0


def starts(report: Report, folder: Path, empty: Path, full: Path, rounds: Rounds) -> None:
    """First paint, first key and resume list, all kinds in turn."""
    number = itertools.count()

    def new() -> Times:
        return app_start(folder, folder / f"new-{next(number)}.db")

    kinds: dict[str, Callable[[], Times]] = {
        "bare": lambda: bare_start(folder),
        "no database yet": new,
        "an empty database": lambda: app_start(folder, empty),
        "a full database": lambda: app_start(folder, full),
        "resume list": lambda: list_start(folder, full),
    }
    found = in_turns(kinds, rounds)
    own = {what: median(t[what] for t in found["bare"]) for what in ("paint", "key")}
    print(f"From exec, {rounds.timed} rounds (x: times the bare app)")
    report.line("bare app: readable", f"{own['paint'] * 1000:.0f} ms")
    report.line("bare app: a key answered", f"{own['key'] * 1000:.0f} ms")
    for kind in ("no database yet", "an empty database", "a full database"):
        for what, words in (("paint", "menu readable"), ("key", "a key answered")):
            took = median(t[what] for t in found[kind])
            ratio = took / own[what]
            figure = f"{took * 1000:.0f} ms {ratio:5.2f} x"
            report.line(f"{kind}: {words}", figure, ratio, PAINT_LIMIT)
    keys = median(t["key"] - t["pressed"] for t in found["a full database"])
    report.line("  of it from the key byte to its window", f"{keys * 1000:.0f} ms")
    took = median(t["list"] for t in found["resume list"])
    ratio = took / own["paint"]
    report.line(
        "a full database: resume list", f"{took * 1000:.0f} ms {ratio:5.2f} x", ratio, LIST_LIMIT
    )


def in_turns(kinds: Mapping[str, Callable[[], Times]], rounds: Rounds) -> dict[str, list[Times]]:
    """The times of each kind: all kinds once in every round, another one first each time."""
    found: dict[str, list[Times]] = {kind: [] for kind in kinds}
    names = list(kinds)
    for _ in range(rounds.warm):
        for kind in names:
            kinds[kind]()
    for turn in range(rounds.timed):
        first = turn % len(names)
        for kind in names[first:] + names[:first]:
            found[kind].append(kinds[kind]())
    return found


def bare_start(folder: Path) -> Times:
    with Terminal([PYTHON, str(HERE / "bare.py")], environment(), folder) as terminal:
        return _paint_and_key(terminal, bare.SHOWN, bare.OPENED)


def app_start(folder: Path, database: Path) -> Times:
    with Terminal(SKIRMISH, environment(SKIRMISH_DATABASE=str(database)), folder) as terminal:
        return _paint_and_key(terminal, MENU, HELP)


def list_start(folder: Path, database: Path) -> Times:
    with Terminal(SKIRMISH, environment(SKIRMISH_DATABASE=str(database)), folder) as terminal:
        found = {"list": terminal.seen(LAST_TITLE)}
        terminal.rest(0.5)
        terminal.leave(QUIT)
        return found


def _paint_and_key(terminal: Terminal, readable: str, answered: str) -> Times:
    paint = terminal.seen(readable)
    pressed = terminal.press("?")
    key = terminal.seen(answered)
    terminal.rest(0.2)
    terminal.press("\x1b")
    terminal.rest(0.2)
    terminal.leave(QUIT)
    return {"paint": paint, "pressed": pressed, "key": key}


def memory(report: Report, folder: Path, full: Path) -> None:
    """Peak of the process alone, with a battle open: one resumed, one begun."""
    print("\nPeak memory (VmHWM)")
    peaks = {
        "bare app": _peak([PYTHON, str(HERE / "bare.py")], {}, folder, [(bare.SHOWN, "")]),
        "home": _peak(SKIRMISH, {"SKIRMISH_DATABASE": str(full)}, folder, [(LAST_TITLE, "")]),
        "a long battle resumed": _peak(
            SKIRMISH,
            {"SKIRMISH_DATABASE": str(full)},
            folder,
            [(LAST_TITLE, "\r"), (BATTLE, "?"), (BATTLE_HELP, "\x1b"), ("", "\x7f")],
        ),
        "a scenario begun": _peak(
            SKIRMISH,
            {"SKIRMISH_DATABASE": str(folder / "begun.db")},
            folder,
            [
                (MENU, "n"),
                ("The basic game", "\r"),
                ("Begin", "b"),
                (BATTLE, "?"),
                (BATTLE_HELP, "\x1b"),
            ],
        ),
    }
    own = peaks["bare app"]
    for what, peak in peaks.items():
        if peak is None or own is None:
            report.line(what, "unknown here")
        elif what in ("bare app", "home"):
            report.line(what, f"{peak:.1f} MB")
        else:
            ratio = peak / own
            report.line(what, f"{peak:.1f} MB {ratio:5.2f} x", ratio, MEMORY_LIMIT)


def _peak(
    command: Sequence[str],
    more: Mapping[str, str],
    folder: Path,
    steps: Sequence[tuple[str, str]],
) -> float | None:
    """The peak after waiting for each word and pressing the key that goes with it."""
    with Terminal(command, environment(**more), folder) as terminal:
        for word, key in steps:
            if word:
                terminal.seen(word)
            terminal.rest(0.5)
            if key:
                terminal.press(key)
        terminal.rest(1.0)
        return terminal.peak_memory()


def commands(report: Report, folder: Path, rounds: Rounds, lines: int) -> None:
    """The command line: a short answer, and many lines at once."""
    one, many = folder / "one.jsonl", folder / "many.jsonl"
    questions = list(itertools.islice(itertools.cycle(_questions()), lines))
    one.write_text(questions[0] + "\n")
    many.write_text("\n".join(questions) + "\n")
    kinds = {
        "python": lambda: _command([PYTHON, "-c", "pass"], folder),
        "scenarios": lambda: _command([*SKIRMISH, "scenarios"], folder),
        "one": lambda: _command([*SKIRMISH, "resolve", str(one)], folder),
        "many": lambda: _command([*SKIRMISH, "resolve", str(many)], folder),
    }
    found = in_turns(kinds, rounds)
    took = {kind: median(t["took"] for t in times) for kind, times in found.items()}
    slower = slowness()
    print(
        f"\nCommands, whole process; this machine is {slower:.2f} times as slow as a recent laptop"
    )
    report.line("python -c pass", f"{took['python']:.3f} s")
    report.line(
        "scenarios", f"{took['scenarios']:.3f} s", took["scenarios"], SCENARIOS_LIMIT * slower
    )
    report.line("resolve, 1 line (its start-up)", f"{took['one']:.3f} s")
    report.line(f"resolve, {lines:,} lines", f"{took['many']:.3f} s")
    after = took["many"] - took["one"]
    report.line("  after start-up", f"{after:.3f} s", after, RESOLVE_LIMIT * slower)


def _questions() -> list[str]:
    """Every shot and check of the conformance vectors, right and wrong ones as they come."""
    asked = []
    for name in ("shots.jsonl", "checks.jsonl"):
        path = HERE.parent / "tests" / "conformance" / name
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                asked.append(json.dumps(json.loads(line)["in"]))
    return asked


def _command(command: Sequence[str], folder: Path) -> Times:
    began = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(SKIRMISH_DATABASE=str(folder / "none.db")),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=False,
    )
    took = time.perf_counter() - began
    if done.returncode not in (0, 2) or (command[-1] != "pass" and not done.stdout):
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")
    return {"took": took}


if __name__ == "__main__":
    raise SystemExit(main())
