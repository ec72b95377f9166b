package import Basics
package import FrameCodec

extension CredentialRefusal {
    /// The ERROR for a client that is not let in. Who has proved nothing gets the same sentence,
    /// whatever is wrong: it says nothing about the apps that there are.
    package func error(for hello: HelloMessage) -> ProtocolError {
        let role = "a \(hello.role.rawValue) of \(quotation(hello.app))"
        let subject = hello.name.map {
            "\(hello.role == .publisher ? "producer" : "device") \(quotation($0))"
        }
        switch self {
        case .busy:
            return ProtocolError(
                .tooManyConnections,
                message: "too many tokens wait to be verified; connect again later"
            )
        case .missing:
            return ProtocolError(.tokenInvalid, message: "HELLO has no token, which \(role) needs")
        case .unknown, .malformed, .signature:
            return ProtocolError(.tokenInvalid, message: "nothing here lets this token be \(role)")
        case .claims:
            return ProtocolError(
                .tokenInvalid,
                message: "the token lacks a claim: it needs sub, aud, role and exp, and iat if "
                    + "its key has maxTokenAge; these dates are in seconds since 1970"
            )
        case .expired(let end):
            return ProtocolError(
                .tokenExpired,
                message: "this credential of \(role) was good until \(end.rfc3339)"
            )
        case .notYetValid(let begin):
            return ProtocolError(
                .tokenInvalid,
                message: "the token is good from \(begin.rfc3339) on"
            )
        case .audience:
            return ProtocolError(
                .tokenInvalid,
                message: "the token's aud is not \(quotation(hello.app))"
            )
        case .role:
            return ProtocolError(
                .tokenInvalid,
                message: "the token's role is not \(hello.role.rawValue)"
            )
        case .revoked(let date):
            return ProtocolError(
                .tokenRevoked,
                message: "the tokens of \(subject ?? role) that were signed (iat) before "
                    + "\(date.rfc3339Milliseconds), or do not say when, are revoked; get a new one"
            )
        case .name:
            return ProtocolError(
                .tokenInvalid,
                message: "this credential is not for \(subject ?? role)"
            )
        }
    }
}
