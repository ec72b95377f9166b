internal import Basics
internal import HTTPServing

/// The state of an origin and its decisions. It is pure: time is a parameter.
struct OriginState {
    /// The most answers that are due later; further requests are refused, even if the model would
    /// admit them.
    static var waitingLimit: Int { 1_048_576 }
    private static var methods: String { "GET, HEAD" }

    /// How to answer a request.
    enum Decision: Equatable {
        case now(HTTPResponse)
        /// Call `answer` at this time.
        case later(ExactTime)
    }

    private var model: OriginModel
    private var content: OriginContent
    private(set) var counts = OriginCounts()
    /// When the first second began.
    private let start: ExactTime
    private var waitingCount = 0

    init(_ model: OriginModel, content: OriginContent, start: ExactTime) {
        self.model = model
        self.content = content
        self.start = start
    }

    /// The number of the second since the start.
    private func second(_ now: ExactTime) -> Int { Int((now - start) / .seconds(1)) }

    /// Decides how to answer a request.
    mutating func receive(_ request: HTTPRequest, at now: ExactTime) -> Decision {
        let isRead = request.method == "GET" || request.method == "HEAD"
        if request.path == "/counts" || content.has(request.path) {
            if !isRead {
                return .now(.methodNotAllowed(Self.methods, detail: "this can be read only"))
            }
            if request.path == "/counts" {
                return .now(summary(request.query("seconds"), at: now))
            }
            return admit(request.path, at: now)
        }
        return .now(
            .problem(404, detail: "there are /counts and the pools' resources")
        )
    }

    private mutating func admit(_ path: String, at now: ExactTime) -> Decision {
        counts.count(\.arrived, inSecond: second(now))
        if waitingCount >= Self.waitingLimit { return refuse(retryAfterSeconds: 1, at: now) }
        switch model.admit(at: now) {
        case .refuse(let seconds): return refuse(retryAfterSeconds: seconds, at: now)
        case .answer(let time):
            waitingCount += 1
            assert(time >= now, "the answer is due before its request")
            return time > now ? .later(time) : .now(answer(path, at: now))
        }
    }

    private mutating func refuse(retryAfterSeconds seconds: Int, at now: ExactTime) -> Decision {
        counts.count(\.refused, inSecond: second(now))
        var response = HTTPResponse.problem(503, detail: "too many requests wait")
        response.headers.append(("Retry-After", "\(seconds)"))
        return .now(response)
    }

    /// Makes the answer that is due, from the current content.
    ///
    /// It counts as answered even if the client is gone: the origin has done the work.
    mutating func answer(_ path: String, at now: ExactTime) -> HTTPResponse {
        assert(waitingCount > 0, "no request waits for its answer")
        waitingCount -= 1
        counts.count(\.answered, inSecond: second(now))
        return HTTPResponse(
            status: 200,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: content.object(path) ?? []
        )
    }

    mutating func apply(_ payload: [UInt8]) throws(JSONError) -> Int {
        try content.apply(payload)
    }

    /// The answer to `/counts`: the sums, the busiest second, and the last seconds one by one, each
    /// as `[arrived, answered, refused]`.
    private func summary(_ wanted: String?, at now: ExactTime) -> HTTPResponse {
        let count = min(max(wanted.flatMap { Int($0) } ?? 60, 0), 3_600)
        let current = second(now)
        var json = JSONWriter()
        json.beginObject()
        json.member("second", value: current)
        for (name, value) in [
            ("arrived", counts.sums.arrived), ("answered", counts.sums.answered),
            ("refused", counts.sums.refused), ("waiting", waitingCount),
        ] {
            json.member(name, value: value)
        }
        if let peak = counts.peak(\.arrived, in: counts.seconds) {
            json.object("peak") { json in
                json.member("second", value: peak.second)
                json.member("arrived", value: peak.count)
            }
        }
        writeSeconds(max(0, current + 1 - count)..<current + 1, to: &json)
        json.endObject()
        return HTTPResponse(
            status: 200,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: json.bytes
        )
    }

    private func writeSeconds(_ range: Range<Int>, to json: inout JSONWriter) {
        json.member("first", value: range.lowerBound)
        json.key("seconds")
        json.beginArray()
        for second in range {
            json.beginArray()
            for value in [counts[second].arrived, counts[second].answered, counts[second].refused] {
                json.integer(Int64(value))
            }
            json.endArray()
        }
        json.endArray()
    }
}
