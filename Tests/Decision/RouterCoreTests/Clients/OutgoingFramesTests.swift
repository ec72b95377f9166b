import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("Outgoing frames")
struct OutgoingFramesTests {
    private func add(_ count: Int, to frames: inout OutgoingFrames) {
        let body = [UInt8](repeating: 7, count: 84)
        for seq in 0..<count {
            body.withByteView {
                frames.append(OutgoingFrame(to: 1, type: .reload), seq: UInt64(seq), body: $0)
            }
        }
    }

    @Test func `Memory that a burst needed is freed once it is not needed any more`() {
        var frames = OutgoingFrames()
        add(10_000, to: &frames)
        let burst = frames.memoryByteCount
        frames.trim()
        let kept = (count: frames.count, memory: frames.memoryByteCount)
        #expect(kept == (0, burst), "it was needed since the last call")
        add(10, to: &frames)
        frames.trim()
        let left = frames.memoryByteCount
        #expect(left < burst / 20)
    }

    @Test func `Memory that is needed again and again is kept`() {
        var frames = OutgoingFrames()
        for _ in 0..<5 {
            add(10_000, to: &frames)
            let before = frames.memoryByteCount
            frames.trim()
            let after = frames.memoryByteCount
            #expect(after == before)
        }
    }
}
