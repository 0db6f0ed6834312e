"""All orders of a turn but fire: the sequence of play and its end, loading, entering and leaving
the table, the scenario's services and reveals; corrections, notes and agreements by the players.

An order begins with what is known of every one of its kind: whose commands lead to it
(``begun_by``), when it can be given (``when``), how the journal shows it (``in_journal``), and why
it cannot be made void (``not_void``). ``Order`` in ``resolution`` lists their values and defaults;
most orders are given ``at rest`` (no question is open) and begin a line of their own. ``given_by``
returns the sides to which an order belongs that is given: an ``Unload`` to the side of its carrier,
for example.

There are three ways to refuse. ``nonsense`` cannot be overruled: the order is about nothing. What
``run.advise`` says can: with ``insist`` the order is given just the same. A ``Refused`` that is
raised by hand can be overruled too, but with other orders, which ``orders_if_insisted`` returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, command_events, ending, events
from skirmish.games.plastic.battle.commanders import groups_after_unloading
from skirmish.games.plastic.battle.names import piece_code, piece_side, row_named, row_side
from skirmish.games.plastic.battle.orders.resolution import (
    Begun,
    Order,
    OrderOfRow,
    OrderOfSide,
    Resolution,
    both_sides,
)
from skirmish.games.plastic.battle.orders.tables import tables_and_charges_owed
from skirmish.games.plastic.battle.rows import (
    Row,
    existing_row,
    fights_as,
    newly_made,
    row_of,
    rows,
    worth_of,
)
from skirmish.games.plastic.battle.setup import CARDS_ONLY, Contingent, Level
from skirmish.games.plastic.battle.state import Clock, State
from skirmish.games.plastic.battle.victory import NOT_COUNTED, victory_kind
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.scenarios.scenario import (
    MayConvert,
    NeedsService,
    Trait,
)
from skirmish.tabletop.chance import Source
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

LAST_PHASE = 4
LAST_TURN, MOST_COUNTED = 999, 999
"""The highest turn and count that can be typed."""
_NOT_VOID = "A phase or turn cannot be made void; T sets the clock."
_TAKE_BACK = "Backspace takes this back."
LONGEST_NOTE, LONGEST_NAME = 500, 20
"""The most characters of a note or a secret, and of a commander's name."""
MOST_AT_ONCE = 99
"""How many units one order adds."""


class EndTurn(Order, frozen=True, tag="end_turn"):
    """The end of a player turn, and so of the battle if its time is up."""

    begun_by: ClassVar[Begun] = "mover"
    when = "clock"
    not_void = _NOT_VOID

    def carry_out(self, run: Resolution) -> None:
        # An army breaks at once or, if P74 is ``end_of_phase``, only here and at the end of each
        # phase (``end_by_break_point`` looks that up).
        broken = ending.end_by_break_point(run.state, "end_of_phase")
        if broken is not None:
            run.emit(broken)
            return
        state, clock = run.state, run.state.clock
        # A game turn is one turn of each side. The side that moves first is the same in all of
        # them.
        following = Clock(clock.turn, state.second, phase=1)
        if clock.side == state.second:
            following = Clock(clock.turn + 1, state.first, phase=1)
        # P24: after each game turn, or after the turn of each side.
        if following.turn != clock.turn or state.setup.rulings["P24"] == "player_turn":
            _shuffle_all(run)
        # Decided before the clock goes on: a term with "by the end of turn 9" counts turn 9 in
        # full.
        end = ending.end_of_player_turn(state)
        if end is not None:
            run.emit(end)
            return
        # The draws with which the next turn begins, on a table of the scenario or for charges: they
        # are part of this event, so that a battle which is opened again right here still owes them.
        then = tables_and_charges_owed(state, following.turn, following.side)
        run.emit(events.TurnEnded(clock=following, then=then))
        run.go_on()

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


def _shuffle_all(run: Resolution) -> None:
    """Shuffles the decks, as is due "at the end of every turn" ("Equipment Needed"). Full ones too:
    their cards may have been drawn, seen and taken back."""
    state = run.state
    # Where both sides draw from one deck, it is shuffled once.
    source_names = dict.fromkeys(state.source_of(side.id) for side in state.setup.sides)
    for name in source_names:
        if state.sources[name].kind == "deck":
            run.emit(events.Shuffled(source=name))


class EndPhase(EndTurn, frozen=True, tag="end_phase"):
    """The end of a phase; that of the last one ends the player turn."""

    begun_by = "both sides"

    def carry_out(self, run: Resolution) -> None:
        clock = run.state.clock
        # Phase 4 has no end of its own, or the clock would stand for a moment between two turns.
        if clock.phase == LAST_PHASE:
            super().carry_out(run)
            return
        following = Clock(clock.turn, clock.side, clock.phase + 1)
        end = ending.end_by_break_point(run.state, "end_of_phase")
        run.emit(end or events.PhaseEnded(clock=following))

    def given_by(self, state: State) -> tuple[str, ...]:
        return both_sides(state)


