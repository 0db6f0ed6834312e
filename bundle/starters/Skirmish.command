#!/bin/sh
# Starts Skirmish. Finder opens this file in Terminal.
exec "$(dirname "$0")/skirmish"
