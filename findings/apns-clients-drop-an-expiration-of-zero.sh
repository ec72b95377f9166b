#!/usr/bin/env bash
# `apns-expiration: 0` has Apple try once and store nothing; without the header Apple stores a notification by its own policy,
# and may deliver it days later. Apple's sample for controls sends 0, and a score or a code that is late is worse than none.
# Of six clients for Python, each asked for an expiration of 0, four leave the header out, because 0 is false there: aapns
# 23.7, pyapns-client 2.0.6, pyapns-client3 3.0.6, simple-apns 0.1.2. kalyke-apns 1.5.0 sends 0. aioapns 4.0 has a time to
# live instead, from which no 0 can come: it sends the present second. A 1, which is 1970, gets through all that take dates.
# Expected: the header that each client makes of 0 and of 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for kind in first second; do python3 -m venv $kind; done
{ first/bin/pip install -q aapns==23.7 pyapns-client==2.0.6 && second/bin/pip install -q pyapns-client3==3.0.6 simple-apns==0.1.2 \
    kalyke-apns==1.5.0 aioapns==4.0; } 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >headers.py <<'END'
import asyncio, importlib.metadata, sys, time
from unittest.mock import AsyncMock, MagicMock, patch
def aapns(expiration):
    from aapns.api import APNS
    from aapns.models import Alert, Notification
    pool = AsyncMock()
    pool.post.return_value.code = 200
    asyncio.run(APNS(pool=pool).send_notification("aa", Notification(alert=Alert(body="one")), expiration=expiration, topic="t"))
    return dict(pool.post.call_args.args[0].header)
def pyapns_client(expiration):
    from pyapns_client import IOSNotification, IOSPayload, IOSPayloadAlert
    return IOSNotification(payload=IOSPayload(alert=IOSPayloadAlert(body="one")), topic="t", expiration=expiration).get_headers()
pyapns_client3 = pyapns_client
def simple_apns(expiration):
    from simple_apns import APNSClient
    with patch.object(APNSClient, "_get_auth_token", return_value="x"), patch("httpx.Client.post") as post:
        post.return_value.status_code = 200
        APNSClient(team_id="T", auth_key_id="K", auth_key_path="k", bundle_id="t").send_notification("aa", {}, expiration=expiration)
    return post.call_args.kwargs["headers"]
def kalyke_apns(expiration):
    from kalyke import ApnsConfig
    return ApnsConfig(topic="t", expiration=expiration).make_headers()
def aioapns(expiration):
    from aioapns import NotificationRequest
    from aioapns.connection import APNsBaseClientProtocol
    link = MagicMock(free_channels=AsyncMock(), conn=MagicMock(send_headers=MagicMock(side_effect=StopAsyncIteration)))
    try: asyncio.run(APNsBaseClientProtocol.send_notification(link, NotificationRequest("aa", {}, time_to_live=expiration)))
    except (StopAsyncIteration, RuntimeError): pass
    headers = dict(link.conn.send_headers.call_args.kwargs["headers"])
    return {"apns-expiration": f"now + {expiration}"} if abs(int(headers["apns-expiration"]) - expiration - time.time()) < 60 else headers
for name in sys.argv[1:]:
    made = [globals()[name.replace("-", "_")](expiration).get("apns-expiration") for expiration in (0, 1)]
    print(name, importlib.metadata.version(name), *(repr(value) for value in made))
END
{
    first/bin/python headers.py aapns pyapns-client
    second/bin/python headers.py pyapns-client3 simple-apns kalyke-apns aioapns
} | tee found
diff found - <<'END'
aapns 23.7 None '1'
pyapns-client 2.0.6 None 1
pyapns-client3 3.0.6 None '1'
simple-apns 0.1.2 None '1'
kalyke-apns 1.5.0 '0' '1'
aioapns 4.0 'now + 0' 'now + 1'
END