class SetClock(Order, frozen=True, kw_only=True, tag="set_clock"):
    """Another moment of the battle, where the program and the table differ."""

    when = "clock"
    not_void = _NOT_VOID

    turn: int
    side: str
    phase: int

    def carry_out(self, run: Resolution) -> None:
        if not 1 <= self.turn <= LAST_TURN:
            raise nonsense("no_such_turn", f"Turns run from 1 to {LAST_TURN}, not {self.turn}.")
        if not 1 <= self.phase <= LAST_PHASE:
            raise nonsense("no_such_phase", f"Phases run from 1 to {LAST_PHASE}, not {self.phase}.")
        run.emit(events.ClockSet(clock=Clock(self.turn, self.side, self.phase)))


class Count(Order, frozen=True, kw_only=True, tag="count"):
    """What the players counted for victory, in ``values`` by side."""

    begun_by = "mover"
    when = "answer"
    in_journal = "beside"

    values: dict[str, int]

    def carry_out(self, run: Resolution) -> None:
        state, kind = run.state, victory_kind(run.state)
        # The same count may be given in between, to see how it stands, and decides nothing then.
        is_asked_how_it_ended = isinstance(state.ask, agenda.OutcomeAsk)
        if not is_asked_how_it_ended:
            run.refuse_while_waiting()
        if not kind.counted_sides:
            raise nonsense("nothing_to_count", NOT_COUNTED)
        for side in kind.counted_sides:
            if side not in self.values:
                missing_count = state.setup.owned_by(side, "number")
                raise nonsense("count_missing", f"The {missing_count} is missing.")
        for side, number in self.values.items():
            if side not in kind.counted_sides:
                raise nonsense("unknown_side", f"Nothing is counted for {side!r}.")
            if not 0 <= number <= MOST_COUNTED:
                raise nonsense("bad_count", f"A count is 0 to {MOST_COUNTED}, not {number}.")
        run.emit(events.Counted(values=dict(self.values), clock=state.clock))
        if is_asked_how_it_ended:
            # From the state after the count: the result is worked out from it.
            run.emit(victory_kind(run.state).result())

    def given_by(self, state: State) -> tuple[str, ...]:
        return _sides_asked_for_result(state)


def _sides_asked_for_result(state: State) -> tuple[str, ...]:
    """Both sides while they are asked how the battle ended. At other times none, which means that
    no side alone may count or end the battle, only who speaks for the whole table."""
    if isinstance(state.ask, agenda.OutcomeAsk):
        return both_sides(state)
    return ()


class Finish(Order, frozen=True, kw_only=True, tag="finish"):
    """The players end the battle; without ``winner`` it is a draw."""

    when = "answer"
    not_void = _TAKE_BACK

    winner: str | None
    reason: str = ""

    def carry_out(self, run: Resolution) -> None:
        sides = run.state.setup.side_by_id
        if self.winner not in (None, *sides):
            text = f"There is no side called {self.winner!r}; choose from {', '.join(sides)}."
            raise nonsense("unknown_side", text)
        reason = self.reason or "Agreed by the players."
        run.emit(events.Finished(winner=self.winner, reason=reason, agreed=True))

    def given_by(self, state: State) -> tuple[str, ...]:
        return _sides_asked_for_result(state)


WITHDRAWS_FROM = 2
"""The first game turn in which a battle of a campaign can be given up (C20)."""


class Withdraw(Order, frozen=True, kw_only=True, tag="withdraw"):
    """The mover gives up a battle of a campaign at the start of his turn. ``lost``: how many of
    each row are in contact or cannot drive off, and so are lost with it; the rest is safe."""

    begun_by = "mover"
    not_void = _TAKE_BACK
    anyway = "withdraws anyway."

    lost: dict[str, int]
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, side = run.state, run.state.mover
        if state.setup.campaign is None:
            text = "Only a battle of a campaign is given up by withdrawing; F says who won."
            raise nonsense("no_campaign", text)

        def comes_last(piece: str) -> tuple[bool, bool]:
            return piece in state.aboard, piece in state.hidden

        left_behind: list[str] = []
        for key, count in self.lost.items():
            row = existing_row(state, key)
            if row.side != side:
                raise nonsense("other_side", "They must be on the same side.")
            # Who hides or rides is hardly in contact: those on foot in sight come first.
            in_order = tuple(sorted(row.here, key=comes_last))
            left_behind += row.take(in_order, count, "on the table")
        run.advise(why_not_withdraw(state))
        for piece in left_behind:
            # Who rides was lost with his carrier, if that was named before him.
            if run.state.is_in_play(piece):
                run.lose_with_riders(piece, credit=None)
        reason = state.setup.does(side, "withdraw", "withdraws", article="The")
        enemy = state.setup.enemy_of(side).id
        run.emit(events.Finished(winner=enemy, reason=f"{reason}.", agreed=True, withdrawn=True))

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


