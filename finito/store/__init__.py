"""Where matches and rounds are kept: append-only streams of events, in memory, SQLite or PostgreSQL."""
