package import Basics

/// Whether an app's pushes are sent to one of Apple's services, or kept because its settings are
/// wrong.
///
///     sending ── APNs refuses the key, the topic, or most devices' tokens ──► stopped
///        ▲                                                                     │    ▲
///        │ a push is accepted                                  after 5 minutes │    │ it is not
///        └───────────────────────────────────────────────── one push, a probe ◄┘────┘
///
/// New settings make a new breaker, which sends.
package struct LaneBreaker: Equatable, Sendable {
    /// Why pushes are stopped.
    package enum Cause: String, CaseIterable, Sendable {
        /// APNs does not accept the team's key, or not for this app or service.
        case credentials
        /// APNs does not accept the app's topic.
        case topic
        /// APNs refuses the tokens of nearly all devices.
        case tokens
        /// APNs says that a provider token which is new has expired: one of the clocks is wrong.
        case clock
        /// What answers is not APNs: its answers have not the form that Apple documents.
        case answer
    }

    /// Why pushes are stopped; nil while they are sent.
    package private(set) var cause: Cause?
    /// When the next probe may be sent.
    private var nextProbe = MonotonicTime.longAgo
    /// True while a probe has no answer.
    private var isProbing = false
    /// What APNs has lately said of devices' tokens.
    package private(set) var evidence = TokenEvidence()

    /// The time between two probes.
    package static var probePause: Milliseconds { .minutes(5) }

    /// A breaker that sends.
    package init() {}

    /// Whether a push may be sent now: any while pushes are sent, else the next probe.
    package func canSend(at now: MonotonicTime) -> Bool {
        cause == nil || !isProbing && now >= nextProbe
    }

    /// A push is sent; `canSend` was true.
    package mutating func sent() {
        if cause != nil { isProbing = true }
    }

    /// APNs has accepted a push to a device, or has said that its token is dead, which only an app
    /// with good settings hears. Returns true if pushes were stopped, and are sent again.
    package mutating func accepted(_ device: DeviceID) -> Bool {
        let wasStopped = cause != nil
        if wasStopped { self = LaneBreaker() }
        evidence.accepted(device)
        return wasStopped
    }

    /// APNs has refused a device's token. Returns true if pushes were sent, and are stopped now.
    package mutating func refusedToken(of device: DeviceID, at now: MonotonicTime) -> Bool {
        evidence.refused(device, at: now)
        switch cause {
        case nil: return evidence.isAgainstSettings && stop(.tokens, at: now)
        case .tokens: ended(at: now)
        case .credentials, .topic, .clock, .answer:
            // Credentials are looked at before tokens: they are accepted again.
            if isProbing { self = LaneBreaker() }
        }
        return false
    }

    /// APNs has refused a push because of the app's settings, or what has answered is not APNs.
    /// Returns true if pushes were sent, and are stopped now.
    package mutating func stop(_ cause: Cause, at now: MonotonicTime) -> Bool {
        let wasSending = self.cause == nil
        self.cause = cause
        isProbing = false
        nextProbe = now + Self.probePause
        return wasSending
    }

    /// A push has ended in a way that says nothing about the app's settings; if it was a probe,
    /// another one follows.
    package mutating func ended(at now: MonotonicTime) {
        if !isProbing { return }
        isProbing = false
        nextProbe = now + Self.probePause
    }
}

extension APNsAnswer {
    /// What is wrong, if the verdict is `stopped` or `strange`.
    package var cause: LaneBreaker.Cause {
        if !isApples { return .answer }
        return reason == .topicDisallowed ? .topic : .credentials
    }
}

extension Milliseconds {
    /// A length from this one to four thirds of it, by random bits, so that what was refused at
    /// once is not sent again at once.
    package func spread(by random: UInt64) -> Milliseconds {
        self + Milliseconds(rawValue: Int64(random % UInt64(Swift.max(0, rawValue) / 3 + 1)))
    }
}
