"""Writes the example apps: their app files, widgets and recorded pushes.

    python3 generate.py            write
    python3 generate.py --check    compare with what is there

Everything comes from one seed, so that the same files are made everywhere.
"""

import argparse
import hashlib
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).parent
SEED = 20_261_121
DEVICES = 300
PUSHES = 3_000
FAMILIES = ["systemSmall", "systemMedium", "systemLarge", "accessoryRectangular"]


def access(name):
    """Who may connect: whoever has a token of these, which are no secrets."""
    def entry(role):
        token = f"{name}-{role}-example-token"
        return [{"id": "example", "sha256": hashlib.sha256(token.encode()).hexdigest()}]

    return {"publishers": entry("publisher"), "devices": entry("device"),
            "gateways": entry("gateway")}


def devices(chance, prefix, make_widgets):
    lines = []
    for number in range(DEVICES):
        widgets = []
        for index, (kind, configuration) in enumerate(make_widgets(chance)):
            widget = {"id": f"w{index + 1}", "kind": kind, "family": chance.choice(FAMILIES)}
            if configuration:
                widget["configuration"] = configuration
            widgets.append(widget)
        lines.append({"device": f"{prefix}-{number:03}", "widgets": widgets})
    return lines


def game(chance):
    app = "com.mygame"
    races = ["elf", "orc", "mage", "dwarf", "ranger"]
    guilds = ["silver-hand", "night-watch", "iron-wolves", "moon-court"]
    regions = ["north", "marsh", "ashlands", "coast", "deep-wood"]
    characters = [f"{chance.choice(races)}-{number}" for number in range(200)]
    origins = [{"origin": "game-api", "perSecond": 500}]
    kinds = [
        {
            "kind": f"{app}.character-detail",
            "match": {"character": ["${configuration.character}"]},
            "origin": "game-api",
            "observes": ["hp"],
            "inlines": ["hp", "amount"],
            "debounce": {"wait": 2, "longest": 30},
        },
        {"kind": f"{app}.guild-wall", "origin": "game-api"},
        {
            "kind": f"{app}.dragon-watch",
            "match": {"event": ["dragon"], "region": ["${configuration.region}"]},
            "origin": "game-api",
            "usesLocation": True,
        },
        {
            "kind": f"{app}.leaderboard",
            "match": {"event": ["sign-out"]},
            "origin": "game-api",
            "debounce": {"wait": 5, "longest": 60},
        },
    ]

    def widgets(chance):
        yield f"{app}.character-detail", {"character": chance.choice(characters)}
        if chance.random() < 0.4:
            yield f"{app}.guild-wall", {"guild": chance.choice(guilds)}
        if chance.random() < 0.5:
            chosen = chance.sample(regions, 2)
            yield f"{app}.dragon-watch", {"region": chosen if chance.random() < 0.5 else chosen[0]}
        if chance.random() < 0.3:
            yield f"{app}.leaderboard", {}

    def push(chance, number):
        shard = chance.randrange(16)
        character = chance.choice(characters)
        event = chance.choices(["healing-potion", "damage", "dragon", "sign-out"], [50, 40, 6, 4])[0]
        payload = {"event": event, "turn": 40_000 + number, "shard": shard}
        if event == "dragon":
            return payload | {"region": chance.choice(regions), "strength": chance.randrange(5, 99)}
        if event == "sign-out":
            return payload | {"player": character}
        amount = chance.randrange(5, 60)
        health = chance.randrange(1, 101)
        payload |= {"character": character, "amount": amount, "hp": health}
        if chance.random() < 0.1:
            payload["guild"] = chance.choice(guilds)
        return payload

    return app, origins, kinds, devices(chance, "player", widgets), push


