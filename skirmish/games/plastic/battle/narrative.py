"""The text of a journal line. Most events have their own sentence; shots and their draws, losses
and exits are added up over the whole line.

Begin reading at ``narrate``; ``_LineText`` decides for each kind of event when its sentence comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.words import BattleWords, stated_cover
from skirmish.games.plastic.rules.shot import ranks_that_hit
from skirmish.tabletop.chance import Draw, spell

ShotEvents = Sequence[happened.Aimed | happened.Judged]
"""Shots and their verdicts, in the order in which they were fired and judged."""


def narrate(events: Sequence[AnyEvent], state: State) -> str:
    """The events as one line of text. ``state`` knows all pieces."""
    line = _LineText(events, state)
    for event in events:
        line.add(event)
    return line.finished()


class _LineText:
    """A line of the journal as it grows: the sentences it has, and the events that are still being
    added up into the next one: shots, losses and exits."""

    def __init__(self, events: Sequence[AnyEvent], state: State) -> None:
        self._state = state
        self._words = state.words
        self._fired: list[happened.Aimed | happened.Judged] = []
        self._lost: list[happened.Lost] = []
        self._exited: list[happened.Exited] = []
        self._overruled = ""
        self._sentences: list[str] = []
        recalled = [event for event in events if isinstance(event, happened.Recalled)]
        # If several verdicts are taken back, a volley is judged again, and one sentence says so for
        # all of its shots. A single shot that is judged again has its own sentence.
        self._in_volley = len(recalled) > 1
        if self._in_volley:
            self._sentences.append(_volley_judged_again(self._words, events, recalled))
        # Where a sentence of the line names the volley, its count need not do so.
        self._volley_is_named = self._in_volley or _has_volley(events)
        self._turn_is_over = _turn_is_over(events)

    def add(self, event: AnyEvent) -> None:
        """Add the event to the line: as a sentence of its own, or to those that are added up."""
        match event:
            case happened.Aimed():
                self._fired.append(event)
                self._set_overruled(event.overruled)
            case happened.Judged():
                self._fired.append(event)
            case happened.Volleyed():
                self._in_volley = True
                self._set_overruled(event.overruled)
                self._say(event)
            case happened.HitsCounted():
                self._close_volley()
                self._say_count(event)
            case happened.Ceased():
                self._close_volley()
                self._say(event)
                self._in_volley = False
            case happened.Lost():
                self._lost.append(event)
            case happened.Exited():
                self._exited.append(event)
            case happened.PhaseEnded() | happened.TurnEnded() | happened.ClockSet():
                self._close_shots()
                # Nobody chose these casualties: the clock went on without the defender's answer.
                self._close_losses(before="Losses as proposed. ")
                self._say(event)
            case happened.Finished():
                self._close_shots()
                self._close_losses()
                self._close_exits()
                self._say(event)
            case happened.Shuffled() if self._turn_is_over:
                pass  # every turn ends with a shuffle, so it is not mentioned
            case happened.Recalled() | happened.Reread() if self._in_volley:
                pass  # the first sentence says what was taken back; corrected draws are listed
            case happened.Asked() | happened.DrawsTyped():
                # They come in the middle of a shot, so the shots before them stay open.
                self._say(event)
            case happened.StepSkipped() | happened.DrawMade():
                pass  # the verdict of the shot names its draw
            case _:
                self._close_shots()
                self._say(event)

    def finished(self) -> str:
        """The whole line, with all that was not closed yet."""
        if self._in_volley:
            self._close_volley()
        else:
            self._close_shots()
        self._close_losses()
        self._close_exits()
        if self._overruled:
            self._sentences.append(f"[Against the rules: {self._overruled}]")
        return " ".join(sentence for sentence in self._sentences if sentence)

    def _say(self, event: AnyEvent) -> None:
        """Add the event's own sentence."""
        self._sentences.append(event.narrate(self._state))

    def _say_count(self, event: happened.HitsCounted) -> None:
        """Add the sentence about the counted hits of a volley."""
        if self._volley_is_named:
            self._say(event)
        else:
            # No other sentence of the line names the circumstances of a volley counted anew.
            self._sentences.append(event.narrate_anew(self._state))

    def _set_overruled(self, advice: str) -> None:
        """Remember advice that was set aside: the line ends with it. Of several only the first."""
        if not self._overruled:
            self._overruled = advice

    # Each of the next four makes a sentence of what was added up, and starts to add up anew.

    def _close_shots(self) -> None:
        self._sentences.append(_shots_sentences(self._words, self._fired))
        self._fired = []

    def _close_volley(self) -> None:
        self._sentences.append(_volley_draws(self._fired))
        self._fired = []

    def _close_losses(self, before: str = "") -> None:
        if self._lost:
            self._sentences.append(before + _losses(self._words, self._lost))
            self._lost = []

    def _close_exits(self) -> None:
        if self._exited:
            self._sentences.append(_exits(self._words, self._exited))
            self._exited = []


def _has_volley(events: Sequence[AnyEvent]) -> bool:
    """Whether a volley was fired in this line."""
    return any(isinstance(event, happened.Volleyed) for event in events)


