package import DataStructures

/// Where a field lies in the memory of a head.
///
///     :status200apns-id4f2c…
///     └name──┴value
struct HTTP2FieldEntry {
    var start: Int
    var nameCount: Int
    var valueCount: Int
    /// Whether the field stays out of the peer's table (HPACK), because its value is secret or seen
    /// once.
    var isLiteral: Bool
}

/// The head of a message that is to be sent: fields in order, pseudo-header fields first.
package struct HTTP2Fields {
    private(set) var bytes: [UInt8] = []
    private(set) var entries: [HTTP2FieldEntry] = []

    /// No fields.
    package init() {}

    /// Removes all fields, and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - name: its name, in small letters.
    ///   - value: its value.
    ///   - isLiteral: whether it stays out of the table by which HPACK shortens what comes again:
    ///     for secrets, and for values that come once.
    package mutating func append(
        _ name: StaticString,
        value: some Sequence<UInt8>,
        isLiteral: Bool = false
    ) {
        let start = bytes.count
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        )
        let valueStart = bytes.count
        bytes.append(contentsOf: value)
        entries.append(
            HTTP2FieldEntry(
                start: start,
                nameCount: valueStart - start,
                valueCount: bytes.count - valueStart,
                isLiteral: isLiteral
            )
        )
    }

    /// Adds a field whose value is a text.
    package mutating func append(_ name: StaticString, value: String, isLiteral: Bool = false) {
        append(name, value: value.utf8, isLiteral: isLiteral)
    }

    /// Adds a field whose value is bytes.
    ///
    /// - Parameters:
    ///   - name: its name, in small letters.
    ///   - prefix: what the value begins with.
    ///   - value: the rest of it.
    ///   - isLiteral: whether it stays out of the table of HPACK.
    package mutating func append(
        _ name: StaticString,
        prefix: StaticString = "",
        view value: ByteView,
        isLiteral: Bool = false
    ) {
        let start = bytes.count
        append(name)
        let valueStart = bytes.count
        append(prefix)
        unsafe bytes.append(
            contentsOf: UnsafeRawBufferPointer(start: value.address, count: value.count)
        )
        entries.append(
            HTTP2FieldEntry(
                start: start,
                nameCount: valueStart - start,
                valueCount: bytes.count - valueStart,
                isLiteral: isLiteral
            )
        )
    }

    private mutating func append(_ text: StaticString) {
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    /// Adds a field whose name and value were received from another side.
    package mutating func append(copying name: ByteView, value: ByteView) {
        let start = bytes.count
        bytes.append(contentsOf: name.array)
        bytes.append(contentsOf: value.array)
        entries.append(
            HTTP2FieldEntry(
                start: start,
                nameCount: name.count,
                valueCount: value.count,
                isLiteral: false
            )
        )
    }
}
