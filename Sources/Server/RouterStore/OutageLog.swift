package import StoreFormat

/// Picks what of a store that fails, and tries again every second, is worth a line in the log: its
/// beginning, another reason, each minute, its end.
package struct OutageLog {
    /// Something to be logged.
    package enum Line: Equatable {
        case begins(StoreError)
        /// It goes on, for so many ms now.
        case goesOn(StoreError, milliseconds: Int64)
        /// It is over, after so many ms.
        case ends(milliseconds: Int64)
    }

    /// Longest time without a line while it goes on, in ms.
    package static var interval: Int64 { 60_000 }
    /// Shortest time between two lines, in ms: reasons may take turns with every try.
    package static var changeInterval: Int64 { 5_000 }

    /// What was logged last, and when; nil while the store works.
    private var last: (error: StoreError, since: Int64, time: Int64)?

    package init() {}

    /// Takes over how the store does.
    ///
    /// - Parameters:
    ///   - failure: why it fails now, and since when; nil while it works.
    ///   - now: in ms of the clock that `failure` is told in.
    /// - Returns: what is to be logged, if anything.
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
        let pause = Self.isSame(error, last.error) ? Self.interval : Self.changeInterval
        if now - last.time < pause { return nil }
        self.last = (error, last.since, now)
        return .goesOn(error, milliseconds: now - last.since)
    }

    /// Whether two errors are of the same kind: numbers of files and records are others at each try.
    private static func isSame(_ left: StoreError, _ right: StoreError) -> Bool {
        func words(_ error: StoreError) -> [UInt8] {
            error.message.utf8.filter { !(0x30...0x39).contains($0) }
        }
        return left == right || (left.code == right.code && words(left) == words(right))
    }
}
