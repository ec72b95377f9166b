/// The result of replaying a capture against a router.
///
/// The names in its JSON are stable. Times are in milliseconds; every series has one value for each
/// second since the schedule began.
package struct ReplayReport: JSONReport, Equatable, Sendable {
    /// Where the report is from; nil if it is not known.
    package var provenance: Provenance?
    /// The capture's files, without their folders.
    package var capture: [String] = []
    /// The speed as given on the command line: a factor, or `max`.
    package var speed = "1"
    /// True if the schedule follows from the capture alone. Otherwise pushes waited for answers,
    /// and latencies count from when they were sent.
    package var isOpenLoop = true
    /// Copies of each producer and device.
    package var scale = 1
    /// How often the schedule was played.
    package var loops = 1
    /// Connections that push.
    package var publishers = 0
    /// Connections that speak for devices.
    package var gateways = 0
    /// How long the run lasted: from the beginning of the schedule to its end or to where the run
    /// was cut short, or to the last push if that was sent later.
    package var seconds = 0.0
    /// True if a signal ended the run early; nil if it was played to its end.
    package var wasInterrupted: Bool?
    /// When the schedule began, in ms since 1970.
    package var startedAt: Int64 = 0
    /// True if the run ended because no more answers came.
    package var gaveUp = false
    /// Inputs that the recorder had left out.
    package var lostRecords = 0
    /// App files that came after the first push of the schedule; the replay ignores them.
    package var laterAppFiles = 0
    /// Connections to the router that were lost during the run.
    package var connectionsLost = 0
    /// The reason for the first lost connection.
    package var firstLoss: String?
    /// What was pushed, and how it was answered.
    package var pushes = Pushes()
    /// What the devices received.
    package var reloads = Reloads()
    /// The devices that received RELOADs.
    package var devices = Devices()
    /// From when a push was intended (closed loop: sent) to its ACK.
    package var acknowledgement = LatencySummary()
    /// From when a push was intended to the RELOAD of each widget that it concerns.
    package var reload = LatencySummary()
    /// From when a push was intended to when it was written to its socket.
    package var lateness = LatencySummary()
    /// The CPU time of the run.
    package var cost = Cost()
    /// The course of the run, second by second.
    package var series = Series()

    /// A report of nothing; the replay fills it in.
    package init() {}
}

extension ReplayReport {
    /// What was pushed, and how it was answered.
    package struct Pushes: Codable, Equatable, Sendable {
        /// Pushes of the schedule that came due.
        package var intended = 0
        /// Pushes that were sent, each counted once.
        package var sent = 0
        /// Pushes that were sent once more, over another connection.
        package var sentAgain = 0
        /// Pushes for which an ACK came.
        package var acknowledged = 0
        /// Pushes that the router rejected.
        package var rejected = 0
        /// Rejected pushes, by the code of the error.
        package var rejectedByCode: [String: Int] = [:]
        /// Widgets matched, as counted by the router's ACKs.
        package var matched = 0
        /// The mean rate of the schedule; 0 if the run had none (closed loop).
        package var intendedPerSecond = 0.0
        /// The mean rate until the end of the schedule, or until the last push if that was sent
        /// later.
        package var sentPerSecond = 0.0
        /// The mean rate until the end of the schedule, or until the last ACK if that came later.
        package var acknowledgedPerSecond = 0.0
        /// The intended pushes in the second with most of them.
        package var peakIntendedPerSecond = 0

        /// Makes counts of no pushes.
        package init() {}

        /// Pushes that were neither acknowledged nor rejected by the end.
        package var unanswered: Int {
            // A damaged report may have more than an `Int` can count.
            Int(clamping: max(0, Int128(intended) - Int128(acknowledged) - Int128(rejected)))
        }
    }

    /// What the devices received.
    package struct Reloads: Codable, Equatable, Sendable {
        /// RELOAD frames.
        package var frames = 0
        /// Widgets named in them.
        package var widgets = 0
        /// Widgets named in RELOAD frames, by the cause as the frames spell it.
        package var byCause: [String: Int] = [:]
        /// RELOADs for devices that the capture does not have, or that cannot be parsed.
        package var unknown = 0
        /// Widgets that a push matched and that had no RELOAD by the end: the router had delayed
        /// it, nothing had changed so that none was needed, or it was lost.
        package var waiting = 0

        /// Makes counts of no reloads.
        package init() {}
    }

    /// The devices that received RELOADs.
    package struct Devices: Codable, Equatable, Sendable {
        /// Devices in the capture, copies included; 0 if reloads were not followed.
        package var devices = 0
        /// Widgets of these devices.
        package var widgets = 0
        /// Frames of devices that were answered before the schedule began.
        package var registrations = 0
        /// How long the devices took to register before the schedule began.
        package var registrationSeconds = 0.0
        /// Matches of pushes with widgets whose device had no connection.
        package var unreachable = 0
        /// Rejected frames of devices, by the code of the error.
        package var rejectedByCode: [String: Int] = [:]
        /// The first rejection of the run, of a push or of a device's frame.
        package var firstRejection: String?
    }

    /// The CPU time used; nil where it was not measured.
    package struct Cost: Codable, Equatable, Sendable {
        /// The CPU time of the replaying process since the schedule began.
        package var generatorCPUSeconds = 0.0
        /// The router's CPU time since the schedule began.
        package var routerCPUSeconds: Double?
    }

    /// One value for each second, in each series.
    package struct Series: Codable, Equatable, Sendable {
        /// Pushes that came due.
        package var intended: [Int] = []
        /// Pushes that were sent for the first time.
        package var sent: [Int] = []
        /// Pushes for which an ACK came.
        package var acknowledged: [Int] = []
        /// Widgets named in RELOAD frames.
        package var reloads: [Int] = []
        /// The median latency of the ACKs that came in the second, in ms; 0 if there were none.
        package var acknowledgementP50: [Double] = []
        /// The 99th percentile of the same latencies.
        package var acknowledgementP99: [Double] = []
        /// The median latency of the RELOADs for pushes, in ms; 0 if there were none.
        package var reloadP50: [Double] = []
        /// The 99th percentile of the same latencies.
        package var reloadP99: [Double] = []
        /// The 99th percentile of the lateness of sent pushes, in ms; 0 if none were sent.
        package var latenessP99: [Double] = []

        /// Makes series without seconds.
        package init() {}

        private static var counts: [WritableKeyPath<Series, [Int]>] {
            [\.intended, \.sent, \.acknowledged, \.reloads]
        }

        private static var times: [WritableKeyPath<Series, [Double]>] {
            [\.acknowledgementP50, \.acknowledgementP99, \.reloadP50, \.reloadP99, \.latenessP99]
        }

        /// The length of the longest series.
        package var count: Int {
            let counts = Self.counts.map { self[keyPath: $0].count }
            return (counts + Self.times.map { self[keyPath: $0].count }).max() ?? 0
        }

        /// Fills all series with zeros up to the longest one's length.
        package mutating func align() {
            let count = count
            func fill<Value: Numeric>(_ values: inout [Value]) {
                values += Array(repeating: 0, count: count - values.count)
            }
            for path in Self.counts { fill(&self[keyPath: path]) }
            for path in Self.times { fill(&self[keyPath: path]) }
        }
    }
}
