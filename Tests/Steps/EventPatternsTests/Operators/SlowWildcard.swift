/// A wildcard as a list of bytes and stars, matched by a table of all prefixes.
struct SlowWildcard {
    /// Nil is a star.
    private let elements: [UInt8?]

    init(_ pattern: [UInt8]) {
        var elements: [UInt8?] = []
        var rest = pattern[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                elements.append(rest.removeFirst())
            } else {
                elements.append(byte == UInt8(ascii: "*") ? nil : byte)
            }
        }
        self.elements = elements
    }

    /// The parts between the stars.
    var literals: [[UInt8]] {
        elements.split(separator: nil, omittingEmptySubsequences: false).map { $0.map { $0! } }
    }

    func matches(_ value: [UInt8]) -> Bool {
        // Which prefixes of the value the elements so far match.
        var reached = [true] + Array(repeating: false, count: value.count)
        for element in elements {
            var next = Array(repeating: false, count: value.count + 1)
            for end in 0...value.count {
                if let element {
                    next[end] = end > 0 && reached[end - 1] && value[end - 1] == element
                } else {
                    next[end] = reached[end] || (end > 0 && next[end - 1])
                }
            }
            reached = next
        }
        return reached[value.count]
    }
}
