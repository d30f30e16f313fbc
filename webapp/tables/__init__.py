"""The people at a table: opening and filling it, its host, its seats, its lobby, playing again."""
