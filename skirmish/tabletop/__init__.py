"""Floor 1: what every game at a table needs. No file, no screen, no clock, no global chance."""
