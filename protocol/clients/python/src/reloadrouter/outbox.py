"""A file of pushes that are not settled, for a sender that may crash."""

from __future__ import annotations

import logging
import os
import struct
import threading
import zlib
from collections.abc import Iterable
from contextlib import suppress

from .frames import HEADER, encode_json

try:
    import fcntl
except ImportError:  # A system without such locks.
    fcntl = None  # type: ignore[assignment]

_RECORD = struct.Struct(">II")  # bytes of the frame, their CRC-32
_MAGIC = b"reloadrouter outbox 1 "


class OutboxError(OSError):
    """An outbox cannot be used: another process uses it, or it belongs to another producer."""


class Outbox:
    """PUSH frames in the order of their numbers, each with its length and checksum.

    A frame that `append` has written outlives the end of the process, and when a thread has synchronised the file
    (after `interval` seconds) also that of the machine. A half-written one is dropped when the file is opened.
    """

    SLACK_BYTES = 4 << 20
    """Bytes of settled pushes beyond which the file is written anew."""

    def __init__(self, path: str | os.PathLike[str], app: str, producer: str, interval: float) -> None:
        self._interval = interval
        self._path = os.fspath(path)
        self._head = _MAGIC + encode_json({"app": app, "producer": producer}) + b"\n"
        self._file = self._open(self._path)
        self._changing = threading.Lock()  # while the file is synchronised, exchanged or closed
        self._is_dirty, self._ended = threading.Event(), threading.Event()
        self._is_new = True  # its name may not be on the disk yet
        try:
            self.frames = self._read()
        except BaseException:
            os.close(self._file)
            raise
        self._thread = threading.Thread(target=self._synchronise, name="reloadrouter outbox", daemon=True)
        self._thread.start()

    def _open(self, path: str, flags: int = 0) -> int:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | flags | getattr(os, "O_BINARY", 0), 0o600)
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(file)
                raise OutboxError(f"{path} is used by another client") from error
        return file

    def _read(self) -> list[tuple[int, bytes]]:
        with open(self._file, "rb", closefd=False) as file:
            data = file.read()
        if not data.startswith(self._head):
            if not self._head.startswith(data):  # Else it is empty, or was cut while its first line was written.
                raise OutboxError(f"{self._path} is not an outbox of this producer")
            self._write_anew(())
            return []
        frames, at = [], len(self._head)
        while len(data) - at > _RECORD.size:
            length, checksum = _RECORD.unpack_from(data, at)
            frame = data[at + _RECORD.size : at + _RECORD.size + length]
            if len(frame) < max(length, HEADER.size) or zlib.crc32(frame) != checksum:
                break
            at += _RECORD.size + length
            frames.append((HEADER.unpack_from(frame)[4], frame))
        self._truncate(at)
        return frames

    def _truncate(self, size: int) -> None:
        os.ftruncate(self._file, size)
        self._size = size

    def append(self, frame: bytes) -> None:
        """Writes a frame; if that fails, the file is as before."""
        record = _RECORD.pack(len(frame), zlib.crc32(frame)) + frame
        try:
            if os.write(self._file, record) < len(record):
                raise OutboxError("the disk is full")
        except OSError:
            self._truncate(self._size)
            raise
        self._size += len(record)
        self._is_dirty.set()

    def settle(self, frames: Iterable[bytes], count: int, byte_count: int) -> None:
        """Drops settled pushes: all, or, when they take much room, all but these frames."""
        if count == 0 and self._size > len(self._head):
            self._truncate(len(self._head))
        elif self._size - byte_count - count * _RECORD.size > self.SLACK_BYTES + byte_count:
            with suppress(OSError):  # The present file has all pushes; it is only longer.
                self._write_anew(frames)

    def _write_anew(self, frames: Iterable[bytes]) -> None:
        data = b"".join((self._head, *(_RECORD.pack(len(frame), zlib.crc32(frame)) + frame for frame in frames)))
        file = self._open(self._path + ".new", os.O_TRUNC)
        try:
            with open(file, "wb", closefd=False) as output:
                output.write(data)
            os.fsync(file)
            os.replace(self._path + ".new", self._path)
        except OSError:
            os.close(file)
            raise
        with self._changing:
            os.close(self._file)
            self._file, self._size, self._is_new = file, len(data), True

    def _synchronise(self) -> None:
        while not self._ended.wait(self._interval):
            self._is_dirty.wait()
            self._is_dirty.clear()
            try:
                with self._changing:
                    os.fsync(self._file)
                if self._is_new and os.name == "posix":
                    self._is_new = False
                    folder = os.open(os.path.dirname(os.path.abspath(self._path)), os.O_RDONLY)
                    try:
                        os.fsync(folder)  # It has the name of the file.
                    finally:
                        os.close(folder)
            except OSError:
                logging.getLogger("reloadrouter").exception("%s is not on the disk", self._path)

    def forked(self) -> None:
        """Leaves the file to the parent process; called in the child after a fork."""
        os.close(self._file)

    def close(self) -> None:
        """Ends the use of the file, which keeps what is not settled."""
        self._ended.set()
        self._is_dirty.set()
        self._thread.join()
        os.close(self._file)
