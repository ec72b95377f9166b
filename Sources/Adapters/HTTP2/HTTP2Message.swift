/// A message that the peer has sent: a request or an answer.
package struct HTTP2Message {
    private var bytes: [UInt8] = []
    private var entries: [HTTP2FieldEntry] = []
    /// The body.
    package private(set) var body: [UInt8] = []

    init() {}

    /// The value of a field, as a text; nil if the message has none of that name.
    package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Whether the message has a field of that name.
    package func hasField(_ name: String) -> Bool {
        entries.contains { entry in
            entry.nameCount == name.utf8.count
                && bytes[entry.nameStart..<entry.nameStart + entry.nameCount]
                    .elementsEqual(name.utf8)
        }
    }

    /// All fields in order, with what `apns-mock` and tests print.
    package var fields: [(name: String, value: String)] {
        entries.map { entry in
            (
                text(from: entry.nameStart, count: entry.nameCount),
                text(from: entry.valueStart, count: entry.valueCount)
            )
        }
    }

    private func text(from start: Int, count: Int) -> String {
        String(decoding: bytes[start..<start + count], as: UTF8.self)
    }

    /// The status of an answer; 0 if it has none.
    package var status: Int {
        // The status of a final answer replaces those of informational ones: it comes last.
        var index = entries.count
        while index > 0 {
            index -= 1
            let entry = entries[index]
            if bytes[entry.nameStart] != UInt8(ascii: ":") { continue }
            var status = 0
            for byte in bytes[entry.valueStart..<entry.valueStart + entry.valueCount] {
                status = status * 10 + Int(byte &- UInt8(ascii: "0"))
            }
            return status
        }
        return 0
    }

    /// Whether a field may be in a message: a status must be a number, and nghttp2 does not check
    /// that.
    static func isPossible(
        _ name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if unsafe name[0] != UInt8(ascii: ":") || !name.elementsEqual(":status".utf8) {
            return true
        }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return unsafe value.count == 3 && value[0] != UInt8(ascii: "0")
            && value.allSatisfy { digits.contains($0) }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        body.removeAll(keepingCapacity: true)
    }

    /// Adds a field; returns false, without adding it, if all names and values would be longer than
    /// `limit`.
    mutating func append(
        _ name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>,
        limit: Int
    ) -> Bool {
        if bytes.count + name.count + value.count > limit { return false }
        entries.append(
            HTTP2FieldEntry(
                nameStart: bytes.count,
                nameCount: name.count,
                valueStart: bytes.count + name.count,
                valueCount: value.count,
                isLiteral: false
            )
        )
        unsafe bytes.append(contentsOf: name)
        unsafe bytes.append(contentsOf: value)
        return true
    }

    /// Adds a piece to the body, as much of it as fits into `limit` bytes, so that it does not
    /// matter how the network has cut it. Returns whether all of it has fitted.
    mutating func append(_ piece: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
        let room = max(0, limit - body.count)
        unsafe body.append(contentsOf: piece.prefix(room))
        return piece.count <= room
    }
}
