"""What happens in a battle: one class for each kind, with what it does to the state, its sentence
in the journal, and what of it others may see. Tags and fields stand in stored journals for ever."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from skirmish.games.plastic.battle.events.clock import (
    ClockSet,
    Commanded,
    LevelSet,
    Noted,
    Opened,
    Overruled,
    PhaseEnded,
    PlayedOn,
    QualitySet,
    Sealed,
    Switched,
    TurnEnded,
    Unsealed,
)
from skirmish.games.plastic.battle.events.fire import (
    Aimed,
    Asked,
    Drawn,
    Held,
    Laid,
    LotCast,
    PinMarked,
    Recalled,
    Reread,
    Shuffled,
    Spent,
    Tabled,
    Toggled,
    Unread,
    Volleyed,
)
from skirmish.games.plastic.battle.events.pieces import (
    Added,
    Disarmed,
    Entered,
    Exited,
    Loaded,
    Lost,
    Revealed,
    Served,
    Stood,
    Turned,
    Unloaded,
)
from skirmish.games.plastic.battle.state import (
    Ceased,
    Checked,
    Counted,
    Finished,
    HitsCounted,
    Judged,
    State,
    Tested,
)

FireEvent = Aimed | Volleyed | HitsCounted | Ceased | Judged | Tested | Held | Recalled | Disarmed
DrawEvent = Asked | Laid | Unread | Shuffled | Drawn | Reread | Spent
PieceEvent = Lost | Stood | Added | Turned | Loaded | Unloaded | Exited | Entered
SceneEvent = Served | Revealed | Checked | PinMarked | Tabled | Toggled | LotCast
BookEvent = (
    Counted | Noted | Overruled | Sealed | Unsealed | LevelSet | Commanded | Switched | QualitySet
)
ClockEvent = Opened | PhaseEnded | TurnEnded | ClockSet | Finished | PlayedOn
AnyEvent = FireEvent | DrawEvent | PieceEvent | SceneEvent | BookEvent | ClockEvent


def evolve(state: State | None, event: AnyEvent) -> State:
    """The state after ``event``. Never fails on a journal that was decided, never draws."""
    if state is not None:
        return event.apply(state)
    if not isinstance(event, Opened):
        raise ValueError("a battle begins with its opening")
    return event.apply()


def irreversible(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    left = (event.irreversible() for event in events)
    return cast("list[AnyEvent]", [event for event in left if event is not None])
