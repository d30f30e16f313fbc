"""Settings that tests begin with; some hold a secret that no message may quote."""

KEY = "k" * 32
PUBLIC = {"base_url": "https://hearts.example.org", "smtp_url": "smtp://relay", "mail_from": "h@example.org"}
SECRET = "hush-hush"
SECRETS = {
    "database_url": f"postgresql://hearts:{SECRET}@127.0.0.1:1/hearts",
    "broker_url": f"redis://:{SECRET}@127.0.0.1:1/0",
    "smtp_url": f"smtp://hearts:{SECRET}@127.0.0.1:1",
    "secret_keys": f"{SECRET}-{KEY}",
}
