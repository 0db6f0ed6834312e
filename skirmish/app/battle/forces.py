"""The two columns of forces: the name and losses of each side above a line for each row, or the
whole table of one side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from skirmish.app.page_view import shortened
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.rows import Row, break_alarm, break_at, find, rows, side_strength
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.board import note, status
from skirmish.games.plastic.rules.catalog import Weapon
from skirmish.games.plastic.rules.firing_table import Firing, FiringEntry, short
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page import capital, table
from skirmish.tabletop.page_text import table_lines
from skirmish.tabletop.typed import plain

Formatter = Callable[[str], str]
DIM, FADED, KEY = "$foreground 60%", "$foreground 40%", "$accent bold"
NEAR = 0.8
"""The share of the break point from which losses are highlighted."""
NAME = 13
"""Columns of the longest name of a unit."""
MIN_PLAYER = 5
"""The fewest columns in which the name of a side's player is shown."""
INDENT = 3
"""Columns of the mark and the letter of a row."""
NONE = "·"
NUMBERS = "range guys/armored/unarmored "
"""The heading of the numbers of the rows on a wide screen."""


class SideLook(NamedTuple):
    """How a side is painted: its columns; the rows that the next answer may name, those already
    named, and the one under the cursor; ``wide``: with numbers, ``whole``: as a table of everything
    known. ``measure`` is the setting that ``formatted`` follows."""

    width: int
    formatted: Formatter
    measure: str = "inches"
    offered: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()
    pointer: str | None = None
    wide: bool = False
    whole: bool = False


class PoolPanel(Static):
    """One side. The row under the mouse is explained in a tooltip; a click chooses it."""

    class Picked(Message):
        def __init__(self, row: str) -> None:
            super().__init__()
            self.row = row

    def __init__(self, side: str) -> None:
        super().__init__(markup=False)
        self.side = side
        self._keys: list[str | None] = []
        self._hovered: str | None = None
        self._painted: tuple[State, SideLook] | None = None

    def show(self, state: State, look: SideLook) -> int | None:
        """Paint the side, unless it stands there; returns the line of the selected row, if any."""
        if self._painted is None or self._painted[0] is not state or self._painted[1] != look:
            found = side_lines(state, self.side, look)
            self._keys = [key for key, _ in found]
            self._painted = state, look
            self.update(Content("\n").join(line for _, line in found))
        wanted = {look.pointer} if look.pointer else look.chosen
        return next((at for at, key in enumerate(self._keys) if key in wanted and key), None)

    def on_click(self, event: events.Click) -> None:
        if key := self._key_at(event.y):
            self.post_message(self.Picked(key))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        key = self._key_at(event.y)
        if key == self._hovered:
            return
        self._hovered = key
        state, look = self._painted or (None, None)
        row = find(state, key) if state and key else None
        self.tooltip = in_words(state, row, look.formatted) if state and look and row else None

    def _key_at(self, line: float) -> str | None:
        return self._keys[int(line)] if 0 <= line < len(self._keys) else None


def in_sight(state: State, side: str, offered: frozenset[str]) -> list[Row]:
    """The rows of a side that have a line of their own. A contingent that is not on the table yet
    is one line without a letter, unless only those who arrive are ``offered``."""
    own = rows(state, side)
    named = [row for row in own if row.key in offered]
    seen = {row.contingent.id for row in own if row.here}
    seen |= {row.contingent.id for row in named if all(one.waiting for one in named)}
    late = {row.contingent.id for row in own if row.waiting} - seen
    return [row for row in own if row.contingent.id not in late]


def side_lines(state: State, side: str, look: SideLook) -> list[tuple[str | None, Content]]:
    head = [_title(state, side, look.width, NUMBERS if look.wide and not look.whole else "")]
    found = _whole_table(state, side, look) if look.whole else {}

    def paint(row: Row) -> Iterable[Content]:
        return found[row.key] if look.whole else (_row_line(state, row, look),)

    head += found.get("", [])
    return [*((None, line) for line in head), *_lines(state, side, paint, look)]


