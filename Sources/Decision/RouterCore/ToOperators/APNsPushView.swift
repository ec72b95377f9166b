package import Basics

/// The pushes to a device by APNs, as operators see them.
package struct APNsPushView: Equatable, Sendable {
    /// What keeps pushes from the device.
    package struct Wait: Equatable, Sendable {
        /// Until when.
        package var until: WallTime
        /// `grace`, `cap` or `retry`.
        package var reason: DecisionReason
    }

    /// The service that the token is for.
    package var environment: APNsEnvironment
    /// How its widgets are reloaded while the device has no session, or its controls alone; nil if
    /// APNs does not reach it.
    package var channel: APNsChannel?
    /// What APNs has said of the widgets' token; nil if there is none.
    package var tokenState: TokenState?
    /// What APNs has said of the app's token; nil if there is none.
    package var appTokenState: TokenState?
    /// When the device last gave its tokens.
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

extension StoredToken {
    /// What APNs has said of the token; nil if there is none.
    var view: TokenState? { isPresent ? state : nil }
}
