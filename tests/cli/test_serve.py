"""`skirmish serve` on the command line: its addresses, its refusals, and how it ends."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from at_the_desk import Ask, command, environment

from skirmish import registry
from skirmish.installation import command_to_add
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.game import PLAYERS
from skirmish.web.links import WALL, WATCH, LinkBook

PATIENCE = 60.0
"""Seconds for a server to end. It needs half of one; but one that an app started gives way to every
other program, and where all of them are busy it waits for its turn many times."""
needs_server = pytest.mark.skipif(
    importlib.util.find_spec("textual_serve") is None, reason="the extra `browser` is missing"
)


def test_without_the_package_it_says_how_to_get_it(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in [name for name in sys.modules if name.startswith("skirmish.web.")]:
        monkeypatch.delitem(sys.modules, room)
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    said = ask("serve")
    assert (said.code, said.out) == (2, "")
    assert command_to_add("browser") in said.err
    assert len(said.err.splitlines()) == 1


@needs_server
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--host", "127.0.0.1"], "--host needs --lan"),
        (["--lan", "--host", "192.0.2.77"], "Nothing can be served at 192.0.2.77"),
        (["--lan", "--host", "no such\nplace"], "served at no such·place: "),
        (["--port", "70000"], "65535"),
        (["--port", "-1"], "--port"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(ask: Ask, words: list[str], sentence: str) -> None:
    said = ask("serve", *words)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert "Traceback" not in said.err


@needs_server
def test_a_port_in_use_is_told(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = ask("serve", "--port", str(port))
    assert said.code == 2
    assert f"Port {port} is taken" in said.err
    assert "--port 0" in said.err


@needs_server
def test_a_database_in_memory_cannot_be_shared(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIRMISH_DATABASE", ":memory:")
    said = ask("serve", "--port", "0")
    assert said.code == 2
    assert "tabs cannot share" in said.err


class Running:
    """The command, at work."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            command(["serve", "--port", "0", *words]),
            cwd=folder,
            env=environment() | {"SKIRMISH_DATABASE": str(folder / "kept.db")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip())
            if "Ctrl+C" in line:
                break
        self.doors = [line.strip() for line in self.said if line.strip().startswith("http://")]


@pytest.fixture
def started(desk: Path) -> Iterator[list[Running]]:
    """Ends what a test started and did not."""
    running: list[Running] = []
    yield running
    for one in running:
        one.process.kill()
        one.process.communicate()


def page(address: str) -> tuple[int, str]:
    """The answer to a browser that goes there; whatever proxy there is has no part in it."""
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor()
    )
    try:
        with opener.open(address, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@needs_server
@pytest.mark.skipif(os.name != "posix", reason="signals are things of POSIX")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_ends_cleanly(
    desk: Path, started: list[Running], end: signal.Signals
) -> None:
    running = Running(desk)
    started.append(running)
    (door,) = running.doors
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", door)
    assert (desk / "kept.db").exists(), "made before the first tab needs it"
    assert page(door)[0] == 200
    running.process.send_signal(end)
    out, err = running.process.communicate(timeout=60)
    assert (running.process.returncode, err) == (0, "")
    assert "Everything is saved." in out


@needs_server
@pytest.mark.skipif(os.name != "posix", reason="signals are things of POSIX")
def test_for_the_network_every_address_has_a_token(desk: Path, started: list[Running]) -> None:
    running = Running(desk, "--lan")
    started.append(running)
    tokens = {door.partition("?token=")[2] for door in running.doors}
    assert len(tokens) == 1
    assert "" not in tokens
    assert "network you trust" in " ".join(running.said)
    own = running.doors[-1]
    assert "//127.0.0.1:" in own
    assert page(own)[0] == 200
    assert page(own.partition("?")[0])[0] == 403


@needs_server
def test_a_server_that_an_app_started_ends_with_it(desk: Path, started: list[Running]) -> None:
    running = Running(desk, "--with-app")
    started.append(running)
    assert desk.joinpath(".kept.db.serving").exists()
    assert running.process.stdin is not None
    running.process.stdin.close()  # as it is when the app is killed
    running.process.stdin = None
    assert running.process.wait(PATIENCE) == 0
    assert not desk.joinpath(".kept.db.serving").exists()


@needs_server
def test_the_links_to_a_game_are_printed_and_stay_valid(desk: Path, started: list[Running]) -> None:
    game = registry.load("beach_head")
    with Store.open(str(desk / "kept.db")) as store:
        at_once(Session.opened(game, job_runner(store), game.opening({}, lambda: 7)))
    before = LinkBook(desk / "kept.db").ensure_tokens(1, (PLAYERS, WATCH, WALL))
    seen = []
    for words in ((), ("--anew",)):
        running = Running(desk, "--game", "1", *words)
        started.append(running)
        assert "Players:" in running.said
        assert "To watch only:" in running.said
        tokens = [door.partition("/s/")[2] for door in running.doors if "/s/" in door]
        assert "For a television:" in running.said
        assert len(tokens) == 3
        seen.append(tokens)
        running.process.terminate()
        running.process.wait(PATIENCE)
    assert seen[0] == list(before.values())
    assert not {*seen[0]} & {*seen[1]}


@needs_server
def test_a_game_that_is_not_there_has_no_links(ask: Ask) -> None:
    said = ask("serve", "--game", "99")
    assert (said.code, said.out) == (2, "")
    assert "99" in said.err
