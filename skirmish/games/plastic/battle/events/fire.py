"""Shots and volleys are fired, or not. The verdict of a shot is an event, too, but its class
(``Judged``) is in ``state``, since the state stores verdicts."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import ToVolley
from skirmish.games.plastic.battle.names import shot_name
from skirmish.games.plastic.battle.shown import Advice, PublicText, RowId, Secrets, Shown
from skirmish.games.plastic.battle.state import AgendaStep, ShotEvent, State
from skirmish.games.plastic.battle.words import stated_cover
from skirmish.games.plastic.rules.shot import Circumstances, ranks_that_hit


class Aimed(ShotEvent, frozen=True, kw_only=True, tag="aimed"):
    """A weapon fires. ``needs`` is the highest rank that hits; ``overruled`` is the program's
    advice against the shot, which the players set aside."""

    side: PublicText
    needs: int
    overruled: Advice = ""

    def apply(self, state: State) -> State:
        weapon_use = state.use(self.shot.piece, self.shot.slot)
        return replace(
            super().apply(state),
            fired=state.fired | {weapon_use},
            # Shots are numbered one after another, so its number tells how many there are.
            shots=self.shot.id,
            # The results of the shot before it are no longer shown.
            verdict=None,
            checked=None,
            ceased=None,
        )

    def subjects(self) -> set[str]:
        return super().subjects() | {self.shot.piece, shot_name(self.shot.id)}


class VolleyedSquad(msgspec.Struct, frozen=True, kw_only=True):
    """The ``count`` men of another row (``shooter``) who fire in the same volley; ``needs``: the
    highest rank that hits."""

    shooter: str
    weapon: str
    count: int
    needs: int


def _squads_known(squads: tuple[VolleyedSquad, ...], secrets: Secrets) -> tuple[VolleyedSquad, ...]:
    """The squads of rows that the viewer knows."""
    return tuple(squad for squad in squads if squad.shooter not in secrets.rows)


class Volleyed(AgendaStep, frozen=True, kw_only=True, tag="volleyed"):
    """A volley begins: ``count`` men of the row ``shooter``, then those in ``more``, fire at the
    row ``target``. Its shots follow as events of their own."""

    side: PublicText
    shooter: RowId
    target: RowId
    weapon: PublicText
    count: int
    reach: int
    """How many of the target can be hit."""
    needs: int
    """The highest rank that hits."""
    more: Annotated[tuple[VolleyedSquad, ...], Shown(_squads_known)] = ()
    """Others see only the squads that ``_squads_known`` leaves."""
    overruled: Advice = ""
    """As in ``Aimed``."""
    at: Circumstances | None = None
    """What the players said about the shots, such as cover; None in journals of earlier
    versions."""

    def apply(self, state: State) -> State:
        # The results of the shot before it are no longer shown.
        return replace(super().apply(state), verdict=None, checked=None, ceased=None)

    def narrate(self, state: State) -> str:
        words = state.words
        shooters = [words.row(self.shooter, self.count)]
        needs = [ranks_that_hit(self.needs)]
        for squad in self.more:
            shooters.append(words.row(squad.shooter, squad.count))
            # Squads may need different ranks, so these stand in the order of the squads.
            needs.append(ranks_that_hit(squad.needs))
        target = words.row(self.target, 1)
        circumstances = self._circumstances()
        if circumstances is not None:
            target += stated_cover(circumstances)
        return (
            f"Volley: {', '.join(shooters)} > {target}, {self.reach} in reach, "
            f"needs {', '.join(needs)}."
        )

    def _circumstances(self) -> Circumstances | None:
        """What the players said about the shots, such as cover; None if that is not stored."""
        if self.at is not None:
            return self.at
        # Journals of an earlier version have it only in the first task that follows.
        if self.then and isinstance(self.then[0], ToVolley):
            return self.then[0].shot.at
        return None


class StepSkipped(AgendaStep, frozen=True, kw_only=True, tag="held"):
    """A step of the agenda is passed over: there was nothing to do in it, or the players declined
    the repeat shot that it offered."""
