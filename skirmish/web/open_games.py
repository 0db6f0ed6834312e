"""The games that phones have open: each is read from the store once, and what a viewer may see of
its present state is made once for all phones of that viewer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish import registry
from skirmish.extras import unless_it_fails
from skirmish.session import AnySession, Session, Stored
from skirmish.tabletop.game import PLAYERS, DeckKnowledge, Game, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import capital, mapped
from skirmish.tabletop.wall import WallBoard
from skirmish.web.phone import Phone
from skirmish.web.side_html import BoardHtml, board_html, document, fragment
from skirmish.web.side_player import InHand, SidePlayer, board_page, side_page
from skirmish.web.side_view import NOTHING, SidePage
from skirmish.web.wall_html import WallPage, wall_document, wall_parts

MOST_PHONES = 24
"""The most phones: two for every player, and some spectators."""
MOST_WITH_SAME_LINK = 12
"""The most phones with the same link, so that nobody with one link can keep the others out."""
MOST_TELEVISIONS = 120
"""The most televisions. They only watch, and what they show is made once for all of them."""
MOST_RESULTS = 500
"""The most results that are remembered for one viewer: each draft on a phone adds some."""
CLOSED_AFTER = 60.0
"""Seconds for which a game without phones stays open."""

CANNOT_BE_SHOWN = "This game cannot be shown: {}"

Formatter: TypeAlias = Callable[[str], str]
"""Changes a text of a page into the players' units of measure. If they are those of the rules, it
is ``str``, which changes nothing."""
DrawMap: TypeAlias = Callable[[Any, str], str | None]
"""Returns the map as SVG that a state needs (``MapForTurn``), in a shape (``upright`` or ``lying``,
see ``gate.MAP_SHAPES``); None for a game without a map."""


class OpenGames:
    """The games that phones have open, by their numbers in the store. ``stored`` runs jobs for the
    store; ``deck_knowledge`` is what the players know of their decks."""

    def __init__(self, stored: Stored, deck_knowledge: DeckKnowledge, formatted: Formatter) -> None:
        self._stored = stored
        self._deck_knowledge = deck_knowledge
        self._formatted = formatted
        self._games: dict[int, OpenGame] = {}
        self._opening = asyncio.Lock()
        """Keeps two phones that come at the same time from opening a game twice."""

    async def open(self, number: int) -> OpenGame:
        """A game of the store in its present state. Raises StoreError, RecordError."""
        async with self._opening:
            game = self._games.get(number)
            if game is None:
                record = await self._stored(lambda store: store.battle(number))
                rules = registry.load(record.game).with_deck_knowledge(self._deck_knowledge)
                session = await Session.resumed(rules, self._stored, number)
                session.typed = []  # what was typed in a terminal stays there
                game = OpenGame(session, self._formatted)
                self._games[number] = game
        await game.session.catch_up()
        game.last_used_at = monotonic()
        return game

    def all(self) -> list[OpenGame]:
        """All games that are open now."""
        return list(self._games.values())

    @property
    def phones(self) -> list[Phone]:
        """All phones and televisions that are connected now."""
        phones: list[Phone] = []
        for game in self._games.values():
            phones.extend(game.phones)
        return phones

    def has_room(self, game: OpenGame, newcomer: Phone) -> bool:
        """Whether one more phone or television may be connected."""
        televisions = [phone for phone in self.phones if phone.is_television]
        if newcomer.is_television:
            return len(televisions) < MOST_TELEVISIONS
        # Several phones may have the same link, when two people play a side for instance.
        with_same_link = [phone for phone in game.phones if phone.link == newcomer.link]
        phone_count = len(self.phones) - len(televisions)
        if phone_count >= MOST_PHONES:
            return False
        return len(with_same_link) < MOST_WITH_SAME_LINK

    def close(self, game: OpenGame) -> None:
        """Forget a game; it is read from the store again when a phone asks for it."""
        self._games.pop(game.session.id, None)

    def close_if_unused(self, game: OpenGame) -> None:
        """Close a game that has had no phones for a while. A phone that has lost its connection is
        back before that."""
        if not game.phones and monotonic() - game.last_used_at > CLOSED_AFTER:
            self.close(game)


class MapForTurn(NamedTuple):
    """Which of the drawings of a map: its shape, and whether it is that of the first turn, which
    also has the deployment zones and distances. A drawing has nothing else that changes: no units
    are on it."""

    shape: str
    is_first_turn: bool


class OpenGame:
    """A game that phones have open."""

    def __init__(self, session: AnySession, formatted: Formatter = str) -> None:
        self.session = session
        self._formatted = formatted
        self.phones: set[Phone] = set()
        """The phones and televisions that are connected."""
        self.typed_in_app: list[str] = []
        """What is being typed in the app: its unfinished order."""
        self.has_new_drafts = False
        """Whether somebody's unfinished order has changed since the others were shown it."""
        # The times are those of ``monotonic``.
        self.televisions_due_at: float | None = None
        """When televisions are to be shown what has happened; None: they show it."""
        self.last_shown_at = 0.0
        """When the phones were last shown what others have done or put together."""
        self.last_used_at = monotonic()
        """When a browser last asked for the game or disconnected."""
        self._seen_states: dict[Viewer, SeenState] = {}
        self._maps: dict[MapForTurn, str | None] = {}
        """The maps that were drawn."""

    @property
    def game(self) -> Game[Any, Any, Any]:
        """The game as it is known now: that of a campaign is another one when a battle of it has
        ended."""
        return self.session.game

    @property
    def journal_length(self) -> int:
        """How many entries the journal has."""
        return len(self.session.play.entries)

    def seen_by(self, viewer: Viewer) -> SeenState:
        """The present state as that viewer sees it."""
        seen = self._seen_states.get(viewer)
        if seen is None or not seen.is_present(self.session):
            seen = SeenState(self.session, viewer, self._formatted)
            self._seen_states[viewer] = seen
        return seen

    def player(
        self,
        viewer: Viewer,
        journal_length: int,
        keys: tuple[str, ...],
        others: Sequence[InHand] = (),
    ) -> SidePlayer:
        """The player of that viewer, who has tapped ``keys`` since the journal had that length;
        ``others`` are the unfinished orders of other players."""
        # A tap changes the play while this player is in use. So he gets functions that look up the
        # play and the results anew.
        return SidePlayer(
            self.session,
            viewer,
            partial(self._play_seen_by, viewer),
            journal_length,
            keys,
            others=others,
            shared=partial(self._results_for, viewer),
        )

    def _play_seen_by(self, viewer: Viewer) -> Play[Any, Any, Any]:
        return self.seen_by(viewer).play

    def _results_for(self, viewer: Viewer) -> dict[Hashable, Any]:
        return self.seen_by(viewer).shared_results()

    def in_hand_of_others(self, phone: Phone) -> list[InHand]:
        """What is being put together on the phones of other sides, and in the app. It is in the
        same order for all phones of a side, so that it is worked out once for all of them."""
        in_hand = []
        for other in self.phones:
            # What was tapped before the last entry of the journal has lost its meaning.
            is_present = other.journal_length == self.journal_length
            is_other_side = other.link.viewer != phone.link.viewer
            if other.keys and is_present and is_other_side:
                in_hand.append(InHand(other.link.viewer, other.keys))
        # A set of phones has no order of its own. Each is sorted by its text, since a viewer may be
        # None, which cannot be compared.
        in_hand.sort(key=str)
        if self.typed_in_app:
            in_hand.append(InHand(PLAYERS, tuple(self.typed_in_app)))
        return in_hand

    async def map_svg(self, shape: str, draw_map: DrawMap) -> str | None:
        """The map as a spectator sees it, as SVG; None if the game has none."""
        state = self.seen_by(None).play.state
        drawing = MapForTurn(shape, is_first_turn=self.game.turn(state) <= 1)
        if drawing not in self._maps:
            # It takes a moment to draw, and those who play do not wait for it.
            self._maps[drawing] = await asyncio.to_thread(draw_map, state, shape)
        return self._maps[drawing]


