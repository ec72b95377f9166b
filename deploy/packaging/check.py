#!/usr/bin/env python3
"""Tries the artifacts of a release: checksums, lintian, the program of the tarball, and, as root, the image
as a container would run it and the .deb in a fresh Debian. Ends with 1 at the first thing that fails.

    check.py FOLDER"""

import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import deb  # noqa: E402
import image  # noqa: E402
from facts import ROOT, name_of_tarball, output, version  # noqa: E402

APP, DEVICE_TOKEN = "com.mygame", "game-device-example-token"
PUBLISHER_TOKEN = "game-publisher-example-token"
WIDGET = "com.mygame.character-detail:w1:character=elf-42"
POTION = '{"event":"healing-potion","character":"elf-42","hp":75,"amount":25}'
#: Enters a root as a user, with what an engine mounts there: ROOT USER COMMAND ... A Swift program reads its
#: arguments from /proc.
ENTER = """
set -e
mount -t proc proc "$1/proc"
mount --bind /dev "$1/dev"
root=$1 user=$2
shift 2
exec chroot --userspec="$user" --groups= "$root" "$@"
"""
#: Seconds after which something that should have come has failed.
LIMIT = 60


def fail(sentence):
    raise SystemExit(f"FAILED: {sentence}")


def checksums(folder):
    """Each file has the checksum that SHA256SUMS says, and no file is left out."""
    listed = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    there = {path.name for path in folder.iterdir()} - {"SHA256SUMS"}
    if set(listed) != there:
        fail(f"SHA256SUMS and the folder differ in {set(listed) ^ there}")
    for name, digest in listed.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            fail(f"{name} has another checksum")
    print(f"checksums    {len(listed)} files")


def lint(folder):
    """lintian finds nothing in the .deb but what debian/lintian-accepted names with a reason."""
    done = subprocess.run(
        ["lintian", "--allow-root", "--tag-display-limit", "0", folder / deb.name()],
        capture_output=True,
        text=True,
    )
    accepted = {
        line.split()[0]
        for line in (deb.HERE / "debian/lintian-accepted").read_text().splitlines()
        if line and not line.startswith("#")
    }
    found = [line for line in done.stdout.splitlines() if re.match(r"[EW]: ", line)]
    bad = [line for line in found if line.split(": ", 2)[2].split()[0] not in accepted]
    if bad:
        fail("lintian says:\n" + "\n".join(bad))
    print(f"lintian      {len(found)} findings, all accepted in debian/lintian-accepted")


def tarball(folder):
    """The program of the tarball says its version."""
    with tempfile.TemporaryDirectory() as place:
        name = name_of_tarball("reload-router")
        output("tar", "-xf", folder / f"{name}.tar.xz", "-C", place)
        said = output(f"{place}/{name}/bin/reload-router", "--version").strip()
    if said != version():
        fail(f"the tarball's program says {said}")
    print(f"tarball      its program says {said}")


def unpack(path, root):
    """Unpacks an image's layers, as an engine does; returns its configuration. Digests are compared."""
    with tarfile.open(path) as layout:

        def blob(descriptor):
            digest = descriptor["digest"].removeprefix("sha256:")
            content = layout.extractfile(f"blobs/sha256/{digest}").read()
            if hashlib.sha256(content).hexdigest() != digest or len(content) != descriptor["size"]:
                fail(f"blob {digest} is not what its name says")
            return content

        index = json.load(layout.extractfile("index.json"))
        manifest = json.loads(blob(index["manifests"][0]))
        config = json.loads(blob(manifest["config"]))
        for layer, plain in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
            content = gzip.decompress(blob(layer))
            if "sha256:" + hashlib.sha256(content).hexdigest() != plain:
                fail(f"layer {plain} is not what the configuration says")
            with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                archive.extractall(root, numeric_owner=True, filter="fully_trusted")
    return config["config"]


class Container:
    """A command in an image's root, as its user and with its environment, in namespaces of its own but for
    the network."""

    def __init__(self, root, config):
        self.root, self.config = root, config

    def start(self, *command, **changes):
        """Starts a command; changes are variables of the environment."""
        environment = dict(entry.split("=", 1) for entry in self.config["Env"]) | changes
        return subprocess.Popen(
            [
                "unshare",
                "--mount",
                "--pid",
                "--ipc",
                "--fork",
                "--kill-child=SIGKILL",
                *("sh", "-c", ENTER, "sh", self.root, self.config["User"], *command),
            ],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *command, **changes):
        """Runs a command to its end; returns what it printed."""
        started = self.start(*command, **changes)
        said, _ = started.communicate(timeout=LIMIT)
        if started.returncode != 0:
            fail(f"{' '.join(command)} in the image: {said}")
        return said


