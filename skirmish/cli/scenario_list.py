"""``skirmish scenarios``: the ten, as a table that fits a screen or as JSON."""

from __future__ import annotations

from skirmish import library
from skirmish.cli.speaking import columns, say, say_json
from skirmish.games.plastic.scenarios.order_of_battle import Bounds
from skirmish.games.plastic.scenarios.scenario import Scenario, summary


def show(as_json: bool) -> None:
    """Print all scenarios."""
    catalog = library.catalog()
    found = library.scenarios().values()
    if as_json:
        say_json([summary(scenario, catalog) for scenario in found])
        return
    head = ("", "Scenario", "Date", "Points", "Turns")
    rows = [head, *(_row(scenario) for scenario in found)]
    say("\n".join(columns(rows, right=(0,))))
    say()
    say("Points are list prices; Turns is the last turn.")
    say("`skirmish print scenario 10` prints the sheet of scenario 10.")


def _row(scenario: Scenario) -> tuple[str, ...]:
    catalog = library.catalog()
    points = ", ".join(
        f"{catalog.nations[side.id].name} {_span(scenario.points(side.id, catalog))}"
        for side in scenario.sides
    )
    end = scenario.ends_after
    last = str(end.turn) if end else "-"
    return str(scenario.number), scenario.title, scenario.date[:7], points, last


def _span(bounds: Bounds) -> str:
    least, most = bounds
    return str(least) if least == most else f"{least}-{most}"
