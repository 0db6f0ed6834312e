"""Changes of a scenario that are typed a line at a time: ``road 0,30 96,30``, ``move 7 by 0,-3``,
``victory hold side=american need=2``. Begin with ``changed_by``.

Places are table inches from the lower left corner; features have the numbers of ``listing``. A
command is a function that takes the words of its line one after another; what a function of a
command raises is an EditError, whose sentence says what would be right.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar, cast, get_args

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.laying import called, square
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.blanks import counts_in, field_at, typed
from skirmish.games.plastic.workshop.draft import (
    FARTHEST,
    EditError,
    ScenarioRules,
    map_of,
    with_contingent,
    with_map,
    with_nation,
    with_size,
    with_value,
    without,
)
from skirmish.games.plastic.workshop.sentences import (
    ENTRIES,
    HAPPENINGS,
    VICTORY,
    checked_change,
    new_entry,
    with_text_following,
    with_victory,
)
from skirmish.tabletop import map_edits, map_features, map_motions
from skirmish.tabletop.battlefield import (
    Area,
    AreaKind,
    Arrow,
    Battlefield,
    Building,
    Circle,
    Dimension,
    Ground,
    Label,
    Line,
    LineKind,
    MapMark,
    MapPart,
    MarkKind,
    Slope,
    Zone,
)
from skirmish.tabletop.data_file import (
    UNREADABLE,
    DataError,
    fields,
    nearest_name,
    read,
    suggest,
    table_of,
)
from skirmish.tabletop.map_features import PartId
from skirmish.tabletop.plane import Point
from skirmish.tabletop.slots import UnfitAnswer

AREAS, LINES = get_args(AreaKind), get_args(LineKind)
MARKS = {kind: kind for kind in get_args(MarkKind)}
"""Kinds of marks by the words that lay them."""
# A line that begins with "entry" says how a contingent enters.
MARKS["entry_point"] = MARKS.pop("entry")
BUILDINGS = ("house", "church", "works", "hangar", "ruin")
"""Kinds of buildings, in the order in which the map tool goes through them."""
STYLES = ("water", "town", "feature", "minor")
"""Letterings of a name on the map."""
WITH_TEXT = ("set",)
"""Commands whose last part is a text."""
LEAST_SIDE, MOST_SIDE = 12, 240
"""The shortest and the longest side of a table, in inches."""
PartT = TypeVar("PartT", bound=MapPart)
ValueT = TypeVar("ValueT")
MIRRORS: dict[str, Callable[[Point], map_motions.Motion]] = {
    "left-right": map_motions.mirror_left_right,
    "top-bottom": map_motions.mirror_top_bottom,
    "half-turn": map_motions.half_turn,
}
"""What can be done with a whole map."""
HOUSE = (5.0, 3.5)
"""The usual size of a building in inches."""
CREST = 0.55
"""How far from the middle of a hill its crest is, as a part of the way to its foot."""

HELP = """\
Places are inches from the lower left corner: 48,30. Quote texts of several words.
On the map   road|river|hedge|wall|...  X,Y X,Y ...  [curve] [width W]
             woods|field|orchard|...    X,Y X,Y X,Y ...  [curve] [angle DEGREES]
             hill  X,Y X,Y X,Y ...      its foot; slope X,Y ... foot X,Y ...
             house|church|ruin|...  X,Y [LxD] [turn DEGREES] [number N|unnumbered]
             zone A SIDE X,Y X,Y X,Y ...  [edge]      arrow SIDE X,Y X,Y ...
             tank|mg|gun|objective|...  X,Y [SIDE] [facing DEGREES] [mark M]
             distance X,Y X,Y ["what it means"]      circle X,Y RADIUS
             name "TEXT" X,Y [water|town|feature|minor] [turn DEGREES]
             ground grass|desert|steppe|rubble
Features     list   move N by X,Y   turn N by DEGREES   size N by INCHES   bend N
             corner N K X,Y   copy N by X,Y   delete N   mirror left-right|top-bottom|half-turn
