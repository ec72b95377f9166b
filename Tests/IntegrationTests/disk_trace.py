"""What a disk may hold after a loss of power, derived from a trace of a process's changes to its files.

A file keeps what was written up to its last sync, and of what came later anything or nothing. A folder keeps
the names that it had at its last sync; of later changes it keeps some, in an order that the file system
chooses. `Disk` plays the trace up to one moment, and `Disk.write` makes a folder of what
a loss of power might leave then, under one of the `MODELS`.
"""

import pathlib

from preload import PreloadLibrary

MODELS = {
    "names-first": "all names, and of each file what was synced",
    "data-first": "the names that were synced, and all data",
    "least": "the names that were synced, and of each file what was synced",
    "torn": "all names, and half of what was written to each file since its sync",
    "random": "a random number of the first changes of names, and of the first writes to each file",
}


class Tracer(PreloadLibrary):
    """The library that writes the trace."""

    source = "disk_trace.c"

    def environment(self, folder, trace):
        """The environment of a process whose changes below the folder are added to the trace."""
        return self.preload | {"DISK_TRACE_FOLDER": str(folder), "DISK_TRACE_FILE": str(trace)}


def read_trace(path):
    """The records of a trace, as tuples; with each, where it ends."""
    data, offset, records = path.read_bytes(), 0, []
    while offset < len(data):
        end = data.index(b"\n", offset)
        what, _, rest = data[offset:end].decode().partition(" ")
        offset = end + 1
        if what == "W":
            inode, at, count = map(int, rest.split(" "))
            records.append((what, inode, at, data[offset:offset + count]))
            offset += count
        elif what in "RXL":
            end = data.index(b"\n", offset)
            records.append((what, rest, data[offset:end].decode()))
            offset = end + 1
        elif what == "C":
            inode, _, name = rest.partition(" ")
            records.append((what, int(inode), name))
        elif what in "TS":
            records.append((what, *map(int, rest.split(" "))))
        else:
            records.append((what, rest))
        records[-1] = (offset, *records[-1])
    return records


class File:
    def __init__(self, data=b""):
        self.synced = bytes(data)
        # Changes since then: where and what was written, or nothing and the new size.
        self.changes = []

    def sync(self):
        self.synced, self.changes = self.content(len(self.changes)), []

    def content(self, count):
        """Its content with the first `count` changes since its last sync."""
        data = bytearray(self.synced)
        for at, written in self.changes[:count]:
            if at is None:
                size = written
                data = data[:size] + bytes(max(0, size - len(data)))
            else:
                data += bytes(max(0, at - len(data)))
                data[at:at + len(written)] = written
        return bytes(data)


class Folder:
    def __init__(self):
        self.names, self.synced = {}, {}


class Disk:
    """Files and folders below a path, as a trace changes them."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.inodes = {}
        self.top = self._load(self.root)
        # Changes of names since their folder's sync: a list of (folder, name, node or nothing) each.
        self.pending = []

    def _load(self, path):
        if not path.is_dir():
            file = File(path.read_bytes())
            self.inodes[path.stat().st_ino] = file
            return file
        folder = Folder()
        for inner in path.iterdir():
            folder.names[inner.name] = self._load(inner)
        folder.synced = dict(folder.names)
        return folder

    def _find(self, path):
        """The folder that holds a path, and the last part of it."""
        parts = pathlib.PurePath(path).relative_to(self.root).parts
        folder = self.top
        for part in parts[:-1]:
            folder = folder.names[part]
        return folder, parts[-1]

    def _folder(self, path):
        folder = self.top
        for part in pathlib.PurePath(path).relative_to(self.root).parts:
            folder = folder.names[part]
        return folder

    def _change(self, *changes):
        for folder, name, node in changes:
            self._set(folder.names, name, node)
        self.pending.append(changes)

    @staticmethod
    def _set(names, name, node):
        if node is None:
            names.pop(name, None)
        else:
            names[name] = node

    def play(self, record):
        _, what, *rest = record
        getattr(self, f"_play_{what}")(*rest)

    def _play_C(self, inode, path):
        self.inodes[inode] = File()
        self._change((*self._find(path), self.inodes[inode]))

    def _play_W(self, inode, at, data):
        self.inodes[inode].changes.append((at, data))

    def _play_T(self, inode, size):
        self.inodes[inode].changes.append((None, size))

    def _play_S(self, inode):
        self.inodes[inode].sync()

    def _play_M(self, path):
        self._change((*self._find(path), Folder()))

    def _play_U(self, path):
        self._change((*self._find(path), None))

    _play_V = _play_U

    def _play_R(self, path, other):
        (folder, name), (place, last) = self._find(path), self._find(other)
        self._change((folder, name, None), (place, last, folder.names[name]))

    def _play_X(self, path, other):
        (folder, name), (place, last) = self._find(path), self._find(other)
        self._change((folder, name, place.names[last]), (place, last, folder.names[name]))

    def _play_L(self, path, other):
        (folder, name), (place, last) = self._find(path), self._find(other)
        self._change((place, last, folder.names[name]))

    def _play_D(self, path):
        synced, left = self._folder(path), []
        for changes in self.pending:
            if any(folder is synced for folder, _, _ in changes):
                for folder, name, node in changes:
                    self._set(folder.synced, name, node)
            else:
                left.append(changes)
        self.pending = left

    # What is left after a loss of power.

    def write(self, model, place, generator):
        """Makes a folder of what the disk may hold now."""
        if model in ("names-first", "torn"):
            names = lambda folder: folder.names  # noqa: E731
        elif model == "random":
            kept = self._first_changes(generator.randint(0, len(self.pending)))
            names = lambda folder: kept.get(folder, folder.synced)  # noqa: E731
        else:
            names = lambda folder: folder.synced  # noqa: E731

        def data(file):
            count = len(file.changes)
            if model == "data-first":
                return file.content(count)
            if model == "random":
                return file.content(generator.randint(0, count))
            if model == "torn" and count:
                whole, before = file.content(count), file.content(count - 1)
                at, _ = file.changes[-1]
                return before if at is None else whole[:max(len(file.synced), (at + len(whole)) // 2)]
            return file.synced

        self._write(self.top, pathlib.Path(place), names, data)

    def _first_changes(self, count):
        kept = {}
        for changes in self.pending[:count]:
            for folder, name, node in changes:
                if folder not in kept:
                    kept[folder] = dict(folder.synced)
                self._set(kept[folder], name, node)
        return kept

    def _write(self, folder, place, names, data):
        place.mkdir(mode=0o700)
        for name, node in names(folder).items():
            if isinstance(node, Folder):
                self._write(node, place / name, names, data)
            else:
                (place / name).write_bytes(data(node))
