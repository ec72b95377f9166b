"""What every artifact of a release states alike: version, date, machine, licence, toolchain."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
#: The licence of this project, as SPDX names it.
LICENCE = "Apache-2.0"
MAINTAINER = os.environ.get(
    "RELEASE_MAINTAINER", "ReloadRouter maintainers <maintainers@reload-router.invalid>"
)


def output(*command, **options):
    """What a command prints. A failure ends the release, with what the command said."""
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} failed ({done.returncode}): {done.stderr or done.stdout}")
    return done.stdout


def version():
    """The version, from the only file that states it."""
    text = (ROOT / "Sources/Base/Basics/ReloadModel/Release.swift").read_text()
    return re.search(r'static let version = "(\d+\.\d+\.\d+)"', text)[1]


def epoch():
    """The date of everything in the artifacts, in seconds since 1970: that of the commit."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "-C", ROOT, "log", "-1", "--format=%ct"))


def architecture():
    """The machine's architecture, as Debian names it: amd64, arm64."""
    return output("dpkg", "--print-architecture").strip()


def machine():
    """The machine's architecture, as the kernel names it: x86_64, aarch64."""
    return os.uname().machine


def name_of_tarball(program):
    return f"{program}-{version()}-linux-{machine()}"


def swift_version():
    return re.search(r"Swift version (\d+\.\d+(?:\.\d+)?)", output("swift", "--version"))[1]


def swift_folder():
    """The toolchain's folder `usr`."""
    return pathlib.Path(output("which", "swift").strip()).resolve().parent.parent
