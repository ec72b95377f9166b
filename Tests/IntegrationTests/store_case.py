"""What the tests of the store share: a test case that starts routers on stores; small disks."""

import contextlib
import json
import os
import pathlib
import subprocess
import unittest

from support import *

ELF = widget("w1", character="elf-42")


def store_tool(name, folder, *arguments, **options):
    return command("store", name, "--store", folder, *arguments, timeout=60, **options)


class StoreCase(RouterCase):
    def serve_refuses(self, router, *flags, store=None):
        """Starts `serve` once more on a store; it must end by itself with exit code 1."""
        ended = command("serve", "--listen", "127.0.0.1:0", "--apps", router.apps, "--store",
                        store or router.store, *flags)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertEqual(ended.stdout, "", "the router does not listen")
        return ended.stderr

    def tool(self, name, router_or_folder, *arguments, code=0, **options):
        folder = getattr(router_or_folder, "store", router_or_folder)
        ended = store_tool(name, folder, *arguments, **options)
        self.assertEqual(ended.returncode, code, ended.stderr + ended.stdout)
        return ended

    def dump(self, router_or_folder, *arguments, code=0):
        lines = self.tool("dump", router_or_folder, *arguments, code=code).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def start_held_up(self, router):
        """Restarts a router so that it blocks on a file of its store: a pipe that has no writer yet.

        The returned function writes to the pipe.
        """
        current = router.store / "CONTENTS"
        content = current.read_bytes()
        current.unlink()
        os.mkfifo(current)
        router._start()

        def let_go():
            lasting = current.with_name("written")
            lasting.write_bytes(content)
            with open(current, "wb") as file:
                # An opening after this finds the file.
                lasting.rename(current)
                file.write(content)
        return let_go

    def pushes(self, publisher, count):
        for _ in range(count):
            publisher.pushed(HEALING)


@contextlib.contextmanager
def disk(folder, size):
    """A small disk in memory, mounted on a folder; for root only."""
    mounted = os.getuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
        capture_output=True).returncode == 0
    if not mounted:
        raise unittest.SkipTest("a small disk can be mounted by root only")
    try:
        yield pathlib.Path(folder)
    finally:
        subprocess.run(["umount", str(folder)], check=True)
