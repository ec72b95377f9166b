import TestSupport
import Testing

@testable import Basics

@Suite("The history of the metrics")
struct MetricHistoryTests {
    /// A history of a router that accepts as many pushes in each second as its number says, and
    /// that begins at 1,000 s; a date is 1,000,000 s later than the time.
    private func history(seconds: Int64, step: Milliseconds = 1_000) -> MetricHistory {
        var history = MetricHistory()
        extend(&history, by: 0...seconds, step: step)
        return history
    }

    private func extend(
        _ history: inout MetricHistory,
        by seconds: ClosedRange<Int64>,
        step: Milliseconds = 1_000
    ) {
        for second in seconds { history.record(reading(second, step: step)) }
    }

    private func reading(_ second: Int64, step: Milliseconds = 1_000) -> HistoryReading {
        let time = MonotonicTime(rawValue: 1_000_000) + step * second
        var reading = HistoryReading(
            time: time,
            date: WallTime(rawValue: time.rawValue + 1_000_000_000)
        )
        // 0 + 1 + 2 + … so that the growth in a second is its number.
        reading.counts.pushes = UInt64(second * (second + 1) / 2)
        reading.levels.devices = UInt32(second)
        return reading
    }

    private func isWithoutGap(_ points: [HistoryPoint]) -> Bool {
        zip(points, points.dropFirst()).allSatisfy { $0.end == $1.begin }
    }

    @Test func `The first reading only says where counting begins`() {
        #expect(history(seconds: 0).points(over: 3_600_000).isEmpty)
        let points = history(seconds: 3).points(over: 3_600_000)
        #expect(points.map(\.counts.pushes) == [1, 2, 3])
        #expect(points.map(\.length) == [1_000, 1_000, 1_000])
        #expect(points.last?.date == 1_001_003_000 && points.last?.levels.devices == 3)
    }

    /// A minute that ended that long before the test's histories begin.
    private func former(_ age: Milliseconds, pushes: UInt64) -> HistoryPoint {
        var point = HistoryPoint(from: reading(0), to: reading(60))
        point.date = reading(0).date - age
        point.counts = HistoryCounts()
        point.counts.pushes = pushes
        return point
    }

    /// The instant at which the test's histories begin.
    private var begin: Instant { Instant(monotonic: reading(0).time, wall: reading(0).date) }

    /// The points that a history has of earlier processes, which it is given in this order.
    private func recalled(_ points: [HistoryPoint]) -> [HistoryPoint] {
        var history = MetricHistory()
        history.restore(points, marks: [], now: begin)
        extend(&history, by: 0...1)
        return history.points(over: 86_400_000).dropLast()
    }

    @Test func `A drain stays marked though the last that was stored is older`() {
        var history = MetricHistory()
        let kept: [HistoryMark] = [
            HistoryMark(.start, date: begin.wall - 9_000),
            HistoryMark(.drain, date: begin.wall - 5_000),
            HistoryMark(.end, date: begin.wall - 5_001),
            HistoryMark(.start, date: begin.wall - 4_000),
        ]
        history.restore([], marks: kept, now: begin)
        let marks = history.marks(over: 86_400_000, at: begin)
        #expect(marks.map(\.event) == [.start, .drain, .end, .start])
    }

    @Test func `What earlier processes kept comes first, of a day`() {
        var history = MetricHistory()
        history.mark(.end, at: begin.wall - 9_000, now: begin)
        history.restore(
            [
                former(86_400_000, pushes: 9), former(9 * 3_600_000, pushes: 1),
                former(80_000, pushes: 2), former(10_000, pushes: 3),
            ],
            marks: [
                HistoryMark(.start, date: begin.wall - 90_000_000),
                HistoryMark(.start, date: begin.wall - 100_000),
            ],
            now: begin
        )
        extend(&history, by: 0...2)
        #expect(history.points(over: 86_400_000).map(\.counts.pushes) == [1, 2, 3, 1, 2])
        #expect(history.points(over: 60_000).map(\.counts.pushes) == [3, 1, 2])
        #expect(history.points(over: 86_400_000, resolution: .second).count == 2)
        #expect(history.points(over: 86_400_000, resolution: .minute).count == 3)
        let marks = history.marks(over: 86_400_000, at: begin)
        #expect(marks.map(\.event) == [.start, .end])
        #expect(marks.map(\.date) == [begin.wall - 100_000, begin.wall - 9_000])
        extend(&history, by: 3...86_500)
        #expect(history.points(over: 86_400_000).allSatisfy { $0.begin >= 1_000_000 })
    }

