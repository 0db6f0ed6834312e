"""A battle as lines of JSON: rebuilt exactly, or as far as it is good with the line that is not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from deep import deep_pairs
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from stage import CARDS, DICE, Table, armies, play_on, scenario

from skirmish import library
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.progress import headline
from skirmish.games.plastic.report import report_page
from skirmish.games.plastic.summary import summary
from skirmish.registry import load
from skirmish.tabletop.chance import Source
from skirmish.tabletop.exported import (
    LONGEST_LINE,
    BadExport,
    Header,
    Rebuilt,
    export,
    rebuilt,
)
from skirmish.tabletop.journal_codec import EntryRecord
from skirmish.tabletop.page_markdown import as_markdown
from skirmish.tabletop.page_text import as_text

AT = "2026-05-01T18:30:00.000000+00:00"
DECKS = (Source("deck", seed=8), Source("deck", seed=9))
BATTLES = load(GAME)


def file_of(battle: Table) -> list[bytes]:
    kept = (replace(record.codec.written(entry), at=AT) for entry in battle.play.entries)
    header = Header(game=GAME, title=battle.state.setup.title, started=AT)
    return list(export(header, kept))


def wild(battle: Table, seed: int, rounds: int = 5) -> Table:
    """Played on, with undo, redo, void and back in between."""
    random = Random(seed)
    for _ in range(rounds):
        play_on(battle, random, 15)
        play = battle.play
        match random.randrange(4):
            case 0 if len(play.acts) > 2:
                battle.undo()
                battle.undo()
                play.accept(play.possible("redo"))
            case 1 if len(play.acts) > 2:
                play.accept(play.possible("back", random.choice(play.acts[:-1]).number))
            case 2:
                standing = [line for line in lines(play)[1:] if not line.void]
                if standing:
                    play.accept(play.possible("void", *random.choice(standing).entry_numbers))
    return battle


@cache
def good() -> tuple[bytes, ...]:
    return tuple(file_of(wild(scenario(1, sources=DECKS), 4)))


def changed(number: int, **fields: Any) -> list[bytes]:
    """The good file with some fields of a line (from 1) changed."""
    file = list(good())
    file[number - 1] = json.dumps(json.loads(file[number - 1]) | fields).encode()
    return file


def trouble(file: Sequence[bytes]) -> tuple[int, str, int]:
    """The line that is wrong, why, and how many entries are good."""
    found = rebuilt(file, BATTLES)
    assert found.trouble is not None
    the_good_part_is_a_battle(found)
    return found.trouble.line, found.trouble.message, len(found.entries)


def refused(file: Sequence[bytes]) -> str:
    with pytest.raises(BadExport) as bad:
        rebuilt(file, BATTLES)
    return str(bad.value)


def the_good_part_is_a_battle(found: Rebuilt) -> None:
    assert record.codec_of(library.rulings()).replay(found.entries).states == found.play.states
    assert headline(found.play.state)
    assert summary(found.play).sides


# ------------------------------------------------------------------ there and back


@pytest.mark.parametrize(("number", "sources"), deep_pairs(range(11), [DECKS, (CARDS, CARDS)]))
def test_a_battle_comes_back_exactly(number: int, sources: tuple[Source, Source]) -> None:
    units = {"rifle": 9, "machinegun": 3, "mortar": 2, "tank": 1}
    battle = scenario(number, sources=sources) if number else armies(units, units, sources=sources)
    wild(battle, number)
    file = file_of(battle)
    found = rebuilt(file, BATTLES)
    assert found.trouble is None
    assert found.play.entries == battle.play.entries
    assert found.play.states == battle.play.states
    assert found.play.struck == battle.play.struck
    assert list(export(found.header, found.entries)) == file


def test_the_good_file_has_every_kind_of_entry() -> None:
    kinds = {json.loads(line)["kind"] for seed in range(6) for line in file_of(
        wild(armies({"rifle": 9}, {"rifle": 9}, sources=(DICE, DECKS[0])), seed)
    )[1:]}  # fmt: skip
    assert kinds == {"open", "order", "undo", "redo", "void", "back"}


def test_what_is_kept_is_not_written_anew() -> None:
    """An older program's text stays as it was, though this one would write it otherwise."""
    file = list(good())
    line = json.loads(file[1])
    del line["events"][0]["setup"]["revision"]
    older = json.dumps(line["events"], separators=(", ", ": "))
    file[1] = json.dumps(line).encode()
    found = rebuilt(file, BATTLES)
    assert found.trouble is None
    assert found.entries[0].events == older


