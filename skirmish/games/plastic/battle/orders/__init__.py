"""What players order: one class for each kind with its fields, when and by whom it can be given,
and ``carry_out``, which refuses it or emits events. While a question is open, most orders are
refused: only its answer, orders of any time, and what moves the clock can be given.

Begin with ``resolution``: ``Order``, and ``Resolution``, in which an order is carried out step by
step. ``_STEPS`` here says which function does which task of the agenda. Then, by subject:

* ``firing``: a shot is ordered and declared, with the help of ``weapon_choice``, ``fire_advice``,
  ``repeat_fire`` and ``declared_shot``.
* ``shooting``: it is judged; ``volleys``: the shots of a volley follow one another;
  ``casualties``: who is lost to a hit.
* ``rejudge``: it is judged again, with ``rejudged_shot``, ``judgment`` and ``pins``.
* ``counted_volley``: a whole volley is entered as one count.
* ``typed_draws``: players type their own draws.
* ``checks``, ``tables``, ``charges``, ``lots``: the draws that are no shots.
* ``commanding``: the program's commander is appointed and gives his orders, with ``group_places``
  (where groups stand), ``commanders_fire`` and what they share in ``commanders_order``.
* ``turn``: the clock; ``finishing``: how a battle ends.
* ``movement``, ``reinforcements``, ``scenario_orders``: who leaves and enters vehicles and the
  table, and what only some scenarios allow.
* ``corrections``, ``agreements``: numbers put right; notes, options, and who draws.

An order begins with what is known of every order of its class: who begins it (``begun_by``), when
it can be given (``when``), how the journal shows it (``in_journal``), and why it cannot be made
void (``why_never_void``). Most orders are given ``at rest`` (no question is open) and begin a line
of their own. ``given_by`` returns the sides whose order it is: of an ``Unload``, for example, the
side of its carrier.

There are three ways to refuse an order. ``nonsense`` cannot be overruled: the order makes no sense.
What ``run.advise`` says can be overruled: if the players ``insist``, the order is given all the
same. A ``Refused`` that is raised without either can be overruled with other orders, those of
``orders_if_insisted``.

Tags and fields are stored in journals and never change. Nothing here may look at a clock, a file or
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
from skirmish.games.plastic.battle.orders import (
    casualties,
    charges,
    checks,
    lots,
    shooting,
    tables,
    volleys,
)
from skirmish.games.plastic.battle.orders.agreements import (
    AddNote,
    NameCommander,
    Seal,
    SetLevel,
    SetQuality,
    Switch,
    Unseal,
)
from skirmish.games.plastic.battle.orders.casualties import (
    ChooseCasualties,
    ChooseModel,
    NameRiders,
)
from skirmish.games.plastic.battle.orders.charges import CutCharges
from skirmish.games.plastic.battle.orders.checks import (
    ClearWire,
    Dig,
    GroupMoved,
    MarkPinned,
    PinTest,
)
from skirmish.games.plastic.battle.orders.commanders_fire import DenySight, FireAsSaid
from skirmish.games.plastic.battle.orders.commanding import (
    AllStay,
    Appoint,
    AskForOrders,
    CannotDo,
    CarryOut,
    Overrule,
)
from skirmish.games.plastic.battle.orders.corrections import Add, Correct
from skirmish.games.plastic.battle.orders.counted_volley import CountHits
from skirmish.games.plastic.battle.orders.finishing import Count, Finish, PlayOn, PlayOut, Withdraw
from skirmish.games.plastic.battle.orders.firing import Again, Fire, Hold, Squad, Volley
from skirmish.games.plastic.battle.orders.group_places import SayPlaces, SayWhere
from skirmish.games.plastic.battle.orders.movement import Exit, Load, Unload
from skirmish.games.plastic.battle.orders.reinforcements import Enter
from skirmish.games.plastic.battle.orders.rejudge import Rejudge
from skirmish.games.plastic.battle.orders.resolution import (
    STAYS_OPEN,
    Order,
    Resolution,
    Steps,
    draw_waited_for,
)
from skirmish.games.plastic.battle.orders.scenario_orders import Convert, Reveal, Serve
from skirmish.games.plastic.battle.orders.tables import CallTable, ChooseResult
from skirmish.games.plastic.battle.orders.turn import EndPhase, EndTurn, SetClock
from skirmish.games.plastic.battle.orders.typed_draws import Retype, Show
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.journal import Decided, Rules
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
    "ChooseCasualties",
    "ChooseModel",
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
    "GroupMoved",
    "Hold",
    "Load",
    "MarkPinned",
    "NameCommander",
    "NameRiders",
    "Order",
    "Overrule",
    "PinTest",
    "PlayOn",
    "PlayOut",
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
"""An order of any of these classes; their base class is ``Order``."""

_STEPS: Steps = {
    agenda.ToJudge: shooting.judge_shot,
    agenda.ToTest: shooting.test_breakdown,
    agenda.ToVolley: volleys.go_on_with_volley,
    agenda.ToRepeat: shooting.offer_repeat,
    agenda.RepeatAsk: shooting.repeat_with_hand,
    agenda.ToBury: casualties.bury,
    agenda.ToSink: casualties.ask_inside,
    agenda.ToCheck: checks.draw_for_check,
    agenda.ToTable: tables.draw_on_table,
    agenda.ToCharges: charges.draw_for_charges,
    agenda.ToCast: lots.cast_lots,
}
"""The function that does each kind of task of the agenda. ``RepeatAsk`` is no task but an offer: a
draw that is typed ahead accepts it."""


def why_not(state: State, order: AnyOrder) -> Refusal | None:
    """Why the order would be refused now; None if it would not be. It is not carried out."""
    try:
        decide(state, order)
    except Refused as refused:
        return refused.refusal
    return None


def decide(state: State, order: AnyOrder) -> list[AnyEvent]:
    """The events of the order. Raises Refused if it cannot be given now."""
    return resolved(state, order).events


def resolved(state: State, order: AnyOrder) -> Resolution:
    """The order, carried out: its events and the state after them. Raises Refused if it cannot be
    given now."""
    run = Resolution(state, _STEPS, order.insist)
    _refuse_after_the_end(state, order)
    if _leaves_questions_alone(state, order):
        _carry_out(order, run)
        return run
    # Orders that move the clock answer open questions as proposed, except draws that players have
    # to make.
    if order.when == "clock":
        waited_for = draw_waited_for(state)
        if waited_for is not None:
            raise Refused(waited_for)
        _settle(run)
    run.refuse_while_waiting()
    _decline_offer(run)
    # Answers and a declined offer may have ended the battle. Then the order has no effect.
    if run.state.outcome is None:
        _carry_out(order, run)
        # The event of a shot has a field for the advice.
        if run.overruled_advice and not isinstance(order, Fire):
            run.emit(Overruled(says=run.overruled_advice))
    return run


def _refuse_after_the_end(state: State, order: AnyOrder) -> None:
    """Raises Refused if the battle is over and the order cannot be given after the end."""
    if state.outcome is None or order.after_the_end or order.when == "always":
        return
    raise nonsense("over", "The battle is over; Backspace reopens it.")


def _leaves_questions_alone(state: State, order: AnyOrder) -> bool:
    """Whether the order is carried out without a look at the open question: it is the answer
    itself, or can be given while a question is open."""
    if order.when in ("always", "answer"):
        return True
    # An offer to fire again is declined by any other order.
    is_offered = isinstance(state.ask, agenda.RepeatAsk)
    return order.when == "any time" and not is_offered


def _decline_offer(run: Resolution) -> None:
    """Decline an open offer to fire again, as the order is not its answer. Raises Refused if a
    question or a draw follows."""
    if not isinstance(run.state.ask, agenda.RepeatAsk):
        return
    run.go_on(instead=run.rest)
    if run.state.ask is not None:
        text = "Press Esc to stop the repeat fire first: a draw must follow it."
        raise nonsense("waiting", text)


def _carry_out(order: AnyOrder, run: Resolution) -> None:
    """Carry out the order itself, since nothing is in its way. Raises Refused."""
    # Many classes have a field ``side``, and an order from a file may name a side that is none.
    side = getattr(order, "side", None)
    if side is not None and side not in run.state.setup.side_by_id:
        raise nonsense("unknown_side", f"There is no side called {side!r}.")
    order.carry_out(run)


def begin(state: State) -> list[AnyEvent]:
    """The events that follow the opening at once: lots, as far as the program draws them."""
    run = Resolution(state, _STEPS)
    run.go_on()
    return run.events


def settled(state: State) -> State:
    """The state after open questions are answered as proposed (``_settle``)."""
    run = Resolution(state, _STEPS)
    _settle(run)
    return run.state


def _settle(run: Resolution) -> None:
    """Answer the open questions as proposed, since the clock goes on: the cheapest men die, nobody
    was inside, and a pin test that players have to draw is left out. The draws of lots, tables and
    charges stay open, since they decide how the battle goes on."""
    while run.state.outcome is None:
        match run.state.ask:
            case agenda.CasualtyAsk():
                ChooseCasualties().carry_out(run)
            case agenda.PieceAsk(pieces=pieces):
                ChooseModel(pieces[0]).carry_out(run)
            case agenda.InsideAsk():
                NameRiders().carry_out(run)
            case agenda.DrawAsk(why=why) if why not in STAYS_OPEN:
                # What would follow the draw is left out with it.
                run.continue_with(())
            case agenda.RepeatAsk():
                run.go_on(instead=run.rest)
            case _:  # no question is open, or one that only the players can answer
                return


class Battle(Rules[State, AnyOrder, AnyEvent]):
    """The rules of the game as its journal calls them."""

    decide = staticmethod(decide)

    def irreversible(self, events: Sequence[AnyEvent], state: State) -> list[AnyEvent]:
        """What stays if these events are taken back: whatever the program drew. A player's own card
        goes back into his deck, with what it brought, and he may type it again."""
        staying: list[AnyEvent] = []
        # Whether players typed the latest card: what a card toggles comes after it.
        typed_by_players = False
        for event in events:
            if isinstance(event, DrawMade | Reread):
                typed_by_players = _is_typed(state, event.source)
            match event:
                case DrawMade() if not typed_by_players:
                    spent = Spent(source=event.source, draw=event.draw, shuffle=event.shuffle)
                    staying.append(spent)
                case Reread() if not typed_by_players:
                    staying.append(event)
                case Spent() | Shuffled() if not _is_typed(state, event.source):
                    staying.append(event)
                # The program's card turned it on or off, or players did so without a card.
                case Toggled() if not typed_by_players:
                    staying.append(event)
        return staying

    def decide_and_fold(self, state: State, order: AnyOrder) -> Decided[State, AnyEvent]:
        run = resolved(state, order)
        return Decided(run.events, run.state)


def _is_typed(state: State, source: str) -> bool:
    """Whether the players themselves draw from that deck or die."""
    # A file from elsewhere may name a source that the battle does not have.
    deck_or_die = state.sources.get(source)
    return deck_or_die is not None and deck_or_die.typed
