"""The whole table of one side: every row with all its numbers, and who is where; and a row in a
sentence, for the mouse."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from skirmish.app.battle.mode import Mode
from skirmish.app.battle.prompt_lists import riders_in_words
from skirmish.app.battle.words import DIM, KEY, row_marks, row_style, status
from skirmish.app.fitting import Told
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.firing_table import Firing, FiringEntry
from skirmish.tabletop.measure import NO_BREAK

HEAD = f"{'':<16}{'alive':>6} {'lost':>4}{'exit':>5}{'ready':>6} {'weapon':<12}"
KILLS = f"{'guys':>6}{'armor':>6}{'unarm.':>7}"
INSET = 37
"""Columns before the weapon, which a second weapon leaves free."""
MOST = 400
"""Columns of what is told of a row in full: enough for everything."""


def heading(told: Told) -> Content:
    """What stands above the columns."""
    unit = told(f"1{NO_BREAK}in").rpartition(NO_BREAK)[2]
    return Content.styled(f"{HEAD}{f'range {unit}':>8}{KILLS}", DIM)


def whole_row(state: State, row: Row, mode: Mode, told: Told, letters_on: bool) -> list[Content]:
    """A row: its numbers and first weapon; a line for each further weapon; who is where."""
    ready = str(row.ready_count) if row.here and row.weapons else "·"
    lost = row.total - len(row.alive) - row.exited
    counts = f"{len(row.alive):>3}/{row.total:<3}{lost or '·':>4}{row.exited or '·':>5}{ready:>6}"
    faded = "" if row.alive and row.here else "$foreground 40%"
    weapons = [_weapon(entry, told) for entry in entries(state, row)] or ["unarmed"]
    first = Content.assemble(
        row_marks(row, mode, letters_on and bool(row.here)),
        (f" {row.unit.short:<13}", row_style(row, mode) or faded),
        (counts, faded),
        (f" {weapons[0]}", DIM),
    )
    more = [Content.styled(f"{'':<{INSET + 2}}{weapon}", DIM) for weapon in weapons[1:]]
    return [first, *more, *(Content.styled(f"{'':<5}{says}", DIM) for says in _where(state, row))]


def in_words(state: State, row: Row, told: Told) -> Content:
    """A row with its numbers said out, for the tooltip."""
    name = f"{row.letter}  {row.unit.name}: {len(row.alive)} of {row.total} alive"
    if row.here and row.weapons:
        name += f", {row.ready_count} can fire now"
    lines = [Content.styled(f"{name}.", KEY)]
    says = status(state, row, MOST)
    if row.here and says and not says.endswith("ready"):
        lines.append(Content(f"{says[:1].upper()}{says[1:]}."))
    for entry in entries(state, row):
        kills = (
            f"{kind} {_signs(rank)}"
            for kind, rank in (
                ("guys", entry.guys),
                ("armored", entry.armored),
                ("unarmored", entry.unarmored),
            )
            if rank != "–"
        )
        lines.append(Content(f"{entry.weapon}, {told(entry.reach)}: kills {', '.join(kills)}."))
    if not row.weapons:
        lines.append(Content("It has no weapon."))
    return Content("\n").join(lines)


def entries(state: State, row: Row) -> list[FiringEntry]:
    """What each weapon of a row needs, as its side fires it."""
    setup = state.setup
    return Firing(setup.catalog, setup.rulings, state.nation_of(row.side)).entries(row.unit)


def _weapon(entry: FiringEntry, told: Told) -> str:
    reach = "/".join(
        part.rpartition(" ")[2].partition(NO_BREAK)[0] for part in told(entry.reach).split(", ")
    )
    return f"{entry.weapon:<12}{reach:>8}{entry.guys:>6}{entry.armored:>6}{entry.unarmored:>7}"


def _where(state: State, row: Row) -> Iterator[str]:
    """Who rides, waits, hides or is not served: what the numbers do not say."""
    if not row.alive:
        return
    if not row.here:
        yield f"arrives in turn {row.contingent.enters}"
        return
    told = []
    riding: dict[str, int] = {}
    for piece in row.aboard:
        riding[state.aboard[piece]] = riding.get(state.aboard[piece], 0) + 1
    told += [f"{count} aboard {piece_code(carrier)}" for carrier, count in riding.items()]
    for piece in row.here if row.unit.seats else ():
        inside = riders_in_words(state, piece)
        told += [f"{piece_code(piece)}: {inside}"] if inside else []
    unserved = [piece for piece in row.here if piece in state.unserved]
    told += [f"not served: {', '.join(map(piece_code, unserved))}"] if unserved else []
    told += [f"{len(row.hidden)} hidden"] if row.hidden else []
    told += [f"{len(row.waiting)} to arrive"] if row.waiting else []
    if told:
        yield ", ".join(told)


def _signs(rank: str) -> str:
    """``A-8, again after a kill``: the signs of the firing table in words."""
    words = [rank.rstrip("*+")]
    words += ["in contact only"] * ("*" in rank) + ["again after a kill"] * ("+" in rank)
    return " ".join(words)
