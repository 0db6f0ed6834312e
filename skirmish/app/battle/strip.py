"""The casualty strip on the screen: the turns as an axis, whom the first mover lost above it, whom
the other lost below. A click on a loss opens its line of the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content

from skirmish.app.text_rows import hanging, shortened
from skirmish.app.text_styles import DIM
from skirmish.games.plastic.casualties import Casualty, CasualtyStrip, SideCourse
from skirmish.tabletop.side_colours import SideSigns
from skirmish.tabletop.typed import plain

NAME_COLUMNS = 17
"""Columns of the name of a side and what it lost."""
MOST_COLUMNS, FEWEST_COLUMNS = 12, 4
"""Columns of a turn, with the gap behind it."""
GAP_COLUMNS = 1
"""Columns of the gap between two turns."""
LOSS_COLUMNS = 2
"""Columns of a loss: its letter and a gap."""
PRESENT = "$accent bold reverse"
"""The style of the turn that is being played."""
CHOSEN = f"{PRESENT} underline"
"""The style of the loss that the player has chosen."""
LETTERS_OF_NUMBER = 2
"""The letters whose columns a number of losses takes: ``+4``."""
MOST_COUNTED = 99
"""The highest number that has room in them, with its sign."""
SIGN_COLUMNS = 3
"""Columns of the sign before a side's name, and the gap that is left at the least."""
MOST_ROWS = 2
"""Rows of losses above the axis, and below it."""


class TurnScale(NamedTuple):
    """The axis of the strip, and how the losses of its turns are drawn."""

    turns: range
    """The turns that are drawn."""
    columns: int
    """The columns of each turn, with the gap behind it."""
    chosen_piece: str = ""
    """The piece whose loss is chosen; empty: none is."""
    clickable: bool = True
    """Whether a click on a loss opens its line of the journal."""


def strip_lines(
    strip: CasualtyStrip,
    signs: Mapping[str, SideSigns],
    width: int,
    *,
    chosen_piece: str = "",
    clickable: bool = True,
) -> list[Content]:
    """The strip in at most ``width`` columns, as high as its losses need; ``signs`` are those of
    the sides, by their ids. The loss of the chosen piece stands out. A ``clickable`` loss opens its
    line of the journal."""
    scale = _scale(strip, width - NAME_COLUMNS)
    scale = scale._replace(chosen_piece=chosen_piece, clickable=clickable)
    above, below = strip.sides
    upper = _side_lines(above, signs[above.side], scale)
    lower = _side_lines(below, signs[below.side], scale)
    upper.reverse()  # the nearest to the axis came first, and stands at the bottom
    # Each side's name stands in its row at the axis.
    upper[-1] = _name_cell(above, signs[above.side]) + upper[-1]
    lower[0] = _name_cell(below, signs[below.side]) + lower[0]
    nameless = Content(" " * NAME_COLUMNS)
    lines = [nameless + line for line in upper[:-1]]
    lines += [upper[-1], _axis(strip, scale), lower[0]]
    lines += [nameless + line for line in lower[1:]]
    lines += _turning_point_lines(strip, width)
    return lines


