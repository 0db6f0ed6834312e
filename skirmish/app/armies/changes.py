"""Changes to the saved armies that can be undone one after the other: a copy, a new name, a removal
from the list. Begin with ``carry_out``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec.structs import replace

from skirmish import library
from skirmish.app.text_rows import shortened
from skirmish.games.plastic.army_file import GAME, as_body, renamed
from skirmish.games.plastic.rules.army import Army
from skirmish.store.records import ArmyRecord
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

NAME_IN_SENTENCE = 40
"""The most columns of a name in a sentence."""


class ReadableArmy(NamedTuple):
    """A saved army that could be read."""

    record: ArmyRecord
    army: Army


class ArmyChange(NamedTuple):
    """A change to a saved army. ``restore`` brings back what ``remove`` has taken from the list."""

    verb: Literal["copy", "rename", "remove", "restore"]
    record: ArmyRecord
    """The army as the list shows it."""
    new_name: str = ""
    """What ``rename`` calls it."""


class DoneChange(NamedTuple):
    """A change that was made."""

    message: str
    """What it did, in a sentence."""
    chosen: int | None
    """The number of the army to select; None: the selection stays where it is."""
    undoing: ArmyChange
    """The change that undoes this one."""


def carry_out(store: Store, change: ArmyChange, *, undoes: bool) -> DoneChange:
    """Make a change; where it ``undoes`` another, the message says so. Raises StoreError or
    DataError without having changed anything."""
    match change.verb:
        case "copy":
            return _copy(store, change.record)
        case "rename":
            return _rename(store, change.record, change.new_name, undoes=undoes)
        case "remove":
            return _remove(store, change.record, undoes=undoes)
        case "restore":
            return _restore(store, change.record)


def _read_again(store: Store, record: ArmyRecord) -> ReadableArmy:
    """An army of the list as it is stored now: another window may have changed it."""
    present = store.army(record.id)
    return ReadableArmy(present, library.stored_army(present.body, short_name(record.name)))


def _copy(store: Store, original: ArmyRecord) -> DoneChange:
    """Store a copy under a name that no other army has."""
    army_list = _read_again(store, original).army.army_list
    copy = renamed(army_list, [army.name for army in store.armies()])
    record = store.add_army(GAME, copy.name, as_body(copy))
    message = f"Copied as {short_name(record.name)}."
    return DoneChange(message, record.id, undoing=ArmyChange("remove", record))


def _rename(store: Store, listed: ArmyRecord, name: str, *, undoes: bool) -> DoneChange:
    """Store an army under another name. It is read again first, so that no change that was made
    meanwhile is lost."""
    record, army = _read_again(store, listed)
    store.save_army(record.id, name, as_body(replace(army.army_list, name=name)))
    message = f"{short_name(listed.name)} is now called {short_name(name)}."
    if undoes:
        message = f"It is called {short_name(name)} again."
    undoing = ArmyChange("rename", replace(record, name=name), new_name=record.name)
    return DoneChange(message, record.id, undoing)


def _remove(store: Store, record: ArmyRecord, *, undoes: bool) -> DoneChange:
    """Take an army off the list; the store keeps it."""
    store.remove("army", record.id)
    message = f"{short_name(record.name)} is removed from the list."
    if undoes:  # only a copy is undone by removing it
        message = f"The copy {short_name(record.name)} is removed."
    return DoneChange(message, None, undoing=ArmyChange("restore", record))


def _restore(store: Store, record: ArmyRecord) -> DoneChange:
    """Put an army that was removed back on the list."""
    store.bring_back("army", record.id)
    message = f"{short_name(record.name)} is back on the list."
    return DoneChange(message, record.id, undoing=ArmyChange("remove", record))


def short_name(name: str) -> str:
    """A name that a player typed, short enough for a sentence."""
    return shortened(plain(name), NAME_IN_SENTENCE)
