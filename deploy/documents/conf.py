"""How Sphinx makes pages of the documents: deploy/docs runs it, at the checkout's root.

The documents are plain Markdown, as GitHub shows it, and name each other as code: `deploy/store.md`, "Upgrades".
Here such a name becomes a link, and one that leads nowhere a warning, which ends the build.
"""

import json
import pathlib
import posixpath
import re
import sys

from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

sys.path.append(str(pathlib.Path(__file__).parent))
import openapi_page

#: The pages in the order of the menu. A document that is missing here is a warning.
MENU = {
    "First steps": ["deploy/examples/README", "deploy/widgets", "deploy/examples/ios/README",
                    "deploy/examples/backend/README", "GLOSSARY", "CHANGELOG"],
    "Publishers and devices": ["protocol/README", "protocol/publisher", "protocol/device", "protocol/http",
                               "protocol/http.openapi", "protocol/http-conformance"],
    "Client libraries": ["protocol/clients/README", "protocol/clients/python/README",
                         "protocol/clients/node/README", "protocol/clients/go/README",
                         "protocol/clients/java/README", "protocol/clients/csharp/README",
                         "protocol/clients/php/README"],
    "Apps and rules": ["protocol/app-file", "protocol/patterns"],
    "Operating": ["deploy/runbook", "deploy/security", "deploy/release", "deploy/apns", "deploy/metrics",
                  "deploy/tuning", "deploy/store", "protocol/operations", "protocol/admin",
                  "protocol/admin.openapi"],
    "Load and costs": ["deploy/fleet", "deploy/load/README", "deploy/captures", "deploy/replay", "BENCHMARKS"],
    "The code": ["CONTRIBUTING", "protocol/store", "protocol/captures"],
}

project = html_title = "ReloadRouter"
root_doc = "README"
source_suffix = {".md": "markdown", ".json": "markdown"}
include_patterns = ["*.md", "deploy/**.md", "protocol/**.md", "protocol/*.openapi.json"]
# The notes of packages are forms that deploy/packaging fills in.
exclude_patterns = [".*", "Sources", "Tests", "findings", "deploy/packaging", "**/node_modules"]

extensions = ["myst_parser"]
# Nothing beyond plain Markdown, and anchors of sections as GitHub names them.
myst_disable_syntax = ["myst_block_break", "myst_line_comment", "myst_role", "myst_target"]
myst_heading_anchors = 4
smartquotes = False
highlight_language = "none"
# Some examples are shortened with "…".
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_extra_path = ["index.html"]
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_use_index = html_copy_source = html_show_copyright = False


def read_openapi(app, page, source):
    """Makes a document of an OpenAPI document."""
    if page.endswith(".openapi"):
        source[0] = openapi_page.markdown(json.loads(source[0]))


def add_menu(app, doctree):
    """Adds the menu to the first page."""
    if app.env.docname != root_doc:
        return
    for caption, pages in MENU.items():
        doctree += addnodes.toctree(parent=root_doc, entries=[(None, page) for page in pages],
                                    includefiles=pages, caption=caption, rawcaption=caption, hidden=True,
                                    glob=False, maxdepth=-1, titlesonly=True, includehidden=False, numbered=0)


def page_of(name, beside, pages):
    """The page that a name means, which begins at the page beside it or at the root; None if there is none."""
    for folder in (posixpath.dirname(beside), ""):
        path = posixpath.normpath(posixpath.join(folder, name))
        for page in (re.sub(r"\.(md|json)$", "", path), f"{path}/README"):
            if page != path and page in pages:
                return page
    return None


def link_names(app, doctree, page):
    """Makes links of the names of documents, and of their sections."""
    for literal in list(doctree.findall(nodes.literal)):
        name = literal.astext()
        if isinstance(literal.parent, nodes.reference) or not re.fullmatch(r"[\w./-]+", name):
            continue
        target = page_of(name, page, app.env.all_docs)
        if target is None and name.endswith(".md"):
            warn(f"there is no document {name}", literal, page)
        if target in (None, page):
            continue
        address = app.builder.get_relative_uri(page, target) + section_after(literal, page, target, app.env)
        title = app.env.titles[target].astext()
        literal.replace_self(
            nodes.reference("", "", literal.deepcopy(), refuri=address, reftitle=title, internal=True))


def section_after(literal, page, target, env):
    """The anchor of the section that follows a name: , "Upgrades" or , section 4; empty if there is none."""
    after = literal.next_node(descend=False, siblings=True)
    named = re.match(r',\s+(?:"([^"]+)"|section\s+(\d+))', after.astext() if after else "")
    if not named:
        return ""
    title, number = named.groups()
    for entry in env.tocs[target].findall(nodes.reference):
        if entry.astext() == title or number and entry.astext().startswith(f"{number}. "):
            return entry["anchorname"]
    warn(f"{target} has no section {title or number}", literal, page)
    return ""


def warn(text, node, page):
    """Warns, but not of what the change log names, which may be gone."""
    if page != "CHANGELOG":
        logging.getLogger(__name__).warning(text, location=node)


def setup(app):
    app.connect("source-read", read_openapi)
    app.connect("doctree-read", add_menu, priority=400)  # Before Sphinx looks for menus.
    app.connect("doctree-resolved", link_names)
