import StrictJSON

/// What a router reports of itself at one moment: the body of `GET /v1/status`. All members that
/// are optional are nil if the router does not report them.
package struct TopStatus: Equatable, Sendable {
    /// The distribution of one latency.
    struct Percentiles: Equatable, Sendable {
        /// The name for people, such as `push to ACK`.
        let name: String
        /// How many times were measured.
        let count: Double
        /// The percentiles in µs: p50, p90, p99, p99.9 and the maximum; nil if nothing was
        /// measured.
        let values: [Double?]
    }

    /// An app, with counters since the start.
    struct App: Equatable, Sendable {
        let name: String
        let pushes: Double?
        let matched: Double?
        let reloads: Double?
        let isPaused: Bool
    }

    /// An origin, with its waiting reloads and its busiest second.
    struct Origin: Equatable, Sendable {
        /// The app that declares it.
        let app: String
        /// Its name; empty for the origin without a name.
        let name: String
        let waiting: Double?
        /// The most reloads that asked for one second, before they were spread.
        let peakRequested: Double?
        /// The most reloads that got their slots in one second.
        let peakAssigned: Double?
    }

    /// A value that many pushes name.
    struct HotKey: Equatable, Sendable {
        let app: String
        let key: String
        let pushes: Double?
    }

    /// The state of the store.
    struct Store: Equatable, Sendable {
        let isFailing: Bool
        /// How long the store has been failing, in ms.
        let failingFor: Double?
        let diskBytes: Double?
        /// Journal records that are committed.
        let committed: Double?
        /// Journal records that were submitted to the store, committed or not.
        let submitted: Double?
        /// The number of the newest checkpoint.
        let checkpoint: Double?
    }

    /// Delivery by APNs.
    struct APNs: Equatable, Sendable {
        /// An app whose pushes to one of Apple's services are stopped.
        struct Stopped: Equatable, Sendable {
            let app: String
            let environment: String
            let cause: String
        }

        /// What waits, is under way, and is dead.
        let levels: [Counter]
        /// The 99th percentile of the time until an answer, in µs; nil if there was none lately.
        let answer: Double?
        /// How many lanes are stopped; `stopped` has the first of them.
        let stoppedCount: Double?
        let stopped: [Stopped]
    }

    /// When the status was made, in ms since 1970.
    let at: Double
    let version: String
    /// How long the router has run, in ms.
    let uptime: Double
    let isReady: Bool
    /// Why it is not ready.
    let reasons: [String]
    /// Which files that SIGHUP has read are not in force, and why.
    let refusedFiles: [String]
    let isDraining: Bool
    /// Counters that only grow while the router runs, under the names by which `TopRates` finds
    /// them.
    let counters: [Counter]
    let decisions: [Counter]
    let reloadRequests: [Counter]
    let connections: [Counter]
    let queues: [Counter]
    let memory: [Counter]
    let latencies: [Percentiles]
    let store: Store?
    /// nil if the router does not push by APNs.
    let apns: APNs?
    let apps: [App]
    let origins: [Origin]
    let hotKeys: [HotKey]

    /// Reads the body of an answer.
    ///
    /// - Parameter bytes: the JSON.
    /// - Throws: `TopStatusError` if it is no status; members that are missing are no error.
    package init(_ bytes: [UInt8]) throws(TopStatusError) {
        let tree: JSONValue
        do throws(JSONError) {
            tree = try JSONValue(bytes)
        } catch {
            throw TopStatusError(reason: "it is not JSON: \(error.message)")
        }
        guard let at = tree["at"].number, let uptime = tree["uptime"].number else {
            throw TopStatusError(reason: "it lacks the time at which it was made")
        }
        self.at = at
        self.uptime = uptime
        version = tree["version"].string ?? ""
        isReady = tree["isReady"].isTrue
        reasons = tree["reasons"].elements.compactMap(\.string)
        refusedFiles = tree["files"].elements.compactMap { file in
            file["refusal"]["reason"].string.map { "\(file["file"].string ?? "?"): \($0)" }
        }
        isDraining = tree["isDraining"].isTrue
        counters = Self.counters(tree)
        decisions = tree["decisions"].counters
        reloadRequests = tree["wishes"].counters
        connections = tree["connections"].counters
        queues = tree["queues"].counters
        memory = tree["memory"].counters
        latencies = Self.latencies(tree["latency"])
        store = Self.store(tree["store"])
        apns = Self.apns(tree["apns"])
        apps = tree["apps"].elements.map(Self.app)
        origins = tree["origins"].elements.map(Self.origin)
        hotKeys = tree["hotKeys"].elements.map(Self.hotKey)
    }

    private static func counters(_ tree: JSONValue) -> [Counter] {
        let rejected = tree["pushes"]["rejected"].counters
        let found: [(String, Double?)] = [
            ("pushes", tree["pushes"]["accepted"].number),
            ("duplicates", tree["pushes"]["duplicate"].number),
            ("rejected", rejected.sum),
            ("matched", tree["matched"].number),
            ("reloads", tree["reloads"]["sent"].number),
            ("void", tree["reloads"]["void"].number),
            ("APNs sent", tree["apns"]["sent"].number),
            ("APNs accepted", tree["apns"]["accepted"].number),
            ("bytes in", tree["bytes"]["in"].number),
            ("bytes out", tree["bytes"]["out"].number),
        ]
        return found.compactMap { name, value in value.map { Counter(name: name, value: $0) } }
    }

    private static func latencies(_ tree: JSONValue) -> [Percentiles] {
        let names = [
            ("pushToAck", "push to ACK"), ("pushToReload", "push to RELOAD"), ("turn", "loop tick"),
            ("commit", "commit"), ("schedulerLag", "scheduler lag"),
        ]
        return names.compactMap { member, name in
            guard let count = tree[member]["count"].number else { return nil }
            let parts = ["p50", "p90", "p99", "p999", "max"]
            // Without measurements there are no percentiles.
            let values = parts.map { count > 0 ? tree[member][$0].number : nil }
            return Percentiles(name: name, count: count, values: values)
        }
    }

    private static func store(_ tree: JSONValue) -> Store? {
        guard case .object = tree else { return nil }
        return Store(
            isFailing: tree["isFailing"].isTrue,
            failingFor: tree["failingFor"].number,
            diskBytes: tree["diskBytes"].number,
            committed: tree["committed"].number,
            submitted: tree["submitted"].number,
            checkpoint: tree["checkpoint"]["number"].number
        )
    }

    private static func apns(_ tree: JSONValue) -> APNs? {
        guard case .object = tree else { return nil }
        let levels = [
            ("waiting", "waiting"), ("underWay", "under way"), ("deadTokens", "dead tokens"),
            ("connections", "connections"),
        ]
        return APNs(
            levels: levels.compactMap { member, name in
                tree[member].number.map { Counter(name: name, value: $0) }
            },
            answer: (tree["answer"]["count"].number ?? 0) > 0 ? tree["answer"]["p99"].number : nil,
            stoppedCount: tree["stopped"].number,
            stopped: tree["stoppedLanes"].elements.map { lane in
                APNs.Stopped(
                    app: lane["app"].string ?? "",
                    environment: lane["environment"].string ?? "",
                    cause: lane["cause"].string ?? ""
                )
            }
        )
    }

    private static func app(_ tree: JSONValue) -> App {
        App(
            name: tree["app"].string ?? "",
            pushes: tree["pushes"].number,
            matched: tree["matched"].number,
            reloads: tree["reloads"].number,
            isPaused: tree["isPaused"].isTrue
        )
    }

    private static func origin(_ tree: JSONValue) -> Origin {
        Origin(
            app: tree["app"].string ?? "",
            name: tree["origin"].string ?? "",
            waiting: tree["waiting"].number,
            peakRequested: tree["peakAsked"].number,
            peakAssigned: tree["peakGiven"].number
        )
    }

    private static func hotKey(_ tree: JSONValue) -> HotKey {
        HotKey(
            app: tree["app"].string ?? "",
            key: tree["key"].string ?? "",
            pushes: tree["pushes"].number
        )
    }
}

/// An answer that is no status.
package struct TopStatusError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Why the answer is no status.
    package let reason: String

    /// A sentence for people, without a full stop.
    package var description: String { "the answer is not a status of a router: \(reason)" }
}

/// The `detail` of a problem document (RFC 9457); nil if the bytes are none.
package func problemDetail(_ bytes: [UInt8]) -> String? {
    guard let detail = (try? JSONValue(bytes))?["detail"].string else { return nil }
    return DisplayText.printable(detail)
}
