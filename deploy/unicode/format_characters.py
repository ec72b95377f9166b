#!/usr/bin/env python3
"""Writes Sources/Base/Basics/ReloadModel/FormatCharacterTable.swift from Unicode's UnicodeData.txt.

On Debian:  apt install unicode-data
            deploy/unicode/format_characters.py > Sources/Base/Basics/ReloadModel/FormatCharacterTable.swift
"""

import argparse
import re


def version(path):
    """The version of Unicode, which only files beside UnicodeData.txt name."""
    with open(path, encoding="utf-8") as file:
        return re.match(r"# CaseFolding-([\d.]+)\.txt", file.readline())[1]


def runs(path, category):
    """The scalars of a category as runs (first, last), as long as possible."""
    result = []
    with open(path, encoding="utf-8") as file:
        for fields in (line.split(";") for line in file):
            if fields[2] != category:
                continue
            scalar = int(fields[0], 16)
            if result and result[-1][1] == scalar - 1:
                result[-1] = (result[-1][0], scalar)
            else:
                result.append((scalar, scalar))
    return result


def grouped(number):
    """A hexadecimal literal with its digits in groups of four."""
    digits = f"{number:04x}"
    return "0x" + (f"{digits[:-4]:0>4}_" if len(digits) > 4 else "") + digits[-4:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", default="/usr/share/unicode")
    folder = parser.parse_args().folder
    found = runs(f"{folder}/UnicodeData.txt", "Cf")
    print(f"""\
/// The format characters (category Cf) of Unicode {version(f"{folder}/CaseFolding.txt")}.
///
/// Written by `deploy/unicode/format_characters.py` from UnicodeData.txt.
enum FormatCharacterTable {{
    /// Whether a scalar is one of the {sum(last - first + 1 for first, last in found)}: they are in \
{len(found)} runs.
    static func contains(_ scalar: UInt32) -> Bool {{
        switch scalar {{""")
    for first, last in found:
        print(f"        case {grouped(first)}...{grouped(last)}: true")
    print("        default: false\n        }\n    }\n}")


if __name__ == "__main__":
    main()
