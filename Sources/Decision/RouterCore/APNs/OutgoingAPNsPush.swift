package import Basics

/// A push by APNs that is to be sent now.
package struct OutgoingAPNsPush: BitwiseCopyable, Sendable {
    /// The device.
    package let device: DeviceID
    /// What the push is called: no other push or RELOAD of the store has this number.
    package let number: UInt64
    /// How it goes.
    package let channel: APNsChannel
    /// The control that it reloads; `none` for another channel than that of controls.
    let control: WidgetID
    /// Whether an urgent push of a publisher has caused it, so that the device may be woken.
    package let isUrgent: Bool
    /// When it is of no use any more.
    package let expiresAt: WallTime
}

/// What became of a push.
package enum APNsPushOutcome: Equatable, Sendable {
    /// APNs has accepted it, which does not say that the device has reloaded.
    case accepted
    /// APNs has accepted it at the other service, which was tried with it: tokens of the device's
    /// controls that were refused at the one before may be good there. The router finds this out.
    case acceptedOnTrial
    /// APNs never accepts such a push.
    case refused
    /// The token is dead since a time by Apple's clock; nil if the answer does not say.
    case tokenDead(since: WallTime?, because: TokenFault)
    /// The token was never valid for the app, or for the service.
    case tokenRefused(TokenFault)
    /// The same push is to be made again, after a pause.
    case postponed(Milliseconds)
    /// It has ended without an answer, so APNs may have accepted it. It is made again at once, and
    /// if nothing is heard of that either, after a pause.
    case unknown
}
