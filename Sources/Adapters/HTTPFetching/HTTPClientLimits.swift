package import Basics

/// The limits of an `HTTPClient`, and what happens at each.
package struct HTTPClientLimits: Sendable {
    /// The most requests in flight, each on its own connection; further ones wait.
    package var connections = 256
    /// The most requests waiting for a connection; further ones fail with `tooMany`.
    package var waiting = 1_048_576
    /// The most bytes of a answer's body; a longer one fails with `tooLarge`.
    package var bodyBytes = 1 << 20
    /// The most time from sending a request to the end of its answer; then it fails with
    /// `timedOut`.
    package var timeout = Milliseconds.seconds(10)

    /// The default limits.
    package init() {}
}
