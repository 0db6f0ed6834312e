"""Floor 4, the sheets: what players print. A sheet asks the game and sets type; it holds no rule.

Nothing here loads the PDF library until a sheet is made: ``roster.roster_pdf`` and
``scenario_sheet.scenario_pdf`` are the two doors.
"""
