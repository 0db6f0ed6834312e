from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from skirmish.tabletop.command_pages import draft_page
from skirmish.tabletop.commands import Command, Draft, Toggle, read, read_words
from skirmish.tabletop.page_text import as_text
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Dice,
    Number,
    Option,
    UnfitAnswer,
    Words,
    keys_of,
)

ROWS = (
    Option(value="rifle", label="Rifle", key="r"),
    Option(value="mg", label="Machinegun", key="m"),
    Option(value="gone", label="Cannon", key="c", why_not="The cannon is lost."),
)
COMPANIES = tuple(Option(value=name, label=name) for name in ("1/B", "2/B", "1/352", "88"))
STEPS = (Option(value=1, label="1 step", key="1"), Option(value=2, label="2 steps", key="2"))
TWINS = (Option(value=1, label="7H", key="s"), Option(value=2, label="7S", key="s"))
FIRE: Command[dict[str, Any]] = Command(
    label="Fire",
    key="f",
    make=lambda **answers: answers,
    slots=(
        Number(name="count", text="How many fire?", low=1, high=40, default=1),
        Choose(name="who", text="Choose who fires.", options=ROWS),
        Choose(name="at", text="Choose a target.", options=ROWS),
    ),
    toggles=(Toggle(name="cover", key="/", label="in cover"),),
)


def pressed(command: Command[Any], keys: str) -> Draft[Any]:
    draft = Draft(command=command)
    for key in keys:
        draft = draft.press({" ": "space", "\n": "enter", "<": "backspace"}.get(key, key))
    return draft


def test_answers_that_are_sentences_are_offered_with_one_full_stop() -> None:
    options = (Option(value=1, label="It does."), Option(value=2, label="It does not."))
    with pytest.raises(UnfitAnswer, match=r"a It does; b It does not\.$"):
        Choose(name="so", text="So?", options=options).parse("z", True)


def test_the_key_of_a_dim_option_says_why_it_cannot_be_chosen_where_another_is_proposed() -> None:
    only_rifle = (ROWS[0], ROWS[2])
    fire = replace(
        FIRE, slots=(Choose(name="who", text="Who?", options=only_rifle), *FIRE.slots[2:])
    )
    assert Draft(command=fire).slot.proposed == "rifle"  # type: ignore[union-attr]
    with pytest.raises(UnfitAnswer, match="The cannon is lost"):
        pressed(fire, "c")
    # A key that stands beside none of these options still answers the question after them.
    assert pressed(fire, "m").answers == {"who": "rifle", "at": "mg"}


def test_the_keys_of_toggles_are_not_offered_while_a_name_is_typed() -> None:
    named: Command[dict[str, Any]] = replace(FIRE, slots=(Words(name="name", text="Its name?"),))
    assert "in cover" not in as_text(draft_page(pressed(named, "a")))
    assert "in cover" in as_text(draft_page(pressed(FIRE, "15")))
    # Tab is no letter of a name.
    tabbed = replace(named, toggles=(Toggle(name="why", key="tab", label="in cover"),))
    assert "in cover" in as_text(draft_page(pressed(tabbed, "a")))


def test_an_option_that_is_its_own_key_is_offered_once() -> None:
    options = (Option(value=1, label="1", key="1"), Option(value="C", label="C", key="c"))
    with pytest.raises(UnfitAnswer, match=r"1; c C\.$"):
        Choose(name="so", text="So?", options=options).parse("z", True)


def test_a_line_answers_what_is_open_before_it_begins_a_command_of_the_same_key() -> None:
    go: Command[dict[str, Any]] = Command(label="Go on", key="space", make=dict)
    cover: Command[dict[str, Any]] = Command(label="Take cover", key="/", make=dict)
    commands = (FIRE, go, cover)
    draft = read(None, commands, "f 15 r")
    assert read(draft, commands, "/").facts["cover"] is True
    assert read(Draft(command=FIRE), commands, "space").answers == {"count": 1}
    with pytest.raises(UnfitAnswer, match="Choose a target"):
        read(draft, commands, "space")
    assert read(None, commands, "space").command is go


