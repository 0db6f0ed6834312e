"""The state of a battle: what its events, applied one after another, have made of the set-up. It
holds nothing that players see on the table: no places, no cover, no contact. Events that the state
refers to, such as the last verdict, are defined here, all others in ``events``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import Agenda, AnyAsk, CheckKind, Shooting
from skirmish.games.plastic.battle.commanders import Commander
from skirmish.games.plastic.battle.names import shot_name, weapon_of_piece
from skirmish.games.plastic.battle.pieces import Piece
from skirmish.games.plastic.battle.setup import Level, Setup
from skirmish.games.plastic.battle.shown import (
    OPEN,
    OWN,
    PieceIds,
    PublicText,
    PublicTextOrNone,
    RowIfKnown,
    Secrets,
    ShotSeen,
    Shown,
    Then,
    marks_of,
    shown,
)
from skirmish.games.plastic.battle.words import BattleWords, stated_cover
from skirmish.games.plastic.rules.catalog import Nation, Quality, UnitType
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.rules.shot import CLOSE_PHASES
from skirmish.games.plastic.scenarios.happenings import Darkness
from skirmish.tabletop.chance import Draw, Source

PHASES = {1: "Movement", 2: "Defensive fire", 3: "Mover fights", 4: "Enemy fights"}
"""The four phases of a player turn ("Sequence of Play"): on screen, on paper, in the reference."""


class Clock(msgspec.Struct, frozen=True):
    """A moment of a battle: the game turn, counted from 1, the side that moves, and the phase (see
    ``PHASES``)."""

    turn: int
    side: str
    phase: int


class Credit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Who is credited with a loss, and how it happened."""

    shot: int
    """The number of the shot."""
    piece: str
    """The shooter. Of a counted volley it is any of the shooters."""
    unit: str
    """The unit of the shooter at that time."""
    weapon: str
    turn: int
    """The game turn of the shot."""
    draw: Draw | None = None
    """None for a counted volley, which has no draw for a single shot."""
    breakdown: bool = False
    """Whether the shooter himself is lost, as his weapon broke down."""


class TurnShots(msgspec.Struct, frozen=True, gc=False):
    """The shots of a player turn as they were judged last: a shot can still be judged again in
    later turns."""

    turn: int
    """The game turn."""
    last: int
    """The number of the last shot of the battle when the turn was over."""
    judged: tuple[Judged, ...]
    counts: tuple[HitsCounted, ...]


def credit_left_out(credit: Credit | None, secrets: Secrets) -> Credit | None:
    """The credit for a loss as others may see it: none if the shooter is hidden from them."""
    if credit is not None and credit.piece in secrets.pieces:
        return None
    return credit


CreditIfKnown = Annotated[Credit | None, Shown(credit_left_out)]


def turn_part_of(phase: int) -> str:
    """The part of a turn in which a weapon fires once. Fire at those who move (phase 1) and
    defensive fire (phase 2) are one part together; phases 3 and 4, for units in contact, are one
    part each."""
    if phase in CLOSE_PHASES:
        return str(phase)
    return "12"


