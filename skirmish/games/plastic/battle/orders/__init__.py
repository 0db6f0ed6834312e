"""What players order: one class for each kind, with how it is carried out. Tags and fields stand in
stored journals for ever."""

from __future__ import annotations

from skirmish.games.plastic.battle.orders.book import (
    Add,
    Command,
    Correct,
    Note,
    Seal,
    SetLevel,
    SetQuality,
    Switch,
    Unseal,
)
from skirmish.games.plastic.battle.orders.clock import (
    Count,
    EndPhase,
    EndTurn,
    Finish,
    PlayOn,
    SetClock,
)
from skirmish.games.plastic.battle.orders.draws import (
    CallTable,
    Choose,
    ClearWire,
    Dig,
    GroupMoved,
    MarkPinned,
    PinTest,
    Show,
)
from skirmish.games.plastic.battle.orders.firing import Again, Fire, Hold, Volley
from skirmish.games.plastic.battle.orders.movement import (
    Convert,
    Enter,
    Exit,
    Load,
    Reveal,
    Serve,
    Unload,
)
from skirmish.games.plastic.battle.orders.rejudge import CountHits, Rejudge
from skirmish.games.plastic.battle.orders.shooting import Give, Inside, Point

FireOrder = Fire | Volley | Again | Hold | Rejudge | CountHits | Give | Point | Inside
DrawOrder = Show | Choose | GroupMoved | Dig | ClearWire | PinTest | MarkPinned | CallTable
MoveOrder = Load | Unload | Exit | Enter | Serve | Reveal | Convert
BookOrder = Correct | Add | Note | Seal | Unseal | SetLevel | Command | Switch | SetQuality
ClockOrder = EndPhase | EndTurn | SetClock | Count | Finish | PlayOn
AnyOrder = FireOrder | DrawOrder | MoveOrder | BookOrder | ClockOrder
