"""Close assault as an order ("Close Assault" of the rules)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from skirmish.games.omaha import combat
from skirmish.games.omaha.attacks import Attack, Outcome, why_not_attacking, why_not_combining
from skirmish.games.omaha.combat import AssaultOn
from skirmish.games.omaha.orders import rolls_of
from skirmish.games.omaha.state import OmahaState
from skirmish.games.omaha.units import Mark, is_ranger
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.result_table import Resolved, least_value, odds
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.refusal import nonsense

ON_FOOT = ("infantry", "engineers")
"""The kinds that count as infantry in "infantry against armor without any infantry"."""


class Assault(Attack, frozen=True, kw_only=True, tag="assault"):
    """A close assault on a hex beside all the attackers."""

    def check(self, state: OmahaState) -> None:
        attackers, defenders = self.attacking_units(state), self.targets(state)
        if not state.sequence.allows(state.position, "assault"):
            raise nonsense("no_assault_now", "Nobody assaults in this phase.")
        if not attackers or not defenders:
            raise nonsense("nobody", "Name attackers and a hex with an enemy.")
        for unit in attackers:
            if unit.side != state.side:
                raise nonsense("wrong_side", f"{unit.name} does not assault now.")
            why = why_not_attacking(unit, fire=False)
            if why:
                raise nonsense("cannot_assault", why)
            # "Non-Ranger units may not Close Assault across crest hex sides."
            if self.crest and not is_ranger(unit):
                text = f"{unit.name} is no Ranger; only Rangers assault across a crest."
                raise nonsense("crest", text)
        why = why_not_combining(state, attackers, fire=False)
        if why:
            raise nonsense("not_together", why)

    def resolved(self, state: OmahaState, roll: int | None) -> Resolved:
        attackers, defenders = self.attacking_units(state), self.targets(state)
        attack = sum(unit.rating("ca") for unit in attackers)
        defense = sum(unit.rating("ca") for unit in defenders)
        self._check_solitaire_odds(state, attack, defense)
        assault = AssaultOn(
            attack=attack,
            defense=defense,
            disrupted=any(unit.has(Mark.DISRUPTED) for unit in defenders),
            infantry_against_armor=_is_infantry_against_armor(attackers, defenders),
            terrain=self.unfortified_terrain(state),
            fortification=self.is_fortified(state),
            crest=self.crest,
        )
        setup = state.setup
        return combat.assault(setup.tables, setup.rulings, assault, roll, rolls_of(state))

    def _check_solitaire_odds(self, state: OmahaState, attack: int, defense: int) -> None:
        """Raises Refused for odds at which the solitaire Germans do not assault: they "will Close
        Assault adjacent American forces only if the German forces can amass 3-1 odds"."""
        if not state.setup.solitaire or state.side != "german":
            return
        least_odds = state.setup.tables.numbers.solitaire_odds
        if odds(attack, defense) < least_value(least_odds):
            text = f"is less than {least_odds}, at which the solitaire German assaults."
            raise nonsense("solitaire_odds", f"{attack}:{defense} {text}")

    def outcome(self, state: OmahaState, resolved: Resolved) -> Outcome:
        attackers, defenders = self.attacking_units(state), self.targets(state)
        # The first letter of a result stands for who is beaten: the defenders or the attackers. The
        # second stands for how: R, each unit loses a step and retreats; E, all are eliminated.
        beaten: tuple[Counter, ...] = ()
        defenders_beaten = resolved.result in ("DR", "DE")
        if defenders_beaten:
            beaten = defenders
        elif resolved.result in ("AR", "AE"):
            beaten = attackers

        eliminated = resolved.result in ("DE", "AE")
        counters, tasks = [], []
        for unit in beaten:
            steps_left = unit.steps - 1
            if eliminated:
                steps_left = 0
            changed = replace(unit, steps=steps_left)
            if unit in attackers:
                # The event marks the attackers, but the changed counter takes the place of the
                # marked one.
                changed = changed.marked(Mark.ASSAULTED)
            counters.append(changed)
            if steps_left:
                tasks.append(Task(kind="retreat", units=(changed.id,)))
        if defenders_beaten and self._may_advance(state):
            tasks.append(Task(kind="advance", units=self.attackers, place=self.target))
        event = replace(self.event(state, resolved, "assault"), mark=Mark.ASSAULTED)
        return Outcome(event, counters, tasks)

    def _may_advance(self, state: OmahaState) -> bool:
        """Whether the attackers may occupy the hex. The solitaire "German forces will not advance
        after Close Assault except to gain control of a victory hex"."""
        # A unit in a hex that nobody has recorded is the target by its id: no hex can be occupied.
        is_unrecorded_hex = self.target in state.counters.counters
        if is_unrecorded_hex:
            return False
        is_solitaire_german = state.side == "german" and state.setup.solitaire
        # Control is recorded of victory hexes only.
        is_victory_hex = self.target in state.control
        return is_victory_hex or not is_solitaire_german


def _is_infantry_against_armor(attackers: Sequence[Counter], defenders: Sequence[Counter]) -> bool:
    """Whether "attackers include infantry and defenders are armor without any infantry", which
    shifts the column."""
    kinds = {unit.kind for unit in defenders}
    if "armor" not in kinds or not kinds.isdisjoint(ON_FOOT):
        return False
    return any(unit.kind in ON_FOOT for unit in attackers)
