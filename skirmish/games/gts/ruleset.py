"""The numbers and texts of the rules, read from ``data/gts``: the turn, chits, actions, charts.

``GtsRules`` has what the rules summary prints, ``GtsTables`` what it lacks: the owner types that in
from his card, or takes the community values."""

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
"""The id of a side: a file that names another is refused."""
ChitKind = Literal["division", "formation", "marines", "direct", "naval", "events"]
"""``marines`` are the Royal Marines, ``direct`` is Direct Command."""
ASSAULT_MODES: tuple[Mode, ...] = ("assault", "defense")
"""The kinds of fire within an assault."""
ATTACHING_KINDS = ("formation", "marines")
"""The kinds of chits whose leader attaches independent units."""
MISS = "miss"
"""The result of a shot that does not hit."""
TERRAIN = "terrain "
"""The ids of the modifiers of terrain begin so: ``terrain woods``."""
_ARMORED = " armored"
"""The ids of those for armored targets end so: ``terrain woods armored``."""
MOST_POINTS = 19
"""The most points of a kind that a division holds."""
Points = Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]
TEXT_TABLES = {"weather": "Weather", "events": "Events", "contact": "Contact", "air": "Air points"}
"""The tables that have a text for each roll: titles by id. The summary prints none of them."""
TURNS = "turns"
"""The id of the list of the turns of a day."""
MOST_TURNS = 24
"""The most turns of a day that an owner can name."""
RESULT_KEYS = {"E": "e", "1": "1", "C": "c", "S": "s", "S?": "?", MISS: "m"}
"""The key of each fire result where it is chosen."""
TYPED_TEXTS = TEXT_TABLES | {TURNS: "Turns of a day"}
"""Everything that an owner types in as texts: titles by id."""


class ChitRule(Strict, frozen=True, kw_only=True):
    """What a kind of chit lets its units do."""

    name: str
    allows: tuple[str, ...] = msgspec.field(default=(), name="once")
    """The kinds of action of which each unit takes one. ``game.toml`` and stored games have it as
    ``once``."""
    cost: int = 0
    """The command points that each unit takes for it."""
    second: bool = False
    """Whether a unit may take a second action for 1 CP."""
    text: str
    """All of this in sentences, for the players."""


class ActionRule(Strict, frozen=True, kw_only=True):
    """An action of a unit."""

    name: str
    kind: Literal["movement", "fire", "assault", "engineer", "rally", "pass"]
    """What the chits allow or forbid."""
    triggers: str = ""
    """When enemies may answer with opportunity fire, in words; empty: never."""


class FireColor(Strict, frozen=True, kw_only=True):
    """The color of a fire rating, which says what kind of weapon fires."""

    key: str
    """The key by which it is chosen."""
    text: str
    """The weapons that have this color, in words."""
    indirect: bool = False
    """Whether they may fire indirectly."""
    mortar: bool = False
    color_of_direct_fire: str = msgspec.field(default="", name="direct")
    """The color whose row of the fire table they use when they fire directly; empty: their own.
    ``game.toml`` and stored games have it as ``direct``."""


class CardValue(Strict, frozen=True, kw_only=True):
    """A modifier whose value stands on the card."""

    name: str
    modes: tuple[Mode, ...] = ()
    """The kinds of fire in which it counts; without any it counts in all."""


class GtsRules(Strict, frozen=True, kw_only=True):
    """What does not change during a game: ``data/gts/game.toml``, the charts, the rulings."""

    phases: tuple[SequencePhase, ...]
    kinds: dict[ChitKind, ChitRule]
    """The kinds of chits."""
    actions: dict[str, ActionRule]
    colors: dict[str, FireColor]
    values: dict[str, CardValue]
    """The modifiers. Their values are in ``GtsTables``."""
    results: dict[str, str]
    """What each fire result does, in a sentence."""
    explained: tuple[Explained, ...] = ()
    """Rules that only players apply. They are read by people only, so no stored game has them."""
    charts: dict[str, Flow] = msgspec.field(default_factory=dict)
    rulings: dict[str, str] = msgspec.field(default_factory=dict)
    """The answer to each ruling."""

    def codes(self, table: str) -> dict[str, str]:
        """The results that a cell of this table may hold, with their keys; none for a table whose
        cells may hold any text."""
        if table not in ("armored", "unarmored"):  # the two halves of the fire table
            return {}
        return {result: RESULT_KEYS[result] for result in self.results}

    @property
    def less_than_is_literal(self) -> bool:
        """Whether a roll has to be less than the number it is compared with, as the sign “<” in the
        rules summary is read to the letter; otherwise it may also equal the number (G1)."""
        return self.rulings["G1"] == "literal"

    @property
    def point_lost(self) -> bool:
        """Whether a 9 with nothing beside it takes a dispatch point away (G10)."""
        return self.rulings["G10"] == "lost"

    @property
    def points_pass_any_check(self) -> bool:
        """Whether a command point may pass any check, as its players say (G2)."""
        return self.rulings["G2"] == "ask"

    @property
    def suppressed_may_fire(self) -> bool:
        """Whether suppressed units may fire outside assaults, too (G26)."""
        return self.rulings["G26"] == "yes"

    def name(self, id: str) -> str:
        """The name of a modifier, or of the terrain that it is for. Raises LookupError."""
        if is_terrain(id):
            return terrain_of(id)
        return self.values[id].name


