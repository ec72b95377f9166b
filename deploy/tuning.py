#!/usr/bin/env python3
"""Measures figures of deploy/tuning.md: backlogs, and the memory of a silent connection.

    unshare --net --map-root-user sh -c 'ip link set lo up; python3 deploy/tuning.py backlog 64'
    python3 deploy/tuning.py connections .build/release/reload-router 5000

The first runs in a network of its own, where it may set sysctls. Both use loopback only.
"""

import argparse
import json
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import time

APPS = {"apps": [{"app": "a", "kinds": [{"kind": "k"}]}]}


def counters():
    """The kernel's TCP counters by name."""
    lines = pathlib.Path("/proc/net/netstat").read_text().splitlines()
    names, values = (line.split()[1:] for line in lines if line.startswith("TcpExt:"))
    return dict(zip(names, map(int, values)))


def backlog(length, count=1_000):
    """Connects a crowd while the server is busy for 50 ms, as after a restart."""
    pathlib.Path("/proc/sys/net/core/somaxconn").write_text(str(length))
    server = socket.create_server(("127.0.0.1", 0), backlog=4_096)
    before = counters()
    crowd = []
    for _ in range(count):
        one = socket.socket()
        one.setblocking(False)
        one.connect_ex(server.getsockname())
        crowd.append(one)
    time.sleep(0.05)
    started, taken, last = time.monotonic(), 0, 0.0
    server.settimeout(4)
    try:
        while taken < count and last < 10:
            server.accept()
            taken, last = taken + 1, time.monotonic() - started
    except TimeoutError:
        pass
    after = counters()
    print(f"somaxconn {length}: {taken} of {count} simultaneous connections accepted after {last:.3f} s, "
          f"{after['ListenOverflows'] - before['ListenOverflows']} overflows of the backlog",
          flush=True)


def slab():
    """Bytes of the kernel's memory that holds sockets, and of available memory."""
    found = dict(line.split(":") for line in
                 pathlib.Path("/proc/meminfo").read_text().splitlines())
    return {name: int(found[name].split()[0]) * 1_024 for name in ("Slab", "MemAvailable")}


def resident(pid):
    pages = pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()


def connections(binary, count):
    """Opens sessions that then stay silent, and prints the memory of both ends."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        apps = pathlib.Path(folder) / "apps.json"
        apps.write_text(json.dumps(APPS))
        router = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--admin", "none", "--store", "none",
             "--apps", apps, "--log-level", "error", "--ping-interval", "600"],
            stdout=subprocess.PIPE, text=True)
        try:
            port = int(router.stdout.readline().rpartition(":")[2])
            own, kernel = resident(router.pid), slab()
            opened = []
            for number in range(count):
                one = socket.create_connection(("127.0.0.1", port))
                body = json.dumps({"v": 1, "role": "device", "app": "a", "device": f"d-{number}"})
                one.sendall((12 + len(body)).to_bytes(4, "big") + b"\x01" + bytes(11)
                            + body.encode())
                one.recv(4_096)
                opened.append(one)
            grown = (resident(router.pid) - own) / count
            taken = (slab()["Slab"] - kernel["Slab"]) / count
            print(f"{count} silent sessions: {grown:.0f} bytes each in the router, {taken:.0f} bytes "
                  "each in the kernel for both ends")
        finally:
            router.terminate()
            router.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_subparsers(dest="what", required=True)
    one = what.add_parser("backlog")
    one.add_argument("length", type=int)
    other = what.add_parser("connections")
    other.add_argument("binary")
    other.add_argument("count", type=int)
    options = parser.parse_args()
    if options.what == "backlog":
        backlog(options.length)
    else:
        connections(options.binary, options.count)


if __name__ == "__main__":
    main()
