"""Grand Tactical Series: the chits, the points, checks and fire at the edge of the big map.

The program sees neither the map nor the counters: it stores what its players enter, draws chits,
adds modifiers up and remembers markers. A unit is a ``Counter``; its ratings are asked for when
they first matter. What the rules summary does not print (the fire table, modifiers) is typed in
from the owner's card, or taken from ``data/gts/community.toml``.

Begin with ``combat``: checks and shots as pure functions, with ``rolls`` (what the die says) and
``objections`` (what the charts forbid); ``questions`` answers other programs by them. ``units`` is
what markers mean and what results do; ``state`` what the rules ask of the whole table, ``events``
what changes it; ``activation`` who may act under a chit. Orders are in ``orders`` (the mug, points,
the turn), ``actions`` (what needs no roll), ``checks``, ``works`` (engineers), ``fire`` (a shot;
``aftermath`` is what follows from it) and ``fire_results``. ``commands`` asks for them. ``game``
puts all together, with ``ledgers`` and ``rules_page`` for screen and paper.

Comments name boxes of the charts (D3, I14, A2, N10; ``data/gts/charts.toml``), rulings (G7;
``rulings.toml``) and steps of the sequence of play (E.II).

Two things have no place here: a number of the card, since every owner's differs; and a refusal that
rests on a marker or a distance which players may not have entered. That is advice (``advise``), and
they may overrule it. Events and orders are stored for ever, with the texts of ``Marker``.
"""
