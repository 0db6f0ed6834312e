"""What must not be lost: armies and battles in one SQLite file. Knows no rule of any game.

Begin with `records` (what the store hands out) and `database.Store` (what it does, a transaction a
method). Around it: `place` and `opening` (where the file is, and whether it may be used),
`migrating` (a file of an earlier version), `backups` (copy, check, restore), `readers` (looking
without the ORM), `writer` (the one thread of the app that writes), `settings` (a file of its own).
A stored column, tag or key never changes its meaning: a migration adds to it.

`errors`, `records`, `place`, `readers` and `writer` are light: a program may import them before its
first paint. `database` (the `Store` itself) brings the ORM with it; `writer.StoreThread` loads it
in its own thread. Nothing is imported here, so that `import skirmish.store` stays free.
"""
