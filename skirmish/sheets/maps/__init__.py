"""Maps on paper: the battlefield of a scenario drawn to scale, in colour or sparing with ink.

Begin with ``scenario_map.TableMap.paint``: the order in which all is drawn. ``layers`` says which
part of the battlefield lies over which; ``terrain`` draws the ground and its lines, ``buildings``,
``deployment``, ``distances`` and ``pieces`` what their names say. Around the table are ``frame``
and ``key``. ``numbers`` writes the numbers of features where they cover nothing. ``wall_map`` is
the map on a television.

All of them draw with a ``pen.Pen``, which turns inches of the table into points of the paper and
has the inks of a ``palette``. Nothing is transparent and nothing is a bitmap. A texture may use
random numbers only if they are seeded by its place."""
