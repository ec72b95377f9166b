import Basics
import FrameCodec
import TestSupport
import Testing

@testable import CaptureTools

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
