#!/bin/sh
# Starts Skirmish: in this terminal, in one of its own, or in the browser.
exec "$(dirname "$(readlink -f "$0")")/skirmish" start
