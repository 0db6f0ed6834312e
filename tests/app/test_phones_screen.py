"""The links for phones, on a screen of the app: what they open, who is connected, a link anew."""

from __future__ import annotations

from pathlib import Path
from time import time

import pytest
from steps import NARROW, WIDE, eventually, fought, press, resume, the_app, until
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish.app.battle.screen import BattleScreen
from skirmish.app.phones import LinkList, PhonesScreen
from skirmish.web.addresses import link_address, qr_code
from skirmish.web.links import LinkBook, ServerNote

BASE = "http://192.0.2.7:8044/"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a server has noted stays fresh, however slow this machine is."""
    monkeypatch.setattr("skirmish.web.links.NOTE_LASTS", 3600.0)


def text(pilot: Pilot[None]) -> str:
    listed = pilot.app.screen.query_one(LinkList)
    lines = [str(one.prompt) for one in listed.options]
    parts = [str(one.render()) for one in pilot.app.screen.query(Static)]
    return "\n".join([*lines, *parts])


async def opened(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "f9")
    await until(pilot, PhonesScreen)


async def test_without_a_server_nobody_else_can_open_the_game(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        assert "Nobody else can open this game yet." in text(pilot)
        assert "http" not in text(pilot)
        await press(pilot, "escape")
        await until(pilot, BattleScreen)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_each_link_has_its_code_and_says_who_is_connected(
    where: str, size: tuple[int, int]
) -> None:
    fought(where)
    book = LinkBook(Path(where))
    tokens = book.ensure_tokens(1, ["german", "polish"])
    whole = book.ensure_app_token()
    book.write_note(ServerNote((BASE,), whole, True, time(), {tokens["polish"]: 2, whole: 1}))
    async with the_app(where).run_test(size=size) as pilot:
        await opened(pilot)
        first, second, watch, wall, app = text(pilot).split("\n")[:5]
        assert "Germans" in first
        assert "nobody" in first
        assert "Poles" in second
        assert "2 connected" in second
        assert "watch" in watch
        assert "television" in wall
        assert "whole app" in app
        assert "1 connected" in app
        for side in ("german", "polish"):
            address = link_address(BASE, tokens[side])
            assert address in text(pilot)
            assert "\n".join(qr_code(address)) in text(pilot)
            await press(pilot, "down")
        await press(pilot, "down", "down")
        assert f"{BASE}?token={whole}" in text(pilot)


async def test_a_link_is_taken_back_by_a_key(where: str) -> None:
    fought(where)
    book = LinkBook(Path(where))
    before = book.ensure_tokens(1, ["german"])["german"]
    book.write_note(ServerNote((BASE,), "", True, time()))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await press(pilot, "n")
        await eventually(pilot, lambda: "taken back" in text(pilot))
        assert before not in text(pilot)
        assert book.find(before) is None
        now = book.ensure_tokens(1, ["german"])["german"]
        assert link_address(BASE, now) in text(pilot)
