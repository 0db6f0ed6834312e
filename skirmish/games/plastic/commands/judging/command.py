"""The command that judges a shot again: the latest of the battle, or any other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from skirmish.games.plastic.battle.agenda import CasualtyAsk, RepeatAsk, Shooting
from skirmish.games.plastic.battle.events import HitsCounted, Judged
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import AnyOrder, Rejudge
from skirmish.games.plastic.battle.orders.rejudged_shot import volley_of
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.declaring import FIRE, AnyCommand, CommandParts, Declared
from skirmish.games.plastic.commands.judging.count_form import CountForm, counted_shooters
from skirmish.games.plastic.commands.judging.form import JudgingForm
from skirmish.games.plastic.commands.judging.shot_form import ShotForm
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.page import Block, Page, Paragraph
from skirmish.tabletop.slots import Slot


class TabStop(NamedTuple):
    """What is judged again at one press of Tab: a shot, a count, or a whole volley."""

    shot: int
    """The number of the shot; of a count, that of its first shot. The last number of a volley means
    the whole volley, unless it is judged ``alone``."""
    alone: bool = False


def _latest_of_battle(battle: BattleNow) -> CommandParts:
    """Judges the latest shot of the battle again, whichever side fired it."""
    # Shots are numbered through the battle, those of both sides together.
    latest = max(_latest_shot(battle.state, side.id) for side in battle.state.setup.sides)
    # Before the first shot this is 0, which ``_parts`` refuses as no shot at all.
    return _parts(battle.state, TabStop(latest))


AGAIN = Declared(
    "tab",
    "judge_again",
    FIRE,
    Rejudge,
    "Judge the last shot again",
    detail="Tab c; Tab again for the one before. In a question: the other side, another model",
    parts=_latest_of_battle,
)
"""The command as the key strip has it."""


def judge_again(
    state: State,
    shot: int,
    *,
    alone: bool = False,
    later: Sequence[int] = (),
    wrong: str = "",
) -> AnyCommand:
    """The same command for one shot, or for the whole volley that this shot ends unless it is meant
    ``alone``. ``later``: the numbers of the lines of the journal to be checked after it. ``wrong``:
    ``TARGET`` or ``SHOOTER`` if a counted volley is first asked for that."""

    def parts(battle: BattleNow) -> CommandParts:
        return _parts(battle.state, TabStop(shot, alone), later, wrong)

    return AGAIN._replace(parts=parts).command(BattleNow(state))


def last_shot_in(play: BattlePlay, entry_numbers: Sequence[int]) -> int:
    """The last shot that can be judged again among these entries; 0 if there is none."""
    last = 0
    for entry in play.live:
        if entry.number not in entry_numbers:
            continue
        for event in entry.events:
            if not isinstance(event, HitsCounted | Judged):
                continue
            if play.state.shot_fired(event.shot.id) is not None:
                last = event.shot.id
    return last


def _parts(state: State, stop: TabStop, later: Sequence[int] = (), wrong: str = "") -> CommandParts:
    """The parts of the command for one shot or volley; the arguments are those of
    ``judge_again``."""
    fired = state.shot_fired(stop.shot)
    if fired is None:
        return CommandParts(why_not="No shot has been fired yet.", word="")
    side = piece_side(fired.piece)
    judging = _Judging(state, side, stop, later)
    # The phone of a side gives its own side here instead (``SidePlayer._about_this_side``).
    given = {"side": side}
    if wrong:
        given["what"] = wrong
    return CommandParts(
        word=_word_on_strip(state),
        given=given,
        slots=judging.slots,
        toggles=judging.toggles,
        preview=judging.preview,
        words_for_others=judging.words_for_others,
        make=judging.order,
    )


def _word_on_strip(state: State) -> str:
    """The word of the command on the strip of keys; empty while another question comes first."""
    # Who dies, and who fires again, is asked because of the shot that was just judged. That is when
    # players notice that it was judged wrong.
    if state.ask is None or isinstance(state.ask, CasualtyAsk | RepeatAsk):
        return "re-judge"
    return ""


class _Judging:
    """The forms of the command, and the keys that lead to other shots. The answer ``side`` says
    whose shot is judged again. At ``stop`` is a shot of the ``side`` given here; the other side,
    which answers on its phone, begins with the latest of its own shots."""

    def __init__(self, state: State, side: str, stop: TabStop, later: Sequence[int]) -> None:
        self._state = state
        self._side = side
        self._stop = stop
        self._later = later
        self._form_by_side: dict[str, JudgingForm] = {}

    def _stop_of(self, side: str) -> TabStop:
        """Which of a side's shots is judged again."""
        if side == self._side:
            return self._stop
        return TabStop(_latest_shot(self._state, side))

    def _form(self, facts: Answers) -> JudgingForm:
        """The form of the side's shot. It is made only once it is needed, since the command stands
        on the strip of keys all the time and is seldom begun."""
        side = facts["side"]
        if side not in self._form_by_side:
            self._form_by_side[side] = _form_of(self._state, self._stop_of(side))
        return self._form_by_side[side]

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """The questions of the form."""
        return self._form(facts).slots(facts)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """The toggles of the form, and keys to other shots until it is known what was wrong."""
        toggles = self._form(facts).toggles(facts)
        if facts.get("what"):
            return toggles
        side = facts["side"]
        return (*toggles, *_keys_to_other_shots(self._state, self._stop_of(side), side))

    def preview(self, facts: Answers) -> Page:
        """What is judged again, and what to check after it."""
        return Page("", (self._form(facts).heading(), *_lines_to_check(self._later)))

    def words_for_others(self, facts: Answers, viewer: str | None) -> str:
        """What the other side reads meanwhile."""
        del viewer  # a shot that was judged is secret to nobody
        return self._form(facts).words_for_others()

    def order(self, **facts: Any) -> AnyOrder:
        """The order that the answers come to."""
        return self._form(facts).order(facts)


