package import Times

/// A router that a load test has started for itself, and must stop.
package struct OwnRouter {
    /// The address on which the router listens, `HOST:PORT`.
    package let address: String
    /// Returns the router's CPU time so far.
    package let cpuTime: () -> Nanoseconds
    /// Ends the router.
    package let stop: () -> Void

    /// - Parameters:
    ///   - address: the address on which the router listens, `HOST:PORT`.
    ///   - cpuTime: returns the router's CPU time so far.
    ///   - stop: ends the router.
    package init(
        address: String,
        cpuTime: @escaping () -> Nanoseconds,
        stop: @escaping () -> Void
    ) {
        self.address = address
        self.cpuTime = cpuTime
        self.stop = stop
    }
}
