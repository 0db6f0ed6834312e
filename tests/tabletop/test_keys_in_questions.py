"""Keys that are typed into a question never leave it, whatever the question and the key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import beach_table
import bloody_table
import gts_table
import omaha_table
import pytest
from deep import deep_after, deep_count

from skirmish import library, registry
from skirmish.app.play.screen import ACTION_OF_SPARE_KEY, BINDING_KEYS
from skirmish.games.beach_head.policies import PLAIN
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Draft, pressed, read, read_words
from skirmish.tabletop.companion.asking import HexSlot
from skirmish.tabletop.exported import rebuilt
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Dice,
    Number,
    Option,
    Picks,
    Slot,
    UnfitAnswer,
    Words,
    keyed,
)

COMPANIONS = {"omaha": omaha_table, "gts": gts_table, "bloody_omaha": bloody_table}
SHELL_KEYS = sorted({*BINDING_KEYS, *ACTION_OF_SPARE_KEY, "?", "%"})
EXAMPLE = Path(__file__).parents[2] / "docs" / "example-battle.jsonl"


@cache
def some_states(id: str, seed: int) -> tuple[Any, ...]:
    """Some moments of a game in which anything is done."""
    if id == "plastic":
        play = rebuilt(EXAMPLE.read_bytes().split(b"\n"), registry.load(id)).play
    elif id == "beach_head":
        dice, cards = Source("die", seed), Source("deck", seed + 1)
        setup = library.beach().setup(variant="normandy", dice=dice, cards=cards)
        play = beach_table.played(setup, PLAIN, seed)
    else:
        play = COMPANIONS[id].played(Random(seed), 40)
    states = play.states
    return tuple(states[:: max(len(states) // deep_count(6, 12), 1)])


def questions(rnd: Random, game: Any, state: Any) -> Iterator[Draft[Any]]:
    """Every question on some way through every command, or through that of the game."""
    prompt = game.prompt(state)
    for command in game.commands(state) if prompt is None else (prompt,):
        draft = Draft(command=command)
        for _ in range(12):
            if command.why_not or draft.slot is None:
                break
            yield draft
            try:
                after = draft.press(some_key(rnd, draft.slot))
                if after.typed and not after.complete:
                    yield after
                    after = after.confirmed()
            except UnfitAnswer:
                break
            draft = after


def some_key(rnd: Random, slot: Slot) -> str:
    match slot:
        case Choose(options=options) | ChooseSeveral(options=options) | Picks(options=options):
            open_ = [key for key, option in keyed(options) if not option.why_not]
            return rnd.choice(open_)[0] if open_ else "enter"
        case Number(low=low, high=high) | Dice(low=low, high=high):
            return str(rnd.randint(max(low, 1), max(min(high, 9), 1)))
        case HexSlot():
            return rnd.choice("AJKPSW")
        case Words():
            return "a"
    return "enter"


@pytest.mark.parametrize("seed", deep_after(1, range(2)))
@pytest.mark.parametrize("id", ["plastic", "beach_head", "omaha", "gts", "bloody_omaha"])
def test_a_shell_key_that_an_answer_may_have_belongs_to_every_question(id: str, seed: int) -> None:
    """It is taken, and the question stays; a command's question stays whatever the key."""
    if id == "plastic" and seed:
        pytest.skip("there is one example")
    game, rnd, asked = registry.load(id), Random(seed), 0
    for state in some_states(id, seed):
        commands = game.commands(state)
        for draft in questions(rnd, game, state):
            asked += 1
            for key in SHELL_KEYS:
                stays(draft, commands, key)
    assert asked > 2


def stays(draft: Draft[Any], commands: Any, key: str) -> None:
    try:
        after = draft.press(key)
    except UnfitAnswer:
        if draft.bars_other_commands:
            with pytest.raises(UnfitAnswer):
                pressed(draft, commands, key)
            with suppress(UnfitAnswer):  # a line may also be the beginning of a label
                assert read(draft, commands, key).command.key == draft.command.key
        return
    assert draft.may_be_typed(key), (draft.shown_question, key)
    assert after.command.key == draft.command.key or draft.toggles


LETTERS = tuple(Option(value=letter, label=f"the {letter}") for letter in "abcdefghijklmnop")
HEXES = tuple(
    Option(value=place, label=f"{place} 1/352", other_name=place) for place in ("J5", "J16", "K1")
)
SLOTS: tuple[tuple[Slot, str], ...] = (
    (Choose(name="of", text="Which?", options=LETTERS), "JPHN"),
    (Choose(name="of", text="Which?", options=LETTERS[:3]), ""),
    (Choose(name="of", text="At which hex?", options=HEXES), "J"),
    (ChooseSeveral(name="of", text="Which?", options=LETTERS), "JPHN"),
    (HexSlot(name="of", text="Which hex?"), "JSPWHNuwq"),
    (Words(name="of", text="What?"), "JSPWHNuwq!?%"),
    (Number(name="of", text="How many?"), ""),
    (Dice(name="of", text="What did you roll?"), ""),
)


@pytest.mark.parametrize(("slot", "taken"), SLOTS)
def test_a_shell_key_works_only_where_it_cannot_be_an_answer(slot: Slot, taken: str) -> None:
    draft: Draft[Any] = _asking(slot)
    assert {key for key in SHELL_KEYS if draft.may_be_typed(key)} == set(taken)


def _asking(slot: Slot) -> Draft[Any]:
    from skirmish.tabletop.commands import Command

    return Draft(command=Command(label="Ask", key="f", slots=(slot,), make=dict))


def test_once_something_is_typed_every_key_belongs_to_it() -> None:
    draft = _asking(HexSlot(name="of", text="Which hex?")).press("J")
    assert all(draft.may_be_typed(key) for key in SHELL_KEYS)
    assert draft.press("5").typed == "J5"


def test_a_hex_is_typed_in_full_where_hexes_have_letters() -> None:
    asked = _asking(Choose(name="of", text="At which hex?", options=HEXES))
    assert asked.press("a").answers == {"of": "J5"}
    assert asked.press("J").press("5").answers == {"of": "J5"}
    assert asked.press("J").press("1").press("6").answers == {"of": "J16"}
    assert read_words(asked, ["K1"]).answers == {"of": "K1"}
    with pytest.raises(UnfitAnswer):
        asked.press("J").press("7")
    short = Choose(
        name="of",
        text="At which hex?",
        options=(*HEXES, Option(value="J1", label="J1", other_name="J1")),
    )
    assert _asking(short).press("J").press("1").confirmed().answers == {"of": "J1"}
    assert _asking(short).press("J").press("1").press("6").answers == {"of": "J16"}


def test_gts_by_lines_who_fires_is_not_left_for_who_has_not_acted() -> None:
    play = gts_table.entered()
    commands = [*gts_table.GAME.commands(play.state)]
    fire = next(one for one in commands if one.key == "f")
    draft: Draft[Any] = Draft(command=fire)
    assert any(one.key == "h" for one in commands)
    for line in ("h", "Z", "h a", "who has not acted"):
        with pytest.raises(UnfitAnswer):
            read(draft, commands, line)
