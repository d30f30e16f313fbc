"""Games that rest because nobody plays them."""

from webapp.games.clock import rest


def rests(table):
    return table.stored.table.rests


def put_to_rest(table):
    """Lets deadlines pass until the game rests."""
    for _ in range(3 * rest.DEADLINES):
        if not rests(table):
            table.miss_deadline()
    assert rests(table)
