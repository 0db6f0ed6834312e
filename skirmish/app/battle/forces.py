"""Both sides on the screen: the name and losses of each above a line for each of its rows, or the
whole table of one side. Begin with ``side_lines``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from skirmish.app.text_rows import shortened
from skirmish.app.text_styles import KEY
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.pieces import Contingent
from skirmish.games.plastic.battle.rows import Row, find_row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import beating_loss, breaking_loss, side_strength
from skirmish.games.plastic.board import group_name, shows_group_names
from skirmish.games.plastic.row_words import note, row_status, status_beside_ready
from skirmish.games.plastic.rules.catalog import Weapon
from skirmish.games.plastic.rules.firing_table import NONE as NO_NUMBER
from skirmish.games.plastic.rules.firing_table import (
    Firing,
    FiringEntry,
    ranges_of,
    ranks_in_short,
)
from skirmish.tabletop.measure import NO_BREAK, Measure, number_in_measure
from skirmish.tabletop.page import capital, table
from skirmish.tabletop.table_text import TITLES, table_lines
from skirmish.tabletop.typed import plain

Formatter: TypeAlias = Callable[[str], str]
"""Returns a text without control characters, and with its distances in the player's unit."""
FAINT, FADED = "$foreground 60%", "$faded"
"""The styles of what matters less, and of a row of which nobody is left. In the whole table
the second is also that of a row of which nobody has come yet."""
NEARLY_BROKEN = 0.8
"""The share of the loss that breaks an army, from which on losses are highlighted."""
UNIT_NAME = 13
"""Columns of the longest name of a unit."""
LEAST_NAME = 8
"""The fewest columns of a side's name."""
LEAST_STATUS = 6
"""The fewest columns of what a row does."""
TOO_FEW_FOR_PLAYER = 5
"""Columns in which no player's name is shown, since nobody could read what is left of it."""
INDENT = 3
"""Columns of the mark and the letter of a row, and of the gap behind them."""
SIDE_EDGE = "▌"
"""Stands before each row of a side, in its colour, on a wide screen."""
ZERO = "·"
"""Stands in the cells of the whole table instead of 0."""
NUMBERS_TITLE = "range guys/armored/unarmored "
"""The heading of the numbers of the rows on a wide screen."""
WHEREABOUTS_INDENT = 5
"""Columns in front of where the pieces of a row are, which begins a little right of their name."""


class SideLook(NamedTuple):
    """How a side is painted."""

    width: int
    """The columns that it has."""
    formatted: Formatter
    measure: Measure = "inches"
    """The setting that ``formatted`` follows: ``inches`` or ``centimetres``."""
    offered: frozenset[str] = frozenset()
    """The rows that the next answer may name."""
    chosen: frozenset[str] = frozenset()
    """The rows that were named already."""
    cursor: str | None = None
    """The row under the cursor; None: it is on none."""
    coloured: bool = False
    """Whether its name stands on its colour, and its rows begin with an edge of that colour, as on
    a wide screen."""
    has_numbers: bool = False
    """Whether each row ends with the numbers of its weapons."""
    has_whole_table: bool = False
    """Whether the table of everything known of the side takes the place of its rows."""
    has_bar: bool = False
    """Whether a bar shows the strength that is left."""


class PaintedSide(NamedTuple):
    """The state and the look with which a side is painted."""

    state: State
    look: SideLook


