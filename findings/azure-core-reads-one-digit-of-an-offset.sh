#!/usr/bin/env bash
# The `time` of a CloudEvent is a date of RFC 3339, with any offset from UTC. Python's azure-core 1.41.0, whose CloudEvent is that of
# Azure's Event Grid, takes only the first digit of the offset's hours: +01:00 and -08:00 are UTC for it, +14:00 is one hour, and
# -05:30 is half an hour. There is no error; the event was hours earlier or later than it says. Z, +00:00 and +00:30 are read rightly.
# cloudevents 2.2.0 and pyeventcloud 0.1.0 read all of them. So a sender that wants its dates understood writes Z.
# Expected: the offset of noon, and what time in UTC each library makes of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q azure-core==1.41.0 cloudevents==2.2.0 pyeventcloud==0.1.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >offsets.py <<'END'
import datetime, json
import pyeventcloud
from azure.core.messaging import CloudEvent
from cloudevents.core.formats.json import JSONFormat
def utc(time): return time.astimezone(datetime.timezone.utc).strftime("%H:%M")
for offset in ("Z", "+00:00", "+00:30", "+01:00", "-08:00", "+05:30", "-05:30", "+12:45", "+14:00"):
    event = {"specversion": "1.0", "id": "1", "source": "/game", "type": "potion", "time": "2026-11-30T12:00:00" + offset}
    print(offset, "azure-core", utc(CloudEvent.from_dict(event).time),
          "cloudevents", utc(JSONFormat().read(None, json.dumps(event)).get_time()), "pyeventcloud", utc(pyeventcloud.from_dict(event).time))
END
venv/bin/python offsets.py | tee found
diff found - <<'END'
Z azure-core 12:00 cloudevents 12:00 pyeventcloud 12:00
+00:00 azure-core 12:00 cloudevents 12:00 pyeventcloud 12:00
+00:30 azure-core 11:30 cloudevents 11:30 pyeventcloud 11:30
+01:00 azure-core 12:00 cloudevents 11:00 pyeventcloud 11:00
-08:00 azure-core 12:00 cloudevents 20:00 pyeventcloud 20:00
+05:30 azure-core 11:30 cloudevents 06:30 pyeventcloud 06:30
-05:30 azure-core 12:30 cloudevents 17:30 pyeventcloud 17:30
+12:45 azure-core 10:15 cloudevents 23:15 pyeventcloud 23:15
+14:00 azure-core 11:00 cloudevents 22:00 pyeventcloud 22:00
END