def _form_of(state: State, stop: TabStop) -> JudgingForm:
    """The form of a shot, of a count, or of the whole volley that the shot ends."""

    def asking_for_row(wrong: str) -> AnyCommand:
        return judge_again(state, stop.shot, alone=stop.alone, wrong=wrong)

    verdict = state.verdict_of(stop.shot)
    if verdict is None:
        counted = state.count_of(stop.shot)
        assert counted is not None, "a shot is judged by itself or counted"
        return CountForm(state, counted, asking_for_row)
    volley = volley_of(state, verdict.shot)
    is_last = volley[-1].shot.id == stop.shot
    # The last shot of a volley stands for all of it; any other for itself.
    if stop.alone or not is_last:
        return ShotForm(state, verdict)
    # Where a part of the volley was counted, its last count stands for all of it.
    counts = _counts_of_volley(state, verdict)
    if counts:
        return CountForm(state, counts[-1], asking_for_row)
    if len(volley) == 1:
        return ShotForm(state, verdict)
    return ShotForm(state, verdict, volley)


def _counts_of_volley(state: State, verdict: Judged) -> list[HitsCounted]:
    """The counts of the volley to which a single shot belongs, as they were fired."""
    volley = verdict.shot.volley
    if not volley:  # fired by itself
        return []
    all_counts = state.counts_in_turn_of(verdict.shot.id)
    counts = [counted for counted in all_counts if counted.shot.volley == volley]
    # In the state a count that was put right stands behind all others of the turn.
    return sorted(counts, key=attrgetter("shot.id"))


def _lines_to_check(later: Sequence[int]) -> Iterator[Block]:
    """The sentence about later lines of the journal, if there are any."""
    if later:
        lines = ", ".join(map(str, later))
        yield Paragraph(f"Check the later lines about the same units: {lines}. They do not change.")


# ------------------------------------------------------------------ where Tab leads


def _keys_to_other_shots(state: State, stop: TabStop, side: str) -> Iterator[Toggle]:
    """Tab leads to the side's shot before this one, and another key to the latest shot of the other
    side."""
    following = _next_stop(state, side, stop)
    if following is not None:
        yield Toggle(
            name="shot",
            key="tab",
            label=_label_of_tab(state, side, stop, following),
            opens=partial(judge_again, state, following.shot, alone=following.alone),
        )
    enemy = state.setup.enemy_of(side).id
    shot_of_enemy = _latest_shot(state, enemy)
    if shot_of_enemy:
        label = f"shots of {state.setup.the(enemy)}"
        yield Toggle(
            name="side", key="o", label=label, opens=partial(judge_again, state, shot_of_enemy)
        )


