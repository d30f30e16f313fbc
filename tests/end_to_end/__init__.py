"""Games, backups and failures of the whole service, as real processes. A package, so that its services end with it."""
