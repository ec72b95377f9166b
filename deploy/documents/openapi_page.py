"""Makes a document in Markdown of an OpenAPI document: its requests by tag, the answers that many have, and the schemas
of bodies."""

METHODS = ("get", "put", "post", "delete", "options")


def markdown(document):
    """Returns the document's text."""
    info = document["info"]
    lines = [f"# {info['title']}: reference", info["summary"] + " " + info["description"]]
    for tag in document["tags"]:
        lines += [f"## Requests: {tag['name']}", tag.get("description", "")]
        for path, item in document["paths"].items():
            for method in METHODS:
                if tag["name"] in item.get(method, {}).get("tags", ()):
                    lines += request(document, method, path, item[method])
    lines.append("## Answers")
    for name, answer in document["components"]["responses"].items():
        lines += [f"### {name}", answer["description"] + (f" Body: {body_of(answer)}." if "content" in answer else "")]
    lines.append("## Schemas")
    for name, schema in document["components"]["schemas"].items():
        lines += [f"### {name}", f"{schema.get('description', '')} Type: {type_of(schema)}."]
        lines += table(["member", "type", "meaning"], members(schema))
    return "\n\n".join(lines)


def request(document, method, path, operation):
    """A section about one operation."""
    yield f"### {method.upper()} `{path}`"
    yield " ".join(filter(None, [operation["summary"], operation.get("description")]))
    if "x-role" in operation:
        yield f"Role: {operation['x-role']}."
    parameters = [resolved(document, parameter) for parameter in operation.get("parameters", ())]
    yield from table(["parameter", "type", "meaning"], (
        (f"`{one['name']}`", f"{one['in']}: {type_of(one['schema'])}", one.get("description", ""))
        for one in parameters))
    if "requestBody" in operation:
        yield f"Body: {body_of(operation['requestBody'])}."
    answers = operation["responses"].items()
    yield from table(["answer", "body", "meaning"], (
        (status, body_of(answer), answer["description"]) for status, answer in answers if "$ref" not in answer))
    common = ", ".join(f"{status} {type_of(answer)}" for status, answer in answers if "$ref" in answer)
    if common:
        yield f"Also {common}."


def resolved(document, node):
    """What a node refers to, or itself."""
    for name in node.get("$ref", "#").split("/")[1:]:
        document = document[name]
    return document if "$ref" in node else node


def body_of(node):
    """The schema of each type that a body may have; JSON's own types are not named."""
    return ", or ".join(
        type_of(body["schema"]) + (f" (`{name}`)" if name not in ("application/json", "application/problem+json") else "")
        for name, body in node.get("content", {}).items())


def type_of(schema):
    """A schema in some words, with a link to one that has a name."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return " or ".join(type_of(one) for one in schema[choice])
    if "const" in schema or "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    types = schema.get("type", "any")
    text = types if isinstance(types, str) else " or ".join(types)
    if "items" in schema:
        text += f" of {type_of(schema['items'])}"
    bounds = [f"{word} `{schema[key]}`" for key, word in [
        ("minimum", "from"), ("maximum", "to"), ("minLength", "from length"), ("maxLength", "to length"),
        ("maxItems", "at most")] if key in schema]
    return " ".join([text, *bounds])


def members(schema, above=""):
    """Rows about the members of an object, and of objects in it that have no name of their own."""
    for name, member in schema.get("properties", {}).items():
        optional = "" if name in schema.get("required", ()) else ", optional"
        yield f"`{above}{name}`", type_of(member) + optional, member.get("description", "")
        yield from members(member, f"{above}{name}.")
        yield from members(member.get("items", {}), f"{above}{name}[].")


def table(head, rows):
    """A table, if there are rows."""
    rows = [" | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) for row in rows]
    if rows:
        yield "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {row} |" for row in rows)])
