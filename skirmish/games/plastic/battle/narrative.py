"""The text of a journal line. Most events have their own sentence; shots and their draws, losses
and exits are added up over the whole line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.state import BattleWords, State, claimed
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.chance import Draw, spell

Fired = Sequence[happened.Aimed | happened.Judged]


def narrate(events: Sequence[AnyEvent], state: State) -> str:
    """The events as one line of text. ``state`` knows all pieces."""
    words = state.words
    parts = [_volley_judged_again(words, events)]
    fired: list[happened.Aimed | happened.Judged] = []
    lost: list[happened.Lost] = []
    left: list[happened.Exited] = []
    overruled, volley = "", bool(parts[0])
    told = bool(parts[0]) or any(isinstance(event, happened.Volleyed) for event in events)
    turn_over = _turn_is_over(events)
    for event in events:
        match event:
            case happened.Aimed() | happened.Judged():
                fired.append(event)
                overruled = overruled or getattr(event, "overruled", "")
            case happened.Volleyed():
                overruled, volley = overruled or event.overruled, True
                parts.append(event.narrate(state))
            case happened.HitsCounted():
                parts.append(_volley_draws(fired))
                # Counted anew, its circumstances stand in no other sentence of the line.
                parts.append(event.narrate(state) if told else event.counted_anew)
                fired = []
            case happened.Ceased():
                parts += [_volley_draws(fired), event.narrate(state)]
                fired, volley = [], False
            case happened.Lost():
                lost.append(event)
            case happened.Exited():
                left.append(event)
            case happened.PhaseEnded() | happened.TurnEnded() | happened.ClockSet() if lost:
                parts += [_shots(words, fired), f"Losses as proposed. {_losses(words, lost)}"]
                parts.append(event.narrate(state))
                fired, lost = [], []
            case happened.Finished():
                parts += [_shots(words, fired), _losses(words, lost), _exits(words, left)]
                parts.append(event.narrate(state))
                fired, lost, left = [], [], []
            case happened.Shuffled() if turn_over:  # every turn ends with it
                pass
            case happened.Recalled() | happened.Reread() if volley:
                pass  # the count names its draws with their suits
            case happened.Asked() | happened.Laid() as quiet:
                parts.append(quiet.narrate(state))
            case happened.Held() | happened.DrawMade():
                pass
            case _:
                parts += [_shots(words, fired), event.narrate(state)]
                fired = []
    still = _volley_draws(fired) if volley else _shots(words, fired)
    parts = [*parts, still, _losses(words, lost), _exits(words, left)]
    if overruled:
        parts.append(f"[Against the rules: {overruled}]")
    return " ".join(part for part in parts if part)


def _turn_is_over(events: Sequence[AnyEvent]) -> bool:
    for event in events:
        if isinstance(event, happened.TurnEnded | happened.Finished):
            return True
        if isinstance(event, happened.Asked) and isinstance(event.ask, OutcomeAsk):
            return True
    return False


def _volley_judged_again(words: BattleWords, events: Sequence[AnyEvent]) -> str:
    recalled = [event for event in events if isinstance(event, happened.Recalled)]
    back = [piece for event in recalled for piece in event.back]
    taken = sum(len(event.chain) for event in recalled)
    text = ""
    if len(recalled) > 1:
        turn = f" (turn {recalled[0].turn})" if recalled[0].turn else ""
        text = f"The whole volley judged again{turn}{_whose_volley(words, events)}."
    text += f" Back on the table: {words.counted(back)}." if text and back else ""
    return f"{text} Repeat shots taken back: {taken}." if text and taken else text


def _whose_volley(words: BattleWords, events: Sequence[AnyEvent]) -> str:
    """``: Rifle > Mortar in cover``."""
    shots = [event.shot for event in events if isinstance(event, happened.Judged)]
    if not shots:
        return ""
    return f": {words.volley_at_whom(shots[0])}"


def _shots(words: BattleWords, fired: Fired) -> str:
    parts: list[str] = []
    before: tuple[str, str, str, int] | None = None
    for event in fired:
        shot = event.shot
        who = (shot.piece, shot.target, claimed(shot.at), event.needs)
        if who != before:
            if parts:
                parts[-1] = parts[-1].rstrip(",") + "."
            parts.append(f"{words.who_at_whom(event.shot)}, needs {run(event.needs)}:")
            before = who
        if isinstance(event, happened.Judged):
            saved = f" ({event.saved_by.replace('_', ' ')})" if event.saved_by else ""
            parts.append(f"{event.draw} hit," if event.hit else f"{event.draw} miss{saved},")
    return (" ".join(parts).rstrip(",:") + ".") if parts else ""


def _volley_draws(fired: Fired) -> str:
    """The draws of a volley, hits first: ``5H 2S hit; 9D JH miss.``"""
    draws: dict[str, list[Draw]] = {"hit": [], "saved": [], "miss": []}
    for event in fired:
        if isinstance(event, happened.Judged):
            came_to = "hit" if event.hit else "saved" if event.saved_by else "miss"
            draws[came_to].append(event.draw)
    parts = [f"{spell(of)} {word}" for word, of in draws.items() if of]
    return "; ".join(parts) + "." if parts else ""


def _losses(words: BattleWords, lost: Sequence[happened.Lost]) -> str:
    """``Germans: Rifle -3, Truck K1 lost.``, by side."""
    by_side: dict[str, list[happened.Lost]] = {}
    for event in lost:
        by_side.setdefault(piece_side(event.piece), []).append(event)
    sentences = []
    for side, own in by_side.items():
        guys = Counter(event.unit for event in own if words.setup.unit(event.unit).is_guy)
        parts = [f"{words.setup.unit(unit).short} -{count}" for unit, count in guys.items()]
        models = [event.piece for event in own if not words.setup.unit(event.unit).is_guy]
        parts += [f"{words.piece(piece)} lost" for piece in models]
        sentences.append(f"{words.people(side)}: {', '.join(parts)}.")
    return " ".join(sentences)


def _exits(words: BattleWords, left: Sequence[happened.Exited]) -> str:
    if not left:
        return ""
    value = sum(event.value for event in left)
    counts = f", counting {value}" if value else ""
    gone = [piece for event in left for piece in event.pieces]
    leave = "leaves" if len(gone) == 1 else "leave"
    return f"{words.whose(gone)} {leave} the table{counts}."
