"""The command line as a whole: help, versions, errors, exits, and what it does not load."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from at_the_desk import ZIEGLER, Ask, command, environment
from typer.main import get_command

from skirmish import __version__, library
from skirmish.cli import questions
from skirmish.cli.commands import application
from skirmish.installation import installation_name

HEAVY = ("sqlalchemy", "sqlmodel", "alembic", "reportlab", "textual")


def commands() -> Iterator[tuple[str, ...]]:
    def below(command: object, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        inner = getattr(command, "commands", None)
        if inner is None:
            yield path
        for name, one in (inner or {}).items():
            yield from below(one, (*path, name))

    return below(get_command(application()), ())


COMMANDS = list(commands())


def test_these_are_the_commands() -> None:
    assert {" ".join(path) for path in COMMANDS} == {
        "play",
        "list",
        "show",
        "journal",
        "export",
        "import",
        "print game",
        "scenarios",
        "scenario new",
        "scenario deal",
        "scenario copy",
        "scenario edit",
        "scenario check",
        "scenario show",
        "scenario record",
        "scenario export",
        "scenario import",
        "scenario delete",
        "scenario undelete",
        "rules",
        "scores",
        "settings",
        "follow",
        "odds",
        "odds table",
        "odds worth",
        "serve",
        "start",
        "resolve",
        "army check",
        "army list",
        "army show",
        "army export",
        "army import",
        "army share",
        "army templates",
        "army new",
        "army owned",
        "army missing",
        "print roster",
        "print scenario",
        "print reference",
        "print markers",
        "print odds",
        "print report",
        "print position",
        "print blank",
        "print beach-head",
        "battle list",
        "battle show",
        "battle journal",
        "battle log",
        "battle luck",
        "battle export",
        "battle import",
        "battle totals",
        "beach-head list",
        "beach-head show",
        "beach-head journal",
        "beach-head scores",
        "beach-head export",
        "beach-head import",
        "beach-head rulings",
        "beach-head auto",
        "beach-head simulate",
        "omaha list",
        "omaha show",
        "omaha journal",
        "omaha export",
        "omaha import",
        "omaha resolve",
        "omaha units",
        "omaha rulings",
        "gts list",
        "gts show",
        "gts journal",
        "gts export",
        "gts import",
        "gts resolve",
        "gts units",
        "gts card",
        "gts rulings",
        "bloody-omaha list",
        "bloody-omaha show",
        "bloody-omaha journal",
        "bloody-omaha export",
        "bloody-omaha import",
        "bloody-omaha points",
        "bloody-omaha units",
        "bloody-omaha card",
        "bloody-omaha rulings",
        "db path",
        "db backup",
        "db restore",
        "db check",
    }


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_a_short_help_with_an_example(ask: Ask, path: tuple[str, ...]) -> None:
    said = ask(*path, "--help")
    assert (said.code, said.err) == (0, "")
    _, example = re.split("Examples?:", said.out)
    assert f"skirmish {' '.join(path)}" in example
    assert len(said.out.splitlines()) <= 24
    assert max(map(len, said.out.splitlines())) <= 80
    assert "[[" not in said.out  # what may be left out stands in one pair of brackets
    assert ask(*path, "-h").out == said.out


@pytest.mark.parametrize(
    "group",
    ["", "army", "battle", "beach-head", "omaha", "gts", "bloody-omaha", "scenario", "print", "db"],
)
def test_a_list_of_commands_cuts_no_sentence_short(ask: Ask, group: str) -> None:
    said = ask(*group.split(), "--help")
    assert "Commands:" in said.out
    assert "..." not in said.out.split("Commands:")[1]


@pytest.mark.parametrize("group", ["army", "battle", "beach-head", "omaha", "gts", "print", "db"])
def test_half_a_command_is_told_the_rest(ask: Ask, group: str) -> None:
    said = ask(group)
    assert (said.code, said.out) == (2, "")
    assert "Commands:" in said.err


def test_the_version(ask: Ask) -> None:
    assert ask("--version") == (0, f"Skirmish {__version__} ({installation_name()})\n", "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bogus"], "bogus"),
        (["army", "chek"], "chek"),
        (["scenarios", "--jsn"], "--jsn"),
        (["army", "check"], "FILE"),
        (["print", "scenario", "3", "--ink", "green"], "green"),
        (["print", "roster", "ziegler.toml", "--paper", "a3"], "a3"),
        (["resolve", "a", "\x1b[2J"], "x1b[2J"),
    ],
)
def test_a_wrong_word_is_a_sentence_and_exit_2(ask: Ask, words: list[str], told: str) -> None:
    said = ask(*words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert re.search(r"^For help: skirmish.* --help$", said.err, re.MULTILINE)
    assert "\x1b" not in said.err


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    def fail(_: str) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(questions, "answer_about_shots", fail)
    with pytest.raises(ZeroDivisionError):
        ask("resolve")


# Scenarios


def test_the_table_of_scenarios_fits_a_screen(ask: Ask) -> None:
    said = ask("scenarios")
    lines = said.out.splitlines()
    assert said.code == 0
    assert re.fullmatch(r" 1  Overmatched +1939-09 +Polish 43, German 90-92 +11", lines[1])
    assert re.fullmatch(r" 3  A Sterling Performance .* -", lines[3])
    assert lines[10].startswith("10  Dog Beach")
    assert max(map(len, lines)) <= 80


def test_the_json_of_scenarios_is_a_list_of_all(ask: Ask) -> None:
    told = ask("scenarios", "--json").json
    assert [scenario["number"] for scenario in told] == list(library.scenarios())
    assert told[8]["title"] == "Hold Until Relieved"
    assert told[8]["ends_after"] == {"side": "german", "turn": 24}
    assert told[2]["ends_after"] is None


def test_of_one_scenario_all_is_printed(ask: Ask) -> None:
    """Its table in words, too: whoever plays line by line sees no map."""
    said = ask("scenarios", "3")
    assert said.code == 0
    words = " ".join(said.out.split())
    assert words.startswith("A Sterling Performance 17 November 1941.")
    for part in (
        "Hangar: (5) C5",
        "Anywhere, before play. In secret",
        "Alarm. From German turn 2 on",
    ):
        assert part in words
    assert ask("scenarios", "3", "--json").json["number"] == 3
    wrong = ask("scenarios", "\x1b[2J")
    assert (wrong.code, wrong.out) == (2, "")
    last = max(library.scenarios())
    assert wrong.err.startswith(f"There is no scenario ␛[2J; use a number from 1 to {last}.")


# As a real program


def test_the_app_without_a_terminal_explains_itself(real: Ask) -> None:
    said = real()
    assert (said.code, said.out) == (2, "")
    assert "needs a terminal" in said.err
    assert "skirmish --help" in said.err


def test_the_main_road(ask: Ask, real: Ask, desk: Path) -> None:
    """What is kept by one process is there for the next."""
    assert ask("scenarios").out.count("\n") >= 11
    assert ask("army", "check", "ziegler.toml").code == 0
    assert ask("army", "check", "-", "--json", typed=ZIEGLER).json["legal"] is True
    assert real("army", "import", "russians.toml").code == 0
    assert "Красная армия" in ask("army", "list").out
    code = ask("army", "share", "1").out
    assert ask("army", "import", "-", typed=code).code == 0
    exported = real("army", "export", "2")
    assert (exported.code, exported.err) == (0, "")
    assert (desk / "army-красная-армия-2.toml").is_file()
    asked = real("resolve", typed=b'{"check": {"kind": "pin"}, "draw": [12]}\n?\n')
    assert asked.code == 2
    assert asked.out.startswith('{"pinned":true}\n{"error":"line 2: ')
    assert sorted(desk.parent.iterdir()) == [desk, desk.parent / "kept.db"]


@pytest.mark.parametrize(
    "words", [["scenarios"], ["resolve"], ["army", "check", "ziegler.toml"], ["army", "--help"]]
)
def test_no_answer_waits_for_what_it_does_not_need(desk: Path, words: list[str]) -> None:
    program = (
        "import sys\n"
        "from skirmish.cli import run\n"
        "try:\n    run(sys.argv[1:])\n"
        f"finally:\n    loaded = [name for name in {HEAVY} if name in sys.modules]\n"
        "    print(loaded, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=desk,
        env=environment(),
        check=True,
    )
    assert done.stderr == b"[]\n"


def test_no_terminal_is_too_poor_for_a_name(ask: Ask, real: Ask) -> None:
    """Other encodings: in the tests of how the command line speaks."""
    assert ask("army", "import", "russians.toml").code == 0
    said = real("army", "list", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (said.code, said.err) == (0, "")
    assert r"\u041a\u0440\u0430\u0441\u043d\u0430\u044f" in said.out  # Красная


def test_a_reader_who_leaves_early_ends_a_table_quietly(desk: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        command(["scenarios"]),
        stdout=write,
        stderr=subprocess.PIPE,
        cwd=desk,
        env=environment(),
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [["scenarios"], ["scenarios", "--json"], ["army", "list"]])
def test_a_full_disk_is_a_sentence(desk: Path, words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(words),
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=desk,
            env=environment(),
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"The output cannot be written: no space left on device.\n"


@pytest.mark.skipif(os.name != "posix", reason="streams are closed by the shell's >&-")
def test_missing_streams_do_no_harm(desk: Path) -> None:
    for words, closed, wanted in (
        ("scenarios", ">&-", 0),
        ("scenarios --json", ">&- 2>&-", 0),
        ("resolve", "<&-", 2),
        ("army check -", "<&-", 2),
    ):
        done = subprocess.run(
            f'"{sys.executable}" -m skirmish {words} {closed}',
            shell=True,
            capture_output=True,
            cwd=desk,
            env=environment(),
            check=False,
        )
        assert done.returncode == wanted, words
        assert b"Traceback" not in done.stderr
        assert wanted == 0 or done.stderr.startswith(b"There is no input to read")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_ends_quietly(desk: Path) -> None:
    with subprocess.Popen(
        command(["resolve"]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=desk,
        env=environment(),
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write(b"?\n")
        program.stdin.flush()
        program.stdout.readline()
        program.send_signal(signal.SIGINT)
        assert program.wait() == 130
        assert b"Traceback" not in program.stderr.read()


@pytest.mark.parametrize("where", ["postgres://u:secret@h/d", "{folder}", "{folder}/ziegler.toml"])
def test_a_database_that_will_not_do_is_a_sentence(
    ask: Ask, desk: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKIRMISH_DATABASE", where.format(folder=desk))
    said = ask("army", "list")
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert "secret" not in said.err
    assert (desk / "ziegler.toml").read_text("utf-8") == ZIEGLER


@pytest.mark.parametrize(
    ("typed", "proposed"),
    [
        ("skirmish pri", "print"),
        ("skirmish print sc", "scenario"),
        ("skirmish serve --un", "--until-closed"),
    ],
)
def test_a_shell_is_told_what_may_follow(typed: str, proposed: str) -> None:
    asked = {
        "_SKIRMISH_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(typed.count(" ")),
    }
    answer = subprocess.run(
        command([]), env=environment() | asked, capture_output=True, text=True, check=False
    )
    assert (answer.stdout.split(), answer.stderr) == ([proposed], "")
