/// What a client keeps to.
package struct HTTPClientLimits: Sendable {
    /// Requests that are under way at a time, each on a connection of its own; further ones wait.
    package var connections = 256
    /// Requests that wait to go out; further ones fail with `tooMany`.
    package var waiting = 1_048_576
    /// Of an answer; a longer one fails with `tooLarge`.
    package var bodyBytes = 1 << 20
    /// From when a request goes out; one without an answer by then fails with `timedOut`.
    package var timeoutMilliseconds = 10_000

    package init() {}
}
