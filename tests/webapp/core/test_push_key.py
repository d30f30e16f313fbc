"""The key that signs notifications: made once, kept private, and read in each usual form."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, SECP384R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.webapp.core.settings import KEY, PUBLIC
from webapp.core.config import BadSetting, read_settings


def _key_file(folder, curve, form):
    """A private key of the curve in PEM."""
    path = folder / "push.pem"
    path.write_bytes(generate_private_key(curve).private_bytes(Encoding.PEM, form, NoEncryption()))
    return path


def test_a_push_key_is_made_once_for_its_owner_alone(tmp_path):
    first = read_settings(data_dir=tmp_path).push_key().public
    assert read_settings(data_dir=tmp_path).push_key().public == first
    assert (tmp_path / "vapid_key.pem").stat().st_mode & 0o077 == 0


def test_processes_that_make_a_push_key_together_use_the_same(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: read_settings(data_dir=tmp_path).push_key().public, range(16)))
    assert len(set(made)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["vapid_key.pem"]


@pytest.mark.parametrize("form", [PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8], ids=["ecparam", "genpkey"])
def test_a_push_key_is_accepted_as_openssl_writes_it(tmp_path, form):
    path = _key_file(tmp_path, SECP256R1(), form)
    settings = read_settings(**PUBLIC, secret_keys=KEY, vapid_key=path, data_dir=tmp_path / "var")
    assert len(settings.push_key().public) == 87
    assert not (tmp_path / "var").exists()


def test_a_push_key_of_another_curve_is_refused(tmp_path):
    with pytest.raises(BadSetting, match="VAPID_KEY must name a file"):
        read_settings(vapid_key=_key_file(tmp_path, SECP384R1(), PrivateFormat.PKCS8))
