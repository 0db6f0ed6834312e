"""What every game at a table needs: no files, no screen, no clock, no global random numbers."""
