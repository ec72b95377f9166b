/// A PUSH, as it is sent: the date at which it is void, if there is one, stands in front of its payload.
package enum PushFrame {
    /// Bytes of the date.
    package static var dateBytes: Int { 8 }

    /// - Parameters:
    ///   - payload: a JSON object.
    ///   - seq: its number.
    ///   - isUrgent: whether it may go before others.
    ///   - voidAt: when it is void, in ms since 1970; nil for never.
    /// - Returns: the whole frame.
    package static func encode(
        _ payload: [UInt8],
        seq: UInt64,
        isUrgent: Bool = false,
        voidAt: Int64? = nil
    ) -> [UInt8] {
        var flags = isUrgent ? PushFlags.urgent : 0
        guard let voidAt else { return encodeFrame(.push, flags: flags, seq: seq, body: payload) }
        flags |= PushFlags.expires
        let date = UInt64(clamping: voidAt).bigEndianBytes
        return encodeFrame(.push, flags: flags, seq: seq, body: date + payload)
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) }
    }
}
