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
    /// The earliest start of the next request, in units of 1/`capacity` ns.
    private var free: Int128 = 0
    private var now = ExactTime.none

    init(capacity: Int?, latency: Milliseconds, queue: Int? = nil) {
        assert(capacity.map { (1...Self.second).contains($0) } ?? true, "a start takes whole ns")
        self.capacity = capacity
        self.latency = Nanoseconds(latency)
        self.queue = queue ?? capacity ?? 0
    }

    /// Admits or refuses a request at a time by any clock; one earlier than the previous call's
    /// counts as that. Returns when it is answered, which is never before the answer to an earlier
    /// request.
    mutating func admit(at time: ExactTime) -> Admission {
        now = max(now, time)
        guard let perSecond = capacity else { return .answer(at: now + latency) }
        let (capacity, second) = (Int128(perSecond), Int128(Self.second))
        let present = Int128(now.rawValue) * capacity
        free = max(free, present)
        // The admitted requests that have not been started: starts are 1/capacity of a second
        // apart, and `free` follows the last assigned start by as much.
        let waiting = free > present ? (free - present + second - 1) / second - 1 : 0
        if waiting >= queue && free > present {
            // After this time, all requests that wait now have been started.
            let rest = free / capacity - Int128(now.rawValue) + second - 1
            return .refuse(retryAfterSeconds: max(1, Int(rest / second)))
        }
        let start = ExactTime(rawValue: Int64((free + capacity - 1) / capacity))
        free += second
        return .answer(at: start + latency)
    }
}