def _lines(
    state: State, side: str, paint: Callable[[Row], Iterable[Content]], look: SideLook
) -> Iterator[tuple[str | None, Content]]:
    """A side's lines with their rows, works last. Several contingents have headings; one not on the
    table yet is a single line, except in the whole table and where its rows are offered."""
    several = sum(one.side == side for one in state.setup.contingents) > 1
    seen = {row.key for row in in_sight(state, side, look.offered)}
    for contingent, group in groupby(rows(state, side), key=lambda row: row.contingent):
        pools = list(group)
        name = plain(contingent.name)
        if not any(row.here for row in pools) and any(row.waiting for row in pools):
            men = sum(len(row.alive) for row in pools)
            late = f" {name}: {men} arrive on turn {contingent.enters}"
            yield None, Content.styled(late, DIM)
            if not look.whole and pools[0].key not in seen:
                continue
        elif several:
            yield None, Content.styled(f" {name}", "$secondary")
        for row in pools:
            for line in paint(row):
                yield row.key, line
    known = state.setup.catalog.works
    works = [
        known[work].named(count) if work in known else f"{count} {work}"
        for work, count in state.works.get(side, {}).items()
    ]
    if works:
        yield None, Content.styled(f"  {', '.join(works)}", DIM)


def _title(state: State, side_id: str, width: int, after: str) -> Content:
    side = state.setup.side_by_id[side_id]
    lost, whole = state.loss.get(side_id, 0), side_strength(state, side_id)
    at, alarm = break_at(state, side_id), break_alarm(state, side_id)
    ends = f", breaks at {at}" if at is not None else ""
    if at is None and lost >= alarm:
        ends = ", half lost"
    losses = f"  {lost} of {whole} lost{ends}"
    people = plain(side.people).upper()
    if cell_len(people) + len(losses) > width:  # abbreviated beside a long name
        losses = f"  {lost}/{whole} lost{ends.replace('breaks at', 'break')}"
    room = width - len(losses)
    name = shortened(people, max(room, 8))
    player = f" {plain(side.player)}" if side.player else ""
    player = shortened(player, room - cell_len(name)) if room - cell_len(name) > MIN_PLAYER else ""
    near = lost >= NEAR * alarm and whole
    line = Content.assemble(
        (name, "bold $primary"),
        (player, "$primary"),
        (losses, "$error bold" if near else DIM),
    )
    gap = width - line.cell_length - len(after)
    return Content.assemble(line, " " * gap, (after, DIM)) if after and gap > 1 else line


def _row_line(state: State, row: Row, look: SideLook) -> Content:
    """Letter, name, alive of total, who can still fire and where they are; on a wide screen the
    numbers at the right."""
    name, count = f"{row.unit.short:<{NAME}}", f"{len(row.alive):>3}/{row.total:<3}"
    letter = _letter(row, look)
    if not row.alive:
        gone = f"{row.exited} exited" if row.exited else "all lost"
        return Content.assemble(letter, (f" {name}{count} {gone}", FADED))
    if not row.here:
        return Content.assemble(
            letter, (f" {name}{count} arrive turn {row.contingent.enters}", DIM)
        )
    stats = f"  {_armament(row, look.formatted)} " if look.wide else ""
    room = max(look.width - len(f"   {name}{count} {stats}"), 6)
    return Content.assemble(
        letter,
        (f" {name}", _style(row, look)),
        count,
        (f" {status(state, row, room):<{room}}", "" if row.ready_count else DIM),
        (stats, DIM),
    )


def _letter(row: Row, look: SideLook) -> Content:
    """The letter, bright if it may be named, after ``>`` if it is named and ``*`` under the
    cursor."""
    chosen = ">" if row.key in look.chosen else " "
    mark = "*" if look.pointer == row.key else chosen
    return Content.assemble((mark, KEY), (row.letter, KEY if row.key in look.offered else DIM))


def _style(row: Row, look: SideLook) -> str:
    if look.pointer == row.key:
        return f"{KEY} reverse"
    return "bold reverse" if row.key in look.chosen else ""


def _armament(row: Row, formatted: Formatter) -> str:
    weapons = {weapon.id: weapon for weapon in row.weapons}
    return "  ".join(_in_short(weapon, formatted) for weapon in weapons.values())


def _in_short(weapon: Weapon, formatted: Formatter) -> str:
    reach, _, numbers = short(weapon).partition('" ')
    measured = formatted(reach.replace("/", " to ") + "\u00a0in").replace(" to ", "/")
    unit = '"' if measured.endswith("in") else "cm"
    return f"{measured.partition(NO_BREAK)[0]}{unit} {numbers}"