class SidePanel(Static):
    """One side. The row under the mouse is explained in a tooltip; a click chooses it."""

    class Picked(Message):
        """A row was clicked."""

        def __init__(self, row_key: str) -> None:
            super().__init__()
            self.row_key = row_key

    def __init__(self, side: str) -> None:
        super().__init__(markup=False)
        self.side = side
        self._keys: list[str | None] = []
        """The key of the row that each line is about."""
        self._hovered: str | None = None
        """The key of the row under the mouse; None: it is on none."""
        self._painted: PaintedSide | None = None
        """None before the side is painted first."""

    def show(self, state: State, look: SideLook) -> int | None:
        """Paint the side, unless it is painted so already; returns the number of the line, from 0,
        to scroll to: of the row under the cursor, or else of the first chosen row; None if there is
        neither."""
        if not self._is_painted(state, look):
            lines = side_lines(state, self.side, look)
            # Each line is cut to the width and takes one row. Only if their number changes must the
            # screen be divided anew, which is slow.
            has_other_rows = len(lines) != len(self._keys)
            self._keys = [line.row_key for line in lines]
            self._painted = PaintedSide(state, look)
            text = Content("\n").join(line.content for line in lines)
            self.update(text, layout=has_other_rows)
        rows_to_see = look.chosen
        if look.cursor is not None:
            rows_to_see = frozenset({look.cursor})
        for number, key in enumerate(self._keys):
            if key is not None and key in rows_to_see:
                return number
        return None

    @property
    def line_count(self) -> int:
        """The lines of the side, each of which takes one row."""
        return len(self._keys)

    def _is_painted(self, state: State, look: SideLook) -> bool:
        """Whether the side is painted with this state and look. A state is compared by identity: it
        is never changed, and comparing all of it takes longer than painting."""
        painted = self._painted
        return painted is not None and painted.state is state and painted.look == look

    def on_click(self, event: events.Click) -> None:
        key = self._key_at(event.y)
        if key:
            self.post_message(self.Picked(key))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        key = self._key_at(event.y)
        # The mouse sends a message for each cell it crosses; the words are made once for a row.
        if key == self._hovered:
            return
        self._hovered = key
        self.tooltip = None
        if key and self._painted is not None:
            state, look = self._painted
            row = find_row(state, key)
            if row is not None:
                self.tooltip = row_in_words(state, row, look.formatted)

    def _key_at(self, line: float) -> str | None:
        """The key of the row under the mouse, which is on that line of the panel."""
        if 0 <= line < len(self._keys):
            return self._keys[int(line)]
        return None


def rows_with_lines(state: State, side: str, offered: frozenset[str]) -> list[Row]:
    """The rows of a side that have a line of their own."""
    own_rows = rows(state, side)
    in_one_line = _contingents_in_one_line(own_rows, offered)
    return [row for row in own_rows if row.contingent.id not in in_one_line]


def _contingents_in_one_line(own_rows: Sequence[Row], offered: frozenset[str]) -> set[str]:
    """The ids of the contingents of which one line without a letter says when they arrive, in place
    of the lines of their rows. Their rows have lines once the player chooses among those who
    arrive: then only rows that wait are ``offered``."""
    offered_rows = [row for row in own_rows if row.key in offered]
    arrivals_are_chosen = all(row.waiting for row in offered_rows)
    contingents_offered = {row.contingent.id for row in offered_rows}
    members_by_contingent: dict[str, list[Row]] = {}
    for row in own_rows:
        members_by_contingent.setdefault(row.contingent.id, []).append(row)
    in_one_line: set[str] = set()
    for contingent_id, members in members_by_contingent.items():
        needs_letters = arrivals_are_chosen and contingent_id in contingents_offered
        if _comes_later(members) and not needs_letters:
            in_one_line.add(contingent_id)
    return in_one_line


class WholeTable(NamedTuple):
    """The table of everything known of a side: its titles, and the lines of each row by its key."""

    titles: list[Content]
    lines: dict[str, list[Content]]


class SideLine(NamedTuple):
    """A line of a side, and the key of the row that it is about, if any."""

    content: Content
    row_key: str | None = None


