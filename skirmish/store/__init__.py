"""What must not be lost: armies and battles in one SQLite file. Knows no rule of any game.

Begin with `records` (what the store hands out) and `database.Store` (what it does: each method is a
transaction). Around them: `tables` (the tables of the ORM); `place` and `opening` (where the file
is, and whether it may be used); `custody` (whether it is still the same file); `migrating` (a file
of an earlier version); `backups` (copying, checking, restoring); `readers` and `watch` (reading
without the ORM); `writer` (the one thread of the app that writes); `names` and `times` (what people
type and read); `settings` (a file of its own). A stored column, tag or key never changes its
meaning: a migration adds to it.

`errors`, `names`, `place`, `readers`, `records`, `times`, `watch` and `writer` are light: a program
may import them before its first paint. `database` (the `Store` itself) loads the ORM, which is
slow; `writer.StoreThread` imports it in its own thread. This module imports nothing, so that
`import skirmish.store` costs nothing.
"""
