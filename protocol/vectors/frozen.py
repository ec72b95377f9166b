"""Holds the golden vectors: what a version has, no later one of the same number changes or takes away.

frozen.json has a digest of every vector that was there when a version was declared. verify.py compares them.
Run as a program, this adds those of new vectors, when a version is declared; it never changes one.
"""

import hashlib
import json
import pathlib

HERE = pathlib.Path(__file__).parent
FILES = ("frames", "malformed", "json", "patterns", "captures")


def digests():
    """The digest of each vector by file and name. What a vector says in words may change."""
    found = {}
    for file in FILES:
        vectors = json.loads((HERE / f"{file}.json").read_text(encoding="utf-8"))
        found[file] = {vector["name"]: digest(vector) for vector in vectors}
    return found


def digest(vector):
    said = {member: value for member, value in vector.items() if member != "meaning"}
    text = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def frozen():
    return json.loads((HERE / "frozen.json").read_text(encoding="utf-8"))


def changes():
    """What is wrong, in words."""
    now = digests()
    for file, names in frozen()["vectors"].items():
        for name, value in names.items():
            if name not in now[file]:
                yield f"{file}.json: the vector {name} of version {frozen()['version']} is gone"
            elif now[file][name] != value:
                yield f"{file}.json: the vector {name} is another one than in version {frozen()['version']}"


def main():
    problems = list(changes())
    if problems:
        raise SystemExit("\n".join(problems))
    text = json.dumps({"version": frozen()["version"], "vectors": digests()}, indent=0)
    (HERE / "frozen.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