Forces       contingent SIDE "NAME"   units SIDE CONTINGENT rifle=20 tank=2
             entry SIDE CONTINGENT zone|edge|road|corner|marks|anywhere KEY=VALUE ...
             nation SIDE NATION
Victory      victory exit|destroy|destroy_then_exit|hold|hold_ratio|clear|survivors|count KEY=VALUE ...
All else     table WxD   set KEY VALUE   clear KEY   add limit|rule|footnote   add happening KIND
             (keys as in the file: set title "The Mill", set side[0].name "Mill garrison")
"""  # noqa: E501  (a table for people, as wide as a terminal)


class Edit(NamedTuple):
    """A scenario after a change, and what was done, as a sentence."""

    scenario: Scenario
    message: str


def changed_by(line: str, scenario: Scenario, rules: ScenarioRules) -> Edit:
    """The scenario after a typed line. Raises EditError with what would be right."""
    verb, *words = _words_of(line)
    verb = verb.casefold()
    command = COMMANDS.get(verb)
    if command is not None:
        edit = command(_TypedLine(scenario, rules, words))
    else:
        edit = _with_part(_TypedLine(scenario, rules, words), verb)
    return edit._replace(scenario=checked_change(scenario, edit.scenario, rules))


def _words_of(line: str) -> list[str]:
    """The words of a line; texts in quotation marks are one word. Raises EditError."""
    verb, _, rest = line.strip().partition(" ")
    if verb.casefold() in WITH_TEXT:
        # A text behind a key needs no quotation marks, and may have some in it.
        key, _, text = rest.strip().partition(" ")
        return [word for word in (verb, key, _unquoted(text.strip())) if word]
    try:
        words = shlex.split(line)
    except ValueError:
        raise EditError("A quotation mark has no partner; type both, or none.") from None
    if not words:
        raise EditError("The line is empty; help lists what can be typed.")
    return words


def _unquoted(text: str) -> str:
    """A text without the quotation marks around it."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    return text


class _TypedLine:
    """A typed line being read: its scenario, and the words that are left of it."""

    def __init__(self, scenario: Scenario, rules: ScenarioRules, words: Sequence[str]) -> None:
        self.scenario = scenario
        self.rules = rules
        self.words = list(words)
        # A Building without a number gets the next free one when it is added to the map, so that
        # the part alone cannot say that it is to have none.
        self.unnumbered = False
        """Whether a building is to have no number."""

    @property
    def field(self) -> Battlefield:
        """The map of the scenario."""
        return map_of(self.scenario)

    def next(self, meaning: str) -> str:
        """The next word. Raises EditError where there is none, with the ``meaning`` of it."""
        if not self.words:
            raise EditError(f"{meaning} is missing.")
        return self.words.pop(0)

    def point(self) -> Point:
        """The next word as a place. Raises EditError."""
        word = self.next("A place such as 48,30")
        place = _as_point(word)
        if place is None:
            raise EditError(f"{word} is no place; type one such as 48,30.")
        return place

    def points(self, fewest: int) -> tuple[Point, ...]:
        """All places that follow. Raises EditError for too few."""
        points = []
        while self.words and _as_point(self.words[0]) is not None:
            points.append(self.point())
        if len(points) < fewest:
            raise EditError(f"{fewest} places such as 48,30 are needed here, not {len(points)}.")
        return tuple(points)

    def number(self, meaning: str) -> float:
        """The next word as a number. Raises EditError, with the ``meaning`` of it."""
        word = self.next(meaning)
        try:
            number = float(word)
        except ValueError:
            number = math.nan
        # Turned round, since nothing that is compared with nan is true.
        if not abs(number) <= FARTHEST:
            raise EditError(f"{meaning} is a number up to {FARTHEST}, not {word}.")
        return number

    def side(self) -> str:
        """A side, by its nation. Raises EditError."""
        word = self.next("A side").casefold()
        return _side_called(self.scenario, word)

    def part_id(self) -> PartId:
        """A feature of the map, by its number. Raises EditError."""
        number = self.next("The number of a feature")
        listed = map_features.part_ids(self.field)
        if not number.isdecimal() or not 1 <= int(number) <= len(listed):
            raise EditError(f"There is no feature {number}; list names 1 to {len(listed)}.")
        return listed[int(number) - 1]

    def options(self, *flags: str, **readers: Callable[[_TypedLine], Any]) -> dict[str, Any]:
        """What is left of the line, by its words: ``flags``, which stand alone, and words with a
        value behind them, which the reader of that name reads. Raises EditError for anything
        else."""
        options: dict[str, Any] = {}
        while self.words:
            word = self.words.pop(0).casefold()
            if word in flags:
                options[word] = True
            elif word in readers:
                options[word] = readers[word](self)
            else:
                raise EditError(f"{word} is not known here; {suggest(word, [*flags, *readers])}")
        return options