def news(chance):
    app = "org.dailynews"
    topics = ["politics", "climate", "science", "culture", "economy", "football", "chess", "health"]
    teams = [f"team-{number:02}" for number in range(40)]
    origins = [{"origin": "stories", "perSecond": 50, "undelayed": 0}]
    kinds = [
        {
            "kind": f"{app}.topic",
            "match": {"topics": ["${configuration.topics}"]},
            "origin": "stories",
            "spread": {"window": 120},
        },
        {
            "kind": f"{app}.team",
            "match": {"match": {"teams": ["${configuration.team}"]}},
            "budget": {"spacing": 60, "urgentPercent": 25},
        },
        {
            "kind": f"{app}.headlines",
            "match": {"event": ["front-page"]},
            "origin": "stories",
            "debounce": {"wait": 20, "longest": 120},
        },
    ]

    def widgets(chance):
        if chance.random() < 0.8:
            yield f"{app}.topic", {"topics": chance.sample(topics, chance.randrange(1, 4))}
        if chance.random() < 0.6:
            yield f"{app}.team", {"team": chance.choice(teams)}
        yield f"{app}.headlines", {}

    def push(chance, number):
        payload = {"story": 910_000 + number, "urgency": chance.randrange(1, 5)}
        sort = chance.choices(["story", "goal", "front-page"], [70, 27, 3])[0]
        if sort == "goal":
            match = {"teams": chance.sample(teams, 2), "minute": chance.randrange(1, 91)}
            return payload | {"event": "goal", "match": match}
        if sort == "front-page":
            return payload | {"event": "front-page"}
        desk = chance.choice(["berlin", "london", "nairobi", "tokyo"])
        return payload | {
            "event": "published", "topics": chance.sample(topics, 2), "desk": desk,
        }

    return app, origins, kinds, devices(chance, "reader", widgets), push


def stocks(chance):
    app = "com.tickerboard"
    symbols = [f"{a}{b}{c}" for a in "ABK" for b in "EORT" for c in "LMNSX"]
    origins = [{"origin": "quotes", "perSecond": 1_000}]
    opening = {"origin": "quotes", "spread": {"window": 900}, "atEndFloor": 900}
    kinds = [
        {"kind": f"{app}.quote", "match": {"symbol": ["${configuration.symbol}"]}, **opening},
        {
            "kind": f"{app}.watchlist",
            "match": {"symbol": ["${configuration.symbols}"], "big": ["${configuration.big}"]},
            **opening,
        },
        {"kind": f"{app}.lot", "match": {"lot": ["${configuration.lot}"]}, "origin": "quotes"},
        {"kind": f"{app}.market", "match": {"event": ["market-open", "market-close"]}, **opening},
        {
            "kind": f"{app}.complication",
            "match": {"symbol": ["${configuration.symbol}"]},
            "observes": ["price"],
            "inlines": ["price", "change"],
            "budget": "complication",
        },
    ]

    def widgets(chance):
        yield f"{app}.quote", {"symbol": chance.choice(symbols)}
        if chance.random() < 0.5:
            yield f"{app}.watchlist", {
                "symbols": chance.sample(symbols, chance.randrange(2, 8)),
                "big": chance.random() < 0.5,
            }
        if chance.random() < 0.2:
            yield f"{app}.lot", {"lot": chance.choice([100, 250, 1000])}
        if chance.random() < 0.4:
            yield f"{app}.market", {}
        if chance.random() < 0.2:
            yield f"{app}.complication", {"symbol": chance.choice(symbols)}

    def push(chance, number):
        if number % 1_000 == 0:
            event = "market-open" if number % 2_000 == 0 else "market-close"
            return {"event": event, "t": number}
        cents = chance.randrange(500, 90_000)
        move = chance.randrange(-400, 400)
        return {
            "event": "trade", "symbol": chance.choice(symbols), "price": cents / 100,
            "change": move / 100, "big": abs(move) > 300,
            "lot": chance.choice([10, 50, 100, 250, 1000]), "t": number,
        }

    return app, origins, kinds, devices(chance, "trader", widgets), push


def lines(values):
    return "".join(json.dumps(value, separators=(",", ":")) + "\n" for value in values)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true",
                        help="compare with what is there, and write nothing")
    checks = parser.parse_args().check
    stale = []
    for name, build in [("game", game), ("news", news), ("stocks", stocks)]:
        chance = random.Random(f"{SEED} {name}")
        app, origins, kinds, widgets, push = build(chance)
        declared = {"origins": origins, "kinds": kinds}
        catalog = {"apps": [{"app": app} | access(name) | declared]}
        files = {
            "apps.json": json.dumps(catalog, indent=2) + "\n",
            "widgets.jsonl": lines(widgets),
            "pushes.jsonl": lines(push(chance, number) for number in range(PUSHES)),
        }
        for file, content in files.items():
            path = HERE / name / file
            if not checks:
                path.parent.mkdir(exist_ok=True)
                path.write_text(content, encoding="utf-8")
            elif not path.exists() or path.read_text(encoding="utf-8") != content:
                stale.append(f"{name}/{file}")
    if stale:
        sys.exit(f"examples that differ from what generate.py makes: {', '.join(stale)}")
    print("examples: game, news, stocks")


main()
