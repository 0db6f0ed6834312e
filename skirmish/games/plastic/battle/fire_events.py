"""Events of shots and volleys, of questions, of decks and dice, and of draws other than shots. The
verdict of a shot (``Judged``) and what else the state keeps stand in ``state``. The ``source`` of a
draw is the id of the side whose deck or die it comes from.

The type of a field says what of it another viewer may see (``shown``): all of ``OPEN`` and
``Public…`` fields; of ``OWN`` ones what the event's own ``seen`` leaves.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import compress
from typing import Annotated, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import (
    LotKind,
    OutcomeAsk,
    Shooting,
    ToVolley,
)
from skirmish.games.plastic.battle.names import piece_side, row_unit, shot_name, weapon_slot
from skirmish.games.plastic.battle.shown import (
    OPEN,
    OWN,
    Advice,
    AskSeen,
    PieceId,
    PiecesIfKnown,
    PublicText,
    PublicTextOrNone,
    RowId,
    Secrets,
    ShotIfKnown,
    Shown,
)
from skirmish.games.plastic.battle.state import (
    SURPRISE,
    AgendaStep,
    Checked,
    Clock,
    Event,
    HitsCounted,
    Judged,
    ShotEvent,
    State,
    claimed,
    use_of,
)
from skirmish.games.plastic.rules.shot import Circumstances, ranks_that_hit
from skirmish.tabletop.chance import Draw, Source, spell

ValueT = TypeVar("ValueT")


def back_on_the_table(state: State, pieces: Iterable[str]) -> State:
    """The state with these pieces neither lost nor exited, and without what that counted.

    Events call it before a loss or an exit, too, lest a piece count twice. That happens if a piece
    is lost, put back and lost again, and the line that put it back is made void.
    """
    off_the_table = {piece for piece in pieces if not state.is_up(piece)}
    if not off_the_table:
        return state
    loss = dict(state.loss)
    for piece in off_the_table:
        side = piece_side(piece)
        loss[side] = loss.get(side, 0) - state.worth_lost.get(piece, 0)
        # In the basic game its exit was charged to the enemy as a loss.
        if piece in state.charged:
            foe = state.setup.enemy_of(side).id
            loss[foe] = loss.get(foe, 0) - state.charged[piece]
    return replace(
        state,
        loss=loss,
        lost=_without(state.lost, off_the_table),
        exited=_without(state.exited, off_the_table),
        worth_lost=_without(state.worth_lost, off_the_table),
        charged=_without(state.charged, off_the_table),
    )


def _without(by_piece: Mapping[str, ValueT], pieces: Container[str]) -> dict[str, ValueT]:
    """The entries of all pieces but these."""
    return {piece: value for piece, value in by_piece.items() if piece not in pieces}


class Aimed(ShotEvent, frozen=True, kw_only=True, tag="aimed"):
    """A weapon fires. ``needs`` is the highest rank that hits; ``overruled`` is the program's
    advice against the shot, which the players set aside."""

    side: PublicText
    needs: int
    overruled: Advice = ""

    def apply(self, state: State) -> State:
        used = state.use(self.shot.piece, self.shot.slot)
        return replace(
            super().apply(state),
            fired=state.fired | {used},
            # The number of the last shot: those of the next ones go on from it.
            shots=self.shot.id,
            # What the shot before it came to is of no more use.
            verdict=None,
            checked=None,
            ceased=None,
        )

    def subjects(self) -> set[str]:
        return super().subjects() | {self.shot.piece, shot_name(self.shot.id)}


class VolleyedSquad(msgspec.Struct, frozen=True, kw_only=True):
    """So many (``count``) of another row, ``shooter``, who fire in the same volley; ``needs``: the
    highest rank that hits."""

    shooter: str
    weapon: str
    count: int
    needs: int


def _squads_known(squads: tuple[VolleyedSquad, ...], secrets: Secrets) -> tuple[VolleyedSquad, ...]:
    """Those of rows that the viewer knows."""
    return tuple(squad for squad in squads if squad.shooter not in secrets.rows)


class Volleyed(AgendaStep, frozen=True, kw_only=True, tag="volleyed"):
    """A volley begins: ``count`` of the row ``shooter``, then those in ``more``, fire at the row
    ``target``, of whom ``reach`` can be hit; ``needs``: the highest rank that hits. Its shots
    follow as events of their own. ``overruled`` is as of ``Aimed``; ``at``: what the players said
    of the shots, such as cover; None in journals of earlier versions."""

    side: PublicText
    shooter: RowId
    target: RowId
    weapon: PublicText
    count: int
    reach: int
    needs: int
    more: Annotated[tuple[VolleyedSquad, ...], Shown(_squads_known)] = ()
    overruled: Advice = ""
    at: Circumstances | None = None

    def apply(self, state: State) -> State:
        return replace(super().apply(state), verdict=None, checked=None, ceased=None)

    def narrate(self, state: State) -> str:
        words = state.words
        shooters = [words.row(self.shooter, self.count)]
        needs = [ranks_that_hit(self.needs)]
        for squad in self.more:
            shooters.append(words.row(squad.shooter, squad.count))
            # In the order of the squads, as each may need another rank.
            needs.append(ranks_that_hit(squad.needs))
        target = words.row(self.target, 1)
        circumstances = self._circumstances()
        if circumstances is not None:
            target += claimed(circumstances)
        return (
            f"Volley: {', '.join(shooters)} > {target}, {self.reach} in reach, "
            f"needs {', '.join(needs)}."
        )

    def _circumstances(self) -> Circumstances | None:
        """What the players said of the shots, such as cover; None if they did not say it."""
        if self.at is not None:
            return self.at
        # Journals of an earlier version only have them in the agenda.
        if self.then and isinstance(self.then[0], ToVolley):
            return self.then[0].shot.at
        return None


class Held(AgendaStep, frozen=True, kw_only=True, tag="held"):
    """An open repeat shot was declined, or a step of the agenda had nothing to do."""


class Recalled(AgendaStep, frozen=True, kw_only=True, tag="recalled"):
    """The verdict of a shot is taken back, to be given anew."""

    shot: int
    back: PiecesIfKnown
    """The dead who stand up again."""
    later: int = 0
    """How many later shots of its run of fire stand."""
    mended: ShotIfKnown = None
    """The shot, if a breakdown was read from it that was none."""
    chain: tuple[int, ...] = ()
    """The later shots of its run of fire that are taken back with it."""
    instead: ShotIfKnown = None
    """The shot as it is judged now, if another piece fired it."""
    turn: int = 0
    """The game turn of the shot, if that is over; else 0."""

    def apply(self, state: State) -> State:
        judged_before = state.judged_in_turn_of(self.shot)
        counts = state.counts_in_turn_of(self.shot)
        taken_back = {self.shot, *self.chain}
        state = back_on_the_table(state, self.back)
        if self.mended is not None:
            state = _mended(state, self.mended)
        verdicts_left = [verdict for verdict in judged_before if verdict.shot.id not in taken_back]
        # A volley of which only the hits were counted has the number of its first shot.
        counts_left = [counted for counted in counts if counted.shot.id != self.shot]
        state = state.with_judged(self.shot, verdicts_left).with_counts(self.shot, counts_left)
        # Of an earlier turn nobody need know who may still fire: everybody could fire again since.
        is_of_present_turn = state.past_of(self.shot) is None
        if self.instead is not None and is_of_present_turn:
            fired_first = self._fired_first(judged_before, counts)
            state = _fired_by(state, self.instead, fired_first)
        return replace(super().apply(state), outcome=None)

    def _fired_first(self, judged: Iterable[Judged], counts: Iterable[HitsCounted]) -> set[str]:
        """The weapons of the pieces that fired the shot, or all shots of the counted volley."""
        fired = {use_of(verdict.shot) for verdict in judged if verdict.shot.id == self.shot}
        for counted in counts:
            if counted.shot.id == self.shot:
                fired |= {use_of(shot) for shot in counted.shots}
        return fired

    def narrate(self, state: State) -> str:
        text = "Judged again."
        if self.turn:
            text = f"Judged again (turn {self.turn})."
        if self.back:
            text += f" Back on the table: {state.words.counted(self.back)}."
        if self.chain:
            text += f" Repeat shots taken back: {len(self.chain)}."
        # Repeat shots that stand may not have been possible: only the players know that.
        elif self.later == 1:
            text += " Check the repeat shot after it."
        elif self.later:
            text += f" Check the {self.later} repeat shots after it."
        return text


def _mended(state: State, shot: Shooting) -> State:
    """The state without the breakdown of a shot: a guy who became a rifleman for it is what he was,
    and the weapon works."""
    turned = dict(state.turned)
    # "Breakdowns": a guy goes on as a rifleman, a model loses the weapon. Undoing what was not done
    # changes nothing.
    turned.pop(shot.piece, None)
    disarmed = state.disarmed - {weapon_slot(shot.piece, shot.slot)}
    return replace(state, turned=turned, disarmed=disarmed)


def _fired_by(state: State, instead: Shooting, fired_first: set[str]) -> State:
    """The state in which the shot ``instead`` was fired, by another piece than those that
    ``fired_first`` (as uses of weapons). These may fire again, unless they did so in another
    shot."""
    still_fired = {use_of(verdict.shot) for verdict in state.judged}
    for counted in state.counts:
        still_fired |= {use_of(shot) for shot in counted.shots}
    may_fire = fired_first - still_fired
    fired = (state.fired - may_fire) | {use_of(instead)}
    return replace(state, fired=fired)


class FiredSince(Event, frozen=True, kw_only=True, tag="fired_since"):
    """A piece that dies by a shot judged again has fired after that shot: its ``shots`` stand, but
    must be checked. ``targets`` (rows) and ``turns`` are those of the ``shots``, in the same
    order."""

    piece: PieceId
    shots: tuple[int, ...]
    targets: Annotated[tuple[str, ...], OWN]
    turns: tuple[int, ...]

    def narrate(self, state: State) -> str:
        words = state.words
        shots: dict[str, None] = {}  # each target and turn once, in their order
        for target, turn in zip(self.targets, self.turns, strict=True):
            shots[f"at {words.row(target, 1)} in turn {turn}"] = None
        return f"{words.piece(self.piece)} fired after it, {' and '.join(shots)}: check that too."

    def seen(self, secrets: Secrets) -> Event | None:
        # Of a piece that he does not know a viewer may not even learn that it fired.
        if self.piece in secrets.pieces:
            return None
        in_the_open = [target not in secrets.rows for target in self.targets]
        return replace(
            self,
            shots=tuple(compress(self.shots, in_the_open)),
            targets=tuple(compress(self.targets, in_the_open)),
            turns=tuple(compress(self.turns, in_the_open)),
        )


class Reopened(Event, frozen=True, kw_only=True, tag="reopened"):
    """The battle was over by a shot that is now judged otherwise."""

    def narrate(self, state: State) -> str:
        return "So the battle is not over yet."


class Asked(Event, frozen=True, kw_only=True, tag="asked"):
    """The battle waits for an answer of the players."""

    ask: AskSeen

    def apply(self, state: State) -> State:
        return replace(state, ask=self.ask)

    def narrate(self, state: State) -> str:
        if isinstance(self.ask, OutcomeAsk):
            return "The last turn is over."
        return ""


class Laid(Event, frozen=True, kw_only=True, tag="laid"):
    """A player's own draws, ready to be used. ``twice``: cards that were already gone."""

    source: PublicText
    draws: tuple[Draw, ...]
    twice: tuple[Draw, ...] = ()

    def apply(self, state: State) -> State:
        # The question is closed: what was asked for lies on the table, and the steps take it from
        # there.
        return replace(state, hand=self.draws, hand_of=self.source, ask=None)

    def narrate(self, state: State) -> str:
        # The draws themselves are told by the events that use them.
        if not self.twice:
            return ""
        names = []
        for card in self.twice:
            # Where no suit mattered only the rank was typed.
            name = card.rank_words
            if card.suit:
                name = card.words
            names.append(name)
        return f"[The {', '.join(names)} had gone before: one of the two was mistyped.]"


