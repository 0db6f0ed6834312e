"""Maps on paper: the battlefield of a scenario drawn to scale, in colour or sparing with ink.

Begin with ``scenario_map.TableMap.paint``: the order in which all is drawn. ``layers`` says which
part of the battlefield lies over which; ``terrain`` draws the ground and its lines, ``buildings``,
``deployment``, ``distances`` and ``pieces`` what their names say. Around the table are ``frame``
and ``key``. ``numbers`` writes the numbers of features where they cover nothing. ``wall_map`` is
the map on a television.

All of them take a ``pen.Pen``, which knows where the table lies on the paper, and the inks of a
``palette``. Nothing is transparent and nothing is a bitmap, and no texture may use random numbers
that are not seeded by its place."""
