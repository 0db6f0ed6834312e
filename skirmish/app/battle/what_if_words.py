"""The strip of what-ifs below a shot, in words: a line for each, or as many as fit into one."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from rich.cells import cell_len

from skirmish.app.battle.draft import TOGGLE_KEYS, TOGGLE_WORDS, USUAL, Draft, firer
from skirmish.app.battle.mode import Mode, Said, Tone
from skirmish.app.battle.prompt_what_if import Wondering
from skirmish.app.fitting import Told, padded, shortened
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.odds import Knowledge, WhatIf, pack_of, what_ifs
from skirmish.games.plastic.battle.orders import Fire, Volley
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.rounding import nearest
from skirmish.games.plastic.odds.single import ShotOdds
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.refusal import Refusal

KEYS = {name: key for key, name in TOGGLE_KEYS.items()} | {"weapon": "w", "shooter": "o"}
"""The letter that takes a row at once, as soon as letters name no rows any more."""

SHORT = {
    "no_target": "may not fire at it",
    "already_fired": "has fired",
    "disarmed": "broken down",
    "touch_only": "only in contact",
}
"""Reasons against a shot in a few words; the shot line says the whole sentence."""

HEAD = "WHAT IF "
WIDEST = 22
"""Columns of what a row changes."""
MOST_LINES = 2
"""Lines that rows share where there is no room for a line of each."""
GAP = "   "
"""Between what stands behind each other."""


class Room(NamedTuple):
    """How texts are made ready, in so many columns and lines."""

    told: Told
    width: int
    lines: int


def strip(state: State, mode: Mode, knowledge: Knowledge, room: Room) -> list[Said]:
    """The what-ifs of the shot in hand; none while there is no shot that could be judged."""
    draft = mode.under
    order = draft.order if isinstance(draft, Draft) else None
    if not isinstance(draft, Draft) or order is None:
        return []
    side = row_side(order.shooter) if isinstance(order, Fire) else firer(state)
    pack = pack_of(state, side, knowledge).pack
    rows = what_ifs(state, order, pack)
    marked = mode.kind if isinstance(mode, Wondering) else None
    written = [
        _Written(
            row=row,
            key=KEYS.get(row.kind, "") if draft.naming(state) is None else "",
            name=room.told(words_of(state, row)),
            now=_compared(rows),
            marked=row.kind == marked,
        )
        for row in rows
    ]
    if room.lines > MOST_LINES and len(rows) <= room.lines:
        return [_line(row, room.width, walking=marked is not None) for row in written]
    return _packed(written[1:], room.width, min(room.lines, MOST_LINES))


class _Written(NamedTuple):
    """A row that is to be written: its letter and words, and what it is compared with."""

    row: WhatIf
    key: str
    name: str
    now: ShotOdds | None
    marked: bool

    @property
    def tone(self) -> Tone:
        return "chosen" if self.marked else "dim" if self.row.other.against else ""


def _line(one: _Written, width: int, *, walking: bool) -> Said:
    """A row in a line of its own; ``walking``: the mark is on one of them."""
    row, odds = one.row, one.row.odds
    first = row.kind == "now"
    line: Said = [(HEAD if first else " " * len(HEAD), "dim"), (one.key or " ", "key"), (" ", "")]
    line.append((padded(one.name, WIDEST), one.tone))
    if row.other.against is not None:
        line.append((f"   no   {_short(row.other.against)}", "dim"))
    elif odds is not None and row.other.shot is not None:
        line.append((f" {run(row.other.shot.aim.needs):<4}", "dim"))
        than = "" if first else _than(odds, one.now)
        line += [(f" {_percent(odds.hit):>3}%", "strong"), (f" {than:>4}", "")]
        line.append((_the_man(row), "dim"))
    if one.marked:
        line += [(GAP, ""), ("Enter", "key"), (" takes it", "")]
    elif first and not walking:
        line += [(GAP, ""), ("↓", "key"), (" chooses one", "dim")]
    return _within(line, width)


def _packed(written: list[_Written], width: int, room: int) -> list[Said]:
    """As many rows as fit behind each other into so many lines, those forbidden last; from the
    marked one on, where not all do."""
    if not written or room < 1:
        return []
    rows = sorted(written, key=lambda one: one.row.other.against is not None)
    lines, all_fit = _filled(rows, width, room)
    if not all_fit:
        at = next((n for n, one in enumerate(rows) if one.marked), 0)
        lines, _ = _filled([*rows[at:], *rows[:at]], width, room)
    return lines


def _filled(rows: list[_Written], width: int, room: int) -> tuple[list[Said], bool]:
    """The lines, and whether all rows are in them."""
    line: Said = [(HEAD, "dim"), ("↓", "key")]
    lines = [line]
    for one in rows:
        entry = _entry(one)
        if _cells([*line, *entry]) > width:
            if len(lines) == room:
                return lines, False
            line = [(" " * (len(HEAD) + 1), "")]
            lines.append(line)
        line += entry
    return lines, True


def _entry(one: _Written) -> Said:
    row, odds = one.row, one.row.odds
    entry: Said = [(GAP, "")]
    entry += [(one.key, "key"), (" ", "")] if one.key else []
    entry.append((one.name, one.tone))
    if row.other.against is not None:
        entry.append((f": no, {_short(row.other.against)}", "dim"))
    elif odds is not None:
        if row.kind == "close":  # which changes who dies, not whether
            entry += [(": man aimed at ", ""), (f"{_percent(odds.exact)}%", "strong")]
        else:
            entry += [(f" {_percent(odds.hit)}%", "strong"), (f" {_than(odds, one.now)}", "")]
    return [*entry, (" ", ""), ("Enter", "key")] if one.marked else entry


def words_of(state: State, row: WhatIf) -> str:
    """What a row changes, as it would then be."""
    order, shot = row.other.order, row.other.shot
    if row.kind == "now":
        return "as it stands"
    if row.kind == "weapon" and isinstance(order, Fire):
        return state.setup.catalog.weapons[order.weapon or ""].name
    if row.kind == "shooter" and shot is not None:
        return (f"{order.count} " if isinstance(order, Volley) else "") + shot.shot.shooter.short
    return TOGGLE_WORDS[row.kind][getattr(order, row.kind) != USUAL[row.kind]].lower()


def _percent(chance: Fraction) -> int:
    """Rounded to the nearest whole."""
    return nearest(100 * chance)


def _compared(rows: tuple[WhatIf, ...]) -> ShotOdds | None:
    """What the others are more or less than: the shot as it stands, if it may be fired."""
    return rows[0].odds if rows[0].other.against is None else None


def _than(odds: ShotOdds, now: ShotOdds | None) -> str:
    """How many points more or less than now, of the numbers that are shown."""
    if now is None:
        return ""
    more = _percent(odds.hit) - _percent(now.hit)
    return f"{more:+}" if more else "="


def _the_man(row: WhatIf) -> str:
    """The chance that a guy is hit and he is the very one aimed at."""
    if row.odds is None or row.other.shot is None or not row.other.shot.aim.at_guy:
        return ""
    return f"   man aimed at {_percent(row.odds.exact):>2}%"


def _short(against: Refusal) -> str:
    return SHORT.get(against.code, against.says)


def _cells(line: Said) -> int:
    return sum(cell_len(text) for text, _ in line)


def _within(line: Said, width: int) -> Said:
    """A line in so many columns: what does not fit at its end is left out."""
    kept: Said = []
    left = width
    for text, tone in line:
        if left <= 0:
            break
        kept.append((shortened(text, left), tone))
        left -= cell_len(text)
    return kept
