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
sed -e "s|^Exec=.*|Exec=\"$here/Skirmish.sh\"|" -e "s|^Icon=.*|Icon=$here/skirmish.png|" "$here/Skirmish.desktop" >"$entry"
chmod +x "$entry"
echo "Skirmish is in the menu now. If you move this folder, run add-to-menu.sh again."
