/// One value for each second of a fleet's run, in each series.
package struct FleetSeries: Codable, Equatable, Sendable {
    package var pushes: [Int] = []
    package var reloads: [Int] = []
    package var originRequests: [Int] = []
    package var originRefused: [Int] = []
    /// Devices with a connection at the end of the second.
    package var online: [Int] = []
    /// The age of what widgets display, as the median over all of them.
    package var staleP50Milliseconds: [Double] = []
    /// The age that 99 of 100 widgets do not exceed.
    package var staleP99Milliseconds: [Double] = []

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
