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

    /// Adds a field whose value is a text.
    ///
    /// - Parameters:
    ///   - name: its name, in small letters.
    ///   - value: its value.
    ///   - isLiteral: whether it stays out of the table by which HPACK shortens what comes again:
    ///     for secrets, and for values that come once.
    package mutating func append(_ name: StaticString, value: String, isLiteral: Bool = false) {
        append(name, value: value.utf8, isLiteral: isLiteral)
    }

    /// Adds a field; see the other ones.
    package mutating func append(
        _ name: StaticString,
        value: some Sequence<UInt8>,
        isLiteral: Bool = false
    ) {
        add(name, isLiteral: isLiteral) { $0.append(contentsOf: value) }
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
        add(name, isLiteral: isLiteral) { bytes in
            unsafe bytes.append(contentsOf: prefix.bytes)
            unsafe bytes.append(
                contentsOf: UnsafeRawBufferPointer(start: value.address, count: value.count)
            )
        }
    }

    private mutating func add(
        _ name: StaticString,
        isLiteral: Bool,
        value: (inout [UInt8]) -> Void
    ) {
        let start = bytes.count
        unsafe bytes.append(contentsOf: name.bytes)
        let valueStart = bytes.count
        value(&bytes)
        entries.append(
            HTTP2FieldEntry(
                start: start,
                nameCount: valueStart - start,
                valueCount: bytes.count - valueStart,
                isLiteral: isLiteral
            )
        )
    }
}

extension StaticString {
    /// The UTF-8 of a text in the program, which lives as long as that.
    fileprivate var bytes: UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
