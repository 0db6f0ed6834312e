"""Small forms in the shot panel: what the clock really says, what eyes have counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from skirmish.app.battle.draft import TOGGLE_WORDS
from skirmish.app.battle.mode import DraftError, Mode, Said, Step, enemy, people, typed_on
from skirmish.app.battle.prompt_waiting import SUIT_KEYS
from skirmish.games.plastic.battle.agenda import OutcomeAsk, Shooting, ToJudge
from skirmish.games.plastic.battle.events import HitsCounted, Judged
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.orders import Count, CountHits, SetClock
from skirmish.games.plastic.battle.orders.firing import aim_of
from skirmish.games.plastic.battle.orders.rejudge import suits_wanted, volley_of, volley_to_count
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import counted_sides, question
from skirmish.games.plastic.rules.shot import run as ranks
from skirmish.tabletop.chance import SUITS


class Clocking(Mode, frozen=True, kw_only=True):
    """T: the clock as it really stands."""

    turn: str
    side: str
    phase: int
    fresh: bool = True

    @classmethod
    def opened(cls, state: State) -> Clocking:
        """As it is now."""
        clock = state.clock
        return cls(turn=str(clock.turn), side=clock.side, phase=clock.phase)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits, Tab, Space, Enter."""
        if key == "escape":
            return None
        if key == "enter":
            return SetClock(turn=int(self.turn or 0), side=self.side, phase=self.phase)
        if key == "tab":
            return msgspec.structs.replace(self, side=enemy(play.state, self.side))
        if key == "space":
            return msgspec.structs.replace(self, phase=self.phase % len(PHASES) + 1)
        if key == "backspace":
            return msgspec.structs.replace(self, turn=self.turn[:-1], fresh=False)
        if key.isdigit():
            turn = typed_on("" if self.fresh else self.turn, key)
            return msgspec.structs.replace(self, turn=turn, fresh=False)
        raise DraftError(
            "Digits set the turn, Tab the side, Space the phase; Enter sets the clock."
        )

    def refused(self) -> Mode:
        """The next digit begins another turn."""
        return msgspec.structs.replace(self, fresh=True)

    def lines(self, play: BattlePlay) -> list[Said]:
        """Turn, side and phase, and the keys that change them."""
        own = people(play.state, self.side)
        return [
            [
                ("T CLOCK  ", "key"),
                (f"turn {self.turn or '_'}", "chosen"),
                (f"   {own} to move   ", "strong"),
                (f"phase {self.phase}, {PHASES[self.phase].lower()}", "strong"),
            ],
            [
                ("digits", "key"),
                (" turn, ", ""),
                ("Tab", "key"),
                (" side, ", ""),
                ("Space", "key"),
                (" phase, ", ""),
                ("Enter", "key"),
                (" sets it, ", ""),
                ("Esc", "key"),
                (" leaves", ""),
            ],
            [("Only the clock changes: no deck is shuffled, and no casualty returns.", "dim")],
        ]


