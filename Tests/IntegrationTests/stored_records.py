"""Changes records of a store that no router uses, with the libraries that the
router itself is linked with: its files are whole again afterwards.

The layouts are those of protocol/store.md.
"""

import ctypes
import ctypes.util
import pathlib
import struct
import unittest

BLOCK = 1 << 16
SEGMENT_HEADER, GROUP_HEADER = 48, 32


def library(name):
    found = ctypes.util.find_library(name)
    if not found:
        raise unittest.SkipTest(f"there is no library {name}")
    return ctypes.CDLL(found)


def checksum(data, seed=0):
    """XXH3 with 64 bits."""
    function = library("xxhash").XXH3_64bits_withSeed
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
    return function(bytes(data), len(data), seed)


def sealed(data):
    """The data, preceded by its checksum."""
    return struct.pack("<Q", checksum(data)) + data


def file_checksum(data):
    """The checksum of a file of the table: each block is seeded with the checksum of the blocks before it."""
    found = 0
    for start in range(0, len(data), BLOCK):
        found = checksum(data[start:start + BLOCK], found)
    return found


class Contents:
    """The file CONTENTS."""

    def __init__(self, path):
        self.path = path
        data = path.read_bytes()
        assert struct.unpack_from("<Q", data)[0] == checksum(data[8:]), "CONTENTS is whole"
        self.head = data[8:32]
        self.end = struct.unpack_from("<QQ", data, 32)
        count, = struct.unpack_from("<I", data, 48)
        self.segments = [struct.unpack_from("<QQ", data, 52 + 16 * n) for n in range(count)]
        self.table, self.position = struct.unpack_from("<QQ", data, 52 + 16 * count)
        self.files, self.boot = data[68 + 16 * count:-16], data[-16:]

    def list_files(self, folder):
        paths = sorted(path for path in folder.iterdir() if path.is_file())
        self.files = struct.pack("<I", len(paths))
        for path in paths:
            data = path.read_bytes()
            self.files += struct.pack("<B", len(path.name)) + path.name.encode()
            self.files += struct.pack("<QQ", len(data), file_checksum(data))

    def write(self):
        data = self.head + struct.pack("<QQI", *self.end, len(self.segments))
        for segment in self.segments:
            data += struct.pack("<QQ", *segment)
        data += struct.pack("<QQ", self.table, self.position) + self.files + self.boot
        self.path.write_bytes(sealed(data))


class Segment:
    """A file of the journal, without what is not whole at its end."""

    def __init__(self, path):
        self.path = path
        data = path.read_bytes()
        self.fields, self.parent = data[8:40], struct.unpack_from("<Q", data, 40)[0]
        self.groups, offset = [], SEGMENT_HEADER
        while offset + GROUP_HEADER <= len(data):
            length, _, position = struct.unpack_from("<IIQ", data, offset + 8)
            start = offset + GROUP_HEADER
            if start + length > len(data):
                break
            self.groups.append((position, bytearray(data[start:start + length])))
            offset = start + length

    def write(self, parent):
        """Returns the checksums of the header and of what stands last."""
        data = sealed(self.fields + struct.pack("<Q", parent))
        header = last = struct.unpack_from("<Q", data)[0]
        for position, records in self.groups:
            fields = struct.pack("<IIQQ", len(records), header >> 32, position, last)
            last = checksum(fields, checksum(records))
            data += struct.pack("<Q", last) + fields + records
        self.path.write_bytes(data)
        return header, last


