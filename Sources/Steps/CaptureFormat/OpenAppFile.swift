package import DataStructures
internal import StrictJSON

/// Returns an app file all of whose roles are open, without the credentials that it lists: a
/// recording of it may be passed on, and played to a router on the same machine.
///
/// - Parameter source: an app file; anything that is not a JSON object gives an empty one.
/// - Returns: the other members in their order, without white space between them.
package func openAppFile(_ source: ByteView) -> [UInt8] {
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

/// Copies one app, with open roles.
private func copyApp(_ reader: inout JSONReader, to writer: inout JSONWriter) {
    if reader.peek() != .object { return writer.raw(reader.rawValue()) }
    let roles = ["publishers", "devices", "gateways"]
    let former = ["publisherTokens", "deviceTokens", "gatewayTokens"]
    writer.beginObject()
    reader.enterObject()
    while let name = reader.nextKey()?.string {
        if roles.contains(name) || former.contains(name) {
            reader.skipValue()
        } else {
            writer.key(name)
            writer.raw(reader.rawValue())
        }
    }
    for role in roles {
        writer.key(role)
        writer.string("open")
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
