package import DataStructures
package import StrictJSON

/// What the audit log says about an app file: by what it is known again, and who is let in.
package struct AppFileSummary: Equatable, Sendable {
    /// The most credentials that are listed.
    package static var credentialLimit: Int { 256 }

    private let source: SHA256Digest
    private let credentials: [String]

    /// A summary of an app file.
    ///
    /// - Parameters:
    ///   - source: the SHA-256 of the file without its secrets, as `GET /v1/app-file` returns it.
    ///   - credentials: the app, the role and the name of each credential.
    package init(source: SHA256Digest, credentials: [String]) {
        self.source = source
        self.credentials = credentials
    }

    /// Writes the members of an object.
    package func write(to json: inout JSONWriter) {
        json.member("sha256", value: source.hexadecimal)
        json.list("credentials", of: credentials.prefix(Self.credentialLimit)) { name, json in
            json.string(name)
        }
        let rest = credentials.count - Self.credentialLimit
        if rest > 0 { json.member("furtherCredentials", value: rest) }
    }
}