class StoredRecords:
    """The records of a store in a folder; use it with `with`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    @property
    def _contents(self):
        return Contents(self.folder / "CONTENTS")

    @property
    def noted(self):
        """The position up to which the journal is noted as being on the disk."""
        return self._contents.end[0]

    def set_version(self, version):
        """Makes the store one of another version of the format."""
        path = self.folder / "STORE"
        path.write_bytes(sealed(struct.pack("<I", version) + path.read_bytes()[12:]))

    def note_end(self, position):
        """Makes the store record that its router ended at this record."""
        contents = self._contents
        contents.end = (position, 0)
        contents.write()

    # The journal.

    def break_journal(self, position):
        """Flips a bit in the body of a record of the journal."""
        segments = [Segment(path) for path in sorted((self.folder / "journal").iterdir())]
        places = [place for segment in segments for place in self._records(segment)]
        (records, offset), = ((r, offset) for found, r, offset in places if found == position)
        records[offset + 32] ^= 1
        contents, last = self._contents, segments[0].parent
        for index, segment in enumerate(segments):
            header, last = segment.write(last)
            contents.segments[index] = (contents.segments[index][0], header)
        contents.end = (contents.segments[0][0] - 1, 0)
        contents.write()

    @staticmethod
    def _records(segment):
        """Position, group and place in it of each record."""
        for _, records in segment.groups:
            offset = 0
            while offset < len(records):
                length, _, position = struct.unpack_from("<IIQ", records, offset + 8)
                yield position, records, offset
                offset += 32 + length

    # The table.

    def break_table(self, type):
        """Flips a bit in the newest record of that type; returns number and checkpoint."""
        with SealedTable(self._contents) as table:
            key, value = table.records(type)[0]
            broken = bytearray(value)
            broken[-1] ^= 1
            table.put(key, broken)
        _, number, epoch, _ = struct.unpack(">BIIH", key)
        return number, epoch ^ 0xffffffff

    def change_table(self, type, change):
        """Replaces the body of the newest record of that type; its checksum is right again."""
        with SealedTable(self._contents) as table:
            key, value = table.records(type)[0]
            rest = value[8:10] + change(value[10:])
            table.put(key, struct.pack("<Q", checksum(rest, checksum(key))) + rest)

    def delete_table(self, type):
        """Deletes all records of that type."""
        with SealedTable(self._contents) as table:
            for key, _ in table.records(type):
                table.delete(key)


class SealedTable:
    """The table as it was sealed last, changed in its place by RocksDB.

    Records that a newer checkpoint has replaced are deleted first: their router may have been ended
    before it did so.
    """

    def __init__(self, contents):
        self.contents = contents
        self.folder = contents.path.parent / f"sealed-{contents.table}"

    def __enter__(self):
        self._rocks = library("rocksdb")
        for name in ("open", "options_create", "writeoptions_create", "readoptions_create",
                     "create_iterator", "flushoptions_create", "iter_key", "iter_value"):
            getattr(self._rocks, "rocksdb_" + name).restype = ctypes.c_void_p
        self._rocks.rocksdb_iter_valid.restype = ctypes.c_ubyte
        self._database = ctypes.c_void_p(
            self._call("open", self._options("options_create"), str(self.folder).encode()))
        newest = {}
        for key, _ in self.records():
            type, number, epoch, _ = struct.unpack(">BIIH", key)
            if newest.setdefault((type, number), epoch) != epoch:
                self.delete(key)
        return self

    def __exit__(self, *_):
        self._rocks.rocksdb_close(self._database)
        self.contents.list_files(self.folder)
        self.contents.write()

    def _options(self, name):
        return ctypes.c_void_p(getattr(self._rocks, "rocksdb_" + name)())

    def _call(self, name, *arguments):
        """Calls a function that stores its error in the last argument."""
        error = ctypes.c_char_p()
        result = getattr(self._rocks, "rocksdb_" + name)(*arguments, ctypes.byref(error))
        assert not error.value, error.value
        return result

    def records(self, type=None):
        """The keys and values of all records, or of a type, the newest of each number first."""
        rocks = self._rocks
        iterator = ctypes.c_void_p(
            rocks.rocksdb_create_iterator(self._database, self._options("readoptions_create")))
        found, count = [], ctypes.c_size_t()
        rocks.rocksdb_iter_seek_to_first(iterator)
        while rocks.rocksdb_iter_valid(iterator):
            pair = []
            for part in (rocks.rocksdb_iter_key, rocks.rocksdb_iter_value):
                base = part(iterator, ctypes.byref(count))
                pair.append(ctypes.string_at(base, count.value))
            found.append(tuple(pair))
            rocks.rocksdb_iter_next(iterator)
        rocks.rocksdb_iter_destroy(iterator)
        return [pair for pair in found if type in (None, pair[0][0])]

    def put(self, key, value):
        self._write("put", key, ctypes.c_size_t(len(key)), bytes(value),
                    ctypes.c_size_t(len(value)))

    def delete(self, key):
        self._write("delete", key, ctypes.c_size_t(len(key)))

    def _write(self, name, *arguments):
        self._call(name, self._database, self._options("writeoptions_create"), *arguments)
        self._call("flush", self._database, self._options("flushoptions_create"))
