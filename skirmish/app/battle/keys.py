"""Every key of the battle screen, once: bindings, the strip of keys and the help are made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import ascii_lowercase, digits
from types import MappingProxyType
from typing import NamedTuple

from textual.binding import BindingType
from textual.content import Content

from skirmish.app.binding import bound, key_in_force, key_name
from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.orders.draws import owed
from skirmish.games.plastic.battle.orders.movement import convertible, servable, waves
from skirmish.games.plastic.battle.orders.rejudge import volley_to_count
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import counted_sides, why_not_exit
from skirmish.games.plastic.rules.checks import draws_for_command

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


def _always(_: State) -> bool:
    return True


def _never(_: State) -> bool:
    return False


def _going(state: State) -> bool:
    return state.outcome is None and (state.ask is None or isinstance(state.ask, RepeatAsk))


def _new(state: State) -> bool:
    """Before the first shot: whoever opens a battle for the first time is shown the other way."""
    return _going(state) and state.shots == 0


def _carriers(state: State) -> bool:
    return _going(state) and any(row.unit.seats and row.here for row in rows(state, state.mover))


def _loaded(state: State) -> bool:
    return _going(state) and any(
        state.riders_of(piece) for row in rows(state, state.mover) for piece in row.here
    )


def _exits(state: State) -> bool:
    return _going(state) and why_not_exit(state, state.mover) is None


def _quality(state: State) -> bool:
    moving = state.clock.phase == 1 and not state.movement_over
    return _going(state) and moving and draws_for_command(state.quality_of(state.mover))


def _digs(state: State) -> bool:
    return _going(state) and state.options.entrenching and state.clock.phase == 1


def _wire(state: State) -> bool:
    foe = state.setup.enemy_of(state.mover).id
    return _going(state) and bool(state.works.get(foe, {}).get("barbed_wire"))


def _changes(state: State) -> bool:
    return _going(state) and any(
        convertible(state, row) for side in state.setup.sides for row in rows(state, side.id)
    )


def _judged(state: State) -> bool:
    asked = state.ask is not None and not isinstance(state.ask, CasualtyAsk | RepeatAsk)
    return bool(state.judged or state.counts) and not asked


class Key(NamedTuple):
    """A key: its ``verb`` (the binding is ``battle.<verb>``), what it does (``action``), its one
    word on the strip, what the help says; ``when`` it is worth showing."""

    key: str
    shown: str
    verb: str
    action: str
    word: str
    tells: str
    when: Callable[[State], bool] = _going


KEYS = (
    Key("space", "Space", "draw", "press('space')", "draw", "Fire the shot in hand: draw a card"),
    Key("full_stop", ".", "same", "same", "same", "Repeat the last shot or volley as it was",
        lambda state: _going(state) and state.shots > 0),
    Key("exclamation_mark", "!", "insist", "insist", "anyway",
        "Do what was just advised against", _never),
    Key("equals_sign", "=", "tally", "tally", "count hits",
        "A whole volley of your own cards in one count: 40rr=12, Enter",
        lambda state: volley_to_count(state) is not None),
    Key("minus", "-", "lost", "open('lost')", "lost",
        "Take off losses without a shot: -3r; Tab other side"),
    Key("plus", "+", "men_back", "open('back')", "back",
        "Put men back, or add new ones: +r; + Enter a new kind", _never),
    Key("greater_than_sign", ">", "phase", "end_phase", "phase", "Next phase"),
    Key("E", "E", "end_turn", "end_turn", "end turn", "End this player turn"),
    Key("backspace", "⌫", "undo", "undo", "undo",
        "Undo the last order; in a question, one step back"),
    Key("tab", "Tab", "judge_again", "press('tab')", "re-judge",
        "Judge the last shot again: Tab c; Tab again for "
        "the one before. In a question: the other side, another model",
        _judged),
    Key("f2", "F2", "questions", "questions", "guided",
        "One question at a time, in large words, for children and newcomers", _new),
    Key("Y", "Y", "summary", "summary", "summary",
        "Summary", lambda state: state.outcome is not None),
    Key("M", "M", "moved", "moved", "moved", "A group has moved: draw its command card", _quality),
    Key("X", "X", "exit", "open('exit')", "exit", "Leave the table: Xk, Enter; X5r, Enter", _exits),
    Key("A", "A", "arrive", "open('arrive')", "arrive", "Bring on part of a wave: A5r2m, Enter",
        lambda state: _going(state) and any(wave.now for wave in waves(state))),
    Key("V", "V", "table", "call_table", "table", "Draw on the scenario's table by hand",
        lambda state: _going(state) and bool(owed(state, state.clock.turn, state.mover))),
    Key("S", "S", "serve", "open('serve')", "serve", "Refuel or serve: St, S2t",
        lambda state: _going(state) and servable(state) > 0),
    Key("L", "L", "load", "open('load')", "load",
        "Load: Lk10r, Enter; Tab another model", _carriers),
    Key("O", "O", "unload", "open('unload')", "unload", "Unload: Ok", _loaded),
    Key("R", "R", "reveal", "open('reveal')", "reveal", "Reveal hidden units: Rr, R3r",
        lambda state: _going(state) and bool(state.hidden)),
    Key("B", "B", "leave_gun", "open('convert')", "abandon", "Abandon a gun: Bm", _changes),
    Key("C", "C", "count", "open('count')", "count",
        "Enter what you count on the table for victory",
        lambda state: _going(state) and bool(counted_sides(state))),
    Key("D", "D", "dig", "dig", "dig", "Dig in: draw for it; De with an engineer", _digs),
    Key("W", "W", "wire", "wire", "wire", "An engineer clears a segment of wire", _wire),
    Key("K", "K", "pin_test", "pin", "pin test", "Draw a pin test for the side under fire",
        lambda state: _going(state) and state.options.pinning),
    Key("asterisk", "*", "pins", "open('pinned')", "pins",
        "Take a pin off a row, or put one on: *r",
        lambda state: _going(state) and bool(state.pinned)),
    Key("up", "↑", "look_back", "press('up')", "look back",
        "Walk back through the journal: v void, b back to here. Below a shot: what if"),
    Key("down", "↓", "look_on", "press('down')", "",
        "Walk on. Below a shot: what if; Enter chooses one", _never),
    Key("J", "J", "journal", "journal", "journal", "The whole journal", _always),
    Key("U", "U", "due", "news", "due", "All that is due, and how victory stands", _always),
    Key("N", "N", "note", "note", "note", "Write a note into the journal", _always),
    Key("T", "T", "clock", "open('clock')", "clock", "Set turn, side and phase", _going),
    Key("I", "I", "levels", "levels", "levels",
        "Who draws on each side, and its commander's name", _going),
    Key("Z", "Z", "rules", "options", "rules",
        "Turn optional rules and force quality on or off", _going),
    Key("Q", "Q", "seal", "seal", "seal", "Seal a secret, or open one", _going),
    Key("G", "G", "rulings", "rulings", "rulings",
        "The rulings of this battle on gaps in the rules", _always),
    Key("P", "P", "print", "print", "print",
        "Print the sheet, rosters, position or report", _always),
    Key("F", "F", "finish", "finish", "finish", "Say who won; after the end, play on", _always),
    Key("enter", "Enter", "accept", "press('enter')", "",
        "Accept what is proposed; bring on the wave that is due", _never),
    Key("escape", "Esc", "step_back", "press('escape')", "",
        "One step back; stop repeat fire", _never),
    Key("ctrl+y", "ctrl+y", "redo", "redo", "", "Redo what was undone", _never),
    Key("pagedown", "PgDn", "rows_after", "page(4)", "", "Scroll the rows down", _never),
    Key("pageup", "PgUp", "rows_before", "page(-4)", "", "Scroll the rows up", _never),
    Key("f3", "F3", "both_sides", "turn_to('both')", "", "Both sides side by side", _never),
    Key("f4", "F4", "first_side", "turn_to('first')", "",
        "All the numbers of the first side", _never),
    Key("f5", "F5", "second_side", "turn_to('second')", "",
        "All the numbers of the second side", _never),
    Key("f6", "F6", "journal_page", "turn_to('journal')", "", "The journal", _never),
    Key("f7", "F7", "due_page", "turn_to('due')", "",
        "What is due, and how victory stands", _never),
    Key("f8", "F8", "scenario", "scenario", "map",
        "The scenario's map and pages; F8 again comes back",
        lambda state: state.setup.scenario is not None),
    Key("left", "←", "row_left", "walk('left')", "", "Choose rows with the arrows", _never),
    Key("right", "→", "row_right", "walk('right')", "", "Choose rows with the arrows", _never),
    Key("H", "H", "home", "home", "home", "Home; the battle is saved", _always),
)  # fmt: skip
"""In the order in which they are shown while there is room."""


RANKS = "AJQ"
"""Where a card is awaited these are typed into it; they do nothing else then."""


TOPIC = "battle"


def bindings() -> list[BindingType]:
    """All of them, and letters and digits, which name rows and numbers and are never mapped."""
    return bound(KEYS, TOPIC)


def grouped(state: State) -> list[tuple[str, list[str]]]:
    """Titles with binding ids: what is worth pressing now, then every other key in its group."""
    now = [key.verb for key in KEYS if key.word and key.when not in (_always, _never)]
    now = [verb for verb in now if _BY_VERB[verb].when(state)]
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


def clicked(text: str) -> str | None:
    """The action of a key that a sentence names (``Enter``, ``c``, ``Space draws``), so that the
    mouse can press it there; None if the text is no key."""
    sign = text.strip()
    if len(sign) == 1 and sign in ascii_lowercase + digits:
        return f"press('{sign}')"
    if sign.startswith(("! ", "Space ")):
        sign = sign.partition(" ")[0]
    return _BY_SIGN.get(sign)


_BY_VERB = {key.verb: key for key in KEYS}
_BY_SIGN = {"Backspace": "undo", **{key.shown: key.action for key in KEYS}}


def strip(state: State, width: int, mapped: Mapping[str, str] = NOTHING) -> Content:
    """The keys worth pressing now, as many as fit, ``?`` last, as the player has ``mapped`` them.
    They can be clicked."""
    last = ("?", "keys", "app.show_help")
    room = width - _cells(last)
    chosen = []
    for key in KEYS:
        if key.key in RANKS and isinstance(state.ask, DrawAsk) and state.ask.rank is None:
            continue
        one = (shown_as(key.verb, mapped), key.word, f"screen.{key.action}")
        if key.word and key.when(state) and _cells(one) <= room:
            chosen.append(one)
            room -= _cells(one)
    return Content("").join(
        Content.assemble((f" {shown}", "$accent bold"), f" {word} ").stylize(f"@click={action}")
        for shown, word, action in (*chosen, last)
    )


def _cells(entry: tuple[str, str, str]) -> int:
    return len(entry[0]) + len(entry[1]) + 3
