/// A point as numbers, for a file that another version of the router may read.
extension HistoryPoint {
    /// The number of numbers.
    package static var wordCount: Int { 23 }

    /// All but `end`, which has no meaning in another process.
    package var words: [UInt64] {
        let (levels, latencies) = (levels, latencies)
        let counted = [
            counts.pushes, counts.matched, counts.reloads, counts.putOff, counts.rejected,
            counts.ticks, counts.receivedBytes, counts.sentBytes,
        ]
        let present = [levels.publishers, levels.devices, levels.gateways, levels.pending]
        let measured = [latencies.pushToAck, latencies.pushToReload, latencies.tick].flatMap {
            [$0.p50.rawValue, $0.p99.rawValue, $0.longest.rawValue]
        }
        return counted + present.map { UInt64($0) } + measured.map { UInt64(bitPattern: Int64($0)) }
            + [date.rawValue, length.rawValue].map { UInt64(bitPattern: $0) }
    }

    /// Reads what `words` has written; nil for numbers that no point has.
    package init?(words: [UInt64]) {
        guard words.count == Self.wordCount,
            words[8..<12].allSatisfy({ $0 <= UInt64(UInt32.max) }),
            words[12...].allSatisfy({ $0 <= UInt64(Int64.max) })
        else { return nil }
        func number(_ index: Int) -> Int64 { Int64(words[index]) }
        end = .min
        date = WallTime(rawValue: number(21))
        length = Milliseconds(rawValue: number(22))
        counts = HistoryCounts()
        counts.pushes = words[0]
        counts.matched = words[1]
        counts.reloads = words[2]
        counts.putOff = words[3]
        counts.rejected = words[4]
        counts.ticks = words[5]
        counts.receivedBytes = words[6]
        counts.sentBytes = words[7]
        levels = HistoryLevels()
        levels.publishers = UInt32(words[8])
        levels.devices = UInt32(words[9])
        levels.gateways = UInt32(words[10])
        levels.pending = UInt32(words[11])
        latencies = HistoryLatencies()
        func latency(_ index: Int) -> RecentLatency {
            var latency = RecentLatency()
            latency.p50 = Nanoseconds(rawValue: number(index))
            latency.p99 = Nanoseconds(rawValue: number(index + 1))
            latency.longest = Nanoseconds(rawValue: number(index + 2))
            return latency
        }
        latencies.pushToAck = latency(12)
        latencies.pushToReload = latency(15)
        latencies.tick = latency(18)
        if length <= .zero { return nil }
    }
}
