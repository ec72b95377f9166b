internal import Basics
internal import TestOrigin

/// The origin of a fleet in accelerated time.
struct VirtualOrigin {
    private var model: OriginModel
    private var content: OriginContent
    /// All requests since the start.
    private(set) var sums = OriginCounts.Counts()
    /// Answers in the order of their times; those from index `next` on have not been delivered.
    private var answers: [(time: ExactTime, number: Int, path: String)] = []
    private var next = 0

    /// The initial dates in its resources.
    private let dates: [WallTime]

    /// - Parameters:
    ///   - plan: the scenario's origin.
    ///   - seed: determines the initial values of resources.
    ///   - rampEnd: when all devices have started.
    /// - Throws: `OriginPoolError` if a pool is invalid.
    init(_ plan: OriginPlan, seed: UInt64, rampEnd: WallTime) throws(OriginPoolError) {
        model = OriginModel(plan)
        content = try OriginContent(plan, seed: seed, rampEnd: rampEnd)
        dates = plan.dates(rampEnd: rampEnd)
    }

    mutating func apply(_ payload: [UInt8]) {
        // The scenario's payloads are objects, so this cannot fail.
        _ = try? content.apply(payload)
    }

    /// Sends a fetch. Unless it is refused at once, `answer` delivers its answer later.
    ///
    /// - Parameters:
    ///   - path: the path of a resource.
    ///   - number: the number of the fetch.
    ///   - now: the time.
    /// - Returns: a refusal; nil if the answer comes later.
    mutating func ask(
        _ path: String,
        number: Int,
        at now: ExactTime
    ) -> OriginAnswer? {
        sums.arrived += 1
        switch model.admit(at: now) {
        case .answer(let time):
            assert(time >= answers.last?.time ?? .none, "an earlier request is answered later")
            answers.append((time, number, path))
            return nil
        case .refuse(let seconds):
            sums.refused += 1
            return .refused(status: 503, retryAfter: seconds)
        }
    }

    /// A resource whose dates are converted to the clock of the code that has fetched it.
    private func object(_ path: String, shift: Double) -> [UInt8]? {
        guard let bytes = content.object(path) else { return nil }
        if dates.isEmpty { return bytes }
        var text = String(decoding: bytes, as: UTF8.self)
        for date in dates {
            text = text.replacing("\(date)", with: "\(date - Milliseconds(seconds: shift))")
        }
        return Array(text.utf8)
    }

    /// When the next answer is due; nil if there is none.
    var nextAnswer: ExactTime? { next < answers.count ? answers[next].time : nil }

    /// Delivers the answers that are due.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - shift: by how many seconds the devices' clock is ahead of the clock of widget code.
    ///   - body: called with the number of each fetch and its answer.
    mutating func answer(
        until now: ExactTime,
        shift: Double,
        body: (Int, OriginAnswer) -> Void
    ) {
        assert(next <= answers.count, "an answer was delivered that there is not")
        while next < answers.count, answers[next].time <= now {
            let (_, number, path) = answers[next]
            next += 1
            guard let object = object(path, shift: shift) else {
                body(number, .refused(status: 404, retryAfter: nil))
                continue
            }
            sums.answered += 1
            body(number, .body(object))
        }
        if next > 4_096, 2 * next > answers.count {
            answers.removeFirst(next)
            next = 0
        }
    }
}

extension OriginModel {
    init(_ plan: OriginPlan) {
        self.init(
            capacity: plan.capacity,
            latency: Milliseconds(Int(plan.latency)),
            queue: plan.queue
        )
    }
}

extension OriginContent {
    /// Makes the content that a scenario states.
    ///
    /// - Parameters:
    ///   - plan: the scenario's origin.
    ///   - seed: determines the initial values of resources.
    ///   - rampEnd: when all devices have started.
    /// - Throws: `OriginPoolError` if a pool is invalid.
    init(_ plan: OriginPlan, seed: UInt64, rampEnd: WallTime) throws(OriginPoolError) {
        self.init(seed: seed)
        for (pool, fields) in plan.pools.sorted(by: { $0.key < $1.key }) {
            try declare(
                pool: pool,
                fields: fields.sorted { $0.key < $1.key }.map { name, field in
                    switch field {
                    case .number(let range): return OriginField(name, initial: .number(range))
                    case .secondsAfterRamp(let seconds):
                        let date = rampEnd + Milliseconds(seconds: seconds)
                        return OriginField(name, initial: .number(date.rawValue...date.rawValue))
                    }
                }
            )
        }
    }
}

extension OriginPlan {
    /// The dates among the fields.
    func dates(rampEnd: WallTime) -> [WallTime] {
        pools.values.flatMap(\.values).compactMap { field in
            guard case .secondsAfterRamp(let seconds) = field else { return nil }
            return rampEnd + Milliseconds(seconds: seconds)
        }
    }
}