def use_of(shot: Shooting) -> str:
    """The use of the weapon of a shot in the part of the turn in which it was fired, as in
    ``State.fired``: ``12:side:code/slot``."""
    return f"{turn_part_of(shot.at.phase)}:{weapon_of_piece(shot.piece, shot.slot)}"


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a battle remembers. Pieces, rows and sides are ids (``names``). A state never changes:
    an event makes the next one.
    """

    setup: Setup
    clock: Clock
    # The side that moves first in each game turn.
    first: str
    # How each side uses the program.
    levels: dict[str, Level]
    # The decks and dice, by their ids (``source_of``): both sides may draw from one (P23).
    sources: dict[str, Source]
    # The optional rules that are played, and the force quality of each side: its id in the catalog,
    # or None where it is not played.
    options: Options
    quality: dict[str, str | None]

    # The credit for each lost piece; None: a correction by hand.
    lost: dict[str, Credit | None] = {}
    # By side, in potential dead guys. Its own dead count as its loss. In the basic game enemies
    # who left over the edge of the side count as well.
    loss: dict[str, int] = {}
    # What each piece has added to a ``loss``, so that it can be taken back: in ``worth_lost`` a
    # piece that died, in ``charged`` an enemy who left over the edge.
    worth_lost: dict[str, int] = {}
    charged: dict[str, int] = {}
    # What each piece that left the table counts for victory.
    exited: dict[str, int] = {}
    # Pieces that joined after the beginning, by id.
    added: dict[str, Piece] = {}
    # The unit that a piece is now, if its weapon broke down ("Breakdowns").
    turned: dict[str, str] = {}
    # Weapons that broke down, as ``piece/slot``.
    disarmed: frozenset[str] = frozenset()
    # Pieces that have not come onto the table (``waiting``), are hidden on it, or have had no fuel
    # (``unserved``).
    waiting: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    unserved: frozenset[str] = frozenset()
    # The carrier of each rider. Who is in a carrier is known only of the ``recorded`` ones: nobody
    # has to write it down.
    aboard: dict[str, str] = {}
    recorded: frozenset[str] = frozenset()
    # By side and kind, such as ``entrenchment``.
    works: dict[str, dict[str, int]] = {}
    # Special rules of the scenario that are on now, such as dust.
    toggled: frozenset[str] = frozenset()
    # Charges of the scenario that went off, and those that were cut, by their ids.
    blown: frozenset[str] = frozenset()
    cut: frozenset[str] = frozenset()
    # The last count by eye, such as of buildings.
    eye_count: Counted | None = None
    # The sealed note that a side has written, by side.
    sealed: dict[str, str] = {}
    # The program as commander or adviser, by side.
    commanders: dict[str, Commander] = {}

    # From here to ``got_out``: of this player turn only.
    # The uses of weapons, ``12:side:code/slot``.
    fired: frozenset[str] = frozenset()
    # The last verdict of each shot, and the counts of volleys.
    judged: tuple[Judged, ...] = ()
    counts: tuple[HitsCounted, ...] = ()
    # How many got fuel, and how many segments of wire were cleared, for their limits.
    served_now: int = 0
    cleared_now: int = 0
    # A command draw ended the movement ("Force Quality").
    movement_over: bool = False
    # How many groups of a row are pinned.
    pinned: dict[str, int] = {}
    pin_tests: tuple[Checked, ...] = ()
    # Pieces that got out of a vehicle, and so move no further.
    got_out: frozenset[str] = frozenset()

    # The rest is of the whole battle again. The number of the last shot, and the shots of earlier
    # turns.
    shots: int = 0
    past: tuple[TurnShots, ...] = ()

    # What has to be done before another order, and what of it the end of the battle cut off: it
    # still has to be done if the players play on.
    agenda: Agenda = ()
    cut_off: Agenda = ()
    ask: AnyAsk | None = None
    # Typed draws of the source ``hand_of`` that are not used yet.
    hand: tuple[Draw, ...] = ()
    hand_of: str = ""
    # The last results, as long as they are shown large: of a shot or its breakdown draw, of a
    # check, of a volley, of the battle.
    verdict: Judged | Tested | None = None
    checked: Checked | None = None
    ceased: Ceased | None = None
    outcome: Finished | None = None
    # The players play on, and the program does not end the battle again.
    open_end: bool = False
    # Sides that can no longer win, while the players play on.
    played_out: frozenset[str] = frozenset()

    __hash__ = object.__hash__  # by identity, for caches

    @property
    def words(self) -> BattleWords:
        """What pieces and sides are called in sentences."""
        return BattleWords(self.setup, self.added)

    @property
    def mover(self) -> str:
        """The side whose turn it is."""
        return self.clock.side

    @property
    def second_side(self) -> str:
        """The side that moves second in each game turn."""
        return self.setup.enemy_of(self.first).id

    @property
    def firing_side(self) -> str:
        """The side that may fire now: the mover's enemy, but in phase 3 the mover ("Sequence of
        Play")."""
        if self.clock.phase == 3:
            return self.mover
        return self.setup.enemy_of(self.mover).id

    @property
    def darkness(self) -> list[Darkness]:
        """The times of darkness in the scenario that include this turn."""
        turn = self.clock.turn
        return [spell for spell in self.setup.happenings(Darkness) if spell.holds_on(turn)]

    @property
    def is_dark(self) -> bool:
        """Whether the scenario says that it is dark now."""
        return bool(self.darkness)

    @property
    def sight_in(self) -> int | None:
        """How far anybody can see now, in inches: in darkness, or in weather brought by a card.
        None if nothing limits it."""
        limits = [spell.sight_in for spell in self.darkness]
        for weather in self.setup.toggling.values():
            if weather.state in self.toggled:
                limits.append(weather.sight_in)
        return min(limits, default=None)

    def pieces(self) -> Iterator[Piece]:
        """All pieces of the battle, in play or not: those of the lists, then those that were
        added."""
        yield from self.setup.pieces
        yield from self.added.values()

    def piece(self, piece: str) -> Piece:
        """A piece as it was bought, or as it joined. Raises KeyError if the battle has no such
        piece."""
        return self.setup.piece_by_id.get(piece) or self.added[piece]

    def knows(self, piece: str) -> bool:
        """Whether the battle has such a piece. One that joined is gone again when the line of the
        journal that added it is made void."""
        return piece in self.setup.piece_by_id or piece in self.added

    def unit_of(self, piece: str) -> str:
        """The id of the piece's present unit."""
        return self.turned.get(piece) or self.piece(piece).unit

    def unit(self, piece: str) -> UnitType:
        """The piece's present unit."""
        return self.setup.unit(self.unit_of(piece))

    @property
    def turn_part(self) -> str:
        """The present part of the turn, in which each weapon fires once: ``12``, ``3`` or ``4``."""
        return turn_part_of(self.clock.phase)

    def use(self, piece: str, slot: int) -> str:
        """The use of a weapon in the present part of the turn, as in ``fired``."""
        return f"{self.turn_part}:{weapon_of_piece(piece, slot)}"

    # ------------------------------------------------------------------ shots

    @property
    def all_judged(self) -> tuple[Judged, ...]:
        """The shots of all turns, the earliest turn first."""
        judged: list[Judged] = []
        for turn in self.past:
            judged += turn.judged
        return (*judged, *self.judged)

    @property
    def all_counts(self) -> tuple[HitsCounted, ...]:
        """The counted volleys of all turns, the earliest turn first."""
        counts: list[HitsCounted] = []
        for turn in self.past:
            counts += turn.counts
        return (*counts, *self.counts)

    def past_turn_of(self, shot: int) -> TurnShots | None:
        """The earlier player turn of a shot; None if it belongs to the present one."""
        # Shots are numbered through the battle, and the earliest turn is the first in ``past``.
        for turn in self.past:
            if shot <= turn.last:
                return turn
        return None

    def _shots_of_turn(self, shot: int) -> TurnShots:
        """The player turn of a shot, the present one included."""
        return self.past_turn_of(shot) or self.present_turn

    @property
    def present_turn(self) -> TurnShots:
        """The shots of the present player turn."""
        return TurnShots(self.clock.turn, self.shots, self.judged, self.counts)

    def turn_of(self, shot: int) -> int:
        """The game turn in which a shot was fired."""
        return self._shots_of_turn(shot).turn

    def fired_since(self, piece: str, shot: int) -> list[Shooting]:
        """The shots that a piece has fired after this one, in all turns."""
        judged, counts = self.judged, self.counts
        # After a shot of the present turn all others are of the present turn, too.
        if self.past_turn_of(shot) is not None:
            judged, counts = self.all_judged, self.all_counts
        fired = [verdict.shot for verdict in judged]
        for volley in counts:
            fired += volley.shots
        return [later for later in fired if later.piece == piece and later.id > shot]

    def with_shots_past(self) -> State:
        """The state at the end of a player turn: its shots now belong to the past."""
        past = self.past
        if self.judged or self.counts:
            past = (*past, self.present_turn)
        return replace(self, past=past, judged=(), counts=(), pin_tests=())

    def with_judged(self, shot: int, judged: Sequence[Judged]) -> State:
        """The state with these as the shots of the player turn of that shot."""
        past = self.past_turn_of(shot)
        if past is None:
            return replace(self, judged=tuple(judged))
        return self._with_past(past, replace(past, judged=tuple(judged)))

    def with_counts(self, shot: int, counts: Sequence[HitsCounted]) -> State:
        """The state with these as the counted volleys of the player turn of that shot."""
        past = self.past_turn_of(shot)
        if past is None:
            return replace(self, counts=tuple(counts))
        return self._with_past(past, replace(past, counts=tuple(counts)))

    def _with_past(self, before: TurnShots, after: TurnShots) -> State:
        """The state in which one of the ``past`` player turns, as it was ``before`` a change, is
        replaced by the same turn ``after`` it."""
        past = []
        for turn in self.past:
            if turn is before:
                past.append(after)
            else:
                past.append(turn)
        return replace(self, past=tuple(past))

    def judged_in_turn_of(self, shot: int) -> tuple[Judged, ...]:
        """The verdicts on all shots of the player turn to which a shot belongs."""
        return self._shots_of_turn(shot).judged

    def counts_in_turn_of(self, shot: int) -> tuple[HitsCounted, ...]:
        """The counted volleys of the player turn to which a shot belongs."""
        return self._shots_of_turn(shot).counts

    def verdict_of(self, shot: int) -> Judged | None:
        """The verdict of a single shot by its number; None for one that was only counted."""
        for verdict in self.judged_in_turn_of(shot):
            if verdict.shot.id == shot:
                return verdict
        return None

    def count_of(self, shot: int) -> HitsCounted | None:
        """The count of a volley by the number of its first shot."""
        for count in self.counts_in_turn_of(shot):
            if count.shot.id == shot:
                return count
        return None

    def shot_fired(self, shot: int) -> Shooting | None:
        """A shot by its number, judged or counted; None if there is no such shot."""
        fired = self.verdict_of(shot) or self.count_of(shot)
        if fired is None:
            return None
        return fired.shot

    # ------------------------------------------------------------------ pieces and sides

    def can_fire(self, piece: str, slot: int) -> bool:
        """Whether the weapon works and has not fired in this part of the turn."""
        if weapon_of_piece(piece, slot) in self.disarmed:
            return False
        return self.use(piece, slot) not in self.fired

    def is_in_play(self, piece: str) -> bool:
        """Whether a piece is neither lost nor exited; it may still be waiting to enter."""
        return piece not in self.lost and piece not in self.exited

    def rides(self, piece: str) -> bool:
        """Whether a piece is aboard a model that is in play."""
        carrier = self.aboard.get(piece)
        return carrier is not None and self.is_in_play(carrier)

    def riders_of(self, carrier: str) -> tuple[str, ...]:
        """The known riders of a model, without those who are lost or have exited."""
        riders = []
        for rider, ridden in self.aboard.items():
            if ridden == carrier and self.is_in_play(rider):
                riders.append(rider)
        return tuple(riders)

    def nation_of(self, side: str) -> Nation | None:
        """The nation whose traits a side has; None where nationalities are not played."""
        nation = self.setup.side_by_id[side].nation
        if not nation or not self.options.nationalities:
            return None
        return self.setup.catalog.nations[nation]

    def quality_of(self, side: str) -> Quality | None:
        """The force quality of a side; None where it is not played."""
        name = self.quality.get(side)
        if not name:
            return None
        return self.setup.catalog.qualities[name]

    def source_of(self, side: str) -> str:
        """The id of the deck or die from which a side draws."""
        return self.setup.source_of(side)


