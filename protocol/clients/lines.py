#!/usr/bin/env python3
"""Counts the lines of code of the client libraries: neither blank lines nor those that are all comment.

Comments are also documentation comments and Python's docstrings. Examples, tests, drivers and declarations for
TypeScript are no library code. With --files, each file has a line of its own.
"""

import ast
import io
import pathlib
import re
import sys
import tokenize

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = {"python": "src/**/*.py", "node": "lib/*.js", "go": "*.go", "java": "src/main/**/*.java",
             "csharp": "src/*.cs", "php": "src/*.php"}


def python_lines(text):
    """The numbers of the lines that have code."""
    strings = {node.value.lineno: node.value.end_lineno for node in ast.walk(ast.parse(text))
               if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
               and isinstance(node.value.value, str)}
    documentation = {line for first, last in strings.items() for line in range(first, last + 1)}
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    code = {line for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in layout
            for line in range(token.start[0], token.end[0] + 1)}
    return code - documentation


#: A text, which stays, or a comment: languages with the comments of C.
TOKEN = re.compile(r'"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`[^`]*`|//[^\n]*|/\*(?s:.*?)\*/')


def c_like_lines(text):
    def kept(match):
        token = match.group()
        return re.sub(r"[^\n]", "", token) if token.startswith(("//", "/*")) else token
    return {number for number, line in enumerate(TOKEN.sub(kept, text).splitlines()) if line.strip()}


def count(file):
    text = file.read_text()
    return len(python_lines(text) if file.suffix == ".py" else c_like_lines(text))


def main():
    print(f"{'':8} publisher gateway")
    for language, pattern in LIBRARIES.items():
        files = [file for file in sorted((HERE / language).glob(pattern)) if not file.stem.endswith("_test")]
        counts = {file: count(file) for file in files}
        gateway = sum(lines for file, lines in counts.items() if file.stem == "gateway")
        print(f"{language:8} {sum(counts.values()) - gateway:9} {gateway or '':7}")
        if "--files" in sys.argv[1:]:
            for file, lines in counts.items():
                print(f"    {lines:4} {file.relative_to(HERE)}")


if __name__ == "__main__":
    main()
