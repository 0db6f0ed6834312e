"""What the player wants, and what happens then.

An order that answers is taken only while that answer is awaited. Whatever is ordered, the game then
runs on until dice lie on the table or only the player can say how it goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import agenda, events
from skirmish.games.beach_head.resolution import Resolution
from skirmish.games.beach_head.ruleset import Card, DefenceId, TankId, signs
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.wording import number, prompt_text
from skirmish.tabletop.chance import Draw, pack
from skirmish.tabletop.refusal import Refusal, Refused, nonsense


class Order(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    def decide(self, state: State) -> list[events.AnyEvent]:
        """What happens when it is given; raises Refused."""
        run = self.carried_out(state)
        _run_on(run)
        return run.events

    def carried_out(self, state: State) -> Resolution:
        if state.over:
            raise nonsense("over", "The beach is taken; the game is over.")
        run = Resolution(state)
        self.carry_out(run)
        return run

    def carry_out(self, run: Resolution) -> None:
        raise NotImplementedError

    def why_not(self, state: State) -> Refusal | None:
        try:
            self.carried_out(state)
        except Refused as refused:
            return refused.refusal
        return None


def _run_on(run: Resolution) -> None:
    """Until dice lie on the table, only the player can say, or the game is won. Cards owed to the
    hand come even while dice lie there (a General, B25). Raises ValueError where no ruleset of ours
    leads: turns in which nothing is rolled."""
    begun = run.state.turn
    while not run.state.over and run.state.ask is None:
        ahead = run.state.agenda
        if run.state.roll is not None and not (ahead and isinstance(ahead[0], agenda.Fill)):
            if not _counts_at_once(run.state):
                return
            run.settle()
        elif ahead:
            run.do(ahead[0])
        else:
            run.next_phase()
            if run.state.turn > begun + 2:
                raise ValueError("turns pass and nothing is rolled")


def _counts_at_once(state: State) -> bool:
    """Whether the player's own dice have been seen, and no card can follow."""
    roll = state.roll
    if roll is None or not (roll.faces and state.dice.typed) or state.setup.version == 1:
        return False
    return all(
        PlayCard(card=card, die=die).why_not(state)
        for card in state.hand
        for die in range(roll.dice)
    )


class Go(Order, frozen=True, kw_only=True, tag="go"):
    def carry_out(self, run: Resolution) -> None:
        state = run.state
        if isinstance(state.ask, agenda.ExchangeAsk):
            run.emit(events.Discarded(cards=(), then=run.rest))
        elif state.ask is not None:
            raise nonsense("waiting", prompt_text(state))
        elif state.roll is not None:
            run.settle() if state.roll.faces else run.throw()


class ChooseTarget(Order, frozen=True, kw_only=True, tag="choose"):
    """The answer to which defence (None: none, B35)."""

    target: DefenceId | None

    def carry_out(self, run: Resolution) -> None:
        ask, target = run.state.ask, self.target
        if not isinstance(ask, agenda.TargetAsk):
            raise nonsense("not_now", "There is no target to choose now.")
        if target is None:
            if not ask.may_decline:
                raise nonsense("must_remove", "You must choose a target.", "B35")
            run.emit(events.Passed(why="declined", then=run.rest))
            return
        if target not in ask.targets:
            names = [run.state.ruleset.listed([one]) for one in ask.targets]
            raise nonsense(
                "no_target", f"That is not a target here; the targets are {', '.join(names)}."
            )
        match run.state.agenda[0]:
            case agenda.Take(step=step):
                run.aim(agenda.Throw(step=step, target=target))
            case agenda.Outcome() as task:
                run.aim(replace(task, target=target))
            case agenda.Spend():
                run.spend(target)


class Give(Order, frozen=True, kw_only=True, tag="give"):
    tank: TankId

    def carry_out(self, run: Resolution) -> None:
        ask = run.state.ask
        if not isinstance(ask, agenda.TankAsk):
            raise nonsense("not_now", "There is no tank to choose now.")
        if self.tank not in ask.kinds:
            names = ", ".join(run.state.ruleset.tank_of(one).name for one in ask.kinds)
            raise nonsense("no_target", f"There is no such tank here; there are: {names}.")
        run.emit(events.TankLost(kind=self.tank, then=run.rest))


