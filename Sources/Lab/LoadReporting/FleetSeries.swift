/// One value for each second of a fleet's run.
package struct FleetSeries: Codable, Equatable, Sendable {
    package var pushes: [Int] = []
    package var reloads: [Int] = []
    package var originRequests: [Int] = []
    package var originRefused: [Int] = []
    /// Devices with a connection at the end of the second.
    package var online: [Int] = []
    /// How old what widgets show is, at the median.
    package var staleP50Milliseconds: [Double] = []
    package var staleP99Milliseconds: [Double] = []

    package init() {}

    /// Whether each series has a value for every second that any of them has one for.
    package var isAligned: Bool {
        let counts = [
            pushes.count, reloads.count, originRequests.count, originRefused.count, online.count,
            staleP50Milliseconds.count, staleP99Milliseconds.count,
        ]
        return Set(counts).count == 1
    }
}
