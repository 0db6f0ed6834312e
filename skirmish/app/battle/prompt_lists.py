"""Several rows with their numbers, then Enter: who gets in, who comes on, who was inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from skirmish.app.battle.mode import (
    DraftError,
    Mode,
    Picked,
    Said,
    Step,
    enemy,
    listed,
    people,
    row_with,
    typed_on,
)
from skirmish.games.plastic.battle.agenda import InsideAsk
from skirmish.games.plastic.battle.names import piece_code, row_named
from skirmish.games.plastic.battle.orders import AnyOrder, Enter, Inside, Load
from skirmish.games.plastic.battle.orders.movement import waves
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, find, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit, plural


class Listing(Mode, frozen=True, kw_only=True):
    """``10r2m`` and Enter. What it is for, the kinds below say."""

    side: str
    typed: str = ""
    picks: tuple[Picked, ...] = ()

    def naming(self, state: State) -> str | None:
        """The side it is about."""
        return self.side

    def marked(self) -> frozenset[str]:
        """Who is listed so far."""
        return frozenset(pick.row for pick in self.picks)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits, a letter, and so on; Enter."""
        if key in ("escape", "backspace"):
            return self.back()
        if key == "tab":
            return self.other(play.state)
        if key.isdigit():
            return msgspec.structs.replace(self, typed=typed_on(self.typed, key))
        if key in ("enter", "space"):
            if self.typed:
                raise DraftError(f"{self.typed} of which row? Choose its letter.")
            return self.order(play.state)
        if len(key) == 1:
            tab = type(self).other is not Listing.other
            return self.named(row_with(key, play.state, self.side, tab=tab), play.state)
        return super().press(key, play)

    def picked(self, row: Row, play: BattlePlay) -> Step:
        """A row was clicked."""
        if row.side != self.side:
            raise DraftError(f"Choose {a_unit(play.state.setup.of(self.side, 'row'))}.")
        return self.named(row, play.state)

    def named(self, row: Row, state: State) -> Mode:
        """So many of a row more; a row named twice counts together."""
        number = int(self.typed) if self.typed else self.usual(row, state)
        if not number:
            raise DraftError(f"0 {plural(row.unit.name)} change nothing; Esc steps back.")
        before = {pick.row: pick.count for pick in self.picks}
        before[row.key] = before.get(row.key, 0) + number
        picks = tuple(Picked(key, count) for key, count in before.items())
        return msgspec.structs.replace(self, typed="", picks=picks)

    def usual(self, row: Row, state: State) -> int:
        """How many of a row where no digit is typed."""
        return 1

    def back(self) -> Mode | None:
        """One step."""
        if self.typed:
            return msgspec.structs.replace(self, typed=self.typed[:-1])
        if self.picks:
            return msgspec.structs.replace(self, picks=self.picks[:-1])
        return None

    def other(self, state: State) -> Step:
        """What Tab does."""
        raise DraftError("Tab does nothing here; Esc steps back.")

    def order(self, state: State) -> AnyOrder:
        """What Enter orders; raises DraftError."""
        raise DraftError("Enter does nothing here; Esc steps back.")

    @property
    def riders(self) -> dict[str, int]:
        """The list as orders have it."""
        return {pick.row: pick.count for pick in self.picks}

    def so_far(self, state: State) -> str:
        """The list in words, with the number being typed."""
        named = listed(state, self.picks)
        return f"{named} {self.typed}_".strip() if self.typed else named


class Boarding(Listing, frozen=True, kw_only=True):
    """L: the letter of what carries, then who gets in. Tab: another model of that row."""

    carrier: str | None = None
    piece: str | None = None

    def marked(self) -> frozenset[str]:
        """The carrier, and who gets in."""
        return super().marked() | frozenset([self.carrier] if self.carrier else [])

    def named(self, row: Row, state: State) -> Mode:
        """First the carrier's row, then the riders'."""
        if self.carrier is not None:
            return super().named(row, state)
        if self.typed:
            raise DraftError("Choose what carries them first, then a number and a letter.")
        if not row.unit.seats:
            raise DraftError(
                f"{a_unit(row.unit.name, 'A')} carries nobody. Choose what carries them first."
            )
        if not row.here:
            raise DraftError(f"No {row.unit.name} is on the table.")
        first = min(row.here, key=lambda piece: len(state.riders_of(piece)))
        return msgspec.structs.replace(self, carrier=row.key, piece=first)

    def other(self, state: State) -> Step:
        """The next model; before one is chosen, the other side."""
        if self.carrier is None:
            return Boarding(side=enemy(state, self.side))
        row = find(state, self.carrier)
        pieces = row.here if row else ()
        return msgspec.structs.replace(self, piece=after(pieces, self.piece))

    def back(self) -> Mode | None:
        """A number, a row, the carrier."""
        if not self.typed and not self.picks and self.carrier:
            return Boarding(side=self.side)
        return super().back()

    def order(self, state: State) -> AnyOrder:
        """They get in."""
        if self.carrier is None:
            raise DraftError("Choose what carries them first.")
        if not self.picks:
            raise DraftError("Choose who gets in: a number and a letter.")
        return Load(carrier=self.carrier, riders=self.riders, piece=self.piece)

    def lines(self, play: BattlePlay) -> list[Said]:
        """What is loaded with whom."""
        state = play.state
        if self.carrier is None or self.piece is None:
            own = a_unit(state.setup.of(self.side, "model"))
            return [
                [("L LOAD  ", "key"), ("What carries them? ", "strong")],
                [
                    (
                        f"Choose {own}, then numbers and letters of who rides.",
                        "",
                    )
                ],
            ]
        inside = riders_in_words(state, self.piece) or "empty"
        row = find(state, self.carrier)
        more = row is not None and len(row.here) > 1
        name = f"{row.unit.short if row else ''} {piece_code(self.piece)}"
        keys: Said = [("10r", "key"), (" ten of r, ", ""), ("Enter", "key"), (" loads, ", "")]
        if more:
            keys += [("Tab", "key"), (" another model, ", "")]
        return [
            [
                ("L LOAD  ", "key"),
                (name, "strong"),
                (f" ({inside}) takes ", ""),
                (self.so_far(state) or "whom?", "strong"),
            ],
            [*keys, ("Esc", "key"), (" back", "")],
        ]


