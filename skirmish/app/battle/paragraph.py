"""Which rule F1 opens in a battle: that of what the player has in front of him."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish import library
from skirmish.app.battle.draft import Draft
from skirmish.app.battle.mode import Mode
from skirmish.app.battle.prompt_numbers import Numbered
from skirmish.app.battle.verdict_words import last_events
from skirmish.games.plastic.battle.agenda import DrawAsk, OutcomeAsk, RepeatAsk
from skirmish.games.plastic.battle.events import Checked, Judged, Tested
from skirmish.games.plastic.battle.orders import Volley
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refusal, Refused


def paragraph_of(play: BattlePlay, mode: Mode, refusal: Refusal | None) -> str:
    """The id of the paragraph. The first of these that there is: what was just refused or advised
    against, the question that is open, what is being put together, what was just judged, the
    phase. Empty where the reference has nothing, which opens it at its beginning."""
    reference, mode = library.reference(), mode.under
    refusal = refusal or advice(play.state, mode)
    found = reference.about(refusal.code, refusal.rule) if refusal else None
    found = found or reference.on(*topics(play, mode))
    return found.id if found else ""


def topics(play: BattlePlay, mode: Mode) -> Iterator[str]:
    """What the screen is about, the nearest first, as the reference names it."""
    state, ask = play.state, play.state.ask
    if state.outcome is not None:
        yield topic(OutcomeAsk())
    if isinstance(ask, DrawAsk):
        yield f"check {ask.why}"
    if ask is not None and not isinstance(ask, RepeatAsk):
        yield topic(ask)
    yield from _drafted(mode)
    if isinstance(ask, RepeatAsk):
        yield topic(ask)
    yield from _judged(play)
    yield f"phase {state.clock.phase}"


def topic(ask: object) -> str:
    """The topic of a question: ``ask casualty``."""
    return f"ask {type(ask).__struct_config__.tag}"  # type: ignore[attr-defined]


def advice(state: State, mode: Mode) -> Refusal | None:
    """What the screen says against the shot that is drafted, if anything."""
    if not isinstance(mode, Draft) or mode.order is None:
        return None
    try:
        return prepared(state, mode.order).advice
    except Refused as refused:
        return refused.refusal


def _drafted(mode: Mode) -> Iterator[str]:
    if isinstance(mode, Numbered):
        yield f"mode {mode.kind}"
    elif not isinstance(mode, Draft):
        yield f"mode {type(mode).__name__.lower()}"
    elif mode.begun:
        yield "mode volley" if isinstance(mode.order, Volley) or mode.count else "mode draft"


def _judged(play: BattlePlay) -> Iterator[str]:
    """The last check if nothing was judged with it or after it, else the last verdict."""
    state, events = play.state, last_events(play)
    by_itself = any(isinstance(event, Checked) for event in events) and not any(
        isinstance(event, Judged) for event in events
    )
    if state.checked is not None and (state.verdict is None or by_itself):
        yield f"check {state.checked.check}"
    match state.verdict:
        case Tested(broken=broken):
            yield "verdict broken" if broken else "verdict holds"
        case Judged(hit=True):
            yield "verdict hit"
        case Judged(saved_by=str(saved_by)):
            yield f"verdict {saved_by}"
        case Judged():
            yield "verdict miss"
