/// A request to be sent to an HTTP server; see `HTTPClient.send`.
package struct HTTPCall: Equatable, Sendable {
    /// The address, `http://host:port/path`.
    package var url: String
    /// The method; nil for POST if there is a body, and otherwise for GET.
    package var method: String?
    /// The body; nil for none.
    package var body: [UInt8]?
    /// The header lines, such as `Content-Type: application/json`, without line ends.
    package var headers: [String] = []

    /// A GET of this address, without further headers.
    package init(_ url: String) { self.url = url }
}
