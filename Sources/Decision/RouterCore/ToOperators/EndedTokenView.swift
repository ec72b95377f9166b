package import Basics

/// A push token to which APNs accepts nothing, as operators see it.
package struct EndedTokenView: Equatable, Sendable {
    /// A control with a token of its own.
    package struct Control: Equatable, Sendable {
        /// The control's id.
        package var widget: String
        /// Its kind.
        package var kind: String
    }

    /// The end's number; it rises from one end to the next.
    package var number: UInt64
    /// The device's id.
    package var device: String
    /// The channel of pushes to the token.
    package var channel: APNsChannel
    /// The control whose token it is; nil for a token of widgets or of an app.
    package var control: Control?
    /// The token, which leaves the router as a hash alone.
    package var token: [UInt8]
    /// The service that the token was for.
    package var environment: APNsEnvironment
    /// Whether the token is dead, or was never valid.
    package var state: TokenState
    /// What APNs has said.
    package var fault: TokenFault
    /// Since when the token is dead, by Apple's clock if Apple says so, else by the router's.
    package var since: WallTime
    /// When the device last gave the token.
    package var registeredAt: WallTime
}