def _as_point(word: str) -> Point | None:
    """``48,30`` as a place; None for any other word."""
    across, comma, upward = word.partition(",")
    if not comma:
        return None
    try:
        point = float(across), float(upward)
    except ValueError:
        return None
    if not all(math.isfinite(inches) for inches in point):
        return None
    return point


def _side_called(scenario: Scenario, word: str) -> str:
    """The id of the side that is called so. Raises EditError."""
    sides = [side.id for side in scenario.sides]
    if word not in sides:
        raise EditError(f"There is no side {word}; {suggest(word, sides)}")
    return word


# ------------------------------------------------------------------ laying


def _with_part(line: _TypedLine, verb: str) -> Edit:
    """Lays the feature that the first word of a line names."""
    part = _part(line, verb)
    # msgspec checks a struct that is read, not one that is made: sizes, letters, kinds.
    try:
        part = read(table_of(part), type(part), verb)
    except DataError as error:
        raise EditError(" ".join(str(problem) for problem in error.problems)) from None
    field, part_id = map_edits.added(line.field, part)
    laid = map_features.part_of(field, part_id)
    if isinstance(laid, Building) and line.unnumbered:
        laid = replace(laid, number=None)
        field = map_edits.changed(field, part_id, laid)
    number = map_features.part_ids(field).index(part_id) + 1
    return Edit(with_map(line.scenario, field), f"{number}  {described(laid)}")


def _part(line: _TypedLine, verb: str) -> MapPart:
    """The part that a line lays. Raises EditError."""
    # Features of these kinds are called by their kind: the casts only tell mypy so.
    if verb in LINES:
        points = line.points(2)
        options = line.options("curve", width=_asked("The width"))
        return Line(kind=cast("LineKind", verb), points=points, **options)
    if verb in AREAS:
        points = line.points(3)
        options = line.options("curve", angle=_asked("The angle"))
        return Area(kind=cast("AreaKind", verb), points=points, **options)
    if verb in BUILDINGS:
        return _building(line, verb)
    if verb in MARKS:
        return _mark(line, MARKS[verb])
    read_by = {
        "hill": _hill,
        "slope": _slope,
        "zone": _zone,
        "arrow": _arrow,
        "distance": _distance,
        "circle": _circle,
        "name": _name,
    }
    if verb in read_by:
        return read_by[verb](line)
    verbs = [*COMMANDS, *read_by, *AREAS, *LINES, *BUILDINGS, *MARKS]
    raise EditError(f"{verb} is no command; {_nearest(verb, verbs)}")


def _nearest(verb: str, verbs: Sequence[str]) -> str:
    """What may be meant by an unknown word. There are too many to list all of them."""
    if nearest_name(verb, verbs) is None:
        return "help lists them."
    return suggest(verb, verbs)


def _asked(meaning: str) -> Callable[[_TypedLine], float]:
    """Reads a number that means this."""

    def number(line: _TypedLine) -> float:
        return line.number(meaning)

    return number


