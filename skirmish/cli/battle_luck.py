"""Who had the luck in a battle, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from skirmish.cli.speaking import clipped, columns, harmless, say, say_json, say_wrapped
from skirmish.games.plastic import luck_words as words
from skirmish.games.plastic.battle.names import row_unit
from skirmish.games.plastic.battle.odds import Knowledge
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.luck import Luck, SideLuck, luck
from skirmish.games.plastic.luck_shots import FiredShot
from skirmish.store.records import BattleRecord

NAME_WIDTH = 24


def show(record: BattleRecord, play: BattlePlay, as_json: bool) -> None:
    """Print the luck ledger of a battle; what may be known of decks is as in the settings."""
    found = luck(play, _knowledge())
    if as_json:
        say_json({"id": record.id, "title": record.title} | report(play, found))
        return
    say(f"{record.id}  {harmless(record.title)}")
    if not found.shots:
        say("No shots have been fired yet.")
        return
    people = [clipped(harmless(side.people), NAME_WIDTH) for side in found.sides]
    table = [("", *people)] + [(line.name, *line.sides) for line in words.figures(found)]
    say("\n".join(columns(table, right=(1, 2))))
    say("\nKills made minus kills expected, up to the end of each turn:")
    turns = [("Turn", *people), *_turns(found)]
    say("\n".join(columns(turns, right=(0, 1, 2))))
    say()
    moments = [*words.moments(play.state, found)]
    if turned := words.turning(play.state, found.turned):
        moments.append(turned)
    for one in moments:
        say_wrapped(harmless(f"{one.name}: {one.says.removesuffix('.')}."), "", "  ")
    for line in words.caveats(play.state, found):
        say_wrapped(harmless(line), "", "  ")


def report(play: BattlePlay, found: Luck) -> dict[str, Any]:
    """The ledger for programs: exact chances as fractions, percentiles as numbers from 0 to 100."""
    point, swing = found.turned, found.swing
    return {
        "over": play.state.outcome is not None,
        "sides": [_side(side) for side in found.sides],
        "swing": swing
        and {
            "turn": swing.turn,
            "gained": {side: str(gained) for side, gained in swing.gained.items()},
        },
        "turning_point": point and {"turn": point.turn, "mover": point.mover, "side": point.side},
        "notes": found.notes,
        "shots": [_shot(shot) for shot in found.shots],
    }


def _side(side: SideLuck) -> dict[str, Any]:
    at = side.percentile
    return {
        "side": side.side,
        "people": side.people,
        "shots": side.shots,
        "sure": side.sure,
        "expected": str(side.expected),
        "kills": side.kills,
        "difference": str(side.difference),
        "percentile": None if at is None else 100 * float(at),
        "verdict": None if at is None else words.verdict(side),
        "saves": side.saves,
        "saves_expected": str(side.saves_expected),
        "broke": side.broke,
        "broke_expected": str(side.broke_expected),
        "best": side.best and _shot(side.best),
        "worst": side.worst and _shot(side.worst),
    }


def _shot(fired: FiredShot) -> dict[str, Any]:
    return {
        "entry": fired.number,
        "turn": fired.turn,
        "side": fired.side,
        "piece": fired.shot.piece,
        "unit": fired.unit,
        "weapon": fired.shot.weapon,
        "target": row_unit(fired.shot.target),
        "chance": str(fired.chance),
        "save": str(fired.save),
        "hit": fired.hit,
        "saved": fired.saved,
        "broke": fired.broke,
        "note": fired.note or None,
    }


def _turns(found: Luck) -> Iterator[tuple[str, ...]]:
    sums = {side.side: Fraction(0) for side in found.sides}
    last = found.shots[0].turn
    for shot in found.shots:
        if shot.turn != last:
            yield str(last), *map(words.signed, sums.values())
            last = shot.turn
        sums[shot.side] += shot.luck
    yield str(last), *map(words.signed, sums.values())


def _knowledge() -> Knowledge:
    """Raises DataError where the settings cannot be read."""
    from skirmish.store.settings import place, read_settings

    return read_settings(place()).deck_knowledge
