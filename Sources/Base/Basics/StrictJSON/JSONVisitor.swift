/// The three literal names of JSON.
@usableFromInline
package enum JSONLiteral: UInt8, Sendable, BitwiseCopyable {
    case `false`
    case `true`
    case null
}

/// Receives the contents of a document as `JSONScanner` scans it.
///
/// Views point into the document, or for strings with escapes into the scanner's scratch memory;
/// they are valid until `JSONScanner.resetScratch` at the latest. An error may follow any event, so
/// the caller of the scanner must undo what the visitor did with a document that is refused.
@usableFromInline
package protocol JSONVisitor: ~Copyable {
    /// A member's key, decoded; the events of its value follow.
    mutating func key(_ key: ByteView)
    /// A string value, decoded.
    mutating func string(_ value: ByteView)
    /// A number as the document spells it; its grammar and range have been checked.
    mutating func number(_ text: ByteView)
    /// The value true, false or null.
    mutating func literal(_ literal: JSONLiteral)
    /// An object begins; a key or its end follows.
    mutating func beginObject()
    /// The innermost object has ended.
    mutating func endObject()
    /// An array begins; the events of its elements follow.
    mutating func beginArray()
    /// The innermost array has ended.
    mutating func endArray()
}

/// A visitor that ignores every event, for callers that need only the validation.
struct NullJSONVisitor: JSONVisitor {
    func key(_ key: ByteView) {}
    func string(_ value: ByteView) {}
    func number(_ text: ByteView) {}
    func literal(_ literal: JSONLiteral) {}
    func beginObject() {}
    func endObject() {}
    func beginArray() {}
    func endArray() {}
}

/// Checks that the bytes are one JSON object by the rules of `JSONScanner`. Throws `JSONError` with
/// the offset of the first error.
package func validateJSON(_ bytes: ByteView, using scanner: inout JSONScanner) throws(JSONError) {
    var visitor = NullJSONVisitor()
    try scanner.scan(bytes, into: &visitor)
}
