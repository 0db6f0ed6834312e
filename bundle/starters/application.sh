#!/bin/sh
# Skirmish.app: opens the starter beside it in Terminal.
exec open -a Terminal "$(dirname "$0")/../../../Skirmish.command"