class Event(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="event"):
    """Something that happened in the battle, with what it changes, how it is told and who may see
    it. A draw is stored in its event."""

    def apply(self, state: State) -> State:
        """The state after the event. Never judges, refuses or draws. Nothing changes for a piece
        that is not in the battle."""
        return state

    def narrate(self, state: State) -> str:
        """The sentence of the journal; empty if the sentence of another event includes this one.
        Only names are taken from the ``state``."""
        del state
        return ""

    def seen(self, secrets: Secrets) -> Event | None:
        """The event as others may see it, field by field, without anything about secret pieces.
        None if all of it is about them."""
        changed_fields = shown(self, secrets)
        if changed_fields is None:
            return None
        # Most events conceal nothing, and need no copy.
        if not changed_fields:
            return self
        return replace(self, **changed_fields)

    def subjects(self) -> set[str]:
        """The names of the pieces that it is about, and of the shots (``shot_name``)."""
        subjects: set[str] = set()
        for name, mark in marks_of(type(self)).items():
            if mark.names_pieces:
                subjects |= _ids(getattr(self, name))
        return subjects

    def weight(self) -> int:
        """How much of a highlight it is, in potential dead guys (PDG)."""
        return 0


def _ids(named: str | Sequence[str | Piece]) -> set[str]:
    """The ids in a field that names pieces: an id, several ids, or the new pieces themselves."""
    if isinstance(named, str):
        return {named}
    ids = set()
    for piece in named:
        if isinstance(piece, Piece):
            ids.add(piece.id)
        else:
            ids.add(piece)
    return ids


