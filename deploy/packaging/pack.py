#!/usr/bin/env python3
"""Packs built programs: makes the artifacts of a release in a folder.

    pack.py --build FOLDER --output FOLDER [--image] [--symbols] [--preset N] PROGRAM ...

`deploy/release` builds, calls this, and checks what it made."""

import argparse
import hashlib
import lzma
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import chart  # noqa: E402
import deb  # noqa: E402
import image  # noqa: E402
import libraries  # noqa: E402
import manual  # noqa: E402
import sbom  # noqa: E402
import stripped  # noqa: E402
import swift_packages  # noqa: E402
import texts  # noqa: E402
from facts import ROOT, epoch, name_of_tarball, output, version  # noqa: E402
from trees import Tree  # noqa: E402


class Program:
    """A built program, and the texts that go with it."""

    def __init__(self, path, scratch):
        self.path, self.name = path, path.name
        self.swift_packages = swift_packages.linked(scratch, path)
        self.notices = texts.notices(self.swift_packages)
        self.completions = {
            shell: output(path, "--generate-completion-script", shell) for shell in ("bash", "zsh", "fish")
        }
        self.manual = manual.page(self.name, path, version=version(), date=texts.date().strftime("%Y-%m-%d"))
        self.stripped, self.symbols = stripped.split(path)
        said = output(path, "--version").strip()
        if said != version():
            raise SystemExit(f"{path} is of version {said}; the sources are of version {version()}")

    def direct_packages(self):
        """The Debian packages of the libraries that it names itself."""
        found = {package.name: package for package in libraries.packages(self.path)[0]}
        return [found[name] for name in libraries.dependencies(self.path)[""]]


def tarball(program, folder, preset):
    """Makes the tarball of a program in a folder; returns its path."""
    tree = Tree()
    tree.file(f"bin/{program.name}", program.stripped, 0o755)
    for shell in program.completions:
        tree.file(f"completions/{program.name}.{shell}", program.completions[shell])
    tree.file(f"man/{program.name}.1", program.manual)
    tree.file("README.md", texts.readme(program.name, program.direct_packages()))
    tree.file("LICENSE", ROOT / "LICENSE")
    tree.file("THIRD-PARTY-NOTICES.txt", program.notices)
    tree.file("CHANGELOG.md", ROOT / "CHANGELOG.md")
    if program.name == "reload-router":
        for name in ("reload-router.service", "settings.json", "tls.conf"):
            tree.file(f"systemd/{name}", ROOT / "deploy/systemd" / name)
        for name in ("runbook", "store", "metrics", "tuning", "release"):
            tree.file(f"doc/{name}.md", ROOT / f"deploy/{name}.md")
        pages = ("README", "publisher", "device", "app-file", "operations", "patterns", "admin", "http")
        for name in (*(f"{page}.md" for page in pages), "protocol.json", "admin.openapi.json",
                     "http.openapi.json"):
            tree.file(f"protocol/{name}", ROOT / "protocol" / name)
        tree.file("examples/apps.json", ROOT / "deploy/examples/game/apps.json")
    path = folder / f"{name_of_tarball(program.name)}.tar.xz"
    path.write_bytes(compressed(tree.tar(epoch(), prefix=f"{name_of_tarball(program.name)}/"), preset))
    return path


def compressed(content, preset):
    return lzma.compress(content, preset=preset)


def checksums(folder):
    """Writes SHA256SUMS, which `sha256sum --check` reads."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
        if path.name != "SHA256SUMS"
    ]
    (folder / "SHA256SUMS").write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--image", action="store_true")
    parser.add_argument("--symbols", action="store_true")
    parser.add_argument("--preset", type=int, default=9, help="how much to compress, from 0 to 9")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    folder = options.output
    for name in options.programs:
        program = Program(options.build / "release" / name, options.build)
        unowned = libraries.packages(program.path)[1]
        if unowned:
            print(
                f"{name} needs libraries that are in no Debian package ({', '.join(unowned)}): "
                "these artifacts are for tests only.",
                file=sys.stderr,
            )
        tarball(program, folder, options.preset)
        if options.symbols:
            (folder / f"{name_of_tarball(name)}.debug.xz").write_bytes(
                compressed(program.symbols, options.preset)
            )
        (folder / f"{name_of_tarball(name)}.cdx.json").write_text(sbom.of_program(program))
        if name == "reload-router":
            deb.build(program, folder, options.preset)
            chart.build(folder)
            if options.image:
                base = image.Base(program.path)
                path = image.build(program, base, folder)
                path.with_suffix(".cdx.json").write_text(sbom.of_image(program, base))
    checksums(folder)
    for path in sorted(folder.iterdir()):
        print(f"{path.stat().st_size:>12,} bytes  {path}")


if __name__ == "__main__":
    main()
