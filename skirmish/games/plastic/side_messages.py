"""The messages to one side about the other, as on the page of each phone: the shot that the other
side is drafting (``draft_words``), the question that it has to answer (``waiting_words``), and the
last result as it concerns this side (``own_verdict``). Nothing in them names a piece that is hidden
from their reader."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, orders
from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.names import piece_side, row_named, row_side, row_unit
from skirmish.games.plastic.battle.orders.declared_shot import aim_of
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import Checked, HitsCounted, Judged, State, Tested
from skirmish.games.plastic.battle.view import secret_to, view
from skirmish.games.plastic.rules.catalog import a_unit, plural
from skirmish.games.plastic.rules.shot import Circumstances, ranks_that_hit
from skirmish.games.plastic.shot_circumstances import CIRCUMSTANCES
from skirmish.games.plastic.verdict import (
    CHECK_WORDS,
    check_is_large,
    last_shot_events,
    shot_reasons,
    verdict,
)
from skirmish.tabletop.game import Verdict, Viewer
from skirmish.tabletop.page import Tone, capital
from skirmish.tabletop.refusal import Refused

SOMEBODY = "Somebody who is hidden fires."
"""The sentence of a shot by a piece that is hidden from the reader."""
DRAWN_FOR: dict[agenda.DrawPurpose, str] = {
    "breakdown": "to see whether the weapon breaks down",
    "pin": "for the pin test",
    "command": "for command",
    "entrench": "for digging in",
    "table": "for reinforcements",
    "charges": "for the charges",
    "lot": "before play",
}
"""What a draw is for, to follow ``The Germans draw``. A draw for a shot has its own sentence."""
_RESULT_EVENTS = (Checked, HitsCounted, Judged, Tested)
"""Events that a side is shown as a result."""
_TONE_FOR_OTHER_SIDE: dict[Tone, Tone] = {"good": "bad", "bad": "good"}
"""What is good for one side is bad for the other; other tones are the same for both."""


# ------------------------------------------------------------------ shots in words


def draft_words(state: State, order: orders.Fire | orders.Again, viewer: Viewer) -> str:
    """A shot that is being drafted, in sentences: ``A German Machinegun Guy fires at your
    Rifle Guys (116th Regiment on the sand), in cover: needs A-8.`` Empty if it is impossible."""
    try:
        shot = prepared(state, order)
    except Refused:
        return ""
    sentences = []
    for squad in shot.squads:
        # The row as the order names it; a repeat shot at the same row names none.
        shooting = replace(squad.shooting, target=order.target or squad.shooting.target)
        # A shot that is no volley may list no pieces.
        count = max(len(squad.pieces), 1)
        needs = ranks_that_hit(squad.aim.needs)
        sentences.append(_shot_words(state, shooting, viewer, needs, count))
    return " ".join(sentences)


def _shot_words(
    state: State, shooting: Shooting, viewer: Viewer, needs: str, count: int = 1
) -> str:
    """The sentence of a shot, or of a volley of ``count`` shooters. ``needs``: what hits."""
    if shooting.piece in secret_to(viewer, state):
        return SOMEBODY
    side = piece_side(shooting.piece)
    unit = state.unit(shooting.piece)
    # The viewer's own shots are among them: somebody else may enter them at the table.
    if count > 1 and side == viewer:
        who = f"{count} of {_whose(state, side, plural(unit.name), viewer)} fire"
    elif count > 1:
        who = f"{count} {_whose(state, side, plural(unit.name), viewer)} fire"
    elif side == viewer:
        who = f"{_whose(state, side, unit.name, viewer)} fires"
    else:
        who = f"{a_unit(_whose(state, side, unit.name, viewer))} fires"
    target = _target_words(state, shooting.target, shooting.at, viewer)
    target_and_circumstances = ", ".join([target, *_unusual_circumstances(shooting.at)])
    return capital(f"{who} at {target_and_circumstances}: needs {needs}.")


def _whose(state: State, side: str, noun: str, viewer: Viewer) -> str:
    """``your Rifle Guys``, ``German Rifle Guys``, ``Rifle Guys of Ziegler``."""
    if side == viewer:
        return f"your {noun}"
    return state.setup.owned_by(side, noun)


def _target_words(state: State, row: str, circumstances: Circumstances, viewer: Viewer) -> str:
    """The units aimed at, with their contingent where the side has several rows of the unit: ``a
    German Rifle Guy (Rearguard)``. Rows that are hidden from the viewer do not count: the
    contingent would betray that there is another one."""
    side, unit = row_side(row), state.setup.unit(row_unit(row))
    if unit.is_guy and circumstances.grouped:
        words = _whose(state, side, plural(unit.name), viewer)
    elif side == viewer:
        words = _whose(state, side, unit.name, viewer)
    else:
        words = a_unit(_whose(state, side, unit.name, viewer))
    seen_rows = rows(view(state, viewer), side)
    rows_of_unit = [other for other in seen_rows if other.unit.short == unit.short]
    name = row_named(row)
    if len(rows_of_unit) < 2 or name is None:
        return words
    contingent = state.setup.contingent_by_id.get(name.contingent)
    if contingent is None:
        return words
    return f"{words} ({contingent.name})"


def _unusual_circumstances(circumstances: Circumstances) -> list[str]:
    """``in cover``, ``hull down``, ``alone`` ...: what differs from the default."""
    unusual = {
        "cover": circumstances.cover,
        "hull_down": circumstances.hull_down,
        "rear": circumstances.rear,
        "grouped": not circumstances.grouped,
    }
    words = []
    for name, is_so in unusual.items():
        if is_so:
            words.append(CIRCUMSTANCES[name].alternative)
    return words


# ------------------------------------------------------------------ what the other side is asked


def waiting_words(state: State, viewer: Viewer) -> str:
    """What another side is asked, in sentences; empty if none is, or if it is secret."""
    ask = view(state, viewer).ask
    if ask is None or state.outcome is not None:
        return ""
    sides = ask.sides(state.setup)
    # How the battle ended both may answer, so neither waits for the other.
    if len(sides) != 1:
        return ask.waiting(state.setup)
    side = sides[0]
    does = partial(state.setup.does, article="The")
    match ask:
        case agenda.DrawAsk():
            return _they_draw(state, ask, viewer)
        case agenda.CasualtyAsk(rows=()) | agenda.PieceAsk(pieces=()):
            # All pieces that the question is about hide from the viewer.
            return f"{does(side, 'answer', 'answers')} a question."
        case agenda.CasualtyAsk(count=1):
            return f"{does(side, 'choose', 'chooses')} who of them dies."
        case agenda.CasualtyAsk(count=count):
            return f"{does(side, 'choose', 'chooses')} who of them die: {count} men."
        case agenda.PieceAsk():
            unit = state.setup.unit(row_unit(ask.row))
            return f"{does(side, 'say', 'says')} which {unit.name} was hit."
        case agenda.InsideAsk():
            carrier = state.unit(ask.carrier)
            return f"{does(side, 'say', 'says')} who was inside the {carrier.name}."
        case agenda.ChoiceAsk():
            return f"{does(side, 'choose', 'chooses')}: {ask.question}"
        case agenda.RepeatAsk():
            shooter = ""
            if ask.shot.piece not in secret_to(viewer, state):
                shooter = f" with the {state.unit(ask.shot.piece).name}"
            return f"{state.setup.the(side, 'The')} may fire again{shooter}, or stop."
    return ask.waiting(state.setup)


def _they_draw(state: State, ask: agenda.DrawAsk, viewer: Viewer) -> str:
    """``The Germans draw for command.``; for a shot, with the sentence of the shot before it."""
    if ask.rank is not None:
        # The card was entered without its suit.
        they_say = state.setup.does(ask.side, "say", "says", article="The")
        return f"{they_say} which suit the card has."
    draw, draws = "draw", "draws"
    if ask.die:
        draw, draws = "roll", "rolls"
    they_draw = state.setup.does(ask.side, draw, draws, article="The")
    if ask.why != "shot":
        return f"{they_draw} {DRAWN_FOR[ask.why]}."
    shot = _shot_to_judge(state)
    if shot is None or shot.target in _hidden_rows(state, viewer):
        return f"{they_draw} for a shot."
    text = _shot_words(state, shot, viewer, ranks_that_hit(aim_of(state, shot).needs))
    return f"{text} {they_draw}{_volley_progress(state)}."


def _volley_progress(state: State) -> str:
    """``: shot 3 of 8, 1 hit so far``; empty for a single shot."""
    for task in state.agenda:
        if isinstance(task, agenda.ToVolley):
            hits = f"{len(task.hits)} hits"
            if len(task.hits) == 1:
                hits = "1 hit"
            shooters = task.fired + len(task.pieces)
            return f": shot {task.fired} of {shooters}, {hits} so far"
    return ""


def _shot_to_judge(state: State) -> Shooting | None:
    """The shot for which a draw is made now; None if the draw is not for a shot."""
    if state.agenda and isinstance(state.agenda[0], agenda.ToJudge):
        return state.agenda[0].shot
    return None


def _hidden_rows(state: State, viewer: Viewer) -> list[str]:
    """The rows that are hidden from ``viewer``."""
    state_as_seen = view(state, viewer)
    hidden = []
    for side in state.setup.sides:
        seen_rows = {row.key for row in rows(state_as_seen, side.id)}
        hidden += [row.key for row in rows(state, side.id) if row.key not in seen_rows]
    return hidden


# ------------------------------------------------------------------ the result for one side


def own_verdict(play: BattlePlay, viewer: Viewer) -> Verdict | None:
    """The result of the last order as it concerns a side. A pin test of its own men is shown large,
    above the shot that led to it, and what is good for the enemy has the colour of what is bad.
    None if the last order had no result: the side has read the earlier one by now."""
    result, state = verdict(play), play.state
    if result is None or state.outcome is not None:
        return result
    last = play.live[-1]
    if not _has_event(last, _RESULT_EVENTS):
        return None
    if viewer is None:
        return result
    checked = state.checked
    if checked is not None and not check_is_large(play) and _outranks_shot(checked, last, viewer):
        result = _pin_test_above_shot(checked, result.text, shot_reasons(play))
        side_of_tone: str | None = checked.side
    else:
        side_of_tone = _side_of_result(play)
    if side_of_tone in (viewer, None):
        return result
    return replace(result, tone=_TONE_FOR_OTHER_SIDE.get(result.tone, result.tone))


def _side_of_result(play: BattlePlay) -> str | None:
    """The side for which the tone of the last result is meant: that which was checked, or that
    which fired. None if there is no result."""
    state = play.state
    if state.checked is not None and check_is_large(play):
        return state.checked.side
    if state.verdict is not None:
        return piece_side(state.verdict.shot.piece)
    # A volley whose hits were counted by hand has no verdict on a single shot.
    for event in last_shot_events(play):
        if isinstance(event, HitsCounted):
            return piece_side(event.shot.piece)
    return None


def _outranks_shot(checked: Checked, last: BattleEntry, viewer: Viewer) -> bool:
    """Whether the last check is a pin test that is shown above the shot that led to it. For the
    side that was tested it is: the test is what the enemy's shot did to it. For the other side it
    is if the ``last`` order was only the draw for the test, without the shot."""
    if checked.check != "pin" or checked.draw is None:
        return False
    return checked.side == viewer or not _has_event(last, (Judged,))


def _has_event(entry: BattleEntry, kinds: tuple[type[AnyEvent], ...]) -> bool:
    """Whether an entry has an event of one of these kinds."""
    return any(isinstance(event, kinds) for event in entry.events)


def _pin_test_above_shot(
    checked: Checked, shot_result: str, reasons_of_shot: Sequence[str]
) -> Verdict:
    """The verdict of a pin test, with the result of the shot that led to it below."""
    assert checked.draw is not None
    pinned, not_pinned = CHECK_WORDS["pin"]
    word = not_pinned
    tone: Tone = "good"
    if checked.result:
        word = pinned
        tone = "bad"
    # A single shot has its draw first, in capitals; a volley, the draws that hit.
    draws_of_shot, *other_reasons = reasons_of_shot
    shot = f"The shot: {shot_result.lower()}, {draws_of_shot.lower()}."
    reason = "\n".join([checked.draw.words.upper(), shot, *other_reasons])
    return Verdict(text=word, reason=reason, tone=tone, draw=checked.draw)