    @Test func `Minutes that follow each other are kept though their clocks differ by a little`() {
        let minutes = (0..<100).map { former(.seconds(6_000 - 60 * $0) - 3, pushes: UInt64($0)) }
        let slow = minutes.map { minute in
            var minute = minute
            minute.length += 20
            return minute
        }
        #expect(recalled(slow).map(\.counts.pushes) == Array(0..<100))
    }

    @Test func `Minutes of a clock that was ahead are left out, and block no later ones`() {
        // Two hours ahead at first, then ten minutes, and then right.
        let ahead = [7_200, 7_140].map { former(.seconds(-$0), pushes: 7) }
        let early = [8, 7, 6, 5].map { former(.minutes($0) - .minutes(10), pushes: UInt64($0)) }
        let right = [5, 4, 3, 2, 1].map { former(.minutes($0), pushes: UInt64($0)) }
        let found = recalled(ahead + early + right)
        #expect(found.map(\.counts.pushes) == [5, 4, 3, 2, 1])
        // What was right before is there, as far as it does not overlap.
        let before = [20, 19, 4].map { former(.minutes($0), pushes: UInt64($0)) }
        #expect(recalled(before + ahead + right).map(\.counts.pushes) == [20, 19, 5, 4, 3, 2, 1])
    }

    @Test func `A clock that is set moves what is before it, and turns nothing round`() {
        var history = MetricHistory()
        extend(&history, by: 0...50)
        history.mark(.pause, at: reading(50).date, now: begin.after(seconds: 50))
        for second in 51...Int64(100) {
            var later = reading(second)
            later.date -= 3_600_000
            history.record(later)
        }
        let points = history.points(over: 3_600_000)
        #expect(points.count == 100)
        #expect(points.last?.date == reading(100).date - 3_600_000)
        #expect(zip(points, points.dropFirst()).allSatisfy { $1.date - $0.date == 1_000 })
        var now = begin.after(seconds: 100)
        now.wall -= 3_600_000
        let marks = history.marks(over: 3_600_000, at: now)
        #expect(marks.map(\.date) == [now.wall - 50_000])
    }