class SeenState:
    """One state of a game as one viewer sees it, and the pages made of it. All phones of the viewer
    share it, so that each page is made once."""

    def __init__(self, session: AnySession, viewer: Viewer, formatted: Formatter) -> None:
        self._game = session.game
        self._journal_length = len(session.play.entries)
        self.play: Play[Any, Any, Any] = self._game.seen(session.play, viewer)
        """The game without what is hidden from the viewer."""
        self._whole_state = session.state
        """The state with what is hidden from the viewer; only for questions to the game that take
        the viewer, and leave it out."""
        self._viewer = viewer
        self._formatted = formatted
        self._results: dict[Hashable, Any] = {}
        self._board_page: SidePage | None = None
        self._board_html: BoardHtml | None = None
        self._document = ""
        self._wall: WallPage | None = None
        self._wall_message = ""

    def is_present(self, session: AnySession) -> bool:
        """Whether this is still the state of the game."""
        # A battle of a campaign that ends changes the game, and writes nothing in its journal.
        is_same_game = session.game is self._game
        return is_same_game and len(session.play.entries) == self._journal_length

    def shared_results(self) -> dict[Hashable, Any]:
        """What was worked out from this state for any phone, see ``Player.once``."""
        # Each half-typed order leaves results; a long evening must not fill the memory.
        if len(self._results) > MOST_RESULTS:
            self._results = {}
        return self._results

    # ------------------------------------------------------------------ the page of a side

    def page(self, player: SidePlayer) -> SidePage:
        """What a player of this viewer sees, in the players' units of measure."""
        if self._board_page is None:
            self._board_page = self._build_board_page(player)
        page = side_page(player, self._board_page)
        if changes_nothing(self._formatted):
            return page
        return mapped(page, self._formatted)

    def _build_board_page(self, player: SidePlayer) -> SidePage:
        """The page without what depends on the taps of a player: all phones of the viewer share
        it."""
        board = board_page(player, self._whose())
        if self._viewer is None:  # a spectator
            wall_board = unless_it_fails(
                self._wall_board,
                instead=_no_wall_board,
                failure="The casualty strip is not available",
            )
            board = replace(board, wall=wall_board)
        return board

    def _whose(self) -> str:
        """Whose page it is, in words at its top."""
        if self._viewer is None:
            return "Watching"
        # A phone of PLAYERS is for all sides, so no name is found for it.
        side_names = self._game.players(self._whole_state)
        return side_names.get(self._viewer, "Everybody")

    def html(self, page: SidePage) -> str:
        """The inside of a page of this viewer and this state, for a browser that has loaded the
        whole page already."""
        if self._board_html is None:
            self._board_html = board_html(page)
        return fragment(page, self._board_html)

    def document(self, untouched: SidePlayer) -> str:
        """The whole page as a browser loads it, on which nothing is tapped yet."""
        if not self._document:
            self._document = document(self.page(untouched))
        return self._document

    # ------------------------------------------------------------------ the wall

    def wall_document(self) -> str:
        """The whole page for televisions, as a browser loads it."""
        return wall_document(in_players_units(self._wall_page(), self._formatted))

    def wall_message(self) -> str:
        """The message that brings televisions to this state, encoded."""
        if not self._wall_message:
            html = str(wall_parts(in_players_units(self._wall_page(), self._formatted)))
            self._wall_message = msgspec.json.encode({"html": html}).decode()
        return self._wall_message

    def _wall_page(self) -> WallPage:
        if self._wall is None:
            self._wall = wall_page(self._game, self._whole_state, self.play)
        return self._wall

    def _wall_board(self) -> WallBoard | None:
        return self._wall_page().board


