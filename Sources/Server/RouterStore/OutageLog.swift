package import StoreFormat

/// Decides which failures of a store deserve a line in the log. A failing store tries again every
/// second; logged are the start, a different reason, a reminder each minute, and the end.
package struct OutageLog {
    /// A line to be logged.
    package enum Line: Equatable {
        case begins(StoreError)
        /// The outage continues; `milliseconds` is its duration so far.
        case continues(StoreError, milliseconds: Int64)
        /// The outage is over; `milliseconds` is its duration.
        case ends(milliseconds: Int64)
    }

    /// Longest time without a line during an outage, in ms.
    package static var interval: Int64 { 60_000 }
    /// Shortest time between two lines, in ms: two reasons may alternate with every attempt.
    package static var changeInterval: Int64 { 5_000 }

    /// The last line's error, the outage's start, and the line's time (ms); nil while the store
    /// works.
    private var last: (error: StoreError, since: Int64, time: Int64)?

    /// Makes a log of a store that works.
    package init() {}

    /// Records the present state of the store.
    ///
    /// - Parameters:
    ///   - failure: why it fails now, and since when (ms); nil while it works.
    ///   - now: time on the clock of `failure.since`, in ms.
    /// - Returns: the line to be logged, or nil.
    package mutating func note(
        _ failure: (error: StoreError, since: Int64)?,
        now: Int64
    ) -> Line? {
        guard let (error, since) = failure else {
            guard let last else { return nil }
            self.last = nil
            return .ends(milliseconds: now - last.since)
        }
        guard let last else {
            self.last = (error, since, now)
            return .begins(error)
        }
        let pause = Self.isSame(error, as: last.error) ? Self.interval : Self.changeInterval
        if now - last.time < pause { return nil }
        self.last = (error, last.since, now)
        return .continues(error, milliseconds: now - last.since)
    }

    /// True if two errors are of the same kind. Digits are ignored, because numbers of files and
    /// records change with every attempt.
    private static func isSame(_ left: StoreError, as right: StoreError) -> Bool {
        func words(_ error: StoreError) -> [UInt8] {
            error.message.utf8.filter { !(0x30...0x39).contains($0) }
        }
        return left == right || (left.code == right.code && words(left) == words(right))
    }
}
