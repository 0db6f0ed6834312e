"""A campaign on the command line: four battles by typed lines, each with a chosen result."""

from __future__ import annotations

from pathlib import Path

import pytest
from at_the_desk import Ask

FORCES = ["space", "space", "space", "go"]
"""Both sides bring what is proposed, the battle begins, and its lines follow."""
EVENING = ["space", "space", "", "space", "space"]
"""The battle is counted, the cards are drawn, catch-up is taken, both sides buy."""


def battle(winner: str, *written_off: str) -> list[str]:
    """Losses by hand, then the players say who won; back to the campaign."""
    lines = []
    for losses in written_off:
        lines += [losses, ""]
    return [*lines, "F", winner, "", "go"]


def test_a_campaign_of_four_battles_is_played_by_lines(ask: Ask, desk: Path) -> None:
    draw = [line for line in EVENING if line]  # nobody has lost, and nobody catches up
    lines = [
        *FORCES, *battle("Germans", "-9r", "-2m"), *EVENING,
        *FORCES, *battle("Nobody", "-12r"), *draw,
        *FORCES, *battle("Germans", "-6r"), *EVENING,
        *FORCES, *battle("Germans"), "space", "board", "quit",
    ]  # fmt: skip
    played = ask(
        "play", "campaign", "--defaults", "--set", "campaign=kursk", typed="\n".join(lines) + "\n"
    )
    assert played.code == 0, played.err
    assert "Battle 1 counts: the Germans won." in played.out
    shown = ask("show", "1", "--json").json
    assert (shown["outcome"], shown["marker"], shown["battle"]) == ("german", 3, 4)
    journal = ask("journal", "1").out
    assert "Battle 4 begins" in journal
    told = " ".join(journal.split())
    assert "The groups lost 11 men and models" in told
    assert "The groups lost nobody." in told
    assert ask("export", "1", "-o", "kursk.jsonl").code == 0
    assert ask("import", "kursk.jsonl").code == 0
    assert ask("db", "check").code == 0


def test_the_help_says_what_a_key_does_before_what_comes_of_it(ask: Ask, desk: Path) -> None:
    played = ask("play", "campaign", "--defaults", "--set", "campaign=kursk", typed="help\nquit\n")
    told = " ".join(played.out.split())
    assert "Concede the battle: the enemy wins it" in told
    assert "End the campaign now: it is decided" in told


def test_a_broken_campaign_of_ones_own_is_named_and_stops_nothing(
    ask: Ask, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = desk / "own" / "campaigns"
    folder.mkdir(parents=True)
    (folder / "broken.toml").write_text('format = 1\nid = "x"\ntitle = "X"\nrung = []\n', "utf-8")
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(desk / "own"))
    played = ask("play", "campaign", "--defaults", typed="quit\n")
    assert played.code == 0
    assert "This campaign is left out." in played.err
    assert "broken.toml" in played.err
