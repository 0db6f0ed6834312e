"""Simulates thousands of whole games without cards, under the same ruleset and rulings.

``engine`` plays them, ``statistics`` counts them, ``ahead`` starts from a game in progress. The
game itself (``games/beach_head``) remains the reference; the tests compare the engine with it.
"""
