/// Copies JSON that a scanner has accepted, with some of its values replaced.
extension JSONWriter {
    /// Copies a document, without white space between the members; an empty object if it is no
    /// object, or nested deeper than `depth`. `body` is as in `copyObject`.
    package static func copy(
        _ source: ByteView,
        depth: Int,
        body: (String, inout JSONReader, inout JSONWriter) -> Bool
    ) -> [UInt8] {
        var scanner = JSONScanner(depthLimit: depth)
        if (try? validateJSON(source, using: &scanner)) == nil { return Array("{}".utf8) }
        var reader = JSONReader(source)
        var writer = JSONWriter()
        writer.copyObject(&reader, body: body)
        return writer.bytes
    }

    /// Copies the next value of a reader: an object member by member, any other as it is. `body` is
    /// called with the name of each member, before its value; it may write another value in its
    /// place, after it has consumed the one that there is, and then returns true.
    package mutating func copyObject(
        _ reader: inout JSONReader,
        body: (String, inout JSONReader, inout JSONWriter) -> Bool
    ) {
        if reader.peek() != .object { return raw(reader.rawValue()) }
        beginObject()
        reader.enterObject()
        while let name = reader.nextKey()?.string {
            key(name)
            if !body(name, &reader, &self) { raw(reader.rawValue()) }
        }
        endObject()
    }

    /// Copies the next value of a reader: a list element by element, each by `body`, any other as
    /// it is.
    package mutating func copyList(
        _ reader: inout JSONReader,
        each body: (inout JSONReader, inout JSONWriter) -> Void
    ) {
        if reader.peek() != .array { return raw(reader.rawValue()) }
        beginArray()
        reader.enterArray()
        while reader.nextElement() { body(&reader, &self) }
        endArray()
    }
}
