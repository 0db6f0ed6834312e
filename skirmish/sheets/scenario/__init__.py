"""The scenario sheet, and the book of all scenarios.

Begin with ``sheet.scenarios_pdf``. ``content`` has the blocks of a scenario: ``sheet`` sets them on
one page and ``book`` on a spread; ``lay_table``, ``forces``, ``weapon_strip`` and ``turn_track``
are its tables. What is said in words comes from ``games.plastic.scenarios.pages``, so that the
screen says the same; the map is drawn by ``sheets.maps``."""
