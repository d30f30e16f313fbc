"""A game and its table as the database has them: rows, turn records, and the one transaction that changes them."""
