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