class Arriving(Listing, frozen=True, kw_only=True):
    """A: some of a wave come on; Enter with nothing named brings all of it."""

    def usual(self, row: Row, state: State) -> int:
        """All of a row that wait and are not named yet."""
        return max(len(row.waiting) - self.riders.get(row.key, 0), 0)

    def named(self, row: Row, state: State) -> Mode:
        """Rows that wait, of one contingent at a time."""
        if not row.waiting:
            raise DraftError(f"No {row.unit.name} of that row is left to arrive.")
        groups = {row_named(pick.row) for pick in self.picks}
        if any(name and name.contingent != row.contingent.id for name in groups):
            raise DraftError(
                f"One wave at a time: press Enter, then bring on {row.contingent.name}."
            )
        return super().named(row, state)

    def other(self, state: State) -> Step:
        """The other side."""
        return Arriving(side=enemy(state, self.side))

    def order(self, state: State) -> AnyOrder:
        """They come on."""
        if self.picks:
            name = row_named(self.picks[0].row)
            return Enter(contingent=name.contingent if name else "", units=self.riders)
        return all_of_the_wave(state, self.side)

    def lines(self, play: BattlePlay) -> list[Said]:
        """Who is named, who else waits and by which letters: the panels show a wave as one line."""
        state = play.state
        due = [wave for wave in waves(state) if wave.contingent.side == self.side]
        name = due[0].contingent.name if due else people(state, self.side)
        named = self.so_far(state)
        waiting: Said = []
        for wave in due:
            for row in (find(state, key) for key in wave.units):
                if row is not None:
                    left = len(row.waiting) - self.riders.get(row.key, 0)
                    waiting += [(row.letter, "key"), (f" {row.unit.short} {max(left, 0)}  ", "")]
        first = waiting[0][0] if waiting else "r"
        keys: Said = [(f"5{first}", "key"), (" five of it, ", ""), ("Enter", "key")]
        keys += [(" brings these on, " if named else " brings on the whole wave, ", "")]
        return [
            [("A ARRIVE  ", "key"), (f"{name}: ", "strong"), (named or "who arrives?", "strong")],
            waiting or [("This side has no reinforcements to come.", "dim")],
            [*keys, ("Tab", "key"), (" other side, ", ""), ("Esc", "key"), (" back", "")],
        ]


class Sunk(Listing, frozen=True, kw_only=True):
    """Who was inside of what was lost? Enter with nothing named: nobody."""

    def order(self, state: State) -> AnyOrder:
        """The answer."""
        return Inside(self.riders)

    def back(self) -> Mode | None:
        """It cannot be left without an answer."""
        return super().back() or self

    @property
    def begun(self) -> bool:
        """Whether anything was named: if not, Backspace takes the shot back."""
        return bool(self.typed or self.picks)

    def lines(self, play: BattlePlay) -> list[Said]:
        """The question."""
        state = play.state
        ask = state.ask
        if not isinstance(ask, InsideAsk):
            return []
        unit = state.setup.unit(state.unit_of(ask.carrier))
        named = self.so_far(state)
        return [
            [
                ("WHO WAS INSIDE?  ", "key"),
                (f"{unit.name} {piece_code(ask.carrier)} is lost: ", "strong"),
                (named or f"up to {unit.seats} guys", "strong" if named else ""),
            ],
            [
                ("10r", "key"),
                (" ten of r, ", ""),
                ("Enter", "key"),
                (" they die with it" if named else " nobody was inside", ""),
            ],
        ]


def all_of_the_wave(state: State, side: str | None = None) -> Enter:
    """The first wave that is due now, whole; raises DraftError."""
    due = [w for w in waves(state) if w.now or side is not None]
    wave = next((w for w in due if side in (None, w.contingent.side)), None)
    if wave is None:
        raise DraftError("No reinforcements are due.")
    return Enter(contingent=wave.contingent.id)


def riders_in_words(state: State, carrier: str) -> str:
    """``10r 2m``: who is known to be inside of a model, by the letters of their rows."""
    counts: dict[str, int] = {}
    for letter in _letters(state, carrier):
        counts[letter] = counts.get(letter, 0) + 1
    return " ".join(f"{count}{letter}" for letter, count in counts.items())


def _letters(state: State, carrier: str) -> Iterator[str]:
    for rider in state.riders_of(carrier):
        row = find(state, row_of(state, rider))
        yield row.letter if row else "?"


def after(pieces: Sequence[str], piece: str | None) -> str | None:
    """The piece that follows, round and round."""
    if not pieces:
        return None
    at = pieces.index(piece) if piece in pieces else -1
    return pieces[(at + 1) % len(pieces)]
