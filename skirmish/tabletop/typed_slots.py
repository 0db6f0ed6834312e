"""Answers that are typed rather than chosen: numbers, dice, words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec

from skirmish.tabletop.slots import MOST, TAB, Slot, UnfitAnswer


class Number(Slot, frozen=True, kw_only=True):
    low: int = 0
    high: int = 9999
    eager: bool = False
    """Whether it is complete as soon as no further digit could follow."""
    too_many: str = ""
    """The sentence for a number beyond ``high``."""

    @property
    def hint(self) -> str:
        return f"A number from {self.low} to {self.high}."

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.isdigit()

    def typed_for(self, answer: Any) -> str:
        return str(answer)

    def so_far(self, typed: str) -> Any:
        return int(typed) if typed.isdigit() else None

    def parse(self, typed: str, done: bool) -> Any:
        """A number of one digit is complete at once; else Enter or the next answer ends it."""
        word = typed.strip()
        sign, digits = ("-", word[1:]) if word[:1] in ("-", "–") else ("", word)
        if sign and not digits and not done and self.low < 0:
            return None
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
            raise UnfitAnswer(self.hint)
        value = int(sign + digits)
        if value > max(self.high, 0) or value < min(self.low, 0):
            raise UnfitAnswer(self.too_many.format(value) or self.hint)
        ends = self.high < 10 or (self.eager and value * 10 > self.high)
        if done or (ends and self.low > -1):
            if not self.low <= value <= self.high:
                raise UnfitAnswer(self.hint)
            return value
        return None


class Dice(Slot, frozen=True, kw_only=True):
    """What the player's own dice show: ``count`` faces from ``low`` to ``high``."""

    count: int = 1
    low: int = 1
    high: int = 6

    greedy: ClassVar[bool] = True

    @property
    def spaced(self) -> bool:
        return self.high > 9

    @property
    def hint(self) -> str:
        dice = "The die shows" if self.count == 1 else f"Each of the {self.count} dice shows"
        return f"{dice} {self.low} to {self.high}."

    def parse(self, typed: str, done: bool) -> Any:
        """Digit by digit where a face has one digit, else with spaces between the faces."""
        words = typed.split() if self.high > 9 else list(typed.replace(" ", "").replace(",", ""))
        if any(not (word.isascii() and word.isdigit()) for word in words):
            raise UnfitAnswer(self.hint)
        faces = tuple(int(word) for word in words)
        if len(faces) > self.count or any(not self.low <= face <= self.high for face in faces):
            raise UnfitAnswer(self.hint)
        if len(faces) < self.count:
            if done:
                raise UnfitAnswer(f"{self.count - len(faces)} more to come. {self.hint}")
            return None
        single = self.high > 9 and faces[-1] * 10 <= self.high and not typed.endswith(" ")
        return None if single and not done else faces

    def shown(self, value: Any) -> str:
        return " ".join(map(str, value))


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    name: str
    label: str


class Tally(Slot, frozen=True, kw_only=True):
    """Several numbers at once, as in ``5a1``: digits belong to the first, or to the letter before
    them; a number typed again counts anew. By name; ``usual`` are those that stand already, and
    ``first`` the sentence where the first number is missing."""

    marks: tuple[Mark, ...]
    usual: Mapping[str, int] = {}
    first: str = ""

    greedy: ClassVar[bool] = True

    @property
    def hint(self) -> str:
        letters = ", ".join(f"{one.key} {one.label}" for one in self.marks)
        return f"Digits, or {letters}. Tab goes to the next number; Enter counts."

    @property
    def proposed(self) -> Any:
        return dict(self.usual) if self.marks[0].name in self.usual else None

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.isdigit() or sign == TAB or any(sign == one.key for one in self.marks)

    def numbers(self, typed: str) -> tuple[dict[str, int], str]:
        """The numbers typed so far, and the name of the one that digits go to."""
        found: dict[str, int] = {}
        at = self.marks[0]
        named = {one.key: one for one in self.marks}
        for digits, letter in re.findall(r"([0-9]+)|([^0-9 ])", typed):
            if letter:
                if letter not in named:
                    raise UnfitAnswer(self.hint)
                at = named[letter]
            elif len(digits) > 2:
                raise UnfitAnswer(f"{digits} is too many: {MOST} is the most. Esc steps back.")
            else:
                found[at.name] = int(digits)
        return found, at.name

    def so_far(self, typed: str) -> Any:
        return {**self.usual, **self.numbers(typed)[0]}

    def tabbed(self, typed: str) -> str:
        _, now = self.numbers(typed)
        names = [one.name for one in self.marks]
        return typed + self.marks[(names.index(now) + 1) % len(names)].key

    def parse(self, typed: str, done: bool) -> Any:
        found, _ = self.numbers(typed)
        found = {**self.usual, **found}
        if not done:
            return None
        if self.marks[0].name not in found:
            raise UnfitAnswer(self.first or self.hint)
        return found

    def shown(self, value: Any) -> str:
        return ", ".join(f"{value[m.name]} {m.label}" for m in self.marks if m.name in value)


class Words(Slot, frozen=True, kw_only=True):
    """A text of the player's own. ``read`` makes the answer of it, or raises UnfitAnswer, and
    ``write`` is the way back; a ``secret`` is never shown, nor while it is written."""

    longest: int = 60
    read: Callable[[str], Any] | None = None
    write: Callable[[Any], str] = str
    secret: bool = False

    @property
    def spaced(self) -> bool:
        return True

    def takes(self, sign: str, typed: str = "") -> bool:
        return True

    @property
    def hint(self) -> str:
        return "Type it, then press Enter."

    def echo(self, typed: str) -> str:
        return "*" * len(typed) if self.secret else typed

    def parse(self, typed: str, done: bool) -> Any:
        if len(typed.strip()) > self.longest:
            raise UnfitAnswer(
                f"At most {self.longest} characters, please; this has {len(typed.strip())}."
            )
        if not done:
            return None
        if any("\ud800" <= sign <= "\udfff" for sign in typed):  # nothing could store it
            raise UnfitAnswer("This is not text in UTF-8; type it again.")
        if self.read is not None:
            return self.read(typed)
        if not typed.strip():
            raise UnfitAnswer(self.hint)
        return typed.strip()

    def shown(self, value: Any) -> str:
        if self.secret:
            return "written" if value else "nothing"
        return self.write(value)
