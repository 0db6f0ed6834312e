# Adds Skirmish to the Start menu and the desktop, with its icon.
# Right-click this file and choose "Run with PowerShell".
$here = Split-Path -Parent $MyInvocation.MyCommand.Path
$shell = New-Object -ComObject WScript.Shell
foreach ($folder in "Programs", "Desktop") {
    $shortcut = $shell.CreateShortcut((Join-Path ([Environment]::GetFolderPath($folder)) "Skirmish.lnk"))
    $shortcut.TargetPath = Join-Path $here "Play Skirmish.exe"
    $shortcut.WorkingDirectory = [Environment]::GetFolderPath("MyDocuments")
    $shortcut.IconLocation = Join-Path $here "skirmish.exe"
    $shortcut.Save()
}
Write-Output "Skirmish is in the Start menu and on the desktop now."
