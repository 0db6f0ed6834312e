"""How much of an event others may see: the type of each field says so.

A type such as ``PieceId`` (below) is that of the value, annotated with a ``Shown``: the function by
which the value is concealed. A field that holds text needs one of these types, or a test fails,
so that no new field can reveal a hidden piece. ``view`` shows whole battles by means of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Annotated, Any, NamedTuple, Self, get_type_hints

import msgspec

from skirmish.games.plastic.battle.agenda import Agenda, AnyAsk, Shooting
from skirmish.games.plastic.battle.names import RowName, piece_in
from skirmish.games.plastic.battle.pieces import Piece
from skirmish.games.plastic.battle.setup import Setup
from skirmish.tabletop.chance import Source

GONE = object()
"""What the function of a ``Shown`` returns instead of a value if the viewer may not know of the
event at all."""
ADVICE_SET_ASIDE = "advice was set aside."
"""The end of a sentence, in place of overruled advice that might reveal hidden units."""


class Secrets(msgspec.Struct, frozen=True):
    """What a viewer does not know: the secret ``pieces`` and the ``rows`` without a known piece.
    ``opening`` is the set-up as he may see it."""

    pieces: frozenset[str]
    rows: frozenset[str]
    opening: Setup

    @classmethod
    def of(cls, setup: Setup, pieces: frozenset[str], opening: Setup) -> Self:
        """The secrets of a viewer who does not know these ``pieces``."""
        known_rows: set[str] = set()
        secret_rows: set[str] = set()
        # Pieces that join a battle later never hide, so only those of the set-up have to be read.
        if pieces:
            for piece in setup.pieces:
                row = str(RowName(piece.side, piece.contingent, piece.unit))
                if piece.id in pieces:
                    secret_rows.add(row)
                else:
                    known_rows.add(row)
        return cls(pieces, frozenset(secret_rows - known_rows), opening)

    def conceals(self, shot: Shooting) -> bool:
        """Whether a shot would reveal a secret piece."""
        return shot.piece in self.pieces or shot.target in self.rows

    def knows(self, name: str) -> bool:
        """Whether the viewer knows of what an id names: a side, a row, a piece, one of its weapons
        or the use of one."""
        if name in self.rows:
            return False
        return piece_in(name) not in self.pieces

    def known(self, pieces: Iterable[str]) -> tuple[str, ...]:
        """Those of the pieces that the viewer knows."""
        return tuple(piece for piece in pieces if piece not in self.pieces)

    def reason(self, reason: str, agreed: bool) -> str:
        """Why a battle ended, without the program's numbers, which include hidden pieces.
        ``agreed``: the players gave the reason, so their words stay."""
        if agreed or not self.pieces:
            return reason
        # Stored events have the reason only as a sentence, with the numbers behind a colon.
        before_numbers, colon, _ = reason.partition(":")
        if not colon:
            return reason
        return f"{before_numbers}."


class Shown(NamedTuple):
    """How a field of an event is shown to others; the type of the field is annotated with it."""

    as_others_see: Callable[[Any, Secrets], Any]
    """The function that returns the value as others may see it, or GONE."""
    names_pieces: bool = False
    """Whether the field holds the pieces that the event is about."""
    always: bool = False
    """Whether the value is concealed from everybody, even in a battle in which nobody hides."""


# The functions of ``Shown``: each returns what others may see of a value, or GONE where they may
# not know of the event at all. A function called ``..._left_out`` never returns GONE.


def _as_it_is(value: Any, secrets: Secrets) -> Any:
    """The whole value, since it tells of nobody who hides."""
    del secrets
    return value


def _by_the_event(value: Any, secrets: Secrets) -> Any:
    """The whole value: the event itself conceals what it must, in its ``seen``."""
    # Not ``_as_it_is``, though it does the same: with one function ``OWN`` would equal ``OPEN``,
    # and nothing could tell which events need a ``seen`` of their own.
    del secrets
    return value


def _piece(piece: str, secrets: Secrets) -> Any:
    """The piece; if it is secret, so is the event."""
    if piece in secrets.pieces:
        return GONE
    return piece


def _pieces(pieces: tuple[str, ...], secrets: Secrets) -> Any:
    """The pieces that the viewer knows; if he knows none of them, the event is secret."""
    known = secrets.known(pieces)
    if pieces and not known:
        return GONE
    return known


def _pieces_left_out(pieces: tuple[str, ...], secrets: Secrets) -> Any:
    """The pieces that the viewer knows; the event is known even if he knows none of them."""
    return secrets.known(pieces)


def _row(row: str, secrets: Secrets) -> Any:
    """The row; if it is secret, so is the event."""
    if row in secrets.rows:
        return GONE
    return row


def _row_left_out(row: str | None, secrets: Secrets) -> Any:
    """The row, or None if it is secret: the event is known all the same."""
    if row in secrets.rows:
        return None
    return row


def _shot(shot: Shooting, secrets: Secrets) -> Any:
    """The shot; if the shooter or the target is secret, so is the event."""
    if secrets.conceals(shot):
        return GONE
    return shot


def _shot_left_out(shot: Shooting | None, secrets: Secrets) -> Any:
    """The shot, or None if the shooter or the target is secret: the event is known all the same."""
    if shot is None or secrets.conceals(shot):
        return None
    return shot


def _ask(ask: AnyAsk, secrets: Secrets) -> Any:
    """The question as its own class shows it; where that shows nothing, the event is unknown."""
    ask_as_seen = ask.seen(secrets.pieces, secrets.rows)
    if ask_as_seen is None:
        return GONE
    return ask_as_seen


def _agenda(then: Agenda | None, secrets: Secrets) -> Any:
    """An empty agenda, since its tasks name pieces that may be secret. None stays None: the event
    leaves the agenda as it was."""
    del secrets
    if then is None:
        return None
    return ()


def _advice(text: str, secrets: Secrets) -> Any:
    """The mere fact that advice was set aside, instead of its text; empty if none was."""
    del secrets
    if not text:
        return text
    return ADVICE_SET_ASIDE


def _source(source: Source, secrets: Secrets) -> Any:
    """A deck without its seed, from which all cards to come could be worked out."""
    del secrets
    return source.concealed


def _envelope(text: str, secrets: Secrets) -> Any:
    """Nothing of a sealed text: a viewer could find it in the data that his page receives."""
    del text, secrets
    return ""


def _opening(setup: Setup, secrets: Secrets) -> Any:
    """The set-up as the viewer may see it, made once for all of the battle."""
    del setup
    return secrets.opening


OPEN = Shown(_as_it_is)
"""Anybody may see it."""
OWN = Shown(_by_the_event)
"""The method ``seen`` of the event returns what of this field is shown."""
# The types of the fields of events: each has the function above that conceals its value.
PublicText = Annotated[str, OPEN]
PublicTextOrNone = Annotated[str | None, OPEN]
PieceId = Annotated[str, Shown(_piece, names_pieces=True)]
"""The event is unknown to those who do not know the piece."""
PieceIds = Annotated[tuple[str, ...], Shown(_pieces, names_pieces=True)]
"""Each viewer has those that he knows; the event is unknown to those who know none of them."""
PiecesIfKnown = Annotated[tuple[str, ...], Shown(_pieces_left_out, names_pieces=True)]
"""Each viewer has those that he knows; the event is known also to those who know none of them."""
NewPieces = Annotated[tuple[Piece, ...], Shown(_as_it_is, names_pieces=True)]
"""Nobody who joins a battle hides."""
RowId = Annotated[str, Shown(_row)]
RowIfKnown = Annotated[str | None, Shown(_row_left_out)]
ShotSeen = Annotated[Shooting, Shown(_shot)]
ShotIfKnown = Annotated[Shooting | None, Shown(_shot_left_out)]
AskSeen = Annotated[AnyAsk, Shown(_ask)]
Then = Annotated[Agenda, Shown(_agenda)]
ThenOrNone = Annotated[Agenda | None, Shown(_agenda)]
Advice = Annotated[str, Shown(_advice)]
Concealed = Annotated[Source, Shown(_source, always=True)]
Envelope = Annotated[str, Shown(_envelope, always=True)]
Opening = Annotated[Setup, Shown(_opening, always=True)]


@cache
def marks_of(kind: type) -> dict[str, Shown]:
    """By the name of a field of an event, how it is shown; ``kind`` is the class of the event."""
    marks: dict[str, Shown] = {}
    for name, annotation in get_type_hints(kind, include_extras=True).items():
        for mark in getattr(annotation, "__metadata__", ()):
            if isinstance(mark, Shown):
                marks[name] = mark
    return marks


def shown(event: msgspec.Struct, secrets: Secrets) -> dict[str, Any] | None:
    """By the name of each field of which others see another value, that value; None if they may not
    know of the event."""
    concealed: dict[str, Any] = {}
    for name, mark in marks_of(type(event)).items():
        value = getattr(event, name)
        value_shown = mark.as_others_see(value, secrets)
        if value_shown is GONE:
            return None
        # Where nothing is concealed, the function returns the very same value.
        if value_shown is not value:
            concealed[name] = value_shown
    return concealed
