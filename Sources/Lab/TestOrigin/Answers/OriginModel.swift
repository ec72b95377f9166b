/// Models when an origin with a limited capacity answers: one server with a bounded queue.
///
///     arrives ──► waits for its start ──► answered, its latency later
///           └───► refused if the queue is full
///
/// A request is started every 1/capacity of a second. So under overload the latency grows first,
/// up to the length of the queue, and then requests are refused.
package struct OriginModel: Sendable {
    /// The highest valid capacity, in requests per second.
    package static var capacityLimit: Int { nanosecondsPerSecond }
    /// The longest valid latency, in ms.
    package static var latencyLimit: Int { 3_600_000 }

    /// What happens to a request.
    package enum Admission: Equatable, Sendable {
        /// The time of the answer, in ns of the clock of `admit`.
        case answer(at: Int64)
        case refuse(retryAfterSeconds: Int)
    }

    /// Requests per second; nil for no limit.
    package let capacity: Int?
    /// How long an answer takes when the queue is empty, in ms.
    package let latencyMilliseconds: Int
    /// Most requests that may wait for their start.
    package let queue: Int
    /// The start of the next request, in ns and in fractions of a nanosecond, which has `capacity`
    /// of them.
    private var nextTurn = Int64.min
    private var nextTurnParts = 0
    private var now = Int64.min

    /// Makes a model; values out of range are clamped.
    ///
    /// - Parameters:
    ///   - capacity: requests per second, from 1 to `capacityLimit`; nil for no limit.
    ///   - latencyMilliseconds: from 0 to `latencyLimit`.
    ///   - queue: most requests that may wait; nil for as many as are answered in a second.
    package init(capacity: Int?, latencyMilliseconds: Int, queue: Int? = nil) {
        self.capacity = capacity.map { min(max($0, 1), Self.capacityLimit) }
        self.latencyMilliseconds = min(max(latencyMilliseconds, 0), Self.latencyLimit)
        self.queue = max(queue ?? self.capacity ?? 0, 0)
    }

    /// Admits or refuses a request.
    ///
    /// - Parameter nowNanoseconds: the time by any clock; a time before the previous call's counts
    ///   as that.
    /// - Returns: when it is answered, which is never before any earlier request; or a refusal.
    package mutating func admit(at nowNanoseconds: Int64) -> Admission {
        now = max(now, nowNanoseconds)
        let latency = Int64(latencyMilliseconds) * 1_000_000
        guard let capacity else { return .answer(at: now + latency) }
        if nextTurn < now {
            nextTurn = now
            nextTurnParts = 0
        }
        if waiting(capacity) >= queue && isBusy {
            // Once all requests that wait now have been started.
            let seconds = (nextTurn - now + Self.secondNanoseconds - 1) / Self.secondNanoseconds
            return .refuse(retryAfterSeconds: max(1, Int(seconds)))
        }
        let turn = nextTurn + (nextTurnParts > 0 ? 1 : 0)
        advance(capacity)
        return .answer(at: turn + latency)
    }

    private var isBusy: Bool { nextTurn > now || nextTurnParts > 0 }

    /// The number of admitted requests that have not been started.
    ///
    /// Starts are 1/capacity apart, and the last assigned one lies just as long before `nextTurn`.
    /// So this is the number of starts after now and before `nextTurn`.
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
