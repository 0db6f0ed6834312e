"""The program waits: for a choice, a suit, a typed card, for who has won."""

from __future__ import annotations

from skirmish.app.battle.mode import DraftError, Mode, Resting, Said, Step, people
from skirmish.games.plastic.battle.agenda import ChoiceAsk, DrawAsk, LotKind, ToCast, ToVolley
from skirmish.games.plastic.battle.orders import Choose, Show
from skirmish.games.plastic.battle.orders.rejudge import volley_to_count
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.chance import SUITS, Draw

SUIT_KEYS = (("s", "spades"), ("h", "hearts"), ("d", "diamonds"), ("c", "clubs"))


class Choosing(Mode, frozen=True, kw_only=True):
    """One of several that a table allows."""

    @property
    def begun(self) -> bool:
        """Never half."""
        return False

    def press(self, key: str, play: BattlePlay) -> Step:
        """A digit."""
        ask = play.state.ask
        if not isinstance(ask, ChoiceAsk):
            return None
        if key == "escape":
            return self
        if key.isdigit() and 1 <= int(key) <= len(ask.options):
            return Choose(int(key) - 1)
        raise DraftError(f"Choose 1 to {len(ask.options)}.")

    def lines(self, play: BattlePlay) -> list[Said]:
        """The question and what may be chosen."""
        ask = play.state.ask
        if not isinstance(ask, ChoiceAsk):
            return []
        line: Said = []
        for number, words in enumerate(ask.options, 1):
            line += [(f"{number} ", "key"), (f"{words}   ", "")]
        the = play.state.setup.the(ask.side, "The")
        return [[(f"{ask.question.upper()}  ", "key"), (f"{the} choose.", "")], line]


class Suiting(Mode, frozen=True, kw_only=True):
    """A rank was shown, and here the suit matters."""

    @property
    def begun(self) -> bool:
        """Never half."""
        return False

    def press(self, key: str, play: BattlePlay) -> Step:
        """s, h, d or c."""
        ask = play.state.ask
        if not isinstance(ask, DrawAsk) or ask.rank is None:
            return None
        if key.upper() in SUITS and len(key) == 1:
            return Show((Draw(ask.rank, key.upper()),))
        if key == "escape":
            return self
        raise DraftError("Press s, h, d or c; Backspace undoes the draw.")

    def lines(self, play: BattlePlay) -> list[Said]:
        """The question."""
        ask = play.state.ask
        if not isinstance(ask, DrawAsk) or ask.rank is None:
            return []
        rank = Draw(ask.rank, "S").words.partition(" ")[0]
        line: Said = [(f"WHICH SUIT is the {rank}?  ", "key")]
        for letter, name in SUIT_KEYS:
            line += [(letter, "key"), (f" {name}   ", "")]
        return [line, [("The suit matters here. Backspace undoes the draw.", "dim")]]


WHY = {
    "shot": "the shot",
    "breakdown": "the breakdown test",
    "pin": "the pin test",
    "command": "the command draw",
    "entrench": "digging in",
    "table": "reinforcements",
    "lot": "the draw before play",
}
"""What a draw is for, in a sentence."""

LOTS: dict[LotKind, str] = {
    "terrain": "who places terrain first",
    "side": "who chooses an edge",
}


def drawn_for(state: State, ask: DrawAsk) -> str:
    """What a draw is for; in a volley, which gun's it is: ``gun 3 of 6 (Machinegun), 4 hits``."""
    for task in state.agenda:
        if isinstance(task, ToCast) and ask.why == "lot":
            return LOTS[task.lot]
        if isinstance(task, ToVolley) and ask.why in ("shot", "breakdown"):
            unit = state.setup.unit(state.unit_of(task.shot.piece)).short
            of = task.fired + len(task.pieces)
            hits = f"{len(task.hits)} hit{'' if len(task.hits) == 1 else 's'} so far"
            test = f"{WHY['breakdown']} of " if ask.why == "breakdown" else ""
            return f"{test}{unit} {task.fired} of {of}, {hits}"
    return WHY[ask.why]


class Typing(Resting, frozen=True, kw_only=True):
    """A card or roll is typed into the field."""

    def lines(self, play: BattlePlay) -> list[Said]:
        """Whose draw, and for what."""
        ask = play.state.ask
        if not isinstance(ask, DrawAsk):
            return []
        own = people(play.state, ask.side)
        why = drawn_for(play.state, ask)
        how = (
            "1 to 12; several on one line: 7 3 11. Esc takes it back."
            if ask.die
            else "7h, qs, or the rank alone; several on one line: 7 3h q 10. Esc takes it back."
        )
        what = "roll" if ask.die else "card"
        lines: list[Said] = [
            [("DRAW  ", "key"), (f"{own}, for {why}. Type the {what}.", "")],
            [(how, "dim")],
        ]
        if volley_to_count(play.state) is not None:
            lines.append([("=", "key"), (" counts the hits of all who have still to fire", "")])
        return lines


class Ending(Resting, frozen=True, kw_only=True):
    """The clock has run out, and nothing is to be counted."""

    def lines(self, play: BattlePlay) -> list[Said]:
        """Who won?"""
        return [
            [("TIME IS UP  ", "key"), ("F says who won, Backspace undoes.", "")],
            [(play.state.setup.victory, "")],
        ]


class Over(Resting, frozen=True, kw_only=True):
    """It is over."""

    def lines(self, play: BattlePlay) -> list[Said]:
        """Why, and what can still be done."""
        outcome = play.state.outcome
        return [
            [(outcome.reason if outcome else "", "strong")],
            [
                ("Y", "key"),
                (" summary, ", ""),
                ("Backspace", "key"),
                (" undoes, ", ""),
                ("F", "key"),
                (" plays on, ", ""),
                ("H", "key"),
                (" home", ""),
            ],
        ]
