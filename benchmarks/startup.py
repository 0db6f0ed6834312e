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
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple, TypeVar

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

PAINT_LIMIT = 1.2
"""How many times as long as the bare app it may take until the menu can be read, and until a key is
answered."""
LIST_LIMIT = 3.0
"""The same until the list of battles to resume can be read."""
MEMORY_LIMIT = 2.6
"""How many times as much memory as the bare app it may take."""
SCENARIOS_LIMIT = 0.5
"""Seconds for the command ``scenarios``."""
RESOLVE_LIMIT = 1.0
"""Seconds for ``LINES`` lines of ``resolve``, start-up apart."""
LINES = 10_000


class Start(NamedTuple):
    """What was seen of one start, in seconds since just before the program was executed."""

    paint: float
    """When it could be read."""
    pressed: float = 0.0
    """When a key was pressed; 0 where none was timed."""
    answered: float = 0.0
    """When the answer to that key could be read."""


Figures = TypeVar("Figures")


class Rounds(NamedTuple):
    """How often each kind of start is made."""

    warm: int
    """Before the others and not counted: files are compiled, the disk's cache fills."""
    timed: int


class Report:
    """Prints a line for each figure and remembers whether one missed its target."""

    def __init__(self) -> None:
        self.is_missed = False

    def line(self, name: str, figure: str) -> None:
        """A figure that has no limit."""
        print(f"  {name:<46}{figure:>14}", flush=True)

    def limited(self, name: str, figure: str, value: float, limit: float) -> None:
        """A figure whose ``value`` is compared with a limit."""
        verdict = "yes"
        if value > limit:
            self.is_missed = True
            verdict = "MISSED"
        print(f"  {name:<46}{figure:>14}   at most {limit:g}: {verdict}", flush=True)

    def ratio(self, name: str, seconds: float, bare_seconds: float, limit: float) -> None:
        """What something takes, and how many times as long as the bare app."""
        ratio = seconds / bare_seconds
        self.limited(name, f"{seconds * 1000:.0f} ms {ratio:5.2f} x", ratio, limit)


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
    return int(report.is_missed)


def starts(report: Report, folder: Path, empty: Path, full: Path, rounds: Rounds) -> None:
    """Time and print first paint, first key and resume list, all kinds in turn."""
    number = itertools.count()

    def start_without_database() -> Start:
        return app_start(folder, folder / f"new-{next(number)}.db")

    kinds: dict[str, Callable[[], Start]] = {
        "bare": partial(bare_start, folder),
        "no database yet": start_without_database,
        "an empty database": partial(app_start, folder, empty),
        "a full database": partial(app_start, folder, full),
        "resume list": partial(list_start, folder, full),
    }
    started = in_turns(kinds, rounds)
    bare_paint = median(start.paint for start in started["bare"])
    bare_answer = median(start.answered for start in started["bare"])
    print(f"From exec, {rounds.timed} rounds (x: times the bare app)")
    report.line("bare app: readable", f"{bare_paint * 1000:.0f} ms")
    report.line("bare app: a key answered", f"{bare_answer * 1000:.0f} ms")
    for kind in ("no database yet", "an empty database", "a full database"):
        paint = median(start.paint for start in started[kind])
        answer = median(start.answered for start in started[kind])
        report.ratio(f"{kind}: menu readable", paint, bare_paint, PAINT_LIMIT)
        report.ratio(f"{kind}: a key answered", answer, bare_answer, PAINT_LIMIT)
    key = median(start.answered - start.pressed for start in started["a full database"])
    report.line("  of it from the key byte to its window", f"{key * 1000:.0f} ms")
    resume_list = median(start.paint for start in started["resume list"])
    report.ratio("a full database: resume list", resume_list, bare_paint, LIST_LIMIT)


def in_turns(
    kinds: Mapping[str, Callable[[], Figures]], rounds: Rounds
) -> dict[str, list[Figures]]:
    """What each kind returns: all kinds once in every round, another one first each time."""
    results: dict[str, list[Figures]] = {kind: [] for kind in kinds}
    names = list(kinds)
    for _ in range(rounds.warm):
        for kind in names:
            kinds[kind]()
    for turn in range(rounds.timed):
        first = turn % len(names)
        for kind in names[first:] + names[:first]:
            results[kind].append(kinds[kind]())
    return results


def bare_start(folder: Path) -> Start:
    with Terminal([PYTHON, str(HERE / "bare.py")], environment(), folder) as terminal:
        return _paint_and_key(terminal, bare.SHOWN, bare.OPENED)


def app_start(folder: Path, database: Path) -> Start:
    with Terminal(SKIRMISH, environment(SKIRMISH_DATABASE=str(database)), folder) as terminal:
        return _paint_and_key(terminal, MENU, HELP)


def list_start(folder: Path, database: Path) -> Start:
    with Terminal(SKIRMISH, environment(SKIRMISH_DATABASE=str(database)), folder) as terminal:
        start = Start(terminal.seen(LAST_TITLE))
        terminal.rest(0.5)
        terminal.leave(QUIT)
        return start


