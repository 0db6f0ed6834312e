"""What is the chance? Exact fractions for one shot and for whole volleys, from the cards left.

``pack`` is what can be drawn, ``single`` one shot, ``volley`` any number of them. Everything rests
on ``judge``, which the battle reads its draws with. Nothing here is rounded: integers inside,
fractions out.
"""
