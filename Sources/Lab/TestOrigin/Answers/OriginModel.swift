/// Models when an origin with a limited capacity answers: one server with a bounded queue.
///
///     arrives ──► waits for its start ──► answered, its latency later
///           └───► refused if the queue is full
///
/// At most one request is started per 1/capacity of a second. So under overload the latency grows
/// first, up to the length of the queue, and then requests are refused.
package struct OriginModel: Sendable {
    /// The highest valid capacity, in requests per second.
    package static var capacityLimit: Int { nanosecondsPerSecond }
    /// The longest valid latency, in ms.
    package static var latencyLimit: Int { 3_600_000 }

    /// What happens to a request.
    package enum Admission: Equatable, Sendable {
        /// The time of the answer, in ns of the clock of `admit`.
        case answer(at: Int64)
        /// The origin is overloaded; the client should wait this many seconds.
        case refuse(retryAfterSeconds: Int)
    }

    /// Requests per second; nil for no limit.
    package let capacity: Int?
    /// How long an answer takes when the queue is empty, in ms.
    package let latencyMilliseconds: Int
    /// The most requests that may wait for their start.
    package let queue: Int
    /// The earliest start of the next request: `freeAt` in whole ns, plus `freeAtFraction` in units
    /// of 1/`capacity` ns.
    private var freeAt = Int64.min
    private var freeAtFraction = 0
    private var now = Int64.min

    /// Makes a model; values out of range are clamped.
    ///
    /// - Parameters:
    ///   - capacity: requests per second, from 1 to `capacityLimit`; nil for no limit.
    ///   - latencyMilliseconds: from 0 to `latencyLimit`.
    ///   - queue: the most requests that may wait; nil for as many as are answered in a second.
    package init(capacity: Int?, latencyMilliseconds: Int, queue: Int? = nil) {
        self.capacity = capacity.map { min(max($0, 1), Self.capacityLimit) }
        self.latencyMilliseconds = min(max(latencyMilliseconds, 0), Self.latencyLimit)
        self.queue = max(queue ?? self.capacity ?? 0, 0)
    }

    /// Admits or refuses a request.
    ///
    /// - Parameter nowNanoseconds: the time by any clock; a time earlier than the previous call's
    ///   counts as the previous call's.
    /// - Returns: when it is answered, which is never before the answer to an earlier request; or a
    ///   refusal.
    package mutating func admit(at nowNanoseconds: Int64) -> Admission {
        now = max(now, nowNanoseconds)
        let latency = Int64(latencyMilliseconds) * 1_000_000
        guard let capacity else { return .answer(at: now + latency) }
        if freeAt < now {
            freeAt = now
            freeAtFraction = 0
        }
        if waiting(capacity) >= queue && isBusy {
            // After this time, all requests that wait now have been started.
            let seconds = (freeAt - now + Self.secondNanoseconds - 1) / Self.secondNanoseconds
            return .refuse(retryAfterSeconds: max(1, Int(seconds)))
        }
        let start = freeAt + (freeAtFraction > 0 ? 1 : 0)
        advance(capacity)
        return .answer(at: start + latency)
    }

    private var isBusy: Bool { freeAt > now || freeAtFraction > 0 }

    /// The number of admitted requests that have not been started.
    ///
    /// Starts are 1/capacity apart, and `freeAt` follows the last assigned start by as much. So
    /// this is the number of starts after now and before `freeAt`.
    private func waiting(_ capacity: Int) -> Int {
        assert(freeAt >= now, "the next start lies in the past")
        if !isBusy { return 0 }
        let nanoseconds = Int128(freeAt - now)
        let parts = nanoseconds * Int128(capacity) + Int128(freeAtFraction)
        let starts = (parts + Int128(Self.secondNanoseconds) - 1) / Int128(Self.secondNanoseconds)
        return Int(starts) - 1
    }

    private mutating func advance(_ capacity: Int) {
        let whole = Self.nanosecondsPerSecond / capacity
        let parts = Self.nanosecondsPerSecond % capacity
        freeAt += Int64(whole)
        freeAtFraction += parts
        if freeAtFraction >= capacity {
            freeAtFraction -= capacity
            freeAt += 1
        }
        assert(freeAtFraction >= 0 && freeAtFraction < capacity, "the fraction is a whole ns")
    }

    private static var nanosecondsPerSecond: Int { 1_000_000_000 }
    private static var secondNanoseconds: Int64 { Int64(nanosecondsPerSecond) }
}
