package import DataStructures
internal import StrictJSON

/// Returns an app file without its secrets, as stores, recordings of it and operators may see it:
/// the keys of HS256, by which tokens are signed. Digests of tokens and public keys stay.
///
/// - Parameter source: an app file; anything that is not a JSON object gives an empty one.
/// - Returns: the other members in their order, without white space between those of apps.
package func appFileWithoutSecrets(_ source: ByteView) -> [UInt8] {
    var scanner = JSONScanner(depthLimit: 64)
    if (try? validateJSON(source, using: &scanner)) == nil { return Array("{}".utf8) }
    var reader = JSONReader(source)
    var writer = JSONWriter()
    copyObject(&reader, to: &writer) { name, reader, writer in
        guard name == "apps" else { return false }
        return copyList(&reader, to: &writer, each: copyApp)
    }
    return writer.bytes
}

private func copyApp(_ reader: inout JSONReader, to writer: inout JSONWriter) {
    copyObject(&reader, to: &writer) { name, reader, writer in
        guard name == "publishers" || name == "devices" || name == "gateways" else { return false }
        return copyList(&reader, to: &writer, each: copyCredential)
    }
}

private func copyCredential(_ reader: inout JSONReader, to writer: inout JSONWriter) {
    copyObject(&reader, to: &writer) { name, reader, writer in
        guard name == "jwk" else { return false }
        copyObject(&reader, to: &writer) { name, reader, writer in
            guard name == "k" || name == "d" else { return false }
            reader.skipValue()
            writer.string("(secret)")
            return true
        }
        return true
    }
}

/// Copies a list, each element by `each`; copies nothing and returns false if it is none.
private func copyList(
    _ reader: inout JSONReader,
    to writer: inout JSONWriter,
    each: (inout JSONReader, inout JSONWriter) -> Void
) -> Bool {
    if reader.peek() != .array { return false }
    writer.beginArray()
    reader.enterArray()
    while reader.nextElement() { each(&reader, &writer) }
    writer.endArray()
    return true
}

/// Copies an object, or another value as it is; `body` may write the value of a member itself, and
/// then returns true.
private func copyObject(
    _ reader: inout JSONReader,
    to writer: inout JSONWriter,
    body: (JSONText, inout JSONReader, inout JSONWriter) -> Bool
) {
    if reader.peek() != .object { return writer.raw(reader.rawValue()) }
    writer.beginObject()
    reader.enterObject()
    while let name = reader.nextKey() {
        writer.key(name.string)
        if !body(name, &reader, &writer) { writer.raw(reader.rawValue()) }
    }
    writer.endObject()
}
