"""Exact chances of one shot and of whole volleys: integers inside, fractions out.

Begin with ``pack``: what can be drawn, the odds of one shot, and what a shooter of a volley is.
``volley`` is the question that everybody asks; ``sweep`` answers it where there is no formula.
``table`` (every weapon against every target, read through ``table_page`` and ``table_data``),
``worth`` (points killed for a point of price) and ``answer`` (``skirmish odds``) make pages and
data of these; ``rounding`` shows chances.

What hits is decided in ``rules.shot.judge`` and asked from there for each possible draw: no rule is
repeated here. Nothing is drawn, and nothing is simulated. Floats are for bars on the screen only.
"""
