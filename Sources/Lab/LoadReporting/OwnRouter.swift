/// A router that a load test has started for itself, and must stop.
package struct OwnRouter {
    /// `HOST:PORT`.
    package let address: String
    /// Its CPU time so far, in ns.
    package let nanoseconds: () -> Int64
    /// Ends it.
    package let stop: () -> Void

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
