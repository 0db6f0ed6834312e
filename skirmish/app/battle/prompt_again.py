"""Looking back: a shot judged again ("he was in cover"), a line made void, back to a line."""

from __future__ import annotations

from typing import Literal

import msgspec

from skirmish.app.battle.draft import TOGGLE_KEYS, TOGGLE_WORDS, USUAL
from skirmish.app.battle.mode import BackTo, DraftError, Mode, Said, Step, Void
from skirmish.app.battle.prompt_forms import Tallying
from skirmish.app.battle.prompt_waiting import SUIT_KEYS
from skirmish.app.battle.typed_draws import typed_draws
from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.decide import decide, why_not
from skirmish.games.plastic.battle.events import HitsCounted, Judged
from skirmish.games.plastic.battle.lines import Line, dependents, lines, why_not_void
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.orders import Rejudge
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rejudge import as_judged, chain_after
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.chance import SUITS, Draw, DrawError
from skirmish.tabletop.refusal import Refusal, Refused

RANKS = ("a", "j", "q")
LOOKS_BACK = 200
"""So many lines the cursor reaches; older ones are in the journal."""


class Judging(Mode, frozen=True, kw_only=True):
    """Tab: the last shot of this player turn; Tab again: the one before. A toggle judges, and so
    does the card as it really was, ``typed`` anew; ``suiting`` is a toggle that asks for its suit.
    ``broken`` is an order that ends a run of repeat fire sooner: are its later shots taken back?
    """

    shot: int
    typed: str = ""
    suiting: str = ""
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
        return Tallying.put_right(counts[shot]) if shot in counts else cls(shot=shot)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Another shot, or a toggle."""
        state = play.state
        if key in ("escape", "backspace"):
            typed = self.typed[:-1] if key == "backspace" else ""
            begun = self.typed or self.suiting or self.broken
            return Judging(shot=self.shot, typed=typed) if begun else None
        if self.broken is not None:
            if key not in ("enter", "k"):
                raise DraftError("Enter takes the later shots back, k leaves them. Esc goes back.")
            return msgspec.structs.replace(self.broken, chain=key == "enter")
        if key == "tab":
            return Judging.opened(state, self._before(state))
        order, draw = self._order(state), self._judged(state).draw
        if self.suiting and key.upper() in SUITS:
            order = msgspec.structs.replace(order, draw=Draw(draw.rank, key.upper()))
            return self._given(_flipped(order, self.suiting), state)
        if self.typed and key == "enter":
            try:
                (draw,) = typed_draws(self.typed, die=not draw.is_card)
            except DrawError as error:
                raise DraftError(f"{error}.") from None
            return self._given(msgspec.structs.replace(order, draw=draw), state)
        if key.isdigit() or key in RANKS or (self.typed and key in "shdc"):
            return Judging(shot=self.shot, typed=self.typed + key)
        name = TOGGLE_KEYS.get(key)
        if self.typed or self.suiting or name is None or not hasattr(order, name):
            raise DraftError(
                "c in cover, h hull down, b from behind, n within 3\u00a0in, l alone; or the true "
                "card, 7h, and Enter. Esc leaves."
            )
        if _wants_suit(why_not(state, _flipped(order, name))):
            return Judging(shot=self.shot, suiting=name)
        return self._given(_flipped(order, name), state)

    def lines(self, play: BattlePlay) -> list[Said]:
        """The shot as it was judged, and what would be otherwise."""
        state = play.state
        judged = self._judged(state)
        order, shot = self._order(state), judged.shot
        shooter = state.setup.unit(_unit_that_fired(state, shot)).short
        target = state.setup.unit(row_unit(shot.target)).short
        result = "hit" if judged.hit else "miss"
        line: Said = []
        for key, name in TOGGLE_KEYS.items():
            if not hasattr(order, name):
                continue
            now = getattr(order, name)
            other = TOGGLE_WORDS[name][now == USUAL[name]]
            refusal = why_not(state, _flipped(order, name))
            if refusal is None or _wants_suit(refusal):
                line += [(f"{key} ", "key"), (f"he was {other.lower()}   ", "")]
        if self.broken is not None:
            later = len(chain_after(state, shot))
            shots = "1 repeat shot" if later == 1 else f"{later} repeat shots"
            line = [(f"Now a miss, but {shots} followed.   ", "strong"), ("Enter", "key")]
            line += [(" takes back what they did, ", ""), ("k", "key"), (" leaves it", "")]
        elif self.typed:
            line = [(f"It was {self.typed}_   ", "strong"), ("Enter", "key"), (" judges by it", "")]
        elif self.suiting:
            line = [("Which suit had it?   ", "strong")]
            for letter, name in SUIT_KEYS:
                line += [(letter, "key"), (f" {name}   ", "")]
        keys: Said = (
            [("Tab", "key"), (" the shot before, ", "")]
            if len(state.judged) + len(state.counts) > 1
            else []
        )
        if state.sources[state.source_of(piece_side(shot.piece))].typed:
            example, what = ("7h", "card") if judged.draw.is_card else ("7", "roll")
            keys += [(f"{example} Enter", "key"), (f" the {what} as it really was, ", "")]
        return [
            [
                ("JUDGE AGAIN  ", "key"),
                (f"{shooter} > {target}, {judged.draw}: {result}. ", "strong"),
                (judged.explain, "dim"),
            ],
            line or [("Nothing seen differently would change this result.", "")],
            [*keys, ("Esc", "key"), (" leaves", "")],
        ]

    def _given(self, order: Rejudge, state: State) -> Step:
        """The order, or first the question what becomes of a run of fire that it ends sooner."""
        if chain_after(state, self._judged(state).shot) and _misses(state, order):
            return Judging(shot=self.shot, broken=order)
        return order

    def _judged(self, state: State) -> Judged:
        return next(one for one in state.judged if one.shot.id == self.shot)

    def _order(self, state: State) -> Rejudge:
        return as_judged(state, self._judged(state).shot)

    def _before(self, state: State) -> int:
        judged = sorted(_told(state))
        earlier = [shot for shot in judged if shot < self.shot]
        return earlier[-1] if earlier else judged[-1]


def _misses(state: State, order: Rejudge) -> bool:
    """Whether the shot would miss if it was judged so; not where that would be refused."""
    try:
        events = decide(state, order)
    except Refused:
        return False
    return any(
        isinstance(event, Judged) and event.shot.id == order.shot and not event.hit
        for event in events
    )


def _told(state: State) -> set[int]:
    """The shots of this player turn, and its counted volleys, by their numbers."""
    return {one.shot.id for one in state.judged} | {one.shot.id for one in state.counts}


def _flipped(order: Rejudge, name: str) -> Rejudge:
    return msgspec.structs.replace(order, **{name: not getattr(order, name)})


def _wants_suit(refusal: Refusal | None) -> bool:
    return refusal is not None and refusal.code == "no_suit"


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
