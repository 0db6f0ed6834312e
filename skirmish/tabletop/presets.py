"""The rulings of a game with presets (a name for several answers at once), their lines in a set-up
form, and their look-up page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop.data_file import Problem, doubles, read
from skirmish.tabletop.game import Field, Fold
from skirmish.tabletop.page import Block, Heading, Paragraph
from skirmish.tabletop.rulings import Ruling, RulingBook, problems_of
from skirmish.tabletop.slots import Choose, Option, chosen

OWN = "own"
"""The form's value for answers that no preset has."""
RULINGS = "rulings"
"""The field of the form that chooses a preset."""


class PresetRuling(Ruling, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]\d+$", description="a ruling such as B12")]


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling that it does not name has its default answer."""

    id: str
    name: str
    about: str
    answers: dict[str, str] = {}


class PresetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal[1]
    preset: tuple[Preset, ...]
    ruling: tuple[PresetRuling, ...]


class PresetBook(RulingBook[PresetRuling], frozen=True):
    """All rulings by id, and all presets; the first answers everything by default."""

    presets: dict[str, Preset]

    def named(self, answers: Mapping[str, str]) -> str:
        """The preset that equals ``answers``, by id; else the rulings that differ from default,
        ``B11=any B39=2d6``, in the order of the file."""
        full = self.answered(answers)
        for preset in self.presets.values():
            if full == self.answered(preset.answers):
                return preset.id
        return " ".join(f"{ruling.id}={full[ruling.id]}" for ruling, _ in self.departures(full))

    def fields(self, own: str = "Answers of your own.") -> Iterator[Field]:
        """The line for a preset, with a note for answers of one's ``own``; then every ruling that
        can be answered, in a fold."""
        text = "How are the gaps in the rules filled?"
        presets = [(one.id, one.name, one.about) for one in self.presets.values()]
        yield Field(slot=chosen(RULINGS, text, [*presets, (OWN, "your own", own)], "Rulings"))
        fold = Fold("gaps", "Single rulings", "Answer each gap in the rules as you play it.")
        for one in self.rulings.values():
            if one.mode == "live" and len(one.answers) > 1:
                options = tuple(Option(value=id, label=text) for id, text in one.answers.items())
                slot = Choose(name=one.id, text=one.question, options=options, default=one.default,
                              label=one.title)  # fmt: skip
                yield Field(slot=slot, fold=fold, help=f"{one.id}. {one.question}")

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        """A preset sets every ruling; other answers may equal a preset or be custom."""
        if changed == RULINGS and (preset := self.presets.get(answers[RULINGS])):
            return {**answers, **self.answered(preset.answers)}
        if changed in self.rulings:
            named = self.named({id: answers[id] for id in self.rulings if id in answers})
            return {**answers, RULINGS: named if named in self.presets else OWN}
        return answers

    def chosen(self, answers: Mapping[str, Any]) -> dict[str, str]:
        """The answers of a form as rulings; those missing come from its preset."""
        preset = self.presets.get(answers.get(RULINGS, ""))
        found = dict(preset.answers) if preset else {}
        return found | {id: answers[id] for id in self.rulings if id in answers}

    def differing(self, answers: Mapping[str, str]) -> Iterator[Block]:
        if others := self.departures(answers):
            yield Heading("This game differs")
        for ruling, text in others:
            yield Paragraph(f"{ruling.question} {text}", lead=f"{ruling.id} {ruling.title}.")

    def blocks(self, answers: Mapping[str, str]) -> Iterator[Block]:
        yield Heading("Gaps in the rules, and how this game fills them")
        for id, ruling in self.rulings.items():
            answer = answers.get(id, ruling.default)
            others = [text for other, text in ruling.answers.items() if other != answer]
            more = f" (Otherwise: {' '.join(others)})" if others else ""
            text = f"{ruling.question} {ruling.answers.get(answer, answer)}{more}"
            yield Paragraph(text, lead=f"{id} {ruling.title}.")


def read_presets(raw: Mapping[str, Any], file: str) -> PresetBook:
    return _book(read(raw, PresetFile, file, _problems))


def _book(found: PresetFile) -> PresetBook:
    return PresetBook({one.id: one for one in found.ruling}, {one.id: one for one in found.preset})


def _problems(found: PresetFile) -> Iterator[Problem]:
    yield from problems_of(found.ruling)
    yield from doubles("preset", [preset.id for preset in found.preset])
    if not found.preset:
        yield Problem("preset", "at least one is needed.")
    elif found.preset[0].answers:
        text = f"{found.preset[0].id} comes first, so it names no answers."
        yield Problem("preset[0].answers", text)
    for index, preset in enumerate(found.preset):
        yield from _book(found).problems(preset.answers, f"preset[{index}].answers")
