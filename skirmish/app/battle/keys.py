"""The keys of a battle: bindings, the strip of keys and the help are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase, digits
from types import MappingProxyType
from typing import Any, NamedTuple

from textual.binding import Binding, BindingType
from textual.content import Content

from skirmish.app.binding import key_in_force, key_name, signs
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.commands import Command

GROUPS = (
    ("Fire", ("draw", "same", "insist", "judge_again", "pin_test", "pins")),
    ("Turn", ("phase", "end_turn", "clock", "finish")),
    ("Movement", ("moved", "load", "unload", "arrive", "exit", "table", "serve", "reveal",
                  "leave_gun", "dig", "wire", "count")),
    ("Corrections", ("undo", "redo", "lost", "men_back", "look_back", "look_on", "accept",
                     "step_back")),
    ("Screen", ("both_sides", "first_side", "second_side", "journal_page", "due_page", "scenario",
                "row_left", "row_right", "rows_after", "rows_before", "questions")),
    ("Battle", ("journal", "due", "summary", "note", "levels", "rules", "seal", "rulings", "print",
                "home")),
)  # fmt: skip
"""Keys as the help groups them, by verb."""

NOTHING: Mapping[str, str] = MappingProxyType({})
TOPIC = "battle"


class Key(NamedTuple):
    """A key: its ``verb`` (the binding is ``battle.<verb>``), what it does (``action``), its word
    on the strip where no command of the game gives one, what the help says."""

    key: str
    shown: str
    verb: str
    action: str
    word: str
    tells: str


KEYS = (
    Key("space", "Space", "draw", "press('space')", "", "Fire the shot in hand: draw a card"),
    Key("full_stop", ".", "same", "same", "same", "Repeat the last shot or volley as it was"),
    Key("exclamation_mark", "!", "insist", "insist", "", "Do what was just advised against"),
    Key(
        "equals_sign",
        "=",
        "tally",
        "press('=')",
        "",
        "A whole volley of your own cards in one count: 40rr=12, Enter",
    ),
    Key(
        "minus",
        "-",
        "lost",
        "press('-')",
        "",
        "Take off losses without a shot: -3r; Tab other side",
    ),
    Key(
        "plus",
        "+",
        "men_back",
        "press('+')",
        "",
        "Put men back, or add new ones: +r; + Enter a new kind",
    ),
    Key("greater_than_sign", ">", "phase", "press('>')", "", "Next phase"),
    Key("E", "E", "end_turn", "press('E')", "", "End this player turn"),
    Key(
        "backspace",
        "⌫",
        "undo",
        "press('backspace')",
        "undo",
        "Undo the last order; in a question, one step back",
    ),
    Key(
        "tab",
        "Tab",
        "judge_again",
        "press('tab')",
        "",
        "Judge the last shot again: Tab c; Tab again for the one before. In a question: the other "
        "side, another model",
    ),
    Key(
        "f2",
        "F2",
        "questions",
        "questions",
        "guided",
        "One question at a time, in large words, for children and newcomers",
    ),
    Key("Y", "Y", "summary", "summary", "summary", "Summary"),
    Key("M", "M", "moved", "press('M')", "", "A group has moved: draw its command card"),
    Key("X", "X", "exit", "press('X')", "", "Leave the table: Xk, Enter; X5r, Enter"),
    Key("A", "A", "arrive", "press('A')", "", "Bring on part of a wave: A5r2m, Enter"),
    Key("V", "V", "table", "press('V')", "", "Draw on the scenario's table by hand"),
    Key("S", "S", "serve", "press('S')", "", "Refuel or serve: St, S2t"),
    Key("L", "L", "load", "press('L')", "", "Load: Lk10r, Enter; Tab another model"),
    Key("O", "O", "unload", "press('O')", "", "Unload: Ok"),
    Key("R", "R", "reveal", "press('R')", "", "Reveal hidden units: Rr, R3r"),
    Key("B", "B", "leave_gun", "press('B')", "", "Abandon a gun: Bm"),
    Key("C", "C", "count", "press('C')", "", "Enter what you count on the table for victory"),
    Key("D", "D", "dig", "press('D')", "", "Dig in: draw for it; De with an engineer"),
    Key("W", "W", "wire", "press('W')", "", "An engineer clears a segment of wire"),
    Key("K", "K", "pin_test", "press('K')", "", "Draw a pin test for the side under fire"),
    Key("asterisk", "*", "pins", "press('*')", "", "Take a pin off a row, or put one on: *r"),
    Key(
        "up",
        "↑",
        "look_back",
        "press('up')",
        "look back",
        "Walk back through the journal: v void, b back to here. Below a shot: what if",
    ),
    Key(
        "down",
        "↓",
        "look_on",
        "press('down')",
        "",
        "Walk on. Below a shot: what if; Enter chooses one",
    ),
    Key("J", "J", "journal", "journal", "journal", "The whole journal"),
    Key("U", "U", "due", "news", "due", "All that is due, and how victory stands"),
    Key("N", "N", "note", "press('N')", "", "Write a note into the journal"),
    Key("T", "T", "clock", "press('T')", "", "Set turn, side and phase"),
    Key("I", "I", "levels", "press('I')", "", "Who draws on each side, and its commander's name"),
    Key("Z", "Z", "rules", "press('Z')", "", "Turn optional rules and force quality on or off"),
    Key("Q", "Q", "seal", "press('Q')", "", "Seal a secret, or open one"),
    Key(
        "G", "G", "rulings", "rulings", "rulings", "The rulings of this battle on gaps in the rules"
    ),
    Key("P", "P", "print", "print", "print", "Print the sheet, rosters, position or report"),
    Key("F", "F", "finish", "press('F')", "", "Say who won; after the end, play on"),
    Key(
        "enter",
        "Enter",
        "accept",
        "press('enter')",
        "",
        "Accept what is proposed; bring on the wave that is due",
    ),
    Key("escape", "Esc", "step_back", "press('escape')", "", "One step back; stop repeat fire"),
    Key("ctrl+y", "ctrl+y", "redo", "redo", "", "Redo what was undone"),
    Key("pagedown", "PgDn", "rows_after", "page(4)", "", "Scroll the rows down"),
    Key("pageup", "PgUp", "rows_before", "page(-4)", "", "Scroll the rows up"),
    Key("f3", "F3", "both_sides", "turn_to('both')", "", "Both sides side by side"),
    Key("f4", "F4", "first_side", "turn_to('first')", "", "All the numbers of the first side"),
    Key("f5", "F5", "second_side", "turn_to('second')", "", "All the numbers of the second side"),
    Key("f6", "F6", "journal_page", "turn_to('journal')", "", "The journal"),
    Key("f7", "F7", "due_page", "turn_to('due')", "", "What is due, and how victory stands"),
    Key(
        "f8",
        "F8",
        "scenario",
        "scenario",
        "map",
        "The scenario's map and pages; F8 again comes back",
    ),
    Key("left", "←", "row_left", "walk('left')", "", "Choose rows with the arrows"),
    Key("right", "→", "row_right", "walk('right')", "", "Choose rows with the arrows"),
    Key("H", "H", "home", "home", "home", "Home; the battle is saved"),
)
"""In the order in which they are shown while there is room."""
_BY_VERB = {key.verb: key for key in KEYS}


def bindings() -> list[BindingType]:
    """All of them, and letters and digits, which name rows and numbers and are never mapped."""
    named = (
        Binding(
            key.key,
            key.action,
            key.word or key.tells,
            key_display=key.shown,
            tooltip=key.tells,
            id=f"{TOPIC}.{key.verb}",
        )
        for key in KEYS
    )
    return [*named, *signs(TOPIC, ascii_lowercase + digits)]


def words_now(
    state: State, commands: Sequence[Command[Any]], *, confirms: bool = True
) -> dict[str, str]:
    """The verbs that are worth a word on the strip now, with that word; Space where it
    ``confirms``."""
    going = state.outcome is None
    resting = going and state.ask is None
    shell = {
        "undo": going,
        "questions": resting and state.shots == 0,
        "summary": not going,
        "look_back": resting,
        "same": resting and state.shots > 0,
        "scenario": state.setup.scenario is not None,
    }
    own = {one.verb: one.word for one in reversed(commands) if one.word and not one.why_not}
    if not confirms:
        own.pop("draw", None)
    return {
        key.verb: own.get(key.verb, key.word)
        for key in KEYS
        if own.get(key.verb) or (key.word and shell.get(key.verb, True))
    }


def grouped(state: State, commands: Sequence[Command[Any]]) -> list[tuple[str, list[str]]]:
    """Titles with binding ids: what is worth pressing now, then every other key in its group."""
    always = {key.verb for key in KEYS if key.word}
    now = [verb for verb in words_now(state, commands) if verb not in always]
    if state.ask is not None:
        now = ["accept", *now, "undo"]
    groups = [("You can do this now", now)]
    groups += [(title, [verb for verb in verbs if verb not in now]) for title, verbs in GROUPS]
    return [(title, [f"{TOPIC}.{verb}" for verb in verbs]) for title, verbs in groups if verbs]


def shown_as(verb: str, mapped: Mapping[str, str]) -> str:
    """How the key of ``battle.<verb>`` is written under a player's key map."""
    id = f"{TOPIC}.{verb}"
    key = _BY_VERB[verb]
    return key_name(key_in_force(mapped, id, key.key)) if mapped.get(id) else key.shown


def strip(
    state: State,
    commands: Sequence[Command[Any]],
    width: int,
    mapped: Mapping[str, str] = NOTHING,
    *,
    confirms: bool = True,
) -> Content:
    """The keys worth pressing now, as many as fit, ``?`` last, as the player has ``mapped`` them.
    They can be clicked."""
    last = ("?", "keys", "app.show_help")
    room = width - _cells(last)
    chosen = []
    for verb, word in words_now(state, commands, confirms=confirms).items():
        one = (shown_as(verb, mapped), word, f"screen.{_BY_VERB[verb].action}")
        if _cells(one) <= room:
            chosen.append(one)
            room -= _cells(one)
    return Content("").join(
        Content.assemble((f" {shown}", "$accent bold"), f" {word} ").stylize(f"@click={action}")
        for shown, word, action in (*chosen, last)
    )


def _cells(entry: tuple[str, str, str]) -> int:
    return len(entry[0]) + len(entry[1]) + 3
