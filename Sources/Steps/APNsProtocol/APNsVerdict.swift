package import Basics

/// What an answer of APNs means for the push, its device and its app.
///
///     accepted      done, which does not say that the device has got it
///     dropped       this push never: it is wrong in itself
///     tokenDead     no push to this token, until the device registers it again
///     tokenRefused  no push to this token, until the device registers one; if nearly all
///                   devices' are, the app's settings are wrong
///     stopped       no push of this app, until its settings are right; what waits is kept
///     renewToken    the same push again, with a new provider token
///     later         the same push again after a while
///     elsewhere     the same push again, on another connection
///     strange       not Apple's word: what waits is kept, and the app's pushes stop
package enum APNsVerdict: Equatable, Sendable {
    case accepted
    case dropped
    /// Since when the token is dead by Apple's clock; nil if the answer does not say.
    case tokenDead(since: WallTime?)
    case tokenRefused
    case stopped
    case renewToken
    /// After which pause, to which a random part is added.
    case later(Milliseconds)
    case elsewhere(Milliseconds)
    case strange
}

extension APNsAnswer {
    /// What the answer means.
    ///
    /// Source: Apple, "Handling notification responses from APNs", where it says what to do; a
    /// status that is not known is treated as the first of its hundred.
    package var verdict: APNsVerdict {
        if !isApples { return .strange }
        if status == 200 { return .accepted }
        switch reason {
        case .badDeviceToken, .deviceTokenNotForTopic: return .tokenRefused
        case .expiredToken, .unregistered: return .tokenDead(since: timestamp)
        case .topicDisallowed, .badCertificate, .badCertificateEnvironment, .badEnvironmentKeyID,
            .invalidProviderToken, .missingProviderToken, .unrelatedKeyID:
            return .stopped
        case .expiredProviderToken: return .renewToken
        case .tooManyProviderTokenUpdates: return .later(Self.pauseAfterTokens)
        case .tooManyRequests, .internalServerError, .serviceUnavailable:
            return .later(Self.pauseAfterFailure)
        case .idleTimeout: return .elsewhere(.zero)
        case .shutdown: return .elsewhere(Self.pauseAfterFailure)
        case .badCollapseID, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
            .duplicateHeaders, .forbidden, .invalidPushType, .missingDeviceToken, .missingTopic,
            .payloadEmpty, .badPath, .methodNotAllowed, .payloadTooLarge:
            return .dropped
        case nil: break
        }
        switch status {
        case 403: return .stopped
        case 410: return .tokenDead(since: timestamp)
        case 429, 500...599: return .later(Self.pauseAfterFailure)
        default: return .dropped
        }
    }

    /// Whether a server that has no time for the push may have given a strange answer: Apple's
    /// machines at the edge, too, of which nothing else than the status is known.
    package var isBusy: Bool { status == 429 || (500...599).contains(status) }

    /// Apple: retry after 15 minutes.
    package static var pauseAfterFailure: Milliseconds { .seconds(15 * 60) }
    /// Apple: a new provider token at most every 20 minutes.
    private static var pauseAfterTokens: Milliseconds { .seconds(20 * 60) }
}