def side_lines(state: State, side: str, look: SideLook) -> list[SideLine]:
    """A side from top to bottom."""
    numbers_title = ""
    if look.has_numbers and not look.has_whole_table:
        numbers_title = NUMBERS_TITLE
    lines = [SideLine(_title(state, side, look, numbers_title))]
    if look.has_bar:
        lines.append(SideLine(_strength_bar(state, side, look.width)))
    whole_table: WholeTable | None = None
    if look.has_whole_table:
        whole_table = _whole_table(state, side, look)
        lines += map(SideLine, whole_table.titles)
    lines += _contingent_lines(state, side, whole_table, look)
    works = _works(state, side)
    if works:
        lines.append(SideLine(Content.styled(f"  {', '.join(works)}", FAINT)))
    return lines


def _contingent_lines(
    state: State, side: str, whole_table: WholeTable | None, look: SideLook
) -> Iterator[SideLine]:
    """The lines of a side's rows, below a heading for each contingent where there are several, or
    for one that is not on the table yet."""
    contingents = [contingent for contingent in state.setup.contingents if contingent.side == side]
    own_rows = rows(state, side)
    in_one_line = _contingents_in_one_line(own_rows, look.offered)
    for contingent, rows_of_contingent in groupby(own_rows, key=attrgetter("contingent")):
        members = list(rows_of_contingent)
        if _comes_later(members):
            yield SideLine(_arrival(group_name(state, contingent), contingent, members))
        elif shows_group_names(state, side, len(contingents)):
            name = f" {plain(group_name(state, contingent))}"
            yield SideLine(Content.styled(name, side_style(state, side)))
        # The heading says how many come and when; their rows would only push others off the screen.
        if contingent.id in in_one_line and whole_table is None:
            continue
        for row in members:
            lines = [_row_line(state, row, look)]
            if whole_table is not None:
                lines = whole_table.lines[row.key]
            for line in lines:
                yield SideLine(line, row.key)


def _comes_later(members: Sequence[Row]) -> bool:
    """Whether nobody of a contingent is on the table yet, and somebody is still to come."""
    return not any(row.here for row in members) and any(row.waiting for row in members)


def _arrival(name: str, contingent: Contingent, members: Sequence[Row]) -> Content:
    """The line of a contingent that is not on the table yet."""
    coming = sum(len(row.alive) for row in members)
    words = f" {plain(name)}: {coming} arrive on turn {contingent.enters}"
    return Content.styled(words, FAINT)


def _works(state: State, side: str) -> list[str]:
    """``2 Sandbags``: the works of a side; those of a stored battle may be unknown by now."""
    catalog = state.setup.catalog
    words = []
    for work, count in state.works.get(side, {}).items():
        if work in catalog.works:
            words.append(catalog.works[work].named(count))
        else:
            words.append(f"{count} {work}")
    return words


def side_style(state: State, side: str) -> str:
    """The colour of a side, as a style names it."""
    return f"$side-{state.setup.signs[side].name}"


class SideLosses(NamedTuple):
    """What a side has lost and when it breaks, in ``full`` and in ``brief``, and whether it is
    close to breaking."""

    full: str
    brief: str
    nearly_broken: bool


def _title(state: State, side_id: str, look: SideLook, numbers_title: str) -> Content:
    """The name, the player and the losses of a side; the title of the numbers at the right if there
    is room. On a wide screen the background of the side's sign and name is in its colour."""
    side, width = state.setup.side_by_id[side_id], look.width
    colour = side_style(state, side_id)
    before_name = after_name = ""
    name_style = f"bold {colour}"
    if look.coloured:
        before_name, after_name = f" {state.setup.signs[side_id].sign} ", " "
        name_style = f"bold {colour} reverse"
    people = plain(side.people).upper()
    losses = _losses(state, side_id)
    around_name = len(before_name) + len(after_name)
    losses_text = losses.full
    if around_name + cell_len(people) + len(losses_text) > width:
        # The losses matter more than the name of the side, which is cut next.
        losses_text = losses.brief
    left_for_names = width - around_name - len(losses_text)
    name = shortened(people, max(left_for_names, LEAST_NAME))
    player = _player_shown(side.player, left_for_names - cell_len(name))
    losses_style = FAINT
    if losses.nearly_broken:
        losses_style = "$error bold"
    line = Content.assemble(
        (f"{before_name}{name}{after_name}", name_style),
        (player, colour),
        (losses_text, losses_style),
    )
    # The title of the numbers is help for newcomers, and the first thing that goes.
    gap = width - line.cell_length - len(numbers_title)
    is_set_apart = gap > 1
    if numbers_title and is_set_apart:
        return Content.assemble(line, " " * gap, (numbers_title, FAINT))
    return line


