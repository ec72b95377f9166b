"""The modules with Apple's names, held against what Apple's documentation and interfaces say of their declarations."""

import collections
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import CHECKOUT, binary
from swift_declarations import canonical, without_generics

TABLE = pathlib.Path(__file__).with_name("apple-declarations.tsv")
PAGE = CHECKOUT / "deploy" / "widgets.md"
EXAMPLE = CHECKOUT / "deploy" / "examples" / "ios"
MODULES = ("WidgetViews", "WidgetIntents", "WidgetTimelines")
#: Members that a type has because it conforms to a protocol of Swift's library.
CONFORMANCE = re.compile(r"(==\(_:_:\)|hash\(into:\)|\.rawValue|init\(rawValue:\)|allCases|[dD]ebugDescription)$")

#: A row of the table: Apple's name and declaration, the version of iOS since which it is there (a dash if it is not),
#: why it is another one here (empty if it is not), the page that says so, and of what kind of source the row is.
Declaration = collections.namedtuple("Declaration", "name declaration ios here page read form")


def table():
    """The rows. A line with `#` says of those below it their folder of pages, month and form of source; a row says its
    page only if that is not the name in small letters. Braces in a name have several names, with a row for each."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "name\tdeclaration\tiOS\there\tpage", lines[0]
    rows = []
    for line in lines[1:]:
        if line.startswith("# "):
            folder, read, form = line[2:].split("\t")
            continue
        name, declaration, ios, here, page = (line.split("\t") + ["", ""])[:5]
        owner, _, names = name.rstrip("}").partition("{")
        for each in names.split() or [""]:
            head, mark, labels = f"{owner}{each}".partition("(")
            rows.append(Declaration(
                owner + each, declaration.replace("{}", each), ios, here,
                page or f"{folder}/{head.replace('.', '/')}{mark}{labels}".lower(), read, form))
    return rows


def compared(row):
    """How a declaration is compared with a row: one copy of Apple's pages has no angle brackets."""
    if row.form == "pages without <>":
        return lambda declaration: canonical(without_generics(declaration))
    return canonical


def is_of(row, declaration):
    return compared(row)(row.declaration) == compared(row)(declaration)


def others(rows, declared):
    """The declarations of the modules that are no row's, by their names, which have labels."""
    named = by_name(rows)
    return {name: [declaration for declaration in declarations
                   if not any(is_of(row, declaration) for row in named[name])]
            for name, declarations in declared.items()}


def by_name(rows):
    named = collections.defaultdict(list)
    for row in rows:
        named[row.name].append(row)
    return named


def wrong_rows(rows, declared):
    """The rows that say no reason and are not declared; and those that say one, but are declared, or of whose name there
    is no declaration but those of other rows."""
    other = others(rows, declared)
    return [row for row in rows
            if bool(row.here) == any(is_of(row, declaration) for declaration in declared.get(row.name, ()))
            or row.here and not other.get(row.name)]


def without_row(rows, declared):
    """The declarations that are no row's, by their names. A row's reason is that of one declaration: if there are more
    than reasons, nobody knows which are meant."""
    named = by_name(rows)
    return {name: other for name, other in others(rows, declared).items()
            if len(other) > sum(bool(row.here) for row in named[name])}


def listed(title):
    """What stands in backticks in the first column of the table below a title of the page."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    return [name for line in section.splitlines() if line.startswith("| `")
            for name in re.findall(r"`([^`]+)`", line.split("|")[1])]


def extractor():
    program = shutil.which("swift-symbolgraph-extract")
    if program is None and shutil.which("swift"):
        beside = pathlib.Path(os.path.realpath(shutil.which("swift"))).with_name("swift-symbolgraph-extract")
        program = str(beside) if beside.exists() else None
    return program


class Symbols(unittest.TestCase):
    """The public symbols of the modules that have Apple's names, as the compiler lists them."""

    @classmethod
    def setUpClass(cls):
        modules = next((path for path in (pathlib.Path(binary()).with_name("Modules"),
                                          CHECKOUT / ".build-tests" / "debug" / "Modules")
                        if (path / "WidgetTimelines.swiftmodule").exists()), None)
        if modules is None or extractor() is None:
            reason = "there is no build of the modules, or no swift-symbolgraph-extract"
            raise AssertionError(reason) if os.environ.get("RELOAD_ROUTER_FULL") == "1" else unittest.SkipTest(reason)
        info = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
        cls.symbols = collections.defaultdict(list)
        with tempfile.TemporaryDirectory() as folder:
            for module in MODULES:
                for symbol in cls.graph(module, modules, info["target"]["triple"], folder):
                    if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]:
                        cls.symbols[".".join(symbol["pathComponents"])].append(symbol)
        cls.declared = {name: ["".join(part["spelling"] for part in symbol["declarationFragments"]) for symbol in symbols]
                        for name, symbols in cls.symbols.items()}

    @staticmethod
    def graph(module, modules, triple, folder):
        subprocess.run([extractor(), "-module-name", module, "-target", triple, "-I", str(modules),
                        "-minimum-access-level", "public", "-output-dir", folder],
                       check=True, capture_output=True, text=True)
        return [symbol for path in sorted(pathlib.Path(folder).glob(f"{module}[.@]*symbols.json"))
                for symbol in json.loads(path.read_text())["symbols"]]

    @staticmethod
    def since(symbol):
        """The major version of iOS from which on the symbol is there; a dash for none."""
        known = [entry for entry in symbol.get("availability", ()) if entry.get("domain") == "iOS"]
        if not known or any(entry.get("isUnconditionallyUnavailable") for entry in known):
            return "–"
        return str(max(entry["introduced"]["major"] for entry in known))

    def test_each_declaration_is_apples_or_has_a_reason_why_it_is_not(self):
        wrong = [f"{row.name}: {row.declaration}: {row.here or 'no reason'}: {self.declared.get(row.name)}"
                 for row in wrong_rows(table(), self.declared)]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_each_public_declaration_has_a_row_or_is_listed_as_ours(self):
        rows, ours = table(), listed("What Apple does not have")
        names = {row.name for row in rows}
        used, wrong = set(), []
        for name, other in without_row(rows, self.declared).items():
            found = {pattern for pattern in ours if pattern == name or name not in names and (
                fnmatch.fnmatchcase(name, pattern) or name.startswith(f"{pattern}."))}
            used |= found
            if not found and not CONFORMANCE.search(name):
                wrong += [f"{name}: {declaration}" for declaration in other]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))
        self.assertEqual(set(ours) - used, set(), "there is nothing with these names")

    def test_a_declaration_that_says_a_version_says_apples(self):
        wrong = {row.name: (row.ios, sorted(set(map(self.since, self.symbols[row.name]))))
                 for row in table() if row.name in self.symbols
                 and row.ios not in (said := list(map(self.since, self.symbols[row.name]))) and "–" not in said}
        self.assertEqual(wrong, {})


