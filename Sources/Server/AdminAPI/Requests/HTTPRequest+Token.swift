internal import Basics
internal import HTTPServing

extension HTTPRequest {
    /// Whether the client has sent something to prove itself by, whatever that is.
    var hasAuthorization: Bool { secretHeader("Authorization") != nil }

    /// The token after `Bearer`, a word that may be in any case, and one blank or more (RFC 9110,
    /// section 11.4); nil if it is not there.
    var bearerToken: Secret? {
        let scheme = Array("bearer ".utf8)
        return secretHeader("Authorization")?.withByteView { header in
            let isBearer =
                header.count > scheme.count
                && scheme.indices.allSatisfy { header[$0] | 0x20 == scheme[$0] }
            guard isBearer else { return nil }
            var start = scheme.count
            while header.has(start), header[start] == 0x20 { start += 1 }
            return header.has(start) ? Secret(header.slice(start, to: header.count)) : nil
        }
    }
}
