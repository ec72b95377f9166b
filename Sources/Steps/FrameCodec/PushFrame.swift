package import Times

/// Encodes PUSH frames for clients: the expiry date, if there is one, precedes the payload in the
/// body.
package enum PushFrame {
    /// The length of the expiry date, in bytes.
    package static var dateBytes: Int { 8 }

    /// Encodes a whole PUSH frame.
    ///
    /// - Parameters:
    ///   - payload: a JSON object.
    ///   - seq: the sequence number.
    ///   - isUrgent: whether the push's reloads may go ahead of others.
    ///   - expiresAt: when the push expires; nil for never.
    /// - Returns: the whole frame, header included.
    package static func encode(
        _ payload: [UInt8],
        seq: UInt64,
        isUrgent: Bool = false,
        expiresAt: WallTime? = nil
    ) -> [UInt8] {
        var flags = isUrgent ? PushFlags.urgent : 0
        guard let expiresAt else {
            return encodeFrame(.push, flags: flags, seq: seq, body: payload)
        }
        flags |= PushFlags.expires
        let date = UInt64(clamping: expiresAt.rawValue).bigEndianBytes
        return encodeFrame(.push, flags: flags, seq: seq, body: date + payload)
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) }
    }
}