class Show(Order, frozen=True, kw_only=True, tag="show"):
    """The faces of the player's own dice, or the number he drew as a lot."""

    faces: tuple[int, ...]

    def carry_out(self, run: Resolution) -> None:
        match run.state.ask:
            case agenda.LotAsk(sides=sides):
                self._check(1, sides)
                (lot,) = self.faces
                task = run.state.agenda[0]
                assert isinstance(task, agenda.LoseTank)
                kind = run.state.losable(task)[lot - 1]
                run.emit(events.TankLost(kind=kind, lot=lot, own=True, then=run.rest))
            case agenda.DiceAsk(count=count, card=None):
                self._check(count, 6)
                run.emit(events.Shown(faces=self.faces, own=True))
            case agenda.DiceAsk(count=count, card=agenda.Played() as card):
                self._check(count, 6)
                run.emit(events.CardPlayed(played=replace(card, faces=self.faces), own=True))
            case _:
                raise nonsense("not_now", "There are no dice to roll now.")

    def _check(self, count: int, sides: int) -> None:
        if len(self.faces) != count:
            dice = "1 die is" if count == 1 else f"{count} dice are"
            raise nonsense("how_many", f"{dice} rolled here, not {len(self.faces)}.")
        for face in self.faces:
            if not 1 <= face <= sides:
                raise nonsense("no_face", f"It must be a number from 1 to {sides}, not {face}.")


class Draws(Order, frozen=True, kw_only=True, tag="draws"):
    cards: tuple[Draw, ...]

    def carry_out(self, run: Resolution) -> None:
        state, ask = run.state, run.state.ask
        if not isinstance(ask, agenda.CardsAsk):
            raise nonsense("not_now", "No card is to be drawn now.")
        if len(self.cards) != ask.count:
            cards = "1 card is" if ask.count == 1 else f"{ask.count} cards are"
            raise nonsense("how_many", f"{cards} to be drawn, not {len(self.cards)}.")
        seen = set(state.deck.gone) if state.deck else set()
        for card in self.cards:
            if card not in pack():
                raise nonsense(
                    "no_card", f"{card} is no card of this deck; there are {len(pack())}."
                )
            if card in seen:
                raise nonsense("gone", f"{card} has been drawn since the last shuffle.")
            seen.add(card)
        for card in self.cards:
            run.emit(events.Drew(card=card))
        task = run.state.agenda[0]
        assert isinstance(task, agenda.Fill)
        run.aim(task if task.count is None else agenda.Fill(count=task.count - len(self.cards)))


def _in_hand(state: State, cards: Sequence[Draw]) -> None:
    missing = [card for card in cards if card not in state.hand]
    if missing:
        hand = signs(sorted(state.hand)) or "empty"
        raise nonsense("not_in_hand", f"Your hand has no {signs(missing)}; it is {hand}.")
    if len(set(cards)) < len(cards):
        raise nonsense("not_in_hand", "The same card is named twice.")


class Discard(Order, frozen=True, kw_only=True, tag="discard"):
    """Cards out of the hand: to be exchanged, or too many at the end of a turn."""

    cards: tuple[Draw, ...]

    def carry_out(self, run: Resolution) -> None:
        ask, count = run.state.ask, len(self.cards)
        _in_hand(run.state, self.cards)
        again: Iterable[agenda.Fill | agenda.Exchange] = ()
        if isinstance(ask, agenda.ExchangeAsk):
            if count > ask.most:
                most = f"You may exchange at most {ask.most} cards, not {count}."
                raise nonsense(
                    "too_many", most if ask.most else "You have exchanged cards already this turn."
                )
            again = (agenda.Fill(count=count), agenda.Exchange(done=True)) if count else ()
        elif not isinstance(ask, agenda.TrimAsk):
            raise nonsense("not_now", "Cards are discarded in the Tactical and End phases only.")
        elif count != ask.count:
            raise nonsense(
                "how_many", f"You must discard {number(ask.count, 'card')}, not {count}."
            )
        run.emit(events.Discarded(cards=self.cards, then=(*again, *run.rest)))


