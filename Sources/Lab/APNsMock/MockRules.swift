package import APNsProtocol
package import Basics
internal import Credentials

/// What APNs says to requests, as far as Apple documents it: a table, a connection's provider
/// tokens, and the tokens of devices that are dead.
///
/// Pure: time and the judgement of signatures are parameters.
package struct MockRules {
    /// What the rules keep of one connection.
    struct Connection {
        /// The provider token that was used last, and when it came.
        var token: String?
        var tokenCameAt = MonotonicTime.longAgo
        /// True once a request was accepted since the connection began, or since the last error:
        /// more than one stream is allowed then.
        var isTrusted = false
    }

    private let settings: MockSettings
    private let startedAt: MonotonicTime
    private var outages: [MockOutage]
    /// Tokens that are dead, and since when.
    private var dead: [String: WallTime] = [:]
    /// The requests that were answered with each reason, and those accepted under the empty one.
    package private(set) var counts: [String: Int] = [:]
    /// Accepted pushes of each device's token.
    private(set) var accepted: [String: Int] = [:]

    /// Rules from a time on.
    init(_ settings: MockSettings, now: MonotonicTime) {
        self.settings = settings
        startedAt = now
        outages = settings.outages
    }

    /// Makes a device's token dead: its app was removed.
    package mutating func kill(_ token: String, since date: WallTime) {
        dead[Self.canonical(token)] = date
    }

    /// Begins an outage of all requests; without a reason there are no answers at all.
    mutating func fail(
        for length: Milliseconds,
        because reason: APNsReason?,
        from now: MonotonicTime
    ) {
        outages.append(MockOutage(start: now - startedAt, length: length, reason: reason))
    }

    /// What a request is answered with; nil for nothing, in an outage.
    ///
    /// `draw` is a random number from 0 to 1, which decides whether an outage has it; `verifies`
    /// says whether a signature is that of the key with its id.
    mutating func answer(
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
        var flaw = flaw(in: request)
        if flaw == nil {
            let found = judge(request, on: &connection, now: now, date: date, verifies: verifies)
            flaw = found?.reason == nil ? settings.flaw(inTopicOf: request) ?? found : found
        }
        if let reason = flaw?.reason {
            return finish(reason, on: &connection, because: flaw?.sentence)
        }
        let token = Self.canonical(request.token ?? "")
        if let since = dead[token] { return finish(.unregistered, on: &connection, since: since) }
        connection.isTrusted = true
        counts["", default: 0] += 1
        accepted[token, default: 0] += 1
        return MockAnswer(status: 200, reason: nil, since: nil, why: flaw?.sentence)
    }

    /// A device's token as the mock keeps it: digits may be small or capital.
    private static func canonical(_ token: String) -> String { token.lowercased() }

    private mutating func finish(
        _ reason: APNsReason,
        on connection: inout Connection,
        because sentence: String? = nil,
        since date: WallTime? = nil
    ) -> MockAnswer {
        // A dead token is no error of the sender's.
        if (400...499).contains(reason.status) && reason.status != 410 {
            connection.isTrusted = false
        }
        counts[reason.rawValue, default: 0] += 1
        return MockAnswer(status: reason.status, reason: reason, since: date, why: sentence)
    }

    /// The fewest bytes of a device's token: Apple may change their length, and has made none of
    /// fewer than 32. Below this one, a token was cut or made up.
    private static var leastTokenBytes: Int { 4 }
    /// The most bytes of `apns-collapse-id`.
    private static var collapseBytes: Int { 64 }

    /// What is wrong with the form of a request: the first of these that holds.
    private func flaw(in request: MockRequest) -> MockFlaw? {
        let token = request.token ?? ""
        let (count, priority) = (token.utf8.count / 2, request.priority ?? "10")
        let collapse = request.collapseID?.utf8.count ?? 0
        let size = request.body.count
        let most = request.type?.payloadLimit ?? MockPushType.alert.payloadLimit
        let flaws: [(isThere: Bool, reason: APNsReason, sentence: String)] = [
            (request.method != "POST", .methodNotAllowed, "the method is not POST"),
            (
                !request.path.hasPrefix("/3/device"), .badPath,
                "the path is not /3/device/ and a device's token"
            ),
            (request.token == nil, .missingDeviceToken, "the path ends before the device's token"),
            (
                request.repeatedField != nil, .duplicateHeaders,
                "the field \(quotation(request.repeatedField ?? "")) comes twice"
            ),
            (
                !(request.id.map(Self.isUUID) ?? true), .badMessageID,
                "apns-id is no UUID: 8-4-4-4-12 hexadecimal digits"
            ),
            (
                Int64(request.expiration ?? "0") == nil, .badExpirationDate,
                "apns-expiration is no whole number of seconds"
            ),
            (
                !["1", "5", "10"].contains(priority), .badPriority,
                "apns-priority is \(quotation(priority)), not 1, 5 or 10"
            ),
            (
                collapse > Self.collapseBytes, .badCollapseID,
                "apns-collapse-id has \(collapse) bytes; \(Self.collapseBytes) are allowed"
            ),
            (size == 0, .payloadEmpty, "there is no body"),
            (size > most, .payloadTooLarge, "the body has \(size) bytes; \(most) are allowed"),
            (!Self.isObject(request.body), .payloadEmpty, "the body is no JSON object"),
            (
                token.utf8.count % 2 != 0 || !Self.isHexadecimal(token), .badDeviceToken,
                "the device's token is no even number of hexadecimal digits"
            ),
            (
                count < Self.leastTokenBytes, .badDeviceToken,
                "the device's token has \(count) bytes; Apple's have 32"
            ),
        ]
        return flaws.first(where: \.isThere).map { MockFlaw($0.reason, because: $0.sentence) }
    }

    private static func isObject(_ body: [UInt8]) -> Bool {
        body.withByteView { body in
            var scanner = JSONScanner(depthLimit: Self.jsonDepth)
            guard (try? validateJSON(body, using: &scanner)) != nil else { return false }
            let reader = JSONReader(body)
            return reader.peek() == .object
        }
    }

    /// The deepest nesting of a payload.
    private static var jsonDepth: Int { 32 }

    /// What is wrong with the provider token, or with the certificate, or odd.
    private func judge(
        _ request: MockRequest,
        on connection: inout Connection,
        now: MonotonicTime,
        date: WallTime,
        verifies: (SignedToken) -> Bool
    ) -> MockFlaw? {
        if settings.needsCertificate {
            return request.hasCertificate
                ? nil
                : MockFlaw(.badCertificate, because: "the connection has shown no certificate")
        }
        let provider: MockProviderToken
        do throws(MockFlaw) {
            provider = try MockProviderToken(request.authorization)
        } catch {
            return error
        }
        let age = date - provider.issuedAt
        if age > ProviderTokenAge.longest || age < .zero - ProviderTokenAge.longest {
            return MockFlaw(
                .expiredProviderToken,
                because:
                    "the provider token's iat is \(age.rawValue / 1_000) s before now; an hour is allowed"
            )
        }
        if connection.token != request.authorization {
            // The first one of a connection is free.
            if connection.token != nil && now - connection.tokenCameAt < ProviderTokenAge.shortest {
                return MockFlaw(
                    .tooManyProviderTokenUpdates,
                    because:
                        "another provider token came on this connection less than 20 minutes ago"
                )
            }
            if !verifies(provider.token) {
                return MockFlaw(
                    .invalidProviderToken,
                    because: "the provider token: its signature is wrong"
                )
            }
            connection.token = request.authorization
            connection.tokenCameAt = now
        }
        return provider.oddity
    }

    private static func isHexadecimal(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0.hexDigitValue != nil }
    }

    private static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy(isHexadecimal)
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
    /// What is wrong or odd, for people: the field `apns-mock-why`, which APNs does not have.
    package var why: String?
}

