import Basics
import FrameCodec
import LoadReporting
import ReloadRouterClient
import TestSupport

@testable import CaptureTools

/// A router that answers when a test says so, in virtual time.
final class SimulatedSink {
    /// What came on one connection.
    struct Frame: Equatable {
        var type: FrameType
        var flags: UInt8
        var seq: UInt64
        var body: String
        var stream: Int
        var time: ExactTime
        /// What stands in front of the body, in ms since 1970.
        var date: UInt64 = 0
    }

    let engine: ReplayEngine
    private(set) var now: ExactTime = 1_000_000_000
    private(set) var frames: [Frame] = []
    /// The streams that have said HELLO, in order.
    private(set) var hellos: [Int] = []
    var window = 8_192
    /// From a push to its ACK.
    var latency = Nanoseconds.microseconds(200)
    /// While it answers nobody, from when the schedule began.
    var stall: Range<Nanoseconds>?
    /// Which pushes are refused.
    var refuses: (Frame) -> Bool = { _ in false }
    /// The RELOADs that a push leads to.
    var reloads: (Frame) -> [(stream: Int, body: String)] = { _ in [] }
    /// What is to be sent to streams.
    private var answers: [(time: ExactTime, stream: Int, bytes: [UInt8])] = []
    private var connected: Set<Int> = []
    private var began: ExactTime?

    init(_ engine: ReplayEngine) {
        self.engine = engine
    }

    /// Runs until the replay is over.
    ///
    /// The virtual clock goes on in steps of this length.
    func run(step: Nanoseconds = .microseconds(100), limit: Int = 1_000_000) throws -> ReplayReport
    {
        for stream in engine.streams where stream.isWanted { engine.dirty.append(stream) }
        for _ in 0..<limit where engine.phase != .over {
            try tick()
            now += step
        }
        var report = ReplayReport()
        engine.fill(&report)
        return report
    }

    func tick() throws {
        try engine.advance(to: now, wall: WallTime(rawValue: now.rawValue / 1_000_000))
        if began == nil && engine.phase == .playing { began = now + .milliseconds(10) }
        for stream in engine.streams { serve(stream) }
        for stream in engine.dirty { stream.isDirty = false }
        engine.dirty.removeAll()
        let due = answers.filter { $0.time <= now }
        answers.removeAll { $0.time <= now }
        for answer in due where connected.contains(answer.stream) {
            let stream = engine.streams[answer.stream]
            _ = try answer.bytes.withByteView { (bytes) throws(ReplayError) in
                try engine.received(bytes, on: stream, at: now)
            }
        }
        while engine.hasWork { engine.work() }
    }

    private func serve(_ stream: ReplayStream) {
        if connected.contains(stream.number), stream.isOver { close(stream.number, nil) }
        if !connected.contains(stream.number), stream.needsConnection {
            connected.insert(stream.number)
            stream.opened()
        }
        guard connected.contains(stream.number) else { return }
        if !stream.takeControl().isEmpty && stream.phase == .awaitingWelcome {
            hellos.append(stream.number)
            answer(
                stream.number,
                .welcome,
                0,
                #"{"v":1,"session":"s","maxBody":65536,"#
                    + #""window":\#(window),"lastSeq":0}"#
            )
        }
        while let bytes = stream.nextFrame() {
            bytes.withByteView { take($0, on: stream) }
            if stream.role == .publisher {
                engine.sent(stream, at: now)
            } else {
                stream.ring.didSend()
            }
        }
    }

    private func take(_ bytes: ByteView, on stream: ReplayStream) {
        guard let header = try? FrameHeader.decode(bytes, at: 0, maxBody: 1 << 20) else { return }
        var frame = Frame(
            type: header.type,
            flags: header.flags,
            seq: header.seq,
            body: bytes.slice(FrameHeader.byteCount, to: bytes.count).string,
            stream: stream.number,
            time: now
        )
        if header.flags & 2 != 0 {
            frame.date = bytes.bigEndian(UInt64.self, at: FrameHeader.byteCount)
        }
        frames.append(frame)
        if frame.type == .push && refuses(frame) {
            answer(stream.number, .reject, frame.seq, #"{"code":"payload-kinds","message":"no"}"#)
            return
        }
        for reload in reloads(frame) { answer(reload.stream, .reload, frame.seq, reload.body) }
        answer(stream.number, .ack, frame.seq, nil)
    }

    private func answer(_ stream: Int, _ type: FrameType, _ seq: UInt64, _ body: String?) {
        var time = now + latency
        if let stall, let began, stall.contains(time - began) { time = began + stall.upperBound }
        let bytes = body.map { Array($0.utf8) } ?? (type == .ack ? [0, 0, 0, 1] : [])
        answers.append((time, stream, encodeFrame(type, seq: seq, body: bytes)))
    }

    func advance(_ step: Nanoseconds) { now += step }

    /// Ends a connection; what was to be answered on it is lost.
    func close(_ stream: Int, _ reason: String?) {
        connected.remove(stream)
        answers.removeAll { $0.stream == stream }
        engine.closed(engine.streams[stream], because: reason)
    }
}