def why_not_withdraw(state: State) -> Refusal | None:
    """Why the mover may not withdraw now, as advice; None if he may."""
    campaign = state.setup.campaign
    if campaign is not None and campaign.answers.get("C20") == "never":
        return Refusal("not_now", "No side withdraws in this campaign.", "C20")
    # Most moves are made on the table, and the program does not see them. It knows only of command
    # draws that end movement, and of men who got out, since those are written down.
    has_fired = state.judged or state.counts
    has_moved = state.movement_over or state.got_out
    is_start_of_turn = state.clock.phase == 1 and not has_fired and not has_moved
    if is_start_of_turn and state.clock.turn >= WITHDRAWS_FROM:
        return None
    text = "A side withdraws at the start of its own turn, before any shot, from turn 2 on."
    return Refusal("not_now", text, "C20")


def cannot_drive_off(state: State, side: str) -> dict[str, int]:
    """How many models of a side on the table do not move by themselves and are not loaded, by
    row."""
    stuck = {}
    for row in rows(state, side):
        stands_still = not row.unit.is_guy and not row.unit.moves
        if stands_still and row.on_foot:
            stuck[row.key] = len(row.on_foot)
    return stuck


class PlayOut(Order, frozen=True, kw_only=True, tag="play_out"):
    """The players go on though ``sides`` can no longer win; to end there is proposed only once."""

    in_journal = "beside"

    sides: tuple[str, ...]

    def carry_out(self, run: Resolution) -> None:
        hopeless = ending.hopeless_sides(run.state)
        if not self.sides or not set(self.sides) <= set(hopeless):
            raise nonsense("can_win", "Every side can still win.")
        run.emit(events.PlayedOut(sides=self.sides))


class PlayOn(Order, frozen=True, kw_only=True, tag="play_on"):
    """The players go on after the end. ``anew``: the reason for it no longer holds, so the program
    may end the battle again."""

    when = "always"
    not_void = _TAKE_BACK

    anew: bool = False

    def carry_out(self, run: Resolution) -> None:
        if run.state.outcome is None:
            raise nonsense("not_over", "The battle is still going on.")
        if self.anew and ending.still_over(run.state):
            raise nonsense("still_over", "The result still stands.")
        # The end may have come in the middle of a volley; what was left of it goes on.
        run.emit(events.PlayedOn(anew=self.anew, then=run.state.cut_off))
        run.go_on()


class Load(Order, frozen=True, kw_only=True, tag="load"):
    """So many of each row get into a carrier ("Loading or Unloading"). That they were within 3 in
    of it, and that it stands still, players see for themselves."""

    begun_by = "mover"
    anyway = "loads them anyway."

    carrier: str
    riders: dict[str, int]
    piece: str | None = None
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = existing_row(state, self.carrier)
        if not row.unit.seats:
            raise nonsense("no_seats", f"{a_unit(row.unit.name, 'A')} carries nobody.")

        def riders_aboard(piece: str) -> int:
            return len(state.riders_of(piece))

        # The program does not know beside which truck they stand. An empty one is the likeliest.
        emptiest = sorted(row.here, key=riders_aboard)
        carrier = _which(row, self.piece, emptiest)
        riders: list[str] = []
        for key, count in self.riders.items():
            riders_row = existing_row(state, key)
            if riders_row.side != row.side:
                raise nonsense("other_side", "They must be on the same side.")
            # Refuses a count that is too high, in the words that every count is refused with.
            riders_row.take(riders_row.on_foot, count, "on foot")
            riders += _who_gets_in(state, riders_row, count, carrier)
        if not riders:
            raise nonsense("nobody", "Choose who gets in.")
        run.advise_movement(row.side)
        run.advise(why_not_move(state, riders))
        # Seats are counted with those who are aboard already.
        pieces = (*state.riders_of(carrier), *riders)
        # Without the option, a sniper rides as the rifleman he is played as.
        units = [fights_as(state, state.unit(piece)) for piece in pieces]
        run.advise(why_not_aboard(row.unit, units, state.setup.rulings))
        # Whoever moves stands where he was hidden no longer.
        run.reveal(riders)
        run.emit(events.Loaded(carrier=carrier, riders=tuple(riders)))

    def given_by(self, state: State) -> tuple[str, ...]:
        del state
        return (row_side(self.carrier),)


def _who_gets_in(state: State, row: Row, count: int, carrier: str) -> list[str]:
    """So many of a row on foot: first who may still move, and of these who is in sight."""

    def comes_last(piece: str) -> tuple[bool, bool]:
        return piece in state.got_out, piece in state.hidden

    # A carrier of the same row cannot load itself.
    others_on_foot = [piece for piece in row.on_foot if piece != carrier]
    return sorted(others_on_foot, key=comes_last)[:count]


