"""``skirmish beach-head show`` and ``journal``: a kept game, and all that happened in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from skirmish.cli.beach_head_kept import Json, Kept
from skirmish.cli.speaking import columns, harmless, number, say, say_json, say_wrapped

if TYPE_CHECKING:
    from skirmish.games.beach_head.record import BeachPlay
    from skirmish.games.beach_head.state import State

SIGNS = {"done": " ", "now": ">", "skipped": "-", "ahead": " "}


def show(game: Kept, as_json: Json = False) -> None:
    """Show how a game stands, phase by phase.

    Example: skirmish beach-head show 3
    """
    from skirmish.cli.beach_head_kept import folded, game_called
    from skirmish.cli.kept import listed
    from skirmish.store.moments import minute

    record, entries = game_called(game)
    play = folded(record, entries)
    if as_json:
        say_json(listed(record) | _report(play))
        return
    state = play.state
    say(f"{record.id}  {harmless(record.title)}")
    by = f" by {harmless(state.setup.player)}" if state.setup.player else ""
    say_wrapped(f"Begun {minute(record.started)}{by}, last played {minute(record.updated)}.")
    for line in _told(state):
        say_wrapped(harmless(line))
    say()
    say("\n".join(columns(_defences(state), (1, 2))))
    if state.turn and not state.over:
        say()
        _ladder(play)


def journal(game: Kept, as_json: Json = False) -> None:
    """Show all that happened in a game, turn by turn.

    Example: skirmish beach-head journal 3
    """
    from skirmish.cli.beach_head_kept import folded, game_called
    from skirmish.games.beach_head.telling import journal as journal_of

    play = folded(*game_called(game))
    if as_json:
        lines = journal_of(play)
        say_json([{"number": one.number, "turn": one.turn, "says": one.words} for one in lines])
    else:
        say_journal(play, play.state.setup.title)


def say_journal(play: BeachPlay, title: str) -> None:
    """A heading for each turn, a line for each phase in it."""
    from skirmish.games.beach_head.telling import journal as journal_of

    say_wrapped(harmless(title))
    for turn, phases in groupby(journal_of(play), lambda one: one.turn):
        say(f"\nTurn {turn}")
        for one in phases:
            say_wrapped(harmless(one.words), "", "  ")


# ------------------------------------------------------------------ as people read it


def _told(state: State) -> Iterator[str]:
    from skirmish.games.beach_head.manual import signs
    from skirmish.games.beach_head.telling import headline

    stands = headline(state)
    yield f"{stands[:1].upper()}{stands[1:]}."
    if waits := waiting(state):
        yield waits
    yield _chance(state)
    if state.hand:
        yield f"In hand: {signs(sorted(state.hand))}."
    if state.over:
        yield f"Still ashore: {number(state.squads, 'squad')}, {number(len(state.tanks), 'tank')}."
    else:
        yield f"Ashore: {', '.join([number(state.squads, 'squad'), *_tanks(state)])}."
    if readings := _readings(state):
        yield f"Rulings other than the default: {readings}."


def waiting(state: State) -> str:
    """What the game waits for, as a sentence; empty where it only has to go on."""
    from skirmish.games.beach_head.decide import wanted
    from skirmish.games.beach_head.telling import about, comes_to, draw_on

    if state.ask is not None:
        return draw_on(state) or wanted(state.ask)
    if state.roll is not None and state.roll.faces:
        faces = " ".join(map(str, state.roll.faces))
        comes = comes_to(state, state.roll)
        return f"Rolled for {about(state, state.roll.task)}: {faces}. Now: {comes}."
    return ""


def _tanks(state: State) -> Iterator[str]:
    for tank in state.setup.manual.tank:
        if count := state.tanks.count(tank.id):
            yield f"{count} {tank.noun if count == 1 else tank.names}"


def _chance(state: State) -> str:
    dice = "Your own dice" if state.dice.typed else "The program's dice"
    if state.deck is None:
        return f"{dice}, no cards."
    cards = "your own cards" if state.deck.typed else "the program's cards"
    return f"{dice}, {cards}."


def _readings(state: State) -> str:
    from skirmish import library

    book = library.beach_readings()
    found = book.departures(state.setup.rulings)
    return ", ".join(f"{ruling.id} {state.setup.rulings[ruling.id]}" for ruling, _ in found)


def _defences(state: State) -> list[tuple[str, ...]]:
    start = state.setup.points()
    rows: list[tuple[str, ...]] = [("Defences", "left", "of", "")]
    for one in state.setup.manual.defence:
        if one.id in state.setup.left_out:
            continue
        left = state.defences[one.id]
        rows.append((one.name, str(left), str(start[one.id]), "" if left else "cleared"))
    return rows


def _ladder(play: BeachPlay) -> None:
    from skirmish.games.beach_head.ladder import ladder

    rows = [
        (
            SIGNS[rung.standing],
            str(rung.number),
            rung.phase.name,
            f"skipped: {rung.words}" if rung.standing == "skipped" else rung.words,
        )
        for rung in ladder(play)
    ]
    for line in columns(rows, (1,)):
        say(line)


# ------------------------------------------------------------------ as programs read it


def _report(play: BeachPlay) -> dict[str, Any]:
    from skirmish.games.beach_head.ladder import ladder

    state = play.state
    setup = state.setup
    return {
        "variant": setup.variant,
        "reading": setup.reading,
        "player": setup.player,
        "turn": state.turn,
        "phase": state.phase,
        "waiting": waiting(state) or None,
        "casualties": state.casualties,
        "squads": state.squads,
        "tanks": {tank.id: state.tanks.count(tank.id) for tank in setup.manual.tank},
        "tanks_lost": state.tanks_lost,
        "craft_hit": state.craft_hit,
        "craft_hit_before": state.craft_hit_before,
        "hand": [str(card) for card in state.hand],
        "defences": {
            one.id: state.defences[one.id]
            for one in setup.manual.defence
            if one.id not in setup.left_out
        },
        "ladder": [
            {"phase": rung.phase.id, "standing": rung.standing, "says": rung.words}
            for rung in ladder(play)
        ],
    }
