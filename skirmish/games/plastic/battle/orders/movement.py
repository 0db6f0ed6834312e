"""Movement as far as the program has to know of it: who gets into a carrier and out of it, and who
leaves the table for good. All other moves are made on the table alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from skirmish.games.plastic.battle import command_events, events
from skirmish.games.plastic.battle.commanders import groups_after_unloading
from skirmish.games.plastic.battle.names import piece_side, row_side
from skirmish.games.plastic.battle.orders.resolution import Order, OrderOfRow, Resolution
from skirmish.games.plastic.battle.rows import Row, existing_row, fights_as, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import worth_of
from skirmish.games.plastic.battle.victory import victory_kind
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.games.plastic.scenarios.happenings import Trait
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal, nonsense


class Load(Order, frozen=True, kw_only=True, tag="load"):
    """Men get into a carrier ("Loading or Unloading"). That they start within 3 in of it, and that
    it stands still, players see for themselves."""

    begun_by = "mover"
    anyway = "loads them anyway."

    carrier: str
    """The row of the carrier."""
    riders: dict[str, int]
    """How many of each row get in."""
    piece: str | None = None
    """Which carrier of the row it is; None: the emptiest."""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        carrier_row = existing_row(state, self.carrier)
        if not carrier_row.unit.seats:
            raise nonsense("no_seats", f"{a_unit(carrier_row.unit.name, 'A')} carries nobody.")
        carrier = self._carrier(state, carrier_row)
        riders = self._riders(state, carrier_row, carrier)
        run.advise_movement(carrier_row.side)
        run.advise(why_not_move(state, riders))
        # Seats are counted with those who are aboard already.
        pieces = (*state.riders_of(carrier), *riders)
        # Without the option for snipers, a sniper rides as the rifleman he is played as.
        units = [fights_as(state, state.unit(piece)) for piece in pieces]
        run.advise(why_not_aboard(carrier_row.unit, units, state.setup.rulings))
        # Whoever moves is hidden no longer.
        run.reveal(riders)
        run.emit(events.Loaded(carrier=carrier, riders=tuple(riders)))

    def _carrier(self, state: State, row: Row) -> str:
        """The carrier that is named, or the emptiest: the program does not know which one the men
        stand beside, and an empty one is the likeliest."""

        def riders_aboard(piece: str) -> int:
            return len(state.riders_of(piece))

        emptiest_first = sorted(row.here, key=riders_aboard)
        return _named_or_likeliest(row, self.piece, emptiest_first)

    def _riders(self, state: State, carrier_row: Row, carrier: str) -> list[str]:
        """The pieces that get in. Raises Refused if a row has fewer, or if nobody does."""
        riders: list[str] = []
        for key, count in self.riders.items():
            riders_row = existing_row(state, key)
            if riders_row.side != carrier_row.side:
                raise nonsense("other_side", "They must be on the same side.")
            riders_row.check_count(riders_row.on_foot, count, only="on foot")
            riders += _pieces_that_get_in(state, riders_row, count, carrier)
        if not riders:
            raise nonsense("nobody", "Choose who gets in.")
        return riders

    def given_by(self, state: State) -> tuple[str, ...]:
        del state
        return (row_side(self.carrier),)


def _pieces_that_get_in(state: State, row: Row, count: int, carrier: str) -> list[str]:
    """So many of a row on foot: first those who may still move, visible ones before hidden ones."""

    def got_out_and_hidden_last(piece: str) -> tuple[bool, bool]:
        return piece in state.got_out, piece in state.hidden

    # A carrier of the same row cannot load itself.
    others_on_foot = [piece for piece in row.on_foot if piece != carrier]
    likeliest_first = sorted(others_on_foot, key=got_out_and_hidden_last)
    return likeliest_first[:count]


def why_not_move(state: State, pieces: Sequence[str]) -> Refusal | None:
    """The first reason, as far as the program can know it, why these pieces may not move in this
    turn: they got out of a vehicle, wait for service, or the scenario forbids it."""
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
    # Each row once, in the order of its pieces.
    rows_moving = dict.fromkeys(row_of(state, piece) for piece in pieces)
    for key in rows_moving:
        moving_row = existing_row(state, key)
        for trait in state.setup.happenings(Trait):
            if trait.effect == "may_not_move" and moving_row.concerned_by(trait):
                return Refusal("may_not_move", trait.text, "Scenario")
    return None


class Unload(Order, frozen=True, kw_only=True, tag="unload"):
    """Everybody known to be aboard gets out, and moves no further in this turn. Players themselves
    see to it that the carrier loses half of its move ("Loading or Unloading")."""

    begun_by = "mover"

    carrier: str
    """The row of the carrier."""
    piece: str | None = None
    """Which carrier of the row it is; None: the first that is loaded."""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        carrier_row = existing_row(state, self.carrier)
        run.advise_movement(carrier_row.side)
        loaded = [piece for piece in carrier_row.here if state.riders_of(piece)]
        if not loaded:
            raise nonsense("empty", f"No {carrier_row.unit.name} is known to carry anyone.")
        carrier = _named_or_likeliest(carrier_row, self.piece, loaded)
        riders = state.riders_of(carrier)
        if not riders:
            raise nonsense("empty", f"{state.piece(carrier).code} is not known to carry anyone.")
        run.emit(events.Unloaded(carrier=carrier, riders=riders))
        self._tell_commanders(run, carrier_row, riders)

    def _tell_commanders(self, run: Resolution, carrier_row: Row, riders: Sequence[str]) -> None:
        """Tells the program's commanders of both sides who got out: men on the ground are other
        targets than their carrier."""
        units = Counter(run.state.unit_of(rider) for rider in riders)
        for side, commander in run.state.commanders.items():
            # The men are of the commander's own side, or of the enemy that he knows of.
            of_enemy = side != carrier_row.side
            groups = commander.groups
            if of_enemy:
                groups = commander.enemies
            changed = groups_after_unloading(
                groups, carrier_row.contingent.id, carrier_row.unit.id, units
            )
            if changed:
                # Without words, as the event ``Unloaded`` has the sentence.
                run.emit(
                    command_events.GroupsPlaced(
                        side=side, groups=changed, of_enemy=of_enemy, words=""
                    )
                )

    def given_by(self, state: State) -> tuple[str, ...]:
        del state
        return (row_side(self.carrier),)


class Exit(OrderOfRow, frozen=True, kw_only=True, tag="exit"):
    """Units of a row leave the table for good, with those aboard."""

    begun_by = "mover"
    anyway = "lets them leave anyway."

    count: int = 1
    """How many leave; those aboard are not counted."""
    piece: str | None = None
    """Which of the row leaves, if only one does; None: as many as ``count`` says."""
    counts: bool = True
    """Whether they leave at a place that counts for victory."""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = existing_row(state, self.row)
        pieces = exiting_pieces(state, row, self.count, self.piece)
        if self.counts:
            run.advise(victory_kind(state).why_not_exit(row.side))
        # Cannons and pillboxes cannot move. A cannon may leave if a truck tows it: then it is among
        # those aboard.
        if not row.unit.moves:
            text = f"{a_unit(row.unit.name, 'A')} cannot move, so it leaves only aboard a vehicle."
            run.advise(Refusal("immobile", text, "Movement"))
        run.advise_movement(row.side)
        run.advise(why_not_move(state, pieces))
        # Whoever moves is hidden no longer.
        run.reveal(pieces)
        for piece in pieces:
            # From the present state: a piece that left before may have taken riders along.
            run.emit(_exit_event(run.state, piece, counts=self.counts))
        run.look_for_victory()


def _exit_event(state: State, piece: str, *, counts: bool) -> events.Exited:
    """The event that a piece leaves with those aboard. ``counts``: it leaves at a place that counts
    for victory. What that brings is in ``values``, by piece. In the basic game the enemy, over
    whose edge the piece leaves, is charged with a loss besides, in ``worths`` ("The Basic Game").

    The event also has the sums of both, ``value`` and ``worth``: events of earlier versions have
    only these.
    """
    leavers = (piece, *state.riders_of(piece))
    if not counts:
        # They are gone all the same, so each has its number in ``values``: nothing.
        return events.Exited(pieces=leavers, value=0, values=(0,) * len(leavers))
    victory = victory_kind(state)
    values = tuple(victory.exit_value([leaver]) for leaver in leavers)
    # In a scenario the victory terms say what an exit is worth, and nobody is charged with it.
    if state.setup.scenario is not None:
        return events.Exited(pieces=leavers, value=sum(values), values=values)
    worths = tuple(_loss_charged_to_enemy(state, leaver) for leaver in leavers)
    return events.Exited(
        pieces=leavers,
        value=sum(values),
        values=values,
        against=state.setup.enemy_of(piece_side(piece)).id,
        worth=sum(worths),
        worths=worths,
    )


def _loss_charged_to_enemy(state: State, piece: str) -> int:
    """The loss charged to the enemy if a piece leaves over his edge (P84). The two answers differ
    for jeeps and trucks of nations for which these are no losses: by ``worth_of`` such a truck
    counts 0, while the catalog counts it like every other model."""
    if state.setup.rulings["P84"] == "as_own_loss":
        return worth_of(state, piece)
    return state.setup.catalog.strength_of(state.unit(piece))


def exiting_pieces(state: State, row: Row, count: int, piece: str | None = None) -> tuple[str, ...]:
    """The pieces of a row that leave the table: the ``piece`` that is named, or else ``count`` of
    them. Those that may move are taken first; of these loaded models, then visible units. Raises
    Refused if there are fewer."""
    row.check_count(row.on_foot, count, only="can leave")
    if piece is not None:
        return (_named_or_likeliest(row, piece, row.on_foot),)

    def unlikely_last(candidate: str) -> tuple[bool, bool, bool]:
        # Pieces that may not move come last. They are not left out: players may overrule the
        # advice.
        may_not_move = candidate in state.got_out or candidate in state.unserved
        is_empty = not state.riders_of(candidate)
        return may_not_move, is_empty, candidate in state.hidden

    likeliest_first = sorted(row.on_foot, key=unlikely_last)
    return tuple(likeliest_first[:count])


def _named_or_likeliest(row: Row, piece: str | None, likeliest_first: Sequence[str]) -> str:
    """The piece that is named, or else the likeliest one; raises Refused if there is none."""
    if piece is None:
        if not likeliest_first:
            raise nonsense("nobody_left", f"No {row.unit.name} is on the table.")
        return likeliest_first[0]
    if piece not in row.here:
        raise nonsense("no_such_piece", f"No {row.unit.name} on the table has that code.")
    return piece
