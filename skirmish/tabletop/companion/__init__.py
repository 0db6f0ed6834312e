"""What board games share: result tables, cups, counters, tracks, sequences, flow charts."""
