package import Basics
package import Credentials
internal import Cryptography

/// A person or a program that may use the admin server, and by what it proves who it is.
package struct Operator: Equatable, Sendable {
    /// The name in the audit log; no other operator has it.
    package var name: String
    /// What it may do.
    package var role: OperatorRole
    /// By what it proves who it is.
    package var proof: OperatorProof
    /// From when on it is let in no more; nil for never.
    package var notAfter: WallTime?
    /// The apps for which it has its role; nil for all, and for the router as a whole.
    package var apps: Set<String>?

    /// The operator that has the token of the router's own token file, and may do everything.
    package static func tokenFile(_ digest: SHA256Digest) -> Operator {
        Operator(name: tokenFileName, role: .admin, proof: .token(digest))
    }

    /// The name of `tokenFile`, which a list of operators cannot use.
    package static var tokenFileName: String { "(token file)" }

    /// A hash of all that is said of it.
    var digest: SHA256Digest {
        let text = JSONWriter.object { json in
            json.member("name", value: name)
            json.member("role", value: role.rawValue)
            json.member("proof", value: proof.text)
            json.list("apps", of: apps?.sorted() ?? [])
            json.member("isOfAll", value: apps == nil)
            json.member("notAfter", value: notAfter)
        }
        return text.withByteView { SHA256.digest($0) }
    }

    /// Whether it has not expired at a date.
    func isGood(at now: WallTime) -> Bool { notAfter.map { $0 > now } ?? true }
}

/// By what an operator proves who it is.
package enum OperatorProof: Hashable, Sendable {
    /// A random token, of which only the hash is known.
    case token(SHA256Digest)
    /// A certificate of TLS for this name.
    case certificate(CertificateName)

    /// What distinguishes it from all others.
    fileprivate var text: String {
        switch self {
        case .token(let digest): digest.hexadecimal
        case .certificate(.dns(let name)): "dns:\(name)"
        case .certificate(.uri(let uri)): "uri:\(uri)"
        }
    }
}

/// What an operator may do. Each role may do all that those before it may.
package enum OperatorRole: String, CaseIterable, Comparable, Sendable {
    /// Reads everything, and changes nothing.
    case viewer
    /// Also pauses apps, makes backups, drains the router, and takes slots.
    case `operator`
    /// Also replaces the app file, and with it who may connect, and sends pushes.
    case admin

    /// Whether a role may do less than another.
    package static func < (left: OperatorRole, right: OperatorRole) -> Bool {
        allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
}
