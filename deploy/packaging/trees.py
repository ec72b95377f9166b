"""Files that become an archive whose bytes depend on nothing but the files: not on the order in which a
folder lists them, on who owns them here, or on when they were made."""

import dataclasses
import io
import pathlib
import tarfile


@dataclasses.dataclass(frozen=True)
class Entry:
    """A file, a symbolic link (`target`), or a folder (neither `data` nor `target`)."""

    mode: int
    data: bytes | None = None
    target: str | None = None
    owner: int = 0


class Tree:
    """Entries by path. Folders above an entry exist by themselves."""

    def __init__(self):
        self.entries = {}

    def file(self, path, content, mode=0o644, owner=0):
        """Adds a file; the content is bytes, a text, or the path of a file to copy."""
        if isinstance(content, pathlib.Path):
            content = content.read_bytes()
        elif isinstance(content, str):
            content = content.encode()
        self.entries[path] = Entry(mode, data=content, owner=owner)

    def folder(self, path, mode=0o755, owner=0):
        self.entries[path] = Entry(mode, owner=owner)

    def complete(self):
        """All entries in order, with the folders above them."""
        found = dict(self.entries)
        for path in self.entries:
            for parent in list(pathlib.PurePosixPath(path).parents)[:-1]:
                found.setdefault(str(parent), Entry(0o755))
        return sorted(found.items())

    def tar(self, epoch, prefix=""):
        """The bytes of a tar archive."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for path, entry in self.complete():
                info = tarfile.TarInfo(prefix + path)
                info.mode, info.mtime, info.uid, info.gid = entry.mode, epoch, entry.owner, entry.owner
                if entry.data is not None:
                    info.size = len(entry.data)
                    archive.addfile(info, io.BytesIO(entry.data))
                else:
                    info.type = tarfile.DIRTYPE if entry.target is None else tarfile.SYMTYPE
                    info.linkname = entry.target or ""
                    archive.addfile(info)
        return buffer.getvalue()

    def write(self, folder):
        """Writes everything below a folder, with modes and without owners."""
        for path, entry in self.complete():
            place = folder / path
            if entry.data is None:
                place.mkdir(parents=True, exist_ok=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(entry.data)
            place.chmod(entry.mode)
