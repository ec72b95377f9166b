import AdminAPI
import Basics
import FrameCodec
import TestSupport

@testable import RouterServer

/// A session that pushes over HTTP, and the router's side of it as a test plays it.
struct PushStage {
    /// A frame that the session has made.
    struct Sent: Equatable {
        var flags: UInt8 = 0
        var seq: UInt64
        var body: String
    }

    let session: PushSession
    private let entry: AdminMailbox.Entry

    init(
        _ app: String = "a",
        producer: String? = nil,
        slot: ConnectionSlot = 0,
        lastSeq: UInt64 = 0
    ) {
        let key = PushSession.Key(app: app, producer: producer)
        session = PushSession(key, slot: slot, lastSeq: lastSeq)
        entry = Self.entry()
    }

    /// What the loop gets from the door; whoever has asked does not wait.
    private static func entry() -> AdminMailbox.Entry {
        let mailbox = AdminMailbox(patience: 60_000)
        defer { mailbox.close() }
        mailbox.open {}
        mailbox.submit(.apps, from: nil) { _ in }
        return mailbox.take()!
    }

    // MARK: - Requests

    func job(
        _ payloads: [String],
        seq: UInt64? = nil,
        begin: MonotonicTime = 0,
        change: (inout PushRequest) -> Void = { _ in }
    ) -> PushSession.Job {
        let lines = payloads.map { $0 + "\n" }.joined()
        var request = PushRequest(
            app: session.key.app,
            payloads: try! Payloads(linesOf: Array(lines.utf8))
        )
        request.producer = session.key.producer
        request.firstSeq = seq
        change(&request)
        return PushSession.Job(
            request,
            asker: .operator(entry),
            byteCount: payloads.reduce(0) { $0 + $1.utf8.count },
            begin: begin
        )
    }

    func append(
        _ payloads: String...,
        seq: UInt64? = nil,
        begin: MonotonicTime = 0,
        change: (inout PushRequest) -> Void = { _ in }
    ) {
        session.append(job(payloads, seq: seq, begin: begin, change: change))
    }

    // MARK: - Frames

    /// Lets the session make frames, and takes them.
    @discardableResult
    func take(maxBody: Int = 1_000_000, window: Int = 1_000) -> [Sent] {
        session.makeFrames(maxBody: maxBody, window: window)
        let sent = waiting
        session.taken(session.input.count)
        return sent
    }

    /// The frames that were not taken; whole ones.
    var waiting: [Sent] {
        session.input.withByteView { bytes in
            var sent: [Sent] = []
            var offset = 0
            while let header = try! FrameHeader.decode(bytes, at: offset, maxBody: 1 << 30) {
                let start = offset + FrameHeader.byteCount
                offset = start + header.bodyCount
                precondition(header.type == .push, "only pushes are sent")
                sent.append(
                    Sent(
                        flags: header.flags,
                        seq: header.seq,
                        body: bytes.slice(start, to: offset).string
                    )
                )
            }
            precondition(offset == bytes.count, "the frames are whole")
            return sent
        }
    }

    /// The router sends an ACK; with a body if it tells matches.
    func ack(_ seq: UInt64, matched: UInt8? = 0) {
        receive(encodeFrame(.ack, seq: seq, body: matched.map { [0, 0, 0, $0] } ?? []))
    }

    /// The router refuses a push.
    func reject(_ seq: UInt64, _ code: String = "payload-not-json") {
        receive(.reject, seq, #"{"code":"\#(code)","message":"no \#(seq)"}"#)
    }

    /// The router sends a frame with this body.
    func receive(_ type: FrameType, _ seq: UInt64, _ body: String) {
        receive(encodeFrame(type, seq: seq, body: Array(body.utf8)))
    }

    private func receive(_ frame: [UInt8]) {
        frame.withByteView { session.receive($0) }
    }

    // MARK: - Answers

    /// The answer of the first job, as JSON; nil if it is not finished.
    func answer() -> String? {
        guard let (_, body) = session.popFinished() else { return nil }
        var writer = JSONWriter()
        body.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// An answer as `answer` tells it, in which the lines and codes are refused.
    static func answer(
        accepted: Int,
        matched: Int = 0,
        lastSeq: UInt64,
        rejected: String = "",
        outcome: String = #""missed":0,"duplicates":0,"counts":{},"widgets":[]"#
    ) -> String {
        #"{"accepted":\#(accepted),"matched":\#(matched),"lastSeq":\#(lastSeq),"#
            + #""rejected":[\#(rejected)],"outcome":{\#(outcome)}}"#
    }

    /// A line in an answer that `reject` has refused.
    static func refused(line: Int, seq: UInt64, _ code: String = "payload-not-json") -> String {
        #"{"line":\#(line),"code":"\#(code)","detail":"no \#(seq)"}"#
    }
}

extension [PushSession.Job] {
    /// The first payload of each.
    var names: [String] { map { String(decoding: $0.request.payloads[0], as: UTF8.self) } }
}
