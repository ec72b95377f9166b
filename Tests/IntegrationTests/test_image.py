"""The container image that deploy/release makes by hand, around a layer that stands for Debian's."""

import contextlib
import gzip
import hashlib
import io
import json
import os
import pathlib
import sys
import tarfile
import tempfile
import types
import unittest
from unittest import mock

from deploy_case import *

sys.path.append(str(DEPLOY / "packaging"))
import check  # noqa: E402
import facts  # noqa: E402
import image  # noqa: E402
import sbom  # noqa: E402
import trees  # noqa: E402

VERSION = facts.version()


class Image(unittest.TestCase):
    """The image, around a layer that stands for Debian's."""

    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        debian = trees.Tree()
        debian.file("bin/sh", b"a shell", 0o755)
        passwd, group = "root:x:0:0::/root:/bin/sh\n", "root:x:0:\n"
        debian.file("etc/passwd", passwd)
        debian.file("etc/group", group)
        base = types.SimpleNamespace(tar=debian.tar(1), passwd=passwd, group=group)
        program = types.SimpleNamespace(stripped=b"a program", notices="notices")
        self.path = image.build(program, base, folder)
        self.root = folder / "root"
        self.root.mkdir()
        self.config = check.unpack(self.path, self.root) if os.geteuid() == 0 else None

    def test_digests_sizes_and_index_fit_together(self):
        with tarfile.open(self.path) as layout:
            blobs = {member.name: layout.extractfile(member).read() for member in layout if member.isfile()}
        for name, content in blobs.items():
            if name.startswith("blobs/"):
                self.assertEqual(name, f"blobs/sha256/{hashlib.sha256(content).hexdigest()}")
        self.assertEqual(json.loads(blobs["oci-layout"]), {"imageLayoutVersion": "1.0.0"})
        (entry,) = json.loads(blobs["index.json"])["manifests"]
        self.assertEqual(entry["annotations"]["org.opencontainers.image.ref.name"], VERSION)
        self.assertEqual(entry["platform"], {"architecture": facts.architecture(), "os": "linux"})

        def blob(descriptor):
            content = blobs[f"blobs/{descriptor['digest'].replace(':', '/')}"]
            self.assertEqual(len(content), descriptor["size"])
            return content

        manifest = json.loads(blob(entry))
        config = json.loads(blob(manifest["config"]))
        self.assertEqual(
            [
                f"sha256:{hashlib.sha256(gzip.decompress(blob(layer))).hexdigest()}"
                for layer in manifest["layers"]
            ],
            config["rootfs"]["diff_ids"],
        )
        self.assertEqual(len(config["history"]), len(config["rootfs"]["diff_ids"]))

    def test_it_is_started_as_the_dockerfile_says(self):
        config = image.configuration()
        self.assertEqual(
            (config["User"], config["WorkingDir"], config["StopSignal"]),
            ("10410:10410", "/var/lib/reload-router", "SIGTERM"),
        )
        self.assertEqual(config["Entrypoint"] + config["Cmd"], ["/usr/local/bin/reload-router", "serve"])
        self.assertEqual(set(config["ExposedPorts"]), {"7410/tcp", "7411/tcp"})
        self.assertIn("RELOAD_ROUTER_STORE=/var/lib/reload-router/store", config["Env"])
        self.assertEqual(
            config["Healthcheck"],
            {
                "Test": ["CMD", "/usr/local/bin/reload-router", "health"],
                "Interval": 10_000_000_000,
                "Timeout": 5_000_000_000,
                "StartPeriod": 60_000_000_000,
                "Retries": 3,
            },
        )

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to give files to the image's user")
    def test_its_layers_make_a_root_with_program_user_and_store(self):
        self.assertEqual((self.root / "usr/local/bin/reload-router").read_bytes(), b"a program")
        self.assertEqual(
            (self.root / "etc/passwd").read_text().splitlines()[-1],
            "reload-router:x:10410:10410::/var/lib/reload-router:/usr/sbin/nologin",
        )
        store = (self.root / "var/lib/reload-router").stat()
        self.assertEqual((store.st_uid, store.st_gid, store.st_mode & 0o777), (10410, 10410, 0o750))
        self.assertEqual(self.config["User"], f"{image.USER}:{image.USER}")

    def test_nothing_of_this_machine_is_in_the_layer_of_debian(self):
        """Its name, its name servers, its mirrors of packages, its logs, and lists of what was made."""
        made = trees.Tree()
        gone = (
            "etc/hostname",
            "etc/resolv.conf",
            "etc/apt/sources.list",
            "etc/apt/sources.list.d/x.sources",
            "var/log/dpkg.log",
            "var/cache/debconf/config.dat",
            "var/lib/apt/lists/x",
            "etc/passwd-",
            "var/lib/dpkg/status-old",
        )
        stay = ("etc/passwd", "etc/apt/apt.conf", "var/lib/dpkg/status", "usr/bin/env")
        for name in (*gone, *stay):
            made.file(f"./{name}", b"x")
        with tarfile.open(fileobj=io.BytesIO(image.clean(made.tar(facts.epoch() + 1_000_000)))) as archive:
            members = {member.name.removeprefix("./"): member for member in archive}
        self.assertFalse(set(gone) & set(members))
        self.assertLessEqual(set(stay), set(members))
        self.assertEqual({member.mtime for member in members.values()}, {facts.epoch()})


