"""What some media draw, in words and numbers for those that do not: curves as a table, counters and
tracks as facts, the marks of a choice in brackets.

Plain text and Markdown put every block ``in_words`` first; paper, the screen and the web use the
functions for single blocks.
"""

from __future__ import annotations

from skirmish.tabletop import page as data  # the blocks, as in ``data.Heading``
from skirmish.tabletop.page import signed, table

_TURN_AND_SIDES = (0, 1, 2)
"""The indices of the columns of numbers: the turn and the two sides."""


def in_words(block: data.Block) -> data.Block:
    """A block that only other media draw, as a block of words or numbers; any other block as it
    is."""
    if isinstance(block, data.Pairs | data.Curves):
        return as_table(block)
    if isinstance(block, data.BoardBlock):
        return board_in_words(block)
    return block


def as_table(block: data.Pairs | data.Curves) -> data.Table:
    """Two sides' numbers over time as a table, with a row for each turn."""
    if isinstance(block, data.Pairs):
        return _pairs_table(block)
    return _curves_table(block)


def _pairs_table(block: data.Pairs) -> data.Table:
    """The numbers of each turn; a turn in which both are 0 is left out."""
    rows = []
    for pair in block.rows:
        if pair.first or pair.second:
            rows.append((pair.name, str(pair.first), str(pair.second)))
    return table((block.name, *block.parties), rows, numbers=_TURN_AND_SIDES)


def _curves_table(block: data.Curves) -> data.Table:
    """The values of both curves at the end of each turn."""
    # The ticks are the beginnings of the turns. A turn ends where the next one begins, the last one
    # at the end of the curves.
    first, second = block.rows
    begins = [tick.moment for tick in block.ticks]
    last_moment = len(first.values) - 1
    ends = [*begins[1:], last_moment]
    rows = []
    for tick, end in zip(block.ticks, ends, strict=True):
        rows.append((tick.name, signed(first.values[end]), signed(second.values[end])))
    return table((block.name, first.name, second.name), rows, numbers=_TURN_AND_SIDES)


def board_in_words(block: data.BoardBlock) -> data.Table | data.Facts | data.Note:
    """What lies on the table of a board game, for a medium that does not draw it."""
    match block:
        case data.SquareBoard():
            return board_table(block)
        case data.Stacks():
            return data.Facts(tuple(_stack_facts(block)))
        case data.Tracks():
            return data.Facts(tuple(_track_facts(block)))
        case data.Mug():
            return data.Facts(block.facts)
        case data.BoardKey():
            return data.Note(_key_text(block))


def board_table(block: data.SquareBoard) -> data.Table:
    """A board in signs. Its columns have numbers; each row is called after its first and last
    square: ``A1-A8``."""
    width = max(map(len, block.rows))
    rows = []
    for row in block.rows:
        texts = [square.text for square in row]
        while len(texts) < width:  # a table has no shorter rows
            texts.append("")
        rows.append((f"{row[0].name}-{row[-1].name}", *texts))
    column_numbers = map(str, range(1, width + 1))
    return table(["", *column_numbers], rows)


def _stack_facts(block: data.Stacks) -> list[data.NamedFact]:
    """Each place with its counters in words."""
    facts = []
    for stack in block.rows:
        tokens = "; ".join(map(_token_words, stack.tokens))
        facts.append((stack.place, tokens))
    return facts


def _token_words(token: data.Token) -> str:
    """``a A/505, J7, 2 of 3 steps: suppressed, acted``."""
    called = f"{token.key} {token.name}".strip()
    parts = (called, token.aside, steps_words(token))
    words = ", ".join(part for part in parts if part)
    if token.markers:
        words += f": {', '.join(marker.word for marker in token.markers)}"
    return words


def steps_words(token: data.Token) -> str:
    """``2 of 3 steps``, ``1 step``; empty for a counter without steps."""
    if token.steps < token.full:
        return f"{token.steps} of {token.full} steps"
    if token.steps == 1:
        return "1 step"
    if token.steps:
        return f"{token.steps} steps"
    return ""


def _track_facts(block: data.Tracks) -> list[data.NamedFact]:
    """Each track by its name, with its value in words: ``3 of 10``."""
    return [(track.name, f"{track.value} of {track.high}") for track in block.rows]


def _key_text(block: data.BoardKey) -> str:
    """The signs of a board in a sentence; empty for a key that plain text leaves out."""
    if block.spelled:  # words stand in the place of these signs
        return ""
    meanings = [f"{row.sign} {row.meaning}" for row in block.rows]
    return f"{', '.join(meanings)}."


def with_aside(heading: data.Heading) -> str:
    """A heading with what stands beside it in brackets."""
    if heading.aside:
        return f"{heading.text} ({heading.aside})"
    return heading.text


def choice_words(choice: data.Choice) -> str:
    """What stands behind the key of a choice: its text, and why it cannot be chosen, or else what
    explains it and whether it is chosen."""
    if choice.why_not:
        return f"{choice.text} (not now: {choice.why_not_short or choice.why_not})"
    text = choice.text
    if choice.note:
        text += f": {choice.note}"
    if choice.is_chosen:
        text += " [chosen]"
    return text
