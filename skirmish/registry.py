"""The list of games. A game is loaded only when one of its games is opened or asked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from skirmish.tabletop.game import Game
    from skirmish.tabletop.journal_codec import JournalCodec


class Questions(NamedTuple):
    """The command with which other programs query the companion of a board game: its verb, its
    help, and a line of JSON as an example."""

    verb: str
    help: str
    example: str


ModulePath: TypeAlias = str
"""The dotted name of a module, such as ``skirmish.games.gts.game``; empty: there is none. It is
imported only when it is needed, since importing takes time."""


class Listed(NamedTuple):
    """A game as lists show it before it is loaded."""

    id: str
    """Its name in the store, and the name of its folder in ``data/``."""
    name: str
    about: str
    """What it is, in a sentence."""
    module: ModulePath
    """The module with a function ``game(tables, revision)``, which makes the game from the files in
    ``data/<id>/``: ``tables`` has them by their names without the ending."""
    maker: str = "game"
    """The name of that function, where a module makes several games."""
    panel: ModulePath = ""
    """The module that draws its board in the app: its function ``panel(state, width, tall=…)``."""
    sheets: ModulePath = ""
    """The module with sheets of its own, which its function ``documents()`` lists."""
    command_line: ModulePath = ""
    """The module with its own command line, ``app``."""
    questions: Questions | None = None
    """How other programs query it, if it is the companion of a board game. A companion needs no
    ``command_line``."""
    typed_in: str = ""
    """What the owner of a printed game types in besides units, and can have as a file."""
    noun: str = "game"
    """What a sentence calls one of its games."""
    show_command: str = "skirmish show"
    """The command that shows one of its games."""
    screen: ModulePath = ""
    """The module with a screen of its own and the function ``opened``, which makes it; without one
    the game has ``ANY_SCREEN``."""

    @property
    def nouns(self) -> str:
        """What a sentence calls several of its games."""
        return f"{self.noun}s"

    @property
    def command(self) -> str:
        """Its name on the command line: its noun (``battle``) if that is another word than "game",
        else its id (``beach-head``)."""
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
    show_command="skirmish battle show",
    screen="skirmish.app.battle.screen",
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
    command_line="skirmish.cli.beach_head",
)
OMAHA = Listed(
    id="omaha",
    name="Omaha: Battle for the Beach",
    about="For owners of the printed game: tables, cards and a solitaire German.",
    module="skirmish.games.omaha.game",
    questions=Questions(
        verb="resolve",
        help="Resolve fire, assault, recovery as JSON Lines.",
        example='{"recovery": {"who": "us"}, "roll": 4}',
    ),
)
GTS = Listed(
    id="gts",
    name="Grand Tactical Series",
    about="For owners of the printed games: the mug, the points, checks, fire, charts.",
    module="skirmish.games.gts.game",
    questions=Questions(
        verb="resolve",
        help="Resolve checks, fire, dispatch points as JSON Lines.",
        example='{"tq": {"rating": 6}, "roll": 5}',
    ),
    typed_in="chits and tables",
)
BLOODY = Listed(
    id="bloody_omaha",
    name="Bloody Omaha",
    about="For owners of the playtest game (rules 2.1): its tables typed in once.",
    module="skirmish.games.bloody_omaha.game",
    sheets="skirmish.sheets.bloody_omaha",
    questions=Questions(
        verb="points",
        help="Answer points and result for what is cleared, as JSON Lines.",
        example='{"gaps": 5, "cleared": ["S7 D1"]}',
    ),
    typed_in="tokens, units, cards, map and tables",
)
GAMES: list[Listed] = [CAMPAIGN, BEACH, OMAHA, GTS, BLOODY]
"""All games but the flagship: the app lists its battles apart from the games of all others."""
ANY_SCREEN: ModulePath = "skirmish.app.play.screen"
"""The module with the screen of each game that has none of its own."""


def all_games() -> tuple[Listed, ...]:
    """All games, the flagship first."""
    return (BATTLE, *GAMES)


def named(text: str) -> Listed | None:
    """A game by its id or its name on the command line: ``battle``, ``beach-head``."""
    for kind in all_games():
        if text in (kind.id, kind.command):
            return kind
    return None


def listed(id: str) -> Listed | None:
    """A game by its id; None: this version does not know it."""
    for kind in all_games():
        if kind.id == id:
            return kind
    return None


@cache
def load(id: str) -> Game[Any, Any, Any]:
    """A game by id. Raises DataError if it is unknown or its data cannot be read."""
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


def screen_opener(id: str) -> Callable[[Any, int], Awaitable[Any]]:
    """The function that opens a stored game of this kind. It takes the app (a ``Host``, which this
    layer may not import) and the number of the game, and returns the screen."""
    screen_module = ANY_SCREEN
    kind = listed(id)
    if kind is not None and kind.screen:
        screen_module = kind.screen
    from skirmish import resources  # noqa: PLC0415  (as above)

    with resources.LOADING:  # importing the module types data: it makes the codecs of its game
        opener: Callable[[Any, int], Awaitable[Any]] = import_module(screen_module).opened
    return opener