NOTE, ARRIVAL, SURPRISE, BREAKDOWN = 6, 5, 4, 3
"""The weights (``Event.weight``) of events without losses. They are our choice: a breakdown is as
much of a highlight as three dead guys."""


class AgendaStep(Event, frozen=True, kw_only=True):
    """An event with the agenda after it (``then``). That is stored, so that a later change of the
    rules cannot change how an old battle goes on."""

    then: Then = ()

    def apply(self, state: State) -> State:
        return replace(state, agenda=self.then, ask=None)


class ShotEvent(AgendaStep, frozen=True, kw_only=True):
    """A step in the resolution of a shot."""

    shot: ShotSeen


class Judged(ShotEvent, frozen=True, kw_only=True, tag="judged"):
    """A shot has its draw and its verdict."""

    draw: Draw
    needs: int
    """The highest rank that hits."""
    hit: bool
    saved_by: PublicTextOrNone = None
    """``cover`` or ``hull_down``, if that makes a draw that was low enough a miss."""
    explain: PublicText
    """The verdict in a sentence."""
    second: bool = False
    """Whether this is the second draw of a breakdown, which decides the shot in place of the first
    (P82)."""
    shuffle: int | None = None
    """The number of the shuffle of the deck from which the card came; None in journals of earlier
    versions."""

    def apply(self, state: State) -> State:
        judged = state.judged_in_turn_of(self.shot.id)
        # A second draw replaces the verdict of the first. Where a shot is judged again, an event
        # before this one took its old verdict back.
        if self.second:
            judged = tuple(verdict for verdict in judged if verdict.shot.id != self.shot.id)
        # The shooter is unknown if the line of the journal that added it was made void.
        if state.knows(self.shot.piece):
            judged = (*judged, self)
        after = super().apply(state.with_judged(self.shot.id, judged))
        return replace(after, verdict=self)

    def subjects(self) -> set[str]:
        return super().subjects() | {shot_name(self.shot.id)}


