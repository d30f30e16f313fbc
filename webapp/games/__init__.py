"""A game and its table in the database: loading, what each seat is asked for, deadlines, presence, and talk."""