def _label_of_tab(state: State, side: str, stop: TabStop, following: TabStop) -> str:
    """What Tab leads to from a stop: the one ``following`` it."""
    if not following.alone:
        # After the first shot of the battle Tab begins anew.
        if following.shot == _latest_shot(state, side):
            return "the last shot"
        return "the shot before"
    counted = state.count_of(following.shot)
    if counted is not None:
        return f"the {counted_shooters(state, counted)} before them"
    # From the whole volley to its single shots.
    if not stop.alone:
        return "shot by shot"
    return "the shot before"


def _latest_shot(state: State, side: str) -> int:
    """The number of the latest shot of a side; 0 if there is none."""
    for shot in _shots_latest_first(state, side):
        return shot.id
    return 0


def _next_stop(state: State, side: str, stop: TabStop) -> TabStop | None:
    """Where Tab leads from this stop: to the shot before it and, after the first shot of the
    battle, to the latest again. None if there is no other stop."""
    stops = _tab_stops(state, side)
    if len(stops) < 2:
        return None
    present_index = stops.index(_listed(state, stop, stops))
    return stops[(present_index + 1) % len(stops)]


def _listed(state: State, stop: TabStop, stops: list[TabStop]) -> TabStop:
    """The one of these stops that asks the same as a stop, which a line of the journal may have
    opened."""
    if stop in stops:
        return stop
    # A line of the journal opens a shot within a volley without ``alone``.
    by_itself = TabStop(stop.shot, alone=True)
    if by_itself in stops:
        return by_itself
    # The last count of a volley is judged with the whole of it (``_stops_of_volley``), which is
    # listed by its last single shot: after that nothing was counted.
    shot = state.shot_fired(stop.shot)
    assert shot is not None, "a stop is made of a shot that was fired"
    return TabStop(volley_of(state, shot)[-1].shot.id)


def _tab_stops(state: State, side: str) -> list[TabStop]:
    """All stops of a side, the latest first: each volley as a whole and then shot by shot."""
    stops: list[TabStop] = []
    for volley in _volleys(_shots_latest_first(state, side)):
        stops += _stops_of_volley(state, volley)
    return stops


def _volleys(shots: Iterator[Shooting]) -> list[list[Shooting]]:
    """The shots, those of one volley together; a shot that was fired by itself is alone."""
    volleys: list[list[Shooting]] = []
    for shot in shots:
        # The number 0 is that of no volley.
        if shot.volley and volleys and volleys[-1][0].volley == shot.volley:
            volleys[-1].append(shot)
        else:
            volleys.append([shot])
    return volleys


def _stops_of_volley(state: State, shots: list[Shooting]) -> list[TabStop]:
    """The stops of a volley, or of a single shot; ``shots`` with the latest first."""
    latest = shots[0].id
    whole = TabStop(latest)
    if len(shots) == 1:
        return [whole]
    # Parts of a volley may have been counted. Then the whole is judged with the last of these
    # counts (``_form_of``): a stop of its own would ask the same a second time.
    counts = {counted.shot.id for counted in state.counts_in_turn_of(latest)}
    last_count: int | None = None  # nothing was counted
    counts_of_volley = [shot.id for shot in shots if shot.id in counts]
    if counts_of_volley:
        last_count = max(counts_of_volley)
    stops = [whole]
    for shot in shots:
        if shot.id != last_count:
            stops.append(TabStop(shot.id, alone=True))
    return stops


def _shots_latest_first(state: State, side: str) -> Iterator[Shooting]:
    """The shots of a side, the latest first; a counted volley is there with its first shot."""
    # Turn by turn: often only the latest shot is wanted, and a long battle has hundreds.
    for turn in (state.present_turn, *reversed(state.past)):
        fired = [verdict.shot for verdict in (*turn.judged, *turn.counts)]
        own_shots = [shot for shot in fired if piece_side(shot.piece) == side]
        yield from sorted(own_shots, key=attrgetter("id"), reverse=True)
