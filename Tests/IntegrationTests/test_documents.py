"""The documents as pages: deploy/docs makes them, their links lead somewhere, and they can be searched."""

import html.parser
import pathlib
import shutil
import tempfile
import unittest
import urllib.parse

from browser import Browser
from deploy_case import *

TOOLS = CHECKOUT / ".build" / "python-docs"
PAGES = CHECKOUT / ".build" / "docs"


def documents():
    """The documents of the checkout, as paths from its root."""
    listed = run("git", "ls-files", "*.md", "protocol/*.openapi.json", cwd=CHECKOUT).splitlines()
    return [pathlib.Path(name) for name in listed if not name.startswith("deploy/packaging/")]


class Links(html.parser.HTMLParser):
    """The names of a page's sections, the addresses that it links, and those of what it loads."""

    def __init__(self, path):
        super().__init__()
        self.names, self.linked, self.loaded = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.add(attributes.get("id"))
        self.linked += [attributes["href"]] if tag == "a" and "href" in attributes else []
        self.loaded += [attributes[name] for name in ("src", "href") if name in attributes and tag != "a"]


@unittest.skipUnless((TOOLS / "installed").exists(), "PyPI's Sphinx is not there")
class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.printed = run(DEPLOY / "docs")
        cls.pages = {path: Links(path) for path in PAGES.rglob("*.html")}

    def test_each_document_has_a_page_and_is_in_the_search_index(self):
        self.assertIn(f"{PAGES}/index.html", self.printed)
        index = (PAGES / "searchindex.js").read_text()
        found = documents()
        self.assertGreater(len(found), 35)
        for path in found:
            self.assertIn(PAGES / path.with_suffix(".html"), self.pages)
            self.assertIn(f'"{path.with_suffix("")}"', index)

    def test_links_lead_to_pages_and_sections_that_there_are(self):
        followed = set()
        for path, page in self.pages.items():
            for address in page.linked + page.loaded:
                to = urllib.parse.urlsplit(address)
                if to.scheme in ("http", "https", "data"):
                    continue
                target = (path.parent / urllib.parse.unquote(to.path)).resolve() if to.path else path
                self.assertTrue(target.is_file(), f"{path} links {address}")
                if to.fragment and target in self.pages:
                    name = urllib.parse.unquote(to.fragment)
                    self.assertIn(name, self.pages[target].names, f"{path} links {address}")
                followed.add((path, target))
        # A name in a document is a link, also of its section and of a folder.
        readme = PAGES / "README.html"
        for page in ("deploy/security", "protocol/clients/README", "protocol/admin", "BENCHMARKS"):
            self.assertIn((readme, PAGES / f"{page}.html"), followed)
        self.assertIn("apns.html#with-a-certificate", self.pages[PAGES / "deploy" / "runbook.html"].linked)

    def test_nothing_is_loaded_from_another_server(self):
        for path, page in self.pages.items():
            for address in page.loaded:
                self.assertIn(urllib.parse.urlsplit(address).scheme, ("", "data"), f"{path} loads {address}")

    def test_the_search_finds_a_page_without_a_server(self):
        """And nothing is wider than a phone, in both themes."""
        browser = Browser()
        self.addCleanup(browser.close)
        page = browser.open(f"{PAGES.as_uri()}/search.html?q=spacing+debounce")
        self.addCleanup(page.close)
        page.wait_for("document.querySelector('.search li a[href^=\"protocol/app-file.html\"]')")
        page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
        background = "getComputedStyle(document.body).backgroundColor"
        colours = set()
        for scheme in ("light", "dark"):
            page.prefers(scheme)
            colours.add(page.evaluate(background))
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        self.assertEqual(len(colours), 2)

    def test_a_name_that_leads_nowhere_ends_the_script(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path in [*documents(), "deploy/docs", "deploy/common.sh"]:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(CHECKOUT / path, root / path)
                if str(path).endswith(".md"):
                    (root / path).write_text("# Title\n")  # It takes less time.
            shutil.copytree(DEPLOY / "documents", root / "deploy" / "documents")
            (root / ".build").mkdir()
            (root / ".build" / "python-docs").symlink_to(TOOLS)
            with (root / "GLOSSARY.md").open("a") as glossary:
                glossary.write('\nSee `deploy/gone.md`; `deploy/store.md`, "Gone"; and [this](README.md#gone).\n')
            (root / "deploy" / "new.md").write_text("# New\n")
            shown = run(root / "deploy" / "docs", code=1)
        for wrong in ("there is no document deploy/gone.md", "deploy/store has no section Gone", "'gone'",
                      "new.md: WARNING: document isn't included in any toctree"):
            self.assertIn(wrong, shown)
        self.assertEqual(shown.count("WARNING"), 4, shown)
