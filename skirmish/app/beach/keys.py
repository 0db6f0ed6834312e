"""Every key of the game's screen, once: bindings, the strip of keys and the help are made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.content import Content

from skirmish.app.binding import named
from skirmish.app.settings.key_names import key_in_force, key_name
from skirmish.games.beach_head.agenda import ExchangeAsk, TrimAsk
from skirmish.games.beach_head.state import State

TOPIC = "beach"
SIGNS = "0123456789ajqkn"
"""Digits, the letters of ranks, and the one for none: they are typed and never mapped."""


def _always(_: State) -> bool:
    return True


def _never(_: State) -> bool:
    return False


def _on(state: State) -> bool:
    return not state.over


def _goes(state: State) -> bool:
    """Whether Space does anything: not where a target, a tank, dice or cards must be named."""
    return not state.over and isinstance(state.ask, ExchangeAsk | TrimAsk | None)


def _going(state: State) -> bool:
    return not state.over and state.ask is None


def _advised(state: State) -> bool:
    return not state.over and (state.ask is not None or bool(state.hand and state.roll))


def _over(state: State) -> bool:
    return state.over


class Key(NamedTuple):
    """A key: its ``verb`` (the binding is ``beach.<verb>``), what it does (``action``), its word on
    the strip, what the help says; ``when`` it is worth showing."""

    key: str
    shown: str
    verb: str
    action: str
    word: str
    tells: str
    when: Callable[[State], bool] = _on


KEYS = (
    Key("space", "Space", "go", "press('space')", "go on",
        "Let the roll count and make the next one; exchange or discard the marked cards",
        _goes),
    Key("g", "g", "run_on", "run_on", "run on",
        "Go on to the next choice, or German roll that a card could soften", _going),
    Key("w", "w", "advice", "advice", "what would you do?",
        "What the program would do, and what the other choices cost", _advised),
    Key("N", "N", "another", "another", "another game", "Set up another game", _over),
    Key("S", "S", "scores", "scores", "scores", "High scores", _over),
    Key("u,ctrl+z", "u", "undo", "undo", "undo",
        "Undo the last step; the same dice come again", _always),
    Key("ctrl+y", "ctrl+y", "redo", "redo", "", "Redo what was undone", _never),
    Key("escape", "Esc", "leave", "leave", "leave",
        "Drop what you have begun to type or mark; else leave the game, which is saved", _always),
    Key("P", "P", "print", "print", "print", "Print the play sheet as the game stands", _over),
    Key("J", "J", "journal", "journal", "journal", "Journal", _always),
    Key("enter", "Enter", "accept", "press('enter')", "",
        "Same as Space", _never),
    Key("backspace", "⌫", "step_back", "step_back", "",
        "Take back what was typed or marked last; else undo, except while you type dice or cards",
        _never),
    Key("H", "H", "home", "home", "",
        "Home; the game is saved",
        _never),
    Key("q", "q", "quit_or_queen", "press('q')", "",
        "Play an Admiral; in a game without cards, leave", _never),
)  # fmt: skip
"""In the order in which they are shown while there is room."""

CAPITALS = "KAQ"
"""Cards may be typed in capitals; a capital K marks a King. J is the journal otherwise."""


def bindings() -> list[BindingType]:
    """All of them, then digits and letters of cards."""
    taken = {key.key for key in KEYS}
    typed = [
        Binding(sign, f"press('{sign}')", show=False, id=f"{TOPIC}.sign_{sign}")
        for sign in SIGNS
        if sign not in taken
    ]
    typed += [
        Binding(sign, f"press('{sign}')", show=False, id=f"{TOPIC}.sign_capital_{sign.lower()}")
        for sign in CAPITALS
    ]
    return [*named(KEYS, TOPIC), *typed]


def strip(state: State, width: int, mapped: Mapping[str, str]) -> Content:
    """The keys worth pressing now, as many as fit, ``?`` last, as the player has ``mapped`` them.
    They can be clicked."""
    last = ("?", "keys", "app.show_help")
    room = width - _cells(last)
    chosen = []
    for key in KEYS:
        one = (_shown(key, mapped), key.word, f"screen.{key.action}")
        if key.word and key.when(state) and _cells(one) <= room:
            chosen.append(one)
            room -= _cells(one)
    return Content("").join(
        Content.assemble((f" {shown}", "$accent bold"), f" {word} ").stylize(f"@click={action}")
        for shown, word, action in (*chosen, last)
    )


def _shown(key: Key, mapped: Mapping[str, str]) -> str:
    id = f"{TOPIC}.{key.verb}"
    return key_name(key_in_force(mapped, id, key.key)) if mapped.get(id) else key.shown


def _cells(entry: tuple[str, str, str]) -> int:
    return len(entry[0]) + len(entry[1]) + 3
