"""The modules with Apple's names, held against what Apple's documentation says of their declarations."""

import collections
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import CHECKOUT, binary

TABLE = CHECKOUT / "Sources" / "AppleModules" / "apple-declarations.tsv"
PAGE = CHECKOUT / "deploy" / "widgets.md"
EXAMPLE = CHECKOUT / "deploy" / "examples" / "ios"
#: Types of which the table has each member.
WHOLE = {"WidgetInfo", "WidgetCenter", "Timeline", "TimelineReloadPolicy", "WidgetPushHandler", "WidgetPushInfo",
         "ControlCenter", "ControlInfo", "ControlPushInfo", "ControlPushHandler"}
#: Members of conformances, and of a type whose page says nothing of its members' types.
LEFT_OUT = re.compile(r"(==\(_:_:\)|hash\(into:\)|debugDescription|UserInfoKey.*|Timeline\.entries|ControlInfo\.kind"
                      r"|ControlPushInfo\.token|ControlPushHandler\.init\(\))$")

Declaration = collections.namedtuple("Declaration", "name declaration ios page read")


def table():
    with open(TABLE, encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert rows[0] == ["name", "declaration", "iOS", "page", "read"], rows[0]
    return [Declaration(*row) for row in rows[1:]]


def plain(declaration):
    """What of a declaration the users of its name see: without attributes in front, and names of parameters inside."""
    text = re.sub(r"^((@\w+|final|nonisolated) )+", "", " ".join(declaration.split()))
    text = re.sub(r"\b(\w+) \w+:", r"\1:", text) if "(" in text else text
    # A constant is read as a variable that has no setter.
    return re.sub(r"^(static )?var (.*) \{ get \}$", r"\1let \2", text)


def loose(declaration):
    """The declaration without what stands in angle brackets, which some copies of Apple's pages lack."""
    former = None
    while former != declaration:
        former, declaration = declaration, re.sub(r"<[^<>]*>", "", declaration)
    return plain(declaration)


def form(row):
    """How a row is compared: the pages of 2025 were read in a copy without angle brackets."""
    return loose if row.read.startswith("2025") else plain


def extractor():
    program = shutil.which("swift-symbolgraph-extract")
    if program is None and shutil.which("swift"):
        beside = pathlib.Path(os.path.realpath(shutil.which("swift"))).with_name("swift-symbolgraph-extract")
        program = str(beside) if beside.exists() else None
    return program


class Symbols(unittest.TestCase):
    """The public symbols of the modules that have WidgetKit's, ActivityKit's and AppIntents' names, as the compiler
    lists them."""

    @classmethod
    def setUpClass(cls):
        modules = next((path for path in (pathlib.Path(binary()).with_name("Modules"),
                                          CHECKOUT / ".build-tests" / "debug" / "Modules")
                        if (path / "WidgetTimelines.swiftmodule").exists()), None)
        if modules is None or extractor() is None:
            reason = "there is no build of the modules, or no swift-symbolgraph-extract"
            raise AssertionError(reason) if os.environ.get("RELOAD_ROUTER_FULL") == "1" else unittest.SkipTest(reason)
        info = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
        with tempfile.TemporaryDirectory() as folder:
            graphs = [cls.graph(module, modules, info["target"]["triple"], folder)
                      for module in ("WidgetTimelines", "WidgetIntents")]
        cls.symbols = collections.defaultdict(list)
        for symbol in graphs[0]["symbols"] + graphs[1]["symbols"]:
            if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]:
                cls.symbols[".".join(symbol["pathComponents"])].append(symbol)

    @staticmethod
    def graph(module, modules, triple, folder):
        subprocess.run([extractor(), "-module-name", module, "-target", triple, "-I", str(modules),
                        "-minimum-access-level", "public", "-output-dir", folder],
                       check=True, capture_output=True, text=True)
        return json.loads((pathlib.Path(folder) / f"{module}.symbols.json").read_text())

    @staticmethod
    def declared(symbol):
        return "".join(part["spelling"] for part in symbol["declarationFragments"])

    @staticmethod
    def since(symbol):
        """The major version of iOS from which on the symbol is there; a dash for none."""
        known = [entry for entry in symbol.get("availability", ()) if entry.get("domain") == "iOS"]
        if not known or any(entry.get("isUnconditionallyUnavailable") for entry in known):
            return "–"
        return str(max(entry["introduced"]["major"] for entry in known))

    def test_each_declaration_is_apples_or_is_listed_with_a_reason(self):
        different = {row.name for row in table()
                     if form(row)(row.declaration) not in (form(row)(self.declared(symbol))
                                                           for symbol in self.symbols.get(row.name, ()))}
        section = PAGE.read_text().split("## What differs from Apple's declarations")[1].split("\n## ")[0]
        listed = {name for line in section.splitlines() if line.startswith("| `")
                  for name in re.findall(r"`([^`]+)`", line.split("|")[1])}
        self.assertEqual(different, listed, "".join(
            f"\n{name}: {[self.declared(symbol) for symbol in self.symbols.get(name, ())]}" for name in different ^ listed))

    def test_each_declaration_says_from_which_ios_on_it_is_there(self):
        wrong = {row.name: (row.ios, sorted(set(map(self.since, self.symbols[row.name]))))
                 for row in table() if row.name in self.symbols and row.ios not in map(self.since, self.symbols[row.name])}
        self.assertEqual(wrong, {})

    def test_no_type_has_a_name_that_apples_has_not(self):
        known = {row.name for row in table()}
        extra = {name for name in self.symbols if name.split(".")[0] in WHOLE} - known
        self.assertEqual({name for name in extra if not LEFT_OUT.search(name)}, set())


