"""The journal through somebody's eyes: entries that name nobody who is secret to him.

What happened to the hidden is left out, what they did is told without them. Draws always stand:
cards lie on the table.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import AnyAsk, CasualtyAsk, InsideAsk, PieceAsk, Shooting
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders import Answer, Seal, SetLevel
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.tabletop.chance import Source

AGAINST = "advice was set aside."
"""What is said of overruled advice where the advice might tell who is hidden."""


class Blinds(msgspec.Struct, frozen=True):
    """What somebody does not see: pieces, and ``rows`` of which he knows nobody."""

    secret: frozenset[str]
    rows: frozenset[str]

    @classmethod
    def of(cls, setup: Setup, secret: frozenset[str]) -> Blinds:
        """The blinds before these pieces of a battle."""
        if not secret:
            return cls(secret, frozenset())
        rows: dict[bool, set[str]] = {True: set(), False: set()}
        for piece in setup.pieces:
            row = str(RowName(piece.side, piece.contingent, piece.unit))
            rows[piece.id in secret].add(row)
        return cls(secret, frozenset(rows[True] - rows[False]))

    def hide(self, shot: Shooting) -> bool:
        """Whether a shot is not seen: its shooter is not, or nobody of the row it is aimed at."""
        return shot.piece in self.secret or shot.target in self.rows

    def reason(self, reason: str, agreed: bool) -> str:
        """Why a battle ended. The program's own numbers count the hidden too: they are left out;
        what players say is theirs to say."""
        if agreed or not self.secret:
            return reason
        head, colon, _ = reason.partition(":")
        return f"{head}." if colon else reason


def secrets_after(play: BattlePlay, secret: frozenset[str]) -> dict[int, frozenset[str]]:
    """What is secret after each act of the line, by number; ``secret`` is so at the opening. It
    only grows less: who was shown in a line that is void is hidden again."""
    found: dict[int, frozenset[str]] = {}
    struck = play.struck
    for act in play.acts:
        if secret and act.number not in struck:
            shown = (e.pieces for e in act.events if isinstance(e, happened.Revealed))
            secret = secret.difference(*shown)
        found[act.number] = secret
    return found


def seen_source(source: Source) -> Source:
    """A deck or die that does not tell what comes next."""
    return source if source.typed else replace(source, seed=0)


def seen_entry(entry: BattleEntry, blinds: Blinds | None, opening: Setup) -> BattleEntry:
    """An entry as it may be read; without ``blinds`` its draws alone are known. ``opening`` is the
    setup that may be seen."""
    if blinds is None:
        drawn = tuple(event for event in entry.events if isinstance(event, happened.Drawn))
        return replace(entry, order=None, events=drawn)
    if not blinds.secret and not any(isinstance(event, _ALWAYS) for event in entry.events):
        return entry
    events = tuple(_seen(entry.events, blinds, opening))
    order = entry.order
    if isinstance(order, Seal):
        order = replace(order, text="")
    elif isinstance(order, SetLevel):
        order = replace(order, source=seen_source(order.source))
    elif blinds.secret and events != entry.events and not isinstance(order, Answer):
        order = None  # it may name them; an answer is kept, since its line goes on by it
    return replace(entry, order=order, events=events)


_ALWAYS = happened.Opened | happened.Sealed | happened.LevelSet
"""What nobody is shown as it stands in the journal."""


def _seen(events: tuple[AnyEvent, ...], blinds: Blinds, opening: Setup) -> Iterator[AnyEvent]:
    for event in events:
        match event:
            case happened.Opened():
                yield replace(event, setup=opening)
            case happened.Sealed():
                yield replace(event, envelope="")
            case happened.LevelSet():
                yield replace(event, source=seen_source(event.source))
            case _ if not blinds.secret:
                yield event
            case happened.HitsCounted():
                if not blinds.hide(event.shot):
                    yield replace(event, pieces=_others(event.pieces, blinds.secret), then=())
            case _:
                yield from _of_others(event, blinds)


def _of_others(event: AnyEvent, blinds: Blinds) -> Iterator[AnyEvent]:
    """An event without the secret ones in it; nothing if it was only about them."""
    secret = blinds.secret
    match event:
        case happened.Aimed() | happened.Judged() | happened.Tested():
            if blinds.hide(event.shot):
                return
            overruled = getattr(event, "overruled", "")
            if isinstance(event, happened.Aimed) and overruled:
                event = replace(event, overruled=AGAINST)
            yield replace(event, then=())
        case happened.Volleyed(shooter=shooter, target=target):
            if not {shooter, target} & blinds.rows:
                overruled = AGAINST if event.overruled else ""
                yield replace(event, overruled=overruled, then=())
        case happened.Overruled():
            yield replace(event, says=AGAINST)
        case happened.Lost(piece=piece, credit=credit):
            if piece not in secret:
                unknown = credit is not None and credit.piece in secret
                then = None if event.then is None else ()
                yield replace(event, credit=None if unknown else credit, then=then)
        case happened.Recalled():
            yield replace(event, back=_others(event.back, secret), then=())
        case happened.Stood() | happened.Turned() | happened.Disarmed():
            if event.piece not in secret:
                yield event
        case happened.Loaded() | happened.Unloaded():
            riders = _others(event.riders, secret)
            if event.carrier not in secret and (riders or not event.riders):
                yield replace(event, riders=riders)
        case happened.Entered() | happened.Served() | happened.Revealed():
            if pieces := _others(event.pieces, secret):
                yield replace(event, pieces=pieces)
        case happened.Exited():
            yield from _left(event, secret)
        case happened.Asked():
            ask = seen_ask(event.ask, blinds)
            if ask is not None:
                yield replace(event, ask=ask)
        case happened.Finished():
            yield replace(event, reason=blinds.reason(event.reason, event.agreed))
        case happened.Checked(row=row):
            yield replace(event, row=None if row in blinds.rows else row, then=())
        case happened.PinMarked(row=row) if row in blinds.rows:
            return
        case happened.Ceased() | happened.Held() | happened.Tabled():
            yield replace(event, then=())
        case happened.LotCast() | happened.TurnEnded():
            yield replace(event, then=())
        case _:
            yield event


def seen_ask(ask: AnyAsk | None, blinds: Blinds) -> AnyAsk | None:
    """What is asked, without the secret ones; None where it is only about them."""
    match ask:
        case CasualtyAsk(rows=rows, proposed=proposed):
            return replace(
                ask,
                rows=tuple(row for row in rows if row not in blinds.rows),
                proposed=tuple(row for row in proposed if row not in blinds.rows),
            )
        case PieceAsk(pieces=pieces):
            return replace(ask, pieces=_others(pieces, blinds.secret))
        case InsideAsk(carrier=carrier) if carrier in blinds.secret:
            return None
    return ask


def _left(event: happened.Exited, secret: frozenset[str]) -> Iterator[AnyEvent]:
    """Who left, with what the seen ones count for."""
    stay = [at for at, piece in enumerate(event.pieces) if piece not in secret]
    if len(stay) == len(event.pieces):
        yield event
    elif stay:
        values = tuple(event.values[at] for at in stay if at < len(event.values))
        worths = tuple(event.worths[at] for at in stay if at < len(event.worths))
        yield replace(
            event,
            pieces=tuple(event.pieces[at] for at in stay),
            values=values,
            worths=worths,
            value=sum(values),
            worth=sum(worths),
        )


def _others(pieces: tuple[str, ...], secret: frozenset[str]) -> tuple[str, ...]:
    return tuple(piece for piece in pieces if piece not in secret)
