"""The container image, made without an engine: a layer of Debian, a layer of the router, and the
configuration that deploy/docker/Dockerfile has. The result is an OCI layout in a tar file."""

import gzip
import hashlib
import io
import json
import pathlib
import re
import shlex
import tarfile
import tempfile

import libraries
from facts import LICENCE, ROOT, architecture, epoch, output, version
from texts import date
from trees import Tree

#: The user that the Dockerfile and the Kubernetes manifests name.
USER = 10410
SUITE = "bookworm"
#: Packages that no library brings: the authorities that have signed the certificate of Apple's push service,
#: and what draws the dashboard's charts.
BESIDE_LIBRARIES = {"ca-certificates", "libjs-chart.js"}
#: Where the authorities are.
AUTHORITIES = "etc/ssl/certs/ca-certificates.crt"
#: What an image does not contain: what comes from this machine, and what differs at every making.
LEFT_OUT = re.compile(
    r"\./(etc/(hostname|resolv\.conf|apt/sources\.list.*)|var/(log|cache|lib/apt/lists)/.+"
    r"|etc/machine-id|var/lib/systemd/.+|(etc|var/lib/dpkg|var/cache/debconf)/.+-(old)?$"
    r"|dev/.+|run/.+|tmp/.+)"
)


def name():
    return f"reload-router-{version()}-oci-{architecture()}.tar"


class Base:
    """The layer of Debian: its essential packages, the libraries of the router, and BESIDE_LIBRARIES."""

    def __init__(self, binary):
        wanted = {package.name for package in libraries.packages(binary)[0]} | BESIDE_LIBRARIES
        self.tar = clean(bootstrap([*sorted(wanted), "usr-is-merged"]))
        self.passwd, self.group = self.text("etc/passwd"), self.text("etc/group")
        #: Names and versions of all packages, from dpkg's own list.
        self.packages = [
            entry(paragraph)
            for paragraph in self.text("var/lib/dpkg/status").split("\n\n")
            if paragraph.strip()
        ]

    def text(self, path):
        with tarfile.open(fileobj=io.BytesIO(self.tar)) as archive:
            return archive.extractfile(f"./{path}").read().decode()

    def licences(self, package):
        """The names of a package's licences, from the copyright file in the layer."""
        with tempfile.NamedTemporaryFile("w", suffix=".copyright") as file:
            try:
                file.write(self.text(f"usr/share/doc/{package}/copyright"))
            except (KeyError, AttributeError):
                return ()  # Not there, or a link to the file of another package.
            file.flush()
            return libraries.licences(pathlib.Path(file.name))


def entry(paragraph):
    """Name, version and architecture of a package in dpkg's list."""
    return tuple(
        re.search(rf"(?m)^{field}: (\S+)", paragraph)[1] for field in ("Package", "Version", "Architecture")
    )


def bootstrap(packages):
    """Debian's essential packages and these, as a tar archive."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "root.tar"
        keeps = (
            "path-exclude=/usr/share/man/*",
            "path-exclude=/usr/share/locale/*",
            "path-exclude=/usr/share/info/*",
            "path-exclude=/usr/share/doc/*",
            "path-include=/usr/share/doc/*/copyright",
        )
        sources = [
            path
            for path in (
                pathlib.Path("/etc/apt/sources.list.d/debian.sources"),
                pathlib.Path("/etc/apt/sources.list"),
            )
            if path.exists()
        ]
        output(
            "mmdebstrap",
            "--quiet",
            "--variant=essential",
            f"--include={','.join(packages)}",
            "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
            *[f"--dpkgopt={option}" for option in keeps],
            SUITE,
            place,
            *sources[:1],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SOURCE_DATE_EPOCH": str(epoch())},
        )
        return place.read_bytes()


def clean(archive):
    """The same archive without what LEFT_OUT names, and without dates after that of the release."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(archive)) as old, tarfile.open(
        fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT
    ) as new:
        for member in old:
            if LEFT_OUT.fullmatch(member.name):
                continue
            member.mtime = min(int(member.mtime), epoch())
            member.uname = member.gname = ""
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isreg() else None)
    return buffer.getvalue()


def router_layer(program, base):
    """The program, the user, and the folder of the store."""
    tree = Tree()
    tree.file("usr/local/bin/reload-router", program.stripped, 0o755)
    home = "/var/lib/reload-router:/usr/sbin/nologin"
    tree.file("etc/passwd", f"{base.passwd}reload-router:x:{USER}:{USER}::{home}\n")
    tree.file("etc/group", f"{base.group}reload-router:x:{USER}:\n")
    tree.folder("etc/reload-router")
    tree.folder("var/lib/reload-router", 0o750, USER)
    tree.file("usr/local/share/doc/reload-router/LICENSE", ROOT / "LICENSE")
    tree.file("usr/local/share/doc/reload-router/THIRD-PARTY-NOTICES.txt", program.notices)
    return tree.tar(epoch())


