"""``skirmish beach-head simulate``: the same games for any workers, in every form, and stopped."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
from pathlib import Path

import pytest
from at_the_desk import Ask, command, environment

SIMULATE = ("beach-head", "simulate")


def test_a_thousand_games_are_a_table_two_histograms_and_a_comparison(ask: Ask, real: Ask) -> None:
    said = real(*SIMULATE, "--games", "1000", "--seed", "3")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0].startswith("Beach Head: 1,000 games without cards, as printed. Targets")
    table = lines.index("") + 1
    heads = ["Mean", "±", "Deviation", "Least", "Low 25%", "Median", "Top 25%", "Most"]
    assert lines[table].split() == " ".join(heads).split()
    names = [line.split()[0] for line in lines[table + 1 : table + 4]]
    assert names == ["Casualties", "Turns", "Alive"]
    assert sum("####" in line for line in lines) > 10
    told = " ".join(said.out.split())
    assert "casualties 9 to 86, mean 42; alive at most 18; turns 9 to 23." in told
    assert max(map(len, lines)) <= 80
    assert ask(*SIMULATE, "--games", "1000", "--seed", "3").out == said.out


def test_the_result_does_not_depend_on_the_workers(ask: Ask) -> None:
    said = [ask(*SIMULATE, "--games", "45000", "--workers", count) for count in ("1", "2")]
    assert said[0].out == said[1].out
    assert said[0].code == 0


def test_json_holds_everything_that_was_counted(ask: Ask) -> None:
    told = ask(*SIMULATE, "--games", "2000", "--readings", "draft_1d6", "--json").json
    assert (told["games"], told["reading"], told["variant"]) == (2000, "draft_1d6", "normandy")
    assert told["rulings"]["B39"] == "1d6"
    assert told["printed"]["turns"] == {"least": 9, "mean": None, "most": 23}
    for name in ("casualties", "turns", "alive"):
        counts = {int(value): count for value, count in told[name]["counts"].items()}
        assert sum(counts.values()) == 2000
        assert (min(counts), max(counts)) == (told[name]["least"], told[name]["most"])
        mean = sum(value * count for value, count in counts.items()) / 2000
        assert told[name]["mean"] == pytest.approx(mean)


def test_readings_and_variants_change_the_game(ask: Ask) -> None:
    words = ("", "draft_1d6", "B7=tank", "b7=Tank, B18=end_phase", "draft_1d6,B39=3d6")
    means = [
        ask(*SIMULATE, "--games", "3000", "--readings", word, "--json").json["casualties"]["mean"]
        for word in words
    ]
    omaha = ask(*SIMULATE, "--games", "3000", "--variant", "omaha", "--json").json
    assert len({*means, omaha["casualties"]["mean"]}) == len(words) + 1
    assert means[1] < 45 < means[0]


def test_csv_and_page_are_written_where_they_are_wanted(ask: Ask, desk: Path) -> None:
    said = ask(*SIMULATE, "--games", "500", "--csv", "all.csv", "--pdf", ".")
    assert said.code == 0
    with open(desk / "all.csv", newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for name in ("casualties", "turns", "alive"):
        assert sum(int(row["games"]) for row in rows if row["measure"] == name) == 500
    assert (desk / "beach-head-statistics.pdf").read_bytes().startswith(b"%PDF-")
    again = ask(*SIMULATE, "--games", "500", "--csv", "all.csv")
    assert again.code == 2
    assert "--force" in again.err


@pytest.mark.parametrize("option", ["--csv", "--pdf"])
def test_the_place_is_looked_at_before_anything_is_played(
    ask: Ask, desk: Path, option: str
) -> None:
    many = (*SIMULATE, "--games", "100000000000")  # nobody would wait for them
    (desk / "there").write_text("mine")
    for name, says in (("nowhere/x", "create it first"), ("there", "use --force to overwrite it")):
        said = ask(*many, option, name)
        assert (said.code, said.out) == (2, "")
        assert says in said.err
        assert option in said.err
        assert " -o" not in said.err
    assert (desk / "there").read_text() == "mine"


def test_one_game_is_one_and_has_no_deviation(ask: Ask) -> None:
    said = ask(*SIMULATE, "--games", "1")
    lines = said.out.splitlines()
    assert lines[0].startswith("Beach Head: 1 game without cards")
    table = [line.split() for line in lines if line.startswith(("Casualties ", "Turns ", "Alive"))]
    assert [words[-6] for words in table if len(words) > 7] == ["–"] * 3
    told = ask(*SIMULATE, "--games", "1", "--json").json["casualties"]
    assert (told["deviation"], told["standard_error"]) == (None, None)
    assert "Here" not in said.out


def test_fewer_games_than_are_printed_are_told_as_they_were(ask: Ask) -> None:
    words = (*SIMULATE, "--games", "50")
    dead = ask(*words, "--json").json["casualties"]
    told = " ".join(ask(*words).out.split())
    assert f"In these 50 games: casualties {dead['least']} to {dead['most']}, mean" in told


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--games", "0"), "--games takes at least 1, not “0”."),
        (("--games", "many"), "--games"),
        (("--workers", "0"), "--workers takes at least 1, not “0”."),
        (("--seed", "-1"), "--seed takes at least 0, not “-1”."),
        (("--policy", "bettr"), "'bettr' is not one of 'uniform', 'plan', 'better'."),
        (("--readings", "printd"), "did you mean printed?"),
        (("--readings", "B7=tnak"), "did you mean tank?"),
        (("--readings", "B99=yes"), "no such ruling"),
        (("--variant", "utah"), "utah"),
        (("--engine", "cobol"), "cobol"),
    ],
)
def test_what_cannot_be_is_one_sentence(ask: Ask, words: tuple[str, ...], says: str) -> None:
    said = ask(*SIMULATE, *words)
    assert (said.code, said.out) == (2, "")
    assert says in said.err
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()) <= 2


@pytest.mark.parametrize("engine", ["auto", "numpy", "Numba"])
def test_scripts_from_the_time_of_two_engines_go_on_working(ask: Ask, engine: str) -> None:
    words = (*SIMULATE, "--games", "10", "--json")
    assert ask(*words, "--engine", engine).json == ask(*words).json


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_bar_shows_how_far_it_is_and_an_interrupt_tells_of_the_games_so_far(desk: Path) -> None:
    pty = pytest.importorskip("pty")
    near, far = pty.openpty()
    words = command([*SIMULATE, "--games", "900000000", "--workers", "2"])
    process = subprocess.Popen(
        words,
        cwd=desk,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=far,
        text=True,
        start_new_session=True,
    )
    os.close(far)
    seen = b""
    while b"0000/900000000" not in seen:
        seen += os.read(near, 1_000)
    assert b"----" in seen
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    while not seen.endswith(b"\n"):
        seen += os.read(near, 10_000)
    os.close(near)
    assert b"Traceback" not in seen
    assert process.returncode == 130
    assert "Interrupted: you asked for 900,000,000 games." in out
    played = int(out.split(" games")[0].split()[-1].replace(",", ""))
    assert 0 < played < 900_000_000
    assert played % 20_000 == 0