class Table(unittest.TestCase):
    def test_each_row_has_a_source(self):
        rows = table()
        self.assertEqual(len({(row.name, row.declaration) for row in rows}), len(rows))
        for row in rows:
            self.assertRegex(row.page, r"^(widgetkit|swiftui|activitykit|appintents)/[a-z]", row.name)
            self.assertRegex(row.read, r"^20[0-9]{2}-[0-9]{2}$", row.name)
            self.assertRegex(row.ios, r"^([0-9]+|–)$", row.name)

    def test_a_wrong_declaration_is_found(self):
        self.assertNotEqual(plain("var id: WidgetInfo { get }"), plain("let id: String"))
        self.assertNotEqual(plain("func a(_ b: @escaping @Sendable () -> Void)"), plain("func a(_ b: @escaping () -> Void)"))
        self.assertEqual(plain("@MainActor func a(of b: Int) -> C"), plain("func a(of x: Int) -> C"))
        self.assertEqual(loose("init<A>(a: B<C<D>>)"), "init(a: B)")
        self.assertEqual(plain("static let shared: A"), plain("static var shared: A { get }"))


class Example(unittest.TestCase):
    """The example uses nothing that its deployment target lacks: the compiler on Linux does not check that."""

    @staticmethod
    def later_than(target):
        """The names in the table that sources of the example use and that came after a version of iOS."""
        words = set()
        for path in EXAMPLE.rglob("*.swift"):
            code = "\n".join(line.split("//")[0] for line in path.read_text().splitlines())
            words |= set(re.findall(r"\w+", code))
        names = {row.name: row.ios for row in table() if row.ios != "–" and int(row.ios) > target}
        # A member is meant if its type or its own name, which is no common word, is there.
        return {name for name in names if name.split(".")[-1].split("(")[0] in words}

    def test_its_deployment_target_has_all_that_it_uses(self):
        project = (EXAMPLE / "project.yml").read_text()
        target = int(re.search(r'iOS: "([0-9]+)\.', project)[1])
        self.assertEqual(self.later_than(target), set())
        self.assertLessEqual({"WidgetPushHandler", "WidgetCenter.currentPushInfo", "WidgetConfiguration.pushHandler(_:)"},
                             self.later_than(target - 1), "what a lower target would lack is found")
        manifest = (CHECKOUT / "Sources" / "Clients" / "ReloadRouterKit" / "Package.swift").read_text()
        self.assertLessEqual(int(re.search(r"\.iOS\(\.v([0-9]+)\)", manifest)[1]), target)


if __name__ == "__main__":
    unittest.main()
