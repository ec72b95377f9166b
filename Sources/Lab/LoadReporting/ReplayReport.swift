/// What a replay of a capture was like: the result of a load test.
///
/// The names in its JSON are stable. Times are in milliseconds; every series has one value for each
/// second since the schedule began.
package struct ReplayReport: JSONReport, Equatable, Sendable {
    /// The capture's files, without their folders.
    package var capture: [String] = []
    /// As given: a factor, or `max`.
    package var speed = "1"
    /// Whether the schedule follows from the capture alone; else pushes waited for answers, and
    /// latencies count from when they were sent.
    package var isOpenLoop = true
    package var scale = 1
    package var loops = 1
    /// Publishers' and devices'.
    package var publishers = 0
    package var gateways = 0
    /// From the first intended push to the end of the schedule.
    package var seconds = 0.0
    /// Milliseconds since 1970.
    package var startedAt: Int64 = 0
    /// Whether the run ended because no more answers came.
    package var gaveUp = false
    /// Inputs that the recorder had left out.
    package var lostRecords = 0
    /// App files that took the first one's place in the capture, and did not in the replay.
    package var laterAppFiles = 0
    package var connectionsLost = 0
    /// Why the first of them was.
    package var firstLoss: String?
    package var pushes = Pushes()
    package var reloads = Reloads()
    package var devices = Devices()
    package var acknowledgement = LatencySummary()
    package var reload = LatencySummary()
    /// From when a push was intended to when it was handed to its socket.
    package var lateness = LatencySummary()
    package var cost = Cost()
    package var series = Series()

    package init() {}
}

extension ReplayReport {
    /// What was pushed, and what became of it.
    package struct Pushes: Codable, Equatable, Sendable {
        /// Those of the schedule that were due.
        package var intended = 0
        package var sent = 0
        /// Once more, over another connection.
        package var sentAgain = 0
        package var acknowledged = 0
        package var rejected = 0
        package var rejectedByCode: [String: Int] = [:]
        /// Widgets, as the router's ACKs say.
        package var matched = 0
        package var intendedPerSecond = 0.0
        /// Sent, until the last one was.
        package var sentPerSecond = 0.0
        /// Acknowledged, until the last one was.
        package var acknowledgedPerSecond = 0.0
        package var peakIntendedPerSecond = 0

        package init() {}

        /// Neither acknowledged nor rejected at the end.
        package var unanswered: Int { max(0, intended - acknowledged - rejected) }
    }

    /// What came to the devices.
    package struct Reloads: Codable, Equatable, Sendable {
        /// RELOADs.
        package var frames = 0
        /// Widgets that they named.
        package var widgets = 0
        package var byCause: [String: Int] = [:]
        /// Of devices that the capture does not have.
        package var unknown = 0
        /// Widgets that a push concerned and that had no RELOAD by the end: put off, unchanged or lost.
        package var waiting = 0

        package init() {}
    }

    /// Who was there to receive.
    package struct Devices: Codable, Equatable, Sendable {
        package var devices = 0
        package var widgets = 0
        /// Frames of devices that were answered before the schedule began.
        package var registrations = 0
        package var registrationSeconds = 0.0
        /// Widgets that pushes concerned while their device had no connection.
        package var unreachable = 0
        package var rejectedByCode: [String: Int] = [:]
        /// The first rejection of all, of a push or of a device's frame.
        package var firstRejection: String?

        package init() {}
    }

    /// What it took; nil where nobody measured it.
    package struct Cost: Codable, Equatable, Sendable {
        package var generatorCPUSeconds = 0.0
        package var routerCPUSeconds: Double?

        package init() {}
    }

    /// One value for each second.
    package struct Series: Codable, Equatable, Sendable {
        package var intended: [Int] = []
        package var sent: [Int] = []
        package var acknowledged: [Int] = []
        package var reloads: [Int] = []
        package var acknowledgementP50: [Double] = []
        package var acknowledgementP99: [Double] = []
        package var reloadP50: [Double] = []
        package var reloadP99: [Double] = []
        package var latenessP99: [Double] = []

        package init() {}

        package var count: Int {
            [
                intended.count, sent.count, acknowledged.count, reloads.count,
                acknowledgementP50.count, acknowledgementP99.count, reloadP50.count,
                reloadP99.count, latenessP99.count,
            ].max() ?? 0
        }

        /// Gives each series a value for every second that any of them has one for.
        package mutating func align() {
            let count = count
            func fill<Value: Numeric>(_ values: inout [Value]) {
                values += Array(repeating: 0, count: count - values.count)
            }
            fill(&intended)
            fill(&sent)
            fill(&acknowledged)
            fill(&reloads)
            fill(&acknowledgementP50)
            fill(&acknowledgementP99)
            fill(&reloadP50)
            fill(&reloadP99)
            fill(&latenessP99)
        }
    }
}
