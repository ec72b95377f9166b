import DataStructures

/// JSON objects, one behind the other, as the generators write them.
///
/// What they write needs no escapes; `JSONWriter` would be too slow for ten million of them.
struct BenchMatchText {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    // MARK: - Objects

    mutating func begin() {
        bytes.append(0x7b)
    }

    mutating func end() {
        bytes.append(0x7d)
    }

    /// Ends the object that began at `start` with a member of text that fills it to a length.
    mutating func end(padding start: Int, to length: Int) {
        key("note")
        bytes.append(0x22)
        for position in 0..<max(0, length - 2 - (bytes.count - start)) {
            bytes.append(position % 6 == 5 ? 0x20 : 0x6e)
        }
        bytes.append(0x22)
        end()
    }

    // MARK: - Members

    mutating func key(_ name: String) {
        if let last = bytes.last, last != 0x7b { bytes.append(0x2c) }
        bytes.append(0x22)
        add(name)
        add("\":")
    }

    /// Writes a string with a number in it; returns where the string lies, without its quotes.
    @discardableResult
    mutating func string(
        _ name: String,
        _ before: String,
        _ number: Int,
        _ after: String = ""
    ) -> Range<Int> {
        string(name) { text in
            text.add(before)
            text.add(number)
            text.add(after)
        }
    }

    /// Writes a string that `body` adds the pieces of.
    @discardableResult
    mutating func string(_ name: String, _ body: (inout BenchMatchText) -> Void) -> Range<Int> {
        key(name)
        bytes.append(0x22)
        let start = bytes.count
        body(&self)
        let end = bytes.count
        bytes.append(0x22)
        return start..<end
    }

    mutating func string(_ name: String, _ value: String) {
        string(name) { $0.add(value) }
    }

    mutating func number(_ name: String, _ value: Int) {
        key(name)
        add(value)
    }

    /// Writes a list of strings that differ in their number.
    mutating func strings(_ name: String, _ before: String, _ numbers: Range<Int>) {
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

    /// Adds a number's digits, with zeros before them up to a width.
    mutating func add(_ number: Int, width: Int = 1) {
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

    /// Adds lower-case letters by chance.
    mutating func addLetters(_ count: Int, _ random: inout SplitMix64) {
        for _ in 0..<count { bytes.append(0x61 + UInt8(random.below(26))) }
    }
}
