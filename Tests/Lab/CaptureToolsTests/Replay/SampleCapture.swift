import Basics
import CaptureFormat
import TestSupport

@testable import CaptureTools

/// A capture that a test puts together.
struct SampleCapture: ~Copyable {
    static let startedAt = RecordedDate(rawValue: 1_700_000_000_000_000)
    static let appFile = """
        {"apps":[{"app":"game","kinds":[
          {"kind":"detail","match":{"character":["${configuration.character}"]}},
          {"kind":"dragon","match":{"event":["dragon"],"region":["${configuration.region}"]}}]}]}
        """

    private(set) var records = CaptureRecords()
    private var seqs: [UInt32: UInt64] = [:]

    init(apps: String = SampleCapture.appFile) {
        put(.apps, on: 0, at: 0, apps)
    }

    mutating func put(
        _ kind: CaptureKind,
        on connection: UInt32,
        at time: RecordedTime,
        flags: UInt8 = 0,
        _ body: String
    ) {
        put(kind, on: connection, at: time, flags: flags, bytes: Array(body.utf8))
    }

    private mutating func put(
        _ kind: CaptureKind,
        on connection: UInt32,
        at time: RecordedTime,
        flags: UInt8,
        bytes body: [UInt8]
    ) {
        let seq = kind == .hello ? 0 : seqs[connection, default: 0] + 1
        if kind != .hello && kind != .ended && connection > 0 { seqs[connection] = seq }
        body.withByteView { body in
            records.put(
                CaptureRecord(
                    time: time,
                    connection: connection,
                    kind: kind,
                    flags: flags,
                    seq: seq,
                    body: body
                )
            )
        }
    }

    mutating func publisher(_ name: String, on connection: UInt32, at time: RecordedTime = 0) {
        put(
            .hello,
            on: connection,
            at: time,
            #"{"v":1,"role":"publisher","app":"game","producer":"\#(name)"}"#
        )
    }

    mutating func gateway(on connection: UInt32, at time: RecordedTime = 0) {
        put(.hello, on: connection, at: time, #"{"v":1,"role":"gateway","app":"game"}"#)
    }

    mutating func device(_ name: String, on connection: UInt32, at time: RecordedTime = 0) {
        put(
            .hello,
            on: connection,
            at: time,
            #"{"v":1,"role":"device","app":"game","device":"\#(name)"}"#
        )
    }

    mutating func widget(
        _ device: String,
        _ character: String,
        on connection: UInt32,
        at time: RecordedTime = 0
    ) {
        put(
            .widgets,
            on: connection,
            at: time,
            #"{"device":"\#(device)","widgets":[{"id":"w1","kind":"detail","#
                + #""configuration":{"character":"\#(character)"}}]}"#
        )
    }

    mutating func push(_ character: String, on connection: UInt32, at time: RecordedTime) {
        put(.push, on: connection, at: time, #"{"character":"\#(character)","hp":7}"#)
    }

    mutating func push(
        _ body: [UInt8],
        on connection: UInt32,
        at time: RecordedTime,
        flags: UInt8
    ) {
        put(.push, on: connection, at: time, flags: flags, bytes: body)
    }

    consuming func source() -> MemorySource {
        MemorySource(records, header: CaptureHeader(recording: 1, startedAt: Self.startedAt))
    }
}

/// A source whose records are in memory.
final class MemorySource: ReplaySource {
    /// The header of the capture, as given to `init`.
    let header: CaptureHeader
    private let records: CaptureRecords
    private var reader: CaptureRecordReader

    /// Keeps the records; reading starts with the first.
    init(_ records: consuming CaptureRecords, header: CaptureHeader) {
        self.header = header
        self.records = records
        reader = CaptureRecordReader(self.records.bytes, firstTime: self.records.firstTime)
    }

    /// Returns the next record; nil after the last.
    func next() throws(CaptureError) -> CaptureRecord? { try reader.next() }

    /// Starts over with the first record; `time` is ignored.
    func rewind(to time: RecordedTime) {
        reader = CaptureRecordReader(records.bytes, firstTime: records.firstTime)
    }
}