def _house_number(line: _TypedLine) -> int:
    """The next word as the number of a building."""
    return int(line.number("The number"))


def _mark_letters(line: _TypedLine) -> str:
    """The next word as the letters of a mark."""
    return line.next("The mark")


def _building(line: _TypedLine, kind: str) -> Building:
    """``house 30,20 5x3.5 turn 45 number 7``"""
    place = line.point()
    size = HOUSE
    # A size may be left out; no option begins with a digit.
    if line.words and "x" in line.words[0] and line.words[0][0].isdigit():
        size = _size(line.words.pop(0))
    options = line.options(
        "unnumbered",
        turn=_asked("The turn"),
        number=_house_number,
    )
    line.unnumbered = options.pop("unnumbered", False)
    return Building(kind=kind, at=place, size=size, **options)  # type: ignore[arg-type]


def _size(word: str) -> tuple[float, float]:
    """``5x3.5``: how long and how deep. Raises EditError."""
    across, _, upward = word.partition("x")
    try:
        return float(across), float(upward)
    except ValueError:
        raise EditError(f"{word} is no size; type one such as 5x3.5.") from None


def _mark(line: _TypedLine, kind: str) -> MapMark:
    """``tank 30,20 german facing 90``"""
    place = line.point()
    side = None
    if line.words and line.words[0].casefold() in {side.id for side in line.scenario.sides}:
        side = line.side()
    options = line.options(
        facing=_asked("The facing"),
        mark=_mark_letters,
    )
    return MapMark(kind=kind, at=place, side=side, **options)  # type: ignore[arg-type]


def _hill(line: _TypedLine) -> Slope:
    """``hill 20,20 30,20 25,30``: its foot."""
    foot = line.points(3)
    line.options()
    return hill_of(foot)


def hill_of(foot: Sequence[Point]) -> Slope:
    """A hill with this foot: its crest runs round the middle, halfway in."""
    middle_x = sum(x for x, _ in foot) / len(foot)
    middle_y = sum(y for _, y in foot) / len(foot)
    crest = []
    for x, y in foot:
        crest_x = middle_x + (x - middle_x) * CREST
        crest_y = middle_y + (y - middle_y) * CREST
        crest.append((round(crest_x, 1), round(crest_y, 1)))
    return Slope(crest=tuple(crest), foot=tuple(foot), ring=True)


def _slope(line: _TypedLine) -> Slope:
    """``slope 0,30 40,30 foot 0,25 40,25``"""
    crest = line.points(2)
    if line.next("foot with its places").casefold() != "foot":
        raise EditError("After the places of the crest comes foot with its places.")
    foot = line.points(2)
    return Slope(crest=crest, foot=foot, **line.options("ring"))


def _zone(line: _TypedLine) -> Zone:
    """``zone A german 0,0 12,0 12,12 0,12 edge``"""
    letter = line.next("The letter of the zone").upper()
    side = line.side()
    points = line.points(3)
    options = line.options("edge", tag=_TypedLine.point)
    zone = Zone(letter=letter, side=side, points=points)
    if options.pop("edge", False):
        options["fill"] = "edge"
    # Where its letter stands.
    options.setdefault("tag", map_motions.middle(zone))
    return replace(zone, **options)


def _arrow(line: _TypedLine) -> Arrow:
    """``arrow german 0,30 10,30``"""
    side = line.side()
    points = line.points(2)
    return Arrow(side=side, points=points, **line.options("curve"))


def _distance(line: _TypedLine) -> Dimension:
    """``distance 0,30 12,30 "no closer than a foot" at_most``"""
    start, end, *others = line.points(2)
    if others:
        raise EditError(f"A distance has two places, not {len(others) + 2}.")
    flags = ("at_most", "ours", "line")
    means = ""
    if line.words and line.words[0].casefold() not in (*flags, "off"):
        means = line.words.pop(0)
    options = line.options(*flags, off=_TypedLine.point)
    return Dimension(start=start, end=end, means=means, **options)


