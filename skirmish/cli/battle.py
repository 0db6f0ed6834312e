"""``skirmish battle``: what every game has, and the log, luck and totals of battles."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import typer
from msgspec import to_builtins

from skirmish.cli.console import complain, harmless, say, say_json, say_page, say_wrapped
from skirmish.cli.files import AsJson
from skirmish.cli.games import (
    Everything,
    GameVerbs,
    Number,
    existing_store,
    journal_data,
    load_game,
)
from skirmish.cli.line_play import mark
from skirmish.games.plastic import luck as of_luck
from skirmish.games.plastic import totals as of_totals
from skirmish.games.plastic.battle.names import row_unit
from skirmish.games.plastic.luck import FiredShot, Luck, SideLuck, luck_verdict
from skirmish.registry import BATTLE, load
from skirmish.store.settings import place, read_settings

app = typer.Typer(help="List, show, export and import battles.")
GameVerbs(BATTLE, "skirmish battle").add_to(app)


@app.command()
def log(battle: Number, everything: Everything = False, as_json: AsJson = False) -> None:
    """Print a battle's journal, one numbered line for each event.

    Example: skirmish battle log 3 --all
    """
    _, game, play = load_game(battle, BATTLE)
    found = game.all_lines(play) if everything else game.journal(play)
    if as_json:
        say_json(journal_data(found))
        return
    for line in found:
        say_wrapped(f"{line.number:>5}  {mark(line)}{harmless(line.words)}", "", " " * 7)


@app.command()
def luck(battle: Number, as_json: AsJson = False) -> None:
    """Show how lucky each side was: kills expected and kills made.

    Expected kills are the sum of the chances of all shots, each from the cards that were left.

    Example: skirmish battle luck 3
    """
    record, _, play = load_game(battle, BATTLE)
    known = read_settings(place()).deck_knowledge
    if as_json:
        found = of_luck.luck(play, known)
        over = play.state.outcome is not None
        say_json({"id": record.id, "title": record.title, "over": over} | _luck(found))
    else:
        say(f"{record.id}  {harmless(record.title)}")
        say_page(of_luck.luck_page(play, known), title=False)


@app.command()
def totals(as_json: AsJson = False) -> None:
    """Add up all finished battles.

    How often each side won each scenario, and what each type of unit killed for its points.

    Example: skirmish battle totals
    """
    game, unread = load(BATTLE.id), list[int]()
    with existing_store() as store:
        over = [] if store is None else list(store.finished(game, unread=unread))
    results = (of_totals.result(state) for _, _, state in over if state.outcome is not None)
    found = of_totals.totals(results)
    if as_json:
        say_json(to_builtins(found) | {"unread": unread})
        return
    say_page(of_totals.totals_page(found), title=False)
    for battle in unread:
        complain(f"Battle {battle} could not be read and is left out.")


# ------------------------------------------------------------------ luck, for programs


def _luck(found: Luck) -> dict[str, Any]:
    """Exact chances as fractions, percentiles as numbers from 0 to 100."""
    swing = found.swing
    return {
        "sides": [_side_luck(side) for side in found.sides],
        "swing": swing
        and {
            "turn": swing.turn,
            "gained": {side: str(gained) for side, gained in swing.gained.items()},
        },
        "turning_point": found.turned and _fields(found.turned, "turn", "mover", "side"),
        "notes": found.notes,
        "shots": [_shot(shot) for shot in found.shots],
    }


def _side_luck(side: SideLuck) -> dict[str, Any]:
    at = side.percentile
    return {
        **_fields(side, "side", "people", "shots", "sure", "expected", "kills", "difference"),
        "percentile": None if at is None else 100 * float(at),
        "verdict": None if at is None else luck_verdict(side),
        **_fields(side, "saves", "saves_expected", "broke", "broke_expected"),
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
        **_fields(fired, "chance", "save", "hit", "saved", "broke"),
        "note": fired.note or None,
    }


def _fields(of: object, *names: str) -> dict[str, Any]:
    found = {name: getattr(of, name) for name in names}
    return {name: str(one) if isinstance(one, Fraction) else one for name, one in found.items()}
