/// Limits of an `HTTPClient`, and what happens at each.
package struct HTTPClientLimits: Sendable {
    /// Requests in flight at a time, each on its own connection; further ones wait.
    package var connections = 256
    /// Requests waiting for a connection; further ones fail with `tooMany`.
    package var waiting = 1_048_576
    /// Bytes of a reply's body; a longer reply fails with `tooLarge`.
    package var bodyBytes = 1 << 20
    /// Time from sending a request to the end of its reply, in ms; then it fails with `timedOut`.
    package var timeoutMilliseconds = 10_000

    package init() {}
}
