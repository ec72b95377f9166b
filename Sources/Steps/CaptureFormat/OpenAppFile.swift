package import Basics

/// Returns an app file all of whose roles are open, without the credentials that it lists: a
/// recording of it may be passed on, and played to a router on the same machine. The other members
/// stay in their order, without white space between them; anything that is not a JSON object gives
/// an empty one.
package func openAppFile(_ source: ByteView) -> [UInt8] {
    JSONWriter.copy(source, depth: 64) { name, reader, writer in
        if name != "apps" { return false }
        writer.copyList(&reader, each: copyApp)
        return true
    }
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
