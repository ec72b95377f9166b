"""What a release consists of: one version, exact dependencies, and the artifacts, made from the program that
is tested. `deploy/release` itself also builds, and tries the artifacts in a fresh Debian."""

import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

from deploy_case import *
from store_case import *

PACKAGING = DEPLOY / "packaging"
sys.path.append(str(PACKAGING))
import deb  # noqa: E402
import facts  # noqa: E402
import stripped  # noqa: E402

VERSION = facts.version()
#: What lintian says of a program that was not linked for a release: it looks for Swift's own libraries.
OF_THE_TESTED_PROGRAM = "custom-library-search-path"


class Version(StoreCase):
    def test_both_programs_have_the_version_of_the_only_file_that_states_it(self):
        for run_it in (command, lab):
            self.assertEqual(run_it("--version").stdout.strip(), VERSION)
        self.assertEqual(command("version").stdout, f"reload-router {VERSION}, protocol 1\n")

    def test_log_and_metrics_have_it(self):
        router = self.start("--admin", "127.0.0.1:0")
        router.wait_log(f'"message":"reload-router starts","version":"{VERSION}"')
        from admin import ask

        self.assertIn(f'reload_router_build_info{{version="{VERSION}"}} 1\n', ask(router, "/metrics").text)

    def test_chart_and_manifests_have_it(self):
        chart = (DEPLOY / "helm/Chart.yaml").read_text()
        manifests = (DEPLOY / "kubernetes/kustomization.yaml").read_text()
        self.assertEqual(re.findall(r"(?m)^(?:version|appVersion): \"?([^\"\n]*)", chart), [VERSION, VERSION])
        self.assertEqual(re.findall(r"(?m)^    newTag: (.*)$", manifests), [VERSION])

    def test_the_client_libraries_have_it(self):
        clients = CHECKOUT / "protocol/clients"
        for name, pattern in (
            ("python/pyproject.toml", r'(?m)^version = "([^"]*)"'),
            ("python/src/reloadrouter/__init__.py", r'__version__ = "([^"]*)"'),
            ("node/package.json", r'"version": "([^"]*)"'),
            ("java/pom.xml", r"(?m)^  <version>(.*)</version>"),
            ("java/README.md", r"(?m)^  <version>(.*)</version>"),
            ("csharp/ReloadRouter.Client.csproj", r"<Version>(.*)</Version>"),
        ):
            self.assertEqual(re.findall(pattern, (clients / name).read_text()), [VERSION], name)

    def test_the_changelog_has_a_section_for_it_with_its_date_or_none_yet(self):
        sections = re.findall(r"(?m)^## (.*)$", (CHECKOUT / "CHANGELOG.md").read_text())
        date = r"\(\d{4}-\d\d-\d\d\)"
        self.assertRegex(sections[0], rf"^{re.escape(VERSION)}(, not yet released| {date})$")
        for section in sections[1:]:
            self.assertRegex(section, rf"^\d+\.\d+\.\d+( {date})?$")

    def test_no_other_source_states_it(self):
        """A second place would be forgotten."""
        stating = [
            path for path in (CHECKOUT / "Sources").rglob("*.swift") if f'"{VERSION}"' in path.read_text()
        ]
        self.assertEqual([path.name for path in stating], ["Release.swift"])


class Dependencies(unittest.TestCase):
    def test_every_dependency_is_exact(self):
        manifest = (CHECKOUT / "Package.swift").read_text()
        declared = re.findall(r'\.package\(url: "[^"]*/([a-z-]+)", (.*?)[,)]', manifest)
        self.assertGreater(len(declared), 1)
        for name, requirement in declared:
            self.assertRegex(requirement, r'^exact: "\d+\.\d+\.\d+"$', name)


@unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "there is no dpkg-dev")
class Artifacts(unittest.TestCase):
    """Packs the tested program twice, the second time with another umask and time zone."""

    @classmethod
    def setUpClass(cls):
        program = pathlib.Path(binary()).resolve()
        # A build's folder, with the names that pack.py expects.
        cls.scratch = next(
            (parent for parent in program.parents if (parent / "workspace-state.json").exists()), None
        )
        if cls.scratch is None:
            raise unittest.SkipTest(f"{program} is not in the folder of a build")
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        build = folder / "build"
        build.mkdir()
        for name, target in (
            ("release", program.parent),
            ("checkouts", cls.scratch / "checkouts"),
            ("workspace-state.json", cls.scratch / "workspace-state.json"),
        ):
            (build / name).symlink_to(target)
        cls.folder, again = folder / "one", folder / "two"
        for place, zone, mask in ((cls.folder, "UTC", 0o022), (again, "Pacific/Auckland", 0o077)):
            place.mkdir()
            subprocess.run(
                [
                    sys.executable,
                    "-B",
                    PACKAGING / "pack.py",
                    "--build",
                    build,
                    "--output",
                    place,
                    "--preset",
                    "0",
                    "reload-router",
                ],
                check=True,
                capture_output=True,
                umask=mask,
                env={**os.environ, "TZ": zone, "SOURCE_DATE_EPOCH": "1795000000"},
            )
        cls.again = again
        cls.tarball = cls.folder / f"reload-router-{VERSION}-linux-{facts.machine()}.tar.xz"
        cls.deb = cls.folder / deb.name()

    def members(self):
        with tarfile.open(self.tarball) as archive:
            return {
                member.name.partition("/")[2]: (member, archive.extractfile(member).read())
                for member in archive
                if member.isfile()
            }

    def test_names_have_the_version_and_the_machine(self):
        arch = facts.architecture()
        self.assertEqual(
            {path.name for path in self.folder.iterdir()},
            {
                self.tarball.name,
                f"reload-router_{VERSION}-1_{arch}.deb",
                f"reload-router-{VERSION}.tgz",
                self.tarball.name.replace(".tar.xz", ".cdx.json"),
                "SHA256SUMS",
            },
        )

    def test_packing_again_makes_the_same_bytes(self):
        for path in self.folder.iterdir():
            self.assertEqual(path.read_bytes(), (self.again / path.name).read_bytes(), path.name)
        said = run(sys.executable, "-B", PACKAGING / "compare.py", self.folder, self.again)
        self.assertIn("Both builds made the same bytes", said)

    def test_a_difference_is_found_and_named(self):
        """By the comparison of two builds, and by the checksums."""
        with tempfile.TemporaryDirectory() as other:
            other = pathlib.Path(other) / "other"
            shutil.copytree(self.folder, other)
            path = other / self.tarball.name
            content = bytearray(path.read_bytes())
            content[100] ^= 1
            path.write_bytes(content)
            said = run(sys.executable, "-B", PACKAGING / "compare.py", self.folder, other, code=1)
            self.assertRegex(said, rf"DIFFERENT +{re.escape(path.name)}: at byte 100: ")
            self.assertIn("1 of 5 artifacts differ", said)
            self.assertIn(
                f"{path.name}: FAILED", run("sha256sum", "--check", "SHA256SUMS", cwd=other, code=1)
            )

    def test_checksums_are_those_of_the_files(self):
        said = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=self.folder)
        self.assertEqual(said.count(": OK"), 4)

    def test_the_tarball_has_the_program_and_what_belongs_to_it(self):
        members = self.members()
        self.assertLessEqual(
            {
                "bin/reload-router",
                "README.md",
                "LICENSE",
                "THIRD-PARTY-NOTICES.txt",
                "CHANGELOG.md",
                "systemd/reload-router.service",
                "systemd/settings.json",
                "systemd/tls.conf",
                "doc/runbook.md",
                "doc/release.md",
                "protocol/README.md",
                "examples/apps.json",
                "man/reload-router.1",
                *[f"completions/reload-router.{shell}" for shell in ("bash", "zsh", "fish")],
            },
            set(members),
        )
        for name, (member, content) in members.items():
            self.assertTrue(member.name.startswith(f"reload-router-{VERSION}-linux-"), name)
            self.assertEqual((member.uid, member.gid, member.uname, member.mtime), (0, 0, "", 1795000000))
            self.assertEqual(member.mode, 0o755 if name.startswith("bin/") else 0o644, name)
            self.assertTrue(content, name)

    def test_the_program_in_it_runs_and_has_no_symbols(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "reload-router"
            program.write_bytes(self.members()["bin/reload-router"][1])
            program.chmod(0o755)
            self.assertEqual(run(program, "--version").strip(), VERSION)
            self.assertIn("no symbols", run("nm", program))

    def test_what_a_build_adds_to_the_code_changes_neither_program_nor_symbols(self):
        """Descriptions for the debugger, and the number that the linker makes from everything."""
        program, symbols = stripped.split(binary())
        with tempfile.TemporaryDirectory() as folder:
            other, added = pathlib.Path(folder) / "other", pathlib.Path(folder) / "added"
            added.write_text("a path")
            run("objcopy", f"--add-section=.debug_extra={added}", binary(), other)
            content = bytearray(other.read_bytes())
            content[stripped.build_id_place(other)] = bytes(20)
            other.write_bytes(content)
            self.assertEqual(stripped.split(other), (program, symbols))
            for name, part in (("program", program), ("symbols", symbols)):
                (pathlib.Path(folder) / name).write_bytes(part)
            ids = [
                re.search("Build ID: ([0-9a-f]{40})", run("readelf", "-n", pathlib.Path(folder) / name))[1]
                for name in ("program", "symbols")
            ]
            self.assertEqual(ids[0], ids[1])
            self.assertIn(" T main\n", run("nm", pathlib.Path(folder) / "symbols"))

    def test_readme_and_notices_name_everything_that_is_needed_and_linked(self):
        members = self.members()
        readme, notices = (members[name][1].decode() for name in ("README.md", "THIRD-PARTY-NOTICES.txt"))
        self.assertNotRegex(readme, "@[A-Z]+@")
        for package in (
            "libuv1",
            "librocksdb7.8",
            "libhttp-parser2.9",
            "libnghttp2-14",
            "libssl3",
            "libxxhash0",
            "libzstd1",
        ):
            self.assertRegex(readme, rf"apt-get install .*\b{re.escape(package)}\b")
            self.assertRegex(readme, rf"(?m)^\| {re.escape(package)} \| \d")
        for name in (
            "swift-argument-parser",
            "swift-log",
            "Swift",
        ):
            self.assertRegex(notices, rf"(?m)^{name} \d+\.\d+")
        for name in re.findall(r"`([a-z]+/[a-z.-]*)`", readme):
            self.assertTrue(any(member.startswith(name) for member in members), name)

    def test_the_manual_has_every_command_and_every_flag(self):
        manual = self.members()["man/reload-router.1"][1].decode()
        for name in ("serve", "push", "device", "store backup"):
            self.assertRegex(manual, rf"(?m)^\.SS {name}$")
        for name in ("durability", "drain\\-timeout", "admin\\-token\\-file"):
            self.assertIn(f"\\-\\-{name}", manual)
        if shutil.which("groff"):
            said = run("groff", "-man", "-ww", "-z", "-Tutf8", input=manual)
            self.assertEqual(said, "")

    def field(self, name):
        return run("dpkg-deb", "--field", self.deb, name).strip()

    def test_the_deb_says_what_it_is_and_what_it_needs(self):
        self.assertEqual(
            (self.field("Package"), self.field("Version"), self.field("Architecture")),
            ("reload-router", f"{VERSION}-1", facts.architecture()),
        )
        depends = self.field("Depends")
        for package in (
            "libc6",
            "libuv1",
            "librocksdb7.8",
            "libhttp-parser2.9",
            "libnghttp2-14",
            "libssl3",
            "libxxhash0",
            "libzstd1",
            "libstdc++6",
        ):
            self.assertRegex(
                depends, rf"(^|, ){re.escape(package)} \(>= [^)]+\)", "with the version it needs"
            )
        self.assertRegex(depends, r"(^|, )adduser(,|$)", "which makes the user")
        self.assertEqual(self.field("Recommends"), "ca-certificates, libjs-chart.js")
        size = int(self.field("Installed-Size"))
        self.assertAlmostEqual(size, sum(entry.size for entry in self.files()) / 1024, delta=size / 100 + 100)

    def files(self):
        content = subprocess.run(
            ["dpkg-deb", "--fsys-tarfile", self.deb], capture_output=True, check=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            return list(archive)

    def test_the_deb_installs_program_unit_and_folders_as_root_owns_them(self):
        files = {entry.name.removeprefix("./"): entry for entry in self.files()}
        for name in (
            "usr/bin/reload-router",
            "lib/systemd/system/reload-router.service",
            "var/lib/reload-router",
            "etc/reload-router/settings.json",
            "usr/share/doc/reload-router/copyright",
            "usr/share/doc/reload-router/runbook.md",
            "usr/share/man/man1/reload-router.1.gz",
        ):
            self.assertIn(name, files)
        self.assertEqual({(entry.uid, entry.gid) for entry in files.values()}, {(0, 0)})
        self.assertFalse(
            [name for name in files if name.endswith("etc/reload-router/apps.json")],
            "an app file of ours would have tokens that everybody knows",
        )
        with self.unpacked() as folder:
            unit = (folder / "lib/systemd/system/reload-router.service").read_text()
            for path in re.findall(r"(?m)(?:^ExecStart=|file:)(/\S+)", unit):
                self.assertTrue((folder / path[1:]).exists(), path)
            plain = (DEPLOY / "systemd/reload-router.service").read_text()
            settings = [re.sub("/usr/local/(bin|share/doc)", r"/usr/\1", line) for line in plain.splitlines()]
            self.assertEqual(
                [line for line in unit.splitlines() if "=" in line and line[0] != "#"],
                [line for line in settings if "=" in line and line[0] != "#"],
            )

    def unpacked(self):
        return Unpacked(self.deb)

    def test_the_scripts_of_the_deb_are_scripts_of_the_shell(self):
        """And keep what an operator may have changed, and everything in the store."""
        with self.unpacked() as folder:
            for name in ("postinst", "prerm", "postrm"):
                run("sh", "-n", folder / "DEBIAN" / name)
                self.assertTrue(os.access(folder / "DEBIAN" / name, os.X_OK))
                self.assertNotRegex((folder / "DEBIAN" / name).read_text(), r"rm -r|deluser")
            self.assertEqual(
                (folder / "DEBIAN/conffiles").read_text().split(), ["/etc/reload-router/settings.json"]
            )
            for line in (folder / "DEBIAN/md5sums").read_text().splitlines():
                digest, name = line.split("  ")
                self.assertEqual(hashlib.md5((folder / name).read_bytes()).hexdigest(), digest)

    @unittest.skipUnless(shutil.which("lintian"), "there is no lintian")
    def test_lintian_finds_nothing_that_is_not_accepted_with_a_reason(self):
        said = subprocess.run(
            ["lintian", "--allow-root", "--tag-display-limit", "0", self.deb],
            capture_output=True,
            text=True,
            timeout=120,
        ).stdout
        accepted = (PACKAGING / "debian/lintian-accepted").read_text()
        for line in accepted.splitlines():
            self.assertRegex(line, r"^#|^[a-z-]+ +\S+ \S+", "a tag, and a reason")
        found = {line.split(": ", 2)[2].split()[0] for line in said.splitlines() if re.match("[EW]: ", line)}
        self.assertLessEqual(found - {OF_THE_TESTED_PROGRAM}, set(re.findall(r"(?m)^[a-z][a-z-]+", accepted)))

    @unittest.skipUnless(has("cyclonedx"), "PyPI's cyclonedx-python-lib is not there")
    def test_the_components_are_a_list_of_cyclonedx(self):
        """By the schema of its version, in which no unknown member is allowed."""
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator

        problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(self.components_text())
        self.assertIsNone(problem)

    def components_text(self):
        return self.tarball.with_name(self.tarball.name.replace(".tar.xz", ".cdx.json")).read_text()

    def test_the_components_have_versions_and_licences(self):
        """Of all Swift packages that are linked, at the pinned versions, and of the libraries of Debian."""
        listed = json.loads(self.components_text())
        components = {entry["name"]: entry for entry in listed["components"]}
        pins = {
            pin["identity"]: pin["state"]["version"]
            for pin in json.loads((CHECKOUT / "Package.resolved").read_text())["pins"]
        }
        for name in ("swift-argument-parser", "swift-log"):
            self.assertEqual(components[name]["version"], pins[name])
        for name in ("librocksdb7.8", "libuv1", "libssl3", "libc6", "swift-runtime"):
            self.assertRegex(components[name]["version"], r"\d")
        for entry in components.values():
            self.assertTrue(entry["licenses"], entry["name"])
        known = {entry["bom-ref"] for entry in listed["components"]}
        edges = {entry["ref"]: entry["dependsOn"] for entry in listed["dependencies"]}
        self.assertLessEqual({name for targets in edges.values() for name in targets}, known)
        self.assertLessEqual(
            known & {entry["bom-ref"] for entry in components.values() if entry["name"].startswith("swift")},
            set(edges[listed["metadata"]["component"]["bom-ref"]]),
        )
        program = self.members()["bin/reload-router"][1]
        self.assertEqual(
            listed["metadata"]["component"]["hashes"][0]["content"], hashlib.sha256(program).hexdigest()
        )

    def test_the_chart_is_packed_as_it_is(self):
        with tarfile.open(self.folder / f"reload-router-{VERSION}.tgz") as archive:
            packed = {
                member.name: archive.extractfile(member).read() for member in archive if member.isfile()
            }
        chart = DEPLOY / "helm"
        self.assertEqual(
            packed,
            {
                f"reload-router/{path.relative_to(chart)}": path.read_bytes()
                for path in chart.rglob("*")
                if path.is_file()
            },
        )


class Unpacked:
    """A .deb as files, in a folder that is deleted at the end."""

    def __init__(self, path):
        self.path, self.folder = path, tempfile.TemporaryDirectory()

    def __enter__(self):
        place = pathlib.Path(self.folder.name) / "root"
        run("dpkg-deb", "--raw-extract", self.path, place)
        return place

    def __exit__(self, *_):
        self.folder.cleanup()


if __name__ == "__main__":
    unittest.main()
