"""The Swift packages whose code is in a program, by what the linker was given."""

import dataclasses
import json
import pathlib
import re


@dataclasses.dataclass(frozen=True, order=True)
class SwiftPackage:
    """A package at the version that was linked; `folder` is its checkout."""

    name: str
    version: str
    revision: str
    location: str
    folder: pathlib.Path


def linked(scratch, program):
    """The packages of all objects that were linked into a program of a build.

    - scratch: the build's folder, with `checkouts` and `workspace-state.json`.
    """
    state = json.loads((scratch / "workspace-state.json").read_text())["object"]["dependencies"]
    checkouts = {entry["subpath"]: entry for entry in state}
    release = program.parent
    objects = (release / f"{program.name}.product" / "Objects.LinkFileList").read_text()
    found = set()
    for target in sorted(set(re.findall(r"/([^/]+)\.build/", objects))):
        name = origin(release / f"{target}.build")
        if name is None:
            continue
        entry = checkouts[name]
        found.add(
            SwiftPackage(
                name,
                entry["state"]["checkoutState"]["version"],
                entry["state"]["checkoutState"]["revision"],
                entry["packageRef"]["location"].removesuffix(".git"),
                scratch / "checkouts" / name,
            )
        )
    return sorted(found)


def origin(folder):
    """The checkout that a target's sources are in; None for a target of this project."""
    listed = folder / "sources"
    texts = [listed] if listed.exists() else folder.rglob("*.d")
    for text in texts:
        match = re.search(r"/checkouts/([^/]+)/", text.read_text())
        if match:
            return match[1]
    return None
