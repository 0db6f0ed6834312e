"""Draws that were taken back and will come again: both players have seen them."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle.events import Drawn, LevelSet
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.tabletop.chance import Draw


def known_next(play: BattlePlay, side: str) -> tuple[Draw, ...]:
    """The draws that the side's source gives next and that were on the table before an undo.

    Undo puts a card back where it came from, so it comes again until the next shuffle, if it came
    from this very deck or die. A player's own is not the program's to know.
    """
    state = play.state
    name = state.setup.source_of(side)
    source = state.sources[name]
    if source.typed:
        return ()
    standing = {act.number for act in play.acts}
    decks = _Decks(play, name)
    seen = {
        (event.shuffle, event.aside, event.nth): event.draw
        for entry, deck in decks.entries()
        if entry.number not in standing
        for event, of in decks.drawn(entry, deck)
        if of == decks.now
    }
    at = source.rolls if source.kind == "die" else len(source.gone)
    known = []
    while (source.shuffles, source.aside, at) in seen:
        known.append(seen[source.shuffles, source.aside, at])
        at += 1
    return tuple(known)


class _Decks:
    """What was drawn from, entry by entry. A deck or die is known by the number of the entry that
    brought it, one of ``levels``; that of the opening is 0."""

    def __init__(self, play: BattlePlay, name: str) -> None:
        self._play, self._name = play, name
        setup = play.state.setup
        self._levels = [
            entry.number
            for entry in play.entries
            if any(
                isinstance(e, LevelSet) and setup.source_of(e.side) == name for e in entry.events
            )
        ][::-1]
        self.now = self._of({act.number: act for act in play.acts})

    def entries(self) -> Iterator[tuple[BattleEntry, int]]:
        """Every order with the deck that was drawn from when it was given."""
        line: dict[int, BattleEntry] = {}
        undone: list[list[BattleEntry]] = []
        for entry in self._play.entries:
            match entry.kind:
                case "undo" | "back":
                    keep = entry.of[0] if entry.kind == "back" else [*line][-2]
                    places = [*line]
                    gone = places[places.index(keep) + 1 :]
                    undone.append([line.pop(number) for number in gone])
                case "redo":
                    line |= {act.number: act for act in undone.pop()}
                case _:
                    yield entry, self._of(line)
                    line[entry.number] = entry
                    undone = []

    def drawn(self, entry: BattleEntry, deck: int) -> Iterator[tuple[Drawn, int]]:
        """The draws of an entry, each with what it came from: ``deck``, or what the entry itself
        put in its place."""
        for event in entry.events:
            if isinstance(event, LevelSet) and entry.number in self._levels:
                deck = entry.number
            elif isinstance(event, Drawn) and event.source == self._name:
                yield event, deck

    def _of(self, line: dict[int, BattleEntry]) -> int:
        """The deck at the end of a line: that of the last level set in it that is not void."""
        if not self._levels:
            return 0
        struck = {number for act in line.values() if act.kind == "void" for number in act.of}
        return next((n for n in self._levels if n in line and n not in struck), 0)
