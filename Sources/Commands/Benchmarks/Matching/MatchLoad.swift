import Basics
import Platform
import WidgetMatching

/// Measures one workload: the matcher and its reference, on the same events.
struct MatchLoad {
    let events: MatchEvents
    /// The least CPU time of a window.
    let seconds: Double
    /// That of the matchers, by which payloads are scanned for them.
    let hashKey: HashKey
    /// Where the next window of the matcher, and of the scan, continues.
    private var positions = (matching: 0, scanning: 0)

    /// The number of batches between two readings of the clock.
    private static var stretch: Int { 32 }

    init(events: MatchEvents, seconds: Double, hashKey: HashKey) {
        self.events = events
        self.seconds = seconds
        self.hashKey = hashKey
    }

    /// Measures the matcher and `reference`, a window each in turn, so that a busy machine slows
    /// both. Returns CPU per event of each window, in ns.
    mutating func measure(
        _ matcher: inout WidgetMatcher,
        rounds: Int,
        beside reference: (inout MatchLoad) throws -> Double
    ) throws -> [[Double]] {
        var times: [[Double]] = [[], []]
        // The first window only warms up.
        for window in 0...rounds {
            let pair = [try matchWindow(with: &matcher), try reference(&self)]
            if window > 0 { for (side, time) in pair.enumerated() { times[side].append(time) } }
        }
        return times
    }

    /// Measures what a push costs that visits a second matcher, which has the same rules, without
    /// being scanned again: a window in which each push visits both, less one in which it visits
    /// the first alone. Returns that and the scan beside it, for each round.
    mutating func measureVisits(
        _ matcher: inout WidgetMatcher,
        second: inout WidgetMatcher,
        rounds: Int
    ) throws -> [[Double]] {
        var times: [[Double]] = [[], []]
        for round in 0...rounds {
            let one = try matchWindow(with: &matcher)
            let both = try visitWindow(with: &matcher, second: &second)
            let scan = try scanWindow()
            if round == 0 { continue }
            times[0].append(both - one)
            times[1].append(scan)
        }
        return times
    }

    // MARK: - Windows

    /// Scans each event once for two matchers.
    private mutating func visitWindow(
        with matcher: inout WidgetMatcher,
        second: inout WidgetMatcher
    ) throws -> Double {
        var scanner = PayloadScanner(hashKey: hashKey)
        scanner.follow(matcher)
        var position = positions.matching
        defer { positions.matching = position }
        return try window(from: &position) { events, batch, bytes in
            for number in batch {
                let push = try events.scan(number, of: bytes, with: &scanner)
                matcher.enqueue(push, tag: UInt32(number))
                second.enqueue(push, tag: UInt32(number))
            }
            matcher.matchQueued()
            second.matchQueued()
            return matcher.matchCount &+ second.matchCount
        }
    }

    mutating func matchWindow(with matcher: inout WidgetMatcher) throws -> Double {
        var scanner = PayloadScanner(hashKey: hashKey)
        let start = positions.matching
        var (position, matched, found) = (start, 0, 0)
        let time = try window(from: &position) { events, batch, bytes in
            try events.match(batch, of: bytes, with: &matcher, scanner: &scanner)
            matched += batch.count
            found += matcher.matchCount
            // Reads each match, as the code that delivers reloads would.
            var sum = 0
            for number in 0..<matcher.matchCount { sum &+= matcher.match(at: number).widget.index }
            return sum
        }
        positions.matching = position
        let expected = events.matchCount(from: start, events: matched)
        if found != expected {
            throw BenchFailure("\(matched) events matched \(found) times; expected \(expected)")
        }
        return time
    }

    mutating func scanWindow() throws -> Double {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        var position = positions.scanning
        defer { positions.scanning = position }
        return try window(from: &position) { events, batch, bytes in
            for number in batch {
                let text = events.events[number].text
                try validateJSON(bytes.slice(text.lowerBound, to: text.upperBound), using: &scanner)
                scanner.resetScratch()
            }
            return batch.count
        }
    }

    /// Runs batches until the time is over, from an event on, and sets it to where the next window
    /// continues. Returns ns of CPU time per event. The result of `body`, which processes a batch,
    /// must depend on all of its work, so that the compiler cannot omit any of it.
    private func window(
        from position: inout Int,
        body: (MatchEvents, Range<Int>, ByteView) throws -> Int
    ) throws -> Double {
        try events.withBytes { bytes in
            let limit = Nanoseconds(seconds: seconds)
            let start = Nanoseconds.threadCPU
            var (count, sum, elapsed) = (0, 0, Nanoseconds.zero)
            repeat {
                for _ in 0..<Self.stretch {
                    let end = position + WidgetMatcher.batchLimit
                    assert(end <= events.count, "a batch goes beyond the last event")
                    sum &+= try body(events, position..<end, bytes)
                    position = end == events.count ? 0 : end
                }
                count += Self.stretch * WidgetMatcher.batchLimit
                elapsed = .threadCPU - start
            } while elapsed < limit
            withExtendedLifetime(sum) {}
            return elapsed.inNanoseconds / Double(count)
        }
    }

    // MARK: - Checking

    /// Matches every event once, and compares its widgets with those that the generator expects.
    func check(_ matcher: inout WidgetMatcher, ids: [WidgetID]) throws {
        var scanner = PayloadScanner(hashKey: hashKey)
        try events.withBytes { bytes in
            for first in stride(from: 0, to: events.count, by: WidgetMatcher.batchLimit) {
                let batch = first..<first + WidgetMatcher.batchLimit
                var sums = batch.map { event in
                    events.matches(event..<event + 1).reduce(into: (count: 0, sum: UInt64(0))) {
                        $0.count += 1
                        $0.sum &+= SplitMix64.mixed(UInt64(ids[Int($1)].rawValue))
                    }
                }
                try events.match(batch, of: bytes, with: &matcher, scanner: &scanner)
                for number in 0..<matcher.matchCount {
                    let match = matcher.match(at: number)
                    sums[Int(match.tag) - first].count -= 1
                    sums[Int(match.tag) - first].sum &-=
                        SplitMix64.mixed(UInt64(match.widget.rawValue))
                }
                for (event, rest) in zip(batch, sums) where rest != (0, 0) {
                    let text = events.events[event].text
                    throw BenchFailure(
                        """
                        an event matches other widgets than it should (\(rest.count) missing): \
                        \(bytes.slice(text.lowerBound, to: text.upperBound).string)
                        """
                    )
                }
            }
        }
    }
}