def _losses(state: State, side_id: str) -> SideLosses:
    """What a side has lost, and at which loss its army breaks."""
    lost, strength = state.loss.get(side_id, 0), side_strength(state, side_id)
    # In most battles a side is beaten once its army is broken. Where a broken army fights on (P58),
    # no loss beats it; that half of its strength is lost is still worth a word then.
    beaten_at = beating_loss(state, side_id)
    broken_at = breaking_loss(state, side_id)
    ends = brief_ends = ""
    if beaten_at is not None:
        ends, brief_ends = f", breaks at {beaten_at}", f", break {beaten_at}"
    elif strength > 0 and lost >= broken_at:
        ends = brief_ends = ", half lost"
    return SideLosses(
        full=f"  {lost} of {strength} lost{ends}",
        brief=f"  {lost}/{strength} lost{brief_ends}",
        nearly_broken=strength > 0 and lost >= NEARLY_BROKEN * broken_at,
    )


def _player_shown(player: str, room: int) -> str:
    """The player of a side in ``room`` columns; empty where nobody could read it."""
    if not player or room <= TOO_FEW_FOR_PLAYER:
        return ""
    return shortened(f" {plain(player)}", room)


def _strength_bar(state: State, side: str, width: int) -> Content:
    """A bar half a row high for the strength that a side has left; a thin line goes on for what it
    has lost."""
    strength, lost = side_strength(state, side), state.loss.get(side, 0)
    filled = width  # that of a side whose pieces count nothing stays full
    if strength > 0:
        left = round(width * (strength - lost) / strength)
        # The enemy's exits are charged as losses, too, which may pass the strength.
        filled = max(0, min(width, left))
    return Content.styled("▄" * filled + "▁" * (width - filled), side_style(state, side))


def _row_line(state: State, row: Row, look: SideLook) -> Content:
    """Letter, name and alive of total, then who can still fire and where they are; on a wide screen
    the numbers at the right. Where nobody is left, or nobody has come yet, it says that instead."""
    name = f"{row.unit.short:<{UNIT_NAME}}"
    count = f"{len(row.alive):>3}/{row.total:<3}"
    letter = _marked_letter(state, row, look)
    if not row.alive:
        gone = "all lost"
        if row.exited:
            gone = f"{row.exited} exited"
        return Content.assemble(letter, (f" {name}{count} {gone}", FADED))
    # Part of a contingent may have arrived; this row has not.
    if not row.here:
        arrival = f"arrive turn {row.contingent.enters}"
        return Content.assemble(letter, (f" {name}{count} {arrival}", FAINT))
    left = Content.assemble(letter, (f" {name}", _name_style(row, look)), count)
    numbers = Content("")
    if look.has_numbers:
        numbers = Content.styled(f"  {_armament(row, look.measure)} ", FAINT)
    gap = " "
    left_for_status = look.width - left.cell_length - len(gap) - numbers.cell_length
    status_width = max(left_for_status, LEAST_STATUS)
    status = row_status(state, row, status_width)
    status_style = ""
    if not row.ready_count:
        status_style = FAINT
    return Content.assemble(left, (f"{gap}{status:<{status_width}}", status_style), numbers)


