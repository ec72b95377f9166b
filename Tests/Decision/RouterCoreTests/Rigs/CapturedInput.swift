import Basics
import CaptureFormat
import FrameCodec
import RouterCore
import Testing

/// A record of a capture, copied.
struct CapturedInput: Equatable, CustomStringConvertible {
    var time: RecordedTime
    var connection: UInt32
    var kind: CaptureKind
    var flags: UInt8
    var seq: UInt64
    var body: String

    var description: String { "\(time) \(connection) \(kind) \(flags) \(seq) \(body)" }

    /// Without what tests mostly do not ask for.
    var summary: String { "\(connection) \(kind) \(seq) \(body)" }

    /// The frame that it was.
    var frame: [UInt8]? {
        FrameType(rawValue: kind.rawValue).map {
            encodeFrame($0, flags: flags, seq: seq, body: Array(body.utf8))
        }
    }
}

extension RouterHarness {
    func record(_ source: String = #"{"apps":[]}"#) {
        router.startCapture(appFile: Array(source.utf8))
    }

    /// What has been recorded since this was last asked.
    func captured() throws -> [CapturedInput] {
        defer { router.captureTaken() }
        return try router.capturedInputs()
    }
}

extension Router {
    /// What is kept for a recording.
    func capturedInputs() throws -> [CapturedInput] {
        var inputs: [CapturedInput] = []
        let firstTime = capture.records.firstTime
        var reader = CaptureRecordReader(capture.records.bytes, firstTime: firstTime)
        while let record = try reader.next() {
            inputs.append(
                CapturedInput(
                    time: record.time,
                    connection: record.connection,
                    kind: record.kind,
                    flags: record.flags,
                    seq: record.seq,
                    body: record.body.string
                )
            )
        }
        return inputs
    }
}
