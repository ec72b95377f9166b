"""A router that is killed, or whose disk fails, at the nth change that it makes to a folder's files."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).parent / "file_faults.c"


class FileFaults:
    """The library of file_faults.c, compiled; use it with `with`."""

    def __init__(self):
        self._compiler = shutil.which("clang") or shutil.which("cc")
        if not self._compiler:
            raise unittest.SkipTest("there is no C compiler")

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        self._library = pathlib.Path(self._folder.name) / "file_faults.so"
        subprocess.run([self._compiler, "-shared", "-fPIC", "-O1", "-o", self._library, SOURCE,
                        "-ldl"], check=True)
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def environment(self, folder, kind="none", at=0, log=None, times=None):
        """The environment of a process with this fault at change number `at` below the folder."""
        found = {"LD_PRELOAD": str(self._library), "FILE_FAULTS_FOLDER": str(folder),
                 "FILE_FAULTS_KIND": kind, "FILE_FAULTS_AT": str(at)}
        if times:
            found["FILE_FAULTS_TIMES"] = str(times)
        return found | ({"FILE_FAULTS_LOG": str(log)} if log else {})
