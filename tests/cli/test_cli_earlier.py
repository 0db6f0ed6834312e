"""What an earlier version stored and exported opens, and stands where it stood.

The files in ``earlier`` were made with the code of 22 November 2026, under rulings that the text
was found to answer since (P16, P21, P40). ``battle_states.json`` holds what that code made of the
battle after each of its entries.
"""

from __future__ import annotations

import gzip
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import Ask

from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.journal_codec import EntryRecord

HERE = Path(__file__).parent / "earlier"
GONE = {"P16": "no_cover", "P21": "guys_only", "P40": "as_printed"}


@pytest.fixture
def earlier(desk: Path) -> Path:
    """The files, and the database in its place."""
    for packed in HERE.glob("*.gz"):
        (desk / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
    (desk / "skirmish.db").rename(desk.parent / "kept.db")
    return desk


def facts(state: State) -> list[Any]:
    clock, outcome = state.clock, state.outcome
    return [
        *(clock.turn, clock.side, clock.phase),
        *(dict(state.loss), sorted(state.lost), sorted(state.exited), sorted(state.aboard)),
        *(sorted(state.fired), state.shots),
        {side: len(source.gone) for side, source in state.sources.items()},
        *(state.movement_over, type(state.ask).__name__, len(state.agenda)),
        outcome.winner if outcome else None,
    ]


def entries(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()[1:]


def test_its_battle_folds_to_the_same_states(earlier: Path) -> None:
    wanted = json.loads((HERE / "battle_states.json").read_text("utf-8"))
    lines = [json.loads(line) for line in entries(earlier / "battle.jsonl")]
    play: record.BattlePlay | None = None
    for line, state in zip(lines, wanted, strict=True):
        order, events = json.dumps(line["order"]), json.dumps(line["events"])
        entry = record.codec.read(EntryRecord(line["number"], line["kind"], order, events))
        if play is None:
            play = record.codec.play([entry])
        else:
            record.codec.follow(play, entry)
        assert facts(play.state) == state, line["number"]
    assert play is not None
    assert GONE.items() <= play.state.setup.rulings.items()


def test_its_database_opens_and_everything_in_it(ask: Ask, earlier: Path) -> None:
    assert ask("db", "check").out.startswith("No faults: 1 battle, 1 game of Beach Head and 1 army")
    assert ask("battle", "show", "1", "--json").json["turn"] == 4
    assert ask("battle", "log", "1").code == 0
    assert ask("show", "2").code == 0
    assert ask("army", "show", "Old Reds").code == 0
    assert ask("army", "owned").out.split() == ["80", "Rifle", "Guys", "4", "Tanks"]


@pytest.mark.parametrize(
    ("words", "number", "file"),
    [(("battle",), "1", "battle.jsonl"), ((), "2", "landing.jsonl")],
)
def test_its_games_come_out_and_in_as_they_were(
    ask: Ask, earlier: Path, words: tuple[str, ...], number: str, file: str
) -> None:
    assert ask(*words, "export", number, "-o", "again.jsonl").code == 0
    assert entries(earlier / "again.jsonl") == entries(earlier / file)
    taken = ask(*words, "import", file)
    assert (taken.code, taken.out.startswith("Imported as number 3")) == (0, True), taken


def test_a_game_of_other_rules_of_its_series_comes_in_and_out_as_it_was(
    ask: Ask, earlier: Path
) -> None:
    """The later code answers some of its orders otherwise, and its shots are written otherwise."""
    taken = ask("import", "gts.jsonl")
    assert (taken.code, "Imported as number 3: GTS, 115 entries." in taken.out) == (0, True), taken
    assert ask("export", "3", "-o", "again.jsonl").code == 0
    assert entries(earlier / "again.jsonl") == entries(earlier / "gts.jsonl")
    assert ask("show", "3").code == ask("journal", "3").code == 0
    assert ask("db", "check").code == 0


def test_its_army_opens_from_a_file_and_from_a_share_code(ask: Ask, earlier: Path) -> None:
    answered = tomllib.loads((HERE / "army.toml").read_text("utf-8"))["rulings"]
    assert answered == {**GONE, "P2": "more_than_half"}
    for source in (str(HERE / "army.toml"), (HERE / "share.txt").read_text("utf-8")):
        checked = ask("army", "check", source, "--json")
        assert (checked.code, checked.json["legal"]) == (0, True)
        assert checked.json["break_at"] == 46
        assert ask("army", "import", source).code == 0
    assert ask("army", "export", "1", "-o", "again.toml").code == 0
    assert (earlier / "again.toml").read_bytes() == (HERE / "army.toml").read_bytes()
