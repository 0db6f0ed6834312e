"""What players order: one class for each kind with its fields, when and by whom it can be given,
and ``carry_out``, which refuses it or emits events. While an answer is awaited only that answer is
taken, or that the battle is over.

Begin with ``resolution``: ``Order``, and ``Resolution``, in which an order is carried out step by
step. ``_STEPS`` here says which function does which task of the agenda. Then, by subject:

* ``firing``: a shot is ordered and declared, with the help of ``weapon_choice``, ``fire_advice``,
  ``repeat_fire`` and ``declared_shot``.
* ``shooting``: it is judged, and casualties are chosen.
* ``rejudge``: it is judged again, with ``rejudged_shot``, ``judgment`` and ``pins``.
* ``counted_volley``: a whole volley is entered as one count.
* ``typed_draws``, ``checks``, ``tables``, ``charges``, ``lots``: players' own draws, and all draws
  that are no shots.
* ``commanding``: the program's commander.
* ``turn``: everything else.

Tags and fields stand in stored journals for ever. Nothing here may look at a clock, a file or
chance: what is drawn comes from the state, and is written into an event."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.battle import agenda
from skirmish.games.plastic.battle.events import (
    AnyEvent,
    DrawMade,
    Overruled,
    Reread,
    Shuffled,
    Spent,
    Toggled,
)
from skirmish.games.plastic.battle.orders import charges, checks, lots, shooting, tables
from skirmish.games.plastic.battle.orders.charges import CutCharges
from skirmish.games.plastic.battle.orders.checks import (
    ClearWire,
    Dig,
    GroupMoved,
    MarkPinned,
    PinTest,
)
from skirmish.games.plastic.battle.orders.commanding import (
    AllStay,
    Appoint,
    AskForOrders,
    CannotDo,
    CarryOut,
    DenySight,
    FireAsSaid,
    Overrule,
    SayPlaces,
    SayWhere,
)
from skirmish.games.plastic.battle.orders.counted_volley import CountHits
from skirmish.games.plastic.battle.orders.firing import Again, Fire, Hold, Squad, Volley
from skirmish.games.plastic.battle.orders.rejudge import Rejudge
from skirmish.games.plastic.battle.orders.resolution import (
    Order,
    Resolution,
    Steps,
    draw_waited_for,
)
from skirmish.games.plastic.battle.orders.shooting import (
    Give,
    Inside,
    Point,
)
from skirmish.games.plastic.battle.orders.tables import CallTable, ChooseResult
from skirmish.games.plastic.battle.orders.turn import (
    Add,
    AddNote,
    Convert,
    Correct,
    Count,
    EndPhase,
    EndTurn,
    Enter,
    Exit,
    Finish,
    Load,
    NameCommander,
    PlayOn,
    PlayOut,
    Reveal,
    Seal,
    Serve,
    SetClock,
    SetLevel,
    SetQuality,
    Switch,
    Unload,
    Unseal,
    Withdraw,
)
from skirmish.games.plastic.battle.orders.typed_draws import Retype, Show
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.journal import Rules
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

__all__ = [
    "Add",
    "AddNote",
    "Again",
    "AllStay",
    "AnyOrder",
    "Appoint",
    "AskForOrders",
    "Battle",
    "CallTable",
    "CannotDo",
    "CarryOut",
    "ChooseResult",
    "ClearWire",
    "Convert",
    "Correct",
    "Count",
    "CountHits",
    "CutCharges",
    "DenySight",
    "Dig",
    "EndPhase",
    "EndTurn",
    "Enter",
    "Exit",
    "Finish",
    "Fire",
    "FireAsSaid",
    "Give",
    "GroupMoved",
    "Hold",
    "Inside",
    "Load",
    "MarkPinned",
    "NameCommander",
    "Order",
    "Overrule",
    "PinTest",
    "PlayOn",
    "PlayOut",
    "Point",
    "Rejudge",
    "Retype",
    "Reveal",
    "SayPlaces",
    "SayWhere",
    "Seal",
    "Serve",
    "SetClock",
    "SetLevel",
    "SetQuality",
    "Show",
    "Squad",
    "Switch",
    "Unload",
    "Unseal",
    "Volley",
    "Withdraw",
    "begin",
    "decide",
    "resolved",
    "settled",
    "why_not",
]

AnyOrder = Order
"""An order of any of these classes; all of them have it as their base."""

_STEPS: Steps = {
    agenda.ToJudge: shooting.judge_shot,
    agenda.ToTest: shooting.test_breakdown,
    agenda.ToVolley: shooting.volley_on,
    agenda.ToRepeat: shooting.offer_repeat,
    agenda.RepeatAsk: shooting.repeat_with_hand,
    agenda.ToBury: shooting.bury,
    agenda.ToSink: shooting.ask_inside,
    agenda.ToCheck: checks.draw_for_check,
    agenda.ToTable: tables.draw_on_table,
    agenda.ToCharges: charges.fire_charges,
    agenda.ToCast: lots.cast_lots,
}
"""What each task of the agenda does."""


def why_not(state: State, order: AnyOrder) -> Refusal | None:
    """The reason ``order`` would be refused now, or None; no side effects."""
    try:
        decide(state, order)
    except Refused as refused:
        return refused.refusal
    return None


def decide(state: State, order: AnyOrder) -> list[AnyEvent]:
    """The events of ``order``; raises Refused."""
    return resolved(state, order).events


def resolved(state: State, order: AnyOrder) -> Resolution:
    """The order carried out. Raises Refused."""
    run = Resolution(state, _STEPS, order.insist)
    _refuse_after_the_end(state, order)
    if _leaves_all_open(state, order):
        _carry_out(order, run)
        return run
    # The clock goes on whatever is open, but for a draw that players have to make.
    if order.when == "clock":
        waited_for = draw_waited_for(state)
        if waited_for is not None:
            raise Refused(waited_for)
        _settle(run)
    run.refuse_while_waiting()
    _decline_offer(run)
    # What was settled or declined may have ended the battle, and then nothing else happens in it.
    if run.state.outcome is None:
        _carry_out(order, run)
        if run.overruled_advice and not isinstance(order, Fire):  # a shot has it in its own event
            run.emit(Overruled(says=run.overruled_advice))
    return run


def _refuse_after_the_end(state: State, order: AnyOrder) -> None:
    """Raises Refused if the battle is over and the order is none that can be given then."""
    if state.outcome is None or order.after_the_end or order.when == "always":
        return
    raise nonsense("over", "The battle is over; Backspace reopens it.")


def _leaves_all_open(state: State, order: AnyOrder) -> bool:
    """Whether the order answers the open question, or can be given at any time. An offer to fire
    again is declined by whatever does not answer it."""
    if order.when in ("always", "answer"):
        return True
    is_offered = isinstance(state.ask, agenda.RepeatAsk)
    return order.when == "any time" and not is_offered


def _decline_offer(run: Resolution) -> None:
    """An open offer to fire again is declined by any order that does not answer it."""
    if not isinstance(run.state.ask, agenda.RepeatAsk):
        return
    run.go_on(instead=run.rest)
    if run.state.ask is not None:
        text = "Press Esc to stop the repeat fire first: a draw must follow it."
        raise nonsense("waiting", text)


def _carry_out(order: AnyOrder, run: Resolution) -> None:
    """The order itself, once nothing stands in its way. Raises Refused."""
    side = getattr(order, "side", None)  # many orders name a side, and it may come from elsewhere
    if side is not None and side not in run.state.setup.side_by_id:
        raise nonsense("unknown_side", f"There is no side called {side!r}.")
    order.carry_out(run)


def begin(state: State) -> list[AnyEvent]:
    """The events after the opening: lots that the program can draw."""
    run = Resolution(state, _STEPS)
    run.go_on()
    return run.events


def settled(state: State) -> State:
    """The state once open questions are answered as proposed."""
    run = Resolution(state, _STEPS)
    _settle(run)
    return run.state


def _settle(run: Resolution) -> None:
    """Answer the open questions as proposed, since the clock goes on: the cheapest men die, nobody
    was inside, and the pin test that would follow is left out. Lots and tables wait, since they
    decide how the battle goes on."""
    while run.state.outcome is None:
        match run.state.ask:
            case agenda.CasualtyAsk():
                Give().carry_out(run)
            case agenda.PieceAsk(pieces=pieces):
                Point(pieces[0]).carry_out(run)
            case agenda.InsideAsk():
                Inside().carry_out(run)
            case agenda.DrawAsk(why=why) if why not in ("lot", "table", "charges"):
                run.hold(())
            case agenda.RepeatAsk():
                run.go_on(instead=run.rest)
            case _:
                return


class Battle(Rules[State, AnyOrder, AnyEvent]):
    """The rules of the game, for its journal."""

    decide = staticmethod(decide)

    def irreversible(self, events: Sequence[AnyEvent], state: State) -> list[AnyEvent]:
        """What the program drew stays drawn. A player's own cards go back into his deck, with what
        they brought: he may type the same ones again."""
        staying: list[AnyEvent] = []
        own_card = False
        for event in events:
            if isinstance(event, DrawMade | Reread):
                own_card = _is_typed(state, event.source)
            match event:
                case DrawMade() if not own_card:
                    spent = Spent(source=event.source, draw=event.draw, shuffle=event.shuffle)
                    staying.append(spent)
                case Reread() if not own_card:
                    staying.append(event)
                case Spent() | Shuffled() if not _is_typed(state, event.source):
                    staying.append(event)
                case Toggled() if not own_card:  # a card brought it, or players without one
                    staying.append(event)
        return staying

    def decided(self, state: State, order: AnyOrder) -> tuple[list[AnyEvent], State]:
        run = resolved(state, order)
        return run.events, run.state


def _is_typed(state: State, source: str) -> bool:
    """Whether the players themselves draw from that deck or die."""
    # A file from elsewhere may name a side that there is not.
    pack = state.sources.get(source)
    return pack is not None and pack.typed