def test_a_title_of_any_signs_survives_and_steers_nothing() -> None:
    header = json.loads(good()[0]) | {"title": "Ж\x1b[2J 🎖 [/b]\n"}
    found = rebuilt([json.dumps(header).encode(), *good()[1:]], BATTLES)
    assert found.header.title == "Ж·[2J 🎖 [/b]·"


def test_blank_lines_a_mark_at_the_front_and_foreign_line_ends_do_no_harm() -> None:
    file = [b"\xef\xbb\xbf" + good()[0].rstrip() + b"\r\n", b"\n"]
    file += [line.rstrip() + b"\r\n\r\n" for line in good()[1:]]
    assert rebuilt(b"".join(file).split(b"\n"), BATTLES).entries == rebuilt(good(), BATTLES).entries


# ------------------------------------------------------------------ files that will not do


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (b"{}", "line 1: this is no exported game"),
        (b"once upon a time", "line 1: this is no exported game"),
        (b"[]", "line 1: this is no exported game"),
        (b"[" * 50_000, "line 1: this is no exported game"),
        (b"\xff\xfe", "line 1: this is no exported game"),
        (b'{"format":"chess","version":1,"game":"plastic","title":"x","started":"x"}',
         "line 1: this is no exported game"),
    ],
)  # fmt: skip
def test_a_file_without_its_first_line_is_no_battle(first: bytes, says: str) -> None:
    assert refused([first, *good()[1:]]).startswith(says)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"version": 2}, "line 1: the file is of version 2, and this program reads version 1."),
        ({"game": "beach_head"}, "line 1: this is a battle of another game (beach_head)."),
        ({"title": "  "}, "line 1: the title must have 1 to 200 characters."),
        ({"title": "x" * 201}, "line 1: the title must have 1 to 200 characters."),
        ({"started": "yesterday"}, "line 1: 'yesterday' is no time; it would look like 2026"),
        ({"started": "2026-05-01T18:30:00"}, "is no time; it would look like 2026"),
    ],
)
def test_a_first_line_that_will_not_do_says_what_would(fields: dict[str, Any], says: str) -> None:
    assert says in refused(changed(1, **fields))


def test_a_file_that_ends_before_the_battle_begins_is_none() -> None:
    assert refused(good()[:1]) == "line 2: the file ends before the game begins."
    assert refused([]).startswith("line 1: this is no exported game")


def test_without_an_opening_nothing_can_be_kept() -> None:
    assert refused([good()[0], *good()[2:]]) == "line 2: entry 1 is expected here, not 2."
    assert refused(changed(2, events=[])).startswith("line 2: the journal has no usable opening")
    assert "line 2: entry 1 cannot be read" in refused(changed(2, events=[{"event": "opened"}]))
    assert refused(changed(2, kind="undo")).startswith("line 2: entry 1 is of kind undo")


def test_a_gap_ends_what_is_kept() -> None:
    file = [*good()[:7], *good()[8:]]
    assert trouble(file) == (8, "entry 7 is expected here, not 8.", 6)


def test_a_line_twice_ends_what_is_kept() -> None:
    file = [*good()[:7], *good()[6:]]
    assert trouble(file) == (8, "entry 7 is expected here, not 6.", 6)


def test_a_file_that_was_cut_off_keeps_what_is_whole() -> None:
    whole = b"".join(good())
    cut = whole[: len(b"".join(good()[:9])) + 20]
    assert trouble(cut.split(b"\n")) == (10, "is not JSON; it may have been cut off.", 8)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "is not JSON; it may have been cut off."),
        (b"\xff", "is not JSON; it may have been cut off."),
        (b"7", "is no entry: expected `object`, got `int`."),
        (b'{"number":9}', "is no entry: object missing required field `kind`."),
        (b"[" * 50_000, "is no entry: expected `object`, got `array`."),
        (b'{"number":9,"kind":"order","order":' + b"[" * 50_000,
         "is nested too deep for an entry."),
        (b" " * LONGEST_LINE + b"{}", f"is longer than {LONGEST_LINE} bytes; no line of a battle"
                                      " is."),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_read_is_named(line: bytes, says: str) -> None:
    assert trouble([*good()[:9], line, *good()[10:]]) == (10, says, 8)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": "redraw"}, "entry 9 is of a kind this version does not know: 'redraw'."),
        ({"kind": "open"}, "entry 9 does not follow: a journal has one opening"),
        ({"kind": "undo"}, "entry 9 is of kind undo, which has no events."),
        ({"kind": "redo", "events": [], "order": None}, "entry 9 does not follow"),
        ({"kind": "void", "events": [], "order": [1]}, "entry 9 does not follow: Entry 1 is"),
        ({"kind": "void", "events": [], "order": [99]}, "entry 9 does not follow: Entry 99 is not"),
        ({"kind": "back", "events": [], "order": "x"}, "entry 9 cannot be read"),
        ({"events": [{"event": "drawn"}]}, "entry 9 cannot be read"),
        ({"events": [{"event": "drawn", "source": "martian", "draw": [3, "H"], "shuffle": 0,
                      "nth": 0}]}, "entry 9 does not follow: 'martian'."),
        ({"events": [{"event": "sealed", "side": "german", "envelope": "!"}]}, "cannot be opened"),
        ({"events": [{"event": "magic"}]}, "entry 9 cannot be read"),
        ({"at": "noon"}, "'noon' is no time"),
        ({"extra": 1}, "is no entry: object contains unknown field `extra`."),
    ],
)  # fmt: skip
def test_an_entry_that_does_not_follow_is_named(fields: dict[str, Any], says: str) -> None:
    line, said, kept = trouble(changed(10, **fields))
    assert (line, kept) == (10, 8)
    assert says in said


