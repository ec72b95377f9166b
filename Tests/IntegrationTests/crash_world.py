"""The app of the crash harness: kinds whose RELOADs say which pushes they are for.

Every push has a number that rises with its producer, and the kinds carry it.
"""

from typing import NamedTuple

from support import ACCESS, APP
from test_tokens import key

PRODUCERS = 3
HEROES = [f"hero-{n}" for n in range(10)]
PAYERS = [f"payer-{n}" for n in range(4)]
# Reloads that a widget of the kind `paid` has in 24 hours.
UNITS = 20


class Kind(NamedTuple):
    """A kind of the app file, and how a push finds its widgets."""

    name: str
    sources: tuple
    # Which producer's numbers each carried field has; none if RELOAD brings no values.
    fields: dict
    policy: dict
    # A push that concerns a widget whose device is there leads to its RELOAD in the same tick.
    is_at_once: bool = True
    # How long its dates may be put off, in s.
    window: int = 0
    has_rule: bool = True


def _kinds():
    at_once = {"budget": "unlimited", "spread": "none"}
    kinds = [Kind(f"solo-{n}", (n,), {"n": n}, at_once) for n in range(PRODUCERS)]
    every_producer = tuple(range(PRODUCERS))
    kinds += [
        Kind("shared", every_producer, {f"n{n}": n for n in every_producer},
             {"budget": "unlimited", "spread": {"mode": "ledger", "window": 1}}, window=1),
        Kind("stormy", (0,), {"n": 0},
             at_once | {"debounce": {"wait": 0.1, "longest": 0.3}}, is_at_once=False),
        Kind("spaced", (1,), {"n": 1},
             {"budget": {"like": "unlimited", "spacing": 0.2},
              "spread": {"mode": "uniform", "window": 1}}, is_at_once=False, window=1),
        Kind("flux", (2,), {"n": 2}, at_once | {"usesLocation": True}),
        Kind("paid", (0,), {"n": 0},
             {"spread": "none",
              "budget": {"like": "widget", "seldom": UNITS, "daily": UNITS, "often": UNITS,
                         "learningDays": 0, "spacing": 0, "urgentPercent": 0}},
             is_at_once=False),
        # Brings no values, so that its devices' requests need permits at an origin.
        Kind("queued", (2,), {}, {"budget": "unlimited", "origin": "api", "usesLocation": True,
                                  "spread": {"mode": "ledger", "window": 1}},
             is_at_once=False, window=1, has_rule=False),
    ]
    return {kind.name: kind for kind in kinds}


KINDS = _kinds()
# Kinds that any device may have.
USUAL = [name for name in KINDS if name != "paid"]


def app_file(variant):
    """The app file; the variant is the field by which `flux` finds its widgets."""
    kinds = []
    for kind in KINDS.values():
        entry = {"kind": kind.name, "atEndFloor": 1} | kind.policy
        if kind.fields:
            entry["inlines"] = list(kind.fields)
        if kind.has_rule:
            field = variant if kind.name == "flux" else "hero"
            entry["match"] = {field: ["${configuration.hero}"], "from": list(kind.sources)}
        kinds.append(entry)
    return {"apps": [{
        "app": APP, **ACCESS, "devices": [*ACCESS["devices"], key()],
        "origins": [{"origin": "api", "perSecond": 2_000}], "kinds": kinds}]}
