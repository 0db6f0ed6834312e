"""What happens in a battle: a class for each kind of event, with what it does to the state
(``apply``), its sentence in the journal (``narrate``), and what of it others may see. All of them
are named here. Tags and fields stand in stored journals for ever.

``sequence_of_play`` has the beginning, the turns and the end, ``fire`` the shots, ``draws`` the
questions, decks and dice. ``pieces`` is what becomes of the pieces, ``pins`` who is pinned, and
``happenings`` what a scenario brings. ``judged_again`` is for a shot that is judged again,
``written_down`` and ``settings`` for what players note and change. What the state keeps, such as
the verdict of a shot, is in ``state``, and what happens to the program's commander in
``command_events``.

The type of a field says what of it another viewer may see (``shown``): all of ``OPEN`` and
``Public…`` fields; of ``OWN`` ones what the event's own ``seen`` leaves.
"""

from __future__ import annotations

from skirmish.games.plastic.battle.events.draws import (
    Asked,
    DrawMade,
    DrawsTyped,
    DrawsUnused,
    LotCast,
    Reread,
    Shuffled,
    Spent,
)
from skirmish.games.plastic.battle.events.fire import Aimed, StepSkipped, Volleyed, VolleyedSquad
from skirmish.games.plastic.battle.events.happenings import (
    ChargesCut,
    ChargesDrawn,
    TableDrawn,
    Toggled,
)
from skirmish.games.plastic.battle.events.judged_again import FiredSince, Recalled, Reopened
from skirmish.games.plastic.battle.events.pieces import (
    Added,
    Disarmed,
    Entered,
    Exited,
    Loaded,
    Lost,
    PieceRestored,
    Revealed,
    Served,
    UnitChanged,
    Unloaded,
)
from skirmish.games.plastic.battle.events.pins import PinMarked, PinsRecalled, PinsStand
from skirmish.games.plastic.battle.events.sequence_of_play import (
    ClockEvent,
    ClockSet,
    Opened,
    PhaseEnded,
    PlayedOn,
    PlayedOut,
    TurnEnded,
)
from skirmish.games.plastic.battle.events.settings import Commanded, LevelSet, QualitySet, Switched
from skirmish.games.plastic.battle.events.written_down import (
    NoteAdded,
    Overruled,
    Sealed,
    Unsealed,
    enveloped,
    unpacked,
)
from skirmish.games.plastic.battle.state import (
    Ceased,
    Checked,
    Counted,
    Event,
    Finished,
    HitsCounted,
    Judged,
    Tested,
)

__all__ = [
    "Added",
    "Aimed",
    "AnyEvent",
    "Asked",
    "Ceased",
    "ChargesCut",
    "ChargesDrawn",
    "Checked",
    "ClockEvent",
    "ClockSet",
    "Commanded",
    "Counted",
    "Disarmed",
    "DrawMade",
    "DrawsTyped",
    "DrawsUnused",
    "Entered",
    "Exited",
    "Finished",
    "FiredSince",
    "HitsCounted",
    "Judged",
    "LevelSet",
    "Loaded",
    "Lost",
    "LotCast",
    "NoteAdded",
    "Opened",
    "Overruled",
    "PhaseEnded",
    "PieceRestored",
    "PinMarked",
    "PinsRecalled",
    "PinsStand",
    "PlayedOn",
    "PlayedOut",
    "QualitySet",
    "Recalled",
    "Reopened",
    "Reread",
    "Revealed",
    "Sealed",
    "Served",
    "Shuffled",
    "Spent",
    "StepSkipped",
    "Switched",
    "TableDrawn",
    "Tested",
    "Toggled",
    "TurnEnded",
    "UnitChanged",
    "Unloaded",
    "Unsealed",
    "Volleyed",
    "VolleyedSquad",
    "enveloped",
    "unpacked",
]

AnyEvent = Event
"""Any event of a battle: they all derive from it, and the codec finds them by their tags."""
