"""Looking back: a shot judged again ("he was in cover"), a line made void, back to a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from skirmish.app.battle.draft import TOGGLE_KEYS, TOGGLE_WORDS, USUAL
from skirmish.app.battle.mode import BackTo, DraftError, Mode, Said, Step, Void, typed_on
from skirmish.app.battle.prompt_waiting import SUIT_KEYS
from skirmish.app.battle.typed_draws import typed_draws
from skirmish.games.plastic.battle.agenda import Shooting, ToJudge
from skirmish.games.plastic.battle.decide import decide, why_not
from skirmish.games.plastic.battle.events import HitsCounted, Judged, Recalled
from skirmish.games.plastic.battle.lines import Line, dependents, lines, why_not_void
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.orders import CountHits, Rejudge
from skirmish.games.plastic.battle.orders.firing import aim_of
from skirmish.games.plastic.battle.orders.rejudge import (
    as_judged,
    suits_wanted,
    volley_of,
    volley_to_count,
)
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.shot import run as ranks
from skirmish.games.plastic.rules.shot import without_draw
from skirmish.tabletop.chance import SUITS, DrawError
from skirmish.tabletop.refusal import Refusal, Refused

RANKS = ("a", "j", "q")
LOOKS_BACK = 200
"""So many lines the cursor reaches; older ones are in the journal."""


class Judging(Mode, frozen=True, kw_only=True):
    """Tab: the last shot of this player turn, or its ``whole`` volley; Tab again: the last shot of
    that, then the one before. A toggle judges, and so does the card of one shot as it really was,
    ``typed`` anew; ``suiting`` is an order for which suits are asked. ``broken`` is an order that
    ends a run of repeat fire sooner: are its later shots taken back?"""

    shot: int
    whole: bool = False
    typed: str = ""
    suiting: Rejudge | None = None
    broken: Rejudge | None = None

    @classmethod
    def opened(cls, state: State, shot: int | None = None) -> Mode:
        """The last shot, or that one; of a volley that was counted, its count. Raises DraftError
        where there is none of this turn."""
        counts = {one.shot.id: one for one in state.counts}
        judged = _told(state)
        if not judged or (shot is not None and shot not in judged):
            raise DraftError(
                "There is no shot of this player turn to judge again; v makes a line void."
            )
        shot = max(judged) if shot is None else shot
        if shot in counts:
            return Tallying.put_right(counts[shot])
        last = next(one.shot for one in state.judged if one.shot.id == shot)
        volley = volley_of(state, last)
        of_both = [one for one in state.counts if last.volley and one.shot.volley == last.volley]
        if of_both and volley[-1].shot.id == shot:
            return Tallying.put_right(of_both[-1])
        return cls(shot=shot, whole=len(volley) > 1 and volley[-1].shot.id == shot)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Another shot, or a toggle."""
        state = play.state
        if key in ("escape", "backspace"):
            typed = self.typed[:-1] if key == "backspace" else ""
            begun = self.typed or self.suiting or self.broken
            return Judging(shot=self.shot, whole=self.whole, typed=typed) if begun else None
        if self.broken is not None:
            if key not in ("enter", "k"):
                raise DraftError("Enter takes the later shots back, k leaves them. Esc goes back.")
            return msgspec.structs.replace(self.broken, chain=key == "enter")
        if key == "tab":
            one = Judging(shot=self.shot)
            return one if self.whole else Judging.opened(state, self._before(state))
        order, draw = self._order(state), self._judged(state).draw
        if self.suiting and key.upper() in SUITS and len(key) == 1:
            asked = suits_wanted(state, self.suiting)[0].shot.id
            suits = {**self.suiting.suits, asked: key.upper()}
            return self._given(msgspec.structs.replace(self.suiting, suits=suits), state)
        if self.typed and key == "enter":
            try:
                (draw,) = typed_draws(self.typed, die=not draw.is_card)
            except DrawError as error:
                raise DraftError(f"{error}.") from None
            return self._given(msgspec.structs.replace(order, draw=draw), state)
        if key.isdigit() or key in RANKS or (self.typed and key in "shdc"):
            if self.whole:
                raise DraftError("Which of them was misread? Tab goes to its shots one by one.")
            return Judging(shot=self.shot, typed=self.typed + key)
        name = TOGGLE_KEYS.get(key)
        if self.typed or self.suiting or name is None or not hasattr(order, name):
            raise DraftError(
                "c in cover, h hull down, b from behind, n within 3\u00a0in, l alone; or the true "
                "card, 7h, and Enter. Esc leaves."
            )
        return self._given(_flipped(order, name), state)

    def lines(self, play: BattlePlay) -> list[Said]:
        """The shot as it was judged, and what would be otherwise."""
        state, shot = play.state, self._judged(play.state)
        line: Said = []
        for key, words in self.seen_otherwise(state):
            line += [(f"{key} ", "key"), (f"{words}   ", "")]
        if self.broken is not None:
            later = _cut_short(state, self.broken)
            shots = "1 repeat shot" if later == 1 else f"{later} repeat shots"
            line = [(f"Now a miss, but {shots} followed.   ", "strong"), ("Enter", "key")]
            line += [(" takes back what they did, ", ""), ("k", "key"), (" leaves it", "")]
        elif self.typed:
            line = [(f"It was {self.typed}_   ", "strong"), ("Enter", "key"), (" judges by it", "")]
        elif self.suiting:
            line = [(f"{self.which_suit(state)}   ", "strong")]
            for letter, name in SUIT_KEYS:
                line += [(letter, "key"), (f" {name}   ", "")]
        keys: Said = (
            [("Tab", "key"), (" shot by shot, " if self.whole else " the shot before, ", "")]
            if len(state.judged) + len(state.counts) > 1
            else []
        )
        if what := self.misread(state):
            example = "7h" if what == "card" else "7"
            keys += [(f"{example} Enter", "key"), (f" the {what} as it really was, ", "")]
        return [
            [
                ("JUDGE AGAIN  ", "key"),
                (f"{self.told(play)} ", "strong"),
                ("" if self.whole else without_draw(shot.explain, shot.draw), "dim"),
            ],
            line or [("Nothing seen differently would change this result.", "")],
            [*keys, ("Esc", "key"), (" leaves", "")],
        ]

    def told(self, play: BattlePlay) -> str:
        """``Rifle > Rifle, 5S: hit.``"""
        state, judged = play.state, self._judged(play.state)
        unit = state.setup.unit(_unit_that_fired(state, judged.shot))
        target = state.setup.unit(row_unit(judged.shot.target)).short
        if not self.whole:
            result = "hit" if judged.hit else "miss"
            return f"{unit.short} > {target}, {judged.draw}: {result}."
        volley = volley_of(state, judged.shot)
        shooters = len({one.shot.piece for one in volley})
        who = unit.named(shooters) if shooters > 1 else unit.short
        hit = sum(one.hit for one in volley)
        return f"{who} > {target}, the whole volley: {hit} of {len(volley)} hit."

    def seen_otherwise(self, state: State) -> list[tuple[str, str]]:
        """What may have been seen wrong, with its key: ``c``, ``he was in cover``."""
        order, found = self._order(state), list[tuple[str, str]]()
        for key, name in TOGGLE_KEYS.items():
            if not hasattr(order, name):
                continue
            refusal = why_not(state, _flipped(order, name))
            if refusal is None or _wants_suit(refusal):
                other = TOGGLE_WORDS[name][getattr(order, name) == USUAL[name]].lower()
                found.append((key, f"{'they were' if self.whole else 'he was'} {other}"))
        return found

    def which_suit(self, state: State) -> str:
        """The question for the next suit that is needed."""
        asked = suits_wanted(state, self.suiting) if self.suiting else []
        it = f"the {asked[0].draw}" if self.whole and asked else "it"
        return f"Which suit had {it}?"

    def misread(self, state: State) -> str:
        """What a player may have misread: a ``card`` or a ``roll``; empty if he drew none."""
        judged = self._judged(state)
        own = state.sources[state.source_of(piece_side(judged.shot.piece))].typed
        return ("card" if judged.draw.is_card else "roll") if own and not self.whole else ""

    def _given(self, order: Rejudge, state: State) -> Step:
        """The order, or first the questions which suits the cards had, and what becomes of a run
        of fire that it ends sooner."""
        asked = msgspec.structs.replace(self, typed="", suiting=None)
        if _wants_suit(why_not(state, order)):
            return msgspec.structs.replace(asked, suiting=order)
        if _cut_short(state, order):
            return msgspec.structs.replace(asked, broken=order)
        return order

    def _judged(self, state: State) -> Judged:
        return next(one for one in state.judged if one.shot.id == self.shot)

    def _order(self, state: State) -> Rejudge:
        order = as_judged(state, self._judged(state).shot)
        return msgspec.structs.replace(order, volley=self.whole)

    def _before(self, state: State) -> int:
        judged = sorted(_told(state))
        earlier = [shot for shot in judged if shot < self.shot]
        return earlier[-1] if earlier else judged[-1]


