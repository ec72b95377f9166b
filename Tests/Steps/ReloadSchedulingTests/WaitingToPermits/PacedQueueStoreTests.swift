import Basics
import ReloadScheduling
import StoreFormat
import TestSupport
import Testing

@Suite("A paced queue that is read from its bytes")
struct PacedQueueStoreTests {
    /// More than there are.
    private static let idLimit: UInt32 = 1 << 20

    private static func read(
        _ bytes: [UInt8],
        idsBelow idLimit: UInt32 = idLimit
    ) throws(StoreError) -> PlainQueue {
        try restored(bytes) { reader throws(StoreError) in
            try PlainQueue(reading: &reader, idsBelow: idLimit)
        }
    }

    /// Two queues of which the same is asked.
    private struct Replicas: ~Copyable {
        var first: PlainQueue
        var second: PlainQueue
        var random: SeededGenerator
        private var fanOut: UInt64 = 0
        private var nextID: UInt32 = 0
        private(set) var faults: [String] = []
        /// The first one's checkpoint so far, and what it must be.
        private var checkpoint: (found: [UInt8], wanted: [UInt8])?

        init(_ first: consuming PlainQueue, _ second: consuming PlainQueue, seed: UInt64) {
            self.first = first
            self.second = second
            random = SeededGenerator(seed: seed)
        }

        mutating func step() {
            switch random.below(20) {
            case 0..<9: append()
            case 9..<18: pop(random.below(random.pick([4, 40, 300, 5_000])))
            case 18: fanOut += 1
            default: compact()
            }
        }

        private mutating func append() {
            if random.below(3) == 0 { fanOut += 1 }
            let rank = random.pick(ReloadRank.allCases)
            for _ in 0..<random.below(random.pick([3, 30, 300, 3_000])) {
                // Some stand twice.
                let id = random.below(9) == 0 ? nextID / 2 : nextID
                nextID += 1
                first.append(id, rank: rank, fanOut: fanOut)
                second.append(id, rank: rank, fanOut: fanOut)
            }
        }

        private mutating func pop(_ count: Int) {
            for _ in 0..<count {
                let (one, other) = (first.popFirst(), second.popFirst())
                if one != other { faults.append("\(String(describing: one)) comes for one only") }
            }
        }

        private mutating func compact() {
            let divisor = 2 + UInt32(random.below(5))
            first.compact(idEnd: idLimit) { !$0.isMultiple(of: divisor) }
            second.compact(idEnd: idLimit) { !$0.isMultiple(of: divisor) }
        }

        mutating func resumeCheckpoint() {
            guard let begun = checkpoint else {
                checkpoint = ([], stored { first.write(to: &$0) })
                return first.beginCheckpoint()
            }
            var writer = StoreWriter()
            let isMore = first.writeUnwritten(to: &writer)
            if writer.count > 16_384 { faults.append("writes \(writer.count) bytes at once") }
            checkpoint?.found += writer.bytes.array
            if isMore { return }
            if begun.found + writer.bytes.array != begun.wanted {
                faults.append("has changed in the checkpoint")
            }
            checkpoint = nil
        }

        mutating func compareBytes() {
            if stored({ first.write(to: &$0) }) != stored({ second.write(to: &$0) }) {
                faults.append("has other bytes")
            }
            if first.count != second.count { faults.append("has another length") }
        }
    }

    @Test(
        "serves in the order of the one that was written, and shuffles as it does",
        arguments: 1...16 as ClosedRange<UInt64>
    )
    func behaviour(seed: UInt64) throws {
        var replicas = Replicas(PlainQueue(seed: seed), PlainQueue(seed: seed), seed: seed)
        for step in 0..<1_500 {
            replicas.step()
            if replicas.random.below(25) == 0 {
                replicas.second = try Self.read(stored { replicas.first.write(to: &$0) })
            }
            if replicas.random.below(10) == 0 { replicas.compareBytes() }
            if replicas.random.below(3) == 0 { replicas.resumeCheckpoint() }
            let faults = replicas.faults
            #expect(faults.isEmpty, "seed \(seed), step \(step)")
            if !faults.isEmpty { return }
        }
    }

    private static func image(_ seed: UInt64) -> [UInt8] {
        var queue = PlainQueue(seed: seed)
        for id in 0..<UInt32(90) {
            queue.append(id, rank: ReloadRank.allCases[Int(id % 3)], fanOut: UInt64(id / 12))
            if id % 4 == 0 { _ = queue.popFirst() }
        }
        return stored { queue.write(to: &$0) }
    }

    @Test("throws wherever its bytes are cut off, and for ids that cannot be")
    func refused() throws {
        let bytes = Self.image(1)
        for count in bytes.indices {
            #expect(throws: StoreError.self, "\(count) bytes") {
                _ = try Self.read(Array(bytes.prefix(count)))
            }
        }
        #expect(throws: StoreError.self) { _ = try Self.read(bytes, idsBelow: 89) }
        let count = try Self.read(bytes, idsBelow: 90).count
        #expect(count == 67)
    }

    @Test("throws or can be worked with, whatever bits are flipped", arguments: [1, 2, 3, 4])
    func flipped(seed: UInt64) throws {
        let image = Self.image(seed)
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<1_000 {
            var bytes = image
            for _ in 0...random.below(3) {
                bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
            }
            do throws(StoreError) {
                var replicas = Replicas(
                    try Self.read(bytes),
                    try Self.read(bytes),
                    seed: random.next()
                )
                for _ in 0..<20 { replicas.step() }
                replicas.compareBytes()
                let faults = replicas.faults
                #expect(faults.isEmpty, "seed \(seed)")
                accepted += 1
            } catch {
                #expect(error.code == .corrupt)
            }
        }
        #expect(accepted > 100 && accepted < 1_000)
    }
}
