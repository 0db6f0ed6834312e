"""Draws the map of a scenario of the rules again in the workshop, with keys alone, beginning with
an empty table, and compares the data: ``python benchmarks/drawn_by_keys.py --scenario 6``.

Places are gone to by their inches and values typed, so that the copy is exact; whoever draws a map
by eye needs far fewer keys.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path

from msgspec.structs import replace
from textual.pilot import Pilot

from skirmish import library
from skirmish.app.application import SkirmishApp
from skirmish.app.asking import ChoiceScreen, TextEntry
from skirmish.app.workshop.map_board import MapBoard
from skirmish.app.workshop.map_tool import KINDS
from skirmish.app.workshop.screen import WorkshopScreen
from skirmish.games.plastic.workshop.draft import map_of
from skirmish.games.plastic.workshop.lines import values_of
from skirmish.tabletop import map_edits
from skirmish.tabletop.battlefield import (
    Area,
    Arrow,
    Battlefield,
    Building,
    Circle,
    Dimension,
    Label,
    Line,
    MapMark,
    MapPart,
    Slope,
    Zone,
)
from skirmish.tabletop.plane import Point

NAMES = {kind.name: kind.key for kind in KINDS.values()}
KEYS = {
    ",": "comma",
    ".": "full_stop",
    "^": "circumflex_accent",
    "/": "slash",
    ">": "greater_than_sign",
    "=": "equals_sign",
    "@": "at",
    " ": "space",
    "-": "minus",
}
"""Textual's names of keys that are no letters or digits."""
LONGEST_WAIT = 200
"""Steps of 0.05 seconds until a window must have opened or closed."""


class Draughtsman:
    """Types at the workshop, and counts the keys."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.keys = 0

    @property
    def board(self) -> MapBoard:
        return self.pilot.app.screen_stack[1].query_one(MapBoard)

    async def press(self, *keys: str) -> None:
        self.keys += len(keys)
        await self.pilot.press(*(KEYS.get(key, key) for key in keys))

    async def until(self, kind: type) -> None:
        """Wait for a window, or for the workshop again."""
        for _ in range(LONGEST_WAIT):
            if isinstance(self.pilot.app.screen, kind):
                return
            await self.pilot.pause(0.05)
        raise TimeoutError(f"{kind.__name__} did not open.")

    async def write(self, key: str, text: str) -> None:
        """Open a text entry with a key, write the text in place of what stands there, accept."""
        await self.press(key)
        await self.until(TextEntry)
        await self.press("end", "ctrl+u", *text, "enter")
        await self.until(WorkshopScreen)

    async def choose_first(self, key: str) -> None:
        """Open a list with a key, and take its first line; the values are typed afterwards."""
        await self.press(key)
        await self.until(ChoiceScreen)
        await self.press("1")

    async def corners(self, points: list[Point]) -> None:
        """Set corners at these places, and end on the last."""
        for x, y in points:
            await self.write("g", f"{x:g},{y:g}")
            await self.press("enter")

    # ------------------------------------------------------------------ things

    async def draw(self, part: MapPart) -> None:
        """Lay a thing, then take it and type its values."""
        name = map_edits.LISTS[type(part)]
        count = len(getattr(self.board.tool.field, name))
        await self._lay(part)
        await self.press("escape")
        if self.board.tool.laying is not None:
            await self.press("escape")
        await self._wait_for(name, count + 1)
        part_id = map_edits.PartId(name, count)
        await self.write("g", _place_of(part))
        while self.board.tool.taken is None or self.board.tool.taken.part_id != part_id:
            await self.press("space")
        await self.write("v", values_of(part))
        await self.press("enter")

    async def _wait_for(self, name: str, count: int) -> None:
        for _ in range(LONGEST_WAIT):
            if len(getattr(self.board.tool.field, name)) == count:
                return
            await self.pilot.pause(0.05)
        raise TimeoutError(f"There are no {count} {name}.")

    async def _lay(self, part: MapPart) -> None:
        match part:
            case Area() | Line():
                await self.press(NAMES[part.kind])
                await self.corners(list(part.points))
                await self.press("enter")
            case Slope():
                await self.press(NAMES["slope"])
                await self.corners(list(part.crest))
                await self.press("enter")
                await self.corners(list(part.foot))
                await self.press("enter")
            case Building():
                await self.press(NAMES["house"])
                await self.corners([part.at])
            case Zone() | Arrow():
                await self.choose_first(NAMES["zone" if isinstance(part, Zone) else "arrow"])
                await self.until(WorkshopScreen)
                await self.corners(list(part.points))
                await self.press("enter")
            case MapMark():
                # The kinds are more than nine, so that a digit only goes to its line.
                await self.choose_first(NAMES["mark"])
                await self.press("enter")
                await self.pilot.pause(0.3)
                await self.until(ChoiceScreen)
                await self.press("1")
                await self.until(WorkshopScreen)
                await self.corners([part.at])
            case Dimension():
                await self.write(NAMES["distance"], "x")
                await self.corners([part.start, part.end])
            case Circle():
                await self.press(NAMES["circle"])
                x, y = part.at
                await self.corners([part.at, (x + part.radius, y)])
            case Label():
                await self.write(NAMES["name"], "x")
                await self.corners([part.at])


def _place_of(part: MapPart) -> str:
    """Where a thing is taken: at its first corner, a circle at its rim."""
    x, y = map_edits.corners(part)[0]
    if isinstance(part, Circle):
        x += part.radius
    return f"{x:g},{y:g}"


async def drawn(number: int, most: int) -> tuple[Battlefield, Battlefield, int]:
    """The map as it should be, of so many things at most, as it was drawn, and the keys it took."""
    scenario = library.published_scenarios()[number]
    wanted = map_of(scenario)
    parts = []
    # In the order of the lists, in which things get their places.
    for part_id in map_edits.part_ids(wanted)[:most]:
        parts.append(map_edits.part_of(wanted, part_id))
    copied = library.copy_scenario(scenario, "Drawn again")
    bare = Battlefield(ground=wanted.ground, note=wanted.note)
    library.save_draft(replace(library.draft(copied.number), map=bare), version=False)
    app = SkirmishApp(str(Path(os.environ["SKIRMISH_SCENARIOS"]) / "drawn.db"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause(0.5)
        app.show("workshop", copied.number)
        hand = Draughtsman(pilot)
        for _ in range(LONGEST_WAIT):
            if app.screen.query(MapBoard):
                break
            await pilot.pause(0.05)
        for part in parts:
            await hand.draw(part)
        field = hand.board.tool.field
    for part in parts:
        name = map_edits.LISTS[type(part)]
        bare = replace(bare, **{name: (*getattr(bare, name), part)})
    return bare, field, hand.keys


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", type=int, default=6, help="its number")
    parser.add_argument("--things", type=int, default=999, help="how many of its things at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SKIRMISH_SCENARIOS"] = folder
        wanted, field, keys = asyncio.run(drawn(options.scenario, options.things))
    count = len(map_edits.part_ids(wanted))
    equal = wanted == field
    print(f"{count} things drawn with {keys} keys: {'equal data' if equal else 'not equal'}")
    if not equal:
        for part_id in map_edits.part_ids(wanted):
            part = map_edits.part_of(wanted, part_id)
            if part not in getattr(field, part_id.listed_in):
                print(f"{part}\n  was drawn as {getattr(field, part_id.listed_in)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
