"""Players who are away: a robot plays, a friend stands in, or the table waits."""
