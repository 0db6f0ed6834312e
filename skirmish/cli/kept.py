"""Games of any kind as the store keeps them: found by number or title, told apart, listed, and kept
out of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from skirmish import registry
from skirmish.cli.speaking import Complaint, complain, harmless, number, say, say_wrapped
from skirmish.registry import BATTLE, Listed
from skirmish.store.errors import StoreError
from skirmish.store.names import pick
from skirmish.store.place import find

if TYPE_CHECKING:
    from skirmish.store.database import Store
    from skirmish.store.records import BattleRecord
    from skirmish.tabletop.exported import EntryRecord, Rebuilt


def records(kind: Listed | None) -> list[BattleRecord]:
    """Those of one kind, or of any that the shell plays, the last one changed first; none where
    there is no database yet."""
    with looking() as store:
        if store is None:
            return []
        return [r for r in store.battles() if _is_of(kind, r)]


def called(ref: str, kind: Listed | None) -> tuple[BattleRecord, list[EntryRecord]]:
    """The game of that kind, or of any that the shell plays, that ``ref`` names: its number,
    its title, the beginning or, where only one has it, a part of it. Raises StoreError, and
    Complaint where ``ref`` names one of another kind."""
    with looking() as store:
        known = [] if store is None else store.battles()
        own = [record for record in known if _is_of(kind, record)]
        try:
            number = _picked(ref, own, kind)
        except StoreError:
            if other := _other(ref, known, kind):
                raise Complaint(other) from None
            raise
        assert store is not None
        return next(one for one in own if one.id == number), store.entries(number)


@contextmanager
def looking() -> Iterator[Store | None]:
    """The store; to look for something is no reason to make a database where there is none."""
    path = find().path
    try:
        if path is not None:
            path.stat()
    except FileNotFoundError:
        yield None
        return
    except OSError:
        pass  # the store tells what is wrong
    with open_store() as store:
        yield store


def open_store() -> Store:
    """The store, made if it is not there."""
    from skirmish.store.database import Store

    return Store.open()


def _picked(ref: str, known: Sequence[BattleRecord], kind: Listed | None) -> int:
    noun, nouns = (kind.noun, kind.nouns) if kind else ("game", "games")
    try:
        return pick(ref, [(one.id, one.title) for one in known], noun, nouns)
    except StoreError:
        wanted = ref.strip().casefold()
        within = [one.id for one in known if wanted and wanted in one.title.casefold()]
        if len(within) != 1:
            raise
        return within[0]


def _is_of(kind: Listed | None, record: BattleRecord) -> bool:
    """One whose game cannot be read is most likely a battle: listed nowhere, it would be lost."""
    if kind is None:
        return any(record.game == one.id for one in registry.every()) or not record.game
    return record.game == kind.id or (kind is BATTLE and not record.game)


def _other(ref: str, known: Sequence[BattleRecord], kind: Listed | None) -> str:
    """The sentence for a game of another kind; empty where ``ref`` names none."""
    for other in registry.every():
        theirs = [record for record in known if record.game == other.id]
        if kind is None or other == kind or not theirs:
            continue
        try:
            number = _picked(ref, theirs, other)
        except StoreError:
            continue
        return (
            f"Number {number} is a {other.noun} of {other.name}"
            f", not a {kind.noun} of {kind.name}; "
            f"`{other.show} {number}` shows it."
        )
    if any(str(one.id) == ref and registry.listed(one.game) is None for one in known):
        return f"Number {ref} is a game that this program does not know."
    return ""


def begun_with(same: Sequence[int], noun: str) -> str:
    """That those were begun at the same moment as what has just been kept."""
    if len(same) == 1:
        return f"(Number {same[0]} was started at the same moment and may be the same {noun}.)"
    *first, last = map(str, sorted(same))
    listed = f"{', '.join(first)} and {last}"
    return f"(Numbers {listed} were started at the same moment and may be the same {noun}.)"


def listed(record: BattleRecord) -> dict[str, Any]:
    """A game as a list has it, for programs."""
    return {
        "id": record.id,
        "title": record.title,
        "headline": record.headline,
        "over": record.over,
        "started": record.started,
        "updated": record.updated,
    }


def kept_as(kind: Listed, found: Rebuilt[Any], called: str, headline: str, *, over: bool) -> None:
    """Keep what was ``found`` in the file ``called`` so, and say what was kept. Ends the command
    with 1 where a line was no good: what came before it is kept."""
    with open_store() as store:
        same = [one.id for one in store.battles() if one.started == found.header.started]
        record = store.keep_battle(
            kind.id,
            found.header.title,
            headline,
            found.entries,
            over=over,
            started=found.header.started,
        )
    entries = number(len(found.entries), "entry", "entries")
    say(f"Imported as number {record.id}: {harmless(record.title)}, {entries}.")
    say_wrapped(f"Status: {harmless(record.headline)}.")
    if same:
        say_wrapped(begun_with(same, kind.noun))
    if found.trouble:
        complain(f"{called}: {found.trouble}")
        complain("The entries before that line were imported; the rest of the file was not.")
        raise typer.Exit(1)
