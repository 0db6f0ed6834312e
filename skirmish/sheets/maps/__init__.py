"""Maps on paper: the battlefield of a scenario drawn to scale, in colour or sparing with ink.

Begin with ``scenario_map.TableMap.paint``: the order in which all is drawn. ``terrain`` draws
the ground and its lines, ``things`` what stands on it, ``numbers`` the numbers of features where
they cover nothing; all take a ``pen.Pen``, which knows where the
table lies on the paper, and the inks of a ``palette``. Nothing is transparent and nothing is a
bitmap, and no texture may use random numbers that are not seeded by its place."""
