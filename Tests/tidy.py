#!/usr/bin/env python3
"""Checks the rules that readers of the code rely on: short lines, files and functions; documented
declarations; the words of GLOSSARY.md; labels; imports; and that documents agree with the code and with
each other.

    tidy.py             runs the checks
    tidy.py --count     prints how many findings each check has, and the findings
"""

import functools
import os
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

LINE_COLUMNS = 100
FUNCTION_LINES = 70
FILE_LINES = 400
#: Files that are longer, each with its reason.
LONG_FILES = {
    "Package.swift": "the table of all targets is one table",
    "Sources/Commands/reload-router/Serve/SettingsTable.swift": "the table of all settings is one table",
    "Sources/Decision/RouterCore/InputsToState/RouterInput.swift": "an input is written and read in one file",
}

#: The most Swift files in a folder of `Sources`.
FOLDER_FILES = 24

#: What comments no longer say: phrases that readers had to decode (GLOSSARY.md has the words).
OLD_STYLE = [
    r"\bwhoever\b", r"\bnobody\b", r"\beverybody\b", r"\bsomebody\b", r"\bhas it that\b", r"\bwhat of\b",
    r"\bso many\b", r"\btold\b", r"\btells?\b", r"\bmend(ed)?\b", r"\bgiven back\b", r"\b(go(es)?|went) on\b",
    r"\bwish(es)?\b", r"\bstorms?\b", r"\btwins?\b", r"\bbehind\b", r"\bany(one|body)\b", r"\beveryone\b",
    r"\bhand(s|ed|ing)? (out|on|over)\b", r"\btakes? (along|back)\b", r"\b(takes? )?note[sd]? (that|when)\b",
    r"\bno (further )?frames? (is|are) taken\b",
]

#: The same for names of tests, where some of these words have their ordinary meaning.
OLD_NAMES = [
    r"\bwhoever\b", r"\bnobody\b", r"\beverybody\b", r"\bsomebody\b", r"\bhas it that\b", r"\bwhat of\b",
    r"\bso many\b", r"\b(is|are|was) told\b", r"\b(go(es)?|went) on\b", r"\bhands? out\b", r"\bhanded out\b",
    r"\bvoid\b", r"\bwish(es)?\b", r"\bstorms?\b", r"\btwins?\b",
]

#: Importers of Foundation: widget code has dates and calendars; reports and pages have JSON and
#: child processes. The router and everything it is made of do without.
FOUNDATION = {"ReloadRouterKit", "WidgetIntents", "WidgetViews", "WidgetTimelines", "AppleModules", "DeviceModel", "ExampleWidgets", "LoadReporting", "WidgetFleet",
              "CaptureTools"}

#: Types that are marked `@safe` and have no test that tries to break memory, each with its reason.
RECORD = "a record of a pointer, each use of which says `unsafe`"
SAFE_WITHOUT_TEST = {
    "Chunk": RECORD, "Directory": RECORD, "HandleMemory": RECORD, "Memory": RECORD, "OutputChunk": RECORD,
    "Page": RECORD, "Shard": RECORD,
    "ChunkPool": "its chunks are pointers, each use of which says `unsafe`",
}

#: Types of which two modules have one of that name, each with its reason.
KIT = "ReloadRouterKit is made of Foundation alone, and nothing sees both"
SAME_NAMES = {
    "MediaActivity": KIT, "ReloadPolicy": KIT, "UnaskedReason": KIT,
}

#: A declaration at the top of a file: what it is, and its name.
TOP_LEVEL = re.compile(
    r"^(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:[\w()]+\s+)*?"
    r"(?P<kind>struct|class|enum|actor|protocol|typealias|extension|macro|func|var|let)\s+(?P<name>\w+(?:\.\w+)*)")

#: Functions whose labels are WidgetKit's, and modules all of whose labels are SwiftUI's and AppIntents'.
WIDGETKIT_FUNCTIONS = {"contentMargins", "onBackgroundURLSessionEvents"}
APPLE_LABELS = {"WidgetIntents", "WidgetViews"}

