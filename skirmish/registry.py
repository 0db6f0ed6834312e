"""Every game, a line each, loaded when one is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from skirmish.tabletop.game import Game
    from skirmish.tabletop.journal import JournalCodec


class Listed(NamedTuple):
    """A game as lists show it before it is loaded; ``id`` is its name in the store. ``module`` has
    a function ``game(tables, revision)`` that makes it from the files in ``data/<id>/``, by their
    names without the ending. ``panel`` draws the board in the app, with ``panel(state, width,
    tall=…)``; ``sheets`` has ``documents()``, sheets of its own; ``commands`` has ``app``, its own
    command line. A companion of a board game needs none: ``questions`` are the verb with which
    other programs query it, its help and an example; ``typed`` is what else than units the owner
    types in, and can have as a file. A game with an ``opening`` has a screen of its
    own."""

    id: str
    name: str
    about: str
    module: str
    panel: str = ""
    sheets: str = ""
    commands: str = ""
    questions: tuple[str, str, str] | tuple[()] = ()
    typed: str = ""
    noun: str = "game"
    show: str = "skirmish show"
    opening: str = ""

    @property
    def nouns(self) -> str:
        return f"{self.noun}s"

    @property
    def command(self) -> str:
        return self.id.replace("_", "-") if self.noun == "game" else self.noun

    def codec(self) -> JournalCodec[Any, Any, Any]:
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
    questions=(
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
    questions=(
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
    questions=(
        "points",
        "Answer points and result for what is cleared, as JSON Lines.",
        '{"gaps": 5, "cleared": ["S7 D1"]}',
    ),
    typed="tokens, units, cards, map, tables",
)
GAMES: list[Listed] = [BEACH, OMAHA, GTS, BLOODY]


def every() -> tuple[Listed, ...]:
    return (BATTLE, *GAMES)


def named(text: str) -> Listed | None:
    """A game by its id or its name on the command line: ``battle``, ``beach-head``."""
    return next((one for one in every() if text in (one.id, one.command)), None)


def listed(id: str) -> Listed | None:
    return next((one for one in every() if one.id == id), None)


@cache
def load(id: str) -> Game[Any, Any, Any]:
    """A game by id; raises DataError for an unknown one and for its data."""
    found = listed(id)
    if found is None:
        from skirmish.tabletop.data_file import DataError, Problem  # noqa: PLC0415

        raise DataError(id, [Problem("", "this version of Skirmish does not know that game.")])
    from skirmish import resources  # noqa: PLC0415  (lists of games are shown before files are read)

    game: Game[Any, Any, Any] = import_module(found.module).game(
        resources.Tables(id), resources.revision(id)
    )
    return game


def opened(id: str) -> Callable[[Any, int], Awaitable[Any]]:
    """The function that makes the screen of a stored game from the app and its number."""
    found = listed(id)
    module = import_module(found.opening if found and found.opening else "skirmish.app.play.screen")
    opened: Callable[[Any, int], Awaitable[Any]] = module.opened
    return opened
