"""What a key means: a character of the open answer, or the beginning of a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from skirmish.tabletop.commands.board_rows import chosen_rows
from skirmish.tabletop.commands.command import Command, O
from skirmish.tabletop.commands.draft import Draft, with_changes
from skirmish.tabletop.slots import BACKSPACE, ENTER, SPACE, UnfitAnswer


def pressed(draft: Draft[O] | None, commands: Sequence[Command[O]], key: str) -> Draft[O]:
    """The draft after a key. At a question of the game, a key that no answer accepts begins its
    command instead; from the question of a command no key leads to another command. Raises
    UnfitAnswer."""
    if draft is None:
        return begin_with_key(commands, key)
    command = command_with_key(commands, key)
    if command is None:
        return draft.press(key)
    # This command may follow at once: its key gives the complete order first.
    if command.why_not_after is not None and draft.ready and not draft.takes(key):
        return _followed(draft, command.why_not_after, key)
    if _belongs_to_draft(draft, key):
        return draft.press(key)
    # An order that only waits for Space is not dropped by the key of another command.
    if chosen_rows(draft) and draft.ready:
        raise UnfitAnswer("This order is not given yet.", key_note="Space gives it, Esc drops it.")
    return begin_with_key(commands, key)


def _belongs_to_draft(draft: Draft[Any], key: str) -> bool:
    """Whether a key is meant for the draft, though it is also the key of another command."""
    if draft.bars_other_commands or draft.takes(key) or key in (ENTER, SPACE, BACKSPACE):
        return True
    # Another command would drop a number that was refused or too high, without a word.
    if draft.refused or (draft.slot is not None and draft.slot.only_enter):
        return True
    # It would also drop a number that is being typed.
    if draft.typed:
        return True
    return draft.toggle_with_key(key) is not None


def _followed(draft: Draft[O], why_not_after: Callable[[O], str], key: str) -> Draft[O]:
    """The complete draft, whose order comes before the command of that key. Raises UnfitAnswer
    where that command cannot follow it (``Command.why_not_after``)."""
    # Judged by the order before it is given: a refused second step must not leave the first one.
    whole = draft.confirmed()
    why_not = why_not_after(whole.order())
    if why_not:
        raise UnfitAnswer(why_not)
    return with_changes(whole, next_key=key)


def begin_with_key(commands: Sequence[Command[O]], key: str) -> Draft[O]:
    """The draft of the command that a key begins: the command with this key, else the first without
    a key that accepts it as an answer, else the one that ``command_of`` finds. Raises
    UnfitAnswer."""
    command = command_with_key(commands, key)
    if command is None:
        draft = _begun_by_answer(commands, key)
        if draft is not None:
            return draft
        command = command_of(commands, key)
    return opened(command)


def _begun_by_answer(commands: Sequence[Command[O]], key: str) -> Draft[O] | None:
    """The draft of the first command without a key of its own that accepts ``key`` as its answer;
    None if every command has a key.

    If no command accepts the answer, one may still read it as a number that is too high: then it is
    the draft in which that number is refused. Else the UnfitAnswer of the first one is raised."""
    first_error: UnfitAnswer | None = None
    first_refused: Draft[O] | None = None
    for command in commands:
        if command.key:
            continue
        try:
            draft = opened(command).press(key)
        except UnfitAnswer as unfit:
            if first_error is None:
                first_error = unfit
            continue
        if not draft.refused:
            return draft
        if first_refused is None:
            first_refused = draft
    if first_refused is None and first_error is not None:
        raise first_error
    return first_refused


def opened(command: Command[O]) -> Draft[O]:
    """The draft of a command, without any answer yet. Raises UnfitAnswer if the command cannot be
    given now."""
    if command.why_not:
        raise UnfitAnswer(command.why_not)
    return Draft(command=command)


def command_of(commands: Sequence[Command[O]], text: str) -> Command[O]:
    """The command of a key or of the beginning of a label; Enter and Space mean the one that has
    Space as its key, else the only available one. Raises UnfitAnswer."""
    possible = [command for command in commands if not command.why_not]
    if text in (ENTER, SPACE):
        meant = [command for command in commands if command.key == SPACE]
        if not meant and len(possible) == 1:
            meant = possible
    else:
        meant = [command for command in commands if command.key == text]
        if not meant:
            meant = commands_labelled(commands, text)
    if len(meant) == 1:
        return meant[0]
    raise _means_nothing(possible)


def _means_nothing(possible: Sequence[Command[Any]]) -> UnfitAnswer:
    """The refusal of a text that names no command, with the keys of the possible ones."""
    if not possible:
        return UnfitAnswer("Nothing can be done now.")
    listed = []
    for command in possible:
        name = command.key
        if name == SPACE:
            name = "Space"
        listed.append(f"{name} {command.label}")
    return UnfitAnswer("That means nothing now.", key_note=f"{'; '.join(listed)}.")


def command_with_key(commands: Sequence[Command[O]], key: str) -> Command[O] | None:
    """The command with this key; None if there is none."""
    for command in commands:
        if command.key == key:
            return command
    return None


def commands_labelled(commands: Sequence[Command[O]], text: str) -> list[Command[O]]:
    """The commands whose label begins with a text of two characters or more: a single letter is a
    key."""
    if len(text) < 2:
        return []
    return [command for command in commands if command.label.lower().startswith(text.lower())]
