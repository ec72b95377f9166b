"""Kills a router, or lets its disk fail, at the nth change that it makes to a folder's files."""

from preload import PreloadLibrary


class FileFaults(PreloadLibrary):
    """The library that makes the faults."""

    source = "file_faults.c"

    def environment(self, folder, kind="none", at=0, log=None, times=None):
        """The environment of a process with this fault at change number `at` below the folder."""
        found = self.preload | {"FILE_FAULTS_FOLDER": str(folder), "FILE_FAULTS_KIND": kind,
                                "FILE_FAULTS_AT": str(at)}
        if times:
            found["FILE_FAULTS_TIMES"] = str(times)
        return found | ({"FILE_FAULTS_LOG": str(log)} if log else {})
