package import ReloadModel
package import Times

/// The pushes to a device by APNs, as operators see them.
package struct PushView: Equatable, Sendable {
    /// What APNs has said of the token.
    package enum TokenState: String, Sendable {
        /// Nothing against it.
        case good
        /// It is dead: the app was removed, or has another token now.
        case dead
        /// It was never valid for the app, or for the service.
        case refused
    }

    /// What keeps pushes from the device.
    package struct Wait: Equatable, Sendable {
        /// Until when.
        package var until: WallTime
        /// `grace`, `cap` or `retry`.
        package var reason: DecisionReason
    }

    /// The service that the token is for.
    package var environment: APNsEnvironment
    /// Whether reloads go by APNs while the device has no session.
    package var isReached: Bool
    /// What APNs has said of the token.
    package var tokenState: TokenState
    /// When the device last gave the token.
    package var registeredAt: WallTime
    /// Whether a push is under way.
    package var isUnderWay: Bool
    /// The pushes of the last 24 hours.
    package var used: Int
    /// The most pushes in 24 hours; nil if the app has no settings.
    package var cap: Int?
    /// What keeps pushes from it now; nil if nothing does.
    package var waits: Wait?
}
