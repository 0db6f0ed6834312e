"""What happened. Every draw stands in its event, so a journal is folded without any chance.

Events that leave something to be resolved carry the agenda that follows (``then``): a rule mended
later cannot change how an old battle folds. The steps themselves are in ``agenda``.
"""

from __future__ import annotations

import msgspec

from skirmish.games.plastic.battle.agenda import AnyAsk, AnyTask, CheckKind, LotKind, Shooting
from skirmish.games.plastic.battle.orders import Level
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.tabletop.chance import Draw, Source


class Clock(msgspec.Struct, frozen=True):
    """Whose turn it is: game turn from 1, the side that moves, phase 1 to 4."""

    turn: int
    side: str
    phase: int


class Credit(msgspec.Struct, frozen=True, kw_only=True):
    """Who did it: the shot, the piece, its unit and weapon then, turn and draw. Of a counted volley
    (no draw) it was one of those who fired."""

    shot: int
    piece: str
    unit: str
    weapon: str
    turn: int
    draw: Draw | None = None
    breakdown: bool = False


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that has happened."""


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    """The battle begins."""

    setup: Setup
    then: tuple[AnyTask, ...] = ()


# ------------------------------------------------------------------ fire


class Aimed(Event, frozen=True, kw_only=True, tag="aimed"):
    """A shot was declared; its weapon is now used. ``overruled``: advice that was set aside."""

    shot: Shooting
    side: str
    needs: int
    overruled: str = ""
    then: tuple[AnyTask, ...]


class Volleyed(Event, frozen=True, kw_only=True, tag="volleyed"):
    """A volley was declared: so many shooters, so many men in reach."""

    side: str
    shooter: str
    target: str
    weapon: str
    count: int
    reach: int
    needs: int
    overruled: str = ""
    then: tuple[AnyTask, ...]


class HitsCounted(Event, frozen=True, kw_only=True, tag="hits_counted"):
    """What players counted of a volley: ``pieces`` fired as ``shot`` says, in so many ``draws``; of
    ``low``, the ranks that hit, cover or hull down (``saved_by``) saves, or would save, ``saved``;
    ``hits`` hit, ``aces`` among them, of at most ``reach``. The last ``broken`` pieces broke down.
    """

    shot: Shooting
    pieces: tuple[str, ...]
    needs: int
    reach: int
    low: int
    saved: int
    saved_by: str | None
    hits: int
    aces: int
    broken: int
    draws: int
    then: tuple[AnyTask, ...] = ()


class Ceased(Event, frozen=True, kw_only=True, tag="ceased"):
    """A volley is over; ``unused`` shooters found nobody left to hit and have not fired."""

    fired: int
    hits: int
    unused: int
    then: tuple[AnyTask, ...]


class Asked(Event, frozen=True, kw_only=True, tag="asked"):
    """The program waits for an answer."""

    ask: AnyAsk


class Laid(Event, frozen=True, kw_only=True, tag="laid"):
    """Draws that a player made himself from ``source`` lie ready to be read, in their order.
    ``twice``: cards among them that had gone already."""

    source: str
    draws: tuple[Draw, ...]
    twice: tuple[Draw, ...] = ()


class Unread(Event, frozen=True, kw_only=True, tag="unread"):
    """Draws that lay ready and were not needed after all."""

    draws: tuple[Draw, ...]


class Shuffled(Event, frozen=True, kw_only=True, tag="shuffled"):
    """A deck was shuffled; ``aside`` lay out of it."""

    source: str
    aside: Draw | None = None


class Drawn(Event, frozen=True, kw_only=True, tag="drawn"):
    """A card or die. ``shuffle``, the card that lay ``aside`` of it, and ``nth`` say which one it
    is: a taken-back draw is known by them."""

    source: str
    draw: Draw
    shuffle: int
    aside: Draw | None = None
    nth: int


class Reread(Event, frozen=True, kw_only=True, tag="reread"):
    """What a player had typed as ``was`` is ``draw``."""

    source: str
    was: Draw
    draw: Draw


class Spent(Event, frozen=True, kw_only=True, tag="spent"):
    """A draw that is gone, and no more is known of it: its entry was struck, or it was counted,
    ``times`` over."""

    source: str
    draw: Draw
    times: int = 1


class Judged(Event, frozen=True, kw_only=True, tag="judged"):
    """What the draw did."""

    shot: Shooting
    draw: Draw
    needs: int
    hit: bool
    saved_by: str | None = None
    explain: str
    then: tuple[AnyTask, ...] = ()


class Tested(Event, frozen=True, kw_only=True, tag="tested"):
    """A breakdown draw."""

    shot: Shooting
    draw: Draw
    broken: bool
    explain: str
    then: tuple[AnyTask, ...] = ()


class Held(Event, frozen=True, kw_only=True, tag="held"):
    """An open repeat shot was let go, or a step of the agenda found nothing to do."""

    then: tuple[AnyTask, ...] = ()


class Recalled(Event, frozen=True, kw_only=True, tag="recalled"):
    """A shot is read anew: whom it killed stand again. ``later`` shots of its chain stand; those
    named in ``chain`` are taken back with it. ``mended``: what its breakdown test took is whole,
    since there was none."""

    shot: int
    back: tuple[str, ...]
    later: int = 0
    mended: Shooting | None = None
    chain: tuple[int, ...] = ()
    then: tuple[AnyTask, ...]


# ------------------------------------------------------------------ pieces


class Lost(Event, frozen=True, kw_only=True, tag="lost"):
    """A figure or model is gone. ``credit`` is None where nobody's shot did it (a correction);
    ``aboard``: it died with its carrier. Without ``then`` the agenda stays as it is."""

    piece: str
    unit: str
    worth: int
    credit: Credit | None = None
    aboard: bool = False
    then: tuple[AnyTask, ...] | None = None


class Stood(Event, frozen=True, kw_only=True, tag="stood"):
    """A piece that was lost (or had left) stands again: a correction."""

    piece: str


class Added(Event, frozen=True, kw_only=True, tag="added"):
    """Pieces that the opening did not know: reinforcements drawn for, a correction."""

    pieces: tuple[Piece, ...]
    why: str = ""


class Turned(Event, frozen=True, kw_only=True, tag="turned"):
    """A man fights on as something else (breakdown: as a rifleman; a gun left behind)."""

    piece: str
    unit: str


class Disarmed(Event, frozen=True, kw_only=True, tag="disarmed"):
    """One weapon of a model is gone (P19)."""

    piece: str
    slot: int


class Loaded(Event, frozen=True, kw_only=True, tag="loaded"):
    """Who is aboard of a model now, in addition."""

    carrier: str
    riders: tuple[str, ...]


class Unloaded(Event, frozen=True, kw_only=True, tag="unloaded"):
    """Who got out of a model."""

    carrier: str
    riders: tuple[str, ...]


class Exited(Event, frozen=True, kw_only=True, tag="exited"):
    """Pieces left for good, riders included. ``value`` counts for victory, ``worth`` as a loss of
    the side ``against`` (the basic game); ``values`` and ``worths`` are those of each piece, so
    that one who stands again takes his own with him."""

    pieces: tuple[str, ...]
    value: int = 0
    against: str | None = None
    worth: int = 0
    values: tuple[int, ...] = ()
    worths: tuple[int, ...] = ()


class Entered(Event, frozen=True, kw_only=True, tag="entered"):
    """Reinforcements have come on."""

    contingent: str
    pieces: tuple[str, ...]


class Served(Event, frozen=True, kw_only=True, tag="served"):
    """Pieces have been served and may act from now on."""

    pieces: tuple[str, ...]


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """Hidden pieces are on the table now."""

    pieces: tuple[str, ...]


# ------------------------------------------------------------------ draws that are no shots


class Checked(Event, frozen=True, kw_only=True, tag="checked"):
    """A pin, command or entrench draw of ``side`` and what it means; wire needs no draw, and ``of``
    says whose it was (empty: the enemy's). ``row`` is who was fired at, of a pin draw."""

    check: CheckKind
    side: str
    row: str | None = None
    draw: Draw | None = None
    result: bool
    explain: str
    of: str = ""
    then: tuple[AnyTask, ...] = ()


class PinMarked(Event, frozen=True, kw_only=True, tag="pin_marked"):
    """``pins`` groups of a row are marked pinned now, by hand."""

    row: str
    pins: int


class Tabled(Event, frozen=True, kw_only=True, tag="tabled"):
    """A draw on a table of the scenario, the ``nth`` of ``happening``, and what it brings."""

    happening: int
    side: str
    nth: int
    draw: Draw
    explain: str
    entry: str | None = None
    then: tuple[AnyTask, ...] = ()


class Toggled(Event, frozen=True, kw_only=True, tag="toggled"):
    """A state of the scenario began or ended: dust."""

    name: str
    on: bool


class LotCast(Event, frozen=True, kw_only=True, tag="lot_cast"):
    """Both sides drew, for terrain or for sides; the higher draw is first (None: a tie)."""

    lot: LotKind
    draws: dict[str, Draw]
    first: str | None
    then: tuple[AnyTask, ...] = ()


# ------------------------------------------------------------------ book, clock, rules, end


class Counted(Event, frozen=True, kw_only=True, tag="counted"):
    """What the players counted, and when."""

    values: dict[str, int]
    clock: Clock


class Noted(Event, frozen=True, kw_only=True, tag="noted"):
    """Words of the players' own."""

    text: str


class Overruled(Event, frozen=True, kw_only=True, tag="overruled"):
    """The players did what the program advises against; of a shot, ``Aimed`` says it."""

    says: str


class Sealed(Event, frozen=True, kw_only=True, tag="sealed"):
    """Something that a side keeps to itself until it is opened; ``envelope`` cannot be read by
    eye, and is no safe."""

    side: str
    envelope: str


class Unsealed(Event, frozen=True, kw_only=True, tag="unsealed"):
    """What a side had sealed."""

    side: str
    text: str


class PhaseEnded(Event, frozen=True, kw_only=True, tag="phase_ended"):
    """The clock moved on within a player turn."""

    clock: Clock


class TurnEnded(Event, frozen=True, kw_only=True, tag="turn_ended"):
    """A player turn is over; ``clock`` is the next one."""

    clock: Clock
    then: tuple[AnyTask, ...] = ()


class ClockSet(Event, frozen=True, kw_only=True, tag="clock_set"):
    """The clock was put right by hand."""

    clock: Clock


class LevelSet(Event, frozen=True, kw_only=True, tag="level_set"):
    """A side uses the program in another way from now on."""

    side: str
    level: Level
    source: Source


class Commanded(Event, frozen=True, kw_only=True, tag="commanded"):
    """Who commands a side from now on."""

    side: str
    player: str


class Switched(Event, frozen=True, kw_only=True, tag="switched"):
    """An optional rule is played from now on, or is not."""

    option: str
    on: bool


class QualitySet(Event, frozen=True, kw_only=True, tag="quality_set"):
    """The force quality of a side from now on."""

    side: str
    quality: str | None


class Finished(Event, frozen=True, kw_only=True, tag="finished"):
    """The battle is over. ``winner`` None: a draw. ``agreed``: the players said so themselves."""

    winner: str | None
    reason: str
    agreed: bool = False


class PlayedOn(Event, frozen=True, kw_only=True, tag="played_on"):
    """The players go on; the program ends this battle no more. ``anew``: what had ended it was
    made void, and the program may end it again. ``then`` is what the end had cut off."""

    anew: bool = False
    then: tuple[AnyTask, ...] = ()


FireEvent = Aimed | Volleyed | HitsCounted | Ceased | Judged | Tested | Held | Recalled | Disarmed
DrawEvent = Asked | Laid | Unread | Shuffled | Drawn | Reread | Spent
PieceEvent = Lost | Stood | Added | Turned | Loaded | Unloaded | Exited | Entered
SceneEvent = Served | Revealed | Checked | PinMarked | Tabled | Toggled | LotCast
BookEvent = (
    Counted | Noted | Overruled | Sealed | Unsealed | LevelSet | Commanded | Switched | QualitySet
)
ClockEvent = Opened | PhaseEnded | TurnEnded | ClockSet | Finished | PlayedOn
AnyEvent = FireEvent | DrawEvent | PieceEvent | SceneEvent | BookEvent | ClockEvent
