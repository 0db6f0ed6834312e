"""A page of sentences with blanks, a line each. Keys change the chosen blank of the chosen line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from skirmish.app.binding import keys
from skirmish.app.line_list import LineGroup, LineList
from skirmish.app.text_styles import DIM, HEAD
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
"""The end of the key of a side's list of contingents (``side[0].contingent``)."""
INDENT = "  "
"""Before a sentence, also where it goes on in another row."""
EMPTY_GROUP = "Nothing yet. n adds one."


SentenceRequest: TypeAlias = Literal["write", "add", "unit", "choice", "army", "values", "delete"]
"""What the board asks the screen for: write a value, add an entry to a list, add a unit or a choice
of units to a contingent, take an army for a side, type all values of an entry, delete one."""


class SentenceLine(NamedTuple):
    """A line of the page: its sentence, and the key of the list to which ``n`` adds an entry; empty
    if there is none."""

    sentence: Sentence
    list_key: str


class PaintedGroup(NamedTuple):
    """A heading, and the ids of the lines below it."""

    heading: str
    line_ids: list[str]


class SentenceBoard(LineList):
    """The sentences of a page in groups. What the player wants goes out as messages; the screen
    does it, and shows the changed sentences by ``show_groups``."""

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
        """The value with this key is to be changed to the next one, or to the one before if
        ``step`` is -1."""

        def __init__(self, key: str, step: int) -> None:
            super().__init__()
            self.key = key
            self.step = step

    class Asked(Message):
        """Something is wanted that may need a question. ``key`` is that of the value, the list, the
        contingent or the entry that the request is about."""

        def __init__(self, request: SentenceRequest, key: str) -> None:
            super().__init__()
            self.request = request
            self.key = key

    def __init__(self, id: str) -> None:
        super().__init__(id=id, classes="sentences")
        self._groups: list[PaintedGroup] = []
        self._sentence_lines: dict[str, SentenceLine] = {}
        """By the id of each line."""
        self._blank_index = 0
        """Of the chosen blank among those of the chosen line."""

    def show_groups(self, groups: Sequence[SentenceGroup]) -> None:
        """Show these groups; the chosen line stays chosen."""
        self._groups = []
        self._sentence_lines = {}
        for group_index, group in enumerate(groups):
            sentences = group.sentences
            if not sentences:
                sentences = (Sentence((EMPTY_GROUP,)),)
            line_ids = []
            for index, sentence in enumerate(sentences):
                line_id = f"{group_index}-{index}"
                line_ids.append(line_id)
                self._sentence_lines[line_id] = SentenceLine(sentence, group.list_key)
            self._groups.append(PaintedGroup(group.heading, line_ids))
        self.repaint()

    def repaint(self) -> None:
        """Paint the lines, with the chosen blank of the chosen line marked."""
        self.show(self._painted_groups())

    def _painted_groups(self) -> Iterator[LineGroup]:
        for group in self._groups:
            rows = {line_id: self._row(line_id) for line_id in group.line_ids}
            yield LineGroup(Content.styled(f" {plain(group.heading)}", HEAD), rows)

    def _row(self, line_id: str) -> Content:
        """A sentence with its blanks marked."""
        sentence = self._sentence_lines[line_id].sentence
        is_chosen = line_id == self.chosen
        # A sentence without blanks cannot be changed, and is dim; but not as the chosen line, on
        # whose ground dim words could not be read.
        if not sentence.blanks and not is_chosen:
            return self.in_columns(Content.styled(f"{INDENT}{sentence.text}", DIM), len(INDENT))
        chosen_blank = self._chosen_index(sentence.blanks)
        pieces: list[str | tuple[str, str]] = [INDENT]
        blank_index = 0
        for piece in sentence.pieces:
            if isinstance(piece, FilledBlank):
                style = BLANK
                if is_chosen:
                    style = _style_on_chosen_line(is_chosen_blank=blank_index == chosen_blank)
                pieces.append((_on_one_line(piece.words), style))
                blank_index += 1
            else:
                pieces.append(piece)
        return self.in_columns(Content.assemble(*pieces), len(INDENT))

    def on_resize(self) -> None:
        self.repaint()
        super().on_resize()

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
        return blanks[self._chosen_index(blanks)]

    def _chosen_index(self, blanks: Sequence[FilledBlank]) -> int:
        """The index of the chosen one of these blanks: a sentence that has just been changed may
        have fewer than before."""
        return min(self._blank_index, len(blanks) - 1)

    def go_to(self, key: str) -> None:
        """Choose the blank whose key is the nearest to this one: which begins alike the longest."""
        longest = 0
        nearest_line, nearest_blank = "", 0
        for line_id, line in self._sentence_lines.items():
            for index, blank in enumerate(line.sentence.blanks):
                length = _length_in_common(blank.key, key)
                if length > longest:
                    longest = length
                    nearest_line, nearest_blank = line_id, index
        if nearest_line:
            # In this order: choosing a line chooses its first blank (``watch_highlighted``).
            self.highlighted = self.get_option_index(nearest_line)
            self._blank_index = nearest_blank
            self.repaint()

    def watch_highlighted(self, highlighted: int | None) -> None:
        super().watch_highlighted(highlighted)
        if self.is_mounted:
            self._blank_index = 0
            # Later, since the list may just be replacing its lines.
            self.call_later(self.repaint)

    def action_blank(self, step: int) -> None:
        """Go to the next blank (``step`` is 1) or to the one before (-1); from the last or the
        first blank of a sentence, to the next sentence or the one before."""
        if self.line is None:
            return
        blanks = self.line.sentence.blanks
        if 0 <= self._blank_index + step < len(blanks):
            self._blank_index += step
            self.repaint()
        elif step > 0:
            self.action_cursor_down()
        else:
            self.action_cursor_up()

    def action_turn(self, step: int) -> None:
        if self.blank is not None:
            self.post_message(self.Turned(self.blank.key, step))

    def action_select(self) -> None:
        """Enter: write the value, or choose it from a list. Where the line has no blank, add an
        entry."""
        if self.blank is not None:
            self.post_message(self.Asked("write", self.blank.key))
        else:
            self.action_add()

    def action_add(self) -> None:
        if self.line is not None and self.line.list_key:
            self.post_message(self.Asked("add", self.line.list_key))

    def action_add_unit(self) -> None:
        self._ask_of_contingent("unit")

    def action_add_choice(self) -> None:
        self._ask_of_contingent("choice")

    def _ask_of_contingent(self, request: Literal["unit", "choice"]) -> None:
        if self.line is None:
            return
        contingent = CONTINGENT.match(self.line.sentence.entry_key)
        if contingent is not None:
            self.post_message(self.Asked(request, contingent[0]))

    def action_take_army(self) -> None:
        if self.line is not None and self.line.list_key.endswith(CONTINGENTS_OF_SIDE):
            self.post_message(self.Asked("army", self.line.list_key))

    def action_values(self) -> None:
        if self.line is not None and self.line.sentence.entry_key:
            self.post_message(self.Asked("values", self.line.sentence.entry_key))

    def action_delete(self) -> None:
        if self.line is not None and self.line.sentence.entry_key:
            self.post_message(self.Asked("delete", self.line.sentence.entry_key))


def _style_on_chosen_line(*, is_chosen_blank: bool) -> str:
    """The style of a blank on the chosen line, on whose ground no colour of the theme can be
    read."""
    if is_chosen_blank:
        return CHOSEN
    return BESIDE_CHOSEN


def _on_one_line(words: str) -> str:
    """The words of a blank, a line break as a space."""
    return plain(" ".join(words.split("\n")))


def _length_in_common(first_key: str, second_key: str) -> int:
    """How many characters two keys begin with alike."""
    length = 0
    shorter = min(len(first_key), len(second_key))
    while length < shorter and first_key[length] == second_key[length]:
        length += 1
    return length