def authorities(root):
    """The image has the certificates by which the router verifies Apple's push service: in one file, and where
    OpenSSL looks for them, by the hash of a name."""
    file = root / image.AUTHORITIES
    count = file.read_text().count("BEGIN CERTIFICATE") if file.exists() else 0
    hashed = [path for path in file.parent.glob("*.0") if path.is_symlink()]
    if count < 50 or len(hashed) < 50:
        fail(f"the image has {count} authorities, {len(hashed)} of them by their hashes")
    print(f"image        has {count} authorities")


def end(process, number):
    """Sends a signal to the process that `unshare --fork` has started, and waits until both have ended. The
    kernel forgets --kill-child when that process takes another user."""
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), number)
    process.communicate(timeout=LIMIT)


def address_after(process, words):
    """The address in the line of a router that begins with these words."""
    for line in process.stdout:
        if line.startswith(words):
            return line.removeprefix(words).strip()
    fail(f"the router ended with {process.wait()} before it said {words!r}")


def container(folder):
    """The image serves: a device registers, a push reaches it, the probe finds it healthy, and SIGTERM
    drains it."""
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place) / "root"
        root.mkdir(mode=0o755)
        pathlib.Path(place).chmod(0o755)
        config = unpack(folder / image.name(), root)
        authorities(root)
        apps = root / "etc/reload-router/apps.json"
        shutil.copy(ROOT / "deploy/examples/game/apps.json", apps)
        apps.chmod(0o644)
        inside = Container(root, config)
        served = inside.start(
            *config["Entrypoint"],
            *config["Cmd"],
            RELOAD_ROUTER_LISTEN="127.0.0.1:0",
            RELOAD_ROUTER_ADMIN="127.0.0.1:0",
        )
        try:
            admin = address_after(served, "admin on ")
            to = address_after(served, "listening on ")
            router = config["Entrypoint"][0]
            device = inside.start(
                router,
                "device",
                "--to",
                to,
                "--app",
                APP,
                "--token",
                DEVICE_TOKEN,
                "--device",
                "d-1",
                "--widget",
                WIDGET,
            )
            try:
                until = time.monotonic() + LIMIT
                while "matched 1" not in inside.run(
                    router, "push", "--to", to, "--app", APP, "--token", PUBLISHER_TOKEN, POTION
                ):
                    if time.monotonic() > until:
                        fail("no push matched the device's widget")
            finally:
                end(device, signal.SIGKILL)
            healthy = inside.run(*config["Healthcheck"]["Test"][1:], RELOAD_ROUTER_ADMIN=admin).strip()
            end(served, signal.SIGTERM)
        finally:
            if served.poll() is None:
                end(served, signal.SIGKILL)
        if served.returncode != 0:
            fail(f"the image's router ended with {served.returncode} after SIGTERM")
    print(
        f"image        served as {config['User']}: a push matched, the probe said {healthy!r}, SIGTERM drained"
    )


def debian(folder):
    """The .deb can be installed in a fresh Debian with nothing but what it depends on, works there, and can
    be purged."""
    path = folder / deb.name()
    steps = (
        "apt-get install --quiet=2 --no-install-recommends /tmp/new.deb >/dev/null"
        " && reload-router --version && id reload-router && stat --format='%U %a' /var/lib/reload-router"
        " && runuser -u reload-router -- reload-router store create --store /var/lib/reload-router/store"
        " && dpkg --verify reload-router && apt-get purge --quiet=2 reload-router 2>&1"
        " && test -d /var/lib/reload-router/store && test ! -e /usr/bin/reload-router"
    )
    sources = [
        each
        for each in (
            pathlib.Path("/etc/apt/sources.list.d/debian.sources"),
            pathlib.Path("/etc/apt/sources.list"),
        )
        if each.exists()
    ]
    done = subprocess.run(
        [
            "mmdebstrap",
            "--quiet",
            "--variant=apt",
            f"--customize-hook=copy-in {path} /tmp",
            f'--customize-hook=mv "$1/tmp/{path.name}" "$1/tmp/new.deb"',
            f'--customize-hook=chroot "$1" sh -e -c "{steps}" >&2',
            image.SUITE,
            "/dev/null",
            *sources[:1],
        ],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0 or version() not in done.stderr:
        fail(f"the .deb in a fresh Debian: {done.stdout}{done.stderr}")
    print(
        "deb          installed in a fresh Debian 12, made a store, verified and purged; the store was kept"
    )


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    checksums(folder)
    tarball(folder)
    lint(folder)
    if os.geteuid() != 0:
        print("image, deb   not tried: that needs root")
        return
    if (folder / image.name()).exists():
        container(folder)
    if shutil.which("mmdebstrap"):
        debian(folder)


if __name__ == "__main__":
    main()
