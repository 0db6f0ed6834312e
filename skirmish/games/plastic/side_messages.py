"""What one side is told of what the other is doing: the shot that is being put together, the
question that it answers, and the last result as it concerns this side. Nothing in it names a piece
that is hidden from who is told."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, orders
from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.names import piece_side, row_named, row_side, row_unit
from skirmish.games.plastic.battle.orders.firing import aim_of, prepared
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import Checked, HitsCounted, Judged, State, Tested
from skirmish.games.plastic.battle.view import secret_to, view
from skirmish.games.plastic.board import CHECK_WORDS, check_is_large, verdict
from skirmish.games.plastic.rules.catalog import a_unit, plural
from skirmish.games.plastic.rules.shot import Circumstances, run
from skirmish.games.plastic.shot_page import SEEN
from skirmish.tabletop.game import Verdict, Viewer
from skirmish.tabletop.page import Tone
from skirmish.tabletop.refusal import Refused

SOMEBODY = "Somebody who is hidden fires."
DRAWN: dict[agenda.Why, str] = {
    "breakdown": "to see whether the weapon breaks down",
    "pin": "for the pin test",
    "command": "for command",
    "entrench": "for digging in",
    "table": "for reinforcements",
    "lot": "before play",
}
"""What a draw is for, but that of a shot, behind ``The Germans draw``."""
_RESULTS = Checked | HitsCounted | Judged | Tested
_OPPOSITE: dict[Tone, Tone] = {"good": "bad", "bad": "good"}


# ------------------------------------------------------------------ shots in words


def drafted(state: State, order: orders.Fire | orders.Again, viewer: Viewer) -> str:
    """A shot that is being put together, in sentences: ``A German Machinegun Guy fires at your
    Rifle Guys (116th Regiment on the sand), in cover: needs A-8.``"""
    try:
        shot = prepared(state, order)
    except Refused:
        return ""
    sentences = []
    for squad in shot.squads:
        shooting = replace(squad.shooting, target=order.target or squad.shooting.target)
        count = max(len(squad.pieces), 1)
        sentences.append(_shot_words(state, shooting, viewer, run(squad.aim.needs), count))
    return " ".join(sentences)


def _shot_words(
    state: State, shooting: Shooting, viewer: Viewer, needs: str, count: int = 1
) -> str:
    secret = secret_to(viewer, state)
    if shooting.piece in secret:
        return SOMEBODY
    side = piece_side(shooting.piece)
    unit = state.unit(shooting.piece)
    if count == 1:
        who = a_unit(_whose(state, side, unit.name, viewer))
        does = "fires"
    else:
        who = f"{count} {_whose(state, side, plural(unit.name), viewer)}"
        does = "fire"
    if side == viewer:
        who = who.removeprefix("a ")
    target = _target_words(state, shooting.target, shooting.at, viewer)
    seen = "".join(f", {words}" for words in _circumstances(shooting.at))
    sentence = f"{who} {does} at {target}{seen}: needs {needs}."
    return sentence[:1].upper() + sentence[1:]


def _whose(state: State, side: str, thing: str, viewer: Viewer) -> str:
    """``your Rifle Guys``, ``German Rifle Guys``, ``Rifle Guys of Ziegler``."""
    if side == viewer:
        return f"your {thing}"
    return state.setup.of(side, thing)


def _target_words(state: State, row: str, at: Circumstances, viewer: Viewer) -> str:
    """The units aimed at, with their group where the side has several rows of that name."""
    side, unit = row_side(row), state.setup.unit(row_unit(row))
    alone = not unit.is_guy or not at.grouped
    thing = unit.name if alone else plural(unit.name)
    own = _whose(state, side, thing, viewer)
    words = a_unit(own) if alone and side != viewer else own
    same = [one for one in rows(state, side) if one.unit.short == unit.short]
    name = row_named(row)
    group = state.setup.contingent_by_id.get(name.contingent) if name else None
    if len(same) > 1 and group is not None:
        return f"{words} ({group.name})"
    return words


def _circumstances(at: Circumstances) -> list[str]:
    words = [SEEN[name][2] for name in ("cover", "hull_down", "rear") if getattr(at, name)]
    if not at.grouped:
        words.append(SEEN["grouped"][2])
    return words


# ------------------------------------------------------------------ for whom it waits


def waiting(state: State, viewer: Viewer) -> str:
    """What another side is asked, in sentences; empty if none is, or if it is secret."""
    ask = view(state, viewer).ask
    if ask is None or state.outcome is not None:
        return ""
    sides = ask.sides(state.setup)
    if len(sides) != 1:
        return ask.waiting(state.setup)
    side, does = sides[0], partial(state.setup.does, article="The")
    match ask:
        case agenda.DrawAsk():
            return _they_draw(state, ask, viewer)
        case agenda.CasualtyAsk(rows=()) | agenda.PieceAsk(pieces=()):
            return f"{does(side, 'answer', 'answers')} a question."  # only those who hide are meant
        case agenda.CasualtyAsk(count=1):
            return f"{does(side, 'choose', 'chooses')} who of them dies."
        case agenda.CasualtyAsk(count=count):
            return f"{does(side, 'choose', 'chooses')} who of them die: {count} men."
        case agenda.PieceAsk():
            row = row_unit(ask.row)
            return f"{does(side, 'say', 'says')} which {state.setup.unit(row).name} was hit."
        case agenda.InsideAsk():
            return f"{does(side, 'say', 'says')} who was inside the {state.unit(ask.carrier).name}."
        case agenda.ChoiceAsk():
            return f"{does(side, 'choose', 'chooses')}: {ask.question}"
        case agenda.RepeatAsk() if ask.shot.piece in secret_to(viewer, state):
            return f"{state.setup.the(side, 'The')} may fire again, or stop."
        case agenda.RepeatAsk():
            unit = state.unit(ask.shot.piece).name
            return f"{state.setup.the(side, 'The')} may fire again with the {unit}, or stop."
    return ask.waiting(state.setup)


def _they_draw(state: State, ask: agenda.DrawAsk, viewer: Viewer) -> str:
    draw, draws = ("roll", "rolls") if ask.die else ("draw", "draws")
    they_draw = state.setup.does(ask.side, draw, draws, "The")
    if ask.rank is not None:
        return f"{state.setup.does(ask.side, 'say', 'says', 'The')} which suit the card has."
    if ask.why != "shot":
        return f"{they_draw} {DRAWN[ask.why]}."
    shot = _shot_to_judge(state)
    if shot is None or shot.target in _hidden_rows(state, viewer):
        return f"{they_draw} for a shot."
    volley = next((one for one in state.agenda if isinstance(one, agenda.ToVolley)), None)
    text = _shot_words(state, shot, viewer, run(aim_of(state, shot).needs))
    if volley is None:
        return f"{text} {they_draw}."
    hits = "1 hit" if len(volley.hits) == 1 else f"{len(volley.hits)} hits"
    of = volley.fired + len(volley.pieces)
    return f"{text} {they_draw}: shot {volley.fired} of {of}, {hits} so far."


def _shot_to_judge(state: State) -> Shooting | None:
    for task in state.agenda[:1]:
        if isinstance(task, agenda.ToJudge):
            return task.shot
    return None


def _hidden_rows(state: State, viewer: Viewer) -> Sequence[str]:
    """The rows of which ``viewer`` knows nothing."""
    known = {row.key for side in state.setup.sides for row in rows(view(state, viewer), side.id)}
    every = [row.key for side in state.setup.sides for row in rows(state, side.id)]
    return [key for key in every if key not in known]


# ------------------------------------------------------------------ the result that concerns him


def own_verdict(play: BattlePlay, viewer: Viewer) -> Verdict | None:
    """The result of the last order as it concerns a side: its own pin test before the shot that led
    to it, and what is good for the enemy in the colour of what is bad. None if the last order had
    no result: an older one has been read."""
    found, state, last = verdict(play), play.state, play.live[-1]
    if found is None or state.outcome is not None:
        return found
    if not _has(last, _RESULTS):
        return None
    if viewer is None:
        return found
    checked, shot = state.checked, state.verdict
    if shot is None or check_is_large(play):
        theirs = checked is not None and checked.side != viewer
    elif checked is None or checked.check != "pin" or checked.draw is None:
        theirs = piece_side(shot.shot.piece) != viewer
    elif checked.side == viewer or not _has(last, Judged):
        found, theirs = _pinned(found, checked), checked.side != viewer
    else:
        theirs = piece_side(shot.shot.piece) != viewer
    if theirs:
        return replace(found, tone=_OPPOSITE.get(found.tone, found.tone))
    return found


def _has(entry: BattleEntry, kinds: Any) -> bool:
    return any(isinstance(event, kinds) for event in entry.events)


def _pinned(found: Verdict, checked: Checked) -> Verdict:
    assert checked.draw is not None
    word = CHECK_WORDS["pin"][not checked.result]
    own = f"{word} ({checked.draw.words})"
    shot = [line for line in found.reason.split("\n") if line != own]
    reason = (checked.draw.words.upper(), f"The shot: {found.text.lower()}, {shot[0].lower()}.",
              *shot[1:])  # fmt: skip
    tone: Tone = "bad" if checked.result else "good"
    return Verdict(text=word, reason="\n".join(reason), tone=tone)
