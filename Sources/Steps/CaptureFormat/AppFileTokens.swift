package import DataStructures
internal import StrictJSON

/// Returns an app file without its lists of tokens: with such a file, no role needs a token.
///
/// - Parameter source: an app file; anything that is not a JSON object gives an empty one.
/// - Returns: the other members in their order, without white space between them.
package func appFileWithoutTokens(_ source: ByteView) -> [UInt8] {
    var scanner = JSONScanner(depthLimit: 64)
    if (try? validateJSON(source, using: &scanner)) == nil { return Array("{}".utf8) }
    var reader = JSONReader(source)
    var writer = JSONWriter()
    copyMembers(&reader, to: &writer) { name, reader, writer in
        guard name == "apps", reader.peek() == .array else { return false }
        writer.beginArray()
        reader.enterArray()
        while reader.nextElement() { copyApp(&reader, to: &writer) }
        writer.endArray()
        return true
    }
    return writer.bytes
}

/// Copies one app without its lists of tokens.
private func copyApp(_ reader: inout JSONReader, to writer: inout JSONWriter) {
    if reader.peek() != .object { return writer.raw(reader.rawValue()) }
    writer.beginObject()
    reader.enterObject()
    while let name = reader.nextKey() {
        if name == "publisherTokens" || name == "deviceTokens" || name == "gatewayTokens" {
            reader.skipValue()
        } else {
            writer.key(name.string)
            writer.raw(reader.rawValue())
        }
    }
    writer.endObject()
}

/// Copies an object; `body` may write the value of a member itself, and then returns true.
private func copyMembers(
    _ reader: inout JSONReader,
    to writer: inout JSONWriter,
    body: (JSONText, inout JSONReader, inout JSONWriter) -> Bool
) {
    writer.beginObject()
    reader.enterObject()
    while let name = reader.nextKey() {
        writer.key(name.string)
        if !body(name, &reader, &writer) { writer.raw(reader.rawValue()) }
    }
    writer.endObject()
}
