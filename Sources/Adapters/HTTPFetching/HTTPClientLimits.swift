package import Basics

/// The limits of an `HTTPClient`, and what happens at each.
package struct HTTPClientLimits: Sendable {
    /// The most requests in flight, each on its own connection; further ones wait.
    package var connections = 256
    /// The most requests waiting for a connection; further ones fail with `tooMany`.
    package var waiting = 1_048_576
    /// The most bytes of an answer's body; a longer one fails with `tooLarge`.
    package var bodyBytes = 1 << 20
    /// The most time of each step: looking up the host, and connecting to an address, after which
    /// it is `unreachable`; and from sending the request to the end of its answer, `timedOut`.
    package var timeout = Milliseconds.seconds(10)

    /// The default limits.
    package init() {}
}
