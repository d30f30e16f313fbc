"""What an operator asks of the mail: `flask --app webapp mail check`."""
