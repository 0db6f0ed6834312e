"""Rebuilds a scenario of the rules whole in the app, with keys alone: a new one on an empty table,
then its facts, sides, map, contingents, victory and rules, page by page of the workshop. Compares
the data in the end: ``python benchmarks/rebuilt_by_keys.py --scenario 6``.

Places are gone to by their inches and values typed, so that the copy is exact; whoever draws a map
by eye needs far fewer keys. Number and id are those that the program gives. The no-break spaces of
the published texts are typed as plain ones: the program makes them again in distances, and
elsewhere ("El Alamein") the comparison takes both for the same.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from textual.pilot import Pilot
from textual.widgets import OptionList

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "app")]

from unseen import unseen  # noqa: E402

from skirmish import library, scenario_editing  # noqa: E402
from skirmish.app.application import SkirmishApp  # noqa: E402
from skirmish.app.asking import ChoiceScreen, TextEntry  # noqa: E402
from skirmish.app.home import HomeScreen  # noqa: E402
from skirmish.app.scenarios.browser import ScenarioBrowser  # noqa: E402
from skirmish.app.workshop.map_board import MapBoard  # noqa: E402
from skirmish.app.workshop.map_tool import KINDS  # noqa: E402
from skirmish.app.workshop.screen import WorkshopScreen  # noqa: E402
from skirmish.app.workshop.sentence_board import SentenceBoard, SentenceLine  # noqa: E402
from skirmish.games.plastic.scenarios.own import free_id, renamed  # noqa: E402
from skirmish.games.plastic.scenarios.scenario import Scenario  # noqa: E402
from skirmish.games.plastic.workshop import blank_slots  # noqa: E402
from skirmish.games.plastic.workshop.draft import ScenarioRules, draft_of, map_of  # noqa: E402
from skirmish.games.plastic.workshop.feature_text import values_of  # noqa: E402
from skirmish.games.plastic.workshop.keyed_values import value_at  # noqa: E402
from skirmish.games.plastic.workshop.sentence_templates import HAPPENING_PURPOSES  # noqa: E402
from skirmish.games.plastic.workshop.sentences import SentenceGroup, Writer  # noqa: E402
from skirmish.store.scenario_folder import FIRST_NUMBER  # noqa: E402
from skirmish.tabletop import map_features, map_motions  # noqa: E402
from skirmish.tabletop.battlefield import (  # noqa: E402
    Area,
    Arrow,
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
from skirmish.tabletop.data_file import table_of  # noqa: E402
from skirmish.tabletop.measure import NO_BREAK  # noqa: E402
from skirmish.tabletop.plane import Point  # noqa: E402

RULES = ScenarioRules(library.catalog(), library.rulings())
TABLE, MAP, FORCES, VICTORY, RULES_PAGE = "1", "2", "3", "4", "5"
"""The keys of the workshop's pages."""
LISTS = ("limit", "happening", "rule", "footnote", "variant", "swap", "clock")
"""Lists of the page of rules, each with entries that are added."""
PROSE = ("situation", "history", "deploy", "question", "text", "note", "means")
"""Texts that a smaller scenario has shorter."""
LONGEST_WAY = 400
"""Keys until a line or blank must be reached."""
TOOL_KEYS = {kind.name: kind.key for kind in KINDS.values()}
"""The key that begins to lay a thing of each kind."""
KEY_NAMES = {
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
        return self.workshop.query_one(MapBoard)

    @property
    def workshop(self) -> WorkshopScreen:
        """The workshop, which may have a window before it."""
        for screen in self.pilot.app.screen_stack:
            if isinstance(screen, WorkshopScreen):
                return screen
        raise TimeoutError("The workshop is not open.")

    async def press(self, *keys: str) -> None:
        self.keys += len(keys)
        await self.pilot.press(*(_key_name(key) for key in keys))

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
        list_name = map_features.LIST_NAMES[type(part)]
        count = len(getattr(self.board.tool.field, list_name))
        await self._lay(part)
        await self.press("escape")
        if self.board.tool.laying is not None:
            await self.press("escape")
        await self._wait_for(list_name, count + 1)
        await self.take(part, map_features.PartId(list_name, count))
        await self.write("v", values_of(part))
        await self.press("enter")

    async def take(self, part: MapPart, part_id: map_features.PartId) -> None:
        """Go to a thing that lies on the map, and take it."""
        await self.write("g", _place_of(part))
        while self.board.tool.taken is None or self.board.tool.taken.part_id != part_id:
            await self.press("space")

    async def _wait_for(self, list_name: str, count: int) -> None:
        """Wait until so many things are in a list of the map, such as its ``areas``."""
        for _ in range(LONGEST_WAIT):
            if len(getattr(self.board.tool.field, list_name)) == count:
                return
            await self.pilot.pause(0.05)
        raise TimeoutError(f"There are no {count} {list_name}.")

    async def _lay(self, part: MapPart) -> None:
        """Press the keys that lay a thing in its place; its values may still be others."""
        match part:
            case Area() | Line():
                await self.press(TOOL_KEYS[part.kind])
                await self.corners(list(part.points))
                await self.press("enter")
            case Slope():
                await self.press(TOOL_KEYS["slope"])
                await self.corners(list(part.crest))
                await self.press("enter")
                await self.corners(list(part.foot))
                await self.press("enter")
            case Building():
                await self.press(TOOL_KEYS["house"])
                await self.corners([part.at])
            case Zone():
                await self._lay_after_choosing("zone", part.points)
            case Arrow():
                await self._lay_after_choosing("arrow", part.points)
            case MapMark():
                # The kinds are more than nine, so that a digit only goes to its line.
                await self.choose_first(TOOL_KEYS["mark"])
                await self.press("enter")
                await self.pilot.pause(0.3)
                await self.until(ChoiceScreen)
                await self.press("1")
                await self.until(WorkshopScreen)
                await self.corners([part.at])
            case Dimension():
                await self.write(TOOL_KEYS["distance"], "x")
                await self.corners([part.start, part.end])
            case Circle():
                await self.press(TOOL_KEYS["circle"])
                x, y = part.at
                await self.corners([part.at, (x + part.radius, y)])
            case Label():
                await self.write(TOOL_KEYS["name"], "x")
                await self.corners([part.at])

    async def _lay_after_choosing(self, kind: str, points: Sequence[Point]) -> None:
        """Lay a zone or an arrow, for which something is chosen from a list first."""
        await self.choose_first(TOOL_KEYS[kind])
        await self.until(WorkshopScreen)
        await self.corners(list(points))
        await self.press("enter")


def _place_of(part: MapPart) -> str:
    """Where a thing is taken: at its first corner, a circle at its rim."""
    x, y = map_motions.corners(part)[0]
    if isinstance(part, Circle):
        x += part.radius
    return f"{x:g},{y:g}"


def _key_name(key: str) -> str:
    """What Textual calls a key. Of signs such as a dagger its pilot wants Unicode's name."""
    if len(key) == 1 and not key.isascii() and not key.isalnum():
        return unicodedata.name(key)
    return KEY_NAMES.get(key, key)


class Author(Draughtsman):
    """Fills in the pages of the workshop until the scenario is the ``wanted`` one."""

    def __init__(self, pilot: Pilot[None], wanted: Scenario) -> None:
        super().__init__(pilot)
        self.wanted = table_of(wanted)
        self.field = map_of(wanted)

    @property
    def sentences(self) -> SentenceBoard:
        """The board of sentences of the open page: of all pages only that one is displayed."""
        return next(board for board in self.workshop.query(SentenceBoard) if board.display)

    def value(self, key: str) -> Any:
        """What stands at this key in the scenario on the screen."""
        return value_at(table_of(self.workshop.scenario), key)

    def wanted_value(self, key: str) -> Any:
        return value_at(self.wanted, key)

    async def until_equal(self, key: str, value: Any) -> None:
        """Wait until this value stands there, as the texts of the program have it."""
        for _ in range(LONGEST_WAIT):
            if _typed_alike(self.value(key), value):
                return
            await self.pilot.pause(0.05)
        raise TimeoutError(f"{key} is {self.value(key)!r} and not {value!r}.")

    # ------------------------------------------------------------------ the way

    async def make(self) -> None:
        """Everything, from the home screen on."""
        await self.until(HomeScreen)
        await self.press("s")
        await self.until(ScenarioBrowser)
        await self.press("n")
        await self.until(TextEntry)
        await self.press(*self.wanted["title"], "enter")
        await self.until(WorkshopScreen)
        while not self.pilot.app.screen.query(MapBoard):
            await self.pilot.pause(0.05)
        await self.nations()
        await self.press(TABLE)
        await self.fill()
        await self.map()
        await self.press(FORCES)
        await self.contingents()
        await self.press(VICTORY)
        await self.fill()
        await self.write_entry("victory")
        await self.press(RULES_PAGE)
        await self.lists()

    async def nations(self) -> None:
        """The nation of each side. Both are never of one nation, so the first goes by way of a
        third where the second has its name."""
        await self.press(FORCES)
        wanted = [side["id"] for side in self.wanted["side"]]
        if self.value("side[1].id") == wanted[0]:
            others = set(RULES.catalog.nations) - {*wanted, self.value("side[0].id")}
            await self.answer("side[1].id", min(others))
        await self.answer("side[0].id", wanted[0])
        await self.answer("side[1].id", wanted[1])

    async def map(self) -> None:
        """The map, drawn from nothing."""
        await self.press(MAP)
        for part_id in map_features.part_ids(self.board.tool.field):
            # The first is taken again and again, since the next ones then get its place.
            first = map_features.PartId(part_id.listed_in, 0)
            await self.take(map_features.part_of(self.board.tool.field, first), first)
            await self.press("x")
        for part_id in map_features.part_ids(self.field):
            await self.draw(map_features.part_of(self.field, part_id))

    async def contingents(self) -> None:
        """The contingents of both sides, each with its figures and works."""
        for number, side in enumerate(self.wanted["side"]):
            list_key = f"side[{number}].contingent"
            for index, contingent in enumerate(side["contingent"]):
                if index >= len(self.value(list_key)):
                    await self.to_adding(list_key)
                    await self.write("n", contingent["name"])
                await self.figures(f"{list_key}[{index}]")
        await self.fill()
        for number, side in enumerate(self.wanted["side"]):
            for index in range(len(side["contingent"])):
                await self.write_entry(f"side[{number}].contingent[{index}]")

    async def figures(self, key: str) -> None:
        """The units, works and choices of the contingent with that key, without their counts."""
        for table in ("units", "works"):
            wanted = list(self.wanted_value(f"{key}.{table}") or ())
            await self._delete_out_of_order(f"{key}.{table}", wanted)
            await self._add_missing(key, table, wanted)
        for index in range(len(self.wanted_value(f"{key}.choice") or ())):
            await self.to_item(key)
            await self.press("o")
            while self.value(f"{key}.choice[{index}]") is None:
                await self.pilot.pause(0.05)

    async def _delete_out_of_order(self, table_key: str, wanted: list[str]) -> None:
        """Delete what stands there until its order is that of the file; what is deleted is added
        again afterwards."""
        for name in list(self.value(table_key) or ()):
            if list(self.value(table_key) or ()) != wanted:
                await self.to_item(f"{table_key}.{name}")
                await self.press("x")

    async def _add_missing(self, key: str, table: str, wanted: list[str]) -> None:
        """Add to the contingent with that key what is not yet there."""
        pieces = list(RULES.catalog.with_variants(self.workshop.scenario.variants).pieces)
        for name in wanted:
            if self.value(f"{key}.{table}.{name}") is None:
                await self.to_item(key)
                await self.press("a")
                await self.choose(pieces.index(name), len(pieces))
                await self.until_equal(f"{key}.{table}.{name}", 1)

    async def lists(self) -> None:
        """The entries of the page of rules."""
        kinds = list(HAPPENING_PURPOSES)
        for list_key in LISTS:
            for index, entry in enumerate(self.wanted.get(list_key, ())):
                await self.to_adding(list_key)
                await self.press("n")
                if list_key == "happening":
                    await self.choose(kinds.index(entry["kind"]), len(kinds))
                while self.value(f"{list_key}[{index}]") is None:
                    await self.pilot.pause(0.05)
                await self.fill()
                await self.write_entry(f"{list_key}[{index}]")

    # ------------------------------------------------------------------ sentences

    def groups(self) -> Sequence[SentenceGroup]:
        """The sentences of the open page."""
        writer = Writer(self.workshop.scenario, RULES)
        page = str(self.sentences.id).removesuffix("-board")
        return list(getattr(writer, f"{page}_page")())

    def blank_keys(self) -> Iterator[str]:
        """The keys of all blanks of the open page."""
        for group in self.groups():
            for sentence in group.sentences:
                for blank in sentence.blanks:
                    yield blank.key

    def is_to_fill(self, key: str) -> bool:
        """Whether the blank with that key is not yet as wanted, and can be made so."""
        wanted = self.wanted_value(key)
        if _typed_alike(self.value(key), wanted):
            return False
        may_be_empty = not key.endswith("kind")
        return wanted is not None or may_be_empty

    async def fill(self) -> None:
        """Fill every blank of the page that is not as wanted."""
        tried: set[str] = set()
        while True:
            # An answer may change which blanks the page has, so they are looked up anew each time.
            keys = [key for key in self.blank_keys() if key not in tried and self.is_to_fill(key)]
            if not keys:
                return
            tried.add(keys[0])
            await self.answer(keys[0], self.wanted_value(keys[0]))

    async def answer(self, key: str, value: Any) -> None:
        """Go to the blank with that key, and type or choose this value."""
        if self.value(key) == value:
            return
        await self.to_blank(key)
        slot = blank_slots.slot_at(self.workshop.scenario, key, RULES)
        options = [option.value for option in getattr(slot, "options", ())]
        if options:
            if value not in options:
                return  # typed later with all values of the entry
            await self.press("enter")
            await self.choose(options.index(value), len(options))
        else:
            text = ""
            if value is not None:
                text = slot.shown(value)
            await self.write("enter", _on_keyboard(text))
        await self.until_equal(key, value)

    async def write_entry(self, key: str) -> None:
        """Type all values of an entry at once, if some of them have no blank."""
        if _typed_alike(self.value(key), self.wanted_value(key)):
            return
        await self.to_item(key)
        entry = msgspec.json.encode(self.wanted_value(key)).decode()
        await self.write("v", _on_keyboard(entry))
        await self.until_equal(key, self.wanted_value(key))

    async def choose(self, index: int, count: int) -> None:
        """Choose a line of the list that opens."""
        await self.until(ChoiceScreen)
        rows = self.pilot.app.screen.query_one(OptionList)
        if count < 10:
            await self.press(str(index + 1))
        else:
            while rows.highlighted != index:
                await self.press("down")
            await self.press("enter")
        await self.until(WorkshopScreen)

    async def to_blank(self, key: str) -> None:
        """Go from blank to blank until it is this one; after the last comes the first."""
        for _ in range(LONGEST_WAY):
            blank = self.sentences.blank
            if blank is not None and blank.key == key:
                return
            await self.press("tab")
        raise TimeoutError(f"There is no blank {key}.")

    async def to_item(self, key: str) -> None:
        """Go from line to line until one is about this entry."""
        await self._to_line(lambda line: line.sentence.entry_key == key)

    async def to_adding(self, key: str) -> None:
        """Go from line to line until n adds to this list."""
        await self._to_line(lambda line: line.list_key == key)

    async def _to_line(self, is_wanted: Callable[[SentenceLine], bool]) -> None:
        for _ in range(LONGEST_WAY):
            line = self.sentences.line
            if line is not None and is_wanted(line):
                return
            await self.press("down")
        raise TimeoutError("There is no such line.")


def _on_keyboard(text: str) -> str:
    """A text as it is typed: without signs that no keyboard has, which the program makes."""
    return text.replace(NO_BREAK, " ").replace("“", '"').replace("”", '"')


def _typed_alike(value: Any, wanted: Any) -> bool:
    """Whether two values are the same, if a no-break space counts as a space."""
    return bool(_plain(value) == _plain(wanted))


def _plain(value: Any) -> Any:
    """The value with spaces in place of no-break spaces, in all texts within it."""
    if isinstance(value, str):
        return value.replace(NO_BREAK, " ")
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value


def _smaller(raw: Any, size: Size) -> Any:
    """The data of a scenario of that size at most."""
    smaller = _with_short_texts(raw, size.letters)
    for name, things in smaller["map"].items():
        if isinstance(things, list):
            smaller["map"][name] = things[: size.things]
    for side in smaller["side"]:
        side["contingent"] = side["contingent"][: size.contingents]
    return smaller


def _with_short_texts(value: Any, letters: int) -> Any:
    """The value with prose of so many letters at most, in all tables within it."""
    if isinstance(value, dict):
        shorter = {}
        for key, part in value.items():
            if key in PROSE and isinstance(part, str):
                shorter[key] = part[:letters].strip()
            else:
                shorter[key] = _with_short_texts(part, letters)
        return shorter
    if isinstance(value, list):
        return [_with_short_texts(part, letters) for part in value]
    return value


class Size(NamedTuple):
    """How large a scenario is that is rebuilt, at most."""

    things: int
    """Of each kind on the map."""
    letters: int
    """Of each text."""
    contingents: int
    """Of each side."""


class Rebuilt(NamedTuple):
    """A scenario as it should be and as it was stored, as data, and the keys it took."""

    wanted: Any
    stored: Any
    keys: int


async def rebuilt(number: int, size: Size) -> Rebuilt:
    """A scenario of the rules, rebuilt in that size."""
    published = library.published_scenarios()[number]
    raw = renamed(table_of(published), FIRST_NUMBER, free_id(published.title, ()))
    wanted = draft_of(_smaller(raw, size), "wanted")
    app = SkirmishApp(str(Path(os.environ["SKIRMISH_SCENARIOS"]) / "rebuilt.db"))
    with unseen():
        async with app.run_test(size=(120, 40)) as pilot:
            author = Author(pilot, wanted)
            await author.make()
            await author.press("escape")
            await author.until(ScenarioBrowser)
    stored = scenario_editing.read_draft(FIRST_NUMBER)
    return Rebuilt(_plain(table_of(wanted)), _plain(table_of(stored)), author.keys)


def unequal(wanted: Any, stored: Any, key: str = "") -> Iterator[str]:
    """The keys of the values that differ, with both."""
    if isinstance(wanted, dict) and isinstance(stored, dict):
        for name in {**wanted, **stored}:
            yield from unequal(wanted.get(name), stored.get(name), f"{key}.{name}")
    elif isinstance(wanted, list) and isinstance(stored, list) and len(wanted) == len(stored):
        for index, part in enumerate(wanted):
            yield from unequal(part, stored[index], f"{key}[{index}]")
    elif wanted != stored:
        yield f"{key}: {wanted!r}, but {stored!r} was stored"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", type=int, default=6, help="its number")
    parser.add_argument("--things", type=int, default=999, help="of each kind on the map, at most")
    parser.add_argument("--letters", type=int, default=9999, help="of each text, at most")
    parser.add_argument("--contingents", type=int, default=99, help="of each side, at most")
    options = parser.parse_args()
    size = Size(options.things, options.letters, options.contingents)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SKIRMISH_SCENARIOS"] = folder
        result = asyncio.run(rebuilt(options.scenario, size))
    seconds = time.process_time() - began
    differences = list(unequal(result.wanted, result.stored))
    verdict = "equal data"
    if differences:
        verdict = "not equal"
    print(
        f"Scenario {options.scenario} rebuilt with {result.keys} keys in {seconds:.0f} s of the "
        f"processor: {verdict}"
    )
    for difference in differences:
        print(difference)
    if differences:
        sys.exit(1)


if __name__ == "__main__":
    main()
