"""A program without symbols, and its symbols, in bytes that depend on its code alone.

A build in another folder makes the same code, but another build id, which the linker makes from everything.
Two things in it name the folder: hashes by which the compiler finds out what to build again
(.swift_modhash), and, in the debugger's descriptions of types, paths of the compiler's cache. The first are
overwritten with zeros, the second are left out, and the build id is made again, from the program's code."""

import hashlib
import pathlib
import re
import tempfile

from facts import output

#: Parts that nothing reads when the program runs.
UNUSED = (".swift_ast", ".comment")
HASHES = ".swift_modhash"
BUILD_ID = ".note.gnu.build-id"
#: The header of the note with the build id: lengths, type, and the name "GNU".
HEADER = 16


def split(path):
    """The program without symbols, and the symbols, as bytes. They belong to each other by the build id."""
    removed = [f"--remove-section={name}" for name in UNUSED]
    with tempfile.TemporaryDirectory() as folder:
        program, symbols = pathlib.Path(folder) / "program", pathlib.Path(folder) / "symbols"
        output("objcopy", "--strip-all", *removed, path, program)
        # Names of functions and their places; no descriptions of types and variables.
        output("objcopy", "--strip-debug", *removed, path, symbols)
        output("objcopy", "--only-keep-debug", symbols)
        places = [build_id_place(file) for file in (program, symbols)]
        contents = [bytearray(file.read_bytes()) for file in (program, symbols)]
        # Not removed: it lies among the parts that become read-only at the start (RELRO).
        hashes = section(program, HASHES)
    contents[0][hashes] = bytes(hashes.stop - hashes.start)
    for content, place in zip(contents, places):
        content[place] = bytes(place.stop - place.start)
    number = hashlib.sha1(contents[0]).digest()
    for content, place in zip(contents, places):
        content[place] = number
    return tuple(map(bytes, contents))


def section(path, name):
    """Where in a file a section's bytes are; nowhere if the file has none of that name."""
    listed = output("readelf", "--sections", "--wide", path)
    match = re.search(rf" {re.escape(name)} +(?:NOTE|PROGBITS) +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)", listed)
    start, size = (int(match[1], 16), int(match[2], 16)) if match else (0, 0)
    return slice(start, start + size)


def build_id_place(path):
    """Where in a file the 20 bytes of its build id are."""
    note = section(path, BUILD_ID)
    return slice(note.start + HEADER, note.stop)
