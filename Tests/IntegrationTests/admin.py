"""The admin server as an orchestrator and Prometheus see it."""

import http.client
import json
import re


class Answer:
    """What came for a request."""

    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.type = response.headers["Content-Type"]
        self.text = response.read().decode()

    @property
    def problem(self):
        """The problem details (RFC 9457)."""
        assert self.type == "application/problem+json", self.type
        found = json.loads(self.text)
        assert found["type"] == "about:blank" and found["status"] == self.status, found
        assert found["title"] == http.client.responses[self.status], found
        return found


def ask(router, path, method="GET", body=None, headers={}):
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection(*router.admin, timeout=10)
    try:
        connection.request(method, path, body, headers)
        return Answer(connection.getresponse())
    finally:
        connection.close()


def readiness(router):
    """Status, and the lines behind it."""
    answer = ask(router, "/readyz")
    assert answer.type == "text/plain; charset=utf-8", answer.type
    return answer.status, answer.text.splitlines()


SAMPLE = re.compile(r"reload_router_([a-z_]+(?:\{[a-z]+=\"[a-z]+\"\})?) ([0-9.e+-]+)")


def metrics(router):
    """The samples, by name without the namespace."""
    answer = ask(router, "/metrics")
    assert answer.status == 200, answer.text
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    pairs = [SAMPLE.fullmatch(line).groups() for line in lines]
    assert len(dict(pairs)) == len(pairs), "a sample twice"
    return {name: float(value) for name, value in pairs}
