package import APNsProtocol
package import Credentials
internal import DataStructures
internal import StrictJSON
package import Times

/// What APNs says to requests, as far as Apple documents it: a table, a connection's provider
/// tokens, and the tokens of devices that are dead.
///
/// Pure: time and the judgement of signatures are parameters.
package struct MockRules {
    /// What the rules keep of one connection.
    package struct Connection {
        /// The provider token that was used last, and when it came.
        var token: String?
        var tokenCameAt = MonotonicTime.longAgo
        /// True once a request was accepted since the connection began, or since the last error:
        /// more than one stream is allowed then.
        package internal(set) var isTrusted = false

        /// A connection without requests.
        package init() {}
    }

    private let settings: MockSettings
    private let startedAt: MonotonicTime
    private var outages: [MockOutage]
    /// Tokens that are dead, and since when.
    private var dead: [String: WallTime] = [:]
    /// The requests that were answered with each reason, and those accepted under the empty one.
    package private(set) var counts: [String: Int] = [:]
    /// Accepted pushes of each device's token.
    package private(set) var accepted: [String: Int] = [:]

    /// Rules from a time on.
    package init(_ settings: MockSettings, now: MonotonicTime) {
        self.settings = settings
        startedAt = now
        outages = settings.outages
    }

    /// Makes a device's token dead: its app was removed.
    package mutating func kill(_ token: String, since date: WallTime) { dead[token] = date }

    /// Begins an outage of all requests.
    ///
    /// - Parameters:
    ///   - length: how long it lasts.
    ///   - reason: the reason of all answers; nil if there are none at all.
    ///   - now: the present.
    package mutating func fail(
        for length: Milliseconds,
        because reason: APNsReason?,
        from now: MonotonicTime
    ) {
        outages.append(MockOutage(start: now - startedAt, length: length, reason: reason))
    }

    /// What a request is answered with.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - connection: its connection.
    ///   - now: the present.
    ///   - date: the present date.
    ///   - draw: a random number from 0 to 1, which decides whether an outage has it.
    ///   - verifies: whether a signature is that of the key with an id.
    /// - Returns: the answer; nil if there is none, in an outage.
    package mutating func answer(
        _ request: MockRequest,
        on connection: inout Connection,
        now: MonotonicTime,
        date: WallTime,
        draw: Double,
        verifies: (SignedToken) -> Bool
    ) -> MockAnswer? {
        for outage in outages {
            let time = now - startedAt
            if time >= outage.start && time < outage.start + outage.length && draw < outage.share {
                guard let reason = outage.reason else { return nil }
                return finish(reason, on: &connection)
            }
        }
        let reason =
            problem(of: request)
            ?? problem(of: request, on: &connection, now: now, date: date, verifies: verifies)
            ?? settings.problem(ofTopicIn: request)
        if let reason { return finish(reason, on: &connection) }
        let token = request.token ?? ""
        if let since = dead[token] { return finish(.unregistered, on: &connection, since: since) }
        connection.isTrusted = true
        counts["", default: 0] += 1
        accepted[token, default: 0] += 1
        return MockAnswer(status: 200, reason: nil, since: nil)
    }

    private mutating func finish(
        _ reason: APNsReason,
        on connection: inout Connection,
        since date: WallTime? = nil
    ) -> MockAnswer {
        // A dead token is no error of the sender's.
        if (400...499).contains(reason.status) && reason.status != 410 {
            connection.isTrusted = false
        }
        counts[reason.rawValue, default: 0] += 1
        return MockAnswer(status: reason.status, reason: reason, since: date)
    }

    /// What is wrong with the form of a request.
    private func problem(of request: MockRequest) -> APNsReason? {
        if request.method != "POST" { return .methodNotAllowed }
        if !request.path.hasPrefix("/3/device") { return .badPath }
        guard let token = request.token else { return .missingDeviceToken }
        if request.hasRepeatedField { return .duplicateHeaders }
        if let id = request.id, !Self.isUUID(id) { return .badMessageID }
        if let text = request.expiration, Int64(text) == nil { return .badExpirationDate }
        if let text = request.priority, !["1", "5", "10"].contains(text) { return .badPriority }
        if request.body.isEmpty { return .payloadEmpty }
        if request.body.count > 4_096 { return .payloadTooLarge }
        if token.utf8.count % 2 != 0 || !token.utf8.allSatisfy(Self.isHexadecimal) {
            return .badDeviceToken
        }
        return nil
    }

    /// What is wrong with the provider token, or with the certificate.
    private func problem(
        of request: MockRequest,
        on connection: inout Connection,
        now: MonotonicTime,
        date: WallTime,
        verifies: (SignedToken) -> Bool
    ) -> APNsReason? {
        if settings.needsCertificate { return request.hasCertificate ? nil : .badCertificate }
        guard let text = request.authorization else { return .missingProviderToken }
        let prefix = "bearer "
        guard text.lowercased().hasPrefix(prefix),
            let token = SignedToken(Secret(Array(text.utf8.dropFirst(prefix.utf8.count)))),
            token.algorithm == "ES256", token.keyID != nil,
            let issuedAt = Self.issuedAt(token)
        else { return .invalidProviderToken }
        let age = date - issuedAt
        if age > ProviderTokenAge.longest || age < .zero - ProviderTokenAge.longest {
            return .expiredProviderToken
        }
        if connection.token != text {
            // The first one of a connection is free.
            if connection.token != nil && now - connection.tokenCameAt < ProviderTokenAge.shortest {
                return .tooManyProviderTokenUpdates
            }
            if !verifies(token) { return .invalidProviderToken }
            connection.token = text
            connection.tokenCameAt = now
        }
        return nil
    }

    private static func issuedAt(_ token: SignedToken) -> WallTime? {
        var date: WallTime?
        let isObject = token.withClaims { name, reader in
            if name == "iat" && reader.peek() == .number {
                date = reader.readInteger().map { WallTime(rawValue: $0 * 1_000) }
            } else {
                reader.skipValue()
            }
        }
        return isObject ? date : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.utf8.allSatisfy(isHexadecimal) }
    }
}

/// What the mock answers.
package struct MockAnswer: Equatable, Sendable {
    /// The status.
    package let status: Int
    /// Why a request was refused.
    package let reason: APNsReason?
    /// Since when a token is dead.
    package let since: WallTime?
}

extension MockSettings {
    /// What is wrong with the topic, the type or the environment of a push.
    func problem(ofTopicIn request: MockRequest) -> APNsReason? {
        guard let topic = request.topic else { return .missingTopic }
        guard let text = request.pushType, let type = APNsPushType(rawValue: text) else {
            return .invalidPushType
        }
        if type == .background && request.priority != "5" { return .badPriority }
        let suffix = type.topic(bundle: "")
        guard topic.hasSuffix(suffix), topic.utf8.count > suffix.utf8.count else {
            return .deviceTokenNotForTopic
        }
        let bundle = String(topic.dropLast(suffix.count))
        return bundles.isEmpty || bundles.contains(bundle) ? nil : .topicDisallowed
    }
}
