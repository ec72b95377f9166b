package import Basics

/// An answer to one push: of APNs, or of whatever else listens where it should be.
package struct APNsAnswer: Equatable, Sendable {
    /// The status; 200 if the push was accepted.
    package let status: Int
    /// Why it was refused; nil if it was not, or for a reason that is not known.
    package let reason: APNsReason?
    /// Since when the token is dead, by Apple's clock.
    package let timestamp: WallTime?
    /// The reason as a message quotes it; empty if there is none.
    package let text: String
    /// Whether the answer has the form that Apple documents. Otherwise it is not Apple's word, and
    /// nothing is concluded from it.
    package let isApples: Bool
    private let hasID: Bool
    private let contentType: String?
    /// How a strange body begins.
    private let start: String

    /// Reads an answer, or the beginning of a long one. Each answer of APNs has an `apns-id`; one
    /// that accepts a push has no body, and any other one is a JSON object with a reason. A proxy,
    /// or another server at a wrong address, answers with pages of its own; `contentType` is for
    /// people. Source: Apple, "Handling notification responses from APNs".
    package init(status: Int, hasID: Bool, contentType: String? = nil, body: ByteView) {
        self.status = status
        self.hasID = hasID
        self.contentType = contentType
        if body.count == 0 {
            // As nearly all answers are, for which nothing is made.
            (reason, timestamp, text, start) = (nil, nil, "", "")
            isApples = hasID && status == 200
            return
        }
        var text = ""
        var timestamp: WallTime?
        var scanner = JSONScanner(depthLimit: Self.jsonDepth)
        var reader = JSONReader(body)
        if (try? validateJSON(body, using: &scanner)) != nil, reader.peek() == .object {
            reader.enterObject()
            while let name = reader.nextKey()?.string {
                switch (name, reader.peek()) {
                case ("reason", .string): text = reader.readString().string
                case ("timestamp", .number):
                    timestamp = reader.readInteger().map { WallTime(rawValue: $0) }
                default: reader.skipValue()
                }
            }
        }
        self.text = quotation(text)
        self.timestamp = timestamp
        reason = APNsReason(rawValue: text)
        isApples =
            hasID && status != 200 && !text.isEmpty || reason != nil && reason?.status == status
        start = isApples ? "" : body.slice(0, to: min(body.count, Self.shownBytes)).string
    }

    /// The deepest nesting of a body.
    private static var jsonDepth: Int { 8 }

    /// What has come in place of an answer of APNs, as a message quotes it; nil for one of APNs.
    ///
    /// It has not what may be a secret: a server may repeat the path, which has the device's token,
    /// and the provider token.
    package var strangeness: String? {
        if isApples { return nil }
        var parts = ["status \(status)"]
        if !hasID { parts.append("no apns-id") }
        if let contentType { parts.append(quotation(contentType, limit: 40)) }
        let body = Self.hidingSecrets(start)
        parts.append(start.isEmpty ? "no body" : "a body that begins: \(body)")
        return quotation(parts.joined(separator: ", "), limit: Self.shownBytes)
    }

    /// The most bytes of a strange answer that a message quotes.
    private static var shownBytes: Int { 200 }
    /// The longest word that a message quotes: tokens are longer.
    private static var longestWord: Int { 19 }

    private static func hidingSecrets(_ text: String) -> String {
        let isOfWord = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber)
                || "-_+".contains(character)
        }
        var (shown, word) = ("", "")
        for character in text + " " {
            if isOfWord(character) {
                word.append(character)
                continue
            }
            shown += word.utf8.count > longestWord ? "…" : word
            shown.append(character)
            word = ""
        }
        return String(shown.dropLast())
    }
}

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
