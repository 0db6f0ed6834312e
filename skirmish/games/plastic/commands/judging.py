"""Draws typed by the players, a volley entered as one count, and shots judged again.

To judge again is one command with two forms: ``ShotForm`` of a shot or a volley of single cards,
and ``CountForm`` of a counted volley. Tab goes through all shots of a side (``_stations``), each
time to a command of its own.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import groupby
from typing import Any, ClassVar, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import CasualtyAsk, RepeatAsk, Shooting, ToJudge
from skirmish.games.plastic.battle.events import HitsCounted, Judged, Recalled
from skirmish.games.plastic.battle.names import piece_side, row_side, row_unit
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    CountHits,
    Rejudge,
    Volley,
    decide,
    why_not,
)
from skirmish.games.plastic.battle.orders.firing import aim_of
from skirmish.games.plastic.battle.orders.rejudge import (
    as_judged,
    shots_meant,
    suits_wanted,
    volley_of,
    volley_to_count,
)
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, row_of, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.sides import (
    FIRE,
    AnyCommand,
    BattleNow,
    CommandParts,
    Declared,
    key,
)
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.shot import Aim, ranks_that_hit, without_draw
from skirmish.games.plastic.shot_page import CIRCUMSTANCES, DEFAULTS
from skirmish.tabletop.chance import Draw, DrawError, lettered, parse_card, parse_roll
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.page import Block, Page, Paragraph, capital
from skirmish.tabletop.refusal import Refusal, Refused, with_key_note
from skirmish.tabletop.slots import (
    TAB,
    TOO_MANY,
    Choose,
    Either,
    Fewer,
    Option,
    Slot,
    TouchKey,
    UnfitAnswer,
)

SUIT_OPTIONS = (
    Option(value="S", label="spades", key="s", note="♠ black"),
    Option(value="H", label="hearts", key="h", note="♥ red"),
    Option(value="D", label="diamonds", key="d", note="♦ red"),
    Option(value="C", label="clubs", key="c", note="♣ black"),
)
"""Each with its colour: black cards miss in cover."""
OF_A_COUNT = ("cover", "hull_down")
"""The circumstances that can be set for a counted volley: those of ``CountHits``."""
# A 1 is an ace, too: on a die it is a 1, and players type what they see.
RANKS = {"a": 1, "j": 11, "q": 12, **{str(rank): rank for rank in range(1, DIE + 1)}}
FACES = {1: "A", 11: "J", 12: "Q"}
"""Ranks of cards that are not shown as their number."""
ESC_LEAVES = "Esc leaves."
DIGITS = "0123456789"
RANK_SIGNS = f"{DIGITS}aAjJqQkK"
SUIT_SIGNS = "sShHdDcC"
_RANK = "(?:1[0-2]|[1-9ajqk])"
_CARD = re.compile(f"{_RANK}[shdc]?", re.IGNORECASE)
_CARDS_IN_A_ROW = re.compile(f"(?:{_RANK}[shdc])+{_RANK}?", re.IGNORECASE)


class HitMark(msgspec.Struct, frozen=True, kw_only=True):
    """One of the numbers of a counted volley: the letter before it, its name and its label."""

    key: str
    name: str
    label: str


class Tally(Slot, frozen=True, kw_only=True):
    """Several numbers at once, as in ``5a1``: digits belong to the first, or to the letter before
    them; a number typed again replaces it. The answer is the numbers by the names of their marks;
    ``default`` are the present ones, and ``no_first`` is the sentence for a missing first number.
    ``tabs``: Tab goes on to the next number, where it does not lead to another shot."""

    marks: tuple[HitMark, ...]
    default: Mapping[str, int] = {}
    no_first: str = ""
    tabs: bool = True

    greedy: ClassVar[bool] = True

    @property
    def accepts(self) -> str:
        letters = ", ".join(f"{mark.key} {mark.label}" for mark in self.marks)
        return f"Digits, or {letters}."

    @property
    def key_hint(self) -> str:
        if self.tabs:
            return "Tab goes to the next number; Enter counts."
        return "Enter counts."

    @property
    def proposed(self) -> Any:
        if self.marks[0].name in self.default:
            return dict(self.default)
        return None

    @property
    def touch(self) -> tuple[TouchKey, ...]:
        # In the order of a keyboard's upper row.
        digits = tuple(TouchKey(digit, digit) for digit in "1234567890")
        letters = tuple(TouchKey(mark.key, mark.label) for mark in self.marks)
        return (*digits, *letters)

    def takes(self, sign: str, typed: str = "") -> bool:
        if sign == TAB:
            return self.tabs
        return sign.isdigit() or any(sign == mark.key for mark in self.marks)

    def in_number(self, typed: str) -> bool:
        return typed[-1:].isdigit()

    def numbers(self, typed: str) -> tuple[dict[str, int], str]:
        """The numbers typed so far, and the name of the one that gets the next digits."""
        numbers: dict[str, int] = {}
        mark = self.marks[0]
        by_key = {mark.key: mark for mark in self.marks}
        for digits, letter in re.findall(r"([0-9]+)|([^0-9 ])", typed):
            if letter:
                if letter not in by_key:
                    raise self.refused()
                mark = by_key[letter]
            # Nobody fields a hundred men in a volley; a third digit is a slip of the finger.
            elif len(digits) > 2:
                raise UnfitAnswer(TOO_MANY.format(digits))
            else:
                numbers[mark.name] = int(digits)
        return numbers, mark.name

    def so_far(self, typed: str) -> Any:
        """A change made meanwhile may have taken away a mark that is typed: Enter then says so."""
        try:
            numbers, _ = self.numbers(typed)
        except UnfitAnswer:
            return self.default
        return {**self.default, **numbers}

    def tabbed(self, typed: str) -> str:
        if not self.tabs:
            return super().tabbed(typed)
        _, current = self.numbers(typed)
        names = [mark.name for mark in self.marks]
        # Tab types the letter of the next number, so that it looks as if it had been typed.
        after = (names.index(current) + 1) % len(names)
        return typed + self.marks[after].key

    def parse(self, typed: str, done: bool) -> Any:
        numbers, _ = self.numbers(typed)
        if not done:
            return None
        numbers = {**self.default, **numbers}
        if self.marks[0].name not in numbers:
            if self.no_first:
                raise UnfitAnswer(self.no_first)
            raise self.refused()
        return numbers

    def shown(self, value: Any) -> str:
        parts = [f"{value[mark.name]} {mark.label}" for mark in self.marks if mark.name in value]
        return ", ".join(parts)


class OwnDraws(Slot, frozen=True, kw_only=True):
    """A player's own cards or rolls, several on one line: ``7 3h q 10``. A suit may be left out if
    it does not matter."""

    die: bool
    single: bool = False
    """Whether a single draw is corrected."""
    corrects: bool = False
    """Whether ``2=jc`` puts the second draw right."""

    spaced: ClassVar[bool] = True
    may_be_ahead: ClassVar[bool] = True

    @property
    def accepts(self) -> str:
        if self.single:
            return ""
        sample = "7 3h q 10"
        if self.die:
            sample = "7 3 11"
        text = f"{self._how_one_is_typed}; several on one line: {sample}."
        if self.corrects:
            return f"{text} {_puts_right(self.die)}."
        return text

    @property
    def key_hint(self) -> str:
        if self.single:
            return f"{self._how_one_is_typed}, then Enter. {ESC_LEAVES}"
        return "Esc takes it back."

    @property
    def _how_one_is_typed(self) -> str:
        if self.die:
            return "1 to 12"
        return "7h, qs, or the rank alone"

    @property
    def touch(self) -> tuple[TouchKey, ...]:
        if self.die:
            labels = [str(face) for face in range(1, DIE + 1)]
        else:
            highest = DECK[-1].rank  # the queen: the Kings are out
            labels = [FACES.get(rank, str(rank)) for rank in range(1, highest + 1)]
        # Each button types its rank and Enter.
        return tuple(TouchKey(f"{label.lower()}\n", label) for label in labels)

    def takes(self, sign: str, typed: str = "") -> bool:
        rank_is_typed = bool(typed) and not typed.endswith(" ")
        if sign == "=":  # behind the number of a draw, and nowhere else
            return self.corrects and rank_is_typed and typed.rsplit(maxsplit=1)[-1].isdigit()
        # A card begins with its rank; the suit, or the next card, may follow.
        if rank_is_typed and (sign in SUIT_SIGNS or sign == " "):
            return True
        return sign in RANK_SIGNS

    def parse(self, typed: str, done: bool) -> Any:
        if done and self.corrects and "=" in typed:
            return self._corrected(typed)
        if done:
            return self._read(typed)
        # Only the last character can be new; the others were taken before.
        if not self.takes(typed[-1], typed[:-1]) and typed[-1] != " ":
            raise self.refused()
        return None

    def _read(self, typed: str) -> tuple[Draw, ...]:
        try:
            return typed_draws(typed, self.die)
        except DrawError as error:
            # A single draw is deleted, to be typed anew. Of several the others may be right, so all
            # that was typed stays (None).
            rest: str | None = ""
            if len(_words_apart(typed, self.die)) > 1:
                rest = None
            raise UnfitAnswer(f"{error}.", rest) from None

    def _corrected(self, typed: str) -> Corrected:
        """``7h 2=jc``: the second draw was the jack of clubs, and the next is the seven."""
        numbers: dict[int, Draw] = {}
        new: list[str] = []
        for word in typed.split():
            number, equals, draw = word.partition("=")
            if equals:
                # ``takes`` lets an equals sign stand behind digits only.
                first, *next_ones = self._read(draw)
                numbers[int(number)] = first
                new += map(str, next_ones)
            else:
                new.append(word)
        more: tuple[Draw, ...] = ()
        if new:
            more = self._read(" ".join(new))
        return Corrected(numbers, more)

    def shown(self, value: Any) -> str:
        if isinstance(value, Corrected):
            pairs = [f"{number}={draw}" for number, draw in value.numbers.items()]
            return " ".join([*pairs, *map(str, value.more)])
        return " ".join(map(str, value))


def drawn_word(die: bool) -> str:
    """What a player has drawn with his own hand: a card, or a roll of a die."""
    if die:
        return "roll"
    return "card"


def _puts_right(die: bool) -> str:
    if die:
        return "2=11 puts roll 2 right"
    return "2=jc puts card 2 right"


class NumberedDraw(OwnDraws, frozen=True, kw_only=True):
    """One of ``many`` typed draws that was another: ``2=jc``."""

    many: int

    @property
    def accepts(self) -> str:
        return ""

    @property
    def key_hint(self) -> str:
        return f"{_puts_right(self.die)}, then Enter. {ESC_LEAVES}"

    def parse(self, typed: str, done: bool) -> Any:
        if done and "=" not in typed:
            raise UnfitAnswer(WHICH_DRAW, key_note=with_key_note(TAB_TO_SHOTS, self.hint))
        # None while the line is still being typed.
        corrected = super().parse(typed, done)
        if corrected is None:
            return None
        numbers = list(corrected.numbers)
        if len(numbers) > 1 or corrected.more:
            raise self.refused("One at a time.")
        if not 1 <= numbers[0] <= self.many:
            raise UnfitAnswer(f"There are shots 1 to {self.many} in this volley.")
        return corrected


WHICH_DRAW = "Which of them was misread?"
TAB_TO_SHOTS = "Tab goes to its shots one by one."


class Corrected(msgspec.Struct, frozen=True):
    """Typed draws that were others, by their numbers, and ``more`` that come after them."""

    numbers: dict[int, Draw]
    more: tuple[Draw, ...] = ()


def typed_draws(text: str, die: bool) -> tuple[Draw, ...]:
    """The draws in order, cards with or without suit; raises DrawError (a sentence)."""
    written = _words_apart(text, die)
    if not written:
        wanted = "a card, as in 7h, qs or 10"
        if die:
            wanted = f"a roll, 1 to {DIE}"
        raise DrawError(f"Nothing was typed: {wanted}")
    if die:
        return tuple(parse_roll(roll, DIE) for roll in written)
    return tuple(_card(card) for card in written)


def _words_apart(text: str, die: bool) -> list[str]:
    """Each card or roll of a line. Cards may be typed without a space between them, ``7c9d``: a
    suit ends a card."""
    words = []
    for word in text.split():
        if not die and _CARDS_IN_A_ROW.fullmatch(word):
            words += _CARD.findall(word)
        else:
            words.append(word)
    return words


def _card(text: str) -> Draw:
    signs = lettered(text).lower()
    rank, suit = signs, None
    if signs and signs[-1] in SUIT_SIGNS:
        rank, suit = signs[:-1], signs[-1].upper()
    # Else perhaps a card in words or with its sign: ``7♥``; parse_card has the sentence for
    # nonsense.
    if rank in RANKS:
        return Draw(RANKS[rank], suit)
    return parse_card(text, DECK[-1].rank)


# ------------------------------------------------------------------ a volley in one count

NO_VOLLEY = "= counts the hits of a volley: how many fire, who, at whom, then =."


@key("=", "tally", FIRE, CountHits, "A whole volley of your own cards in one count: 40rr=12, Enter")
def tally(battle: BattleNow) -> CommandParts:
    """Counts the rest of a volley, of a mixed one row by row; a drafted volley is fired first."""
    state = battle.state
    label = "Count the hits of a volley"
    why_not_after = partial(_why_no_tally, state)
    volley = volley_to_count(state)
    if volley is None:
        return CommandParts(label=label, after=why_not_after, word="", why_not=NO_VOLLEY)
    judge = state.agenda[0]
    assert isinstance(judge, ToJudge)
    # The shooter whose turn it is, and those of his row behind him.
    pieces = (judge.shot.piece, *volley.pieces)
    counting = _tally_slot(state, judge.shot, len(pieces), {})
    # Who was hit by an earlier row of the same volley is no target for this one.
    in_reach = volley.reach - len(volley.hits)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        counted = facts.get("tally")
        if counted is None:
            return (counting,)
        fewer = _fewer_hits(aim_of(state, judge.shot), len(pieces), in_reach, counted)
        if fewer is None:
            return (counting,)
        return (counting, fewer)

    return CommandParts(
        label=label,
        after=why_not_after,
        word="count hits",
        why_not="",
        slots=slots,
        make=_counted_hits,
        reopens=bool(volley.parties),
    )


def _counted_hits(tally: Mapping[str, Any], fewer: int | None = None) -> CountHits:
    """The count that was typed; ``fewer`` hits, if it was higher than it can be."""
    if fewer is None:
        return CountHits(**tally)
    return CountHits(**{**tally, "low": fewer})


def _fewer_hits(aimed: Aim, firing: int, in_reach: int, tally: Mapping[str, int]) -> Slot | None:
    """The question after a count of hits that is higher than it can be: without repeat fire each
    shooter hits once at most, with it (a chain) everybody in reach may be hit."""
    count = tally.get("low", 0)
    if aimed.repeat is None:
        most = tally.get("fired", firing) - tally.get("broken", 0)
        # A hit that cover saves takes nobody away, and may be one of many on the same man.
        most = min(most, in_reach + tally.get("saved", 0))
    else:
        most = in_reach + tally.get("saved", 0)
    # Below nothing the other numbers are wrong, and the order will say which.
    if count <= most or most < 0:
        return None
    text = f"At most {most} can hit, not {count}."
    return Fewer(name="fewer", text=text, default=most, number="tally")


def _why_no_tally(state: State, order: AnyOrder) -> str:
    if not isinstance(order, Volley):
        return NO_VOLLEY
    side = row_side(order.shooter)
    if not state.sources[state.source_of(side)].typed:
        return "The program draws for this side: Space."
    return ""


def _tally_slot(
    state: State,
    shot: Shooting,
    shot_count: int,
    default: Mapping[str, int],
    *,
    anew: bool = False,
    beside: str = "",
) -> Tally:
    """The numbers that matter for a volley of so many shots like this one; ``anew``: it was counted
    before, so who fired and what broke down stays. ``beside``: what the volley had besides, at the
    end of its text."""
    aimed = aim_of(state, shot)
    unit = _shooter_words(state, shot, state.unit_of(shot.piece))
    target = _target_words(state, shot)
    claims = [CIRCUMSTANCES[name].alternative for name in OF_A_COUNT if name in aimed.saves]
    in_words = "".join(f", {words}" for words in claims)
    marks = tuple(_hit_marks(state, shot, shot_count, anew=anew))
    names = {mark.name for mark in marks}
    return Tally(
        name="tally",
        large="HOW MANY HIT?",
        text=f"{shot_count} {unit} > {target}{in_words}{beside}.",
        marks=marks,
        default={name: number for name, number in default.items() if name in names},
        no_first="First how many were low enough; 0 if none was.",
        tabs=not anew,
    )


def _hit_marks(state: State, shot: Shooting, shot_count: int, *, anew: bool) -> Iterator[HitMark]:
    aimed = aim_of(state, shot)
    aces, saved = "aces that hit", "black, so saved"
    if state.sources[state.source_of(piece_side(shot.piece))].kind == "die":
        aces, saved = "ones that hit", "saved by their number"
    yield HitMark(key="l", name="low", label=f"low enough ({ranks_that_hit(aimed.needs)})")
    # An ace kills whom it was aimed at; near enough every hit does.
    if aimed.at_guy and aimed.exact is None:
        yield HitMark(key="a", name="aces", label=aces)
    if aimed.saves:
        yield HitMark(key="b", name="saved", label=saved)
    if anew:
        return
    if aimed.may_break:
        yield HitMark(key="q", name="broken", label="broke down")
    yield HitMark(key="f", name="fired", label=f"fired, if not {shot_count}")


# ------------------------------------------------------------------ judged again

TARGET, SHOOTER = "target", "shooter"
"""What else may have been wrong: at whom it was, who fired."""


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
        its_shots.sort(key=_number, reverse=True)
        for _, parts in groupby(its_shots, key=_volley_or_own):
            stations += _stations_of_volley(state, [shot.id for shot in parts])
    return stations


def _number(shot: Shooting) -> int:
    return shot.id


def _volley_or_own(shot: Shooting) -> int:
    """A number that the shots of one volley share, and that no other shot has."""
    if shot.volley:
        return shot.volley
    return -shot.id


def _stations_of_volley(state: State, parts: Sequence[int]) -> list[ShotStation]:
    """Of a volley, or a single shot, by its shots and counts, the latest first."""
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
    """Judges a shot again, or its whole volley; without ``station`` the last one, of the side that
    ``side`` names. ``later`` lines depend on it. ``wrong``: of a count that was at another target
    or by another shooter."""
    stations = {}
    for fighting_side in state.setup.sides:
        last = _last_shot(state, fighting_side.id)
        if last:
            stations[fighting_side.id] = ShotStation(last)
    if station is None:
        # The later one of both sides' last shots: shots are numbered through the battle.
        station = ShotStation(max((last.shot for last in stations.values()), default=0))
    fired = state.shot_fired(station.shot)
    if fired is None:
        return CommandParts(why_not="No shot has been fired yet.", word="")
    side = piece_side(fired.piece)
    stations[side] = station

    @cache
    def form_of(side: str) -> Form:
        return _form(state, stations[side])

    def slots(facts: Answers) -> tuple[Slot, ...]:
        return form_of(facts["side"]).slots(facts)

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        of_side = facts["side"]
        toggles_of_form = form_of(of_side).toggles(facts)
        if facts.get("what"):
            return toggles_of_form
        return (*toggles_of_form, *_ways_on(state, of_side, stations))

    def preview(facts: Answers) -> Page:
        form = form_of(facts["side"])
        return Page("", (form.heading(), *_later_lines(later)))

    def words_for_others(facts: Answers, viewer: str | None) -> str:
        del viewer  # a shot that was judged is no secret
        return form_of(facts["side"]).words_for_others()

    def make(side: str, **facts: Any) -> AnyOrder:
        return form_of(side).order(facts)

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
        slots=slots,
        toggles=toggles,
        preview=preview,
        words_for_others=words_for_others,
        make=make,
    )


def _form(state: State, station: ShotStation) -> Form:
    """The form of a shot, of a count, or of the whole volley that the shot ends."""
    verdict = state.verdict_of(station.shot)
    if verdict is None:
        counted = state.count_of(station.shot)
        assert counted is not None
        return CountForm(state, counted, station)
    if station.alone:
        return ShotForm(state, verdict)
    volley = volley_of(state, verdict.shot)
    if volley[-1].shot.id != station.shot:
        return ShotForm(state, verdict)
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
    else:  # the journal opens a shot within a volley
        place = [station.shot for station in stations].index(station.shot)
    return stations[(place + 1) % len(stations)]


def _label_of(
    state: State, station: ShotStation, next_station: ShotStation, *, is_last: bool
) -> str:
    if next_station.alone:
        counted = state.count_of(next_station.shot)
        if counted is not None:
            return f"the {_who_counted(state, counted)} before them"
        if not station.alone:
            return "shot by shot"
        return "the shot before"
    if is_last:
        return "the last shot"
    return "the shot before"


def _judging_of(battle: BattleNow) -> CommandParts:
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


class Form(ABC):
    """What is asked about a shot or a volley that is judged again, and the order that the answers
    come to. Of the answers ``what`` is what was wrong."""

    def __init__(self, state: State, shot: Shooting) -> None:
        self.state = state
        self.side = piece_side(shot.piece)

    @abstractmethod
    def slots(self, facts: Answers) -> tuple[Slot, ...]: ...

    @abstractmethod
    def toggles(self, facts: Answers) -> tuple[Toggle, ...]: ...

    @abstractmethod
    def heading(self) -> Paragraph: ...

    @abstractmethod
    def words_for_others(self) -> str: ...

    @abstractmethod
    def order(self, facts: Answers) -> Rejudge | CountHits: ...

    @abstractmethod
    def with_row(self, wrong: str, row: Row) -> Rejudge | CountHits:
        """The order if that row was the target or the shooter."""

    def which_row(self, wrong: str) -> Slot:
        """The rows that may have been meant, with the reason against those that cannot."""
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
        refusal = why_not(self.state, self.with_row(wrong, row))
        if refusal is None or refusal.code == "no_suit":  # the suit is asked for next
            return ""
        if refusal.code == "no_change":
            return AS_JUDGED
        if refusal.firm:
            return refusal.message
        return ""

    def suit_slots(
        self, order: Rejudge | CountHits, facts: Answers, *, of_several: bool
    ) -> list[Slot]:
        """The suits that were given, and the next one that is wanted."""
        slots: list[Slot] = []
        for shot in suits_given(facts):
            slots.append(Choose(name=SuitOfShot(shot).name, text="", options=SUIT_OPTIONS))
        wanted = suits_wanted(self.state, order)
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


class ShotForm(Form):
    """A shot, or a ``volley`` of single cards: ``what`` is the circumstance that changes, another
    target or shooter, or the correct draws; then come missing suits, and what happens to later
    shots."""

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
        return Paragraph(explain, lead=f"Judge again: {self.words()}")

    def words_for_others(self) -> str:
        return f"The shot is judged again: {self.words()}"

    def words(self) -> str:
        """``Rifle > Rifle, 5S: hit.``, with the turn if it is over."""
        state, judged = self.state, self.judged
        when = self.when(judged.shot.id)
        target = _target_words(state, judged.shot)
        if self.volley:
            hits = sum(verdict.hit for verdict in self.volley)
            all_of_it = f"the whole volley: {hits} of {len(self.volley)} hit."
            return f"{when}{self._squads()} > {target}, {all_of_it}"
        shooter = _shooter_words(state, judged.shot, _unit_that_fired(state, judged.shot))
        result = "miss"
        if judged.hit:
            result = "hit"
        return f"{when}{shooter} > {target}, {judged.draw}: {result}."

    def _squads(self) -> str:
        """``3 Rifle Guys, Machinegun``: who fired in the volley."""
        pieces_of: dict[str, set[str]] = {}
        for verdict in self.volley:
            name = _unit_that_fired(self.state, verdict.shot)
            pieces_of.setdefault(name, set()).add(verdict.shot.piece)
        squads = []
        for name, pieces in pieces_of.items():
            unit = self.state.setup.unit(name)
            if len(pieces) > 1:
                squads.append(unit.named(len(pieces)))
            else:
                squads.append(unit.short)
        return ", ".join(squads)

    @cached_property
    def as_judged(self) -> Rejudge:
        return replace(as_judged(self.state, self.judged.shot), volley=bool(self.volley))

    def with_row(self, wrong: str, row: Row) -> Rejudge:
        return replace(self.as_judged, **{wrong: row.key})

    def order(self, facts: Answers) -> Rejudge:
        order = self._corrected(facts)
        return replace(order, suits=suits_given(facts), chain=facts.get("chain") == "back")

    def _corrected(self, facts: Answers) -> Rejudge:
        """The order with what was wrong put right: another row, a circumstance by its name, one
        draw of the volley by its number, or the draw of a single shot as it was typed."""
        wrong = facts.get("what")
        if wrong in (TARGET, SHOOTER):
            return replace(self.as_judged, **{str(wrong): facts.get(str(wrong))})
        if isinstance(wrong, str):
            return _flipped(self.as_judged, wrong)
        if isinstance(wrong, Corrected):  # one card of the volley
            ((number, draw),) = wrong.numbers.items()
            return replace(as_judged(self.state, self.volley[number - 1].shot), draw=draw)
        if isinstance(wrong, tuple):
            return replace(self.as_judged, draw=wrong[0])
        return self.as_judged

    @cached_property
    def changes(self) -> list[CircumstanceChange]:
        """The circumstances that may have been other than judged."""
        changes = []
        for name, circumstance in CIRCUMSTANCES.items():
            # Whether the man was in contact ("apart") is not judged again.
            if not hasattr(self.as_judged, name):
                continue
            words = circumstance.default
            if getattr(self.as_judged, name) == DEFAULTS[name]:
                words = circumstance.alternative
            refusal = why_not(self.state, _flipped(self.as_judged, name))
            changes.append(CircumstanceChange(name, circumstance.key, words, refusal))
        return changes

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        wrong = facts.get("what")
        slots: list[Slot] = [self._what_was_wrong()]
        if not wrong:
            return tuple(slots)
        if wrong in (TARGET, SHOOTER):
            slots.append(self.which_row(str(wrong)))
            if not facts.get(str(wrong)):
                return tuple(slots)
        order = self.order(facts)
        slots += self.suit_slots(order, facts, of_several=bool(self.volley))
        if not suits_wanted(self.state, order):
            slots += self._chain_slots(order)
        return tuple(slots)

    def _chain_slots(self, order: Rejudge) -> list[Slot]:
        """What becomes of the repeat shots after one that now misses."""
        later = _cut_short(self.state, order)
        if not later:
            return []
        shots = f"{later} repeat shots"
        if later == 1:
            shots = "1 repeat shot"
        options = (
            Option(value="back", label="take back what they did", key="n"),
            Option(value="stay", label="leave it", key="k"),
        )
        text = f"Now a miss, but {shots} followed."
        return [Choose(name="chain", text=text, options=options, default="back")]

    def _what_was_wrong(self) -> Slot:
        text = "What was wrong?"
        choice = self._choice_of_what(text)
        if not self.may_be_misread:
            return choice
        key_note = ""
        if self.volley:
            draw: OwnDraws = NumberedDraw(
                name="what", text="", die=self.by_die, corrects=True, many=len(self.volley)
            )
        else:
            draw = OwnDraws(name="what", text="", die=self.by_die, single=True)
            text = f"{text} Another {drawn_word(self.by_die)}?"
            key_note = "Just type what it really was."
        return Either(name="what", text=text, key_note=key_note, ways=(choice, draw))

    def _choice_of_what(self, text: str) -> Choose:
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
            unknown=self.nothing_changed,
        )

    def nothing_changed(self, typed: str) -> UnfitAnswer | None:
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
    if later:
        lines = ", ".join(map(str, later))
        yield Paragraph(f"Check the later lines about the same units: {lines}. They do not change.")


class CountForm(Form):
    """A counted volley: its numbers, which ``c`` and ``h`` read in other circumstances, also of
    cards of the same volley that were typed one by one; or first another target or shooter."""

    def __init__(self, state: State, counted: HitsCounted, station: ShotStation) -> None:
        super().__init__(state, counted.shot)
        self.counted, self.station = counted, station
        self.typed: list[Judged] = []
        """The cards of the same volley that were typed one by one."""
        if counted.shot.volley:
            self.typed = volley_of(state, counted.shot)

    def heading(self) -> Paragraph:
        who = _who_counted(self.state, self.counted)
        lead = f"Judge again: {self.when(self.counted.shot.id)}{who}."
        return Paragraph(self.counted.narrate(self.state), lead=lead)

    def words_for_others(self) -> str:
        return "A volley is counted again."

    def with_row(self, wrong: str, row: Row) -> CountHits:
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
        """The first shot of the count, as it is read now."""
        target, shooter = facts.get(TARGET), facts.get(SHOOTER)
        first = shots_meant(self.state, self.counted, target, shooter)[0]
        return replace(first, at=replace(first.at, **self.circumstances(facts)))

    def numbers(self, facts: Answers) -> dict[str, int]:
        """The present numbers; none if they were of other cards that hit."""
        if aim_of(self.state, self.shot(facts)).needs != self.counted.needs:
            return {}
        counted = self.counted
        return {"low": counted.low, "aces": counted.aces, "saved": counted.saved}

    def order(self, facts: Answers) -> CountHits:
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
        slots.append(self._tally(facts))
        if not facts.get("tally"):
            return tuple(slots)
        fewer = self._fewer(facts)
        if fewer is not None:
            slots.append(fewer)
            if facts.get("fewer") is None:
                return tuple(slots)
        slots += self.suit_slots(self.order(facts), facts, of_several=True)
        return tuple(slots)

    def _fewer(self, facts: Answers) -> Slot | None:
        """The question after a count that is higher than it can be."""
        shot, counted = self.shot(facts), self.counted
        in_reach = counted.reach
        if shot.reach != counted.shot.reach:  # a model in place of guys, or guys in its place
            in_reach = shot.reach
        tally = {**facts["tally"], "broken": counted.broken}
        return _fewer_hits(aim_of(self.state, shot), len(counted.pieces), in_reach, tally)

    def _tally(self, facts: Answers) -> Tally:
        shot_count = len(self.counted.pieces)
        numbers = self.numbers(facts)
        beside = ""
        if self.typed:
            hits = sum(verdict.hit for verdict in self.typed)
            beside = f", beside {len(self.typed)} typed card by card ({hits} hit)"
        return _tally_slot(
            self.state, self.shot(facts), shot_count, numbers, anew=True, beside=beside
        )

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        wrong = facts.get("what")
        if wrong and not facts.get(wrong):
            return ()
        toggles = list(self._circumstances(facts))
        if not wrong:
            toggles.append(self._other(TARGET, "t", "at another target"))
            toggles.append(self._other(SHOOTER, "f", "others fired"))
        return tuple(toggles)

    def _circumstances(self, facts: Answers) -> Iterator[Toggle]:
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

    def _other(self, wrong: str, sign: str, label: str) -> Toggle:
        """Leads to the question which row it was, and then to the numbers."""
        shot, alone = self.station
        leads = partial(judge_again, self.state, shot, alone=alone, wrong=wrong)
        return Toggle(name=wrong, key=sign, label=label, leads=leads)


def _who_counted(state: State, counted: HitsCounted) -> str:
    unit = state.setup.unit(_unit_that_fired(state, counted.shot))
    return unit.named(len(counted.pieces))


class SuitOfShot(NamedTuple):
    """The answer which suit the card of a ``shot`` had, by the number of the shot. There may be one
    for each shot of a volley, so the number stands in the name of the slot: ``suit3``."""

    shot: int

    @property
    def name(self) -> str:
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


def _cut_short(state: State, order: Rejudge) -> int:
    """The number of repeat shots after one that now misses; 0 if that order would be refused."""
    try:
        events = decide(state, replace(order, chain=True))
    except Refused:
        return 0
    return sum(len(event.chain) for event in events if isinstance(event, Recalled))


def _flipped(order: Rejudge, name: str) -> Rejudge:
    return replace(order, **{name: not getattr(order, name)})


def _shooter_words(state: State, shot: Shooting, unit: str) -> str:
    """``Rifle``, or ``Rifle (Rearguard)`` if his side has riflemen in several groups."""
    words = state.words
    return f"{state.setup.unit(unit).short}{words.contingent_note(words.row_of(shot.piece, unit))}"


def _target_words(state: State, shot: Shooting) -> str:
    """The unit aimed at, with its group like ``_shooter_words``."""
    name = state.setup.unit(row_unit(shot.target)).short
    return f"{name}{state.words.contingent_note(shot.target)}"


def _unit_that_fired(state: State, shot: Shooting) -> str:
    """The shooter's unit when it fired: its weapon may have broken down since."""
    present_unit = state.unit_of(shot.piece)
    if shot.weapon in state.setup.unit(present_unit).weapons:
        return present_unit
    return state.piece(shot.piece).unit
