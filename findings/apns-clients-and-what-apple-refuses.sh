#!/usr/bin/env bash
# What a sender does about a push that Apple refuses depends on the `reason`, and of a dead token on `timestamp` too: a token that its
# device has registered since then is alive. Six clients for Python, and five answers that Apple lists. For pyapns-client 2.0.6 and
# pyapns-client3 3.0.6, ExpiredToken (410) and BadEnvironmentKeyIdInToken (403) are a NotImplementedError, and the latter is an
# AttributeError of kalyke-apns 1.5.0: none of these is of their own classes of errors, which callers catch. simple-apns 0.1.2 passes
# on neither reason nor time, and sends a payload that is too large (413) four times. It does the same, and pyapns-client sends three
# times at once, if one device was sent too much (429). aapns 23.7 drops the time. aioapns 4.0 passes on all that Apple said.
# Expected: of each answer, how often it was sent, the class or status that the caller gets, and which of reason and time it can read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for kind in first second; do python3 -m venv $kind; done
{ first/bin/pip install -q aapns==23.7 pyapns-client==2.0.6 && second/bin/pip install -q pyapns-client3==3.0.6 simple-apns==0.1.2 \
    kalyke-apns==1.5.0 aioapns==4.0; } 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >answers.py <<'END'
import asyncio, importlib.metadata, json, sys
from unittest.mock import AsyncMock, MagicMock, patch
def aapns(status, body):
    from aapns.api import APNS
    from aapns.connection import Response
    from aapns.models import Alert, Notification
    pool = AsyncMock()
    pool.post.return_value = Response.new({":status": str(status), "apns-id": "n"}, body)
    try: asyncio.run(APNS(pool=pool).send_notification("aa", Notification(alert=Alert(body="one")), topic="t"))
    finally: sent.append(pool.post.call_count)
def pyapns_client(status, body):
    import httpx
    from pyapns_client import APNSClient, IOSNotification, IOSPayload, IOSPayloadAlert
    client = APNSClient.__new__(APNSClient)
    notification = IOSNotification(payload=IOSPayload(alert=IOSPayloadAlert(body="one")), topic="t")
    with patch.object(APNSClient, "_send_request", return_value=httpx.Response(status, content=body)) as send, patch.object(APNSClient, "_reset_client"):
        try: client.push(notification, "aa")
        finally: sent.append(send.call_count)
pyapns_client3 = pyapns_client
def simple_apns(status, body):
    import httpx
    from simple_apns import APNSClient
    with patch.object(APNSClient, "_get_auth_token", return_value="x"), patch("time.sleep"), \
            patch("httpx.Client.post", return_value=httpx.Response(status, content=body)) as post:
        try: APNSClient(team_id="T", auth_key_id="K", auth_key_path="k", bundle_id="t").send_notification("aa", {})
        finally: sent.append(post.call_count)
def kalyke_apns(status, body):
    import httpx2
    from kalyke import ApnsClient, ApnsConfig
    with patch.object(ApnsClient, "_make_authorization", return_value="x"), \
            patch("httpx2.AsyncClient.post", AsyncMock(return_value=httpx2.Response(status, content=body))) as post:
        client = ApnsClient(use_sandbox=True, team_id="T", auth_key_id="K", auth_key_filepath="k")
        try: asyncio.run(client.send_message(device_token="aa", payload={}, apns_config=ApnsConfig(topic="t")))
        finally: sent.append(post.call_count)
def aioapns(status, body):
    from aioapns.connection import APNsBaseClientProtocol
    sent.append(1)
    link, answer = APNsBaseClientProtocol("t", loop=MagicMock()), MagicMock()
    link.requests, link.request_streams = {"n": answer}, {1: "n"}
    link.on_response_received({b":status": str(status).encode(), b"apns-id": b"n"})
    link.on_data_received(body, 1)
    return answer.set_result.call_args.args[0]
def described(found):
    kept = {name: getattr(found, name) for name in getattr(found, "__slots__", ()) if not name.startswith("__")} | getattr(found, "__dict__", {})
    return f"{kept} {type(found).__name__} {found}"
ANSWERS = [(410, "Unregistered", 1790000000123), (410, "ExpiredToken", 1790000000123), (403, "BadEnvironmentKeyIdInToken", None),
           (413, "PayloadTooLarge", None), (429, "TooManyRequests", None)]
for name in sys.argv[1:]:
    print(name, importlib.metadata.version(name))
    for status, reason, time in ANSWERS:
        sent, body = [], json.dumps({"reason": reason} | ({"timestamp": time} if time else {})).encode()
        try: found = globals()[name.replace("-", "_")](status, body)
        except Exception as error: found = error
        says = [word for word, said in (("reason", reason), ("time", time)) if said and str(said) in described(found)]
        print(f"  {status} {reason}: sent {sent[0]},", type(found).__name__ if isinstance(found, Exception) else found.status, *says)
END
{
    first/bin/python answers.py aapns pyapns-client
    second/bin/python answers.py pyapns-client3 simple-apns kalyke-apns aioapns
} | tee found
diff found - <<'END'
aapns 23.7
  410 Unregistered: sent 1, Unregistered reason
  410 ExpiredToken: sent 1, UnknownResponseError reason
  403 BadEnvironmentKeyIdInToken: sent 1, UnknownResponseError reason
  413 PayloadTooLarge: sent 1, PayloadTooLarge reason
  429 TooManyRequests: sent 1, TooManyRequests reason
pyapns-client 2.0.6
  410 Unregistered: sent 1, UnregisteredException reason time
  410 ExpiredToken: sent 1, NotImplementedError reason
  403 BadEnvironmentKeyIdInToken: sent 1, NotImplementedError reason
  413 PayloadTooLarge: sent 1, PayloadTooLargeException reason
  429 TooManyRequests: sent 3, TooManyRequestsException reason
pyapns-client3 3.0.6
  410 Unregistered: sent 1, UnregisteredException reason time
  410 ExpiredToken: sent 1, NotImplementedError reason
  403 BadEnvironmentKeyIdInToken: sent 1, NotImplementedError reason
  413 PayloadTooLarge: sent 1, PayloadTooLargeException reason
  429 TooManyRequests: sent 3, TooManyRequestsException reason
simple-apns 0.1.2
  410 Unregistered: sent 1, APNSTokenError
  410 ExpiredToken: sent 1, APNSTokenError
  403 BadEnvironmentKeyIdInToken: sent 1, APNSException
  413 PayloadTooLarge: sent 4, APNSServerError
  429 TooManyRequests: sent 4, APNSServerError
kalyke-apns 1.5.0
  410 Unregistered: sent 1, Unregistered reason time
  410 ExpiredToken: sent 1, ExpiredToken reason time
  403 BadEnvironmentKeyIdInToken: sent 1, AttributeError reason
  413 PayloadTooLarge: sent 1, PayloadTooLarge reason
  429 TooManyRequests: sent 1, TooManyRequests reason
aioapns 4.0
  410 Unregistered: sent 1, 410 reason time
  410 ExpiredToken: sent 1, 410 reason time
  403 BadEnvironmentKeyIdInToken: sent 1, 403 reason
  413 PayloadTooLarge: sent 1, 413 reason
  429 TooManyRequests: sent 1, 429 reason
END
