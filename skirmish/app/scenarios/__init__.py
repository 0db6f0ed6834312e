"""The scenarios with their maps.

Begin with ``browser``, the list of scenarios; files that cannot be read are named at its end.
``page_panel`` shows the pages of the chosen scenario, and ``map_picture`` paints a map in
characters. ``deal`` makes scenarios by chance. What the pages say comes from
``games.plastic.scenarios.pages``, and the map from the scenario's own data: nothing here knows any
scenario.
"""