def _circle(line: _TypedLine) -> Circle:
    """``circle 30,20 6 german``"""
    place = line.point()
    radius = line.number("The radius")
    side = None
    if line.words:
        side = line.side()
    return Circle(at=place, radius=radius, side=side)


def _name(line: _TypedLine) -> Label:
    """``name "The mill" 30,20 feature turn 45``"""
    text = line.next("The name")
    place = line.point()
    style = "minor"
    if line.words and line.words[0].casefold() in STYLES:
        style = line.words.pop(0).casefold()
    options = line.options(turn=_asked("The turn"))
    return Label(text=text, at=place, style=style, **options)  # type: ignore[arg-type]


# ------------------------------------------------------------------ features that are there


def _move(line: _TypedLine) -> Edit:
    """``move 7 by 0,-3``"""
    part_id, by = line.part_id(), _after_by(line, _TypedLine.point)

    def moved(part: MapPart) -> MapPart:
        return map_motions.moved(part, map_motions.shift(by))

    return _changed(line, part_id, moved)


def _turn(line: _TypedLine) -> Edit:
    """``turn 7 by 45``"""
    part_id, degrees = line.part_id(), _after_by(line, _asked("The number of degrees"))

    def turned(part: MapPart) -> MapPart:
        return map_motions.turned(part, degrees)

    return _changed(line, part_id, turned)


def _resize(line: _TypedLine) -> Edit:
    """``size 7 by -0.5``"""
    part_id, inches = line.part_id(), _after_by(line, _asked("The number of inches"))

    def resized(part: MapPart) -> MapPart:
        return map_edits.resized(part, inches)

    return _changed(line, part_id, resized)


def _bend(line: _TypedLine) -> Edit:
    """``bend 7``"""
    return _changed(line, line.part_id(), map_edits.bent)


def _corner(line: _TypedLine) -> Edit:
    """``corner 7 2 30,20``: its second corner is there now."""
    part_id = line.part_id()
    number = int(line.number("The number of a corner"))
    point = line.point()
    corners = len(map_motions.corners(map_features.part_of(line.field, part_id)))
    if not 1 <= number <= corners:
        raise EditError(f"There is no corner {number}; it has {corners}.")

    def with_corner(part: MapPart) -> MapPart:
        return map_edits.with_corner(part, number - 1, point)

    return _changed(line, part_id, with_corner)


def _after_by(line: _TypedLine, read_value: Callable[[_TypedLine], ValueT]) -> ValueT:
    """The value that follows the word ``by``. Raises EditError."""
    if line.next("by").casefold() != "by":
        raise EditError("After the number comes by, and then how far.")
    return read_value(line)


def _changed(line: _TypedLine, part_id: PartId, change: Callable[[MapPart], MapPart]) -> Edit:
    """Changes a feature, unless it would be far off the table then."""
    part = change(map_features.part_of(line.field, part_id))
    for x, y in map_motions.corners(part):
        if abs(x) > FARTHEST or abs(y) > FARTHEST:
            raise EditError("That is far off the table.")
    field = map_edits.changed(line.field, part_id, part)
    return Edit(with_map(line.scenario, field), described(part))


def _copy(line: _TypedLine) -> Edit:
    """``copy 7 by 0,-3``"""
    part_id, by = line.part_id(), _after_by(line, _TypedLine.point)
    field, copy_id = map_edits.copied(line.field, part_id, by)
    number = map_features.part_ids(field).index(copy_id) + 1
    part = map_features.part_of(field, copy_id)
    return Edit(with_map(line.scenario, field), f"{number}  {described(part)}")


def _delete(line: _TypedLine) -> Edit:
    """``delete 7``"""
    part_id = line.part_id()
    gone = described(map_features.part_of(line.field, part_id))
    field = map_edits.deleted(line.field, part_id)
    return Edit(with_map(line.scenario, field), f"Deleted: {gone}")


