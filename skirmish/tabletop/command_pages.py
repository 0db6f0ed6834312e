"""The open question, what is due, and the available commands as pages (``tabletop.page``), for a
plain terminal and for help. The hint and the answers in words stand on the screens, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from skirmish.tabletop.commands import Command, Draft, Toggle
from skirmish.tabletop.page import Block, Choice, Choices, Heading, Note, Page, Paragraph
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Fewer,
    Number,
    Option,
    Slot,
    has_rows,
    keyed,
    options_of,
)

MOST_LISTED = 60
"""The most options that are listed at once."""


def due_page(due: Page) -> Page:
    """Everything that is due, as a page of its own. ``due``: the page that the game makes of it,
    empty if nothing is."""
    return Page("What is due", due.blocks or (Note("Nothing is due."),))


def draft_page(
    draft: Draft[Any],
    preview: Page | None = None,
    remark: Callable[[Option], str] = attrgetter("remark"),
    *,
    rows: bool = True,
    confirm: str = "Enter",
) -> Page:
    """The order that is being put together, as it stands: the preview of its result (by default
    that of the draft), or the answers so far if it has none; the question, its options with their
    keys, the toggles; then the hint, which calls the confirming key ``confirm``. ``remark`` words
    what stands behind an option. Without ``rows``, options that are rows of the board are left out:
    the board shows their keys."""
    command, slot = draft.command, draft.slot
    if preview is None:
        preview = draft.page
    blocks: list[Block] = list(preview.blocks)
    words = answers_in_words(draft)
    if not blocks and words:
        blocks.append(Paragraph(words, lead=f"{command.label}:"))
    if slot is None:
        return Page(command.label, tuple(blocks))
    # Once only optional answers are left, there is no question, unless one is being typed.
    if draft.typed or not draft.ready:
        blocks.append(_question(draft, slot))
    blocks.extend(_choices(draft, remark, rows=rows))
    if draft.toggles:
        toggles = []
        for toggle in draft.toggles:
            mark = is_marked(toggle, draft)
            toggles.append(Choice(toggle.key, toggle.label, why_not=toggle.why_not, is_chosen=mark))
        blocks.append(Choices(tuple(toggles)))
    blocks.append(Note(hint_of(draft, confirm)))
    return Page(command.label, tuple(blocks))


def _question(draft: Draft[Any], slot: Slot) -> Block:
    """The question, with what is typed behind it."""
    text = draft.shown_question or draft.command.label
    if draft.typed:
        text = f"{text} {slot.echo(draft.typed)}_"
    return Paragraph(text, tone="strong")


def _choices(draft: Draft[Any], remark: Callable[[Option], str], *, rows: bool) -> Iterator[Block]:
    """The options of the next answers with their keys; those that are chosen have a mark."""
    slots = []
    for slot in draft.next_slots():
        if rows or not has_rows(slot):
            slots.append(slot)
    listed = _listed(slots, draft.typed)
    if not listed:
        return
    marked: list[Option] = []
    if isinstance(draft.slot, ChooseSeveral):
        marked = draft.slot.marked(draft.typed).options
    choices = []
    for key, option in listed[:MOST_LISTED]:
        choice = Choice(
            key,
            option.label,
            note=remark(option),
            why_not=option.why_not,
            is_chosen=option in marked,
            why_not_short=option.reason,
        )
        choices.append(choice)
    yield Choices(tuple(choices))
    if len(listed) > MOST_LISTED:
        yield Note(f"{len(listed) - MOST_LISTED} more are not listed.")


def _listed(slots: Sequence[Slot], typed: str) -> list[tuple[str, Option]]:
    """The options of these slots with their keys. Where the first slot has so many that they are
    found by typing, only its own that fit what is ``typed``."""
    if slots and isinstance(slots[0], Choose) and slots[0].searchable:
        return slots[0].listed(typed)
    options: list[Option] = []
    for slot in slots:
        options.extend(options_of(slot))
    return keyed(options)


def hint_of(draft: Draft[Any], confirm: str = "Enter") -> str:
    """How to give the next answer; if none is required, what the key ``confirm`` does."""
    slot = draft.slot
    if slot is None:
        return ""
    if draft.refused:
        return str(draft.refusal)
    if draft.ready:
        effect = draft.command.word or draft.command.label.lower()
        # The question of an optional answer is shown above only once it is begun; until then here.
        how = slot.question or slot.hint
        if draft.typed:
            how = slot.hint
        return f"{confirm}: {effect}. {how}"
    if draft.typed:
        return slot.hint
    required = [next_slot for next_slot in draft.next_slots() if not next_slot.optional]
    if not required or required[0] is slot:
        return f"{slot.hint}{_default(slot)}"
    # The next answer is an optional one before the required one: as a rule a number, whose digits
    # come first, as in 15r for 15 riflemen. The hint of both: that of the required one, then what
    # may stand before it.
    how = required[0].hint
    if isinstance(slot, Number):
        how = f"{how} {slot.leading_digits_hint}".rstrip()
    return f"{how}{_default(required[0])}"


def _default(slot: Slot) -> str:
    """What Enter alone answers, as a sentence with a space before it; empty if there is no such
    answer, or if the slot's own hint says it."""
    if isinstance(slot, Fewer) or (isinstance(slot, Choose) and slot.key_sentence):
        return ""
    if slot.proposed is None:
        return ""
    proposed = slot.shown(slot.proposed)
    if not proposed:
        return ""
    return f" Enter alone: {proposed}."


