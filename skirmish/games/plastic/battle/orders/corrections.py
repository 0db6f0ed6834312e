"""Orders that correct the number of pieces in a row where the program and the table differ."""

from __future__ import annotations

from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.names import row_named
from skirmish.games.plastic.battle.orders.resolution import Order, OrderOfRow, Resolution
from skirmish.games.plastic.battle.rows import Row, existing_row, new_pieces, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

MOST_AT_ONCE = 99
"""The most units that one order adds."""


class Correct(OrderOfRow, frozen=True, kw_only=True, tag="correct"):
    """Units of a row are removed or brought back without a shot."""

    begun_by = "both sides"
    anyway = "adds them to the battle."
    when = "any time"

    by: int
    """Below 0: that many are removed, visible ones first, empty models before loaded ones. Above 0:
    that many come back."""

    def carry_out(self, run: Resolution) -> None:
        row = existing_row(run.state, self.row)
        if self.by == 0:
            raise nonsense("nothing", "Say how many: 1 or more.")
        if self.by < 0:
            self._remove(run, row, -self.by)
        else:
            self._bring_back(run, row)

    def _remove(self, run: Resolution, row: Row, count: int) -> None:
        """Removes so many of the row as losses for which no shot gets credit. Raises Refused if
        there are fewer."""
        if count > len(row.alive):
            text = f"Only {row.unit.named(len(row.alive))} left, not {count}."
            raise nonsense("too_few", text, key_note="+ brings men back or adds more.")

        def hidden_and_loaded_last(piece: str) -> tuple[bool, int]:
            return piece in row.hidden, len(run.state.riders_of(piece))

        on_foot = sorted(row.on_foot, key=hidden_and_loaded_last)
        # A loss that nobody recorded is most likely one of the visible units on the table. Riders
        # and reinforcements that still wait are removed only when nobody else is left.
        likeliest_first = [*on_foot, *row.aboard, *row.waiting]
        for piece in likeliest_first[:count]:
            run.lose_with_riders(piece, credit=None)
        run.look_for_victory()

    def _bring_back(self, run: Resolution, row: Row) -> None:
        """Brings the last casualties back first, since they were most likely recorded by mistake;
        then those that exited."""
        gone = _gone_pieces(run.state, self.row)
        # Not ``nonsense``, which cannot be overruled, and not mere advice: if the players insist,
        # the orders of ``orders_if_insisted`` are given instead.
        if self.by > len(gone):
            text = f"Only {row.unit.named(len(gone))} lost, not {self.by}."
            raise Refused(Refusal("all_stand", text))
        for piece in gone[: self.by]:
            run.emit(events.PieceRestored(piece=piece))

    def orders_if_insisted(self, state: State) -> tuple[Order, ...]:
        """Where more are to come back than were lost: the lost ones return, and the others join as
        new units."""
        gone = len(_gone_pieces(state, self.row))
        new = Add(row=self.row, count=self.by - gone)
        if not gone:
            return (new,)
        return (Correct(row=self.row, by=gone), new)


def _gone_pieces(state: State, row: str) -> list[str]:
    """The pieces of a row that are lost, the latest first; then those that exited."""
    latest_first = [*reversed(state.lost), *reversed(state.exited)]
    return [piece for piece in latest_first if row_of(state, piece) == row]


class Add(OrderOfRow, frozen=True, kw_only=True, tag="add"):
    """Units join a row that were on no list of the battle."""

    count: int = 1

    def carry_out(self, run: Resolution) -> None:
        setup = run.state.setup
        row_name = row_named(self.row)
        unknown_row = nonsense("unknown_row", f"There is no row called {self.row!r}.")
        # Any unit of the catalog may join, also one that the army has none of: a row is made for
        # it.
        if row_name is None or row_name.unit not in setup.catalog.units:
            raise unknown_row
        contingent = setup.contingent_by_id.get(row_name.contingent)
        if contingent is None or contingent.side != row_name.side:
            raise unknown_row
        if not 1 <= self.count <= MOST_AT_ONCE:
            text = f"1 to {MOST_AT_ONCE} can be added at once, not {self.count}."
            raise nonsense("bad_count", text)
        units = {row_name.unit: self.count}
        pieces = new_pieces(run.state, row_name.side, row_name.contingent, units)
        run.emit(events.Added(pieces=pieces, why="by hand"))
