"""The runtime's secret keys, of which the newest makes links and addresses."""

from pathlib import Path

from tests.runtimes import make_runtime
from webapp.core.addresses import Purpose
from webapp.core.tokens import ReliveLink

OLD, NEW = (f"the {age} key of a service for tests only" for age in ("old", "new"))


def test_the_newest_key_signs_links_while_old_keys_still_read(tmp_path: Path) -> None:
    settings = {"old": OLD, "new": NEW, "both": f"{NEW},{OLD}"}
    runtimes = {
        name: make_runtime(tmp_path / name, secret_keys=keys, reply_domain="in.example.org")
        for name, keys in settings.items()
    }
    old, new, both = runtimes.values()
    link = ReliveLink(1, 1)
    assert new.signer.read(ReliveLink, both.signer.token(link)) == link
    assert both.signer.read(ReliveLink, old.signer.token(link)) == link
    assert both.postmark.address(Purpose.REPLY, 1) == new.postmark.address(Purpose.REPLY, 1)
    assert both.keys == [NEW, OLD]
