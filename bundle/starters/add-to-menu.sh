#!/bin/sh
# Adds Skirmish to the menu of the desktop, with its icon. To remove it: add-to-menu.sh --remove
set -eu
here=$(dirname "$(readlink -f "$0")")
menu=${XDG_DATA_HOME:-$HOME/.local/share}/applications
entry=$menu/skirmish.desktop
if [ "${1-}" = --remove ]; then
    rm -f "$entry"
    echo "Skirmish is no longer in the menu."
    exit
fi
mkdir -p "$menu"
# An entry needs whole paths: where this folder is, nobody knew when it was packed.
cat >"$entry" <<ENTRY
[Desktop Entry]
Type=Application
Name=Skirmish
Comment=A table-side assistant for WWII Plastic Skirmish
Exec="$here/Skirmish.sh"
Icon=$here/skirmish.png
Terminal=false
Categories=Game;StrategyGame;
ENTRY
chmod +x "$entry"
echo "Skirmish is in the menu now. If you move this folder, run add-to-menu.sh again."
