/// A position in a text with a date of RFC 3339, and steps that read one part and move past it.
package struct DateReader<Text: RandomAccessCollection<UInt8>> where Text.Index == Int {
    @usableFromInline let text: Text
    @usableFromInline var position: Int

    /// Begins at the first byte.
    @inlinable
    package init(_ text: Text) {
        self.text = text
        position = text.startIndex
    }

    /// Whether nothing is left.
    @inlinable package var isAtEnd: Bool { position == text.endIndex }

    /// Skips a character of ASCII; false, without moving, if another one is next.
    @inlinable
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.endIndex, text[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    /// Reads exactly `digits` decimal digits; nil if there are fewer.
    @inlinable
    package mutating func number(_ digits: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads one to `places` decimal places of a second, as a number of `places` digits.
    @inlinable
    package mutating func fraction(places: Int) -> Int64? {
        guard var value = digit() else { return nil }
        for _ in 1..<places { value = value * 10 + (digit() ?? 0) }
        return value
    }

    /// Skips all digits that are next.
    @inlinable
    package mutating func skipDigits() {
        while digit() != nil {}
    }

    /// Reads `Z`, `+HH:MM` or `-HH:MM`: how many seconds local time is ahead of UTC.
    @inlinable
    package mutating func offset() -> Int64? {
        if skip("Z") { return 0 }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = number(2), skip(":"), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return isEast ? seconds : -seconds
    }

    @inlinable
    mutating func digit() -> Int64? {
        guard position < text.endIndex, (0x30...0x39).contains(text[position]) else { return nil }
        position += 1
        return Int64(text[position - 1] - 0x30)
    }
}