#: Names of other systems, which comments and documents mention. Those that begin with NS are Foundation's.
FOREIGN_NAMES = {
    "AddPattern", "AlwaysUseLowerCamelCase", "Array", "AuthKey_KEYID", "BattleLog", "CFBundleIdentifier",
    "CPUAffinity", "ConcurrentQueue", "DontRepeatTypeInStaticProperties", "IgnoringCase", "LevelDB",
    "ListFormatter", "MatchesForEvent", "MeasurementFormatter", "MemorySwapMax", "MurmurHash3", "MyWidgets",
    "OmitExplicitReturns", "RandomizedDelaySec", "SipRound", "SiriKit", "SwiftUI", "URLSession", "UTType",
    "UndoManager", "iPhone", "kTolerateCorruptedTailRecords", "uXXXX",
}

#: Files in which a name that a comment mentions may be, and those of code, which may have what documents call a type.
TEXT_FILES = frozenset({".swift", ".py", ".md", ".json", ".c", ".h", ".js", ".yml", ".yaml", ".service"})
CODE_FILES = frozenset({".swift", ".py", ".c", ".h", ".js", ".mjs", ".ts", ".go", ".java", ".cs", ".php", ".tsv",
                        ".service"})

#: Files that documents name as examples, or that are the reader's own.
EXAMPLE_FILES = {"X+Topic.swift", "X+Invariants.swift", "Sources/Dragons/Dragons.swift"}

#: Documents whose every name in backticks is one of the code.
MAPS = {"CONTRIBUTING.md", "GLOSSARY.md"}

#: Numbers that stand in several places: what each is, where, and how to find it there.
REPEATED_NUMBERS = {
    "minutes of deploy/test": [
        ("README.md", r"`deploy/test` takes about (\d+) minutes"), ("deploy/test", r"About (\d+) minutes on two cores")],
    "minutes of deploy/test --all": [
        ("README.md", r"runs every test, in (\d+) minutes"), ("deploy/test", r"for ten seconds: (\d+) minutes")],
    "version of Swift": [("README.md", r"has only Swift ([\d.]*\d)"), ("deploy/common.sh", r"Install Swift ([\d.]*\d)")] + [
        (f"deploy/{name}", r"needs Swift ([\d.]*\d)")
        for name in ("bench", "demo", "fuzz", "install", "lab", "release", "test")],
    "refused lines that an answer names": [
        (name, r"(?:names|lists) the first (\d+)") for name in ("GLOSSARY.md", "protocol/admin.md", "protocol/http.md")],
    "minutes until a push of which nothing was heard is made anew": [
        (name, r"(\d+ to \d+) minutes") for name in ("deploy/apns.md", "deploy/runbook.md", "protocol/app-file.md")],
    "minutes until a stopped lane is probed": [
        ("deploy/apns.md", r"one push every (\w+) minutes"),
        ("Sources/Steps/APNsProtocol/LaneBreaker.swift", r"probePause: Milliseconds \{ \.minutes\((\d+)\)")],
    "connections to APNs": [
        ("deploy/apns.md", r"and environment, (\d+) in all"),
        ("Sources/Server/RouterServer/APNs/APNsDeliveryLimits.swift", r"var connections = (\d+)")],
}
NUMBER_WORDS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "ten": "10"}

DECLARATION = re.compile(
    r"^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:[\w()]+\s+)*?"
    r"(?P<kind>func|var|let|struct|class|enum|actor|protocol|typealias|init|subscript|case)\b[\s`?(]*(?P<name>\w*)")
VISIBLE = re.compile(r"^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:[\w()]+\s+)*?(?:package|public)\b(?!\()")
PARAMETER = re.compile(r"[(,]\s*(?:(\w+)\s+)?(\w+)\s*:")


def swift_files(*folders):
    """The files that people write: what a script makes of a table has the lines that come of it."""
    for folder in folders:
        yield from sorted(path for path in (ROOT / folder).rglob("*.swift")
                          if ".build" not in path.parts and not is_generated(path))


@functools.cache
def is_generated(path):
    with path.open(encoding="utf-8") as file:
        return file.readline().startswith("// Made from ")


def name_of(path):
    return str(path.relative_to(ROOT))


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


def code_of(line):
    """The line without comment and without the text of its string literals."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
    return line.split("//", 1)[0]


def code_lines(path):
    """The lines of a file as code: multi-line strings and comments are left empty."""
    inside = False
    for number, line in enumerate(lines_of(path), 1):
        quotes = line.count('"""')
        yield number, "" if inside or quotes else code_of(line)
        if quotes % 2:
            inside = not inside