class Unread(Event, frozen=True, kw_only=True, tag="unread"):
    """Draws that were typed in and that nothing needed: the last of several."""

    draws: tuple[Draw, ...]

    def apply(self, state: State) -> State:
        return replace(state, hand=())

    def narrate(self, state: State) -> str:
        return f"Typed but not needed: {spell(self.draws)}."


def _shuffled_by_hand(source: Source, shuffle: int | None, aside: Draw | None = None) -> Source:
    """A player's own deck at the time of a draw. A draw has the number of its ``shuffle``. If the
    deck has had fewer shuffles, the line in which the player shuffled it was made void. The cards
    drawn since came from the shuffled deck all the same, so that shuffle is made up for here.
    ``shuffle`` is None where an earlier version has not stored it; ``aside``: the card that the
    player left out of that shuffle."""
    if not (source.typed and source.kind == "deck"):
        return source
    if shuffle is None or source.shuffles >= shuffle:
        return source
    return replace(source, shuffles=shuffle, gone=(), aside=aside)


def _with_source(state: State, side: str, source: Source) -> State:
    """The state after something was drawn from the deck or die of a side."""
    return replace(state, sources={**state.sources, side: source})


class Shuffled(Event, frozen=True, kw_only=True, tag="shuffled"):
    """A deck was shuffled; ``aside`` was left out."""

    source: PublicText
    aside: Draw | None = None

    def apply(self, state: State) -> State:
        shuffled = state.sources[self.source].shuffle(self.aside)
        return _with_source(state, self.source, shuffled)

    def narrate(self, state: State) -> str:
        return f"The {state.setup.owned_by(self.source, 'deck')} is shuffled."


