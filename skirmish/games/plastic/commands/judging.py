"""Draws typed by the players, a volley entered as one count, and shots judged again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Any, ClassVar

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
    suits_wanted,
    volley_of,
    volley_to_count,
)
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.sides import FIRE, AnyCommand, Declared, Parts, Sides, key
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.shot import Aim, without_draw
from skirmish.games.plastic.rules.shot import run as ranks
from skirmish.games.plastic.shot_page import DEFAULTS, SEEN
from skirmish.tabletop.chance import Draw, DrawError, lettered, parse_card, parse_roll
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.page import Block, Page, Paragraph, capital
from skirmish.tabletop.refusal import Refusal, Refused
from skirmish.tabletop.slots import (
    TAB,
    TOO_MANY,
    Choose,
    Either,
    Fewer,
    Option,
    Slot,
    UnfitAnswer,
)

SUIT_OPTIONS = tuple(
    Option(value=sign, label=name, key=sign.lower(), note=note)
    for sign, name, note in (
        ("S", "spades", "♠ black"),
        ("H", "hearts", "♥ red"),
        ("D", "diamonds", "♦ red"),
        ("C", "clubs", "♣ black"),
    )
)
TOLD = {"cover": "in cover", "hull_down": "hull down"}
"""The circumstances that can be set for a counted volley."""


RANKS = {"a": 1, "j": 11, "q": 12, **{str(rank): rank for rank in range(1, DIE + 1)}}


class HitMark(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    name: str
    label: str


class Tally(Slot, frozen=True, kw_only=True):
    """Several numbers at once, as in ``5a1``: digits belong to the first, or to the letter before
    them; a number typed again replaces it. By name; ``default`` are the present numbers, and
    ``first`` is the sentence for a missing first number."""

    marks: tuple[HitMark, ...]
    default: Mapping[str, int] = {}
    first: str = ""

    greedy: ClassVar[bool] = True

    @property
    def hint(self) -> str:
        letters = ", ".join(f"{one.key} {one.label}" for one in self.marks)
        return f"Digits, or {letters}. Tab goes to the next number; Enter counts."

    @property
    def proposed(self) -> Any:
        return dict(self.default) if self.marks[0].name in self.default else None

    @property
    def touch(self) -> tuple[tuple[str, str], ...]:
        digits = ((one, one) for one in "1234567890")
        return (*digits, *((one.key, one.label) for one in self.marks))

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.isdigit() or sign == TAB or any(sign == one.key for one in self.marks)

    def in_number(self, typed: str) -> bool:
        return typed[-1:].isdigit()

    def numbers(self, typed: str) -> tuple[dict[str, int], str]:
        """The numbers typed so far, and the name of the one that gets the next digits."""
        found: dict[str, int] = {}
        at = self.marks[0]
        named = {one.key: one for one in self.marks}
        for digits, letter in re.findall(r"([0-9]+)|([^0-9 ])", typed):
            if letter:
                if letter not in named:
                    raise UnfitAnswer(self.hint)
                at = named[letter]
            elif len(digits) > 2:
                raise UnfitAnswer(TOO_MANY.format(digits))
            else:
                found[at.name] = int(digits)
        return found, at.name

    def so_far(self, typed: str) -> Any:
        """A change made meanwhile may have taken away a mark that is typed: Enter then says so."""
        try:
            numbers, _ = self.numbers(typed)
        except UnfitAnswer:
            return self.default
        return {**self.default, **numbers}

    def tabbed(self, typed: str) -> str:
        _, now = self.numbers(typed)
        names = [one.name for one in self.marks]
        return typed + self.marks[(names.index(now) + 1) % len(names)].key

    def parse(self, typed: str, done: bool) -> Any:
        found, _ = self.numbers(typed)
        found = {**self.default, **found}
        if not done:
            return None
        if self.marks[0].name not in found:
            raise UnfitAnswer(self.first or self.hint)
        return found

    def shown(self, value: Any) -> str:
        return ", ".join(f"{value[m.name]} {m.label}" for m in self.marks if m.name in value)


class OwnDraws(Slot, frozen=True, kw_only=True):
    """A player's own cards or rolls, several on one line: ``7 3h q 10``. A suit may be left out if
    it does not matter."""

    die: bool
    single: bool = False
    """Whether a single draw is corrected."""
    corrects: bool = False
    """Whether ``2=jc`` puts the second draw right."""

    spaced: ClassVar[bool] = True

    @property
    def hint(self) -> str:
        how = "1 to 12" if self.die else "7h, qs, or the rank alone"
        if self.single:
            return f"{how}, then Enter. Esc leaves."
        more = "7 3 11" if self.die else "7 3h q 10"
        second = "2=11 puts roll 2 right" if self.die else "2=jc puts card 2 right"
        right = f" {second}." if self.corrects else ""
        return f"{how}; several on one line: {more}.{right} Esc takes it back."

    @property
    def touch(self) -> tuple[tuple[str, str], ...]:
        names = {1: "A", 11: "J", 12: "Q"}
        ranks = range(1, (DIE if self.die else DECK[-1].rank) + 1)
        labels = [str(one) if self.die else names.get(one, str(one)) for one in ranks]
        return tuple((f"{one.lower()}\n", one) for one in labels)

    def takes(self, sign: str, typed: str = "") -> bool:
        begun = bool(typed) and not typed.endswith(" ")
        if sign == "=":
            return self.corrects and begun and typed.rsplit(maxsplit=1)[-1].isdigit()
        return sign in ("0123456789aAjJqQkK" + "sShHdDcC " * begun)

    def parse(self, typed: str, done: bool) -> Any:
        if done and self.corrects and "=" in typed:
            return self._corrected(typed)
        if done:
            return self._read(typed)
        if not self.takes(typed[-1], typed[:-1]) and typed[-1] != " ":
            raise UnfitAnswer(self.hint)
        return None

    def _read(self, typed: str) -> tuple[Draw, ...]:
        try:
            return typed_draws(typed, self.die)
        except DrawError as error:
            raise UnfitAnswer(f"{error}.", None if len(typed.split()) > 1 else "") from None

    def _corrected(self, typed: str) -> Corrected:
        """``7h 2=jc``: the second draw was the jack of clubs, and the next is the seven."""
        numbers: dict[int, Draw] = {}
        new: list[str] = []
        for word in typed.split():
            number, equals, draw = word.partition("=")
            if equals:
                numbers[int(number)] = self._read(draw)[0]
            else:
                new.append(word)
        more = self._read(" ".join(new)) if new else ()
        return Corrected(numbers, more)

    def shown(self, value: Any) -> str:
        if isinstance(value, Corrected):
            pairs = [f"{number}={draw}" for number, draw in value.numbers.items()]
            return " ".join([*pairs, *map(str, value.more)])
        return " ".join(map(str, value))


class NumberedDraw(OwnDraws, frozen=True, kw_only=True):
    """One of ``many`` typed draws that was another: ``2=jc``."""

    many: int

    @property
    def hint(self) -> str:
        second = "2=11 puts roll 2 right" if self.die else "2=jc puts card 2 right"
        return f"{second}, then Enter. Esc leaves."

    def parse(self, typed: str, done: bool) -> Any:
        if done and "=" not in typed:
            raise UnfitAnswer(f"{WHICH_DRAW} {self.hint}")
        found = super().parse(typed, done)
        if found is None:
            return None
        numbers = list(found.numbers)
        if len(numbers) > 1 or found.more:
            raise UnfitAnswer(f"One at a time. {self.hint}")
        if not 1 <= numbers[0] <= self.many:
            raise UnfitAnswer(f"There are shots 1 to {self.many} in this volley.")
        return found


WHICH_DRAW = "Which of them was misread? Tab goes to its shots one by one."


class Corrected(msgspec.Struct, frozen=True):
    """Typed draws that were others, by their numbers, and ``more`` that come after them."""

    numbers: dict[int, Draw]
    more: tuple[Draw, ...] = ()


def typed_draws(text: str, die: bool) -> tuple[Draw, ...]:
    """The draws in order, cards with or without suit; raises DrawError (a sentence)."""
    written = text.split()
    if not written:
        what = f"a roll, 1 to {DIE}" if die else "a card, as in 7h, qs or 10"
        raise DrawError(f"Nothing was typed: {what}")
    return tuple(parse_roll(one, DIE) if die else _card(one) for one in written)


def _card(text: str) -> Draw:
    signs = lettered(text).lower()
    rank, suit = (signs[:-1], signs[-1]) if signs[-1:] in tuple("shdc") else (signs, "")
    if rank in RANKS:
        return Draw(RANKS[rank], suit.upper() or None)
    return parse_card(text, DECK[-1].rank)


# ------------------------------------------------------------------ a volley in one count

NO_VOLLEY = "= counts the hits of a volley: how many fire, who, at whom, then =."


@key("=", "tally", FIRE, CountHits, "A whole volley of your own cards in one count: 40rr=12, Enter")
def tally(at: Sides) -> Parts:
    """Counts the rest of a volley, of a mixed one row by row; a drafted volley is fired first."""
    state = at.state
    found: Parts = {
        "label": "Count the hits of a volley",
        "after": partial(_why_no_tally, state),
        "word": "",
        "why_not": NO_VOLLEY,
    }
    if (volley := volley_to_count(state)) is None:
        return found
    judge = state.agenda[0]
    assert isinstance(judge, ToJudge)
    pieces = (judge.shot.piece, *volley.pieces)
    counting = _tally_slot(state, judge.shot, len(pieces), {})
    in_reach = volley.reach - len(volley.hits)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        counted = facts.get("tally")
        if counted is None:
            return (counting,)
        short = _fewer_hits(aim_of(state, judge.shot), len(pieces), in_reach, counted)
        if short is None:
            return (counting,)
        return (counting, short)

    return found | {
        "word": "count hits",
        "why_not": "",
        "slots": slots,
        "make": _counted_hits,
        "reopens": bool(volley.parties),
    }


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
        most = min(most, in_reach + tally.get("saved", 0))
    else:
        most = in_reach + tally.get("saved", 0)
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
    state: State, shot: Shooting, many: int, default: dict[str, int], anew: bool = False
) -> Tally:
    aimed = aim_of(state, shot)
    die = state.sources[state.source_of(piece_side(shot.piece))].kind == "die"
    marks = [HitMark(key="l", name="low", label=f"low enough ({ranks(aimed.needs)})")]
    if aimed.at_guy and aimed.exact is None:
        marks.append(
            HitMark(key="a", name="aces", label="ones that hit" if die else "aces that hit")
        )
    if aimed.saves:
        saved = "saved by their number" if die else "black, so saved"
        marks.append(HitMark(key="b", name="saved", label=saved))
    if not anew:
        if aimed.may_break:
            marks.append(HitMark(key="q", name="broken", label="broke down"))
        marks.append(HitMark(key="f", name="fired", label=f"fired, if not {many}"))
    unit = state.unit(shot.piece).short
    target = state.setup.unit(row_unit(shot.target)).short
    seen = "".join(f", {words}" for name, words in TOLD.items() if name in aimed.saves)
    names = {mark.name for mark in marks}
    return Tally(
        name="tally",
        text=f"HOW MANY HIT?  {many} {unit} > {target}{seen}.",
        marks=tuple(marks),
        default={name: number for name, number in default.items() if name in names},
        first="First how many were low enough; 0 if none was.",
    )


# ------------------------------------------------------------------ judged again


def _again(
    state: State, shot: int | None = None, *, alone: bool = False, later: Sequence[int] = ()
) -> Parts:
    """Judges a shot again, or its whole volley; without ``shot`` the last one, of the side that
    ``side`` names. ``alone``: without its volley, and for cards typed one by one without their
    count. ``later`` lines depend on it."""
    lasts = {side.id: _last_shot(state, side.id) for side in state.setup.sides}
    if shot is None:
        shot = max(lasts.values())
    fired = _fired(state, shot)
    if fired is None:
        return {"why_not": "No shot has been fired yet.", "word": ""}
    side = piece_side(fired.piece)
    shots = {**lasts, side: shot}

    @cache
    def parts_of(side: str) -> Parts:
        return _of_shot(state, shots[side], alone, later)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        found: tuple[Slot, ...] = parts_of(facts["side"])["slots"](facts)
        return found

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        own: tuple[Toggle, ...] = parts_of(facts["side"])["toggles"](facts)
        other = state.setup.enemy_of(facts["side"]).id
        if facts.get("what") or not lasts[other]:
            return own
        label = f"shots of {state.setup.the(other)}"
        leads = partial(judge_again, state, lasts[other])
        return (*own, Toggle(name="side", key="o", label=label, leads=leads))

    def preview(facts: Answers) -> Page:
        page: Page = parts_of(facts["side"])["preview"](facts)
        return page

    def make(side: str, **facts: Any) -> AnyOrder:
        order: AnyOrder = parts_of(side)["make"](**facts)
        return order

    def told(facts: Answers, viewer: str | None) -> str:
        of_side = parts_of(facts["side"])
        if "told" not in of_side:
            return "A volley is counted again."
        sentence: str = of_side["told"](facts, viewer)
        return sentence

    waits = state.ask is not None and not isinstance(state.ask, CasualtyAsk | RepeatAsk)
    word = "" if waits else "re-judge"
    given = {"side": side}
    return {
        "word": word,
        "given": given,
        "slots": slots,
        "toggles": toggles,
        "preview": preview,
        "told": told,
        "make": make,
    }


def _of_shot(state: State, shot: int, alone: bool, later: Sequence[int]) -> Parts:
    judged = next((one for one in state.judged_in_turn_of(shot) if one.shot.id == shot), None)
    counts = state.counts_in_turn_of(shot)
    if judged is None:
        counted = next(one for one in counts if one.shot.id == shot)
        return _recounted(state, counted, later)
    volley = volley_of(state, judged.shot)
    last = volley[-1].shot.id == shot and not alone
    of_volley = [one for one in counts if one.shot.volley == judged.shot.volley != 0]
    if of_volley and last:
        return _recounted(state, of_volley[-1], later)
    whole = volley if last and len(volley) > 1 else []
    return _Again(state, judged, whole, later).parts()


def _shots_by_turn(state: State) -> Iterator[list[Shooting]]:
    """The shots of each player turn, the latest turn first."""
    turns = [(turn.judged, turn.counts) for turn in state.past]
    for judged, counts in reversed([*turns, (state.judged, state.counts)]):
        yield [one.shot for one in (*judged, *counts)]


def _last_shot(state: State, side: str, before: int | None = None) -> int:
    """The number of the last shot of a side, or of the last one ``before`` another; 0 if there is
    none."""
    for shots in _shots_by_turn(state):
        own = [shot.id for shot in shots if piece_side(shot.piece) == side]
        if before is not None:
            own = [number for number in own if number < before]
        if own:
            return max(own)
    return 0


def _fired(state: State, shot: int) -> Shooting | None:
    of_turn = (*state.judged_in_turn_of(shot), *state.counts_in_turn_of(shot))
    return next((one.shot for one in of_turn if one.shot.id == shot), None)


AGAIN = Declared(
    "tab",
    "judge_again",
    FIRE,
    Rejudge,
    "Judge the last shot again: Tab c; Tab again for the one before. In a question: the other "
    "side, another model",
    parts=lambda at: _again(at.state),
)


def judge_again(
    state: State, shot: int, *, alone: bool = False, later: Sequence[int] = ()
) -> AnyCommand:
    again = AGAIN._replace(parts=lambda at: _again(state, shot, alone=alone, later=later))
    return again.command(Sides(state))


def shot_in(play: BattlePlay, entries: Sequence[int]) -> int:
    """The last shot in these entries that can be judged again; 0 if there is none."""
    shots = [
        event.shot.id
        for entry in play.live
        if entry.number in entries
        for event in entry.events
        if isinstance(event, HitsCounted | Judged)
    ]
    known = [shot for shot in shots if _fired(play.state, shot) is not None]
    return known[-1] if known else 0


TARGET, SHOOTER = "target", "shooter"
"""What else may have been wrong: at whom it was, who fired."""


class _Again:
    """Judges a shot, or its ``whole`` volley, again: ``what`` is the circumstance that changes,
    another target or shooter, or the correct draws; then come missing suits, and what happens to
    later shots."""

    def __init__(
        self, state: State, judged: Judged, whole: list[Judged], later: Sequence[int]
    ) -> None:
        self.state, self.judged, self.whole, self.later = state, judged, whole, later
        self.side = piece_side(judged.shot.piece)
        own = state.sources[state.source_of(self.side)].typed
        self.drawn = ("card" if judged.draw.is_card else "roll") if own else ""

    def parts(self) -> Parts:
        return {
            "slots": self.slots,
            "toggles": self.toggles,
            "preview": self.preview,
            "told": lambda facts, viewer: f"The shot is judged again: {self.words()}",
            "make": lambda **facts: self.order(facts),
        }

    def preview(self, _: Answers) -> Page:
        explain = "" if self.whole else without_draw(self.judged.explain, self.judged.draw)
        blocks: list[Block] = [Paragraph(explain, lead=f"Judge again: {self.words()}")]
        return Page("", (*blocks, *_later_lines(self.later)))

    def words(self) -> str:
        """``Rifle > Rifle, 5S: hit.``, with the turn if it is over."""
        state, judged = self.state, self.judged
        past = state.past_of(judged.shot.id)
        when = "" if past is None else f"turn {past.turn}, "
        unit = state.setup.unit(_unit_that_fired(state, judged.shot))
        target = state.setup.unit(row_unit(judged.shot.target)).short
        if not self.whole:
            result = "hit" if judged.hit else "miss"
            return f"{when}{unit.short} > {target}, {judged.draw}: {result}."
        kinds = dict[str, set[str]]()
        for one in self.whole:
            kinds.setdefault(_unit_that_fired(state, one.shot), set()).add(one.shot.piece)
        squads = []
        for name, pieces in kinds.items():
            kind = state.setup.unit(name)
            squads.append(kind.named(len(pieces)) if len(pieces) > 1 else kind.short)
        who = ", ".join(squads)
        hit = sum(one.hit for one in self.whole)
        return f"{when}{who} > {target}, the whole volley: {hit} of {len(self.whole)} hit."

    @cached_property
    def as_judged(self) -> Rejudge:
        return replace(as_judged(self.state, self.judged.shot), volley=bool(self.whole))

    def order(self, facts: Answers) -> Rejudge:
        what = facts.get("what")
        order = self.as_judged
        if what in (TARGET, SHOOTER):
            order = replace(order, **{str(what): facts.get(str(what))})
        elif isinstance(what, str):
            order = _flipped(order, what)
        elif isinstance(what, tuple):
            order = replace(order, draw=what[0])
        elif isinstance(what, Corrected):
            ((number, draw),) = what.numbers.items()
            shot = self.whole[number - 1].shot
            order = replace(as_judged(self.state, shot), draw=draw)
        return replace(order, suits=_suits(facts), chain=facts.get("chain") == "back")

    @cached_property
    def changes(self) -> list[tuple[str, str, str, Refusal | None]]:
        """The possible changes: name, key, new circumstance, and the reason against it."""
        found = []
        for name, (sign, *words) in SEEN.items():
            if hasattr(self.as_judged, name):
                other = words[getattr(self.as_judged, name) == DEFAULTS[name]]
                refusal = why_not(self.state, _flipped(self.as_judged, name))
                found.append((name, sign, other, refusal))
        return found

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        state, what = self.state, facts.get("what")
        slots: list[Slot] = [self._what()]
        if what in (TARGET, SHOOTER):
            slots.append(self._which_row(str(what)))
            if not facts.get(str(what)):
                return tuple(slots)
        elif not what:
            return tuple(slots)
        order = self.order(facts)
        slots += _suit_slots(state, order, facts, which=bool(self.whole))
        later = 0 if suits_wanted(state, order) else _cut_short(state, order)
        if later:
            shots = "1 repeat shot" if later == 1 else f"{later} repeat shots"
            text = f"Now a miss, but {shots} followed."
            options = (
                Option(value="back", label="take back what they did", key="n"),
                Option(value="stay", label="leave it", key="k"),
            )
            slots.append(Choose(name="chain", text=text, options=options, default="back"))
        return tuple(slots)

    def _what(self) -> Slot:
        who = "they were" if self.whole else "he was"
        options = [
            Option(value=name, key=sign, label=f"{who} {other}")
            for name, sign, other, refusal in self.changes
            if refusal is None or refusal.code == "no_suit"
        ]
        keys = "Type its key." if options else "No other circumstance changes this shot."
        options.append(Option(value=TARGET, key="t", label="at another target"))
        options.append(Option(value=SHOOTER, key="f", label="another fired"))
        if not self.drawn:
            keys += " Esc leaves."
        text = "What was wrong?"
        what = Choose(
            name="what",
            text=text,
            options=tuple(options),
            keys=keys,
            unknown=self.nothing_changed,
        )
        if not self.drawn:
            return what
        if self.whole:
            many = len(self.whole)
            die = self.drawn == "roll"
            numbered = NumberedDraw(name="what", text="", die=die, corrects=True, many=many)
            return Either(name="what", text=text, ways=(what, numbered))
        draw = OwnDraws(name="what", text="", die=self.drawn == "roll", single=True)
        text = f"{text} Another {self.drawn}? Just type what it really was."
        return Either(name="what", text=text, ways=(what, draw))

    def _which_row(self, what: str) -> Slot:
        """The rows that may have been meant, with the reason against those that cannot."""
        sides = Sides(self.state)
        side = sides.enemy(self.side) if what == TARGET else self.side
        text = f"{sides.people(side)}: at whom was it?"
        if what == SHOOTER:
            text = f"{sides.people(side)}: who fired?"
        options = []
        for row in rows(self.state, side):
            refusal = why_not(self.state, replace(self.as_judged, **{what: row.key}))
            against = ""
            if refusal is not None and refusal.code == "no_change":
                against = "That is how it was judged."
            elif refusal is not None and refusal.firm and refusal.code != "no_suit":
                against = refusal.message
            options.append(sides.option(row, why_not=against))
        return sides.choose(what, text, side, options, tab=False)

    def nothing_changed(self, typed: str) -> str:
        """Why a key changes nothing: the circumstance makes no difference, or is impossible."""
        if self.whole and self.drawn:
            return WHICH_DRAW if typed[:1].isdigit() else ""
        for _, sign, other, refusal in self.changes:
            if sign == typed and refusal is not None:
                return f"{capital(other)}: {refusal}"
        seen = "c in cover, h hull down, b from behind, n within 3\u00a0in, l alone, "
        seen += "t at another target, f another fired"
        sample = "7h" if self.drawn == "card" else "7"
        card = f"; or the true {self.drawn}, {sample}, and Enter" * bool(self.drawn)
        return f"{seen}{card}. Esc leaves."

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """Tab: the shots of a volley one by one, then the side's shot before, round to the last."""
        state, here = self.state, self.judged.shot.id
        if facts.get("what"):
            return ()
        if self.whole:
            shot, label = here, "shot by shot"
        else:
            shot, label = _last_shot(state, self.side, here), "the shot before"
            shot = shot or _last_shot(state, self.side)
            if shot == here:
                return ()
        volley = self.judged.shot.volley
        of_volley = volley and volley == _volley_number(state, shot)
        leads = partial(judge_again, state, shot, alone=bool(of_volley))
        return (Toggle(name="shot", key="tab", label=label, leads=leads),)


