"""What the tests of deploy/ share: where it is, and the tools that judge it."""

import importlib.util
import os
import shutil
import subprocess
import sys

from support import CHECKOUT, PATIENCE

DEPLOY = CHECKOUT / "deploy"
#: Where deploy/test installs packages from PyPI; searched after those of this Python.
TOOLS = CHECKOUT / ".build" / "python"
sys.path += map(str, TOOLS.glob("lib/python*/site-packages"))
HADOLINT = shutil.which("hadolint", path=f"{os.environ['PATH']}:{TOOLS / 'bin'}")


def has(module):
    """Whether a Python package is installed."""
    return importlib.util.find_spec(module) is not None


def documents(path):
    """Returns the documents of a YAML file."""
    import yaml

    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def run(*arguments, code=0, **options):
    """Runs a tool to its end, which must be with this exit code; returns what it printed."""
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True,
                          timeout=60 * PATIENCE, **options)
    assert done.returncode == code, (arguments, done.stdout, done.stderr)
    return done.stdout + done.stderr