class Tested(ShotEvent, frozen=True, kw_only=True, tag="tested"):
    """The breakdown draw of a shot ("Breakdowns")."""

    draw: Draw
    broken: bool
    explain: PublicText
    """The result in a sentence."""

    def apply(self, state: State) -> State:
        return replace(super().apply(state), verdict=self)

    def narrate(self, state: State) -> str:
        result = "it holds."
        if self.broken:
            result = "it breaks."
        return f"Breakdown draw {self.draw}: {result}"

    def weight(self) -> int:
        if self.broken:
            return BREAKDOWN
        return 0


class HitsCounted(ShotEvent, frozen=True, kw_only=True, tag="hits_counted"):
    """The players' count of a volley: ``pieces`` fired like ``shot``, the first of them."""

    pieces: PieceIds
    needs: int
    """The highest rank that hits."""
    reach: int
    """The most targets that could be hit: what hits of the volley that were typed card by card had
    left of the reach of its ``shot``."""
    low: int
    """How many drew a rank that hits, those that were saved included."""
    saved: int
    """How many of these were of a suit that cover or hull down (``saved_by``) turns into a miss.
    They are counted even if, judged again, the target has neither."""
    saved_by: PublicTextOrNone
    hits: int
    aces: int
    """How many of the hits were aces, which kill the very man aimed at."""
    broken: int
    """How many broke down. Nobody says which of the pieces did, so the last ones are taken."""
    draws: int
    """How many draws were made, those of repeat fire included: each is a shot with a number."""
    slots: tuple[int, ...] = ()
    """The slots of the pieces, if they differ from that of ``shot``."""
    shuffle: int | None = None
    meant: bool = False
    """Whether, judged again, it was fired by or at another row than recorded before."""

    def subjects(self) -> set[str]:
        return super().subjects() | {shot_name(self.shot.id)}

    @property
    def shots(self) -> list[Shooting]:
        """One shot of each piece, without its repeat shots."""
        slots = self.slots
        if not slots:
            slots = (self.shot.slot,) * len(self.pieces)
        shots = []
        for piece, slot in zip(self.pieces, slots, strict=True):
            shots.append(replace(self.shot, piece=piece, slot=slot))
        return shots

    def apply(self, state: State) -> State:
        counts = state.counts_in_turn_of(self.shot.id)
        # Pieces may be unknown, as in ``Judged.apply``.
        if all(state.knows(piece) for piece in self.pieces):
            counts = (*counts, self)
        after = super().apply(state.with_counts(self.shot.id, counts))
        # A count has no verdict on a single shot that could be shown large.
        after = replace(after, verdict=None)
        if state.past_turn_of(self.shot.id) is not None:
            # Only counted again: who has fired in the present turn is unchanged.
            return after
        return replace(
            after,
            fired=state.fired | {use_of(shot) for shot in self.shots},
            # Each draw has a number of its own, from that of the volley's first shot on: three
            # draws from shot 7 on are 7, 8 and 9.
            shots=max(state.shots, self.shot.id - 1 + self.draws),
        )

    def narrate(self, state: State) -> str:
        return f"Counted: {self._numbers}"

    def narrate_anew(self, state: State) -> str:
        """The sentence of a volley that is counted again, with its circumstances: no other sentence
        of that line has them."""
        if self.meant:
            return f"{state.words.volley_at_whom(self.shot)}. Counted: {self._numbers}"
        return f"Counted{stated_cover(self.shot.at)}: {self._numbers}"

    @property
    def _numbers(self) -> str:
        """``12 fired, 7 low enough (1 ace, 2 saved by cover).``"""
        of_these = []
        if self.aces == 1:
            of_these.append("1 ace")
        elif self.aces:
            of_these.append(f"{self.aces} aces")
        if self.saved:
            # Cover and hull down make misses of black cards. Judged again without either, nothing
            # saved them: all that is known is that their cards were black.
            saved = "black"
            if self.saved_by:
                saved = f"saved by {self.saved_by.replace('_', ' ')}"
            of_these.append(f"{self.saved} {saved}")
        if self.broken:
            of_these.append(f"{self.broken} broken down")
        text = f"{len(self.pieces)} fired, {self.low} low enough"
        if of_these:
            text += f" ({', '.join(of_these)})"
        return f"{text}."

    def seen(self, secrets: Secrets) -> Event | None:
        if secrets.known(self.pieces) == self.pieces:
            return super().seen(secrets)
        # If hidden shooters are left out, the slots no longer belong to the pieces in order. (With
        # ``self.seen`` the changed event would come back to here.)
        return Event.seen(replace(self, slots=()), secrets)


