"""One shot judged again: its draw under other circumstances, at another target or by another
shooter, or with another draw.

``rejudged`` works it out from a ``ShotCorrection`` and changes nothing. What follows from it (dead
who stand up, tests, repeat shots) is in ``judgment``. A draw is never made again: what was drawn
stands, unless a player says that it was misread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.orders.declared_shot import aim_of, shot_of
from skirmish.games.plastic.battle.orders.fire_advice import why_hidden
from skirmish.games.plastic.battle.orders.firing import as_stated, usual_reach
from skirmish.games.plastic.battle.orders.shooting import suit_matters
from skirmish.games.plastic.battle.orders.typed_draws import (
    already_gone,
    as_drawn_from,
    refused_as_gone,
)
from skirmish.games.plastic.battle.orders.weapon_choice import best_slot
from skirmish.games.plastic.battle.rows import Row, existing_row, fights_as, row_of
from skirmish.games.plastic.battle.state import State, turn_part_of
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import Aim, Shot, ShotVerdict, judge, why_not
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

TrueShooters: TypeAlias = Mapping[str, str]
"""The pieces that really fired, by the pieces for which their shots were judged; empty if those did
fire."""


class ShotCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """How a shot is to be judged again. All its circumstances are stated; of the rest only what was
    wrong."""

    cover: bool
    hull_down: bool
    rear: bool
    close: bool
    grouped: bool
    draw: Draw | None
    """The card or roll that it really was."""
    target: str | None
    """The row that was really meant."""
    shooter: str | None
    """The piece that really fired."""
    insist: bool
    """Whether the draw counts even if it is known to have gone before."""


class _EffectOnTarget(NamedTuple):
    """All of a verdict that makes a difference to the target. A breakdown is the shooter's, and
    stays unless the card changes."""

    hit: bool
    kills_man_aimed_at: bool
    saved_by: str | None


class RejudgedShot(NamedTuple):
    """A shot as it was judged last (``before``), and as it is judged now (the other fields)."""

    before: events.Judged
    verdict_before: ShotVerdict
    shot: Shooting
    aimed: Aim
    draw: Draw
    verdict: ShotVerdict
    advice: Refusal | None
    """What speaks against the shot as it is now, and can be overruled."""

    @property
    def fired_by_another(self) -> bool:
        """Whether another piece fired it than it was judged for."""
        return self.shot.piece != self.before.shot.piece

    @property
    def draw_changed(self) -> bool:
        """Whether the player says that it was another card or roll."""
        return self.draw != self.before.draw

    @property
    def wants_suit(self) -> bool:
        """Whether the card was typed without its suit, which decides something now."""
        return self.draw.suit == "" and suit_matters(self.aimed, self.draw.rank)

    @property
    def changes_nothing(self) -> bool:
        """Whether the same shot with the same draw comes to what it came to before."""
        another_target = self.shot.target != self.before.shot.target
        if self.draw_changed or self.fired_by_another or another_target:
            return False
        return _effect(self.verdict) == _effect(self.verdict_before)


def _effect(verdict: ShotVerdict) -> _EffectOnTarget:
    """What the verdict means for the target."""
    return _EffectOnTarget(verdict.hit, verdict.exact_figure, verdict.saved_by)


def rejudged(state: State, before: events.Judged, correction: ShotCorrection) -> RejudgedShot:
    """The shot with its corrections; raises Refused if it is impossible."""
    shot = replace(before.shot, at=as_stated(state, before.shot.at, correction))
    shot = shot_at(state, shot, correction.target)
    if correction.shooter is not None:
        shot = shot_by(state, shot, correction.shooter)
    draw = before.draw
    if correction.draw is not None:
        draw = _corrected_draw(state, before, correction.draw, insist=correction.insist)
    # Circumstances alone need no advice: who fired at whom was allowed, or insisted on.
    advice = None
    if shot.target != before.shot.target or correction.shooter is not None:
        advice = what_speaks_against(state, shot)
    aimed = aim_of(state, shot)
    return RejudgedShot(
        before=before,
        verdict_before=judge(aim_of(state, before.shot), before.draw),
        shot=shot,
        aimed=aimed,
        draw=draw,
        verdict=judge(aimed, draw),
        advice=advice,
    )


def side_that_fired(state: State, shot_id: int) -> tuple[str, ...]:
    """The side that fired the shot of that number; empty if there is no such shot."""
    fired = state.shot_fired(shot_id)
    if fired is None:
        return ()
    return (piece_side(fired.piece),)


def volley_of(state: State, shot: Shooting) -> list[events.Judged]:
    """The verdicts of all single shots of the volley of a shot, in the order of firing; only its
    own if it was fired alone. Pin tests are about more: a whole run of repeat fire
    (``pins.fire_of``)."""
    is_of_volley = shot.volley != 0
    verdicts = []
    for verdict in state.judged_in_turn_of(shot.id):
        of_same_volley = is_of_volley and verdict.shot.volley == shot.volley
        if of_same_volley or verdict.shot.id == shot.id:
            verdicts.append(verdict)
    # Sorted, since the verdict of a shot that was judged again stands last in its turn.
    return sorted(verdicts, key=attrgetter("shot.id"))


def shuffled_since(state: State, before: events.Judged | events.HitsCounted) -> bool:
    """Whether the deck was shuffled after the card of a shot was drawn."""
    source = state.sources[state.source_of(piece_side(before.shot.piece))]
    if source.kind == "die":
        return False
    # Early versions did not store the shuffle, and shuffled the deck with each player turn.
    if before.shuffle is None:
        return state.past_turn_of(before.shot.id) is not None
    return before.shuffle != source.shuffles


# ------------------------------------------------------------------ another target


def shot_at(state: State, shot: Shooting, target: str | None) -> Shooting:
    """The shot at another row (None: at the same); raises Refused if that is impossible."""
    if target is None or target == shot.target:
        return shot
    row = existing_row(state, target)
    if row.side == piece_side(shot.piece):
        raise nonsense("own_side", "They are on the same side.")
    hiding = why_hidden(state, row)
    if hiding:
        raise nonsense("hidden", hiding, "Firing")
    is_repeat_shot = shot.nth > 1
    if is_repeat_shot and not row.unit.is_guy:
        text = f"Repeat fire must be at another guy, not {a_unit(row.unit.name)}."
        raise nonsense("not_a_guy", text, "Repeat Firing")
    # A volley hits one model at a time, but as many guys as are in reach. So a reach that was
    # stated for models means nothing for guys, nor the other way round.
    was_guy = state.setup.unit(row_unit(shot.target)).is_guy
    if shot.volley and row.unit.is_guy != was_guy:
        shot = replace(shot, reach=usual_reach(row))
    # The run of fire of a repeat shot began at another man, who stays its first target.
    if is_repeat_shot:
        return replace(shot, target=target)
    return replace(shot, target=target, first=target)


# ------------------------------------------------------------------ another shooter


def true_shooters(state: State, shooter: str | None, shots: Sequence[Shooting]) -> TrueShooters:
    """Which pieces of the row ``shooter`` really fired these shots; None: it was right. Raises
    Refused if the row has too few."""
    if shooter is None or not shots:
        return {}
    row = existing_row(state, shooter)
    if row.side != piece_side(shots[0].piece):
        raise nonsense("other_side", "The shooter must be of the side that fired.")
    pieces_before = list(dict.fromkeys(shot.piece for shot in shots))
    # Pieces of that row were judged to have fired already.
    if all(row_of(state, piece) == row.key for piece in pieces_before):
        return {}
    candidates = _who_could_have_fired(state, row, shots)
    if len(candidates) < len(pieces_before):
        raise nonsense("too_many", f"Only {row.unit.named(len(candidates))} could have fired.")
    # The row may have more men than fired.
    return dict(zip(pieces_before, candidates, strict=False))


def _who_could_have_fired(state: State, row: Row, shots: Sequence[Shooting]) -> list[str]:
    """The pieces of a row that may have fired these shots, the likeliest first."""
    # Whoever fired may have died since.
    dead = [piece for piece in state.lost if row_of(state, piece) == row.key]
    members = [*row.here, *dead]
    fired_besides = _fired_besides(state, shots)
    unused = [piece for piece in members if piece not in fired_besides]
    # Better a man who has fired another shot than nobody: the players know that this row fired, and
    # may have got the other shot wrong.
    used = [piece for piece in members if piece in fired_besides]
    return unused + used


def _fired_besides(state: State, shots: Sequence[Shooting]) -> set[str]:
    """The pieces that fired other shots in the same part of that turn."""
    ids = {shot.id for shot in shots}
    first = shots[0]
    shots_of_turn = [verdict.shot for verdict in state.judged_in_turn_of(first.id)]
    for counted in state.counts_in_turn_of(first.id):
        shots_of_turn += counted.shots
    turn_part = turn_part_of(first.at.phase)
    pieces = set()
    for shot in shots_of_turn:
        if shot.id not in ids and turn_part_of(shot.at.phase) == turn_part:
            pieces.add(shot.piece)
    return pieces


def shot_by(state: State, shot: Shooting, piece: str) -> Shooting:
    """The shot with the best weapon of another piece; raises Refused if it has none."""
    row = existing_row(state, row_of(state, piece))
    if not row.weapons:
        raise nonsense("no_weapon", f"{a_unit(row.unit.name, 'A')} has nothing to fire with.")
    target = state.setup.unit(row_unit(shot.target))
    shot_without_weapon = Shot(
        shooter=fights_as(state, row.unit),
        weapon=None,
        target=fights_as(state, target),
        circumstances=shot.at,
        nation=state.nation_of(row.side),
    )
    slot = best_slot(state, row, shot_without_weapon)
    return replace(shot, piece=piece, slot=slot, weapon=row.weapons[slot].id)


def what_speaks_against(state: State, shot: Shooting) -> Refusal | None:
    """The advice against a shot. Raises Refused where the firing table has no number for it, since
    then no insisting makes it possible."""
    refusal = why_not(shot_of(state, shot), state.setup.catalog, state.setup.rulings)
    if refusal is not None and refusal.firm:
        raise Refused(refusal)
    return refusal


# ------------------------------------------------------------------ another draw


def draw_with_suit(before: events.Judged, suits: Mapping[int, str]) -> Draw | None:
    """The card of a shot with the suit that was not typed with it, out of these ``suits`` by the
    number of the shot. None if nothing is to be added."""
    if before.draw.suit or before.shot.id not in suits:
        return None
    return Draw(before.draw.rank, suits[before.shot.id])


def _corrected_draw(state: State, before: events.Judged, draw: Draw, *, insist: bool) -> Draw:
    """The card or roll that it was; raises Refused if it cannot have been."""
    source = state.sources[state.source_of(piece_side(before.shot.piece))]
    if not source.typed:
        raise nonsense("no_draw", "The program drew it, and has not misread it.")
    draw = as_drawn_from(source, draw)
    other_cards_gone: list[Draw] = []
    # After a shuffle nobody knows which cards had gone before it.
    if not shuffled_since(state, before):
        other_cards_gone = list(source.gone)
        # The card as it was misread has not really gone.
        if before.draw in other_cards_gone:
            other_cards_gone.remove(before.draw)
    source_without_shot = replace(source, gone=tuple(other_cards_gone))
    if already_gone((draw,), source_without_shot) and not insist:
        raise refused_as_gone(draw)
    return draw
