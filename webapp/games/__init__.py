"""A game and its table in rows: loading it, who is asked for what and until when, who is present, what was said."""
