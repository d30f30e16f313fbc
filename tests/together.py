"""Playing a slow game live: heartbeats and taps, as the cast makes them."""

from datetime import timedelta

from tests.cast import seats
from tests.table import Table

ANN, BO, CY, DI = range(4)
EVERYBODY = range(4)
MINUTE = timedelta(minutes=1)
HEARTBEAT = timedelta(seconds=30)


def missed(table: Table) -> list[int]:
    return [seat.missed for seat in seats(table.runtime, table.table_id)]
