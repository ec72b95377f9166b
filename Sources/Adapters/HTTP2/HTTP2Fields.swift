package import Basics

/// Where a field lies in the memory of a head.
struct HTTP2FieldEntry {
    var nameStart: Int
    var nameCount: Int
    var valueStart: Int
    var valueCount: Int
    /// Whether the field stays out of the peer's table (HPACK), because its value is secret or seen
    /// once.
    var isLiteral: Bool
    /// Whether each message has another value.
    var isPlace = false
}

/// The head of a message that is to be sent: fields in order, pseudo-header fields first.
///
/// Messages that share most of their fields need only one: it leaves places for the values that
/// differ, and each message fills them.
///
///     :method POST :path _ authorization … apns-id _ │ /3/device/4f… │ 1d2e-…
///     └──────────────── appended once ─────────────┘ └─ fill, for each message
package struct HTTP2Fields {
    /// A field whose value each message gives.
    package struct Place {
        fileprivate let index: Int
    }

    private(set) var bytes: [UInt8] = []
    private(set) var entries: [HTTP2FieldEntry] = []
    /// The bytes of what was appended; those of filled places follow.
    private var appendedCount = 0

    /// No fields.
    package init() {}

    // MARK: - Appending

    /// Adds a field whose name is in small letters, and whose value is a text. A literal one stays
    /// out of the table by which HPACK shortens what comes again: for secrets, and for values that
    /// come once.
    package mutating func append(_ name: StaticString, value: String, isLiteral: Bool = false) {
        append(name, value: Array(value.utf8), isLiteral: isLiteral)
    }

    /// Adds a field; see the other one.
    package mutating func append(_ name: StaticString, value: [UInt8], isLiteral: Bool = false) {
        add(name, isLiteral: isLiteral)
        bytes.append(contentsOf: value)
        entries[entries.count - 1].valueCount = value.count
        appendedCount = bytes.count
    }

    /// Adds a field whose value each message gives: it stays out of the table of HPACK.
    package mutating func appendPlace(_ name: StaticString) -> Place {
        add(name, isLiteral: true)
        entries[entries.count - 1].isPlace = true
        return Place(index: entries.count - 1)
    }

    private mutating func add(_ name: StaticString, isLiteral: Bool) {
        precondition(bytes.count == appendedCount, "a field is added after a place was filled")
        entries.append(
            HTTP2FieldEntry(
                nameStart: bytes.count,
                nameCount: name.utf8CodeUnitCount,
                valueStart: bytes.count + name.utf8CodeUnitCount,
                valueCount: 0,
                isLiteral: isLiteral
            )
        )
        unsafe bytes.append(contentsOf: name.bytes)
        appendedCount = bytes.count
    }

    // MARK: - Places

    /// Empties all places, for the next message.
    package mutating func clearPlaces() {
        bytes.removeLast(bytes.count - appendedCount)
        for index in entries.indices where entries[index].isPlace {
            entries[index].valueStart = appendedCount
            entries[index].valueCount = 0
        }
    }

    /// Fills a place with a text and bytes; `clearPlaces` empties it.
    package mutating func fill(_ place: Place, prefix: StaticString = "", value: ByteView) {
        precondition(entries[place.index].isPlace, "a place of another head")
        entries[place.index].valueStart = bytes.count
        unsafe bytes.append(contentsOf: prefix.bytes)
        unsafe bytes.append(
            contentsOf: UnsafeRawBufferPointer(start: value.address, count: value.count)
        )
        entries[place.index].valueCount = prefix.utf8CodeUnitCount + value.count
    }
}

extension StaticString {
    /// The UTF-8 of a text in the program, which lives as long as that.
    fileprivate var bytes: UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
