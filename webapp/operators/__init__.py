"""The service in the hands of whoever runs it: its health, checks, backups, and the commands of `hearts-by-mail`."""
