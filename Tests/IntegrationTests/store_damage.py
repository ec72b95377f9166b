"""Damages to the files of a store: what a disk, a copy or a person does to one of them.

A damage is a line of text, so that it can be repeated: its name, the file's path below the folder of the
store, and numbers, separated by colons. This module does not know which files there are or what they are
for: it damages every file of the folder.
"""

import random
import re
import shutil

# Bytes between two truncations of a file.
TRUNCATION_STEP = 64


def _truncate(path, count):
    with open(path, "r+b") as file:
        file.truncate(int(count))


def _rewrite(change):
    """A damage that writes the file anew with other bytes."""
    def damage(path, *numbers):
        data = bytearray(path.read_bytes())
        path.write_bytes(change(data, *map(int, numbers)))
    return damage


def _flip(data, offset, bit):
    data[offset] ^= 1 << bit
    return data


def _byte(data, offset, value):
    data[offset] = value
    return data


def _zero(data, offset, count):
    data[offset:offset + count] = bytes(len(data[offset:offset + count]))
    return data


def _insert(data, offset, count, seed):
    return data[:offset] + random.Random(seed).randbytes(count) + data[offset:]


def _delete(data, offset, count):
    return data[:offset] + data[offset + count:]


def _repeat(data, offset, count):
    return data[:offset + count] + data[offset:]


def _append(data, count, seed):
    return data + random.Random(seed).randbytes(count)


def _pad(data, count):
    return data + bytes(count)


MUTATIONS = {"truncate": _truncate, "flip": _rewrite(_flip), "byte": _rewrite(_byte),
             "zero": _rewrite(_zero), "insert": _rewrite(_insert), "delete": _rewrite(_delete),
             "repeat": _rewrite(_repeat), "append": _rewrite(_append), "pad": _rewrite(_pad)}


def apply(damage, store, older):
    """Applies a damage to a store; `older` is an older copy of the same store."""
    name, path, *rest = damage.split(":")
    victim = store / path
    if name == "none":
        return
    if name in MUTATIONS:
        MUTATIONS[name](victim, *rest)
    elif name == "remove":
        victim.unlink()
    elif name == "exchange":
        first, second = victim.read_bytes(), (store / rest[0]).read_bytes()
        victim.write_bytes(second)
        (store / rest[0]).write_bytes(first)
    elif name == "older":
        victim.write_bytes((older / rest[0]).read_bytes())
    elif name == "extra":
        victim.write_bytes((store / rest[0]).read_bytes() if rest[0] else b"")
    elif name == "remove-folder":
        shutil.rmtree(victim)
    elif name == "older-folder":
        shutil.rmtree(victim, ignore_errors=True)
        shutil.copytree(older / rest[0], victim)
    elif name == "extra-folder":
        shutil.copytree(store / rest[0], victim)
    elif name == "rollback":
        shutil.rmtree(store)
        shutil.copytree(older, store)
    else:
        raise ValueError(f"there is no damage {name}")


def mutation(generator, path, size):
    """One random mutation of a file of that size, which is not empty."""
    offset = generator.randrange(size)
    return generator.choice([
        f"flip:{path}:{offset}:{generator.randrange(8)}",
        f"byte:{path}:{offset}:{generator.randrange(256)}",
        f"zero:{path}:{offset}:{generator.choice([8, 64, 512, 4_096])}",
        f"insert:{path}:{offset}:{generator.choice([1, 8, 40, 300])}:{generator.randrange(1 << 16)}",
        f"delete:{path}:{offset}:{generator.choice([1, 8, 40, 300])}",
        f"repeat:{path}:{offset}:{generator.choice([8, 40, 300])}",
        f"append:{path}:{generator.choice([1, 40, 300])}:{generator.randrange(1 << 16)}",
        f"pad:{path}:{generator.choice([1, 40, 4_096])}",
    ])


def like(path):
    """The name without its numbers: files of which this is equal may be exchanged."""
    return "".join("0" if sign.isdigit() else sign for sign in path)


def _next_name(path, others):
    """The name that the file or folder after all of its like would have, or nothing if it has no number."""
    folder, slash, name = path.rpartition("/")
    found = re.search(r"\d+", name)
    if not found:
        return None
    begin, end = found.span()
    last = max(int(re.search(r"\d+", other.rpartition("/")[2])[0]) for other in others)
    return f"{folder}{slash}{name[:begin]}{last + 1:0{end - begin}}{name[end:]}"


def whole_file_damages(files, older_files):
    """Each file removed, exchanged, replaced by an older one, and further files added.

    Both parameters are sizes by path.
    """
    kinds = {}
    for path in files:
        kinds.setdefault(like(path), []).append(path)
    for path in files:
        yield f"remove:{path}"
        if path in older_files:
            yield f"older:{path}:{path}"
        for other in older_files:
            if like(other) == like(path) and other not in files:
                yield f"older:{path}:{other}"
    for paths in kinds.values():
        for index, path in enumerate(paths):
            for other in paths[index + 1:]:
                yield f"exchange:{path}:{other}"
        further = _next_name(paths[-1], paths)
        if further:
            yield f"extra:{further}:"
            yield f"extra:{further}:{paths[-1]}"


def folder_damages(files, older_files):
    """Each folder in the store removed, replaced by an older one, and further ones added."""
    def folders(paths):
        return sorted({path.rpartition("/")[0] for path in paths if "/" in path})

    for path in folders(files):
        yield f"remove-folder:{path}"
        for other in folders(older_files):
            if like(other) == like(path):
                yield f"older-folder:{path}:{other}"
        further = _next_name(path, [other for other in folders(files) if like(other) == like(path)])
        if further:
            yield f"extra-folder:{further}:{path}"
            yield f"extra-folder:{_next_name(path, [further])}:{path}"
    for path in folders(older_files):
        if path not in folders(files):
            yield f"older-folder:{path}:{path}"


def truncations(files):
    """Each file cut off at regular distances, and one byte before its end."""
    for path, size in files.items():
        for count in sorted({*range(0, size, TRUNCATION_STEP), size - 1}):
            if 0 <= count < size:
                yield f"truncate:{path}:{count}"


def mutations(files, generator, count):
    """This many random mutations; small files get as many as large ones."""
    paths = [path for path, size in files.items() if size > 0]
    for _ in range(count):
        path = generator.choice(paths)
        yield mutation(generator, path, files[path])