@pytest.mark.parametrize(
    ("keys", "order"),
    [
        ("15\nrm", {"count": 15, "who": "rifle", "at": "mg", "cover": False}),
        ("15rm", {"count": 15, "who": "rifle", "at": "mg", "cover": False}),
        ("rm", {"count": 1, "who": "rifle", "at": "mg", "cover": False}),
        (" rm", {"count": 1, "who": "rifle", "at": "mg", "cover": False}),
        ("r/m", {"count": 1, "who": "rifle", "at": "mg", "cover": True}),
        ("r//m", {"count": 1, "who": "rifle", "at": "mg", "cover": False}),
        ("rr<<mm", {"count": 1, "who": "mg", "at": "mg", "cover": False}),
    ],
)
def test_keys_fill_the_slots_and_what_is_usual_need_not_be_typed(keys: str, order: object) -> None:
    draft = pressed(FIRE, keys)
    assert draft.complete
    assert draft.order() == order


def test_a_line_gives_the_same_order_as_the_keys() -> None:
    assert (
        read_words(Draft(command=FIRE), ["15", "r", "/", "m"]).order()
        == pressed(FIRE, "15r/m").order()
    )
    assert read_words(Draft(command=FIRE), ["2", "Machinegun", "rif"]).order()["at"] == "rifle"
    with pytest.raises(UnfitAnswer, match="Nothing more"):
        read_words(Draft(command=FIRE), ["2", "r", "m", "x"])


def test_an_answer_that_is_not_possible_says_why_and_changes_nothing() -> None:
    draft = pressed(FIRE, "r")
    with pytest.raises(UnfitAnswer, match="The cannon is lost"):
        draft.press("c")
    with pytest.raises(UnfitAnswer, match=r"Choose a target\. r Rifle; m Machinegun\."):
        draft.press("z")
    with pytest.raises(UnfitAnswer, match="1 to 40"):
        read_words(Draft(command=FIRE), ["41", "r", "m"])


def test_a_line_may_have_the_value_of_an_option_in_any_letters() -> None:
    slot = Choose(name="edge", options=(Option(value="NE", label="upper right corner"),))
    assert slot.parse("ne", done=True) == slot.parse("NE", done=True) == "NE"


def test_the_only_option_that_is_left_is_proposed() -> None:
    slot = Choose(name="x", text="?", options=ROWS[1:])
    assert slot.proposed == "mg"
    assert Choose(name="x", text="?", options=ROWS).proposed is None


@given(st.integers(-20, 300), st.integers(-20, 300), st.integers(-400, 4000))
def test_a_number_of_the_range_is_taken_and_no_other(one: int, other: int, typed: int) -> None:
    low, high = sorted((one, other))
    command: Command[Any] = Command(
        label="x", make=lambda n: n, slots=(Number(name="n", text="?", low=low, high=high),)
    )
    if not low <= typed <= high:
        with pytest.raises(UnfitAnswer):
            read_words(Draft(command=command), [str(typed)])
        return
    draft = Draft(command=command)
    for sign in str(typed):
        assert not draft.complete
        draft = draft.press(sign)
    if not draft.complete:
        draft = draft.press("enter")
    assert draft.order() == typed


