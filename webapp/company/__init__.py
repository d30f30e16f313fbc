"""The people at a table: opening and filling it, playing again, its host, its chairs, its lobby, its talk."""
