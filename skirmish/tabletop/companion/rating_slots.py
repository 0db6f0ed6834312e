"""The ratings printed on counters: the questions for those that a roll needs and nobody has typed
in yet, and what was answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

from skirmish.tabletop.companion.counters import BACK, HIGHEST_RATING, Counter, rating_label
from skirmish.tabletop.slots import Number

_RATE = "rate "
"""The beginning of the names of answers for ratings, among all answers of a command."""


class RatingAnswer(NamedTuple):
    """The answer for a ``rating`` of a ``unit``, given by its id. Half-typed commands are stored
    with its ``name``, which must stay as it is."""

    rating: str
    unit: str

    @property
    def name(self) -> str:
        """Its name among the answers of a command: ``rate range 1-b-116``."""
        return f"{_RATE}{self.rating} {self.unit}"

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The rating and the unit of that name; None if it is the name of any other answer."""
        if not name.startswith(_RATE):
            return None
        rating, unit = name.removeprefix(_RATE).split(" ", 1)
        return cls(rating, unit)


class RatingSlot(Number, frozen=True, kw_only=True):
    """A number that is printed on a counter; ``word`` is its name in one word."""

    word: str

    def shown(self, value: Any) -> str:
        return f"{self.word} {value}"


def rating_slots(
    units: Iterable[Counter], names: Sequence[str], words: Mapping[str, str]
) -> Iterator[RatingSlot]:
    """A slot for each rating of these ``names`` that is not typed in yet, for the side of the
    counter that is up. ``words``: what each rating of the front is called in the question."""
    for unit in units:
        for name in unit.missing(names):
            front_name = name.removesuffix(BACK)
            text = f"What is the {words[front_name]} of {unit.name}?"
            proposed = None
            if name.endswith(BACK):
                text = f"What is the {words[front_name]} of {unit.name} (on its back)?"
                # Often only some ratings of the back differ from those of the front, so the value
                # of the front is proposed.
                proposed = unit.ratings.get(front_name)
            yield RatingSlot(
                name=RatingAnswer(name, unit.id).name,
                text=text,
                word=rating_label(front_name),
                high=HIGHEST_RATING,
                default=proposed,
            )


def typed_ratings(answers: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """The answers to ``rating_slots``: by the id of each unit, its values by the name of the
    rating."""
    ratings: dict[str, dict[str, int]] = {}
    for name, value in answers.items():
        answer = RatingAnswer.named(name)
        if answer is not None and value is not None:
            ratings.setdefault(answer.unit, {})[answer.rating] = value
    return ratings