def _volley_number(state: State, shot: int) -> int:
    for judged in state.judged_in_turn_of(shot):
        if judged.shot.id == shot:
            return judged.shot.volley
    return 0


def _later_lines(later: Sequence[int]) -> Iterator[Block]:
    if later:
        lines = ", ".join(map(str, later))
        yield Paragraph(f"Check the later lines about the same units: {lines}. They do not change.")


def _recounted(state: State, before: HitsCounted, later: Sequence[int]) -> Parts:
    """Corrects a count; ``c`` and ``h`` set the circumstances of all of it, including cards of the
    same volley typed one by one, to which ``t`` leads."""
    beside = volley_of(state, before.shot) if before.shot.volley else []
    earlier = _counted_before(state, before)
    default = {name: getattr(before, name) for name in ("low", "aces", "saved")}

    def seen(facts: Answers) -> dict[str, bool]:
        return {name: facts.get(name, getattr(before.shot.at, name)) for name in TOLD}

    def shot_of(facts: Answers) -> Shooting:
        return replace(before.shot, at=replace(before.shot.at, **seen(facts)))

    def make(**facts: Any) -> CountHits:
        tally = {**default, **(facts.get("tally") or {})}
        if facts.get("fewer") is not None:
            tally["low"] = facts["fewer"]
        return CountHits(
            **tally,
            **seen(facts),
            anew=before.shot.id,
            suits=_suits(facts),
        )

    def slots(facts: Answers) -> tuple[Slot, ...]:
        count = _tally_slot(state, shot_of(facts), len(before.pieces), default, anew=True)
        if beside:
            hit = sum(one.hit for one in beside)
            more = f", beside {len(beside)} typed card by card ({hit} hit)."
            count = replace(count, text=count.text.removesuffix(".") + more)
        if not facts.get("tally"):
            return (count,)
        aimed = aim_of(state, shot_of(facts))
        tally = {**facts["tally"], "broken": before.broken}
        short = _fewer_hits(aimed, len(before.pieces), before.reach, tally)
        if short is None:
            return (count, *_suit_slots(state, make(**facts), facts, which=True))
        if facts.get("fewer") is None:
            return (count, short)
        return (count, short, *_suit_slots(state, make(**facts), facts, which=True))

    def toggles(facts: Answers) -> Iterator[Toggle]:
        for sign, name in zip("ch", TOLD, strict=True):
            if name == "hull_down" and not state.options.hull_down:
                continue
            if name in aim_of(state, shot_of({**facts, name: True})).saves:
                now = seen(facts)[name]
                label = f"all {SEEN[name][1 if now else 2]}"
                yield Toggle(name=name, key=sign, label=label, sets={name: not now})
        if earlier is not None:
            leads = partial(judge_again, state, earlier.shot.id, alone=True)
            label = f"the {_who_counted(state, earlier)} before them"
            yield Toggle(name="earlier", key="e", label=label, leads=leads)
        if beside:
            leads = partial(judge_again, state, beside[-1].shot.id, alone=True)
            yield Toggle(name="typed", key="t", label="the typed cards", leads=leads)

    def preview(_: Answers) -> Page:
        past = state.past_of(before.shot.id)
        blocks = [*_later_lines(later)]
        if past is not None:
            unit = state.setup.unit(_unit_that_fired(state, before.shot))
            who = f"turn {past.turn}, {unit.named(len(before.pieces))}"
            blocks.insert(0, Paragraph(before.narrate(state), lead=f"Judge again: {who}."))
        return Page("", tuple(blocks))

    return {
        "slots": slots,
        "toggles": lambda facts: tuple(toggles(facts)),
        "make": make,
        "preview": preview,
    }


