"""The page that says whether the service runs."""


def test_the_health_page_answers(client):
    assert client.get("/healthz").get_json() == {"status": "ok"}