class Ceased(AgendaStep, frozen=True, kw_only=True, tag="ceased"):
    """The end of a volley; ``unused`` shooters had no target left and have not fired."""

    fired: int
    hits: int
    unused: int

    def apply(self, state: State) -> State:
        return replace(super().apply(state), ceased=self)

    def narrate(self, state: State) -> str:
        hits = f"{self.hits} hits."
        if self.hits == 1:
            hits = "1 hit."
        if not self.unused:
            return hits
        return f"{hits} {self.not_fired}"

    @property
    def not_fired(self) -> str:
        """How many shooters of the volley have not fired, as a sentence."""
        return f"{self.unused} had nobody left to shoot at and may still fire."


_CHECKS: dict[CheckKind, str] = {
    "pin": "pin test",
    "command": "command check",
    "entrench": "digging check",
    "wire": "wire cutting",
}
"""What each kind of check is called in the journal."""


class Checked(AgendaStep, frozen=True, kw_only=True, tag="checked"):
    """A check has its draw and its result."""

    check: CheckKind
    side: PublicText
    row: RowIfKnown = None
    """Whom it is about."""
    draw: Draw | None = None
    """None for wire, which is cleared without a draw."""
    result: bool
    """Whether it happens: the men are pinned, the movement is over, the work is dug or cleared."""
    explain: PublicText
    of: PublicText = ""
    """For wire, the side to which it belongs; empty for other checks, and in battles of earlier
    versions."""
    shot: int = 0
    """The shot that caused a pin test, or the first one of its repeat fire or volley; 0 in battles
    of earlier versions."""
    lone: bool = False
    """Whether a man was tested by himself, and not as one of a group."""

    def apply(self, state: State) -> State:
        state = replace(super().apply(state), checked=self)
        if self.check == "pin" and self.shot:
            state = replace(state, pin_tests=(*state.pin_tests, self))
        if not self.result:
            return state
        match self.check:
            case "command":
                return replace(state, movement_over=True)
            case "pin" if self.row and state.clock.phase == 1:
                # A pinned group moves no further, which matters in phase 1 only.
                pins = state.pinned.get(self.row, 0) + 1
                return replace(state, pinned={**state.pinned, self.row: pins})
            case "entrench":
                return self._with_works(state, self.side, "entrenchment", 1)
            case "wire":
                # Battles of earlier versions do not say whose: the wire was always the enemy's.
                owner = self.of or state.setup.enemy_of(self.side).id
                cleared = replace(state, cleared_now=state.cleared_now + 1)
                return self._with_works(cleared, owner, "barbed_wire", -1)
        return state

    def is_test_because_of(self, shots: Collection[int], row: str, lone: bool) -> bool:
        """Whether one of these shots caused this pin test of that row, in a group or ``lone``.
        Tests of early versions do not say what caused them, so it is never known of these."""
        return self.shot in shots and self.row == row and self.lone == lone

    def _with_works(self, state: State, side: str, work: str, change: int) -> State:
        """The state in which a side has so many more of a kind of works, or fewer. Never
        fewer than none: wire may be cleared that nobody wrote down."""
        works = state.works.get(side, {})
        changed = {**works, work: max(works.get(work, 0) + change, 0)}
        return replace(state, works={**state.works, side: changed})

    def narrate(self, state: State) -> str:
        return f"{state.words.sentence_start(self.side, _CHECKS[self.check])}. {self.explain}"


