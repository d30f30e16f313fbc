"""The clients of all tests that ask a site for pages: they post as browsers do, and read no error by accident."""

from typing import Any

from flask import Response
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, TestResponse
from werkzeug.wrappers import Request as BaseRequest

from webapp.site import Webapp


class Answer(TestResponse, Response):
    """A response to a GET is read only if it is no error, or once the test has asked for its status.

    On an error page nothing is found that a test says is absent.
    """

    _is_asked = False

    @property
    def status_code(self) -> int:
        self._is_asked = True
        return super().status_code

    @status_code.setter
    def status_code(self, code: int) -> None:
        Response.status_code.fset(self, code)

    def get_data(self, as_text: bool = False) -> Any:
        status = super().status_code
        is_known = self._is_asked or status < 400 or self.request.method != "GET"
        assert is_known, f"{self.request.path} answers {status}, and the test does not ask for that"
        return super().get_data(as_text)


class FormsOfOurs(FlaskClient):
    """A browser that sends, as all do, that its forms come from a page of the same site."""

    def __init__(self, application: Webapp, _: object, **kwargs: Any) -> None:
        super().__init__(application, Answer, **kwargs)

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        if not (args and isinstance(args[0], EnvironBuilder | BaseRequest | dict)):
            headers = Headers(kwargs.get("headers"))
            headers.setdefault("Sec-Fetch-Site", "same-origin")
            kwargs["headers"] = headers
        return super().open(*args, **kwargs)


Webapp.test_client_class = FormsOfOurs
