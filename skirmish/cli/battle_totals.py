"""``skirmish battle totals``: every finished battle, folded and added up."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from skirmish.cli.battle_kept import finished
from skirmish.cli.speaking import clipped, columns, complain, harmless, number, say, say_json
from skirmish.games.plastic.totals import Result, ScenarioTotal, Totals, result, totals

TITLE_WIDTH = 36


def show(as_json: bool) -> None:
    """Print the totals; battles that cannot be read are named and left out."""
    unread: list[int] = []
    found = totals(_results(unread))
    if as_json:
        say_json(msgspec.to_builtins(found) | {"unread": unread})
        return
    if found.battles:
        _tell(found)
    else:
        say("No battle has been finished yet.")
    for battle in unread:
        complain(f"Battle {battle} could not be read and is left out.")


def _results(unread: list[int]) -> Iterator[Result]:
    for number_, play in finished():
        if play is None:
            unread.append(number_)
        elif play.state.outcome is not None:
            yield result(play.state)


def _tell(found: Totals) -> None:
    say(f"{number(found.battles, 'finished battle')}.")
    say()
    head = ("", "Scenario", "Played", "Won by")
    rows = [head, *(_row(one) for one in found.scenarios)]
    say("\n".join(columns(rows, right=(0, 2))))
    say()
    units = [("Unit", "Fielded", "Spent", "Killed", "Per point")]
    units += [
        (
            harmless(unit.name),
            str(unit.count),
            str(unit.spent),
            str(unit.killed),
            "-" if unit.ratio is None else f"{unit.ratio:.2f}",
        )
        for unit in found.units
    ]
    say("\n".join(columns(units, right=(1, 2, 3, 4))))
    say()
    say("Spent and Killed are in points; Per point is points killed for each point spent.")


def _row(one: ScenarioTotal) -> tuple[str, ...]:
    won = [f"{people} {wins}" for people, wins in one.wins.items()]
    if one.draws:
        won.append(f"nobody {one.draws}")
    number_ = "" if one.scenario is None else str(one.scenario)
    title = clipped(harmless(one.title), TITLE_WIDTH)
    return number_, title, str(one.battles), harmless(", ".join(won))
