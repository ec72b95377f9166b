package import DataStructures
internal import StoreFormat

/// What a record tells.
///
/// The frames have the numbers that they have on the wire.
package enum CaptureKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The connection is over, or its session is.
    case ended = 0x00
    /// A session was accepted; the body is the HELLO's, without its token.
    case hello = 0x01
    case push = 0x10
    case widgets = 0x20
    case timeline = 0x21
    case state = 0x22
    case request = 0x23
    /// The app file that holds from now on, as its text; its tokens are left out. Of no connection.
    case apps = 0xf0
    /// Inputs that are missing here, because the recorder could not keep up; the body is their number as
    /// a varint. Of no connection.
    case lost = 0xf1

    /// Whether it is something that a client has sent.
    package var isInput: Bool {
        switch self {
        case .hello, .push, .widgets, .timeline, .state, .request: true
        case .ended, .apps, .lost: false
        }
    }
}

/// One input of a router, with the time at which it came.
package struct CaptureRecord {
    /// In µs since the recording began.
    package var time: UInt64
    /// Which connection it came on, or 0 where there is none.
    ///
    /// The number is used again after `ended`.
    package var connection: UInt32
    package var kind: CaptureKind
    /// Of a PUSH, as on the wire.
    package var flags: UInt8
    /// The frame's.
    package var seq: UInt64
    /// As on the wire; valid as long as what it was read from.
    package var body: ByteView

    package init(
        time: UInt64,
        connection: UInt32,
        _ kind: CaptureKind,
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
    /// Flag of a PUSH: its reloads go before others.
    package static var urgentFlag: UInt8 { 0x01 }
    /// Flag of a PUSH: the body begins with a date, 64 bits, big-endian.
    package static var expiresFlag: UInt8 { 0x02 }

    /// The body of a `lost` record.
    package static func lostBody(_ count: Int) -> [UInt8] {
        var writer = StoreWriter(capacity: 64)
        writer.put(varint: UInt64(count))
        return writer.bytes.array
    }

    /// The number that a `lost` record tells, if it is one and has one.
    package var lostCount: UInt64? {
        guard kind == .lost else { return nil }
        var reader = StoreReader(body)
        guard let count = try? reader.readVarint(), reader.isAtEnd else { return nil }
        return count
    }
}
