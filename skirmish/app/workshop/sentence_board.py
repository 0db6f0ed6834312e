"""A page of sentences with blanks: a line each; one blank of the chosen line is the one that keys
change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from skirmish.app.binding import keys
from skirmish.app.line_list import Group, LineList
from skirmish.app.page_view import DIM, HEAD
from skirmish.games.plastic.workshop.sentences import FilledBlank, Sentence, SentenceGroup
from skirmish.tabletop.typed import plain

BLANK = "$accent bold"
CHOSEN, BESIDE_CHOSEN = "bold reverse", "bold underline"
"""The styles of a blank: on a line that is not chosen; on the chosen line, the chosen blank and the
others."""
CONTINGENT = re.compile(r"side\[[0-9]+\]\.contingent\[[0-9]+\]")
"""The beginning of the keys of everything that belongs to a contingent:
``side[0].contingent[2].units.rifle``."""
CONTINGENTS_OF_SIDE = ".contingent"
"""The end of the key of a side's list of contingents: lines that add to it belong to a side."""
EMPTY_GROUP = "Nothing yet. n adds one."


SentenceRequest: TypeAlias = Literal["write", "add", "unit", "choice", "army", "values", "delete"]
"""What the board asks the screen for: write a value, add an entry to a list, add a unit or a choice
of units to a contingent, take an army for a side, type all values of an entry, delete one."""


class SentenceLine(NamedTuple):
    """A line of the page: its sentence, and the key of the list that a new entry goes into
    (``adds``; empty: there is no such list)."""

    sentence: Sentence
    adds: str


class PaintedGroup(NamedTuple):
    """A heading, and the ids of the lines below it."""

    heading: str
    line_ids: list[str]


