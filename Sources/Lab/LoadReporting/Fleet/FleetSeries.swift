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
