"""Changes records of a store that no router uses, behind its back, with the libraries that the
router itself is linked with.

The layouts are those of the comments in Sources/Steps/StoreFormat and Sources/Adapters/DurableStore.
"""

import ctypes
import ctypes.util
import struct
import unittest


def library(name):
    found = ctypes.util.find_library(name)
    if not found:
        raise unittest.SkipTest(f"there is no library {name}")
    return ctypes.CDLL(found)


def checksum(data):
    """XXH3 with 64 bits."""
    function = library("xxhash").XXH3_64bits
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return function(bytes(data), len(data))


class StoredRecords:
    """The records of a store in a folder; use it with `with`."""

    def __init__(self, folder):
        self._rocks = library("rocksdb")
        for name in ("open_column_families", "options_create", "list_column_families",
                     "writeoptions_create", "readoptions_create", "create_iterator_cf",
                     "flushoptions_create", "iter_key", "iter_value"):
            getattr(self._rocks, "rocksdb_" + name).restype = ctypes.c_void_p
        self._rocks.rocksdb_iter_valid.restype = ctypes.c_ubyte
        self._open(str(folder).encode())

    def _call(self, name, *arguments):
        """Calls a function that leaves its error behind the last argument."""
        error = ctypes.c_char_p()
        result = getattr(self._rocks, "rocksdb_" + name)(*arguments, ctypes.byref(error))
        assert not error.value, error.value
        return result

    def _open(self, path):
        options = ctypes.c_void_p(self._rocks.rocksdb_options_create())
        count = ctypes.c_size_t()
        names = self._call("list_column_families", options, path, ctypes.byref(count))
        self._names = list(ctypes.cast(names, ctypes.POINTER(ctypes.c_char_p))[:count.value])
        families = (ctypes.c_void_p * count.value)()
        self._database = ctypes.c_void_p(self._call(
            "open_column_families", options, path, count.value,
            (ctypes.c_char_p * count.value)(*self._names),
            (ctypes.c_void_p * count.value)(*[options.value] * count.value), families))
        self._families = {name: ctypes.c_void_p(family)
                          for name, family in zip(self._names, families)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for family in self._families.values():
            self._rocks.rocksdb_column_family_handle_destroy(family)
        self._rocks.rocksdb_close(self._database)

    def records(self, family):
        """The keys and values of a column family, in their order."""
        rocks = self._rocks
        options = ctypes.c_void_p(rocks.rocksdb_readoptions_create())
        iterator = ctypes.c_void_p(
            rocks.rocksdb_create_iterator_cf(self._database, options, self._families[family]))
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
        rocks.rocksdb_readoptions_destroy(options)
        return found

    def put(self, family, key, value):
        self._write("put_cf", family, key, ctypes.c_size_t(len(key)), bytes(value),
                    ctypes.c_size_t(len(value)))

    def _write(self, name, family, *arguments):
        options = ctypes.c_void_p(self._rocks.rocksdb_writeoptions_create())
        self._call(name, self._database, options, self._families[family], *arguments)
        flush = ctypes.c_void_p(self._rocks.rocksdb_flushoptions_create())
        self._call("flush_cf", self._database, flush, self._families[family])

    # What the tests do with them.

    def set_version(self, version):
        """Makes the store one of another version of the format."""
        (key, value), = (r for r in self.records(b"default") if r[0] == b"format")
        rest = struct.pack("<I", version) + value[12:]
        self.put(b"default", key, struct.pack("<Q", checksum(rest)) + rest)

    def note_end(self, position):
        """Lets the store say that its router ended at this record."""
        rest = struct.pack("<QQ", position, 0)
        self.put(b"default", b"end", struct.pack("<Q", checksum(rest)) + rest)

    def break_journal(self, position):
        """Flips a bit in the body of a record of the journal."""
        for family in self._names:
            if not family.startswith(b"journal-"):
                continue
            for key, value in self.records(family):
                offset = 0
                while offset < len(value):
                    length, = struct.unpack_from("<I", value, offset + 8)
                    found, = struct.unpack_from("<Q", value, offset + 16)
                    if found == position:
                        broken = bytearray(value)
                        broken[offset + 32] ^= 1
                        return self.put(family, key, broken)
                    offset += 32 + length
        raise AssertionError(f"there is no record {position}")

    def table(self, type):
        """The keys and values of all records of that type, the newest of each number first."""
        return [(key, value) for key, value in self.records(b"state") if key[0] == type]

    def break_table(self, type):
        """Flips a bit in the newest record of that type; returns number and checkpoint."""
        key, value = self.table(type)[0]
        broken = bytearray(value)
        broken[-1] ^= 1
        self.put(b"state", key, broken)
        _, number, epoch, _ = struct.unpack(">BIIH", key)
        return number, epoch ^ 0xffffffff

    def delete_table(self, type):
        """Deletes all records of that type."""
        for key, _ in self.table(type):
            self._write("delete_cf", b"state", key, ctypes.c_size_t(len(key)))
