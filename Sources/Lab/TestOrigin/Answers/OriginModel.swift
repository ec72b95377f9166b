/// How an origin that can do so much answers: one server with a bounded queue in front.
///
///     arrives ──► waits for its turn ──► answered, its latency later
///           └───► refused if as many wait as may
///
/// A turn comes every 1/capacity of a second. So under more than it can do the latency grows first,
/// up to the length of the queue, and then requests are refused.
package struct OriginModel: Sendable {
    /// The limits of what can be asked for.
    package static var capacityLimit: Int { nanosecondsPerSecond }
    package static var latencyLimit: Int { 3_600_000 }

    /// What becomes of a request.
    package enum Admission: Equatable, Sendable {
        /// In nanoseconds of the clock of `admit`.
        case answer(at: Int64)
        case refuse(retryAfterSeconds: Int)
    }

    /// Requests a second; nil for any number.
    package let capacity: Int?
    /// What an answer takes when nobody waits, in milliseconds.
    package let latencyMilliseconds: Int
    /// Requests that may wait for their turn.
    package let queue: Int
    /// The turn of whoever comes next, in nanoseconds and parts of one, of which a nanosecond has
    /// `capacity`.
    private var nextTurn = Int64.min
    private var nextTurnParts = 0
    private var now = Int64.min

    /// Clamps what is out of range.
    ///
    /// - Parameters:
    ///   - capacity: requests a second, from 1 up to `capacityLimit`; nil for any number.
    ///   - latencyMilliseconds: from 0 up to `latencyLimit`.
    ///   - queue: requests that may wait; as many as a second answers if nil.
    package init(capacity: Int?, latencyMilliseconds: Int, queue: Int? = nil) {
        self.capacity = capacity.map { min(max($0, 1), Self.capacityLimit) }
        self.latencyMilliseconds = min(max(latencyMilliseconds, 0), Self.latencyLimit)
        self.queue = max(queue ?? self.capacity ?? 0, 0)
    }

    /// Takes a request or refuses it.
    ///
    /// - Parameter nowNanoseconds: of any clock; a time before the last one counts as the last one.
    /// - Returns: when it is answered, which is never before those who came earlier.
    package mutating func admit(at nowNanoseconds: Int64) -> Admission {
        now = max(now, nowNanoseconds)
        let latency = Int64(latencyMilliseconds) * 1_000_000
        guard let capacity else { return .answer(at: now + latency) }
        if nextTurn < now {
            nextTurn = now
            nextTurnParts = 0
        }
        if waiting(capacity) >= queue && isBusy {
            // When all who wait now have had their turn.
            let seconds = (nextTurn - now + Self.secondNanoseconds - 1) / Self.secondNanoseconds
            return .refuse(retryAfterSeconds: max(1, Int(seconds)))
        }
        let turn = nextTurn + (nextTurnParts > 0 ? 1 : 0)
        advance(capacity)
        return .answer(at: turn + latency)
    }

    private var isBusy: Bool { nextTurn > now || nextTurnParts > 0 }

    /// Those who were admitted and whose turn has not come.
    ///
    /// Turns are 1/capacity apart, and the last one that was given is as long before the next one:
    /// so many turns lie behind now and before the next one.
    private func waiting(_ capacity: Int) -> Int {
        if !isBusy { return 0 }
        let nanoseconds = Int128(nextTurn - now)
        let parts = nanoseconds * Int128(capacity) + Int128(nextTurnParts)
        let turns = (parts + Int128(Self.secondNanoseconds) - 1) / Int128(Self.secondNanoseconds)
        return Int(turns) - 1
    }

    private mutating func advance(_ capacity: Int) {
        let whole = Self.nanosecondsPerSecond / capacity
        let parts = Self.nanosecondsPerSecond % capacity
        nextTurn += Int64(whole)
        nextTurnParts += parts
        if nextTurnParts >= capacity {
            nextTurnParts -= capacity
            nextTurn += 1
        }
    }

    private static var nanosecondsPerSecond: Int { 1_000_000_000 }
    private static var secondNanoseconds: Int64 { Int64(nanosecondsPerSecond) }
}
