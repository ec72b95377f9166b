"""A C library that replaces functions of the system's C library in the router under test (LD_PRELOAD)."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent


class PreloadLibrary:
    """A C file of this folder, compiled; use it with `with`, which deletes the library at its end.

    Without a C compiler the tests that need it are skipped.
    """

    # The name of the C file. What it does is set by environment variables, which its subclass knows.
    source = None

    def __enter__(self):
        compiler = shutil.which("clang") or shutil.which("cc")
        if not compiler:
            raise unittest.SkipTest("there is no C compiler")
        self._folder = tempfile.TemporaryDirectory()
        library = pathlib.Path(self._folder.name) / pathlib.Path(self.source).with_suffix(".so").name
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / self.source, "-ldl"],
                       check=True)
        self.preload = {"LD_PRELOAD": str(library)}
        return self

    def __exit__(self, *_):
        self._folder.cleanup()
