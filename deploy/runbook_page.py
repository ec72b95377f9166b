#!/usr/bin/env python3
"""Writes the runbook as the page /runbook of the admin server, from deploy/runbook.md.

    deploy/runbook_page.py           writes the page; a test fails while it differs from the runbook
    deploy/runbook_page.py --print   prints it

It reads what the runbook needs of Markdown: headings, paragraphs, lists, indented code, `code` and
**bold**. All text is escaped, so nothing of the runbook becomes markup by itself.
"""

import argparse
import html
import pathlib
import re
import sys

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = CHECKOUT / "deploy" / "runbook.md"
PAGE = CHECKOUT / "Sources" / "Server" / "AdminAPI" / "Dashboard" / "Resources" / "runbook.html"
HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Runbook – ReloadRouter</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="assets/page.css">
<script src="assets/theme.js"></script>
</head>
<body>
<header id="top">
  <p id="brand">ReloadRouter</p>
  <nav aria-label="Pages"><a href="./#/overview">Overview</a><a href="runbook" aria-current="page">Runbook</a></nav>
</header>
<main id="main" class="runbook">
"""
TAIL = "</main>\n</body>\n</html>\n"
ITEM = re.compile(r"(- |\d+\. +)(.*)")


def anchor(heading):
    """The name of a section, as pages of repositories make it from a heading."""
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def inline(text):
    """A paragraph's text: escaped, with `code` and **bold**."""
    parts = re.split(r"(`[^`]+`)", text)
    shown = []
    for part in parts:
        if part.startswith("`") and part.endswith("`") and len(part) > 2:
            shown.append(f"<code>{html.escape(part[1:-1])}</code>")
        else:
            shown.append(re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", html.escape(part)))
    return "".join(shown)


def indent(line):
    return len(line) - len(line.lstrip(" "))


def stripped(lines):
    """Without empty lines at the end."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def block_of(lines, width):
    """The first lines that are empty or indented by a width, without that indentation."""
    count = 0
    while count < len(lines) and (not lines[count].strip() or indent(lines[count]) >= width):
        count += 1
    while count > 0 and not lines[count - 1].strip():
        count -= 1
    return [line[width:] for line in lines[:count]], lines[count:]


def items(lines, kind):
    """The items of a list, each as its own lines, and what follows the list."""
    found = []
    while lines:
        match = ITEM.match(lines[0])
        if not match or (match[1] == "- ") != (kind == "ul"):
            break
        rest, lines = block_of(lines[1:], len(match[1]))
        found.append([match[2], *rest])
        while lines and not lines[0].strip():
            lines = lines[1:]
    return found, lines


def blocks(lines, is_item=False):
    """The markup of the lines of a page, or of an item of a list."""
    shown = []
    while lines:
        line = lines[0]
        if not line.strip():
            lines = lines[1:]
        elif heading := re.match(r"(#{1,3}) (.+)", line):
            level, text = len(heading[1]), heading[2]
            shown.append(f'<h{level} id="{anchor(text)}">'
                         f'<a href="#{anchor(text)}">{inline(text)}</a></h{level}>')
            lines = lines[1:]
        elif indent(line) >= 4:
            code, lines = block_of(lines, 4)
            text = html.escape("\n".join(stripped(code)))
            shown.append(f'<pre tabindex="0"><code>{text}</code></pre>')
        elif ITEM.match(line):
            kind = "ul" if line.startswith("- ") else "ol"
            found, lines = items(lines, kind)
            rows = "\n".join(f"<li>{blocks(item, is_item=True)}</li>" for item in found)
            shown.append(f"<{kind}>\n{rows}\n</{kind}>")
        else:
            if indent(line) or line[0] in "#|>`" and not re.match(r"`[^`]", line):
                raise ValueError(f"no Markdown that this program reads: {line}")
            count = 1
            while count < len(lines) and lines[count].strip() and not ITEM.match(lines[count]):
                count += 1
            text = inline(" ".join(part.strip() for part in lines[:count]))
            shown.append(text if is_item and not shown else f"<p>{text}</p>")
            lines = lines[count:]
    return "\n".join(shown)


def contents(text):
    """Links to the sections, and to those of the alerts."""
    links = "".join(f'<li><a href="#{anchor(heading)}">{inline(heading)}</a></li>\n'
                    for _, heading in re.findall(r"(?m)^(##|###) (.+)$", text))
    return f'<nav aria-label="Sections"><ul class="contents">\n{links}</ul></nav>'


def page(text):
    """The page of a runbook."""
    title, _, rest = text.partition("\n")
    return HEAD + blocks([title]) + "\n" + contents(text) + "\n" + blocks(rest.splitlines()) + "\n" + TAIL


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--print", action="store_true", help="print the page instead of writing it")
    made = page(SOURCE.read_text())
    if parser.parse_args().print:
        sys.stdout.write(made)
    else:
        PAGE.write_text(made)


if __name__ == "__main__":
    main()