def _mirror(line: _TypedLine) -> Edit:
    """``mirror left-right``: the whole map."""
    how = line.next("left-right, top-bottom or half-turn").casefold()
    if how not in MIRRORS:
        raise EditError(f"{how} is no mirror; {suggest(how, MIRRORS)}")
    table = line.scenario.table
    motion = MIRRORS[how]((table.width_in, table.depth_in))
    field = map_motions.with_all_moved(line.field, motion)
    return Edit(with_map(line.scenario, field), f"The whole map is turned: {how}.")


def _ground(line: _TypedLine) -> Edit:
    """``ground desert``"""
    ground = line.next("The ground").casefold()
    if ground not in get_args(Ground):
        raise EditError(f"{ground} is no ground; {suggest(ground, get_args(Ground))}")
    field = replace(line.field, ground=ground)
    return Edit(with_map(line.scenario, field), f"The ground is {ground}.")


# ------------------------------------------------------------------ forces, victory, all else


def _table(line: _TypedLine) -> Edit:
    """``table 8x5``: in feet."""
    word = line.next("A size in feet such as 8x5")
    feet_wide, feet_deep = _size(word.casefold())
    width, depth = round(feet_wide * 12), round(feet_deep * 12)
    if not (LEAST_SIDE <= width <= MOST_SIDE and LEAST_SIDE <= depth <= MOST_SIDE):
        raise EditError(f"{word} is no size of a table; each side has 1 to 20 feet.")
    return Edit(with_size(line.scenario, width, depth), f"The table is {width} by {depth} in.")


def _contingent(line: _TypedLine) -> Edit:
    """``contingent german "Mill garrison"``"""
    side = line.side()
    name = line.next("The name of the contingent")
    return Edit(with_contingent(line.scenario, side, name), f"{name} joins the {side} side.")


def _contingent_key(line: _TypedLine) -> str:
    """The key of the contingent that a side and an id name: ``side[0].contingent[1]``."""
    side_id = line.side()
    side_index = [side.id for side in line.scenario.sides].index(side_id)
    contingents = line.scenario.sides[side_index].contingents
    contingent_ids = [contingent.id for contingent in contingents]
    word = line.next("A contingent").casefold()
    if word not in contingent_ids:
        near = suggest(word, contingent_ids)
        raise EditError(f"The {side_id} side has no contingent {word}; {near}")
    return f"side[{side_index}].contingent[{contingent_ids.index(word)}]"


def _units(line: _TypedLine) -> Edit:
    """``units german mill_garrison rifle=20 tank=0``"""
    key = _contingent_key(line)
    catalog: Catalog = line.rules.catalog.with_variants(line.scenario.variants)
    # Only the names matter to whoever reads the counts.
    pieces = {**dict.fromkeys(catalog.units), **dict.fromkeys(catalog.works)}
    try:
        counts = counts_in(" ".join(line.words), pieces)
    except UnfitAnswer as error:
        raise EditError(str(error)) from None
    scenario = line.scenario
    for piece, count in counts.items():
        table = "works"
        if piece in catalog.units:
            table = "units"
        count_key = f"{key}.{table}.{piece}"
        # None of a piece is said by leaving it out, as in the files.
        if count:
            scenario = with_value(scenario, count_key, count)
        elif field_at(scenario, count_key).value:
            scenario = without(scenario, count_key)
    return Edit(scenario, f"{key} has them.")


def _entry(line: _TypedLine) -> Edit:
    """``entry german mill_garrison edge edge=S turn=4``"""
    key = _contingent_key(line)
    kind = line.next("A kind of entry").casefold()
    if kind not in ENTRIES:
        raise EditError(f"{kind} is no kind of entry; {suggest(kind, ENTRIES)}")
    entry: dict[str, Any] = {"kind": kind, **_pairs(line.words)}
    return Edit(with_value(line.scenario, f"{key}.entry", entry), "The entry is changed.")


