"""The shot that is offered after a hit ("Repeat Firing" [70])."""

from __future__ import annotations

from functools import partial

from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import Again
from skirmish.games.plastic.battle.orders.firing import prepared, same_again
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import why_refused
from skirmish.games.plastic.commands.commanders_fire import key_of_more_fire
from skirmish.games.plastic.commands.declaring import FIRE, AnyCommand
from skirmish.games.plastic.commands.own_draws import OwnDraws, drawn_word
from skirmish.games.plastic.commands.shots.rows import ShotRows
from skirmish.games.plastic.commands.shots.toggles import circumstance_toggles
from skirmish.games.plastic.forecast import forecast
from skirmish.games.plastic.shot_page import shot_page
from skirmish.games.plastic.side_messages import draft_words
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Answers, Command, Forecast, Toggle
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Page
from skirmish.tabletop.slots import Confirm, Option, Slot


class RepeatShot:
    """The command for a shot that is offered. It proposes the row of the last shot or, if the rules
    allow no other shot at it, the first row at which they do."""

    def __init__(self, rows_of_shot: ShotRows, ask: RepeatAsk) -> None:
        self.rows = rows_of_shot
        self.state = rows_of_shot.state
        self.ask = ask
        self.side = piece_side(ask.shot.piece)
        self.enemy = self.rows.enemy(self.side)
        same_shot = same_again(self.state)
        assert same_shot is not None, "there is one while ``ask`` is open"
        # A repeat is fired at guys only (P21), which are neither hull down nor armored.
        self.circumstances = {
            name: getattr(same_shot, name) for name in ("cover", "close", "grouped")
        }
        self.proposed = self._first_possible_target(ask.shot.target)

    @property
    def command(self) -> AnyCommand:
        """The command as it is offered."""
        return Command(
            label="Fire again",
            word="fire again",
            verb="draw",
            group=FIRE,
            topic="ask repeat",
            given=self.circumstances,
            slots=self.slots,
            toggles=self.toggles,
            make=self.order,
            words_for_others=self.words_for_others,
            preview=self.preview,
            forecast=self.forecast,
            leads_to=key_of_more_fire(self.state, self.side),
        )

    def _first_possible_target(self, same_row: str) -> str:
        """The first row at which a shot is possible, beginning with that of the last shot."""
        rows_of_enemy = [row.key for row in rows(self.state, self.enemy)]
        for row_key in (same_row, *rows_of_enemy):
            shot = Again(target=row_key, **self.circumstances)
            if not why_refused(partial(prepared, self.state, shot)):
                return row_key
        # Nobody can be shot at. The question then says why, for this row.
        return same_row

    def order(
        self,
        target: str | None = None,
        draws: tuple[Draw, ...] | None = None,
        confirm: None = None,
        **circumstances: bool,
    ) -> Again:
        """The order that these answers make; without a ``target`` at the row that is proposed."""
        del confirm  # the slot ``Confirm`` is among the answers, but says nothing
        return Again(target=target or self.proposed, draws=draws or (), **circumstances)

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """At whom the next shot is, and the draw for it."""
        draw_or_confirm: Slot = Confirm()
        keys = "Space fires, a letter picks another target, Esc stops."
        if draw_may_be_typed(self.state):
            drawn = drawn_word(self._draws_by_die)
            draw_or_confirm = self._draw_slot(drawn)
            keys = f"Space or your {drawn} fires, a letter picks another target, Esc stops."
        whom = self.rows.choose(
            "target",
            f"FIRE AGAIN? (within {inches(self.ask.within)} of the {self.ask.of})",
            self.enemy,
            [self._target_option(row, facts) for row in rows(self.state, self.enemy)],
            tab_switches=False,
            refusal_of_digit=None,
            default=self.proposed,
            key_sentence=keys,
        )
        return (whom, draw_or_confirm)

    def _target_option(self, row: Row, facts: Answers) -> Option:
        """A row of the enemy with the chance of this shot at it, or with why it cannot go there."""
        note = f"{len(row.in_sight)} there"
        if not row.alive:
            return self.rows.option(row, note, f"No {row.unit.name} is left.")
        shot = self.order(**{**facts, "target": row.key})
        why_not = why_refused(partial(prepared, self.state, shot))
        return self.rows.option(row, note, why_not, late_note=partial(self.rows.chance_note, shot))

    @property
    def _draws_by_die(self) -> bool:
        """Whether the shooter's player rolls instead of drawing."""
        return self.state.sources[self.state.source_of(self.side)].kind == "die"

    def _draw_slot(self, drawn: str) -> Slot:
        """The question for the draw of this shot. A player with cards or dice of his own types it
        at once, without a key that fires first."""
        key_note = f"Or type the {drawn} that you draw, then Enter."
        return OwnDraws(name="draws", key_note=key_note, die=self._draws_by_die, optional=True)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """The circumstances of the next shot that a key switches, once its target is chosen."""
        if "target" not in facts:
            return ()
        return tuple(circumstance_toggles(self.state, self.order(**facts)))

    def words_for_others(self, facts: Answers, viewer: str | None) -> str:
        """The shot that is being entered, in words for those who look on."""
        return draft_words(self.state, self.order(**facts), viewer)

    def preview(self, facts: Answers) -> Page:
        """The page of the shot that is being entered, with its chances."""
        return shot_page(self.state, self.order(**facts), self.rows.knowledge)

    def forecast(self, facts: Answers) -> Forecast:
        """What the shot would do if it were fired now."""
        return forecast(self.state, self.order(**facts), self.rows.knowledge)


def draw_may_be_typed(state: State) -> bool:
    """Whether a number typed now may be the draw of the shot that is offered, since its player has
    cards or dice of his own."""
    ask = state.ask
    if not isinstance(ask, RepeatAsk):
        return False
    return state.sources[state.source_of(piece_side(ask.shot.piece))].typed