class DrawMade(Event, frozen=True, kw_only=True, tag="drawn"):
    """A card is drawn or a die rolled. ``shuffle``, the card left ``aside`` in it and ``nth`` (how
    many were drawn or rolled before it) say which draw of its source it is."""

    source: PublicText
    draw: Draw
    shuffle: int
    aside: Draw | None = None
    nth: int

    def apply(self, state: State) -> State:
        source = _shuffled_by_hand(state.sources[self.source], self.shuffle, self.aside)
        state = _with_source(state, self.source, source.drawn(self.draw))
        return replace(state, ask=None, hand=state.hand[1:])


class Reread(Event, frozen=True, kw_only=True, tag="reread"):
    """A card or roll that was typed in is corrected from ``was`` to ``draw``. ``shuffled``: the
    deck has been shuffled since, so that the present one is not changed by it."""

    source: PublicText
    was: Draw
    draw: Draw
    shuffled: bool = False

    def apply(self, state: State) -> State:
        if self.shuffled:
            return state
        reread = state.sources[self.source].reread(self.was, self.draw)
        return _with_source(state, self.source, reread)

    def narrate(self, state: State) -> str:
        return f"It was {_the(self.draw)}, not {_the(self.was)}."


def _the(draw: Draw) -> str:
    """``the 8 of hearts``, ``5``: a roll has no suit and takes no article."""
    if draw.suit:
        return f"the {draw.words}"
    return draw.words


