"""The manual page of a program, from what the program itself says about its commands and options."""

import json
import textwrap

from facts import output


def page(program, binary, *, version, date):
    """The page in roff, for section 1."""
    command = json.loads(output(binary, "--experimental-dump-help"))["command"]
    lines = [
        f'.TH {program.upper()} 1 "{date}" "{program} {version}"',
        ".ad l",
        ".SH NAME",
        f"{quoted(program)} \\- {quoted(lower(command['abstract']))}",
        ".SH SYNOPSIS",
        f".B {quoted(program)}",
        ".I command",
        ".RI [ options ]",
        ".SH DESCRIPTION",
        *paragraphs(command.get("discussion", "")),
        ".SH COMMANDS",
    ]
    for subcommand in command.get("subcommands", []):
        if subcommand["commandName"] != "help":
            lines += section(subcommand, [])
    return "\n".join(lines) + "\n"


def section(command, above):
    """A command, its options, and its own commands."""
    names = [*above, command["commandName"]]
    lines = [
        f".SS {quoted(' '.join(names))}",
        *paragraphs(command.get("abstract", "")),
        *paragraphs(command.get("discussion", "")),
    ]
    for argument in command.get("arguments", []):
        if argument.get("shouldDisplay", True) and argument.get("valueName") not in ("help", "version"):
            lines += [
                ".TP",
                f".B {quoted(heading(argument))}",
                *paragraphs(argument.get("abstract", ""), first=""),
            ]
    for subcommand in command.get("subcommands", []):
        lines += section(subcommand, names)
    return lines


def heading(argument):
    """How an option or argument is written: `-a, --apps <file>`."""
    value = f"<{argument.get('valueName', 'value')}>"
    if argument["kind"] == "positional":
        return value
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument["names"]]
    return ", ".join(names) + ("" if argument["kind"] == "flag" else f" {value}")


def paragraphs(text, *, first=".PP"):
    """The paragraphs of a text, each after a request that begins one."""
    lines = []
    for number, paragraph in enumerate(part for part in text.split("\n\n") if part.strip()):
        start = first if number == 0 else ".PP"
        wrapped = textwrap.wrap(
            quoted(" ".join(paragraph.split())), 100, break_long_words=False, break_on_hyphens=False
        )
        # A line that begins with a dot or an apostrophe would be a request.
        lines += [start] * bool(start) + [f"\\&{line}" if line[0] in ".'" else line for line in wrapped]
    return lines


def quoted(text):
    """The text with roff's own characters, and those outside of ASCII, as roff writes characters."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "".join(each if each.isascii() else f"\\[u{ord(each):04X}]" for each in text)


def lower(sentence):
    return sentence[:1].lower() + sentence[1:].rstrip(".")
