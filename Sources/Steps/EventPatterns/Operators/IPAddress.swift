package import Basics

/// An IPv4 or IPv6 address, read from dotted decimal or from the notation of RFC 4291.
///
/// IPv4 octets have no leading zeros, because some readers would take them for octal; IPv6
/// addresses have no zone. `::ffff:1.2.3.4` is an IPv6 address and equals no IPv4 address.
@frozen
package struct IPAddress: Equatable, BitwiseCopyable, Sendable {
    /// Whether the address is an IPv6 address; otherwise it is an IPv4 address.
    package let isIPv6: Bool
    /// The first 64 bits; an IPv4 address occupies the upper 32 of them.
    package let high: UInt64
    /// The last 64 bits; 0 for IPv4.
    package let low: UInt64

    @inlinable @inline(__always)
    init(isIPv6: Bool, high: UInt64, low: UInt64) {
        self.isIPv6 = isIPv6
        self.high = high
        self.low = low
    }

    /// Reads an address; nil if the text is not one, which the first bytes of most strings reveal.
    @inlinable @inline(__always)
    package init?(_ text: ByteView) {
        if !Self.canBegin(text) { return nil }
        self.init(parsing: text)
    }

    /// Bytes of the longest address: six groups and an IPv4 address, 0000: × 6 and 255.255.255.255.
    @inlinable
    static var longest: Int { 45 }

    /// A cheap filter: whether the first dot or colon comes where an address may have it, with only
    /// hexadecimal digits before it. True does not make the text an address.
    @inlinable @inline(__always)
    static func canBegin(_ text: ByteView) -> Bool {
        if text.count < 2 || text.count > longest { return false }
        for offset in 0..<min(5, text.count) {
            let byte = text[offset]
            if byte == 0x3a { return true }
            if byte == 0x2e { return offset > 0 && offset < 4 }
            if Self.hexDigit(byte) > 15 { return false }
        }
        return false
    }

    /// Reads an address from a text of at least two bytes; nil if it is not one.
    @usableFromInline
    init?(parsing text: ByteView) {
        var isIPv6 = false
        for offset in 0..<text.count where text[offset] == 0x3a {
            isIPv6 = true
            break
        }
        if isIPv6 {
            guard let value = Self.parseIPv6(text) else { return nil }
            let high = UInt64(truncatingIfNeeded: value >> 64)
            self.init(isIPv6: true, high: high, low: UInt64(truncatingIfNeeded: value))
        } else {
            guard let value = Self.parseIPv4(text) else { return nil }
            self.init(isIPv6: false, high: UInt64(value) << 32, low: 0)
        }
    }

    /// The value of a hexadecimal digit; more than 15 if the byte is not one.
    @inlinable @inline(__always)
    static func hexDigit(_ byte: UInt8) -> UInt8 {
        let digit = byte &- 0x30
        if digit <= 9 { return digit }
        let letter = (byte | 0x20) &- 0x61
        return letter <= 5 ? letter &+ 10 : 0xff
    }

    /// Four decimal octets; nil if the text is anything else.
    private static func parseIPv4(_ text: ByteView) -> UInt32? {
        var value: UInt32 = 0
        var offset = 0
        for index in 0..<4 {
            if index > 0 {
                if offset == text.count || text[offset] != 0x2e { return nil }
                offset += 1
            }
            let start = offset
            var octet: UInt32 = 0
            while offset < text.count, text[offset] &- 0x30 <= 9, offset - start < 3 {
                octet = octet * 10 + UInt32(text[offset] - 0x30)
                offset += 1
            }
            let hasLeadingZero = offset - start > 1 && text[start] == 0x30
            if offset == start || hasLeadingZero || octet > 255 { return nil }
            value = value << 8 | octet
        }
        return offset == text.count ? value : nil
    }

    /// Eight groups of hexadecimal digits, or at most seven and a `::` for the missing ones; the
    /// last two may be written as an IPv4 address.
    private static func parseIPv6(_ text: ByteView) -> UInt128? {
        var value: UInt128 = 0
        var count = 0
        /// The number of groups before `::`.
        var countBefore: Int?
        var offset = 0
        if text[0] == 0x3a {
            if text[1] != 0x3a { return nil }
            countBefore = 0
            offset = 2
        }
        while offset < text.count {
            let end = endOfGroup(text, from: offset)
            if end < text.count, text[end] == 0x2e {
                guard let tail = parseIPv4(text.slice(offset, to: text.count)) else { return nil }
                value = value << 32 | UInt128(tail)
                count += 2
                break
            }
            guard let group = group(text.slice(offset, to: end)) else { return nil }
            value = value << 16 | UInt128(group)
            count += 1
            if end == text.count { break }
            // A colon: another group must follow, or one more colon.
            if end + 1 == text.count { return nil }
            offset = end + 1
            if text[offset] == 0x3a {
                if countBefore != nil { return nil }
                countBefore = count
                offset += 1
            }
        }
        guard let countBefore else { return count == 8 ? value : nil }
        if count > 7 { return nil }
        let rest = UInt128(16 * (count - countBefore))
        // A shift by all 128 bits yields 0, which is what no groups before `::` need.
        let head = (value >> rest) << UInt128(16 * (8 - countBefore))
        return head | value & ~(UInt128.max << rest)
    }

    /// The offset of the next colon or dot from `start`, or the text's end.
    private static func endOfGroup(_ text: ByteView, from start: Int) -> Int {
        var end = start
        while end < text.count, text[end] != 0x3a, text[end] != 0x2e { end += 1 }
        return end
    }

    /// One to four hexadecimal digits.
    private static func group(_ text: ByteView) -> UInt16? {
        if text.count < 1 || text.count > 4 { return nil }
        var value: UInt16 = 0
        for offset in 0..<text.count {
            let digit = hexDigit(text[offset])
            if digit > 15 { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
