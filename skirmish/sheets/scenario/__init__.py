"""The scenario sheet, with its turn track, and the book of all scenarios.

Begin with ``sheet.scenarios_pdf``. What is said in words comes from
``games.plastic.scenarios.pages``, so that the screen says the same; the map is drawn by
``sheets.maps``."""
