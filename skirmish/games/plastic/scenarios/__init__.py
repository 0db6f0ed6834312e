"""Scenarios as data: what a file may say, what is wrong with one, and its pages in words.

Begin with ``scenario`` (the whole file). Its parts are in ``victory_terms``, ``happenings``,
``order_of_battle`` (sides and contingents) and ``entries`` (how a contingent comes into battle);
what all parts are made of is in ``scenario_part``. docs/scenario-format.md is the same for those
who write a scenario.

``scenario_file`` reads a file. What is wrong with it is found by ``problems``, with what a part may
name from ``names``; ``own`` has what is different for players' own scenarios.

``pages`` has the pages of a scenario, with the words of ``wording``. ``laying`` says how its table
is laid, by the squares of ``grid``.

No scenario is known here by name or number: whatever one needs is in its file. What happens during
play is in ``battle``, which reads these classes.
"""
