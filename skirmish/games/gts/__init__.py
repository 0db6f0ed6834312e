"""Grand Tactical Series: the chits, the points, checks and fire at the edge of the big map.

The program sees neither the map nor the counters: it stores what its players enter, draws chits,
adds modifiers up and remembers markers. A unit is a ``Counter``; its ratings are asked for when
they first matter. What the rules summary does not print (the fire table, modifiers) is typed in
from the owner's card, or taken from ``data/gts/community.toml``.

Begin with ``combat``: checks, shots and points as pure functions, which also answer other
programs. ``units`` is what markers mean and what results do; ``state`` what the rules ask of the
whole table, above all ``why_not_act``, and the events. Orders are in ``orders`` (the mug, points,
the turn), ``actions`` (what units do, checks) and ``fire`` (a shot; ``aftermath`` is what follows
from it). ``commands`` asks for them. ``game`` puts all together, with ``ledgers`` and
``rules_page`` for screen and paper. Comments name boxes of the charts (D3, I14, A2, N10;
``data/gts/charts.toml``), rulings (G7; ``rulings.toml``) and steps of the sequence of play (E.II).

What may not be done here: no number of the card in code, since every owner's differs; no refusal
that rests on a marker or a distance which players may not have entered: that is advice
(``advise``), and they may overrule it. Events and orders are stored for ever, with the texts of
``Marker``.
"""
