internal import Cryptography
internal import DataStructures
internal import ReloadModel
package import RouterCore
package import StrictJSON

/// A page of the list of an app's push tokens to which APNs accepts nothing.
package struct DeadTokensBody: AdminBody {
    /// In the order in which it became known.
    let tokens: [EndedTokenView]
    /// The number after which the next page begins; nil if this is the last page.
    let next: UInt64?

    /// A page.
    ///
    /// - Parameters:
    ///   - tokens: in the order of their numbers.
    ///   - next: the number after which the next page begins; nil if this is the last page.
    package init(_ tokens: [EndedTokenView], next: UInt64?) {
        self.tokens = tokens
        self.next = next
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.list("tokens", of: tokens) { token, json in Self.write(token, to: &json) }
            json.member("next", value: next)
        }
    }

    /// Writes a token as one JSON object: with the hash by which the app's own database finds it.
    static func write(_ token: EndedTokenView, to json: inout JSONWriter) {
        json.object { json in
            json.member("number", value: token.number)
            json.member("device", value: token.device)
            json.member("channel", value: "\(token.channel)")
            json.member("widget", value: token.control?.widget)
            json.member("kind", value: token.control?.kind)
            json.member(
                "tokenSHA256",
                value: token.token.withByteView { SHA256.digest($0).hexadecimal }
            )
            json.member("environment", value: token.environment.rawValue)
            json.member("state", value: token.state.rawValue)
            json.member("reason", value: token.fault.appleName)
            json.member("since", value: token.since)
            json.member("registeredAt", value: token.registeredAt)
        }
    }
}
