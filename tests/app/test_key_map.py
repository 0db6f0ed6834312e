"""Every key of the program has an id and says what it does; which other key it may have."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

from skirmish.app.application import SkirmishApp
from skirmish.app.binding import answer_key_name
from skirmish.app.host import SCREENS
from skirmish.app.settings.key_map import (
    FIXED,
    SIGN,
    BoundKeys,
    classes_with_keys,
    every_key,
    problems,
    why_not,
)


def test_letters_that_answer_are_shown_as_they_are_typed() -> None:
    keys = ("at", "up", "a", "+", "enter", "f2")
    assert [answer_key_name(key) for key in keys] == ["at", "up", "a", "+", "Enter", "F2"]


def own_bindings(kind: type[DOMNode]) -> list[Binding]:
    return list(Binding.make_bindings(vars(kind).get("BINDINGS", ())))


@pytest.fixture(scope="module")
def bound_by() -> dict[type[DOMNode], list[Binding]]:
    """The classes of the app that bind keys, with what each binds."""
    found = {kind: own_bindings(kind) for kind in classes_with_keys()}
    return {kind: bindings for kind, bindings in found.items() if bindings}


@pytest.fixture(scope="module")
def known(bound_by: object) -> dict[str, BoundKeys]:
    return every_key()


def test_every_screen_that_is_opened_by_name_is_there() -> None:
    classes = {f"{kind.__module__}:{kind.__name__}" for kind in classes_with_keys()}
    assert {f"skirmish.app.{place}" for place in SCREENS.values()} <= classes


def test_every_binding_has_an_id_with_its_topic(
    bound_by: dict[type[DOMNode], list[Binding]],
) -> None:
    assert len(bound_by) > 20
    nameless = [
        f"{kind.__name__}: {binding.key} has the id {binding.id}"
        for kind, bindings in bound_by.items()
        for binding in bindings
        if not re.fullmatch(r"[a-z-]+\.[a-z0-9_-]+", binding.id or "")
    ]
    assert not nameless


def test_a_key_has_one_name_on_every_screen(bound_by: dict[type[DOMNode], list[Binding]]) -> None:
    shown = {one.key_display for found in bound_by.values() for one in found if one.key_display}
    assert not shown & {"esc", "enter", "space", "tab", "pgup", "pgdn"}
    assert not [name for name in shown if name[0] == "^" and name[1:]]
    app = SkirmishApp(None)
    keys = ("escape", "pagedown", "ctrl+z", "question_mark")
    assert [app.get_key_display(Binding(key, "x")) for key in keys] == [
        "Esc",
        "PgDn",
        "Ctrl+Z",
        "?",
    ]


def test_every_binding_says_what_it_does(bound_by: dict[type[DOMNode], list[Binding]]) -> None:
    """Letters and digits that name rows have nothing to say."""
    silent = [
        f"{kind.__name__}: {binding.key} ({binding.id})"
        for kind, bindings in bound_by.items()
        for binding in bindings
        if not binding.tooltip and SIGN not in (binding.id or "")
    ]
    assert not silent


def test_an_id_names_one_deed(bound_by: dict[type[DOMNode], list[Binding]]) -> None:
    deeds: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for bindings in bound_by.values():
        for binding in bindings:
            deeds[binding.id or ""].add((binding.action, binding.tooltip))
    assert not {name: found for name, found in deeds.items() if len(found) > 1}


def test_every_screen_says_what_it_is_about() -> None:
    from textual.screen import Screen

    without = [
        kind.__name__
        for kind in classes_with_keys()
        if issubclass(kind, Screen) and own_bindings(kind) and not getattr(kind, "TOPIC", "")
    ]
    assert not without


def test_the_printed_keys_do_not_clash(known: dict[str, BoundKeys]) -> None:
    """Enter, Esc and the arrows mean on a window what they mean on the screen below it."""
    clashes = set()
    for bound in known.values():
        for key in bound.keys:
            if (
                bound.is_changeable
                and key not in FIXED
                and (told := why_not(known, {}, bound.id, key))
            ):
                clashes.add(f"{bound.id} {key}: {told}")
    assert not clashes


def test_a_key_that_is_taken_on_the_same_screen_is_refused_with_what_has_it(
    known: dict[str, BoundKeys],
) -> None:
    told = why_not(known, {}, "battle.journal", "E")
    assert told is not None
    assert "battle: end this player turn" in told
    assert why_not(known, {"battle.end_turn": "f10"}, "battle.journal", "E") is None
    assert why_not(known, {}, "battle.journal", "f10") is None
    assert why_not(known, {}, "home.armies", "E") is None


@pytest.mark.parametrize("key", ["enter", "escape", "ctrl+m", "ctrl+h", "ctrl+q", "f1", "7"])
def test_a_key_that_is_the_same_everywhere_is_refused(
    known: dict[str, BoundKeys], key: str
) -> None:
    assert why_not(known, {}, "home.armies", key) is not None


def test_the_letters_of_rows_stay_free_in_a_battle(known: dict[str, BoundKeys]) -> None:
    told = why_not(known, {}, "battle.journal", "x")
    assert told is not None
    assert "names a row" in told
    assert why_not(known, {}, "home.armies", "x") is None


def test_esc_stays_where_a_key_beside_it_is_changed(known: dict[str, BoundKeys]) -> None:
    assert known["settings.back"].keys == ("escape", "q")
    assert known["settings.back"].with_key("x") == "escape,x"
    assert list(problems(known, {"settings.back": "escape,x"})) == []


def test_a_key_map_that_names_nothing_is_told(known: dict[str, BoundKeys]) -> None:
    chosen = {"battle.jurnal": "f9", "battle.journal": "E", "battle.accept": "f10"}
    first, second, third = problems(known, chosen)
    assert "there is no battle.jurnal; did you mean battle.journal?" in first
    assert "keys.battle.journal = E: That key is taken" in second
    assert "keys.battle.accept: this key cannot be changed" in third