def _marked_letter(state: State, row: Row, look: SideLook) -> Content:
    """The letter of a row, bright if the next answer may name it, behind a mark: ``>`` if it was
    named, ``*`` under the cursor, else the side's colour on a wide screen."""
    mark, mark_style = " ", KEY
    if look.coloured:
        mark, mark_style = SIDE_EDGE, side_style(state, row.side)
    if look.cursor == row.key:
        mark, mark_style = "*", KEY
    elif row.key in look.chosen:
        mark, mark_style = ">", KEY
    letter_style = FAINT
    if row.key in look.offered:
        letter_style = KEY
    return Content.assemble((mark, mark_style), (row.letter, letter_style))


def _name_style(row: Row, look: SideLook) -> str:
    """The name stands out where the row is chosen or under the cursor."""
    if look.cursor == row.key:
        return f"{KEY} reverse"
    if row.key in look.chosen:
        return "bold reverse"
    return ""


def _armament(row: Row, measure: Measure) -> str:
    """The numbers of a row's weapons. An AA tank has two of a kind, which are shown once."""
    weapons = {weapon.id: weapon for weapon in row.weapons}
    return "  ".join(_in_short(weapon, measure) for weapon in weapons.values())


def _in_short(weapon: Weapon, measure: Measure) -> str:
    """``12/24" 8+/4*/3``: the ranges of a weapon, in the player's unit, and what it kills."""
    numbers = [number_in_measure(measure, distance) for distance in ranges_of([weapon])]
    reach = "/".join(numbers) or NO_NUMBER  # a weapon without a range
    unit = '"'
    if measure == "centimetres":
        unit = "cm"
    return f"{reach}{unit} {ranks_in_short(weapon)}"


# ------------------------------------------------------------------ the whole table


class CountCells(NamedTuple):
    """How many of a row there are, in the cells of the whole table; empty in its further lines."""

    unit: str = ""
    alive: str = ""
    lost: str = ""
    exited: str = ""
    ready: str = ""


class WeaponCells(NamedTuple):
    """A weapon with its range and what it needs, in the cells of the whole table."""

    weapon: str
    reach: str = ""
    guys: str = ""
    armored: str = ""
    unarmored: str = ""


def _whole_table(state: State, side: str, look: SideLook) -> WholeTable:
    """The lines of each row: its numbers and first weapon, a line for each further weapon, and
    where its pieces are."""
    own_rows = rows(state, side)
    # A row of the table is a weapon; next to each stands the row of the side that has it.
    weapon_rows: list[tuple[str, ...]] = []
    owners: list[Row] = []
    for row in own_rows:
        counts = _count_cells(row)
        for weapon in _weapons_of_row(state, row, look):
            weapon_rows.append((*counts, *weapon))
            owners.append(row)
            counts = CountCells()  # the first weapon has the counts of the row, the others none
    weapons_table = table(_titles(look), weapon_rows, numbers=COLUMNS_OF_NUMBERS)

    titles: list[Content] = []
    lines: dict[str, list[Content]] = {}
    free_at_right = 1  # as behind the numbers of a row (``_row_line``)
    for line in table_lines(weapons_table, look.width - INDENT - free_at_right):
        indented = Content.styled(f"{'':<{INDENT}}{line.text}", FAINT)
        if line.row == TITLES:
            titles.append(indented)
            continue
        owner = owners[line.row]
        if owner.key in lines:  # a further weapon, or the rest of cells that did not fit
            lines[owner.key].append(indented)
        else:
            lines[owner.key] = [_first_table_line(state, owner, line.text, look)]
    for row in own_rows:
        whereabouts = ", ".join(_whereabouts(state, row))
        if whereabouts:
            lines[row.key].append(Content.styled(f"{'':<{WHEREABOUTS_INDENT}}{whereabouts}", FAINT))
    return WholeTable(titles, lines)


def _weapons_of_row(state: State, row: Row, look: SideLook) -> list[WeaponCells]:
    """The cells of each weapon of a row. An unarmed row, as of trucks, has cells as well, since
    what is lost of it counts."""
    entries = _firing(state, row).entries(row.unit)
    weapons = [_weapon_cells(entry, look.measure) for entry in entries]
    if weapons:
        return weapons
    return [WeaponCells("unarmed")]