def _turn_is_over(events: Sequence[AnyEvent]) -> bool:
    """Whether a player turn, or the battle, ended with this line."""
    for event in events:
        if isinstance(event, happened.TurnEnded | happened.Finished):
            return True
        if isinstance(event, happened.Asked) and isinstance(event.ask, OutcomeAsk):
            return True
    return False


def _volley_judged_again(
    words: BattleWords, events: Sequence[AnyEvent], recalled: Sequence[happened.Recalled]
) -> str:
    """``The whole volley judged again: Rifle > Mortar in cover. Back on the table: 2 Mortar Guys.``
    ``recalled``: those of the events of the line that take old verdicts back."""
    # All shots of a volley were fired in one turn, which is named only if it is an earlier one.
    turn = ""
    if recalled[0].turn:
        turn = f" (turn {recalled[0].turn})"
    text = f"The whole volley judged again{turn}{_whose_volley(words, events)}."
    back: list[str] = []
    taken_back = 0
    for event in recalled:
        back += event.back
        taken_back += len(event.chain)
    if back:
        text += f" Back on the table: {words.counted(back)}."
    if taken_back:
        text += f" Repeat shots taken back: {taken_back}."
    return text


def _whose_volley(words: BattleWords, events: Sequence[AnyEvent]) -> str:
    """Who fired the volley and at whom, as the end of its sentence: ``: Rifle > Mortar in cover``.
    Empty if no shot of it was judged."""
    for event in events:
        if isinstance(event, happened.Judged):
            return f": {words.volley_at_whom(event.shot)}"
    return ""


def _shots_sentences(words: BattleWords, fired: ShotEvents) -> str:
    """``Rifle R1 > Rifle, needs A-5: 5H hit, 9D miss.`` A sentence for each series of shots that
    are alike."""
    sentences = []
    for _, alike in groupby(fired, key=_series_of):
        shots = list(alike)
        who = f"{words.who_at_whom(shots[0].shot)}, needs {ranks_that_hit(shots[0].needs)}"
        draws = [_draw_words(shot) for shot in shots if isinstance(shot, happened.Judged)]
        if draws:
            sentences.append(f"{who}: {', '.join(draws)}.")
        else:
            sentences.append(f"{who}.")  # it waits for its draw
    return " ".join(sentences)


class _SeriesOfShots(NamedTuple):
    """What shots must have in common to be one series."""

    shooter: str
    target: str
    cover: str
    highest_hit: int
    """The highest rank that hits."""


def _series_of(fired: happened.Aimed | happened.Judged) -> _SeriesOfShots:
    """The series to which a shot belongs."""
    shot = fired.shot
    return _SeriesOfShots(shot.piece, shot.target, stated_cover(shot.at), fired.needs)


def _draw_words(judged: happened.Judged) -> str:
    """``5H hit``, ``9D miss (cover)``."""
    if judged.hit:
        return f"{judged.draw} hit"
    if judged.saved_by:
        return f"{judged.draw} miss ({judged.saved_by.replace('_', ' ')})"
    return f"{judged.draw} miss"


def _volley_draws(fired: ShotEvents) -> str:
    """The draws of a volley, hits first: ``5H 2S hit; 9D JH miss.``"""
    hits: list[Draw] = []
    saved: list[Draw] = []
    misses: list[Draw] = []
    for event in fired:
        if not isinstance(event, happened.Judged):
            continue
        if event.hit:
            hits.append(event.draw)
        elif event.saved_by:
            saved.append(event.draw)
        else:
            misses.append(event.draw)
    parts = []
    for draws, result in ((hits, "hit"), (saved, "saved"), (misses, "miss")):
        if draws:
            parts.append(f"{spell(draws)} {result}")
    if not parts:
        return ""
    return "; ".join(parts) + "."


def _losses(words: BattleWords, lost: Sequence[happened.Lost]) -> str:
    """``Germans: Rifle -3, Truck K1 lost.`` A sentence for each side."""
    by_side: dict[str, list[happened.Lost]] = {}
    for event in lost:
        by_side.setdefault(piece_side(event.piece), []).append(event)
    sentences = []
    for side, losses in by_side.items():
        guys: Counter[str] = Counter()
        models: list[str] = []
        for event in losses:
            if words.setup.unit(event.unit).is_guy:
                guys[words.row_of(event.piece, event.unit)] += 1
            else:
                models.append(event.piece)
        # The name stands in the singular (1), since the number of the lost follows it.
        parts = [f"{words.row(row, 1)} -{count}" for row, count in guys.items()]
        parts += [f"{words.piece(piece)} lost" for piece in models]
        sentences.append(f"{words.people(side)}: {', '.join(parts)}.")
    return " ".join(sentences)


def _exits(words: BattleWords, exited: Sequence[happened.Exited]) -> str:
    """``Germans: 2 Trucks leave the table, counting 10.``"""
    pieces: list[str] = []
    value = 0
    for event in exited:
        pieces += event.pieces
        value += event.value
    leave = "leave"
    if len(pieces) == 1:
        leave = "leaves"
    counting = ""
    if value:
        counting = f", counting {value}"
    return f"{words.whose(pieces)} {leave} the table{counting}."
