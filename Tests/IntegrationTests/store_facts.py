"""What a router knows once it has opened its store: devices, widgets, dates, and each producer's last push.

Everything is read over the admin API, so it does not depend on the store's format. What depends on the
time of day, such as when a delayed reload may run, is left out.
"""

import urllib.parse

from admin import ask

ADMIN = ("--admin", "127.0.0.1:0")


def _pages(router, path, name):
    """All entries of a list, page by page."""
    after, found = None, []
    while True:
        query = f"?after={urllib.parse.quote(str(after), safe='')}" if after is not None else ""
        page = ask(router, path + query).json
        found += page[name]
        after = page["next"]
        if after is None:
            return found


def _widget(reported):
    """The properties of a widget that do not change while its device is away."""
    facts = {name: reported[name] for name in ("kind", "configuration", "lastReload", "isAnswered",
                                           "shown")}
    facts["date"] = reported["date"] and reported["date"]["at"]
    facts["isWaiting"] = reported["stage"] != "idle"
    facts["cause"] = reported["cause"]
    return facts


def facts(router):
    """The facts of a router that serves with `ADMIN`, as values that JSON has."""
    devices = {}
    for app in (app["app"] for app in ask(router, "/v1/apps").json["apps"]):
        base = f"/v1/apps/{app}/devices"
        for name in (device["device"] for device in _pages(router, base, "devices")):
            reported = ask(router, f"{base}/{urllib.parse.quote(name, safe='')}").json
            devices[f"{app}/{name}"] = {
                "session": reported["session"],
                "widgets": {widget["widget"]: _widget(widget) for widget in reported["widgets"]}}
    producers = {f"{one['app']}/{one['producer']}": one["lastSeq"]
                 for one in _pages(router, "/v1/producers", "producers")}
    return {"devices": devices, "producers": producers}