def why_not_move(state: State, pieces: Sequence[str]) -> Refusal | None:
    """The first reason why these pieces may not move in this turn, of those that the program can
    know: they got out of a vehicle, wait for service, or the scenario says so."""
    got_out = [piece for piece in pieces if piece in state.got_out]
    if got_out:
        who = capital(state.words.counted(got_out))
        text = f"{who} got out of a vehicle in this turn, and whoever gets out moves no further."
        return Refusal("got_out", text, "Loading or Unloading")
    # Scenario 2: the tanks have no fuel until a truck has reached them.
    waiting = [piece for piece in pieces if piece in state.unserved]
    if waiting:
        text = f"{state.words.counted(waiting)} may not move before being served."
        return Refusal("unserved", text, "Scenario, P36")
    rows_moving = dict.fromkeys(row_of(state, piece) for piece in pieces)
    for row in rows_moving:
        moving_row = existing_row(state, row)
        for trait in state.setup.happenings(Trait):
            if trait.effect == "may_not_move" and moving_row.concerned_by(trait):
                return Refusal("may_not_move", trait.text, "Scenario")
    return None


class Unload(Order, frozen=True, kw_only=True, tag="unload"):
    """Everybody known to be aboard gets out. They move no further in this turn; that it costs the
    carrier half of its move, players see to themselves ("Loading or Unloading")."""

    begun_by = "mover"

    carrier: str
    piece: str | None = None
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = existing_row(state, self.carrier)
        run.advise_movement(row.side)
        loaded = [piece for piece in row.here if state.riders_of(piece)]
        if not loaded:
            raise nonsense("empty", f"No {row.unit.name} is known to carry anyone.")
        carrier = _which(row, self.piece, loaded)
        riders = state.riders_of(carrier)
        if not riders:
            raise nonsense("empty", f"{state.piece(carrier).code} is not known to carry anyone.")
        run.emit(events.Unloaded(carrier=carrier, riders=riders))
        self._tell_commanders(run, row, riders)

    def _tell_commanders(self, run: Resolution, row: Row, riders: Sequence[str]) -> None:
        """Commanders of either side see who has got out: men on the ground are other targets."""
        units = Counter(run.state.unit_of(rider) for rider in riders)
        for side in run.state.commanders:
            # What one is told, the other knows already.
            commander, of_enemy = run.state.commanders[side], side != row.side
            groups = commander.groups
            if of_enemy:
                groups = commander.enemies
            changed = groups_after_unloading(groups, row.contingent.id, row.unit.id, units)
            if changed:
                run.emit(
                    command_events.GroupsPlaced(
                        side=side, groups=changed, of_enemy=of_enemy, words=""
                    )
                )

    def given_by(self, state: State) -> tuple[str, ...]:
        del state
        return (row_side(self.carrier),)


class Exit(OrderOfRow, frozen=True, kw_only=True, tag="exit"):
    """So many of a row leave the table for good, with those aboard."""

    begun_by = "mover"
    anyway = "lets them leave anyway."

    count: int = 1
    """How many leave; those aboard are not counted."""
    piece: str | None = None
    counts: bool = True
    """Whether they leave at a place that counts for victory."""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = existing_row(state, self.row)
        pieces = leaving(state, row, self.count, self.piece)
        if self.counts:
            run.advise(victory_kind(state).why_not_exit(row.side))
        # Guns and pillboxes. A cannon leaves on the hook of a truck, as one of those aboard.
        if not row.unit.moves:
            text = f"{a_unit(row.unit.name, 'A')} cannot move, so it leaves only aboard a vehicle."
            run.advise(Refusal("immobile", text, "Movement"))
        run.advise_movement(row.side)
        run.advise(why_not_move(state, pieces))
        # Whoever moves stands where he was hidden no longer.
        run.reveal(pieces)
        for piece in pieces:
            # From the present state, since the piece before may have taken this one along.
            run.emit(_exited(run.state, piece, counts=self.counts))
        run.look_for_victory()


def _exited(state: State, piece: str, *, counts: bool) -> events.Exited:
    """A piece leaves with those aboard; with ``counts`` at a place that counts for victory. In a
    scenario its victory terms say for how much (``values``). In the basic game the enemy, over
    whose edge the piece leaves, is charged with a loss besides (``worths``, "The Basic Game").

    The event has the sums, ``value`` and ``worth``, beside what each piece brings: earlier versions
    wrote and read only them."""
    leavers = (piece, *state.riders_of(piece))
    if not counts:
        # They are gone all the same, so each has its number in ``values``: nothing.
        return events.Exited(pieces=leavers, value=0, values=(0,) * len(leavers))
    kind = victory_kind(state)
    values = tuple(kind.exit_value([leaver]) for leaver in leavers)
    # In a scenario the victory terms say what an exit is worth, and nobody is charged with it.
    if state.setup.scenario is not None:
        return events.Exited(pieces=leavers, value=sum(values), values=values)
    worths = tuple(_charged(state, leaver) for leaver in leavers)
    return events.Exited(
        pieces=leavers,
        value=sum(values),
        values=values,
        against=state.setup.enemy_of(piece_side(piece)).id,
        worth=sum(worths),
        worths=worths,
    )


