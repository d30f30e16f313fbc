"""Devices that get notifications of turns: who may add one, and which addresses are allowed."""

from http import HTTPStatus

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP384R1

from tests.cast import dump, start_game
from tests.webapp.accounts.signed_in import let_in
from tests.webapp.accounts.subscriptions import (
    GOOGLE,
    POINT,
    SECRET,
    form,
    point,
    preferences_link,
    rows_of,
    subscription,
)
from tests.worker.push_service import base64url
from webapp.accounts import devices
from webapp.accounts.devices import MOST_DEVICES
from webapp.core.tokens import LinkInvalid
from webapp.models import PlayerRow

ANN, BO = 1, 2


def player(runtime, number=ANN):
    with runtime.database.reading() as session:
        return session.get_one(PlayerRow, number)


@pytest.fixture(autouse=True)
def _game(request):
    if "runtime" in request.fixturenames:
        start_game(request.getfixturevalue("runtime"))


# adding and forgetting


def test_a_player_forgets_all_devices_of_theirs_and_nobody_elses(runtime, client):
    for name in ("phone", "laptop"):
        client.post(f"{preferences_link(runtime)}/devices", data=form(name))
    client.post(f"{preferences_link(runtime, BO)}/devices", data=form("his"))
    client.post(f"{preferences_link(runtime)}/devices/forget", data={"device": "all"})
    assert [row.player_id for row in rows_of(runtime)] == [BO]


def test_a_player_cannot_forget_somebody_elses_device(runtime, client):
    client.post(f"{preferences_link(runtime, BO)}/devices", data=form())
    client.post(f"{preferences_link(runtime)}/devices/forget", data={"device": str(rows_of(runtime)[0].id)})
    assert len(rows_of(runtime)) == 1


def test_a_device_added_twice_is_kept_once_with_newest_keys(runtime, client):
    newer = point()
    for key in (POINT, newer):
        client.post(f"{preferences_link(runtime)}/devices", data=form(p256dh=f"{key}="))
    assert [(row.player_id, row.public_key) for row in rows_of(runtime)] == [(ANN, newer)]


def test_a_browser_notifies_only_its_latest_player(either_runtime):
    start_game(either_runtime)
    for number in (ANN, BO):
        devices.add_device(either_runtime, number, subscription(), either_runtime.now())
    assert [row.player_id for row in rows_of(either_runtime)] == [BO]


def test_a_player_may_add_at_most_ten_devices(runtime, client):
    let_in(client, runtime, ANN)
    answers = [client.post(f"{preferences_link(runtime)}/devices", data=form(str(n))) for n in range(MOST_DEVICES + 1)]
    assert [answer.status_code for answer in answers] == [303] * MOST_DEVICES + [400]
    assert "10 devices are told already" in answers[-1].text
    assert client.post(f"{preferences_link(runtime)}/devices", data=form("0")).status_code == HTTPStatus.SEE_OTHER
    client.post(f"{preferences_link(runtime, BO)}/devices", data=form("his"))
    assert client.post(f"{preferences_link(runtime)}/devices", data=form("his")).status_code == HTTPStatus.BAD_REQUEST
    assert len(rows_of(runtime)) == MOST_DEVICES + 1


def test_turn_mails_can_be_off_while_a_device_is_left(runtime, client):
    page = preferences_link(runtime)
    client.post(f"{page}/devices", data=form())
    for want, push_only in (("push-only", True), ("push-and-mail", False), ("push-only", True)):
        done = client.post(f"{page}/devices/mails", data={"want": want})
        assert client.get(done.location).status_code == HTTPStatus.OK
        assert player(runtime).push_only is push_only
    client.post(f"{page}/devices/forget", data={"device": "all"})
    assert not player(runtime).push_only


def test_an_unknown_player_has_no_devices(runtime):
    for call in (
        lambda: devices.add_device(runtime, 99, subscription(), runtime.now()),
        lambda: devices.forget_devices(runtime, 99, None, runtime.now()),
        lambda: devices.set_push_only(runtime, 99, push_only=True, now=runtime.now()),
    ):
        with pytest.raises(LinkInvalid):
            call()


# which addresses are allowed


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/dpx:APA91b-_x",
        "https://jmt17.google.com/fcm/send/x",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB-_x==",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%2bx%3d",
        "https://web.push.apple.com/QABCDEF-_x",
    ],
)
def test_the_push_services_of_the_usual_browsers_are_allowed(runtime, client, endpoint):
    assert client.post(f"{preferences_link(runtime)}/devices", data=form(endpoint=endpoint)).status_code == 303


