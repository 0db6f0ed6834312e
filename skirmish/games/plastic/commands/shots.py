"""Shots, volleys and repeat shots: how typed keys become orders to fire, and what is asked of the
circumstances. [70] is a paragraph of the rules, P51 a ruling on a gap in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import piece_side, row_side
from skirmish.games.plastic.battle.odds import Knowledge, next_weapon, pack_of, what_if
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import (
    Prepared,
    Squad,
    circumstances_that_matter,
    fires_in_own_turn,
    prepared,
    same_again,
    why_hidden,
    why_out_of_sight,
)
from skirmish.games.plastic.battle.rows import Row, find_row, guys_in_sight, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.board import row_status
from skirmish.games.plastic.commands.commanders_fire import key_of_more_fire
from skirmish.games.plastic.commands.own_draws import OwnDraws, drawn_word
from skirmish.games.plastic.commands.sides import (
    COUNT,
    FIRE,
    AnyCommand,
    BattleNow,
    numbered_options,
    refused,
)
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.rules.catalog import a_unit, plural
from skirmish.games.plastic.rules.shot import CLOSE_PHASES, Aim
from skirmish.games.plastic.shot_page import (
    CIRCUMSTANCES,
    DEFAULTS,
    chance_in_words,
    circumstance_words,
    forecast,
    shot_page,
)
from skirmish.games.plastic.side_messages import drafted
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Answers, Command, Forecast, Toggle
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Page
from skirmish.tabletop.refusal import Refusal, Refused
from skirmish.tabletop.slots import (
    ESC_DROPS,
    MOST,
    TOO_MANY,
    Choose,
    Confirm,
    Number,
    Option,
    Slot,
    fewer,
)


class CircumstanceQuestion(NamedTuple):
    """A circumstance when asked one at a time: in large letters, as a question, and what Yes says
    of it. Of ``grouped`` and ``apart`` players are asked for the opposite."""

    large: str
    text: str
    yes: bool = True


QUESTIONS = {
    "cover": CircumstanceQuestion(
        "IN COVER?", "Is there something in front of {target}: a wall, a hedge, trees?"
    ),
    "hull_down": CircumstanceQuestion("HULL DOWN?", "Can only the top of {target} be seen?"),
    "rear": CircumstanceQuestion("FROM BEHIND?", "Does the shot come from behind {target}?"),
    "close": CircumstanceQuestion("CLOSE?", "Is {target} within {near}? Measure it."),
    "grouped": CircumstanceQuestion(
        "ALONE?", "Does the man aimed at stand alone, with no friend touching him?", yes=False
    ),
    "apart": CircumstanceQuestion("TOUCHING?", "Do the two touch each other?", yes=False),
}
"""By the name of the circumstance, as it is asked of those who play key by key."""


class InReach(Number, frozen=True, kw_only=True):
    """How many are in reach. More than there are in sight are refused once the number is ended, so
    that Enter can take the most (``fewer_in_reach``)."""

    in_sight: int = MOST

    @property
    def accepts(self) -> str:
        return f"A number from {self.low} to {self.in_sight}."


REACH = InReach(
    name="reach",
    text="How many are in reach?",
    low=0,
    high=MOST,
    optional=True,
    too_many=TOO_MANY,
)
CONFIRM_ONLY = Confirm(
    unfit="Only one can be hit, so no number is needed.", unfit_keys="Space fires, Esc drops it."
)
"""In place of the number in reach where it could not change the result."""
MOST_IN_CONTACT = 9
"""The most whose number is chosen from a list, in which each has a digit as its key; more are
typed before the letter."""
MORE_FIRE = "Digits before it: more who fire, 2m."
MOST_SQUADS = 9
"""The most rows that fire in one volley."""


class SquadSlots(msgspec.Struct, frozen=True):
    """The names of the answers about one squad of a volley: its row, how many fire, and how many
    after a number that was too high. The first squad is the shooter of a single shot as well; the
    others have their place in the names: ``shooter2``."""

    shooter: str
    count: str
    fewer: str

    @classmethod
    def at(cls, place: int) -> Self:
        """The names for the squad at that place of the volley, counted from 1."""
        if place == 1:
            return cls("shooter", "count", "fewer")
        return cls(f"shooter{place}", f"count{place}", f"fewer{place}")

    def how_many(self, facts: Answers) -> int | None:
        """The number that fires; None if none was given."""
        return facts.get(self.fewer) or facts.get(self.count)


FIRST_SQUAD = SquadSlots.at(1)


class Shots(BattleNow):
    """A shot or a volley, started by its first letter or digit; an offered repeat shot comes
    first."""

    def __init__(self, state: State, knowledge: Knowledge) -> None:
        super().__init__(state)
        self.knowledge = knowledge

    def commands(self, why_not_now: str) -> Iterator[AnyCommand]:
        """To fire, to repeat fire, or to record losses; ``why_not_now``: why nobody can fire."""
        if isinstance(self.state.ask, RepeatAsk) and not why_not_now:
            yield self.repeat_command(self.state.ask)
            # The offer may be declined: the firer "can" fire again [70].
            yield Command(
                key="escape", label="Stop firing", verb="step_back", make=orders.Hold, group=FIRE
            )
        if self.records_losses:
            yield self.losses_command(why_not_now)
            return
        yield Command(
            label="Fire",
            word="draw",
            verb="draw",
            group=FIRE,
            help="Fire the shot in hand: draw a card",
            slots=self.slots,
            toggles=self.toggles,
            preview=self.preview,
            words_for_others=self.words_for_others,
            forecast=self.forecast,
            make=self.shot,
            why_not=why_not_now,
            topic="mode draft",
        )

    @property
    def records_losses(self) -> bool:
        """Whether all who may fire now shoot at the table and only record losses."""
        state, mover = self.state, self.state.mover
        if state.levels[state.firing_side] != "ledger":
            return False
        if state.levels[mover] == "ledger":
            return True
        # Units of the mover that also fire (P67) are judged by the program.
        return not any(fires_in_own_turn(state, row) for row in rows(state, mover))

    def losses_command(self, why_not_now: str) -> AnyCommand:
        """Whom a side has shot that only records losses: a number and a letter."""
        state = self.state
        record = state.setup.does(state.firing_side, "record", "records", article="The")

        def slots(facts: Answers) -> tuple[Slot, ...]:
            side = facts["side"]
            their_unit = a_unit(state.setup.owned_by(side, "unit"))
            text = f"{record} losses only. Choose {their_unit}."
            who = self.choose("row", text, side, self.fallen(side), large="WHO FELL?")
            return (replace(COUNT, text="How many fell?"), who)

        def make(side: str, row: str, count: int | None = None) -> orders.AnyOrder:
            if count is None:
                count = 1
            return orders.Correct(row=row, by=-count)

        return Command(
            label="Take off losses",
            verb="lost",
            group=FIRE,
            given={"side": self.enemy(state.firing_side)},
            slots=slots,
            toggles=self.other_side,
            make=make,
            why_not=why_not_now,
            topic="mode lost",
        )

    def fallen(self, side: str) -> Iterator[Option]:
        """The rows of which men can be taken off."""
        for row in rows(self.state, side):
            why_not = ""
            if not row.alive:
                why_not = f"No {row.unit.name} is left."
            yield self.option(row, f"{len(row.on_foot)} there", why_not)
        # The mouse also takes men off the other side, whose rows have no letters here.
        yield from self.pointed(self.enemy(side))

    @property
    def draws_again(self) -> bool:
        """Whether a repeat shot is offered to a player with own cards or dice, so that a number
        could be the next draw."""
        ask = self.state.ask
        if not isinstance(ask, RepeatAsk):
            return False
        return self.state.sources[self.state.source_of(piece_side(ask.shot.piece))].typed

    def shot(self, **facts: Any) -> Fire:
        """The order: all that it needs is answered by now."""
        order = shot_of(facts)
        assert order is not None, "shooter and target are answered"
        return order

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """How many fire, who they are, at whom, and how many of those are in reach."""
        count = replace(COUNT, text="How many fire?")
        shooter = facts.get("shooter")
        if not shooter:
            who = self.who_fires(self.state.firing_side, facts)
            if self.draws_again:  # a number would be the next draw
                return (who,)
            return (count, who)
        side = row_side(shooter)
        slots: list[Slot] = [count, self.who_fires(side, facts)]
        fewer_fire = self.fewer_slot(FIRST_SQUAD, shooter, facts.get("count"))
        if fewer_fire is not None:
            slots.append(fewer_fire)
        if facts.get("count") is not None:
            slots.extend(self.more_slots(side, facts))
        slots.append(self.at_whom(self.enemy(side), facts))
        slots.append(self.reach_slot(facts))
        fewer_in_reach = self.fewer_in_reach(facts)
        if fewer_in_reach is not None:
            slots.append(fewer_in_reach)
        return tuple(slots)

    def who_fires(self, side: str, facts: Answers) -> Slot:
        """The rows that can fire, and those of the other side that do so in their own turn."""
        large = "WHO FIRES?"
        if facts.get("count") is not None:
            large = f"{facts['count']} OF WHICH UNIT FIRE?"
        enemy = self.enemy(side)
        in_own_turn = {option.value: option for option in self.in_own_turn(enemy)}
        enemy_rows = []
        for option in self.pointed(enemy):
            # Whoever may fire in their own turn has a letter, too; the rest only the mouse points
            # at.
            enemy_rows.append(in_own_turn.get(option.value, option))
        text = f"Choose {a_unit(self.state.setup.owned_by(side, 'unit'))}."
        options = (*self.shooters(side), *enemy_rows)
        return self.choose("shooter", text, side, options, tab=False, large=large)

    def at_whom(self, enemy: str, facts: Answers) -> Slot:
        """The rows that can be shot at."""
        return self.choose(
            "target",
            f"Choose {a_unit(self.state.setup.owned_by(enemy, 'unit'))}.",
            enemy,
            self.targets(enemy, facts),
            large="AT WHOM?",
            tab=False,
            digit="Choose the target first, then how many are in reach.",
        )

    def more_slots(self, side: str, facts: Answers) -> Iterator[Slot]:
        """The other squads of a mixed volley, each a number and a letter: ``8r 2m 2o``."""
        their_unit = a_unit(self.state.setup.owned_by(side, "unit"))
        named = [facts["shooter"]]
        for place in range(2, MOST_SQUADS + 1):
            squad = SquadSlots.at(place)
            count = facts.get(squad.count)
            text = f"How many others fire with them? A number, then a letter of {their_unit}."
            yield replace(COUNT, name=squad.count, text=text, before=MORE_FIRE)
            if count is None:
                return
            options = []
            for option in self.shooters(side):
                why_not = option.why_not
                if option.value in named:
                    why_not = f"{option.label} fires in this volley already."
                options.append(replace(option, why_not=why_not))
            large = f"{count} MORE OF WHICH UNIT?"
            text = f"Choose {their_unit}."
            yield self.choose(squad.shooter, text, side, options, large=large, tab=False)
            row = facts.get(squad.shooter)
            if row is None:
                return
            named.append(row)
            fewer_fire = self.fewer_slot(squad, row, count)
            if fewer_fire is not None:
                yield fewer_fire

    def fewer_slot(self, squad: SquadSlots, row: str, count: int | None) -> Slot | None:
        """The question that its number leads to, if there are not so many in the row."""
        shooter = find_row(self.state, row)
        if shooter is None:
            return None
        # Who died in phase 3 still fights in phase 4 (P51), so more can be ready than are alive.
        most = max(len(shooter.alive), shooter.ready_count)
        return fewer(squad.fewer, count, most, squad.count)

    def reach_slot(self, facts: Answers) -> Slot:
        """How many are in reach, if that could change the result; else only the confirmation, which
        says why a row out of sight cannot be aimed at."""
        order = shot_of(facts)
        if order is None:
            return REACH
        target = find_row(self.state, order.target)
        if target is None:
            return REACH
        try:
            shot = prepared(self.state, order)
        except Refused:
            return REACH
        if not target.in_sight:
            return Confirm(unfit=why_out_of_sight(self.state, target), unfit_keys=ESC_DROPS)
        shots = sum(len(squad.pieces) for squad in shot.squads)
        repeats = any(squad.aim.repeat for squad in shot.squads)
        most = self.most_in_reach(target)
        # One shot without repeat needs no second target.
        if most <= 1 or (shots < 2 and not repeats):
            return CONFIRM_ONLY
        return replace(REACH, in_sight=most)

    def fewer_in_reach(self, facts: Answers) -> Slot | None:
        """The question after a number in reach that is higher than there are in sight."""
        target = find_row(self.state, facts.get("target") or "")
        if target is None:
            return None
        most = self.most_in_reach(target)
        return fewer("fewer_in_reach", facts.get("reach"), most, "reach", where="in sight")

    def most_in_reach(self, target: Row) -> int:
        """The most who can be in reach of a shot at this row. A repeat goes on at any other guy
        near by, of whichever row ("Repeat Firing" [70], P21), so the men of all rows count; of
        models only those of the row. Who hides is no target, and no question betrays him."""
        if not target.unit.is_guy:
            return len(target.in_sight)
        return sum(len(row.in_sight) for row in guys_in_sight(self.state, target.side))

    def shooters(self, side: str) -> Iterator[Option]:
        """The rows of a side as those who fire."""
        for row in rows(self.state, side):
            # In phases 3 and 4 only units that touch the enemy fire [62, 63]. The program does not
            # know who does.
            note = "cannot fire now"
            if row.ready_count and self.state.clock.phase in CLOSE_PHASES:
                note = f"those in contact, of {row.ready_count}"
            elif row.ready_count:
                note = f"{row.ready_count} can fire"
            why_not = self.why_no_shooter(row)
            yield self.option(row, note, why_not, against=partial(self.why_idle, row))

    def why_no_shooter(self, row: Row) -> str:
        """Why a row can never fire as it is now; empty if it can, or could later."""
        # Who died in phase 3 still fights in phase 4 (P51).
        if not row.alive and not row.ready_count:
            return f"No {row.unit.name} is left."
        if self.state.levels[row.side] == "ledger":
            record = self.state.setup.does(row.side, "record", "records", article="The")
            changes = "- takes men off, + puts them back, I changes this."
            return f"{record} losses only. {changes}"
        if not row.weapons:
            return f"{a_unit(row.unit.name, 'A')} has no weapon."
        return ""

    def why_idle(self, row: Row) -> Refusal | None:
        """Why nobody of a row can fire now."""
        if row.ready_count:
            return None
        # It is shown behind the label of the row.
        return Refusal("already_fired", f"cannot fire now: {row_status(self.state, row)}")

    def in_own_turn(self, mover: str) -> Iterator[Option]:
        """Units of the mover that also fire (P67), by letters that the other side does not use."""
        taken = {row.letter for row in rows(self.state, self.enemy(mover))}
        for row in rows(self.state, mover):
            if not fires_in_own_turn(self.state, row):
                continue
            if row.ready_count and row.letter not in taken:
                yield self.option(row, f"{row.ready_count} can fire, in their own turn")

    def targets(self, side: str, facts: Answers) -> Iterator[Option]:
        """The rows of a side as targets, each with the chance of this shot at it."""
        for row in rows(self.state, side):
            why_not = why_hidden(self.state, row)
            if not row.alive:
                why_not = f"No {row.unit.name} is left."
            order = shot_of({**facts, "target": row.key})
            assert order is not None, "it has a shooter and a target"
            yield self.option(
                row,
                f"{len(row.in_sight)} there",
                why_not,
                more=partial(self.chance_note, order),
                against=partial(self.against, order),
            )

    def against(self, order: Fire | Again) -> Refusal | None:
        """Why a shot is impossible (firm), or what the rules say against it."""
        try:
            return prepared(self.state, order).advice
        except Refused as error:
            return replace(error.refusal, firm=True)

    def chance_note(self, order: Fire | Again) -> str:
        """The chance of one shot, as the note of its target."""
        try:
            shot = prepared(self.state, order)
        except Refused:
            return "this cannot hurt it"
        if shot.advice:
            return "the rules say no"
        pack = pack_of(self.state, shot.side, self.knowledge).pack
        return chance_in_words(one_shot(shot.aim, pack).hit)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """What may be other than usual, once shooter and target are known."""
        order = shot_of(facts)
        if order is None:
            return ()
        return (
            *self.in_contact(facts),
            *self.weapon_toggle(order),
            *self.better_shooter_toggle(order),
            *self.circumstance_toggles(order),
        )

    def in_contact(self, facts: Answers) -> Iterator[Toggle]:
        """How many of the row touch the enemy and fight together: in phases 3 and 4 no others may,
        and the program cannot see them. Asked unless a number was typed before the letter."""
        row = find_row(self.state, facts["shooter"])
        if row is None or facts.get("count") is not None or row.ready_count < 2:
            return
        if self.state.clock.phase not in CLOSE_PHASES or facts.get("apart"):
            return
        most = min(row.ready_count, MOST_IN_CONTACT)
        touching = facts.get("contact") or 1
        number_labels = [(1, row.unit.name)]
        number_labels += [(number, plural(row.unit.name)) for number in range(2, most + 1)]
        numbers = numbered_options(number_labels)
        text = f"How many {plural(row.unit.name)} touch the enemy and fight now?"
        asks = Choose(name="contact", text=text, large="HOW MANY?", options=numbers, default=1)
        yield Toggle(
            name="contact",
            key="#",  # digits say how many are in reach
            label=f"{touching} in contact",
            sets={"contact": touching % most + 1},  # after the most, one again
            mark=touching > 1,
            asks=asks,
        )

    def weapon_toggle(self, order: Fire) -> Iterator[Toggle]:
        """The next weapon of the shooter, if he has another."""
        following = next_weapon(self.state, order)
        if following is None:
            return
        # Of a shot that no weapon makes possible the key names the first that can be chosen.
        present = self.weapon_used(order) or following
        yield Toggle(
            name="weapon",
            key="w",
            label=self.state.setup.catalog.weapons[present].name,
            sets={"weapon": following},
            mark=order.weapon is not None,
            asks=self.which_weapon(order),
        )

    def better_shooter_toggle(self, order: Fire) -> Iterator[Toggle]:
        """Another shooter who would be better, if there is one."""
        better = what_if(self.state, order, "shooter")
        if better is None or not isinstance(better.order, Fire) or better.shot is None:
            return
        instead = better.order
        sets: dict[str, Any] = {"shooter": instead.shooter, "weapon": None}
        if isinstance(instead, Volley):
            sets["count"] = instead.count
        note = self.state.words.contingent_note(instead.shooter)
        label = f"{better.shot.shooter.short}{note} instead"
        yield Toggle(name="better_shooter", key="o", label=label, sets=sets)

    def which_weapon(self, order: Fire) -> Choose | None:
        """The question for the weapon, if the shooter has several that can hurt the target."""
        row = find_row(self.state, order.shooter)
        if row is None:
            return None
        able = []
        for weapon in dict.fromkeys(slot.id for slot in row.weapons):
            # What the rules advise against is left to the key, which asks again.
            if self.against(replace(order, weapon=weapon)) is None:
                able.append((weapon, self.state.setup.catalog.weapons[weapon].name))
        if len(able) < 2:
            return None
        text = "Which weapon?"
        options = numbered_options(able)
        return Choose(name="weapon", text=text, large=text.upper(), options=options)

    def weapon_used(self, order: Fire) -> str | None:
        """The weapon, by its id, with which the shot is fired; None if none is named and the shot
        is impossible."""
        try:
            return prepared(self.state, order).shooting.weapon
        except Refused:
            return order.weapon

    def circumstance_toggles(self, order: Fire | Again) -> Iterator[Toggle]:
        """The circumstances that could change this shot; asked only if they change who is hit.
        Those that only decide who dies are left to the question after a hit: most shots miss."""
        for name in circumstances_that_matter(self.state, order):
            holds = getattr(order, name)
            asks = None
            if self.matters(order, name):
                asks = self.circumstance(order, name)
            yield Toggle(
                name=name,
                key=CIRCUMSTANCES[name].key,
                label=circumstance_words(order, name),
                sets={name: not holds},
                mark=holds != DEFAULTS[name],
                asks=asks,
            )

    def circumstance(self, order: Fire | Again, name: str) -> Choose:
        """The question whether a circumstance holds."""
        target = find_row(self.state, order.target or "")
        whom = "the target"
        if target is not None:
            whom = f"the {target.unit.name}"
        question = QUESTIONS[name]
        exact_within = inches(self.state.setup.catalog.fire.exact_within)
        return Choose(
            name=name,
            text=question.text.format(target=whom, near=exact_within),
            large=question.large,
            options=(
                Option(value=question.yes, label="Yes", key="y"),
                Option(value=not question.yes, label="No", key="n"),
            ),
            default=getattr(order, name),
        )

    def matters(self, order: Fire | Again, name: str) -> bool:
        """Whether a circumstance changes who is hit, or what the rules say. The shot is possible
        with and without it: ``circumstances_that_matter`` has no others."""
        flipped = replace(order, **{name: not getattr(order, name)})
        before, after = prepared(self.state, order), prepared(self.state, flipped)
        if before.advice != after.advice:
            return True
        return _what_decides_a_hit(before) != _what_decides_a_hit(after)

    def preview(self, facts: Answers) -> Page:
        """What the shot is likely to do; empty until it is known at whom it goes."""
        order = shot_of(facts)
        if order is None:
            return Page("")
        return shot_page(self.state, order, self.knowledge)

    def words_for_others(self, facts: Answers, viewer: str | None) -> str:
        """What the other player reads of the shot while it is put together
        (``Command.words_for_others``)."""
        order = shot_of(facts)
        if order is None:
            return ""
        return drafted(self.state, order, viewer)

    def forecast(self, facts: Answers) -> Forecast:
        """What the shot is likely to do, in numbers."""
        order = shot_of(facts)
        if order is None:
            return Forecast()
        return forecast(self.state, order, self.knowledge)

    def repeat_command(self, ask: RepeatAsk) -> AnyCommand:
        """The offer of another shot, after a hit ("Repeat Firing")."""
        shot = RepeatShot(self, ask)
        return Command(
            label="Fire again",
            word="fire again",
            verb="draw",
            group=FIRE,
            topic="ask repeat",
            given=shot.circumstances,
            slots=shot.slots,
            toggles=shot.toggles,
            make=shot.order,
            words_for_others=shot.words_for_others,
            preview=shot.preview,
            forecast=shot.forecast,
            leads_to=key_of_more_fire(self.state, shot.side),
        )


class RepeatShot:
    """What is asked where another shot is offered: the same row is proposed, or the next one at
    which the rules allow it."""

    def __init__(self, shots: Shots, ask: RepeatAsk) -> None:
        self.shots = shots
        self.state = shots.state
        self.ask = ask
        self.side = piece_side(ask.shot.piece)
        self.enemy = shots.enemy(self.side)
        same_shot = same_again(self.state)
        assert same_shot is not None, "no repeat shot is offered"
        # A repeat is fired at guys only (P21): hull down and rear armor have no place here.
        self.circumstances = {
            name: getattr(same_shot, name) for name in ("cover", "close", "grouped")
        }
        self.proposed = self._proposed(same_shot.target)

    def _proposed(self, same_row: str | None) -> str | None:
        """The first possible target, beginning with the row of the last shot, which may be gone."""
        other_keys = [row.key for row in rows(self.state, self.enemy)]
        for row_key in (same_row, *other_keys):
            shot = Again(target=row_key, **self.circumstances)
            if not refused(partial(prepared, self.state, shot)):
                return row_key
        # Nobody can be shot at: the question then says why not at this row.
        return same_row

    def order(
        self,
        target: str | None = None,
        confirm: None = None,
        draws: tuple[Draw, ...] | None = None,
        **circumstances: bool,
    ) -> Again:
        """The order that these answers make; without a ``target`` at the row that is proposed."""
        del confirm  # it has no answer
        return Again(target=target or self.proposed, draws=draws or (), **circumstances)

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """What is asked: whom the next shot is at, and the draw for it."""
        draw_or_confirm: Slot = Confirm()
        keys = "Space fires, a letter picks another target, Esc stops."
        if self.shots.draws_again:
            drawn = drawn_word(self._draws_by_die)
            draw_or_confirm = self._draw_slot(drawn)
            keys = f"Space or your {drawn} fires, a letter picks another target, Esc stops."
        whom = self.shots.choose(
            "target",
            f"FIRE AGAIN? (within {inches(self.ask.within)} of the {self.ask.of})",
            self.enemy,
            [self._target(row, facts) for row in rows(self.state, self.enemy)],
            tab=False,
            digit="",
            default=self.proposed,
            keys=keys,
        )
        return (whom, draw_or_confirm)

    def _target(self, row: Row, facts: Answers) -> Option:
        """A row of the enemy with the chance of this shot at it, or with why it cannot go there."""
        note = f"{len(row.in_sight)} there"
        if not row.alive:
            return self.shots.option(row, note, f"No {row.unit.name} is left.")
        shot = self.order(**{**facts, "target": row.key})
        why_not = refused(partial(prepared, self.state, shot))
        return self.shots.option(row, note, why_not, more=partial(self.shots.chance_note, shot))

    @property
    def _draws_by_die(self) -> bool:
        """Whether the shooter's player rolls instead of drawing."""
        return self.state.sources[self.state.source_of(self.side)].kind == "die"

    def _draw_slot(self, drawn: str) -> Slot:
        """Own cards or rolls that are typed here are the draw of this shot, so that no key is
        needed between them."""
        note = f"Or type the {drawn} that you draw, then Enter."
        return OwnDraws(name="draws", key_note=note, die=self._draws_by_die, optional=True)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """The circumstances of the next shot that a key switches, once its target is chosen."""
        if "target" not in facts:
            return ()
        return tuple(self.shots.circumstance_toggles(self.order(**facts)))

    def words_for_others(self, facts: Answers, viewer: str | None) -> str:
        """The shot that is being entered, in words for those who look on."""
        return drafted(self.state, self.order(**facts), viewer)

    def preview(self, facts: Answers) -> Page:
        """The page of the shot that is being entered, with its chances."""
        return shot_page(self.state, self.order(**facts), self.shots.knowledge)

    def forecast(self, facts: Answers) -> Forecast:
        """What the shot would do if it were fired now."""
        return forecast(self.state, self.order(**facts), self.shots.knowledge)


