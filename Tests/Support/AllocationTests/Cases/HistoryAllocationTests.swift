import Basics
import TestSupport
import Testing

@Suite("History, in steady state")
struct HistoryAllocationTests {
    @Test("no second that is recorded allocates, for more than a day")
    func recording() {
        var history = MetricHistory()
        var latency = LatencyHistogram()
        latency.record(5_000)
        let seconds = 100_000
        var reading = HistoryReading(time: 0, date: 0)
        history.record(reading)
        let begin = ContinuousClock.now
        let count = allocations {
            for second in 1...Int64(seconds) {
                reading.time = MonotonicTime(rawValue: 1_000 * second)
                reading.date = WallTime(rawValue: 1_000 * second)
                reading.counts.pushes += 7
                reading.latencies.pushToAck = latency.recent
                if !history.isDue(at: reading.time) { continue }
                history.record(reading)
                let now = Instant(monotonic: reading.time, wall: reading.date)
                if second % 1_000 == 0 { history.mark(.appFile, at: now.wall, now: now) }
            }
        }
        let time = (ContinuousClock.now - begin) / seconds
        print("history: \(time) a second with one latency, \(history.byteCount) bytes")
        #expect(count == 0, "\(count) allocations in \(seconds) seconds")
        #expect(history.points(over: 86_400_000).count > 1_440)
    }

    @Test("a copy of the history leaves it its memory")
    func copying() {
        var history = MetricHistory()
        var reading = HistoryReading(time: 0, date: 0)
        var (kept, total) = ([[HistoryPoint]](), 0)
        kept.reserveCapacity(100)
        for second in 0...Int64(300) {
            reading.time = MonotonicTime(rawValue: 1_000 * second)
            if second % 3 == 0 { kept.append(history.points(over: 3_600_000)) }
            total += allocations { history.record(reading) }
        }
        #expect(total == 0 && kept.last?.isEmpty == false)
    }
}
