"""PostgreSQL as the service needs it: connections that are tested before use, and limits for waiting."""

from sqlalchemy import Connection, Engine, create_engine, make_url, text

# Unless DATABASE_URL says otherwise. Where a network takes packets and brings nothing back, the system would wait for a
# quarter of an hour, and for two if a process only listens.
WAITS = {
    "connect_timeout": 5,  # seconds
    "tcp_user_timeout": 10_000,  # milliseconds for which nobody confirms what was sent
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
# The server would keep the locks of a lost machine for hours. Beyond these limits, it ends
# an idle transaction, and cancels a statement that waits for a lock.
LIMITS = {"idle_in_transaction_session_timeout": "60s", "lock_timeout": "15s"}


def postgresql_engine(url: str) -> Engine:
    """An engine that tests pooled connections before it uses them, because a restart of the server breaks them."""
    address = make_url(url).set(drivername="postgresql+psycopg")
    options = " ".join(f"-c {name}={limit}" for name, limit in LIMITS.items())
    wanted = {**WAITS, "options": options}
    return create_engine(
        address,
        hide_parameters=True,
        pool_pre_ping=True,
        connect_args={name: value for name, value in wanted.items() if name not in address.query},
    )


def lift_limits(connection: Connection) -> None:
    """Lifts both limits until the connection's present transaction ends."""
    for name in LIMITS:
        connection.execute(text(f"SET LOCAL {name} = 0"))