@pytest.mark.parametrize(
    "endpoint",
    [
        pytest.param("http://fcm.googleapis.com/x", id="not encrypted"),
        pytest.param("https://example.org/x", id="no push service"),
        pytest.param("https://127.0.0.1/x", id="this machine"),
        pytest.param("http://127.0.0.1:8000/x", id="ourselves"),
        pytest.param("https://169.254.169.254/latest/meta-data", id="the cloud's secrets"),
        pytest.param("https://[::1]/x", id="this machine, in IPv6"),
        pytest.param("https://2130706433/x", id="this machine, as a number"),
        pytest.param("https://fcm.googleapis.com@127.0.0.1/x", id="a user's name"),
        pytest.param("https://127.0.0.1\\@fcm.googleapis.com/x", id="a backslash"),
        pytest.param("https://127.0.0.1#@fcm.googleapis.com/x", id="a fragment"),
        pytest.param("https://127.0.0.1?.fcm.googleapis.com/x", id="a query for a host"),
        pytest.param("https://fcm.googleapis.com.example.org/x", id="a longer name"),
        pytest.param("https://xfcm.googleapis.com/x", id="a name like it"),
        pytest.param("https://evil-push.apple.com/x", id="an ending like it"),
        pytest.param("https://push.apple.com/x", id="the common domain itself"),
        pytest.param("https://.push.apple.com/x", id="nothing before the dot"),
        pytest.param("https://fcm.googleapis.com:22/x", id="another port"),
        pytest.param("https://fcm.googleapis.com:443/x", id="a port that goes without saying"),
        pytest.param("https://FCM.GOOGLEAPIS.COM/x", id="capitals"),
        pytest.param("https://fcm.googleapis.com", id="no path"),
        pytest.param("https://fcm.googleapis.com/x\r\nHost: other", id="a line of its own"),
        pytest.param("https://fcm.googleapis.com/x y", id="a blank"),
        pytest.param("https://fcm.googleapis.com/x\n", id="a newline at its end"),
        pytest.param("https://fcm.googleapis.com/é", id="letters beyond a to z"),
        pytest.param("https://fcm。googleapis。com/x", id="other dots"),
        pytest.param("https://fcm.googleapis.com/" + "x" * 1000, id="too long"),
        pytest.param("file:///etc/passwd", id="a file"),
        pytest.param("gopher://fcm.googleapis.com/x", id="another scheme"),
        pytest.param("//fcm.googleapis.com/x", id="no scheme"),
        pytest.param("", id="nothing"),
    ],
)
def test_an_address_that_belongs_to_no_push_service_is_refused(runtime, client, endpoint):
    before = dump(runtime)
    refused = client.post(f"{preferences_link(runtime)}/devices", data=form(endpoint=endpoint))
    assert refused.status_code == HTTPStatus.BAD_REQUEST
    assert "a service that we do not know" in refused.text
    assert dump(runtime) == before
    renewed = client.post("/devices/renewed", data=form(endpoint=endpoint, old_endpoint=f"{GOOGLE}x", old_auth=SECRET))
    assert renewed.status_code == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"p256dh": ""}, id="no key"),
        pytest.param({"p256dh": POINT[:-2]}, id="a key cut off"),
        pytest.param({"p256dh": base64url(b"\x04" + b"\x01" * 64)}, id="a point beside the curve"),
        pytest.param({"p256dh": point(SECP384R1)}, id="a point of another curve"),
        pytest.param({"p256dh": "é" * 87}, id="no base64"),
        pytest.param({"auth": ""}, id="no secret"),
        pytest.param({"auth": "A" * 21}, id="a secret cut off"),
        pytest.param({"auth": "A" * 24}, id="a secret too long"),
    ],
)
def test_keys_that_no_browser_makes_are_refused(runtime, client, wrong):
    refused = client.post(f"{preferences_link(runtime)}/devices", data=form(**wrong))
    assert refused.status_code == HTTPStatus.BAD_REQUEST
    assert "Please try again." in refused.text
    assert rows_of(runtime) == []


# a new address


def test_a_browser_with_a_new_address_reports_it(runtime, client):
    client.post(f"{preferences_link(runtime)}/devices", data=form("old"))
    renewed = form("new", auth="B" * 21 + "A", old_endpoint=f"{GOOGLE}old", old_auth=SECRET)
    assert client.post("/devices/renewed", data=renewed).status_code == HTTPStatus.NO_CONTENT
    assert [(row.player_id, row.endpoint, row.secret) for row in rows_of(runtime)] == [
        (ANN, f"{GOOGLE}new", "B" * 21 + "A")
    ]


def test_a_device_is_redirected_only_with_its_secret(runtime, client):
    client.post(f"{preferences_link(runtime)}/devices", data=form("old"))
    before = dump(runtime)
    for old in ({}, {"old_endpoint": f"{GOOGLE}old"}, {"old_endpoint": f"{GOOGLE}old", "old_auth": "B" * 22}):
        assert client.post("/devices/renewed", data=form("eve", **old)).status_code == HTTPStatus.NOT_FOUND
    assert dump(runtime) == before


def test_a_known_new_address_replaces_the_old_one(runtime, client):
    for name in ("old", "new"):
        client.post(f"{preferences_link(runtime)}/devices", data=form(name))
    renewed = form("new", old_endpoint=f"{GOOGLE}old", old_auth=SECRET)
    assert client.post("/devices/renewed", data=renewed).status_code == HTTPStatus.NO_CONTENT
    assert [row.endpoint for row in rows_of(runtime)] == [f"{GOOGLE}new"]
