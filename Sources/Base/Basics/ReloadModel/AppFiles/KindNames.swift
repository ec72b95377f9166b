/// The kinds to which a push is narrowed, as they stand in front of its payload: the name of each
/// after its length as a byte.
///
/// A view of these bytes, whose form is checked when it is made.
package struct KindNames: BitwiseCopyable {
    /// The names with their lengths.
    package let bytes: ByteView

    /// Makes a view of bytes; nil unless they are whole names of 1 to `identifierBytes` bytes.
    package init?(_ bytes: ByteView) {
        var offset = 0
        while offset < bytes.count {
            let count = Int(bytes[offset])
            offset += 1 + count
            if !(1...RouterLimits.identifierBytes).contains(count) || offset > bytes.count {
                return nil
            }
        }
        self.bytes = bytes
    }

    /// Calls `body` with each name, in order.
    package func visit(_ body: (ByteView) -> Void) {
        var offset = 0
        while offset < bytes.count {
            let end = offset + 1 + Int(bytes[offset])
            body(bytes.slice(offset + 1, to: end))
            offset = end
        }
    }

    /// The names as strings.
    package var strings: [String] {
        var names: [String] = []
        visit { names.append($0.string) }
        return names
    }

    /// The names in a list that is separated by commas, without the white space around them.
    package static func names(in list: String) -> [String] {
        list.split(separator: ",").map { name in
            var name = name.drop { $0 == " " || $0 == "\t" }
            while name.last == " " || name.last == "\t" { name.removeLast() }
            return String(name)
        }
    }

    /// The bytes of a list of names; nil if one is not of 1 to `identifierBytes` bytes, or if they
    /// are too long together for the 16 bits of their length.
    package static func encode(_ names: some Sequence<String>) -> [UInt8]? {
        var bytes: [UInt8] = []
        for name in names {
            let text = Array(name.utf8)
            if !(1...RouterLimits.identifierBytes).contains(text.count) { return nil }
            bytes.append(UInt8(text.count))
            bytes += text
        }
        return bytes.count <= Int(UInt16.max) ? bytes : nil
    }
}
