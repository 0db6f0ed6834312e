"""The rulings of a game with presets (a name for several answers at once), their lines in a set-up
form, and their look-up page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop.data_file import Problem, doubles, read
from skirmish.tabletop.page import Block, Heading, Paragraph
from skirmish.tabletop.rulings import Ruling, RulingBook, problems_of
from skirmish.tabletop.set_up_form import Field, Fold
from skirmish.tabletop.slots import AnswerRow, Choose, Option, form_choice

OWN = "own"
"""The answer in the field ``RULINGS`` for rulings that are answered as no preset does."""
RULINGS = "rulings"
"""The name of the field of the form that chooses a preset."""


class PresetRuling(Ruling, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling whose id is a capital letter and a number."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]\d+$", description="a ruling such as B12")]


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ``name`` for several answers at once, by the ids of their rulings, and a sentence ``about``
    it. A ruling that it does not answer has its default answer."""

    id: str
    name: str
    about: str
    answers: dict[str, str] = {}


class PresetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a game's file of rulings. Each preset and each ruling is a table of its own,
    ``[[preset]]`` and ``[[ruling]]``."""

    format: Literal[1]
    preset: tuple[Preset, ...]
    ruling: tuple[PresetRuling, ...]


class PresetBook(RulingBook[PresetRuling], frozen=True):
    """All rulings by id, and all presets; the first answers everything by default."""

    presets: dict[str, Preset]

    def preset_of(self, answers: Mapping[str, str]) -> Preset | None:
        """The preset with the same answers to all rulings; None if there is none."""
        # Compared in full: a preset that names a default answer equals one that leaves it out.
        full = self.answered(answers)
        for preset in self.presets.values():
            if full == self.answered(preset.answers):
                return preset
        return None

    def named(self, answers: Mapping[str, str]) -> str:
        """The id of the preset with the same answers to all rulings; if there is none, the rulings
        that differ from the default, ``B11=any B39=2d6``, in the order of the file."""
        preset = self.preset_of(answers)
        if preset is not None:
            return preset.id
        full = self.answered(answers)
        departing_ids = [departure.ruling.id for departure in self.departures(full)]
        return " ".join(f"{id}={full[id]}" for id in departing_ids)

    def fields(self, note_of_own: str = "Answers of your own.") -> Iterator[Field]:
        """The line for a preset, with a note for answers of one's own; then every ruling that can
        be answered, in a fold."""
        text = "How are the gaps in the rules filled?"
        rows = []
        for preset in self.presets.values():
            rows.append(AnswerRow(preset.id, preset.name, preset.about))
        rows.append(AnswerRow(OWN, "your own", note_of_own))
        yield Field(slot=form_choice(RULINGS, text, rows, "Rulings"))
        fold = Fold("gaps", "Single rulings", "Answer each gap in the rules as you play it.")
        for ruling in self.rulings.values():
            # A spoken ruling changes nothing in the program, and of a single answer there is no
            # choice: nothing is asked about either.
            if ruling.mode != "live" or len(ruling.answers) < 2:
                continue
            slot = _answer_slot(ruling)
            help = f"{ruling.id}. {ruling.question}"
            yield Field(slot=slot, fold=fold, help=help, is_ruling=True)

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answers of a form after the field ``changed`` got a new one: a preset sets every
        ruling, and after a ruling the field of the preset names the one with the same answers, or
        ``OWN``."""
        if changed == RULINGS:
            preset = self.presets.get(answers[RULINGS])
            if preset is not None:
                return {**answers, **self.answered(preset.answers)}
        if changed in self.rulings:
            preset = self.preset_of(self._of_form(answers))
            id_of_preset = OWN
            if preset is not None:
                id_of_preset = preset.id
            return {**answers, RULINGS: id_of_preset}
        return answers

    def chosen(self, answers: Mapping[str, Any]) -> dict[str, str]:
        """The rulings as a form answers them; those that it has no field for are answered by its
        preset."""
        preset = self.presets.get(answers.get(RULINGS, ""))
        if preset is None:
            return self._of_form(answers)
        return {**preset.answers, **self._of_form(answers)}

    def _of_form(self, answers: Mapping[str, Any]) -> dict[str, str]:
        """Of the answers of a form those that are rulings."""
        return {id: answers[id] for id in self.rulings if id in answers}

    def differing(self, answers: Mapping[str, str]) -> Iterator[Block]:
        """How a game departs from the defaults, as blocks of a page; none if it does not."""
        departures = self.departures(answers)
        if departures:
            yield Heading("This game differs")
        for ruling, sentence in departures:
            yield Paragraph(f"{ruling.question} {sentence}", lead=f"{ruling.id} {ruling.title}.")

    def blocks(self, answers: Mapping[str, str]) -> Iterator[Block]:
        """Every ruling with the game's answer, and what it could have been."""
        yield Heading("Gaps in the rules, and how this game fills them")
        for id, ruling in self.rulings.items():
            answer = answers.get(id, ruling.default)
            text = f"{ruling.question} {ruling.answers.get(answer, answer)}"
            others = [sentence for other, sentence in ruling.answers.items() if other != answer]
            if others:
                text = f"{text} (Otherwise: {' '.join(others)})"
            yield Paragraph(text, lead=f"{id} {ruling.title}.")


def _answer_slot(ruling: PresetRuling) -> Choose:
    """The question for one ruling. Its name is the id of the ruling, by which ``follow`` recognizes
    it."""
    options = [Option(value=id, label=text) for id, text in ruling.answers.items()]
    return Choose(
        name=ruling.id,
        text=ruling.question,
        options=tuple(options),
        default=ruling.default,
        label=ruling.title,
    )


def read_presets(raw: Mapping[str, Any], file: str) -> PresetBook:
    """The book of a file of rulings and presets. Raises DataError with everything that is wrong."""
    return _book(read(raw, PresetFile, file, _problems))


def _book(content: PresetFile) -> PresetBook:
    """The book of a file whose answers are not checked yet."""
    rulings = {ruling.id: ruling for ruling in content.ruling}
    presets = {preset.id: preset for preset in content.preset}
    return PresetBook(rulings, presets)


def _problems(content: PresetFile) -> Iterator[Problem]:
    """What is wrong with a file of rulings and presets."""
    yield from problems_of(content.ruling)
    yield from doubles("preset", [preset.id for preset in content.preset])
    if not content.preset:
        yield Problem("preset", "at least one is needed.")
    elif content.preset[0].answers:  # the first stands for the defaults
        text = f"{content.preset[0].id} comes first, so it names no answers."
        yield Problem("preset[0].answers", text)
    book = _book(content)
    for index, preset in enumerate(content.preset):
        yield from book.problems(preset.answers, f"preset[{index}].answers")
