"""The open question and the available commands as pages, for a plain terminal and for help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from skirmish.tabletop.commands import Command, Draft, Toggle
from skirmish.tabletop.page import Block, Choice, Choices, Heading, Note, Page, Paragraph
from skirmish.tabletop.slots import (
    LISTED,
    Choose,
    ChooseSeveral,
    Fewer,
    Number,
    Option,
    Slot,
    keyed,
)


def due_page(due: Page) -> Page:
    """Everything that is due, as a page of its own."""
    return Page("What is due", due.blocks or (Note("Nothing is due."),))


def draft_page(
    draft: Draft[Any],
    preview: Page | None = None,
    remark: Callable[[Option], str] = attrgetter("remark"),
    *,
    rows: bool = True,
    confirm: str = "Enter",
) -> Page:
    """The preview or the answers so far; the question, its options with their keys, the toggles;
    then the hint, which calls the confirming key ``confirm``. Without ``rows``, options that are
    rows of the board are left out: the board shows their keys."""
    command, slot = draft.command, draft.slot
    blocks: list[Block] = list((draft.page if preview is None else preview).blocks)
    if not blocks and (words := given(draft)):
        blocks.append(Paragraph(words, lead=f"{command.label}:"))
    if slot is None:
        return Page(command.label, tuple(blocks))
    if draft.typed or not draft.ready:  # an optional answer has no question
        typed = f" {slot.echo(draft.typed)}_" if draft.typed else ""
        blocks.append(Paragraph(f"{draft.text or command.label}{typed}", tone="strong"))
    asked = [one for one in draft.next_slots() if rows or not getattr(one, "rows", False)]
    listed = _listed(asked, draft.typed)
    if listed:
        marked = slot.marked(draft.typed)[0] if isinstance(slot, ChooseSeveral) else []
        choices = (
            Choice(key, one.label, remark(one), one.why_not, one in marked, one.reason)
            for key, one in listed[:LISTED]
        )
        blocks.append(Choices(tuple(choices)))
    if len(listed) > LISTED:
        blocks.append(Note(f"{len(listed) - LISTED} more are not listed."))
    if draft.toggles:
        toggles = (
            Choice(one.key, one.label, why_not=one.why_not, mark=is_marked(one, draft))
            for one in draft.toggles
        )
        blocks.append(Choices(tuple(toggles)))
    blocks.append(Note(hint_of(draft, confirm)))
    return Page(command.label, tuple(blocks))


def _listed(slots: Sequence[Slot], typed: str) -> list[tuple[str, Option]]:
    """The options of these slots with their keys; of many those that fit what is ``typed``."""
    if slots and isinstance(slots[0], Choose) and slots[0].many:
        return slots[0].listed(typed)
    return keyed([option for one in slots for option in getattr(one, "options", ())])


def hint_of(draft: Draft[Any], confirm: str = "Enter") -> str:
    """How to give the next answer; if none is required, what ``confirm`` does."""
    slot = draft.slot
    if slot is None:
        return ""
    if draft.refused:
        return draft.refusal
    if draft.ready:
        does = draft.command.word or draft.command.label.lower()
        return f"{confirm}: {does}. {slot.hint if draft.typed else slot.question or slot.hint}"
    asked = [one for one in draft.next_slots() if not one.optional]
    if asked and not draft.typed and slot is not asked[0]:
        before = slot.before if isinstance(slot, Number) else ""
        slot = asked[0]
        return f"{slot.hint} {before}".rstrip() + _default(slot)
    return slot.hint if draft.typed else f"{slot.hint}{_default(slot)}"


def _default(slot: Slot) -> str:
    """What Enter alone answers, unless the slot's own hint says it."""
    if isinstance(slot, Fewer) or (isinstance(slot, Choose) and slot.keys):
        return ""
    alone = slot.shown(slot.proposed) if slot.proposed is not None else ""
    return f" Enter alone: {alone}." if alone else ""


def given(draft: Draft[Any]) -> str:
    """``15 Rifle, in cover``: the answers so far; a count stands before its unit."""
    words: list[str] = []
    number_at = 0
    for slot in draft.slots:
        answer = draft.answers.get(slot.name)
        if answer is None:
            continue
        shown = slot.shown(answer)
        if isinstance(slot, Fewer):
            # The number that was too high does not stand any longer: this one stands in its place.
            words[number_at] = f"{shown} "
            continue
        if isinstance(slot, Number):
            number_at = len(words)
        separator = " " if slot.optional else ", "
        words.append(shown + separator)
    given = "".join(words)
    given += "".join(f"{one.label}, " for one in draft.toggles if is_marked(one, draft))
    return given.rstrip(", ")


def is_marked(toggle: Toggle, draft: Draft[Any]) -> bool:
    """Whether its fact differs from the usual. What leads to another command changes no fact."""
    if toggle.leads is not None:
        return False
    return toggle.mark or (toggle.sets is None and bool(draft.facts.get(toggle.name)))


def commands_page(commands: Sequence[Command[Any]]) -> Page:
    """The available commands with their keys, the others with the reason. If some commands have a
    word for the strip of keys, only those."""
    keyed = [one for one in commands if one.key]
    listed = [one for one in keyed if one.word] or keyed
    rows = tuple(
        Choice(one.key, one.label, "" if one.word else one.help, one.why_not) for one in listed
    )
    return Page("What can be done now", (Choices(rows),) if rows else ())


def help_page(commands: Sequence[Command[Any]]) -> Page:
    groups = dict.fromkeys(one.group for one in commands if one.key)
    blocks: list[Block] = []
    for group in groups:
        rows = tuple(
            Choice(one.key, one.help or one.label)
            for one in commands
            if one.group == group and one.key
        )
        blocks += [*([Heading(group)] if group else []), Choices(rows)]
    return Page("What can be done", tuple(blocks))
