"""The lines of a set-up form: which there are while folds are open, what each shows as its value,
and how it is explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.set_up_form import Field, Fold
from skirmish.tabletop.slots import Choose, Number, Slot, Words

SWITCH_LABELS = {"on", "off"}
"""The labels of the two options of a switch."""


class SetupLine(NamedTuple):
    """A line of a form: a field to answer, or a fold that opens the lines of several."""

    id: str
    part: Field | Fold
    heading: str
    """The heading under which the line stands; empty for none."""


class LineValue(NamedTuple):
    """What stands beside the label of a line."""

    text: str
    is_changed: bool
    """Whether it is marked as another than the default."""
    has_arrows: bool
    """Whether it stands between arrows, since the left and right arrows change it."""


class SetupLines:
    """The lines of ``form``; all folds are closed at first."""

    def __init__(self, form: SetupForm) -> None:
        self.form = form
        self._open_folds: set[str] = set()

    def open_or_close(self, fold_id: str) -> None:
        """Open a fold that is closed, close one that is open."""
        if self.is_open(fold_id):
            self._open_folds.remove(fold_id)
        else:
            self._open_folds.add(fold_id)

    def is_open(self, fold_id: str) -> bool:
        return fold_id in self._open_folds

    def __iter__(self) -> Iterator[SetupLine]:
        """A line for each field. A fold has a line above those of its fields; while it is closed,
        its fields have none."""
        listed_folds: set[str] = set()
        for field in self.form.fields:
            fold = field.fold
            if fold is not None and fold.id not in listed_folds:
                listed_folds.add(fold.id)
                yield SetupLine(fold.id, fold, field.group)
            if fold is None or self.is_open(fold.id):
                yield SetupLine(field.slot.name, field, field.group)

    def label(self, part: Field | Fold) -> str:
        """The label of a line; the lines within a fold are indented."""
        if isinstance(part, Fold):
            return part.label
        if part.fold is not None:
            return f"  {label_of(part)}"
        return label_of(part)

    def value(self, part: Field | Fold) -> LineValue:
        """What the line shows: an answer, or a summary of the answers within a fold."""
        if isinstance(part, Fold):
            return self._summary(part)
        slot = part.slot
        text = self._shown_answer(slot) or "none"
        return LineValue(text, self.form.is_changed(part), _is_changed_by_arrows(slot))

    def _summary(self, fold: Fold) -> LineValue:
        """The answers within a fold. Of switches those that are on are named; of other fields only
        the number of those that were changed is shown, as their answers may be long."""
        fields = [field for field in self.form.fields if field.fold == fold]
        changed_fields = [field for field in fields if self.form.is_changed(field)]
        if all(_is_switch(field.slot) for field in fields):
            summary = ", ".join(self._switched_on(fields)) or "none"
        elif changed_fields:
            summary = f"{len(changed_fields)} changed"
        else:
            summary = "defaults"
        mark = "▸"
        if self.is_open(fold.id):
            mark = "▾"
        return LineValue(f"{mark} {summary}", bool(changed_fields), has_arrows=False)

    def _switched_on(self, switches: Sequence[Field]) -> list[str]:
        """The labels of the switches that are on, as part of a sentence."""
        labels = []
        for field in switches:
            if self._shown_answer(field.slot) == "on":
                labels.append(label_of(field).lower())
        return labels

    def _shown_answer(self, slot: Slot) -> str:
        """The answer to a slot as the form shows it; empty for an empty answer."""
        return slot.shown(self.form.answers[slot.name])

    def explanation(self, line_id: str) -> str:
        """What the line with that id means; empty if there is no such line."""
        for line in self:
            if line.id == line_id:
                if isinstance(line.part, Fold):
                    return line.part.help
                return explanation_of(line.part, self.form.answers)
        return ""

    def changed_labels(self) -> list[str]:
        """The labels of all fields whose answer is not the default, also within closed folds."""
        return [label_of(field) for field in self.form.fields if self.form.is_changed(field)]


def _is_changed_by_arrows(slot: Slot) -> bool:
    """Whether the left and right arrows change the answer; with one option there is no other."""
    if isinstance(slot, Choose):
        return len(slot.options) > 1
    return isinstance(slot, Number)


def _is_switch(slot: Slot) -> bool:
    """Whether the answer is either on or off."""
    return isinstance(slot, Choose) and {option.label for option in slot.options} == SWITCH_LABELS


def label_of(field: Field) -> str:
    """The label of a field; a slot that has none is called by its name."""
    return field.slot.label or field.slot.name.replace("_", " ").capitalize()


def explanation_of(field: Field, answers: Mapping[str, Any]) -> str:
    """The explanation of a field and of its answer; never a secret answer itself."""
    slot, answer = field.slot, answers[field.slot.name]
    about_field = field.help or slot.text
    if isinstance(slot, Choose):
        sentences = [about_field, *_about_option(slot, answer)]
        return " ".join(sentence for sentence in sentences if sentence)
    if isinstance(slot, Words) and slot.secret:
        return about_field  # a secret is hidden here as it is in its line
    shown_answer = (slot.shown(answer) or "none").rstrip(".")  # the sentence ends with a full stop
    return f"{about_field} Now: {shown_answer}. Press Enter to edit."


def _about_option(slot: Choose, answer: Any) -> Iterator[str]:
    """The sentences about the chosen option. A label that is a whole sentence is one of them, since
    the line may have cut it short."""
    chosen = next((option for option in slot.options if option.value == answer), None)
    if chosen is None:
        return
    is_sentence = chosen.label.endswith(".")
    if is_sentence and chosen.label not in chosen.note:
        yield chosen.label
    if chosen.note:
        yield chosen.note
