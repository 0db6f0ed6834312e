"""The rows of the board in a draft: which of them are options of the next answer, which are answers
already, and what becomes of the draft when a row is pointed at. A row is the value that its option
has, which differs from game to game."""

from __future__ import annotations

from typing import Any

from skirmish.tabletop.commands.command import O
from skirmish.tabletop.commands.draft import Draft, with_changes
from skirmish.tabletop.slots import Choose, Picks, Slot, has_rows, options_of


def offered_rows(draft: Draft[Any]) -> frozenset[Any]:
    """The rows of the board that are options of the next answer and have a key."""
    rows = set()
    for slot in draft.next_slots():
        if not has_rows(slot):
            continue
        for option in options_of(slot):
            if not option.why_not and not option.by_pointing_only:
                rows.add(option.value)
    return frozenset(rows)


def chosen_rows(draft: Draft[Any]) -> frozenset[Any]:
    """The rows of the board that are answers already."""
    rows: set[Any] = set()
    for slot in draft.slots:
        answer = draft.answers.get(slot.name)
        if isinstance(slot, Choose):
            if slot.rows and answer is not None:
                rows.add(answer)
        elif isinstance(slot, Picks):
            counts = answer or {}
            # What is typed of the next answer counts already.
            if slot is draft.slot:
                counts = slot.picked(draft.typed).counts
            rows.update(counts.keys())
    return frozenset(rows)


def with_row(draft: Draft[O], row: Any) -> Draft[O]:
    """The draft after a row of the board was pointed at: the answer to the next slot, else to
    the last one that accepts it. Raises UnfitAnswer."""
    if draft.refused:
        raise draft.refusal
    slot = draft.slot
    if isinstance(slot, Picks):
        for option in slot.options:
            if option.value == row:
                # Pointing at a row picks as many of it as its key does.
                return draft.press(option.key)
    answered = _with_next_row(draft, row)
    if answered is None:
        answered = _with_row_changed(draft, row)
    if answered is not None:
        return answered
    assert slot is not None, "no row is an answer to a complete draft"
    if slot.question:
        raise slot.asked_again()
    raise slot.refused()


def _with_next_row(draft: Draft[O], row: Any) -> Draft[O] | None:
    """The draft with a row as the answer of the next required slot, or of an optional one before
    it; the optional slots before that one are skipped. None if none of these slots has the row.
    Raises UnfitAnswer for what is typed."""
    # The slots before the row have a number that is typed, or None where they are skipped.
    answers_before: dict[str, Any] = {}
    for slot in draft.slots:
        if slot.name in draft.answers:
            continue
        if _has_row(slot, row):
            # What is typed is a number before the row: it counts as complete.
            if draft.typed and draft.slot is not None:
                answers_before[draft.slot.name] = draft.slot.parse(draft.typed, done=True)
            answers = {**draft.answers, **answers_before, slot.name: row}
            return with_changes(draft, answers=answers, typed="")
        if not slot.optional:
            return None
        answers_before[slot.name] = None
    return None


def _with_row_changed(draft: Draft[O], row: Any) -> Draft[O] | None:
    """The draft with a row in place of the last answer that it could be. The answers after that
    one are taken back, as they may depend on it."""
    for slot in reversed(draft.slots):
        if slot.name in draft.answers and _has_row(slot, row):
            before = draft.before_slot(slot.name)
            return with_changes(draft, answers={**before.answers, slot.name: row}, typed="")
    return None


def _has_row(slot: Slot, row: Any) -> bool:
    """Whether a row is one of the options of a slot."""
    if not isinstance(slot, Choose):
        return False
    return any(option.value == row for option in slot.options)
