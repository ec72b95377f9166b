import DataStructures
import LoadReporting
import Platform
import ReloadModel
import ReloadScheduling
import Times

/// The costs of slots: CPU per call in ns, and bytes per reload once all are assigned.
struct BenchJitterCost {
    /// The CPU time of assigning a slot.
    var assign: Double
    /// The CPU time of releasing a slot.
    var release: Double
    /// The memory per reload.
    var bytes: Double

    /// Measures the ledger: assigns a slot to each reload, with dates `datesApart` ms apart, and
    /// then cancels a fifth of them at random.
    init(_ size: BenchJitterSize, datesApart: Int64, seed: UInt64) {
        var ledger = SlotLedger(
            perSecond: 1_000_000,
            undelayed: 10,
            hashKey: HashKey(low: 1, high: 0)
        )
        var positions = [SlotPosition](repeating: .none, count: size.count)
        let start = Nanoseconds.threadCPU
        for id in 0..<size.count {
            positions[id] =
                ledger.assign(
                    WidgetID(index: id),
                    earliest: ScheduleTime(rawValue: 86_400_637 + Int64(id) * datesApart),
                    window: .seconds(Int64(size.seconds)),
                    isFixed: false,
                    now: .zero
                ).position
        }
        assign = (.threadCPU - start).inNanoseconds / Double(size.count)
        bytes = Double(ledger.byteCount) / Double(size.count)
        let cancelled = Self.cancelled(size, seed: seed)
        let begin = Nanoseconds.threadCPU
        for id in cancelled {
            if let moved = ledger.release(positions[id], now: .zero) {
                positions[moved.widget.index] = moved.slot.position
            }
        }
        release = (.threadCPU - begin).inNanoseconds / Double(cancelled.count)
    }

    /// Measures the same with a plain array, in which the last element moves to where a cancelled
    /// one was.
    init(reference size: BenchJitterSize, seed: UInt64) {
        var ids: [UInt32] = []
        var positions = [SlotPosition](repeating: .none, count: size.count)
        let start = Nanoseconds.threadCPU
        for id in 0..<size.count {
            positions[id] = SlotPosition(group: 0, index: UInt32(ids.count))
            ids.append(UInt32(id))
        }
        assign = (.threadCPU - start).inNanoseconds / Double(size.count)
        bytes = Double(ids.capacity * 4) / Double(size.count)
        let cancelled = Self.cancelled(size, seed: seed)
        let begin = Nanoseconds.threadCPU
        for id in cancelled {
            let last = ids.removeLast()
            if last == id { continue }
            ids[Int(positions[id].index)] = last
            positions[Int(last)] = positions[id]
        }
        release = (.threadCPU - begin).inNanoseconds / Double(cancelled.count)
    }

    private static func cancelled(_ size: BenchJitterSize, seed: UInt64) -> ArraySlice<Int> {
        var random = SplitMix64(seed: seed)
        var order = Array(0..<size.count)
        order.shuffle(using: &random)
        return order.prefix(size.count / 5)
    }
}

/// The costs of the ledger and of the plain array, measured in turn in several windows; a report
/// has their medians.
struct BenchJitterCosts {
    private var ours: [BenchJitterCost] = []
    private var reference: [BenchJitterCost] = []

    init(_ size: BenchJitterSize, datesApart: Int64, windows: Int, seed: UInt64) {
        // The first window only warms up.
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
        func add(_ what: String, of path: KeyPath<BenchJitterCost, Double>, unit: String) {
            report.add(
                "\(name).\(what)",
                value: median(ours.map { $0[keyPath: path] }),
                unit: unit,
                reference: median(reference.map { $0[keyPath: path] }),
                aim: what == "bytes" ? bytesAim : nil
            )
        }
        add("take", of: \.assign, unit: "ns")
        add("give-back", of: \.release, unit: "ns")
        add("bytes", of: \.bytes, unit: "bytes/reload")
    }
}
