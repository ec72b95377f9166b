package import Basics
package import CaptureFormat
internal import FrameCodec

/// The capture's records of what the router has accepted, kept until the driver (see `Router`)
/// fetches them.
///
/// Nothing is recorded before `Router.startCapture`. A connection's number in a capture is its slot
/// plus one, because 0 stands for no connection.
package struct RouterCapture: ~Copyable {
    /// Whether inputs are recorded.
    package internal(set) var isOn = false
    /// When the present input came; set by the driver.
    package var arrival = RecordedTime.zero
    /// The records that the driver has not fetched yet. If it refused earlier ones, a `lost` record
    /// precedes them. A driver that refuses records still keeps those of sessions and app files
    /// among them (hello, ended, apps), because later records would mean nothing without these.
    package private(set) var records = CaptureRecords()
    /// The number of missing inputs in the `lost` record that the records begin with; 0 if there is
    /// none.
    private var lostCount: UInt64 = 0

    init() {}

    /// The number that a connection has in a capture.
    static func number(of connection: ConnectionSlot) -> UInt32 { connection.rawValue &+ 1 }

    // MARK: - The router

    /// Records a push that was accepted; to be called only if `isOn`.
    @inline(__always)
    mutating func record(on connection: ConnectionSlot, header: FrameHeader, body: ByteView) {
        records.put(
            CaptureRecord(
                time: arrival,
                connection: Self.number(of: connection),
                kind: .push,
                flags: header.flags,
                seq: header.seq,
                body: body
            )
        )
    }

    /// Records a device's frame that was accepted.
    mutating func record(
        on connection: ConnectionSlot,
        type: FrameType,
        seq: UInt64,
        body: ByteView
    ) {
        if !isOn { return }
        guard let kind = CaptureKind(rawValue: type.rawValue) else {
            preconditionFailure("\(type) is nothing that a capture has")
        }
        put(on: Self.number(of: connection), kind: kind, seq: seq, body: body)
    }

    /// Records a device's report that was accepted, as if a gateway of its app had begun a session,
    /// sent the frame, and ended the session.
    mutating func recordReport(_ type: FrameType, app: String, body: ByteView) {
        if !isOn { return }
        guard let kind = CaptureKind(rawValue: type.rawValue) else {
            preconditionFailure("\(type) is nothing that a capture has")
        }
        put(on: Self.reports, role: .gateway, app: app, name: .empty)
        put(on: Self.reports, kind: kind, seq: 1, body: body)
        put(on: Self.reports, kind: .ended)
    }

    /// The number of the connection by which a capture has reports. No open connection has it.
    static var reports: UInt32 { .max }

    /// Records that a session has begun, without its token.
    mutating func record(on connection: ConnectionSlot, role: Peer, app: String, name: ByteView) {
        if !isOn { return }
        put(on: Self.number(of: connection), role: role, app: app, name: name)
    }

    /// Records that a session has ended.
    mutating func recordEnd(_ connection: ConnectionSlot) {
        if isOn { put(on: Self.number(of: connection), kind: .ended) }
    }

    /// Records an app file, without its tokens.
    mutating func record(apps source: [UInt8]) {
        if !isOn { return }
        precondition(!source.isEmpty, "a capture has the app file")
        let text = source.withByteView { openAppFile($0) }
        text.withByteView { put(on: 0, kind: .apps, body: $0) }
    }

    /// The present end of the records, to which `rewind` can return.
    var mark: CaptureRecords.Mark { records.mark }

    /// Removes the records that were made since `mark`.
    mutating func rewind(to mark: CaptureRecords.Mark) {
        if isOn { records.rewind(to: mark) }
    }

    // MARK: - The driver

    /// Discards the records after the driver has fetched them.
    mutating func taken() {
        records.clear()
        lostCount = 0
    }

    /// Replaces the records, after the driver has failed to store them, by one that says how many
    /// were lost. Returns the number of inputs whose records were discarded by this call.
    mutating func lose() -> UInt64 {
        // A `lost` record of an earlier refusal is not an input.
        let count = UInt64(records.count) - (lostCount == 0 ? 0 : 1)
        lostCount += count
        records.clear()
        if lostCount == 0 { return 0 }
        let body = CaptureRecord.lostBody(Int(clamping: lostCount))
        body.withByteView { put(on: 0, kind: .lost, body: $0) }
        return count
    }

    // MARK: - Records

    mutating func put(on connection: UInt32, role: Peer, app: String, name: ByteView) {
        let hello = HelloMessage(
            role: role,
            app: app,
            token: nil,
            name: name.count == 0 ? nil : name.string
        )
        hello.encoded.withByteView { put(on: connection, kind: .hello, body: $0) }
    }

    mutating func put(
        on connection: UInt32,
        kind: CaptureKind,
        seq: UInt64 = 0,
        body: ByteView = .empty
    ) {
        records.put(
            CaptureRecord(time: arrival, connection: connection, kind: kind, seq: seq, body: body)
        )
    }
}
