"""Every game, a line each, loaded when one is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from skirmish.tabletop.game import Game
    from skirmish.tabletop.journal_codec import JournalCodec


class Questions(NamedTuple):
    """The command with which other programs query a companion of a board game: its verb, its help,
    and a line of JSON as an example."""

    verb: str
    help: str
    example: str


class Listed(NamedTuple):
    """A game as lists show it before it is loaded. Modules are named by their paths, such as
    ``skirmish.games.gts.game``, since importing one takes time; empty: there is none."""

    id: str
    """Its name in the store, and of its folder in ``data/``."""
    name: str
    about: str
    """What it is, in a sentence."""
    module: str
    """The module with a function ``game(tables, revision)``, which makes it from the files in
    ``data/<id>/``, by their names without the ending."""
    maker: str = "game"
    """The name of that function, where a module makes several games."""
    panel: str = ""
    """The module that draws its board in the app, with ``panel(state, width, tall=…)``."""
    sheets: str = ""
    """The module with ``documents()``, sheets of its own."""
    commands: str = ""
    """The module with ``app``, its own command line."""
    questions: Questions | None = None
    """How other programs query it, where it is a companion of a board game; such a one needs no
    ``commands``."""
    typed: str = ""
    """What the owner of a printed game types in besides units, and can have as a file."""
    noun: str = "game"
    """One of its games, in a sentence."""
    show: str = "skirmish show"
    """The command that shows one of its games."""
    opening: str = ""
    """The module with a screen of its own, see ``opened``."""

    @property
    def nouns(self) -> str:
        """Several of its games, in a sentence."""
        return f"{self.noun}s"

    @property
    def command(self) -> str:
        """Its name on the command line: ``beach-head``, and of battles ``battle``."""
        if self.noun != "game":
            return self.noun
        return self.id.replace("_", "-")

    def codec(self) -> JournalCodec[Any, Any, Any]:
        """What reads and writes the journals of its games."""
        return load(self.id).codec


BATTLE = Listed(
    id="plastic",
    name="WWII Plastic Skirmish",
    about="Two armies of toy soldiers under a point limit, or a historical scenario.",
    module="skirmish.library",
    noun="battle",
    sheets="skirmish.sheets.plastic",
    show="skirmish battle show",
    opening="skirmish.app.battle.screen",
)
CAMPAIGN = Listed(
    id="campaign",
    name="Campaign",
    about="Several battles of WWII Plastic Skirmish: the men who lived fight the next one.",
    module="skirmish.library",
    maker="campaign",
    noun="campaign",
    sheets="skirmish.sheets.campaign",
)
BEACH = Listed(
    id="beach_head",
    name="Beach Head",
    about="A solo game of dice and cards on a D-Day beach: eighteen phases a turn.",
    module="skirmish.games.beach_head.game",
    panel="skirmish.app.panels.beach_head",
    sheets="skirmish.sheets.beach_head",
    commands="skirmish.cli.beach_head",
)
OMAHA = Listed(
    id="omaha",
    name="Omaha: Battle for the Beach",
    about="For owners of the printed game: tables, cards and a solitaire German.",
    module="skirmish.games.omaha.game",
    questions=Questions(
        "resolve",
        "Resolve fire, assault, recovery as JSON Lines.",
        '{"recovery": {"who": "us"}, "roll": 4}',
    ),
)
GTS = Listed(
    id="gts",
    name="Grand Tactical Series",
    about="For owners of the printed games: the mug, the points, checks, fire, charts.",
    module="skirmish.games.gts.game",
    questions=Questions(
        "resolve",
        "Resolve checks, fire, dispatch points as JSON Lines.",
        '{"tq": {"rating": 6}, "roll": 5}',
    ),
    typed="chits and tables",
)
BLOODY = Listed(
    id="bloody_omaha",
    name="Bloody Omaha",
    about="For owners of the playtest game (rules 2.1): its tables typed in once.",
    module="skirmish.games.bloody_omaha.game",
    sheets="skirmish.sheets.bloody_omaha",
    questions=Questions(
        "points",
        "Answer points and result for what is cleared, as JSON Lines.",
        '{"gaps": 5, "cleared": ["S7 D1"]}',
    ),
    typed="tokens, units, cards, map, tables",
)
GAMES: list[Listed] = [CAMPAIGN, BEACH, OMAHA, GTS, BLOODY]
"""All but the flagship, whose battles have a list of their own."""
ANY_SCREEN = "skirmish.app.play.screen"
"""The module with the screen of every game that has none of its own."""


def every() -> tuple[Listed, ...]:
    """All games, the flagship first."""
    return (BATTLE, *GAMES)


def named(text: str) -> Listed | None:
    """A game by its id or its name on the command line: ``battle``, ``beach-head``."""
    for kind in every():
        if text in (kind.id, kind.command):
            return kind
    return None


def listed(id: str) -> Listed | None:
    """A game by its id; None: this version does not know it."""
    for kind in every():
        if kind.id == id:
            return kind
    return None


@cache
def load(id: str) -> Game[Any, Any, Any]:
    """A game by id; raises DataError for an unknown one and for its data."""
    kind = listed(id)
    if kind is None:
        from skirmish.tabletop.data_file import DataError, Problem  # noqa: PLC0415

        raise DataError(id, [Problem("", "this version of Skirmish does not know that game.")])
    from skirmish import resources  # noqa: PLC0415  (lists of games are shown before files are read)

    with resources.LOADING:  # the app prepares a game in a thread while a player may open it
        module = import_module(kind.module)
        make = getattr(module, kind.maker)
        game: Game[Any, Any, Any] = make(resources.Tables(id), resources.revision(id))
    return game


def opened(id: str) -> Callable[[Any, int], Awaitable[Any]]:
    """The function that makes the screen of a stored game from the app and its number."""
    name = ANY_SCREEN
    kind = listed(id)
    if kind is not None and kind.opening:
        name = kind.opening
    from skirmish import resources  # noqa: PLC0415  (as above)

    with resources.LOADING:  # the module makes the codecs of its game
        opening: Callable[[Any, int], Awaitable[Any]] = import_module(name).opened
    return opening
