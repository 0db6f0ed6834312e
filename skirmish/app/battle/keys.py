"""The keys of a battle: bindings, the strip of keys and the help are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase, digits
from types import MappingProxyType
from typing import Any, NamedTuple

from textual.binding import BindingType
from textual.content import Content

from skirmish.app.binding import NAMES, key_in_force, key_name, keys, signs
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
    """The key of ``battle.<verb>``: what the help says, its ``word`` on the strip where no command
    of the game gives one, what it ``does`` where it is not pressed in the game."""

    verb: str
    key: str
    tooltip: str
    word: str = ""
    does: str = ""

    @property
    def action(self) -> str:
        sign = self.key if self.key in NAMES else key_name(self.key)
        return self.does or f"press('{sign}')"


KEYS = (
    Key("draw", "space", "Fire the shot in hand: draw a card"),
    Key("same", "full_stop", "Repeat the last shot or volley as it was", word="same", does="same"),
    Key("insist", "exclamation_mark", "Do what was just advised against", does="insist"),
    Key("tally", "equals_sign", "A whole volley of your own cards in one count: 40rr=12, Enter"),
    Key("lost", "minus", "Take off losses without a shot: -3r; Tab other side"),
    Key("men_back", "plus", "Put men back, or add new ones: +r; + Enter a new kind"),
    Key("phase", "greater_than_sign", "Next phase"),
    Key("end_turn", "E", "End this player turn"),
    Key("undo", "backspace", "Undo the last order; in a question, one step back", word="undo"),
    Key(
        "judge_again",
        "tab",
        "Judge the last shot again: Tab c; Tab again for the one before. In a "
        "question: the other side, another model",
    ),
    Key(
        "questions",
        "f2",
        "One question at a time, in large words, for children and newcomers",
        word="guided",
        does="questions",
    ),
    Key("summary", "Y", "Summary", word="summary", does="summary"),
    Key("moved", "M", "A group has moved: draw its command card"),
    Key("exit", "X", "Leave the table: Xk, Enter; X5r, Enter"),
    Key("arrive", "A", "Bring on part of a wave: A5r2m, Enter"),
    Key("table", "V", "Draw on the scenario's table by hand"),
    Key("serve", "S", "Refuel or serve: St, S2t"),
    Key("load", "L", "Load: Lk10r, Enter; Tab another model"),
    Key("unload", "O", "Unload: Ok"),
    Key("reveal", "R", "Reveal hidden units: Rr, R3r"),
    Key("leave_gun", "B", "Abandon a gun: Bm"),
    Key("count", "C", "Enter what you count on the table for victory"),
    Key("dig", "D", "Dig in: draw for it; De with an engineer"),
    Key("wire", "W", "An engineer clears a segment of wire"),
    Key("pin_test", "K", "Draw a pin test for the side under fire"),
    Key("pins", "asterisk", "Take a pin off a row, or put one on: *r"),
    Key(
        "look_back",
        "up",
        "Walk back through the journal: v void, b back to here. Below a shot: what if",
        word="look back",
    ),
    Key("look_on", "down", "Walk on. Below a shot: what if; Enter chooses one"),
    Key("journal", "J", "The whole journal", word="journal", does="journal"),
    Key("due", "U", "All that is due, and how victory stands", word="due", does="news"),
    Key("note", "N", "Write a note into the journal"),
    Key("clock", "T", "Set turn, side and phase"),
    Key("levels", "I", "Who draws on each side, and its commander's name"),
    Key("rules", "Z", "Turn optional rules and force quality on or off"),
    Key("seal", "Q", "Seal a secret, or open one"),
    Key(
        "rulings",
        "G",
        "The rulings of this battle on gaps in the rules",
        word="rulings",
        does="rulings",
    ),
    Key("print", "P", "Print the sheet, rosters, position or report", word="print", does="print"),
    Key("finish", "F", "Say who won; after the end, play on"),
    Key("accept", "enter", "Accept what is proposed; bring on the wave that is due"),
    Key("step_back", "escape", "One step back; stop repeat fire"),
    Key("redo", "ctrl+y", "Redo what was undone", does="redo"),
    Key("rows_after", "pagedown", "Scroll the rows down", does="page(4)"),
    Key("rows_before", "pageup", "Scroll the rows up", does="page(-4)"),
    Key("both_sides", "f3", "Both sides side by side", does="turn_to('both')"),
    Key("first_side", "f4", "All the numbers of the first side", does="turn_to('first')"),
    Key("second_side", "f5", "All the numbers of the second side", does="turn_to('second')"),
    Key("journal_page", "f6", "The journal", does="turn_to('journal')"),
    Key("due_page", "f7", "What is due, and how victory stands", does="turn_to('due')"),
    Key(
        "scenario",
        "f8",
        "The scenario's map and pages; F8 again comes back",
        word="map",
        does="scenario",
    ),
    Key("row_left", "left", "Choose rows with the arrows", does="walk('left')"),
    Key("row_right", "right", "Choose rows with the arrows", does="walk('right')"),
    Key("home", "H", "Home; the battle is saved", word="home", does="home"),
)
"""In the order in which they are shown while there is room."""
_BY_VERB = {key.verb: key for key in KEYS}


def bindings() -> list[BindingType]:
    """All of them, and letters and digits, which name rows and numbers and are never mapped."""
    named = ((key.verb, key.key, key.action, key.word, key.tooltip) for key in KEYS)
    return [*keys(TOPIC, *named), *signs(TOPIC, ascii_lowercase + digits)]


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
    return key_name(key_in_force(mapped, f"{TOPIC}.{verb}", _BY_VERB[verb].key))


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