def answers_in_words(draft: Draft[Any]) -> str:
    """``15 Rifle, in cover``: the answers so far, each separated from the next by a comma, but a
    number from its unit by a space."""
    # Each with what separates it from the next.
    words: list[str] = []
    place_of_number = 0
    for slot in draft.slots:
        answer = draft.answers.get(slot.name)
        if answer is None:
            continue
        shown = slot.shown(answer)
        if isinstance(slot, Fewer):
            # It asks again for a number that was too high, and its answer takes the place of that
            # number.
            words[place_of_number] = f"{shown} "
            continue
        if isinstance(slot, Number):
            place_of_number = len(words)
        separator = ", "
        if slot.optional:
            # Optional answers among the required ones are numbers in front of their unit.
            separator = " "
        words.append(shown + separator)
    for toggle in draft.toggles:
        if is_marked(toggle, draft):
            words.append(f"{toggle.label}, ")
    return "".join(words).rstrip(", ")


def is_marked(toggle: Toggle, draft: Draft[Any]) -> bool:
    """Whether the fact of a toggle differs from its default value, so that a mark stands beside it.
    A toggle that leads to another command changes no fact."""
    if toggle.opens is not None:
        return False
    if toggle.mark:
        return True
    # A toggle that sets answers does so under the names of their slots, and has no fact of its own.
    if toggle.sets is not None:
        return False
    return bool(draft.facts.get(toggle.name))


def commands_page(commands: Sequence[Command[Any]]) -> Page:
    """The commands with their keys, those that are not possible now with the reason. Only those
    with a word for the strip of keys, if any has one; of the others the help tells."""
    with_key = [command for command in commands if command.key]
    listed = [command for command in with_key if command.word]
    if not listed:
        listed = with_key
    if not listed:
        return Page("What can be done now")
    choices = []
    for command in listed:
        note = ""
        if not command.word:
            note = command.help
        choices.append(Choice(command.key, command.label, note, command.why_not))
    return Page("What can be done now", (Choices(tuple(choices)),))


def help_page(commands: Sequence[Command[Any]]) -> Page:
    """Every command that has a key, with its help, under the headings of their groups."""
    groups: dict[str, list[Choice]] = {}
    for command in commands:
        if command.key:
            choice = Choice(command.key, command.help or command.label)
            groups.setdefault(command.group, []).append(choice)
    blocks: list[Block] = []
    for group, choices in groups.items():
        if group:
            blocks.append(Heading(group))
        blocks.append(Choices(tuple(choices)))
    return Page("What can be done", tuple(blocks))