class Tallying(Mode, frozen=True, kw_only=True):
    """=: the rest of a volley in one count, beside card by card. A letter goes to its number.
    ``anew`` is a count to be put right; then ``c`` and ``h`` say what was seen of all of it, and of
    what was typed of the same volley: ``suits`` are those asked for that, while ``suiting``."""

    typed: dict[str, str]
    at: str = "low"
    anew: int = 0
    seen: frozenset[str] = frozenset()
    fresh: bool = True
    suits: dict[int, str] = msgspec.field(default_factory=dict)
    suiting: bool = False

    @classmethod
    def opened(cls, state: State) -> Tallying:
        """For the volley that waits for its draws; raises DraftError where none does."""
        if volley_to_count(state) is None:
            raise DraftError("= counts a volley of your own cards or rolls; none waits for them.")
        return cls(typed={})

    @classmethod
    def put_right(cls, before: HitsCounted) -> Tallying:
        """A count as it was told."""
        seen = frozenset(name for name in TOLD if getattr(before.shot.at, name))
        numbers = {name: str(getattr(before, name)) for name in ("low", "aces", "saved")}
        return cls(typed=numbers, anew=before.shot.id, seen=seen)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits, the letters of the numbers, Tab to the next of them, Enter."""
        names, typed = self._numbers(play.state), self.typed.get(self.at, "")
        if self.suiting:
            return self._suited(key, play.state)
        if key == "enter":
            if not self.typed.get("low"):
                raise DraftError("First how many were low enough; 0 if none was.")
            return self._given(play.state)
        if key == "t" and (beside := self._beside(play.state)):
            from skirmish.app.battle.prompt_again import Judging

            return Judging(shot=beside[-1].shot.id)
        if key == "escape" or (key == "backspace" and not typed):
            return None
        if key == "backspace":
            return self._with(self.at, typed[:-1])
        if key == "tab":
            after = [*names, *names][[*names].index(self.at) + 1]
            return replace(self, at=after, fresh=True)
        if key.isdigit():
            return self._with(self.at, typed_on("" if self.fresh else typed, key))
        for letter, name in zip("ch", TOLD, strict=True):
            if key == letter and self._may_be(play.state, name):
                return replace(self, seen=self.seen ^ {name})
        found = next((name for name, (letter, _) in names.items() if letter == key), None)
        if found is None:
            letters = ", ".join(f"{letter} {words}" for letter, words in names.values())
            raise DraftError(f"Digits, or {letters}. Enter counts, Esc leaves.")
        return replace(self, at=found, fresh=True)

    def lines(self, play: BattlePlay) -> list[Said]:
        """Who fired at whom, the numbers, the keys."""
        state = play.state
        shot = self._shot(state)
        unit = state.setup.unit(state.unit_of(shot.piece)).short
        target = state.setup.unit(row_unit(shot.target)).short
        saves = aim_of(state, shot).saves
        seen = "".join(f", {words}" for name, words in TOLD.items() if name in saves)
        if beside := self._beside(state):
            hit = sum(one.hit for one in beside)
            seen += f", beside {len(beside)} typed card by card ({hit} hit)"
        line: Said = []
        if self.suiting:
            line = [(f"{self.which_suit(state)}   ", "strong")]
            for letter, name in SUIT_KEYS:
                line += [(letter, "key"), (f" {name}   ", "")]
            return [[("HOW MANY HIT?  ", "key"), (f"{unit} > {target}{seen}.", "strong")], line]
        for name, (letter, words) in self._numbers(state).items():
            number, here = self.typed.get(name, ""), name == self.at
            line += [(f"{letter} ", "key"), (f"{words} ", "")]
            line += [(f"{number}_" if here else number or "–", "chosen" if here else "strong")]
            line.append(("   ", ""))
        keys: Said = [("Enter", "key"), (" counts, ", ""), ("Tab", "key"), (" next number, ", "")]
        for letter, words in self.otherwise(state):
            keys += [(letter, "key"), (f" {words}, ", "")]
        leaves = " leaves" if self.anew else " card by card"
        return [
            [
                ("HOW MANY HIT?  ", "key"),
                (f"{len(self._pieces(state))} {unit} > {target}{seen}.", "strong"),
            ],
            line,
            [*keys, ("Esc", "key"), (leaves, "")],
        ]

    def otherwise(self, state: State) -> Iterator[tuple[str, str]]:
        """What can be said of a count that is put right, with its key: ``c``, ``all in cover``."""
        for letter, name in zip("ch", TOLD, strict=True):
            if self._may_be(state, name):
                yield letter, f"all {TOGGLE_WORDS[name][name not in self.seen].lower()}"
        if self._beside(state):
            yield "t", "the typed cards"

    def which_suit(self, state: State) -> str:
        """The question for the next suit that is needed."""
        return f"Which suit had the {suits_wanted(state, self._order(state))[0].draw}?"

    def _order(self, state: State) -> CountHits:
        names = self._numbers(state)
        numbers = {name: int(self.typed[name]) for name in names if self.typed.get(name)}
        cover, hull_down = (name in self.seen for name in TOLD)
        order = CountHits(low=0, anew=self.anew, cover=cover, hull_down=hull_down, suits=self.suits)
        return replace(order, **numbers)

    def _given(self, state: State) -> Step:
        """The order, or first the question which suit a typed card had."""
        order = self._order(state)
        if suits_wanted(state, order):
            return replace(self, suiting=True)
        return order

    def _suited(self, key: str, state: State) -> Step:
        if key in ("escape", "backspace"):
            return replace(self, suiting=False, suits={})
        if len(key) != 1 or key.upper() not in SUITS:
            raise DraftError("s spades, h hearts, d diamonds, c clubs. Esc steps back.")
        asked = suits_wanted(state, self._order(state))[0].shot.id
        return replace(self, suits={**self.suits, asked: key.upper()})._given(state)

    def _beside(self, state: State) -> list[Judged]:
        """What was typed card by card of the volley that is counted anew."""
        before = self._before(state)
        return volley_of(state, before.shot) if before and before.shot.volley else []

    def _with(self, name: str, number: str) -> Tallying:
        return replace(self, typed={**self.typed, name: number}, fresh=False)

    def _before(self, state: State) -> HitsCounted | None:
        return next((one for one in state.counts if one.shot.id == self.anew), None)

    def _pieces(self, state: State) -> tuple[str, ...]:
        before, volley = self._before(state), volley_to_count(state)
        rest = volley.pieces if volley else ()
        return before.pieces if before else (self._shot(state).piece, *rest)

    def _shot(self, state: State) -> Shooting:
        before = self._before(state)
        if before is None:
            judge = state.agenda[0]
            assert isinstance(judge, ToJudge)
            return judge.shot
        at = replace(before.shot.at, **{name: name in self.seen for name in TOLD})
        return replace(before.shot, at=at)

    def _may_be(self, state: State, name: str) -> bool:
        """Whether a count that is put right can be told to have been in cover, or hull down."""
        if not self.anew or (name == "hull_down" and not state.options.hull_down):
            return False
        shot = self._shot(state)
        return name in aim_of(state, replace(shot, at=replace(shot.at, **{name: True}))).saves

    def _numbers(self, state: State) -> dict[str, tuple[str, str]]:
        """The numbers that matter here, each with its letter and words."""
        shot = self._shot(state)
        aimed = aim_of(state, shot)
        die = state.sources[state.source_of(piece_side(shot.piece))].kind == "die"
        numbers = {"low": ("l", f"low enough ({ranks(aimed.needs)})")}
        if aimed.at_guy and aimed.exact is None:
            numbers["aces"] = ("a", "ones that hit" if die else "aces that hit")
        if aimed.saves:
            numbers["saved"] = ("b", "saved by their number" if die else "black, so saved")
        if not self.anew:
            if aimed.may_break:
                numbers["broken"] = ("q", "broke down")
            numbers["fired"] = ("f", f"fired, if not {len(self._pieces(state))}")
        return numbers


TOLD = {"cover": "in cover", "hull_down": "hull down"}


class Counting(Mode, frozen=True, kw_only=True):
    """C: a number for each side that something is counted for."""

    sides: tuple[str, ...]
    typed: tuple[str, ...]
    at: int = 0
    deciding: bool = False
    fresh: bool = False

    @classmethod
    def opened(cls, state: State) -> Counting:
        """All empty; raises DraftError where nothing is counted."""
        sides = counted_sides(state)
        if not sides:
            raise DraftError("Nothing is counted in this battle.")
        deciding = isinstance(state.ask, OutcomeAsk)
        return cls(sides=sides, typed=("",) * len(sides), deciding=deciding)

    @property
    def begun(self) -> bool:
        """At the end of a battle an empty form does not stand in the way of Backspace."""
        return not self.deciding or any(self.typed)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits; Enter or Tab goes on to the next number, Enter after the last is the count."""
        now = self.typed[self.at]
        if key.isdigit():
            before = "" if self.fresh else now
            return self._with((before + key).lstrip("0")[:3] or "0")
        if key in ("escape", "backspace"):
            if now:
                return self._with(now[:-1])
            if self.at:
                return msgspec.structs.replace(self, at=self.at - 1)
            return self if self.deciding else None
        if key == "tab":
            return msgspec.structs.replace(self, at=(self.at + 1) % len(self.sides))
        if key in ("enter", "space"):
            if not now:
                number = play.state.setup.of(self.sides[self.at], "number")
                raise DraftError(f"Type the {number} first.")
            missing = [index for index, number in enumerate(self.typed) if not number]
            if missing:
                return msgspec.structs.replace(self, at=missing[0])
            return Count(values=dict(zip(self.sides, map(int, self.typed), strict=True)))
        raise DraftError("Type a number, then Enter.")

    def lines(self, play: BattlePlay) -> list[Said]:
        """The question, and a number for each."""
        state = play.state
        line: Said = []
        for index, (side, number) in enumerate(zip(self.sides, self.typed, strict=True)):
            tone: Literal["chosen", ""] = "chosen" if index == self.at else ""
            line += [
                (f"{people(state, side)} ", "strong"),
                (f" {number or '_'} ", tone),
                ("  ", ""),
            ]
        last = state.counted
        if last:
            told = ", ".join(f"{people(state, s)} {n}" for s, n in last.values.items())
            line += [(f" (turn {last.clock.turn}: {told})", "dim")]
        title = "TIME IS UP, COUNT  " if self.deciding else "C COUNT  "
        keys: Said = [("Enter", "key"), (" next number, then done; ", ""), ("Tab", "key")]
        keys += [(" other number; ", ""), ("F", "key"), (" say who won", "")]
        return [[(title, "key"), (f"{question(state)}?", "strong")], line, keys]

    def refused(self) -> Mode:
        """The next digit begins another number."""
        return msgspec.structs.replace(self, fresh=True)

    def _with(self, number: str) -> Mode:
        typed = (*self.typed[: self.at], number, *self.typed[self.at + 1 :])
        return msgspec.structs.replace(self, typed=typed, fresh=False)
