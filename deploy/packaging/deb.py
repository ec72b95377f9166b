"""The .deb: the program, its unit, user and folders, made with dpkg-deb."""

import gzip
import hashlib
import pathlib
import re
import subprocess
import tempfile

import texts
from facts import ROOT, architecture, epoch, output, version
from trees import Tree

HERE = pathlib.Path(__file__).resolve().parent
DOC = "usr/share/doc/reload-router"
#: Files that an operator may change; an upgrade keeps the changes.
CONFFILES = ("/etc/reload-router/settings.json",)


def name():
    return f"reload-router_{version()}-1_{architecture()}.deb"


def contents(program):
    """Everything that is installed. `program` is a program with its texts (`pack.Program`)."""
    tree = Tree()
    tree.file("usr/bin/reload-router", program.stripped, 0o755)
    tree.file("lib/systemd/system/reload-router.service", texts.unit("/usr/bin/"))
    tree.file("etc/reload-router/settings.json", ROOT / "deploy/systemd/settings.json")
    tree.folder("var/lib/reload-router")
    for shell, place in (
        ("bash", "usr/share/bash-completion/completions/reload-router"),
        ("zsh", "usr/share/zsh/vendor-completions/_reload-router"),
        ("fish", "usr/share/fish/vendor_completions.d/reload-router.fish"),
    ):
        # A file that a shell reads needs no first line that names the shell.
        tree.file(place, re.sub(r"\A#!.*\n", "", program.completions[shell]))
    tree.file("usr/share/man/man1/reload-router.1.gz", packed(program.manual))
    tree.file(f"{DOC}/copyright", texts.debian_copyright(program.swift_packages))
    tree.file(f"{DOC}/THIRD-PARTY-NOTICES.gz", packed(program.notices))
    tree.file(f"{DOC}/changelog.Debian.gz", packed(texts.debian_changelog()))
    tree.file(f"{DOC}/changelog.gz", packed((ROOT / "CHANGELOG.md").read_text()))
    for document in ("runbook", "store", "metrics", "tuning"):
        tree.file(f"{DOC}/{document}.md", ROOT / f"deploy/{document}.md")
    tree.file(f"{DOC}/examples/apps.json", ROOT / "deploy/examples/game/apps.json")
    tree.file(f"{DOC}/examples/reload-router.rules.yml", ROOT / "deploy/prometheus/reload-router.rules.yml")
    tree.file(f"{DOC}/examples/tls.conf", ROOT / "deploy/systemd/tls.conf")
    tree.file(f"{DOC}/examples/grafana.json", ROOT / "deploy/grafana/reload-router.json")
    return tree


def packed(text):
    return gzip.compress(text.encode(), 9, mtime=0)


def build(program, folder, preset):
    """Makes the .deb in a folder, compressed as much as `preset` says; returns its path."""
    tree = contents(program)
    # In KiB, as dpkg-gencontrol counts: each file in whole KiB, and one for every other entry.
    size = sum(-(-len(entry.data) // 1024) if entry.data is not None else 1 for _, entry in tree.complete())
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        place.chmod(0o755)
        binary = place / "usr/bin/reload-router"
        tree.write(place)
        control = Tree()
        control.file(
            "control",
            texts.control(depends(binary), size).replace(
                "Architecture: any", f"Architecture: {architecture()}"
            ),
        )
        control.file("conffiles", "".join(f"{path}\n" for path in CONFFILES))
        for script in ("postinst", "prerm", "postrm"):
            control.file(script, HERE / "debian" / script, 0o755)
        control.file("md5sums", md5sums(tree))
        (place / "DEBIAN").mkdir()
        (place / "DEBIAN").chmod(0o755)
        control.write(place / "DEBIAN")
        path = folder / name()
        # One thread: with more, xz writes other blocks.
        output(
            "dpkg-deb",
            "--root-owner-group",
            "-Zxz",
            f"-z{preset}",
            "--threads-max=1",
            "--build",
            place,
            path,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SOURCE_DATE_EPOCH": str(epoch())},
        )
    return path


def md5sums(tree):
    """Checksums by which `dpkg --verify` finds changed files; those of conffiles are elsewhere."""
    return "".join(
        f"{hashlib.md5(entry.data).hexdigest()}  {path}\n"
        for path, entry in tree.complete()
        if entry.data is not None and f"/{path}" not in CONFFILES
    )


def depends(binary):
    """The packages that the program needs, with the oldest versions that have all symbols it uses."""
    with tempfile.TemporaryDirectory() as place:
        (pathlib.Path(place) / "debian").mkdir()
        (pathlib.Path(place) / "debian/control").write_text(
            "Source: reload-router\n\nPackage: reload-router\nArchitecture: any\n"
        )
        # Libraries of no package are Swift's own, of a program that was not linked for a release.
        done = subprocess.run(
            ["dpkg-shlibdeps", "-O", "--ignore-missing-info", f"-e{binary}"],
            cwd=place,
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        raise SystemExit(f"dpkg-shlibdeps failed: {done.stderr}")
    return re.search(r"(?m)^shlibs:Depends=(.*)$", done.stdout)[1]
