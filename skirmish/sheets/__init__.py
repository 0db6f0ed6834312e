"""The sheets that players print. A sheet gets its numbers from the game and lays them out; it
contains no rule.

Begin with ``documents``, which lists what can be printed of each game, and ``page_sheet``, which
prints any page of any game. Sheets of a form of their own have a module each: ``scenario``,
``roster``, ``position``, ``report``, ``reference``, ``odds``, ``markers`` and ``labels`` for WWII
Plastic Skirmish, ``beach_head`` for Beach Head. They are built from ``layout`` and ``maps``.

The PDF library takes 0.15 s to load. Outside this package, only modules that do not load it may be
imported before something is printed: ``documents``, ``plastic``, ``inks``, ``paper``,
``label_stock`` and ``missing_signs``."""