def _charged(state: State, piece: str) -> int:
    """The loss charged to the enemy if a piece leaves over his edge (P84). The two answers differ
    for jeeps and trucks of nations for which these are no losses: ``worth_of`` such a truck is 0,
    while the catalog charges it like every other model."""
    if state.setup.rulings["P84"] == "as_own_loss":
        return worth_of(state, piece)
    return state.setup.catalog.worth(state.unit(piece))


def leaving(state: State, row: Row, count: int, piece: str | None = None) -> tuple[str, ...]:
    """The pieces of a row that leave the table: the ``piece`` that is named, or else so many. First
    taken are those that may move; of these, loaded models; then who is in sight. Raises Refused."""
    # Refuses a count that is too high, also with a named piece: the row must have somebody at all.
    row.take(row.on_foot, count, "can leave")
    if piece is not None:
        return (_which(row, piece, row.on_foot),)

    def comes_last(piece: str) -> tuple[bool, bool, bool]:
        # These may not move; they are still offered, as the players may overrule that.
        stays = piece in state.got_out or piece in state.unserved
        return stays, not state.riders_of(piece), piece in state.hidden

    return tuple(sorted(row.on_foot, key=comes_last)[:count])


def _which(row: Row, piece: str | None, likeliest_first: Sequence[str]) -> str:
    """The piece that is named, or else the likeliest one; raises Refused if there is none."""
    if piece is None:
        if not likeliest_first:
            raise nonsense("nobody_left", f"No {row.unit.name} is on the table.")
        return likeliest_first[0]
    if piece not in row.here:
        raise nonsense("no_such_piece", f"No {row.unit.name} on the table has that code.")
    return piece


class Wave(msgspec.Struct, frozen=True):
    """Reinforcements that can enter in this turn (``due_now``), or in their side's next one;
    ``units``: how many of each row."""

    contingent: Contingent
    units: dict[str, int]
    due_now: bool


def waves(state: State) -> tuple[Wave, ...]:
    """All that waits and can enter in this turn or the next, those of this turn first."""
    arriving: list[Wave] = []
    later: list[Wave] = []
    for contingent in state.setup.contingents:
        # Whoever comes later has his turn of entry beside his row.
        if contingent.enters > state.clock.turn + 1:
            continue
        units = {row.key: len(row.waiting) for row in _rows_of(state, contingent) if row.waiting}
        if not units:
            continue
        if may_enter(state, contingent):
            arriving.append(Wave(contingent, units, due_now=True))
        else:
            later.append(Wave(contingent, units, due_now=False))
    return (*arriving, *later)


def _rows_of(state: State, contingent: Contingent) -> list[Row]:
    """The rows of a contingent, out of those of its side."""
    rows_of_side = rows(state, contingent.side)
    return [row for row in rows_of_side if row.contingent.id == contingent.id]


def may_enter(state: State, contingent: Contingent) -> bool:
    """Whether the contingent's turn of entry has come; who could not enter then may later (P76)."""
    return contingent.enters <= state.clock.turn and contingent.side == state.mover


class Enter(Order, frozen=True, kw_only=True, tag="enter"):
    """A contingent comes on: all that have not entered yet, or ``units`` (count by row)."""

    begun_by = "mover"
    anyway = "brings them on anyway."

    contingent: str
    units: dict[str, int] = msgspec.field(default_factory=dict)
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        contingent = state.setup.contingent_by_id.get(self.contingent)
        if contingent is None:
            text = f"There is no contingent called {self.contingent!r}."
            raise nonsense("unknown_contingent", text)
        its_rows = _rows_of(state, contingent)
        entering: list[str] = []
        for row in its_rows:
            entering += row.waiting
        if not entering:
            raise nonsense("all_here", f"All of {contingent.name} is already on the table.")
        if may_enter(state, contingent):
            run.advise_movement(contingent.side)
        else:
            turn = state.setup.owned_by(contingent.side, f"turn {contingent.enters}")
            text = f"{contingent.name} does not arrive before {turn}."
            run.advise(Refusal("not_here", text, "Scenario"))
        if self.units:
            entering = _with_riders(state, self._chosen(contingent, its_rows))
            _unload_walkers(run, entering)
        run.emit(events.Entered(contingent=contingent.id, pieces=tuple(entering)))

    def _chosen(self, contingent: Contingent, its_rows: Sequence[Row]) -> list[str]:
        """The pieces of ``units``; raises Refused if there are fewer."""
        rows_by_key = {row.key: row for row in its_rows}
        pieces: list[str] = []
        for key, count in self.units.items():
            if key not in rows_by_key:
                raise nonsense("unknown_row", f"{contingent.name} has no row {key!r}.")
            row = rows_by_key[key]
            pieces += row.take(row.waiting, count, "left to arrive")
        return pieces

    def given_by(self, state: State) -> tuple[str, ...]:
        contingent = state.setup.contingent_by_id.get(self.contingent)
        if contingent is None:
            return ()
        return (contingent.side,)