# ------------------------------------------------------------------ the ids of modifiers of terrain


def terrain_id(name: str, *, armored: bool) -> str:
    """The id of the modifier of this terrain, for armored targets or for all others."""
    if armored:
        return f"{TERRAIN}{name}{_ARMORED}"
    return f"{TERRAIN}{name}"


def is_terrain(id: str) -> bool:
    """Whether a modifier is one of terrain."""
    return id.startswith(TERRAIN)


def terrain_of(id: str) -> str:
    """The name of the terrain: ``woods``, of ``terrain woods armored``."""
    return id.removeprefix(TERRAIN).removesuffix(_ARMORED)


class GtsTables(TypedTables, frozen=True, kw_only=True):
    """The tables of the owner's card, as far as they are known."""

    TITLES = TYPED_TEXTS

    armored: ResultTable
    """The fire table for armored targets."""
    unarmored: ResultTable
    beach: ResultTable
    """Attacks on beach defenses."""

    def rolls(self, id: str) -> range:
        # The turns of a day are a list that nobody rolls on: its lines stand in place of rolls.
        if id == TURNS:
            return range(MOST_TURNS)
        return super().rolls(id)

    @property
    def terrains(self) -> tuple[str, ...]:
        """The names of terrain that have a modifier, each once."""
        names = [terrain_of(id) for id in self.values if is_terrain(id)]
        return tuple(dict.fromkeys(names))


class Division(Strict, frozen=True, kw_only=True):
    """A division."""

    name: str
    side: Side
    command: Points = 0
    """Its command rating."""
    dispatch: Points = 0
    """Its dispatch rating."""
    cp: Points = 0
    """The command points that it begins with."""
    dp: Points = 0
    """The dispatch points that it begins with."""


class Chit(Strict, frozen=True, kw_only=True):
    """An activation chit."""

    name: str
    kind: ChitKind
    side: Side = ""
    group: str = ""
    """The division or formation that it activates."""
    division: str = ""
    """The division whose points buy the chit of a formation."""
    attach: int = 0
    """How many white-striped units its leader may attach."""
    since: int = 0
    """The turn in which it came into the game; 0 if it was there from the beginning."""

    def completed_from(self, division: Division | None) -> Chit:
        """The chit of a formation, with the side of its division and the group that it activates: a
        formation that has the name of the chit, unless the owner's file names another. A chit
        without a division (None) stays as it is."""
        if division is None:
            return self
        return replace(self, side=division.side, group=self.group or self.name)


def read_rules(game: Mapping[str, Any], charts: Mapping[str, Any], book: PresetBook) -> GtsRules:
    """The rules with the default rulings. Raises DataError."""
    file = "gts/game.toml"
    rules = read(game, GtsRules, file)
    problems = [*TurnSequence(phases=rules.phases).problems()]
    if problems:
        raise DataError(file, problems)
    flows = read_flows(charts, "gts/charts.toml")
    return replace(rules, charts=flows, rulings=book.defaults())


class OwnersFile(Strict, frozen=True, kw_only=True):
    """What an owner has typed in, as a file. The fields are called as the sections of the file,
    such as ``[[division]]``; a blank cell is empty text there."""

    division: tuple[Division, ...] = ()
    chit: tuple[Chit, ...] = ()
    tables: GtsTables | None = None


def checked_tables(tables: GtsTables, rules: GtsRules, file: str) -> GtsTables:
    """The tables that were read from this file, with None for blank cells. Raises DataError for a
    modifier that the rules do not have."""
    for id in tables.values:
        if id not in rules.values and not is_terrain(id):
            text = f"unknown; {suggest(id, rules.values)}"
            raise DataError(file, [Problem(f"values.{id}", text)])
    return tables.checked(rules.codes, file)