# ------------------------------------------------------------------ the whole table


def _whole_table(state: State, side: str, look: SideLook) -> dict[str, list[Content]]:
    """The lines of each row by its key, those of the titles under an empty one: a row with its
    numbers and first weapon, a line for each further weapon, and where its pieces are."""
    found = rows(state, side)
    cells: list[tuple[str, ...]] = []
    owners: list[Row | None] = [None]
    for row in found:
        weapons = [_weapon(entry, look.formatted) for entry in entries(state, row)]
        for nth, weapon in enumerate(weapons or [("unarmed", "", "", "", "")]):
            owners.append(row)
            cells.append((*(_counts(row) if not nth else [""] * 5), *weapon))
    reach = f"range{NO_BREAK}" + look.formatted(f"1{NO_BREAK}in").rpartition(NO_BREAK)[2]
    titles = ("", "alive", "lost", "exit", "ready", "weapon", reach, "guys", "armor", "unarm.")
    whole = table(titles, cells, numbers=(1, 2, 3, 4, 6, 7, 8, 9))
    lines: dict[str, list[Content]] = {}
    for at, text in table_lines(whole, look.width - 1 - INDENT):
        owner = owners[at + 1]
        own = lines.setdefault(owner.key if owner else "", [])
        if owner is None or own:
            own.append(Content.styled(f"{'':<{INDENT}}{text}", DIM))
            continue
        line = Content.styled(text, "" if owner.alive and owner.here else FADED)
        line = line.stylize(_style(owner, look), 0, len(owner.unit.short))
        own.append(Content.assemble(_letter(owner, look), " ", line))
    for row in found:
        if where := ", ".join(filter(None, _where(state, row))):
            lines[row.key].append(Content.styled(f"{'':<5}{where}", DIM))
    return lines


def _counts(row: Row) -> tuple[str, ...]:
    lost = row.total - len(row.alive) - row.exited
    ready = str(row.ready_count) if row.here and row.weapons else NONE
    alive = f"{len(row.alive)}/{row.total}"
    return row.unit.short, alive, str(lost or NONE), str(row.exited or NONE), ready


def in_words(state: State, row: Row, formatted: Formatter) -> Content:
    name = f"{row.letter}  {row.unit.name}: {len(row.alive)} of {row.total} alive"
    if row.here and row.weapons:
        name += f", {row.ready_count} can fire now"
    lines = [Content.styled(f"{name}.", KEY)]
    words = status(state, row)
    if row.here and words and not words.endswith("ready"):
        lines.append(Content(f"{capital(words)}."))
    for entry in entries(state, row):
        ranks = (("guys", entry.guys), ("armored", entry.armored), ("unarmored", entry.unarmored))
        kills = (f"{kind} {_signs(rank)}" for kind, rank in ranks if rank != "–")
        lines.append(
            Content(f"{entry.weapon}, {formatted(entry.reach)}: kills {', '.join(kills)}.")
        )
    if not row.weapons:
        lines.append(Content("It has no weapon."))
    return Content("\n").join(lines)


def entries(state: State, row: Row) -> list[FiringEntry]:
    setup = state.setup
    return Firing(setup.catalog, setup.rulings, state.nation_of(row.side)).entries(row.unit)


def _weapon(entry: FiringEntry, formatted: Formatter) -> tuple[str, ...]:
    reach = "/".join(
        part.rpartition(" ")[2].partition(NO_BREAK)[0]
        for part in formatted(entry.reach).split(", ")
    )
    return entry.weapon, reach, entry.guys, entry.armored, entry.unarmored


def _where(state: State, row: Row) -> Iterator[str]:
    together = (one.here for one in rows(state, row.side) if one.contingent is row.contingent)
    if row.alive and (row.here or any(together)):  # otherwise the line of its contingent shows it
        yield note(state, row)
    if unserved := [piece for piece in row.here if piece in state.unserved]:
        yield f"not served: {', '.join(map(piece_code, unserved))}"


def _signs(rank: str) -> str:
    """The symbols of the firing table in words: ``A-8, again after a kill``."""
    words = [rank.rstrip("*+")]
    words += ["in contact only"] * ("*" in rank) + ["again after a kill"] * ("+" in rank)
    return " ".join(words)