def wall_page(game: Game[Any, Any, Any], whole_state: Any, play: Play[Any, Any, Any]) -> WallPage:
    """What televisions show the room. ``play`` is the game as a spectator sees it. ``whole_state``
    also has what is hidden; the game leaves it out, since the viewer is a spectator (None)."""
    last_line = ""
    last_lines = game.journal(play, None, last=1)
    if last_lines:  # the latest entry may have no text
        last_line = last_lines[-1].text
    wall_board = game.wall(play)
    page_instead = NOTHING
    # Without a map the room sees the board as a page instead.
    if wall_board is None or not wall_board.map_name:
        page_instead = game.board(whole_state, None)
    return WallPage(
        title=game.title(play.state),
        clock=capital(game.clock(play.state, None)),
        over=game.over(play.state),
        verdict=game.verdict(play, None),
        waiting=game.waiting(whole_state, None),
        last_line=last_line,
        page=page_instead,
        board=wall_board,
        colours=game.colours(play.state),
    )


def in_players_units(wall: WallPage, formatted: Formatter) -> WallPage:
    """The page for televisions with its texts in the players' units of measure."""
    if changes_nothing(formatted):
        return wall
    board = wall.board
    if board is not None:
        board = replace(board, goal=formatted(board.goal), stands=formatted(board.stands))
    return wall._replace(
        waiting=formatted(wall.waiting),
        last_line=formatted(wall.last_line),
        page=mapped(wall.page, formatted),
        board=board,
    )


def changes_nothing(formatted: Formatter) -> bool:
    """Whether the texts of a page stay as they are. Then none of them, which may be thousands, need
    be looked at."""
    return formatted is str


def _no_wall_board(_: str) -> None:
    """Stands in for the losses by turn if they cannot be made: they are left out. The sentence that
    says so is not shown; ``unless_it_fails`` has logged the error."""
