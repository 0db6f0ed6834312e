"""What the rules summary gives, read from ``data/gts``: the turn, chits, actions, charts; and the
tables that it lacks, which an owner types in from his card or takes as community values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.companion.explained import Explained
from skirmish.tabletop.companion.flow import Flow, read_flows
from skirmish.tabletop.companion.result_table import ResultTable
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.companion.typed_tables import TypedTables
from skirmish.tabletop.data_file import DataError, Problem, Refers, Strict, read, suggest
from skirmish.tabletop.presets import PresetBook

Mode = Literal["direct", "op", "indirect", "assault", "defense"]
"""The kinds of fire: direct, opportunity and indirect fire; ``assault`` and ``defense`` are the
shots of the two sides of an assault."""
Side = Annotated[str, Refers("side")]
ChitKind = Literal["division", "formation", "marines", "direct", "naval", "events"]
ASSAULTED: tuple[Mode, ...] = ("assault", "defense")
"""The kinds of fire within an assault."""
ATTACHING = ("formation", "marines")
"""Kinds of chits whose leader attaches independent units."""
MISS = "miss"
"""The result of a shot that does not hit."""
TERRAIN, ARMORED = "terrain ", " armored"
"""The beginning and the end of the name of a modifier of terrain: ``terrain woods``, and ``terrain
woods armored`` for targets with armor."""
CAP = 19
"""The most points of a kind that a division holds."""
Points = Annotated[int, msgspec.Meta(ge=0, le=CAP)]
ROLLED = {"weather": "Weather", "events": "Events", "contact": "Contact", "air": "Air points"}
"""Tables of a text for each roll that are not in the summary: titles by id."""
TURNS = "turns"
"""The id of the list of the turns of a day."""
MOST_TURNS = 24
"""The most turns of a day."""
RESULT_KEYS = "e1cs?m"
"""The keys of the results, in the order of ``data/gts/game.toml``."""
TYPED = ROLLED | {TURNS: "Turns of a day"}
"""Everything that an owner types in as texts: titles by id."""


class ChitRule(Strict, frozen=True, kw_only=True):
    """A kind of chit. ``allows``: the kinds of action, of which each unit takes one; ``cost``:
    command points for each unit; ``second``: a second action for 1 CP."""

    name: str
    allows: tuple[str, ...] = msgspec.field(default=(), name="once")
    cost: int = 0
    second: bool = False
    text: str


class ActionRule(Strict, frozen=True, kw_only=True):
    """An action of a unit. ``triggers``: when enemies may answer with opportunity fire."""

    name: str
    kind: Literal["movement", "fire", "assault", "engineer", "rally", "pass"]
    triggers: str = ""


class FireColor(Strict, frozen=True, kw_only=True):
    """The color of a fire rating; ``direct``: the row that counts at targets within direct
    range."""

    key: str
    text: str
    indirect: bool = False
    mortar: bool = False
    direct: str = ""


class CardValue(Strict, frozen=True, kw_only=True):
    """A modifier that the card gives; ``modes``: the kinds of fire that it counts in, none: all."""

    name: str
    modes: tuple[Mode, ...] = ()


class GtsRules(Strict, frozen=True, kw_only=True):
    """What does not change while it is played: ``data/gts/game.toml``, the charts, the rulings.
    ``explained`` is for reading only; no game embeds it."""

    phases: tuple[SequencePhase, ...]
    kinds: dict[ChitKind, ChitRule]
    actions: dict[str, ActionRule]
    colors: dict[str, FireColor]
    values: dict[str, CardValue]
    results: dict[str, str]
    explained: tuple[Explained, ...] = ()
    charts: dict[str, Flow] = msgspec.field(default_factory=dict)
    rulings: dict[str, str] = msgspec.field(default_factory=dict)

    def codes(self, table: str) -> dict[str, str]:
        """The results that a cell of this table may hold, with their keys; empty: any text."""
        if table not in ("armored", "unarmored"):
            return {}
        return dict(zip(self.results, RESULT_KEYS, strict=True))

    @property
    def literal(self) -> bool:
        """Whether “<” is read to the letter (G1)."""
        return self.rulings["G1"] == "literal"

    @property
    def point_lost(self) -> bool:
        """Whether a 9 with nothing beside it takes a dispatch point away (G10)."""
        return self.rulings["G10"] == "lost"

    def name(self, id: str) -> str:
        """The name of a modifier, or of the terrain that it is for. Raises LookupError."""
        if id.startswith(TERRAIN):
            return _terrain_of(id)
        return self.values[id].name


def _terrain_of(id: str) -> str:
    """``woods``, of ``terrain woods armored``."""
    return id.removeprefix(TERRAIN).removesuffix(ARMORED)


class GtsTables(TypedTables, frozen=True, kw_only=True):
    """The tables of the owner's card, as far as they are known. The modifiers of terrain are called
    ``terrain woods`` and ``terrain woods armored``."""

    TITLES = TYPED

    armored: ResultTable
    unarmored: ResultTable
    beach: ResultTable

    def rolls(self, id: str) -> range:
        # The turns of a day are a list and no table that is rolled on.
        if id == TURNS:
            return range(MOST_TURNS)
        return super().rolls(id)

    @property
    def terrains(self) -> tuple[str, ...]:
        """The names of terrain that have a modifier, each once."""
        names = [_terrain_of(id) for id in self.values if id.startswith(TERRAIN)]
        return tuple(dict.fromkeys(names))


class Division(Strict, frozen=True, kw_only=True):
    """A division with its ratings; ``cp`` and ``dp`` are the points it begins with."""

    name: str
    side: Side
    command: Points = 0
    dispatch: Points = 0
    cp: Points = 0
    dp: Points = 0


class Chit(Strict, frozen=True, kw_only=True):
    """An activation chit."""

    name: str
    kind: ChitKind
    side: Side = ""
    group: str = ""
    """The division or formation that it activates."""
    division: str = ""
    """Of a formation, the division whose points buy it."""
    attach: int = 0
    """How many white-striped units its leader may attach."""
    since: int = 0
    """The turn in which it came; 0: the first."""

    def on_side_of(self, division: Division | None) -> Chit:
        """The chit with the side of its division, if it has one; without a group of its own it
        activates what it is called after."""
        if division is None:
            return self
        return replace(self, side=division.side, group=self.group or self.name)


def read_rules(game: Mapping[str, Any], charts: Mapping[str, Any], book: PresetBook) -> GtsRules:
    """The rules with the default rulings; raises DataError."""
    file = "gts/game.toml"
    rules = read(game, GtsRules, file)
    problems = [*TurnSequence(phases=rules.phases).problems()]
    if problems:
        raise DataError(file, problems)
    flows = read_flows(charts, "gts/charts.toml")
    return replace(rules, charts=flows, rulings=book.defaults())


class OwnersFile(Strict, frozen=True, kw_only=True):
    """What an owner has typed in, as a file: divisions, chits, tables. A blank cell is empty."""

    division: tuple[Division, ...] = ()
    chit: tuple[Chit, ...] = ()
    tables: GtsTables | None = None


def checked_tables(tables: GtsTables, rules: GtsRules, name: str) -> GtsTables:
    """The tables of the file of that name, with None for blank cells; raises DataError."""
    for id in tables.values:
        if id not in rules.values and not id.startswith(TERRAIN):
            text = f"unknown; {suggest(id, rules.values)}"
            raise DataError(name, [Problem(f"values.{id}", text)])
    return tables.checked(rules.codes, name)
