"""Whole games by the thousand, without cards: the same ruleset and rulings, many games at a time.

``work`` plays them, ``tally`` counts them, ``ahead`` begins in the midst of a game. The game
itself (``games/beach_head``) stays the reference; the tests hold both engines against it.
"""
