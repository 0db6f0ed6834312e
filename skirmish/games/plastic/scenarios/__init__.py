"""Scenarios as data: what a file may say, what is wrong with one, and its pages in words.

Begin with ``scenario`` (the whole file, its victory terms and events, each a class) and
``order_of_battle`` (sides, contingents, ways to enter). ``scenario_file`` reads a file and names
all that is wrong with it; ``pages`` and ``laying`` put it into words. docs/scenario-format.md is
the same for those who write one.

No scenario is known here by name or number: whatever one needs is in its file. What happens during
play is in ``battle``, which reads these classes.
"""