def _nation(line: _TypedLine) -> Edit:
    """``nation german french``: the side is of another nation now."""
    side = line.side()
    nation = line.next("A nation").casefold()
    nations = line.rules.catalog.nations
    if nation not in nations:
        raise EditError(f"There is no nation {nation}; {suggest(nation, nations)}")
    people = nations[nation].people
    return Edit(with_nation(line.scenario, side, nation), f"They are the {people} now.")


def _victory(line: _TypedLine) -> Edit:
    """``victory hold side=american need=2``"""
    kind = line.next("A kind of victory").casefold()
    if kind not in VICTORY:
        raise EditError(f"{kind} is no kind of victory; {suggest(kind, VICTORY)}")
    scenario = with_victory(line.scenario, kind, line.rules)
    for name, value in _pairs(line.words).items():
        changed = with_value(scenario, f"victory.{name}", value)
        # The sentence of victory is worded anew, unless its author has changed it.
        scenario = with_text_following(scenario, changed, line.rules)
    return Edit(scenario, scenario.victory.text)


def _pairs(words: Sequence[str]) -> dict[str, Any]:
    """``need=2 at=german:12 marks=A,B`` as the data of a file. Raises EditError.

    Players write these by hand, so that turns and lists have a short form. ``with_values`` reads
    what ``values_of`` wrote, whose lists and tables are JSON."""
    pairs: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise EditError(f"{word} is not clear; type KEY=VALUE, such as need=2.")
        pairs[name] = _value(name, text)
    return pairs


def _value(name: str, text: str) -> Any:
    """The value of a pair: a number, a turn (``german:12``), a list, or else a text. Whether the
    field of that name may hold such a value is checked when the scenario is read again."""
    if text.isdecimal():
        return int(text)
    if name in ("at", "by") and ":" in text:
        side, _, turn = text.partition(":")
        if turn.isdecimal():
            return {"side": side, "turn": int(turn)}
    if name in ("marks", "corners", "units", "sides"):
        return text.split(",")
    return text


def _set(line: _TypedLine) -> Edit:
    """``set title The Mill``"""
    key = line.next("A key")
    value = " ".join(line.words)
    return Edit(typed(line.scenario, key, value, line.rules), f"{key} is changed.")


def _clear(line: _TypedLine) -> Edit:
    """``clear map.note``"""
    key = line.next("A key")
    return Edit(without(line.scenario, key), f"{key} is left out.")


def _add(line: _TypedLine) -> Edit:
    """``add rule``, ``add happening reveal``"""
    list_name = line.next("limit, rule, footnote or happening").casefold()
    lists = {
        "limit": len(line.scenario.limits),
        "rule": len(line.scenario.special_rules),
        "footnote": len(line.scenario.footnotes),
        "happening": len(line.scenario.happenings),
    }
    if list_name not in lists:
        raise EditError(f"{list_name} cannot be added like this; {suggest(list_name, lists)}")
    kind = ""
    if list_name == "happening":
        kind = line.next(f"A kind ({', '.join(HAPPENINGS)})").casefold()
        if kind not in HAPPENINGS:
            raise EditError(f"There is no kind {kind}; {suggest(kind, HAPPENINGS)}")
    key = f"{list_name}[{lists[list_name]}]"
    entry = new_entry(line.scenario, list_name, kind)
    return Edit(with_value(line.scenario, key, entry), f"{key} is new; set {key}.text changes it.")


COMMANDS: dict[str, Callable[[_TypedLine], Edit]] = {
    "move": _move,
    "turn": _turn,
    "size": _resize,
    "bend": _bend,
    "corner": _corner,
    "copy": _copy,
    "delete": _delete,
    "mirror": _mirror,
    "ground": _ground,
    "table": _table,
    "contingent": _contingent,
    "units": _units,
    "entry": _entry,
    "nation": _nation,
    "victory": _victory,
    "set": _set,
    "clear": _clear,
    "add": _add,
}
"""What a line may begin with, beside the kinds of features that are laid."""


