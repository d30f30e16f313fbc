"""The domains of a service that sends mail and takes replies, whose records the tests look up."""

DOMAIN, REPLIES = "hearts.example.org", "in.hearts.example.org"
