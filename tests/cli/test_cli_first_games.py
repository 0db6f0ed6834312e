"""A game that was stored in the first hours of each kind of game opens today, stands where it
stood, and goes on.

The files in ``first_games`` hold entries that the code of then wrote, each with the hour of its
commit, and where the game stood for that code. The flagship's shots had no number then, a scenario
of Omaha had a text of rules, the rules of Bloody Omaha knew battalions.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import bloody_table
import gts_table
import kept_beaches
import omaha_table
import pytest
from at_the_desk import Ask
from kept_battles import stage

from skirmish import registry
from skirmish.store.database import Store
from skirmish.tabletop.journal_codec import EntryRecord

COMPANIONS: dict[str, Any] = {
    "omaha": omaha_table,
    "gts": gts_table,
    "bloody_omaha": bloody_table,
}
FOLDER = Path(__file__).parent / "first_games"
FILES = sorted(FOLDER.glob("*.json.gz"))
EXPORTED = sorted(FOLDER.glob("*.jsonl"))
"""Of a game that came later, one that was exported on its first day: ``<id>.jsonl``."""


def stood(game: str, state: Any) -> dict[str, Any]:
    """Where a game stands, in what the code of every day had."""
    if game == "plastic":
        return {
            "turn": state.clock.turn,
            "phase": state.clock.phase,
            "side": state.clock.side,
            "loss": dict(state.loss),
            "lost": sorted(state.lost),
        }
    if game == "beach_head":
        names = ("turn", "phase", "squads", "casualties", "tanks_lost", "over", "defences")
        return {name: getattr(state, name) for name in names}
    # What is not on the map was not a counter in the first hour of Bloody Omaha.
    counters = [item for item in state.counters.counters.items() if item[1].place]
    return {
        "turn": state.position.turn,
        "phase": state.position.phase,
        "counters": {id: [counter.place, counter.steps] for id, counter in counters},
        "tracks": {id: track.value for id, track in state.tracks.items()},
    }


def some_order(game: str, state: Any, chance: Random) -> Any:
    if game == "plastic":
        return stage.some_order(state, chance)
    if game == "beach_head":
        return kept_beaches._order(state)
    return COMPANIONS[game].some_order(chance, state)


def test_every_game_is_among_them() -> None:
    games = {registry.BATTLE.id, *(listed.id for listed in registry.GAMES)}
    stored = {file.name.partition("-")[0] for file in FILES}
    exported = {file.stem for file in EXPORTED}
    assert stored | exported == games


@pytest.mark.parametrize("file", EXPORTED, ids=lambda file: file.stem)
def test_a_game_of_the_first_day_leads_to_what_its_file_says(ask: Ask, file: Path) -> None:
    imported = ask("import", str(file))
    assert (imported.code, imported.err) == (0, "")


def records_of(kept: Any) -> list[EntryRecord]:
    records = []
    for line in kept["entries"]:
        order, events = json.dumps(line["order"]), json.dumps(line["events"])
        records.append(EntryRecord(line["number"], line["kind"], order, events))
    return records


def test_a_game_of_gts_knows_the_modifiers_that_came_later() -> None:
    (file,) = (file for file in FILES if file.name.startswith("gts-22nov-2230"))
    kept = json.loads(gzip.decompress(file.read_bytes()))
    embedded = kept["entries"][0]["events"][0]["setup"]["rules"]["values"]
    assert "radio_contact" not in embedded
    game: Any = registry.load("gts")
    rules = game.codec.replay(records_of(kept)).state.rules
    assert {*game.rules_file.values} <= {*rules.values}
    assert rules.name("radio_contact") == "radio contact"


@pytest.mark.parametrize("file", FILES, ids=[file.name.partition(".")[0] for file in FILES])
def test_a_first_game_opens_and_goes_on(ask: Ask, desk: Path, file: Path) -> None:
    kept = json.loads(gzip.decompress(file.read_bytes()))
    id, records = kept["game"], records_of(kept)
    with Store.open() as store:
        number = store.add_battle(id, "The first", "as it stood", records).id
        game: Any = registry.load(id)
        play = game.codec.replay(store.entries(number))
    before = play.state
    known = kept["stood"]
    if "counters" in known:
        known["counters"] = {id: where for id, where in known["counters"].items() if where[0]}
    assert stood(id, before) == known

    assert ask("db", "check").code == 0
    for words in (("show", "1"), ("show", "1", "--json"), ("journal", "1", "--all")):
        assert ask(*words).code == 0, words
    assert ask("export", "1", "-o", "again.jsonl").code == 0
    assert ask("import", "again.jsonl").code == 0
    with Store.open() as store:
        assert game.codec.replay(store.entries(2)).state == before

    chance, given = Random(28), 0
    while given < 5 and not game.over(play.state):
        play.accept(play.consider(some_order(id, play.state, chance)))
        given += 1
    assert given > 0
    for _ in range(given):
        play.accept(play.possible("undo"))
    assert play.state == before