def _scale(strip: CasualtyStrip, room: int) -> TurnScale:
    """All turns up to the last by the clock, if there is room; else as many as have room, up to the
    one that is being played."""
    current_turn = strip.turns
    last_turn = current_turn
    if strip.ends_after is not None:  # a battle may be played on after its end
        last_turn = max(current_turn, strip.ends_after)
    columns = min(room // last_turn, MOST_COLUMNS)
    if columns >= FEWEST_COLUMNS:
        return TurnScale(range(1, last_turn + 1), columns)
    count = max(room // FEWEST_COLUMNS, 1)
    first_drawn = max(current_turn - count + 1, 1)
    last_drawn = min(first_drawn + count - 1, last_turn)
    return TurnScale(range(first_drawn, last_drawn + 1), FEWEST_COLUMNS)


def _name_cell(side: SideCourse, side_signs: SideSigns) -> Content:
    """``○ AMERICANS -19``: the sign and the name of a side, and its losses."""
    lost = f" -{side.lost}"
    name = shortened(plain(side.people).upper(), NAME_COLUMNS - len(lost) - SIGN_COLUMNS)
    text = f"{side_signs.sign} {name}{lost}"
    return Content.styled(f"{text:<{NAME_COLUMNS}}", f"bold $side-{side_signs.name}")


def _side_lines(side: SideCourse, side_signs: SideSigns, scale: TurnScale) -> list[Content]:
    """The rows of a side's losses, the nearest to the axis first; at least one."""
    rows_by_turn = [_rows_of_turn(side.in_turn(turn), scale.columns) for turn in scale.turns]
    height = max(1, *map(len, rows_by_turn))
    lines = []
    for row in range(height):
        cells = []
        for rows in rows_by_turn:
            losses: Sequence[LossSign] = []
            if row < len(rows):
                losses = rows[row]
            cells.append(_cell(losses, side_signs, scale))
        lines.append(Content("").join(cells))
    return lines


class LossSign(NamedTuple):
    """What stands for a loss, or for the losses that have no room."""

    sign: str
    """Its letter, or how many losses there are."""
    entry: int
    """The entry of the journal that a click opens."""
    piece: str
    """The piece that was lost; for a number, the first that it counts."""


def _rows_of_turn(fallen: Sequence[Casualty], columns: int) -> list[list[LossSign]]:
    """The losses of a turn in at most ``MOST_ROWS`` rows. Where they are too many, a number takes
    the place of the last ones: how many more (``+4``), or how many in all (``×4``) where there is
    no room for a letter."""
    losses_in_row = (columns - GAP_COLUMNS) // LOSS_COLUMNS
    most_losses = losses_in_row * MOST_ROWS
    losses = []
    for casualty in fallen:
        letter = casualty.code[:1]  # ``T`` of ``T3``
        losses.append(LossSign(letter, casualty.entry, casualty.piece))
    if len(losses) > most_losses:
        letters = most_losses - LETTERS_OF_NUMBER
        with_letter, counted = losses[:letters], losses[letters:]
        count = min(len(counted), MOST_COUNTED)
        sign = f"×{count}"
        if with_letter:
            sign = f"+{count}"
        # A click on the number opens the first loss that it counts.
        losses = [*with_letter, LossSign(sign, counted[0].entry, counted[0].piece)]
    row_starts = range(0, len(losses), losses_in_row)
    return [losses[start : start + losses_in_row] for start in row_starts]


def _cell(losses: Sequence[LossSign], side_signs: SideSigns, scale: TurnScale) -> Content:
    """The losses of a turn in a row: letters in the side's colour, or, for a side whose sign is
    solid, on a ground of that colour."""
    style = f"$side-{side_signs.name}"
    if side_signs.solid:
        style = f"{style} reverse"
    cell = Content("")
    for loss in losses:
        letter_style = style
        if loss.piece == scale.chosen_piece:
            letter_style = CHOSEN
        letter = Content.styled(loss.sign, letter_style)
        if scale.clickable:
            letter = letter.stylize(f"@click=screen.look({loss.entry})")
        cell = Content.assemble(cell, letter, " ")
    return cell + Content(" " * (scale.columns - cell.cell_length))


def _axis(strip: CasualtyStrip, scale: TurnScale) -> Content:
    """The turns: those that are over, the one that is played, those to come."""
    current_turn = strip.turns
    parts = [Content.styled(f"{'TURN':<{NAME_COLUMNS}}", DIM)]
    label_width = scale.columns - GAP_COLUMNS
    for turn in scale.turns:
        if turn == current_turn and not strip.over:
            in_brackets = f"[{turn}]"
            label = Content.styled(f"{in_brackets:^{label_width}}", PRESENT)
        elif turn <= current_turn:
            label = Content.styled(f"{turn:^{label_width}}", "$foreground 60% reverse")
        else:
            label = Content.styled(f"{turn:·^{label_width}}", DIM)
        parts += [label, Content(" ")]
    return Content("").join(parts)


def _people_by_side(strip: CasualtyStrip) -> dict[str, str]:
    """What the people of each side are called, by the side's id."""
    return {side.side: plain(side.people) for side in strip.sides}


def loss_line(strip: CasualtyStrip, loss: Casualty) -> str:
    """A loss in words: who fell in which turn, to whom and to which card."""
    people = _people_by_side(strip)[loss.side]
    words = f"Turn {loss.turn}, {people}: {loss.code}"
    if loss.cause == "breakdown":
        return f"{words} broke down."
    if loss.cause == "other":
        return f"{words} was lost."
    shooter = "an enemy"
    if loss.shooter:
        shooter = loss.shooter
    # Not "was hit by": after a hit on a group the defender may have chosen him.
    words = f"{words} was lost to {shooter} ({loss.weapon.lower()})"
    if loss.draw is not None:
        words = f"{words}: {loss.draw.words}"
    return f"{words}."


def _turning_point_lines(strip: CasualtyStrip, width: int) -> list[Content]:
    """The turn that decided, and why; none if one side led from the beginning."""
    turning_point = strip.marked_turning_point
    if turning_point is None:
        return []
    people = _people_by_side(strip)[turning_point.side]
    words = f"◄ Turning point: turn {turning_point.turn}, {turning_point.words(people)}"
    # Below the turns, unless the words need the columns of the names as well.
    indent = max(0, min(NAME_COLUMNS, width - cell_len(words)))
    line = Content.styled(" " * indent + words, "$accent")
    return hanging(line, width, cell_len("◄ "))
