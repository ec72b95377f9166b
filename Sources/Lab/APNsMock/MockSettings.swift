package import APNsProtocol
package import Basics
package import Credentials

/// How a mock of APNs behaves.
package struct MockSettings: Sendable {
    /// The bundle identifiers that have pushes; empty for all.
    package var bundles: Set<String> = []
    /// The keys that sign provider tokens, by their ids; empty to accept any signature.
    package var keys: [String: VerificationKey] = [:]
    /// Whether apps prove themselves by certificates, which the server has verified, and not by
    /// provider tokens.
    package var needsCertificate = false
    /// The streams that a connection may have before a push was accepted; Apple says to use one.
    package var firstStreams = 1
    /// The streams that a connection may have once a push was accepted.
    package var streams = 1_000
    /// After this time without a request a connection is closed; nil for never.
    package var idleTime: Milliseconds?
    /// How long an answer takes.
    package var delay = Milliseconds.zero
    /// After this many requests a connection gets GOAWAY; nil for never.
    package var requestsPerConnection: Int?
    /// What goes wrong, and when.
    package var outages: [MockOutage] = []

    /// The default settings.
    package init() {}
}

/// A time in which requests are answered with a failure.
package struct MockOutage: Equatable, Sendable {
    /// When it begins, counted from the start of the mock.
    package var start: Milliseconds
    /// How long it lasts.
    package var length: Milliseconds
    /// The reason of all answers; nil if there are none at all.
    package var reason: APNsReason?
    /// The share of requests that fail, from 0 to 1.
    package var share: Double

    /// An outage.
    package init(
        start: Milliseconds,
        length: Milliseconds,
        reason: APNsReason?,
        share: Double = 1
    ) {
        self.start = start
        self.length = length
        self.reason = reason
        self.share = share
    }
}