def _cut_short(state: State, order: Rejudge) -> int:
    """How many repeat shots followed one that would miss if it was judged so; none where that would
    be refused."""
    try:
        events = decide(state, msgspec.structs.replace(order, chain=True))
    except Refused:
        return 0
    return sum(len(event.chain) for event in events if isinstance(event, Recalled))


def _told(state: State) -> set[int]:
    """The shots of this player turn, and its counted volleys, by their numbers."""
    return {one.shot.id for one in state.judged} | {one.shot.id for one in state.counts}


def _flipped(order: Rejudge, name: str) -> Rejudge:
    return msgspec.structs.replace(order, **{name: not getattr(order, name)})


def _wants_suit(refusal: Refusal | None) -> bool:
    return refusal is not None and refusal.code == "no_suit"


class Tallying(Mode, frozen=True, kw_only=True):
    """=: the rest of a volley in one count, beside card by card. A letter goes to its number.
    ``anew`` is a count to be put right; then ``c`` and ``h`` say what was seen of all of it, and of
    what was typed of the same volley: ``suits`` are those asked for that, while ``suiting``."""

    typed: dict[str, str]
    at: str = "low"
    anew: int = 0
    seen: frozenset[str] = frozenset()
    fresh: bool = True
    suits: dict[int, str] = msgspec.field(default_factory=dict)
    suiting: bool = False

    @classmethod
    def opened(cls, state: State) -> Tallying:
        """For the volley that waits for its draws; raises DraftError where none does."""
        if volley_to_count(state) is None:
            raise DraftError("= counts a volley of your own cards or rolls; none waits for them.")
        return cls(typed={})

    @classmethod
    def put_right(cls, before: HitsCounted) -> Tallying:
        """A count as it was told."""
        seen = frozenset(name for name in TOLD if getattr(before.shot.at, name))
        numbers = {name: str(getattr(before, name)) for name in ("low", "aces", "saved")}
        return cls(typed=numbers, anew=before.shot.id, seen=seen)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits, the letters of the numbers, Tab to the next of them, Enter."""
        names, typed = self._numbers(play.state), self.typed.get(self.at, "")
        if self.suiting:
            return self._suited(key, play.state)
        if key == "enter":
            if not self.typed.get("low"):
                raise DraftError("First how many were low enough; 0 if none was.")
            return self._given(play.state)
        if key == "t" and (beside := self._beside(play.state)):
            return Judging(shot=beside[-1].shot.id)
        if key == "escape" or (key == "backspace" and not typed):
            return None
        if key == "backspace":
            return self._with(self.at, typed[:-1])
        if key == "tab":
            after = [*names, *names][[*names].index(self.at) + 1]
            return replace(self, at=after, fresh=True)
        if key.isdigit():
            return self._with(self.at, typed_on("" if self.fresh else typed, key))
        for letter, name in zip("ch", TOLD, strict=True):
            if key == letter and self._may_be(play.state, name):
                return replace(self, seen=self.seen ^ {name})
        found = next((name for name, (letter, _) in names.items() if letter == key), None)
        if found is None:
            letters = ", ".join(f"{letter} {words}" for letter, words in names.values())
            raise DraftError(f"Digits, or {letters}. Enter counts, Esc leaves.")
        return replace(self, at=found, fresh=True)

    def lines(self, play: BattlePlay) -> list[Said]:
        """Who fired at whom, the numbers, the keys."""
        state = play.state
        shot = self._shot(state)
        unit = state.setup.unit(state.unit_of(shot.piece)).short
        target = state.setup.unit(row_unit(shot.target)).short
        saves = aim_of(state, shot).saves
        seen = "".join(f", {words}" for name, words in TOLD.items() if name in saves)
        if beside := self._beside(state):
            hit = sum(one.hit for one in beside)
            seen += f", beside {len(beside)} typed card by card ({hit} hit)"
        line: Said = []
        if self.suiting:
            line = [(f"{self.which_suit(state)}   ", "strong")]
            for letter, name in SUIT_KEYS:
                line += [(letter, "key"), (f" {name}   ", "")]
            return [[("HOW MANY HIT?  ", "key"), (f"{unit} > {target}{seen}.", "strong")], line]
        for name, (letter, words) in self._numbers(state).items():
            number, here = self.typed.get(name, ""), name == self.at
            line += [(f"{letter} ", "key"), (f"{words} ", "")]
            line += [(f"{number}_" if here else number or "–", "chosen" if here else "strong")]
            line.append(("   ", ""))
        keys: Said = [("Enter", "key"), (" counts, ", ""), ("Tab", "key"), (" next number, ", "")]
        for letter, words in self.otherwise(state):
            keys += [(letter, "key"), (f" {words}, ", "")]
        leaves = " leaves" if self.anew else " card by card"
        return [
            [
                ("HOW MANY HIT?  ", "key"),
                (f"{len(self._pieces(state))} {unit} > {target}{seen}.", "strong"),
            ],
            line,
            [*keys, ("Esc", "key"), (leaves, "")],
        ]

    def otherwise(self, state: State) -> Iterator[tuple[str, str]]:
        """What can be said of a count that is put right, with its key: ``c``, ``all in cover``."""
        for letter, name in zip("ch", TOLD, strict=True):
            if self._may_be(state, name):
                yield letter, f"all {TOGGLE_WORDS[name][name not in self.seen].lower()}"
        if self._beside(state):
            yield "t", "the typed cards"

    def which_suit(self, state: State) -> str:
        """The question for the next suit that is needed."""
        return f"Which suit had the {suits_wanted(state, self._order(state))[0].draw}?"

    def _order(self, state: State) -> CountHits:
        names = self._numbers(state)
        numbers = {name: int(self.typed[name]) for name in names if self.typed.get(name)}
        cover, hull_down = (name in self.seen for name in TOLD)
        order = CountHits(low=0, anew=self.anew, cover=cover, hull_down=hull_down, suits=self.suits)
        return replace(order, **numbers)

    def _given(self, state: State) -> Step:
        """The order, or first the question which suit a typed card had."""
        order = self._order(state)
        if suits_wanted(state, order):
            return replace(self, suiting=True)
        return order

    def _suited(self, key: str, state: State) -> Step:
        if key in ("escape", "backspace"):
            return replace(self, suiting=False, suits={})
        if len(key) != 1 or key.upper() not in SUITS:
            raise DraftError("s spades, h hearts, d diamonds, c clubs. Esc steps back.")
        asked = suits_wanted(state, self._order(state))[0].shot.id
        return replace(self, suits={**self.suits, asked: key.upper()})._given(state)

    def _beside(self, state: State) -> list[Judged]:
        """What was typed card by card of the volley that is counted anew."""
        before = self._before(state)
        return volley_of(state, before.shot) if before and before.shot.volley else []

    def _with(self, name: str, number: str) -> Tallying:
        return replace(self, typed={**self.typed, name: number}, fresh=False)

    def _before(self, state: State) -> HitsCounted | None:
        return next((one for one in state.counts if one.shot.id == self.anew), None)

    def _pieces(self, state: State) -> tuple[str, ...]:
        before, volley = self._before(state), volley_to_count(state)
        rest = volley.pieces if volley else ()
        return before.pieces if before else (self._shot(state).piece, *rest)

    def _shot(self, state: State) -> Shooting:
        before = self._before(state)
        if before is None:
            judge = state.agenda[0]
            assert isinstance(judge, ToJudge)
            return judge.shot
        at = replace(before.shot.at, **{name: name in self.seen for name in TOLD})
        return replace(before.shot, at=at)

    def _may_be(self, state: State, name: str) -> bool:
        """Whether a count that is put right can be told to have been in cover, or hull down."""
        if not self.anew or (name == "hull_down" and not state.options.hull_down):
            return False
        shot = self._shot(state)
        return name in aim_of(state, replace(shot, at=replace(shot.at, **{name: True}))).saves

    def _numbers(self, state: State) -> dict[str, tuple[str, str]]:
        """The numbers that matter here, each with its letter and words."""
        shot = self._shot(state)
        aimed = aim_of(state, shot)
        die = state.sources[state.source_of(piece_side(shot.piece))].kind == "die"
        numbers = {"low": ("l", f"low enough ({ranks(aimed.needs)})")}
        if aimed.at_guy and aimed.exact is None:
            numbers["aces"] = ("a", "ones that hit" if die else "aces that hit")
        if aimed.saves:
            numbers["saved"] = ("b", "saved by their number" if die else "black, so saved")
        if not self.anew:
            if aimed.may_break:
                numbers["broken"] = ("q", "broke down")
            numbers["fired"] = ("f", f"fired, if not {len(self._pieces(state))}")
        return numbers


TOLD = {"cover": "in cover", "hull_down": "hull down"}


class Looking(Mode, frozen=True, kw_only=True):
    """A cursor in the journal, on the line with that ``number``. ``asked``: what Enter does."""

    number: int
    asked: Literal["", "void", "back"] = ""

    @classmethod
    def opened(cls, play: BattlePlay) -> Looking:
        """On the newest line; raises DraftError where there is none."""
        found = standing(play)
        if not found:
            raise DraftError("Nothing has happened yet.")
        return cls(number=found[-1].number)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Up, Down, then what is to be done there."""
        found = standing(play)
        numbers = [line.number for line in found]
        if self.number not in numbers:
            return None
        at = numbers.index(self.number)
        line = found[at]
        match key:
            case "up":
                return Looking(number=numbers[max(at - 1, 0)])
            case "down":
                return Looking(number=numbers[at + 1]) if at + 1 < len(numbers) else None
            case "escape" | "backspace":
                return Looking(number=self.number) if self.asked else None
            case "v":
                refusal = why_not_void(play, line)
                if refusal is not None:
                    raise DraftError(refusal.says)
                return Looking(number=self.number, asked="void")
            case "b":
                if line is found[-1]:
                    raise DraftError("This is the last line; Backspace undoes it.")
                return Looking(number=self.number, asked="back")
            case "tab":
                return Judging.opened(play.state, _shot_of(line, play.state))
            case "enter" | "space" if self.asked == "void":
                return Void(line.numbers)
            case "enter" | "space" if self.asked == "back":
                return BackTo(line.numbers[-1])
        raise DraftError("v makes this line void, b goes back to here, Tab judges its shot again.")

    def lines(self, play: BattlePlay) -> list[Said]:
        """The line, and what can be done."""
        line = next((one for one in standing(play) if one.number == self.number), None)
        if line is None:
            return []
        if self.asked == "void":
            later = [str(other.number) for other in dependents(play, line)]
            says = "No later line depends on it."
            if later:
                says = f"Check the lines that depend on it: {', '.join(later)}. They do not change."
            return [
                [("VOID?  ", "key"), (f"{line.number} {line.says}", "strong")],
                [(says, "alarm" if later else "dim")],
                [("Enter", "key"), (" makes it void, ", ""), ("Esc", "key"), (" leaves it", "")],
            ]
        if self.asked == "back":
            after = sum(other.number > line.number for other in standing(play))
            return [
                [("BACK TO HERE?  ", "key"), (f"{line.number} {line.says}", "strong")],
                [(f"{after} later lines are undone; Ctrl+Y redoes them.", "alarm")],
                [("Enter", "key"), (" goes back, ", ""), ("Esc", "key"), (" stays", "")],
            ]
        return [
            [("LOOKING BACK  ", "key"), (f"{line.number} {line.says}", "strong")],
            [
                ("v", "key"),
                (" make void, ", ""),
                ("b", "key"),
                (" go back to here, ", ""),
                ("Tab", "key"),
                (" judge its shot again, ", ""),
                ("Esc", "key"),
                (" leaves", ""),
            ],
        ]


def standing(play: BattlePlay, last: int = LOOKS_BACK) -> list[Line]:
    """The lines that stand among the ``last`` so many, oldest first, the opening left out."""
    return [
        line
        for line in lines(play, last)
        if line.says and not line.struck and line.entries[0].kind != "open"
    ]


def _shot_of(line: Line, state: State) -> int:
    """The last shot in a line that is of this player turn; raises DraftError."""
    here = _told(state)
    shots = [
        event.shot.id
        for entry in line.entries
        for event in entry.events
        if isinstance(event, HitsCounted | Judged) and event.shot.id in here
    ]
    if not shots:
        raise DraftError("Only a shot of this player turn can be judged again; v makes it void.")
    return shots[-1]


def _unit_that_fired(state: State, shot: Shooting) -> str:
    """What the shooter was when it fired: its weapon may have broken since."""
    now = state.unit_of(shot.piece)
    still_has = shot.weapon in state.setup.unit(now).weapons
    return now if still_has else state.piece(shot.piece).unit
