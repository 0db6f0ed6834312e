"""Orders with a question in between: who leaves the table, who gets out, who digs."""

from __future__ import annotations

import msgspec

from skirmish.app.battle.mode import DraftError, Mode, Said, Step, enemy, people, row_with, typed_on
from skirmish.app.battle.prompt_lists import after, riders_in_words
from skirmish.app.guard import extra
from skirmish.games.plastic.battle.decide import decide
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, Dig, Exit, Unload
from skirmish.games.plastic.battle.orders.movement import leaving
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, find
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import way_out
from skirmish.tabletop.refusal import Refused


class Leaving(Mode, frozen=True, kw_only=True):
    """X: a number if need be, the letter, Enter. Tab: another model; o: where it does not count."""

    side: str
    typed: str = ""
    row: str | None = None
    piece: str | None = None
    counts: bool = True

    def naming(self, state: State) -> str | None:
        """The side that leaves, until a row is named."""
        return self.side if self.row is None else None

    def marked(self) -> frozenset[str]:
        """Who leaves."""
        return frozenset([self.row] if self.row else [])

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits and a letter; then what can change it."""
        state = play.state
        if key in ("escape", "backspace"):
            return self._back()
        if self.row is None:
            if key == "tab":
                return Leaving(side=enemy(state, self.side))
            if key.isdigit():
                return msgspec.structs.replace(self, typed=typed_on(self.typed, key))
            if len(key) == 1:
                return self.picked(row_with(key, state, self.side, tab=True), play)
            raise DraftError("Choose who leaves; digits before the letter say how many.")
        if key in ("enter", "space"):
            return self.order
        if key == "o":
            return msgspec.structs.replace(self, counts=not self.counts)
        if key == "tab":
            row = find(state, self.row)
            return msgspec.structs.replace(self, piece=after(self._by_load(state, row), self.piece))
        raise DraftError(
            "Enter: they leave. o: at a place where it does not count. Esc steps back."
        )

    def picked(self, row: Row, play: BattlePlay) -> Step:
        """A row was named; raises DraftError."""
        chosen = msgspec.structs.replace(self, row=row.key, side=row.side)
        try:
            pieces = leaving(play.state, row, chosen.number)
        except Refused as refused:
            raise DraftError(refused.refusal.says) from None
        one_model = len(pieces) == 1 and not row.unit.is_guy
        return msgspec.structs.replace(chosen, piece=pieces[0] if one_model else None)

    @property
    def number(self) -> int:
        """How many: one, if nothing is typed."""
        return int(self.typed) if self.typed else 1

    @property
    def order(self) -> Exit:
        """They leave."""
        return Exit(row=self.row or "", count=self.number, piece=self.piece, counts=self.counts)

    def lines(self, play: BattlePlay) -> list[Said]:
        """Who, with whom aboard, and what that counts."""
        state = play.state
        if self.row is None:
            own = people(state, self.side)
            return [
                [
                    ("X EXIT  ", "key"),
                    (f"{own} {self.typed}".strip(), "strong"),
                    (" leave the table:", ""),
                ],
                [
                    ("letter", "key"),
                    (" who leaves, ", ""),
                    ("digits", "key"),
                    (" before it: how many, ", ""),
                    ("Tab", "key"),
                    (" other side, ", ""),
                    ("Esc", "key"),
                    (" leaves", ""),
                ],
            ]
        row = find(state, self.row)
        keys: Said = [("Enter", "key"), (" they leave, ", ""), ("o", "key")]
        keys += [(" elsewhere, ", "") if self.counts else (" where it counts, ", "")]
        if row and self.piece and len(row.on_foot) > 1:
            keys += [("Tab", "key"), (" another model, ", "")]
        out = way_out(state.setup, self.side)
        counted = f" ({out})" if out else ""
        where = counted if self.counts else " (where it does not count)"
        return [
            [("X EXIT  ", "key"), (preview(state, self.order), "strong"), (where, "")],
            [*keys, ("Esc", "key"), (" back", "")],
        ]

    def _by_load(self, state: State, row: Row | None) -> tuple[str, ...]:
        return leaving(state, row, len(row.on_foot)) if row and self.piece else ()

    def _back(self) -> Mode | None:
        if self.row:
            return Leaving(side=self.side, typed=self.typed)
        if self.typed:
            return msgspec.structs.replace(self, typed=self.typed[:-1])
        return None


class Unloading(Mode, frozen=True, kw_only=True):
    """O: the letter of what carries. Where several models are loaded, a digit says which."""

    side: str
    row: str | None = None

    def naming(self, state: State) -> str | None:
        """The side that gets out."""
        return self.side if self.row is None else None

    def marked(self) -> frozenset[str]:
        """What is being unloaded."""
        return frozenset([self.row] if self.row else [])

    def press(self, key: str, play: BattlePlay) -> Step:
        """A letter, a digit."""
        state = play.state
        if key in ("escape", "backspace"):
            return Unloading(side=self.side) if self.row else None
        if self.row is None:
            if key == "tab":
                return Unloading(side=enemy(state, self.side))
            if len(key) == 1 and key.isalpha():
                return self.picked(row_with(key, state, self.side, tab=True), play)
            raise DraftError("Choose what carries them. Esc leaves.")
        loaded = self._loaded(state)
        if key in ("enter", "space"):
            return Unload(carrier=self.row, piece=loaded[0])
        if key.isdigit() and 1 <= int(key) <= len(loaded):
            return Unload(carrier=self.row, piece=loaded[int(key) - 1])
        raise DraftError(f"Which one? 1 to {min(len(loaded), 9)}; Enter takes the first.")

    def picked(self, row: Row, play: BattlePlay) -> Step:
        """What carries."""
        chosen = Unloading(side=row.side, row=row.key)
        return chosen if len(chosen._loaded(play.state)) > 1 else Unload(carrier=row.key)

    def lines(self, play: BattlePlay) -> list[Said]:
        """Who is in what."""
        state = play.state
        if self.row is None:
            own = people(state, self.side)
            return [
                [
                    ("O UNLOAD  ", "key"),
                    (f"{own} get out of what? ", "strong"),
                    ("Choose its letter.", ""),
                ],
                [("Tab", "key"), (" other side, ", ""), ("Esc", "key"), (" leaves", "")],
            ]
        line: Said = []
        for number, piece in enumerate(self._loaded(state)[:9], 1):
            line += [(f"{number} ", "key"), (f"{piece_code(piece)}: ", "strong")]
            line += [(f"{riders_in_words(state, piece)}   ", "")]
        return [[("O UNLOAD  ", "key"), ("Which one? Enter takes the first.", "")], line]

    def _loaded(self, state: State) -> list[str]:
        row = find(state, self.row) if self.row else None
        return [piece for piece in row.here if state.riders_of(piece)] if row else []


class Digging(Mode, frozen=True, kw_only=True):
    """D, where only some of a side dig as engineers."""

    side: str

    def press(self, key: str, play: BattlePlay) -> Step:
        """g or Enter: a group; e: an engineer is with them."""
        if key in ("escape", "backspace"):
            return None
        if key == "tab":
            return Digging(side=enemy(play.state, self.side))
        if key in ("g", "enter", "space"):
            return Dig(side=self.side)
        if key == "e":
            return Dig(side=self.side, engineers=True)
        raise DraftError("g: a group of four or more. e: with an engineer. Esc leaves.")

    def lines(self, play: BattlePlay) -> list[Said]:
        """Who digs?"""
        own = people(play.state, self.side)
        return [
            [("D DIG IN  ", "key"), (f"{own}: who digs?", "strong")],
            [
                ("e", "key"),
                (" an engineer, or a group with one   ", ""),
                ("g", "key"),
                (" a group of four or more   ", ""),
                ("Esc", "key"),
                (" leaves", ""),
            ],
        ]


def preview(state: State, order: AnyOrder) -> str:
    """What an order would do, in the words of the journal; or why it would be refused."""

    def told() -> str:
        try:
            events = decide(state, order)
        except Refused as refused:
            return refused.refusal.says
        return narrate(events, state)

    return extra("The preview is", told, str)