# ------------------------------------------------------------------ values of a feature

DRAWN = ("at", "points", "crest", "foot", "start", "end")
"""Fields that are changed on the map, and not typed."""
TEXTS = ("kind", "side", "mark", "text", "means", "letter", "style", "fill")
"""Fields that hold a text, whatever it looks like."""


def values_of(part: MapPart) -> str:
    """What a feature has beside its places, as it is typed: ``kind=mg facing=290 mark=M``. What is
    as usual stands there too, since it may be changed."""
    words = []
    for field in fields(type(part)):
        if field.encode_name in DRAWN:
            continue
        value = table_of(getattr(part, field.name))
        text = ""
        if isinstance(value, str):
            text = value
        elif value is not None:
            text = msgspec.json.encode(value).decode()
        if text:  # quotes around nothing would only be in the way
            text = shlex.quote(text)
        words.append(f"{field.encode_name}={text}")
    return " ".join(words)


def with_values(part: PartT, typed_values: str) -> PartT:
    """A feature with these values beside its places; empty ones are left out. Raises EditError."""
    table = {name: value for name, value in table_of(part).items() if name in DRAWN}
    try:
        words = shlex.split(typed_values)
    except ValueError:
        raise EditError("A quotation mark has no partner; type both, or none.") from None
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise EditError(f"{word} is not clear; type NAME=VALUE, such as facing=290.")
        if not text:
            continue
        # A mark called 1 is a text all the same.
        if name in TEXTS:
            table[name] = text
        else:
            table[name] = _typed_value(text)
    try:
        return read(table, type(part), "It")
    except DataError as error:
        raise EditError(" ".join(str(problem) for problem in error.problems)) from None


def _typed_value(text: str) -> Any:
    """A number, true or false, a list or a table, in JSON as ``values_of`` writes them; all else is
    text."""
    try:
        return msgspec.json.decode(text)
    except UNREADABLE:
        return text


# ------------------------------------------------------------------ in words


def described(part: MapPart) -> str:
    """A feature of the map in a few words: ``Road from 0,30 to 96,30``."""
    match part:
        case Line():
            (x0, y0), (x1, y1) = part.points[0], part.points[-1]
            return f"{called(part.kind)} from {x0:g},{y0:g} to {x1:g},{y1:g}"
        case Area() | MapMark():
            return f"{called(part.kind)} at {_place(part)}"
        case Building():
            number = ""
            if part.number:
                number = f" {part.number}"
            length, depth = part.size
            return f"{called(part.kind)}{number} at {_place(part)}, {length:g} by {depth:g} in"
        case Slope():
            kind = "Slope"
            if part.ring:
                kind = "Hill"
            return f"{kind} at {_place(part)}"
        case Zone():
            return f"Zone {part.letter} ({part.side}) at {_place(part)}"
        case Arrow():
            return f"Arrow ({part.side}) at {_place(part)}"
        case Dimension():
            (x0, y0), (x1, y1) = part.start, part.end
            return f"Distance from {x0:g},{y0:g} to {x1:g},{y1:g}: {part.means}".rstrip(": ")
        case Circle():
            return f"Circle at {_place(part)}, {part.radius:g} in"
        case Label():
            return f"Name “{part.text}” at {_place(part)}"
    raise TypeError(f"unknown part of a map: {type(part).__name__}")


def _place(part: MapPart) -> str:
    """Where the middle of a feature is, with its square."""
    x, y = map_motions.middle(part)
    return f"{x:g},{y:g} ({square((x, y))})"


def listing(scenario: Scenario) -> list[str]:
    """All features of the map with their numbers, a line each."""
    field = map_of(scenario)
    lines = []
    for number, part_id in enumerate(map_features.part_ids(field), 1):
        lines.append(f"{number:>3}  {described(map_features.part_of(field, part_id))}")
    return lines
