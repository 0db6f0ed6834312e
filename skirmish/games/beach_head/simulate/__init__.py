"""Simulates thousands of whole games without cards, under the same ruleset and rulings.

Begin with ``engine.Batch``: it plays phase after phase, each step for all games at once. ``arrays``
has the beaches and the dice, ``policy`` chooses targets, ``tally`` counts the results,
``statistics`` shows them, and ``ahead`` starts from a game in progress, for the advice.

The game itself (``games/beach_head``) remains the reference; the tests compare the engine with it,
phase by phase. Games are played in chunks of thousands, each with a seed. Their dice depend on that
seed and on the order of the rolls: whoever adds or moves a roll changes every simulated game, and
the numbers printed in the documents.
"""
