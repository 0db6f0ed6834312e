"""What a player asks for when battles are dealt: one value of each term, changed step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from skirmish import library
from skirmish.games.plastic.dealing.codes import LENGTHS
from skirmish.games.plastic.dealing.proposals import YEARS, DealRequest
from skirmish.games.plastic.dealing.terrain import terrain_of
from skirmish.games.plastic.dealing.wishes import MOST_POINTS, Length
from skirmish.games.plastic.rules.army import in_order

ANY = "any"
"""The value of a term that is left to the program."""


class OfferedTable(NamedTuple):
    """A size of table, in feet."""

    width: int
    depth: int


TABLES_OFFERED = (
    OfferedTable(8, 5),
    OfferedTable(4, 4),
    OfferedTable(5, 4),
    OfferedTable(6, 4),
    OfferedTable(6, 5),
    OfferedTable(8, 6),
    OfferedTable(10, 6),
    OfferedTable(12, 6),
)
"""The sizes of table to choose from, the default first."""
POINTS_OFFERED = (150, 60, 100, 200, 300, 400, 600, 800, 1000, None)
"""Points of the larger side, the default first; None: as many as the player's figures come to."""
ALL_OWNED = "as many as you own"
DEFAULT_LENGTH: Length = "evening"
"""The default length of a battle."""

ValueT = TypeVar("ValueT")


class Term(NamedTuple):
    """One of the things that are asked for."""

    name: str
    """The name of the action that changes it, and of the key for that: players may put it on
    another key than the default one."""
    default_key: str
    label: str
    value: str


class DealChoices:
    """What is asked for, with its defaults at first. A theme, region, nation or year that is None
    may be any."""

    def __init__(self) -> None:
        self._theme: str | None = None
        self._region: str | None = None
        self._nation: str | None = None
        self._enemy: str | None = None
        self._year: int | None = None
        self._table = TABLES_OFFERED[0]
        self._points: int | None = POINTS_OFFERED[0]
        self._length: Length = DEFAULT_LENGTH
        self._only_owned = False

    @property
    def all_owned_is_asked(self) -> bool:
        """Whether the points are those that the player's figures come to."""
        return self._points is None

    def turn(self, name: str) -> None:
        """Go on to the next value of the term with that name; the last is followed by the first."""
        books = library.dealing()
        match name:
            case "theme":
                self._theme = _following(self._theme, [None, *books.themes])
            case "region":
                self._region = _following(self._region, [None, *books.regions.regions])
            case "nation":
                self._nation = _following(self._nation, _nations_without(self._enemy))
            case "enemy":
                self._enemy = _following(self._enemy, _nations_without(self._nation))
            case "year":
                self._year = _following(self._year, [None, *YEARS])
            case "size":
                self._table = _following(self._table, TABLES_OFFERED)
            case "points":
                self._turn_points()
            case "length":
                self._length = _following(self._length, LENGTHS)
            case "owned":
                self._turn_owned()

    def _turn_points(self) -> None:
        """Go on to the next sum of points."""
        self._points = _following(self._points, POINTS_OFFERED)
        # The points of the player's figures ask for these figures and no others.
        if self.all_owned_is_asked:
            self._only_owned = True

    def _turn_owned(self) -> None:
        """Go on from anything to only what the player owns, or back."""
        self._only_owned = not self._only_owned
        # Where anything may be dealt, there is no sum of all that the player owns.
        if self.all_owned_is_asked:
            self._points = POINTS_OFFERED[0]

    def request(self, owned: Mapping[str, int]) -> DealRequest:
        """What is asked for, of a player who owns these figures and this terrain."""
        # A player who has entered figures but no terrain is dealt any terrain, and the other way
        # round: what is empty was not entered, and None asks for nothing.
        figures = terrain = None
        if self._only_owned:
            figures = in_order(owned, library.catalog()) or None
            terrain = terrain_of(owned) or None
        nations = [nation for nation in (self._nation, self._enemy) if nation is not None]
        points = self._points
        if points is None:
            # The figures are the limit then, up to the most that can be dealt.
            points = MOST_POINTS
        return DealRequest(
            theme=self._theme,
            region=self._region,
            nations=nations,
            width=self._table.width,
            depth=self._table.depth,
            points=points,
            length=self._length,
            figures=figures,
            terrain=terrain,
            year=self._year,
        )

    def terms(self) -> list[Term]:
        """What is asked for, term by term."""
        books = library.dealing()
        theme = ANY
        if self._theme is not None:
            theme = books.themes[self._theme].name
        region = ANY
        if self._region is not None:
            region = books.regions.regions[self._region].name
        year = ANY
        if self._year is not None:
            year = str(self._year)
        points = ALL_OWNED
        if self._points is not None:
            points = str(self._points)
        pieces = "anything"
        if self._only_owned:
            pieces = "only what you own"
        table = f"{self._table.width} x {self._table.depth} ft"
        return [
            Term("theme", "t", "Theme", theme),
            Term("region", "w", "Where", region),
            Term("nation", "n", "Who", _people(self._nation)),
            Term("enemy", "v", "Against", _people(self._enemy)),
            Term("year", "a", "Year", year),
            Term("size", "z", "Table", table),
            Term("points", "o", "Points", points),
            Term("length", "l", "Length", self._length),
            Term("owned", "y", "With", pieces),
        ]


def _nations_without(nation_of_enemy: str | None) -> list[str | None]:
    """The nations to choose from, where the other side has one of them; None is any."""
    nations: list[str | None] = [None]
    for nation in library.dealing().catalog.nations:
        if nation != nation_of_enemy:
            nations.append(nation)
    return nations


def _people(nation: str | None) -> str:
    """The people of a nation that is asked for."""
    if nation is None:
        return ANY
    return library.catalog().nations[nation].people


def _following(value: ValueT, values: Sequence[ValueT]) -> ValueT:
    """The value that follows this one; after the last, the first."""
    next_index = values.index(value) + 1
    return values[next_index % len(values)]
