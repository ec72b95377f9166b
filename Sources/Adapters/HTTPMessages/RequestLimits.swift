/// The limits of a request's head; what exceeds one is refused, and its connection ends.
package struct RequestLimits: Sendable {
    /// The most bytes of the request line and the headers; a longer one is refused with 414, if
    /// already the line is longer, or with 431.
    package var headBytes = 16 << 10
    /// The most bytes of the target, path and query together; a longer one is refused with 414.
    /// They are read before the client has proved anything, and have room for three of the longest
    /// names, each byte escaped.
    package var targetBytes = 2 << 10
    /// The most headers; a request with more is refused with 431.
    package var fields = 100

    /// The default limits.
    package init() {}
}
