"""The equipment of every process: settings, database, broker, log, signed links and addresses."""