def _counted_before(state: State, count: HitsCounted) -> HitsCounted | None:
    """The count of the row that fired before in the same mixed volley."""
    found = None
    for one in state.counts:
        if one.shot.volley == count.shot.volley != 0 and one.shot.id < count.shot.id:
            found = one
    return found


def _who_counted(state: State, count: HitsCounted) -> str:
    return f"{len(count.pieces)} {state.unit(count.shot.piece).short}"


def _suits(facts: Answers) -> dict[int, str]:
    return {int(name[4:]): suit for name, suit in facts.items() if name.startswith("suit")}


def _suit_slots(
    state: State, order: Rejudge | CountHits, facts: Answers, *, which: bool
) -> list[Slot]:
    slots: list[Slot] = [
        Choose(name=f"suit{number}", text="", options=SUIT_OPTIONS) for number in _suits(facts)
    ]
    for one in suits_wanted(state, order)[:1]:
        it = f"the {one.draw.rank_words}" if which else "it"
        slots.append(
            Choose(name=f"suit{one.shot.id}", text=f"Which suit had {it}?", options=SUIT_OPTIONS)
        )
    return slots


def _cut_short(state: State, order: Rejudge) -> int:
    """The number of repeat shots after one that now misses; 0 if that order would be refused."""
    try:
        events = decide(state, replace(order, chain=True))
    except Refused:
        return 0
    return sum(len(event.chain) for event in events if isinstance(event, Recalled))


def _flipped(order: Rejudge, name: str) -> Rejudge:
    return replace(order, **{name: not getattr(order, name)})


def _unit_that_fired(state: State, shot: Shooting) -> str:
    """The shooter's unit when it fired: its weapon may have broken down since."""
    now = state.unit_of(shot.piece)
    still_has = shot.weapon in state.setup.unit(now).weapons
    return now if still_has else state.piece(shot.piece).unit
