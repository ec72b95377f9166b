import DataStructures
import LoadReporting
import Platform
import ReloadScheduling

/// What slots cost: CPU per call in ns, and bytes per reload when all have come.
struct BenchJitterCost {
    var take: Double
    var giveBack: Double
    var bytes: Double

    /// Reloads that come one after the other, their dates so many ms apart, and a fifth of them
    /// cancelled at random.
    init(_ size: BenchJitterSize, datesApart: Int64, seed: UInt64) {
        var ledger = SlotLedger(
            perSecond: 1_000_000,
            undelayed: 10,
            hashKey: HashKey(low: 1, high: 0)
        )
        var positions = [SlotPosition](repeating: .none, count: size.count)
        let start = threadNanoseconds()
        for id in 0..<size.count {
            positions[id] =
                ledger.take(
                    UInt32(id),
                    earliest: 86_400_637 + Int64(id) * datesApart,
                    window: Int64(size.seconds) * 1_000,
                    isFixed: false,
                    now: 0
                ).position
        }
        take = Double(threadNanoseconds() - start) / Double(size.count)
        bytes = Double(ledger.byteCount) / Double(size.count)
        let cancelled = Self.cancelled(size, seed)
        let begin = threadNanoseconds()
        for id in cancelled {
            if let moved = ledger.giveBack(positions[id], now: 0) {
                positions[Int(moved.id)] = moved.slot.position
            }
        }
        giveBack = Double(threadNanoseconds() - begin) / Double(cancelled.count)
    }

    /// The same with a plain array, in which the last one moves to where a cancelled one stood.
    init(reference size: BenchJitterSize, seed: UInt64) {
        var ids: [UInt32] = []
        var positions = [SlotPosition](repeating: .none, count: size.count)
        let start = threadNanoseconds()
        for id in 0..<size.count {
            positions[id] = SlotPosition(group: 0, index: UInt32(ids.count))
            ids.append(UInt32(id))
        }
        take = Double(threadNanoseconds() - start) / Double(size.count)
        bytes = Double(ids.capacity * 4) / Double(size.count)
        let cancelled = Self.cancelled(size, seed)
        let begin = threadNanoseconds()
        for id in cancelled {
            let last = ids.removeLast()
            if last == id { continue }
            ids[Int(positions[id].index)] = last
            positions[Int(last)] = positions[id]
        }
        giveBack = Double(threadNanoseconds() - begin) / Double(cancelled.count)
    }

    private static func cancelled(_ size: BenchJitterSize, _ seed: UInt64) -> ArraySlice<Int> {
        var random = SplitMix64(seed: seed)
        var order = Array(0..<size.count)
        order.shuffle(using: &random)
        return order.prefix(size.count / 5)
    }
}

/// Medians of measured windows: the ledger's, and the plain array's in turn with it.
struct BenchJitterCosts {
    private var ours: [BenchJitterCost] = []
    private var reference: [BenchJitterCost] = []

    init(_ size: BenchJitterSize, datesApart: Int64, windows: Int, seed: UInt64) {
        // The first window warms the others up.
        for window in 0...windows {
            let seed = seed &+ UInt64(window)
            let cost = BenchJitterCost(size, datesApart: datesApart, seed: seed)
            let plain = BenchJitterCost(reference: size, seed: seed)
            if window == 0 { continue }
            ours.append(cost)
            reference.append(plain)
        }
    }

    func add(_ name: String, bytesAim: BenchAim?, to report: inout BenchReport) {
        func add(_ what: String, _ path: KeyPath<BenchJitterCost, Double>, _ unit: String) {
            report.add(
                "\(name).\(what)",
                median(ours.map { $0[keyPath: path] }),
                unit,
                reference: median(reference.map { $0[keyPath: path] }),
                aim: what == "bytes" ? bytesAim : nil
            )
        }
        add("take", \.take, "ns")
        add("give-back", \.giveBack, "ns")
        add("bytes", \.bytes, "bytes/reload")
    }
}
