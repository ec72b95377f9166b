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