def instructions():
    """The instructions of the Dockerfile's last stage: (word, arguments)."""
    text = re.sub(r"(?m)^#.*\n", "", (ROOT / "deploy/docker/Dockerfile").read_text())
    lines = re.sub(r"\\\n", " ", text).splitlines()
    stages = [number for number, line in enumerate(lines) if line.startswith("FROM ")]
    return [tuple(line.split(None, 1)) for line in lines[stages[-1] + 1 :] if line.strip()]


def configuration():
    """How a container is started, as the Dockerfile says."""
    config = {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]}
    for word, rest in instructions():
        if word == "ENV":
            config["Env"] += shlex.split(rest)
        elif word == "USER":
            config["User"] = rest
        elif word == "WORKDIR":
            config["WorkingDir"] = rest
        elif word == "VOLUME":
            config["Volumes"] = {path: {} for path in rest.split()}
        elif word == "EXPOSE":
            config["ExposedPorts"] = {f"{port}/tcp": {} for port in rest.split()}
        elif word == "STOPSIGNAL":
            config["StopSignal"] = rest
        elif word in ("ENTRYPOINT", "CMD"):
            config[word.capitalize()] = json.loads(rest)
        elif word == "HEALTHCHECK":
            config["Healthcheck"] = health(rest)
    return config


def health(text):
    """The probe, in the form in which Docker has it in an image's configuration."""
    options = dict(re.findall(r"--([a-z-]+)=(\d+)s?", text))
    found = {
        "Test": ["CMD", *json.loads(re.search(r"CMD (\[.*\])", text)[1])],
        "Retries": int(options["retries"]),
    }
    for option, member in (("interval", "Interval"), ("timeout", "Timeout"), ("start-period", "StartPeriod")):
        found[member] = int(options[option]) * 1_000_000_000
    return found


class Layout:
    """An OCI layout: blobs by their digests, and an index."""

    def __init__(self):
        self.tree = Tree()
        self.tree.file("oci-layout", '{"imageLayoutVersion":"1.0.0"}')

    def blob(self, content, kind, **members):
        """Adds a blob; returns its descriptor."""
        digest = hashlib.sha256(content).hexdigest()
        self.tree.file(f"blobs/sha256/{digest}", content)
        return {
            "mediaType": f"application/vnd.oci.image.{kind}",
            "digest": f"sha256:{digest}",
            "size": len(content),
            **members,
        }


def build(program, base, folder):
    """Makes the image in a folder; returns its path."""
    layout, layers, plain = Layout(), [], []
    made = date().strftime("%Y-%m-%dT%H:%M:%SZ")
    described = {
        "org.opencontainers.image.title": "reload-router",
        "org.opencontainers.image.description": "Reloads only the widgets that a push message is about.",
        "org.opencontainers.image.version": version(),
        "org.opencontainers.image.licenses": LICENCE,
        "org.opencontainers.image.created": made,
    }
    history = []
    for content, what in ((base.tar, f"Debian {SUITE}"), (router_layer(program, base), "reload-router")):
        plain.append("sha256:" + hashlib.sha256(content).hexdigest())
        layers.append(layout.blob(gzip.compress(content, 9, mtime=0), "layer.v1.tar+gzip"))
        history.append({"created": made, "created_by": "deploy/release", "comment": what})
    config = layout.blob(
        encoded(
            {
                "created": made,
                "architecture": architecture(),
                "os": "linux",
                "config": {**configuration(), "Labels": described},
                "rootfs": {"type": "layers", "diff_ids": plain},
                "history": history,
            }
        ),
        "config.v1+json",
    )
    manifest = layout.blob(
        encoded(
            {
                "schemaVersion": 2,
                "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": config,
                "layers": layers,
                "annotations": described,
            }
        ),
        "manifest.v1+json",
        platform={"architecture": architecture(), "os": "linux"},
        annotations={
            # The first is what skopeo and podman go by, the second is what Docker names the image.
            "org.opencontainers.image.ref.name": version(),
            "io.containerd.image.name": f"docker.io/library/reload-router:{version()}",
        },
    )
    layout.tree.file(
        "index.json",
        encoded(
            {
                "schemaVersion": 2,
                "mediaType": "application/vnd.oci.image.index.v1+json",
                "manifests": [manifest],
            }
        ),
    )
    path = folder / name()
    path.write_bytes(layout.tree.tar(epoch()))
    return path


def encoded(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()