class PlayCard(Order, frozen=True, kw_only=True, tag="play"):
    """A card on the table: on die ``die`` (from 0) of the roll that lies there, on the phase just
    played (Admiral), or for more cards (General)."""

    card: Draw
    die: int = 0

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        _in_hand(state, [self.card])
        card = state.ruleset.card_of(self.card)
        if isinstance(state.ask, agenda.DiceAsk | agenda.CardsAsk):
            raise nonsense("waiting", "First type in what the table shows.")
        match card.does:
            case "draw":
                self._general(run)
            case "repeat":
                self._admiral(run)
            case _:
                self._on_die(run, card)

    def _on_die(self, run: Resolution, card: Card) -> None:
        state, roll = run.state, run.state.roll
        if roll is None:
            raise nonsense(
                "no_roll", f"A {card.name} is played on a roll, and there is none now.", "B19"
            )
        first_cards = state.ruled("B19", "before")
        if first_cards and roll.faces:
            raise nonsense(
                "too_late", "The dice have been rolled; cards are played before that.", "B19"
            )
        if not 0 <= self.die < roll.dice:
            raise nonsense("no_die", f"There is no such die; the roll has {roll.dice}.", "B20")
        if state.ruled("B36", "numbers") and state.is_looked_up(roll):
            raise nonsense(
                "looked_up", "This roll is looked up in a table; no card may change it.", "B36"
            )
        if state.ruled("B23", "one") and any(one.die == self.die for one in roll.cards):
            raise nonsense("one_card", "This die has a card already.", "B23")
        if card.does == "reroll" and first_cards:
            raise nonsense("nothing_rolled", "There is nothing to re-roll yet.", "B19")
        played = agenda.Played(self.card, self.die)
        if card.does != "reroll":
            run.emit(events.CardPlayed(played=played))
            return
        count = roll.dice if state.ruled("B22", "all") else 1
        if state.dice.typed:
            run.ask(agenda.DiceAsk(count=count, card=played))
        else:
            run.emit(events.CardPlayed(played=replace(played, faces=run.faces(count))))

    def _admiral(self, run: Resolution) -> None:
        state = run.state
        if state.roll is None or not state.roll.faces:
            text = "An Admiral is played on the last roll of the phase that he repeats."
        elif state.repeats:
            text = "This phase is going to be repeated already."
        elif state.ruled("B24", "allied") and state.now.side != "allied":
            text = "An Admiral does not repeat German phases."
        elif not _is_last_roll(state):
            text = "The phase is not over yet; its next roll comes first."
        else:
            run.emit(events.Repeats(card=self.card))
            return
        raise nonsense("no_phase", text, "B24")

    def _general(self, run: Resolution) -> None:
        state = run.state
        if not isinstance(state.ask, agenda.ExchangeAsk) and state.ruled("B25", "tactical"):
            raise nonsense("not_now", "A General is played in the tactical phase.", "B25")
        more = agenda.Fill(count=state.ruleset.hand.general)
        run.emit(events.DrawsMore(card=self.card, then=(more, *state.agenda)))


AnyOrder = Go | ChooseTarget | Give | Show | Draws | Discard | PlayCard


def _is_last_roll(state: State) -> bool:
    trial = Resolution(state)
    trial.settle()
    return _ends(trial)


def _ends(run: Resolution) -> bool:
    while not run.state.over and run.state.roll is None:
        match run.state.ask:
            case None if not run.state.agenda:
                return True
            case None:
                run.do(run.state.agenda[0])
            case agenda.TankAsk() | agenda.LotAsk():
                return not run.rest
            case agenda.TargetAsk(targets=targets, points=int()):  # the die came first (B40)
                return any(_ends_after(run.state, target) for target in targets)
            case _:
                return False
    return run.state.over


def _ends_after(state: State, target: DefenceId) -> bool:
    trial = Resolution(state)
    trial.spend(target)
    return _ends(trial)