    @Test func `A minute that is not over can be kept, too`() {
        for seconds: Int64 in [1, 9, 10, 11, 59, 60, 61, 137] {
            let rest = history(seconds: seconds).unfinished
            #expect(rest?.length ?? 0 == .seconds(seconds % 60), "\(seconds)")
            if let rest { #expect(rest.end == reading(seconds).time) }
        }
        #expect(history(seconds: 0).unfinished == nil)
    }

    @Test func `A point is the same once it was written as numbers, and nonsense is none`() throws {
        var point = HistoryPoint(from: reading(1), to: reading(7))
        for (index, path) in [
            \HistoryCounts.pushes, \.matched, \.reloads, \.putOff, \.rejected, \.ticks,
            \.receivedBytes, \.sentBytes,
        ].enumerated() {
            point.counts[keyPath: path] = UInt64(index) + 100
        }
        for (index, path) in [
            \HistoryLevels.publishers, \.devices, \.gateways, \.pending,
        ].enumerated() {
            point.levels[keyPath: path] = UInt32(index) + 200
        }
        for (index, path) in [
            \HistoryLatencies.pushToAck, \.pushToReload, \.tick,
        ].enumerated() {
            point.latencies[keyPath: path].p50 = Nanoseconds(rawValue: Int64(index) + 300)
            point.latencies[keyPath: path].p99 = Nanoseconds(rawValue: Int64(index) + 400)
            point.latencies[keyPath: path].longest = Nanoseconds(rawValue: Int64(index) + 500)
        }
        var read = try #require(HistoryPoint(words: point.words))
        read.end = point.end
        #expect(read == point)
        #expect(HistoryPoint(words: []) == nil)
        for index in [8, 14, 21] {
            var words = point.words
            words[index] = .max
            #expect(HistoryPoint(words: words) == nil, "\(index)")
        }
    }

    @Test func `Until they are dropped, all seconds are kept`() {
        let points = history(seconds: 120).points(over: 3_600_000)
        #expect(points.map(\.counts.pushes) == Array(1...120))
    }

    @Test func `Older seconds become ten seconds, and then minutes, without gap and overlap`() {
        for seconds: Int64 in [121, 129, 130, 600, 1_199, 1_200, 1_201, 1_333, 5_000] {
            let points = history(seconds: seconds).points(over: .max / 2)
            #expect(isWithoutGap(points), "\(seconds)")
            #expect(points.first?.begin == 1_000_000, "\(seconds)")
            #expect(points.last?.end == MonotonicTime(rawValue: 1_000_000 + 1_000 * seconds))
            let sum = points.reduce(0) { $0 + $1.counts.pushes }
            #expect(sum == UInt64(seconds * (seconds + 1) / 2), "nothing is lost, \(seconds)")
            #expect(points.suffix(110).allSatisfy { $0.length == 1_000 })
            #expect(points.count <= Int(120 + 120 + seconds / 60))
        }
    }

    @Test func `A day is kept, and no more`() {
        let points = history(seconds: 90_000).points(over: .max / 2)
        let length = points.last!.end - points.first!.begin
        #expect(length >= 86_400_000 && length < 86_400_000 + 60_000)
        #expect(points.count < 1_440 + 240)
    }

    @Test func `A range counts from the last reading`() {
        let history = history(seconds: 1_000)
        #expect(history.points(over: 10_000).map(\.counts.pushes) == Array(991...1_000))
        let points = history.points(over: 300_000)
        #expect(points.first?.end == 1_710_000 && isWithoutGap(points))
    }

    @Test func `One resolution can be asked for`() {
        let history = history(seconds: 400)
        for resolution in HistoryResolution.allCases {
            let points = history.points(over: .max / 2, resolution: resolution)
            #expect(points.allSatisfy { $0.length == resolution.length })
            #expect(points.count == [1: 120, 10: 40, 60: 6][resolution.rawValue])
            #expect(isWithoutGap(points))
        }
    }

    @Test(arguments: [951, 990, 1_003, 1_250] as [Milliseconds])
    func `Timers need not be exact`(step: Milliseconds) {
        let points = history(seconds: 3_000, step: step).points(over: .max / 2)
        #expect(isWithoutGap(points))
        #expect(points.first!.begin == 1_000_000)
        for point in points {
            #expect([1_000, 10_000, 60_000].contains { abs($0 - point.length.rawValue) < 4_000 })
        }
    }

    @Test func `A loop that was stuck makes one long point`() {
        var history = history(seconds: 500)
        var late = reading(700)
        late.latencies.tick.longest = 200_000_000_000
        history.record(late)
        extend(&history, by: 701...705)
        let points = history.points(over: .max / 2)
        #expect(points.filter { $0.length == 200_000 }.count == 1 && isWithoutGap(points))
        extend(&history, by: 706...2_500)
        let later = history.points(over: .max / 2)
        #expect(isWithoutGap(later) && later.reduce(0) { $0 + $1.counts.pushes } == 3_126_250)
    }

    @Test func `A joined point has the longest latency of its seconds, and the last level`() {
        var history = MetricHistory()
        for second in 0...Int64(130) {
            var reading = reading(second)
            reading.latencies.pushToAck.p99 = second == 4 ? 9_000 : 500
            reading.latencies.pushToAck.p50 = Nanoseconds(rawValue: second)
            history.record(reading)
        }
        let first = history.points(over: .max / 2, resolution: .tenSeconds).first!
        #expect(first.latencies.pushToAck.p99 == 9_000 && first.latencies.pushToAck.p50 == 10)
        #expect(first.levels.devices == 10)
    }

    @Test func `It is due after a second`() {
        var history = MetricHistory()
        let isDueAtFirst = history.isDue(at: 0)
        history.record(reading(0))
        let (isDueEarly, isDueThen) = (history.isDue(at: 1_000_900), history.isDue(at: 1_000_999))
        #expect(isDueAtFirst && !isDueEarly && isDueThen)
    }

    @Test func `The last marks are kept`() {
        var history = MetricHistory()
        for date in 1...Int64(100) {
            let now = Instant(monotonic: MonotonicTime(rawValue: date), wall: begin.wall)
            history.mark(date == 100 ? .drain : .appFile, at: begin.wall, now: now)
        }
        let now = Instant(monotonic: 100, wall: 1_100)
        let marks = history.marks(over: 1_000, at: now)
        #expect(marks.map(\.date.rawValue) == Array(1_037...1_100))
        #expect(history.marks(over: 1, at: now).map(\.event) == [.appFile, .drain])
    }

    @Test func `Its memory is allocated once`() {
        var history = MetricHistory()
        let before = history.byteCount
        #expect(before < 320_000)
        extend(&history, by: 0...100_000)
        for _ in 0..<200 { history.mark(.pause, at: 1, now: begin) }
        #expect(history.byteCount == before)
    }
}

extension Instant {
    fileprivate func after(seconds: Int64) -> Instant {
        Instant(monotonic: monotonic + .seconds(seconds), wall: wall + .seconds(seconds))
    }
}