def _paint_and_key(terminal: Terminal, readable: str, answer: str) -> Start:
    """Wait for a word, press the question mark, and wait for a word of the window it opens."""
    paint = terminal.seen(readable)
    pressed = terminal.press("?")
    answered = terminal.seen(answer)
    terminal.rest(0.2)
    terminal.press("\x1b")
    terminal.rest(0.2)
    terminal.leave(QUIT)
    return Start(paint, pressed, answered)


class Step(NamedTuple):
    """Something that is done with the program while its memory grows."""

    word: str
    """What is waited for; empty for nothing."""
    key: str = ""
    """What is pressed then; empty for nothing."""


RESUME = (
    Step(LAST_TITLE, "\r"),
    Step(BATTLE, "?"),
    Step(BATTLE_HELP, "\x1b"),
    Step("", "\x7f"),
)
BEGIN = (
    Step(MENU, "n"),
    Step("The basic game", "\r"),
    Step("Begin", "b"),
    Step(BATTLE, "?"),
    Step(BATTLE_HELP, "\x1b"),
)


def memory(report: Report, folder: Path, full: Path) -> None:
    """Print the peak of the process alone: of the bare app, at home, and with a battle open, one
    resumed and one begun."""
    print("\nPeak memory (VmHWM)")
    begun = folder / "begun.db"
    bare_command = [PYTHON, str(HERE / "bare.py")]
    bare_peak = _peak(bare_command, environment(), folder, [Step(bare.SHOWN)])
    _peak_line(report, "bare app", bare_peak)
    _peak_line(report, "home", _peak_of_app(full, folder, [Step(LAST_TITLE)]))
    peaks = {
        "a long battle resumed": _peak_of_app(full, folder, RESUME),
        "a scenario begun": _peak_of_app(begun, folder, BEGIN),
    }
    for name, peak in peaks.items():
        if peak is None or bare_peak is None:
            _peak_line(report, name, None)
        else:
            ratio = peak / bare_peak
            report.limited(name, f"{peak:.1f} MB {ratio:5.2f} x", ratio, MEMORY_LIMIT)


def _peak_line(report: Report, name: str, peak: float | None) -> None:
    """A peak that has no limit, or is unknown: it is read where ``/proc`` has it."""
    if peak is None:
        report.line(name, "unknown here")
    else:
        report.line(name, f"{peak:.1f} MB")


def _peak_of_app(database: Path, folder: Path, steps: Sequence[Step]) -> float | None:
    return _peak(SKIRMISH, environment(SKIRMISH_DATABASE=str(database)), folder, steps)


def _peak(
    command: Sequence[str], env: dict[str, str], folder: Path, steps: Sequence[Step]
) -> float | None:
    """The peak after these steps; None where it cannot be read."""
    with Terminal(command, env, folder) as terminal:
        for step in steps:
            if step.word:
                terminal.seen(step.word)
            terminal.rest(0.5)
            if step.key:
                terminal.press(step.key)
        terminal.rest(1.0)
        return terminal.peak_memory()


def commands(report: Report, folder: Path, rounds: Rounds, lines: int) -> None:
    """Time and print the command line: a short answer, and many lines at once."""
    one, many = folder / "one.jsonl", folder / "many.jsonl"
    questions = list(itertools.islice(itertools.cycle(_questions()), lines))
    one.write_text(questions[0] + "\n")
    many.write_text("\n".join(questions) + "\n")
    kinds = {
        "python": partial(_time_command, [PYTHON, "-c", "pass"], folder),
        "scenarios": partial(_time_command, [*SKIRMISH, "scenarios"], folder),
        "one": partial(_time_command, [*SKIRMISH, "resolve", str(one)], folder),
        "many": partial(_time_command, [*SKIRMISH, "resolve", str(many)], folder),
    }
    took = {kind: median(seconds) for kind, seconds in in_turns(kinds, rounds).items()}
    slower = slowness()
    print(
        f"\nCommands, whole process; this machine is {slower:.2f} times as slow as a recent laptop"
    )
    report.line("python -c pass", f"{took['python']:.3f} s")
    scenarios = took["scenarios"]
    report.limited("scenarios", f"{scenarios:.3f} s", scenarios, SCENARIOS_LIMIT * slower)
    report.line("resolve, 1 line (its start-up)", f"{took['one']:.3f} s")
    report.line(f"resolve, {lines:,} lines", f"{took['many']:.3f} s")
    after_start = took["many"] - took["one"]
    limit = RESOLVE_LIMIT * slower
    report.limited("  after start-up", f"{after_start:.3f} s", after_start, limit)


def _questions() -> list[str]:
    """Every shot and check of the conformance vectors, right and wrong ones as they come."""
    asked = []
    for name in ("shots.jsonl", "checks.jsonl"):
        path = HERE.parent / "tests" / "conformance" / name
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                asked.append(json.dumps(json.loads(line)["in"]))
    return asked


def _time_command(command: Sequence[str], folder: Path) -> float:
    """Seconds of the whole process. Raises SystemExit where the command does not do what it
    should."""
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
    # With 2 `resolve` ends if it was asked something wrong, as some of the questions are.
    has_failed = done.returncode not in (0, 2)
    says_something = command[0] != PYTHON or command[1] != "-c"
    if has_failed or (says_something and not done.stdout):
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")
    return took


if __name__ == "__main__":
    raise SystemExit(main())
