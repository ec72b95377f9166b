internal import DataStructures
internal import HTTPServing

extension HTTPRequest {
    /// Whether the client has sent something to prove itself by, whatever that is.
    var hasAuthorization: Bool { secretHeader("Authorization") != nil }

    /// The token after `Bearer`, a word that may be in any case; nil if it is not there.
    var bearerToken: Secret? {
        let scheme = Array("bearer ".utf8)
        return secretHeader("Authorization")?.withByteView { header in
            let isBearer =
                header.count > scheme.count
                && scheme.indices.allSatisfy { header[$0] | 0x20 == scheme[$0] }
            return isBearer ? Secret(header.slice(scheme.count, to: header.count)) : nil
        }
    }
}
