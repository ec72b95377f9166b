import Basics
import RouterStore
import TestSupport
import Testing

@Suite("Output that waits for commits")
struct UncommittedOutputTests {
    /// A frame that has left.
    private struct Frame: Equatable {
        var position: UInt64
        var connection: ConnectionSlot
        var bytes: [UInt8]
    }

    private static func hold(_ frame: Frame, in output: inout UncommittedOutput, spare: Int = 0) {
        output.append(
            position: frame.position,
            connection: frame.connection,
            serial: 7,
            kind: .other,
            byteCount: frame.bytes.count + spare
        ) { memory in
            for (offset, byte) in frame.bytes.enumerated() {
                memory.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            }
            return frame.bytes.count
        }
    }

    private static func release(_ output: inout UncommittedOutput, upTo position: UInt64) -> [Frame]
    {
        var frames: [Frame] = []
        output.release(upTo: position) { entry, bytes in
            frames.append(
                Frame(position: entry.position, connection: entry.connection, bytes: bytes.array)
            )
            #expect(entry.serial == 7)
        }
        return frames
    }

    @Test("knows how many pushes a frame answers, and when the first of them came")
    func arrivals() {
        var output = UncommittedOutput()
        output.append(
            position: 1,
            connection: 0,
            serial: 7,
            kind: .other,
            arrival: 55,
            count: 3,
            byteCount: 0
        ) { _ in 0 }
        Self.hold(Frame(position: 1, connection: 0, bytes: []), in: &output)
        var found: [(ExactTime, UInt32)] = []
        output.release(upTo: 1) { entry, _ in found.append((entry.arrival, entry.count)) }
        #expect(found.map(\.0) == [55, 0] && found.map(\.1) == [3, 0])
    }

    @Test("leaves in its order, each frame when its position is committed and not before")
    func order() {
        var output = UncommittedOutput()
        #expect(output.isEmpty && output.byteCount == 0)
        let frames = [
            Frame(position: 3, connection: 1, bytes: [1, 2, 3]),
            Frame(position: 3, connection: 2, bytes: []),
            Frame(position: 5, connection: 1, bytes: [4]),
        ]
        for frame in frames { Self.hold(frame, in: &output, spare: 10) }
        #expect(output.byteCount == 4)
        #expect(output.memoryByteCount == 4 + 3 * MemoryLayout<UncommittedOutput.Entry>.stride)
        #expect(Self.release(&output, upTo: 2) == [])
        #expect(Self.release(&output, upTo: 4) == Array(frames[..<2]))
        #expect(output.byteCount == 1)
        #expect(Self.release(&output, upTo: 5) == [frames[2]])
        let isEmpty = output.isEmpty
        #expect(isEmpty)
    }

    @Test(
        "is what was held, however much of it waits for how long",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var output = UncommittedOutput()
        var model: [Frame] = []
        var position: UInt64 = 0
        for _ in 0..<2_000 {
            if random.below(3) > 0 {
                position += UInt64(random.below(3))
                let bytes = random.bytes(random.below(200))
                let frame = Frame(
                    position: position,
                    connection: ConnectionSlot(index: random.below(9)),
                    bytes: bytes
                )
                Self.hold(frame, in: &output, spare: random.below(100))
                model.append(frame)
            } else {
                let committed = position > 40 ? position - UInt64(random.below(40)) : 0
                let count = model.prefix { $0.position <= committed }.count
                let wanted = Array(model.prefix(count))
                model.removeFirst(count)
                #expect(Self.release(&output, upTo: committed) == wanted, "seed \(seed)")
            }
            #expect(output.byteCount == model.reduce(0) { $0 + $1.bytes.count }, "seed \(seed)")
        }
        #expect(Self.release(&output, upTo: .max) == model && output.isEmpty, "seed \(seed)")
    }
}
