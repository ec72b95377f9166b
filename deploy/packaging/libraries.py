"""The libraries that a program loads when it starts, and the Debian packages that they come from."""

import dataclasses
import functools
import pathlib
import re
import subprocess

from facts import output


@dataclasses.dataclass(frozen=True, order=True)
class Package:
    """An installed Debian package. `licences` is empty if its copyright file has no form that is read by
    programs."""

    name: str
    version: str
    architecture: str
    source: str
    licences: tuple


def needed(program):
    """The names of the libraries that a program or library itself names, not those that these need."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", "--wide", program))


@functools.cache
def loaded(program):
    """Paths of all libraries that the program loads, by the name under which they are asked for."""
    found = {}
    for line in output("ldd", program).splitlines():
        match = re.match(r"\s*(?:(\S+) => )?(/\S+) \(0x", line)
        if match:
            found[match[1] or pathlib.Path(match[2]).name] = pathlib.Path(match[2])
    return found


@functools.cache
def owners(program):
    """The Debian packages that installed the libraries that a program loads, by the libraries' names. Swift's
    own libraries are in none."""
    # A package may know its file by the path before or after /lib became a link to /usr/lib.
    names = {}
    for name, path in loaded(program).items():
        for place in {str(path), str(path.resolve())}:
            names[place.removeprefix("/usr")] = names[f"/usr{place.removeprefix('/usr')}"] = name
    done = subprocess.run(["dpkg-query", "--search", *sorted(names)], capture_output=True, text=True)
    found = {}
    for line in done.stdout.splitlines():
        package, _, place = line.partition(": ")
        if place in names and not line.startswith("diversion "):
            found[names[place]] = describe(package.split(",")[0])
    return found


@functools.cache
def describe(name):
    """An installed package."""
    fields = output(
        "dpkg-query",
        "--show",
        "--showformat",
        r"${binary:Package}\t${Version}\t${Architecture}\t${source:Package}\n",
        name,
    ).splitlines()[0]
    full, version, architecture, source = fields.split("\t")
    plain = full.split(":")[0]
    return Package(
        plain, version, architecture, source, licences(pathlib.Path(f"/usr/share/doc/{plain}/copyright"))
    )


def licences(path):
    """The names of the licences in a copyright file of Debian's machine-readable form, sorted."""
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return ()
    if not re.match(r"\s*Format: *https?://.*copyright-format", text):
        return ()
    found = {" ".join(name.split()) for name in re.findall(r"(?m)^License:[ \t]*(\S.*)$", text)}
    return tuple(sorted(found))


def packages(program):
    """The packages of all libraries that a program loads, and the libraries that are in no package."""
    found = owners(program)
    return sorted(set(found.values())), sorted(loaded(program).keys() - found.keys())


@functools.cache
def dependencies(program):
    """For the program (under the name "") and for each package of its libraries: the names of the packages
    of the libraries that it names itself."""
    found = owners(program)
    edges = {}
    for origin, names in [("", needed(program))] + [
        (package.name, needed(loaded(program)[name])) for name, package in found.items()
    ]:
        targets = {found[name].name for name in names if name in found}
        edges.setdefault(origin, set()).update(targets - {origin})
    return {name: sorted(targets) for name, targets in sorted(edges.items())}