def test_an_entry_about_pieces_that_are_not_there_does_not_follow() -> None:
    event = {"event": "lost", "piece": "german:Z99", "unit": "rifle", "worth": 1}
    found = rebuilt(changed(10, events=[event]), BATTLES)
    the_good_part_is_a_battle(found)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
def test_any_file_is_a_battle_or_a_sentence(data: st.DataObject) -> None:
    """A value anywhere in a good file is replaced, or bytes of it are."""
    file = [*good()[:30]]
    place = data.draw(st.integers(0, len(file) - 1))
    if data.draw(st.booleans()):
        value = json.loads(file[place])
        target = value
        while True:
            keys = list(target) if isinstance(target, dict) else list(range(len(target)))
            key = data.draw(st.sampled_from(keys))
            inner = target[key]
            if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
                break
            target = inner
        target[key] = data.draw(JSON)
        file[place] = json.dumps(value).encode()
    else:
        at = data.draw(st.integers(0, len(file[place])))
        file[place] = file[place][:at] + data.draw(st.binary(max_size=5)) + file[place][at + 1 :]
    try:
        found = rebuilt(b"\n".join(file).split(b"\n"), BATTLES)
    except BadExport as error:
        says = str(error)
    else:
        the_good_part_is_a_battle(found)
        says = str(found.trouble or "")
    assert "\n" not in says
    assert len(says) < 500


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every plain value inside another, with the way to it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        if isinstance(one, dict | list):
            yield from leaves(one, (*path, key))
        else:
            yield (*path, key), one


@cache
def spare() -> tuple[Any, ...]:
    """Values that stand somewhere in the good file, outside its catalog: names of pieces, sides,
    units and rows, numbers, words."""
    found = (one for line in good()[1:30] for path, one in leaves(json.loads(line))
             if "catalog" not in path)  # fmt: skip
    return tuple(sorted(set(found), key=repr))


@given(st.integers(1, 29), st.data())
def test_an_entry_that_names_the_wrong_thing_is_a_battle_or_a_sentence(
    place: int, data: st.DataObject
) -> None:
    """The right form with another content: whatever is taken can be shown and reported."""
    file = list(good()[:30])
    value = json.loads(file[place])
    path, old = data.draw(st.sampled_from(list(leaves(value))))
    target = value
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = data.draw(
        st.sampled_from([one for one in spare() if type(one) is type(old)] or [old])
    )
    file[place] = json.dumps(value).encode()
    try:
        found = rebuilt(file, BATTLES)
    except BadExport:
        return
    the_good_part_is_a_battle(found)
    page = report_page(found.play, "")
    assert as_text(page)
    assert as_markdown(page)


def test_a_shot_with_a_weapon_that_nobody_has_does_not_stop_the_report() -> None:
    file = list(good()[:30])
    value = json.loads(file[9])
    value["events"][2]["shot"]["weapon"] = "catapult"
    file[9] = json.dumps(value).encode()
    assert as_text(report_page(rebuilt(file, BATTLES).play, ""))


@pytest.mark.parametrize("name", ["v1_armies.jsonl", "v1_dog_beach.jsonl"])
def test_a_battle_of_an_earlier_version_is_taken_and_kept_as_it_was(name: str) -> None:
    old = (Path(__file__).parent / "kept" / name).read_bytes().splitlines()
    kept = [
        EntryRecord(number=line["number"], kind=line["kind"], order=json.dumps(line["order"]),
             events=json.dumps(line["events"]), at=AT)
        for line in map(json.loads, old)
    ]  # fmt: skip
    found = rebuilt(export(Header(game=GAME, title="Old", started=AT), kept), BATTLES)
    assert (found.trouble, found.entries) == (None, tuple(kept))
    the_good_part_is_a_battle(found)
