"""What plain reckoning cannot take is refused before it is half done; what it can take is not."""

from __future__ import annotations

import pytest

from skirmish.games.plastic.odds.pack import Firer, OddsError, Pack
from skirmish.games.plastic.odds.sweep.limit import FIRST_ESTIMATE, MOST_STEPS
from skirmish.games.plastic.odds.sweep.sweep import Sweep

LOW = Pack(sum(1 << at for at in range(0, 48, 5)))


def shooter(needs: int, group: int = 0, *, repeat: bool = False) -> Firer:
    return Firer(hits=(1 << 4 * needs) - 1, repeat=repeat, group=group)


def swept(firers: list[Firer], sizes: list[int], pack: Pack) -> Sweep:
    sweep = Sweep(firers, sizes, pack)
    sweep.states()
    return sweep


@pytest.mark.parametrize("pack", [LOW, Pack()], ids=["low", "full"])
def test_many_kinds_at_three_groups_are_refused_almost_at_once(pack: Pack) -> None:
    kinds = [shooter(needs, needs % 3, repeat=needs > 4) for needs in range(2, 9)]
    sweep = Sweep(kinds * 6, [12, 12, 8], pack)
    with pytest.raises(OddsError, match="too mixed"):
        sweep.states()
    assert sweep.steps < MOST_STEPS / 4


def test_what_takes_much_but_not_too_much_is_answered() -> None:
    few = [shooter(5, 0), shooter(8, 1, repeat=True)] * 9
    assert FIRST_ESTIMATE < swept(few, [9, 14], LOW).steps < MOST_STEPS


def test_long_rows_whose_men_run_out_are_answered() -> None:
    """Forty shooters at five men: most of them find nobody left."""
    kinds = [shooter(2), shooter(6, 1, repeat=True), shooter(8, 1)]
    assert swept((kinds * 14)[:40], [1, 4], LOW).steps < MOST_STEPS
