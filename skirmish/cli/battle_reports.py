"""What ``skirmish battle`` shows of a battle: its pages for people, its figures for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from skirmish.cli.speaking import complain, harmless, say, say_json, say_page, say_wrapped
from skirmish.games.plastic.battle.lines import Line
from skirmish.games.plastic.battle.names import row_unit
from skirmish.games.plastic.battle.odds import Knowledge
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import break_alarm, rows, side_strength
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import victory_status
from skirmish.games.plastic.battle.victory_kinds import VictoryStatus
from skirmish.games.plastic.luck import FiredShot, Luck, SideLuck, luck, luck_page, luck_verdict
from skirmish.games.plastic.report import state_page, waiting
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.summary import summary
from skirmish.games.plastic.totals import Result, result, totals, totals_page
from skirmish.store.moments import minute
from skirmish.store.records import BattleRecord

# ------------------------------------------------------------------ the battle


def describe(record: BattleRecord, play: BattlePlay) -> None:
    """Print a battle: where it stands, both sides, what it has come to."""
    say(f"{record.id}  {harmless(record.title)}")
    say_wrapped(f"Started {minute(record.started)}, last played {minute(record.updated)}.")
    say_page(state_page(play), title=False)


def report(play: BattlePlay) -> dict[str, Any]:
    """What ``battle show --json`` says beside what the list says."""
    state = play.state
    said = {one.side: one for one in victory_status(state)}
    return {
        "turn": state.clock.turn,
        "side": state.clock.side,
        "phase": state.clock.phase,
        "waiting": waiting(state),
        "sides": [_side(state, side.id, said.get(side.id)) for side in state.setup.sides],
        "summary": msgspec.to_builtins(summary(play)),
    }


def tell_lines(found: Iterable[Line]) -> None:
    for line in found:
        if line.says:
            mark = "(void) " if line.struck else "(undone) " if line.undone else ""
            say_wrapped(f"{line.number:>5}  {mark}{harmless(line.says)}", "", " " * 7)


def line_report(line: Line) -> dict[str, Any]:
    return {
        "number": line.number,
        "entries": list(line.numbers),
        "says": line.says,
        "void": line.struck,
        "taken_back": line.undone,
    }


def _side(state: State, side: str, standing: VictoryStatus | None) -> dict[str, Any]:
    source = state.sources[state.source_of(side)]
    return {
        "id": side,
        "people": state.setup.side_by_id[side].people,
        "level": state.levels[side],
        "draws": source.kind,
        "cards_left": source.left(DECK) if source.kind == "deck" else None,
        "loss": state.loss.get(side, 0),
        "strength": side_strength(state, side),
        "break_at": break_alarm(state, side),
        "standing": standing.says if standing else None,
        "can_win": standing.can_win if standing else None,
        "rows": [
            {
                "row": row.key,
                "letter": row.letter,
                "name": row.unit.name,
                "total": row.total,
                "alive": len(row.alive),
                "here": len(row.here),
                "aboard": len(row.aboard),
                "hidden": len(row.hidden),
                "waiting": len(row.waiting),
                "exited": row.exited,
                "ready": row.ready_count,
            }
            for row in rows(state, side)
        ],
    }


# ------------------------------------------------------------------ luck


def show_luck(record: BattleRecord, play: BattlePlay, as_json: bool) -> None:
    """Print the luck ledger of a battle; what may be known of decks is as in the settings."""
    known = _knowledge()
    if as_json:
        say_json({"id": record.id, "title": record.title} | luck_report(play, luck(play, known)))
    else:
        say(f"{record.id}  {harmless(record.title)}")
        say_page(luck_page(play, known), title=False)


def luck_report(play: BattlePlay, found: Luck) -> dict[str, Any]:
    """The ledger for programs: exact chances as fractions, percentiles as numbers from 0 to 100."""
    point, swing = found.turned, found.swing
    return {
        "over": play.state.outcome is not None,
        "sides": [_luck_side(side) for side in found.sides],
        "swing": swing
        and {
            "turn": swing.turn,
            "gained": {side: str(gained) for side, gained in swing.gained.items()},
        },
        "turning_point": point and {"turn": point.turn, "mover": point.mover, "side": point.side},
        "notes": found.notes,
        "shots": [_shot(shot) for shot in found.shots],
    }


def _luck_side(side: SideLuck) -> dict[str, Any]:
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
        "verdict": None if at is None else luck_verdict(side),
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


def _knowledge() -> Knowledge:
    """Raises DataError where the settings cannot be read."""
    from skirmish.store.settings import place, read_settings

    return read_settings(place()).deck_knowledge


# ------------------------------------------------------------------ totals


def show_totals(as_json: bool) -> None:
    """Print the totals; battles that cannot be read are named and left out."""
    unread: list[int] = []
    found = totals(_results(unread))
    if as_json:
        say_json(msgspec.to_builtins(found) | {"unread": unread})
        return
    say_page(totals_page(found), title=False)
    for battle in unread:
        complain(f"Battle {battle} could not be read and is left out.")


def _results(unread: list[int]) -> Iterator[Result]:
    from skirmish.cli.battle_kept import finished

    for number, play in finished():
        if play is None:
            unread.append(number)
        elif play.state.outcome is not None:
            yield result(play.state)
