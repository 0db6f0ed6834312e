"""A volley entered as one count: players type how many of its draws were hits, aces and saves
instead of each draw by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, NamedTuple

import msgspec

from skirmish.games.plastic.battle.agenda import Shooting, ToJudge
from skirmish.games.plastic.battle.names import piece_side, row_side, row_unit
from skirmish.games.plastic.battle.orders import AnyOrder, CountHits, Volley
from skirmish.games.plastic.battle.orders.counted_volley import volley_to_count
from skirmish.games.plastic.battle.orders.declared_shot import aim_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.declaring import FIRE, CommandParts, key
from skirmish.games.plastic.rules.shot import Aim, ranks_that_hit
from skirmish.games.plastic.shot_circumstances import CIRCUMSTANCES
from skirmish.tabletop.commands import Answers
from skirmish.tabletop.slots import TAB, TOO_MANY, Fewer, Slot, TouchKey, UnfitAnswer

NO_VOLLEY = "= counts the hits of a volley: how many fire, who, at whom, then =."
OF_A_COUNT = ("cover", "hull_down")
"""The circumstances that can be set for a counted volley: those of ``CountHits``."""
MOST_DIGITS = 2
"""Nobody has a hundred men fire in a volley; a third digit is a slip of the finger."""


class HitMark(msgspec.Struct, frozen=True, kw_only=True):
    """One of the numbers of a counted volley: the letter that is typed before it; its name, which
    is that of a field of ``CountHits``; its label, and the one for a single piece where that
    differs."""

    key: str
    name: str
    label: str
    label_of_one: str = ""

    def counted(self, number: int) -> str:
        """``2 aces that hit``, ``1 ace that hit``."""
        if number == 1 and self.label_of_one:
            return f"1 {self.label_of_one}"
        return f"{number} {self.label}"


class TypedNumbers(NamedTuple):
    """The numbers typed so far, by the names of their marks, and the name of the mark to which
    further digits belong."""

    numbers: dict[str, int]
    current: str


class Tally(Slot, frozen=True, kw_only=True):
    """A question for several numbers at once. In ``5a1`` the 5 is the number of the first mark, and
    the 1 that of the mark with the letter ``a``; a number that is typed again replaces the earlier
    one. The answer is a mapping of the numbers by the names of their marks."""

    marks: tuple[HitMark, ...]
    default: Mapping[str, int] = {}
    """The numbers that hold unless they are typed."""
    no_first: str = ""
    """The refusal of an answer without the first number."""
    tabs: bool = True
    """Whether Tab goes to the next number; where a volley is judged again, it leads to another
    shot."""

    greedy: ClassVar[bool] = True

    @property
    def keyless_hint(self) -> str:
        letters = ", ".join(f"{mark.key} {mark.label}" for mark in self.marks)
        return f"Digits, or {letters}."

    @property
    def key_hint(self) -> str:
        if self.tabs:
            return "Tab goes to the next number; Enter counts."
        return "Enter counts."

    @property
    def proposed(self) -> Any:
        # Enter alone is no answer while the first number is missing.
        if self.marks[0].name in self.default:
            return dict(self.default)
        return None

    @property
    def touch_keys(self) -> tuple[TouchKey, ...]:
        # In the order of a keyboard's upper row.
        digits = tuple(TouchKey(digit, digit) for digit in "1234567890")
        letters = tuple(TouchKey(mark.key, mark.label) for mark in self.marks)
        return (*digits, *letters)

    def takes(self, sign: str, typed: str = "") -> bool:
        if sign == TAB:
            return self.tabs
        return sign.isdigit() or any(sign == mark.key for mark in self.marks)

    def ends_in_number(self, typed: str) -> bool:
        return typed[-1:].isdigit()

    def typed_numbers(self, typed: str) -> TypedNumbers:
        """The numbers in a text such as ``5a1``. Raises UnfitAnswer for a letter that no mark has,
        and for a number with too many digits."""
        numbers: dict[str, int] = {}
        mark = self.marks[0]
        mark_by_key = {mark.key: mark for mark in self.marks}
        # Either digits or another sign; spaces mean nothing.
        for digits, sign in re.findall(r"([0-9]+)|([^0-9 ])", typed):
            if sign:
                if sign not in mark_by_key:
                    raise self._refused_sign(sign, typed)
                mark = mark_by_key[sign]
            elif len(digits) > MOST_DIGITS:
                raise UnfitAnswer(TOO_MANY.format(digits))
            else:
                numbers[mark.name] = int(digits)
        return TypedNumbers(numbers, mark.name)

    def _refused_sign(self, sign: str, typed: str) -> UnfitAnswer:
        """The refusal of a letter that no mark has."""
        # Behind a number it refuses all other keys, as digits after it would be added to that
        # number. So no key is named here that would go on.
        if self.ends_in_number(typed.removesuffix(sign)):
            return UnfitAnswer(f"No {sign} is asked for here. {self.keyless_hint}")
        return self.refused()

    def so_far(self, typed: str) -> Any:
        try:
            numbers = self.typed_numbers(typed).numbers
        except UnfitAnswer:
            # A toggle can take away a mark whose letter is typed already; Enter refuses it then.
            return self.default
        return {**self.default, **numbers}

    def tabbed(self, typed: str) -> str:
        if not self.tabs:
            return super().tabbed(typed)
        current = self.typed_numbers(typed).current
        names = [mark.name for mark in self.marks]
        # Tab types the letter of the next mark; after the last one comes the first again.
        next_index = (names.index(current) + 1) % len(names)
        return typed + self.marks[next_index].key

    def parse(self, typed: str, done: bool) -> Any:
        typed_numbers = self.typed_numbers(typed).numbers  # wrong signs are refused at once
        if not done:
            return None
        numbers = {**self.default, **typed_numbers}
        if self.marks[0].name not in numbers:
            if self.no_first:
                raise UnfitAnswer(self.no_first)
            raise self.refused()
        return numbers

    def shown(self, value: Any) -> str:
        counted = [mark for mark in self.marks if mark.name in value]
        return ", ".join(mark.counted(value[mark.name]) for mark in counted)


@key(
    "=",
    "tally",
    FIRE,
    CountHits,
    "A whole volley of your own cards in one count",
    detail="40rr=12, Enter",
)
def count_hits(battle: BattleNow) -> CommandParts:
    """Counts the rest of a volley; a mixed volley is counted row by row. If a volley is being put
    together, the key first fires it."""
    state = battle.state
    label = "Count the hits of a volley"
    why_not_after = partial(_why_no_count, state)
    volley = volley_to_count(state)
    if volley is None:
        # There is nothing to count now. While a volley is being put together, ``after`` decides
        # instead of ``why_not``: whether it can be counted once it is fired.
        return CommandParts(label=label, why_not_after=why_not_after, word="", why_not=NO_VOLLEY)
    judge = state.agenda[0]
    assert isinstance(judge, ToJudge), "the shot that waits for its draw comes first"
    # The shooter whose draw is asked for, and those of his row who fire after him.
    firing = 1 + len(volley.pieces)
    counting = tally_slot(state, judge.shot, firing, {})
    # Men who were hit earlier in the same volley cannot be hit again.
    in_reach = volley.reach - len(volley.hits)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        counted = facts.get("tally")
        if counted is None:
            return (counting,)
        fewer = fewer_hits_slot(aim_of(state, judge.shot), firing, in_reach, counted)
        if fewer is None:
            return (counting,)
        return (counting, fewer)

    return CommandParts(
        label=label,
        why_not_after=why_not_after,
        word="count hits",
        why_not="",
        slots=slots,
        make=_counted_hits,
        # For the next row of a mixed volley.
        reopens=bool(volley.parties),
    )


def _counted_hits(tally: Mapping[str, Any], fewer: int | None = None) -> CountHits:
    """The order with the numbers that were typed; ``fewer`` replaces a number of hits that was too
    high."""
    if fewer is None:
        return CountHits(**tally)
    return CountHits(**{**tally, "low": fewer})


def fewer_hits_slot(
    aimed: Aim, firing: int, in_reach: int, tally: Mapping[str, int]
) -> Slot | None:
    """The question after a number of hits that is too high; None if it is possible. ``firing``: how
    many shooters there are; ``in_reach``: how many men they can hit."""
    hits = tally.get("low", 0)
    # A man in reach is hit once, but a hit that cover saves leaves him there to be hit again.
    most = in_reach + tally.get("saved", 0)
    if aimed.repeat is None:
        # Without repeat fire each shooter hits once at most, and not if his weapon breaks down.
        most = min(most, tally.get("fired", firing) - tally.get("broken", 0))
    # Below zero one of the other numbers is wrong; the order refuses it.
    if hits <= most or most < 0:
        return None
    text = f"At most {most} can hit, not {hits}."
    return Fewer(name="fewer", text=text, default=most, number_slot="tally")


def _why_no_count(state: State, order: AnyOrder) -> str:
    """Why the hits of an order to fire that is put together cannot be counted; empty if they
    can."""
    if not isinstance(order, Volley):
        return NO_VOLLEY
    side = row_side(order.shooter)
    if not state.sources[state.source_of(side)].typed:
        return "The program draws for this side: Space."
    return ""


def tally_slot(
    state: State,
    shot: Shooting,
    shot_count: int,
    default: Mapping[str, int],
    *,
    anew: bool = False,
    beside: str = "",
) -> Tally:
    """The question for the numbers of a volley of ``shot_count`` shots like ``shot``. ``default``:
    the present numbers; ``anew``: the volley is judged again, so how many fired and broke down
    stays; ``beside``: the end of the text, about other shots of the same volley."""
    aimed = aim_of(state, shot)
    unit = shooter_words(state, shot, state.unit_of(shot.piece))
    target = target_words(state, shot)
    circumstances = ""
    for name in OF_A_COUNT:
        if name in aimed.saves:
            circumstances += f", {CIRCUMSTANCES[name].alternative}"
    marks = tuple(_hit_marks(state, shot, shot_count, anew=anew))
    names = {mark.name for mark in marks}
    return Tally(
        name="tally",
        large="HOW MANY HIT?",
        text=f"{shot_count} {unit} > {target}{circumstances}{beside}.",
        marks=marks,
        default={name: number for name, number in default.items() if name in names},
        no_first="First how many were low enough; 0 if none was.",
        tabs=not anew,
    )


def _hit_marks(state: State, shot: Shooting, shot_count: int, *, anew: bool) -> Iterator[HitMark]:
    """The numbers that are asked for: those that can make a difference to such shots."""
    aimed = aim_of(state, shot)
    aces, ace, saved = "aces that hit", "ace that hit", "black, so saved"
    if state.sources[state.source_of(piece_side(shot.piece))].kind == "die":
        aces, ace = "aces (rolls of 1) that hit", "ace (roll of 1) that hit"
        saved = "saved by their number"
    yield HitMark(key="l", name="low", label=f"low enough ({ranks_that_hit(aimed.needs)})")
    # An ace kills the very man it was aimed at. That matters only where nothing makes every hit do
    # so (``Aim.why_exact``).
    if aimed.at_guy and aimed.why_exact is None:
        yield HitMark(key="a", name="aces", label=aces, label_of_one=ace)
    if aimed.saves:
        yield HitMark(key="b", name="saved", label=saved)
    if anew:
        return
    if aimed.may_break:
        yield HitMark(key="q", name="broken", label="broke down")
    yield HitMark(key="f", name="fired", label=f"fired, if not {shot_count}")


def shooter_words(state: State, shot: Shooting, unit: str) -> str:
    """``Rifle``, or ``Rifle (Rearguard)`` if his side has riflemen in several groups."""
    words = state.words
    return f"{state.setup.unit(unit).short}{words.contingent_note(words.row_of(shot.piece, unit))}"


def target_words(state: State, shot: Shooting) -> str:
    """The unit aimed at, with its group like ``shooter_words``."""
    name = state.setup.unit(row_unit(shot.target)).short
    return f"{name}{state.words.contingent_note(shot.target)}"
