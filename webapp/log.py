"""What the processes say on standard error: our own news, and of the libraries only what is wrong.

No line holds an address of a page, a token, a card or a mail address.
"""

import logging


def start_log() -> None:
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    for ours in ("webapp", "worker"):
        logging.getLogger(ours).setLevel(logging.INFO)
