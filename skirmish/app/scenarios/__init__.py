"""The scenarios with their maps.

Begin with ``browser``, the list with the page of the chosen scenario; files that cannot be read are
named at its end. ``map_picture`` paints a map in characters. What the pages say comes from
``games.plastic.scenarios.pages``, and the map from the scenario's own data: nothing here knows any
scenario.
"""
