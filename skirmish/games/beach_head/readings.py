"""How the text is read: its gaps with their answers, and presets that name several at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop import rulings
from skirmish.tabletop.reading import DataError, Problem, read


class Ruling(rulings.Ruling, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One gap."""

    id: Annotated[str, msgspec.Meta(pattern=r"^B\d+$", description="a ruling such as B12")]


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A name for several answers at once; what it does not name is answered by default."""

    id: str
    name: str
    about: str
    answers: dict[str, str] = {}


class RulingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """data/beach_head/rulings.toml."""

    format: Literal[1]
    preset: tuple[Preset, ...]
    ruling: tuple[Ruling, ...]


class Readings(rulings.RulingBook[Ruling], frozen=True):
    """All rulings by id, and all presets."""

    presets: dict[str, Preset]

    def named(self, answers: Mapping[str, str]) -> str:
        """The preset that ``answers`` amount to, by id; else the rulings that differ from default,
        ``B11=any B39=2d6``, in the order of the file."""
        full = self.answered(answers)
        for preset in self.presets.values():
            if full == self.answered(preset.answers):
                return preset.id
        return " ".join(f"{ruling.id}={full[ruling.id]}" for ruling, _ in self.departures(full))


def read_readings(raw: Mapping[str, Any]) -> Readings:
    """The file of rulings; raises DataError."""
    file = "beach_head/rulings.toml"
    told = read(raw, RulingsFile, file)
    book = Readings(rulings.by_id(told.ruling, file), {preset.id: preset for preset in told.preset})
    problems: list[Problem] = []
    names = [preset.id for preset in told.preset]
    if "printed" not in names:
        problems.append(Problem("preset", "printed is missing: the answers by default."))
    for index, preset in enumerate(told.preset):
        if preset.id in names[:index]:
            problems.append(Problem(f"preset[{index}].id", f"{preset.id} stands there twice."))
        problems.extend(book.problems(preset.answers, f"preset[{index}].answers"))
    if problems:
        raise DataError(file, problems)
    return book
