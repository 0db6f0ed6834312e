"""The list of armies in words: each army that is kept as a line, and what is told of the chosen."""

from __future__ import annotations

import msgspec
from textual.content import Content

from skirmish import library
from skirmish.app.armies.words import BAD, DIM, fitted, state_style, state_words
from skirmish.games.plastic.army_file import from_body
from skirmish.games.plastic.rules.advice import Tally, tally
from skirmish.games.plastic.rules.army import Army
from skirmish.store.records import ArmyRecord
from skirmish.tabletop.reading import DataError
from skirmish.tabletop.typed import plain

ROOMY = 100
"""Columns from which a line also tells when the army was changed."""
MARK = "► "
SHORT = 40


class Kept(msgspec.Struct, frozen=True):
    """A line of the list; ``army`` is None where it cannot be read (``trouble``: why)."""

    record: ArmyRecord
    army: Army | None
    counted: Tally | None
    trouble: str = ""


def read(record: ArmyRecord) -> Kept:
    """A record with its army; one that cannot be read stays on the list and says why."""
    try:
        army = from_body(record.body, library.catalog(), library.rulings(), short(record.name))
    except DataError as error:
        return Kept(record, None, None, str(error))
    return Kept(record, army, tally(army))


def short(name: str) -> str:
    """A typed name fit for a sentence."""
    shown = plain(name)
    return shown if len(shown) <= SHORT else shown[: SHORT - 1] + "…"


def head(width: int) -> str:
    """The heads of the columns of ``line``."""
    when = "     CHANGED" if width >= ROOMY else ""
    name = "  NAME".ljust(_name_width(width))
    return f"{name}{'NATION':<10}{'QUALITY':<9}{'SPENT':>11}  {'LIMITS':<17}{when}"


def line(kept: Kept, width: int, marked: bool) -> Content:
    """One army in ``width`` columns; ``marked`` for a comparison."""
    mark = (MARK if marked else "  ", "$accent bold")
    name = (fitted(kept.record.name, _name_width(width) - 3) + " ", "bold")
    when = (f"  {kept.record.updated[:10]}", DIM) if width >= ROOMY else ""
    if kept.army is None or kept.counted is None:
        return Content.assemble(mark, name, (f"{'':<30}  {'cannot be read':<17}", BAD), when)
    army = kept.army
    nation = army.nation.name if army.nation else "–"
    quality = army.quality.name if army.quality else "–"
    spent = f"{army.spent}/{army.budget}"
    state = (f"{state_words(kept.counted):<17}", state_style(kept.counted))
    return Content.assemble(mark, name, f"{nation:<10}{quality:<9}{spent:>11}  ", state, when)


def told(kept: Kept | None) -> Content:
    """What is to be known of the chosen army: its strength, and its player's own words."""
    if kept is None:
        return Content()
    if kept.army is None:
        return Content.styled(kept.trouble.partition("\n")[0], BAD)
    army = kept.army
    men = sum(n for unit, n in army.fielded().items() if army.catalog.units[unit].is_guy)
    models = sum(army.fielded().values()) - men
    beaten = f", break point {army.break_at}" if army.pdg else ""
    strength = f"{men} guys, {models} {'model' if models == 1 else 'models'}. "
    note = plain(army.listed.note)
    return Content.assemble(f"{strength}PDG {army.pdg}{beaten}. ", (note, DIM))


def _name_width(width: int) -> int:
    return width - 49 - (12 if width >= ROOMY else 0)
