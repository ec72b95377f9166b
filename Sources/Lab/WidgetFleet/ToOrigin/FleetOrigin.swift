internal import Basics
internal import HTTPFetching
internal import HTTPMessages
internal import LibuvLoop

/// Requests to an origin: those that came, were answered with a resource, and were refused because
/// of overload.
struct OriginCounts: Equatable {
    var arrived = 0
    var answered = 0
    var refused = 0
}

/// An answer of the origin.
enum OriginAnswer {
    case body([UInt8])
    /// A status other than 200; `retryAfter` is in s.
    case refused(status: Int, retryAfter: Int?)
    case unreachable(String)
}

/// The origin of a fleet, in this process: as fast as the scenario says, in real time and in
/// accelerated time.
struct FleetOrigin {
    private var model: OriginModel
    private var content: OriginContent
    /// The initial dates in its resources.
    private let dates: [WallTime]
    /// All requests since the start.
    private(set) var counts = OriginCounts()
    /// Answers that have not been delivered, in the order of their times.
    private var answers = FIFO<(time: ExactTime, number: Int, path: String)>()

    /// The seed determines the initial values of resources; all devices have started at `rampEnd`.
    init(_ plan: OriginPlan, seed: UInt64, rampEnd: WallTime) {
        model = OriginModel(
            capacity: plan.capacity,
            latency: Milliseconds(Int(plan.latency)),
            queue: plan.queue
        )
        content = OriginContent(plan, seed: seed, rampEnd: rampEnd)
        dates = plan.pools.values.flatMap(\.values).compactMap { field in
            guard case .secondsAfterRamp = field else { return nil }
            return WallTime(rawValue: field.values(rampEnd: rampEnd).lowerBound)
        }
    }

    /// Changes resources as a push says.
    mutating func apply(_ payload: JSONValue) { content.apply(payload) }

    /// Sends a fetch: returns a refusal, or nil if `answer` delivers its answer later.
    mutating func ask(_ path: String, number: Int, at now: ExactTime) -> OriginAnswer? {
        counts.arrived += 1
        switch model.admit(at: now) {
        case .answer(let time):
            answers.append((time, number, path))
            return nil
        case .refuse(let seconds):
            counts.refused += 1
            return .refused(status: 503, retryAfter: seconds)
        }
    }

    /// When the next answer is due; nil if there is none.
    var nextAnswer: ExactTime? { answers.isEmpty ? nil : answers[0].time }

    /// Removes and returns the next answer that is due; nil if there is none. `shift` is by how
    /// many seconds the devices' clock is ahead of the clock of widget code.
    mutating func answer(
        until now: ExactTime,
        shift: Double
    ) -> (number: Int, answer: OriginAnswer)? {
        guard let time = nextAnswer, time <= now, let (_, number, path) = answers.popFirst() else {
            return nil
        }
        guard let object = object(path, shift: shift) else {
            return (number, .refused(status: 404, retryAfter: nil))
        }
        counts.answered += 1
        return (number, .body(object))
    }

    /// A resource whose dates are converted to the clock of the code that has fetched it.
    private func object(_ path: String, shift: Double) -> [UInt8]? {
        guard let bytes = content.object(path) else { return nil }
        if dates.isEmpty || shift == 0 { return bytes }
        var text = String(decoding: bytes, as: UTF8.self)
        for date in dates {
            text = text.replacing("\(date)", with: "\(date - Milliseconds(seconds: shift))")
        }
        return Array(text.utf8)
    }
}

/// An origin that the scenario names by its address, asked over HTTP.
final class RemoteOrigin {
    /// The fewest connections, and the file descriptors that these need.
    static var leastConnections: Int { 512 }
    private static var mostConnections: Int { 8_192 }

    private let client: HTTPClient
    private let url: String
    /// All requests since the start, as seen from here.
    private(set) var counts = OriginCounts()

    /// Prepares requests to a server, whose address is followed by paths, with at most
    /// `descriptors` connections and `waiting` requests that wait for one.
    init(_ url: String, plan: OriginPlan, loop: Loop, descriptors: Int, waiting: Int) {
        // More than the origin's queue can hold: the origin must see the same load as from devices
        // with a connection each, and refuse the excess.
        let wanted = max(Self.leastConnections, 2 * (plan.queue ?? plan.capacity ?? 0))
        var limits = HTTPClientLimits()
        limits.connections = min(wanted, Self.mostConnections, descriptors)
        limits.waiting = waiting
        client = HTTPClient(loop, limits: limits)
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    /// True if no request is under way or waiting.
    var isIdle: Bool { client.inFlightCount == 0 && client.waitingCount == 0 }

    /// Sends a fetch; `completion` is called on the loop.
    func ask(_ path: String, completion: @escaping (OriginAnswer) -> Void) {
        counts.arrived += 1
        client.get(url + path) { [self] result in
            switch result {
            case .success(let reply) where reply.status == 200:
                counts.answered += 1
                completion(.body(reply.body))
            case .success(let reply):
                counts.refused += 1
                completion(.refused(status: reply.status, retryAfter: reply.retryAfterSeconds))
            case .failure(let error): completion(.unreachable("\(error)"))
            }
        }
    }

    func close() { client.close() }
}
