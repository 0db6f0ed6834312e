"""Shots at random against a second working out of the same rules (``tests/gts_oracle.py``)."""

from __future__ import annotations

import json
import os
from collections import Counter
from random import Random

import gts_oracle
from gts_table import GAME

QUESTIONS = int(os.environ.get("GTS_QUESTIONS", "3000"))


def test_shots_at_random_are_judged_as_the_summary_says() -> None:
    random = Random(20)
    verdicts: Counter[str] = Counter()
    for _ in range(QUESTIONS):
        question = gts_oracle.some_question(random)
        wanted = gts_oracle.verdict(question)
        answer = GAME.answer(json.dumps(question).encode())
        assert answer["legal"] == wanted["legal"], (question, answer, wanted)
        if answer["legal"]:
            verdicts["legal"] += 1
            del answer["lines"]
            assert answer == wanted, question
        else:
            verdicts[answer["why"]] += 1
            assert answer["why"] in wanted["why"], (question, answer, wanted)
            assert answer["says"].endswith("."), answer
    # Each reason is met often enough that an error in it would be seen.
    assert min(verdicts.values()) >= 10, verdicts
    assert len(verdicts) == 12, verdicts
