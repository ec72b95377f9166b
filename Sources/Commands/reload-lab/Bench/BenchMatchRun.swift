import DataStructures
import Platform
import ReloadModel
import StrictJSON
import Times
import WidgetMatching

/// Measures one workload: the matcher and its two references, on the same events.
struct BenchMatchRun {
    let events: BenchMatchEvents
    /// The least CPU time of a window.
    let seconds: Double
    /// The number of windows to measure, after one that warms up.
    let windows: Int

    /// The number of batches between two readings of the clock.
    private static var stretch: Int { 32 }

    /// CPU per event of each side, in ns: medians of the windows.
    struct Times {
        let matching: Double
        let scanning: Double
        let lookup: Double
    }

    /// CPU per event of two matchers, in ns: medians of the windows.
    struct Pair {
        let first: Double
        let second: Double
    }

    /// Measures the matcher, the JSON scan and the lookup in turn, so that a busy machine slows all
    /// of them.
    ///
    /// - Throws: `BenchFailure` if the matcher finds more or fewer matches than there are.
    func measure(
        _ matcher: inout WidgetMatcher,
        beside lookup: borrowing BenchMatchLookup
    ) throws -> Times {
        var times: (matching: [Double], scanning: [Double], lookup: [Double]) = ([], [], [])
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        var scratch = BenchMatchLookup.Scratch(limit: events.largestBatch)
        var positions = (matching: 0, scanning: 0, lookup: 0)
        assert(windows > 0, "there is nothing to measure after the first window")
        // The first window only warms up.
        for window in 0...windows {
            let matching = try matchWindow(from: &positions.matching, with: &matcher)
            let scanning = try self.window(from: &positions.scanning) { first, end, bytes in
                try scan(first, upTo: end, of: bytes, using: &scanner)
            }
            let finding = try self.window(from: &positions.lookup) { first, end, bytes in
                lookup.find(events.keys[events.keys(first, upTo: end)], in: bytes, using: &scratch)
            }
            if window == 0 { continue }
            times.matching.append(matching)
            times.scanning.append(scanning)
            times.lookup.append(finding)
        }
        return Times(
            matching: median(times.matching),
            scanning: median(times.scanning),
            lookup: median(times.lookup)
        )
    }

    /// Measures two matchers in turn, each with its own events.
    func compare(
        _ matcher: inout WidgetMatcher,
        with run: BenchMatchRun,
        other: inout WidgetMatcher
    ) throws -> Pair {
        var times: (first: [Double], second: [Double]) = ([], [])
        var positions = (first: 0, second: 0)
        for window in 0...windows {
            let first = try matchWindow(from: &positions.first, with: &matcher)
            let second = try run.matchWindow(from: &positions.second, with: &other)
            if window == 0 { continue }
            times.first.append(first)
            times.second.append(second)
        }
        return Pair(first: median(times.first), second: median(times.second))
    }

    // MARK: - Windows

    /// Measures one window of the matcher.
    private func matchWindow(
        from position: inout Int,
        with matcher: inout WidgetMatcher
    ) throws -> Double {
        let start = position
        var (matched, found) = (0, 0)
        let time = try window(from: &position) { first, end, bytes in
            try events.match(first..<end, of: bytes, with: &matcher)
            matched += end - first
            found += matcher.matchCount
            // Reads each match, as the code that delivers reloads would.
            var sum = 0
            for number in 0..<matcher.matchCount {
                sum &+= matcher.match(at: number).widget.index
            }
            return sum
        }
        let expected = events.matchCount(from: start, events: matched)
        if found != expected {
            throw BenchFailure("\(matched) events matched \(found) times; expected \(expected)")
        }
        return time
    }

    /// Runs batches until the time is over.
    ///
    /// - Parameters:
    ///   - position: the first event; set to where the next window continues.
    ///   - body: processes the events from one index up to another. Its result must depend on all
    ///     of its work, so that the compiler cannot omit any of it.
    /// - Throws: what `body` throws.
    /// - Returns: ns of CPU time per event.
    private func window(
        from position: inout Int,
        body: (Int, Int, ByteView) throws -> Int
    ) throws -> Double {
        try events.withBytes { bytes in
            let limit = Nanoseconds(seconds: seconds)
            let start = Nanoseconds.threadCPU
            var (count, sum, elapsed) = (0, 0, Nanoseconds.zero)
            repeat {
                for _ in 0..<Self.stretch {
                    let end = position + WidgetMatcher.batchLimit
                    assert(end <= events.count, "a batch goes beyond the last event")
                    sum &+= try body(position, end, bytes)
                    position = end == events.count ? 0 : end
                }
                count += Self.stretch * WidgetMatcher.batchLimit
                elapsed = .threadCPU - start
            } while elapsed < limit
            withExtendedLifetime(sum) {}
            return elapsed.inNanoseconds / Double(count)
        }
    }

    // MARK: - Batches

    /// Scans the JSON of a batch of events, which is one of the references.
    private func scan(
        _ first: Int,
        upTo end: Int,
        of bytes: ByteView,
        using scanner: inout JSONScanner
    ) throws -> Int {
        for number in first..<end {
            let text = events.events[number].text
            try validateJSON(bytes.slice(text.lowerBound, to: text.upperBound), using: &scanner)
            scanner.resetScratch()
        }
        return end - first
    }

    // MARK: - Checking

    /// Matches every event once, and compares its widgets with those that the generator expects.
    func check(_ matcher: inout WidgetMatcher, ids: [WidgetID]) throws {
        var (counts, sums) = ([Int](), [UInt64]())
        try events.withBytes { bytes in
            for first in stride(from: 0, to: events.count, by: WidgetMatcher.batchLimit) {
                let batch = first..<first + WidgetMatcher.batchLimit
                counts = batch.map { events.matches($0, upTo: $0 + 1).count }
                sums = batch.map { event in
                    events.matches[events.matches(event, upTo: event + 1)].reduce(0) {
                        sum,
                        widget in
                        sum &+ SplitMix64.mixed(UInt64(ids[Int(widget)].rawValue))
                    }
                }
                try events.match(first..<batch.upperBound, of: bytes, with: &matcher)
                for number in 0..<matcher.matchCount {
                    let match = matcher.match(at: number)
                    counts[Int(match.tag) - first] -= 1
                    sums[Int(match.tag) - first] &-= SplitMix64.mixed(UInt64(match.widget.rawValue))
                }
                for offset in 0..<batch.count where counts[offset] != 0 || sums[offset] != 0 {
                    let text = events.events[first + offset].text
                    throw BenchFailure(
                        """
                        an event matches other widgets than it should (\(counts[offset]) missing): \
                        \(bytes.slice(text.lowerBound, to: text.upperBound).string)
                        """
                    )
                }
            }
        }
    }
}
