"""How many draws of a volley are followed at most, and when it is given up."""

from __future__ import annotations

from skirmish.games.plastic.odds.pack import OddsError

MOST_STEPS = 2_000_000
"""The most steps of a volley, which take about 3 seconds. A step is a draw that is followed; one
with a long weight counts as several."""
FIRST_ESTIMATE = 12_000
"""After this many draws the total is first estimated; then at every doubling."""
LONG_WEIGHT = 2**14
"""Long weights take longer: a draw counts as one step more for every so many bits of its weight."""


def steps_of_weight(bits: int) -> int:
    """How many steps a draw counts as, if its weight has so many bits."""
    return 1 + bits // LONG_WEIGHT


class StepLimit:
    """The steps (draws followed) that a volley took so far, against the most that it may take.

    It raises OddsError as soon as it is foreseen that the volley will exceed them, not only when it
    does: a player waits for the answer.
    """

    def __init__(self, most_steps: int, shooter_count: int) -> None:
        self.most_steps = most_steps
        self.shooter_count = shooter_count
        self.steps = 0
        self._next_estimate = min(FIRST_ESTIMATE, most_steps)
        self._firing_together = 1
        """How many shooters are followed together now."""
        self._steps_before_them = 0
        self._shooters_done = 0
        self._steps_of_last_shooter = 0
        """The steps of the shooter done last; 0 before the first one is done."""

    def begin(self, alike: int) -> None:
        """So many shooters who are ``alike`` begin to fire, and are followed together."""
        self._firing_together = alike
        self._steps_before_them = self.steps

    def end(self) -> None:
        """Those who began to fire are done."""
        self._steps_of_last_shooter = self._steps_of_each_now
        self._shooters_done += self._firing_together

    def spend(self, steps: int) -> None:
        """Counts so many steps. Raises OddsError where the whole volley would take too many."""
        self.steps += steps
        if self.steps <= self._next_estimate:
            return
        self._next_estimate *= 2
        if self._least_steps() > self.most_steps:
            raise OddsError(
                "This volley is too large or too mixed to be worked out exactly: fewer shooters, "
                "fewer groups or a fuller deck would do."
            )

    def _least_steps(self) -> int:
        """The fewest steps of the whole volley, if no shooter takes fewer than the last one."""
        shooters_left = self.shooter_count - self._shooters_done
        of_each = max(self._steps_of_last_shooter, self._steps_of_each_now)
        return self._steps_before_them + shooters_left * of_each

    @property
    def _steps_of_each_now(self) -> int:
        """The steps so far of each of those who fire now."""
        return (self.steps - self._steps_before_them) // self._firing_together
