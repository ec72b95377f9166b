internal import AdminAPI
internal import Basics
internal import Credentials
internal import Cryptography
internal import FrameCodec

/// An app file as it was at a moment, for the audit log. It only refers to what the router has: to
/// digest it takes long, and is done on the log's thread.
struct AuditedAppFile: Sendable {
    /// The file without its secrets.
    let source: [UInt8]
    /// Who may connect.
    let entries: [CredentialTable.Entry]
    /// What the log says in place of a secret.
    let digest: @Sendable (_ secret: Secret) -> String

    /// What differs in another file.
    func change(to other: AuditedAppFile) -> AuditedChange {
        AuditedChange(
            lateBefore: { $0.write(self, unlike: other) },
            after: { $0.write(other, unlike: self) }
        )
    }

    fileprivate var summary: AppFileSummary {
        AppFileSummary(
            source: source.withByteView { SHA256.digest($0) },
            credentials: entries.map { entry in
                let name = entry.credential?.id ?? "open"
                return (
                    "\(entry.app) \(entry.role.rawValue) \(name)",
                    entry.credential?.proof.bytes ?? Secret([])
                )
            },
            digest: digest
        )
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ file: AuditedAppFile, unlike other: AuditedAppFile) {
        file.summary.write(to: &self, unlike: other.summary)
    }
}

extension CredentialProof {
    /// What the proof is made of, so that two differ where these bytes do.
    fileprivate var bytes: Secret {
        switch self {
        case .token(let digest): Secret([0] + Array(digest.hexadecimal.utf8))
        case .signature(.hs256(let secret)): secret.withByteView { Secret(1, then: $0) }
        case .signature(.eddsa(let publicKey)): Secret([2] + publicKey)
        case .signature(.es256(let x, let y)): Secret([3] + x + y)
        case .certificate(.dns(let name)): Secret([4] + Array(name.utf8))
        case .certificate(.uri(let name)): Secret([5] + Array(name.utf8))
        }
    }
}