class SentenceBoard(LineList):
    """The sentences of a page in groups. What is to be done goes out as messages."""

    # Each row: the id, the keys, the action, the label at the foot (most have none: they are only
    # in the help), and what the help says.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "workshop-sentences",
        ("next_blank", "tab", "blank(1)", "", "The next blank of the sentence"),
        ("blank_before", "shift+tab", "blank(-1)", "", "The blank before"),
        ("more", "right,plus,equals_sign", "turn(1)", "Change", "The next choice, or one more"),
        ("fewer", "left,minus", "turn(-1)", "", "The choice before, or one less"),
        ("new", "n", "add", "New", "Add an entry to this group"),
        ("add_unit", "a", "add_unit", "", "Add a unit to this contingent"),
        ("add_choice", "o", "add_choice", "", "Add a choice of units to this contingent"),
        ("take_army", "A", "take_army", "", "Take one of your armies for this side"),
        ("values", "v", "values", "", "Type all values of the entry of this line"),
        ("delete", "x,delete", "delete", "", "Delete the entry of this line"),
    )

    class Turned(Message):
        """The value with this key is to be the next one."""

        def __init__(self, key: str, step: int) -> None:
            super().__init__()
            self.key = key
            self.step = step

    class Asked(Message):
        """Something is to be done that may need a question; ``key`` is that of the value, the
        list, the contingent or the entry."""

        def __init__(self, request: SentenceRequest, key: str) -> None:
            super().__init__()
            self.request = request
            self.key = key

    def __init__(self, id: str) -> None:
        super().__init__(id=id, classes="sentences")
        self._groups: list[PaintedGroup] = []
        self._sentence_lines: dict[str, SentenceLine] = {}
        """By the id of each line."""
        self._blank = 0
        """Which blank of the chosen line is chosen, counted from 0."""

    def show_groups(self, groups: Sequence[SentenceGroup]) -> None:
        """Show these groups; the chosen line stays chosen."""
        self._groups = []
        self._sentence_lines = {}
        for number, group in enumerate(groups):
            line_ids = []
            for index, sentence in enumerate(group.sentences or (Sentence((EMPTY_GROUP,)),)):
                line_id = f"{number}-{index}"
                line_ids.append(line_id)
                self._sentence_lines[line_id] = SentenceLine(sentence, group.adds)
            self._groups.append(PaintedGroup(group.heading, line_ids))
        self.repaint()

    def repaint(self) -> None:
        """Paint the lines, with the chosen blank of the chosen line marked."""
        self.show(self._painted_groups())

    def _painted_groups(self) -> Iterator[Group]:
        for group in self._groups:
            rows = {line_id: self._row(line_id) for line_id in group.line_ids}
            yield Content.styled(f" {plain(group.heading)}", HEAD), rows

    def _row(self, line_id: str) -> Content:
        """A sentence with its blanks marked; one without any is dim, as it cannot be changed."""
        sentence = self._sentence_lines[line_id].sentence
        chosen_blank = None
        if line_id == self.chosen:
            chosen_blank = self._number_of_chosen(len(sentence.blanks))
        pieces: list[str | tuple[str, str]] = ["  "]
        blank_number = 0
        for piece in sentence.pieces:
            if isinstance(piece, FilledBlank):
                pieces.append((_shown(piece.words), _blank_style(blank_number, chosen_blank)))
                blank_number += 1
            else:
                pieces.append(piece)
        # Dim words could not be read on the ground of the chosen line.
        if not blank_number and line_id != self.chosen:
            return Content.styled(f"  {sentence.text}", DIM)
        return Content.assemble(*pieces)

    # -------------------------------------------------------------- keys

    @property
    def line(self) -> SentenceLine | None:
        """The chosen line."""
        return self._sentence_lines.get(self.chosen)

    @property
    def blank(self) -> FilledBlank | None:
        """The chosen blank of the chosen line."""
        if self.line is None:
            return None
        blanks = self.line.sentence.blanks
        if not blanks:
            return None
        return blanks[self._number_of_chosen(len(blanks))]

    def _number_of_chosen(self, blanks: int) -> int:
        """The number of the chosen blank, of so many: a sentence that was changed may have fewer
        than before."""
        return min(self._blank, blanks - 1)

    def go_to(self, key: str) -> None:
        """Choose the blank whose key is the nearest to this one: which begins alike the longest."""
        longest, nearest_line, nearest_blank = 0, "", 0
        for line_id, line in self._sentence_lines.items():
            for number, blank in enumerate(line.sentence.blanks):
                length = _length_in_common(blank.key, key)
                if length > longest:
                    longest, nearest_line, nearest_blank = length, line_id, number
        if nearest_line:
            # In this order: choosing a line chooses its first blank (``watch_highlighted``).
            self.highlighted = self.get_option_index(nearest_line)
            self._blank = nearest_blank
            self.repaint()

    def watch_highlighted(self, highlighted: int | None) -> None:
        super().watch_highlighted(highlighted)
        if self.is_mounted:
            self._blank = 0
            self.call_later(self.repaint)

    def action_blank(self, step: int) -> None:
        """Go to the next blank (``step`` is 1) or to the one before (-1); from the last or the
        first blank of a sentence, to the next sentence or the one before."""
        if self.line is None:
            return
        blanks = self.line.sentence.blanks
        if 0 <= self._blank + step < len(blanks):
            self._blank += step
            self.repaint()
        elif step > 0:
            self.action_cursor_down()
        else:
            self.action_cursor_up()

    def action_turn(self, step: int) -> None:
        if self.blank is not None:
            self.post_message(self.Turned(self.blank.key, step))

    def action_select(self) -> None:
        """Enter: write the value, or choose it from a list."""
        if self.blank is not None:
            self.post_message(self.Asked("write", self.blank.key))
        else:
            self.action_add()

    def action_add(self) -> None:
        if self.line is not None and self.line.adds:
            self.post_message(self.Asked("add", self.line.adds))

    def action_add_unit(self) -> None:
        self._ask_of_contingent("unit")

    def action_add_choice(self) -> None:
        self._ask_of_contingent("choice")

    def _ask_of_contingent(self, request: Literal["unit", "choice"]) -> None:
        if self.line is None:
            return
        contingent = CONTINGENT.match(self.line.sentence.item)
        if contingent is not None:
            self.post_message(self.Asked(request, contingent[0]))

    def action_take_army(self) -> None:
        if self.line is not None and self.line.adds.endswith(CONTINGENTS_OF_SIDE):
            self.post_message(self.Asked("army", self.line.adds))

    def action_values(self) -> None:
        if self.line is not None and self.line.sentence.item:
            self.post_message(self.Asked("values", self.line.sentence.item))

    def action_delete(self) -> None:
        if self.line is not None and self.line.sentence.item:
            self.post_message(self.Asked("delete", self.line.sentence.item))


def _blank_style(blank_number: int, chosen_blank: int | None) -> str:
    """The style of a blank of a line; ``chosen_blank`` is None if the line is not the chosen
    one."""
    if chosen_blank is None:
        return BLANK
    # On the ground of the chosen line no colour of the theme can be read.
    if blank_number == chosen_blank:
        return CHOSEN
    return BESIDE_CHOSEN


def _shown(words: str) -> str:
    """The words of a blank, a line break as a space."""
    return plain(" ".join(words.split("\n")))


def _length_in_common(first_key: str, second_key: str) -> int:
    """How many characters two keys begin with alike."""
    length = 0
    # As far as the shorter one goes.
    for first_sign, second_sign in zip(first_key, second_key, strict=False):
        if first_sign != second_sign:
            break
        length += 1
    return length
