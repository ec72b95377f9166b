internal import APNsProtocol
internal import Basics
internal import Cryptography

/// By what apps prove themselves: a key of a team, and the provider token that it signs, or a
/// certificate. All connections that use the key share the token.
final class APNsProvider {
    /// What the file of the provider has.
    enum Secret {
        case key(ProviderKey)
        case certificate(APNsCertificate)
    }

    let name: APNsCredential
    /// nil if its file could not be used.
    private(set) var secret: Secret?
    /// The present token; nil before the first one is needed.
    private(set) var token: ProviderToken?
    /// The number of the last token.
    private var lastNumber: UInt64 = 0
    /// The date of a token that Apple has called expired though it should be good, because the
    /// clocks differ: its successor has the date at which it is made.
    private var refusedDate: WallTime?

    init(_ name: APNsCredential) { self.name = name }

    /// The certificate; nil if its file could not be used, or if it is a key.
    var certificate: APNsCertificate? {
        if case .certificate(let certificate)? = secret { certificate } else { nil }
    }

    /// Whether it is a certificate, usable or not, so that there are no tokens.
    var isCertificate: Bool {
        if case .certificate = name { true } else { false }
    }

    /// Uses what its file has now. Returns false if it is the same as before, and a token stays.
    func replace(_ new: Secret?) -> Bool {
        let isSame =
            switch (secret, new) {
            case (.key(let old)?, .key(let new)?): new === old || new.isSame(as: old)
            case (.certificate(let old)?, .certificate(let new)?): new.isSame(as: old)
            default: false
            }
        // What was read last, so that what reads files sees that it is in use.
        secret = new
        if !isSame { token = nil }
        return !isSame
    }

    /// Makes a token if there is none, or if the present one is old (`ProviderTokenAge`). Returns
    /// true if it takes the place of one that is so young that Apple accepts no successor on the
    /// same connection: a clock was set.
    ///
    /// - Throws: `TLSError` if the key cannot sign.
    func renewToken(at now: Instant) throws(TLSError) -> Bool {
        guard case .key(let key)? = secret, case .key(let id, let team) = name else { return false }
        var isEarly = false
        if let token {
            if !token.age.isDue(at: now) { return false }
            isEarly = !token.age.mayBeReplaced(at: now)
        }
        lastNumber += 1
        let date = ProviderTokenAge.issueTime(at: now.wall)
        token = try ProviderToken(
            lastNumber,
            team: team,
            keyID: id,
            key: key,
            issuedAt: date == refusedDate ? now.wall : date,
            now: now
        )
        return isEarly
    }

    /// Apple has refused a token as expired; false if it accepts no other one yet.
    func tokenExpired(_ number: UInt64, at now: Instant) -> Bool {
        guard let token, token.number == number else { return true }
        if !token.age.mayBeReplaced(at: now) { return false }
        refusedDate = ProviderTokenAge.issueTime(at: now.wall)
        self.token = nil
        return true
    }
}
