"""The policies by name."""

from __future__ import annotations

from skirmish.games.beach_head.plan import BETTER
from skirmish.games.beach_head.simulate.policy import Plan, Policy, Uniform

POLICIES: dict[str, tuple[Policy, str]] = {
    "uniform": (Uniform(), "any target that may be chosen, by chance"),
    "plan": (Plan("plan"), "the first standing target in the order of the rules"),
    "better": (BETTER, "what shortens the game and saves men, as far as we found"),
}
"""Each with what it does."""
