"""Battles told as scripts: one order a line, in words that a player at the table would use.

A line begins with a side, or with what anybody may do::

    polish fires c > h : 3H        one shot, and the card that was drawn
    german fires 8t > t/4 : AH 9C  a volley at four in reach
    german enters reaction 20i     some of a wave; without numbers all
    refused not_here: ...          the order after the colon is refused with that code
    ? german 12t, cannot win       what must be true now

Rows go by the letter that the screen shows, models by their code. ``#`` begins a remark.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.names import piece_name
from skirmish.games.plastic.battle.orders import (
    AddNote,
    Again,
    AnyOrder,
    ChooseCasualties,
    ChooseModel,
    ChooseResult,
    ClearWire,
    Convert,
    Correct,
    Count,
    Dig,
    EndPhase,
    EndTurn,
    Enter,
    Exit,
    Fire,
    Hold,
    Load,
    NameRiders,
    Reveal,
    Serve,
    Show,
    Unload,
    Volley,
    why_not,
)
from skirmish.games.plastic.battle.orders.reinforcements import waves
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Draw, Source, parse_card

SEEN = {"cover": ("cover", True), "close": ("close", True), "alone": ("grouped", False)} | {
    "hull": ("hull_down", True),
    "rear": ("rear", True),
    "anyway": ("insist", True),
}


class Story:
    """A scenario opened as the file says, with both sides' cards typed."""

    def __init__(self, path: Path) -> None:
        self.told = tomllib.loads(path.read_text("utf-8"))
        found = library.scenarios()[self.told["scenario"]]
        set_up = self.told.get("set_up", {})
        chosen = SetupChoices(
            options=Options(**set_up.get("options", {})),
            lists=set_up.get("lists", {}),
            rulings=set_up.get("rulings", {}),
            answers=set_up.get("answers", {}),
            hidden={int(place): count for place, count in set_up.get("hidden", {}).items()},
            loads=set_up.get("loads", True),
        )
        setup = from_scenario(
            found,
            library.catalog(),
            library.rulings(),
            sources=dict.fromkeys(found.order_of_play(), Source("deck")),
            chosen=chosen,
        )
        self.play = record.codec.play([record.opening(setup)])
        self.rows = {
            side.id: {
                letter: key
                for key, letter in setup.letters.items()
                if key.startswith(f"{side.id}/")
            }
            for side in setup.sides
        }

    @property
    def state(self) -> State:
        return self.play.state

    def lines(self) -> list[str]:
        bare = (line.partition("#")[0].strip() for line in self.told["story"].splitlines())
        return [line for line in bare if line]

    def tell(self, line: str) -> None:
        """Play one line; AssertionError where it does not go as it says."""
        if line.startswith("?"):
            for claim in line[1:].split(","):
                self._check(claim.split(), line)
        elif line.startswith("refused "):
            code, _, words = line.removeprefix("refused ").partition(":")
            refusal = why_not(self.state, self._order(words.strip()))
            assert refusal is not None, f"nothing speaks against: {words}"
            assert refusal.code == code.strip(), f"{line}: {refusal.code}, {refusal.message}"
        elif line.startswith("turn "):
            self._run_to(*line.split()[1:])
        elif line.startswith("phase "):
            while self.state.clock.phase < int(line.split()[1]):
                self._give(EndPhase())
        else:
            words, _, drawn = line.partition(" : ")
            self._give(self._order(words))
            for card in drawn.split():
                self._give(Show((parse_card(card),)))

    # -------------------------------------------------------------- orders

    def _give(self, order: AnyOrder) -> None:
        self.play.accept(self.play.consider(order))

    def _run_to(self, turn: str, side: str) -> None:
        """Player turns pass in which nothing is told; a question on the way must be told."""
        there = (int(turn), side)
        while (self.state.clock.turn, self.state.clock.side) != there:
            assert (self.state.ask, self.state.outcome) == (None, None), f"not yet turn {turn}"
            assert self.state.clock.turn <= there[0], f"past turn {turn}"
            self._give(EndTurn())

    def _order(self, words: str) -> AnyOrder:
        first, _, rest = words.partition(" ")
        if first in self.rows:
            verb, _, what = rest.partition(" ")
            order: AnyOrder = getattr(self, f"_{verb}")(first, what)
            return order
        return _OF_ANYBODY[first](self, rest)

    def _numbers(self, side: str, words: str) -> dict[str, int]:
        """``20r 2m`` as rows and numbers."""
        found = re.findall(r"(\d+)([a-z])", words)
        assert found or not words, words
        return {self.rows[side][letter]: int(count) for count, letter in found}

    def _one(self, side: str, words: str) -> tuple[str, int]:
        ((row, count),) = self._numbers(side, words.split(maxsplit=1)[0]).items()
        return row, count

    def _fires(self, side: str, words: str) -> AnyOrder:
        who, whom = words.split(" > ")
        target, *seen = whom.split()
        foe = self.state.setup.enemy_of(side).id
        count, letter = re.fullmatch(r"(\d*)([a-z])", who.strip()).groups()  # type: ignore[union-attr]
        at, _, reach = target.partition("/")
        facts: dict[str, Any] = dict(SEEN[word] for word in seen if word in SEEN)
        weapon = next((word for word in seen if word not in SEEN), None)
        given = {"shooter": self.rows[side][letter], "target": self.rows[foe][at], **facts}
        if count:
            reached = int(reach) if reach else None
            return Volley(count=int(count), reach=reached, weapon=weapon, **given)
        return Fire(weapon=weapon, **given)

    def _exits(self, side: str, words: str) -> AnyOrder:
        row, count = self._one(side, words)
        return Exit(
            row=row,
            count=count,
            counts="elsewhere" not in words,
            insist="anyway" in words,
        )

    def _enters(self, side: str, words: str) -> AnyOrder:
        contingent, *numbers = words.split()
        insist = "anyway" in numbers
        units = self._numbers(side, " ".join(word for word in numbers if word != "anyway"))
        return Enter(contingent=contingent, units=units, insist=insist)

    def _serves(self, side: str, words: str) -> AnyOrder:
        row, count = self._one(side, words)
        return Serve(row=row, count=count, insist="anyway" in words)

    def _shows(self, side: str, words: str) -> AnyOrder:
        row, count = self._one(side, words)
        return Reveal(row=row, count=count)

    def _abandons(self, side: str, words: str) -> AnyOrder:
        row, count = self._one(side, words)
        return Convert(row=row, count=count)

    def _loads(self, side: str, words: str) -> AnyOrder:
        carrier, _, riders = words.partition(" ")
        return Load(
            carrier=self.rows[side][carrier],
            riders=self._numbers(side, riders.replace("anyway", "").strip()),
            insist="anyway" in riders,
        )

    def _unloads(self, side: str, words: str) -> AnyOrder:
        return Unload(carrier=self.rows[side][words])

    def _loses(self, side: str, words: str) -> AnyOrder:
        row, count = self._one(side, words)
        return Correct(row=row, by=-count)

    def _regains(self, side: str, words: str) -> AnyOrder:
        row, count = self._one(side, words)
        return Correct(row=row, by=count)

    def _digs(self, side: str, words: str) -> AnyOrder:
        return Dig(side=side, engineers=words == "with engineers")

    def _clears(self, side: str, words: str) -> AnyOrder:
        assert words == "wire", words
        return ClearWire(side=side)

    def give(self, words: str) -> AnyOrder:
        ask: Any = self.state.ask
        return ChooseCasualties(tuple(self.rows[ask.side][letter] for letter in words.split()))

    def inside(self, words: str) -> AnyOrder:
        ask: Any = self.state.ask
        return NameRiders(self._numbers(ask.side, words))

    def again(self, words: str) -> AnyOrder:
        facts: dict[str, Any] = dict(SEEN[word] for word in words.split() if word in SEEN)
        letters = [word for word in words.split() if word not in SEEN]
        ask: Any = self.state.ask
        foe = self.state.setup.enemy_of(ask.shot.piece.partition(":")[0]).id
        return Again(target=self.rows[foe][letters[0]] if letters else None, **facts)

    def point(self, words: str) -> AnyOrder:
        ask: Any = self.state.ask
        return ChooseModel(piece_name(ask.side, words))

    # -------------------------------------------------------------- claims

    def _check(self, claim: list[str], line: str) -> None:
        held = self._holds(claim)
        assert held, f"{line}: not true at {self.state.clock}"

    def _holds(self, claim: list[str]) -> bool:
        state = self.state
        match claim:
            case ["dust"]:
                return "dust" in state.toggled
            case ["no", "dust"]:
                return "dust" not in state.toggled
            case ["goes", "on"]:
                return state.outcome is None and state.ask is None
            case ["asks", "count"]:
                return state.ask == OutcomeAsk(count=True)
            case ["no", "wave"]:
                return not waves(state)
            case [("soon" | "now") as when, contingent]:
                found = {wave.contingent.id: wave.due_now for wave in waves(state)}
                return found.get(contingent) is (when == "now")
            case [side, "can", "win"]:
                return self._can_win(side)
            case [side, "cannot", "win"]:
                return not self._can_win(side)
            case [side, "works", work, number]:
                return state.works[side].get(work, 0) == int(number)
            case [side, ("hidden" | "aboard" | "dry" | "waiting" | "ready") as how, number]:
                row, count = self._one(side, number)
                return len(self._so(row, how)) == count
            case [side, number]:
                row, count = self._one(side, number)
                return len(self._row(row).alive) == count
        raise AssertionError(f"no such claim: {' '.join(claim)}")

    def _so(self, key: str, how: str) -> tuple[str, ...]:
        row = self._row(key)
        match how:
            case "hidden":
                return row.hidden
            case "aboard":
                return row.aboard
            case "waiting":
                return row.waiting
            case "ready":
                return tuple({piece for slot in row.ready for piece in slot})
        return tuple(piece for piece in row.here if piece in self.state.unserved)

    def _row(self, key: str) -> Row:
        side = key.partition("/")[0]
        return next(row for row in rows(self.state, side) if row.key == key)

    def _can_win(self, side: str) -> bool:
        return next(one for one in victory_status(self.state) if one.side == side).can_win


def _counts(_: Story, words: str) -> AnyOrder:
    given = words.split()
    return Count(values=dict(zip(given[::2], map(int, given[1::2]), strict=True)))


def _draws(_: Story, words: str) -> AnyOrder:
    return Show(tuple(_card(word) for word in words.split()))


def _card(word: str) -> Draw:
    return parse_card(word)


_OF_ANYBODY: dict[str, Callable[[Story, str], AnyOrder]] = {
    "end": lambda _, words: EndTurn(),
    "hold": lambda _, words: Hold(),
    "note": lambda _, words: AddNote(words),
    "choose": lambda _, words: ChooseResult(int(words) - 1),
    "draw": _draws,
    "count": _counts,
    "give": Story.give,
    "inside": Story.inside,
    "again": Story.again,
    "point": Story.point,
}
