import CaptureFormat
import DataStructures
import FrameCodec
import ReloadModel
import TestSupport
import Times

@testable import CaptureTools

/// One connection through a tap: frames of both directions, in bytes.
struct TapRun {
    var entries: TapEntries
    var session: TapSession
    private var sent = TapStream()
    private var answers = TapStream()
    var time: RecordedTime = 0
    /// Into how many bytes the stream is cut; nil for whole frames.
    var pieceByteCount: Int?

    init(_ entries: TapEntries = TapEntries(), connection: UInt32 = 1) {
        self.entries = entries
        session = TapSession(connection: connection)
    }

    // MARK: - The client

    mutating func hello(
        _ role: Peer = .publisher,
        _ name: String? = "p",
        token: String? = "secret",
        wantsOutcomes: Bool = false
    ) {
        let hello = HelloMessage(
            role: role,
            app: "game",
            token: token,
            name: name,
            wantsOutcomes: wantsOutcomes
        )
        send(encodeFrame(.hello, seq: 0, body: hello.encoded))
    }

    mutating func push(_ seq: UInt64, flags: UInt8 = 0) {
        send(encodeFrame(.push, flags: flags, seq: seq, body: Array("{}".utf8)))
    }

    mutating func device(_ type: FrameType, _ seq: UInt64) {
        send(encodeFrame(type, seq: seq, body: Array("{}".utf8)))
    }

    mutating func send(_ bytes: [UInt8]) {
        time += Microseconds(rawValue: 1)
        for piece in pieces(bytes) {
            try! piece.withByteView { (view) throws(ProtocolError) in
                let time = time
                try sent.take(view) { session.sent($0, body: $1, at: time, entries: &entries) }
            }
        }
    }

    private func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        guard let count = pieceByteCount else { return [bytes] }
        return stride(from: 0, to: bytes.count, by: count).map {
            Array(bytes[$0..<min($0 + count, bytes.count)])
        }
    }

    // MARK: - The router

    mutating func welcome(lastSeq: UInt64? = 0) {
        let welcome = WelcomeMessage(session: "s", maxBody: 9, window: 9, lastSeq: lastSeq)
        answer(encodeFrame(.welcome, seq: 0, body: welcome.encoded))
    }

    mutating func acknowledge(_ seq: UInt64) {
        answer(encodeFrame(.ack, seq: seq, body: [0, 0, 0, 1]))
    }

    mutating func reject(_ seq: UInt64) {
        let error = ProtocolError(.payloadKinds, message: "no")
        answer(encodeFrame(.reject, seq: seq, body: error.encoded))
    }

    mutating func fail() {
        answer(
            encodeFrame(.error, seq: 0, body: ProtocolError(.pingTimeout, message: "no").encoded)
        )
    }

    mutating func answer(_ bytes: [UInt8]) {
        time += Microseconds(rawValue: 1)
        for piece in pieces(bytes) {
            try! piece.withByteView { (view) throws(ProtocolError) in
                let time = time
                try answers.take(view) {
                    session.answered($0, body: $1, at: time, entries: &entries)
                }
            }
        }
    }

    mutating func clientEnds() {
        time += Microseconds(rawValue: 1)
        session.clientEnded(at: time, entries: &entries)
    }

    mutating func close() {
        time += Microseconds(rawValue: 1)
        session.end(at: time, entries: &entries)
    }

    // MARK: - What was recorded

    /// What is decided since this was last asked: `kind seq`, with the time behind it.
    mutating func recorded() -> [String] {
        var unwritten = UnwrittenRecords()
        entries.move(to: &unwritten)
        return Self.read(unwritten)
    }

    static func read(_ unwritten: borrowing UnwrittenRecords) -> [String] {
        var reader = CaptureRecordReader(
            unwritten.records.bytes,
            firstTime: unwritten.records.firstTime
        )
        var lines: [String] = []
        while let record = try! reader.next() {
            lines.append("\(record.kind) \(record.seq) @\(record.time)")
        }
        return lines
    }
}
