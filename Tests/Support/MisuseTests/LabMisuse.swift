import DataStructures
import FrameCodec
import TestSupport
import Testing

@testable import CaptureTools
@testable import RouterSimulation

@Suite("Misuse of FrameRing")
struct FrameRingMisuse {
    @Test("a frame is not sent before there is one, nor once more after the last")
    func send() async {
        await #expect(processExitsWith: .trap) { FrameRing().didSend() }
        await #expect(processExitsWith: .trap) {
            let ring = FrameRing()
            ring.append(.push, body: .empty, at: 0)
            ring.didSend()
            ring.didSend()
        }
    }

    @Test("frames that have numbers get no others")
    func begin() async {
        await #expect(processExitsWith: .trap) {
            let ring = FrameRing()
            ring.append(.push, body: .empty, at: 0)
            ring.begin(after: 7)
        }
    }

    @Test("numbers do not begin again at 0", arguments: [UInt64.max])
    func wrap(seq: UInt64) async {
        await #expect(processExitsWith: .trap) { [seq] in FrameRing().begin(after: seq) }
    }

    @Test("more answers than frames remove nothing, and the frames that remain are whole")
    func settle() {
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

@Suite("Misuse of FrameWriter")
struct FrameWriterMisuse {
    @Test("it does not begin with less memory than a header needs", arguments: [15, 0, -1])
    func capacity(count: Int) async {
        await #expect(processExitsWith: .trap) { [count] in _ = FrameWriter(capacity: count) }
    }

    @Test("no frame, text, number or date is written beyond its memory")
    func overflow() async {
        await #expect(processExitsWith: .trap) {
            var frames = FrameWriter(capacity: 31)
            frames.begin()
            frames.begin()
        }
        await #expect(processExitsWith: .trap) {
            var frames = FrameWriter(capacity: 16)
            frames.begin()
            frames.append("x")
        }
        await #expect(processExitsWith: .trap) {
            var frames = FrameWriter(capacity: 35)
            frames.begin()
            frames.append(1)
        }
        await #expect(processExitsWith: .trap) {
            var frames = FrameWriter(capacity: 23)
            frames.begin()
            frames.append(date: 1)
        }
    }

    @Test("a number has no more digits than a 64-bit number can have", arguments: [21, -1])
    func digits(count: Int) async {
        await #expect(processExitsWith: .trap) { [count] in
            var frames = FrameWriter()
            frames.append(1, digits: count)
        }
    }

    @Test("a frame that was not begun is not ended")
    func end() async {
        await #expect(processExitsWith: .trap) {
            var frames = FrameWriter()
            frames.end(.ping, seq: 0)
        }
    }
}
