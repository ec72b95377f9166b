import DataStructures

/// A buffer of JSON objects, one after the other, as the generators write them.
///
/// Their strings need no escapes. `JSONWriter` would be too slow for ten million objects.
struct BenchMatchText {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    // MARK: - Objects

    /// Begins an object.
    mutating func begin() {
        bytes.append(0x7b)
    }

    /// Ends an object.
    mutating func end() {
        bytes.append(0x7d)
    }

    /// Ends the object that began at `start`, with a member `note` that pads it to a length.
    mutating func end(padding start: Int, to length: Int) {
        assert(start <= bytes.count, "the object begins after its end")
        key("note")
        bytes.append(0x22)
        for position in 0..<max(0, length - 2 - (bytes.count - start)) {
            bytes.append(position % 6 == 5 ? 0x20 : 0x6e)
        }
        bytes.append(0x22)
        end()
    }

    // MARK: - Members

    /// Writes a key, after a comma if it is not the first.
    mutating func key(_ name: String) {
        if let last = bytes.last, last != 0x7b { bytes.append(0x2c) }
        bytes.append(0x22)
        add(name)
        add("\":")
    }

    /// Writes a member that is a string with a number in it; returns the range of the string,
    /// without its quotation marks.
    @discardableResult
    mutating func string(
        _ name: String,
        prefix before: String,
        number: Int,
        suffix after: String = ""
    ) -> Range<Int> {
        string(name) { text in
            text.add(before)
            text.add(number)
            text.add(after)
        }
    }

    /// Writes a member that is a string; `body` adds its pieces.
    @discardableResult
    mutating func string(_ name: String, body: (inout BenchMatchText) -> Void) -> Range<Int> {
        key(name)
        bytes.append(0x22)
        let start = bytes.count
        body(&self)
        let end = bytes.count
        bytes.append(0x22)
        return start..<end
    }

    /// Writes a member that is a string.
    mutating func string(_ name: String, value: String) {
        string(name) { $0.add(value) }
    }

    /// Writes a member that is a number.
    mutating func number(_ name: String, value: Int) {
        key(name)
        add(value)
    }

    /// Writes a member that is a list of strings, which differ in their numbers.
    mutating func strings(_ name: String, prefix before: String, numbers: Range<Int>) {
        key(name)
        bytes.append(0x5b)
        for number in numbers {
            if number > numbers.lowerBound { bytes.append(0x2c) }
            bytes.append(0x22)
            add(before)
            add(number)
            bytes.append(0x22)
        }
        bytes.append(0x5d)
    }

    // MARK: - Pieces

    mutating func add(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Adds a number's digits, padded with zeros to a width.
    mutating func add(_ number: Int, width: Int = 1) {
        assert(number >= 0, "a text has a number without a sign")
        var divisor = 1
        var digits = 1
        while number / divisor >= 10 || digits < width {
            divisor *= 10
            digits += 1
        }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    /// Adds random lower-case letters.
    mutating func addLetters(_ count: Int, using random: inout SplitMix64) {
        for _ in 0..<count { bytes.append(0x61 + UInt8(random.below(26))) }
    }
}