class Spent(Event, frozen=True, kw_only=True, tag="spent"):
    """A draw that is gone from its source, and of which nothing else counts: of a void line, or of
    a volley whose hits were counted. ``times``: so many draws alike. ``shuffle``: as of
    ``DrawMade``; None in journals of earlier versions."""

    source: PublicText
    draw: Draw
    times: int = 1
    shuffle: int | None = None

    def apply(self, state: State) -> State:
        source = _shuffled_by_hand(state.sources[self.source], self.shuffle)
        for _ in range(self.times):
            source = source.drawn(self.draw)
        return _with_source(state, self.source, source)


class PinMarked(Event, frozen=True, kw_only=True, tag="pin_marked"):
    """The players say how many groups of a row are pinned."""

    row: RowId
    pins: int

    def apply(self, state: State) -> State:
        return replace(state, pinned={**state.pinned, self.row: self.pins})

    def narrate(self, state: State) -> str:
        row = state.words.row(self.row, 1)
        if not self.pins:
            return f"{row}: no longer pinned."
        return f"{row}: {self.pins} pinned."


class PinsRecalled(Event, frozen=True, kw_only=True, tag="pins_recalled"):
    """Fire was judged again and causes fewer pin tests of a row."""

    row: RowId
    lone: bool
    """As of ``Checked``."""
    shots: tuple[int, ...]
    """The shots that caused the tests."""
    draws: int
    """How many of the tests stand: the first ones."""
    pins: int
    """How many of these pin, at most."""
    lifted: int
    """How many of the row are no longer pinned."""

    def apply(self, state: State) -> State:
        tests: list[Checked] = []
        draws, pins = self.draws, self.pins
        for test in state.pin_tests:
            if not test.is_test_because_of(self.shots, self.row, self.lone):
                tests.append(test)
            # The first ones stand; those that are too many are left out.
            elif draws > 0:
                draws -= 1
                still_pins = test.result and pins > 0
                if still_pins:
                    pins -= 1
                tests.append(replace(test, result=still_pins))
        left = max(state.pinned.get(self.row, 0) - self.lifted, 0)
        return replace(
            state, pin_tests=tuple(tests), pinned={**state.pinned, self.row: left}, checked=None
        )

    def narrate(self, state: State) -> str:
        if not self.lifted:
            return ""
        return f"{state.words.row(self.row, 1)}: not pinned by it after all."