def _with_riders(state: State, pieces: Sequence[str]) -> list[str]:
    """The pieces and those aboard them."""
    # A dictionary and no set: the order is that of the list, and the same at every replay.
    coming = dict.fromkeys(pieces)
    for piece in pieces:
        coming |= dict.fromkeys(state.riders_of(piece))
    return list(coming)


def _unload_walkers(run: Resolution, coming: Sequence[str]) -> None:
    """Lets those get out who come without the vehicle in which they were to come."""
    walkers: dict[str, list[str]] = {}
    for piece in coming:
        carrier = run.state.aboard.get(piece)
        if carrier is not None and carrier not in coming:
            walkers.setdefault(carrier, []).append(piece)
    for carrier, riders in walkers.items():
        run.emit(events.Unloaded(carrier=carrier, riders=tuple(riders)))


class Serve(OrderOfRow, frozen=True, kw_only=True, tag="serve"):
    """A crew serves models that may neither fire nor move before that (P36): the trucks of scenario
    2 refuel tanks that they touch as a turn starts."""

    begun_by = "mover"

    count: int = 1
    piece: str | None = None
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = existing_row(state, self.row)
        service = _service(state, row)
        if service is None:
            raise nonsense("needs_nothing", f"{a_unit(row.unit.name, 'A')} needs no service.")
        pieces = self._pieces(state, row)
        self._advise_on_time(run, row, service)
        run.emit(events.Served(pieces=pieces))

    def _pieces(self, state: State, row: Row) -> tuple[str, ...]:
        """The models that are served: the one that is named, or so many of the row."""
        unserved = [piece for piece in row.here if piece in state.unserved]
        if not 1 <= self.count <= len(unserved):
            text = f"Only {len(unserved)} still need service, not {self.count}."
            raise nonsense("too_many", text)
        if self.piece is None:
            return tuple(unserved[: self.count])
        if self.piece not in unserved:
            raise nonsense("no_such_piece", f"{piece_code(self.piece)} needs no service now.")
        return (self.piece,)

    def _advise_on_time(self, run: Resolution, row: Row, service: NeedsService) -> None:
        """Advises against service at another time than the scenario has, or by too few crews."""
        state = run.state
        most = _most_served(state, service)
        if not _is_time(state, service):
            turn = a_unit(state.setup.owned_by(row.side, "turn"))
            since = ""
            if service.from_turn > 1:
                since = f", from turn {service.from_turn} on"
            text = f"They are served at the start of {turn}{since}."
            run.advise(Refusal("not_now", text, "Scenario"))
        elif state.served_now + self.count > most:
            # Each crew on the table serves so many a turn, whichever tanks it reaches.
            text = f"{most} can be served each turn, and {state.served_now} already were."
            run.advise(Refusal("served", text, "Scenario"))


class Reveal(OrderOfRow, frozen=True, kw_only=True, tag="reveal"):
    """So many of a row that hid are seen from now on. Who fires needs no such order (P69)."""

    begun_by = "both sides"

    count: int = 1

    def carry_out(self, run: Resolution) -> None:
        row = existing_row(run.state, self.row)
        run.emit(events.Revealed(pieces=row.take(row.hidden, self.count, "hidden")))


class Convert(OrderOfRow, frozen=True, kw_only=True, tag="convert"):
    """So many of a row become another unit, where the scenario allows it: in scenario 10 emplaced
    machine guns may be abandoned. Nobody is lost by it."""

    begun_by = "both sides"

    count: int = 1

    def carry_out(self, run: Resolution) -> None:
        row = existing_row(run.state, self.row)
        conversion = convertible(run.state, row)
        if conversion is None:
            text = f"{a_unit(row.unit.name, 'A')} cannot become anything else here."
            raise nonsense("no_change", text, "Scenario")
        for piece in row.take(row.on_foot, self.count, "on the table"):
            run.emit(events.UnitChanged(piece=piece, unit=conversion.becomes))


def servable(state: State) -> int:
    """How many models the mover can still serve in this turn. The same crews serve all rows, so
    what they can still do for one row is less by all that they do for the rows before it."""
    models = 0
    for row in rows(state, state.mover):
        service = _service(state, row)
        if service is None or not _is_time(state, service):
            continue
        unserved = sum(piece in state.unserved for piece in row.here)
        served_so_far = state.served_now + models
        services_left = max(_most_served(state, service) - served_so_far, 0)
        models += min(unserved, services_left)
    return models