@pytest.mark.parametrize(
    ("slot", "keys", "answer"),
    [
        (Dice(name="a", text="?", count=3), "163", (1, 6, 3)),
        (Dice(name="a", text="?", count=2, low=0, high=9), "09", (0, 9)),
        (Dice(name="a", text="?", count=2, high=12), "11 2\n", (11, 2)),
        (Dice(name="a", text="?", count=1, high=12), "7", (7,)),
        (ChooseSeveral(name="a", text="?", options=ROWS, most=2), "rm\n", ("rifle", "mg")),
        (ChooseSeveral(name="a", text="?", options=ROWS, most=2), "rmr\n", ("mg",)),
        (ChooseSeveral(name="a", text="?", options=TWINS), "ss\n", (1, 2)),
        (ChooseSeveral(name="a", text="?", options=TWINS), "sss\n", ()),
        (ChooseSeveral(name="a", text="?", options=COMPANIES), "1/B\n", ("1/B",)),
        (
            ChooseSeveral(name="a", text="?", options=COMPANIES),
            "b1/35288\n",
            ("2/B", "1/352", "88"),
        ),
        (ChooseSeveral(name="a", text="?", options=COMPANIES), "B\n", ("2/B",)),
        (Choose(name="a", text="?", options=COMPANIES), "1/b", "1/B"),
        (Choose(name="a", text="?", options=COMPANIES), "1/3\n", "1/352"),
        (Choose(name="a", text="?", options=STEPS), "2", 2),
        (Number(name="a", text="?", low=1, high=12, eager=True), "4", 4),
        (Number(name="a", text="?", low=1, high=12, eager=True), "12", 12),
        (ChooseSeveral(name="a", text="?", options=ROWS), "\n", ()),
        (Words(name="a", text="?"), "two words\n", "two words"),
    ],
)
def test_slots_are_filled_by_keys(slot: Any, keys: str, answer: object) -> None:
    command: Command[Any] = Command(label="x", make=lambda a: a, slots=(slot,))
    draft = pressed(command, keys)
    assert draft.complete
    assert draft.order() == answer
    assert slot.hint
    assert slot.shown(answer)


@pytest.mark.parametrize(
    ("slot", "line"),
    [
        (Dice(name="a", text="?", count=2), "17"),
        (Dice(name="a", text="?", count=2), "1"),
        (Dice(name="a", text="?", count=2), "²3"),
        (ChooseSeveral(name="a", text="?", options=ROWS, least=2), "r"),
        (ChooseSeveral(name="a", text="?", options=ROWS, most=1), "rm"),
        (ChooseSeveral(name="a", text="?", options=ROWS), "c"),
        (ChooseSeveral(name="a", text="?", options=COMPANIES), "a1/"),
        (Choose(name="a", text="?", options=COMPANIES), "1/"),
        (Words(name="a", text="?", longest=3), "four"),
        (Number(name="a", text="?", high=5), "9" * 5000),
    ],
)
def test_what_cannot_be_taken_gets_a_sentence(slot: Any, line: str) -> None:
    command: Command[Any] = Command(label="x", make=lambda a: a, slots=(slot,))
    with pytest.raises(UnfitAnswer) as why:
        read_words(Draft(command=command), line.split() or [""])
    assert str(why.value)
    assert len(str(why.value)) < 200


@pytest.mark.parametrize(
    ("typed", "number"),
    [("12", 12), ("-3", -3), ("-", None), ("", None), ("²", None), ("9" * 5000, None)],
)
def test_a_preview_reads_a_number_as_its_answer_does(typed: str, number: int | None) -> None:
    assert Number(name="a", text="?", low=-5, high=20).so_far(typed) == number


@given(st.lists(st.sampled_from([*"rmcz0159/<\n x"]), max_size=30))
def test_no_key_breaks_a_draft(keys: list[str]) -> None:
    draft = Draft(command=FIRE)
    for key in keys:
        try:
            draft = (
                pressed(FIRE, "")
                if draft.complete
                else draft.press({" ": "space", "\n": "enter", "<": "backspace"}.get(key, key))
            )
        except UnfitAnswer:
            continue
        assert set(draft.answers) <= {"count", "who", "at", "cover"}


def test_every_option_has_a_key_of_its_own_even_in_an_army_of_two_hundred() -> None:
    options = [
        Option(value=at, label=f"Unit {at}", key="b" if at == 7 else "") for at in range(200)
    ]
    keyed = keys_of(options)
    assert len(keyed) == 200
    assert keyed["b"].value == 7
