/// One value for each second of a fleet's run, in each series.
package struct FleetSeries: Codable, Equatable, Sendable {
    /// Pushes sent in each second.
    package var pushes: [Int] = []
    /// Widgets named in the RELOAD frames of each second.
    package var reloads: [Int] = []
    /// Requests that arrived at the origin in each second.
    package var originRequests: [Int] = []
    /// Requests that the origin refused in each second.
    package var originRefused: [Int] = []
    /// Devices with a network at the end of each second.
    package var online: [Int] = []
    /// How long the widgets that got a new timeline in a second had displayed an old state before,
    /// in ms: the median; 0 if there were none.
    package var staleP50Milliseconds: [Double] = []
    /// The same time, as the 99th percentile.
    package var staleP99Milliseconds: [Double] = []

    /// Makes series without seconds.
    package init() {}

    /// True if all series have the same length.
    package var isAligned: Bool {
        let counts = [
            pushes.count, reloads.count, originRequests.count, originRefused.count, online.count,
            staleP50Milliseconds.count, staleP99Milliseconds.count,
        ]
        return Set(counts).count == 1
    }
}

extension FleetReport {
    /// What became of pushes by APNs, in a run in which the devices had no sessions; counted from
    /// the first measured second to the end of the run.
    package struct APNs: Codable, Equatable, Sendable {
        /// Pushes that APNs accepted.
        package var accepted = 0
        /// Pushes that APNs refused, by the reason as APNs spells it.
        package var refused: [String: Int] = [:]
        /// From when a publisher's push was due until APNs accepted one for each widget that it
        /// matches.
        package var pushToAccepted = LatencySummary()
        /// Accepted pushes that came to their devices; each reloads all of a device's widgets.
        package var delivered = 0
        /// Accepted pushes that had not come to their devices at the end: these had no network.
        package var kept = 0
        /// Accepted pushes in whose place APNs kept a later one.
        package var replaced = 0
        /// Accepted pushes that expired before their devices had a network.
        package var expired = 0
        /// Accepted pushes beyond what had a cause: more than publishers' pushes that match the
        /// device, dates of its timelines and requests of its app together.
        package var duplicates = 0
        /// Devices whose owners had removed the app.
        package var devicesGone = 0
        /// Reports of devices over HTTP that the router has answered.
        package var reports = 0

        /// Makes counts of no pushes.
        package init() {}
    }
}
