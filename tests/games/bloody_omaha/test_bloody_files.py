"""What an owner of Bloody Omaha types in, as a file; and what the program does not know."""

from __future__ import annotations

import gzip
import json
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomli_w
from bloody_table import GAME, begun, order, played
from msgspec import to_builtins
from msgspec.structs import replace

from skirmish import resources
from skirmish.games.bloody_omaha.orders import Proceed
from skirmish.games.bloody_omaha.state import BAGS
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.journal_codec import EntryRecord
from skirmish.tabletop.page_text import as_text

MADE_UP = Path(__file__).with_name("made_up.toml").read_text("utf-8")


def taken(text: str) -> Any:
    play = begun()
    order(play, GAME.taken(play.state, tomllib.loads(text), "mine.toml"))
    return play.state


def test_a_whole_file_leaves_nothing_to_be_typed_in() -> None:
    assert not taken(MADE_UP).missing()
    assert not taken(MADE_UP).agenda  # the guided list asks for nothing more
    assert len(taken("").counters) == 3  # tanks: an empty file changes nothing


@pytest.mark.parametrize("seed", range(60, 64))
def test_what_goes_out_comes_in_again_unchanged(seed: int) -> None:
    before = played(Random(seed), 60).state
    plain = {
        name: value for name, value in to_builtins(GAME.typed(before)).items() if value is not None
    }
    text = tomli_w.dumps(_without_none(plain))
    after = taken(text)
    assert (after.owned, after.tables) == (before.owned, before.tables)


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_none(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_none(one) for one in value]
    return "" if value is None else value


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("turns =", "turn =", "turn: unknown key; did you mean turns"),
        ('["9"]', "9", "turns: expected a list"),
        ('["9"]', '["0"]', "turns.0.: '0' is not understood. The number of its last turn, 1 to 99"),
        ('"H2"', '"X2"', "squares.1.: 'X2' is not understood"),
        ('"H2"', '"H41"', "squares.1.: 'H41' is not understood"),
        ('"H2"', '"S1"', "squares: 1 is there twice"),
        ('"H2"', '"S2"', "squares: There are 13 strongpoints, not 14"),
        ('"H4"', '"H4/D1"', "squares: Only a strongpoint has"),
        ('"S3+/D3"', '"S3+/D1"', "squares: The exits are D1, D3, E1, E3, F1, each once"),
        ('"S1/D1"', '"S1+/D1"', "squares: There are 5 towns in strongpoints, not 6"),
        ('"H35"', '"T35"', "squares: From 31 on every square is hedgerow"),
        ("B1 1 2", "B0 1 2", "arrows.0.: 'B0 1 2' is not understood"),
        ("B2 2 3", "B1 2 3", "arrows: B1 is there twice"),
        ('"12"]', '"x"]', "strongpoints.12.: 'x' is not understood. A number, event, mines"),
        ('"12"]', '"12", "13"]', "strongpoints: There are 13, not 14"),
        ("1, 1st, 1/0", "1, 2nd, 1/0", "units.0.: .* Name, division .1st, 29th, rangers."),
        ("1/0, C1", "1/0, C28", "units.0.: .* is not understood"),
        ("Made-up 2,", "Made-up 1,", "units: Made-up 1 is there twice"),
        ("Made-up 2,", "Made\\\\u0000up,", "has a character that cannot be printed"),
        ('"1/10", ', "", "tanks: There are 3, not 2"),
        ("1-1 nothing", "3-2 nothing", "cards: 3-2: no such turns"),
        ("1-1 nothing", "nothing", "cards.0.: .* is not understood"),
        ("card 2 |", "card 1 |", "cards: Made-up card 1 is there twice"),
        ("difference -10 0 10", "difference 10 0", "columns: The least values rise"),
        ("difference -10 0 10", "luck 1", "columns.0.: .* What chooses the column"),
        ("difference -10 0 10", "one", "tables.attack.columns: have to be those after"),
        ('"failure"', '"fail"', "engineers.* 'fail' is not explained; known are: success"),
        ('cells = ["0"]', 'cells = ["9"]', "drift.rows.0..cells: '9' is not explained"),
        ("low = 2, high = 2", "low = 3, high = 3", "drift.rows.3.: rolls must rise"),
        ("texts.channel", "texts.sea", "texts.sea: unknown table; known are: channel"),
        ('\n1 = "Made', '\n7 = "Made', "texts.channel.7: the rolls are 1 to 6"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_its_place(right: str, wrong: str, message: str) -> None:
    text = MADE_UP.replace(right, wrong.replace("\\\\", "\\"), 1)
    assert text != MADE_UP
    with pytest.raises(DataError, match=message):
        taken(text)


# ------------------------------------------------------------------ games of an earlier version


def earlier(name: str) -> Any:
    """A game that was exported on 22 November 2026, before a drawn card was asked for."""
    packed = Path(__file__).with_name("earlier") / f"{name}.jsonl.gz"
    play = None
    for line in gzip.decompress(packed.read_bytes()).decode().splitlines()[1:]:
        given = json.loads(line)
        order, events = json.dumps(given["order"]), json.dumps(given["events"])
        entry = GAME.codec.read(EntryRecord(given["number"], given["kind"], order, events))
        play = GAME.with_imported_entry(play, entry)
    return play


def test_a_game_that_drew_no_cards_opens_and_asks_for_the_next_one() -> None:
    play = earlier("no_cards")
    assert (len(play.entries), play.state.position.turn, play.state.phase_id) == (90, 13, "draw")
    assert (play.state.score().listed(), play.state.hand) == ("7: gaps 7", ())
    order(play, Proceed())
    assert play.state.agenda[0].kind == "card"
    play.accept(play.possible("undo"))
    assert play.state.phase_id == "draw"


def test_a_game_with_its_cards_stands_where_it_stood() -> None:
    state = earlier("cards").state
    assert state.hand == ("Card 14", "Card 9", "Card 1", "Card 5")
    assert (state.ended, state.score().listed()) == (True, "7: reinforcements 7")


# ------------------------------------------------------------------ what nobody sees


def everything(play: Any) -> list[str]:
    """All that anybody is shown of a game."""
    pages = [GAME.page(play.state), GAME.report(play), GAME.due(play), GAME.summary(play),
             GAME.rules(play.state)]  # fmt: skip
    pages += [GAME.page(state) for state in play.states]
    texts = [as_text(page, 100) for page in pages]
    texts += [line.text for line in GAME.journal(play)]
    texts += [GAME.headline(play.state), GAME.title(play.state)]
    texts += [repr(document.build(play)) for document in GAME.documents()]
    offered = (*GAME.commands(play.state), *filter(None, [GAME.prompt(play.state)]))
    return [*texts, *(repr((one.label, one.why_not)) for one in offered)]


@pytest.mark.parametrize("seed", range(70, 74))
def test_a_token_that_lies_face_down_is_not_known_to_anything_shown(seed: int) -> None:
    """Whatever the bag holds next, all that is shown of a game is the same."""
    play = played(Random(seed), 80, chance="program")
    opening, *rest = play.entries
    opened, *more = opening.events
    other = replace(opened, seeds=tuple(one + 1000 for one in opened.seeds))
    again = GAME.codec.play([replace(opening, events=(other, *more)), *rest])
    for id in BAGS:
        assert again.state.cups[id].seed != play.state.cups[id].seed
    assert everything(again) == everything(play)
    for square in play.state.rules.board.land.names:
        for token in play.state.tokens(square):
            bag, _, value = token.partition(" ")
            assert not value or value in play.state.cups[bag].drawn


def test_nothing_of_the_printed_game_is_shipped() -> None:
    empty = begun()
    assert not any(empty.state.owned.lines(id) for id in ("units", "cards", "tanks", "squares"))
    assert all(cell is None for table in empty.state.tables.results for row in table.rows
               for cell in row.cells)  # fmt: skip
    assert empty.state.tables.texts == {}
    keys = {*_keys(resources.Tables("bloody_omaha")["game"])}
    assert not {"rows", "cells", "card", "unit", "texts"} & keys


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(key for one in value.values() for key in _keys(one))]
    return [key for one in value for key in _keys(one)] if isinstance(value, list) else []
