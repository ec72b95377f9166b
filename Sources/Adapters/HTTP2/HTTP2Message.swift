/// A message that the peer has sent: a request or an answer.
package struct HTTP2Message {
    private var bytes: [UInt8] = []
    private var entries: [HTTP2FieldEntry] = []
    /// The body.
    package private(set) var body: [UInt8] = []

    init() {}

    /// The value of a field, as a text; nil if the message has none of that name.
    package func field(_ name: String) -> String? {
        for entry in entries
        where bytes[entry.start..<entry.start + entry.nameCount].elementsEqual(name.utf8) {
            let start = entry.start + entry.nameCount
            return String(decoding: bytes[start..<start + entry.valueCount], as: UTF8.self)
        }
        return nil
    }

    /// All fields in order, with what `apns-mock` and tests print.
    package var fields: [(name: String, value: String)] {
        entries.map { entry in
            let middle = entry.start + entry.nameCount
            return (
                String(decoding: bytes[entry.start..<middle], as: UTF8.self),
                String(decoding: bytes[middle..<middle + entry.valueCount], as: UTF8.self)
            )
        }
    }

    /// The status of an answer; 0 if it has none.
    package var status: Int {
        // The status of a final answer replaces those of informational ones: it comes last.
        for entry in entries.reversed() where bytes[entry.start] == UInt8(ascii: ":") {
            let start = entry.start + entry.nameCount
            return bytes[start..<start + entry.valueCount].reduce(0) { sum, byte in
                sum * 10 + Int(byte &- UInt8(ascii: "0"))
            }
        }
        return 0
    }

    /// Whether a field may be in a message: a status must be a number, and nghttp2 does not check
    /// that.
    static func isPossible(
        _ name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if unsafe !name.elementsEqual(":status".utf8) { return true }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return unsafe value.count == 3 && value[0] != UInt8(ascii: "0")
            && value.allSatisfy { digits.contains($0) }
    }

    /// The bytes of names and values.
    var headByteCount: Int { bytes.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        body.removeAll(keepingCapacity: true)
    }

    mutating func append(_ name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        entries.append(
            HTTP2FieldEntry(
                start: bytes.count,
                nameCount: name.count,
                valueCount: value.count,
                isLiteral: false
            )
        )
        unsafe bytes.append(contentsOf: name)
        unsafe bytes.append(contentsOf: value)
    }

    mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        unsafe body.append(contentsOf: piece)
    }
}
