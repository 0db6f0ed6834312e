"""Shots that are judged again, since something about them was wrong.

It is one command with two forms: ``ShotForm`` of a shot or a volley of single cards, and
``CountForm`` of a counted volley. Tab goes through all shots of a side (``_stations``), each time
to a command of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import CasualtyAsk, RepeatAsk, Shooting
from skirmish.games.plastic.battle.events import HitsCounted, Judged, Recalled
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    CountHits,
    Rejudge,
    decide,
    why_not,
)
from skirmish.games.plastic.battle.orders.counted_volley import shots_meant
from skirmish.games.plastic.battle.orders.firing import aim_of
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.orders.rejudged_shot import volley_of
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, row_of, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.counted_volley import (
    OF_A_COUNT,
    Tally,
    fewer_hits_slot,
    shooter_words,
    tally_slot,
    target_words,
)
from skirmish.games.plastic.commands.own_draws import (
    ESC_LEAVES,
    SUIT_OPTIONS,
    TAB_TO_SHOTS,
    WHICH_DRAW,
    Corrected,
    NumberedDraw,
    OwnDraws,
    drawn_word,
)
from skirmish.games.plastic.commands.sides import (
    FIRE,
    AnyCommand,
    BattleNow,
    CommandParts,
    Declared,
)
from skirmish.games.plastic.rules.shot import without_draw
from skirmish.games.plastic.shot_page import CIRCUMSTANCES, DEFAULTS
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.page import Block, Page, Paragraph, capital
from skirmish.tabletop.refusal import Refusal, Refused
from skirmish.tabletop.slots import (
    Choose,
    Either,
    Option,
    Slot,
    UnfitAnswer,
)

TARGET, SHOOTER = "target", "shooter"
"""What may have been wrong besides circumstances and draws: at whom it was, who fired. The answer
that names the row has the same name."""


class ShotStation(NamedTuple):
    """A shot that Tab comes to; ``alone``: without the rest of its volley."""

    shot: int
    alone: bool = False


def _stations(state: State, side: str) -> list[ShotStation]:
    """All that a side can have judged again, the latest first: each shot, and each volley as a
    whole and then in its parts."""
    stations: list[ShotStation] = []
    for shots in _shots_by_turn(state):
        its_shots = [shot for shot in shots if piece_side(shot.piece) == side]
        its_shots.sort(key=attrgetter("id"), reverse=True)
        for _, parts in groupby(its_shots, key=_volley_or_own):
            stations += _stations_of_volley(state, [shot.id for shot in parts])
    return stations


def _volley_or_own(shot: Shooting) -> int:
    """A number that the shots of one volley share, and that no other shot has."""
    if shot.volley:
        return shot.volley
    return -shot.id


def _stations_of_volley(state: State, parts: Sequence[int]) -> list[ShotStation]:
    """The stations of a volley, or of a single shot: ``parts`` are the numbers of its shots and
    counts, the latest first."""
    stations = [ShotStation(parts[0])]
    if len(parts) == 1:
        return stations
    counts = {counted.shot.id for counted in state.counts_in_turn_of(parts[0])}
    last_count = max(counts.intersection(parts), default=0)
    # The first station asks for the whole volley. Where part of it was counted, its form is that of
    # the last count (``_form``), which is then no station of its own.
    stations += [ShotStation(part, alone=True) for part in parts if part != last_count]
    return stations


def _shots_by_turn(state: State) -> Iterator[list[Shooting]]:
    """The shots of each player turn, the latest turn first."""
    yield [fired.shot for fired in (*state.judged, *state.counts)]
    for turn in reversed(state.past):
        yield [fired.shot for fired in (*turn.judged, *turn.counts)]


def _last_shot(state: State, side: str) -> int:
    """The number of the last shot of a side; 0 if there is none."""
    for shots in _shots_by_turn(state):
        its_shots = [shot.id for shot in shots if piece_side(shot.piece) == side]
        if its_shots:
            return max(its_shots)
    return 0


def _judging(
    state: State,
    station: ShotStation | None = None,
    later: Sequence[int] = (),
    wrong: str = "",
) -> CommandParts:
    """Judges a shot again, or its whole volley; without ``station`` the last one. ``later``: the
    numbers of the lines of the journal that depend on it. ``wrong``: ``TARGET`` or ``SHOOTER``
    where that of a counted volley is asked first."""
    last_stations = {}
    for fighting_side in state.setup.sides:
        last = _last_shot(state, fighting_side.id)
        if last:
            last_stations[fighting_side.id] = ShotStation(last)
    if station is None:
        # The later one of both sides' last shots: shots are numbered through the battle.
        last_numbers = [last_station.shot for last_station in last_stations.values()]
        station = ShotStation(max(last_numbers, default=0))
    fired = state.shot_fired(station.shot)
    if fired is None:
        return CommandParts(why_not="No shot has been fired yet.", word="")
    side = piece_side(fired.piece)
    forms = _Forms(state, {**last_stations, side: station}, later)
    # While another question is open, the strip of keys leaves this command out, since the question
    # comes first. But who dies, and who fires again, is asked because of the shot just judged: then
    # it may be the shot that was wrong.
    waits = state.ask is not None and not isinstance(state.ask, CasualtyAsk | RepeatAsk)
    word = "re-judge"
    if waits:
        word = ""
    given = {"side": side}
    if wrong:
        given["what"] = wrong
    return CommandParts(
        word=word,
        given=given,
        slots=forms.slots,
        toggles=forms.toggles,
        preview=forms.preview,
        words_for_others=forms.words_for_others,
        make=forms.order,
    )


class _Forms:
    """What the command asks: of each side it has the form of one station, and the answer ``side``
    says which of them is shown. A form is made when it is first needed."""

    def __init__(
        self, state: State, stations: Mapping[str, ShotStation], later: Sequence[int]
    ) -> None:
        self._state = state
        self._stations = stations
        self._later = later
        self._forms: dict[str, JudgingForm] = {}

    def _form_of(self, side: str) -> JudgingForm:
        """The form of the station of a side."""
        if side not in self._forms:
            self._forms[side] = _form(self._state, self._stations[side])
        return self._forms[side]

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        return self._form_of(facts["side"]).slots(facts)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """Those of the form and, until it is said what was wrong, the ways to other shots."""
        side = facts["side"]
        toggles = self._form_of(side).toggles(facts)
        if facts.get("what"):
            return toggles
        return (*toggles, *_ways_on(self._state, side, self._stations))

    def preview(self, facts: Answers) -> Page:
        """What is judged again, and what to check after it."""
        form = self._form_of(facts["side"])
        return Page("", (form.heading(), *_later_lines(self._later)))

    def words_for_others(self, facts: Answers, viewer: str | None) -> str:
        del viewer  # a shot that was judged is no secret
        return self._form_of(facts["side"]).words_for_others()

    def order(self, side: str, **facts: Any) -> AnyOrder:
        return self._form_of(side).order(facts)


def _form(state: State, station: ShotStation) -> JudgingForm:
    """The form of a shot, of a count, or of the whole volley that the shot ends."""
    verdict = state.verdict_of(station.shot)
    if verdict is None:
        counted = state.count_of(station.shot)
        assert counted is not None, "a shot is judged by itself or counted"
        return CountForm(state, counted, station)
    if station.alone:
        return ShotForm(state, verdict)
    volley = volley_of(state, verdict.shot)
    # The last shot of a volley stands for all of it; any other for itself.
    if volley[-1].shot.id != station.shot:
        return ShotForm(state, verdict)
    # Where a part of the volley was counted, its last count stands for all of it.
    counts = []
    if verdict.shot.volley:
        for counted in state.counts_in_turn_of(station.shot):
            if counted.shot.volley == verdict.shot.volley:
                counts.append(counted)
    if counts:
        return CountForm(state, counts[-1], station)
    if len(volley) > 1:
        return ShotForm(state, verdict, volley)
    return ShotForm(state, verdict)


def _ways_on(state: State, side: str, stations: Mapping[str, ShotStation]) -> Iterator[Toggle]:
    """Tab: through a volley and on to the side's shot before, round to the last. And the last shot
    of the other side."""
    station = stations[side]
    next_station = _station_after(state, side, station)
    if next_station is not None:
        label = _label_of(
            state, station, next_station, is_last=next_station.shot == _last_shot(state, side)
        )
        leads = partial(judge_again, state, next_station.shot, alone=next_station.alone)
        yield Toggle(name="shot", key="tab", label=label, leads=leads)
    enemy = state.setup.enemy_of(side).id
    if enemy in stations:
        label = f"shots of {state.setup.the(enemy)}"
        leads = partial(judge_again, state, stations[enemy].shot)
        yield Toggle(name="side", key="o", label=label, leads=leads)


def _station_after(state: State, side: str, station: ShotStation) -> ShotStation | None:
    """Where Tab leads from there; None if there is nothing else."""
    stations = _stations(state, side)
    if len(stations) < 2:
        return None
    if station in stations:
        place = stations.index(station)
    else:
        # The journal opens any shot without saying ``alone``, also one within a volley.
        shots = [listed.shot for listed in stations]
        place = shots.index(station.shot)
    return stations[(place + 1) % len(stations)]


def _label_of(
    state: State, station: ShotStation, next_station: ShotStation, *, is_last: bool
) -> str:
    """The label of the key that leads to the shot before this one, to a counted volley, or from a
    volley to its shots."""
    if next_station.alone:
        counted = state.count_of(next_station.shot)
        if counted is not None:
            return f"the {_who_fired(state, counted)} before them"
        if not station.alone:
            return "shot by shot"
        return "the shot before"
    if is_last:
        return "the last shot"
    return "the shot before"


def _judging_of(battle: BattleNow) -> CommandParts:
    """Judges the last shot of a battle again."""
    return _judging(battle.state)


AGAIN = Declared(
    "tab",
    "judge_again",
    FIRE,
    Rejudge,
    "Judge the last shot again: Tab c; Tab again for the one before. In a question: the other "
    "side, another model",
    parts=_judging_of,
)


def judge_again(
    state: State,
    shot: int,
    *,
    alone: bool = False,
    later: Sequence[int] = (),
    wrong: str = "",
) -> AnyCommand:
    """The command that judges this shot again, or its volley if it is the last of one."""

    def parts(battle: BattleNow) -> CommandParts:
        del battle
        return _judging(state, ShotStation(shot, alone), later, wrong)

    return AGAIN._replace(parts=parts).command(BattleNow(state))


def shot_in(play: BattlePlay, entries: Sequence[int]) -> int:
    """The last shot in these entries that can be judged again; 0 if there is none."""
    last = 0
    for entry in play.live:
        if entry.number not in entries:
            continue
        for event in entry.events:
            if not isinstance(event, HitsCounted | Judged):
                continue
            if play.state.shot_fired(event.shot.id) is not None:
                last = event.shot.id
    return last


class JudgingForm(ABC):
    """What is asked about a shot or a volley that is judged again, and the order that the answers
    come to. The answer ``what`` says what was wrong."""

    def __init__(self, state: State, shot: Shooting) -> None:
        self.state = state
        self.side = piece_side(shot.piece)

    @abstractmethod
    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """What is asked, as far as the answers so far have led."""

    @abstractmethod
    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """What a key switches now."""

    @abstractmethod
    def heading(self) -> Paragraph:
        """What is judged again, and how it was judged."""

    @abstractmethod
    def words_for_others(self) -> str:
        """What the other side is told while the shot is judged again."""

    @abstractmethod
    def order(self, facts: Answers) -> Rejudge | CountHits:
        """The order that the answers come to."""

    @abstractmethod
    def order_with_row(self, wrong: str, row: Row) -> Rejudge | CountHits:
        """The order if that row was the target or the shooter."""

    def which_row(self, wrong: str) -> Slot:
        """The question which row was the target or the shooter (``wrong``), with the reason against
        those that cannot have been."""
        battle = BattleNow(self.state)
        side = self.side
        text = f"{battle.people(side)}: who fired?"
        if wrong == TARGET:
            side = battle.enemy(self.side)
            text = f"{battle.people(side)}: at whom was it?"
        options = []
        for row in rows(self.state, side):
            against = self._against(wrong, row)
            options.append(battle.option(row, why_not=against))
        return battle.choose(wrong, text, side, options, tab=False)

    def _against(self, wrong: str, row: Row) -> str:
        """Why it cannot have been that row; empty if it can."""
        refusal = why_not(self.state, self.order_with_row(wrong, row))
        if refusal is None or refusal.code == "no_suit":  # the suit is asked for next
            return ""
        if refusal.code == "no_change":
            return AS_JUDGED
        # Advice is given when the order is: it does not make the row impossible.
        if refusal.firm:
            return refusal.message
        return ""

    def suit_slots(
        self, order: Rejudge | CountHits, facts: Answers, *, of_several: bool
    ) -> list[Slot]:
        """The suits that were given, whose questions are answered, and the next that is wanted."""
        slots: list[Slot] = []
        for shot in suits_given(facts):
            slots.append(Choose(name=SuitOfShot(shot).name, text="", options=SUIT_OPTIONS))
        wanted = order.suits_wanted(self.state)
        if wanted:
            verdict = wanted[0]
            card = "it"
            if of_several:
                card = f"the {verdict.draw.rank_words}"
            name = SuitOfShot(verdict.shot.id).name
            slots.append(Choose(name=name, text=f"Which suit had {card}?", options=SUIT_OPTIONS))
        return slots

    def when(self, shot: int) -> str:
        """``turn 3, `` for a shot of a turn that is over."""
        past = self.state.past_of(shot)
        if past is None:
            return ""
        return f"turn {past.turn}, "


AS_JUDGED = "That is how it was judged."


class CircumstanceChange(NamedTuple):
    """A circumstance that may have been other: its name, its key, in words what it would be, and
    the reason against it."""

    name: str
    key: str
    words: str
    refusal: Refusal | None


class ShotForm(JudgingForm):
    """A shot, or a ``volley`` of single cards. The answer ``what`` is the circumstance that was
    wrong, another target or shooter, or the correct draws. Then missing suits are asked for, and
    what becomes of repeat shots after a hit that is none now."""

    def __init__(self, state: State, judged: Judged, volley: Sequence[Judged] = ()) -> None:
        super().__init__(state, judged.shot)
        self.judged, self.volley = judged, volley
        # The program has not misread its own draw, but players may have.
        self.may_be_misread = state.sources[state.source_of(self.side)].typed
        self.by_die = not judged.draw.is_card

    def heading(self) -> Paragraph:
        explain = ""
        if not self.volley:
            explain = without_draw(self.judged.explain, self.judged.draw)
        return Paragraph(explain, lead=f"Judge again: {self._summary()}")

    def words_for_others(self) -> str:
        return f"The shot is judged again: {self._summary()}"

    def _summary(self) -> str:
        """``Rifle > Rifle, 5S: hit.``, with the turn if it is over."""
        state, judged = self.state, self.judged
        when = self.when(judged.shot.id)
        target = target_words(state, judged.shot)
        if self.volley:
            hits = sum(verdict.hit for verdict in self.volley)
            all_of_it = f"the whole volley: {hits} of {len(self.volley)} hit."
            return f"{when}{self._squads()} > {target}, {all_of_it}"
        shooter = shooter_words(state, judged.shot, _unit_that_fired(state, judged.shot))
        result = "miss"
        if judged.hit:
            result = "hit"
        return f"{when}{shooter} > {target}, {judged.draw}: {result}."

    def _squads(self) -> str:
        """``3 Rifle Guys, Machinegun``: who fired in the volley."""
        # A set, since with repeat fire one piece has several shots.
        pieces_of_unit: dict[str, set[str]] = {}
        for verdict in self.volley:
            unit_id = _unit_that_fired(self.state, verdict.shot)
            pieces_of_unit.setdefault(unit_id, set()).add(verdict.shot.piece)
        squads = []
        for unit_id, pieces in pieces_of_unit.items():
            unit = self.state.setup.unit(unit_id)
            if len(pieces) > 1:
                squads.append(unit.named(len(pieces)))
            else:
                squads.append(unit.short)
        return ", ".join(squads)

    @cached_property
    def unchanged(self) -> Rejudge:
        """The order that would change nothing, from which those are made that do."""
        return replace(as_judged(self.state, self.judged.shot), volley=bool(self.volley))

    def order_with_row(self, wrong: str, row: Row) -> Rejudge:
        return replace(self.unchanged, **{wrong: row.key})

    def order(self, facts: Answers) -> Rejudge:
        order = self._corrected(facts)
        return replace(order, suits=suits_given(facts), chain=facts.get("chain") == "back")

    def _corrected(self, facts: Answers) -> Rejudge:
        """The order with what was wrong put right: another row, a circumstance by its name, one
        draw of the volley by its number, or the draw of a single shot as it was typed."""
        wrong = facts.get("what")
        if wrong in (TARGET, SHOOTER):
            return replace(self.unchanged, **{wrong: facts.get(wrong)})
        if isinstance(wrong, str):  # the name of a circumstance
            return _flipped(self.unchanged, wrong)
        if isinstance(wrong, Corrected):  # one card of the volley
            ((number, draw),) = wrong.numbers.items()
            return replace(as_judged(self.state, self.volley[number - 1].shot), draw=draw)
        if isinstance(wrong, tuple):  # the draw of a single shot, as it was typed
            return replace(self.unchanged, draw=wrong[0])
        return self.unchanged

    @cached_property
    def changes(self) -> list[CircumstanceChange]:
        """The circumstances that may have been other than judged."""
        changes = []
        for name, circumstance in CIRCUMSTANCES.items():
            # Whether the man was in contact ("apart") is not judged again.
            if not hasattr(self.unchanged, name):
                continue
            words = circumstance.default
            if getattr(self.unchanged, name) == DEFAULTS[name]:
                words = circumstance.alternative
            refusal = why_not(self.state, _flipped(self.unchanged, name))
            changes.append(CircumstanceChange(name, circumstance.key, words, refusal))
        return changes

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        wrong = facts.get("what")
        slots: list[Slot] = [self._what_was_wrong()]
        if not wrong:
            return tuple(slots)
        if wrong in (TARGET, SHOOTER):
            slots.append(self.which_row(wrong))
            if not facts.get(wrong):
                return tuple(slots)
        order = self.order(facts)
        slots += self.suit_slots(order, facts, of_several=bool(self.volley))
        if not order.suits_wanted(self.state):
            slots += self._chain_slots(order)
        return tuple(slots)

    def _chain_slots(self, order: Rejudge) -> list[Slot]:
        """The question what becomes of the repeat shots after one that now misses; none if none
        followed."""
        repeat_shots = _repeat_shots_cut_off(self.state, order)
        if not repeat_shots:
            return []
        shots = f"{repeat_shots} repeat shots"
        if repeat_shots == 1:
            shots = "1 repeat shot"
        options = (
            Option(value="back", label="take back what they did", key="n"),
            Option(value="stay", label="leave it", key="k"),
        )
        text = f"Now a miss, but {shots} followed."
        return [Choose(name="chain", text=text, options=options, default="back")]

    def _what_was_wrong(self) -> Slot:
        """The first question: a circumstance, the row, or else the draw, which is typed."""
        text = "What was wrong?"
        choice = self._choice_of_what(text)
        if not self.may_be_misread:
            return choice
        key_note = ""
        if self.volley:
            draw: OwnDraws = NumberedDraw(
                name="what", text="", die=self.by_die, shot_count=len(self.volley)
            )
        else:
            draw = OwnDraws(name="what", text="", die=self.by_die, single=True)
            text = f"{text} Another {drawn_word(self.by_die)}?"
            key_note = "Just type what it really was."
        return Either(name="what", text=text, key_note=key_note, ways=(choice, draw))

    def _choice_of_what(self, text: str) -> Choose:
        """The circumstances that would change the shot, and the rows."""
        who = "he was"
        if self.volley:
            who = "they were"
        options = []
        for change in self.changes:
            if change.refusal is None or change.refusal.code == "no_suit":
                label = f"{who} {change.words}"
                options.append(Option(value=change.name, key=change.key, label=label))
        keys = "No other circumstance changes this shot."
        if options:
            keys = "Type its key."
        if not self.may_be_misread:
            keys = f"{keys} {ESC_LEAVES}"
        options.append(Option(value=TARGET, key="t", label="at another target"))
        options.append(Option(value=SHOOTER, key="f", label="another fired"))
        return Choose(
            name="what",
            text=text,
            options=tuple(options),
            keys=keys,
            unknown=self.why_nothing_changes,
        )

    def why_nothing_changes(self, typed: str) -> UnfitAnswer | None:
        """Why a key changes nothing: the circumstance makes no difference, or is impossible. None
        where the question itself says enough."""
        if self.volley and self.may_be_misread:
            if typed[:1].isdigit():
                return UnfitAnswer(WHICH_DRAW, key_note=TAB_TO_SHOTS)
            return None
        for change in self.changes:
            if change.key == typed and change.refusal is not None:
                return UnfitAnswer(f"{capital(change.words)}: {change.refusal}")
        keys = []
        for change in self.changes:
            circumstance = CIRCUMSTANCES[change.name]
            keys.append(f"{circumstance.key} {circumstance.alternative}")
        keys_in_words = ", ".join([*keys, "t at another target", "f another fired"])
        if not self.may_be_misread:
            return UnfitAnswer(f"{keys_in_words}.", key_note=ESC_LEAVES)
        drawn, sample = drawn_word(self.by_die), "7h"
        if self.by_die:
            sample = "7"
        text = f"{keys_in_words}; or the true {drawn}, {sample}, and Enter."
        return UnfitAnswer(text, key_note=ESC_LEAVES)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        del facts  # what was wrong is chosen
        return ()


def _later_lines(later: Sequence[int]) -> Iterator[Block]:
    """What to check after a shot with lines that depend on it."""
    if later:
        lines = ", ".join(map(str, later))
        yield Paragraph(f"Check the later lines about the same units: {lines}. They do not change.")


class CountForm(JudgingForm):
    """A counted volley, of which the numbers are asked again.

    Meanwhile the keys ``c`` and ``h`` say that all were in cover or hull down, or were not; that
    holds for cards of the same volley that were typed one by one, too. ``t`` and ``f`` (in the
    answer ``what``) first ask for another target or shooter.
    """

    def __init__(self, state: State, counted: HitsCounted, station: ShotStation) -> None:
        super().__init__(state, counted.shot)
        self.counted = counted
        self.station = station
        self.typed_beside: list[Judged] = []
        """The cards of the same volley that were typed one by one."""
        if counted.shot.volley:
            self.typed_beside = volley_of(state, counted.shot)

    def heading(self) -> Paragraph:
        who = _who_fired(self.state, self.counted)
        lead = f"Judge again: {self.when(self.counted.shot.id)}{who}."
        return Paragraph(self.counted.narrate(self.state), lead=lead)

    def words_for_others(self) -> str:
        return "A volley is counted again."

    def order_with_row(self, wrong: str, row: Row) -> CountHits:
        # This order only serves to ask the rules whether the row is possible. How many it hit is
        # asked of the players afterwards.
        nobody_hit = CountHits(low=0, anew=self.counted.shot.id)
        circumstances = self.counted.shot.at
        return replace(
            nobody_hit,
            cover=circumstances.cover,
            hull_down=circumstances.hull_down,
            **{wrong: row.key},
        )

    def _against(self, wrong: str, row: Row) -> str:
        shot = self.counted.shot
        if row.key in (shot.target, row_of(self.state, shot.piece)):
            return AS_JUDGED
        return super()._against(wrong, row)

    def circumstances(self, facts: Answers) -> dict[str, bool]:
        """The circumstances of the whole volley."""
        as_counted = self.counted.shot.at
        return {name: facts.get(name, getattr(as_counted, name)) for name in OF_A_COUNT}

    def shot(self, facts: Answers) -> Shooting:
        """The first shot of the count, with the target, the shooter and the circumstances that the
        answers say."""
        target, shooter = facts.get(TARGET), facts.get(SHOOTER)
        first = shots_meant(self.state, self.counted, target, shooter)[0]
        return replace(first, at=replace(first.at, **self.circumstances(facts)))

    def numbers(self, facts: Answers) -> dict[str, int]:
        """The numbers as they were counted, by their names in ``CountHits``; none if other cards
        hit now than those that were counted."""
        if aim_of(self.state, self.shot(facts)).needs != self.counted.needs:
            return {}
        counted = self.counted
        return {"low": counted.low, "aces": counted.aces, "saved": counted.saved}

    def order(self, facts: Answers) -> CountHits:
        # Until the tally is answered, the present numbers hold.
        numbers = facts.get("tally") or {"low": 0, **self.numbers(facts)}
        if facts.get("fewer") is not None:
            numbers = {**numbers, "low": facts["fewer"]}
        circumstances = self.circumstances(facts)
        return CountHits(
            **numbers,
            cover=circumstances["cover"],
            hull_down=circumstances["hull_down"],
            anew=self.counted.shot.id,
            suits=suits_given(facts),
            target=facts.get(TARGET),
            shooter=facts.get(SHOOTER),
        )

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        slots: list[Slot] = []
        wrong = facts.get("what")
        if wrong:
            slots.append(self.which_row(wrong))
            if not facts.get(wrong):
                return tuple(slots)
        slots.append(self._tally_slot(facts))
        if not facts.get("tally"):
            return tuple(slots)
        fewer = self._fewer_slot(facts)
        if fewer is not None:
            slots.append(fewer)
            if facts.get("fewer") is None:
                return tuple(slots)
        slots += self.suit_slots(self.order(facts), facts, of_several=True)
        return tuple(slots)

    def _fewer_slot(self, facts: Answers) -> Slot | None:
        """The question after a count that is higher than it can be; None if it is not."""
        shot, counted = self.shot(facts), self.counted
        # As many as could be hit when it was counted. Another target may differ in that, as where a
        # model was meant and not guys.
        in_reach = counted.reach
        if shot.reach != counted.shot.reach:
            in_reach = shot.reach
        # Whose weapon broke down is not counted anew, and cannot have hit.
        tally = {**facts["tally"], "broken": counted.broken}
        return fewer_hits_slot(aim_of(self.state, shot), len(counted.pieces), in_reach, tally)

    def _tally_slot(self, facts: Answers) -> Tally:
        shot_count = len(self.counted.pieces)
        numbers = self.numbers(facts)
        beside = ""
        if self.typed_beside:
            hits = sum(verdict.hit for verdict in self.typed_beside)
            beside = f", beside {len(self.typed_beside)} typed card by card ({hits} hit)"
        return tally_slot(
            self.state, self.shot(facts), shot_count, numbers, anew=True, beside=beside
        )

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        wrong = facts.get("what")
        if wrong and not facts.get(wrong):
            return ()
        toggles = list(self._circumstance_toggles(facts))
        if not wrong:
            toggles.append(self._row_toggle(TARGET, "t", "at another target"))
            toggles.append(self._row_toggle(SHOOTER, "f", "others fired"))
        return tuple(toggles)

    def _circumstance_toggles(self, facts: Answers) -> Iterator[Toggle]:
        """The toggles of circumstances that could save a man of this volley."""
        for name in OF_A_COUNT:
            if name == "hull_down" and not self.state.options.hull_down:
                continue
            if name not in aim_of(self.state, self.shot({**facts, name: True})).saves:
                continue
            circumstance = CIRCUMSTANCES[name]
            holds = self.circumstances(facts)[name]
            label = f"all {circumstance.alternative}"
            if holds:
                label = f"all {circumstance.default}"
            yield Toggle(name=name, key=circumstance.key, label=label, sets={name: not holds})

    def _row_toggle(self, wrong: str, key: str, label: str) -> Toggle:
        """Leads to the question which row it was, and then to the numbers."""
        leads = partial(
            judge_again, self.state, self.station.shot, alone=self.station.alone, wrong=wrong
        )
        return Toggle(name=wrong, key=key, label=label, leads=leads)


def _who_fired(state: State, counted: HitsCounted) -> str:
    """``3 Rifle Guys``."""
    unit = state.setup.unit(_unit_that_fired(state, counted.shot))
    return unit.named(len(counted.pieces))


class SuitOfShot(NamedTuple):
    """The answer which suit the card of a ``shot`` had, by the number of the shot. There may be one
    for each shot of a volley, so the number stands in the name of the slot: ``suit3``."""

    shot: int

    @property
    def name(self) -> str:
        """The name under which the answer is stored; it has the number of the shot."""
        return f"suit{self.shot}"

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The answer with that name; None for an answer to another question."""
        if not name.startswith("suit"):
            return None
        return cls(int(name.removeprefix("suit")))


def suits_given(facts: Answers) -> dict[int, str]:
    """The suits among the answers, by the number of their shot."""
    suits = {}
    for name, answer in facts.items():
        suit = SuitOfShot.named(name)
        if suit is not None:
            suits[suit.shot] = answer
    return suits


def _repeat_shots_cut_off(state: State, order: Rejudge) -> int:
    """How many repeat shots followed one that misses by this order; 0 if it hits all the same, or
    if the order would be refused."""
    try:
        # With ``chain`` the events say which repeat shots are taken back.
        events = decide(state, replace(order, chain=True))
    except Refused:
        return 0
    return sum(len(event.chain) for event in events if isinstance(event, Recalled))


def _flipped(order: Rejudge, name: str) -> Rejudge:
    """The order with a circumstance the other way round."""
    return replace(order, **{name: not getattr(order, name)})


def _unit_that_fired(state: State, shot: Shooting) -> str:
    """The shooter's unit when it fired: its weapon may have broken down since."""
    present_unit = state.unit_of(shot.piece)
    if shot.weapon in state.setup.unit(present_unit).weapons:
        return present_unit
    return state.piece(shot.piece).unit
