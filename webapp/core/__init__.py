"""What a process holds, whatever it does: settings, database, broker, log, signed links and addresses."""
