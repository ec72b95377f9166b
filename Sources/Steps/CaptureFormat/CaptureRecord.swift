package import Basics
internal import FrameCodec
internal import StoreFormat

/// The kind of a record. Frames have the same numbers as their types in the protocol.
package enum CaptureKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The connection has closed, or its session has ended.
    case ended = 0x00
    /// A session was accepted; the body is that of HELLO, without its token.
    case hello = 0x01
    case push = 0x10
    case widgets = 0x20
    case timeline = 0x21
    case state = 0x22
    case request = 0x23
    case attach = 0x24
    /// An app file has come into force; the body is its text without tokens, the connection 0.
    case apps = 0xf0
    /// Inputs are missing here, because the recorder could not keep up; the body is their number as
    /// a varint, the connection 0.
    case lost = 0xf1

    /// Whether the record is a frame that a client has sent.
    package var isClientFrame: Bool {
        switch self {
        case .hello, .push, .widgets, .timeline, .state, .request, .attach: true
        case .ended, .apps, .lost: false
        }
    }
}

/// One input of a router, with the time at which it arrived.
package struct CaptureRecord {
    /// When the input arrived.
    package var time: RecordedTime
    /// The number of its connection; 0 if the record belongs to none.
    ///
    /// A number is reused after `ended`.
    package var connection: UInt32
    /// What kind of input the record is.
    package var kind: CaptureKind
    /// The flags of a PUSH, as in its header: `PushFlags`.
    package var flags: UInt8
    /// The frame's sequence number.
    package var seq: UInt64
    /// The frame's body; valid as long as the bytes the record was read from.
    package var body: ByteView

    /// Makes a record; only records of frames have `flags` and `seq`.
    package init(
        time: RecordedTime,
        connection: UInt32,
        kind: CaptureKind,
        flags: UInt8 = 0,
        seq: UInt64 = 0,
        body: ByteView
    ) {
        self.time = time
        self.connection = connection
        self.kind = kind
        self.flags = flags
        self.seq = seq
        self.body = body
    }
}

extension CaptureRecord {
    /// The parts of a push's body; nil for another record, and if what its flags announce is not
    /// there.
    package var pushParts: (expires: UInt64?, kinds: ByteView?, payload: ByteView)? {
        guard kind == .push else { return nil }
        var rest = body
        var expires: UInt64?
        var kinds: ByteView?
        if flags & PushFlags.expires != 0 {
            if rest.count < 8 { return nil }
            expires = rest.bigEndian(UInt64.self, at: 0)
            rest = rest.slice(8, to: rest.count)
        }
        if flags & PushFlags.kinds != 0 {
            if rest.count < 2 { return nil }
            let end = 2 + Int(rest.bigEndian(UInt16.self, at: 0))
            if end > rest.count { return nil }
            kinds = rest.slice(2, to: end)
            rest = rest.slice(end, to: rest.count)
        }
        return (expires, kinds, rest)
    }

    /// The body of a `lost` record.
    package static func lostBody(_ count: Int) -> [UInt8] {
        var writer = StoreWriter(capacity: 64)
        writer.put(varint: UInt64(count))
        return writer.bytes.array
    }

    /// The number of inputs that a `lost` record reports; nil for other records, and if it is
    /// damaged.
    package var lostCount: UInt64? {
        guard kind == .lost else { return nil }
        var reader = StoreReader(body)
        guard let count = try? reader.readVarint(), reader.isAtEnd else { return nil }
        return count
    }
}
