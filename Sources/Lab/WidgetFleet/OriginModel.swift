internal import Basics

/// Models when an origin with a limited capacity answers: one server with a bounded queue.
///
///     arrives ──► waits for its start ──► answered, its latency later
///           └───► refused if the queue is full
///
/// At most one request is started per 1/capacity of a second. So under overload the latency grows
/// first, up to the length of the queue, and then requests are refused.
struct OriginModel {
    enum Admission: Equatable {
        /// The time of the answer, by the clock of `admit`.
        case answer(at: ExactTime)
        /// The origin is overloaded; the client should wait this many seconds.
        case refuse(retryAfterSeconds: Int)
    }

    /// A second in ns, which is also the highest capacity.
    private static let second = Int(Nanoseconds.seconds(1).rawValue)

    /// Requests per second; nil for no limit.
    private let capacity: Int?
    /// How long an answer takes when the queue is empty.
    private let latency: Nanoseconds
    /// The most requests that may wait for their start.
    private let queue: Int
    /// The earliest start of the next request: `freeAt` in whole ns, plus `freeAtFraction` in units
    /// of 1/`capacity` ns.
    private var freeAt = ExactTime.none
    private var freeAtFraction = 0
    private var now = ExactTime.none

    /// - Parameters:
    ///   - capacity: requests per second; nil for no limit.
    ///   - latency: how long an answer takes when the queue is empty.
    ///   - queue: the most requests that may wait; nil for as many as are answered in a second.
    init(capacity: Int?, latency: Milliseconds, queue: Int? = nil) {
        assert(capacity.map { (1...Self.second).contains($0) } ?? true, "a start takes whole ns")
        self.capacity = capacity
        self.latency = Nanoseconds(latency)
        self.queue = queue ?? capacity ?? 0
    }

    /// Admits or refuses a request.
    ///
    /// - Parameter time: the time by any clock; one earlier than the previous call's counts as the
    ///   previous call's.
    /// - Returns: when it is answered, which is never before the answer to an earlier request; or a
    ///   refusal.
    mutating func admit(at time: ExactTime) -> Admission {
        now = max(now, time)
        guard let capacity else { return .answer(at: now + latency) }
        if freeAt < now {
            freeAt = now
            freeAtFraction = 0
        }
        if waiting(capacity) >= queue && isBusy {
            // After this time, all requests that wait now have been started.
            let rest = freeAt - now + .seconds(1) - Nanoseconds(rawValue: 1)
            let seconds: Int64 = rest / .seconds(1)
            return .refuse(retryAfterSeconds: max(1, Int(seconds)))
        }
        let start = freeAt + Nanoseconds(rawValue: freeAtFraction > 0 ? 1 : 0)
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
        let second = Int128(Self.second)
        let parts = Int128((freeAt - now).rawValue) * Int128(capacity) + Int128(freeAtFraction)
        let starts = (parts + second - 1) / second
        return Int(starts) - 1
    }

    /// Moves the earliest start of the next request by 1/capacity of a second.
    private mutating func advance(_ capacity: Int) {
        let (whole, parts) = Self.second.quotientAndRemainder(dividingBy: capacity)
        freeAt += Nanoseconds(rawValue: Int64(whole))
        freeAtFraction += parts
        if freeAtFraction >= capacity {
            freeAtFraction -= capacity
            freeAt += Nanoseconds(rawValue: 1)
        }
        assert(freeAtFraction >= 0 && freeAtFraction < capacity, "the fraction is a whole ns")
    }
}