def _most_served(state: State, service: NeedsService) -> int:
    """How many can be served in a turn by the crews on the table: one tank by each truck."""
    crews = (row for row in rows(state, service.side) if row.unit.id == service.by)
    return service.each * sum(len(row.here) for row in crews)


def _is_time(state: State, service: NeedsService) -> bool:
    """Whether a turn of its side starts, and the service has begun."""
    starts = state.mover == service.side and state.clock.phase == 1
    return starts and state.clock.turn >= service.from_turn


def _service(state: State, row: Row) -> NeedsService | None:
    """What the scenario says of a row that must be served, if it must be."""
    return next(filter(row.concerned_by, state.setup.happenings(NeedsService)), None)


def convertible(state: State, row: Row) -> MayConvert | None:
    """What the scenario says of a row that may become another unit, if it may."""
    return next(filter(row.concerned_by, state.setup.happenings(MayConvert)), None)


class Correct(OrderOfRow, frozen=True, kw_only=True, tag="correct"):
    """Puts the number of a row right, without a shot."""

    begun_by = "both sides"
    anyway = "adds them to the battle."
    when = "any time"

    by: int
    """Below 0: removes that many, visible ones first, empty models before loaded ones. Above 0:
    returns that many."""

    def carry_out(self, run: Resolution) -> None:
        row = existing_row(run.state, self.row)
        if not self.by:
            raise nonsense("nothing", "Say how many: 1 or more.")
        if self.by < 0:
            self._remove(run, row, -self.by)
        else:
            self._bring_back(run, row)

    def _remove(self, run: Resolution, row: Row, count: int) -> None:
        """So many of the row are lost without a shot. Raises Refused if there are fewer."""
        if count > len(row.alive):
            text = f"Only {row.unit.named(len(row.alive))} left, not {count}."
            raise nonsense("too_few", text, key_note="+ brings men back or adds more.")

        # Counted now: those who are removed take their riders with them.
        riders = {piece: len(run.state.riders_of(piece)) for piece in row.on_foot}

        def comes_last(piece: str) -> tuple[bool, int]:
            return piece in row.hidden, riders[piece]

        on_foot = sorted(row.on_foot, key=comes_last)
        # Who is seen on the table is missed first. Men in a truck, and those who have not come yet,
        # are written off only when nobody else is left.
        for piece in [*on_foot, *row.aboard, *row.waiting][:count]:
            run.lose_with_riders(piece, credit=None)
        run.look_for_victory()

    def _bring_back(self, run: Resolution, row: Row) -> None:
        """The last casualties were most likely miscounted, so they return first; then the
        exited."""
        gone = _gone(run.state, self.row)
        # Neither nonsense nor advice to insist against: with ``!`` other orders are given instead,
        # by which the rest join as new men (``orders_if_insisted``).
        if self.by > len(gone):
            text = f"Only {row.unit.named(len(gone))} lost, not {self.by}."
            raise Refused(Refusal("all_stand", text))
        for piece in gone[: self.by]:
            run.emit(events.PieceRestored(piece=piece))

    def orders_if_insisted(self, state: State) -> tuple[Order, ...]:
        """What is ordered instead where more come back than were lost: the lost ones return, and
        the others are new."""
        gone = len(_gone(state, self.row))
        new = Add(row=self.row, count=self.by - gone)
        if not gone:
            return (new,)
        return (Correct(row=self.row, by=gone), new)


def _gone(state: State, row: str) -> list[str]:
    """The pieces of a row that are lost, the latest first; then those that exited."""
    latest_first = [*reversed(state.lost), *reversed(state.exited)]
    return [piece for piece in latest_first if row_of(state, piece) == row]


class Add(OrderOfRow, frozen=True, kw_only=True, tag="add"):
    """So many units that were in no list join a row."""

    count: int = 1

    def carry_out(self, run: Resolution) -> None:
        name, setup = row_named(self.row), run.state.setup
        unknown = nonsense("unknown_row", f"There is no row called {self.row!r}.")
        # Any unit of the catalog may join, also one that the army has none of: a row is made for
        # it.
        if name is None or name.unit not in setup.catalog.units:
            raise unknown
        contingent = setup.contingent_by_id.get(name.contingent)
        if contingent is None or contingent.side != name.side:
            raise unknown
        if not 1 <= self.count <= MOST_AT_ONCE:
            text = f"1 to {MOST_AT_ONCE} can be added at once, not {self.count}."
            raise nonsense("bad_count", text)
        pieces = newly_made(run.state, name.side, name.contingent, {name.unit: self.count})
        run.emit(events.Added(pieces=pieces, why="by hand"))


class AddNote(Order, frozen=True, tag="note"):
    """Words of the players in the journal."""

    begun_by = "both sides"
    when = "always"
    in_journal = "beside"

    text: str

    def carry_out(self, run: Resolution) -> None:
        run.emit(events.NoteAdded(text=_checked_words(self.text, "note")))

    def given_by(self, state: State) -> tuple[str, ...]:
        return both_sides(state)