def _titles(look: SideLook) -> tuple[str, ...]:
    """The titles of the columns."""
    reach = f"range{NO_BREAK}in"
    if look.measure == "centimetres":
        reach = f"range{NO_BREAK}cm"
    return (
        *CountCells(unit="", alive="alive", lost="lost", exited="exit", ready="ready"),
        *WeaponCells("weapon", reach, "guys", "armor", "unarm."),
    )


COLUMNS_OF_NAMES = ("unit", "weapon")
COLUMNS_OF_NUMBERS = [
    column
    for column, field in enumerate((*CountCells._fields, *WeaponCells._fields))
    if field not in COLUMNS_OF_NAMES
]
"""The numbers of the columns of the whole table that hold numbers: all others."""


def _first_table_line(state: State, row: Row, text: str, look: SideLook) -> Content:
    """The line of a row with its letter; its name shows whether it is chosen."""
    style = ""
    if not (row.alive and row.here):
        style = FADED
    line = Content.styled(text, style)
    line = line.stylize(_name_style(row, look), 0, len(row.unit.short))
    return Content.assemble(_marked_letter(state, row, look), " ", line)


def _count_cells(row: Row) -> CountCells:
    """How many of a row there are."""
    lost = row.total - len(row.alive) - row.exited
    ready = ZERO
    if row.here and row.weapons:
        ready = str(row.ready_count)
    alive = f"{len(row.alive)}/{row.total}"
    return CountCells(row.unit.short, alive, _count_or_dot(lost), _count_or_dot(row.exited), ready)


def _count_or_dot(count: int) -> str:
    """A number in a cell of the whole table, where a dot stands for 0."""
    if count == 0:
        return ZERO
    return str(count)


def row_in_words(state: State, row: Row, formatted: Formatter) -> Content:
    """A row in sentences: how many live, how they are, what each weapon kills."""
    strength = f"{row.letter}  {row.unit.name}: {len(row.alive)} of {row.total} alive"
    if row.here and row.weapons:
        strength += f", {row.ready_count} can fire now"
    lines = [Content.styled(f"{strength}.", KEY)]
    condition = status_beside_ready(state, row)
    if row.here and condition:
        lines.append(Content(f"{capital(condition)}."))
    for line in _firing(state, row).in_words(row.unit):
        reach = formatted(line.reach)
        lines.append(Content(f"{line.weapon}, {reach}: kills {', '.join(line.kills)}."))
    if not row.weapons:
        lines.append(Content("It has no weapon."))
    return Content("\n").join(lines)


def _firing(state: State, row: Row) -> Firing:
    """The firing table under the rulings of this battle."""
    setup = state.setup
    return Firing(setup.catalog, setup.rulings, state.nation_of(row.side))


def _weapon_cells(entry: FiringEntry, measure: Measure) -> WeaponCells:
    """The cells of a weapon; its range without the unit, which stands in the title: ``12/24``."""
    numbers = [number_in_measure(measure, distance) for distance in entry.distances]
    reach = "/".join(numbers)
    return WeaponCells(entry.weapon, reach, entry.guys, entry.armored, entry.unarmored)


def _whereabouts(state: State, row: Row) -> Iterator[str]:
    """Where the pieces of a row are, and which of them are not served."""
    # While nobody of its contingent has come, the heading of the contingent says so.
    if row.alive and _some_have_come(state, row.contingent):
        place = note(state, row)
        if place:
            yield place
    unserved = [piece for piece in row.here if piece in state.unserved]
    if unserved:
        yield f"not served: {', '.join(map(piece_code, unserved))}"


def _some_have_come(state: State, contingent: Contingent) -> bool:
    """Whether a piece of the contingent is on the table."""
    for row in rows(state, contingent.side):
        if row.contingent.id == contingent.id and row.here:
            return True
    return False
