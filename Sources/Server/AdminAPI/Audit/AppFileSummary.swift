package import Basics
internal import Credentials

/// What the audit log says about an app file: by what it is known again, and whom it lets in.
///
/// Two files that differ in a secret alone differ here, too: in `secrets`, and in the code after
/// the name of the credential.
package struct AppFileSummary: Sendable {
    /// The most bytes of names of credentials that are listed.
    static var credentialBytes: Int { 8 << 10 }

    /// The SHA-256 of the file without its secrets, as `GET /v1/app-file` returns it.
    private let source: SHA256Digest
    /// App, role, name and the code of the secret of each credential.
    private let credentials: [String]
    private let secrets: String

    /// A summary of an app file, with the SHA-256 of the file without its secrets. Each credential
    /// has app, role and name, and the bytes of what proves it; `digest` is the code of a secret.
    package init(
        source: SHA256Digest,
        credentials: [(name: String, proof: Secret)],
        digest: (_ secret: Secret) -> String
    ) {
        self.source = source
        self.credentials = credentials.map { "\($0.name) \(digest($0.proof))" }
        secrets = digest(Secret(self.credentials.joined(separator: "\n")))
    }

    /// Writes the members of an object, with the credentials that another file does not have.
    package func write(to json: inout JSONWriter, unlike other: AppFileSummary) {
        json.member("sha256", value: source.hexadecimal)
        json.member("secrets", value: secrets)
        let known = Set(other.credentials)
        let own = credentials.filter { !known.contains($0) }
        var room = Self.credentialBytes
        let listed = own.prefix { name in
            room -= name.utf8.count
            return room >= 0
        }
        json.list("credentials", of: listed)
        if listed.count < own.count {
            json.member("furtherCredentials", value: own.count - listed.count)
        }
    }
}