class Base(unittest.TestCase):
    """The layer of Debian, of which an archive takes the place."""

    def setUp(self):
        debian = trees.Tree()
        status = "\n\n".join(
            f"Package: {name}\nVersion: {number}\nArchitecture: all"
            for name, number in (("base-files", "12.4"), ("ca-certificates", "20250419~deb12u2"))
        )
        debian.file("./var/lib/dpkg/status", status)
        debian.file("./etc/passwd", "root:x:0:0::/root:/bin/sh\n")
        debian.file("./etc/group", "root:x:0:\n")
        debian.file(
            "./usr/share/doc/ca-certificates/copyright",
            "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
            "License: GPL-2+\n\nLicense: MPL-2.0\n",
        )
        self.wanted = []

        def bootstrap(packages):
            self.wanted += packages
            return debian.tar(1)

        library = types.SimpleNamespace(name="libssl3")
        self.enterContext(mock.patch.object(image, "bootstrap", bootstrap))
        self.enterContext(
            mock.patch.object(image.libraries, "packages", lambda _: ([library], ["libswiftCore.so"]))
        )
        self.base = image.Base("a program")

    def test_it_has_the_libraries_and_the_authorities_by_which_apple_is_verified(self):
        self.assertEqual(
            self.wanted, ["ca-certificates", "libjs-chart.js", "libssl3", "usr-is-merged"]
        )

    def test_the_dockerfile_installs_the_same_beside_the_libraries(self):
        installed = " ".join(rest for word, rest in image.instructions() if word == "RUN").split()
        self.assertLessEqual(image.BESIDE_LIBRARIES, set(installed))

    def test_the_list_of_components_has_them_with_their_licences(self):
        program = types.SimpleNamespace(name="reload-router", swift_packages=[])
        listed = json.loads(sbom.of_image(program, self.base))
        (found,) = [one for one in listed["components"] if one["name"] == "ca-certificates"]
        self.assertEqual(found["version"], "20250419~deb12u2")
        self.assertEqual(
            [one["license"]["id"] for one in found["licenses"]], ["GPL-2.0-or-later", "MPL-2.0"]
        )

    def test_an_image_without_them_is_no_release(self):
        root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        with self.assertRaisesRegex(SystemExit, "has 0 authorities"):
            check.authorities(root)
        file = root / image.AUTHORITIES
        file.parent.mkdir(parents=True)
        file.write_text("-----BEGIN CERTIFICATE-----\n" * 140)
        with self.assertRaisesRegex(SystemExit, "140 authorities, 0 of them by their hashes"):
            check.authorities(root)
        for number in range(60):
            (file.parent / f"{number:08x}.0").symlink_to("one.pem")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            check.authorities(root)
        self.assertIn("140 authorities", said.getvalue())


if __name__ == "__main__":
    unittest.main()