class Table(unittest.TestCase):
    def test_each_row_has_a_source(self):
        rows = table()
        self.assertEqual(len({(row.name, row.declaration) for row in rows}), len(rows))
        for row in rows:
            self.assertRegex(row.page, r"^[a-z]+/[a-z]", row.name)
            self.assertRegex(row.read, r"^20[0-9]{2}-[0-9]{2}$", row.name)
            self.assertRegex(row.ios, r"^([0-9]+|–)$", row.name)
            self.assertRegex(row.form, r"^(pages|pages without <>|SDK of iOS 17\.4)$", row.name)

    def test_each_reason_is_explained(self):
        self.assertEqual({row.here for row in table()} - {""}, set(listed("What differs from Apple's declarations")))

    def test_a_reason_is_that_of_one_declaration_of_the_same_labels(self):
        def row(name, declaration, here=""):
            return Declaration(name, declaration, "16", here, "a/b", "2026-11", "pages")

        plain, values = row("A.f(_:)", "func f(_ a: Int)"), row("A.f(_:)", "func f(_ a: String)", "values")
        here = {"A.f(_:)": ["func f(_ a: Int)", "func f(_ a: Any)"]}
        self.assertEqual(wrong_rows([plain, values], here), [])
        self.assertEqual(without_row([plain, values], here), {})
        for declared in ({}, {"A.f(b:)": ["func f(b: Any)"]}, {"A.f(_:)": ["func f(_ a: Int)"]}):
            self.assertIn(values, wrong_rows([plain, values], declared), declared)
        more = {"A.f(_:)": [*here["A.f(_:)"], "func f(_ a: Double)"]}
        self.assertEqual(without_row([plain, values], more), {"A.f(_:)": ["func f(_ a: Any)", "func f(_ a: Double)"]})

    def test_a_wrong_declaration_is_found(self):
        for one, other in (
                ("var id: WidgetInfo { get }", "let id: String"), ("var a: A", "var a: A { get }"),
                ("func a(_ b: @escaping @Sendable () -> Void)", "func a(_ b: @escaping () -> Void)"),
                ("func a<B>(b: B) where B : C", "func a<B>(b: B) where B : D"), ("case a", "static let a: A"),
                ("func a(b: Int = 1)", "func a(b: Int)"), ("protocol A : B", "protocol A"),
                ("init(b: Int)", "init?(b: Int)"), ("struct A<B>", "struct A")):
            self.assertNotEqual(canonical(one), canonical(other))
        for one, other in (
                ("@MainActor func a(of b: Int) -> C", "public func a(of x: Swift.Int) -> C"),
                ("static let shared: A", "static var shared: A { get }"),
                ("func a<B>(b: B?) -> C<B> where B : D", "func a<X: D>(b: X?) -> C<X>"),
                ("func a(b: some B, c: some RangeExpression<Int>)",
                 "func a<X, Y>(b: X, c: Y) where X : B, Y : RangeExpression, Y.Bound == Int"),
                ("init(@ViewBuilder a: @escaping (_ b: Int) -> ())", "init(@ViewBuilder a: @escaping (Int) -> Void)"),
                ("static func + (a: A, b: A) -> A", "static func + (c: A, d: A) -> A")):
            self.assertEqual(canonical(one), canonical(other))
        self.assertEqual(without_generics("init<A>(a: B<C<D>>) -> E"), "init(a: B) -> E")


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
