"""``skirmish resolve``: a line in, a line out, whatever the line."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from at_the_desk import ROOT, Ask, command, environment
from hypothesis import given, settings
from hypothesis import strategies as st

from skirmish import library
from skirmish.cli import questions
from skirmish.games.plastic.questions import Answering, QuestionError

PIN = '{"check": {"kind": "pin"}, "draw": ["9S"]}'
DOC = (ROOT / "docs" / "resolve.md").read_text("utf-8")


def lines(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


def test_the_guide_shows_what_really_comes_back() -> None:
    asked = Answering(library.catalog(), library.rulings())
    shown = re.findall(r"^(\{.*\})\n→ (\{.*\})$", DOC, re.MULTILINE)
    assert len(shown) == DOC.count("\n→ ") > 10
    for question, answer in shown:
        said = json.dumps(asked.answer_line(question.encode()), ensure_ascii=False)
        assert json.loads(said.replace("\u00a0", " ")) == json.loads(answer), question


def test_the_guide_names_every_key_and_code() -> None:
    asked = Answering(library.catalog(), library.rulings())
    shot = {"shooter": "machinegun", "target": "rifle", "distance": 1, "phase": 2}
    keys = set(asked.answer_line(json.dumps({"shot": shot, "draw": ["2H"]}).encode()))
    for key in keys | {"within", "of", "pinned", "movement_ends", "dug_in", "too_few", "error"}:
        assert key in DOC


def test_a_bad_line_tells_its_number_and_the_rest_go_on(ask: Ask) -> None:
    said = ask("resolve", typed=f'{PIN}\nnonsense\n\n{{"shot": {{}}}}\n{PIN}\n')
    good, bad, blank, lacking, last = lines(said.out)
    assert said.code == 2
    assert good == last == {"pinned": True}
    assert str(bad["error"]).startswith("line 2: not JSON")
    assert str(blank["error"]).startswith("line 3: blank")
    assert str(lacking["error"]).startswith("line 4: shot.distance: is missing")
    assert "shot.shooter: is missing" in str(lacking["error"])
    assert said.err == ""


def test_the_last_line_needs_no_line_end(ask: Ask) -> None:
    assert ask("resolve", "-", typed=PIN) == (0, '{"pinned":true}\n', "")


def test_nothing_asked_is_nothing_answered(ask: Ask) -> None:
    assert ask("resolve") == (0, "", "")


def test_a_file_from_windows_is_read_like_any_other(ask: Ask, desk: Path) -> None:
    (desk / "asked.jsonl").write_bytes(b"\xef\xbb\xbf" + f"{PIN}\r\n{PIN}\r\n".encode())
    assert lines(ask("resolve", "asked.jsonl").out) == [{"pinned": True}] * 2


@pytest.mark.parametrize("line", ["[" * 100_000, '{"shot":' * 100_000], ids=["lists", "objects"])
def test_brackets_without_end_are_one_bad_line(ask: Ask, line: str) -> None:
    said = ask("resolve", typed=f"{line}\n{PIN}\n")
    assert said.code == 2
    assert "line 1: nested too deeply for a question" in str(lines(said.out)[0]["error"])
    assert lines(said.out)[1] == {"pinned": True}


@pytest.mark.parametrize("end", ["", "\n", f"\n{PIN}"])
def test_a_line_too_long_to_keep_is_one_bad_line(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(questions, "LONGEST_LINE", 1_000)
    for length in (1_001, 70_000, 200_000):
        said = ask("resolve", typed=PIN + "\n" + "x" * length + end)
        told = lines(said.out)
        assert [*told[0]] == ["pinned"]
        assert told[1] == {"error": "line 2: longer than 1000 bytes, too long for a question"}
        assert len(told) == (3 if end == f"\n{PIN}" else 2)


@settings(deadline=None)
@given(st.binary(max_size=80).filter(lambda data: b"\n" not in data))
def test_any_bytes_at_all_are_answered_or_refused(line: bytes) -> None:
    asked = Answering(library.catalog(), library.rulings())
    with pytest.raises(QuestionError):
        questions._answered(asked.answer_line, line)


def test_a_missing_file_is_a_sentence(ask: Ask) -> None:
    said = ask("resolve", "nowhere.jsonl")
    assert (said.code, said.out) == (2, "")
    assert said.err == "nowhere.jsonl: no such file or directory.\n"


def test_answers_come_while_questions_are_still_to_come(desk: Path) -> None:
    with subprocess.Popen(
        command(["resolve"]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=desk,
        env=environment(),
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for _ in range(3):
            program.stdin.write(PIN.encode() + b"\n")
            program.stdin.flush()
            assert program.stdout.readline() == b'{"pinned":true}\n'
        program.stdin.close()
        assert program.wait() == 0


def test_a_reader_who_leaves_early_ends_it_quietly(desk: Path) -> None:
    (desk / "many.jsonl").write_text(f"{PIN}\n" * 20_000, "utf-8")
    with subprocess.Popen(
        command(["resolve", "many.jsonl"]),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=desk,
        env=environment(),
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.readline()
        program.stdout.close()
        assert program.wait() == 141
        assert program.stderr.read() == b""
