"""How long a game waits: hours, pace, deadlines, reminders, banks of time, spare days, presence, rest."""