def _what_decides_a_hit(shot: Prepared) -> list[Aim]:
    """What decides whether somebody is hit, for each row that fires. Whether the hit is ``exact``
    decides who dies ("Removing Dead Guys" [72]), and is asked after it."""
    return [replace(squad.aim, why=(), exact=None) for squad in shot.squads]


def shot_of(facts: Answers) -> Fire | None:
    """The shot or volley that the answers come to; None while the shooter or the target is
    missing."""
    shooter, target = facts.get("shooter"), facts.get("target")
    if shooter is None or target is None:
        return None
    count = FIRST_SQUAD.how_many(facts)
    reach = facts.get("fewer_in_reach") or facts.get("reach")
    # A number that was typed goes before the one that was chosen for those in contact.
    in_contact = facts.get("contact") or 1
    if count is None and in_contact > 1:
        count = in_contact
    circumstances = {name: facts[name] for name in CIRCUMSTANCES if name in facts}
    weapon = facts.get("weapon")
    if count is None and reach is None:
        return Fire(shooter=shooter, target=target, weapon=weapon, **circumstances)
    if count is None:
        count = 1
    return Volley(
        shooter=shooter,
        target=target,
        weapon=weapon,
        count=count,
        reach=reach,
        more=tuple(_squads(facts)),
        **circumstances,
    )


def _squads(facts: Answers) -> Iterator[Squad]:
    """The other rows that fire in a mixed volley, each with its number."""
    for place in range(2, MOST_SQUADS + 1):
        squad = SquadSlots.at(place)
        row, count = facts.get(squad.shooter), squad.how_many(facts)
        if row is not None and count is not None:
            yield Squad(row, count)
