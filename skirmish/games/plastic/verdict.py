"""The verdict of the last shot, volley or check: a word in large letters, and its reasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skirmish.games.plastic.battle.agenda import CheckKind, DrawAsk
from skirmish.games.plastic.battle.events import (
    Aimed,
    AnyEvent,
    Ceased,
    Checked,
    DrawsUnused,
    HitsCounted,
    Judged,
    Recalled,
    Tested,
    Volleyed,
)
from skirmish.games.plastic.battle.lines import last_events, last_line, lines
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.explanation import without_draw
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.page import Tone

LINES_SINCE_THE_SHOT = 12
"""How far back the last shot is looked for, since it takes long to make all lines of a journal.
Notes and counts after a shot are few; what is further back was seen long ago."""
RESULT_WORDS = {
    "hit": "HIT",
    "cover": "COVER",
    "hull_down": "HULL",
    "miss": "MISS",
    "broken": "BROKEN",
    "holds": "HOLDS",
}
"""The result of a shot, or of the second draw for a breakdown, in large letters."""


class CheckWords(NamedTuple):
    """The two results of a kind of check (``Checked.result``) in large letters."""

    if_true: str
    if_false: str


CHECK_WORDS: dict[CheckKind, CheckWords] = {
    "pin": CheckWords("PINNED", "NOT PINNED"),
    "command": CheckWords("HALT", "MOVE"),
    "entrench": CheckWords("DUG IN", "TOO HARD"),
    "wire": CheckWords("CUT", "WIRE"),
}
_TONES: dict[str, Tone] = {
    "hit": "good",
    "broken": "bad",
    "miss": "quiet",
    "cover": "quiet",
    "hull_down": "quiet",
}
"""The tone of a result, as the side that fires sees it; other results have none."""
_LEADS_TO_VERDICT = Aimed | Ceased | Checked | HitsCounted | Judged | Tested | Volleyed
"""The events of orders that have a verdict, or will have one: after any other order there is no
large word."""


def verdict(play: BattlePlay) -> Verdict | None:
    """The verdict in a large word, and its reasons, each in a line of its own."""
    if play.state.outcome is not None:
        line = last_line(play)
        if line is None:
            return Verdict(text="OVER", reason="")
        return Verdict(text="OVER", reason=line.text)
    if not _last_order_has_verdict(play):
        return None
    judgment = _last_judgment(play)
    word, reasons = judgment.large_word(), list(judgment.reasons())
    if not word.text and not reasons:
        return None
    return Verdict(
        text=word.text, reason="\n".join(reasons), tone=word.tone, draw=judgment.only_draw()
    )


class _LargeWord(NamedTuple):
    """A result in large letters, and its colour; both are empty if there is none."""

    text: str
    tone: Tone


class _LastJudgment(NamedTuple):
    """The last thing that was judged: a check by itself, or a shot or a volley, after which a pin
    check may have followed."""

    state: State
    shot_events: list[AnyEvent]
    """The events of the last line with a shot."""
    check_is_newest: bool
    """Whether a check by itself came after the last shot."""

    @property
    def hits(self) -> int | None:
        """The hits of a volley so far; None if the shot is no volley."""
        return _volley_hits(self.shot_events)

    @property
    def has_shot(self) -> bool:
        """Whether a shot was judged, or its hits were counted by hand."""
        counted = any(isinstance(event, HitsCounted) for event in self.shot_events)
        return self.state.verdict is not None or counted

    @property
    def large_check(self) -> Checked | None:
        """The check whose result is the large word; None if that of a shot is."""
        if _check_is_large(self.state, check_is_newest=self.check_is_newest):
            return self.state.checked
        return None

    @property
    def large_hits(self) -> int | None:
        """The hits of a volley, whose sum is the large word; None if the result of a single draw
        is."""
        # A second draw in the middle of a volley has a word of its own, BROKEN or HOLDS. It
        # stands, for example, while players say who was inside the model that is lost.
        second_draw = isinstance(self.state.verdict, Tested) and self.state.ceased is None
        if second_draw:
            return None
        return self.hits

    def large_word(self) -> _LargeWord:
        """The large word. The colour of a shot is good or bad for the side that fires, that of a
        pin check for the unit that is checked."""
        check = self.large_check
        if check is not None:
            return _LargeWord(_check_word(check), _check_tone(check))
        if not self.has_shot:
            return _LargeWord("", "")
        if self.large_hits is None:
            result = last_result(self.state)
            return _LargeWord(RESULT_WORDS.get(result, ""), _TONES.get(result, ""))
        return self._volley_word(self.large_hits)

    def only_draw(self) -> Draw | None:
        """The card or roll that the word is about; None for the sum of a volley, which has many."""
        if self.large_check is not None:
            return self.large_check.draw
        shot_verdict = self.state.verdict
        if shot_verdict is None or self.large_hits is not None:
            return None
        return shot_verdict.draw

    def _count_broken(self) -> int:
        """How many weapons broke down in the volley."""
        broken = 0
        for event in self.shot_events:
            if isinstance(event, HitsCounted):
                broken += event.broken
            elif isinstance(event, Tested) and event.broken:
                broken += 1
        return broken

    def _volley_word(self, hits: int) -> _LargeWord:
        """The result of a volley in large letters: ``2 HITS 1 BROKEN``."""
        text = f"{hits} HITS"
        if hits == 1:
            text = "1 HIT"
        broken_count = self._count_broken()
        if broken_count > 0:
            # A lost weapon is bad as it is after a single shot, whatever the volley hit.
            return _LargeWord(f"{text} {broken_count} BROKEN", _TONES["broken"])
        if hits == 0:
            return _LargeWord(text, _TONES["miss"])
        return _LargeWord(text, _TONES["hit"])

    def reasons(self) -> Iterator[str]:
        """The lines below the word."""
        state = self.state
        # A draw is asked for, and nothing was judged yet by it: an earlier check has nothing to do
        # with it.
        if isinstance(state.ask, DrawAsk) and state.verdict is None:
            return
        if not self.check_is_newest:
            yield from self.shot_reasons()
        if state.checked is not None:
            yield self._check_reason(state.checked)

    def shot_reasons(self) -> Iterator[str]:
        """The lines about the last shot or volley: its draw, then a line for each part of it."""
        shot_verdict = self.state.verdict
        if self.has_shot and self.hits is not None:
            yield from _volley_reasons(self.state, self.shot_events)
        elif shot_verdict is not None:
            yield shot_verdict.draw.words.upper()
            yield without_draw(shot_verdict.explain, shot_verdict.draw)
        yield from self._back_on_the_table()
        yield from self._draws_not_used()

    def _back_on_the_table(self) -> Iterator[str]:
        """Who has to be put back on the table after a shot was judged again. It is a part of the
        verdict, since the other side may see nothing else of the correction."""
        state = self.state
        # Not before it is settled who dies instead.
        if state.ask is not None:
            return
        put_back: list[str] = []
        for event in self.shot_events:
            if isinstance(event, Recalled):
                put_back += [piece for piece in event.back if piece not in state.lost]
        if put_back:
            yield f"Back on the table: {state.words.counted(put_back)}."

    def _draws_not_used(self) -> Iterator[str]:
        """The draws that were typed ahead and are not used: whoever drew them has to know."""
        for event in self.shot_events:
            if isinstance(event, DrawsUnused):
                yield event.narrate(self.state)

    def _check_reason(self, checked: Checked) -> str:
        """The line about a check below the large word."""
        if checked.check != "pin" or checked.draw is None:
            return checked.explain
        card = checked.draw.words
        if self.large_check is not None:
            return card.upper()
        # The large word is about the shot, so this line has to name the result of the check.
        return f"{_check_word(checked)} ({card})"


def _last_judgment(play: BattlePlay) -> _LastJudgment:
    """What was judged last in a battle."""
    return _LastJudgment(play.state, last_shot_events(play), _check_is_newest(play))


def _check_word(checked: Checked) -> str:
    """The result of a check in large letters."""
    words = CHECK_WORDS[checked.check]
    if checked.result:
        return words.if_true
    return words.if_false


def _check_tone(checked: Checked) -> Tone:
    """The colour of the result of a check: only that somebody is pinned has one."""
    if checked.check == "pin" and checked.result:
        return "bad"
    return ""


def _last_order_has_verdict(play: BattlePlay) -> bool:
    """Whether the verdict of the last order stays on the screen. Notes and counts are passed over;
    any other order takes the verdict of an earlier one away, even if it only records losses."""
    # Making a line void takes it away, too. The verdict of an earlier line was seen long ago, and
    # would look as if it had just been given.
    if play.ends_with_void:
        return False
    for line in reversed(lines(play, LINES_SINCE_THE_SHOT)):
        order = line.entries[0].order
        is_beside = order is not None and order.in_journal == "beside"
        if not line.void and not is_beside and line.events:
            return any(isinstance(event, _LEADS_TO_VERDICT) for event in line.events)
    return False


def last_result(state: State) -> str:
    """The result of the last shot or second draw, a key of ``RESULT_WORDS``; empty if there is
    none."""
    shot_verdict = state.verdict
    if isinstance(shot_verdict, Judged):
        if shot_verdict.hit:
            return "hit"
        if shot_verdict.saved_by:
            return shot_verdict.saved_by  # ``cover`` or ``hull_down``
        return "miss"
    if isinstance(shot_verdict, Tested):
        if shot_verdict.broken:
            return "broken"
        return "holds"
    return ""


def last_shot_events(play: BattlePlay) -> list[AnyEvent]:
    """The events of the last line with a shot; counts and corrections may have followed it."""
    # Nearly always it is the last line, and to make further lines takes time.
    latest = last_events(play)
    if _has_shot(latest):
        return latest
    for line in reversed(lines(play, LINES_SINCE_THE_SHOT)):
        if not line.void and _has_shot(line.events):
            return line.events
    return []


def _has_shot(events: list[AnyEvent]) -> bool:
    """Whether a line with these events has a shot or a volley, fired or counted."""
    return any(isinstance(event, HitsCounted | Judged | Volleyed) for event in events)


def _volley_hits(shot_events: list[AnyEvent]) -> int | None:
    """The hits of a volley so far; None if the events are those of a single shot."""
    recalled = [event for event in shot_events if isinstance(event, Recalled)]
    # A line takes back the verdicts of several shots only if these were a volley.
    is_volley_judged_again = len(recalled) > 1
    is_volley_fired = any(isinstance(event, HitsCounted | Volleyed) for event in shot_events)
    if not is_volley_judged_again and not is_volley_fired:
        return None
    # The end of a volley has the sum of all its lines.
    end = _end_of_volley(shot_events)
    if end is not None:
        return end.hits
    hits = 0
    for event in shot_events:
        if isinstance(event, HitsCounted):
            hits += event.hits
        elif isinstance(event, Judged) and event.hit:
            hits += 1
    return hits


def _end_of_volley(shot_events: list[AnyEvent]) -> Ceased | None:
    """The event with which a volley ended; the last one, if it ended again after a correction."""
    for event in reversed(shot_events):
        if isinstance(event, Ceased):
            return event
    return None


def shot_reasons(play: BattlePlay) -> list[str]:
    """The lines about the last shot or volley, without that about a check which followed it."""
    judgment = _last_judgment(play)
    return list(judgment.shot_reasons())


def check_is_large(play: BattlePlay) -> bool:
    """Whether the large word is the result of the last check, if there was one."""
    # Without ``_last_judgment``, which may have to make further lines of the journal.
    return _check_is_large(play.state, check_is_newest=_check_is_newest(play))


def _check_is_large(state: State, *, check_is_newest: bool) -> bool:
    """Whether the large word is the result of a check, if there was one: no shot was judged, or the
    check came after it."""
    return state.verdict is None or check_is_newest


def _check_is_newest(play: BattlePlay) -> bool:
    """Whether the last line has a check by itself, not the pin check after a shot."""
    events = last_events(play)
    has_check = any(isinstance(event, Checked) for event in events)
    has_judged_shot = any(isinstance(event, Judged) for event in events)
    return has_check and not has_judged_shot


def _volley_reasons(state: State, shot_events: list[AnyEvent]) -> Iterator[str]:
    """The draws of a volley by their results, and who did not get to fire."""
    hits, saved, misses = [], [], []
    was_counted = False
    for event in shot_events:
        if isinstance(event, HitsCounted):
            was_counted = True
            yield event.narrate(state)
        elif isinstance(event, Judged):
            if event.hit:
                hits.append(str(event.draw))
            elif event.saved_by:
                saved.append(str(event.draw))
            else:
                misses.append(str(event.draw))
    if hits:
        yield f"hit: {' '.join(hits)}"
    elif not was_counted:
        yield "hit: none"
    if saved:
        yield f"saved: {' '.join(saved)}"
    if misses:
        yield f"miss: {' '.join(misses)}"
    end = _end_of_volley(shot_events)
    if end is not None and end.unused:
        yield end.not_fired
