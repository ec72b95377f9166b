package import Basics

/// The parts of the body of a PUSH: what its flags put in front of the payload, and the payload.
///
///     with flag 0x02              with flag 0x04
///     date u64 ms since 1970  │  length u16 │ names, each: length u8 │ bytes  │  payload
package struct PushBody {
    /// When the push expires; nil for never.
    package private(set) var expiresAt: WallTime?
    /// The kinds to which the push is narrowed; nil if it is not.
    package private(set) var kinds: KindNames?
    /// The payload, which is not examined.
    package private(set) var payload: ByteView
    /// The names of `kinds` with the bytes of their length in front; empty without the flag.
    package private(set) var kindsPrefix = ByteView.empty

    /// Reads a body.
    ///
    /// - Throws: `payload-expiry` or `payload-kinds` if what a flag announces is not there.
    package init(_ body: ByteView, flags: UInt8) throws(ProtocolError) {
        payload = body
        if flags & PushFlags.expires != 0 {
            guard payload.count >= PushFrame.dateBytes else {
                throw ProtocolError(
                    .payloadExpiry,
                    message: "the body has \(body.count) bytes; flag 0x02 wants 8 for the date"
                )
            }
            expiresAt = WallTime(rawValue: Int64(clamping: payload.bigEndian(UInt64.self, at: 0)))
            payload = payload.slice(PushFrame.dateBytes, to: payload.count)
        }
        if flags & PushFlags.kinds == 0 { return }
        let start = PushFrame.kindsLengthBytes
        guard payload.count >= start else {
            throw ProtocolError(
                .payloadKinds,
                message: "the body ends before the length of the kinds that flag 0x04 announces"
            )
        }
        let end = start + Int(payload.bigEndian(UInt16.self, at: 0))
        guard end <= payload.count, let names = KindNames(payload.slice(start, to: end)) else {
            throw ProtocolError(
                .payloadKinds,
                message: "the kinds that flag 0x04 announces are no names of 1 to "
                    + "\(RouterLimits.identifierBytes) bytes in \(end - start) bytes"
            )
        }
        kinds = names
        kindsPrefix = payload.slice(0, to: end)
        payload = payload.slice(end, to: payload.count)
    }
}
