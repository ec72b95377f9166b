package import Basics

/// Encodes PUSH frames for clients: the expiry date and the kinds, if there are any, precede the
/// payload in the body.
package enum PushFrame {
    /// The length of the expiry date, in bytes.
    package static var dateBytes: Int { 8 }
    /// The length of the length of the kinds, in bytes.
    package static var kindsLengthBytes: Int { 2 }

    /// What precedes the payload, and the flags that announce it. `expiresAt` is nil for never;
    /// `kinds` are those to which the push is narrowed, as `KindNames.encode` returns them, nil for
    /// all.
    package static func prefix(
        expiresAt: WallTime?,
        kinds: [UInt8]?
    ) -> (flags: UInt8, bytes: [UInt8]) {
        var flags: UInt8 = 0
        var bytes: [UInt8] = []
        if let expiresAt {
            flags |= PushFlags.expires
            bytes += UInt64(clamping: expiresAt.rawValue).bigEndianBytes
        }
        if let kinds {
            flags |= PushFlags.kinds
            bytes += UInt16(kinds.count).bigEndianBytes + kinds
        }
        return (flags, bytes)
    }

    /// Encodes a whole PUSH frame, header included, whose payload is a JSON object. The reloads of
    /// an urgent push may go ahead of others; for `expiresAt` and `kinds`, see `prefix`.
    package static func encode(
        _ payload: [UInt8],
        seq: UInt64,
        isUrgent: Bool = false,
        expiresAt: WallTime? = nil,
        kinds: [UInt8]? = nil
    ) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(FrameHeader.byteCount + payload.count)
        append(
            payload[...],
            seq: seq,
            isUrgent: isUrgent,
            expiresAt: expiresAt,
            kinds: kinds,
            to: &frame
        )
        return frame
    }

    /// Appends a whole PUSH frame to others; the parameters are those of `encode`.
    package static func append(
        _ payload: ArraySlice<UInt8>,
        seq: UInt64,
        isUrgent: Bool,
        expiresAt: WallTime?,
        kinds: [UInt8]?,
        to frames: inout [UInt8]
    ) {
        let (flags, prefix) = prefix(expiresAt: expiresAt, kinds: kinds)
        let header = FrameHeader(
            type: .push,
            flags: flags | (isUrgent ? PushFlags.urgent : 0),
            seq: seq,
            bodyCount: prefix.count + payload.count
        )
        unsafe withUnsafeTemporaryAllocation(byteCount: FrameHeader.byteCount, alignment: 8) {
            unsafe header.write(to: $0.baseAddress!)
            unsafe frames.append(contentsOf: $0)
        }
        frames += prefix
        frames += payload
    }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> $0)
        }
    }
}

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
