/// The limits of a `DeviceReporter`, by name, and what happens when each is reached.
public struct ReportLimits: Hashable, Sendable {
    /// How long a call may last with all of its attempts: less than the 30 s or so for which
    /// `beginBackgroundTask` lets an app run on, so that it ends by itself.
    ///
    /// Beyond: the call throws the error of its last attempt. A registration stays remembered, and
    /// the next call sends it.
    public var callTime = Duration.seconds(25)
    /// The same for the report of a timeline, for which a provider waits.
    public var timelineTime = Duration.seconds(8)
    /// How long the router may be silent during a request.
    ///
    /// Beyond: the attempt has failed, and another one follows after a pause.
    public var requestTime = Duration.seconds(10)
    /// The first pause between two attempts; it doubles with every attempt.
    public var firstPause = Duration.milliseconds(500)
    /// The longest pause between two attempts, apart from what `Retry-After` adds to it.
    public var longestPause = Duration.seconds(20)
    /// The longest `Retry-After` that is believed.
    ///
    /// Beyond: it counts as this one.
    public var longestRetryAfter = Duration.seconds(3_600)
    /// The age from which on a registration that has not changed is sent again, so that a router
    /// that has lost it, or that takes its push token for a dead one, has it again.
    public var registrationAge = Duration.seconds(86_400)
    /// How often the foreground and media are reported again while they last: the router takes them
    /// to have ended after five minutes, because it does not learn that an app is killed.
    public var stateAge = Duration.seconds(120)

    /// Makes the default limits.
    public init() {}
}
