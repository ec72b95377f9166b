package import Basics
package import FrameCodec

/// What lets clients in, in one role of one app, as the app file lists it.
package struct Credential: Equatable, Sendable {
    /// The name by which logs and operators call it; a signed token names its key so (`kid`).
    package var id: String
    /// By what a client proves that it has it.
    package var proof: CredentialProof
    /// For which producers, or which devices, it is good.
    package var names: NamePatterns
    /// From when on it is good no more; nil for never.
    package var notAfter: WallTime?
    /// How long a token that is signed with its key is good at most, from when it was signed; nil
    /// for as long as the token says.
    package var maxTokenAge: Milliseconds?

    /// A credential without end, which is good for all names.
    package init(
        id: String,
        proof: CredentialProof,
        names: NamePatterns = .all,
        notAfter: WallTime? = nil,
        maxTokenAge: Milliseconds? = nil
    ) {
        self.maxTokenAge = maxTokenAge
        self.id = id
        self.proof = proof
        self.names = names
        self.notAfter = notAfter
    }

    /// Whether it has not expired at a date.
    func isGood(at now: WallTime) -> Bool { notAfter.map { $0 > now } ?? true }

    /// Whether several clients prove the same by it, each of which can take the other's name.
    var isShared: Bool {
        if case .token = proof { !names.isSingle } else { false }
    }
}

/// By what a client proves that it has a credential.
package enum CredentialProof: Hashable, Sendable {
    /// A random token, of which only this hash is known.
    case token(SHA256Digest)
    /// A token that was signed with this key's secret part (JWT, RFC 7519).
    case signature(VerificationKey)
    /// A certificate of TLS for this name.
    case certificate(CertificateName)
}

/// A name in a certificate (subjectAltName, RFC 5280 section 4.2.1.6).
package enum CertificateName: Hashable, Sendable {
    /// A DNS name in lower case, such as `shard-1.game.example`.
    case dns(String)
    /// A URI, such as `spiffe://game.example/shard-1`.
    case uri(String)

    /// Reads `dns:NAME` or `uri:URI`; nil if the text is neither.
    package init?(_ text: String) {
        let rest = String(text.dropFirst(4))
        if rest.isEmpty { return nil }
        if text.hasPrefix("dns:") {
            self = .dns(rest.lowercased())
        } else if text.hasPrefix("uri:") {
            self = .uri(rest)
        } else {
            return nil
        }
    }
}

/// A certificate that a client has proved to have.
package struct ShownCertificate: Equatable, Sendable {
    /// Its names; a name that an app file cannot list is not among them.
    package var names: [CertificateName]
    /// From when on it is no longer good.
    package var notAfter: WallTime

    /// A certificate that was verified.
    package init(names: [CertificateName], notAfter: WallTime) {
        self.names = names
        self.notAfter = notAfter
    }
}

/// Who may have a role of an app.
package enum RoleAccess: Equatable, Sendable {
    /// All clients, without proof: `"open"` in the app file.
    case open
    /// The clients that have one of these; none, if the list is empty.
    case listed([Credential])

    /// No client; the role is not mentioned in the app file.
    package static var closed: RoleAccess { .listed([]) }
}

/// Who may have the roles of one app.
package struct AppAccess: Equatable, Sendable {
    /// The app's name.
    package var app: String
    /// Who may push.
    package var publishers: RoleAccess
    /// Who may speak for a device.
    package var devices: RoleAccess
    /// Who may speak for many devices.
    package var gateways: RoleAccess

    /// The access to an app, all of whose roles are closed unless others are given.
    package init(
        app: String,
        publishers: RoleAccess = .closed,
        devices: RoleAccess = .closed,
        gateways: RoleAccess = .closed
    ) {
        self.app = app
        self.publishers = publishers
        self.devices = devices
        self.gateways = gateways
    }

    /// The roles that an app file can give to clients, in its order.
    package static var roles: [Peer] { [.publisher, .device, .gateway] }

    /// Who may have a role; that of the server is closed.
    package subscript(role: Peer) -> RoleAccess {
        switch role {
        case .publisher: publishers
        case .device: devices
        case .gateway: gateways
        case .server: .closed
        }
    }

    /// Whether there is a secret among the credentials: a key of HS256.
    package var hasSecrets: Bool {
        Self.roles.contains { role in
            guard case .listed(let credentials) = self[role] else { return false }
            return credentials.contains {
                if case .signature(.hs256) = $0.proof { true } else { false }
            }
        }
    }

    /// Sentences about what is for trials, and not for an app that people use.
    package var warnings: [String] {
        Self.roles.compactMap { role in
            switch self[role] {
            case .open: return "everybody may be a \(role.rawValue): the role is open"
            case .listed(let credentials):
                if role != .device { return nil }
                let shared = credentials.filter(\.isShared).map(\.id)
                if shared.isEmpty { return nil }
                return "devices share the token \(shared.joined(separator: ", ")): each can speak "
                    + "for all; sign a token for each device"
            }
        }
    }
}