class Seal(OrderOfSide, frozen=True, kw_only=True, tag="seal"):
    """A secret, written down so that it can be proved later and not read until then."""

    begun_by = "both sides"
    when = "any time"

    text: str

    def carry_out(self, run: Resolution) -> None:
        secret = _checked_words(self.text, "secret")
        run.emit(events.Sealed(side=self.side, envelope=events.enveloped(secret)))

    @property
    def concealed(self) -> Seal:
        return replace(self, text="")


class Unseal(OrderOfSide, frozen=True, tag="unseal"):
    """The secret of a side is read."""

    when = "always"
    in_journal = "beside"

    def carry_out(self, run: Resolution) -> None:
        envelope = run.state.sealed.get(self.side)
        if envelope is None:
            raise nonsense("nothing_sealed", "That side has sealed no secret.")
        run.emit(events.Unsealed(side=self.side, text=events.unpacked(envelope)))


def _checked_words(text: str, called: str) -> str:
    """The words of a note or a secret, as its refusal calls it, without blanks around them; raises
    Refused if there are none or too many."""
    words = text.strip()
    if not words:
        raise nonsense("nothing", f"The {called} is empty.")
    if len(words) > LONGEST_NOTE:
        too_long = f"A {called} may have {LONGEST_NOTE} characters, not {len(words)}."
        raise nonsense("too_long", too_long)
    return words


class SetLevel(Order, frozen=True, kw_only=True, tag="set_level"):
    """Who draws for a side from now on, and from what. As ``referee`` the program draws, as
    ``clerk`` it takes draws that are typed in, and as ``ledger`` it only records the losses."""

    when = "any time"
    not_void = "This cannot be made void; I changes the level again."

    side: str
    level: Level
    source: Source

    def carry_out(self, run: Resolution) -> None:
        setup = run.state.setup
        # The source of a clerk is typed in, that of a referee is not; a ledger has no draws, so
        # that any source will do.
        must_type = self.level == "clerk"
        if self.level != "ledger" and self.source.typed != must_type:
            text = "As referee the program draws; as clerk it takes what you type."
            raise nonsense("bad_source", text)
        if setup.scenario and setup.scenario.cards_only and self.source.kind == "die":
            raise nonsense("cards_only", CARDS_ONLY)
        sides: tuple[str, ...] = (self.side,)
        if setup.rulings["P23"] != "own_decks":  # from one deck both sides draw alike
            sides = both_sides(run.state)
        for side in sides:
            run.emit(events.LevelSet(side=side, level=self.level, source=self.source))
        ask = run.state.ask
        if not isinstance(ask, agenda.DrawAsk) or ask.side not in sides:
            return
        # The side was asked for a draw. A ledger has no draws: that is settled at the table. Else
        # what is to be done stays the same, and asks again, now for a draw of the new source.
        if self.level == "ledger":
            run.go_on(instead=())
        else:
            run.go_on(instead=run.state.agenda)

    @property
    def concealed(self) -> SetLevel:
        """Without what would tell the next draws."""
        return replace(self, source=self.source.concealed)


class NameCommander(Order, frozen=True, kw_only=True, tag="command"):
    """Who plays a side; with an empty name nobody in particular."""

    side: str
    player: str

    def carry_out(self, run: Resolution) -> None:
        name = " ".join(self.player.split())
        if len(name) > LONGEST_NAME:
            text = f"A commander's name may have {LONGEST_NAME} characters, not {len(name)}."
            raise nonsense("too_long", text)
        run.emit(events.Commanded(side=self.side, player=name))


class Switch(Order, frozen=True, kw_only=True, tag="switch"):
    """Turns an option of the rules, or a state that cards bring, on or off."""

    when = "any time"

    option: str
    on: bool

    def carry_out(self, run: Resolution) -> None:
        if self.option in {toggle.state for toggle in run.state.setup.toggling.values()}:
            run.emit(events.Toggled(name=self.option, on=self.on))
            return
        if self.option not in Options.__struct_fields__:
            names = ", ".join(Options.__struct_fields__)
            text = f"There is no option {self.option!r}; choose from {names}."
            raise nonsense("unknown_option", text)
        run.emit(events.Switched(option=self.option, on=self.on))
        # Nationalities change what jeeps and trucks count toward the break point.
        run.look_for_victory()


class SetQuality(Order, frozen=True, kw_only=True, tag="set_quality"):
    """Another quality of a side's force; None: it has none, as without that option."""

    when = "any time"

    side: str
    quality: str | None

    def carry_out(self, run: Resolution) -> None:
        qualities = run.state.setup.catalog.qualities
        if self.quality is not None and self.quality not in qualities:
            text = f"There is no quality {self.quality!r}; choose from {', '.join(qualities)}."
            raise nonsense("unknown_quality", text)
        run.emit(events.QualitySet(side=self.side, quality=self.quality))
