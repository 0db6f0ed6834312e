"""A line of the journal told afterwards, as people tell it: who, at whom, what came of it.

The journal holds every number and every card in telegram style. A report wants none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit, plural

_OF_A_SHOT = (
    happened.Aimed
    | happened.Asked
    | happened.Ceased
    | happened.Checked
    | happened.Drawn
    | happened.Held
    | happened.HitsCounted
    | happened.Judged
    | happened.Laid
    | happened.Lost
    | happened.Recalled
    | happened.Reread
    | happened.Tested
    | happened.Turned
    | happened.Unread
    | happened.Volleyed
)
"""What is told in the sentences about a shot, or goes without saying."""
_OWN_WORDS = happened.Added | happened.Entered | happened.Exited | happened.Revealed


def retold(events: Sequence[AnyEvent], state: State) -> str:
    """What happened in one go, in sentences; empty if there is nothing to tell. ``state`` says
    how things are called, and knows all pieces."""
    teller = _Teller(state)
    shots = happened.Judged | happened.HitsCounted | happened.Volleyed
    fired = any(isinstance(event, shots) for event in events)
    told = _OWN_WORDS | _OF_A_SHOT if fired else _OWN_WORDS
    others = [event for event in events if not isinstance(event, told)]
    parts = [*teller.moved(events), *(teller.shot(events) if fired else ())]
    return " ".join(part for part in (*parts, narrate(others, state)) if part)


class _Teller:
    """What the things of one battle are called in a sentence."""

    def __init__(self, state: State) -> None:
        self._setup, self._state = state.setup, state

    def shot(self, events: Sequence[AnyEvent]) -> Iterator[str]:
        """``Germans: Tank T1 fires its Cannon at a Cannon. The Poles lose Cannon C1.``"""
        back = {p for event in events if isinstance(event, happened.Recalled) for p in event.back}
        lost = [e.piece for e in events if isinstance(e, happened.Lost) and e.piece not in back]
        who, side, several = self._shooters(events)
        own = [piece for piece in lost if piece_side(piece) == side]
        theirs = [piece for piece in lost if piece_side(piece) != side]
        yield f"{self._people(side)}: {who} at {self._target(events)}."
        if theirs:
            yield f"{self._the(piece_side(theirs[0]))} lose {self._named(theirs)}."
        elif not own:
            yield "They miss." if several else "A miss."
        for event in events:
            if isinstance(event, happened.Tested) and event.broken:
                yield f"The {self._setup.catalog.weapons[event.shot.weapon].name} breaks down."
        if own:
            yield f"{self._the(side)} lose {self._named(own)}."

    def _shooters(self, events: Sequence[AnyEvent]) -> tuple[str, str, bool]:
        """Who fires, with what if he has several weapons; whose they are; whether several."""
        volley = next((event for event in events if isinstance(event, happened.Volleyed)), None)
        if volley is not None:
            unit, several = self._setup.unit(row_unit(volley.shooter)), volley.count > 1
            who = unit.named(volley.count) if several else a_unit(unit.name, "A")
            return who + self._fires({volley.weapon}, unit.short, several), volley.side, several
        shots = [event.shot for event in events if isinstance(event, happened.Judged)]
        counted = [event for event in events if isinstance(event, happened.HitsCounted)]
        shots += [event.shot for event in counted]
        pieces = [*dict.fromkeys([shot.piece for shot in shots])]
        pieces += [piece for event in counted for piece in event.pieces[1:]]
        several = len(pieces) > 1
        unit = self._setup.unit(self._state.piece(pieces[0]).unit)
        fires = self._fires({shot.weapon for shot in shots}, unit.short, several)
        return self._named(pieces) + fires, piece_side(pieces[0]), several

    def _fires(self, weapons: Set[str], unit: str, several: bool) -> str:
        """`` fires its Cannon``; of who is called by his weapon it goes without saying."""
        fires, its = (" fire", "their") if several else (" fires", "its")
        names = {self._setup.catalog.weapons[weapon].name for weapon in weapons}
        if len(names) > 1 or names <= {unit, plural(unit)}:
            return fires
        return f"{fires} {its} {names.pop()}"

    def _target(self, events: Sequence[AnyEvent]) -> str:
        """The types aimed at: ``Rifle Guys and a Truck``."""
        rows: list[str] = []
        for event in events:
            if isinstance(event, happened.Volleyed):
                rows.append(event.target)
            elif isinstance(event, happened.Judged | happened.HitsCounted):
                rows.append(event.shot.target)
        units = dict.fromkeys(self._setup.unit(row_unit(row)) for row in rows)
        return _listed([plural(u.name) if u.is_guy else a_unit(u.name) for u in units])

    def moved(self, events: Sequence[AnyEvent]) -> Iterator[str]:
        """Who left the table, who was added, who showed himself."""
        gone = [event for event in events if isinstance(event, happened.Exited)]
        if left := [piece for event in gone for piece in event.pieces]:
            value = sum(event.value for event in gone)
            counts = f", counting {value}" if value else ""
            leave = "leaves" if len(left) == 1 else "leave"
            yield f"{self._whose(left)}: {self._named(left)} {leave} the table{counts}."
        for event in events:
            match event:
                case happened.Added():
                    new = [piece.id for piece in event.pieces]
                    why = f", {event.why}" if event.why else ""
                    yield f"{self._the(piece_side(new[0]))} receive {self._named(new)}{why}."
                case happened.Revealed():
                    shown = self._named(event.pieces)
                    yield f"{self._whose(event.pieces)}: {shown} revealed."
                case happened.Entered():
                    group = self._setup.contingent_by_id[event.contingent].name
                    come = self._named(event.pieces)
                    yield f"{self._whose(event.pieces)}, {group}: {come} arrive."

    def _whose(self, pieces: Sequence[str]) -> str:
        return self._people(piece_side(pieces[0]))

    def _people(self, side: str) -> str:
        return self._setup.side_by_id[side].people

    def _the(self, side: str) -> str:
        return self._setup.the(side, "The")

    def _named(self, pieces: Sequence[str]) -> str:
        """``Truck K1 and 10 Rifle Guys``: one of a kind with its code, several by number."""
        known = [self._state.piece(piece) for piece in pieces]
        count = Counter(piece.unit for piece in known)
        last = {piece.unit: piece for piece in known}
        return _listed(
            [
                self._setup.unit(unit).named(n)
                if n > 1
                else f"{self._setup.unit(unit).short} {last[unit].code}"
                for unit, n in count.items()
            ]
        )


def _listed(told: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join(part for part in (", ".join(told[:-1]), told[-1]) if part)
