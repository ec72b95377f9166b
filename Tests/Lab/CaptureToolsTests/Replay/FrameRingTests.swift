import Basics
import FrameCodec
import TestSupport
import Testing

@testable import CaptureTools

@Suite("The frames of a connection, until they are answered")
struct FrameRingTests {
    fileprivate func append(_ ring: FrameRing, _ text: String, at time: ExactTime = 7) {
        text.withByteView { ring.append(.push, body: $0, at: time) }
    }

    @Test func `frames are sent in order, and settled with the time at which they were intended`() {
        let ring = FrameRing()
        append(ring, "{\"a\":1}", at: 11)
        append(ring, "{\"b\":2}", at: 12)
        for seq in 1...2 as ClosedRange<UInt64> {
            let frame = ring.nextFrame()
            #expect(
                frame
                    == encodeFrame(
                        .push,
                        seq: seq,
                        body: Array(seq == 1 ? "{\"a\":1}".utf8 : "{\"b\":2}".utf8)
                    )
            )
            ring.didSend()
        }
        #expect(ring.nextFrame() == nil)
        #expect(ring.inFlight == 2)
        #expect(ring.settle(through: 2) == .accepted(intended: 11))
        #expect(ring.settle(through: 2) == .accepted(intended: 12))
        #expect(ring.settle(through: 2) == nil)
        #expect(ring.isEmpty)
    }
}

extension FrameRingTests {
    /// The same with arrays.
    private struct Model {
        var frames: [(seq: UInt64, bytes: [UInt8], time: ExactTime, isRejected: Bool)] = []
        var next = 0
        var end: UInt64 = 1
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `it does what a list of frames would`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let ring = FrameRing()
        var model = Model()
        for step in 0..<4_000 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...4:
                let length =
                    Bool.random(using: &random) ? 90 : Int.random(in: 0..<3_000, using: &random)
                let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ step) }
                let date: UInt64? = Int.random(in: 0..<5, using: &random) == 0 ? UInt64(step) : nil
                let names = [UInt8](repeating: 7, count: Int.random(in: 0..<3, using: &random))
                let time = ExactTime(rawValue: Int64(step))
                names.withByteView { names in
                    body.withByteView {
                        ring.append(.push, date: date, prefix: names, body: $0, at: time)
                    }
                }
                let prefix = (0..<8).map { UInt8(truncatingIfNeeded: (date ?? 0) >> (56 - 8 * $0)) }
                let bytes = encodeFrame(
                    .push,
                    seq: model.end,
                    body: (date == nil ? [] : prefix) + names + body
                )
                model.frames.append((model.end, bytes, time, false))
                model.end += 1
            case 5...8:
                while model.next < model.frames.count, model.frames[model.next].isRejected {
                    model.next += 1
                }
                let frame = ring.nextFrame()
                let isThere = model.next < model.frames.count
                #expect(frame == (isThere ? model.frames[model.next].bytes : nil), "seed \(seed)")
                guard frame != nil, isThere else { break }
                #expect(ring.nextIntended == model.frames[model.next].time, "seed \(seed)")
                ring.didSend()
                model.next += 1
            case 9:
                guard model.next > 0 else { break }
                let through = model.frames[Int.random(in: 0..<model.next, using: &random)].seq
                settle(ring, &model, through: through, seed)
            case 10:
                guard model.next > 0 else { break }
                let index = Int.random(in: 0..<model.next, using: &random)
                #expect(ring.reject(model.frames[index].seq) == !model.frames[index].isRejected)
                model.frames[index].isRejected = true
                dropRejected(&model)
            default:
                guard Int.random(in: 0..<10, using: &random) == 0 else { break }
                ring.sendAgain()
                model.next = 0
            }
            let inFlight = model.frames.prefix(model.next).count { !$0.isRejected }
            #expect(ring.inFlight == inFlight, "seed \(seed), step \(step)")
            #expect(ring.count == model.frames.count, "seed \(seed), step \(step)")
            if ring.count != model.frames.count || ring.inFlight != inFlight { return }
        }
    }

    private func settle(
        _ ring: FrameRing,
        _ model: inout Model,
        through: UInt64,
        _ seed: UInt64
    ) {
        while let answer = ring.settle(through: through) {
            guard let frame = model.frames.first else {
                Issue.record("a frame too many, seed \(seed)")
                return
            }
            #expect(
                answer == (frame.isRejected ? .rejected : .accepted(intended: frame.time)),
                "seed \(seed)"
            )
            model.frames.removeFirst()
            model.next = max(0, model.next - 1)
        }
        dropRejected(&model)
        #expect(model.frames.first.map { $0.seq > through } ?? true, "seed \(seed)")
    }

    private func dropRejected(_ model: inout Model) {
        while model.frames.first?.isRejected == true {
            model.frames.removeFirst()
            model.next = max(0, model.next - 1)
        }
    }

    @Test func `there is room up to a limit of frames and of bytes, and for one long frame alone`()
    {
        let ring = FrameRing()
        for _ in 0..<FrameRing.frameLimit {
            #expect(ring.hasRoom(2))
            append(ring, "{}")
        }
        #expect(!ring.hasRoom(2))
        let long = FrameRing()
        #expect(long.hasRoom(FrameRing.byteLimit * 2))
        append(long, "{}")
        #expect(!long.hasRoom(FrameRing.byteLimit))
        #expect(long.hasRoom(FrameRing.byteLimit / 2))
    }

    @Test func `more answers than frames remove nothing, and the frames that remain are whole`() {
        let ring = FrameRing()
        for _ in 0..<3 { ring.append(.push, body: .empty, at: 5) }
        #expect(!ring.reject(1), "it was not sent")
        for _ in 0..<9 { _ = ring.settle(through: .max) }
        #expect(ring.isEmpty && ring.nextFrame() == nil)
        #expect(!ring.reject(0) && !ring.reject(.max))
        ring.sendAgain()
        ring.append(.push, body: .empty, at: 5)
        #expect(ring.nextFrame()?.count == FrameHeader.byteCount)
    }
}
