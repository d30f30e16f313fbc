"""Letters out: what the relay says decides what happens next, and nothing is lost or sent under two names."""