def comments(path):
    for number, line in enumerate(lines_of(path), 1):
        stripped = line.strip()
        if stripped.startswith("//"):
            yield number, stripped
        elif " // " in line and '"' not in line:
            yield number, line.split(" // ", 1)[1]


@functools.cache
def every_file():
    """All files of the checkout but those that a build or a tool has made, as paths from its root."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in (".git", "node_modules") and not name.startswith(".build")]
        found += [str(pathlib.Path(folder, name).relative_to(ROOT)) for name in names]
    return found


def documents():
    """The documents that speak of the present: the change log also names what is gone."""
    return [ROOT / name for name in sorted(every_file()) if name.endswith(".md") and name != "CHANGELOG.md"]


def quoted_names(path):
    """What stands in backticks in the text of a document, with the number of its line."""
    inside = False
    for number, line in enumerate(lines_of(path), 1):
        inside ^= line.lstrip().startswith("```")
        if not inside and not line.startswith("    "):
            for quoted in re.findall(r"`([^`]+)`", line):
                yield number, quoted


@functools.cache
def words_of_code(suffixes=TEXT_FILES):
    """The names of files, and all words outside of comments in Swift."""
    known = set()
    for folder in ("Sources", "Tests", "protocol", "deploy"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in suffixes and ".build" not in path.parts:
                known.add(path.name.split(".")[0])
                lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
                code = (line for line in lines if path.suffix != ".swift" or not line.lstrip().startswith("//"))
                known.update(word for line in code for word in re.findall(r"[A-Za-z_]\w*", line))
    return known


def words_of(identifier):
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)]


def retired_words():
    """The first column of the table of retired words: whole identifiers, and words in them."""
    table = (ROOT / "GLOSSARY.md").read_text(encoding="utf-8").split("## Retired words", 1)[1]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("|")][2:]
    return {word.strip() for row in rows for word in row.split(",")}


def declared_names(line):
    found = DECLARATION.match(line)
    if found:
        yield found["name"]
    if re.search(r"\b(func|init|subscript)\b", line) or line.lstrip().startswith("_ "):
        for label, name in PARAMETER.findall(line):
            yield label
            yield name


class Findings:
    """Each check is a function that yields sentences, one for each finding."""

    def lines(self):
        for path in swift_files("Sources", "Tests", "Package.swift"):
            if "Documents" in path.parts:
                continue  # the code samples of other documents, as they are there
            inside = False
            for number, line in enumerate(lines_of(path), 1):
                # Texts for people are as long as they are.
                if len(line) > LINE_COLUMNS and '"' not in line and not inside and "https://" not in line:
                    yield f"{name_of(path)}:{number} has {len(line)} columns"
                inside ^= line.count('"""') % 2 == 1

    def files(self):
        for path in swift_files("Sources"):
            count = len(lines_of(path))
            if count > FILE_LINES and name_of(path) not in LONG_FILES:
                yield f"{name_of(path)} has {count} lines"

    def folders(self):
        """Folders with more Swift files than a reader looks through."""
        counts = {}
        for path in swift_files("Sources"):
            counts.setdefault(name_of(path.parent), []).append(path)
        for name, paths in counts.items():
            if len(paths) > FOLDER_FILES:
                yield f"{name} has {len(paths)} Swift files"

    def functions(self):
        for path in swift_files("Sources"):
            opened = None
            for number, line in code_lines(path):
                indent, text = len(line) - len(line.lstrip()), line.strip()
                if opened is None:
                    if re.search(r"\b(func \S+|init[?(<]|deinit\b)", line) and text.endswith(("{", "(")):
                        opened = (number, indent, text)
                elif indent == opened[1] and text.startswith(")") and not text.endswith("{"):
                    opened = None  # a requirement of a protocol has no body
                elif indent == opened[1] and text.startswith("}"):
                    if number - opened[0] >= FUNCTION_LINES:
                        yield f"{name_of(path)}:{opened[0]} {opened[2][:50]} has {number - opened[0] + 1} lines"
                    opened = None

    def words(self):
        retired = retired_words()
        for path in swift_files("Sources", "Tests"):
            for number, line in code_lines(path):
                for name in declared_names(line):
                    for word in {name, *words_of(name)} & retired:
                        yield f"{name_of(path)}:{number} declares `{name}`: `{word}` is retired"

    def style(self):
        marks = re.compile("|".join(OLD_STYLE), re.IGNORECASE)
        for path in swift_files("Sources"):
            for number, text in comments(path):
                found = marks.search(text)
                if found:
                    yield f"{name_of(path)}:{number} says \"{found[0]}\": {text[:90]}"

    def names(self):
        marks = re.compile("|".join(OLD_NAMES), re.IGNORECASE)
        for path in swift_files("Tests"):
            for number, line in enumerate(lines_of(path), 1):
                for name in re.findall(r'@(?:Test|Suite)\("([^"]*)"|func `([^`]*)`', line):
                    if marks.search("".join(name)):
                        yield f"{name_of(path)}:{number} is called \"{''.join(name)}\""
        for path in sorted((ROOT / "Tests").rglob("test_*.py")):
            for number, line in enumerate(lines_of(path), 1):
                name = re.match(r"\s*def (test_\w+)", line)
                if name and marks.search(name[1].replace("_", " ")):
                    yield f"{name_of(path)}:{number} is called {name[1]}"

    def file_names(self):
        """Files that are not named for a type, an extension or a function that they declare.

        A file of small types is also named for the last word of their names, in the plural; a file
        that declares no type, but functions or extensions of several types, for its topic."""
        for path in swift_files("Sources"):
            declared = [TOP_LEVEL.match(line) for _, line in code_lines(path)]
            names = {"type": [], "extension": [], "func": []}
            for found in filter(None, declared):
                kind = found["kind"]
                names[kind if kind in names else "func" if kind in ("var", "let") else "type"].append(found["name"])
            extended = {part for name in names["extension"] for part in {name, name.split(".")[-1]}}
            stem, _, topic = path.stem.partition("+")
            if topic:
                is_named = stem in extended
            else:
                one = words_of(stem.removesuffix("ies") + "y" if stem.endswith("ies") else stem.removesuffix("s"))
                family = [name for name in names["type"] if one and words_of(name)[-1:] == one[-1:]]
                of_functions = {name.lower() for name in names["func"]}
                is_named = (stem in names["type"] or stem in extended or len(family) > 1
                            or stem.lower() in of_functions or not names["type"] and len(extended) != 1)
            if not is_named and any(declared):
                every = names["type"] + names["extension"] + names["func"]
                yield f"{name_of(path)} declares {', '.join(every)}"

    def type_names(self):
        """Types of which two modules have one of that name: one name is one type."""
        modules = {}
        for path in swift_files("Sources"):
            module = "/".join(path.relative_to(ROOT / "Sources").parts[:2])
            for found in filter(None, (TOP_LEVEL.match(line) for _, line in code_lines(path))):
                if found["kind"] in ("struct", "class", "enum", "actor", "protocol", "typealias"):
                    modules.setdefault(found["name"], set()).add(module)
        for name, places in sorted(modules.items()):
            if len(places) > 1 and name not in SAME_NAMES:
                yield f"{name} is a type of {' and of '.join(sorted(places))}"
        for name in sorted(name for name in SAME_NAMES if len(modules.get(name, ())) < 2):
            yield f"{name} needs no exception: one module has it"

    def references(self):
        """Names in backticks, and names in pictures, that nothing in the checkout has."""
        known = words_of_code() | FOREIGN_NAMES
        for path in swift_files("Sources"):
            for number, text in comments(path):
                quoted = " ".join(re.findall(r"`([^`]+)`", text)) if "`" in text else text
                for name in re.findall(r"\b[A-Za-z]*[a-z][A-Z]\w*\b", quoted):
                    if name not in known:
                        yield f"{name_of(path)}:{number} names {name}, which does not exist"

    def paths(self):
        """Paths, and names of Swift and Python files, that documents name, and that do not exist."""
        files = {*every_file(), *EXAMPLE_FILES}
        names = {name.rsplit("/", 1)[-1] for name in files}
        folders = {str(folder) for name in files for folder in pathlib.PurePosixPath(name).parents}
        for path in documents():
            # In code, too, which has paths of other programs besides.
            named = [(number, name) for number, line in enumerate(lines_of(path), 1)
                     for name in re.findall(r"(?<![\w./-])((?:Sources|Tests|deploy|protocol)/[\w+./-]*)", line)]
            named += [(number, name) for number, quoted in quoted_names(path)
                      for name in re.findall(r"(?<![\w./-])[\w+-][\w+./-]*", quoted)]
            for number, name in dict.fromkeys((number, name.rstrip("./")) for number, name in named):
                is_path = "/" in name and name.split("/")[0] in folders
                is_file = "/" not in name and name.endswith((".swift", ".py"))
                if is_path and name not in files | folders or is_file and name not in names:
                    yield f"{name_of(path)}:{number} names {name}, which does not exist"

    def document_names(self):
        """Names of the code in documents that the code does not have: in the map and in the glossary those of a type, a
        target, a file, a folder or, if it begins with a small letter, of anything; in others those that look like one of
        a type, in whatever language. A word with one capital may be a header's or a value's."""
        targets = re.findall(r"\w+", (ROOT / "Package.swift").read_text(encoding="utf-8"))
        large = {*targets, *FOREIGN_NAMES, *(target + "Tests" for target in targets)}
        for name in every_file():
            large.update(part.split(".")[0] for part in name.split("/"))
        for path in swift_files("Sources", "Tests"):
            for _, line in code_lines(path):
                large.update(re.findall(r"\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)", line))
        for path in documents():
            if name_of(path) not in MAPS:
                known = words_of_code(CODE_FILES) | large
                for number, quoted in quoted_names(path):
                    for name in re.findall(r"(?<![\w-])(?!NS)[A-Z]\w*[a-z]\w*[A-Z]\w*", quoted):
                        if name not in known:
                            yield f"{name_of(path)}:{number} names {name}, which does not exist"
                continue
            text = path.read_text(encoding="utf-8").split("## Former words")[0]
            for number, quoted in quoted_names(path):
                if number > text.count("\n") or not re.fullmatch(r"[\w+.]+", quoted) or quoted.endswith(".swift"):
                    continue
                for part in quoted.split("."):
                    known = large if re.match(r"[A-Z].*[a-z]", part) else words_of_code()
                    if re.search(r"[a-z][A-Z]|^[A-Z].*[a-z]", part) and part not in known:
                        yield f"{name_of(path)}:{number} names {part}, which does not exist"

    def tables(self):
        """Rows of tables without a head: an empty line in a table ends it."""
        for path in documents():
            lines = lines_of(path)
            for number, line in enumerate(lines, 1):
                begins = line.startswith("|") and not (number > 1 and lines[number - 2].startswith("|"))
                if begins and not re.fullmatch(r"[|: -]+", lines[number] if number < len(lines) else ""):
                    yield f"{name_of(path)}:{number} begins a table without a head: {line[:50]}"

    def numbers(self):
        """Numbers that stand in several places, and differ."""
        for what, places in REPEATED_NUMBERS.items():
            found = {}
            for name, pattern in places:
                text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
                numbers = set(re.findall(pattern, text))
                if not numbers:
                    yield f"{name} has no {what}"
                for number in numbers:
                    found.setdefault(NUMBER_WORDS.get(number, number), []).append(name)
            if len(found) > 1:
                yield f"{what}: " + ", ".join(f"{number} in {', '.join(names)}" for number, names in found.items())
        values = {}
        for path in documents():
            text = " ".join(path.read_text(encoding="utf-8").split())
            for setting, value in re.findall(r"`--([a-z-]+)` \((\d[^)]*)\)", text):
                values.setdefault(setting, {}).setdefault(value, name_of(path))
        for setting, found in values.items():
            if len(found) > 1:
                yield f"--{setting} is " + ", ".join(f"{value} in {name}" for value, name in found.items())

    def reminders(self):
        for path in swift_files("Sources", "Tests"):
            for number, text in comments(path):
                if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", text):
                    yield f"{name_of(path)}:{number} {text[:90]}"

    def documented(self):
        for path in swift_files("Sources"):
            before, attribute_end = "", None
            for number, line in enumerate(lines_of(path), 1):
                text = line.strip()
                if VISIBLE.match(line) and not text.startswith(("//", "import", "package import", "public import")):
                    declares = DECLARATION.match(line)
                    if declares and not before.startswith("///") and "override " not in text:
                        yield f"{name_of(path)}:{number} {text[:80]}"
                # An attribute stands between the comment and its declaration, in one line or in several.
                if attribute_end is not None:
                    attribute_end = None if line.startswith(attribute_end) else attribute_end
                elif re.match(r"@\w+\($", text):
                    attribute_end = line[:len(line) - len(line.lstrip())] + ")"
                elif not text.startswith("@") or DECLARATION.match(line):
                    before = text

    def labels(self):
        for path in swift_files("Sources"):
            if APPLE_LABELS & set(path.parts):
                continue
            previous, function = "", None
            for number, line in code_lines(path):
                function = next(iter(re.findall(r"\bfunc (\w+)", line)), function)
                if function in WIDGETKIT_FUNCTIONS:
                    continue
                if re.search(r"\bfunc [^\W\d]|\binit[?(<]|\bsubscript[(<]", line):
                    for name in re.findall(r",\s*_ (\w+):", line):
                        yield f"{name_of(path)}:{number} `{name}` has no label"
                elif re.match(r"\s*_ \w+:", line) and not re.search(r"\(\s*$", previous):
                    yield f"{name_of(path)}:{number} {line.strip()[:60]} has no label"
                if line.strip():
                    previous = line

    def safe_types(self):
        tried = set()
        for path in swift_files("Tests"):
            for text in re.findall(r'"Misuse of ([\w ]+)', path.read_text(encoding="utf-8")):
                tried.update(text.split())
        found = set()
        for path in swift_files("Sources"):
            marked = False
            for number, line in code_lines(path):
                marked = marked or re.match(r"\s*@safe\b", line) is not None
                name = re.search(r"\b(?:struct|class|enum|actor)\s+(\w+)", line) if marked else None
                if name:
                    marked = False
                    found.add(name[1])
                    if name[1] not in tried and name[1] not in SAFE_WITHOUT_TEST:
                        yield f"{name_of(path)}:{number} {name[1]} is @safe, and no test tries to misuse it"
        for name in sorted(SAFE_WITHOUT_TEST.keys() - found):
            yield f"{name} needs no exception: it is not marked @safe"

    def imports(self):
        for path in swift_files("Sources"):
            if set(path.relative_to(ROOT).parts) & FOUNDATION:
                continue
            for number, line in code_lines(path):
                if re.match(r"\s*(@\w+ )*((public|package|internal|private|fileprivate) )?import Foundation\b", line):
                    yield f"{name_of(path)}:{number} imports Foundation"


