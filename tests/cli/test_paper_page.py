"""``docs/paper.md`` is true: its commands, its files, its names of fields, its pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from at_the_desk import ROOT, Ask
from kept_battles import keep, scenario, stage
from kept_beaches import keep as keep_game
from kept_beaches import played
from pypdf import PdfReader
from typer.main import get_command

from skirmish.cli.commands import application
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from tests.games.plastic.campaign.evenings import opened, the_game

PAGE = (ROOT / "docs" / "paper.md").read_text("utf-8")
ROWS = re.findall(r"^\| `skirmish print ([^`]+)` \|.*\| `([^`]+)` \|$", PAGE, re.MULTILINE)
MOST = 250_000


def test_every_command_is_told() -> None:
    group = get_command(application()).commands["print"]  # type: ignore[attr-defined]
    assert {words.split()[0] for words, _ in ROWS} == set(group.commands)  # type: ignore[attr-defined]


@pytest.fixture
def at_hand(desk: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The army, the scenario, the battle and the games that the page speaks of."""
    (desk / "ziegler.toml").rename(desk / "my-army.toml")
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(desk / "scenarios"))
    assert ask("scenario", "new", "The Mill").code == 0
    keep(scenario(1, 5))
    keep_game(played(30))
    with Store.open() as store:
        at_once(Session.opened(the_game(), job_runner(store), opened("kursk").entries[0]))
    return desk


@pytest.mark.parametrize(("words", "called"), ROWS)
def test_every_command_writes_the_file_that_the_page_names(
    ask: Ask, at_hand: Path, words: str, called: str
) -> None:
    assert ask("print", *words.split()).code == 0
    title = "kampfgruppe-ziegler", "overmatched"
    wanted = called.replace("NAME", title[0]).replace("TITLE", title[1])
    assert [file.name for file in at_hand.glob("*.pdf")] == [wanted]


def test_the_fields_of_forms_are_called_as_the_page_says(ask: Ask, at_hand: Path) -> None:
    told = set(re.findall(r"`((?:tick|choose)-[\w-]+)`", PAGE))
    assert len(told) > 4
    keep(stage.armies({"rifle": 30}, {"rifle": 30}))
    for words in ("scenario 4", "roster my-army.toml", "beach-head", "position 1", "position 4"):
        assert ask("print", *words.split(), "--form").code == 0
    for file in at_hand.glob("*.pdf"):
        told -= set(PdfReader(file).get_fields() or {})
    assert not told


def test_every_picture_is_there_and_small() -> None:
    pages = (
        PAGE,
        *((ROOT / "docs" / name).read_text("utf-8") for name in ("example-battle.md", "phone.md")),
    )
    shown = set(re.findall(r"\((pictures/[\w-]+\.png)\)", "".join(pages)))
    there = {path.name for path in (ROOT / "docs" / "pictures").glob("*.png")}
    assert len(shown) == 6
    assert {Path(name).name for name in shown} == there
    assert all((ROOT / "docs" / name).stat().st_size < MOST for name in shown)


def test_every_file_that_the_page_leads_to_is_there() -> None:
    led = re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", PAGE)
    assert led
    assert [name for name in led if not (ROOT / "docs" / name).exists()] == []
