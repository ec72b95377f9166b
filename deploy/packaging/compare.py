#!/usr/bin/env python3
"""Compares the artifacts of two builds, byte for byte; ends with 1 if they differ.

compare.py FOLDER OTHER"""

import pathlib
import subprocess
import sys


def sections(path):
    """The sections of a program, with their contents, by name."""
    listed = subprocess.run(["readelf", "--sections", "--wide", path], capture_output=True, text=True).stdout
    names = [
        line.split("]")[1].split()[0]
        for line in listed.splitlines()
        if line.strip().startswith("[") and len(line.split("]")[1].split()) > 6
    ]
    found = {}
    for name in names:
        done = subprocess.run(
            ["objcopy", "--dump-section", f"{name}=/dev/stdout", path, "/dev/null"], capture_output=True
        )
        found[name] = done.stdout
    return found


def first_difference(one, other):
    """The offset of the first byte that differs, with the bytes around it."""
    for offset, (left, right) in enumerate(zip(one, other)):
        if left != right:
            start = max(0, offset - 16)
            return f"at byte {offset}: {one[start:offset + 32]!r}, {other[start:offset + 32]!r}"
    return f"one has {len(one)} bytes, the other {len(other)}"


def main():
    one, other = map(pathlib.Path, sys.argv[1:3])
    names = {path.name for path in one.iterdir()} | {path.name for path in other.iterdir()}
    different = 0
    for name in sorted(names):
        left, right = (
            (folder / name).read_bytes() if (folder / name).exists() else None for folder in (one, other)
        )
        if left == right:
            print(f"same bytes   {name}")
            continue
        different += 1
        if left is None or right is None:
            print(f"DIFFERENT    {name}: only in {other if left is None else one}")
        else:
            print(f"DIFFERENT    {name}: {first_difference(left, right)}")
    if different:
        explain()
        sys.exit(f"{different} of {len(names)} artifacts differ between the two builds")
    print(f"Both builds made the same bytes: {len(names)} artifacts.")


def explain():
    """Prints in which sections the programs themselves differ, if they do."""
    programs = sorted(pathlib.Path(".build/release-work").glob("*/build/release/reload-*[a-z]"))
    by_name = {}
    for path in programs:
        if path.is_file():
            by_name.setdefault(path.name, []).append(path)
    for name, paths in by_name.items():
        if len(paths) != 2:
            continue
        left, right = map(sections, paths)
        for section in sorted(left.keys() | right.keys()):
            if left.get(section) != right.get(section):
                print(
                    f"    {name}, section {section}: "
                    f"{first_difference(left.get(section, b''), right.get(section, b''))}"
                )


if __name__ == "__main__":
    main()
