package import Basics
package import FrameCodec

/// What becomes of a HELLO.
package enum Verdict: Equatable, Sendable {
    /// The client may have the role.
    case admitted(Grant)
    /// It may not.
    case refused(CredentialRefusal)
    /// That depends on a signature: it is to be verified, then `CredentialTable.finish` judges.
    case signed(SignedHello)
}

/// What lets a client in.
package struct Grant: Equatable, Sendable {
    /// The index of the entry in its `CredentialTable`.
    package let entry: Int
    /// The names for which it is good: what limits a gateway.
    package let names: NamePatterns
    /// From when on it is no longer good; `max` for never.
    package let until: WallTime
    /// From when on the client's own token or certificate is no longer good, whatever its
    /// credential says; `max` for never.
    package let tokenEnd: WallTime
    /// When the client's token was signed (`iat`); nil if it does not say so, or is no signed one.
    package let issued: WallTime?
}

/// A HELLO with a signed token whose signature is still to be verified.
package struct SignedHello: Equatable, Sendable {
    /// What the client said.
    package let hello: HelloMessage
    /// The token.
    package let token: SignedToken
    /// The key by which it is to be verified; a decoy if none is listed.
    package let key: VerificationKey
    /// The id of the credential with the key; nil if none is listed.
    let id: String?

    /// The role that the token says it is for, which is not verified; nil if it says none.
    package var claimedRole: String? { token.claims.withByteView { TokenClaims(json: $0) }?.role }
}

/// Why a client is not let in.
package enum CredentialRefusal: Equatable, Sendable {
    /// Too many signatures wait to be verified.
    case busy
    /// It has shown nothing, where something is needed.
    case missing
    /// Nothing that it has shown is listed for the app and the role.
    case unknown
    /// Its token has the form of none.
    case malformed
    /// Its token is not signed with a key of the app and the role.
    case signature
    /// The claims of its token, which is signed, lack one that is needed.
    case claims
    /// What it has shown was good until then.
    case expired(WallTime)
    /// Its token is good from then on.
    case notYetValid(WallTime)
    /// Its token is for another app.
    case audience
    /// Its token is for another role.
    case role
    /// What it has shown is not for this producer, or this device.
    case name
    /// Its token was signed before this date, or does not say when, and an operator has revoked
    /// those of its device.
    case revoked(WallTime)
    /// It has proved nothing, and there is no such app.
    case app

    /// The refusal of a token that a revocation takes out (`TokenClaims.isRevoked`): that it is
    /// revoked or, if its own date is far ahead, not yet valid. `issued` is nil if it does not say
    /// when.
    package static func ofRevocation(
        before date: WallTime,
        issued: WallTime?
    ) -> CredentialRefusal {
        if let issued, issued >= date { return .notYetValid(issued) }
        return .revoked(date)
    }

    /// Whether the client has proved that it has a credential of the app, so that it may learn why
    /// that does not suffice.
    package var isProven: Bool {
        switch self {
        case .busy, .missing, .unknown, .malformed, .signature, .app: false
        case .claims, .expired, .notYetValid, .audience, .role, .name, .revoked: true
        }
    }

    /// The reason in one word, for logs and metrics.
    package var label: String { Self.labels[index] }

    /// The labels of all reasons.
    package static let labels = [
        "busy", "missing", "unknown", "malformed", "signature", "claims", "expired",
        "not-yet-valid", "audience", "role", "name", "revoked", "app",
    ]

    private var index: Int {
        switch self {
        case .busy: 0
        case .missing: 1
        case .unknown: 2
        case .malformed: 3
        case .signature: 4
        case .claims: 5
        case .expired: 6
        case .notYetValid: 7
        case .audience: 8
        case .role: 9
        case .name: 10
        case .revoked: 11
        case .app: 12
        }
    }
}

extension CredentialRefusal {
    /// The ERROR for a client that is not let in. Who has proved nothing gets the same sentence,
    /// whatever is wrong: it says nothing about the apps that there are.
    package func error(for hello: HelloMessage) -> ProtocolError {
        let role = "a \(hello.role.rawValue) of \(quotation(hello.app))"
        let subject = hello.name.map {
            "\(hello.role == .publisher ? "producer" : "device") \(quotation($0))"
        }
        let (code, message): (ErrorCode, String) =
            switch self {
            case .busy:
                (.tooManyConnections, "too many tokens wait to be verified; connect again later")
            case .missing: (.tokenInvalid, "HELLO has no token, which \(role) needs")
            case .unknown, .malformed, .signature, .app:
                (.tokenInvalid, "nothing here lets this token be \(role)")
            case .claims:
                (
                    .tokenInvalid,
                    "the token lacks a claim: it needs sub, aud, role and exp, and iat if its key has "
                        + "maxTokenAge; these dates are in seconds since 1970"
                )
            case .expired(let end):
                (.tokenExpired, "this credential of \(role) was good until \(end.rfc3339)")
            case .notYetValid(let begin):
                (.tokenInvalid, "the token is good from \(begin.rfc3339) on")
            case .audience: (.tokenInvalid, "the token's aud is not \(quotation(hello.app))")
            case .role: (.tokenInvalid, "the token's role is not \(hello.role.rawValue)")
            case .revoked(let date):
                (
                    .tokenRevoked,
                    "the tokens of \(subject ?? role) that were signed (iat) before "
                        + "\(date.rfc3339Milliseconds), or do not say when, are revoked; get a new one"
                )
            case .name: (.tokenInvalid, "this credential is not for \(subject ?? role)")
            }
        return ProtocolError(code, message: message)
    }
}
