"""The admin server as an orchestrator and Prometheus see it."""

import http.client
import json
import re

from support import WAIT, bearer, wait_until


#: Names of statuses as RFC 9110 has them; Python has others.
TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}


#: What /readyz says of a loop that has not answered in time.
SILENT = "the loop has not answered"


class Answer:
    """The response to a request."""

    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.type = response.headers["Content-Type"]
        self.text = response.read().decode()

    @property
    def code(self):
        """That of the problem details; None if the answer has none."""
        is_problem = self.text and self.type == "application/problem+json"
        return json.loads(self.text)["code"] if is_problem else None

    @property
    def problem(self):
        """The problem details (RFC 9457)."""
        assert self.type == "application/problem+json", self.type
        found = json.loads(self.text)
        assert found["type"] == "about:blank" and found["status"] == self.status, found
        assert found["title"] == TITLES.get(self.status, http.client.responses[self.status]), found
        assert re.fullmatch("[a-z0-9-]+", found["code"]), found
        assert len(found["detail"]) > 10, found
        return found

    @property
    def json(self):
        assert self.type == "application/json", self.type
        return json.loads(self.text)


#: The codes of a loop that has not run yet, or got no core for the second that a request waits for it. A
#: request that is answered with one of them has had no effect.
NOT_YET = ("loading", "silent")


def insist(once, again=NOT_YET):
    """The answer to a request, which is made again while the answer has one of these codes."""
    return wait_until(lambda: None if (answer := once()).code in again else answer, "an answer of the loop")


def ask(router, path, method="GET", body=None, headers={}, timeout=WAIT, again=NOT_YET):
    """One request on a connection of its own, with the token of the token file unless another header
    is given; None for none."""
    headers = {name: value for name, value in (bearer() | headers).items() if value is not None}

    def once():
        connection = http.client.HTTPConnection(*router.admin, timeout=timeout)
        try:
            connection.request(method, path, body, headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()
    return insist(once, again)


def readiness(router):
    """The status, and the lines of the body but those about what is for trials."""
    answer = wait_until(lambda: None if SILENT in (answer := ask(router, "/readyz")).text else answer,
                        "an answer of the loop")
    assert answer.type == "text/plain; charset=utf-8", answer.type
    lines = answer.text.splitlines()
    return answer.status, [line for line in lines if not line.startswith("for trials only: ")]


def wait_ready(router):
    """Waits until the router is ready: it has said that it listens before its loop runs, and a status may
    be the one of 100 ms ago."""
    wait_until(lambda: readiness(router) == (200, ["ready"]), "the router is ready")


LABEL = r'[a-z]+="(?:[^"\\\n]|\\.)*"'
SAMPLE = re.compile(rf"reload_router_([a-z_]+(?:\{{{LABEL}(?:,{LABEL})*\}})?) ([0-9.e+-]+)")


def metrics(router, headers={}):
    """The samples, by name without the namespace."""
    answer = ask(router, "/metrics", headers=headers)
    assert answer.status == 200, answer.text
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    pairs = [SAMPLE.fullmatch(line).groups() for line in lines]
    assert len(dict(pairs)) == len(pairs), "a sample twice"
    return {name: float(value) for name, value in pairs}
