"""The texts that the artifacts contain and that no file of the project has as it is."""

import datetime
import email.utils
import re

from facts import LICENCE, MAINTAINER, ROOT, epoch, name_of_tarball, swift_folder, swift_version, version

RULE = "=" * 100 + "\n"


def date():
    return datetime.datetime.fromtimestamp(epoch(), datetime.timezone.utc)


def notices(packages):
    """The licences and notices of everything that is linked into the programs themselves."""
    parts = [
        "The programs contain code of the projects below. What they load when they start (libraries of\n"
        "Debian) is not part of them; its licences are in /usr/share/doc/PACKAGE/copyright.\n"
    ]
    for package in packages:
        texts = [
            (package.folder / name).read_text()
            for name in ("NOTICE.txt", "LICENSE.txt")
            if (package.folder / name).exists()
        ]
        parts.append(
            f"{RULE}{package.name} {package.version}\n{package.location}\n{RULE}\n" + "\n".join(texts)
        )
    licence = swift_folder() / "share/swift/LICENSE.txt"
    parts.append(
        f"{RULE}Swift {swift_version()}: standard library, runtime, Dispatch and FoundationEssentials\n"
        f"https://github.com/swiftlang\n{RULE}\n{licence.read_text()}"
    )
    return "\n".join(parts)


def readme(program, packages):
    """The README of a tarball. `packages` are the Debian packages of the libraries that it loads itself."""
    text = (ROOT / "deploy/packaging" / f"README.{program}.md").read_text()
    return (
        text.replace("@VERSION@", version())
        .replace("@FOLDER@", name_of_tarball(program))
        .replace("@PACKAGES@", " ".join(package.name for package in packages))
        .replace("@LIST@", "\n".join(f"| {package.name} | {package.version} |" for package in packages))
    )


def debian_copyright(packages):
    """The copyright file of the .deb, in Debian's machine-readable form."""
    parts = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
        "Upstream-Name: ReloadRouter",
        "",
        "Files: *",
        f"Copyright: {date().year} The ReloadRouter authors",
        f"License: {LICENCE}",
        "",
        "License: Apache-2.0",
        " On Debian systems, the text of the Apache License, version 2.0, is in",
        " /usr/share/common-licenses/Apache-2.0.",
        "Comment:",
        " The program contains code of the projects below; their licences and notices are in",
        " /usr/share/doc/reload-router/THIRD-PARTY-NOTICES.",
        *[f"  {package.name} {package.version}" for package in packages],
        f"  Swift {swift_version()} (Apache-2.0 with Runtime Library Exception)",
    ]
    return "\n".join(parts) + "\n"


def debian_changelog():
    """The changelog of the package itself; what changed in the program is in changelog.gz."""
    return (
        f"reload-router ({version()}-1) unstable; urgency=medium\n\n"
        f"  * Version {version()}; /usr/share/doc/reload-router/changelog.gz lists what changed.\n\n"
        f" -- {MAINTAINER}  {email.utils.format_datetime(date())}\n"
    )


def control(depends, size):
    """The control file of the .deb."""
    text = (ROOT / "deploy/packaging/debian/control").read_text()
    for name, value in (
        ("VERSION", f"{version()}-1"),
        ("MAINTAINER", MAINTAINER),
        ("DEPENDS", depends),
        ("SIZE", str(size)),
    ):
        text = text.replace(f"@{name}@", value)
    return text


def unit(program):
    """The systemd unit, with the place where the .deb has the program and the runbook."""
    text = (ROOT / "deploy/systemd/reload-router.service").read_text()
    text = text.replace("/usr/local/share/doc/", "/usr/share/doc/").replace("/usr/local/bin/", program)
    # Its head says how to do by hand what the package does.
    return "# The systemd unit of ReloadRouter, as the package reload-router installs it.\n\n" + re.sub(
        r"\A(#.*\n)*\n", "", text
    )
