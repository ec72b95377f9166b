#!/usr/bin/env bash
# Patterns of EventBridge are tried before they are paid for with moto 5.2.1 and LocalStack 2026.3.0. Both evaluate them in
# Python, where true is 1 and false is 0: [1] matches a true, [0] a false, {"numeric": [">", 0]} a true, and anything-but 1
# refuses one. In EventBridge's own engine, event-ruler, these are values of different types. A `*` of either ends at a line
# feed. And of an array of objects, event-ruler has one and the same object fulfil all of a pattern's fields, which it calls
# array-consistent: LocalStack lets two objects share the work, and moto looks into no object of an array at all.
# Expected: pattern, event, what event-ruler documents, and what each of the two answers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q moto==5.2.1 'localstack-core[base-runtime]==2026.3.0' 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >patterns.py <<'END'
import json
from localstack.utils.event_matcher import matches_event
from moto.events.models import EventPattern, EventPatternParser
potion = '{"items": {"kind": ["potion"], "count": [{"numeric": [">", 1]}]}}'
for documented, pattern, event in (
    (False, '{"n": [1]}', '{"n": true}'),
    (False, '{"n": [0]}', '{"n": false}'),
    (False, '{"n": [true]}', '{"n": 1}'),
    (False, '{"n": [{"numeric": [">", 0]}]}', '{"n": true}'),
    (True, '{"n": [{"anything-but": [1]}]}', '{"n": true}'),
    (True, '{"t": [{"wildcard": "two*lines"}]}', '{"t": "two\\nlines"}'),
    (True, potion, '{"items": [{"kind": "potion", "count": 2}, {"kind": "elixir", "count": 1}]}'),
    (False, potion, '{"items": [{"kind": "potion", "count": 1}, {"kind": "elixir", "count": 2}]}'),
):
    moto = EventPattern(pattern, EventPatternParser(pattern).parse()).matches_event(json.loads(event))
    print(pattern.replace(potion, "potions"), event, "ruler", documented, "moto", moto, "localstack", matches_event(pattern, event))
END
venv/bin/python -W ignore patterns.py | tee found
diff found - <<'END'
{"n": [1]} {"n": true} ruler False moto True localstack True
{"n": [0]} {"n": false} ruler False moto True localstack True
{"n": [true]} {"n": 1} ruler False moto True localstack True
{"n": [{"numeric": [">", 0]}]} {"n": true} ruler False moto True localstack True
{"n": [{"anything-but": [1]}]} {"n": true} ruler True moto False localstack False
{"t": [{"wildcard": "two*lines"}]} {"t": "two\nlines"} ruler True moto False localstack False
potions {"items": [{"kind": "potion", "count": 2}, {"kind": "elixir", "count": 1}]} ruler True moto False localstack True
potions {"items": [{"kind": "potion", "count": 1}, {"kind": "elixir", "count": 2}]} ruler False moto False localstack True
END
