"""The simulator on a cluster: Dask's executor is as good as any."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from exactly import setup

from skirmish.games.beach_head.simulate import engine
from skirmish.games.beach_head.simulate.policy import Uniform

PAGE = Path(__file__).parents[3] / "docs/beach-head-statistics.md"


def test_a_local_cluster_comes_to_the_same_result() -> None:
    distributed = pytest.importorskip("distributed")
    job = engine.Job(setup(), Uniform(), 5)
    alone = engine.together(engine.simulate(job, 50_000))
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        spread = engine.simulate(job, 50_000, client.get_executor(), workers=2)
        assert engine.together(spread) == alone


def test_the_example_of_the_page_plays_what_it_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its cluster made small, in this process; every other line as it stands there."""
    distributed = pytest.importorskip("distributed")
    found = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found
    text = found[1]
    assert "1_000_000_000" in text
    assert "Client()" in text
    client = distributed.Client
    monkeypatch.setattr(
        distributed,
        "Client",
        lambda: client(processes=False, n_workers=1, dashboard_address=None),
    )
    exec(text.replace("1_000_000_000", "40_000"), {"__name__": "__main__"})
    games, mean = capsys.readouterr().out.split()[:2]
    assert games == "40000"
    assert 68 < float(mean) < 71
    assert "dask" in sys.modules
