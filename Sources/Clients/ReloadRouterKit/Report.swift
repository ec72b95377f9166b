internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One request to a router.
struct Report: Sendable {
    let method: String
    /// The path's last segment.
    let resource: String
    let body: Data
    /// Whether the router does the same once more if it gets the request twice.
    let isRepeatable: Bool
    /// What is registered by it; nil if it is another report.
    private(set) var registration: Registration?

    init(
        _ resource: String,
        body: some Encodable,
        method: String = "POST",
        isRepeatable: Bool = true
    ) throws(ReportError) {
        self.method = method
        self.resource = resource
        self.isRepeatable = isRepeatable
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            self.body = try encoder.encode(body)
        } catch {
            throw .invalid("a value is no number of JSON: \(error)")
        }
    }

    init(_ registration: Registration) throws(ReportError) {
        try self.init("widgets", body: registration, method: "PUT")
        self.registration = registration
    }
}

/// A device at a router.
struct Destination: Sendable {
    let url: URL
    let app: String
    let device: String

    /// The destination as text, which distinguishes a registration at another router.
    var text: String { "\(url.absoluteString) \(Self.escaped(app)) \(Self.escaped(device))" }

    /// Makes the request of a report.
    ///
    /// - Throws: `invalid` if the address is none, or would send the credential unprotected.
    func request(
        _ report: Report,
        token: String,
        time: Duration
    ) throws(ReportError) -> URLRequest {
        let isLocal = ["localhost", "127.0.0.1", "::1"].contains(url.host ?? "")
        guard url.scheme == "https" || url.scheme == "http" && isLocal else {
            throw .invalid("\(url) is not https: the credential would be sent unprotected")
        }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .invalid("\(url) is no address")
        }
        let base = parts.percentEncodedPath
        parts.percentEncodedPath =
            (base.hasSuffix("/") ? String(base.dropLast()) : base)
            + "/v1/apps/\(Self.escaped(app))/devices/\(Self.escaped(device))/\(report.resource)"
        guard let url = parts.url else { throw .invalid("\(url) is no address") }
        var request = URLRequest(url: url, timeoutInterval: time / .seconds(1))
        request.httpMethod = report.method
        request.httpBody = report.body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }

    /// A name as a segment of a path.
    private static func escaped(_ name: String) -> String {
        // All characters are encoded but those of RFC 3986 that never have a meaning of their own.
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~"
        )
        return name.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
