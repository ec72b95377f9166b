"""Asking over HTTP what has become of a push."""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Any
from urllib.parse import quote

from .events import RouterError

#: The longest answer that is read, in bytes. Beyond: an error.
LONGEST = 1 << 20


def ask(address: str, path: str, token: str | None, context: ssl.SSLContext | None, timeout: float) -> dict[str, Any]:
    """The answer of the router's listener for publishers; over plain HTTP if there is no context.

    Raises RouterError with the code of a refusal, or without one if there is no answer.
    """
    connection = (
        http.client.HTTPConnection(address, timeout=timeout)
        if context is None
        else http.client.HTTPSConnection(address, timeout=timeout, context=context)
    )
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token is not None else {})
        answer = connection.getresponse()
        body = answer.read(LONGEST)
    except (OSError, http.client.HTTPException) as error:
        raise RouterError(str(error) or type(error).__name__) from error
    finally:
        connection.close()
    try:
        found = json.loads(body)
    except ValueError:
        found = {}
    if answer.status == 200 and "widgets" in found:
        return dict(found)
    retry = "later" if answer.status == 429 or answer.status >= 500 else "no"
    code = str(found.get("code", f"status-{answer.status}"))
    raise RouterError(str(found.get("detail", "the answer is none of a router")), code, retry)


def path_of(app: str, producer: str, seq: int, after: int | None) -> str:
    """The path of the history of a push, with the query of a page."""
    names = "/".join(quote(name, safe="") for name in (app, "pushes", producer))
    return f"/v1/apps/{names}/{seq}" + ("" if after is None else f"?after={after}")
