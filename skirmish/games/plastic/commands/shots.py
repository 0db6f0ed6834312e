"""Shots, volleys and repeat shots: typed keys to orders, and the circumstances."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import piece_side, row_side
from skirmish.games.plastic.battle.odds import Knowledge, next_weapon, pack_of, what_if
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import (
    Prepared,
    Squad,
    fires_in_own_turn,
    offered,
    prepared,
    same_again,
    why_hidden,
)
from skirmish.games.plastic.battle.rows import Row, find, guys, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.board import status
from skirmish.games.plastic.commands.judging import OwnDraws
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
from skirmish.games.plastic.shot_page import DEFAULTS, SEEN, chance, outlook, seen_words, shot_page
from skirmish.games.plastic.side_messages import drafted
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Answers, Command, Outlook, Toggle
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Page
from skirmish.tabletop.refusal import Refusal, Refused
from skirmish.tabletop.slots import Choose, Confirm, Option, Slot, fewer

QUESTIONS = {
    "cover": ("IN COVER?", "Is there something in front of {target}: a wall, a hedge, trees?"),
    "hull_down": ("HULL DOWN?", "Can only the top of {target} be seen?"),
    "rear": ("FROM BEHIND?", "Does the shot come from behind {target}?"),
    "close": ("CLOSE?", "Is {target} within {near}? Measure it."),
    "grouped": ("ALONE?", "Does the man aimed at stand alone, with no friend touching him?"),
    "apart": ("TOUCHING?", "Do the two touch each other?"),
}
"""Each circumstance when asked one at a time: in large letters, and as a question."""
REACH = replace(COUNT, name="reach", text="How many are in reach?", low=0)
ALONE = Confirm(unfit="Only one can be hit, so no number is needed. Space fires, Esc drops it.")
"""In place of the number in reach where it could not change the result."""
MOST_IN_CONTACT = 9
"""The most whose number is chosen from a list; more are typed before the letter."""
MORE_FIRE = "Digits before it: more who fire, 2m."
MOST_SQUADS = 9
"""The most rows that fire in one volley."""


class Shots(BattleNow):
    """A shot or a volley, started by its first letter or digit; an offered repeat shot comes
    first."""

    def __init__(self, state: State, knowledge: Knowledge) -> None:
        super().__init__(state)
        self.knowledge: Knowledge = knowledge

    def commands(self, waits: str) -> Iterator[AnyCommand]:
        if isinstance(self.state.ask, RepeatAsk) and not waits:
            yield self.again(self.state.ask)
            yield Command(
                key="escape", label="Stop firing", verb="step_back", make=orders.Hold, group=FIRE
            )
        if self.records_losses:
            yield self.losses(waits)
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
            told=self.told,
            outlook=self.outlook,
            make=self.shot,
            why_not=waits,
            topic="mode draft",
        )

    @property
    def records_losses(self) -> bool:
        """Whether all who may fire now shoot at the table and only record losses."""
        state, mover = self.state, self.state.mover
        if state.levels[state.firing_side] != "ledger":
            return False
        also = any(fires_in_own_turn(state, row) for row in rows(state, mover))
        return not also or state.levels[mover] == "ledger"

    def losses(self, waits: str) -> AnyCommand:
        """Whom a side has shot that only records losses: a number and a letter."""
        state = self.state
        record = state.setup.does(state.firing_side, "record", "records", "The")

        def slots(facts: Answers) -> tuple[Slot, ...]:
            side = facts["side"]
            own = a_unit(state.setup.of(side, "unit"))
            text = f"{record} losses only. Choose {own}."
            who = self.choose("row", text, side, self.fallen(side), large="WHO FELL?")
            return (replace(COUNT, text="How many fell?"), who)

        def make(side: str, row: str, count: int | None = None) -> orders.AnyOrder:
            return orders.Correct(row=row, by=-(1 if count is None else count))

        return Command(
            label="Take off losses",
            verb="lost",
            group=FIRE,
            given={"side": self.enemy(state.firing_side)},
            slots=slots,
            toggles=self.other_side,
            make=make,
            why_not=waits,
            topic="mode lost",
        )

    def fallen(self, side: str) -> Iterator[Option]:
        for row in rows(self.state, side):
            gone = "" if row.alive else f"No {row.unit.name} is left."
            yield self.option(row, f"{len(row.on_foot)} there", gone)
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
        order = shot_of(facts)
        assert order is not None
        return order

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        state, shooter = self.state, facts.get("shooter")
        side = row_side(shooter) if shooter else state.firing_side
        foe, count = self.enemy(side), facts.get("count")
        many = "WHO FIRES?" if count is None else f"{count} OF WHICH UNIT FIRE?"
        own, other = (a_unit(state.setup.of(one, "unit")) for one in (side, foe))
        able = {one.value: one for one in self.in_own_turn(foe)}
        who = self.choose(
            "shooter",
            f"Choose {own}.",
            side,
            (*self.shooters(side), *(able.get(one.value, one) for one in self.pointed(foe))),
            tab=False,
            large=many,
        )
        if not shooter:
            return (who,) if self.draws_again else (replace(COUNT, text="How many fire?"), who)
        found: list[Slot] = [replace(COUNT, text="How many fire?"), who]
        if (short := self.fewer("fewer", shooter, count, "count")) is not None:
            found.append(short)
        if count is not None:
            found += self.more_slots(side, facts)
        whom = self.choose(
            "target",
            f"Choose {other}.",
            foe,
            self.targets(foe, facts),
            large="AT WHOM?",
            tab=False,
            digit="Choose the target first, then how many are in reach.",
        )
        return (*found, whom, self.reach_slot(facts))

    def more_slots(self, side: str, facts: Answers) -> Iterator[Slot]:
        """The other squads of a mixed volley, each a number and a letter: ``8r 2m 2o``."""
        own = a_unit(self.state.setup.of(side, "unit"))
        named = [facts["shooter"]]
        for nth in range(2, MOST_SQUADS + 1):
            count = facts.get(f"count{nth}")
            text = f"How many others fire with them? A number, then a letter of {own}."
            yield replace(COUNT, name=f"count{nth}", text=text, before=MORE_FIRE)
            if count is None:
                return
            options = []
            for option in self.shooters(side):
                twice = f"{option.label} fires in this volley already."
                why_not = twice if option.value in named else option.why_not
                options.append(replace(option, why_not=why_not))
            large = f"{count} MORE OF WHICH UNIT?"
            text = f"Choose {own}."
            yield self.choose(f"shooter{nth}", text, side, options, large=large, tab=False)
            row = facts.get(f"shooter{nth}")
            if row is None:
                return
            named.append(row)
            short = self.fewer(f"fewer{nth}", row, count, f"count{nth}")
            if short is not None:
                yield short

    def fewer(self, name: str, row: str, count: int | None, number: str) -> Slot | None:
        """The question that the answer of ``number`` leads to, if there are not so many."""
        shooter = find(self.state, row)
        if shooter is None:
            return None
        return fewer(name, count, max(len(shooter.alive), shooter.ready_count), number)

    def reach_slot(self, facts: Answers) -> Slot:
        """How many are in reach, if that could change the result; else only the confirmation."""
        order = shot_of(facts)
        if order is None:
            return REACH
        target = find(self.state, order.target)
        if target is None:
            return REACH
        try:
            shot = prepared(self.state, order)
        except Refused:
            return REACH
        if target.unit.is_guy:
            there = sum(len(row.on_foot) for row in guys(self.state, target.side))
        else:
            there = len(target.alive)
        shots = sum(len(squad.pieces) for squad in shot.squads)
        repeats = any(squad.aim.repeat for squad in shot.squads)
        if there == 1 or (shots < 2 and not repeats):
            return ALONE
        if target.unit.is_guy:
            return REACH
        return replace(REACH, high=there, too_many=f"{there} are there, not {{}}.")

    def shooters(self, side: str) -> Iterator[Option]:
        ledger = self.state.levels[side] == "ledger"
        for row in rows(self.state, side):
            why_not = ""
            if not row.alive and not row.ready_count:
                why_not = f"No {row.unit.name} is left."
            elif ledger:
                record = self.state.setup.does(side, "record", "records", "The")
                changes = "- takes men off, + puts them back, I changes this."
                why_not = f"{record} losses only. {changes}"
            elif not row.weapons:
                why_not = f"{a_unit(row.unit.name, 'A')} has no weapon."
            note = f"{row.ready_count} can fire" if row.ready_count else "cannot fire now"
            if row.ready_count and self.state.clock.phase in CLOSE_PHASES:
                note = f"those in contact, of {row.ready_count}"
            yield self.option(row, note, why_not, against=partial(self.idle, row))

    def idle(self, row: Row) -> Refusal | None:
        """Why nobody of a row can fire now."""
        if row.ready_count:
            return None
        return Refusal("already_fired", f"cannot fire now: {status(self.state, row)}")

    def in_own_turn(self, mover: str) -> Iterator[Option]:
        """Units of the mover that also fire (P67), by letters that the other side does not use."""
        taken = {row.letter for row in rows(self.state, self.enemy(mover))}
        able = (row for row in rows(self.state, mover) if fires_in_own_turn(self.state, row))
        for row in able:
            if row.ready_count and row.letter not in taken:
                yield self.option(row, f"{row.ready_count} can fire, in their own turn")

    def targets(self, side: str, facts: Answers) -> Iterator[Option]:
        for row in rows(self.state, side):
            gone = "" if row.alive or row.ready_count else f"No {row.unit.name} is left."
            order = shot_of({**facts, "target": row.key})
            assert order is not None
            note = f"{len(row.in_sight)} there"
            more, against = partial(self.likely, order), partial(self.against, order)
            yield self.option(row, note, gone or why_hidden(row), more=more, against=against)

    def against(self, order: Fire | Again) -> Refusal | None:
        """Why a shot is impossible (firm), or what the rules say against it."""
        try:
            return prepared(self.state, order).advice
        except Refused as refused:
            return replace(refused.refusal, firm=True)

    def likely(self, order: Fire | Again) -> str:
        try:
            shot = prepared(self.state, order)
        except Refused:
            return "this cannot hurt it"
        if shot.advice:
            return "the rules say no"
        pack = pack_of(self.state, shot.side, self.knowledge).pack
        return chance(one_shot(shot.aim, pack).hit)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        order = shot_of(facts)
        if order is None:
            return ()
        return (*self.in_contact(facts), *self.weapons(order), *self.seen(order))

    def in_contact(self, facts: Answers) -> Iterator[Toggle]:
        """How many of the row touch the enemy and fight together: in phases 3 and 4 no others may,
        and the program cannot see them. Asked unless a number was typed before the letter."""
        row = find(self.state, facts["shooter"])
        if row is None or facts.get("count") is not None or row.ready_count < 2:
            return
        if self.state.clock.phase not in CLOSE_PHASES or facts.get("apart"):
            return
        most, now = min(row.ready_count, MOST_IN_CONTACT), facts.get("contact") or 1
        named = [(1, row.unit.name)]
        named += [(number, plural(row.unit.name)) for number in range(2, most + 1)]
        numbers = numbered_options(named)
        text = f"How many {plural(row.unit.name)} touch the enemy and fight now?"
        asks = Choose(name="contact", text=text, large="HOW MANY?", options=numbers, default=1)
        yield Toggle(
            name="contact",
            key="#",
            label=f"{now} in contact",
            sets={"contact": now % most + 1},
            mark=now > 1,
            asks=asks,
        )

    def weapons(self, order: Fire) -> Iterator[Toggle]:
        state, known = self.state, self.state.setup.catalog.weapons
        if weapon := next_weapon(state, order):
            row = find(state, order.shooter)
            able = []
            for name in dict.fromkeys(one.id for one in (row.weapons if row else ())):
                # What the rules advise against is left to the key, which asks again.
                if self.against(replace(order, weapon=name)) is None:
                    able.append((name, known[name].name))
            options = numbered_options(able)
            text = "Which weapon?"
            which = Choose(name="weapon", text=text, large=text.upper(), options=options)
            yield Toggle(
                name="weapon",
                key="w",
                label=known[self.in_hand(order) or weapon].name,
                sets={"weapon": weapon},
                mark=order.weapon is not None,
                asks=which if len(able) > 1 else None,
            )
        other = what_if(state, order, "shooter")
        if other is not None and isinstance(other.order, Fire) and other.shot is not None:
            by = other.order
            sets: dict[str, Any] = {"shooter": by.shooter, "weapon": None}
            if isinstance(by, Volley):
                sets["count"] = by.count
            group = state.words.group_of(by.shooter)
            label = f"{other.shot.shot.shooter.short}{group} instead"
            yield Toggle(name="by", key="o", label=label, sets=sets)

    def in_hand(self, order: Fire) -> str | None:
        try:
            return prepared(self.state, order).shooting.weapon
        except Refused:
            return order.weapon

    def seen(self, order: Fire | Again) -> Iterator[Toggle]:
        """The circumstances that could change this shot; asked only if they change who is hit.
        Those that only decide who dies are left to the question after a hit: most shots miss."""
        target = find(self.state, order.target or "")
        near = inches(self.state.setup.catalog.fire.exact_within)
        whom = f"the {target.unit.name}" if target else "the target"
        for name in offered(self.state, order):
            large, text = QUESTIONS[name]
            yes = DEFAULTS[name] == (name == "apart")
            words = (Option(value=yes, label="Yes", key="y"),
                     Option(value=not yes, label="No", key="n"))  # fmt: skip
            text = text.format(target=whom, near=near)
            now = getattr(order, name)
            asks = Choose(name=name, text=text, large=large, options=words, default=now)
            yield Toggle(
                name=name,
                key=SEEN[name][0],
                label=seen_words(order, name),
                sets={name: not getattr(order, name)},
                mark=getattr(order, name) != DEFAULTS[name],
                asks=asks if self.matters(order, name) else None,
            )

    def matters(self, order: Fire | Again, name: str) -> bool:
        other = replace(order, **{name: not getattr(order, name)})
        before, after = (prepared(self.state, one) for one in (order, other))
        return before.advice != after.advice or _results(before) != _results(after)

    def preview(self, facts: Answers) -> Page:
        order = shot_of(facts)
        return Page("") if order is None else shot_page(self.state, order, self.knowledge)

    def told(self, facts: Answers, viewer: str | None) -> str:
        order = shot_of(facts)
        return "" if order is None else drafted(self.state, order, viewer)

    def outlook(self, facts: Answers) -> Outlook:
        order = shot_of(facts)
        return Outlook() if order is None else outlook(self.state, order, self.knowledge)

    def again(self, ask: RepeatAsk) -> AnyCommand:
        same, foe = same_again(self.state), self.enemy(piece_side(ask.shot.piece))
        assert same is not None
        last: Slot = Confirm()
        keys = "Space fires, a letter picks another target, Esc stops."
        if self.draws_again:
            source = self.state.sources[self.state.source_of(piece_side(ask.shot.piece))]
            last, keys = self.draw_ahead(die=source.kind == "die")
        seen = {name: getattr(same, name) for name in ("cover", "close", "grouped")}

        others = (row.key for row in rows(self.state, foe))
        proposed = same.target
        for row in (same.target, *others):  # the target row may be gone
            if not refused(partial(prepared, self.state, Again(target=row, **seen))):
                proposed = row
                break

        def order(
            target: str | None = proposed,
            confirm: None = None,
            draws: tuple[Draw, ...] | None = None,
            **seen: bool,
        ) -> Again:
            return Again(target=target, draws=draws or (), **seen)

        def slots(facts: Answers) -> tuple[Slot, ...]:
            options = []
            for row in rows(self.state, foe):
                shot = order(**{**facts, "target": row.key})
                gone = "" if row.alive else f"No {row.unit.name} is left."
                why_not = gone or refused(partial(prepared, self.state, shot))
                note = f"{len(row.in_sight)} there"
                more = None if gone else partial(self.likely, shot)
                options.append(self.option(row, note, why_not, more=more))
            text = f"FIRE AGAIN? (within {inches(ask.within)} of the {ask.of})"
            whom = self.choose(
                "target", text, foe, options, tab=False, digit="", default=proposed, keys=keys
            )
            return (whom, last)

        def toggles(facts: Answers) -> tuple[Toggle, ...]:
            return tuple(self.seen(order(**facts))) if "target" in facts else ()

        return Command(
            label="Fire again",
            word="fire again",
            verb="draw",
            group=FIRE,
            topic="ask repeat",
            given=seen,
            slots=slots,
            toggles=toggles,
            make=order,
            told=lambda facts, viewer: drafted(self.state, order(**facts), viewer),
            preview=lambda facts: shot_page(self.state, order(**facts), self.knowledge),
            outlook=lambda facts: outlook(self.state, order(**facts), self.knowledge),
        )

    def draw_ahead(self, *, die: bool) -> tuple[Slot, str]:
        """Own cards or rolls typed where a repeat shot is offered, which are its draw, so that no
        key is needed between them; and the keys that answer the offer then."""
        drawn = "roll" if die else "card"
        note = f"Or type the {drawn} that you draw, then Enter."
        slot = OwnDraws(name="draws", key_note=note, die=die, optional=True)
        keys = f"Space or your {drawn} fires, a letter picks another target, Esc stops."
        return slot, keys


def _results(shot: Prepared) -> list[Aim]:
    """What decides whether somebody is hit, for each row that fires."""
    return [replace(squad.aim, why=(), exact=None) for squad in shot.squads]


def shot_of(facts: Answers) -> Fire | None:
    shooter, target = facts.get("shooter"), facts.get("target")
    if shooter is None or target is None:
        return None
    count, reach = facts.get("fewer") or facts.get("count"), facts.get("reach")
    if count is None and (facts.get("contact") or 1) > 1:
        count = facts["contact"]
    seen = {name: facts[name] for name in SEEN if name in facts}
    weapon = facts.get("weapon")
    if count is None and reach is None:
        return Fire(shooter=shooter, target=target, weapon=weapon, **seen)
    count = 1 if count is None else count
    return Volley(
        shooter=shooter,
        target=target,
        weapon=weapon,
        count=count,
        reach=reach,
        more=tuple(_squads(facts)),
        **seen,
    )


def _squads(facts: Answers) -> Iterator[Squad]:
    for nth in range(2, MOST_SQUADS + 1):
        row = facts.get(f"shooter{nth}")
        count = facts.get(f"fewer{nth}") or facts.get(f"count{nth}")
        if row is not None and count is not None:
            yield Squad(row, count)
