from __future__ import annotations

import io
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from at_the_desk import RUSSIANS, ZIEGLER, Ask, Said, command, environment

from skirmish.cli import run


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder and a database of the test's own, so that none writes into the user's."""
    monkeypatch.setenv("SKIRMISH_DATABASE", str(tmp_path / "kept.db"))
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "ziegler.toml").write_text(ZIEGLER, "utf-8")
    (folder / "russians.toml").write_text(RUSSIANS, "utf-8")
    return folder


@pytest.fixture
def the_app() -> Callable[..., object] | None:
    """What a command opens that needs the full screen; a test of such a command has its own."""
    return None


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, the_app: Callable[..., object] | None) -> Ask:
    """The command line in this process."""

    def said(*args: str, typed: str | bytes = b"") -> Said:
        data = typed.encode() if isinstance(typed, str) else typed
        out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        with monkeypatch.context() as streams:
            streams.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
            streams.setattr(sys, "stdout", out)
            streams.setattr(sys, "stderr", err)
            streams.setattr(logging.getLogger("skirmish"), "handlers", [])
            streams.setattr(logging.getLogger("skirmish"), "propagate", True)
            with pytest.raises(SystemExit) as ended:
                run(list(args), open_app=the_app)
        told = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
        return Said(int(ended.value.code or 0), *told)

    return said


@pytest.fixture
def real(desk: Path) -> Ask:
    """The command line as a process of its own."""

    def said(*args: str, typed: bytes = b"", env: dict[str, str] | None = None) -> Said:
        done = subprocess.run(
            command(args),
            input=typed,
            capture_output=True,
            cwd=desk,
            env=environment() | (env or {}),
            check=False,
        )
        return Said(
            done.returncode,
            done.stdout.decode("utf-8", "surrogateescape"),
            done.stderr.decode("utf-8", "surrogateescape"),
        )

    return said