class Tidiness(unittest.TestCase):
    def check_nothing_of(self, findings):
        found = list(findings)
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_lines_fit_a_screen(self):
        self.check_nothing_of(Findings().lines())

    def test_files_are_short_but_for_those_with_a_reason(self):
        self.check_nothing_of(Findings().files())

    def test_folders_show_what_they_have(self):
        self.check_nothing_of(Findings().folders())

    def test_functions_fit_a_screen(self):
        self.check_nothing_of(Findings().functions())

    def test_no_identifier_has_a_retired_word(self):
        self.check_nothing_of(Findings().words())

    def test_no_comment_speaks_the_old_style(self):
        self.check_nothing_of(Findings().style())

    def test_no_test_is_named_in_the_old_style(self):
        self.check_nothing_of(Findings().names())

    def test_files_are_named_for_what_they_declare(self):
        self.check_nothing_of(Findings().file_names())

    def test_no_two_modules_have_a_type_of_one_name(self):
        self.check_nothing_of(Findings().type_names())

    def test_comments_name_only_what_exists(self):
        self.check_nothing_of(Findings().references())

    def test_documents_name_only_files_that_exist(self):
        self.check_nothing_of(Findings().paths())

    def test_documents_name_only_what_the_code_has(self):
        self.check_nothing_of(Findings().document_names())

    def test_tables_have_heads(self):
        self.check_nothing_of(Findings().tables())

    def test_numbers_that_are_repeated_are_equal(self):
        self.check_nothing_of(Findings().numbers())

    def test_no_reminder_is_left(self):
        self.check_nothing_of(Findings().reminders())

    def test_every_declaration_that_others_use_is_documented(self):
        self.check_nothing_of(Findings().documented())

    def test_parameters_have_labels_from_the_second_on(self):
        self.check_nothing_of(Findings().labels())

    def test_every_safe_type_has_a_test_that_tries_to_break_memory(self):
        self.check_nothing_of(Findings().safe_types())

    def test_only_widget_code_reports_and_pages_import_foundation(self):
        self.check_nothing_of(Findings().imports())


if __name__ == "__main__":
    if "--count" in sys.argv:
        for check in (name for name in vars(Findings) if not name.startswith("_")):
            findings = list(getattr(Findings(), check)())
            print(f"{len(findings):6} {check}")
            if "--list" in sys.argv and check in sys.argv:
                print("\n".join(findings))
    else:
        unittest.main()
