"""The scenario sheet, and the book of all scenarios.

Begin with ``sheet.scenarios_pdf``. ``content`` has the blocks of a scenario; ``lay_table``,
``forces``, ``weapon_strip`` and ``turn_track`` are its tables; ``weapon_lines`` has the figures of
the weapons, ``weapon_notes`` and ``turn_notes`` what a sheet says of the rules. ``one_page`` and
``several_pages`` arrange them on a sheet; ``left_page`` and ``right_page`` on a spread of the book,
whose other pages are in the modules ``book_...``. The sentences come from
``games.plastic.scenarios.pages``, so that the screen has the same; ``sheets.maps`` draws the map.
Numbers without a name are points, or shares of a width, chosen by eye.
"""
