package import Basics
package import StoreFormat

/// Decides which failures of a store deserve a line in the log. A failing store tries again every
/// second; logged are the start, a different reason, a reminder each minute, and the end.
package struct OutageLog {
    /// A line to be logged.
    package enum Line: Equatable {
        case begins(StoreError)
        /// The outage continues; with its duration so far.
        case continues(StoreError, duration: Milliseconds)
        /// The outage is over; with its duration.
        case ends(duration: Milliseconds)
    }

    /// The longest time without a line during an outage.
    package static var interval: Milliseconds { .minutes(1) }
    /// The shortest time between two lines: two reasons may alternate with every attempt.
    package static var changeInterval: Milliseconds { .seconds(5) }

    /// The last line's error, the outage's start, and the line's time; nil while the store works.
    private var last: (error: StoreError, since: MonotonicTime, time: MonotonicTime)?

    /// Makes a log of a store that works.
    package init() {}

    /// Records why the store fails now, and since when, or that it works; gives the line to be
    /// logged.
    package mutating func update(
        _ failure: (error: StoreError, since: MonotonicTime)?,
        now: MonotonicTime
    ) -> Line? {
        guard let (error, since) = failure else {
            guard let last else { return nil }
            self.last = nil
            return .ends(duration: now - last.since)
        }
        guard let last else {
            self.last = (error, since, now)
            return .begins(error)
        }
        let pause = Self.isSame(error, as: last.error) ? Self.interval : Self.changeInterval
        if now - last.time < pause { return nil }
        self.last = (error, last.since, now)
        return .continues(error, duration: now - last.since)
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
