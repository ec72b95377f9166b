/// What to ask a server.
package struct HTTPCall: Equatable, Sendable {
    /// `http://host:port/path`.
    package var url: String
    /// What to POST; nil for a GET.
    package var body: [UInt8]?
    /// Lines such as `Content-Type: application/json`.
    package var headers: [String] = []

    package init(_ url: String) {
        self.url = url
    }
}