class Counted(Event, frozen=True, kw_only=True, tag="counted"):
    """What the players counted by eye (``values``, by side) and when (``clock``). The terms of
    victory say what is counted, such as the buildings that each side holds."""

    values: Annotated[dict[str, int], OPEN]
    clock: Clock

    def apply(self, state: State) -> State:
        return replace(state, eye_count=self)

    def narrate(self, state: State) -> str:
        people = state.words.people
        counts = ", ".join(f"{people(side)} {number}" for side, number in self.values.items())
        return f"Counted: {counts}."


class Finished(Event, frozen=True, kw_only=True, tag="finished"):
    """The battle is over."""

    winner: PublicTextOrNone
    """None: it is a draw."""
    reason: Annotated[str, OWN]
    agreed: bool = False
    """Whether the players ended it."""
    withdrawn: bool = False
    """Whether the loser gave up a battle of a campaign."""

    def apply(self, state: State) -> State:
        # If the program ended the battle, the players may play on, and what was open is still due.
        # If they ended it themselves, they have given up what was open.
        cut_off = state.agenda
        if self.agreed:
            cut_off = ()
        return replace(state, outcome=self, ask=None, agenda=(), cut_off=cut_off, hand=())

    def narrate(self, state: State) -> str:
        won = "A draw."
        if self.winner:
            won = f"{state.setup.does(self.winner, 'win', 'wins', article='The')}."
        return f"{won} {self.reason}"

    def seen(self, secrets: Secrets) -> Event | None:
        # The other fields are open. What is said of the reason depends on who gave it.
        return replace(self, reason=secrets.reason(self.reason, self.agreed))
