"""What is wrong with the database, one line for each fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from skirmish.cli.speaking import number
from skirmish.registry import BATTLE, listed
from skirmish.store.errors import Unreadable
from skirmish.store.soundness import Examined, looking, newer

if TYPE_CHECKING:
    from skirmish.store.records import ArmyRecord, BattleRecord, EntryRecord


def faults(path: Path, found: Examined) -> Iterator[str]:
    """Every fault of the file as ``found``, then of the armies and journals in it.

    Raises StoreError where the file can no longer be read. What is kept is only looked into if
    the file is sound and of this program's revision: else one line could bring a thousand more.
    """
    from skirmish.store import schema

    for fault in found.faults:
        yield f"The file: {fault}."
    if found.newer and found.revision is not None:
        yield f"The file: {newer(found.revision)}."
    if found.faults or found.newer:
        return
    if found.revision != schema.REVISION:
        return  # an older form: the app looks it over when it brings it up
    with looking(path) as kept:
        for army, odd in kept.armies():
            yield from _odd(f"The army {army.name}", odd)
            yield from _army(army)
        if odd_figures := kept.odd_figures():
            yield f"Your figures: {number(odd_figures, 'line')} cannot be read."
        for battle, odd in kept.battles():
            yield from _odd(_called(battle), odd)
            try:
                yield from _journal(battle, kept.entries(battle.id))
            except Unreadable as error:
                yield str(error)


def _odd(called: str, columns: list[str]) -> Iterator[str]:
    if columns:
        yield f"{called}: these are damaged: {', '.join(columns)}."


def _called(battle: BattleRecord) -> str:
    noun = (listed(battle.game) or BATTLE).noun
    return f"{noun.capitalize()} {battle.id} ({battle.title})"


def _army(army: ArmyRecord) -> Iterator[str]:
    from skirmish import library
    from skirmish.games.plastic.army_file import GAME, from_body
    from skirmish.tabletop.reading import DataError

    called = f"The army {army.name}"
    if army.game != GAME:
        yield f"{called}: it is of a game that this version does not know, {army.game}."
        return
    try:
        from_body(army.body, library.catalog(), library.rulings(), called)
    except DataError as error:
        yield str(error).partition("\n")[0]


def _journal(battle: BattleRecord, entries: list[EntryRecord]) -> Iterator[str]:
    """Gaps in the numbers; then the first entry that cannot be read or does not follow."""
    from skirmish.tabletop.journal import RecordError

    kind, called = listed(battle.game), _called(battle)
    if not entries:
        yield f"{called}: it has no journal."
        return
    numbers = [entry.number for entry in entries]
    gaps = [
        (before + 1, after - 1)
        for before, after in zip([0, *numbers], numbers, strict=False)
        if after != before + 1
    ]
    for first, last in gaps:
        which = f"entry {first} is" if first == last else f"entries {first} to {last} are"
        yield f"{called}: {which} missing."
    if kind is None:
        yield f"{called}: it is of a game that this version does not know, {battle.game}."
        return
    if gaps:
        return  # what follows a gap cannot be followed
    at, scribe = 0, kind.codec()
    try:
        battle_so_far = None
        for entry in entries:
            at = entry.number
            read = scribe.read(entry.number, entry.kind, entry.order, entry.events)
            if battle_so_far is None:
                battle_so_far = scribe.play([read])
            else:
                scribe.follow(battle_so_far, read)
    except RecordError as error:
        yield f"{called}: {error}"
    except Exception as error:  # whatever a spoilt entry makes the game stumble over
        yield f"{called}: entry {at} does not follow: {type(error).__name__} {error}."
