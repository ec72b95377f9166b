/// A router that a load test has started for itself, and must stop.
package struct OwnRouter {
    /// The address on which the router listens, `HOST:PORT`.
    package let address: String
    /// Returns the router's CPU time so far, in ns.
    package let nanoseconds: () -> Int64
    /// Ends the router.
    package let stop: () -> Void

    /// - Parameters:
    ///   - address: the address on which the router listens, `HOST:PORT`.
    ///   - nanoseconds: returns the router's CPU time so far, in ns.
    ///   - stop: ends the router.
    package init(
        address: String,
        nanoseconds: @escaping () -> Int64,
        stop: @escaping () -> Void
    ) {
        self.address = address
        self.nanoseconds = nanoseconds
        self.stop = stop
    }
}
