"""A set-up form being filled in: its fields, their answers, and what prevents the start."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, Self

from skirmish.tabletop.game import Field, Game
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Number, Slot, UnfitAnswer, Words


class SetupForm:
    """The fields of ``game`` with their answers. Those that were ``given`` are not asked again.
    What players change stays changed when other fields come and go."""

    def __init__(self, game: Game[Any, Any, Any], given: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self._given = dict(given or {})
        self._changed: dict[str, Any] = {}
        self._ask()

    def _ask(self) -> None:
        found = self.game.fields(self._given | self._changed)
        self.answers = {field.slot.name: self._answer(field.slot) for field in found}
        self.fields = [field for field in found if field.slot.name not in self._given]
        self.given = [field for field in found if field.slot.name in self._given]

    def _answer(self, slot: Slot) -> Any:
        for answers in (self._given, self._changed):
            if slot.name in answers and _fits(slot, answers[slot.name]):
                return answers[slot.name]
        return proposal(slot)

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.slot.name == name), None)

    def answer(self, name: str, value: Any) -> None:
        after = self.game.follow(name, {**self.answers, name: value})
        for field in self.fields:
            slot = field.slot
            if slot.name not in after:
                continue
            self._changed.pop(slot.name, None)
            if after[slot.name] != proposal(slot):
                self._changed[slot.name] = after[slot.name]
        self._ask()

    def turn(self, name: str, step: int) -> None:
        """Select the next answer, the first again after the last; add one to a number. Unchanged
        where that is not an answer."""
        field = self.field(name)
        slot = field.slot if field else None
        if isinstance(slot, Choose):
            self.answer(name, slot.turned(self.answers[name], step))
        elif isinstance(slot, Number):
            value = self.answers[name] + step
            if _fits(slot, value) and not self._with(name, value)._refused():
                self.answer(name, value)

    def read(self, name: str, text: str) -> Any:
        """The answer for ``text``; an empty text is the proposed one. Raises UnfitAnswer, also for
        an answer that the game refuses."""
        field = self.field(name)
        assert field is not None, name
        slot = field.slot
        reads_nothing = isinstance(slot, Words) and slot.read is not None
        if not text.strip() and slot.proposed is not None and not reads_nothing:
            return slot.proposed
        value = slot.parse(text, True)
        if (refused := self._with(name, value)._refused()) and not self.trouble:
            raise UnfitAnswer(refused)
        return value

    def changed(self, field: Field) -> bool:
        return bool(self.answers[field.slot.name] != proposal(field.slot))

    @property
    def trouble(self) -> str:
        """Why the game cannot begin, as a sentence; empty if it can."""
        slots = [field.slot for field in self.fields]
        missing = [slot.text for slot in slots if self.answers[slot.name] is None]
        return missing[0] if missing else self._refused()

    def _with(self, name: str, value: Any) -> Self:
        form = copy(self)
        form._changed = dict(self._changed)
        form.answer(name, value)
        return form

    def _refused(self) -> str:
        try:
            self.game.opening(self.answers, lambda: 1)
        except Refused as refused:
            return str(refused)
        return ""

    @property
    def notice(self) -> str:
        return " ".join(filter(None, (field.notice for field in self.fields)))


def proposal(slot: Slot) -> Any:
    if slot.proposed is None and isinstance(slot, Choose):
        return slot.options[0].value
    return slot.proposed


def _fits(slot: Slot, value: Any) -> bool:
    if isinstance(slot, Choose):
        return any(one.value == value for one in slot.options)
    if isinstance(slot, Number):
        return isinstance(value, int) and slot.low <= value <= slot.high
    return True
