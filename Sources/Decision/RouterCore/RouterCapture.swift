package import CaptureFormat
internal import DataStructures
internal import FrameCodec

/// What the router has accepted since the driver took it last, as records of a capture.
///
/// Off until `Router.startCapture`. A connection has the number of its slot and one more, because 0
/// stands for none.
package struct RouterCapture: ~Copyable {
    package internal(set) var isOn = false
    /// When that came which the router is given now, in µs since the recording began: the driver says
    /// so.
    package var arrival: UInt64 = 0
    package private(set) var unwritten = UnwrittenRecords()

    init() {}

    /// The number that a connection has in a recording.
    static func number(of connection: UInt32) -> UInt32 { connection &+ 1 }

    // MARK: - The router

    @inline(__always)
    mutating func record(_ connection: UInt32, _ header: FrameHeader, _ body: ByteView) {
        unwritten.put(
            CaptureRecord(
                time: arrival,
                connection: Self.number(of: connection),
                .push,
                flags: header.flags,
                seq: header.seq,
                body: body
            )
        )
    }

    mutating func record(
        _ connection: UInt32,
        _ type: FrameType,
        _ seq: UInt64,
        _ body: ByteView
    ) {
        if !isOn { return }
        guard let kind = CaptureKind(rawValue: type.rawValue) else {
            preconditionFailure("\(type) is nothing that a capture has")
        }
        put(Self.number(of: connection), kind, seq: seq, body)
    }

    /// A session has begun; its token is no part of the record.
    mutating func record(_ connection: UInt32, _ role: Peer, _ app: String, _ name: ByteView) {
        if !isOn { return }
        put(Self.number(of: connection), role, app, name)
    }

    mutating func recordEnd(_ connection: UInt32) {
        if isOn { put(Self.number(of: connection), .ended) }
    }

    mutating func record(apps source: [UInt8]) {
        if !isOn { return }
        precondition(!source.isEmpty, "a capture has the app file")
        let text = source.withByteView { appFileWithoutTokens($0) }
        text.withByteView { put(0, .apps, $0) }
    }

    var mark: CaptureRecords.Mark { unwritten.mark }

    mutating func rewind(to mark: CaptureRecords.Mark) {
        if isOn { unwritten.rewind(to: mark) }
    }

    // MARK: - The driver

    mutating func taken() {
        unwritten.taken()
    }

    mutating func lose() -> UInt64 {
        unwritten.lose(at: arrival)
    }

    // MARK: - Records

    mutating func put(_ connection: UInt32, _ role: Peer, _ app: String, _ name: ByteView) {
        let hello = HelloMessage(
            role: role,
            app: app,
            token: nil,
            name: name.count == 0 ? nil : name.string
        )
        hello.encoded.withByteView { put(connection, .hello, $0) }
    }

    mutating func put(
        _ connection: UInt32,
        _ kind: CaptureKind,
        seq: UInt64 = 0,
        _ body: ByteView = .empty
    ) {
        unwritten.put(
            CaptureRecord(time: arrival, connection: connection, kind, seq: seq, body: body)
        )
    }
}
