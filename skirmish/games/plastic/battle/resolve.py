"""Runs a battle's agenda: draws, judges, buries, offers the next shot, and stops where a player
must answer. Each step is an event; the state between two steps can be kept, undone and resumed."""

from __future__ import annotations

from typing import Literal

from skirmish.games.plastic.battle.events import (
    AnyEvent,
    AnyTask,
    Asked,
    CasualtyAsk,
    Credit,
    Disarmed,
    DrawAsk,
    Drawn,
    Finished,
    Held,
    Judged,
    Lost,
    RepeatAsk,
    Shooting,
    Shuffled,
    Tested,
    ToBury,
    ToJudge,
    ToRepeat,
    ToTest,
    Turned,
)
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.rows import Row, find, rows
from skirmish.games.plastic.battle.setup import BROKEN_INTO
from skirmish.games.plastic.battle.state import State, evolve
from skirmish.games.plastic.rules.army import worth
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.explain import explain, tested
from skirmish.games.plastic.rules.shot import Aim, Shot, aim, judge
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal, Refused

Why = Literal["shot", "breakdown"]


class Resolution:
    """Events in the making, and the state after them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[AnyEvent] = []

    def emit(self, event: AnyEvent) -> None:
        """``event`` happens."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def go_on(self) -> None:
        """Work through the agenda until it is empty or a player must answer."""
        while self.state.agenda and self.state.ask is None and self.state.outcome is None:
            task, then = self.head()
            match task:
                case ToJudge():
                    self._judge(task, then)
                case ToTest():
                    self._test(task, then)
                case ToBury():
                    self._casualty(task, then)
                case ToRepeat():
                    self._offer(task, then)

    def head(self) -> tuple[AnyTask, tuple[AnyTask, ...]]:
        """The task in hand, and what comes after it."""
        task, *rest = self.state.agenda
        return task, tuple(rest)

    def waiting_for_draw(self) -> DrawAsk:
        """The draw that is awaited; raises Refused if none is."""
        if not isinstance(self.state.ask, DrawAsk):
            raise Refused(Refusal("no_draw", "No card or roll is wanted now.", firm=True))
        return self.state.ask

    def drew(self, source: str, draw: Draw) -> None:
        """``draw`` comes from ``source``."""
        before = self.state.sources[source]
        nth = before.rolls if before.kind == "die" else len(before.gone)
        self.emit(
            Drawn(source=source, draw=draw, shuffle=before.shuffles, aside=before.aside, nth=nth)
        )

    def bury(self, row: str) -> None:
        """A man of ``row``, in which somebody lives, dies for the casualty in hand."""
        task, then = self.head()
        found = find(self.state, row)
        if isinstance(task, ToBury) and found is not None:
            self._lose(found.alive[0], task.shot, task.draw, then)

    def check_break(self) -> None:
        """End the battle if a side has lost what beats it ("The Basic Game", P2)."""
        beaten = [
            side
            for side in self.state.setup.sides
            if side.break_at is not None and self.state.loss.get(side.id, 0) >= side.break_at
        ]
        if not beaten or self.state.outcome is not None:
            return
        if len(beaten) == len(self.state.setup.sides):
            self.emit(Finished(winner=None, reason="Both armies have broken."))
            return
        (side,) = beaten
        lost = self.state.loss.get(side.id, 0)
        reason = (
            f"{side.name} broke: {lost} of {side.pdg} lost, {side.break_at} is the break point."
        )
        self.emit(Finished(winner=self.state.setup.enemy_of(side.id).id, reason=reason))

    # ------------------------------------------------------------------ the steps

    def _judge(self, task: ToJudge, then: tuple[AnyTask, ...]) -> None:
        draw = self._draw(task.shot, "shot")
        if draw is None:
            return
        shot = task.shot
        aimed = self._aim(shot)
        verdict = judge(aimed, draw)
        more: list[AnyTask] = []
        if verdict.breakdown:
            more.append(ToTest(shot=shot, draw=draw))
        if verdict.hit:
            exact = verdict.exact_figure or not aimed.at_guy
            more.append(ToBury(shot=shot, draw=draw, exact=exact))
        if verdict.repeat:
            more.append(ToRepeat(shot=shot, within=verdict.repeat.within, of=verdict.repeat.of))
        self.emit(
            Judged(
                shot=shot,
                draw=draw,
                needs=aimed.needs,
                hit=verdict.hit,
                saved_by=verdict.saved_by,
                explain=explain(aimed, draw, None, verdict),
                then=(*more, *then),
            )
        )

    def _test(self, task: ToTest, then: tuple[AnyTask, ...]) -> None:
        """The second draw of a breakdown: the gun, the man or the model may be lost."""
        draw = self._draw(task.shot, "breakdown", aside=task.draw)
        if draw is None:
            return
        shot = task.shot
        aimed = self._aim(shot)
        verdict = judge(aimed, task.draw, draw)
        broken = verdict.breakdown == "broken"
        missed = f"The {task.draw.words} missed." if task.draw.is_card else "The shot missed."
        says = f"{missed} {tested(aimed, draw, verdict)}"
        self.emit(Tested(shot=shot, draw=draw, broken=broken, explain=says, then=then))
        if not broken:
            return
        if self.state.setup.unit(self.state.unit_of(shot.piece)).is_guy:
            self.emit(Turned(piece=shot.piece, unit=BROKEN_INTO))
        elif self._loses_weapon_only(shot):
            self.emit(Disarmed(piece=shot.piece, slot=shot.slot))
        else:
            self._lose(shot.piece, shot, draw, then, breakdown=True)

    def _casualty(self, task: ToBury, then: tuple[AnyTask, ...]) -> None:
        target = find(self.state, task.shot.target)
        if target is None or not target.alive:  # gone meanwhile: the hit finds nobody
            self.emit(Held(then=then))
            return
        others = [] if task.exact else self._others(target)
        if not others:
            self.bury(target.key)
            return
        candidates = [target, *others]
        near = [row for row in candidates if row.contingent == target.contingent]
        default = min(near, key=lambda row: row.unit.price)
        self.emit(
            Asked(
                ask=CasualtyAsk(
                    side=target.side,
                    rows=tuple(row.key for row in candidates),
                    default=default.key,
                    aimed_at=target.key,
                )
            )
        )

    def _offer(self, task: ToRepeat, then: tuple[AnyTask, ...]) -> None:
        side = piece_side(task.shot.piece)
        targets = rows(self.state, self.state.setup.enemy_of(side).id)
        if any(row.alive and row.here and row.unit.is_guy for row in targets):
            self.emit(Asked(ask=RepeatAsk(shot=task.shot, within=task.within, of=task.of)))
        else:
            self.emit(Held(then=then))

    # ------------------------------------------------------------------ what the steps use

    def _draw(self, shot: Shooting, why: Why, aside: Draw | None = None) -> Draw | None:
        """The draw that is needed now, or None if the player must make it. An empty deck is
        shuffled first; a queen of spades under test stays out of that shuffle (P78)."""
        if self.state.shown is not None:
            return self.state.shown
        setup = self.state.setup
        side = piece_side(shot.piece)
        key = setup.source_of(side)
        source = self.state.sources[key]
        if source.kind == "deck" and not source.left(DECK):
            lies_aside = aside is not None and setup.rulings["P78"] == "aside"
            self.emit(Shuffled(source=key, aside=aside if lies_aside else None))
        if source.typed:
            self.emit(Asked(ask=DrawAsk(side=side, die=source.kind == "die", why=why)))
            return None
        draw = self.state.sources[key].peek(DECK, DIE)
        self.drew(key, draw)
        return draw

    def _aim(self, shot: Shooting) -> Aim:
        state = self.state
        return aim(
            Shot(
                shooter=state.setup.unit(state.unit_of(shot.piece)),
                weapon=state.setup.catalog.weapons[shot.weapon],
                target=state.setup.unit(row_unit(shot.target)),
                at=shot.at,
                nation=state.setup.nation_of(piece_side(shot.piece)),
            ),
            state.setup.catalog,
            state.setup.rulings,
        )

    def _others(self, target: Row) -> list[Row]:
        """Rows from which the defender may give another man instead, his own contingent first.
        Who stands in the group only eyes can tell."""
        here = [
            row
            for row in rows(self.state, target.side)
            if row.alive and row.here and row.unit.is_guy and row.key != target.key
        ]
        return sorted(here, key=lambda row: row.contingent != target.contingent)

    def _lose(
        self,
        piece: str,
        shot: Shooting,
        draw: Draw,
        then: tuple[AnyTask, ...],
        breakdown: bool = False,
    ) -> None:
        setup = self.state.setup
        unit = setup.unit(setup.by_id[piece].unit)
        nation = setup.nation_of(piece_side(piece))
        credit = Credit(
            shot=shot.id,
            piece=shot.piece,
            unit=self.state.unit_of(shot.piece),
            weapon=shot.weapon,
            turn=self.state.clock.turn,
            draw=draw,
            breakdown=breakdown,
        )
        self.emit(
            Lost(
                piece=piece,
                unit=self.state.unit_of(piece),
                worth=worth(unit, nation, setup.catalog, setup.rulings),
                credit=credit,
                then=then,
            )
        )
        if setup.rulings["P74"] == "at_once":
            self.check_break()

    def _loses_weapon_only(self, shot: Shooting) -> bool:
        """P19: a model with another weapon, or with room for passengers, may lose just the gun."""
        setup = self.state.setup
        unit = setup.unit(setup.by_id[shot.piece].unit)
        more = len(setup.catalog.weapons_of(unit, setup.rulings)) > 1 or unit.seats > 0
        return more and setup.rulings["P19"] == "weapon_only"
