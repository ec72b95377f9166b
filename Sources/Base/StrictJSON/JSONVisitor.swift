public import DataStructures

/// The words of JSON.
@usableFromInline
package enum JSONLiteral: UInt8, Sendable, BitwiseCopyable {
    case `false`
    case `true`
    case null
}

/// Who is told what a document holds, as it is scanned.
///
/// Views lie in the document, or for strings with escapes in the scanner's scratch, and are valid
/// until `JSONScanner.resetScratch`. An error may follow any event: what a visitor has been told of
/// a document that is refused must be undone by whoever called the scanner.
@usableFromInline
package protocol JSONVisitor: ~Copyable {
    /// A member's key, decoded; its value follows.
    mutating func key(_ key: ByteView)
    /// A string value, decoded.
    mutating func string(_ value: ByteView)
    /// A number as it is written; its grammar and range have been checked.
    mutating func number(_ text: ByteView)
    mutating func literal(_ literal: JSONLiteral)
    mutating func beginObject()
    mutating func endObject()
    mutating func beginArray()
    mutating func endArray()
}

/// Looks at nothing: what remains is the check.
package struct NullJSONVisitor: JSONVisitor {
    package init() {}

    package mutating func key(_ key: ByteView) {}
    package mutating func string(_ value: ByteView) {}
    package mutating func number(_ text: ByteView) {}
    package mutating func literal(_ literal: JSONLiteral) {}
    package mutating func beginObject() {}
    package mutating func endObject() {}
    package mutating func beginArray() {}
    package mutating func endArray() {}
}

/// Checks that the bytes are one strict JSON object.
///
/// - Throws: `JSONError` with the place of the first thing that is wrong.
package func validateJSON(
    _ bytes: ByteView,
    using scanner: inout JSONScanner
) throws(JSONError) {
    var visitor = NullJSONVisitor()
    try scanner.scan(bytes, into: &visitor)
}
