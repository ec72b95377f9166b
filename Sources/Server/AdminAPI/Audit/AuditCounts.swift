internal import Basics

/// What operators do often, counted by operator and minute instead of written each time: what they
/// were refused, their pushes, and the slots they have taken. So no operator can fill the log,
/// whatever it sends.
struct AuditCounts {
    /// How long is counted before a line is written.
    static var length: Milliseconds { .seconds(60) }
    /// The most different things that a line names; other refusals are only counted.
    static var kindLimit: Int { 16 }

    /// What is counted.
    struct Kind: Hashable {
        /// Method and route; the names in the path stand in braces.
        let command: String
        /// The app, if it is a push, or slots are taken; else nil.
        var app: String?
        /// The code of the problem; nil if it was carried out.
        var problem: String?
    }

    /// A request that is counted.
    struct Request: Sendable {
        let kind: Kind
        /// The number of pushes or slots; 0 for a refusal.
        var items = 0
        /// Whether it only begins, which makes room for its end.
        var isBegin = false
        let admitted: AdmittedOperator
        /// From where it came.
        let client: String
    }

    /// The counts of an operator.
    private struct Minute {
        let admitted: AdmittedOperator
        let began: WallTime
        let due: MonotonicTime
        /// Where the last of the requests came from.
        var client = ""
        var counts: [(kind: Kind, count: Int, items: Int)] = []
        var others = 0
    }

    /// By the names of operators, of which the list has at most `OperatorFile.limit`.
    private var minutes: [String: Minute] = [:]

    /// When the first line is due; nil if nothing is counted.
    var due: MonotonicTime? { minutes.values.map(\.due).min() }

    /// Whether something is counted in the present minute of an operator already.
    func has(_ kind: Kind, for admitted: AdmittedOperator) -> Bool {
        minutes[admitted.name]?.counts.contains { $0.kind == kind } == true
    }

    /// Counts a request.
    mutating func add(_ request: Request, now: WallTime, time: MonotonicTime) {
        let admitted = request.admitted
        var minute =
            minutes[admitted.name]
            ?? Minute(admitted: admitted, began: now, due: time + Self.length)
        minute.client = request.client
        let count = request.isBegin ? 0 : 1
        if let index = minute.counts.firstIndex(where: { $0.kind == request.kind }) {
            minute.counts[index].count += count
            minute.counts[index].items += request.items
        } else if minute.counts.count < Self.kindLimit {
            minute.counts.append((request.kind, count, request.items))
        } else {
            minute.others += count
        }
        minutes[admitted.name] = minute
    }

    /// Removes the lines, JSON objects, that are due at a time, oldest first.
    mutating func take(until time: MonotonicTime, now: WallTime) -> [[UInt8]] {
        let ended = minutes.values.filter { $0.due <= time }
        for minute in ended { minutes[minute.admitted.name] = nil }
        return ended.sorted { ($0.due, $0.admitted.name) < ($1.due, $1.admitted.name) }
            .map { Self.object($0, now: now) }
    }

    private static func object(_ minute: Minute, now: WallTime) -> [UInt8] {
        JSONWriter.object { json in
            json.member("at", value: now.rfc3339Milliseconds)
            minute.admitted.writeAudited(to: &json)
            json.member("from", value: minute.client)
            json.member("state", value: "counted")
            json.member("since", value: minute.began.rfc3339Milliseconds)
            let done = minute.counts.filter { $0.kind.problem == nil }
            json.objects("done", of: done) { entry, json in
                json.member("command", value: entry.kind.command)
                if let app = entry.kind.app { json.member("app", value: app) }
                json.member("count", value: entry.count)
                json.member("items", value: entry.items)
            }
            let refused = minute.counts.filter { $0.kind.problem != nil }
            json.objects("refused", of: refused) { entry, json in
                json.member("command", value: entry.kind.command)
                if let app = entry.kind.app { json.member("app", value: app) }
                json.member("problem", value: entry.kind.problem ?? "")
                json.member("count", value: entry.count)
            }
            if minute.others > 0 { json.member("otherRefused", value: minute.others) }
        }
    }
}
