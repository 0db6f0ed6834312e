"""The gaps in the rules: each a question with a default answer and, mostly, others.

A *live* ruling is a switch that a rule reads. A *spoken* one changes nothing in the program; its
text is shown where players need it. Everything that depends on rulings takes a plain mapping
``id -> answer`` that answers all of them, so a battle can carry its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop.reading import DataError, Problem, read, suggest

Topic = Literal["army", "shot", "check", "turn", "movement", "works", "battle", "scenario"]


class Needs(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Without what a ruling cannot matter in a battle. All that is given must hold, of each list
    one thing: ``units`` (ids or tags) of a side, ``against`` those of its enemy, ``works``,
    ``nations`` where these are played, an optional rule, cards or dice, a break point, the kind of
    game. What is ``settled`` elsewhere is no question when a battle begins."""

    units: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    works: tuple[str, ...] = ()
    nations: tuple[str, ...] = ()
    option: str | None = None
    chance: Literal["deck", "die"] | None = None
    breaks: bool = False
    game: Literal["basic", "scenario"] | None = None
    settled: Literal["armies", "options"] | None = None


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One gap. ``answers`` maps an answer's id to its sentence; one answer: nothing to choose."""

    id: Annotated[str, msgspec.Meta(pattern=r"^P\d+$")]
    title: str
    topic: Topic
    mode: Literal["live", "spoken"]
    scenarios: tuple[int, ...] = ()
    needs: Needs = Needs()
    question: str
    default: str
    answers: dict[str, str]


class RulingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """data/plastic/rulings.toml."""

    format: Literal[1]
    ruling: tuple[Ruling, ...]


class RulingBook(msgspec.Struct, frozen=True):
    """All rulings by id, in the order of the file."""

    rulings: dict[str, Ruling]

    def defaults(self) -> dict[str, str]:
        """Every ruling answered by its default."""
        return {name: ruling.default for name, ruling in self.rulings.items()}

    def answered(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every ruling answered: as ``chosen``, else by default. Raises ValueError (a sentence)."""
        for problem in self.problems(chosen):
            raise ValueError(str(problem))
        return self.defaults() | dict(chosen)

    def problems(self, chosen: Mapping[str, str], key: str = "rulings") -> Iterator[Problem]:
        """What is wrong with a choice of answers."""
        for name, answer in chosen.items():
            ruling = self.rulings.get(name)
            if ruling is None:
                yield Problem(
                    f"{key}.{name}",
                    f"no such ruling; they run from P1 to P{len(self.rulings)}.",
                )
            elif answer not in ruling.answers:
                yield Problem(
                    f"{key}.{name}", f"no answer {answer!r}; {suggest(answer, ruling.answers)}"
                )

    def departures(self, answers: Mapping[str, str]) -> list[tuple[Ruling, str]]:
        """Rulings answered otherwise than by default, with the answer's sentence."""
        return [
            (ruling, ruling.answers[answers[name]])
            for name, ruling in self.rulings.items()
            if answers.get(name, ruling.default) != ruling.default
        ]

    def about(self, topics: Iterable[str]) -> list[Ruling]:
        """The rulings on these topics."""
        wanted = set(topics)
        return [ruling for ruling in self.rulings.values() if ruling.topic in wanted]


def read_rulings(raw: Mapping[str, Any]) -> RulingBook:
    """The file of rulings; raises DataError for double ids and defaults that are no answer."""
    file = "plastic/rulings.toml"
    known: dict[str, Ruling] = {}
    problems = []
    for index, ruling in enumerate(read(raw, RulingsFile, file).ruling):
        if ruling.id in known:
            problems.append(Problem(f"ruling[{index}].id", f"{ruling.id} stands there twice."))
        if ruling.default not in ruling.answers:
            hint = suggest(ruling.default, ruling.answers)
            problems.append(
                Problem(f"ruling[{index}].default", f"no answer {ruling.default!r}; {hint}")
            )
        known[ruling.id] = ruling
    if problems:
        raise DataError(file, problems)
    return RulingBook(known)
