package import Basics
internal import CaptureFormat
internal import FrameCodec
internal import StoreFormat

/// Copies a part of a recording into a file that is complete in itself.
///
/// The file begins with records that restate what is in force at the cut, all at its time 0:
///
///     apps │ HELLO of a gateway for each app, frames of scattered devices, its end │
///     HELLOs of the open sessions │ frames of devices in them │ the records from the cut on
///
/// A device is scattered if not all of its frames are of one session that is open, in an order in
/// which they can be repeated there. If the session that spoke for such a device last is open, the
/// frames of that session are repeated in it as well.
///
/// The file's times count from the cut, and its header has the date of the cut, so each record
/// keeps its time on the wall clock.
package struct CaptureCut {
    /// What was copied, in numbers.
    package struct Result {
        /// The number of copied records, from the cut on.
        package var records = 0
        /// The number of records before them that restate what is in force at the cut.
        package var restated = 0
        /// The time between the cut and the last record.
        package var span = Microseconds.zero
    }

    /// The time of the cut.
    private let from: RecordedTime
    /// The time before which the copied part ends.
    private let to: RecordedTime
    private var sessions = CaptureSessions()
    /// A number for each session that has an open connection, by connection; it is never reused.
    private var serials: [UInt32: Int] = [:]
    /// The HELLO of each open session, by connection.
    private var speakers: [UInt32: CaptureClient] = [:]
    private var lastSerial = 0
    private var result = Result()

    private init(from: RecordedTime, to: RecordedTime) {
        self.from = from
        self.to = to
    }

    /// Copies the records from time `from` up to, and excluding, time `to`, in µs since the
    /// recording began. Throws an error of the recording's files, or of the new file.
    package static func copy(
        _ reader: CaptureReader,
        from: RecordedTime,
        to: RecordedTime,
        output: String
    ) throws -> Result {
        var header = CaptureHeader(
            recording: derivedRecording([reader.header.recording, from.rawValue, to.rawValue]),
            startedAt: reader.header.startedAt
                + min(from, CaptureHeader.timeLimit).sinceBegin
        )
        header.isRedacted = reader.header.isRedacted
        var file = try CaptureFile(path: output, header: header)
        var cut = CaptureCut(from: from, to: to)
        try cut.copy(reader, to: &file)
        try file.close()
        return cut.result
    }

    private mutating func copy(_ reader: CaptureReader, to file: inout CaptureFile) throws {
        var devices = CaptureDevices()
        var hasBegun = false
        try reader.each { record in
            if record.time >= to { return false }
            if record.time >= from && !hasBegun {
                hasBegun = true
                try restate(devices, to: &file)
            }
            if !sessions.take(record) { return true }
            if hasBegun {
                var moved = record
                moved.time = .zero + (record.time - from)
                try file.put(moved)
                result.records += 1
                result.span = moved.time.sinceBegin
            } else {
                recordChange(record, in: &devices)
            }
            return true
        }
        if !hasBegun { try restate(devices, to: &file) }
    }

    /// Records a change before the cut, so that it can be restated.
    private mutating func recordChange(_ record: CaptureRecord, in devices: inout CaptureDevices) {
        switch record.kind {
        case .hello:
            lastSerial += 1
            serials[record.connection] = lastSerial
            speakers[record.connection] = CaptureClient(hello: record.body)
        case .ended:
            serials[record.connection] = nil
            speakers[record.connection] = nil
        case .widgets, .timeline, .state, .attach:
            guard let client = speakers[record.connection],
                let serial = serials[record.connection]
            else { return }
            devices.take(record, app: client.app, session: serial)
        case .push, .request, .apps, .lost: break
        }
    }

    // MARK: - Restating what is in force at the cut

    private mutating func restate(
        _ devices: borrowing CaptureDevices,
        to file: inout CaptureFile
    ) throws(CaptureError) {
        assert(result.records == 0, "what is in force is restated among later records")
        if let apps = sessions.apps { try put(.apps, on: 0, body: apps, to: &file) }
        let all = devices.all
        try restateScattered(all, to: &file)
        for session in sessions.all {
            try put(.hello, on: session.connection, seq: session.seq, body: session.body, to: &file)
        }
        var connections: [Int: UInt32] = [:]
        for (connection, serial) in serials { connections[serial] = connection }
        var frames: [(connection: UInt32, frame: CaptureDevices.Frame)] = []
        var attached: [AttachFrame: [String]] = [:]
        for device in all {
            guard let last = Self.lastSession(of: device.frames), let connection = connections[last]
            else { continue }
            for frame in device.frames where frame.session == last {
                if frame.kind == .attach {
                    let attach = AttachFrame(connection: connection, seq: frame.seq)
                    attached[attach, default: []].append(device.device)
                    if attached[attach]!.count > 1 { continue }
                }
                frames.append((connection, frame))
            }
        }
        frames.sort { ($0.connection, $0.frame.seq) < ($1.connection, $1.frame.seq) }
        for (connection, frame) in frames {
            let attach = AttachFrame(connection: connection, seq: frame.seq)
            let body =
                if frame.kind == .attach, let devices = attached[attach] {
                    AttachMessage.encode(devices)
                } else {
                    frame.body
                }
            try put(frame.kind, on: connection, seq: frame.seq, body: body, to: &file)
        }
    }

    /// A recorded ATTACH: the devices of one are restated by one.
    private struct AttachFrame: Hashable {
        let connection: UInt32
        let seq: UInt64
    }

    /// The session of a device's frame that was sent last; nil without frames.
    private static func lastSession(of frames: [CaptureDevices.Frame]) -> Int? {
        frames.max { $0.position < $1.position }?.session
    }

    /// True unless all of a device's frames are of one session that is open, and none of them was
    /// sent before WIDGETS, which is the first of `frames`.
    private static func isScattered(_ frames: [CaptureDevices.Frame], open: Set<Int>) -> Bool {
        guard let first = frames.first else { return false }
        return frames.contains { frame in
            !open.contains(frame.session) || frame.session != first.session
                || frame.position < first.position
        }
    }

    /// Restates frames of devices that are scattered, each app's in the session of a gateway.
    private mutating func restateScattered(
        _ devices: [(app: String, device: String, frames: [CaptureDevices.Frame])],
        to file: inout CaptureFile
    ) throws(CaptureError) {
        let open = Set(serials.values)
        let scattered = devices.filter { Self.isScattered($0.frames, open: open) }
        let connection = freeConnection
        // By the bytes of the app's id, as in `CaptureDevices`.
        let apps = Dictionary(grouping: scattered) { Array($0.app.utf8) }
        for (_, group) in apps.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let hello = HelloMessage(role: .gateway, app: group[0].app, token: nil, name: nil)
            try put(.hello, on: connection, body: hello.encoded, to: &file)
            var seq: UInt64 = 0
            for device in group {
                for frame in device.frames where frame.kind != .attach {
                    seq += 1
                    try put(frame.kind, on: connection, seq: seq, body: frame.body, to: &file)
                }
            }
            try put(.ended, on: connection, body: [], to: &file)
        }
    }

    /// The lowest connection number without an open session.
    private var freeConnection: UInt32 {
        var connection: UInt32 = 1
        while sessions[connection] != nil { connection += 1 }
        return connection
    }

    private mutating func put(
        _ kind: CaptureKind,
        on connection: UInt32,
        seq: UInt64 = 0,
        body: [UInt8],
        to file: inout CaptureFile
    ) throws(CaptureError) {
        result.restated += 1
        try body.withByteView { (view) throws(CaptureError) in
            try file.put(
                CaptureRecord(time: .zero, connection: connection, kind: kind, seq: seq, body: view)
            )
        }
    }
}

/// The number of a recording that is made from others: the same whenever it is made again.
func derivedRecording(_ numbers: [UInt64]) -> UInt64 {
    var writer = StoreWriter()
    for number in numbers { writer.put(number) }
    return checksum(writer.bytes)
}
