package import Basics

/// A block of IP addresses, such as 10.0.0.0/8 or 2001:db8::/32; for the operator `cidr`.
@frozen
package struct AddressBlock: Equatable, BitwiseCopyable, Sendable {
    /// The first address of the block. A text may have ones after the prefix; they are cleared
    /// here.
    package let address: IPAddress
    /// Leading bits that all addresses of the block share: at most 32, or 128 for IPv6.
    package let prefixLength: Int

    /// The block of any of its addresses; its prefix has at most 32 bits for IPv4, 128 for IPv6.
    @inlinable
    package init(_ address: IPAddress, prefixLength: Int) {
        self.address = Self.masked(address, prefixLength: prefixLength)
        self.prefixLength = prefixLength
    }

    /// Reads a block; nil if the text is not one.
    package init?(_ text: ByteView) {
        var slash = text.count
        for offset in 0..<text.count where text[offset] == 0x2f {
            slash = offset
            break
        }
        if slash == text.count { return nil }
        guard let address = IPAddress(text.slice(0, to: slash)) else { return nil }
        guard let length = Self.length(text.slice(slash + 1, to: text.count)) else { return nil }
        if length > (address.isIPv6 ? 128 : 32) { return nil }
        self.init(address, prefixLength: length)
    }

    /// Whether the block contains the address; never true for one of the other family.
    @inlinable @inline(__always)
    package func contains(_ other: IPAddress) -> Bool {
        Self.masked(other, prefixLength: prefixLength) == address
    }

    /// The address with all bits after the first `length` cleared.
    @inlinable @inline(__always)
    static func masked(_ address: IPAddress, prefixLength length: Int) -> IPAddress {
        // Swift's `<<` yields 0 when it shifts by the full width.
        let highMask = UInt64.max << UInt64(64 &- min(length, 64))
        let lowMask = UInt64.max << UInt64(128 &- max(length, 64))
        return IPAddress(
            isIPv6: address.isIPv6,
            high: address.high & highMask,
            low: address.low & lowMask
        )
    }

    /// Reads a prefix length of one to three digits without leading zeros; nil if the text is not
    /// one.
    private static func length(_ text: ByteView) -> Int? {
        if text.count < 1 || text.count > 3 { return nil }
        if text.count > 1 && text[0] == 0x30 { return nil }
        var value = 0
        for offset in 0..<text.count {
            let digit = text[offset] &- 0x30
            if digit > 9 { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }
}
