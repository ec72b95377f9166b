"""Lists of components (SBOMs) in the form of CycloneDX 1.6: of the program, and of the image."""

import hashlib
import json
import urllib.parse
import uuid

import libraries
from facts import LICENCE, architecture, swift_version, version
from texts import date

#: Names of licences in Debian's copyright files that SPDX has under another name.
SPDX = {
    "Apache-2.0": "Apache-2.0",
    "BSD-2-clause": "BSD-2-Clause",
    "BSD-2-Clause": "BSD-2-Clause",
    "BSD-3-clause": "BSD-3-Clause",
    "BSD-3-Clause": "BSD-3-Clause",
    "Expat": "MIT",
    "MIT": "MIT",
    "ISC": "ISC",
    "MPL-2.0": "MPL-2.0",
    "zlib": "Zlib",
    "Zlib": "Zlib",
    "GPL-1+": "GPL-1.0-or-later",
    "GPL-2": "GPL-2.0-only",
    "GPL-2.0": "GPL-2.0-only",
    "GPL-2+": "GPL-2.0-or-later",
    "GPL-2.0+": "GPL-2.0-or-later",
    "GPL-3": "GPL-3.0-only",
    "GPL-3+": "GPL-3.0-or-later",
    "GPL-3.0+": "GPL-3.0-or-later",
    "LGPL-2.1": "LGPL-2.1-only",
    "LGPL-2.1+": "LGPL-2.1-or-later",
    "LGPL-2+": "LGPL-2.0-or-later",
    "LGPL-3": "LGPL-3.0-only",
    "LGPL-3+": "LGPL-3.0-or-later",
    "GFDL-1.3": "GFDL-1.3-only",
}


def licence(name):
    """A licence: by its identifier if SPDX has one, else by the name that the package gives it."""
    return {"license": {"id": SPDX[name]} if name in SPDX else {"name": name}}


def debian(name, package_version, arch, licences):
    """A Debian package."""
    url = (
        f"pkg:deb/debian/{urllib.parse.quote(name)}@{urllib.parse.quote(package_version, safe='')}"
        f"?arch={arch}&distro=debian-12"
    )
    if licences:
        listed = [licence(each) for each in licences]
    else:
        listed = [{"license": {"name": f"see /usr/share/doc/{name}/copyright"}}]
    return {
        "type": "library",
        "bom-ref": url,
        "name": name,
        "version": package_version,
        "purl": url,
        "licenses": listed,
    }


def swift(package):
    """A Swift package that is linked into the program."""
    place = package.location.removeprefix("https://")
    url = f"pkg:swift/{place}@{package.version}"
    text = (package.folder / "LICENSE.txt").read_text()
    # The packages of Apple and of the Swift project: Apache 2.0, some with the runtime's exception.
    exception = "Runtime Library Exception" in text
    return {
        "type": "library",
        "bom-ref": url,
        "name": package.name,
        "version": package.version,
        "purl": url,
        "licenses": [{"expression": "Apache-2.0 WITH Swift-exception" if exception else "Apache-2.0"}],
        "externalReferences": [
            {"type": "vcs", "url": package.location, "comment": f"revision {package.revision}"}
        ],
    }


def runtime():
    """Swift's standard library and runtime, which are linked into the program."""
    number = swift_version()
    url = f"pkg:github/swiftlang/swift@swift-{number}-RELEASE"
    return {
        "type": "library",
        "bom-ref": url,
        "name": "swift-runtime",
        "version": number,
        "purl": url,
        "description": "Standard library, concurrency, Dispatch and FoundationEssentials.",
        "licenses": [{"expression": "Apache-2.0 WITH Swift-exception"}],
    }


def document(subject, components, edges):
    """A list: what it is about, its components, and what depends on what."""
    body = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": date().strftime("%Y-%m-%dT%H:%M:%SZ"),
            "tools": {
                "components": [{"type": "application", "name": "deploy/release", "version": version()}]
            },
            "component": subject,
        },
        "components": sorted(components, key=lambda each: each["bom-ref"]),
        "dependencies": [
            {"ref": name, "dependsOn": sorted(targets)} for name, targets in sorted(edges.items())
        ],
    }
    # The number of a list is made from its content, so that the same content has the same number.
    seed = json.dumps(body, sort_keys=True)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, seed)}",
        **body,
    }


def text(value):
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def application(program, kind="application", **members):
    url = f"pkg:generic/{program.name}@{version()}?arch={architecture()}"
    if kind == "container":
        url = f"pkg:oci/{program.name}@{version()}?arch={architecture()}"
    return {
        "type": kind,
        "bom-ref": url,
        "name": program.name,
        "version": version(),
        "purl": url,
        "licenses": [{"expression": LICENCE}],
        **members,
    }


def of_program(program):
    """Of a program: the packages that are linked into it, and the libraries that it loads."""
    hashes = [{"alg": "SHA-256", "content": hashlib.sha256(program.stripped).hexdigest()}]
    subject = application(program, hashes=hashes)
    linked = [*map(swift, program.swift_packages), runtime()]
    packages = {
        package.name: debian(package.name, package.version, package.architecture, package.licences)
        for package in libraries.packages(program.path)[0]
    }
    edges = {
        packages[name]["bom-ref"]: [packages[each]["bom-ref"] for each in targets]
        for name, targets in libraries.dependencies(program.path).items()
        if name
    }
    direct = libraries.dependencies(program.path)[""]
    edges[subject["bom-ref"]] = [each["bom-ref"] for each in linked] + [
        packages[name]["bom-ref"] for name in direct
    ]
    return text(document(subject, [*linked, *packages.values()], edges))


def of_image(program, base):
    """Of the image: what is in the program, and all packages of its Debian."""
    subject = application(program, "container")
    linked = [*map(swift, program.swift_packages), runtime()]
    packages = [debian(name, number, arch, base.licences(name)) for name, number, arch in base.packages]
    inside = application(program)
    edges = {
        subject["bom-ref"]: [inside["bom-ref"], *[each["bom-ref"] for each in packages]],
        inside["bom-ref"]: [each["bom-ref"] for each in linked],
    }
    return text(document(subject, [inside, *linked, *packages], edges))
