"""Every key of the battle screen, once: bindings, the strip of keys and the help are made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import ascii_lowercase, digits
from types import MappingProxyType
from typing import NamedTuple

from textual.binding import BindingType
from textual.content import Content

from skirmish.app.binding import bound
from skirmish.app.settings.key_names import key_in_force, key_name
from skirmish.games.plastic.battle.agenda import DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.arrivals import convertible, servable, waves
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.tables import owed
from skirmish.games.plastic.battle.victory import counted_sides, why_not_exit
from skirmish.games.plastic.rules.checks import draws_for_command

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
    Key("space", "Space", "draw", "press('space')", "draw", "Fire: draw for the shot in hand"),
    Key("full_stop", ".", "same", "same", "same", "The same shot once more, a volley too",
        lambda state: _going(state) and state.shots > 0),
    Key("exclamation_mark", "!", "insist", "insist", "anyway",
        "What was just advised against", _never),
    Key("minus", "-", "lost", "open('lost')", "lost", "Losses without a shot: -3r, Tab other side"),
    Key("plus", "+", "men_back", "open('back')", "back", "Men who stand after all: +r", _never),
    Key("greater_than_sign", ">", "phase", "end_phase", "phase", "Next phase"),
    Key("E", "E", "end_turn", "end_turn", "end turn", "End this player turn"),
    Key("backspace", "⌫", "undo", "undo", "undo",
        "Take the last order back; in a question, one step"),
    Key("f2", "F2", "questions", "questions", "one by one",
        "One question at a time, in large words, for children and newcomers", _new),
    Key("Y", "Y", "summary", "summary", "summary",
        "Summary", lambda state: state.outcome is not None),
    Key("M", "M", "moved", "moved", "moved", "A group has moved: its command draw", _quality),
    Key("X", "X", "exit", "open('exit')", "exit", "Leave the table: Xk, Enter; X5r, Enter", _exits),
    Key("A", "A", "arrive", "open('arrive')", "arrive", "Some of a wave come on: A5r2m, Enter",
        lambda state: _going(state) and any(wave.now for wave in waves(state))),
    Key("V", "V", "table", "call_table", "table", "The draws on the scenario's table, by hand",
        lambda state: _going(state) and bool(owed(state, state.clock.turn, state.mover))),
    Key("S", "S", "serve", "open('serve')", "serve", "Refuel or serve: St, S2t",
        lambda state: _going(state) and servable(state) > 0),
    Key("L", "L", "load", "open('load')", "load",
        "Get in: Lk10r, Enter; Tab another model", _carriers),
    Key("O", "O", "unload", "open('unload')", "unload", "Get out: Ok", _loaded),
    Key("R", "R", "reveal", "open('reveal')", "reveal", "Hidden ones are shown: Rr, R3r",
        lambda state: _going(state) and bool(state.hidden)),
    Key("B", "B", "leave_gun", "open('convert')", "leave gun", "Abandon a gun: Bm", _changes),
    Key("C", "C", "count", "open('count')", "count", "What eyes count for victory",
        lambda state: _going(state) and bool(counted_sides(state))),
    Key("D", "D", "dig", "dig", "dig", "Dig in: its draw; De with an engineer", _digs),
    Key("W", "W", "wire", "wire", "wire", "An engineer clears a segment of wire", _wire),
    Key("K", "K", "pin_test", "pin", "pin test", "A pin test by hand, of the side shot at",
        lambda state: _going(state) and state.options.pinning),
    Key("tab", "Tab", "judge_again", "press('tab')", "judge again",
        "Judge the last shot again: Tab c; Tab "
        "the one before. In a question: the other side, another model",
        lambda state: bool(state.judged)),
    Key("up", "↑", "look_back", "press('up')", "look back",
        "A cursor in the journal: v void, b back to here. Below a shot: what if"),
    Key("down", "↓", "look_on", "press('down')", "",
        "The cursor down again. Below a shot: what if; Enter takes one", _never),
    Key("J", "J", "journal", "journal", "journal", "The whole journal", _always),
    Key("U", "U", "due", "news", "due", "All that is due, and how victory stands", _always),
    Key("N", "N", "note", "note", "note", "Words of your own in the journal", _always),
    Key("T", "T", "clock", "open('clock')", "clock", "Set turn, side and phase", _going),
    Key("I", "I", "levels", "levels", "levels", "Referee, clerk or losses only, by side", _going),
    Key("Z", "Z", "rules", "options", "rules", "Optional rules and force quality now", _going),
    Key("Q", "Q", "seal", "seal", "seal", "Seal a secret, or open it", _going),
    Key("G", "G", "rulings", "rulings", "rulings",
        "Gaps in the rules: the rulings of this battle", _always),
    Key("P", "P", "print", "print", "print", "Print its sheet, rosters, position, report", _always),
    Key("F", "F", "finish", "finish", "finish", "Say who won; after the end, play on", _always),
    Key("enter", "Enter", "accept", "press('enter')", "",
        "Accept: those proposed, the wave due, a what-if", _never),
    Key("escape", "Esc", "step_back", "press('escape')", "",
        "One step back; lets a repeat go", _never),
    Key("ctrl+y", "ctrl+y", "redo", "redo", "", "Bring back what was undone", _never),
    Key("pagedown", "PgDn", "rows_after", "page(4)", "", "Further rows of both sides", _never),
    Key("pageup", "PgUp", "rows_before", "page(-4)", "", "Rows before", _never),
    Key("f3", "F3", "both_sides", "turn_to('both')", "", "Both sides beside each other", _never),
    Key("f4", "F4", "first_side", "turn_to('first')", "", "The whole table of one side", _never),
    Key("f5", "F5", "second_side", "turn_to('second')", "", "The whole table of the other", _never),
    Key("f6", "F6", "journal_page", "turn_to('journal')", "", "The journal on this screen", _never),
    Key("f7", "F7", "due_page", "turn_to('due')", "", "What is due and how it stands", _never),
    Key("left", "←", "row_left", "walk('left')", "", "Choose rows by arrows: sides", _never),
    Key("right", "→", "row_right", "walk('right')", "", "Choose rows by arrows: sides", _never),
    Key("H", "H", "home", "home", "home", "Home; the battle is kept", _always),
)  # fmt: skip
"""In the order in which they are shown while there is room."""


RANKS = "AJQ"
"""Where a card is awaited these are typed into it; they do nothing else then."""


TOPIC = "battle"


def bindings() -> list[BindingType]:
    """All of them, and letters and digits, which name rows and numbers and are never mapped."""
    return bound(KEYS, TOPIC)


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