extension MockSettings {
    /// What is wrong with the topic, the type or the environment of a push, or odd.
    func flaw(inTopicOf request: MockRequest) -> MockFlaw? {
        guard let topic = request.topic else {
            return MockFlaw(.missingTopic, because: "there is no field apns-topic")
        }
        guard let text = request.pushType else {
            return flaw(inBundle: topic)
                ?? MockFlaw(nil, because: "there is no field apns-push-type, which Apple asks for")
        }
        guard let type = request.type else {
            let all = MockPushType.allCases.map(\.rawValue).joined(separator: ", ")
            return MockFlaw(
                .invalidPushType,
                because: "apns-push-type is \(quotation(text)), not one of \(all)"
            )
        }
        if !type.priorities.contains(request.priority ?? "10") {
            return MockFlaw(.badPriority, because: "a push of type \(type.rawValue) has priority 5")
        }
        guard let suffix = type.topicSuffix else { return nil }
        guard topic.hasSuffix(suffix), topic.utf8.count > suffix.utf8.count else {
            return MockFlaw(
                .deviceTokenNotForTopic,
                because: "the topic of type \(type.rawValue) is a bundle identifier and \(suffix)"
            )
        }
        return flaw(inBundle: String(topic.dropLast(suffix.count)))
    }

    private func flaw(inBundle bundle: String) -> MockFlaw? {
        bundles.isEmpty || bundles.contains(bundle)
            ? nil
            : MockFlaw(.topicDisallowed, because: "--bundle does not name \(quotation(bundle))")
    }
}
