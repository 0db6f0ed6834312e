"""The one word that everybody waits for, and the reason beside it."""

from __future__ import annotations

from textual.content import Content

from skirmish.app.battle.mode import Said
from skirmish.games.plastic.battle.agenda import CheckKind, DrawAsk
from skirmish.games.plastic.battle.events import (
    AnyEvent,
    Ceased,
    Checked,
    HitsCounted,
    Judged,
    Recalled,
    Tabled,
    Tested,
    Volleyed,
)
from skirmish.games.plastic.battle.lines import Line, lines
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.shot import without_draw

SHOWN = HitsCounted | Judged | Tested | Checked | Tabled
"""Events that everybody looks at the screen for."""


def last_line(play: BattlePlay) -> Line | None:
    """The newest line that stands."""
    found = [line for line in lines(play, 3) if not line.struck]
    return found[-1] if found else None


def last_events(play: BattlePlay) -> list[AnyEvent]:
    """What happened in the newest line."""
    line = last_line(play)
    return line.events if line else []


def shot_events(play: BattlePlay) -> list[AnyEvent]:
    """What happened in the newest line with a shot: counts and corrections may have followed."""
    for line in reversed(lines(play, 3 if _fires(last_events(play)) else 12)):
        if not line.struck and _fires(line.events):
            return line.events
    return []


def _fires(events: list[AnyEvent]) -> bool:
    return any(isinstance(event, HitsCounted | Judged | Volleyed) for event in events)


def volley_hits(play: BattlePlay) -> int | None:
    """How many the newest volley has hit so far, or None if the newest shot is no volley."""
    events = shot_events(play)
    anew = sum(isinstance(event, Recalled) for event in events) > 1
    if not anew and not any(isinstance(event, HitsCounted | Volleyed) for event in events):
        return None
    ceased = [event for event in events if isinstance(event, Ceased)]
    if ceased:
        return ceased[-1].hits
    counted = sum(event.hits for event in events if isinstance(event, HitsCounted))
    return counted + sum(isinstance(event, Judged) and event.hit for event in events)


def word(play: BattlePlay) -> str:
    """One word; empty where nothing was judged in this phase."""
    state = play.state
    if state.outcome:
        return "OVER"
    if state.checked is not None and check_is_large(play):
        return _check_word(state.checked)
    if state.verdict is None and not _counted(play):
        return ""
    hits = volley_hits(play)
    if hits is None or (isinstance(state.verdict, Tested) and state.ceased is None):
        return _shot_word(state)
    broke = sum(
        event.broken for event in shot_events(play) if isinstance(event, HitsCounted | Tested)
    )
    return f"{hits} HIT{'' if hits == 1 else 'S'}" + (f" {broke} BROKEN" if broke else "")


def reason(play: BattlePlay) -> list[Said]:
    """The draw and the reason; the last check stands below."""
    state = play.state
    line = last_line(play)
    told = line.says if line else ""
    if isinstance(state.ask, DrawAsk) and state.verdict is None:
        return []
    if state.outcome is not None:
        return [[(told, "")]]
    said: list[Said] = []
    if (state.verdict is not None or _counted(play)) and not _is_newest(play):
        if volley_hits(play) is not None:
            said += _volley(play)
        elif state.verdict is not None:
            said.append([(state.verdict.draw.words.upper(), "key"), ("   F1 why", "dim")])
            said.append([(without_draw(state.verdict.explain, state.verdict.draw), "")])
    if state.checked is not None:
        said.append(_check_line(state.checked, large=check_is_large(play)))
    return said


def _check_line(checked: Checked, *, large: bool) -> Said:
    """``NOT PINNED (8 of hearts)``, or the card beside the ``large`` word; of other checks what
    they mean."""
    if checked.check == "pin" and checked.draw is not None:
        if large:
            return [(checked.draw.words.upper(), "key"), ("   F1 why", "dim")]
        return [(_check_word(checked), "key"), (f" ({checked.draw.words})", "")]
    return [(checked.explain, "")]


def painted_word(big: str, picture: str) -> Content:
    """Large letters: a hit is cut out of a solid block, a miss is plain, so that both can be told
    apart without colours."""
    first, last = big.partition(" ")[0], big.rpartition(" ")[2]
    style = "$accent"
    if first in ("MISS", "COVER", "HULL"):
        style = "$foreground 70%"
    elif last in ("HIT", "HITS") or first in ("BROKEN", "PINNED"):
        rows = picture.splitlines()
        wide = max(map(len, rows), default=0)
        picture = "\n".join(f" {row:<{wide}} " for row in rows)
        style = "$success reverse" if last in ("HIT", "HITS") else "$error reverse"
    return Content.styled(picture, style)


def _counted(play: BattlePlay) -> bool:
    """Whether the last thing judged in this phase is a volley that was counted."""
    state = play.state
    if not state.counts or state.verdict is not None:
        return False
    last = state.counts[-1]
    return last.shot.at.phase == state.clock.phase and last in shot_events(play)


def check_is_large(play: BattlePlay) -> bool:
    """Whether the large word is that of the last check, if there is one."""
    return play.state.verdict is None or _is_newest(play)


def _is_newest(play: BattlePlay) -> bool:
    """Whether the last check stands by itself, and is not the pin test of the last shot."""
    events = last_events(play)
    checked = any(isinstance(event, Checked) for event in events)
    return checked and not any(isinstance(event, Judged) for event in events)


def _volley(play: BattlePlay) -> list[Said]:
    """Every draw of a volley, those that hit first, and what is left of it."""
    events = shot_events(play)
    judged = [event for event in events if isinstance(event, Judged)]
    hits = [str(event.draw) for event in judged if event.hit]
    saved = [str(event.draw) for event in judged if event.saved_by]
    misses = [str(event.draw) for event in judged if not (event.hit or event.saved_by)]
    said: list[Said] = []
    for event in events:
        if isinstance(event, HitsCounted):
            said.append([(event.narrate(play.state), "strong")])
    if judged or not said:
        said.append([("hit: ", "key"), (" ".join(hits) or "none", "strong")])
    if saved:
        said.append([("saved: ", "dim"), (" ".join(saved), "dim")])
    if misses:
        said.append([("miss: ", "dim"), (" ".join(misses), "dim")])
    ceased = [event for event in events if isinstance(event, Ceased)]
    if ceased and ceased[-1].unused:
        said.append([(ceased[-1].not_fired, "")])
    return said


def _shot_word(state: State) -> str:
    match state.verdict:
        case Judged(hit=True):
            return "HIT"
        case Judged(saved_by="cover"):
            return "COVER"
        case Judged(saved_by="hull_down"):
            return "HULL"
        case Judged():
            return "MISS"
        case Tested(broken=True):
            return "BROKEN"
        case Tested():
            return "HOLDS"
    return ""


_CHECK_WORDS: dict[CheckKind, tuple[str, str]] = {
    "pin": ("PINNED", "NOT PINNED"),
    "command": ("HALT", "MOVE"),
    "entrench": ("DUG IN", "TOO HARD"),
    "wire": ("CUT", "WIRE"),
}


def _check_word(checked: Checked) -> str:
    return _CHECK_WORDS[checked.check][not checked.result]
