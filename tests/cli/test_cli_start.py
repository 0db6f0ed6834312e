"""`skirmish start`: what a double-click runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from at_the_desk import command, environment

from skirmish.cli import start


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs, the only one on the path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)


def names(lines: list[list[str]]) -> list[str]:
    return [Path(line[0]).name for line in lines]


def test_the_terminal_of_the_desktop_comes_before_the_plain_one(installed: Path) -> None:
    for name in ("xterm", "konsole", "xdg-terminal-exec"):
        program(installed, name, "exit 0")
    lines = start.terminals("linux", {"DISPLAY": ":0"})
    assert names(lines) == ["xdg-terminal-exec", "konsole", "xterm"]


def test_without_a_desktop_no_terminal_is_opened(installed: Path) -> None:
    program(installed, "xterm", "exit 0")
    assert start.terminals("linux", {}) == []
    assert names(start.terminals("linux", {"WAYLAND_DISPLAY": "wayland-0"})) == ["xterm"]


@pytest.mark.parametrize(("platform", "name"), [("darwin", "open"), ("win32", "wt")])
def test_other_systems_have_a_terminal_of_their_own(
    installed: Path, platform: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert start.terminals(platform, {}) == []
    monkeypatch.setattr(start.shutil, "which", lambda asked: asked if asked == name else None)
    assert names(start.terminals(platform, {})) == [name]


def test_a_terminal_runs_the_program_and_one_that_fails_is_passed_over(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(installed, "konsole", "exit 1")
    program(installed, "xterm", f'echo "$@" > {installed}/typed')
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(start, "command_to_start", lambda: ["/opt/skirmish"])
    monkeypatch.setattr(start, "_has_terminal", lambda: False)
    monkeypatch.setattr(start.sys, "platform", "linux")
    monkeypatch.setattr(start, "_serve", lambda: pytest.fail("there is a terminal"))
    monkeypatch.setattr(start, "_go_to_documents", lambda: None)
    start.open_window()
    assert (installed / "typed").read_text("utf-8").endswith("-e /opt/skirmish\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a browser is named otherwise there")
def test_without_a_terminal_the_browser_opens_and_sheets_go_to_the_documents(
    tmp_path: Path,
) -> None:
    pytest.importorskip("textual_serve", reason="the extra `browser` is not installed")
    program(tmp_path, "browser", f'pwd > {tmp_path}/opened; echo "$1" >> {tmp_path}/opened')
    documents = tmp_path / "Documents"
    documents.mkdir()
    more = {"BROWSER": str(tmp_path / "browser"), "HOME": str(tmp_path), "XDG_CONFIG_HOME": "/none"}
    variables = environment() | more
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        variables.pop(name, None)
    process = subprocess.Popen(
        command(["start"]),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=variables,
        cwd=tmp_path,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if "Ctrl+C" in line:
                break
        process.terminate()
        assert process.wait(60) == 0
    finally:
        process.kill()
    folder, address = (tmp_path / "opened").read_text("utf-8").splitlines()
    assert os.path.samefile(folder, documents)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
