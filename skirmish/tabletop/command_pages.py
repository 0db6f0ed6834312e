"""The open question, what is due, and the available commands as pages (``tabletop.page``), for a
plain terminal and for help. Screens show the hint and the answers in words, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from skirmish.tabletop.commands import Command, Draft, Toggle
from skirmish.tabletop.page import Block, Choice, Choices, Heading, Note, Page, Paragraph
from skirmish.tabletop.slots import (
    TAB,
    Choose,
    ChooseSeveral,
    Fewer,
    KeyedOption,
    Number,
    Option,
    Slot,
    has_rows,
    keyed,
    options_of,
)

MOST_LISTED = 60
"""The most options that are listed at once; the rest are only counted."""


def due_page(due: Page) -> Page:
    """What is due, under a title. ``due`` is the game's own page of it, empty if nothing is due."""
    return Page("What is due", due.blocks or (Note("Nothing is due."),))


def draft_page(
    draft: Draft[Any],
    preview: Page | None = None,
    remark: Callable[[Option], str] = attrgetter("remark"),
    *,
    rows: bool = True,
    confirm: str = "Enter",
) -> Page:
    """The order that is being put together: the preview of its result (by default that of the
    draft), or the answers so far if there is no preview; the question with its options and their
    keys; the toggles; and the hint.

    ``remark`` returns what stands behind an option. ``rows``: whether options that are rows of the
    board are listed; a board on the screen shows their keys itself. ``confirm`` is the name of the
    confirming key in the hint."""
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
    toggles = draft.toggles
    if slot.is_field:
        # In a text every key but Tab is a character of it, and changes no fact.
        toggles = tuple(toggle for toggle in toggles if toggle.key == TAB)
    if toggles:
        blocks.append(_toggles(draft, toggles))
    blocks.append(_hint(draft, confirm))
    return Page(command.label, tuple(blocks))


def _hint(draft: Draft[Any], confirm: str) -> Note:
    """The hint; it begins with the key ``confirm`` once the order can be given."""
    if draft.ready and not draft.refused and not draft.advised_against:
        return Note(hint_of(draft, confirm), key=confirm)
    return Note(hint_of(draft, confirm))


def _toggles(draft: Draft[Any], toggles: tuple[Toggle, ...]) -> Choices:
    """Toggles with their keys; those whose fact is changed have a mark."""
    choices = []
    for toggle in toggles:
        mark = is_marked(toggle, draft)
        choices.append(Choice(toggle.key, toggle.label, why_not=toggle.why_not, is_chosen=mark))
    return Choices(tuple(choices))


def _question(draft: Draft[Any], slot: Slot) -> Block:
    """The question, or the label of a command that asks none, and behind it what is typed."""
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
    listed = _options_with_keys(slots, draft.typed)
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


def _options_with_keys(slots: Sequence[Slot], typed: str) -> list[KeyedOption]:
    """The keys and options of these slots. If the first slot has so many that players search them
    by typing, only those of its options that fit what is ``typed``."""
    if slots and isinstance(slots[0], Choose) and slots[0].searchable:
        return slots[0].listed(typed)
    options: list[Option] = []
    for slot in slots:
        options.extend(options_of(slot))
    return keyed(options)


def hint_of(draft: Draft[Any], confirm: str = "Enter") -> str:
    """How to give the next answer; if none is required, also what the key ``confirm`` does."""
    slot = draft.slot
    if slot is None:
        return ""
    if draft.refused:
        return str(draft.refusal)
    if draft.ready:
        effect = draft.command.word or draft.command.label.lower()
        # ``draft_page`` shows the question of an optional answer only once that is begun. Until
        # then it stands here.
        how = slot.hint
        if slot.question and not draft.typed:
            how = slot.question
        # The key would be refused: only the one that the advice names gives the order.
        if draft.advised_against:
            return how
        return f"{confirm}: {effect}. {how}"
    if draft.typed:
        return slot.hint
    required = [next_slot for next_slot in draft.next_slots() if not next_slot.optional]
    if not required or required[0] is slot:
        return f"{slot.hint} {_proposed_answer(slot)}".rstrip()
    # An optional answer comes before the required one, as a rule a number: 15r for 15 riflemen. The
    # hint is that of the required answer, then what the digits before it mean.
    required_slot = required[0]
    how = required_slot.hint
    if isinstance(slot, Number):
        how = f"{how} {slot.leading_digits_hint}".rstrip()
    return f"{how} {_proposed_answer(required_slot)}".rstrip()


def _proposed_answer(slot: Slot) -> str:
    """What Enter alone answers, as a sentence; empty if there is no such answer, or if the slot's
    own hint names it."""
    if isinstance(slot, Fewer) or (isinstance(slot, Choose) and slot.key_sentence):
        return ""
    if slot.proposed is None:
        return ""
    proposed = slot.shown(slot.proposed)
    if not proposed:
        return ""
    return f"Enter alone: {proposed}."


def answers_in_words(draft: Draft[Any]) -> str:
    """``15 Rifle, in cover``: the answers so far, with a comma between them, but none between a
    number and its unit."""
    # Each answer in words, with what separates it from the next, by the name of its slot.
    answer_texts: dict[str, str] = {}
    for slot in draft.slots:
        answer = draft.answers.get(slot.name)
        if answer is None:
            continue
        shown = slot.shown(answer)
        if isinstance(slot, Fewer):
            # Its answer takes the place of the number that was too high.
            answer_texts[slot.number_slot] = f"{shown} "
        elif slot.optional:
            # Optional answers among the required ones are numbers in front of their unit.
            answer_texts[slot.name] = f"{shown} "
        else:
            answer_texts[slot.name] = f"{shown}, "
    marked_toggles = [toggle.label for toggle in draft.toggles if is_marked(toggle, draft)]
    line = "".join(answer_texts.values()) + ", ".join(marked_toggles)
    return line.rstrip(", ")  # without the separator of the last answer


def is_marked(toggle: Toggle, draft: Draft[Any]) -> bool:
    """Whether the fact of a toggle differs from its default value, so that a mark stands beside
    it."""
    # A toggle that opens another command changes no fact.
    if toggle.opens is not None:
        return False
    # The mark of a toggle that is made anew after each answer.
    if toggle.mark:
        return True
    # A toggle that sets answers has such a mark if it needs one; the rest does not concern it.
    if toggle.sets is not None:
        return False
    # A command may have the same toggles whatever is answered. They carry no mark, and turn a fact
    # on that is off by default: it differs from that once it is on.
    return bool(draft.facts.get(toggle.name))


def commands_page(commands: Sequence[Command[Any]]) -> Page:
    """The commands with their keys; those that are not possible now with the reason. If some have a
    word for the strip of keys, only those are listed, as on the strip, and without their help:
    ``help_page`` has all of it. If none has a word, all are listed with their help."""
    with_key = [command for command in commands if command.key]
    if not with_key:
        return Page("What can be done now")
    choices = []
    on_strip = [command for command in with_key if command.word]
    for command in on_strip:
        choices.append(Choice(command.key, command.label, why_not=command.why_not))
    if not on_strip:
        for command in with_key:
            choices.append(Choice(command.key, command.label, command.help, command.why_not))
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
