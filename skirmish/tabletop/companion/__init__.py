"""What board games share at the table: result tables, cups, counters, tracks, sequences, flows."""
