"""The order to judge a shot or a whole volley again: it was in cover, at another row, by another
shooter, or the card was misread.

Begin with ``Rejudge.carry_out``. Each shot is worked out anew in ``rejudged_shot``, and what
follows from all of them in ``judgment``, on the state as it is. Only then is anything changed. A
volley of which only the hits were counted is corrected in ``counted_volley``.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.orders.declared_shot import was_close
from skirmish.games.plastic.battle.orders.judgment import judged_anew
from skirmish.games.plastic.battle.orders.pins import fire_of
from skirmish.games.plastic.battle.orders.rejudged_shot import (
    RejudgedShot,
    ShotCorrection,
    TrueShooters,
    draw_with_suit,
    rejudged,
    side_that_fired,
    true_shooters,
    volley_of,
)
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import nonsense


class Rejudge(Order, frozen=True, kw_only=True, tag="rejudge"):
    """Judges a shot of any turn again. All its circumstances are stated anew, and replace those
    that it was judged under."""

    begun_by = "who fires"
    anyway = "judges it so anyway."
    # It answers no question, but may be given while one is open: ``_refuse_at_this_moment`` says
    # which.
    when = "answer"
    after_the_end = True

    shot: int
    """The number of the shot."""
    draw: Draw | None = None
    """The card or roll that it really was; None: it was typed right."""
    insist: bool = False
    """Whether the draw counts even if it is known to have gone before."""
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    close: bool = False
    """Whether the target was as ``was_close`` says."""
    grouped: bool = True
    """As in ``Circumstances``."""
    chain: bool = False
    """Whether the repeat shots after it are taken back if it misses now."""
    volley: bool = False
    """Whether all shots of its volley are judged again."""
    suits: dict[int, str] = msgspec.field(default_factory=dict)
    """The suits of those cards of the volley of which only the rank was typed, by the number of the
    shot."""
    target: str | None = None
    """The row that was really meant, with the same card; None: it was right."""
    shooter: str | None = None
    """The row that really fired, with the same card; None: it was right."""

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        _refuse_at_this_moment(run)
        shots = self._rejudged_shots(state)
        if not shots:
            raise nonsense("no_such_shot", "There is no such shot that could be judged again.")
        # This comes first, since it refuses a card without its suit: without that nobody knows
        # whether anything changes.
        judgment = judged_anew(state, shots, whole_volley=self.volley, take_back_repeats=self.chain)
        # Otherwise the journal would say that something was put right where nothing is different.
        if all(shot.changes_nothing for shot in shots):
            raise nonsense("no_change", _no_change(shots))
        for shot in shots:
            run.advise(shot.advice)
        # A *fire* is a shot with its repeat shots, or a volley; its first shot leads to it. The
        # pin tests that it owes now are compared with those it owed before any verdict changes.
        # The tests to be drawn are part of what follows the last verdict; what becomes of tests
        # drawn earlier is stated after it, and only then does play go on.
        fire_before = fire_of(state, shots[0].before.shot)
        pin_review = judgment.review_pins(state, fire_before)
        consequences = judgment.consequences(pin_review)
        judgment.give_verdicts(run, consequences)
        pin_review.emit_changes(run)
        judgment.go_on(run)

    def given_by(self, state: State) -> tuple[str, ...]:
        return side_that_fired(state, self.shot)

    def suits_wanted(self, state: State) -> list[events.Judged]:
        """The shots that can only be judged again once the suits of their cards are known."""
        # A card that is known to be gone is refused only when the order is carried out.
        insisting = replace(self, insist=True)
        shots = insisting._rejudged_shots(state)
        return [shot.before for shot in shots if shot.wants_suit]

    def _rejudged_shots(self, state: State) -> list[RejudgedShot]:
        """The shots as this order judges them; none if there is no shot of that number. Raises
        Refused if one of them is impossible."""
        verdict = state.verdict_of(self.shot)
        if verdict is None:
            return []
        verdicts = [verdict]
        if self.volley:
            verdicts = volley_of(state, verdict.shot)
        shooters = true_shooters(state, self.shooter, [before.shot for before in verdicts])
        shots = []
        for before in verdicts:
            correction = self.correction_of(before, shooters)
            shots.append(rejudged(state, before, correction))
        return shots

    def correction_of(self, before: events.Judged, shooters: TrueShooters) -> ShotCorrection:
        """What the order says of one of its shots."""
        draw = self.draw
        # Of a whole volley only the shot that is named was misread; to others a suit may be added.
        if draw is None or before.shot.id != self.shot:
            draw = draw_with_suit(before, self.suits)
        return ShotCorrection(
            cover=self.cover,
            hull_down=self.hull_down,
            rear=self.rear,
            close=self.close,
            grouped=self.grouped,
            draw=draw,
            target=self.target,
            shooter=shooters.get(before.shot.piece),
            insist=self.insist,
        )


def as_judged(state: State, shot: Shooting) -> Rejudge:
    """The order that repeats the present verdict of a shot."""
    return Rejudge(
        shot=shot.id,
        cover=shot.at.cover,
        hull_down=shot.at.hull_down,
        rear=shot.at.rear,
        close=was_close(state, shot.at),
        grouped=shot.at.grouped,
    )


def _refuse_at_this_moment(run: Resolution) -> None:
    """Raises Refused while another question is open, or after an end that is not to be undone by
    judging again."""
    state = run.state
    # Who dies may still be open: that it was cover is often noticed right then.
    if not isinstance(state.ask, agenda.CasualtyAsk):
        run.refuse_while_waiting()
    # An end by victory conditions may fall with the shot that brought it. One that the players have
    # agreed on is theirs to take back.
    if state.outcome is not None and state.outcome.agreed:
        raise nonsense("over", "The players have ended this battle; Backspace reopens it.")


def _no_change(shots: Sequence[RejudgedShot]) -> str:
    """The refusal where all shots come to what they came to before."""
    if len(shots) > 1:
        return "No shot of this volley would come to anything else."
    (shot,) = shots
    result = "misses"
    if shot.verdict.hit:
        result = "hits"
    return f"{capital(shot.draw.words)} still {result}."
