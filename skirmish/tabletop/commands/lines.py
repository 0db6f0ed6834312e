"""What a line of words means, as it is typed in ``skirmish play``: a command with its answers, or
answers to the open question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from skirmish.tabletop.commands.command import Command, O
from skirmish.tabletop.commands.draft import Draft
from skirmish.tabletop.commands.keys import (
    command_of,
    command_with_key,
    commands_labelled,
    opened,
    pressed,
)
from skirmish.tabletop.slots import ENTER, SPACE, UnfitAnswer, Words


def read(draft: Draft[O] | None, commands: Sequence[Command[O]], line: str) -> Draft[O]:
    """The draft after a line: a command's key comes first, with or without a space behind it, or
    the beginning of its label, then answers as ``read_words`` takes them. An empty line is Enter,
    and so is the word "space" at a question. Raises UnfitAnswer, also for a line that is no answer
    to the question of a command: that stays open."""
    words = line.split()
    if not words:
        return pressed(draft, commands, ENTER)
    if draft is None or _drops_refused_number(draft):
        return _read_command(None, commands, words)
    if words == [SPACE] and not isinstance(draft.slot, Words):
        return draft.confirmed()
    if draft.bars_other_commands:
        # The key of the open command may come again, with its answers: the whole order.
        is_whole_order = words[0] == draft.command.key and len(words) > 1 and not draft.begun
        if is_whole_order:
            return read_words(draft, words[1:])
        return read_words(draft, words)
    if _begins_answer(draft, words[0]):
        return read_words(draft, words)
    return _read_command(draft, commands, words)


def _drops_refused_number(draft: Draft[Any]) -> bool:
    """Whether a line begins anew, since a number of the draft was too high: Enter alone accepts the
    number that is offered in its place, and any other line drops it. Not at the question of a
    command, which stays open."""
    return draft.slot is not None and draft.slot.only_enter and not draft.bars_other_commands


def _begins_answer(draft: Draft[Any], word: str) -> bool:
    """Whether a word begins with a key of the open question, or is the key of a toggle."""
    first_sign = word[0]
    return draft.takes(first_sign) or draft.toggle_with_key(word) is not None


def _read_command(
    draft: Draft[O] | None, commands: Sequence[Command[O]], words: Sequence[str]
) -> Draft[O]:
    """The draft after a line that may begin a command. Its first word is tried as the key of a
    command, as an answer, as a key and an answer in one word, and at last as the beginning of a
    label. Raises UnfitAnswer."""
    first, *rest = words
    command = command_with_key(commands, first)
    if command is not None:
        return read_words(opened(command), rest)
    first_error: UnfitAnswer | None = None
    for answering in _drafts_that_answer(draft, commands):
        try:
            return read_words(answering, words)
        except UnfitAnswer as unfit:
            if first_error is None:
                first_error = unfit
    first_sign = first[0]
    command = command_with_key(commands, first_sign)
    if command is not None:
        return _read_key_with_answer(command, commands, words)
    if first_error is not None:
        raise first_error
    return read_words(opened(command_of(commands, first)), rest)


def _read_key_with_answer(
    command: Command[O], commands: Sequence[Command[O]], words: Sequence[str]
) -> Draft[O]:
    """The draft after a line that begins with the key of a command and its answer in one word, as
    ``xk5``; or with a label that only begins with the same letter. Raises UnfitAnswer."""
    first, *rest = words
    try:
        return read_words(opened(command), [first[1:], *rest])
    except UnfitAnswer:
        labelled = commands_labelled(commands, first)
        if len(labelled) != 1:
            raise
    return read_words(opened(labelled[0]), rest)


def _drafts_that_answer(
    draft: Draft[O] | None, commands: Sequence[Command[O]]
) -> Iterator[Draft[O]]:
    """The open question; without one the commands that begin with their first answer."""
    if draft is not None:
        yield draft
        return
    for command in commands:
        if not command.key and not command.why_not:
            yield Draft(command=command)


def read_words(draft: Draft[O], words: Sequence[str]) -> Draft[O]:
    """The draft after a line of words, one for each slot, or keys without spaces between them;
    a text takes the rest of the line. Raises UnfitAnswer."""
    rest = list(words)
    while rest:
        slot = draft.slot
        # A number was too high, so the words behind it are void: they belonged to that number.
        if slot is not None and slot.only_enter:
            return draft
        is_text = isinstance(slot, Words)
        toggle = draft.toggle_with_key(rest[0])
        if toggle is not None and not is_text:
            draft = draft.toggled(toggle)
            rest.pop(0)
        elif slot is None:
            raise UnfitAnswer(f"Nothing more is needed after {' '.join(words)!r}.")
        elif rest[0] == SPACE and not is_text:
            draft = draft.confirmed()
            rest.pop(0)
        else:
            count = slot.span(rest)
            draft = _read_answer(draft, " ".join(rest[:count]))
            del rest[:count]
    return draft


def _read_answer(draft: Draft[O], text: str) -> Draft[O]:
    """The draft after a text that is one answer, or the answer after an optional one, or
    several keys without spaces. Raises UnfitAnswer with the error of the first slot that the
    text may have been meant for."""
    slot = draft.slot
    assert slot is not None, "nothing more is needed"
    try:
        return draft.answered(slot.parse(text, done=True))
    except UnfitAnswer as unfit:
        if slot.greedy:  # the text is several words, and no other slot is meant
            raise
        error = unfit
    after = draft.past_slot()
    if after is not None:
        first_sign = text[:1]
        try:
            return _read_answer(after, text)
        except UnfitAnswer as unfit:
            if not slot.takes(first_sign):  # the text was not meant for this slot
                error = unfit
    if text.isdigit():  # a number that is refused is not read digit by digit
        raise error
    return _read_signs(draft, text, error)


def _read_signs(draft: Draft[O], text: str, error: UnfitAnswer) -> Draft[O]:
    """The draft after the characters of a text as keys. Raises ``error``, why the text is no answer
    as a whole, where not even its first character has a meaning, and where they do not complete the
    next answer."""
    first_slot = draft.slot
    for index, sign in enumerate(text):
        if draft.slot is None:
            raise error
        if draft.slot.only_enter:  # a number was too high; what follows belonged to it
            return draft
        try:
            draft = draft.press(sign)
        except UnfitAnswer:
            is_first = index == 0
            if not is_first:
                raise
            raise error from None
        if draft.refused:
            raise UnfitAnswer(draft.refused, key_note=draft.refused_key_note)
    if first_slot is not None and draft.slot is not None:
        is_still_open = draft.slot.name == first_slot.name
        if is_still_open:
            raise error
    return draft
