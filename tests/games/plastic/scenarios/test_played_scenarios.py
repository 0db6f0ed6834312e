"""Every scenario played from its opening to an end that the program finds by itself, once for
each side, and drawn where it can be. The stories are in ``played``, a file for each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scenario_files import of_the_text
from story import Story

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.lines import whole_journal
from skirmish.games.plastic.battle.orders import Finish
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.tabletop.typed import plain

FILES = sorted((Path(__file__).parent / "played").glob("*.toml"))


def told(path: Path) -> Story:
    """The story told to its end, which must come with its last line and not before."""
    story = Story(path)
    *before, last = story.lines()
    for line in before:
        try:
            story.tell(line)
        except Exception as error:
            error.add_note(f"at: {line}")
            raise
        assert story.state.outcome is None, f"over too soon, after: {line}"
    story.tell(last)
    return story


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_played_through_ends_as_its_story_says(path: Path) -> None:
    story = told(path)
    outcome = story.state.outcome
    assert outcome is not None, "the story does not end"
    assert outcome.winner == (story.told["winner"] or None)
    assert outcome.reason == story.told["because"]
    assert not any(isinstance(entry.order, Finish) for entry in story.play.entries)
    _can_be_told_and_kept(story.play)


def _can_be_told_and_kept(play: BattlePlay) -> None:
    for line in whole_journal(play):
        assert line.text
        assert plain(line.text) == line.text
        assert "None" not in line.text
    entries = [record.codec.read(record.codec.written(e)) for e in play.entries]
    assert record.codec.play(entries).states == play.states


def test_each_side_of_each_scenario_wins_once_at_least() -> None:
    """Each of the text, which are those of the vectors. And scenarios 8 and 9, whose terms know a
    draw, are drawn once."""
    ends = Counter((told["scenario"], told["winner"]) for told in map(_head, FILES))
    for number in of_the_text():
        for side in library.scenarios()[number].sides:
            assert ends[number, side.id], f"scenario {number}: {side.id} never win"
    assert {number for number, winner in ends if not winner} == {8, 9}


def _head(path: Path) -> dict[str, object]:
    return Story(path).told
