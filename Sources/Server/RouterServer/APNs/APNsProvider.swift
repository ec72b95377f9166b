internal import APNsProtocol
internal import Cryptography
internal import ReloadModel
internal import Times

/// A key of a team, and the provider token that it signs. All connections that use the key share
/// the token.
final class APNsProvider {
    /// Which key of which team it is.
    struct Name: Hashable {
        let team: String
        let key: String
    }

    let name: Name
    /// nil if its file could not be used.
    private(set) var key: ProviderKey?
    /// The present token; nil before the first one is needed.
    private(set) var token: ProviderToken?
    /// The number of the last token.
    private var lastNumber: UInt64 = 0

    /// The age at which a token is renewed; Apple allows 20 to 60 minutes.
    static var tokenAge: Milliseconds { .minutes(45) }

    init(_ name: Name) { self.name = name }

    /// Uses the key that its file has now.
    ///
    /// - Returns: false if it is the same one as before, whose token stays.
    func replaceKey(_ new: ProviderKey?) -> Bool {
        if let key, let new, new.isSame(as: key) { return false }
        key = new
        token = nil
        return true
    }

    /// Makes a token if there is none, or if the present one is old by either clock.
    ///
    /// - Parameter now: the present.
    /// - Returns: true if it takes the place of one that is so young that Apple accepts no
    ///   successor on the same connection: a clock was set.
    /// - Throws: `TLSError` if the key cannot sign.
    func renewToken(at now: Instant) throws(TLSError) -> Bool {
        guard let key else { return false }
        var isEarly = false
        if let token {
            if !token.age.isDue(at: now, after: Self.tokenAge) { return false }
            isEarly = !token.age.mayBeReplaced(at: now)
        }
        lastNumber += 1
        token = try ProviderToken(
            lastNumber,
            team: name.team,
            keyID: name.key,
            key: key,
            now: now
        )
        return isEarly
    }

    /// Apple has refused a token as expired.
    ///
    /// - Parameters:
    ///   - number: the token's.
    ///   - now: the present.
    /// - Returns: false if Apple accepts no other one yet.
    func tokenExpired(_ number: UInt64, at now: Instant) -> Bool {
        guard let token, token.number == number else { return true }
        if !token.age.mayBeReplaced(at: now) { return false }
        self.token = nil
        return true
    }
}

@available(*, unavailable)
extension APNsProvider: Sendable {}
