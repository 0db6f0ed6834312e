"""The keys of the one-question view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from textual.binding import BindingType
from textual.content import Content

from skirmish.app.binding import bound, key_in_force, key_name
from skirmish.app.questions.answers import Answer

TOPIC = "question"


class Key(NamedTuple):
    """A key: the binding is ``question.<verb>``; ``word`` stands on the strip, if there is one."""

    key: str
    shown: str
    verb: str
    action: str
    word: str
    tells: str


KEYS = (
    Key("up", "↑", "up", "move(-1)", "", "The answer above"),
    Key("down", "↓", "down", "move(1)", "", "The answer below"),
    Key("left", "←", "left", "across(-1)", "", "The answers on the left"),
    Key("right", "→", "right", "across(1)", "", "The answers on the right"),
    Key("enter", "Enter", "take", "press('enter')", "choose", "Choose the marked answer"),
    Key("space", "Space", "draw", "press('space')", "", "The same; before a shot it draws"),
    Key("escape", "Esc", "back", "back", "back", "One question back"),
    Key("backspace", "⌫", "undo", "undo", "", "Undo the last thing done"),
    Key("tab", "Tab", "judge_again", "judge_again", "",
        "Put the last shot right: another card, or something seen; Tab again for the one before"),
    Key("greater_than_sign", ">", "phase", "end_phase", "", "Next phase"),
    Key("E", "E", "end_turn", "end_turn", "", "End this player turn"),
    Key("exclamation_mark", "!", "insist", "insist", "", "Do what the rules advise against"),
    Key("equals_sign", "=", "tally", "tally", "", "Count the hits of a volley of your own cards"),
    Key("F", "F", "finish", "finish", "", "Say who won; after the end, play on"),
    Key("Y", "Y", "summary", "summary", "", "Summary"),
    Key("J", "J", "journal", "journal", "journal", "The whole journal"),
    Key("f2", "F2", "full", "full", "full screen", "The full battle screen, with everything"),
    Key("ctrl+y", "ctrl+y", "redo", "redo", "", "Redo what was undone"),
    Key("H", "H", "home", "home", "home", "Home; the battle is saved"),
)  # fmt: skip


def bindings() -> list[BindingType]:
    """All of them, and letters and digits, which name answers."""
    return bound(KEYS, TOPIC)


def sign_of(answer: Answer, mapped: Mapping[str, str]) -> str:
    """The key of an answer as it is shown, under a player's key map (binding id to key)."""
    for key in KEYS:
        if answer.action == key.action:
            return _shown(key, mapped)
    return answer.sign


def strip(mapped: Mapping[str, str]) -> Content:
    """The keys that answer no question. They can be clicked."""
    listed = [(_shown(key, mapped), key.word, f"screen.{key.action}") for key in KEYS if key.word]
    listed.append(("F1", "rule", "app.reference"))
    listed.append(("?", "keys", "app.show_help"))
    return Content("").join(
        Content.assemble((f" {shown}", "$accent bold"), f" {word} ").stylize(f"@click={action}")
        for shown, word, action in listed
    )


def _shown(key: Key, mapped: Mapping[str, str]) -> str:
    id = f"{TOPIC}.{key.verb}"
    return key_name(key_in_force(mapped, id, key.key)) if mapped.get(id) else key.shown
