#!/usr/bin/env bash
# A UUID of version 7 (RFC 9562) begins with 48 bits of milliseconds since 1970, so that ids sort by the time they were made, and
# databases can read it off. Six packages for Python say that they make these. The one named uuid7, 0.1.0, makes those of a draft
# of 2021: 36 bits of seconds and then their fraction, under the same version and variant. Read by the RFC that is a time 4.096 times
# as far from 1970, in 2026 that is 2203, and such an id sorts after all that the others make until then. Nothing in an id tells the
# two apart. Within a millisecond, uuid7-standard 1.1.2 has no order; the other five have. The RFC allows both.
# Expected: version, variant, the time of the first 48 bits as a multiple of the present, and whether 5000 ids are in order.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q uuid6==2025.0.1 uuid_utils==1.2.0 lastuuid==0.5.0 future-uuid==1.0.0 uuid7==0.1.0 uuid7-standard==1.1.2 2>/dev/null \
    || { echo "needs PyPI" && exit 77; }
cat >ids.py <<'END'
import importlib, importlib.metadata, time, uuid
for package, module, name in (("uuid6", "uuid6", "uuid7"), ("uuid_utils", "uuid_utils", "uuid7"), ("lastuuid", "lastuuid", "uuid7"),
                              ("future-uuid", "future_uuid", "uuid7"), ("uuid7-standard", "uuid7", "create"), ("uuid7", "uuid_extensions", "uuid7")):
    make = getattr(importlib.import_module(module), name)
    now, ids = time.time(), [uuid.UUID(str(make())) for _ in range(5000)]
    print(package, importlib.metadata.version(package), ids[0].version, ids[0].variant, f"{(ids[0].int >> 80) / 1000 / now:.5f}",
          "in order" if ids == sorted(ids) else "in no order")
END
venv/bin/python ids.py | tee found
diff found - <<'END'
uuid6 2025.0.1 7 specified in RFC 4122 1.00000 in order
uuid_utils 1.2.0 7 specified in RFC 4122 1.00000 in order
lastuuid 0.5.0 7 specified in RFC 4122 1.00000 in order
future-uuid 1.0.0 7 specified in RFC 4122 1.00000 in order
uuid7-standard 1.1.2 7 specified in RFC 4122 1.00000 in no order
uuid7 0.1.0 7 specified in RFC 4122 4.09600 in order
END
