"""The faces of the player's own dice."""

from __future__ import annotations

from typing import Any, ClassVar

from skirmish.tabletop.slots.slot import Slot


class Dice(Slot, frozen=True, kw_only=True):
    """The faces of the player's own dice: up to ``count`` of them, at least ``least`` (0: exactly
    ``count``), each from ``low`` to ``high``. After fewer than ``count`` comes Enter."""

    count: int = 1
    least: int = 0
    low: int = 1
    high: int = 6

    greedy: ClassVar[bool] = True

    @property
    def keeps_spaces(self) -> bool:
        return self.high > 9

    @property
    def keyless_hint(self) -> str:
        if 0 < self.least < self.count:
            return f"Up to {self.count} dice, each {self.low} to {self.high}; Enter after fewer."
        # In some games the owner may draw cards for these numbers, so they are not called dice.
        numbers = f"{self.count} numbers"
        if self.count == 1:
            numbers = "A number"
        return f"{numbers} from {self.low} to {self.high}."

    def parse(self, typed: str, done: bool) -> Any:
        """Digit by digit if a face has one digit, else with spaces between the faces."""
        faces = self._faces(typed)
        if len(faces) > self.count:
            raise self.refused()
        if len(faces) == self.count:
            if not done and self._may_grow(typed, faces[-1]):
                return None
            return faces
        if not done:
            return None
        least = self.least or self.count
        if len(faces) < least:
            raise self.refused(f"{least - len(faces)} more to come.")
        return faces

    def _faces(self, typed: str) -> tuple[int, ...]:
        """The faces that are typed. Raises UnfitAnswer for what is no face of these dice."""
        if self.keeps_spaces:
            words = typed.split()
        else:
            # Each digit is a face, with or without blanks and commas between them.
            words = list(typed.replace(" ", "").replace(",", ""))
        faces = []
        for word in words:
            if not (word.isascii() and word.isdigit()):
                raise self.refused()
            if not self.low <= int(word) <= self.high:
                raise self.refused()
            faces.append(int(word))
        return tuple(faces)

    def _may_grow(self, typed: str, face: int) -> bool:
        """Whether the last face may get another digit: 1 of a d12 is the beginning of 12."""
        return self.keeps_spaces and face * 10 <= self.high and not typed.endswith(" ")

    def shown(self, value: Any) -> str:
        return " ".join(map(str, value))
