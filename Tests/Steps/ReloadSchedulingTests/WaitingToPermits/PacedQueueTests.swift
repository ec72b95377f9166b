import ReloadScheduling
import TestSupport
import Testing

@Suite("A paced queue")
struct PacedQueueTests {
    private func popAll(_ queue: inout PlainQueue) -> [UInt32] {
        var ids: [UInt32] = []
        while let id = queue.popFirst() { ids.append(id) }
        return ids
    }

    @Test("serves urgent ones first, then visible ones, then others")
    func ranks() {
        var queue = PlainQueue(seed: 1)
        queue.append(1, rank: .other, fanOut: 1)
        queue.append(2, rank: .visible, fanOut: 2)
        queue.append(3, rank: .urgent, fanOut: 3)
        let first = queue.popFirst()
        #expect(first == 3)
        queue.append(4, rank: .urgent, fanOut: 4)
        let rest = popAll(&queue)
        #expect(rest == [4, 2, 1])
        let isEmpty = queue.isEmpty
        #expect(isEmpty)
    }

    @Test("serves the bursts of a rank in their order", arguments: ReloadRank.allCases)
    func bursts(rank: ReloadRank) {
        var queue = PlainQueue(seed: 2)
        for fanOut in 0..<UInt32(20) {
            for number in 0..<UInt32(50) {
                queue.append(fanOut * 50 + number, rank: rank, fanOut: UInt64(fanOut))
            }
        }
        let count = queue.count
        #expect(count == 1_000)
        let ids = popAll(&queue)
        #expect(ids.map { $0 / 50 } == (0..<1_000).map { $0 / 50 })
        #expect(Set(ids).count == 1_000)
    }

    @Test("gives every widget of a burst every place in turn")
    func order() {
        var queue = PlainQueue(seed: 3)
        var places = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 10)
        for fanOut in 0..<UInt64(2_000) {
            for id in 0..<UInt32(10) { queue.append(id, rank: .other, fanOut: fanOut) }
            for (position, id) in popAll(&queue).enumerated() { places[Int(id)][position] += 1 }
        }
        // 200 each on average, with a standard deviation of 13.4.
        #expect(places.allSatisfy { $0.allSatisfy { (130...270).contains($0) } }, "\(places)")
    }

    @Test("shuffles among those of the burst that still wait")
    func servedWhileGrowing() {
        var queue = PlainQueue(seed: 4)
        var served: [UInt32] = []
        queue.append(1_000, rank: .other, fanOut: 8)
        for id in 0..<UInt32(500) {
            queue.append(id, rank: .other, fanOut: 9)
            if id % 3 == 0, let next = queue.popFirst() { served.append(next) }
        }
        #expect(served.first == 1_000)
        served += popAll(&queue)
        #expect(served.count == 501)
        #expect(Set(served).count == 501)
        #expect(served.dropFirst() != ArraySlice(served.dropFirst().sorted()))
    }

    @Test("has the same order for the same seed, and another for another")
    func seeds() {
        func order(_ seed: UInt64) -> [UInt32] {
            var queue = PlainQueue(seed: seed)
            for id in 0..<UInt32(100) { queue.append(id, rank: .visible, fanOut: 1) }
            return popAll(&queue)
        }
        #expect(order(5) == order(5))
        #expect(order(5) != order(6))
    }

    @Test("drops dead entries and all but the first of each id when it is compacted")
    func compacts() {
        var queue = PlainQueue(seed: 7)
        for id in 0..<UInt32(100) { queue.append(id, rank: .other, fanOut: 1) }
        for id in 0..<UInt32(100) { queue.append(id, rank: .other, fanOut: 2) }
        for id in 90..<UInt32(100) { queue.append(id, rank: .urgent, fanOut: 3) }
        queue.compact(idEnd: 100) { $0 % 2 == 0 }
        let count = queue.count
        #expect(count == 50)
        queue.append(1, rank: .other, fanOut: 2)
        let ids = popAll(&queue)
        #expect(Set(ids.prefix(5)) == [90, 92, 94, 96, 98])
        #expect(ids.count == 51)
        #expect(Set(ids).count == 51)
    }

    @Test("holds memory in proportion to what waits")
    func memory() {
        var queue = PlainQueue(seed: 8)
        var bytes = queue.byteCount
        #expect(bytes == 0)
        queue.append(1, rank: .urgent, fanOut: 1)
        let small = queue.byteCount
        #expect(small < 400)
        for id in 0..<UInt32(100_000) { queue.append(id, rank: .other, fanOut: 1) }
        bytes = queue.byteCount
        #expect(bytes <= 5 * 100_000)
        while queue.count > 100 { _ = queue.popFirst() }
        bytes = queue.byteCount
        #expect(bytes <= 4 * 4_096)
        for id in 0..<UInt32(100_000) { queue.append(id, rank: .visible, fanOut: 2) }
        queue.compact(idEnd: 100_000) { $0 < 10 }
        bytes = queue.byteCount
        #expect(bytes <= 8 * 4_096)
        for round in 0..<UInt32(100_000) {
            queue.append(round, rank: .urgent, fanOut: UInt64(round))
            _ = queue.popFirst()
        }
        let after = queue.byteCount
        #expect(after == bytes)
    }

    @Test("takes no more memory than a chunk for those that join a long one")
    func growth() {
        var queue = PlainQueue(seed: 9)
        var (bytes, longest) = (queue.byteCount, 0)
        for id in 0..<UInt32(300_000) {
            queue.append(id, rank: .other, fanOut: 1)
            longest = max(longest, queue.byteCount - bytes)
            bytes = queue.byteCount
        }
        // A chunk, and the table of the chunks, which doubles.
        #expect(longest <= 2_048 + 8 * 600)
    }

    @Test(
        "holds what a plain list holds, whatever comes and goes",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = PlainQueue(seed: seed)
        // For each rank bursts in order, each a set of ids.
        var model: [[(fanOut: UInt64, ids: Set<UInt32>)]] = [[], [], []]
        var next: UInt32 = 0
        var fanOut: UInt64 = 0
        for step in 0..<20_000 {
            let isGrowing = step / 3_000 % 2 == 0
            if random.below(10) < (isGrowing ? 7 : 3) {
                if random.below(20) == 0 { fanOut += 1 }
                let rank = random.below(3)
                queue.append(next, rank: ReloadRank(rawValue: UInt8(rank))!, fanOut: fanOut)
                if model[rank].last?.fanOut != fanOut { model[rank].append((fanOut, [])) }
                model[rank][model[rank].count - 1].ids.insert(next)
                next += 1
            } else if random.below(500) == 0 {
                let divisor = UInt32(2 + random.below(5))
                queue.compact(idEnd: next) { $0 % divisor != 0 }
                for rank in 0..<3 {
                    for index in model[rank].indices {
                        model[rank][index].ids = model[rank][index].ids.filter { $0 % divisor != 0 }
                    }
                    model[rank].removeAll { $0.ids.isEmpty }
                }
            } else {
                let rank = model.firstIndex { !$0.isEmpty }
                let id = queue.popFirst()
                guard let rank else {
                    #expect(id == nil, "seed \(seed), step \(step)")
                    continue
                }
                let wasFirst = id.flatMap { model[rank][0].ids.remove($0) } != nil
                #expect(wasFirst, "seed \(seed), step \(step)")
                if model[rank][0].ids.isEmpty { model[rank].removeFirst() }
            }
        }
        let count = queue.count
        let expected = model.reduce(0) { $0 + $1.reduce(0) { $0 + $1.ids.count } }
        #expect(count == expected, "seed \(seed)")
    }
}