class PinsStand(Event, frozen=True, kw_only=True, tag="pins_stand"):
    """Fire of a movement that is over was judged again, and no pin can be changed any more.
    ``owed``: as it is judged now, the row should have drawn more pin tests than it did; else fewer,
    and it may have been pinned by one too many."""

    row: RowId
    owed: bool

    def narrate(self, state: State) -> str:
        unit = state.setup.unit(row_unit(self.row)).short
        if self.owed:
            return f"{unit} owed a pin test for it; that movement is over."
        return f"{unit} owed no pin test for it; if it was pinned, check where it is."


class Tabled(AgendaStep, frozen=True, kw_only=True, tag="tabled"):
    """The ``nth`` draw for a draw table of the scenario (``happening``, by its index), and what it
    brings, in a sentence (``explain``). ``entry``: where the reinforcements enter, once this
    or an earlier draw for the table has said it."""

    happening: int
    side: PublicText
    nth: int
    draw: Draw
    explain: PublicText
    entry: PublicTextOrNone = None

    def narrate(self, state: State) -> str:
        return f"{state.words.sentence_start(self.side, f'draw {self.nth}')}. {self.explain}"


class ChargesDrawn(AgendaStep, frozen=True, kw_only=True, tag="charges_drawn"):
    """The draw for charges of the scenario, by their id; ``blown``: they went off. ``explain``:
    what the draw came to, in a sentence."""

    charges: PublicText
    side: PublicText
    draw: Draw
    blown: bool
    explain: PublicText

    def apply(self, state: State) -> State:
        after = super().apply(state)
        if self.blown:
            after = replace(after, blown=after.blown | {self.charges})
        return after

    def narrate(self, state: State) -> str:
        return f"{state.words.sentence_start(self.side, 'charges')}. {self.explain}"

    def weight(self) -> int:
        if self.blown:
            return SURPRISE
        return super().weight()


class ChargesCut(Event, frozen=True, kw_only=True, tag="charges_cut"):
    """The enemy of the side that laid them cut the charges, by their id; ``what``: the bridge or
    the like that they were to blow up."""

    charges: PublicText
    what: PublicText
    side: PublicText

    def apply(self, state: State) -> State:
        return replace(state, cut=state.cut | {self.charges})

    def narrate(self, state: State) -> str:
        return f"{state.words.sentence_start(self.side, 'charges')}. Cut: {self.what} stays."

    def weight(self) -> int:
        return SURPRISE


class Toggled(Event, frozen=True, kw_only=True, tag="toggled"):
    """A special rule of the scenario, such as dust, begins or ends with a card."""

    name: PublicText
    on: bool

    def apply(self, state: State) -> State:
        toggled = state.toggled - {self.name}
        if self.on:
            toggled |= {self.name}
        return replace(state, toggled=toggled)

    def narrate(self, state: State) -> str:
        begins_or_ends = "ends"
        if self.on:
            begins_or_ends = "begins"
        return f"{self.name.capitalize()} {begins_or_ends}."

    def weight(self) -> int:
        return SURPRISE


class LotCast(AgendaStep, frozen=True, kw_only=True, tag="lot_cast"):
    """Both sides drew lots, for terrain or for sides. ``first``: the side with the higher draw,
    None after a tie."""

    lot: LotKind
    draws: Annotated[dict[str, Draw], OPEN]
    first: PublicTextOrNone

    def apply(self, state: State) -> State:
        state = super().apply(state)
        # The lot for terrain changes nothing here: who places it first is said only.
        if self.lot == "side" and self.first is not None:
            first_phase = Clock(turn=1, side=self.first, phase=1)
            return replace(state, first=self.first, clock=first_phase)
        return state

    def narrate(self, state: State) -> str:
        people = state.words.people
        drew = ", ".join(f"{people(side)} {draw}" for side, draw in self.draws.items())
        result = "a tie, draw again"
        if self.first is not None:
            result = f"{people(self.first)} first"
        drawn_for: str = self.lot
        if self.lot == "side":
            drawn_for = "sides"
        return f"Draw for {drawn_for}: {drew}; {result}."
