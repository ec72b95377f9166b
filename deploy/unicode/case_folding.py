#!/usr/bin/env python3
"""Writes Sources/Steps/EventPatterns/Operators/CaseFoldingTable.swift from Unicode's CaseFolding.txt.

On Debian:  apt install unicode-data
            deploy/unicode/case_folding.py > Sources/Steps/EventPatterns/Operators/CaseFoldingTable.swift
"""

import argparse
import re

SIMPLE = ("C", "S")  # common and simple; not F (full, several letters) and T (Turkic)


def read_mappings(path):
    """The version, and what each scalar is folded to."""
    version, mappings = None, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if match := re.match(r"# CaseFolding-([\d.]+)\.txt", line):
                version = match[1]
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if len(fields) >= 3 and fields[1] in SIMPLE:
                mappings[int(fields[0], 16)] = int(fields[2], 16)
    return version, mappings


def ranges(mappings):
    """Runs (first, last, delta, stride) that share their delta, as long as possible."""
    result = []
    for scalar in sorted(mappings):
        delta = mappings[scalar] - scalar
        if result:
            first, last, run_delta, stride = result[-1]
            step = scalar - last
            fits = first == last and step in (1, 2) or step == stride
            if run_delta == delta and fits:
                result[-1] = (first, scalar, delta, step)
                continue
        result.append((scalar, scalar, delta, 1))
    return result


def grouped(number):
    """A hexadecimal literal with its digits in groups of four."""
    digits = f"{number:04x}"
    return "0x" + (f"{digits[:-4]:0>4}_" if len(digits) > 4 else "") + digits[-4:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", default="/usr/share/unicode/CaseFolding.txt")
    version, mappings = read_mappings(parser.parse_args().file)
    rows = ranges(mappings)
    print(f"""\
// Made from CaseFolding.txt, status C and S, by `deploy/unicode/case_folding.py`.

/// Simple case folding of Unicode {version}.
enum CaseFoldingTable {{
    /// Scalars that are folded, in ascending order: {len(mappings)} in {len(rows)} runs, of which each
    /// has four numbers (`CaseFoldingRun`).
    static let numbers: [Int32] = [""")
    # Three runs to a line, or two of long numbers.
    short = sum(last < 0x10000 for _, last, _, _ in rows)
    starts = [*range(0, short, 3), *range(short, len(rows), 2), len(rows)]
    for start, end in zip(starts, starts[1:]):
        runs = [f"{grouped(a)}, {grouped(b)}, {delta}, {step}," for a, b, delta, step in rows[start:end]]
        print("        " + " ".join(runs))
    print("    ]\n}")


if __name__ == "__main__":
    main()
