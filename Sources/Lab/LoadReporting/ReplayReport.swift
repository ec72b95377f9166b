/// The result of replaying a capture against a router.
///
/// The names in its JSON are stable. Times are in milliseconds; every series has one value for each
/// second since the schedule began.
package struct ReplayReport: JSONReport, Equatable, Sendable {
    /// The capture's files, without their folders.
    package var capture: [String] = []
    /// As given on the command line: a factor, or `max`.
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
    /// From the first intended push to the end of the schedule.
    package var seconds = 0.0
    /// In ms since 1970.
    package var startedAt: Int64 = 0
    /// True if the run ended because no more answers came.
    package var gaveUp = false
    /// Inputs that the recorder had left out.
    package var lostRecords = 0
    /// App files later in the capture that replaced the first one there; the replay uses only the
    /// first.
    package var laterAppFiles = 0
    package var connectionsLost = 0
    /// The reason for the first lost connection.
    package var firstLoss: String?
    package var pushes = Pushes()
    package var reloads = Reloads()
    package var devices = Devices()
    /// From when a push was intended (closed loop: sent) to its ACK.
    package var acknowledgement = LatencySummary()
    /// From when a push was intended to the RELOAD of each widget that it concerns.
    package var reload = LatencySummary()
    /// From when a push was intended to when it was written to its socket.
    package var lateness = LatencySummary()
    package var cost = Cost()
    package var series = Series()

    package init() {}
}

extension ReplayReport {
    /// What was pushed, and how it was answered.
    package struct Pushes: Codable, Equatable, Sendable {
        /// Pushes of the schedule that came due.
        package var intended = 0
        package var sent = 0
        /// Pushes that were sent once more, over another connection.
        package var sentAgain = 0
        package var acknowledged = 0
        package var rejected = 0
        package var rejectedByCode: [String: Int] = [:]
        /// Widgets matched, as counted by the router's ACKs.
        package var matched = 0
        package var intendedPerSecond = 0.0
        /// The mean rate up to the last push.
        package var sentPerSecond = 0.0
        /// The mean rate up to the last ACK.
        package var acknowledgedPerSecond = 0.0
        package var peakIntendedPerSecond = 0

        package init() {}

        /// Pushes that were neither acknowledged nor rejected by the end.
        package var unanswered: Int { max(0, intended - acknowledged - rejected) }
    }

    /// What the devices received.
    package struct Reloads: Codable, Equatable, Sendable {
        /// RELOAD frames.
        package var frames = 0
        /// Widgets named in them.
        package var widgets = 0
        package var byCause: [String: Int] = [:]
        /// RELOADs for devices that the capture does not have.
        package var unknown = 0
        /// Widgets that a push concerned and that had no RELOAD by the end: it was put off,
        /// unneeded because nothing changed, or lost.
        package var waiting = 0

        package init() {}
    }

    /// The devices that received.
    package struct Devices: Codable, Equatable, Sendable {
        package var devices = 0
        package var widgets = 0
        /// Frames of devices that were answered before the schedule began.
        package var registrations = 0
        package var registrationSeconds = 0.0
        /// Widgets that pushes concerned while their device had no connection.
        package var unreachable = 0
        package var rejectedByCode: [String: Int] = [:]
        /// The first rejection of the run, of a push or of a device's frame.
        package var firstRejection: String?

        package init() {}
    }

    /// CPU time used; nil where it was not measured.
    package struct Cost: Codable, Equatable, Sendable {
        package var generatorCPUSeconds = 0.0
        package var routerCPUSeconds: Double?

        package init() {}
    }

    /// One value for each second, in each series.
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

        /// The length of the longest series.
        package var count: Int {
            [
                intended.count, sent.count, acknowledged.count, reloads.count,
                acknowledgementP50.count, acknowledgementP99.count, reloadP50.count,
                reloadP99.count, latenessP99.count,
            ].max() ?? 0
        }

        /// Fills all series with zeros up to the longest one's length.
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
